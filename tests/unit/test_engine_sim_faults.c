/*
 * Faults of the model drive on demand, and models that make no drive.
 */
#include "engine_sim_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_faults(void **state)
{
	struct sim_model model = sim_plain();
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	model.bad_bytes = 40 * MIB;
	sim_setup(&model, 1, 1, 4);
	sim_fill_all(); /* writes it anew */
	sim_run_well(&(struct sim_cell){MIB, 1, 0, 1, 1, 0, 64 * MIB, 1});
	sim_teardown();

	sim_setup(&model, 1, 1, 4);
	assert_int_equal(sim_run(&(struct sim_cell){MIB, 1, 0, 1, 1, 0, 64 * MIB, 1}, &err),
			 -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_int_equal(result->errors[0].error, ENODATA);
	assert_int_equal(result->errors[0].offset_bytes, 40 * MIB);
	assert_int_equal(result->dir[ENGINE_READ].ios, 40);
	sim_teardown();

	model = sim_plain();
	model.real_bytes = 32 * MIB;
	sim_setup(&model, 1, 1, 4);
	pts_err_clear(&err);
	assert_int_equal(sim_run(&(struct sim_cell){MIB, 0, 0, 1, 1, 0, 64 * MIB, 1}, &err),
			 -EIO);
	assert_int_equal(result->errors[0].offset_bytes, 32 * MIB);
	sim_teardown();
}

static void test_dies(void **state)
{
	struct sim_model model = sim_plain();
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	model.dies_at_ns = 3 * SEC; /* the clock starts at one second */
	sim_setup(&model, 1, 2, 4);
	assert_int_equal(sim_drive_capacity(drive), 64 * MIB);
	assert_int_equal(sim_run(&(struct sim_cell){4096, 0, 1, 2, 4, 60 * SEC, 0, 1}, &err),
			 -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_int_equal(result->errors[0].error, ENOSPC);
	assert_true(result->elapsed_ns >= 2 * SEC && result->elapsed_ns < 2 * SEC + SEC / 10);
	assert_true(result->dir[ENGINE_WRITE].ios > 1000);
	assert_int_equal(sim_drive_capacity(drive), 0);
	sim_teardown();
}

static void test_stuck(void **state)
{
	struct sim_model model = sim_plain();
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	model.stuck_at_ns = 3 * SEC;
	sim_setup(&model, 1, 2, 4);
	assert_int_equal(sim_run(&(struct sim_cell){4096, 0, 1, 2, 4, 10 * SEC, 0, 1}, &err),
			 -EIO);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "answers no more"));
	sim_teardown();
}

static void test_model_check(void **state)
{
	struct sim_model model = sim_plain();
	struct pts_err err = PTS_ERR_INIT;
	struct sim_drive *none;

	(void)state;
	assert_int_equal(sim_model_check(&model, &err), 0);
	model.page_bytes = 256;
	assert_int_equal(sim_drive_open(&model, 1, &none, &err), -EINVAL);
	assert_null(none);
	assert_non_null(strstr(err.text, "'plain': the page size is not a power of two"));
	model = sim_plain();
	model.pages_per_block = 48;
	assert_int_equal(sim_drive_open(&model, 1, &none, NULL), -EINVAL);
	model.over_provision = NAN;
	assert_int_equal(sim_model_check(&model, NULL), -EINVAL);
	model = sim_plain();
	model.refresh_every_ns = SEC;
	pts_err_clear(&err);
	assert_int_equal(sim_model_check(&model, &err), -EINVAL);
	assert_non_null(strstr(err.text, "refresh"));
	model.refresh_ns = SEC;
	model.refresh_share = 0.5;
	assert_int_equal(sim_model_check(&model, NULL), -EINVAL);
	model.refresh_ns = SEC - 1;
	assert_int_equal(sim_model_check(&model, NULL), 0);
	model.refresh_share = 1;
	assert_int_equal(sim_model_check(&model, NULL), -EINVAL);
	model = sim_plain();
	model.worn_read_ns = 1;
	assert_int_equal(sim_model_check(&model, NULL), -EINVAL);
	model.endurance = 1;
	assert_int_equal(sim_model_check(&model, NULL), 0);
}

/* Sums of counts that each fit 32 bits. */
static void test_large_counts(void **state)
{
	const uint32_t large[] = {UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 300, 1u << 31};
	struct sim_model model;
	struct sim_drive *none;

	(void)state;
	for (unsigned i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		struct pts_err err = PTS_ERR_INIT;

		model = sim_plain();
		model.reserve_blocks = large[i];
		assert_int_equal(sim_drive_open(&model, 1, &none, &err), -EINVAL);
		assert_null(none);
		assert_non_null(strstr(err.text, "make no flash drive"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),       cmocka_unit_test(test_dies),
		cmocka_unit_test(test_stuck),        cmocka_unit_test(test_model_check),
		cmocka_unit_test(test_large_counts),
	};

	return cmocka_run_group_tests(tests, sim_results_make, sim_results_drop);
}
