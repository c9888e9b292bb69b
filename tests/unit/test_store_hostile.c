/* A store that somebody bent: every reader refuses a row that breaks a constraint, with one clear
 * line. SQLite itself does not look at constraints of a file opened for reading only. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store.h"
#include "store_fixture.h"

static const struct {
	const char *bend, *check;
} bent[] = {
	{"UPDATE run SET capacity_bytes = -1", "capacity_bytes >= 0"},
	{"UPDATE run SET lba_bytes = 4294967296", "lba_bytes BETWEEN 0 AND 4294967295"},
	{"UPDATE run SET master_seed = '12(3'", "length(master_seed) BETWEEN 1 AND 20 AND "
						"master_seed NOT GLOB '*[^0-9]*'"},
	{"UPDATE run SET state = 'gone'", "state IN ('running', 'stopped', 'failed', 'done')"},
	{"UPDATE run SET exit_code = 256", "exit_code BETWEEN 0 AND 255"},
	{"UPDATE test SET position = -1", "position >= 0"},
	{"UPDATE step SET elapsed_ns = -5", "elapsed_ns >= 0"},
	{"UPDATE step SET bytes_written = -5", "bytes_written >= 0"},
	{"UPDATE step SET planned_cells = 1000001", "planned_cells BETWEEN 0 AND 1000000"},
	{"UPDATE round SET attempt = -attempt", "attempt BETWEEN 1 AND 1000000"},
	{"UPDATE round SET started_ns = -1", "started_ns >= 0"},
	{"INSERT INTO fresh VALUES(0, 0)", "first_round BETWEEN 1 AND 1000000"},
	{"UPDATE cell SET threads = -3", "threads BETWEEN 0 AND 1000000"},
	{"UPDATE cell SET read_pct = 101", "read_pct BETWEEN 0 AND 100"},
	{"UPDATE cell SET seed = ''",
	 "length(seed) BETWEEN 1 AND 20 AND seed NOT GLOB '*[^0-9]*'"},
	{"UPDATE cell SET reason = 'none' WHERE valid", "valid = 0 OR reason IS NULL"},
	{"UPDATE figure SET ios = -7 WHERE dir = 'write'", "ios >= 0"},
	{"UPDATE figure SET lat_sum_ns = '1e9'",
	 "length(lat_sum_ns) BETWEEN 1 AND 39 AND lat_sum_ns NOT GLOB '*[^0-9]*'"},
	{"UPDATE sample SET write_lat_max_ns = -1", "write_lat_max_ns >= 0"},
	{"INSERT INTO io_error SELECT 1, min(id), 0, 'both', 0, 0, 0, 5 FROM cell",
	 "dir IN ('read', 'write')"},
	{"INSERT INTO share SELECT min(id), 'size', 0, 0, -1 FROM cell", "submitted >= 0"},
	{"INSERT INTO choice VALUES(0, 'max', 'fastest', 0, 1, 1, 'iops', 1, 1, 1, 1)",
	 "rule IN ('highest', 'cell', 'nearest_mean')"},
	{"UPDATE cell SET inflight_ns = -1", "inflight_ns >= 0"},
	{"UPDATE cell SET role = 'spare'", "role IN ('cell', 'load', 'sample', 'before')"},
	{"UPDATE steady SET steady = 2", "steady IN (0, 1)"},
	{"INSERT INTO event VALUES(1000, 0, 0, -2, NULL, NULL, 'info', 'x', 'y')", "step >= 0"},
};

/* As anybody's SQLite does who wants to. */
static void bend(const char *path, const char *statement)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL),
		SQLITE_OK);
	if (sqlite3_exec(db, statement, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", statement, sqlite3_errmsg(db));
	if (!sqlite3_changes(db))
		fail_msg("%s changes nothing", statement);
	sqlite3_close(db);
}

static void make_store(struct store_source *source, const char *path)
{
	struct synth_options options = SYNTH_OPTIONS_INIT;

	*source = store_source_make("cli-small", SPEC_CLIENT, 512, NULL);
	options.source = source->source;
	options.steady_round = options.rounds_most = 0;
	synth_store(path, &options);
}

static void refused(const char *path, enum store_access access, const char *statement,
		    const char *check)
{
	struct pts_err err = PTS_ERR_INIT;
	struct store *store;
	char expected[200];

	snprintf(expected, sizeof(expected), "CHECK(%s)", check);
	if (store_open(path, access, &store, &err) != -EBADMSG)
		fail_msg("%s: the store is opened", statement);
	assert_null(store);
	assert_int_equal(err.exit, PTS_EXIT_SPEC);
	assert_null(strchr(err.text, '\n'));
	/* a writer's SQLite finds it first, and names the table alone */
	if (access == STORE_READ && !strstr(err.text, expected))
		fail_msg("%s: '%s' does not say %s", statement, err.text, expected);
	assert_non_null(strstr(err.text, "is damaged"));
}

static void what_breaks_a_constraint_is_refused(void **state)
{
	struct store_source source;
	char path[300], copy[300];
	struct pts_err err = PTS_ERR_INIT;
	struct store *store;

	(void)state;
	snprintf(path, sizeof(path), "%s", store_scratch("run.db"));
	snprintf(copy, sizeof(copy), "%s", store_scratch("bent.db"));
	make_store(&source, path);
	assert_int_equal(store_open(path, STORE_READ, &store, &err), 0);
	store_close(store);
	for (unsigned i = 0; i < sizeof(bent) / sizeof(bent[0]); i++) {
		store_copy(path, copy);
		bend(copy, bent[i].bend);
		refused(copy, STORE_READ, bent[i].bend, bent[i].check);
		refused(copy, STORE_RESUME, bent[i].bend, bent[i].check);
	}
	store_source_free(&source);
}

/* Every table that has a constraint is bent above: a new one wants its line. */
static void every_table_is_bent(void **state)
{
	struct store_source source;
	char path[300], query[200];

	(void)state;
	snprintf(path, sizeof(path), "%s", store_scratch("run.db"));
	make_store(&source, path);
	for (int64_t i = 1;; i++) {
		const char *name;
		bool found = false;

		snprintf(query, sizeof(query),
			 "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE "
			 "'%%CHECK(%%' ORDER BY name LIMIT 1 OFFSET %lld",
			 (long long)i - 1);
		name = store_sql_text(path, query);
		if (!*name) {
			assert_true(i > 8);
			break;
		}
		for (unsigned b = 0; b < sizeof(bent) / sizeof(bent[0]); b++) {
			const char *at = strstr(bent[b].bend, name);

			found |= at && (at == bent[b].bend + strlen("UPDATE ") ||
					at == bent[b].bend + strlen("INSERT INTO "));
		}
		if (!found)
			fail_msg("no row of %s is bent", name);
	}
	store_source_free(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_breaks_a_constraint_is_refused,
						store_scratch_make, store_scratch_remove),
		cmocka_unit_test_setup_teardown(every_table_is_bent, store_scratch_make,
						store_scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
