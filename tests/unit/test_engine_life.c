/* Threads, rings and buffers live across jobs, nothing grows: B68, B70. */
#include "engine_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sanitizer's own bookkeeping of stack frames fills its pages bit by bit. */
#ifdef __SANITIZE_ADDRESS__
#define RESIDENT_SLACK ((long)(8 * MIB))
#else
#define RESIDENT_SLACK ((long)MIB)
#endif

static unsigned entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static long resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long total, resident;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld %ld", &total, &resident), 2);
	fclose(file);
	return resident * sysconf(_SC_PAGESIZE);
}

static void vary(struct fixture_job *fixture, unsigned i)
{
	const double mixes[] = {1, 0.65, 0};

	fixture->stream.read_share = mixes[i % 3];
	fixture->stream.random_share = i % 5 == 4 ? 0 : 1;
	fixture->size.block_bytes = i % 2 ? 4096 : 64 * KIB;
	fixture->job.threads = 1 + i % 4;
	fixture->job.queue_depth = 1 + i % 32;
	fixture->job.submit_batch = i % 3;
	fixture->job.seed = i;
	fixture->job.ios = 200 + i;
}

static void hundred_jobs(enum engine_backend_kind backend)
{
	int fd = fixture_file(8 * MIB);
	struct engine_config config = fixture_config(backend, fd, 8 * MIB);
	struct engine *engine = fixture_open(&config);
	struct engine_result *result = engine_result_new();
	struct fixture_job fixture;
	unsigned threads = 0, fds = 0;
	uint64_t gap_ns = 0, last_ns = 0;
	long resident = 0;

	fixture_job_init(&fixture, 8 * MIB, 4096);
	for (unsigned i = 0; i < 120; i++) {
		if (i == 20) {
			threads = entries("/proc/self/task");
			fds = entries("/proc/self/fd");
			resident = resident_bytes();
		}
		vary(&fixture, i);
		fixture_run_well(engine, &fixture.job, result);
		assert_int_equal(result->dir[0].ios + result->dir[1].ios, 200 + i);
		if (last_ns)
			gap_ns += result->first_submit_ns - last_ns;
		last_ns = result->last_completion_ns;
	}
	print_message("%s: resident %+ld KiB over 100 jobs\n", engine_backend_name(engine),
		      (resident_bytes() - resident) / 1024);
	assert_true(labs(resident_bytes() - resident) < RESIDENT_SLACK);
	/* the kernel's own io_uring threads come and go with the I/O */
	if (backend != ENGINE_URING)
		assert_int_equal(entries("/proc/self/task"), threads);
	assert_int_equal(entries("/proc/self/fd"), fds);
	print_message("%s: mean gap between jobs %.0f us\n", engine_backend_name(engine),
		      (double)gap_ns / 119e3);
	engine_close(engine);
	engine_result_free(result);
	close(fd);
}

static void nothing_grows_over_a_hundred_jobs(void **state)
{
	(void)state;
	hundred_jobs(ENGINE_NIL);
	hundred_jobs(ENGINE_PSYNC);
	hundred_jobs(ENGINE_URING);
}

/* A sparse file of 20 TiB costs what one of 1 GiB costs, and its upper part is really read. */
static void capacity_costs_nothing(void **state)
{
	const uint64_t sizes[] = {GIB, 20 * TIB};
	struct engine_result *result = engine_result_new();
	long grown[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		int fd = fixture_file(0);
		struct engine_config config = fixture_config(ENGINE_URING, fd, sizes[i]);
		struct fixture_job fixture;
		struct engine *engine;
		long before = resident_bytes();

		if (ftruncate(fd, (off_t)sizes[i]) < 0) {
			print_message("no sparse file of %.0f TiB here\n",
				      (double)sizes[i] / (double)TIB);
			close(fd);
			engine_result_free(result);
			skip();
		}
		engine = fixture_open(&config);
		fixture_job_init(&fixture, sizes[i], 4096);
		fixture.job.threads = 2;
		fixture.job.ios = 20000;
		fixture_run_well(engine, &fixture.job, result);
		assert_int_equal(result->dir[ENGINE_READ].ios, 20000);
		grown[i] = resident_bytes() - before;
		engine_close(engine);
		close(fd);
	}
	assert_true(grown[1] - grown[0] < (long)(4 * MIB));
	engine_result_free(result);
}

static void psync_says_that_it_has_no_depth(void **state)
{
	int fd = fixture_file(MIB);
	struct engine_config config = fixture_config(ENGINE_PSYNC, fd, MIB);
	struct engine *engine = fixture_open(&config);
	struct engine_result *result = engine_result_new();
	const struct engine_degrade *degrade;
	struct fixture_job fixture;
	unsigned count;
	bool found = false;

	(void)state;
	fixture_job_init(&fixture, MIB, 4096);
	fixture.job.queue_depth = 1;
	fixture.job.ios = 100;
	fixture_run_well(engine, &fixture.job, result);
	count = engine_degrades(engine, &degrade);
	for (unsigned i = 0; i < count; i++)
		assert_string_not_equal(degrade[i].capability, "queue depth");
	fixture.job.queue_depth = 32;
	fixture_run_well(engine, &fixture.job, result);
	fixture_run_well(engine, &fixture.job, result);
	assert_true(result->outstanding_mean <= 1);
	assert_int_equal(engine_degrades(engine, &degrade), count + 1);
	for (unsigned i = 0; i <= count; i++)
		found |= strcmp(degrade[i].capability, "queue depth") == 0;
	assert_true(found);
	engine_close(engine);
	engine_result_free(result);
	close(fd);
}

/* Closing while a job runs ends it; closing nothing is legal. */
static void closing_early(void **state)
{
	struct engine_config config = fixture_config(ENGINE_NIL, -1, GIB);
	struct engine *engine = fixture_open(&config);
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 3;
	fixture.job.duration_ns = 3600 * PTS_NS_PER_S;
	assert_int_equal(engine_start(engine, &fixture.job, &err), 0);
	assert_int_equal(engine_start(engine, &fixture.job, &err), -EBUSY);
	engine_close(engine);
	engine_close(NULL);
	engine_result_free(NULL);
}

static void pinned_threads(void **state)
{
	struct engine_config config = fixture_config(ENGINE_NIL, -1, GIB);
	struct engine_result *result = engine_result_new();
	struct fixture_job fixture;
	struct engine *engine;

	(void)state;
	config.pin = true;
	engine = fixture_open(&config);
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 4;
	fixture.job.ios = 100000;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->dir[ENGINE_READ].ios, 100000);
	engine_close(engine);
	engine_result_free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_grows_over_a_hundred_jobs),
		cmocka_unit_test(capacity_costs_nothing),
		cmocka_unit_test(psync_says_that_it_has_no_depth),
		cmocka_unit_test(closing_early),
		cmocka_unit_test(pinned_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
