/*
 * Loops: rounds of cells until steady state, groups of load and sample until one of their stop
 * rules holds, load and pause in turn. Each round is judged with the series read back from the
 * store, and closed there.
 */
#include <errno.h>
#include <stdlib.h>

#include "pts_clock.h"
#include "run_internal.h"

static void round_event(const struct run *run, enum run_event_kind kind,
			const struct plan_step *step, int round,
			const struct run_verdict *verdict)
{
	struct run_event event = {
		.kind = kind,
		.test = step->test,
		.phase = step->phase,
		.step = step->index,
		.round = (unsigned)round,
		.max_rounds = step->max_rounds,
		.brief = step->kind == SPEC_STEP_CYCLE,
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

/* What became of a round's cells. */
struct pass {
	const char *limit; /* the step's limit that was reached, as an outcome; NULL: none */
	bool in_part;      /* inside the round: its last cells are missing or shorter */
};

/* A cell that was cut short by a limit of its step is there, but is no value of the loop. */
static bool cut_short(const struct run *run)
{
	const struct run_pending *pending = &run->pending;

	return pending->used && pending->result->elapsed_ns < pending->cell->duration_ns;
}

static enum run_flow cells_of_round(struct run *run, const struct plan_step *step, int round,
				    struct pass *ret_pass, struct pts_err *err)
{
	enum run_flow flow = RUN_GO_ON;

	*ret_pass = (struct pass){0};
	run->last_completion_ns = 0;
	for (unsigned i = 0; i < step->before_count && flow == RUN_GO_ON; i++)
		flow = run_cell(run, step, &step->before[i], round, err);
	for (unsigned i = 0; i < step->cell_count && flow == RUN_GO_ON; i++) {
		ret_pass->limit = run_limit_reached(run, step);
		ret_pass->in_part = ret_pass->limit != NULL;
		if (ret_pass->limit)
			return flow;
		if (step->cells[i].applicable)
			flow = run_cell(run, step, &step->cells[i], round, err);
	}
	ret_pass->limit = run_limit_reached(run, step);
	ret_pass->in_part = ret_pass->limit && cut_short(run);
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

/* The cells, then what follows while the drive is left alone. */
static enum run_flow round_body(struct run *run, const struct plan_step *step, int round,
				struct pass *ret_pass, struct pts_err *err)
{
	enum run_flow flow = cells_of_round(run, step, round, ret_pass, err);

	if (flow == RUN_GO_ON &&
	    (run_cell_flush(run, err) < 0 || device_check(run->device, err) < 0))
		return RUN_BROKEN;
	if (flow == RUN_GO_ON && step->kind == SPEC_STEP_CYCLE)
		flow = run_idle(run, step, round, run->step_end_ns + step->idle_ns);
	return flow;
}

static int close_round(struct run *run, const struct plan_step *step, int round,
		       uint64_t elapsed_ns, bool in_part, struct run_verdict *ret_verdict,
		       struct pts_err *err)
{
	/* rounds of a cycle or a sampled load are many and short: their drive may lag behind */
	int rc = device_keep(run->device, step->kind == SPEC_STEP_ROUNDS, err);

	ret_verdict->row_count = ret_verdict->state_count = 0;
	ret_verdict->steady = false;
	if (rc < 0)
		return rc;
	if (in_part)
		return store_close_part(run->store, (int)step->index, round, elapsed_ns, err);
	rc = run_judge(run, step, round, ret_verdict, err);
	return rc < 0 ? rc
		      : store_close_round(run->store, (int)step->index, round, elapsed_ns,
					  ret_verdict->rows, ret_verdict->row_count, err);
}

static enum run_flow one_round(struct run *run, const struct plan_step *step, int round,
			       struct pass *ret_pass, struct run_verdict *ret_verdict,
			       struct pts_err *err)
{
	struct device_stat before = {0};
	uint64_t begun_ns = pts_now_ns();
	enum run_flow flow;

	run->round_bytes[ENGINE_READ] = run->round_bytes[ENGINE_WRITE] = 0;
	run->round_bytes_known = device_stat_read(run->device, &before) == 0;
	round_event(run, RUN_ROUND_BEGIN, step, round, NULL);
	flow = round_body(run, step, round, ret_pass, err);
	if (flow == RUN_GO_ON && close_round(run, step, round, pts_now_ns() - begun_ns,
					     ret_pass->in_part, ret_verdict, err) < 0)
		flow = RUN_BROKEN;
	if (flow != RUN_GO_ON) {
		cut(run, step, round, flow);
		return flow;
	}
	check_foreign(run, step, round, &before);
	/* a look is a command: never between the parts of one load, or in a pause */
	if (step->kind == SPEC_STEP_ROUNDS)
		run_health_look(run, step, round);
	round_event(run, RUN_ROUND_END, step, round, ret_verdict);
	return RUN_GO_ON;
}

const char *run_rounds_ending(const struct plan_step *step, int round, bool steady)
{
	if (steady)
		return RUN_OUTCOME_STEADY;
	/* PTS 2.8: at the last round the operator may go on, or stop and say so. What can't be
	 * judged can't become steady either. */
	if (!step->max_rounds || (unsigned)round < step->max_rounds)
		return NULL;
	if (!step->track_count)
		return RUN_OUTCOME_DONE;
	if (!step->judgeable)
		return RUN_OUTCOME_UNJUDGED;
	return step->on_unsteady == SPEC_STOP ? RUN_OUTCOME_UNSTEADY : NULL;
}

static enum run_flow loop(struct run *run, const struct plan_step *step, int first_round,
			  struct run_verdict *verdict, const char **ret_outcome,
			  struct pts_err *err)
{
	enum run_flow flow = RUN_GO_ON;
	const char *outcome = NULL;
	struct pass pass;

	for (int round = first_round; !outcome && flow == RUN_GO_ON; round++) {
		flow = one_round(run, step, round, &pass, verdict, err);
		if (flow != RUN_GO_ON)
			break;
		if (!verdict->steady && pass.limit)
			outcome = pass.limit;
		else
			outcome = run_rounds_ending(step, round, verdict->steady);
	}
	if (outcome)
		*ret_outcome = outcome;
	return flow;
}

enum run_flow run_rounds(struct run *run, const struct plan_step *step, int first_round,
			 const char **ret_outcome, struct pts_err *err)
{
	struct run_verdict verdict = {
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
