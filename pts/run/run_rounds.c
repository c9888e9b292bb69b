/*
 * The loop until steady state: rounds of cells, judged after each round with the series read
 * back from the store. The rule, its window and its limits come from the plan.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "judge_steady.h"
#include "pts_clock.h"
#include "run_internal.h"

/* The judgement of one round: a row and an event state for each track of the step. */
struct verdict {
	struct store_steady *rows;
	struct run_track_state *states;
	unsigned row_count, state_count;
	bool steady; /* all of them */
};

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
		       const struct plan_track *track, int round, struct verdict *verdict,
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

static int judge_round(struct run *run, const struct plan_step *step, int round,
		       struct verdict *ret_verdict, struct pts_err *err)
{
	int rc = 0;

	ret_verdict->row_count = ret_verdict->state_count = 0;
	ret_verdict->steady = step->judgeable && step->track_count > 0;
	for (unsigned i = 0; i < step->track_count && !rc; i++)
		if (step->tracks[i].cell >= 0)
			rc = judge_track(run, step, &step->tracks[i], round, ret_verdict, err);
	return rc;
}

static void round_event(const struct run *run, enum run_event_kind kind,
			const struct plan_step *step, int round, const struct verdict *verdict)
{
	struct run_event event = {
		.kind = kind,
		.test = step->test,
		.phase = step->phase,
		.step = step->index,
		.round = (unsigned)round,
		.max_rounds = step->max_rounds,
		.cell_count = step->cell_count,
		.tracks = verdict ? verdict->states : NULL,
		.track_count = verdict ? verdict->state_count : 0,
	};

	run_left(run, step, round + (verdict ? 1 : 0), 0, 0, &event);
	run_emit(run, &event);
}

/* Our own bytes against the kernel's counters: somebody else on the drive bends the numbers. */
static void check_foreign(struct run *run, const struct plan_step *step, int round,
			  const struct device_stat *before)
{
	struct device_stat after;
	const uint64_t slack_bytes = 1 << 20;
	uint64_t kernel, ours;

	if (!run->round_bytes_known || device_stat_read(run->device, &after) < 0)
		return;
	kernel =
		after.read_bytes - before->read_bytes + after.write_bytes - before->write_bytes;
	ours = run->round_bytes[ENGINE_READ] + run->round_bytes[ENGINE_WRITE];
	if (kernel > ours + slack_bytes)
		run_note(run, (int)step->index, round, -1, "warning", "foreign-io",
			 "round %d: the kernel counted %llu bytes more on the device than this "
			 "run "
			 "moved (%llu): something else used it",
			 round, (unsigned long long)(kernel - ours), (unsigned long long)ours);
	else if (ours > kernel + slack_bytes)
		run_note(run, (int)step->index, round, -1, "warning", "counter",
			 "round %d: the kernel counted %llu bytes less on the device than this "
			 "run "
			 "moved (%llu)",
			 round, (unsigned long long)(ours - kernel), (unsigned long long)ours);
}

static enum run_flow cells_of_round(struct run *run, const struct plan_step *step, int round,
				    struct pts_err *err)
{
	enum run_flow flow = RUN_GO_ON;

	run->last_completion_ns = 0;
	for (unsigned i = 0; i < step->cell_count && flow == RUN_GO_ON; i++)
		if (step->cells[i].applicable)
			flow = run_cell(run, step, &step->cells[i], round, err);
	/* Rows of cells that this device can't run need no time between measured ones. */
	for (unsigned i = 0; i < step->cell_count && flow == RUN_GO_ON; i++)
		if (!step->cells[i].applicable &&
		    run_cell_skip(run, step, &step->cells[i], round, err) < 0)
			flow = RUN_BROKEN;
	return flow;
}

/* Commits what a broken or stopped round has, and marks it as cut. */
static void cut(struct run *run, const struct plan_step *step, int round, enum run_flow flow)
{
	struct pts_err ignored = PTS_ERR_INIT;

	run_cell_flush(run, &ignored);
	store_cut_round(run->store, (int)step->index, round,
			flow == RUN_STOPPED ? "stopped" : "broken", &ignored);
}

static enum run_flow one_round(struct run *run, const struct plan_step *step, int round,
			       struct verdict *ret_verdict, struct pts_err *err)
{
	struct device_stat before = {0};
	uint64_t begun_ns = pts_now_ns();
	enum run_flow flow;

	run->round_bytes[ENGINE_READ] = run->round_bytes[ENGINE_WRITE] = 0;
	run->round_bytes_known = device_stat_read(run->device, &before) == 0;
	round_event(run, RUN_ROUND_BEGIN, step, round, NULL);
	flow = cells_of_round(run, step, round, err);
	if (flow == RUN_GO_ON &&
	    (run_cell_flush(run, err) < 0 || device_check(run->device, err) < 0 ||
	     judge_round(run, step, round, ret_verdict, err) < 0))
		flow = RUN_BROKEN;
	if (flow != RUN_GO_ON) {
		cut(run, step, round, flow);
		return flow;
	}
	if (store_close_round(run->store, (int)step->index, round, pts_now_ns() - begun_ns,
			      ret_verdict->rows, ret_verdict->row_count, err) < 0)
		return RUN_BROKEN;
	check_foreign(run, step, round, &before);
	round_event(run, RUN_ROUND_END, step, round, ret_verdict);
	return RUN_GO_ON;
}

const char *run_rounds_ending(const struct plan_step *step, int round, bool steady)
{
	if (steady)
		return RUN_OUTCOME_STEADY;
	/* PTS 2.8: at the last round the operator may go on, or stop and say so. What can't be
	 * judged can't become steady either. */
	if ((unsigned)round < step->max_rounds ||
	    (step->judgeable && step->on_unsteady != SPEC_STOP))
		return NULL;
	return step->judgeable ? RUN_OUTCOME_UNSTEADY : RUN_OUTCOME_UNJUDGED;
}

static enum run_flow loop(struct run *run, const struct plan_step *step, int first_round,
			  struct verdict *verdict, const char **ret_outcome,
			  struct pts_err *err)
{
	enum run_flow flow = RUN_GO_ON;
	const char *outcome = NULL;

	for (int round = first_round; !outcome && flow == RUN_GO_ON; round++) {
		flow = one_round(run, step, round, verdict, err);
		if (flow == RUN_GO_ON)
			outcome = run_rounds_ending(step, round, verdict->steady);
	}
	if (outcome)
		*ret_outcome = outcome;
	return flow;
}

enum run_flow run_rounds(struct run *run, const struct plan_step *step, int first_round,
			 const char **ret_outcome, struct pts_err *err)
{
	struct verdict verdict = {
		.rows = calloc(step->track_count + 1, sizeof(*verdict.rows)),
		.states = calloc(step->track_count + 1, sizeof(*verdict.states)),
	};
	enum run_flow flow = RUN_BROKEN;

	if (verdict.rows && verdict.states)
		flow = loop(run, step, first_round, &verdict, ret_outcome, err);
	else
		pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	free(verdict.rows);
	free(verdict.states);
	return flow;
}
