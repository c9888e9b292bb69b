/*
 * Points: cells chosen by rule from the means over the last window of an earlier loop, read back
 * from the store; and loads that run at one. Must not measure anything.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge_point.h"
#include "run_internal.h"

/* The means over the window of every cell of the step that is looked at. */
struct means {
	unsigned count;
	bool known[SPEC_METRICS];
	double *values; /* [metric * count + cell] */
	int first_round, last_round;
};

static double *means_row(const struct means *means, enum spec_metric metric)
{
	return &means->values[(size_t)metric * means->count];
}

static void *zeroed(size_t count, size_t bytes)
{
	void *made = calloc(count + 1, bytes);

	if (!made)
		abort();
	return made;
}

static int count_rounds(void *ctx, const struct store_round_row *row)
{
	size_t *rounds = ctx;

	*rounds += !strcmp(row->state, "valid");
	return 0;
}

/* Over the last window of the loop, whether it was steady or not (PTS 2.8), or over all rounds of
 * a shorter one. */
static int mean_of(struct run *run, const struct plan_step *from, unsigned cell,
		   enum spec_metric metric, double *values, size_t room, struct means *means,
		   struct pts_err *err)
{
	size_t count, window = from->window;
	int first_round;
	int rc = store_series(run->store, (int)from->index, (int)cell, spec_metric_text(metric),
			      values, room, &count, &first_round, err);

	if (rc < 0)
		return rc;
	if (count < window)
		window = count;
	means_row(means, metric)[cell] = judge_mean(values + count - window, window);
	means->last_round = window ? first_round + (int)count - 1 : 0;
	means->first_round = window ? means->last_round - (int)window + 1 : 0;
	return 0;
}

static int means_of(struct run *run, const struct plan_step *from, enum spec_metric metric,
		    struct means *means, struct pts_err *err)
{
	size_t rounds = 0;
	double *values;
	int rc;

	if (means->known[metric])
		return 0;
	rc = store_each_round(run->store, (int)from->index, count_rounds, &rounds, err);
	values = zeroed(rounds, sizeof(*values));
	for (unsigned i = 0; i < means->count && !rc; i++)
		rc = mean_of(run, from, i, metric, values, rounds + 1, means, err);
	free(values);
	means->known[metric] = !rc;
	return rc;
}

static long choose(const struct plan_point *point, const struct means *means,
		   const long *chosen)
{
	const double *values = means_row(means, point->metric);
	const double *latencies = means_row(means, SPEC_LAT_MEAN);
	long a, b;

	switch (point->rule) {
	case SPEC_HIGHEST:
		return judge_highest(values, latencies, means->count,
				     (double)point->latency_limit_ns);
	case SPEC_FIXED_CELL:
		return point->cell >= 0 && !isnan(values[point->cell]) ? point->cell : -1;
	case SPEC_NEAREST_MEAN:
		a = point->between[0] >= 0 ? chosen[point->between[0]] : -1;
		b = point->between[1] >= 0 ? chosen[point->between[1]] : -1;
		return a < 0 || b < 0 ? -1
				      : judge_nearest(values, means->count,
						      (values[a] + values[b]) / 2);
	}
	return -1;
}

static int keep_choice(struct run *run, const struct plan_step *step,
		       const struct plan_step *from, const struct plan_point *point,
		       const struct means *means, long cell, struct pts_err *err)
{
	struct store_choice choice = {
		.step = (int)step->index,
		.name = point->name,
		.rule = spec_rule_text(point->rule),
		.cell = (int)cell,
		.metric = spec_metric_text(point->metric),
		.value = NAN,
		.lat_mean_ns = NAN,
		.first_round = means->first_round,
		.last_round = means->last_round,
	};

	if (cell >= 0) {
		choice.threads = from->cells[cell].threads;
		choice.queue_depth = from->cells[cell].queue_depth;
		choice.value = means_row(means, point->metric)[cell];
		choice.lat_mean_ns = means_row(means, SPEC_LAT_MEAN)[cell];
		run_note(run, (int)step->index, -1, (int)cell, "info", "choice",
			 "point '%s' of '%s': %s", point->name, from->phase,
			 from->cells[cell].label);
	} else {
		run_note(run, (int)step->index, -1, -1, "warning", "choice",
			 "point '%s' of '%s': no cell fits its rule; what runs at it is left "
			 "out",
			 point->name, from->phase);
	}
	return store_put_choice(run->store, &choice, err);
}

enum run_flow run_choose(struct run *run, const struct plan_step *step, struct pts_err *err)
{
	const struct plan_step *from = &run->plan->steps[step->from_step];
	struct means means = {
		.count = from->cell_count,
		.values = zeroed((size_t)SPEC_METRICS * from->cell_count, sizeof(double)),
	};
	long *chosen = zeroed(step->point_count, sizeof(*chosen));
	int rc = means_of(run, from, SPEC_LAT_MEAN, &means, err);

	for (unsigned i = 0; i < step->point_count && !rc; i++) {
		rc = means_of(run, from, step->points[i].metric, &means, err);
		if (rc)
			break;
		chosen[i] = choose(&step->points[i], &means, chosen);
		rc = keep_choice(run, step, from, &step->points[i], &means, chosen[i], err);
	}
	free(means.values);
	free(chosen);
	return rc ? RUN_BROKEN : RUN_GO_ON;
}

/* A load of a point: its threads and queue depth come from the choice of its test. */
struct search {
	const struct run *run;
	const struct plan_step *step;
	struct plan_cell *cell;
};

static int take_choice(void *ctx, const struct store_choice *choice)
{
	struct search *search = ctx;

	if (choice->cell < 0 || strcmp(choice->name, search->cell->point) != 0 ||
	    strcmp(search->run->plan->steps[choice->step].test, search->step->test) != 0)
		return 0;
	search->cell->threads = choice->threads;
	search->cell->queue_depth = choice->queue_depth;
	return 0;
}

int run_point_cell(struct run *run, const struct plan_step *step,
		   const struct plan_cell *planned, struct plan_cell *ret_cell,
		   struct pts_err *err)
{
	struct search search = {run, step, ret_cell};
	int rc;

	*ret_cell = *planned;
	ret_cell->threads = ret_cell->queue_depth = 0;
	rc = store_each_choice(run->store, -1, take_choice, &search, err);
	if (!rc && !ret_cell->threads) {
		ret_cell->applicable = false;
		ret_cell->reason = "no cell fits the rule of its point";
	}
	return rc;
}
