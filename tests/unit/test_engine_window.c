/*
 * The window [t0, t1]: what is counted in it and what is not, also when the device stalls, the
 * clock runs backwards or somebody stops the job: B46, B47, B49, B53, B65.
 */
#include "engine_fixture.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct engine_result *result;

static struct fixture_answer after(uint64_t ns, const struct engine_slot *slot)
{
	return (struct fixture_answer){pts_now_ns() + ns, (int)slot->length_bytes};
}

/* ---- devices --------------------------------------------------------------------------- */

static _Atomic uint64_t stall_after_ns; /* I/Os submitted from here on ... */
static _Atomic uint64_t stall_until_ns; /* ... complete here */

static struct fixture_answer stalling_device(struct engine_worker *worker,
					     const struct engine_slot *slot)
{
	uint64_t now = pts_now_ns();
	struct fixture_answer answer = after(2 * MS, slot);

	if (!stall_after_ns && worker->start_ticks) {
		/* the last 5 ms of a window of 200 ms */
		stall_after_ns = now + 195 * MS;
		stall_until_ns = now + 900 * MS;
	}
	if (stall_after_ns && now >= stall_after_ns)
		answer.due_ns = stall_until_ns;
	return answer;
}

static struct fixture_answer steady_device(struct engine_worker *worker,
					   const struct engine_slot *slot)
{
	(void)worker;
	return after(2 * MS, slot);
}

static struct fixture_answer dead_device(struct engine_worker *worker,
					 const struct engine_slot *slot)
{
	(void)worker;
	(void)slot;
	return (struct fixture_answer){UINT64_MAX, 0};
}

static atomic_bool release_hang;

static struct fixture_answer hanging_device(struct engine_worker *worker,
					    const struct engine_slot *slot)
{
	while (!release_hang && worker->index == 0)
		pts_sleep_until_ns(pts_now_ns() + 5 * MS);
	return after(MS, slot);
}

/* ---- counting -------------------------------------------------------------------------- */

static void check_sums(const struct engine_result *r)
{
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++) {
		uint64_t ios = 0, bytes = 0, sum = 0, max = 0;

		for (size_t i = 0; i < r->sample_count; i++) {
			ios += r->samples[i].ios[dir];
			bytes += r->samples[i].bytes[dir];
			sum += r->samples[i].lat_sum_ns[dir];
			if (max < r->samples[i].lat_max_ns[dir])
				max = r->samples[i].lat_max_ns[dir];
			assert_int_equal(r->samples[i].second, i);
		}
		assert_int_equal(ios, r->dir[dir].ios);
		assert_int_equal(bytes, r->dir[dir].bytes);
		assert_int_equal(r->hist[dir]->count, r->dir[dir].ios);
		assert_int_equal(sum, (uint64_t)r->hist[dir]->sum);
		assert_int_equal(max, r->hist[dir]->max);
	}
}

/* A window of 200 ms whose end falls into a stall: the I/Os that the stall held back complete in
 * the drain, and what was counted is what completed before t1. */
static void a_stall_in_the_drain_changes_nothing(void **state)
{
	struct engine *engine = fixture_open_device(2, 8, GIB, stalling_device);
	struct fixture_job fixture;

	(void)state;
	stall_after_ns = 0;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.stream.read_share = 0.5;
	fixture.job.threads = 2;
	fixture.job.duration_ns = 200 * MS;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->elapsed_ns, 200 * MS);
	assert_true(result->drain_ios > 0);
	assert_true(result->drain_ns > 400 * MS);
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		assert_true(result->hist[dir]->max < 400 * MS);
	assert_int_equal(result->dir[0].ios + result->dir[1].ios + result->drain_ios,
			 result->dir[0].submitted + result->dir[1].submitted);
	/* the drain held back at most what was outstanding */
	assert_true(result->drain_ios <= 16);
	check_sums(result);
	engine_close(engine);
}

