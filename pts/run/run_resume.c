/*
 * Resume: the same plan from the stored specs, the same drive by identity, then on from the first
 * step that is not finished. A cut round is done again and no window reaches across the gap; a
 * cut purge or fill is done again from its beginning.
 */
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_arena.h"
#include "pts_clock.h"
#include "pts_units.h"
#include "run_internal.h"

#define SPECS_MAX     16
#define OVERRIDES_MAX 64

struct resume {
	struct pts_arena *arena;
	const struct store_run *stored;
	struct spec *specs[SPECS_MAX];
	unsigned spec_count;
	struct plan *plan;
	struct pts_err *err;
	struct run *run;
	int step; /* the first that is not finished; -1: all are */
	int first_round;
	bool cut;                              /* it was begun before */
	bool redo;                             /* the test of that step begins again */
	uint64_t lost_from_ns, lost_to_ns;     /* what it had run */
	unsigned rounds_closed, tracks_steady; /* of that step; tracks over its last window */
	uint64_t begun_ns, closed_ns; /* of its unbroken part: begin, end of the last round */
	unsigned resumed;
};

static int read_spec(void *ctx, const struct store_test *test)
{
	struct resume *resume = ctx;
	struct spec_override overrides[OVERRIDES_MAX];
	struct spec_options options = {.overrides = overrides};
	json_t *object =
		json_loads(test->overrides_json ? test->overrides_json : "{}", 0, NULL);
	const char *key;
	json_t *value;
	int rc;

	if (!json_is_object(object) || json_object_size(object) > OVERRIDES_MAX ||
	    resume->spec_count == SPECS_MAX || spec_mode_parse(test->mode, &options.mode) < 0) {
		json_decref(object);
		return pts_fail(resume->err, PTS_EXIT_SPEC, EINVAL,
				"the stored test '%s' can't be read", test->name);
	}
	json_object_foreach(object, key,
			    value) overrides[options.override_count++] = (struct spec_override){
		.key = pts_arena_strdup(resume->arena, key),
		.value = pts_arena_strdup(
			resume->arena, json_is_string(value) ? json_string_value(value) : ""),
	};
	json_decref(object);
	rc = spec_read_text(test->spec_file, test->spec_text, strlen(test->spec_text), &options,
			    &resume->specs[resume->spec_count], resume->err);
	if (!rc)
		resume->spec_count++;
	return rc;
}

static bool same_drive(const char *path, const char *store_dir, const struct store_run *stored,
		       struct device_facts *ret_facts)
{
	struct pts_err ignored = PTS_ERR_INIT;

	return device_facts_read(path, store_dir, ret_facts, &ignored) == 0 &&
	       !strcmp(ret_facts->identity, stored->identity);
}

/* Names move after a reboot: the drive is where its identity is, not where its path was. */
static int find_drive(struct resume *resume, const char *dir, struct pts_err *err)
{
	const struct store_run *stored = resume->stored;
	struct device_facts *facts = &resume->run->facts;
	struct dirent *entry;
	bool found;
	DIR *block;

	if (stored->clock_is_virtual)
		return run_resume_model(resume->run, stored, dir, err);
	found = same_drive(stored->device_path, dir, stored, facts);
	block = found ? NULL : opendir("/sys/block");
	while (block && !found && (entry = readdir(block))) {
		char path[300];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		found = same_drive(path, dir, stored, facts);
	}
	if (block)
		closedir(block);
	if (!found)
		return pts_fail(
			err, PTS_EXIT_SAFETY, ENODEV,
			"the drive of this run ('%s', last at '%s') is not here; nothing "
			"was written: connect it and resume again",
			stored->identity, stored->device_path);
	if (facts->capacity_bytes != stored->capacity_bytes ||
	    facts->lba_bytes != stored->lba_bytes)
		return pts_fail(
			err, PTS_EXIT_SAFETY, EINVAL,
			"'%s' has %llu bytes in LBAs of %u now, the run began with %llu in "
			"LBAs of %u: begin a new run",
			stored->identity, (unsigned long long)facts->capacity_bytes,
			facts->lba_bytes, (unsigned long long)stored->capacity_bytes,
			stored->lba_bytes);
	return 0;
}

static int remake_plan(struct resume *resume, struct pts_err *err)
{
	struct plan_device device;
	int rc = run_plan_device(&resume->run->facts, resume->stored->purge_method, &device,
				 err);

	if (!rc)
		rc = plan_make((const struct spec *const *)resume->specs, resume->spec_count,
			       &device, NULL, &resume->plan, err);
	if (rc)
		return rc;
	if (strcmp(resume->plan->sha256, resume->stored->plan_sha256) != 0)
		return pts_fail(
			err, PTS_EXIT_SPEC, EINVAL,
			"this version resolves the stored spec to another plan than the one "
			"the run began with: resume with version %s",
			resume->stored->tool_version);
	resume->run->plan = resume->plan;
	return plan_runnable(resume->plan, err);
}

