/*
 * Data for writes: incompressible, no two blocks alike, fresh for every write, but for the shares
 * that a job asks to be otherwise. Internal to the engine.
 */
#ifndef ENGINE_PAYLOAD_H
#define ENGINE_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "engine.h"

/* Two generators of four interleaved xoshiro256+ lanes: 64 bytes a step, the same bytes with and
 * without vector instructions. */
#define ENGINE_PAYLOAD_LANES 8
#define ENGINE_PAYLOAD_STEP  (ENGINE_PAYLOAD_LANES * sizeof(uint64_t))
/* Drives compress in units of this order: each holds its share of zeroes. */
#define ENGINE_PAYLOAD_UNIT 4096

/* So many different units are what duplicates are duplicates of, the same in every job. */
#define ENGINE_PAYLOAD_POOL 8

struct engine_payload_state {
	_Alignas(64) uint64_t s[4][ENGINE_PAYLOAD_LANES];
	size_t random_bytes; /* of each unit; the rest is zeroes */
	void (*fill)(struct engine_payload_state *state, void *data, size_t bytes);
	uint64_t duplicates; /* of 2^32 units; 0: none */
	uint64_t pick;       /* state of the draw */
	_Alignas(64) unsigned char pool[ENGINE_PAYLOAD_POOL][ENGINE_PAYLOAD_UNIT];
};

void engine_payload_init(struct engine_payload_state *state, enum engine_payload kind,
			 double compressible_share, double duplicate_share, uint64_t seed);
/* bytes: a multiple of 64, data aligned to 64 (every LBA in every buffer is). */
void engine_payload_fill(struct engine_payload_state *state, void *data, size_t bytes);

/* The two ways, for the test that compares them. */
void engine_payload_random_portable(struct engine_payload_state *state, void *data,
				    size_t bytes);
#if defined(__x86_64__)
void engine_payload_random_avx2(struct engine_payload_state *state, void *data, size_t bytes);
#endif

#endif
