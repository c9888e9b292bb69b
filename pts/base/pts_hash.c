/* SHA-256 by libsodium; seed derivation by splitmix64. */
#include "pts_hash.h"

#include <sodium.h>

void pts_sha256_text(const void *data, size_t bytes, char ret_text[PTS_SHA256_TEXT])
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, data, bytes);
	sodium_bin2hex(ret_text, PTS_SHA256_TEXT, hash, sizeof(hash));
}

uint64_t pts_splitmix64(uint64_t *state)
{
	uint64_t mixed = (*state += 0x9e3779b97f4a7c15ull);

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
	return mixed ^ (mixed >> 31);
}

uint64_t pts_seed_derive(uint64_t master, uint64_t step, uint64_t round, uint64_t cell,
			 uint64_t thread)
{
	const uint64_t words[] = {step, round, cell, thread};
	uint64_t chain = master;
	uint64_t seed = pts_splitmix64(&chain);

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		chain = seed ^ words[i];
		seed = pts_splitmix64(&chain);
	}
	return seed;
}

uint64_t pts_seed_fresh(void)
{
	uint64_t seed;

	randombytes_buf(&seed, sizeof(seed));
	return seed;
}
