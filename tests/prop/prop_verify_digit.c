/*
 * One changed digit in one row of a sound store is found and named: for every column of every
 * table, in several rows, the value is changed a little in a copy and verify (or already the
 * opening) must object. The columns from which nothing else can be computed stand in a list with
 * the reason, and the list is exact: a change there must go unseen, else it does not belong there.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store_fixture.h"
#include "verify.h"

#define ROWS_TRIED 4

/* Nothing else in the store follows from these. */
static const struct {
	const char *column, *why;
	bool partly; /* in some rows it is checked */
} unseen[] = {
	{"run.tool_version", "a name", false},
	{"run.device_path", "where the drive was; its identity is checked", false},
	{"run.command_line", "as typed", false},
	{"run.backend", "a name", false},
	{"run.started_wall_ns", "a date; only its order is checked", false},
	{"run.ended_wall_ns", "a date; only its order is checked", false},
	{"run.clock_is_virtual", "a property of the clock that was there", false},
	{"run.purge_evidence", "a text of what was seen", false},
	{"run.stop_reason", "a text", false},
	{"test.position", "an order", false},
	{"test.spec_file", "where the spec was; its text is checked", false},
	{"step.started_ns", "a time; only its order is checked", false},
	{"step.elapsed_ns",
	 "a time; that it holds its cells and ends before the next is checked", false},
	{"round.elapsed_ns",
	 "a time; that it holds its cells and ends before the next is checked", false},
	{"round.attempt", "a count; only its order is checked", false},
	{"round.reason", "a text", false},
	{"step.bytes_written", "of a purge; of steps with cells it is checked", true},
	{"io_error.id", "a key that nothing refers to", false},
	{"deviation.test", "of a resume, an observation; those of the plan are checked", false},
	{"deviation.clause", "of a resume, an observation; those of the plan are checked",
	 false},
	{"deviation.what", "of a resume, an observation; those of the plan are checked", false},
	{"deviation.required", "of a resume, an observation; those of the plan are checked",
	 false},
	{"deviation.actual", "of a resume, an observation; those of the plan are checked",
	 false},
	{"deviation.reason", "of a resume, an observation; those of the plan are checked",
	 false},
	{"deviation.id", "a key that nothing refers to", false},
	{"event.id", "a key that nothing refers to", false},
	{"event.at_ns", "an observation", false},
	{"event.wall_ns", "an observation", false},
	{"event.step", "an observation", false},
	{"event.round", "an observation", false},
	{"event.cell", "an observation", false},
	{"event.level", "an observation", false},
	{"event.kind", "an observation; resumes are counted", true},
	{"event.text", "an observation", false},
	{"fact.scope", "an observation", true},
	{"fact.key", "an observation", true},
	{"fact.value", "an observation; identity, capacity and LBA size are checked", true},
};

struct look {
	uint64_t differences;
	char first[512];
};

static void take(void *ctx, const char *line)
{
	struct look *look = ctx;

	if (!look->differences++)
		snprintf(look->first, sizeof(look->first), "%s", line);
}

/* Differences of a store; a store that does not open counts as one. */
static struct look verify(const char *path)
{
	struct verify_counts counts = {0};
	struct pts_err err = PTS_ERR_INIT;
	struct look look = {0};
	struct store *store;

	if (store_open(path, STORE_READ, &store, &err)) {
		take(&look, err.text);
		return look;
	}
	if (verify_store(store, take, &look, &counts, &err))
		take(&look, err.text);
	else
		assert_int_equal(counts.differences, look.differences);
	store_close(store);
	return look;
}

static const char *reason_unseen(const char *column, bool *ret_partly)
{
	*ret_partly = false;
	for (unsigned i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
		if (!strcmp(unseen[i].column, column)) {
			*ret_partly = unseen[i].partly;
			return unseen[i].why;
		}
	return NULL;
}

/* A small change of a value, as SQL: the last digit of a number, another word. */
static const char *changed(const char *type, const char *column, char *text, size_t room)
{
	if (!strcmp(type, "REAL"))
		snprintf(text, room, "\"%s\" * (1 + 1e-9) + (\"%s\" = 0) * 1e-9", column,
			 column);
	else if (!strcmp(type, "INTEGER"))
		snprintf(text, room, "iif(\"%s\" IN (0, 1), 1 - \"%s\", \"%s\" + 1)", column,
			 column, column);
	else if (!strcmp(type, "BLOB"))
		snprintf(text, room,
			 "CAST(substr(\"%s\", 1, length(\"%s\") - 1) || "
			 "char((unicode(substr(hex(\"%s\"), -1)) * 7) %% 97 + 1) AS BLOB)",
			 column, column, column);
	else /* text of digits stays one */
		snprintf(text, room,
			 "CASE WHEN \"%s\" NOT GLOB '*[^0-9]*' AND \"%s\" <> '' THEN "
			 "substr(\"%s\", 1, length(\"%s\") - 1) || "
			 "((substr(\"%s\", -1) + 1) %% 10) ELSE \"%s\" || 'x' END",
			 column, column, column, column, column, column);
	return text;
}

/* Keys of WITHOUT ROWID tables, to name one row. */
static const char *row_name(const char *table)
{
	static const char *const keys[][2] = {
		{"figure", "cell_id || dir"},
		{"sample", "cell_id || '-' || second"},
		{"steady", "track || last_round"},
		{"fact", "scope || key"},
		{"fresh", "step || '-' || first_round"},
		{"choice", "step || name"},
		{"share", "cell_id || part || stream || item"},
	};

	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i][0], table))
			return keys[i][1];
	return "rowid";
}

