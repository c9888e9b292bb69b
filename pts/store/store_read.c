/* Reading: the run, tests, facts, steps, rounds, judgements, deviations, events. */
#include <string.h>

#include "store_internal.h"

/* Strings live until the store is closed; one that has not changed since the last reading is not
 * kept twice, so that polling a run costs no memory. */
static const char *keep(struct store *store, sqlite3_stmt *stmt, int column, const char *before)
{
	const char *text = sql_text(stmt, column);

	if (!text)
		return NULL;
	if (before && !strcmp(before, text))
		return before;
	return pts_arena_strdup(store->arena, text);
}

static enum store_state state_of(const char *text)
{
	if (text && !strcmp(text, "done"))
		return STORE_DONE;
	if (text && !strcmp(text, "stopped"))
		return STORE_STOPPED;
	return text && !strcmp(text, "failed") ? STORE_FAILED : STORE_RUNNING;
}

static void read_run(struct store *store, sqlite3_stmt *stmt, struct store_run *run)
{
	run->tool_version = keep(store, stmt, 0, run->tool_version);
	run->mode = keep(store, stmt, 1, run->mode);
	run->identity = keep(store, stmt, 2, run->identity);
	run->device_path = keep(store, stmt, 3, run->device_path);
	run->capacity_bytes = sql_u64(stmt, 4);
	run->lba_bytes = (uint32_t)sql_u64(stmt, 5);
	run->master_seed = sql_text_u64(stmt, 6);
	run->plan_text = keep(store, stmt, 7, run->plan_text);
	run->plan_json = keep(store, stmt, 8, run->plan_json);
	run->plan_sha256 = keep(store, stmt, 9, run->plan_sha256);
	run->command_line = keep(store, stmt, 10, run->command_line);
	run->backend = keep(store, stmt, 11, run->backend);
	run->started_wall_ns = sql_u64(stmt, 12);
	run->ended_wall_ns = sql_u64(stmt, 13);
	run->clock_is_virtual = sql_int(stmt, 14, 0);
	run->purge_method = keep(store, stmt, 15, run->purge_method);
	run->purge_is_pts = sql_int(stmt, 16, 0);
	run->purge_evidence = keep(store, stmt, 17, run->purge_evidence);
	run->exit_code = sql_int(stmt, 18, -1);
	run->stop_reason = keep(store, stmt, 19, run->stop_reason);
	run->state = state_of(sql_text(stmt, 20));
	run->plan_json_sha256 = keep(store, stmt, 21, run->plan_json_sha256);
	run->schema_version = STORE_SCHEMA_VERSION;
}

int store_get_run(struct store *store, const struct store_run **ret_run, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc =
		sql_prepare(store,
			    "SELECT tool_version, mode, identity, device_path, capacity_bytes, "
			    "lba_bytes, master_seed, plan_text, plan_json, plan_sha256, "
			    "command_line, backend, started_wall_ns, ended_wall_ns, "
			    "clock_is_virtual, purge_method, purge_is_pts, purge_evidence, "
			    "exit_code, stop_reason, state, plan_json_sha256 FROM run",
			    &stmt, err);

	if (rc)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW) {
		if (!store->run)
			store->run = PTS_ARENA_NEW(store->arena, struct store_run);
		read_run(store, stmt, store->run);
		*ret_run = store->run;
		rc = 0;
	} else if (rc == SQLITE_DONE) {
		rc = pts_fail(err, PTS_EXIT_SPEC, 0, "'%s' holds no run", store->path);
	} else {
		rc = sql_fail(store, rc, err);
	}
	sqlite3_finalize(stmt);
	return rc;
}

/* Rows of a statement given to row() until the end, an error or a non-zero answer. */
static int each(struct store *store, const char *text, int64_t step,
		int (*row)(sqlite3_stmt *stmt, void *ctx), void *ctx, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, text, &stmt, err), answer = 0;

	if (rc)
		return rc;
	if (sqlite3_bind_parameter_count(stmt))
		sqlite3_bind_int64(stmt, 1, step);
	while (!answer && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
		answer = row(stmt, ctx);
	if (!answer && rc != SQLITE_DONE)
		answer = sql_fail(store, rc, err);
	sqlite3_finalize(stmt);
	return answer;
}

/* The caller's callback, whatever its row type. */
struct call {
	void *ctx;
	union {
		int (*test)(void *ctx, const struct store_test *test);
		int (*fact)(void *ctx, const char *key, const char *value);
		int (*step)(void *ctx, const struct store_step_row *step);
		int (*round)(void *ctx, const struct store_round_row *round);
		int (*steady)(void *ctx, const struct store_steady *steady);
		int (*choice)(void *ctx, const struct store_choice *choice);
		int (*deviation)(void *ctx, const struct store_deviation *deviation);
		int (*event)(void *ctx, const struct store_event *event);
	} fn;
};