/* Times are those of the caller's clock, whatever the stamps are made of. */
static void times_lie_between_the_callers(void **state)
{
	struct engine_config config = fixture_config(ENGINE_NIL, -1, GIB);
	struct engine *engine = fixture_open(&config);
	struct fixture_job fixture;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 2;
	for (unsigned i = 0; i < 5; i++) {
		uint64_t before = pts_now_ns();
		uint64_t after;

		fixture.job.ios = i % 2 ? 0 : 1000;
		fixture.job.duration_ns = i % 2 ? 40 * MS : 0;
		fixture_run_well(engine, &fixture.job, result);
		after = pts_now_ns();
		/* 20 us: what a calibration over 20 ms can be off after a second */
		assert_true(result->started_ns + 20000 >= before);
		assert_true(result->started_ns + result->elapsed_ns + result->drain_ns <=
			    after + 20000);
		assert_int_equal(result->clock_errors, 0);
	}
	engine_close(engine);
}

static void samples_add_up(void **state)
{
	struct engine *engine = fixture_open_device(2, 8, GIB, steady_device);
	struct fixture_job fixture;
	uint64_t span = 0;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.stream.read_share = 0.65;
	fixture.job.threads = 2;
	fixture.job.duration_ns = 230 * MS; /* 4 samples of 50 ms and one of 30 ms */
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->sample_count, 5);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(result->samples[i].span_ns, i < 4 ? 50 * MS : 30 * MS);
		span += result->samples[i].span_ns;
	}
	assert_int_equal(span, result->elapsed_ns);
	assert_int_equal(result->started_ns, result->first_submit_ns);
	check_sums(result);
	engine_close(engine);
}

/* Little's law holds because outstanding_mean is counted, not computed from the latencies. */
static void depth_is_reached_and_littles_law_holds(void **state)
{
	struct engine *engine = fixture_open_device(1, 16, GIB, steady_device);
	struct fixture_job fixture;
	double little;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.queue_depth = 16;
	fixture.job.duration_ns = 300 * MS;
	fixture_run_well(engine, &fixture.job, result);
	little = (double)result->hist[ENGINE_READ]->sum / (double)result->elapsed_ns;
	assert_true(result->outstanding_mean > 14 && result->outstanding_mean <= 16);
	/* those that are cut off by the end of the window are missing in the sum of latencies; with
	 * their time in it nothing is missing but what rounds a latency to its nanosecond */
	little += (double)result->inflight_ns / (double)result->elapsed_ns;
	assert_true(result->inflight_ns > 0);
	assert_true(fabs(little / result->outstanding_mean - 1) < 1e-4);
	engine_close(engine);
}

/* Jobs that end by their I/Os: t1 is the last completion, all are counted, nothing drains. */
static void counted_jobs_end_with_their_last_io(void **state)
{
	struct engine *engine = fixture_open_device(3, 8, GIB, steady_device);
	struct fixture_job fixture;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 3;
	fixture.job.ios = 1001;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->dir[ENGINE_READ].ios, 1001);
	assert_int_equal(result->dir[ENGINE_READ].bytes, 1001 * 4096);
	assert_int_equal(result->drain_ios, 0);
	assert_int_equal(result->drain_ns, 0);
	assert_int_equal(result->started_ns + result->elapsed_ns, result->last_completion_ns);
	check_sums(result);
	/* both limits: the first one counts */
	fixture.job.duration_ns = 3600 * PTS_NS_PER_S;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->dir[ENGINE_READ].ios, 1001);
	assert_true(result->elapsed_ns < 60 * PTS_NS_PER_S);
	fixture.job.ios = 1000000000;
	fixture.job.duration_ns = 100 * MS;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->elapsed_ns, 100 * MS);
	engine_close(engine);
}

/* ---- stops and stalls ------------------------------------------------------------------ */

