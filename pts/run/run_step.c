/* One step of the plan: purge, load, loop or idle, with its begin and end in the store. */
#include <errno.h>
#include <string.h>

#include "pts_clock.h"
#include "run_internal.h"

static int purge_progress(void *ctx, double share)
{
	struct run *run = ctx;
	struct run_event event = {
		.kind = RUN_PROGRESS,
		.phase = "purge",
		.done_share = share,
		.cell_label = run->purge->title,
	};

	run_emit(run, &event);
	return run_stop_wanted();
}

static enum run_flow step_purge(struct run *run, const struct plan_step *step,
				struct pts_err *err)
{
	char evidence[PTS_ERR_TEXT_MAX] = "";
	int rc;

	if (run_stop_wanted())
		return RUN_STOPPED;
	rc = purge_run(run->device, run->purge, purge_progress, run, evidence, sizeof(evidence),
		       err);
	if (rc < 0)
		return rc == -ECANCELED ? RUN_STOPPED : RUN_BROKEN;
	if (store_set_purge(run->store, run->purge->name, run->purge->is_pts_purge, evidence,
			    err) < 0)
		return RUN_BROKEN;
	run_note(run, (int)step->index, -1, -1, "info", "purge", "purge: %s: %s",
		 run->purge->title, evidence);
	return RUN_GO_ON;
}

static enum run_flow step_load(struct run *run, const struct plan_step *step,
			       struct pts_err *err)
{
	struct pts_err ignored = PTS_ERR_INIT;
	enum run_flow flow = RUN_GO_ON;

	run->last_completion_ns = 0;
	for (unsigned i = 0; i < step->cell_count && flow == RUN_GO_ON; i++) {
		const struct plan_cell *cell = &step->cells[i];

		if (cell->applicable)
			flow = run_cell(run, step, cell, 0, err);
		else if (run_cell_skip(run, step, cell, 0, err) < 0)
			flow = RUN_BROKEN;
	}
	/* A fill that was cut is done again from its beginning: its row would lie. */
	if (flow == RUN_STOPPED)
		run_cell_drop(run);
	else if (flow == RUN_BROKEN)
		run_cell_flush(run, &ignored);
	return flow;
}

static void idle_progress(const struct run *run, const struct plan_step *step, int round,
			  uint64_t left_ns)
{
	uint64_t whole_ns = step->loops ? run_round_ns(step) : step->idle_ns;
	uint64_t elapsed_ns = left_ns < whole_ns ? whole_ns - left_ns : 0;
	struct run_event event = {
		.kind = RUN_PROGRESS,
		.test = step->test,
		.phase = step->phase,
		.step = step->index,
		.round = (unsigned)round,
		.max_rounds = step->max_rounds,
		.brief = step->loops,
		.cell_label = "host idle",
		.done_share = (double)elapsed_ns / (double)whole_ns,
	};

	run_left(run, step, round, event.done_share, elapsed_ns, &event);
	run_emit(run, &event);
}

/* Nothing at all is issued to the drive, not even a look at its health. */
enum run_flow run_idle(const struct run *run, const struct plan_step *step, int round,
		       uint64_t until_ns)
{
	uint64_t now_ns = pts_now_ns();

	while (now_ns < until_ns) {
		uint64_t left_ns = until_ns - now_ns;

		/* In slices: a signal just before a long sleep would wait for its end. */
		if (run_stop_wanted())
			return RUN_STOPPED;
		pts_sleep_until_ns(now_ns + (left_ns < PTS_NS_PER_S ? left_ns : PTS_NS_PER_S));
		now_ns = pts_now_ns();
		if (now_ns < until_ns)
			idle_progress(run, step, round, until_ns - now_ns);
	}
	return RUN_GO_ON;
}

void run_count_verdict(struct run *run, const char *outcome)
{
	if (!strcmp(outcome, RUN_OUTCOME_STEADY))
		run->tests_steady++;
	else if (!strcmp(outcome, RUN_OUTCOME_UNSTEADY) ||
		 !strcmp(outcome, RUN_OUTCOME_UNJUDGED))
		run->tests_not_steady++;
}

static enum run_flow step_body(struct run *run, const struct plan_step *step, int first_round,
			       const char **ret_outcome, struct pts_err *err)
{
	if (step->loops)
		return run_rounds(run, step, first_round, ret_outcome, err);
	switch (step->kind) {
	case SPEC_STEP_PURGE:
		return step_purge(run, step, err);
	case SPEC_STEP_LOAD:
		return step_load(run, step, err);
	case SPEC_STEP_CHOOSE:
		return run_choose(run, step, err);
	case SPEC_STEP_IDLE:
		return run_idle(run, step, 0, pts_now_ns() + step->idle_ns);
	default:
		/* plan_runnable() lets nothing else through. */
		pts_fail(err, PTS_EXIT_BUG, 0, "step '%s' of a kind that the run does not know",
			 step->phase);
		return RUN_BROKEN;
	}
}