static const char *text_or(sqlite3_stmt *stmt, int column, const char *otherwise)
{
	const char *text = sql_text(stmt, column);

	return text ? text : otherwise;
}

static int row_test(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_test test = {
		.name = text_or(stmt, 0, ""),
		.title = sql_text(stmt, 1),
		.standard = sql_text(stmt, 2),
		.revision = sql_text(stmt, 3),
		.section = sql_text(stmt, 4),
		.mode = text_or(stmt, 5, ""),
		.spec_file = text_or(stmt, 6, ""),
		.spec_text = text_or(stmt, 7, ""),
		.spec_sha256 = text_or(stmt, 8, ""),
		.overrides_json = text_or(stmt, 9, "{}"),
	};

	return call->fn.test(call->ctx, &test);
}

int store_each_test(struct store *store, int (*fn)(void *ctx, const struct store_test *test),
		    void *ctx, struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.test = fn};

	return each(
		store,
		"SELECT name, title, standard, revision, section, mode, spec_file, spec_text, "
		"spec_sha256, overrides_json FROM test ORDER BY position",
		0, row_test, &call, err);
}

int store_each_fact(struct store *store, const char *scope,
		    int (*fn)(void *ctx, const char *key, const char *value), void *ctx,
		    struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, "SELECT key, value FROM fact WHERE scope = ? ORDER BY key",
			     &stmt, err);
	int answer = 0;

	if (rc)
		return rc;
	rc = sql_bind(store, stmt, err, "t", scope);
	while (!rc && !answer && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		answer = fn(ctx, text_or(stmt, 0, ""), text_or(stmt, 1, ""));
		rc = 0;
	}
	if (!answer && rc > 0 && rc != SQLITE_DONE)
		answer = sql_fail(store, rc, err);
	sqlite3_finalize(stmt);
	return rc < 0 ? rc : answer;
}

static int row_step(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_step_row row = {
		.plan = {.step = sql_int(stmt, 0, 0),
			 .test = text_or(stmt, 1, ""),
			 .phase = text_or(stmt, 2, ""),
			 .kind = text_or(stmt, 3, ""),
			 .planned_cells = sql_u64(stmt, 4),
			 .loops = sql_int(stmt, 13, 0),
			 .planned_before = sql_u64(stmt, 14)},
		.begun = sqlite3_column_type(stmt, 5) != SQLITE_NULL,
		.started_ns = sql_u64(stmt, 5),
		.elapsed_ns = sql_u64(stmt, 6),
		.bytes_written = sql_u64(stmt, 7),
		.outcome = sql_text(stmt, 8),
		.ended = sqlite3_column_type(stmt, 8) != SQLITE_NULL,
		.rounds_closed = sql_int(stmt, 9, 0),
		.cells_stored = sql_int(stmt, 10, 0),
		.max_gap_ns = sql_u64(stmt, 11),
		.attempt = sql_int(stmt, 12, 0),
	};

	return call->fn.step(call->ctx, &row);
}

int store_each_step(struct store *store,
		    int (*fn)(void *ctx, const struct store_step_row *step), void *ctx,
		    struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.step = fn};

	return each(
		store,
		"SELECT s.step, s.test, s.phase, s.kind, s.planned_cells, s.started_ns, "
		"s.elapsed_ns, s.bytes_written, s.outcome, "
		"(SELECT count(*) FROM round r WHERE r.step = s.step AND r.round IS NOT NULL "
		"AND r.state = 'valid'), "
		"(SELECT count(*) FROM round r JOIN cell c ON c.round_id = r.id "
		"WHERE r.step = s.step AND r.state IN ('open', 'valid')), "
		"(SELECT max(c.gap_ns) FROM round r JOIN cell c ON c.round_id = r.id "
		"WHERE r.step = s.step AND r.state = 'valid'), s.attempt, s.loops, "
		"s.planned_before "
		"FROM step s ORDER BY s.step",
		0, row_step, &call, err);
}

static int row_round(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_round_row row = {
		.step = sql_int(stmt, 0, 0),
		.round = sql_int(stmt, 1, 0),
		.state = text_or(stmt, 2, ""),
		.started_ns = sql_u64(stmt, 3),
		.elapsed_ns = sql_u64(stmt, 4),
		.cells = sql_int(stmt, 5, 0),
		.after_gap = sql_int(stmt, 6, 0),
	};

	return call->fn.round(call->ctx, &row);
}

int store_each_round(struct store *store, int step,
		     int (*fn)(void *ctx, const struct store_round_row *round), void *ctx,
		     struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.round = fn};

	return each(store,
		    "SELECT r.step, r.round, r.state, r.started_ns, r.elapsed_ns, "
		    "(SELECT count(*) FROM cell c WHERE c.round_id = r.id), "
		    "r.state IN ('open', 'valid') AND EXISTS(SELECT 1 FROM fresh f "
		    "WHERE f.step = r.step AND f.first_round = r.round) FROM round r "
		    "WHERE r.round IS NOT NULL AND (?1 < 0 OR r.step = ?1) "
		    "ORDER BY r.step, r.round, r.attempt",
		    step, row_round, &call, err);
}

