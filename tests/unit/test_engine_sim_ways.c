/*
 * What makes one model drive another one than the next: caches, background work, heat, wear,
 * payload. Each feature against a drive without it.
 */
#include "engine_sim_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_idle_cleaning(void **state)
{
	struct sim_model model = sim_plain();
	double steady, rested;

	(void)state;
	model.idle_after_ns = 100 * MS;
	model.idle_free_blocks = 12;
	model.idle_valid_share = 0.9;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	sim_random_writes(60 * SEC, 2);
	steady = sim_random_writes(2 * SEC, 3);
	pts_sleep_until_ns(pts_now_ns() + 60 * SEC);
	rested = sim_random_writes(2 * SEC, 4);
	assert_true(rested > 1.3 * steady);
	sim_teardown();
}

static void test_slc_cache(void **state)
{
	struct sim_model model = sim_plain();
	double fast, slow, folded;

	(void)state;
	model.slc_pages = 4000;
	model.slc_program_ns = 200 * US;
	model.idle_after_ns = 100 * MS;
	sim_setup(&model, 1, 4, 32);
	sim_run_well(&(struct sim_cell){4096, 0, 0, 4, 8, 0, 3000 * 4096, 1});
	fast = sim_iops();
	sim_run_well(&(struct sim_cell){4096, 0, 0, 4, 8, 0, 2000 * 4096, 1});
	sim_run_well(&(struct sim_cell){4096, 0, 0, 4, 8, 0, 2000 * 4096, 1});
	slow = sim_iops();
	pts_sleep_until_ns(pts_now_ns() + 10 * SEC);
	sim_run_well(&(struct sim_cell){4096, 0, 0, 4, 8, 0, 3000 * 4096, 1});
	folded = sim_iops();
	assert_true(fast > 3.5 * slow);
	assert_near(folded, fast, 0.02);
	sim_teardown();
}

/* It throttles when it is hot, does less then and so cools: a saw tooth between two limits. */
static void test_heat(void **state)
{
	struct sim_model model = sim_plain();
	struct sim_health before, after;
	double cool, hot;

	(void)state;
	model.ambient_c = 25;
	model.rise_c = 60;
	model.heat_ns = 30 * SEC;
	model.throttle_on_c = 70;
	model.throttle_off_c = 50;
	model.throttle_factor = 4;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	pts_sleep_until_ns(pts_now_ns() + 600 * SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	cool = sim_iops();
	before = sim_drive_health(drive);
	assert_false(sim_drive_throttled(drive));
	assert_int_equal(before.throttle_events, 0);
	while (!sim_drive_throttled(drive))
		sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, SEC, 0, 1});
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 5 * SEC, 0, 1});
	hot = sim_iops();
	assert_near(cool / hot, 4, 0.02);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 300 * SEC, 0, 1});
	after = sim_drive_health(drive);
	printf("throttled %llu times, %.0f of 300 s, %.1f C now, %.1f at most\n",
	       (unsigned long long)after.throttle_events, (double)after.throttled_ns / 1e9,
	       after.celsius, after.celsius_most);
	assert_true(after.throttle_events > 3);
	assert_true(after.throttled_ns > 60 * SEC && after.throttled_ns < 250 * SEC);
	assert_true(after.celsius_most >= 70 && after.celsius_most < 71);
	assert_near(sim_iops(), cool - (cool - hot) * (double)after.throttled_ns / 306e9, 0.1);
	pts_sleep_until_ns(pts_now_ns() + 600 * SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 10 * SEC, 0, 1});
	assert_near(sim_iops(), cool, 0.02);
	/* at rest it cooled by itself: 70 to 50 takes 30 s x ln(45 / 25) */
	assert_true(sim_drive_health(drive).throttled_ns - after.throttled_ns < 20 * SEC);
	sim_teardown();
}

/* ---- what the payload is like ----------------------------------------------------------- */

