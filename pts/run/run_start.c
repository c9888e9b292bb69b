/* A new run: everything that can refuse is asked before anything is made or written. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pts_clock.h"
#include "pts_arena.h"
#include "pts_hash.h"
#include "pts_text.h"
#include "run_internal.h"

#ifndef PTS_VERSION
#error "PTS_VERSION comes from the build"
#endif

/* Facts collected for the first transaction. */
struct facts {
	struct pts_arena *arena;
	struct store_fact *rows;
	unsigned count, room;
	const char *scope;
};

static void fact_add(void *ctx, const char *key, const char *value)
{
	struct facts *facts = ctx;

	if (facts->count == facts->room) {
		facts->room = facts->room ? facts->room * 2 : 64;
		facts->rows = realloc(facts->rows, facts->room * sizeof(*facts->rows));
		if (!facts->rows)
			abort();
	}
	facts->rows[facts->count++] = (struct store_fact){
		.scope = facts->scope,
		.key = pts_arena_strdup(facts->arena, key),
		.value = pts_arena_strdup(facts->arena, value),
	};
}

static int about_add(void *ctx, const char *key, const char *value)
{
	fact_add(ctx, key, value);
	return 0;
}

static int collect_facts(const struct run *run, struct facts *facts, struct pts_err *err)
{
	facts->scope = "device_before";
	device_facts_each(device_facts(run->device), fact_add, facts);
	device_health_each(run->device, fact_add, facts);
	if (run->cache_found[0])
		fact_add(facts, "write_cache_found", run->cache_found);
	facts->scope = "host_before";
	device_host_each(fact_add, facts);
	facts->scope = "about";
	if (!run->options->about_path)
		return 0;
	return spec_about_read(run->options->about_path, about_add, facts, err);
}

static char *overrides_json(const struct spec *spec)
{
	json_t *object = json_object();
	char *text;

	for (unsigned i = 0; i < spec->param_count; i++)
		if (spec->params[i].overridden)
			json_object_set_new(object, spec->params[i].name,
					    json_string(spec->params[i].value));
	text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(object);
	if (!text)
		abort();
	return text;
}

static void test_rows(struct pts_arena *arena, const struct plan *plan, struct store_test *rows)
{
	for (unsigned i = 0; i < plan->test_count; i++) {
		const struct spec *spec = plan->tests[i].spec;
		char *overrides = overrides_json(spec);

		rows[i] = (struct store_test){
			.name = spec->name,
			.title = spec->title,
			.standard = spec->standard,
			.revision = spec->revision,
			.section = spec->section,
			.mode = spec_mode_text(spec->mode),
			.spec_file = spec->file,
			.spec_text = spec->text,
			.spec_sha256 = spec->sha256,
			.overrides_json = pts_arena_strdup(arena, overrides),
		};
		free(overrides);
	}
}

static void step_rows(const struct plan *plan, struct store_step *rows)
{
	for (unsigned i = 0; i < plan->step_count; i++)
		rows[i] = (struct store_step){
			.step = (int)plan->steps[i].index,
			.test = plan->steps[i].test,
			.phase = plan->steps[i].phase,
			.kind = spec_step_text(plan->steps[i].kind),
			.loops = plan->steps[i].loops,
			.planned_cells = plan->steps[i].cell_count,
			.planned_before = plan->steps[i].before_count,
		};
}

static void deviation_rows(const struct plan *plan, struct store_deviation *rows)
{
	for (unsigned i = 0; i < plan->deviation_count; i++) {
		const struct plan_deviation *from = &plan->deviations[i];

		rows[i] = (struct store_deviation){
			.test = from->test,
			.clause = from->clause,
			.what = from->what,
			.required = from->required,
			.actual = from->actual,
			.reason = from->reason,
		};
	}
}

/* Everything that must be on disk before the first write to the device. */
static int make_store(struct run *run, const char *path, struct pts_err *err)
{
	const struct plan *plan = run->plan;
	struct pts_arena *arena = pts_arena_new();
	struct store_test *tests = PTS_ARENA_ARRAY(arena, struct store_test, plan->test_count);
	struct store_step *steps = PTS_ARENA_ARRAY(arena, struct store_step, plan->step_count);
	struct store_deviation *deviations =
		PTS_ARENA_ARRAY(arena, struct store_deviation, plan->deviation_count + 1);
	struct facts facts = {.arena = arena};
	char *text = plan_text(plan), *json = plan_json(plan);
	struct store_run row = {
		.tool_version = PTS_VERSION,
		.mode = spec_mode_text(plan->mode),
		.identity = run->facts.identity,
		.device_path = run->facts.real_path,
		.capacity_bytes = run->facts.capacity_bytes,
		.lba_bytes = run->facts.lba_bytes,
		.master_seed = run->master_seed,
		.plan_text = text,
		.plan_json = json,
		.plan_sha256 = plan->sha256,
		.command_line = run->options->command_line,
		.backend = engine_backend_name(run->engine),
		.started_wall_ns = pts_wall_ns(),
		.clock_is_virtual = pts_clock_is_virtual(),
		.purge_method = run->purge->name,
		.purge_is_pts = run->purge->is_pts_purge,
		.exit_code = -1,
		.state = STORE_RUNNING,
	};
	int rc = collect_facts(run, &facts, err);

	test_rows(arena, plan, tests);
	step_rows(plan, steps);
	deviation_rows(plan, deviations);
	if (!rc)
		rc = store_create(path, &row, tests, plan->test_count, steps, plan->step_count,
				  deviations, plan->deviation_count, facts.rows, facts.count,
				  &run->store, err);
	free(text);
	free(json);
	free(facts.rows);
	pts_arena_free(arena);
	return rc;
}