static int row_steady(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_steady row = {
		.step = sql_int(stmt, 0, 0),
		.track = text_or(stmt, 1, ""),
		.last_round = sql_int(stmt, 2, 0),
		.window = sql_int(stmt, 3, 0),
		.metric = text_or(stmt, 4, ""),
		.read_pct = sql_int(stmt, 5, -1),
		.block_bytes = sql_u64(stmt, 6),
		.valid = sql_int(stmt, 7, 0),
		.average = sql_double(stmt, 8),
		.minimum = sql_double(stmt, 9),
		.maximum = sql_double(stmt, 10),
		.range = sql_double(stmt, 11),
		.range_pct = sql_double(stmt, 12),
		.slope = sql_double(stmt, 13),
		.intercept = sql_double(stmt, 14),
		.slope_excursion = sql_double(stmt, 15),
		.slope_excursion_pct = sql_double(stmt, 16),
		.r = sql_double(stmt, 17),
		.range_limit = sql_double(stmt, 18),
		.slope_limit = sql_double(stmt, 19),
		.range_ok = sql_int(stmt, 20, 0),
		.slope_ok = sql_int(stmt, 21, 0),
		.boundary = sql_int(stmt, 22, 0),
		.steady = sql_int(stmt, 23, 0),
	};

	return call->fn.steady(call->ctx, &row);
}

int store_each_steady(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_steady *steady), void *ctx,
		      struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.steady = fn};

	return each(
		store,
		"SELECT step, track, last_round, window, metric, read_pct, block_bytes, valid, "
		"average, minimum, maximum, range, range_pct, slope, intercept, "
		"slope_excursion, slope_excursion_pct, r, range_limit, slope_limit, range_ok, "
		"slope_ok, boundary, steady FROM steady WHERE ?1 < 0 OR step = ?1 "
		"ORDER BY step, last_round, track",
		step, row_steady, &call, err);
}

static int row_choice(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_choice row = {
		.step = sql_int(stmt, 0, 0),
		.name = text_or(stmt, 1, ""),
		.rule = text_or(stmt, 2, ""),
		.cell = sql_int(stmt, 3, -1),
		.threads = (unsigned)sql_int(stmt, 4, 0),
		.queue_depth = (unsigned)sql_int(stmt, 5, 0),
		.metric = text_or(stmt, 6, ""),
		.value = sql_double(stmt, 7),
		.lat_mean_ns = sql_double(stmt, 8),
		.first_round = sql_int(stmt, 9, 0),
		.last_round = sql_int(stmt, 10, 0),
	};

	return call->fn.choice(call->ctx, &row);
}

int store_each_choice(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_choice *choice), void *ctx,
		      struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.choice = fn};

	return each(store,
		    "SELECT step, name, rule, cell, threads, queue_depth, metric, value, "
		    "lat_mean_ns, first_round, last_round FROM choice "
		    "WHERE ?1 < 0 OR step = ?1 ORDER BY step, name",
		    step, row_choice, &call, err);
}

static int row_deviation(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_deviation row = {
		.test = text_or(stmt, 0, ""),
		.clause = text_or(stmt, 1, ""),
		.what = text_or(stmt, 2, ""),
		.required = text_or(stmt, 3, ""),
		.actual = text_or(stmt, 4, ""),
		.reason = text_or(stmt, 5, ""),
	};

	return call->fn.deviation(call->ctx, &row);
}

int store_each_deviation(struct store *store,
			 int (*fn)(void *ctx, const struct store_deviation *deviation),
			 void *ctx, struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.deviation = fn};

	return each(store,
		    "SELECT test, clause, what, required, actual, reason FROM deviation "
		    "ORDER BY id",
		    0, row_deviation, &call, err);
}

static int row_event(sqlite3_stmt *stmt, void *ctx)
{
	struct call *call = ctx;
	struct store_event row = {
		.at_ns = sql_u64(stmt, 0),
		.wall_ns = sql_u64(stmt, 1),
		.step = sql_int(stmt, 2, -1),
		.round = sql_int(stmt, 3, -1),
		.cell = sql_int(stmt, 4, -1),
		.level = text_or(stmt, 5, ""),
		.kind = text_or(stmt, 6, ""),
		.text = text_or(stmt, 7, ""),
	};

	return call->fn.event(call->ctx, &row);
}

int store_each_event(struct store *store, int (*fn)(void *ctx, const struct store_event *event),
		     void *ctx, struct pts_err *err)
{
	struct call call = {.ctx = ctx, .fn.event = fn};

	return each(store,
		    "SELECT at_ns, wall_ns, step, round, cell, level, kind, text FROM event "
		    "ORDER BY id",
		    0, row_event, &call, err);
}