/* Changes one value in a copy; false if there is no such row or the schema refuses it. */
static bool change(const char *from, const char *to, const char *table, const char *type,
		   const char *column, int row)
{
	char value[400], statement[1200];
	sqlite3 *db;
	int rc;

	store_copy(from, to);
	snprintf(
		statement, sizeof(statement),
		"UPDATE \"%s\" SET \"%s\" = %s WHERE %s = (SELECT %s FROM \"%s\" WHERE \"%s\" "
		"IS NOT NULL ORDER BY 1 LIMIT 1 OFFSET %d %% max(1, (SELECT count(\"%s\") FROM "
		"\"%s\")))",
		table, column, changed(type, column, value, sizeof(value)), row_name(table),
		row_name(table), table, column, row * 7919, column, table);
	assert_int_equal(sqlite3_open(to, &db), SQLITE_OK);
	rc = sqlite3_exec(db, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", NULL,
			  NULL, NULL);
	assert_int_equal(rc, SQLITE_OK);
	rc = sqlite3_exec(db, statement, NULL, NULL, NULL);
	if (rc != SQLITE_OK && rc != SQLITE_CONSTRAINT)
		fail_msg("%s: %s", statement, sqlite3_errmsg(db));
	rc = rc == SQLITE_OK && sqlite3_changes(db) == 1;
	sqlite3_close(db);
	return rc;
}

struct tally {
	unsigned columns, seen, listed, refused, missed;
};

static void try_column(const char *from, const char *table, const char *column,
		       const char *type, struct tally *tally)
{
	const char *to = store_scratch("changed.db");
	unsigned tried = 0;
	char name[128];
	const char *why;
	bool partly;

	snprintf(name, sizeof(name), "%s.%s", table, column);
	why = reason_unseen(name, &partly);
	tally->columns++;
	for (int row = 0; row < ROWS_TRIED; row++) {
		struct look look;

		if (!change(from, to, table, type, column, row))
			continue;
		look = verify(to);
		tried++;
		if (!row && getenv("PTS_SHOW"))
			print_message("%-28s %s\n", name, why ? why : look.first);
		if (look.differences && why && !partly)
			fail_msg("%s is listed as unseen (%s), but: %s", name, why, look.first);
		if (!look.differences && !why) {
			print_message("NOT FOUND: a changed %s\n", name);
			tally->missed++;
			return;
		}
	}
	tally->seen += tried && !why;
	tally->listed += why != NULL;
	tally->refused += !tried && !why;
	if (!tried && !why)
		print_message("every change is refused by the schema, or NULL: %s\n", name);
}

