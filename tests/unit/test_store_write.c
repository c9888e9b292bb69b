/* Making, filling, ending: what is stored is what was given, views say it, refusals are clear. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "store_fixture.h"

static const struct store_run run_row = {
	.tool_version = "test",
	.mode = "enterprise",
	.identity = "SN",
	.device_path = "/dev/x",
	.capacity_bytes = 1 << 20,
	.lba_bytes = 512,
	.master_seed = UINT64_MAX,
	.plan_text = "",
	.plan_json = "{}",
	.plan_sha256 = "",
	.started_wall_ns = 1,
};
static const struct store_test test_row = {
	.name = "t", .mode = "enterprise", .spec_text = "", .spec_sha256 = ""};
static const struct store_step step_rows[] = {{0, "t", "WIPC", "load", 1, false, 0},
					      {1, "t", "rounds", "rounds", 2, true, 0}};

static void good(int rc, const struct pts_err *err)
{
	if (rc)
		fail_msg("%s", err->text);
}

static struct store *make(const char *path)
{
	struct pts_err err = PTS_ERR_INIT;
	struct store *store;

	good(store_create(path, &run_row, &test_row, 1, step_rows, 2, NULL, 0, NULL, 0, &store,
			  &err),
	     &err);
	return store;
}

static struct store_cell cell_at(int step, int round, int cell)
{
	return (struct store_cell){
		.step = step,
		.round = round,
		.cell = cell,
		.role = "cell",
		.label = "RND 4KiB 65/35 T2Q4",
		.access = "random",
		.read_pct = 65,
		.block_bytes = 4096,
		.threads = 2,
		.queue_depth = 4,
		.valid = true,
		.started_ns = 1000,
		.elapsed_ns = 60000000000,
		.dir = {{.iops = 1, .mb_per_s = 1, .lat_mean_ns = NAN},
			{.iops = 2, .mb_per_s = 2, .lat_mean_ns = NAN}},
		.total = {.iops = 3.5, .mb_per_s = 3, .lat_mean_ns = NAN},
	};
}

static int put(struct store *store, int step, int round, int cell, struct pts_err *err)
{
	struct store_cell row = cell_at(step, round, cell);

	*err = (struct pts_err)PTS_ERR_INIT;
	return store_put_cell(store, &row, err);
}

static int take_cell(void *ctx, const struct store_cell *cell)
{
	struct store_cell *into = ctx;
	char digest[STORE_DIGEST_TEXT];

	*into = *cell;
	store_cell_digest(cell, digest);
	assert_string_equal(digest, cell->sha256);
	return 0;
}

/* B46: figures beyond 32 bits, sums beyond 64; NaN is NULL; what SQLite can't hold is refused. */
static void test_figures(void **state)
{
	const char *path = store_scratch("run.db");
	struct store *store = make(path);
	struct store_cell row = cell_at(1, 1, 0), back;
	const struct store_cell_filter filter = {
		.step = 1, .with_cut = true, .with_hist = true, .with_samples = true};
	struct store_sample second = {.second = 4000000000u, .span_ns = 1, .ios = {7, 8}};
	struct store_io_error error = {.at_ns = 5, .offset_bytes = 1ull << 62, .error = 5};
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	row.seed = UINT64_MAX;
	row.valid = true;
	row.outstanding_mean = NAN;
	row.dir[0] = (struct store_dir){
		.ios = 1ull << 40,
		.bytes = INT64_MAX,
		.iops = 123456.78901234567,
		.mb_per_s = INFINITY,
		.lat_mean_ns = 0.1,
		.lat_sum_ns = ~(unsigned __int128)0,
		.lat_min_ns = 1,
		.lat_max_ns = 3000000000ull << 8,
		.hist = "\x00\x01blob",
		.hist_bytes = 6,
	};
	row.samples = &second;
	row.sample_count = 1;
	row.errors = &error;
	row.error_count = 1;
	good(store_put_cell(store, &row, &err), &err);
	good(store_each_cell(store, &filter, take_cell, &back, &err), &err);
	assert_true(back.seed == UINT64_MAX);
	assert_true(isnan(back.outstanding_mean));
	assert_true(back.dir[0].ios == 1ull << 40);
	assert_true(back.dir[0].bytes == INT64_MAX);
	assert_true(back.dir[0].lat_max_ns == 3000000000ull << 8);
	assert_true(back.dir[0].lat_sum_ns == ~(unsigned __int128)0);
	assert_memory_equal(&back.dir[0].iops, &row.dir[0].iops, sizeof(double));
	assert_true(isnan(back.dir[0].mb_per_s));
	assert_int_equal(back.dir[0].hist_bytes, 6);
	assert_int_equal(back.sample_count, 1);
	assert_int_equal(back.error_count, 1);
	row.cell = 1;
	row.dir[0].bytes = (uint64_t)INT64_MAX + 1;
	assert_int_equal(store_put_cell(store, &row, &err), -ERANGE);
	assert_int_equal(err.exit, PTS_EXIT_BUG);
	store_close(store);
	/* nothing of the refused cell stayed */
	assert_int_equal(store_sql(path, "SELECT count(*) FROM cell", -1), 1);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM figure", -1), 3);
	assert_string_equal(
		store_sql_text(path, "SELECT typeof(mb_per_s) FROM figure WHERE dir = 'read'"),
		"null");
	assert_string_equal(store_sql_text(path, "SELECT master_seed FROM v_run"),
			    "18446744073709551615");
	assert_string_equal(
		store_sql_text(path, "SELECT lat_sum_ns FROM figure WHERE dir = 'read'"),
		"340282366920938463463374607431768211455");
}

