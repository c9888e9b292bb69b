/* I/O errors are findings with offset and errno, never IOPS: B11, B53, B58; refused jobs. */
#include "engine_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const enum engine_backend_kind backends[] = {ENGINE_URING, ENGINE_PSYNC};

/* The target shrinks while the job runs: reads beyond its new end transfer nothing, the one
 * across it a part. A dead drive's reads look the same. */
static void a_target_that_shrinks(void **state)
{
	struct engine_result *result = engine_result_new();

	(void)state;
	for (unsigned b = 0; b < 2; b++) {
		int fd = fixture_file(16 * MIB);
		struct engine_config config = fixture_config(backends[b], fd, 16 * MIB);
		struct engine *engine = fixture_open(&config);
		struct pts_err err = PTS_ERR_INIT;
		struct fixture_job fixture;
		const struct engine_error_note *note = &result->errors[0];

		fixture_job_init(&fixture, 16 * MIB, 4096);
		fixture.job.threads = 2;
		fixture.job.duration_ns = 60 * PTS_NS_PER_S;
		assert_int_equal(engine_start(engine, &fixture.job, &err), 0);
		pts_sleep_until_ns(pts_now_ns() + 50 * MS);
		assert_int_equal(ftruncate(fd, 4 * MIB + 1024), 0);
		assert_int_equal(engine_finish(engine, result, &err), -EIO);
		print_message("%s\n", err.text);
		assert_int_equal(err.exit, PTS_EXIT_DEVICE);
		assert_true(result->error_count > 0);
		assert_true(note->offset_bytes >= 4 * MIB);
		assert_int_equal(note->offset_bytes % 4096, 0);
		assert_int_equal(note->length_bytes, 4096);
		assert_int_equal(note->error, EIO);
		assert_int_equal(note->dir, ENGINE_READ);
		assert_int_equal(note->got_bytes, note->offset_bytes == 4 * MIB ? 1024 : 0);
		assert_true(result->dir[ENGINE_READ].errors > 0);
		assert_int_equal(result->hist[ENGINE_READ]->count,
				 result->dir[ENGINE_READ].ios);
		assert_true(result->elapsed_ns < 30 * PTS_NS_PER_S);
		engine_close(engine);
		close(fd);
	}
	engine_result_free(result);
}

static void a_short_read_says_how_short(void **state)
{
	struct engine_result *result = engine_result_new();

	(void)state;
	for (unsigned b = 0; b < 2; b++) {
		int fd = fixture_file(64 * KIB + 1024);
		struct engine_config config = fixture_config(backends[b], fd, 68 * KIB);
		struct engine *engine = fixture_open(&config);
		struct pts_err err = PTS_ERR_INIT;
		struct fixture_job fixture;
		char offset[32];

		fixture_job_init(&fixture, 68 * KIB, 4096);
		fixture.stream.random_share = 0;
		fixture.job.amount_bytes = 68 * KIB;
		assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -EIO);
		assert_int_equal(result->error_count, 1);
		assert_int_equal(result->errors[0].offset_bytes, 64 * KIB);
		assert_int_equal(result->errors[0].got_bytes, 1024);
		assert_int_equal(result->dir[ENGINE_READ].ios + result->drain_ios, 16);
		snprintf(offset, sizeof(offset), "offset %d", (int)(64 * KIB));
		assert_non_null(strstr(err.text, offset));
		assert_non_null(strstr(err.text, "1024 bytes done"));
		engine_close(engine);
		close(fd);
	}
	engine_result_free(result);
}

