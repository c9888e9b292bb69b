/*
 * Judgements: every window again from the cells' values with the rule that the plan sets, whether
 * a window is there that should not be (across a gap) or missing, and at which round all tracks
 * are steady.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge_steady.h"
#include "verify_internal.h"

/* What happened in the rounds of one loop: index 0 is round 1. */
struct loop {
	struct verify *verify;
	const json_t *plan; /* of the step */
	int step;
	int part_round;  /* cut by a limit: no value of the loop; 0: none */
	int rounds;      /* valid ones */
	int *fresh;      /* [rounds] first round of the unbroken stretch that it lies in */
	unsigned *count; /* [rounds] judgements that end there */
	unsigned *good;  /* [rounds] steady ones */
	int room;
	/* the track at work */
	const struct store_steady *row;
	int cell;
	double values[JUDGE_WINDOW_MAX];
};

static int take_round(void *ctx, const struct store_round_row *row)
{
	struct loop *loop = ctx;
	int last = loop->rounds;

	if (strcmp(row->state, "valid") != 0 || row->round != last + 1 ||
	    row->round == loop->part_round)
		return 0;
	if (last == loop->room) {
		loop->room = loop->room ? loop->room * 2 : 64;
		loop->fresh = realloc(loop->fresh, (size_t)loop->room * sizeof(int));
		if (!loop->fresh)
			abort();
	}
	loop->fresh[last] = row->after_gap || !last ? row->round : loop->fresh[last - 1];
	loop->rounds++;
	return 0;
}

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
	if (!strcmp(metric, "cpu_system"))
		return cell->cpu_system_pct;
	return !strncmp(metric, "lat_max", 7) ? (double)total->lat_max_ns : NAN;
}

static int take_value(void *ctx, const struct store_cell *cell)
{
	struct loop *loop = ctx;
	int index = cell->round - (loop->row->last_round - loop->row->window + 1);

	if (cell->cell == loop->cell && index >= 0 && index < loop->row->window)
		loop->values[index] = metric_of(cell, loop->row->metric);
	return 0;
}

