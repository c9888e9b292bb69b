/*
 * Points: the choice of each again, by the plan's rule from the means of the cells over the last
 * window, and whether what runs at a point has its threads and queue depth.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge_point.h"
#include "verify_internal.h"

struct points {
	struct verify *verify;
	const json_t *planned; /* of the plan's step */
	int step, from;
	size_t cells;
	int last_valid, fresh; /* rounds of the step that is looked at */
	int first_round, last_round;
	double *sum, *latency; /* of the metric at work; NaN: a round has none */
	const char *metric;
	unsigned rows;
	long chosen; /* of the point that is asked for */
	const char *name;
};

static int take_round(void *ctx, const struct store_round_row *row)
{
	struct points *points = ctx;

	if (strcmp(row->state, "valid") != 0)
		return 0;
	points->last_valid = row->round;
	if (row->after_gap || !points->fresh)
		points->fresh = row->round;
	return 0;
}

static double value_of(const struct store_cell *cell, const char *metric)
{
	if (!cell->valid)
		return NAN;
	if (!strcmp(metric, "mb_per_s"))
		return cell->total.mb_per_s;
	if (!strcmp(metric, "cpu_system"))
		return cell->cpu_system_pct;
	if (!strcmp(metric, "iops"))
		return cell->total.iops;
	if (!strcmp(metric, "lat_mean"))
		return cell->total.lat_mean_ns;
	return !strcmp(metric, "lat_max") ? (double)cell->total.lat_max_ns
					  : (double)cell->total.lat_p99999_ns;
}

static int add_cell(void *ctx, const struct store_cell *cell)
{
	struct points *points = ctx;

	if (cell->cell < 0 || (size_t)cell->cell >= points->cells ||
	    strcmp(cell->role ? cell->role : "", "cell") != 0)
		return 0;
	points->sum[cell->cell] += value_of(cell, points->metric);
	points->latency[cell->cell] += value_of(cell, "lat_mean");
	return 0;
}

/* The means of every cell over the window. */
static int means(struct points *points, const char *metric)
{
	int rc = 0, count = points->last_round - points->first_round + 1;

	points->metric = metric;
	for (size_t i = 0; i < points->cells; i++)
		points->sum[i] = points->latency[i] = 0;
	for (int round = points->first_round;
	     points->last_round && round <= points->last_round && !rc; round++) {
		const struct store_cell_filter filter = {.step = points->from, .round = round};

		rc = store_each_cell(points->verify->store, &filter, add_cell, points,
				     points->verify->err);
	}
	for (size_t i = 0; i < points->cells; i++) {
		points->sum[i] = points->last_round ? points->sum[i] / count : NAN;
		points->latency[i] = points->last_round ? points->latency[i] / count : NAN;
	}
	return rc;
}

static const json_t *planned_point(const struct points *points, const char *name)
{
	const json_t *list = json_object_get(points->planned, "points");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = verify_json_text(json_array_get(list, i), "name");

		if (text && !strcmp(text, name))
			return json_array_get(list, i);
	}
	return NULL;
}

static int find_choice(void *ctx, const struct store_choice *choice)
{
	struct points *points = ctx;

	if (!strcmp(choice->name, points->name))
		points->chosen = choice->cell;
	return 0;
}

/* The value at the cell of another point, as it is stored: that one is checked by itself. */
static double value_at(struct points *points, const json_t *between, size_t index)
{
	const char *name = json_string_value(json_array_get(between, index));

	points->name = name ? name : "";
	points->chosen = -1;
	store_each_choice(points->verify->store, points->step, find_choice, points,
			  points->verify->err);
	return points->chosen < 0 || (size_t)points->chosen >= points->cells
		       ? NAN
		       : points->sum[points->chosen];
}

static long choose(struct points *points, const json_t *point)
{
	const json_t *between = json_object_get(point, "between");
	const char *rule = verify_json_text(point, "rule");
	int64_t cell = verify_json_whole(point, "cell", -1);

	if (rule && !strcmp(rule, "highest"))
		return judge_highest(
			points->sum, points->latency, points->cells,
			(double)verify_json_whole(point, "mean_latency_below_ns", 0));
	if (rule && !strcmp(rule, "nearest_mean"))
		return judge_nearest(
			points->sum, points->cells,
			(value_at(points, between, 0) + value_at(points, between, 1)) / 2);
	return cell >= 0 && (size_t)cell < points->cells && !isnan(points->sum[cell])
		       ? (long)cell
		       : -1;
}

