/*
 * The judgement of a round, with the series of each track read back from the store. The rule, its
 * window and its limits come from the plan. Must not decide how a loop goes on.
 */
#include <errno.h>
#include <stdlib.h>

#include "judge_steady.h"
#include "run_internal.h"

static void row_of(const struct plan_step *step, const struct plan_track *track, int round,
		   const struct judge_rule *rule, const struct judge_window *window,
		   struct store_steady *ret_row)
{
	*ret_row = (struct store_steady){
		.step = (int)step->index,
		.track = track->name,
		.last_round = round,
		.window = (int)rule->window,
		.metric = spec_metric_text(track->metric),
		.read_pct = (int)track->read_pct,
		.block_bytes = track->block_bytes,
		.valid = window->valid,
		.average = window->average,
		.minimum = window->minimum,
		.maximum = window->maximum,
		.range = window->range,
		.range_pct = window->range_pct,
		.slope = window->slope,
		.intercept = window->intercept,
		.slope_excursion = window->slope_excursion,
		.slope_excursion_pct = window->slope_excursion_pct,
		.r = window->r,
		.range_limit = rule->range_share,
		.slope_limit = rule->slope_share,
		.range_ok = window->range_ok,
		.slope_ok = window->slope_ok,
		.boundary = window->boundary,
		.steady = window->steady,
	};
}

static int judge_track(struct run *run, const struct plan_step *step,
		       const struct plan_track *track, int round, struct run_verdict *verdict,
		       struct pts_err *err)
{
	struct judge_rule rule = {step->window, step->range_share, step->slope_share};
	struct run_track_state *state = &verdict->states[verdict->state_count++];
	double *values = calloc((size_t)round, sizeof(*values));
	struct judge_window window;
	int first_round = 0, rc;
	size_t count = 0;

	state->name = track->name;
	if (!values)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	rc = store_series(run->store, (int)step->index, track->cell,
			  spec_metric_text(track->metric), values, (size_t)round, &count,
			  &first_round, err);
	if (rc < 0 || count < step->window ||
	    judge_series_at(values, count, count - 1, first_round, &rule, &window) < 0) {
		verdict->steady = false;
		goto out;
	}
	state->valid = window.valid;
	state->average = window.average;
	state->range_pct = window.range_pct;
	state->slope_pct = window.slope_excursion_pct;
	state->steady = window.steady;
	verdict->steady = verdict->steady && window.steady;
	row_of(step, track, round, &rule, &window, &verdict->rows[verdict->row_count++]);
out:
	free(values);
	return rc < 0 ? rc : 0;
}

int run_judge(struct run *run, const struct plan_step *step, int round,
	      struct run_verdict *ret_verdict, struct pts_err *err)
{
	int rc = 0;

	ret_verdict->row_count = ret_verdict->state_count = 0;
	ret_verdict->steady = step->judgeable && step->track_count > 0;
	for (unsigned i = 0; i < step->track_count && !rc; i++)
		if (step->tracks[i].cell >= 0)
			rc = judge_track(run, step, &step->tracks[i], round, ret_verdict, err);
	return rc;
}