static void compare(struct verify *verify, const char *where, const struct store_steady *row,
		    const struct judge_window *window)
{
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

static const json_t *track_of(const struct loop *loop, const char *name)
{
	const json_t *tracks = json_object_get(loop->plan, "tracks");

	for (size_t i = 0; i < json_array_size(tracks); i++) {
		const char *text = verify_json_text(json_array_get(tracks, i), "name");

		if (text && !strcmp(text, name))
			return json_array_get(tracks, i);
	}
	return NULL;
}

/* The rule stored with a window is the plan's, and so are the tracked cell and metric. */
static void check_rule(struct loop *loop, const char *where, const struct store_steady *row,
		       const json_t *track)
{
	const char *metric = verify_json_text(track, "metric");

	verify_u64(loop->verify, where, "window", (uint64_t)row->window,
		   (uint64_t)verify_json_whole(loop->plan, "window", 0));
	verify_double(loop->verify, where, "range_limit", row->range_limit,
		      verify_json_number(loop->plan, "range_share"));
	verify_double(loop->verify, where, "slope_limit", row->slope_limit,
		      verify_json_number(loop->plan, "slope_share"));
	verify_text(loop->verify, where, "metric", row->metric, metric ? metric : "");
	if (row->read_pct >= 0)
		verify_u64(loop->verify, where, "read_pct", (uint64_t)row->read_pct,
			   (uint64_t)verify_json_whole(track, "read_pct", 0));
	verify_u64(loop->verify, where, "block_bytes", row->block_bytes,
		   (uint64_t)verify_json_whole(track, "block_bytes", 0));
}

static int recompute(struct loop *loop, const char *where, const struct store_steady *row)
{
	const struct judge_rule rule = {(unsigned)row->window, row->range_limit,
					row->slope_limit};
	int first = row->last_round - row->window + 1, rc = 0;
	struct judge_window window;

	for (int i = 0; i < row->window; i++)
		loop->values[i] = NAN;
	for (int i = 0; i < row->window && !rc; i++) {
		const struct store_cell_filter filter = {.step = row->step, .round = first + i};

		rc = store_each_cell(loop->verify->store, &filter, take_value, loop,
				     loop->verify->err);
	}
	if (!rc && judge_series_at(loop->values, (size_t)row->window, (size_t)row->window - 1,
				   first, &rule, &window) == 0)
		compare(loop->verify, where, row, &window);
	else if (!rc)
		verify_that(loop->verify, false, where, "its rule can't be judged");
	return rc;
}

static int check_row(void *ctx, const struct store_steady *row)
{
	struct loop *loop = ctx;
	const json_t *track = track_of(loop, row->track);
	int index = row->last_round - 1;
	char where[200];

	snprintf(where, sizeof(where), "step %d track '%.100s' window ending at round %d",
		 row->step, row->track, row->last_round);
	verify_that(loop->verify, track != NULL, where, "the plan has no such track");
	if (!track)
		return 0;
	check_rule(loop, where, row, track);
	if (row->window < 2 || row->window > JUDGE_WINDOW_MAX || index < 0 ||
	    index >= loop->rounds || loop->fresh[index] > row->last_round - row->window + 1) {
		verify_that(loop->verify, false, where,
			    "it lies not inside an unbroken stretch of rounds");
		return 0;
	}
	loop->count[index]++;
	loop->good[index] += row->steady;
	loop->row = row;
	loop->cell = (int)verify_json_whole(track, "cell", -1);
	return recompute(loop, where, row);
}

/* Every round that closes a whole window has a judgement of each track that can run. */
static void check_complete(struct loop *loop, int *ret_steady_round)
{
	const json_t *tracks = json_object_get(loop->plan, "tracks");
	int64_t window = verify_json_whole(loop->plan, "window", 0);
	bool judgeable = verify_json_true(loop->plan, "judgeable");
	unsigned expected = 0;

	for (size_t i = 0; i < json_array_size(tracks); i++)
		expected += verify_json_whole(json_array_get(tracks, i), "cell", -1) >= 0;
	for (int i = 0; i < loop->rounds; i++) {
		bool whole = window && i + 2 - loop->fresh[i] >= window;
		bool steady = judgeable && loop->count[i] && loop->good[i] == loop->count[i] &&
			      loop->count[i] == json_array_size(tracks);
		bool stretch_ends = i + 1 == loop->rounds || loop->fresh[i + 1] == i + 2;
		char where[96];

		snprintf(where, sizeof(where), "step %d round %d", loop->step, i + 1);
		verify_u64(loop->verify, where, "judgements", loop->count[i],
			   whole ? expected : 0);
		verify_that(loop->verify, !steady || stretch_ends, where,
			    "all tracks are steady, the loop went on");
		if (steady && i + 1 == loop->rounds)
			*ret_steady_round = i + 1;
	}
}

int verify_judgement(struct verify *verify, int step, int part_round, int *ret_steady_round)
{
	struct loop loop = {
		.verify = verify,
		.plan = verify_plan_step(verify, step),
		.step = step,
		.part_round = part_round,
	};
	int rc = store_each_round(verify->store, step, take_round, &loop, verify->err);

	*ret_steady_round = 0;
	loop.count = calloc((size_t)loop.rounds + 1, sizeof(*loop.count));
	loop.good = calloc((size_t)loop.rounds + 1, sizeof(*loop.good));
	if (!loop.count || !loop.good)
		abort();
	if (!rc)
		rc = store_each_steady(verify->store, step, check_row, &loop, verify->err);
	if (!rc)
		check_complete(&loop, ret_steady_round);
	free(loop.fresh);
	free(loop.count);
	free(loop.good);
	return rc;
}
