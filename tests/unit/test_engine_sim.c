/*
 * The model drive behind the engine: time, queues, seeds, fresh to steady, each against a number
 * that is worked out here from the model and not taken from the drive.
 */
#include "engine_sim_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- time ------------------------------------------------------------------------------ */

static double read_service_ns(const struct sim_model *model, double bytes)
{
	return (double)model->command_ns + (double)model->read_ns +
	       4096e9 / (double)model->channel_bytes_per_s +
	       bytes * 1e9 / (double)model->bytes_per_s;
}

static void test_service_time_at_depth_one(void **state)
{
	struct sim_model model = sim_plain();
	const double transfer = 4096e9 / (double)model.bytes_per_s;

	(void)state;
	sim_setup(&model, 1, 1, 4);
	/* nothing is written yet: no flash is read */
	sim_run_well(&(struct sim_cell){4096, 1, 1, 1, 1, SEC, 0, 3});
	assert_near(sim_mean_ns(ENGINE_READ), (double)model.command_ns + transfer, 0.01);
	sim_fill_all();
	pts_sleep_until_ns(pts_now_ns() + SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	assert_near(sim_mean_ns(ENGINE_READ), read_service_ns(&model, 4096), 0.01);
	sim_run_well(&(struct sim_cell){512, 1, 1, 1, 1, 10 * SEC, 0, 4});
	assert_near(sim_mean_ns(ENGINE_READ), read_service_ns(&model, 512), 0.01);
	/* into the buffer */
	sim_run_well(&(struct sim_cell){4096, 0, 1, 1, 1, 0, 4 * 4096, 5});
	assert_near(sim_mean_ns(ENGINE_WRITE), (double)model.command_ns + transfer, 0.01);
	sim_teardown();
}

static void test_write_cache_off(void **state)
{
	struct sim_model model = sim_plain();

	(void)state;
	model.write_cache = false;
	sim_setup(&model, 1, 1, 4);
	sim_run_well(&(struct sim_cell){4096, 0, 0, 1, 1, 0, 64 * 4096, 5});
	assert_near(sim_mean_ns(ENGINE_WRITE),
		    (double)(model.command_ns + model.program_ns) +
			    4096e9 / (double)model.bytes_per_s +
			    4096e9 / (double)model.channel_bytes_per_s,
		    0.01);
	sim_teardown();
}

/* A size of 8 dies is read by all of them at once, one of 16 in two turns. */
static void test_pages_in_parallel(void **state)
{
	struct sim_model model = sim_plain();
	double one, two;

	(void)state;
	sim_setup(&model, 1, 1, 4);
	sim_fill_all();
	pts_sleep_until_ns(pts_now_ns() + SEC);
	sim_run_well(&(struct sim_cell){8 * 4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	one = sim_mean_ns(ENGINE_READ);
	sim_run_well(&(struct sim_cell){16 * 4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	two = sim_mean_ns(ENGINE_READ);
	assert_true(one < 1.2 * read_service_ns(&model, 4096));
	assert_true(two - one > 0.95 * (double)model.read_ns);
	sim_teardown();
}

static void test_littles_law(void **state)
{
	static const double mixes[] = {1, 0.65, 0.5, 0.05, 0};
	static const unsigned depths[] = {1, 4, 32};
	struct sim_model model = sim_plain();
	double worst = 0;

	(void)state;
	model.noise_share = 0.1;
	model.tail_share = 1e-4;
	model.tail_ns = 20 * MS;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	for (unsigned m = 0; m < 5; m++) {
		for (unsigned d = 0; d < 3; d++) {
			double latency_sum, off;

			sim_run_well(&(struct sim_cell){4096 << m % 3, mixes[m], 1, 4,
							depths[d], SEC, 0, m * 8 + d});
			latency_sum =
				(double)result->hist[0]->sum + (double)result->hist[1]->sum;
			off = result->outstanding_mean * (double)result->elapsed_ns /
				      (latency_sum + (double)result->inflight_ns) -
			      1;
			worst = fabs(off) > worst ? fabs(off) : worst;
			assert_near(result->outstanding_mean, 4.0 * depths[d], 0.01);
		}
	}
	printf("Little's law: at most %.2g off in 15 cells\n", worst);
	/* on a clock of whole nanoseconds it is exact, but for the mean's rounding */
	assert_true(worst < 1e-12);
	sim_teardown();
}

/*
 * Reads at depth: the dies, or the limit that is set below what they give. N random I/Os over M
 * dies leave some die idle at times: with exponential service times the share of what M dies can
 * do is N / (N + M - 1) (product form of closed networks), with constant ones it is higher.
 */
static void test_limits(void **state)
{
	struct sim_model model = sim_plain();

	(void)state;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_true(sim_iops() < 8e9 / (double)model.read_ns);
	assert_true(sim_iops() > 8e9 / (double)model.read_ns * 128 / (128 + 8 - 1));
	sim_teardown();

	model.iops_limit = 4000;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_near(sim_iops(), 4000, 0.01);
	sim_teardown();

	model.iops_limit = 0;
	model.bytes_per_s = 20 * MIB;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	sim_run_well(&(struct sim_cell){128 * KIB, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_near(sim_iops() * 128 * KIB, 20 * MIB, 0.01);
	sim_teardown();
}

/* A share of the commands takes so much longer, the others not at all. */
static void test_tails(void **state)
{
	struct sim_model model = sim_plain();
	const struct pts_hist *hist;
	double wanted, p99, p999, ios;

	(void)state;
	model.tail_share = 0.005;
	model.tail_ns = 50 * MS;
	sim_setup(&model, 1, 1, 4);
	sim_fill_all();
	pts_sleep_until_ns(pts_now_ns() + SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 1, 1, 100 * SEC, 0, 3});
	hist = result->hist[ENGINE_READ];
	ios = (double)hist->count;
	p99 = (double)pts_hist_quantile(hist, 0.99);
	p999 = (double)pts_hist_quantile(hist, 0.999);
	assert_near(p99, read_service_ns(&model, 4096), 0.01);
	assert_near(p999, read_service_ns(&model, 4096) + 50e6, 0.01);
	/* their number, from the mean: 5 sigma of a binomial */
	wanted = 0.005 * ios;
	assert_true(
		fabs((sim_mean_ns(ENGINE_READ) - read_service_ns(&model, 4096)) * ios / 50e6 -
		     wanted) < 5 * sqrt(wanted));
	sim_teardown();
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

	sim_setup(model, seed, 4, 32);
	sim_fill_all();
	sim_random_writes(20 * SEC, 5);
	sim_run_well(&(struct sim_cell){8192, 0.65, 1, 4, 8, 5 * SEC, 0, 9});
	memset(&f, 0, sizeof(f));
	for (unsigned dir = 0; dir < 2; dir++) {
		f.ios[dir] = result->dir[dir].ios;
		f.max[dir] = result->hist[dir]->max;
		f.sum[dir] = result->hist[dir]->sum;
	}
	f.moved = sim_ftl_counts(sim_drive_ftl(drive)).moved;
	f.now = pts_now_ns();
	sim_teardown();
	return f;
}

static void test_seed(void **state)
{
	struct sim_model model = sim_plain();
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

static double sim_steady_iops(const struct sim_model *model, double alpha)
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
	struct sim_model model = sim_plain();
	const struct sim_ftl_config *config;
	double fresh, steady, alpha, again;

	(void)state;
	sim_setup(&model, 1, 4, 32);
	config = sim_ftl_config(sim_drive_ftl(drive));
	alpha = (double)((config->blocks_per_die - config->reserve_blocks - 1) * config->dies *
			 config->pages_per_block) /
		config->pages;
	fresh = sim_random_writes(SEC / 2, 1);
	sim_fill_all();
	sim_random_writes(60 * SEC, 2);
	steady = sim_random_writes(60 * SEC, 3);
	printf("fresh %.0f, steady %.0f, by theory %.0f IOPS\n", fresh, steady,
	       sim_steady_iops(&model, alpha));
	assert_true(fresh > 2.5 * steady);
	assert_near(steady, sim_steady_iops(&model, alpha), 0.05);
	again = sim_random_writes(60 * SEC, 4);
	assert_near(again, steady, 0.02);
	sim_drive_purge(drive);
	assert_near(sim_random_writes(SEC / 2, 1), fresh, 0.02);
	sim_teardown();

	model.purge_lies = true;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	sim_random_writes(60 * SEC, 2);
	sim_drive_purge(drive);
	assert_near(sim_random_writes(60 * SEC, 3), steady, 0.03);
	sim_teardown();
}

/* A stop, a job of a number of I/Os, an exact amount: as with every backend. */
static void test_ends(void **state)
{
	struct sim_model model = sim_plain();
	struct fixture_job f;
	struct engine_progress progress;
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	sim_setup(&model, 1, 3, 8);
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
	sim_fill_all();
	assert_int_equal(result->dir[ENGINE_WRITE].bytes, model.capacity_bytes);
	assert_int_equal(sim_ftl_counts(sim_drive_ftl(drive)).mapped,
			 model.capacity_bytes / 4096);
	sim_teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_service_time_at_depth_one),
		cmocka_unit_test(test_write_cache_off),
		cmocka_unit_test(test_pages_in_parallel),
		cmocka_unit_test(test_littles_law),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_tails),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_fresh_to_steady),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, sim_results_make, sim_results_drop);
}
