/*
 * Recomputes every figure of a store from its raw rows and compares: rates from counts and
 * times, latency from histograms, totals from directions, samples against cells, verdicts of
 * every window, the matrix, which round ended the loop. Uses store and judge; must not know
 * devices or engines. Works offline on any store.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdint.h>

#include "pts_err.h"
#include "store.h"

struct verify_counts {
	uint64_t checked;
	uint64_t differences;
};

/* Every difference is one line: where (step, round, cell, column), stored, recomputed. 0 when
 * the store could be read, whatever it says; differences are in *ret_counts. */
int verify_store(struct store *store, void (*difference)(void *ctx, const char *line),
		 void *ctx, struct verify_counts *ret_counts, struct pts_err *err);

#endif
