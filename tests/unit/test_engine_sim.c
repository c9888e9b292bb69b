/*
 * The model drive behind the engine: time, queues, caches, cleaning, heat and faults, each against
 * a number that is worked out here from the model and not taken from the drive.
 */
#include "engine_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim_drive.h"

#define US  1000ull
#define SEC 1000000000ull

static struct engine_result *result;
static struct sim_drive *drive;
static struct engine *engine;

/* ---- models and jobs ------------------------------------------------------------------- */

static struct sim_model plain(void)
{
	struct sim_model model;

	sim_model_init(&model);
	snprintf(model.name, sizeof(model.name), "plain");
	model.capacity_bytes = 64 * MIB;
	model.lba_bytes = 512;
	model.page_bytes = 4096;
	model.pages_per_block = 64;
	model.dies = 8;
	model.channels = 4;
	model.over_provision = 0.28;
	model.read_ns = 500 * US;
	model.program_ns = 1000 * US;
	model.erase_ns = 5000 * US;
	model.channel_bytes_per_s = 400 * MIB;
	model.bytes_per_s = 1000 * MIB;
	model.buffer_pages = 64;
	model.command_ns = 10 * US;
	return model;
}

static void setup(const struct sim_model *model, uint64_t seed, unsigned threads,
		  unsigned depth)
{
	struct pts_err err = PTS_ERR_INIT;
	struct engine_config config;
	struct pts_clock_source clock;

	if (sim_drive_open(model, seed, &drive, &err) < 0)
		fail_msg("%s", err.text);
	clock = sim_drive_clock(drive, SEC);
	pts_clock_set(&clock);
	config = fixture_config(ENGINE_SIM, -1, model->capacity_bytes);
	config.lba_bytes = model->lba_bytes;
	config.sim = drive;
	config.threads_max = threads;
	config.queue_depth_max = depth;
	config.block_bytes_max = MIB;
	config.sample_ns = 0;
	engine = fixture_open(&config);
}

static void teardown(void)
{
	engine_close(engine);
	pts_clock_set(NULL);
	sim_drive_close(drive);
}

struct cell {
	uint64_t block_bytes;
	double reads, random;
	unsigned threads, depth;
	uint64_t duration_ns, amount_bytes;
	uint64_t seed;
};

static int run(const struct cell *cell, struct pts_err *err)
{
	struct fixture_job f;

	fixture_job_init(&f, sim_drive_model(drive)->capacity_bytes, cell->block_bytes);
	f.stream.read_share = cell->reads;
	f.stream.random_share = cell->random;
	f.job.threads = cell->threads;
	f.job.queue_depth = cell->depth;
	f.job.duration_ns = cell->duration_ns;
	f.job.amount_bytes = cell->amount_bytes;
	f.job.ios = 0;
	f.job.seed = cell->seed;
	return fixture_run(engine, &f.job, result, err);
}

static double iops(void)
{
	return (double)(result->dir[0].ios + result->dir[1].ios) * 1e9 /
	       (double)result->elapsed_ns;
}

static double mean_ns(unsigned dir)
{
	return (double)result->hist[dir]->sum / (double)result->hist[dir]->count;
}

static void run_well(const struct cell *cell)
{
	struct pts_err err = PTS_ERR_INIT;

	if (run(cell, &err) < 0)
		fail_msg("%s", err.text);
}

static void fill_all(void)
{
	run_well(&(struct cell){MIB, 0, 0, 1, 4, 0, sim_drive_model(drive)->capacity_bytes, 1});
}

static double random_writes(uint64_t duration_ns, uint64_t seed)
{
	run_well(&(struct cell){4096, 0, 1, 4, 8, duration_ns, 0, seed});
	return iops();
}

static void assert_near(double value, double wanted, double share)
{
	if (fabs(value / wanted - 1) > share)
		fail_msg("%.6g is %.3f %% off %.6g", value, 100 * (value / wanted - 1), wanted);
}

/* ---- time ------------------------------------------------------------------------------ */

static double read_service_ns(const struct sim_model *model, double bytes)
{
	return (double)model->command_ns + (double)model->read_ns +
	       4096e9 / (double)model->channel_bytes_per_s +
	       bytes * 1e9 / (double)model->bytes_per_s;
}

