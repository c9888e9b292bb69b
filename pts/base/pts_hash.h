/* SHA-256 (libsodium) and seed derivation. */
#ifndef PTS_HASH_H
#define PTS_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PTS_SHA256_TEXT 65 /* 64 hexadecimal digits and the NUL */

void pts_sha256_text(const void *data, size_t bytes, char ret_text[PTS_SHA256_TEXT]);

/*
 * A new seed for each (step, round, cell, thread) from one recorded master seed: the same four
 * numbers give the same seed on every machine, different ones give unrelated seeds (splitmix64
 * finalizer over the chained words; S. Vigna, public domain).
 */
uint64_t pts_seed_derive(uint64_t master, uint64_t step, uint64_t round, uint64_t cell,
			 uint64_t thread);
/* One step of splitmix64: fills generator states from a seed. */
uint64_t pts_splitmix64(uint64_t *state);
/* A master seed from the kernel's generator. */
uint64_t pts_seed_fresh(void);

#endif