/* *ret_made says that the folder was not there: it is removed again if the run is refused. */
static int make_dir(const char *dir, bool *ret_made, struct pts_err *err)
{
	struct stat st;

	*ret_made = mkdir(dir, 0777) == 0;
	if (*ret_made)
		return 0;
	if (errno != EEXIST)
		return pts_fail(err, PTS_EXIT_USAGE, errno, "cannot make the folder '%s': %s",
				dir, pts_errno_text(errno));
	if (stat(dir, &st) < 0 || !S_ISDIR(st.st_mode))
		return pts_fail(err, PTS_EXIT_USAGE, ENOTDIR, "--out '%s' is not a folder",
				dir);
	return 0;
}

static int refuse_used_dir(const char *dir, const char *path, struct pts_err *err)
{
	if (access(path, F_OK) == 0)
		return pts_fail(err, PTS_EXIT_USAGE, EEXIST,
				"'%s' already holds a run: go on with `pts resume %s`, or give "
				"another --out",
				dir, dir);
	return 0;
}

/* The state of a model drive under a name that is the store's: one would be the other's end. */
static int refuse_state_as_store(const struct device_facts *facts, const char *dir,
				 struct pts_err *err)
{
	const char *slash = strrchr(facts->backing, '/');
	char folder[PATH_MAX];
	struct stat of_state, of_run;

	if (facts->kind != DEVICE_SIM || !slash || strncmp(slash, "/run.db", 7) != 0)
		return 0;
	snprintf(folder, sizeof(folder), "%.*s/", (int)(slash - facts->backing),
		 facts->backing);
	if (stat(folder, &of_state) < 0 || stat(dir, &of_run) < 0 ||
	    of_state.st_dev != of_run.st_dev || of_state.st_ino != of_run.st_ino)
		return 0;
	return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			"state='%s': that name belongs to the store of the run; name another "
			"file",
			facts->backing);
}

/* Where the guard asks which file system holds the store, before the folder is there. */
static char *existing_parent(const char *dir)
{
	char *path = strdup(dir);

	while (path && access(path, F_OK) != 0) {
		char *slash = strrchr(path, '/');

		if (!slash || slash == path) {
			free(path);
			return strdup(slash ? "/" : ".");
		}
		*slash = '\0';
	}
	return path;
}

/* What the plan discloses without calling it a deviation stands in the store too. */
static void record_notes(struct run *run)
{
	for (unsigned i = 0; i < run->plan->note_count; i++) {
		const struct plan_note *note = &run->plan->notes[i];

		run_note(run, -1, -1, -1, "info", note->kind, "%s%s%s: %s", note->test,
			 note->test[0] ? ": " : "", note->what, note->text);
	}
}

static int start(struct run *run, const char *path, struct run_outcome *ret_outcome,
		 struct pts_err *err)
{
	struct run_event event = {.kind = RUN_BEGIN, .text = run->options->out_dir};
	char *where = existing_parent(run->options->out_dir);
	bool made = false;
	int rc;

	if (!where)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	rc = run_hold(run, run->options->identity, where, err);
	free(where);
	if (!rc)
		rc = make_dir(run->options->out_dir, &made, err);
	if (!rc) {
		rc = make_store(run, path, err);
		if (rc && made)
			rmdir(run->options->out_dir);
	}
	if (rc)
		return rc;
	run_stop_watch(run->engine);
	run_emit(run, &event);
	record_notes(run);
	return run_steps(run, 0, 1, ret_outcome, err);
}

int run_start(const struct plan *plan, const struct device_facts *facts,
	      const struct run_options *options, struct run_outcome *ret_outcome,
	      struct pts_err *err)
{
	struct run run = {
		.plan = plan,
		.options = options,
		.facts = *facts,
		.backend = options->backend,
		.master_seed = options->master_seed ? options->master_seed : pts_seed_fresh(),
	};
	char *path = NULL;
	int rc;

	*ret_outcome = (struct run_outcome){.exit = PTS_EXIT_USAGE};
	if (!options->out_dir || !*options->out_dir)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--out needs a folder for the run");
	ret_outcome->exit = PTS_EXIT_MISSING;
	if (asprintf(&path, "%s/run.db", options->out_dir) < 0)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	ret_outcome->exit = PTS_EXIT_BUG;
	rc = refuse_used_dir(options->out_dir, path, err);
	if (!rc)
		rc = refuse_state_as_store(facts, options->out_dir, err);
	if (!rc)
		rc = plan_runnable(plan, err);
	if (!rc)
		rc = start(&run, path, ret_outcome, err);
	if (rc)
		ret_outcome->exit = err->exit ? err->exit : PTS_EXIT_BUG;
	ret_outcome->store_path = path;
	run_release(&run);
	return rc;
}