static void try_tables(const char *from, struct tally *tally)
{
	sqlite3_stmt *stmt;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(from, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
				   "SELECT m.name, c.name, c.type FROM sqlite_schema m JOIN "
				   "pragma_table_info(m.name) c WHERE m.type = 'table' "
				   "ORDER BY m.name, c.cid",
				   -1, &stmt, NULL),
		SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		try_column(from, (const char *)sqlite3_column_text(stmt, 0),
			   (const char *)sqlite3_column_text(stmt, 1),
			   (const char *)sqlite3_column_text(stmt, 2), tally);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

/* A small run that was cut and resumed, with an I/O error: every table has rows. */
static void test_every_column(void **state)
{
	struct store_source source = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");
	struct tally tally = {0};
	int loop = (int)source.fixture.plan->step_count - 1;

	(void)state;
	options.source = source.source;
	options.steady_round = 3;
	options.failed = (struct synth_place){loop, 1, 1};
	options.cut = (struct synth_place){loop, 2, 2};
	options.hist_points = 40;
	synth_store(path, &options);
	assert_int_equal(verify(path).differences, 0);
	try_tables(path, &tally);
	print_message(
		"%u columns: a change is found in %u, refused by the schema in %u, %u are "
		"listed as not to be seen, %u missed\n",
		tally.columns, tally.seen, tally.refused, tally.listed, tally.missed);
	assert_int_equal(tally.missed, 0);
	assert_int_equal(tally.seen + tally.listed + tally.refused, tally.columns);
	store_source_free(&source);
}

/* A row that is gone, or there twice, is found too. */
static void test_rows(void **state)
{
	static const char *const statements[] = {
		"DELETE FROM cell WHERE id = 4",
		"DELETE FROM figure WHERE cell_id = 4 AND dir = 'read'",
		"DELETE FROM sample WHERE cell_id = 3",
		"DELETE FROM sample WHERE cell_id = 1 AND second = 0",
		"DELETE FROM io_error",
		"DELETE FROM steady WHERE track = 'reads' AND last_round = (SELECT "
		"max(last_round) "
		"FROM steady)",
		"DELETE FROM steady",
		"DELETE FROM fresh",
		"DELETE FROM deviation WHERE id = 1",
		"DELETE FROM round WHERE round = 1",
		"DELETE FROM test",
		"DELETE FROM step WHERE step = 0",
		"DELETE FROM run",
		"UPDATE round SET state = 'cut' WHERE round = (SELECT max(round) FROM round)",
		"UPDATE round SET round = round + 1 WHERE round = (SELECT max(round) FROM "
		"round)",
		"UPDATE figure SET hist = NULL WHERE cell_id = 4",
		"INSERT INTO steady SELECT step, 'reads too', last_round, window, metric, "
		"read_pct, block_bytes, valid, average, minimum, maximum, range, range_pct, "
		"slope, intercept, slope_excursion, slope_excursion_pct, r, range_limit, "
		"slope_limit, range_ok, slope_ok, boundary, steady FROM steady LIMIT 1",
		"UPDATE run SET plan_json = replace(plan_json, '4096', '8192')",
		"UPDATE run SET plan_text = plan_text || ' '",
		"UPDATE test SET spec_text = replace(spec_text, '4KiB', '8KiB')",
	};
	struct store_source source =
		store_source_make("iops", SPEC_ENTERPRISE, 512, "cell_time=1s;max_rounds=5");
	struct synth_options options = SYNTH_OPTIONS_INIT;
	struct store_source small = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	const char *path = store_scratch("run.db"), *copy = store_scratch("changed.db");
	int loop = (int)small.fixture.plan->step_count - 1;

	(void)state;
	options.source = small.source;
	options.steady_round = 3;
	options.failed = (struct synth_place){loop, 1, 1};
	options.cut = (struct synth_place){loop, 2, 2};
	synth_store(path, &options);
	for (unsigned i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		struct look look;
		sqlite3 *db;

		store_copy(path, copy);
		assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
		if (sqlite3_exec(db, statements[i], NULL, NULL, NULL) != SQLITE_OK)
			fail_msg("%s: %s", statements[i], sqlite3_errmsg(db));
		if (!sqlite3_changes(db))
			fail_msg("%s: changes nothing", statements[i]);
		sqlite3_close(db);
		look = verify(copy);
		if (!look.differences)
			fail_msg("not found: %s", statements[i]);
	}
	/* deviations of a plan can't be lost */
	remove(path);
	options = (struct synth_options)SYNTH_OPTIONS_INIT;
	options.source = source.source;
	options.steady_round = 0;
	synth_store(path, &options);
	assert_true(store_sql(path, "SELECT count(*) FROM deviation", 0) > 0);
	assert_int_equal(verify(path).differences, 0);
	store_sql(path, "DELETE FROM deviation WHERE what = 'cell_time'", 0);
	assert_int_equal(verify(path).differences, 2); /* one is missing, and which */
	store_source_free(&source);
	store_source_free(&small);
}

/* What took longer than there was until the next began. */
static void test_times(void **state)
{
	static const struct {
		const char *statement, *said;
	} cases[] = {
		{"UPDATE step SET elapsed_ns = elapsed_ns + 5000000000 WHERE step = 0",
		 "step 1 (fill): it begins before the step before it ends"},
		{"UPDATE step SET started_ns = started_ns - 5000000000, elapsed_ns = "
		 "elapsed_ns + 5000000000 WHERE step = 1",
		 "step 1 (fill): it begins before the step before it ends"},
		{"UPDATE round SET elapsed_ns = elapsed_ns + 5000000000 WHERE round = 2",
		 "round 3: the round before took longer than there was time"},
		{"UPDATE round SET elapsed_ns = elapsed_ns + 5000000000 WHERE round = (SELECT "
		 "max(round) FROM round)",
		 "): the round before took longer than there was time"},
	};
	struct store_source source = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	const char *path = store_scratch("run.db"), *copy = store_scratch("changed.db");
	struct synth_options options = SYNTH_OPTIONS_INIT;

	(void)state;
	options.source = source.source;
	options.steady_round = 3;
	synth_store(path, &options);
	assert_int_equal(verify(path).differences, 0);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct look look;
		sqlite3 *db;

		store_copy(path, copy);
		assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, cases[i].statement, NULL, NULL, NULL),
				 SQLITE_OK);
		assert_int_equal(sqlite3_changes(db), 1);
		sqlite3_close(db);
		look = verify(copy);
		if (!strstr(look.first, cases[i].said))
			fail_msg("%s: %s", cases[i].statement, look.first);
	}
	store_source_free(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_column, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_rows, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_times, store_scratch_make,
						store_scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