static void a_dead_device_ends_the_job(void **state)
{
	struct engine *engine = fixture_open_device(2, 4, GIB, dead_device);
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;
	uint64_t begun = pts_now_ns();

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 2;
	fixture.job.queue_depth = 4;
	fixture.job.duration_ns = 3600 * PTS_NS_PER_S;
	fixture.job.stall_limit_ns = 200 * MS;
	assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "answers no more"));
	assert_non_null(strstr(err.text, "8 outstanding"));
	print_message("%s\n", err.text);
	assert_int_equal(result->dir[ENGINE_READ].ios, 0);
	/* nothing more is sent to such a device */
	pts_err_clear(&err);
	assert_true(engine_start(engine, &fixture.job, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	engine_close(engine);
	assert_true(pts_now_ns() - begun < 60 * PTS_NS_PER_S);
}

/* A worker that hangs inside the kernel cannot notice anything: the waiter does. */
static void a_hanging_worker_ends_the_job(void **state)
{
	struct engine *engine = fixture_open_device(2, 4, GIB, hanging_device);
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;

	(void)state;
	release_hang = false;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 2;
	fixture.job.queue_depth = 4;
	fixture.job.duration_ns = 3600 * PTS_NS_PER_S;
	fixture.job.stall_limit_ns = 100 * MS;
	assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "answers no more"));
	/* what the other worker measured is there */
	assert_true(result->dir[ENGINE_READ].ios > 0);
	engine_close(engine); /* leaves the hanging one behind */
	release_hang = true;
	pts_sleep_until_ns(pts_now_ns() + 300 * MS);
}

/* The same with a real ring: reads of an empty pipe never complete. What is out is given up, the
 * ring is closed, a stop does not wait for ever either. */
static void a_ring_that_never_answers(void **state)
{
	(void)state;
	for (unsigned stop = 0; stop < 2; stop++) {
		struct pts_err err = PTS_ERR_INIT;
		struct engine_config config;
		struct fixture_job fixture;
		struct engine *engine;
		int pipes[2];

		assert_int_equal(pipe(pipes), 0);
		config = fixture_config(ENGINE_URING, pipes[0], MIB);
		engine = fixture_open(&config);
		fixture_job_init(&fixture, MIB, 4096);
		fixture.job.threads = 2;
		fixture.job.duration_ns = stop ? 3600 * PTS_NS_PER_S : 100 * MS;
		fixture.job.stall_limit_ns = 200 * MS;
		assert_int_equal(engine_start(engine, &fixture.job, &err), 0);
		if (stop)
			engine_stop(engine);
		assert_int_equal(engine_finish(engine, result, &err), -EIO);
		assert_int_equal(err.exit, PTS_EXIT_DEVICE);
		assert_non_null(strstr(err.text, "16 outstanding"));
		assert_int_equal(result->dir[ENGINE_READ].ios, 0);
		if (!stop)
			assert_true(result->outstanding_mean > 15.9);
		engine_close(engine);
		close(pipes[0]);
		close(pipes[1]);
	}
}

static struct fixture_answer broken_way(struct engine_worker *worker,
					const struct engine_slot *slot)
{
	(void)slot;
	return (struct fixture_answer){UINT64_MAX, worker->index ? FIXTURE_BROKEN : 0};
}

/* The way to the device fails, not the device: said as such, not as an I/O error. */
static void submission_that_fails(void **state)
{
	struct engine *engine = fixture_open_device(2, 4, GIB, broken_way);
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 2;
	fixture.job.queue_depth = 4;
	fixture.job.ios = 1000;
	fixture.job.stall_limit_ns = 200 * MS;
	assert_int_equal(fixture_run(engine, &fixture.job, result, &err), -ENXIO);
	assert_int_equal(err.exit, PTS_EXIT_MISSING);
	assert_non_null(strstr(err.text, "submission"));
	engine_close(engine);
}

static struct engine *to_stop;

static void on_alarm(int number)
{
	(void)number;
	engine_stop(to_stop);
}

static void a_stop_ends_the_job(void **state)
{
	struct engine *engine = fixture_open_device(2, 4, GIB, steady_device);
	struct engine_progress progress;
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 2;
	fixture.job.queue_depth = 4;
	fixture.job.duration_ns = 3600 * PTS_NS_PER_S;
	to_stop = engine;
	signal(SIGALRM, on_alarm);
	assert_int_equal(engine_start(engine, &fixture.job, &err), 0);
	ualarm(120000, 0);
	for (progress.done = false; !progress.done;)
		engine_poll(engine, PTS_NS_PER_S, &progress);
	assert_int_equal(engine_finish(engine, result, &err), -ECANCELED);
	assert_string_equal(err.text, "");
	assert_true(result->elapsed_ns < 60 * PTS_NS_PER_S);
	assert_true(result->dir[ENGINE_READ].ios > 0);
	check_sums(result);
	/* the stop is forgotten: the next job runs */
	fixture.job.duration_ns = 50 * MS;
	fixture_run_well(engine, &fixture.job, result);
	/* and a stop without a job does nothing */
	engine_stop(engine);
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->elapsed_ns, 50 * MS);
	engine_close(engine);
}

