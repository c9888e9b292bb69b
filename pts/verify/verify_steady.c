/* Judgements: every window again from the cells, the verdict, and which round ended the loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge_steady.h"
#include "verify_internal.h"

struct rounds {
	struct verify *verify;
	int step;
	int last;         /* highest valid round */
	int steady_round; /* first round at which all tracks are steady; 0: none */
	int tracks_at, steady_at, at_round;
};

/* The tracked cell's value in one round. */
struct value {
	const struct store_steady *row;
	double *values;
	int first, count;
};

static double metric_of(const struct store_cell *cell, const char *metric)
{
	const struct store_dir *total = &cell->total;

	if (!cell->valid)
		return NAN;
	if (!strcmp(metric, "iops"))
		return total->iops;
	if (!strcmp(metric, "mb_per_s"))
		return total->mb_per_s;
	if (!strncmp(metric, "lat_mean", 8))
		return total->lat_mean_ns;
	if (!strncmp(metric, "lat_p99999", 10))
		return (double)total->lat_p99999_ns;
	return !strncmp(metric, "lat_max", 7) ? (double)total->lat_max_ns : NAN;
}

static int take_value(void *ctx, const struct store_cell *cell)
{
	struct value *value = ctx;
	int index = cell->round - value->first;

	if (cell->read_pct == value->row->read_pct &&
	    cell->block_bytes == value->row->block_bytes && index >= 0 && index < value->count)
		value->values[index] = metric_of(cell, value->row->metric);
	return 0;
}

static void compare(struct verify *verify, const struct store_steady *row,
		    const struct judge_window *window)
{
	char where[200];

	snprintf(where, sizeof(where), "step %d track '%.100s' window ending at round %d",
		 row->step, row->track, row->last_round);
	verify_u64(verify, where, "valid", row->valid, window->valid);
	verify_double(verify, where, "average", row->average, window->average);
	verify_double(verify, where, "minimum", row->minimum, window->minimum);
	verify_double(verify, where, "maximum", row->maximum, window->maximum);
	verify_double(verify, where, "range", row->range, window->range);
	verify_double(verify, where, "range_pct", row->range_pct, window->range_pct);
	verify_double(verify, where, "slope", row->slope, window->slope);
	verify_double(verify, where, "intercept", row->intercept, window->intercept);
	verify_double(verify, where, "slope_excursion", row->slope_excursion,
		      window->slope_excursion);
	verify_double(verify, where, "slope_excursion_pct", row->slope_excursion_pct,
		      window->slope_excursion_pct);
	verify_double(verify, where, "r", row->r, window->r);
	verify_u64(verify, where, "range_ok", row->range_ok, window->range_ok);
	verify_u64(verify, where, "slope_ok", row->slope_ok, window->slope_ok);
	verify_u64(verify, where, "boundary", row->boundary, window->boundary);
	verify_u64(verify, where, "steady", row->steady, window->steady);
}

static void note_round(struct rounds *rounds, const struct store_steady *row)
{
	if (row->last_round != rounds->at_round) {
		rounds->at_round = row->last_round;
		rounds->tracks_at = rounds->steady_at = 0;
	}
	rounds->tracks_at++;
	rounds->steady_at += row->steady;
}

static int check_row(void *ctx, const struct store_steady *row)
{
	struct rounds *rounds = ctx;
	struct judge_rule rule = {(unsigned)row->window, row->range_limit, row->slope_limit};
	double values[JUDGE_WINDOW_MAX];
	struct judge_window window;
	int rc = 0;

	if (row->window < 2 || row->window > JUDGE_WINDOW_MAX) {
		verify_that(rounds->verify, false, "steady",
			    "a window of an impossible length");
		return 0;
	}
	for (int i = 0; i < row->window; i++)
		values[i] = NAN;
	for (int i = 0; i < row->window && !rc; i++) {
		struct value value = {row, values, row->last_round - row->window + 1,
				      row->window};
		struct store_cell_filter filter = {.step = row->step, .round = value.first + i};

		rc = store_each_cell(rounds->verify->store, &filter, take_value, &value,
				     rounds->verify->err);
	}
	if (rc)
		return rc;
	if (judge_series_at(values, (size_t)row->window, (size_t)row->window - 1,
			    row->last_round - row->window + 1, &rule, &window) == 0)
		compare(rounds->verify, row, &window);
	note_round(rounds, row);
	if (rounds->steady_at && rounds->steady_at == rounds->tracks_at)
		rounds->steady_round = row->last_round;
	else if (rounds->steady_round == row->last_round)
		rounds->steady_round = 0; /* a later track of the same round is not steady */
	return 0;
}

static int check_round(void *ctx, const struct store_round_row *row)
{
	struct rounds *rounds = ctx;

	if (strcmp(row->state, "valid") != 0)
		return 0;
	rounds->last++;
	verify_that(rounds->verify, row->round == rounds->last, "rounds",
		    "a round is missing or there twice");
	return 0;
}

static int check_step(void *ctx, const struct store_step_row *step)
{
	struct verify *verify = ctx;
	struct rounds rounds = {.verify = verify, .step = step->plan.step};
	char where[160];
	int rc;

	if (strcmp(step->plan.kind, "rounds") != 0)
		return 0;
	rc = store_each_round(verify->store, step->plan.step, check_round, &rounds,
			      verify->err);
	if (!rc)
		rc = store_each_steady(verify->store, step->plan.step, check_row, &rounds,
				       verify->err);
	if (rc)
		return rc;
	snprintf(where, sizeof(where), "step %d (%.100s)", step->plan.step, step->plan.phase);
	if (step->outcome && !strcmp(step->outcome, "steady"))
		verify_that(verify, rounds.steady_round == rounds.last && rounds.last, where,
			    "its outcome is 'steady', its last round is not");
	else if (step->outcome)
		verify_that(verify, !rounds.steady_round, where,
			    "all tracks are steady at a round, its outcome is another");
	return 0;
}

int verify_steady(struct verify *verify)
{
	return store_each_step(verify->store, check_step, verify, verify->err);
}