static bool finished(const struct store_step_row *row)
{
	return row->outcome && (!strcmp(row->outcome, RUN_OUTCOME_DONE) ||
				!strcmp(row->outcome, RUN_OUTCOME_STEADY) ||
				!strcmp(row->outcome, RUN_OUTCOME_UNSTEADY) ||
				!strcmp(row->outcome, RUN_OUTCOME_AMOUNT) ||
				!strcmp(row->outcome, RUN_OUTCOME_TIME) ||
				!strcmp(row->outcome, RUN_OUTCOME_UNJUDGED));
}

static int look_at_step(void *ctx, const struct store_step_row *row)
{
	struct resume *resume = ctx;
	const struct plan_step *step = &resume->plan->steps[row->plan.step];

	if (finished(row)) {
		if (step->loops)
			run_count_verdict(resume->run, row->outcome);
		return 0;
	}
	if (resume->step < 0) {
		resume->step = row->plan.step;
		resume->cut = row->begun;
		resume->rounds_closed = (unsigned)row->rounds_closed;
		resume->begun_ns = row->started_ns;
		resume->first_round = step->loops ? row->rounds_closed + 1 : 1;
	}
	return 0;
}

static int look_at_track(void *ctx, const struct store_steady *row)
{
	struct resume *resume = ctx;

	if ((unsigned)row->last_round == resume->rounds_closed && row->steady)
		resume->tracks_steady++;
	return 0;
}

static int look_at_round(void *ctx, const struct store_round_row *row)
{
	struct resume *resume = ctx;

	if (row->after_gap)
		resume->begun_ns = row->started_ns;
	if (!strcmp(row->state, "valid"))
		resume->closed_ns = row->started_ns + row->elapsed_ns;
	return 0;
}

/* The outcome of a loop whose last round was closed, but not the loop itself: a round more
 * would be one too many. NULL if rounds are missing. */
static const char *loop_outcome(const struct resume *resume)
{
	const struct plan_step *step = &resume->plan->steps[resume->step];

	if (!step->loops || !resume->rounds_closed)
		return NULL;
	return run_rounds_ending(step, (int)resume->rounds_closed,
				 step->judgeable && step->track_count &&
					 resume->tracks_steady == step->track_count);
}

/* Ends such a loop, and goes on behind it. */
static int end_loop(struct resume *resume, struct pts_err *err)
{
	const char *outcome = resume->step < 0 ? NULL : loop_outcome(resume);
	int rc;

	if (!outcome)
		return 0;
	rc = store_each_round(resume->run->store, resume->step, look_at_round, resume, err);
	if (!rc)
		rc = store_step_end(resume->run->store, resume->step,
				    resume->closed_ns > resume->begun_ns
					    ? resume->closed_ns - resume->begun_ns
					    : 0,
				    0, outcome, err);
	run_count_verdict(resume->run, outcome);
	resume->step++;
	resume->first_round = 1;
	resume->cut = false;
	return rc;
}

static const struct plan_test *test_of(const struct plan *plan, unsigned step)
{
	for (unsigned i = 0; i < plan->test_count; i++)
		if (step < plan->tests[i].first_step + plan->tests[i].step_count)
			return &plan->tests[i];
	return &plan->tests[0];
}

static int count_before(void *ctx, const struct store_step_row *row)
{
	struct resume *resume = ctx;

	if (row->plan.step < resume->step && row->plan.loops && row->outcome)
		run_count_verdict(resume->run, row->outcome);
	return 0;
}

static int lose_cell(void *ctx, const struct store_cell *cell)
{
	struct resume *resume = ctx;

	if (!cell->elapsed_ns || cell->is_void || cell->step < resume->step)
		return 0;
	if (!resume->lost_from_ns || cell->started_ns < resume->lost_from_ns)
		resume->lost_from_ns = cell->started_ns;
	if (cell->started_ns + cell->elapsed_ns > resume->lost_to_ns)
		resume->lost_to_ns = cell->started_ns + cell->elapsed_ns;
	return 0;
}

