/* Verify finds nothing in sound stores of every kind, and it did look. */
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

static void show(void *ctx, const char *line)
{
	print_message("%s: %s\n", (const char *)ctx, line);
}

/* Builds a store and verifies it; returns how much was recomputed. */
static uint64_t sound(struct store_source *source, const struct synth_options *from)
{
	struct synth_options options = *from;
	const char *path = store_scratch("run.db");
	struct verify_counts counts;
	struct pts_err err = PTS_ERR_INIT;
	struct store *store;

	remove(path);
	options.source = source->source;
	synth_store(path, &options);
	if (store_open(path, STORE_READ, &store, &err))
		fail_msg("%s", err.text);
	assert_int_equal(
		verify_store(store, show, (void *)source->source.test.name, &counts, &err), 0);
	assert_int_equal(counts.differences, 0);
	store_close(store);
	return counts.checked;
}

static void test_iops(void **state)
{
	struct store_source source =
		store_source_make("iops", SPEC_ENTERPRISE, 512, "cell_time=3s");
	const struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");
	uint64_t checked = sound(&source, &options);

	(void)state;
	/* 7 rounds of 56 cells and the fill, each with dozens of figures */
	assert_true(checked > 7 * 56 * 50);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cells", -1), 7 * 56 + 1);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_rounds", -1), 7);
	assert_string_equal(store_sql_text(path, "SELECT outcome FROM step ORDER BY step DESC"),
			    "steady");
	assert_int_equal(store_sql(path, "SELECT exit_code FROM v_run", -1), 0);
	store_source_free(&source);
}

/* 4 KiB sectors: the 0.5 KiB cells are rows without a value, and the run is sound. */
static void test_4096(void **state)
{
	struct store_source source =
		store_source_make("iops", SPEC_CLIENT, 4096, "cell_time=1s");
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");

	(void)state;
	options.steady_round = 5;
	sound(&source, &options);
	assert_int_equal(
		store_sql(path,
			  "SELECT count(*) FROM v_cells WHERE valid = 0 AND iops IS NULL "
			  "AND reason <> '' AND block_bytes = 512",
			  -1),
		5 * 7);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cells", -1), 5 * 56 + 1);
	store_source_free(&source);
}

static void test_never_steady(void **state)
{
	struct store_source source =
		store_source_make("iops", SPEC_ENTERPRISE, 512, "cell_time=1s;max_rounds=6");
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");

	(void)state;
	options.steady_round = 0;
	sound(&source, &options);
	assert_string_equal(store_sql_text(path, "SELECT outcome FROM step ORDER BY step DESC"),
			    "not steady");
	assert_int_equal(store_sql(path, "SELECT exit_code FROM v_run", -1), 1);
	store_source_free(&source);
}

/* B11: a cell with I/O errors has counts and no rate; its round can't be steady. */
static void test_failed_cell(void **state)
{
	struct store_source source = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");
	int step;

	(void)state;
	options.steady_round = 3;
	step = (int)source.fixture.plan->step_count - 1;
	options.failed = (struct synth_place){step, 3, 1};
	sound(&source, &options);
	assert_int_equal(store_sql(path,
				   "SELECT count(*) FROM v_cells WHERE valid = 0 AND iops IS "
				   "NULL AND errors = 3 AND ios > 0",
				   -1),
			 1);
	assert_int_equal(store_sql(path,
				   "SELECT sum(steady) FROM v_steady WHERE last_round = 3 "
				   "AND track = 'reads'",
				   -1),
			 0);
	store_source_free(&source);
}

static double nothing(void *ctx, const struct synth_place *place, int read_pct, uint64_t block)
{
	(void)ctx;
	(void)read_pct;
	(void)block;
	return place->round ? NAN : 1000;
}

/* All cells without a completion: never steady, never 0. */
static void test_nothing_completes(void **state)
{
	struct store_source source = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");

	(void)state;
	options.iops = nothing;
	sound(&source, &options);
	assert_int_equal(store_sql(path, "SELECT sum(steady) + sum(valid) FROM v_steady", -1),
			 0);
	assert_int_equal(store_sql(path,
				   "SELECT count(*) FROM v_cells WHERE round IS NOT NULL AND "
				   "(iops IS NOT NULL OR lat_max_ns IS NOT NULL)",
				   -1),
			 0);
	assert_int_equal(store_sql(path,
				   "SELECT count(*) FROM v_iops_matrix WHERE iops IS NOT NULL",
				   -1),
			 0);
	store_source_free(&source);
}

/* B20: a cut round is done again; no window reaches across the gap; every round once. */
static void test_resumed(void **state)
{
	struct store_source source =
		store_source_make("iops", SPEC_ENTERPRISE, 512, "cell_time=1s");
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");

	(void)state;
	options.steady_round = 6;
	options.cut = (struct synth_place){(int)source.fixture.plan->step_count - 1, 4, 17};
	sound(&source, &options);
	/* rounds 2-6 would be the window without the gap before 4: so 4-8 */
	assert_int_equal(store_sql(path, "SELECT max(round) FROM v_rounds", -1), 8);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_rounds", -1), 8);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cells", -1), 8 * 56 + 1);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cut_cells", -1), 18);
	assert_int_equal(store_sql(path, "SELECT min(last_round) FROM v_steady", -1), 8);
	assert_string_equal(store_sql_text(path, "SELECT state FROM v_round_attempts WHERE "
						 "round = 4 ORDER BY attempt"),
			    "cut");
	store_source_free(&source);
}

static void test_running(void **state)
{
	struct store_source source = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	struct synth_options options = SYNTH_OPTIONS_INIT;

	(void)state;
	options.state = STORE_RUNNING;
	options.rounds_most = 2;
	sound(&source, &options);
	options.state = STORE_STOPPED;
	options.rounds_most = 0;
	sound(&source, &options);
	store_source_free(&source);
}

struct told {
	unsigned lines, little;
};

static void count_lines(void *ctx, const char *line)
{
	struct told *told = ctx;

	told->lines++;
	told->little += strstr(line, "Little's law: ") != NULL;
}

/* A store in which everything agrees but the number outstanding and the latencies. */
static void test_littles_law(void **state)
{
	static const double shares[] = {0.005, -0.005, 0.02, -0.02};
	struct store_source source = store_source_make("cli-small", SPEC_ENTERPRISE, 512, NULL);
	const char *path = store_scratch("run.db");

	(void)state;
	for (unsigned i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct synth_options options = SYNTH_OPTIONS_INIT;
		struct verify_counts counts;
		struct told told = {0};
		struct pts_err err = PTS_ERR_INIT;
		struct store *store;

		remove(path);
		options.source = source.source;
		options.steady_round = 3;
		options.outstanding_off = shares[i];
		synth_store(path, &options);
		assert_int_equal(store_open(path, STORE_READ, &store, &err), 0);
		assert_int_equal(verify_store(store, count_lines, &told, &counts, &err), 0);
		store_close(store);
		assert_int_equal(told.lines, told.little);
		assert_int_equal(counts.differences, told.little);
		assert_int_equal(told.little,
				 i < 2 ? 0
				       : store_sql(path, "SELECT count(*) FROM v_cells", -1));
	}
	store_source_free(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_iops, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_4096, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_never_steady, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_failed_cell, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_nothing_completes, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_resumed, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_running, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_littles_law, store_scratch_make,
						store_scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