static void check_figures(struct points *points, const char *where,
			  const struct store_choice *row, long cell)
{
	const json_t *planned = verify_plan_cell(points->verify, points->from, (int)cell);

	verify_double(points->verify, where, "value", row->value, points->sum[cell]);
	verify_double(points->verify, where, "lat_mean_ns", row->lat_mean_ns,
		      points->latency[cell]);
	verify_u64(points->verify, where, "threads", row->threads,
		   (uint64_t)verify_json_whole(planned, "threads", 0));
	verify_u64(points->verify, where, "queue_depth", row->queue_depth,
		   (uint64_t)verify_json_whole(planned, "queue_depth", 0));
}

static int check_choice(void *ctx, const struct store_choice *row)
{
	struct points *points = ctx;
	struct verify *verify = points->verify;
	const json_t *point = planned_point(points, row->name);
	const char *metric = verify_json_text(point, "metric");
	char where[160];
	long cell;
	int rc;

	snprintf(where, sizeof(where), "step %d point '%.100s'", row->step, row->name);
	points->rows++;
	verify_that(verify, point != NULL, where, "the plan has no such point");
	if (!point)
		return 0;
	verify_text(verify, where, "rule", row->rule, verify_json_text(point, "rule"));
	metric = metric ? metric : "iops";
	verify_text(verify, where, "metric", row->metric, metric);
	verify_u64(verify, where, "first_round", (uint64_t)row->first_round,
		   (uint64_t)points->first_round);
	verify_u64(verify, where, "last_round", (uint64_t)row->last_round,
		   (uint64_t)points->last_round);
	rc = means(points, metric);
	if (rc)
		return rc;
	cell = choose(points, point);
	verify_u64(verify, where, "cell", (uint64_t)row->cell, (uint64_t)cell);
	if (cell >= 0 && row->cell == cell)
		check_figures(points, where, row, cell);
	return 0;
}

static void set_window(struct points *points)
{
	const json_t *from = verify_plan_step(points->verify, points->from);
	int window = (int)verify_json_whole(from, "window", 0);

	points->cells = json_array_size(json_object_get(from, "cells"));
	points->last_round = points->last_valid;
	points->first_round = points->last_valid ? points->last_valid - window + 1 : 0;
	if (points->first_round < points->fresh)
		points->first_round = points->fresh;
}

int verify_choices(struct verify *verify, const struct store_step_row *row)
{
	struct points points = {
		.verify = verify,
		.step = row->plan.step,
		.planned = verify_plan_step(verify, row->plan.step),
	};
	bool chooses = !strcmp(row->plan.kind, "choose");
	char where[64];
	int rc;

	points.from = (int)verify_json_whole(points.planned, "from_step", -1);
	rc = chooses ? store_each_round(verify->store, points.from, take_round, &points,
					verify->err)
		     : 0;
	set_window(&points);
	points.sum = calloc(points.cells + 1, sizeof(double));
	points.latency = calloc(points.cells + 1, sizeof(double));
	if (!points.sum || !points.latency)
		abort();
	if (!rc)
		rc = store_each_choice(verify->store, row->plan.step, check_choice, &points,
				       verify->err);
	snprintf(where, sizeof(where), "step %d", row->plan.step);
	if (!rc && row->outcome && !strcmp(row->outcome, "done"))
		verify_u64(verify, where, "points", points.rows,
			   json_array_size(json_object_get(points.planned, "points")));
	free(points.sum);
	free(points.latency);
	return rc;
}

struct at_point {
	struct verify *verify;
	const char *test, *point;
	unsigned threads, queue_depth;
};

static int take_choice(void *ctx, const struct store_choice *choice)
{
	struct at_point *at = ctx;
	const char *test = verify_json_text(verify_plan_step(at->verify, choice->step), "test");

	if (choice->cell < 0 || strcmp(choice->name, at->point) != 0 || !test || !at->test ||
	    strcmp(test, at->test) != 0)
		return 0;
	at->threads = choice->threads;
	at->queue_depth = choice->queue_depth;
	return 0;
}

int verify_point(struct verify *verify, const char *where, const struct store_cell *cell,
		 const char *point)
{
	struct at_point at = {
		.verify = verify,
		.point = point,
		.test = verify_json_text(verify_plan_step(verify, cell->step), "test"),
	};
	int rc = store_each_choice(verify->store, -1, take_choice, &at, verify->err);

	verify_u64(verify, where, "threads (of its point)", cell->threads, at.threads);
	verify_u64(verify, where, "queue_depth (of its point)", cell->queue_depth,
		   at.queue_depth);
	return rc;
}