static double writes_like(double compressible, double duplicate, enum engine_payload payload,
			  uint64_t duration_ns)
{
	struct fixture_job f;

	fixture_job_init(&f, sim_drive_model(drive)->capacity_bytes, 4096);
	f.stream.read_share = 0;
	f.job.threads = 4;
	f.job.queue_depth = 8;
	f.job.duration_ns = duration_ns;
	f.job.amount_bytes = 0;
	f.job.ios = 0;
	f.job.payload = payload;
	f.job.compressible_share = compressible;
	f.job.duplicate_share = duplicate;
	fixture_run_well(engine, &f.job, result);
	return sim_iops();
}

/* Random payload costs the same with and without the features, to the nanosecond. */
static void test_random_payload_is_not_reduced(void **state)
{
	struct sim_model model = sim_plain();
	uint64_t ios[2], sum[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		model.compress = i;
		model.deduplicate = i;
		model.noise_share = 0.1;
		sim_setup(&model, 1, 4, 32);
		sim_fill_all();
		writes_like(0, 0, ENGINE_PAYLOAD_RANDOM, 30 * SEC);
		ios[i] = result->dir[ENGINE_WRITE].ios;
		sum[i] = (uint64_t)result->hist[ENGINE_WRITE]->sum;
		sim_teardown();
	}
	assert_int_equal(ios[0], ios[1]);
	assert_int_equal(sum[0], sum[1]);
}

/* Fresh: half the flash, twice the speed. Steady: more than that, as half of the drive is spare. */
static void test_payload(bool compress, bool deduplicate, double compressible, double duplicate)
{
	struct sim_model model = sim_plain();
	double fresh, steady, all;

	model.compress = compress;
	model.deduplicate = deduplicate;
	model.iops_limit = 50000;
	sim_setup(&model, 1, 4, 32);
	fresh = sim_random_writes(SEC / 2, 1);
	sim_drive_purge(drive);
	assert_near(writes_like(compressible, duplicate, ENGINE_PAYLOAD_RANDOM, SEC / 2),
		    2 * fresh, 0.1);
	sim_drive_purge(drive);
	sim_fill_all();
	writes_like(0, 0, ENGINE_PAYLOAD_RANDOM, 30 * SEC);
	steady = writes_like(0, 0, ENGINE_PAYLOAD_RANDOM, 30 * SEC);
	writes_like(compressible, duplicate, ENGINE_PAYLOAD_RANDOM, 30 * SEC);
	writes_like(compressible, duplicate, ENGINE_PAYLOAD_RANDOM, 30 * SEC);
	all = writes_like(compressible, duplicate, ENGINE_PAYLOAD_RANDOM, 30 * SEC);
	printf("fresh %.0f IOPS, steady %.0f, with half of it %.0f\n", fresh, steady, all);
	assert_true(all > 3 * steady);
	assert_true(writes_like(0, 0, ENGINE_PAYLOAD_ZERO, 30 * SEC) > 10 * fresh / 2);
	sim_teardown();
}

static void test_compression(void **state)
{
	(void)state;
	test_payload(true, false, 0.5, 0.5);
}

static void test_deduplication(void **state)
{
	(void)state;
	test_payload(false, true, 0.5, 0.5);
}

/* ---- refresh, wear, cache switch, a life before ------------------------------------------ */

static void test_refresh(void **state)
{
	struct sim_model model = sim_plain();
	double slow, fast;

	(void)state;
	model.refresh_every_ns = 100 * SEC;
	model.refresh_ns = 40 * SEC;
	model.refresh_share = 0.4;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	pts_sleep_until_ns(260 * SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 30 * SEC, 0, 1});
	slow = sim_iops();
	pts_sleep_until_ns(300 * SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 4, 32, 50 * SEC, 0, 1});
	fast = sim_iops();
	assert_near(slow / fast, 0.6, 0.02);
	sim_teardown();
}

