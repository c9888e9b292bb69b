/*
 * Random data as fast as memory takes it: xoshiro256+ (D. Blackman and S. Vigna, public domain)
 * in eight interleaved lanes. A copy from a pool of random data costs the same and can be
 * deduplicated. It must not know what a block is for.
 */
#include "engine_payload.h"

#include <string.h>

#include "pts_hash.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

void engine_payload_random_portable(struct engine_payload_state *state, void *data,
				    size_t bytes)
{
	uint64_t(*s)[ENGINE_PAYLOAD_LANES] = state->s;
	uint64_t *word = data;
	const uint64_t *end = word + bytes / sizeof(*word);

	while (word < end) {
		for (unsigned i = 0; i < ENGINE_PAYLOAD_LANES; i++) {
			uint64_t shifted = s[1][i] << 17;

			*word++ = s[0][i] + s[3][i];
			s[2][i] ^= s[0][i];
			s[3][i] ^= s[1][i];
			s[1][i] ^= s[2][i];
			s[0][i] ^= s[3][i];
			s[2][i] ^= shifted;
			s[3][i] = (s[3][i] << 45) | (s[3][i] >> 19);
		}
	}
}

#if defined(__x86_64__)
struct lanes {
	__m256i s[4];
};

__attribute__((target("avx2"), always_inline)) static inline __m256i
lanes_next(struct lanes *lane)
{
	__m256i *s = lane->s;
	__m256i word = _mm256_add_epi64(s[0], s[3]);
	__m256i shifted = _mm256_slli_epi64(s[1], 17);

	s[2] = _mm256_xor_si256(s[2], s[0]);
	s[3] = _mm256_xor_si256(s[3], s[1]);
	s[1] = _mm256_xor_si256(s[1], s[2]);
	s[0] = _mm256_xor_si256(s[0], s[3]);
	s[2] = _mm256_xor_si256(s[2], shifted);
	s[3] = _mm256_or_si256(_mm256_slli_epi64(s[3], 45), _mm256_srli_epi64(s[3], 19));
	return word;
}

__attribute__((target("avx2"))) void
engine_payload_random_avx2(struct engine_payload_state *state, void *data, size_t bytes)
{
	struct lanes low, high;
	__m256i *out = data;
	const __m256i *end = out + bytes / sizeof(*out);

	for (unsigned i = 0; i < 4; i++) {
		low.s[i] = _mm256_load_si256((const __m256i *)&state->s[i][0]);
		high.s[i] = _mm256_load_si256((const __m256i *)&state->s[i][4]);
	}
	while (out < end) {
		_mm256_store_si256(out++, lanes_next(&low));
		_mm256_store_si256(out++, lanes_next(&high));
	}
	for (unsigned i = 0; i < 4; i++) {
		_mm256_store_si256((__m256i *)&state->s[i][0], low.s[i]);
		_mm256_store_si256((__m256i *)&state->s[i][4], high.s[i]);
	}
}
#endif

static void seed_lanes(struct engine_payload_state *state, uint64_t seed)
{
	for (unsigned i = 0; i < ENGINE_PAYLOAD_LANES; i++)
		for (unsigned word = 0; word < 4; word++)
			state->s[word][i] = pts_splitmix64(&seed);
}

/* The random part of a unit, to the byte; whole steps are generated, what is beyond is wiped. */
static void fill_unit(struct engine_payload_state *state, unsigned char *data, size_t bytes)
{
	size_t random = state->random_bytes * bytes / ENGINE_PAYLOAD_UNIT;
	size_t steps = (random + ENGINE_PAYLOAD_STEP - 1) / ENGINE_PAYLOAD_STEP;

	state->fill(state, data, steps * ENGINE_PAYLOAD_STEP);
	memset(data + random, 0, bytes - random);
}

void engine_payload_init(struct engine_payload_state *state, enum engine_payload kind,
			 double compressible_share, double duplicate_share, uint64_t seed)
{
	double random = 1 - compressible_share;

	if (kind == ENGINE_PAYLOAD_ZERO)
		random = 0;
	state->random_bytes = (size_t)(random * ENGINE_PAYLOAD_UNIT + 0.5);
	state->fill = engine_payload_random_portable;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		state->fill = engine_payload_random_avx2;
#endif
	state->duplicates = (uint64_t)(duplicate_share * 0x1p32 + 0.5);
	state->pick = seed;
	if (state->duplicates) {
		seed_lanes(state, 0);
		for (unsigned i = 0; i < ENGINE_PAYLOAD_POOL; i++)
			fill_unit(state, state->pool[i], ENGINE_PAYLOAD_UNIT);
	}
	seed_lanes(state, seed);
}

static void fill_next(struct engine_payload_state *state, unsigned char *data, size_t bytes)
{
	uint64_t pick;

	if (state->duplicates) {
		pick = pts_splitmix64(&state->pick);
		if (pick >> 32 < state->duplicates) {
			memcpy(data, state->pool[pick % ENGINE_PAYLOAD_POOL], bytes);
			return;
		}
	}
	fill_unit(state, data, bytes);
}

void engine_payload_fill(struct engine_payload_state *state, void *data, size_t bytes)
{
	unsigned char *at = data;

	if (!state->duplicates && state->random_bytes == ENGINE_PAYLOAD_UNIT) {
		state->fill(state, data, bytes);
		return;
	}
	if (!state->random_bytes) {
		memset(data, 0, bytes);
		return;
	}
	while (bytes) {
		size_t unit = bytes < ENGINE_PAYLOAD_UNIT ? bytes : ENGINE_PAYLOAD_UNIT;

		fill_next(state, at, unit);
		at += unit;
		bytes -= unit;
	}
}