/* B11: a cell that can't run is NULL with a reason in every view, never 0. */
static void test_missing_is_null(void **state)
{
	const char *path = store_scratch("run.db");
	struct store *store = make(path);
	struct store_cell row = cell_at(1, 1, 0);
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	row.valid = false;
	row.reason = "block smaller than one LBA (4096 B)";
	row.started_ns = row.elapsed_ns = 0;
	row.dir[0].iops = row.dir[0].mb_per_s = NAN;
	row.dir[1] = row.total = row.dir[0];
	good(store_put_cell(store, &row, &err), &err);
	good(put(store, 1, 1, 1, &err), &err);
	good(store_close_round(store, 1, 1, 1, NULL, 0, &err), &err);
	store_close(store);
	assert_int_equal(store_sql(path,
				   "SELECT count(*) FROM v_cells WHERE valid = 0 AND "
				   "iops IS NULL AND mb_per_s IS NULL AND lat_mean_ns IS NULL "
				   "AND lat_p99999_ns IS NULL AND lat_max_ns IS NULL AND "
				   "read_iops IS NULL AND write_iops IS NULL AND started_ns IS "
				   "NULL AND reason LIKE 'block smaller%' AND rw_mix = '65/35'",
				   -1),
			 1);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cells WHERE iops = 3.5", -1),
			 1);
}

static int take_round(void *ctx, const struct store_round_row *row)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%d%c%d%s ", row->round, row->state[0], row->cells,
		row->after_gap ? "!" : "");
	return 0;
}

/* Cut attempts are kept and out of the way; a round closes whole, once. */
static void test_rounds(void **state)
{
	const char *path = store_scratch("run.db");
	struct store *store = make(path);
	struct pts_err err = PTS_ERR_INIT;
	char text[200] = "";
	double values[4];
	size_t count;
	int first;

	(void)state;
	good(put(store, 1, 1, 0, &err), &err);
	assert_int_equal(store_close_round(store, 1, 1, 1, NULL, 0, &err), -EINVAL);
	assert_non_null(strstr(err.text, "1 cells are missing"));
	assert_int_equal(put(store, 1, 1, 0, &err), -EINVAL); /* twice the same */
	good(put(store, 1, 1, 1, &err), &err);
	good(store_close_round(store, 1, 1, 1, NULL, 0, &err), &err);
	assert_int_equal(store_close_round(store, 1, 1, 1, NULL, 0, &err), -EINVAL);
	assert_int_equal(put(store, 1, 1, 0, &err), -EINVAL); /* the round is closed */
	good(put(store, 1, 2, 0, &err), &err);
	good(store_cut_round(store, 1, 0, "stopped", &err), &err);
	good(put(store, 1, 2, 0, &err), &err);
	good(store_cut_round(store, 1, 2, "stopped", &err), &err);
	good(store_mark_fresh(store, 1, 2, &err), &err);
	good(put(store, 1, 2, 0, &err), &err);
	good(put(store, 1, 2, 1, &err), &err);
	good(store_close_round(store, 1, 2, 1, NULL, 0, &err), &err);
	good(put(store, 1, 3, 0, &err), &err);
	good(store_each_round(store, 1, take_round, text, &err), &err);
	assert_string_equal(text, "1v2 2c1 2c1 2v2! 3o1 ");
	/* the series begins at the fresh mark and takes the open round along */
	good(store_series(store, 1, 1, "iops", values, 4, &count, &first, &err), &err);
	assert_int_equal(count, 2);
	assert_int_equal(first, 2);
	assert_true(values[0] == 3.5 && isnan(values[1]));
	assert_int_equal(store_series(store, 1, 1, "iops", values, 1, &count, &first, &err),
			 -ERANGE);
	assert_int_equal(count, 0);
	store_close(store);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cells", -1), 4);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_cut_cells", -1), 3);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_rounds", -1), 3);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_round_attempts", -1), 5);
}

/* The matrix is the mean over the last window's rounds: 4..8 of 8, worked out here by hand. */
static double by_round(void *ctx, const struct synth_place *place, int read_pct, uint64_t block)
{
	(void)ctx;
	return place->round < 4 ? 9e4
				: 1000.0 * place->round / 8 + read_pct + 1e6 / (double)block;
}