static void test_wear(void **state)
{
	struct sim_model model = sim_plain();
	struct pts_err err = PTS_ERR_INIT;
	struct sim_health health;
	double worn_ns;

	(void)state;
	model.endurance = 40;
	model.worn_read_ns = 400 * US;
	sim_setup(&model, 1, 4, 32);
	sim_fill_all();
	while (sim_drive_health(drive).used_pct < 50)
		sim_random_writes(10 * SEC, (uint64_t)pts_now_ns());
	health = sim_drive_health(drive);
	assert_true(health.flash_bytes > health.host_bytes);
	assert_near((double)health.flash_bytes,
		    health.erases * 64 * 4096 *
			    sim_ftl_config(sim_drive_ftl(drive))->blocks_per_die * 8,
		    0.06);
	pts_sleep_until_ns(pts_now_ns() + SEC);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 1, 1, 10 * SEC, 0, 3});
	worn_ns = sim_mean_ns(ENGINE_READ) - (double)model.read_ns - (double)model.command_ns -
		  4096e9 / (double)model.channel_bytes_per_s -
		  4096e9 / (double)model.bytes_per_s;
	assert_near(worn_ns, 400e3 * health.used_pct / 100, 0.02);
	/* to the end: then it takes no more writes, but what it holds can be read */
	while (!sim_run(&(struct sim_cell){4096, 0, 1, 4, 8, 10 * SEC, 0, 9}, &err))
		;
	assert_int_equal(result->errors[0].error, EIO);
	assert_near(sim_drive_health(drive).used_pct, 100, 0.01);
	sim_run_well(&(struct sim_cell){4096, 1, 1, 1, 1, SEC, 0, 3});
	sim_teardown();
}

static void test_write_cache_switch(void **state)
{
	struct sim_model model = sim_plain();
	double on, off;

	(void)state;
	sim_setup(&model, 1, 1, 4);
	assert_true(sim_drive_write_cache(drive));
	sim_run_well(&(struct sim_cell){4096, 0, 0, 1, 1, 0, 4 * 4096, 5});
	on = sim_mean_ns(ENGINE_WRITE);
	assert_int_equal(sim_drive_set_write_cache(drive, false), 0);
	sim_run_well(&(struct sim_cell){4096, 0, 0, 1, 1, 0, 4 * 4096, 5});
	off = sim_mean_ns(ENGINE_WRITE);
	assert_true(off - on > 0.99 * (double)model.program_ns);
	assert_int_equal(sim_drive_set_write_cache(drive, true), 0);
	sim_run_well(&(struct sim_cell){4096, 0, 0, 1, 1, 0, 4 * 4096, 5});
	assert_near(sim_mean_ns(ENGINE_WRITE), on, 0.01);
	sim_teardown();
	model.buffer_pages = 0;
	sim_setup(&model, 1, 1, 4);
	assert_false(sim_drive_write_cache(drive));
	assert_int_equal(sim_drive_set_write_cache(drive, true), -ENOTSUP);
	sim_teardown();
}

/* A used drive is slow from the first write; a purge that works makes it fresh, one that lies
 * leaves it as it was, though nothing can be read any more. */
static void test_arrives_used(void **state)
{
	struct sim_model model = sim_plain();
	double fresh, used, purged;

	(void)state;
	sim_setup(&model, 1, 4, 32);
	fresh = sim_random_writes(SEC / 2, 1);
	sim_teardown();
	model.arrives_used = true;
	for (unsigned lies = 0; lies < 2; lies++) {
		model.purge_lies = lies;
		sim_setup(&model, 1, 4, 32);
		assert_true(sim_ftl_mapped(sim_drive_ftl(drive), 77));
		used = sim_random_writes(SEC / 2, 1);
		sim_drive_purge(drive);
		assert_int_equal(sim_ftl_counts(sim_drive_ftl(drive)).mapped, 0);
		sim_run_well(&(struct sim_cell){4096, 1, 1, 1, 1, SEC, 0, 3});
		assert_true(sim_mean_ns(ENGINE_READ) < (double)model.read_ns / 5);
		purged = sim_random_writes(SEC / 2, 1);
		assert_true(fresh > 2.5 * used);
		assert_near(purged, lies ? used : fresh, 0.1);
		sim_teardown();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_cleaning),
		cmocka_unit_test(test_slc_cache),
		cmocka_unit_test(test_heat),
		cmocka_unit_test(test_random_payload_is_not_reduced),
		cmocka_unit_test(test_compression),
		cmocka_unit_test(test_deduplication),
		cmocka_unit_test(test_refresh),
		cmocka_unit_test(test_wear),
		cmocka_unit_test(test_write_cache_switch),
		cmocka_unit_test(test_arrives_used),
	};

	return cmocka_run_group_tests(tests, sim_results_make, sim_results_drop);
}