static void test_service_time_at_depth_one(void **state)
{
	struct sim_model model = plain();
	const double transfer = 4096e9 / (double)model.bytes_per_s;

	(void)state;
	setup(&model, 1, 1, 4);
	/* nothing is written yet: no flash is read */
	run_well(&(struct cell){4096, 1, 1, 1, 1, SEC, 0, 3});
	assert_near(mean_ns(ENGINE_READ), (double)model.command_ns + transfer, 0.01);
	fill_all();
	pts_sleep_until_ns(pts_now_ns() + SEC);
	run_well(&(struct cell){4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	assert_near(mean_ns(ENGINE_READ), read_service_ns(&model, 4096), 0.01);
	run_well(&(struct cell){512, 1, 1, 1, 1, 10 * SEC, 0, 4});
	assert_near(mean_ns(ENGINE_READ), read_service_ns(&model, 512), 0.01);
	/* into the buffer */
	run_well(&(struct cell){4096, 0, 1, 1, 1, 0, 4 * 4096, 5});
	assert_near(mean_ns(ENGINE_WRITE), (double)model.command_ns + transfer, 0.01);
	teardown();
}

static void test_write_cache_off(void **state)
{
	struct sim_model model = plain();

	(void)state;
	model.write_cache = false;
	setup(&model, 1, 1, 4);
	run_well(&(struct cell){4096, 0, 0, 1, 1, 0, 64 * 4096, 5});
	assert_near(mean_ns(ENGINE_WRITE),
		    (double)(model.command_ns + model.program_ns) +
			    4096e9 / (double)model.bytes_per_s +
			    4096e9 / (double)model.channel_bytes_per_s,
		    0.01);
	teardown();
}

/* A size of 8 dies is read by all of them at once, one of 16 in two turns. */
static void test_pages_in_parallel(void **state)
{
	struct sim_model model = plain();
	double one, two;

	(void)state;
	setup(&model, 1, 1, 4);
	fill_all();
	pts_sleep_until_ns(pts_now_ns() + SEC);
	run_well(&(struct cell){8 * 4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	one = mean_ns(ENGINE_READ);
	run_well(&(struct cell){16 * 4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	two = mean_ns(ENGINE_READ);
	assert_true(one < 1.2 * read_service_ns(&model, 4096));
	assert_true(two - one > 0.95 * (double)model.read_ns);
	teardown();
}

static void test_littles_law(void **state)
{
	static const double mixes[] = {1, 0.65, 0.5, 0.05, 0};
	static const unsigned depths[] = {1, 4, 32};
	struct sim_model model = plain();
	double worst = 0;

	(void)state;
	model.noise_share = 0.1;
	model.tail_share = 1e-4;
	model.tail_ns = 20 * MS;
	setup(&model, 1, 4, 32);
	fill_all();
	for (unsigned m = 0; m < 5; m++) {
		for (unsigned d = 0; d < 3; d++) {
			double latency_sum, mean, off;

			run_well(&(struct cell){4096 << m % 3, mixes[m], 1, 4, depths[d],
						25 * SEC, 0, m * 8 + d});
			latency_sum =
				(double)result->hist[0]->sum + (double)result->hist[1]->sum;
			mean = latency_sum /
			       (double)(result->hist[0]->count + result->hist[1]->count);
			off = result->outstanding_mean / (iops() * mean / 1e9) - 1;
			worst = fabs(off) > worst ? fabs(off) : worst;
			assert_near(result->outstanding_mean, 4.0 * depths[d], 0.01);
		}
	}
	printf("Little's law: at most %.3f %% off in 15 cells\n", 100 * worst);
	/* I/Os that are out when the window ends are on one side only: half a latency's share
	 * of the window */
	assert_true(worst < 0.01);
	teardown();
}

/*
 * Reads at depth: the dies, or the limit that is set below what they give. N random I/Os over M
 * dies leave some die idle at times: with exponential service times the share of what M dies can
 * do is N / (N + M - 1) (product form of closed networks), with constant ones it is higher.
 */
static void test_limits(void **state)
{
	struct sim_model model = plain();

	(void)state;
	setup(&model, 1, 4, 32);
	fill_all();
	run_well(&(struct cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_true(iops() < 8e9 / (double)model.read_ns);
	assert_true(iops() > 8e9 / (double)model.read_ns * 128 / (128 + 8 - 1));
	teardown();

	model.iops_limit = 4000;
	setup(&model, 1, 4, 32);
	fill_all();
	run_well(&(struct cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_near(iops(), 4000, 0.01);
	teardown();

	model.iops_limit = 0;
	model.bytes_per_s = 20 * MIB;
	setup(&model, 1, 4, 32);
	fill_all();
	run_well(&(struct cell){128 * KIB, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_near(iops() * 128 * KIB, 20 * MIB, 0.01);
	teardown();
}

/* ---- seeds ----------------------------------------------------------------------------- */

struct figures {
	uint64_t ios[2], max[2];
	unsigned __int128 sum[2];
	uint64_t moved, now;
};

static struct figures figures_of(const struct sim_model *model, uint64_t seed)
{
	struct figures f;

	setup(model, seed, 4, 32);
	fill_all();
	random_writes(20 * SEC, 5);
	run_well(&(struct cell){8192, 0.65, 1, 4, 8, 5 * SEC, 0, 9});
	memset(&f, 0, sizeof(f));
	for (unsigned dir = 0; dir < 2; dir++) {
		f.ios[dir] = result->dir[dir].ios;
		f.max[dir] = result->hist[dir]->max;
		f.sum[dir] = result->hist[dir]->sum;
	}
	f.moved = sim_ftl_counts(sim_drive_ftl(drive)).moved;
	f.now = pts_now_ns();
	teardown();
	return f;
}

static void test_seed(void **state)
{
	struct sim_model model = plain();
	struct figures a, b, c;

	(void)state;
	model.noise_share = 0.05;
	model.tail_share = 1e-3;
	model.tail_ns = 10 * MS;
	a = figures_of(&model, 42);
	b = figures_of(&model, 42);
	c = figures_of(&model, 43);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(a.sum[0] != c.sum[0]);
	assert_near((double)c.ios[0], (double)a.ios[0], 0.03);
}

/* ---- fresh, cliff, steady -------------------------------------------------------------- */

static double steady_iops(const struct sim_model *model, double alpha)
{
	double wa = sim_ftl_greedy_wa(alpha, model->pages_per_block);
	double page_ns = (double)model->program_ns +
			 4096e9 / (double)model->channel_bytes_per_s +
			 (wa - 1) * (double)(model->read_ns + model->program_ns) +
			 wa / model->pages_per_block * (double)model->erase_ns;

	return model->dies * 1e9 / page_ns;
}

static void test_fresh_to_steady(void **state)
{
	struct sim_model model = plain();
	const struct sim_ftl_config *config;
	double fresh, steady, alpha, again;

	(void)state;
	setup(&model, 1, 4, 32);
	config = sim_ftl_config(sim_drive_ftl(drive));
	alpha = (double)((config->blocks_per_die - config->reserve_blocks - 1) * config->dies *
			 config->pages_per_block) /
		config->pages;
	fresh = random_writes(SEC / 2, 1);
	fill_all();
	random_writes(60 * SEC, 2);
	steady = random_writes(60 * SEC, 3);
	printf("fresh %.0f, steady %.0f, by theory %.0f IOPS\n", fresh, steady,
	       steady_iops(&model, alpha));
	assert_true(fresh > 2.5 * steady);
	assert_near(steady, steady_iops(&model, alpha), 0.05);
	again = random_writes(60 * SEC, 4);
	assert_near(again, steady, 0.02);
	sim_drive_purge(drive);
	assert_near(random_writes(SEC / 2, 1), fresh, 0.02);
	teardown();

	model.purge_lies = true;
	setup(&model, 1, 4, 32);
	fill_all();
	random_writes(60 * SEC, 2);
	sim_drive_purge(drive);
	assert_near(random_writes(60 * SEC, 3), steady, 0.03);
	teardown();
}

static void test_idle_cleaning(void **state)
{
	struct sim_model model = plain();
	double steady, rested;

	(void)state;
	model.idle_after_ns = 100 * MS;
	model.idle_free_blocks = 12;
	model.idle_valid_share = 0.9;
	setup(&model, 1, 4, 32);
	fill_all();
	random_writes(60 * SEC, 2);
	steady = random_writes(2 * SEC, 3);
	pts_sleep_until_ns(pts_now_ns() + 60 * SEC);
	rested = random_writes(2 * SEC, 4);
	assert_true(rested > 1.3 * steady);
	teardown();
}

static void test_slc_cache(void **state)
{
	struct sim_model model = plain();
	double fast, slow, folded;

	(void)state;
	model.slc_pages = 4000;
	model.slc_program_ns = 200 * US;
	model.idle_after_ns = 100 * MS;
	setup(&model, 1, 4, 32);
	run_well(&(struct cell){4096, 0, 0, 4, 8, 0, 3000 * 4096, 1});
	fast = iops();
	run_well(&(struct cell){4096, 0, 0, 4, 8, 0, 2000 * 4096, 1});
	run_well(&(struct cell){4096, 0, 0, 4, 8, 0, 2000 * 4096, 1});
	slow = iops();
	pts_sleep_until_ns(pts_now_ns() + 10 * SEC);
	run_well(&(struct cell){4096, 0, 0, 4, 8, 0, 3000 * 4096, 1});
	folded = iops();
	assert_true(fast > 3.5 * slow);
	assert_near(folded, fast, 0.02);
	teardown();
}

static void test_heat(void **state)
{
	struct sim_model model = plain();
	double cool, hot;

	(void)state;
	model.ambient_c = 25;
	model.rise_c = 60;
	model.heat_ns = 30 * SEC;
	model.throttle_on_c = 70;
	model.throttle_off_c = 40;
	model.throttle_factor = 4;
	setup(&model, 1, 4, 32);
	fill_all();
	pts_sleep_until_ns(pts_now_ns() + 600 * SEC);
	run_well(&(struct cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	cool = iops();
	assert_false(sim_drive_throttled(drive));
	run_well(&(struct cell){4096, 1, 1, 4, 32, 60 * SEC, 0, 1});
	run_well(&(struct cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	hot = iops();
	assert_true(sim_drive_throttled(drive));
	assert_true(sim_drive_celsius(drive) > 60 && sim_drive_celsius(drive) < 85);
	assert_near(cool / hot, 4, 0.02);
	pts_sleep_until_ns(pts_now_ns() + 600 * SEC);
	run_well(&(struct cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_near(iops(), cool, 0.02);
	teardown();
}

static void test_compression(void **state)
{
	struct sim_model model = plain();
	struct fixture_job f;
	double plain_iops;

	(void)state;
	model.compress = true;
	setup(&model, 1, 4, 32);
	plain_iops = random_writes(SEC / 2, 1);
	sim_drive_purge(drive);
	fixture_job_init(&f, model.capacity_bytes, 4096);
	f.stream.read_share = 0;
	f.job.threads = 4;
	f.job.queue_depth = 8;
	f.job.duration_ns = SEC / 2;
	f.job.amount_bytes = 0;
	f.job.ios = 0;
	f.job.compressible_share = 0.5;
	fixture_run_well(engine, &f.job, result);
	assert_near(iops(), 2 * plain_iops, 0.05);
	teardown();
}

/* ---- faults ---------------------------------------------------------------------------- */

static void test_faults(void **state)
{
	struct sim_model model = plain();
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	model.bad_bytes = 40 * MIB;
	setup(&model, 1, 1, 4);
	fill_all(); /* writes it anew */
	run_well(&(struct cell){MIB, 1, 0, 1, 1, 0, 64 * MIB, 1});
	teardown();

	setup(&model, 1, 1, 4);
	assert_int_equal(run(&(struct cell){MIB, 1, 0, 1, 1, 0, 64 * MIB, 1}, &err), -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_int_equal(result->errors[0].error, ENODATA);
	assert_int_equal(result->errors[0].offset_bytes, 40 * MIB);
	assert_int_equal(result->dir[ENGINE_READ].ios, 40);
	teardown();

	model = plain();
	model.real_bytes = 32 * MIB;
	setup(&model, 1, 1, 4);
	pts_err_clear(&err);
	assert_int_equal(run(&(struct cell){MIB, 0, 0, 1, 1, 0, 64 * MIB, 1}, &err), -EIO);
	assert_int_equal(result->errors[0].offset_bytes, 32 * MIB);
	teardown();
}

static void test_dies(void **state)
{
	struct sim_model model = plain();
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	model.dies_at_ns = 3 * SEC; /* the clock starts at one second */
	setup(&model, 1, 2, 4);
	assert_int_equal(sim_drive_capacity(drive), 64 * MIB);
	assert_int_equal(run(&(struct cell){4096, 0, 1, 2, 4, 60 * SEC, 0, 1}, &err), -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_int_equal(result->errors[0].error, ENOSPC);
	assert_true(result->elapsed_ns >= 2 * SEC && result->elapsed_ns < 2 * SEC + SEC / 10);
	assert_true(result->dir[ENGINE_WRITE].ios > 1000);
	assert_int_equal(sim_drive_capacity(drive), 0);
	teardown();
}

static void test_stuck(void **state)
{
	struct sim_model model = plain();
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	model.stuck_at_ns = 3 * SEC;
	setup(&model, 1, 2, 4);
	assert_int_equal(run(&(struct cell){4096, 0, 1, 2, 4, 10 * SEC, 0, 1}, &err), -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "answers no more"));
	teardown();
}

static void test_model_check(void **state)
{
	struct sim_model model = plain();
	struct pts_err err = PTS_ERR_INIT;
	struct sim_drive *none;

	(void)state;
	assert_int_equal(sim_model_check(&model, &err), 0);
	model.page_bytes = 256;
	assert_int_equal(sim_drive_open(&model, 1, &none, &err), -EINVAL);
	assert_null(none);
	assert_non_null(strstr(err.text, "'plain': the page size is not a power of two"));
	model = plain();
	model.pages_per_block = 48;
	assert_int_equal(sim_drive_open(&model, 1, &none, NULL), -EINVAL);
	model.over_provision = NAN;
	assert_int_equal(sim_model_check(&model, NULL), -EINVAL);
}

/* A stop, a job of a number of I/Os, an exact amount: as with every backend. */
static void test_ends(void **state)
{
	struct sim_model model = plain();
	struct fixture_job f;
	struct engine_progress progress;
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	setup(&model, 1, 3, 8);
	fixture_job_init(&f, model.capacity_bytes, 4096);
	f.job.threads = 3;
	f.job.queue_depth = 8;
	f.job.amount_bytes = 0;
	f.job.duration_ns = 100 * SEC;
	f.job.ios = 0;
	assert_int_equal(engine_start(engine, &f.job, &err), 0);
	assert_int_equal(engine_poll(engine, 10 * SEC, &progress), 0);
	assert_false(progress.done);
	assert_true(progress.elapsed_ns >= SEC && progress.elapsed_ns < 2 * SEC);
	engine_stop(engine);
	assert_int_equal(engine_finish(engine, result, &err), -ECANCELED);
	f.job.duration_ns = 0;
	f.job.ios = 1000;
	fixture_run_well(engine, &f.job, result);
	assert_int_equal(result->dir[0].ios + result->dir[1].ios, 1000);
	fill_all();
	assert_int_equal(result->dir[ENGINE_WRITE].bytes, model.capacity_bytes);
	assert_int_equal(sim_ftl_counts(sim_drive_ftl(drive)).mapped,
			 model.capacity_bytes / 4096);
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_service_time_at_depth_one),
		cmocka_unit_test(test_write_cache_off),
		cmocka_unit_test(test_pages_in_parallel),
		cmocka_unit_test(test_littles_law),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_fresh_to_steady),
		cmocka_unit_test(test_idle_cleaning),
		cmocka_unit_test(test_slc_cache),
		cmocka_unit_test(test_heat),
		cmocka_unit_test(test_compression),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_dies),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_model_check),
		cmocka_unit_test(test_ends),
	};
	int bad;

	result = engine_result_new();
	bad = cmocka_run_group_tests(tests, NULL, NULL);
	engine_result_free(result);
	return bad;
}