static void polling_gives_every_sample(void **state)
{
	struct engine *engine = fixture_open_device(2, 4, GIB, steady_device);
	struct engine_progress progress = {0};
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;
	uint64_t last_ios = 0;
	unsigned seen = 0;
	unsigned polls = 0;

	(void)state;
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.threads = 2;
	fixture.job.queue_depth = 4;
	fixture.job.duration_ns = 500 * MS;
	assert_int_equal(engine_start(engine, &fixture.job, &err), 0);
	while (!progress.done) {
		assert_int_equal(engine_poll(engine, 10 * PTS_NS_PER_S, &progress), 0);
		assert_true(progress.ios >= last_ios);
		last_ios = progress.ios;
		if (progress.last.second > seen)
			seen = progress.last.second;
		polls++;
	}
	assert_int_equal(engine_finish(engine, result, &err), 0);
	assert_int_equal(last_ios, result->dir[ENGINE_READ].ios);
	assert_int_equal(progress.bytes, result->dir[ENGINE_READ].bytes);
	assert_in_range(seen, 8, 9);
	assert_in_range(polls, 2, 30);
	engine_close(engine);
}

/* ---- the clock -------------------------------------------------------------------------- */

static _Atomic uint64_t fake_ns = PTS_NS_PER_S;
static _Atomic unsigned fake_ios;

/* Advances 1 us a reading. */
static uint64_t jumping_clock(void *ctx)
{
	(void)ctx;
	return atomic_fetch_add(&fake_ns, 1000);
}

static int no_sleep(void *ctx, uint64_t until_ns)
{
	(void)ctx;
	(void)until_ns;
	return 0;
}

/* The clock goes back by 1 ms while one of the I/Os is out. */
static struct fixture_answer instant_device(struct engine_worker *worker,
					    const struct engine_slot *slot)
{
	(void)worker;
	if (atomic_fetch_add(&fake_ios, 1) == 2500)
		atomic_fetch_sub(&fake_ns, MS);
	return (struct fixture_answer){0, (int)slot->length_bytes};
}

static void a_clock_that_runs_backwards_is_counted(void **state)
{
	const struct pts_clock_source source = {
		.monotonic_ns = jumping_clock,
		.wall_ns = jumping_clock,
		.sleep_until_ns = no_sleep,
		.is_virtual = true,
	};
	struct engine *engine;
	struct fixture_job fixture;

	(void)state;
	pts_clock_set(&source);
	engine = fixture_open_device(1, 1, GIB, instant_device);
	fixture_job_init(&fixture, GIB, 4096);
	fixture.job.queue_depth = 1;
	fixture.job.ios = 5000;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->clock_errors, 1);
	assert_int_equal(result->dir[ENGINE_READ].ios, 5000);
	assert_int_equal(result->hist[ENGINE_READ]->count, 4999);
	assert_true(result->hist[ENGINE_READ]->max < MS);
	engine_close(engine);
	pts_clock_set(NULL);
}

static int setup(void **state)
{
	(void)state;
	result = engine_result_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	engine_result_free(result);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stall_in_the_drain_changes_nothing),
		cmocka_unit_test(times_lie_between_the_callers),
		cmocka_unit_test(samples_add_up),
		cmocka_unit_test(depth_is_reached_and_littles_law_holds),
		cmocka_unit_test(counted_jobs_end_with_their_last_io),
		cmocka_unit_test(a_dead_device_ends_the_job),
		cmocka_unit_test(a_ring_that_never_answers),
		cmocka_unit_test(submission_that_fails),
		cmocka_unit_test(a_stop_ends_the_job),
		cmocka_unit_test(polling_gives_every_sample),
		cmocka_unit_test(a_clock_that_runs_backwards_is_counted),
		/* last: it leaves a thread behind */
		cmocka_unit_test(a_hanging_worker_ends_the_job),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
