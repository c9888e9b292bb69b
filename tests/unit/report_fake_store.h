/*
 * A store in memory behind store.h's reading functions: a synthetic IOPS run in any state, without
 * SQLite, the planner or a device. For the report's tests only.
 */
#ifndef REPORT_FAKE_STORE_H
#define REPORT_FAKE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

struct fake_options {
	const char *model;     /* NULL: "PTS Example 1T92" */
	const char *transport; /* NULL: "nvme" */
	int rounds;            /* closed ones */
	bool unsteady;         /* the last window fails */
	bool lba_4096;         /* no 0.5 KiB cells */
	int failed_cell;       /* of the last round: no value; -1 none */
	bool all_zero;         /* every value is 0 */
	bool flat;             /* the same value in every round: no correlation */
	unsigned deviations;
	unsigned events;
	bool purge_is_pts;
	enum store_state state;
	const char *plan_json; /* NULL: the fake's own */
};

#define FAKE_OPTIONS_INIT                                                                      \
	{                                                                                      \
		.rounds = 7, .failed_cell = -1, .purge_is_pts = true, .state = STORE_DONE      \
	}

struct store *fake_store_new(const struct fake_options *options);
void fake_store_free(struct store *store);

#endif