/* A gap in a line of time can't be mended: the test goes back to its purge. */
static int go_back(struct resume *resume, struct pts_err *err)
{
	const struct plan *plan = resume->plan;
	const struct store_cell_filter filter = {.step = -1, .with_cut = true};
	unsigned first;
	int rc;

	if (resume->step < 0 || resume->step >= (int)plan->step_count ||
	    !plan->steps[resume->step].redo_test)
		return 0;
	first = test_of(plan, (unsigned)resume->step)->first_step;
	if ((unsigned)resume->step == first && !resume->cut)
		return 0;
	resume->redo = true;
	resume->cut = false;
	resume->step = (int)first;
	resume->first_round = 1;
	resume->run->tests_steady = resume->run->tests_not_steady = 0;
	rc = store_each_step(resume->run->store, count_before, resume, err);
	return rc ? rc : store_each_cell(resume->run->store, &filter, lose_cell, resume, err);
}

/* After the store is open for writing again: what the test has done counts no more. */
static int start_again(struct resume *resume, struct pts_err *err)
{
	const struct plan_test *test = test_of(resume->plan, (unsigned)resume->step);
	char lost[48] = "nothing";

	if (!resume->redo)
		return 0;
	if (resume->lost_to_ns > resume->lost_from_ns)
		pts_duration_human(resume->lost_to_ns - resume->lost_from_ns, lost,
				   sizeof(lost));
	run_note(resume->run, resume->step, -1, -1, "warning", "redone",
		 "the test '%s' begins again from its first step: what it measures is one "
		 "line of time, in which there must be no gap; lost: %s of load",
		 test->name, lost);
	return store_void_steps(resume->run->store, (int)test->first_step,
				(int)(test->first_step + test->step_count) - 1, err);
}

static int count_resumes(void *ctx, const struct store_event *event)
{
	struct resume *resume = ctx;

	if (!strcmp(event->kind, "resumed"))
		resume->resumed++;
	return 0;
}

static int last_event(void *ctx, const struct store_event *event)
{
	uint64_t *last_wall_ns = ctx;

	if (event->wall_ns > *last_wall_ns)
		*last_wall_ns = event->wall_ns;
	return 0;
}

static int last_cell(void *ctx, const struct store_cell *cell)
{
	uint64_t *last_wall_ns = ctx;
	uint64_t end_ns = cell->started_wall_ns + cell->elapsed_ns + cell->drain_ns;

	if (end_ns > *last_wall_ns)
		*last_wall_ns = end_ns;
	return 0;
}

/* When the run was last heard of, by the wall clock: a kill leaves no event, but cells. */
static uint64_t last_heard_ns(struct resume *resume)
{
	const struct store_cell_filter all = {.step = -1, .with_cut = true};
	struct store *store = resume->run->store;
	uint64_t last_wall_ns = resume->stored->ended_wall_ns;
	struct pts_err ignored = PTS_ERR_INIT;

	if (!last_wall_ns) {
		store_each_event(store, last_event, &last_wall_ns, &ignored);
		store_each_cell(store, &all, last_cell, &last_wall_ns, &ignored);
	}
	return last_wall_ns;
}

/* A test that begins anew from its first step has no gap inside it. */
static bool begins_test(const struct plan *plan, unsigned step)
{
	for (unsigned i = 0; i < plan->test_count; i++)
		if (plan->tests[i].first_step == step)
			return true;
	return false;
}

static void gap_text(struct resume *resume, const struct plan_step *step, char *text,
		     size_t room)
{
	uint64_t last_wall_ns = last_heard_ns(resume);
	char gap[48] = "unknown length";

	if (last_wall_ns && pts_wall_ns() > last_wall_ns)
		pts_duration_human(pts_wall_ns() - last_wall_ns, gap, sizeof(gap));
	if (step->loops)
		snprintf(text, room, "a gap of %s before round %d of '%s'", gap,
			 resume->first_round, step->phase);
	else
		snprintf(text, room, "a gap of %s before '%s'", gap, step->phase);
}

/* The cut round stays in the store as cut; no window reaches from before it to behind it. */
static int start_afresh(struct resume *resume, const struct plan_step *step,
			struct pts_err *err)
{
	struct run *run = resume->run;
	int rc = store_cut_round(run->store, (int)step->index, resume->first_round,
				 "cut before a resume", err);

	if (!rc && resume->first_round > 1)
		rc = store_mark_fresh(run->store, (int)step->index, resume->first_round, err);
	return rc;
}

/* The gap is on record, and the window starts afresh behind it. */
static int record_gap(struct resume *resume, struct pts_err *err)
{
	struct run *run = resume->run;
	const struct plan_step *step = &resume->plan->steps[resume->step];
	const char *path = run->facts.real_path;
	char actual[160];
	struct store_deviation deviation = {
		.test = step->test,
		.clause = "",
		.what = "unbroken run",
		.required = "the steps of a test follow one another at once",
		.actual = actual,
		.reason = "resumed after a stop",
	};
	int rc = 0;

	gap_text(resume, step, actual, sizeof(actual));
	run_note(run, (int)step->index, -1, -1, "warning", "resumed", "resumed: %s", actual);
	if (strcmp(path, resume->stored->device_path) != 0)
		run_note(run, (int)step->index, -1, -1, "info", "device",
			 "the drive is '%s' now, it was '%s' when the run began", path,
			 resume->stored->device_path);
	if (!begins_test(resume->plan, step->index))
		rc = store_put_deviation(run->store, &deviation, err);
	if (!rc && step->loops && resume->cut)
		rc = start_afresh(resume, step, err);
	return rc;
}

