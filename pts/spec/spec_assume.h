/*
 * The file of `--assume`: what is known of a drive before it is measured, by its datasheet or
 * otherwise (contexts "assume" and "assume.cell" of the key table). Only estimates follow from it.
 */
#ifndef SPEC_ASSUME_H
#define SPEC_ASSUME_H

#include <stdint.h>

#include "pts_err.h"

/* A speed as it was written: one of both, the other 0. */
struct spec_speed {
	double mb_per_s, iops;
};

/* The speed of one load, reads and writes together. */
struct spec_assume_cell {
	double random_share;
	unsigned read_pct;
	uint64_t block_bytes;
	unsigned threads, queue_depth; /* 0: any */
	struct spec_speed rate;
};

struct spec_assume {
	/* 0 where nothing is said */
	struct spec_speed sequential_read, sequential_write, random_read, random_write;
	uint64_t sequential_block_bytes, random_block_bytes; /* what these four are of */
	uint64_t purge_ns;
	unsigned rounds; /* to steady state */
	const struct spec_assume_cell *cells;
	unsigned cell_count;
	struct pts_arena *arena;
};

/* Faults as FILE:LINE:COL in *err (PTS_EXIT_SPEC, -EINVAL); PTS_EXIT_USAGE if the file can't be
 * read. spec_assume_free() releases what is returned; NULL is legal. */
int spec_assume_read(const char *path, struct spec_assume **ret_assume, struct pts_err *err);
void spec_assume_free(struct spec_assume *assume);

#endif