static void step_event(const struct run *run, enum run_event_kind kind,
		       const struct plan_step *step, const char *text)
{
	struct run_event event = {
		.kind = kind,
		.text = text,
		.test = step->test,
		.phase = step->phase,
		.step = step->index,
		.max_rounds = step->max_rounds,
		.cell_count = step->cell_count,
	};

	run_left(run, step, 0, 0, 0, &event);
	run_emit(run, &event);
}

/* Before the store says that a step is done the drive that did it is kept: a resume must meet it. */
static enum run_flow settle(struct run *run, const struct plan_step *step, struct pts_err *err)
{
	if (device_keep(run->device, true, err) < 0)
		return RUN_BROKEN;
	if (step->kind == SPEC_STEP_LOAD && run->pending.used && run_cell_flush(run, err) < 0)
		return RUN_BROKEN;
	return RUN_GO_ON;
}

/* Between two steps of one line of time the drive is not even asked for its health. */
static bool goes_on_at_once(const struct run *run, const struct plan_step *step)
{
	const struct plan_step *next = step + 1;

	return step->index + 1 < run->plan->step_count && step->redo_test && next->redo_test &&
	       !strcmp(step->test, next->test);
}

int run_step_settled(struct run *run, int rc, struct pts_err *err)
{
	const struct plan_step *ended = run->unsettled, *begun = run->beginning;
	struct pts_err second = PTS_ERR_INIT;
	int ret = store_step_end(run->store, (int)ended->index, run->unsettled_ns, 0,
				 rc ? "failed" : RUN_OUTCOME_DONE, rc ? &second : err);

	run->unsettled = run->beginning = NULL;
	if (!rc)
		rc = ret;
	if (begun)
		ret = store_step_begin(run->store, (int)begun->index, run->beginning_ns,
				       rc ? &second : err);
	return rc ? rc : ret;
}

/* Plain loads of one line of time: nothing is written between the last completion of one and the
 * first I/O of the next. A model drive's state is kept step by step, and its clock waits. */
static bool may_wait(const struct run *run, const struct plan_step *step)
{
	return run->facts.kind != DEVICE_SIM && run->pending.used && !step->loops &&
	       goes_on_at_once(run, step) && step->kind == SPEC_STEP_LOAD &&
	       step[1].kind == SPEC_STEP_LOAD && !step[1].loops && step[1].cells[0].applicable;
}

static int begin(struct run *run, const struct plan_step *step, uint64_t begun_ns,
		 struct pts_err *err)
{
	if (!run->unsettled)
		return store_step_begin(run->store, (int)step->index, begun_ns, err);
	run->beginning = step;
	run->beginning_ns = begun_ns;
	return 0;
}

enum run_flow run_step(struct run *run, const struct plan_step *step, int first_round,
		       struct pts_err *err)
{
	uint64_t begun_ns = pts_now_ns();
	const char *outcome = RUN_OUTCOME_DONE;
	struct pts_err second = PTS_ERR_INIT;
	enum run_flow flow;

	run->step_bytes_written = 0;
	run->step_first_ns = run->step_end_ns = 0;
	step_event(run, RUN_STEP_BEGIN, step, NULL);
	if (begin(run, step, begun_ns, err) < 0)
		return RUN_BROKEN;
	flow = step_body(run, step, first_round, &outcome, err);
	if (run->unsettled && run_cell_flush(run, flow == RUN_BROKEN ? &second : err) < 0)
		flow = RUN_BROKEN;
	if (flow == RUN_GO_ON && may_wait(run, step)) {
		run->unsettled = step;
		run->unsettled_ns = pts_now_ns() - begun_ns;
		step_event(run, RUN_STEP_END, step, outcome);
		return RUN_GO_ON;
	}
	if (!goes_on_at_once(run, step))
		run_health_look(run, step, 0);
	if (flow == RUN_GO_ON)
		flow = settle(run, step, err);
	else
		device_keep(run->device, true, &second);
	/* A step ended by an error or a stop is not ended in the store's sense: resume redoes it. */
	if (flow == RUN_STOPPED)
		outcome = "stopped";
	else if (flow == RUN_BROKEN)
		outcome = "failed";
	if (store_step_end(run->store, (int)step->index, pts_now_ns() - begun_ns,
			   run->step_bytes_written, outcome,
			   flow == RUN_GO_ON ? err : &second) < 0 &&
	    flow == RUN_GO_ON)
		flow = RUN_BROKEN;
	if (flow == RUN_GO_ON && step->loops)
		run_count_verdict(run, outcome);
	step_event(run, RUN_STEP_END, step, outcome);
	return flow;
}
