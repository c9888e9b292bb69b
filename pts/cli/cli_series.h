/* Series of rounds, from CSV files or from a store, ready for the judge. */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge_steady.h"
#include "pts_err.h"
#include "store.h"

struct cli_series {
	char *name;
	char *test, *phase, *metric; /* from a store; NULL for files */
	int step;                    /* from a store; -1 */
	unsigned first_round;
	size_t count;
	double *values; /* one a round from first_round on; NaN: a failed or missing round */
	bool *fresh;    /* this round begins afresh: no window reaches across it */
	struct judge_rule rule;
	struct judge_window *windows; /* of the window that ends there; see has_window */
	bool *has_window;
};

struct cli_series_list {
	struct cli_series *all;
	size_t count;
};

/*
 * Adds the series of a CSV file with the columns series, round and value, found by name. Rounds
 * may come in any order; one that is missing, or whose value is empty, is a failed round; one
 * that is there twice is a fault. Faults are FILE:LINE: text, PTS_EXIT_SPEC; a file that can't be
 * read is PTS_EXIT_USAGE.
 */
int cli_series_read_csv(const char *file, struct cli_series_list *list, struct pts_err *err);

/* Adds a series for each tracking variable that the store has judged, with its stored rule. */
int cli_series_read_store(struct store *store, struct cli_series_list *list,
			  struct pts_err *err);

void cli_series_release(struct cli_series_list *list);

/* Fills windows and has_window of each by its rule. */
void cli_series_judge(struct cli_series_list *list);
/* The first steady round; 0 if there is none (rounds count from 1 or later in what is judged:
 * *ret_found tells a round 0 apart). */
unsigned cli_series_first_steady(const struct cli_series *series, bool *ret_found);
/* The first round at which all of list[from..from+count) are steady. */
unsigned cli_series_all_steady(const struct cli_series_list *list, size_t from, size_t count,
			       bool *ret_found);

#endif