/* Writes beyond RLIMIT_FSIZE: EFBIG, and the signal that comes with it ends nothing. */
static void a_write_that_is_refused(void **state)
{
	struct engine_result *result = engine_result_new();
	struct rlimit limit, small;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 8 * MIB;
	for (unsigned b = 0; b < 2; b++) {
		int fd = fixture_file(16 * MIB);
		struct engine_config config = fixture_config(backends[b], fd, 16 * MIB);
		struct engine *engine = fixture_open(&config);
		struct pts_err err = PTS_ERR_INIT;
		struct fixture_job fixture;

		fixture_job_init(&fixture, 16 * MIB, 4096);
		fixture.stream.read_share = 0;
		fixture.job.duration_ns = 60 * PTS_NS_PER_S;
		setrlimit(RLIMIT_FSIZE, &small);
		assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -EIO);
		setrlimit(RLIMIT_FSIZE, &limit);
		print_message("%s\n", err.text);
		assert_true(result->errors[0].offset_bytes >= 8 * MIB);
		assert_int_equal(result->errors[0].error, EFBIG);
		assert_int_equal(result->errors[0].dir, ENGINE_WRITE);
		engine_close(engine);
		close(fd);
	}
	engine_result_free(result);
}

/* ---- how errors are counted -------------------------------------------------------------- */

static _Atomic unsigned submitted;

static struct fixture_answer every_hundredth_fails(struct engine_worker *worker,
						   const struct engine_slot *slot)
{
	unsigned number = atomic_fetch_add(&submitted, 1);

	(void)worker;
	return (struct fixture_answer){0,
				       number % 100 == 99 ? -ENODATA : (int)slot->length_bytes};
}

static struct fixture_answer vanished_drive(struct engine_worker *worker,
					    const struct engine_slot *slot)
{
	(void)worker;
	return (struct fixture_answer){0, slot->dir == ENGINE_READ ? 0 : -ENOSPC};
}

static void tolerated_errors_are_counted_apart(void **state)
{
	struct engine *engine = fixture_open_device(2, 8, GIB, every_hundredth_fails);
	struct engine_result *result = engine_result_new();
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;
	uint64_t errors;

	(void)state;
	submitted = 0;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.stream.read_share = 0.5;
	fixture.job.threads = 2;
	fixture.job.ios = 10000;
	fixture.job.errors_max = 100;
	fixture_run_well(engine, &fixture.job, result);
	errors = result->dir[ENGINE_READ].errors + result->dir[ENGINE_WRITE].errors;
	assert_int_equal(errors, 100);
	assert_int_equal(result->dir[ENGINE_READ].ios + result->dir[ENGINE_WRITE].ios, 9900);
	assert_int_equal(result->dir[ENGINE_READ].bytes + result->dir[ENGINE_WRITE].bytes,
			 9900 * 4096);
	assert_int_equal(result->hist[ENGINE_READ]->count + result->hist[ENGINE_WRITE]->count,
			 9900);
	assert_int_equal(result->error_count, ENGINE_ERROR_NOTES);
	for (unsigned i = 0; i < ENGINE_ERROR_NOTES; i++) {
		assert_int_equal(result->errors[i].error, ENODATA);
		assert_true(i == 0 || result->errors[i].at_ns >= result->errors[i - 1].at_ns);
	}
	/* one more than tolerated ends the job */
	submitted = 0;
	fixture.job.ios = 1000000;
	fixture.job.errors_max = 5;
	assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -EIO);
	assert_non_null(strstr(err.text, pts_errno_text(ENODATA)));
	errors = result->dir[ENGINE_READ].errors + result->dir[ENGINE_WRITE].errors;
	assert_in_range(errors, 6, 8);
	engine_close(engine);
	engine_result_free(result);
}

/* fio took such a drive for 83,000 good IOPS. */
static void a_vanished_drive_has_no_iops(void **state)
{
	struct engine *engine = fixture_open_device(1, 8, GIB, vanished_drive);
	struct engine_result *result = engine_result_new();
	struct fixture_job fixture;

	(void)state;
	for (unsigned write = 0; write < 2; write++) {
		struct pts_err err = PTS_ERR_INIT;

		fixture_job_init(&fixture, GIB, 4096);
		fixture.stream.read_share = write ? 0 : 1;
		fixture.job.duration_ns = 60 * PTS_NS_PER_S;
		assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -EIO);
		assert_int_equal(result->dir[write].ios, 0);
		assert_int_equal(result->errors[0].error, write ? ENOSPC : EIO);
		assert_int_equal(err.exit, PTS_EXIT_DEVICE);
		assert_true(result->elapsed_ns < 30 * PTS_NS_PER_S);
	}
	engine_close(engine);
	engine_result_free(result);
}