static void test_matrix(void **state)
{
	struct store_source source =
		store_source_make("iops", SPEC_ENTERPRISE, 512, "cell_time=100s;max_rounds=8");
	struct synth_options options = SYNTH_OPTIONS_INIT;
	const char *path = store_scratch("run.db");

	(void)state;
	options.source = source.source;
	options.iops = by_round;
	options.hist_points = 20;
	synth_store(path, &options);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_iops_matrix", -1), 56);
	assert_int_equal(store_sql(path,
				   "SELECT min(first_round) * 100 + max(last_round) FROM "
				   "v_iops_matrix",
				   -1),
			 408);
	/* mean of 500, 625, 750, 875, 1000 is 750; counts are whole I/Os of 100 s */
	assert_int_equal(store_sql(path,
				   "SELECT count(*) FROM v_iops_matrix WHERE abs(iops - (750 + "
				   "CAST(rw_mix AS INTEGER) + 1e6 / block_bytes)) < 0.01",
				   -1),
			 56);
	assert_int_equal(
		store_sql(path,
			  "SELECT count(*) FROM v_samples s JOIN v_cells c USING(step, cell) "
			  "WHERE s.round IS c.round",
			  -1),
		8 * 56 * 100 + store_sql(path,
					 "SELECT count(*) FROM v_samples WHERE round IS "
					 "NULL",
					 -1));
	store_source_free(&source);
}

/* The columns of the contract, by name and in every public view. */
static void test_views(void **state)
{
	const char *path = store_scratch("run.db");

	(void)state;
	store_close(make(path));
	store_sql(path,
		  "SELECT step, test, phase, kind, started_ns, elapsed_ns, bytes_written "
		  "FROM v_steps",
		  0);
	store_sql(path,
		  "SELECT step, round, cell, rw_mix, block_bytes, threads, queue_depth, "
		  "started_ns, elapsed_ns, gap_ns, ios, bytes, iops, mb_per_s, "
		  "lat_mean_ns, lat_p99999_ns, lat_max_ns, read_iops, write_iops, "
		  "read_lat_max_ns, write_lat_p50_ns, errors, valid, reason, label, test, "
		  "phase FROM v_cells",
		  0);
	store_sql(path,
		  "SELECT step, round, cell, second, iops, mb_per_s, lat_mean_ns, "
		  "lat_max_ns FROM v_samples",
		  0);
	store_sql(path,
		  "SELECT step, track, last_round, average, range_pct, slope, intercept, "
		  "slope_excursion_pct, r, steady, test, rw_mix, block_bytes FROM "
		  "v_steady",
		  0);
	store_sql(path, "SELECT test, block_bytes, rw_mix, iops FROM v_iops_matrix", 0);
	store_sql(path, "SELECT * FROM v_rounds, v_events, v_deviations", 0);
	assert_int_equal(store_sql(path, "SELECT count(*) FROM v_run", 0), 1);
	assert_int_equal(store_sql(path, "PRAGMA user_version", 0), 1);
	assert_int_equal(store_sql(path, "PRAGMA application_id", 0), 0x50545352);
}

/* An existing file is never touched; nothing but the store is left in the folder. */
static void test_create(void **state)
{
	const char *path = store_scratch("run.db");
	struct pts_err err = PTS_ERR_INIT;
	struct store *store = make(path);

	(void)state;
	store_close(store);
	assert_int_equal(store_create(path, &run_row, &test_row, 1, step_rows, 2, NULL, 0, NULL,
				      0, &store, &err),
			 -EEXIST);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_non_null(strstr(err.text, "pts resume"));
	assert_null(store);
	assert_int_equal(access(store_scratch("run.db.new"), F_OK), -1);
	assert_int_equal(access(store_scratch("run.db-wal"), F_OK), -1);
	/* a plan that refers to a test that isn't there leaves no file at all */
	err = (struct pts_err)PTS_ERR_INIT;
	remove(path);
	assert_true(store_create(path, &run_row, &test_row, 0, step_rows, 2, NULL, 0, NULL, 0,
				 &store, &err) < 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(store_scratch("run.db.new"), F_OK), -1);
	err = (struct pts_err)PTS_ERR_INIT;
	assert_int_equal(store_create(store_scratch("none/run.db"), &run_row, &test_row, 1,
				      step_rows, 2, NULL, 0, NULL, 0, &store, &err),
			 -ENOENT);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
}

/* What WAL can't run on, by the type that statfs gives (B83). */
static void test_remote(void **state)
{
	(void)state;
	assert_string_equal(store_remote_fs(0x6969), "NFS");
	assert_string_equal(store_remote_fs(0xff534d42), "CIFS");
	assert_string_equal(store_remote_fs(0xfffffffffe534d42), "SMB2"); /* sign-extended */
	assert_string_equal(store_remote_fs(0x65735546), "FUSE");
	assert_string_equal(store_remote_fs(0x01021997), "9p");
	assert_null(store_remote_fs(0xef53));     /* ext4 */
	assert_null(store_remote_fs(0x01021994)); /* tmpfs, one digit from 9p */
	assert_null(store_remote_fs(0x58465342)); /* xfs */
	assert_null(store_remote_fs(0x9123683e)); /* btrfs */
	assert_null(store_remote_fs(0x794c7630)); /* overlayfs */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_figures, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_missing_is_null, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_rounds, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_matrix, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_views, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test_setup_teardown(test_create, store_scratch_make,
						store_scratch_remove),
		cmocka_unit_test(test_remote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
