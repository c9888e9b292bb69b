/*
 * Synthetic runs for tests: a complete, plausible store of any plan with rounds, written through
 * the store's own API the way a run writes it (a transaction a cell, judged from what was read
 * back). Figures, samples, histograms and verdicts agree with each other, so that `pts verify`
 * finds nothing in it. Failures are cmocka's.
 */
#ifndef SYNTH_STORE_H
#define SYNTH_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

/* What was to be run; plan_json is plan_json(plan), plan_text plan_text(plan). */
struct synth_source {
	const char *plan_text, *plan_json, *plan_sha256;
	struct store_test test;
};

struct synth_place {
	int step, round, cell;
};

struct synth_options {
	struct synth_source source;
	const char *model;         /* fact device_before model; NULL: "Example 1T92" */
	int steady_round;          /* all tracks steady there and not before; 0: never */
	int rounds_most;           /* 0: the plan's max_rounds */
	struct synth_place failed; /* a cell with I/O errors; round 0: none */
	struct synth_place cut; /* power fails after this cell, then a resume; round 0: none */
	int hist_points;        /* distinct latencies of a cell; 0: 300 */
	enum store_state state; /* STORE_RUNNING: leaves it as kill -9 would, all rounds in */
	double outstanding_off; /* share by which outstanding_mean is not what Little's law says */
	/* Overrides the value of a cell; NaN: no I/O completes in it. */
	double (*iops)(void *ctx, const struct synth_place *place, int read_pct,
		       uint64_t block_bytes);
	/* After each committed cell (cell >= 0) and each closed round (cell -1). */
	void (*committed)(void *ctx, const struct synth_place *place);
	void *ctx;
};

#define SYNTH_OPTIONS_INIT                                                                     \
	{                                                                                      \
		.steady_round = 7, .state = STORE_DONE                                         \
	}

/* Makes the store at path and closes it. */
void synth_store(const char *path, const struct synth_options *options);

#endif
