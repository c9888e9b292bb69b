/*
 * Model drives as devices: their names, facts, identity, opening, purge and death, by the same
 * functions as real ones. One process holds one model drive, so the tests build on one another.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device.h"
#include "pts_clock.h"
#include "purge.h"
#include "sim_drive.h"

#define PATH "sim:tiny,seed=7"

static struct device_facts facts;
static struct pts_err err;

static int models(const char *name, struct sim_model *ret_model, struct pts_err *ret_err)
{
	if (strcmp(name, "tiny") != 0)
		return pts_fail(ret_err, PTS_EXIT_USAGE, ENOENT, "no model '%s'", name);
	sim_model_init(ret_model);
	snprintf(ret_model->name, sizeof(ret_model->name), "%s", name);
	ret_model->capacity_bytes = 16u << 20;
	ret_model->lba_bytes = 4096;
	ret_model->page_bytes = 4096;
	ret_model->pages_per_block = 64;
	ret_model->dies = 2;
	ret_model->channels = 1;
	ret_model->over_provision = 0.25;
	ret_model->read_ns = 100000;
	ret_model->program_ns = 500000;
	ret_model->erase_ns = 3000000;
	ret_model->channel_bytes_per_s = 400000000;
	ret_model->bytes_per_s = 1000000000;
	ret_model->buffer_pages = 16;
	ret_model->dies_at_ns = 3600 * PTS_NS_PER_S;
	return 0;
}

static int read_facts(const char *path)
{
	pts_err_clear(&err);
	return device_facts_read(path, NULL, &facts, &err);
}

static void test_unknown_before_models(void **state)
{
	(void)state;
	assert_int_equal(read_facts(PATH), -ENODEV);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_false(pts_clock_is_virtual());
	device_sim_models(models);
}

static void test_bad_names(void **state)
{
	static const char *const bad[] = {"sim:",
					  "sim:,seed=1",
					  "sim:tiny,",
					  "sim:tiny,seed=",
					  "sim:tiny,seed=-1",
					  "sim:tiny,speed=1",
					  "sim:tiny,seed=1,seed=2"};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_facts(bad[i]), -EINVAL);
		assert_int_equal(err.exit, PTS_EXIT_USAGE);
		assert_non_null(strstr(err.text, bad[i]));
	}
	assert_int_equal(read_facts("sim:huge"), -ENOENT);
	assert_false(pts_clock_is_virtual());
}

static void test_facts(void **state)
{
	(void)state;
	assert_int_equal(read_facts(PATH), 0);
	assert_int_equal(facts.kind, DEVICE_SIM);
	assert_true(facts.is_virtual);
	assert_string_equal(facts.transport, "sim");
	assert_string_equal(facts.identity, "sim:tiny:7");
	assert_string_equal(facts.path, PATH);
	assert_string_equal(facts.write_cache, "write back");
	assert_int_equal(facts.capacity_bytes, 16u << 20);
	assert_int_equal(facts.lba_bytes, 4096);
	assert_int_equal(facts.refusal_count, 0);
	assert_true(pts_clock_is_virtual());
	/* the clock is one */
	assert_int_equal(read_facts("sim:tiny,seed=8"), -EBUSY);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_int_equal(read_facts(PATH), 0);
}

static void test_opening(void **state)
{
	struct device *device = NULL;
	struct device_stat stat;

	(void)state;
	assert_int_equal(device_open_destroy(&facts, "sim:tiny:8", NULL, &device, &err),
			 -EPERM);
	assert_int_equal(err.exit, PTS_EXIT_SAFETY);
	assert_null(device);
	pts_err_clear(&err);
	assert_int_equal(device_open_destroy(&facts, NULL, NULL, &device, &err), -EPERM);
	pts_err_clear(&err);
	assert_int_equal(device_open_destroy(&facts, "sim:tiny:7", NULL, &device, &err), 0);
	assert_non_null(device_sim(device));
	assert_int_equal(device_fd(device), -1);
	assert_int_equal(device_check(device, &err), 0);
	assert_int_equal(device_stat_read(device, &stat), -ENOTSUP);
	device_close(device);
	assert_int_equal(device_open_read(&facts, &device, &err), 0);
	device_close(device);
}

static void test_purge(void **state)
{
	const struct purge_method *method;
	struct device *device = NULL;
	struct sim_done done;
	char evidence[200];

	(void)state;
	assert_int_equal(purge_choose(&facts, NULL, &method, &err), 0);
	assert_string_equal(method->name, "model");
	assert_true(method->is_pts_purge);
	/* it holds no bytes that zeroes could be written to */
	assert_int_equal(purge_choose(&facts, "zeroes", &method, &err), -ENOTSUP);
	pts_err_clear(&err);
	assert_int_equal(purge_choose(&facts, "model", &method, &err), 0);
	assert_int_equal(device_open_destroy(&facts, "sim:tiny:7", NULL, &device, &err), 0);
	assert_int_equal(sim_drive_reserve(device_sim(device), 1), 0);
	sim_drive_submit(device_sim(device), &(struct sim_io){0, 8 * 4096, true, 0, 0, 5});
	assert_true(sim_drive_run(device_sim(device), UINT64_MAX / 2, &done));
	assert_int_equal(done.tag, 5);
	assert_int_equal(sim_ftl_counts(sim_drive_ftl(device_sim(device))).mapped, 8);
	assert_int_equal(
		purge_run(device, method, NULL, NULL, evidence, sizeof(evidence), &err), 0);
	assert_int_equal(sim_ftl_counts(sim_drive_ftl(device_sim(device))).mapped, 0);
	assert_non_null(strstr(evidence, "66 hold no data, 0 do"));
	device_close(device);
}

static void test_write_cache(void **state)
{
	struct device *device = NULL;

	(void)state;
	assert_int_equal(read_facts(PATH), 0);
	assert_string_equal(facts.write_cache, "write back");
	assert_true(device_can_set_write_cache(&facts));
	assert_int_equal(device_open_destroy(&facts, "sim:tiny:7", NULL, &device, &err), 0);
	assert_int_equal(device_set_write_cache(device, false, &err), 0);
	assert_string_equal(device_facts(device)->write_cache, "write through");
	device_close(device);
	/* the drive's own, not the opener's */
	assert_int_equal(read_facts(PATH), 0);
	assert_string_equal(facts.write_cache, "write through");
	assert_int_equal(device_open_destroy(&facts, "sim:tiny:7", NULL, &device, &err), 0);
	assert_int_equal(device_set_write_cache(device, true, &err), 0);
	assert_string_equal(device_facts(device)->write_cache, "write back");
	device_close(device);
}

static void test_death(void **state)
{
	struct device *device = NULL;

	(void)state;
	assert_int_equal(device_open_destroy(&facts, "sim:tiny:7", NULL, &device, &err), 0);
	pts_sleep_until_ns(3601 * PTS_NS_PER_S);
	assert_int_equal(device_check(device, &err), -ENODEV);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	device_close(device);
	assert_int_equal(read_facts(PATH), -ENODEV);
}

/* A real device is no model, and is told so from one by what it is. */
static void test_files_are_no_models(void **state)
{
	(void)state;
	assert_int_equal(read_facts("sim"), -ENOENT);
	assert_int_equal(read_facts("./sim:tiny"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_before_models),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_opening),
		cmocka_unit_test(test_purge),
		cmocka_unit_test(test_write_cache),
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_files_are_no_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