/* ---- jobs that cannot be ----------------------------------------------------------------- */

static struct fixture_job broken;
static struct engine_zone tiny_zones[2];

static void break_block_below_lba(void)
{
	broken.size.block_bytes = 256;
}

static void break_block_no_multiple(void)
{
	broken.size.block_bytes = 4096 + 256;
}

static void break_block_beyond_region(void)
{
	broken.stream.span_bytes = 2048;
}

static void break_region_beyond_target(void)
{
	broken.stream.start_bytes = MIB - 4096;
	broken.stream.span_bytes = 8192;
}

static void break_region_overflow(void)
{
	broken.stream.start_bytes = UINT64_MAX - 511;
}

static void break_no_end(void)
{
	broken.job.duration_ns = 0;
}

static void break_share(void)
{
	broken.stream.read_share = 1.01;
}

static void break_sizes(void)
{
	broken.size.share = 0.9;
}

static void break_depth(void)
{
	broken.job.queue_depth = 33;
}

static void break_threads(void)
{
	broken.job.threads = 0;
}

static void break_weight(void)
{
	broken.stream.weight = 0.5;
}

static void break_zone_too_small(void)
{
	tiny_zones[0] = (struct engine_zone){0.001, 0.5};
	tiny_zones[1] = (struct engine_zone){0.999, 0.5};
	broken.stream.start_bytes = 512;
	broken.stream.span_bytes = MIB - 1024;
	broken.stream.zones = tiny_zones;
	broken.stream.zone_count = 2;
}

static void refused_jobs(void **state)
{
	static const struct {
		void (*make)(void);
		enum pts_exit exit;
	} cases[] = {
		{break_block_below_lba, PTS_EXIT_SPEC},
		{break_block_no_multiple, PTS_EXIT_SPEC},
		{break_block_beyond_region, PTS_EXIT_SPEC},
		{break_zone_too_small, PTS_EXIT_SPEC},
		{break_region_beyond_target, PTS_EXIT_BUG},
		{break_region_overflow, PTS_EXIT_BUG},
		{break_no_end, PTS_EXIT_BUG},
		{break_share, PTS_EXIT_BUG},
		{break_sizes, PTS_EXIT_BUG},
		{break_depth, PTS_EXIT_BUG},
		{break_threads, PTS_EXIT_BUG},
		{break_weight, PTS_EXIT_BUG},
	};
	struct engine_config config = fixture_config(ENGINE_NIL, -1, MIB);
	struct engine *engine = fixture_open(&config);
	struct engine_result *result = engine_result_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pts_err err = PTS_ERR_INIT;

		fixture_job_init(&broken, MIB, 4096);
		broken.job.duration_ns = MS;
		cases[i].make();
		assert_int_equal(engine_start(engine, &broken.job, &err), -EINVAL);
		print_message("%s\n", err.text);
		assert_int_equal(err.exit, cases[i].exit);
	}
	fixture_job_init(&broken, MIB, 4096);
	broken.job.ios = 10;
	fixture_run_well(engine, &broken.job, result);
	engine_close(engine);
	engine_result_free(result);
}

static void a_read_only_target_is_not_written(void **state)
{
	int fd = fixture_file(MIB);
	char path[64];
	struct engine_config config;
	struct engine *engine;
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	config = fixture_config(ENGINE_PSYNC, open(path, O_RDONLY | O_CLOEXEC), MIB);
	engine = fixture_open(&config);
	fixture_job_init(&broken, MIB, 4096);
	broken.stream.read_share = 0.5;
	broken.job.ios = 10;
	assert_int_equal(engine_start(engine, &broken.job, &err), -EINVAL);
	assert_int_equal(err.exit, PTS_EXIT_BUG);
	engine_close(engine);
	close(config.fd);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_that_shrinks),
		cmocka_unit_test(a_short_read_says_how_short),
		cmocka_unit_test(a_write_that_is_refused),
		cmocka_unit_test(tolerated_errors_are_counted_apart),
		cmocka_unit_test(a_vanished_drive_has_no_iops),
		cmocka_unit_test(refused_jobs),
		cmocka_unit_test(a_read_only_target_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
