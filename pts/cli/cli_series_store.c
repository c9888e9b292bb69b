/* Series from a store: its tracking variables over all valid rounds, judged with its own rule. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_series.h"

/* Which cell a track looks at stands in the stored plan. */
struct gathering {
	struct store *store;
	json_t *plan;
	struct cli_series_list *list;
	const struct store_step *step;
	struct cli_series *series; /* the one whose values are read */
	int cell;
	struct pts_err *err;
};

static int cell_of_track(const json_t *plan, int step, const char *track)
{
	const json_t *steps = json_object_get(plan, "steps");
	const json_t *tracks = json_object_get(json_array_get(steps, (size_t)step), "tracks"),
		     *one;
	size_t index;

	json_array_foreach(tracks, index, one)
	{
		const char *name = json_string_value(json_object_get(one, "name"));

		if (name && !strcmp(name, track))
			return (int)json_integer_value(json_object_get(one, "cell"));
	}
	return -1;
}

static char *copy(const char *text)
{
	char *made = strdup(text ? text : "");

	if (!made)
		abort();
	return made;
}

static int take_track(void *ctx, const struct store_steady *steady)
{
	struct gathering *from = ctx;
	struct cli_series_list *list = from->list;

	for (size_t i = 0; i < list->count; i++)
		if (list->all[i].step == steady->step &&
		    !strcmp(list->all[i].name, steady->track))
			return 0;
	list->all = realloc(list->all, (list->count + 1) * sizeof(*list->all));
	if (!list->all)
		abort();
	list->all[list->count++] = (struct cli_series){
		.name = copy(steady->track),
		.test = copy(from->step->test),
		.phase = copy(from->step->phase),
		.metric = copy(steady->metric),
		.step = steady->step,
		.rule = {.window = (unsigned)steady->window,
			 .range_share = steady->range_limit,
			 .slope_share = steady->slope_limit},
	};
	return 0;
}

static int take_step(void *ctx, const struct store_step_row *step)
{
	struct gathering *from = ctx;

	from->step = &step->plan;
	return store_each_steady(from->store, step->plan.step, take_track, from, from->err);
}

static int take_round(void *ctx, const struct store_round_row *round)
{
	struct gathering *from = ctx;
	struct cli_series *series = from->series;
	size_t count;

	if (strcmp(round->state, "valid") != 0 || round->round < 1)
		return 0;
	if (!series->count)
		series->first_round = (unsigned)round->round;
	count = (size_t)round->round - series->first_round + 1;
	series->values = realloc(series->values, count * sizeof(*series->values));
	series->fresh = realloc(series->fresh, count * sizeof(*series->fresh));
	if (!series->values || !series->fresh)
		abort();
	for (size_t i = series->count; i < count; i++) {
		series->values[i] = NAN;
		series->fresh[i] = false;
	}
	series->fresh[count - 1] = round->after_gap;
	series->count = count;
	return 0;
}

static double value_of(const struct store_cell *cell, const char *metric)
{
	if (!cell->valid)
		return NAN;
	if (!strcmp(metric, "iops"))
		return cell->total.iops;
	if (!strcmp(metric, "mb_per_s"))
		return cell->total.mb_per_s;
	if (!cell->total.ios)
		return NAN;
	if (!strcmp(metric, "lat_mean"))
		return cell->total.lat_mean_ns;
	if (!strcmp(metric, "lat_p99999"))
		return (double)cell->total.lat_p99999_ns;
	if (!strcmp(metric, "lat_max"))
		return (double)cell->total.lat_max_ns;
	return NAN;
}

static int take_cell(void *ctx, const struct store_cell *cell)
{
	struct gathering *from = ctx;
	struct cli_series *series = from->series;
	size_t at = (size_t)cell->round - series->first_round;

	if (cell->cell == from->cell && cell->round >= (int)series->first_round &&
	    at < series->count)
		series->values[at] = value_of(cell, series->metric);
	return 0;
}

static int read_values(struct gathering *from, struct cli_series *series)
{
	struct store_cell_filter filter = {.step = series->step};
	int rc;

	from->series = series;
	from->cell = cell_of_track(from->plan, series->step, series->name);
	rc = store_each_round(from->store, series->step, take_round, from, from->err);
	return rc ? rc : store_each_cell(from->store, &filter, take_cell, from, from->err);
}

int cli_series_read_store(struct store *store, struct cli_series_list *list,
			  struct pts_err *err)
{
	struct gathering from = {.store = store, .list = list, .err = err};
	const struct store_run *run;
	int rc = store_get_run(store, &run, err);

	if (rc)
		return rc;
	from.plan = json_loads(run->plan_json, 0, NULL);
	if (!from.plan)
		return pts_fail(err, PTS_EXIT_SPEC, 0, "the stored plan is no JSON");
	rc = store_each_step(store, take_step, &from, err);
	for (size_t i = 0; !rc && i < list->count; i++)
		rc = read_values(&from, &list->all[i]);
	json_decref(from.plan);
	return rc;
}