static int go_on(struct resume *resume, const char *dir, struct run_outcome *ret_outcome,
		 struct pts_err *err)
{
	struct run *run = resume->run;
	struct run_event event = {.kind = RUN_BEGIN, .text = dir};
	int rc = run_hold(run, resume->stored->identity, dir, err);

	if (!rc)
		rc = store_reopen(run->store, err);
	if (rc)
		return rc;
	run_stop_watch(run->engine);
	run_emit(run, &event);
	rc = record_gap(resume, err);
	if (!rc)
		rc = start_again(resume, err);
	if (rc)
		return rc;
	return run_steps(run, (unsigned)resume->step, resume->first_round, ret_outcome, err);
}

static int prepare(struct resume *resume, const char *dir, struct pts_err *err)
{
	struct run *run = resume->run;
	int rc = store_get_run(run->store, &resume->stored, err);

	if (rc)
		return rc;
	run->master_seed = resume->stored->master_seed;
	run->backend = run->options->backend ? run->options->backend : resume->stored->backend;
	rc = store_each_test(run->store, read_spec, resume, err);
	if (!rc)
		rc = find_drive(resume, dir, err);
	if (!rc)
		rc = remake_plan(resume, err);
	if (!rc)
		rc = store_each_step(run->store, look_at_step, resume, err);
	if (!rc)
		rc = store_each_event(run->store, count_resumes, resume, err);
	if (!rc && resume->step >= 0)
		rc = store_each_steady(run->store, resume->step, look_at_track, resume, err);
	if (!rc)
		rc = end_loop(resume, err);
	if (!rc)
		rc = go_back(resume, err);
	run->attempt = resume->resumed + 1;
	return rc;
}

static int count_verdict(void *ctx, const struct store_step_row *row)
{
	if (row->outcome && row->plan.loops)
		run_count_verdict(ctx, row->outcome);
	return 0;
}

static int already_done(const struct store_run *stored, struct run *run,
			struct run_outcome *ret_outcome, struct pts_err *err)
{
	struct run_event event = {.kind = RUN_END,
				  .text = "this run is finished: nothing to resume"};
	int rc = store_each_step(run->store, count_verdict, run, err);

	ret_outcome->exit = (enum pts_exit)(stored->exit_code > 0 ? stored->exit_code : 0);
	ret_outcome->tests_steady = run->tests_steady;
	ret_outcome->tests_not_steady = run->tests_not_steady;
	run_emit(run, &event);
	return rc;
}

static int resume_store(struct run *run, const char *dir, struct run_outcome *ret_outcome,
			struct pts_err *err)
{
	struct resume resume = {.arena = pts_arena_new(), .err = err, .run = run, .step = -1};
	const struct store_run *stored;
	int rc = store_get_run(run->store, &stored, err);

	if (!rc && stored->state == STORE_DONE)
		rc = already_done(stored, run, ret_outcome, err);
	else if (!rc && !(rc = prepare(&resume, dir, err))) {
		if (resume.step < 0)
			/* cut between the last step and the seal: only the seal is missing */
			resume.step = (int)resume.plan->step_count;
		rc = resume.step < (int)resume.plan->step_count
			     ? go_on(&resume, dir, ret_outcome, err)
			     : run_finish(run, dir, ret_outcome, err);
	}
	run_release(run);
	plan_free(resume.plan);
	for (unsigned i = 0; i < resume.spec_count; i++)
		spec_free(resume.specs[i]);
	pts_arena_free(resume.arena);
	return rc;
}

int run_resume(const char *dir, const struct run_options *options,
	       struct run_outcome *ret_outcome, struct pts_err *err)
{
	struct run run = {.options = options};
	char *path = NULL;
	int rc;

	*ret_outcome = (struct run_outcome){.exit = PTS_EXIT_BUG};
	rc = store_locate(dir, &path, err);
	if (!rc)
		rc = store_open(path, STORE_RESUME, &run.store, err);
	if (!rc)
		rc = resume_store(&run, dir, ret_outcome, err);
	if (rc)
		ret_outcome->exit = err->exit ? err->exit : PTS_EXIT_BUG;
	ret_outcome->store_path = path;
	return rc;
}
