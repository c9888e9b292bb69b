/*
 * Devices that are too small or have odd blocks (B92, B14, B55): never a crash, a reason for
 * each cell, no size dropped from a mix, and inputs that no plan can be made from.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_fixture.h"

static void check_cells(const struct plan_cell *cells, unsigned count, unsigned first,
			const struct plan_device *device)
{
	for (unsigned c = 0; c < count; c++) {
		assert_int_equal(cells[c].index, first + c);
		assert_int_equal(cells[c].applicable, !cells[c].reason);
		for (unsigned s = 0; s < cells[c].stream_count; s++) {
			const struct plan_stream *stream = &cells[c].streams[s];

			assert_int_equal(stream->start_bytes % device->lba_bytes, 0);
			assert_int_equal(stream->span_bytes % device->lba_bytes, 0);
			assert_true(stream->start_bytes + stream->span_bytes <=
				    device->capacity_bytes);
		}
	}
}

static void check_plan(const char *name, enum spec_mode mode, const struct plan_device *device)
{
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read(name, mode, NULL), device, 0);
	const struct plan *plan = made.plan;
	char *text = plan_text(plan), *json = plan_json(plan);
	struct pts_err err = PTS_ERR_INIT;

	assert_true(strlen(text) > 100 && strlen(json) > 100);
	for (unsigned s = 0; s < plan->step_count; s++) {
		check_cells(plan->steps[s].cells, plan->steps[s].cell_count, 0, device);
		check_cells(plan->steps[s].before, plan->steps[s].before_count,
			    plan->steps[s].cell_count, device);
	}
	assert_int_equal(plan->tests[0].applicable, !plan->tests[0].reason);
	if (!plan->tests[0].applicable) {
		assert_true(plan_fixture_deviations(plan, "test") == 1);
		assert_true(plan_runnable(plan, &err) < 0);
	}
	free(text);
	free(json);
	plan_fixture_free(&made);
}

static void no_size_of_device_crashes(void **state)
{
	static const uint64_t sizes[] = {512,           4096,        8192,     65536,
					 131072,        262144,      786432,   1048576,
					 1048576 + 512, 10486272,    16777216, 199680,
					 (1 << 30) - 1, 2048 * 4096, 1 << 30};

	(void)state;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (unsigned lba = 512; lba <= 4096; lba *= 8)
			for (unsigned n = 0; n < PLAN_FIXTURE_SPECS; n++) {
				struct plan_device device = plan_fixture_drive(sizes[i], lba);

				if (sizes[i] < lba)
					continue;
				check_plan(plan_fixture_specs[n], SPEC_ENTERPRISE, &device);
				check_plan(plan_fixture_specs[n], SPEC_CLIENT, &device);
			}
}

/* The reasons of B14 and B92 in one matrix, each counted in a note of its own. */
static void each_reason_is_told(void **state)
{
	unsigned notes = 0;
	struct plan_device device = plan_fixture_drive(262144, 4096);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("iops", SPEC_ENTERPRISE, "threads=2"), &device, 0);
	const struct plan_step *rounds = plan_fixture_step(made.plan, "rounds");

	(void)state;
	assert_string_equal(plan_fixture_cell(rounds, "RND 0.5KiB 0/100 T2Q32")->reason,
			    "block smaller than one LBA (4096 B)");
	assert_string_equal(plan_fixture_cell(rounds, "RND 1024KiB 0/100 T2Q32")->reason,
			    "device smaller than one block: its range of 262144 bytes holds no "
			    "1024KiB");
	assert_true(plan_fixture_cell(rounds, "RND 128KiB 0/100 T2Q32")->applicable);
	for (unsigned i = 0; i < made.plan->note_count; i++)
		notes += !strcmp(made.plan->notes[i].kind, "not_applicable");
	assert_int_equal(notes, 2);
	assert_int_equal(plan_fixture_deviations(made.plan, "tracking variable"), 1);
	assert_true(made.plan->tests[0].applicable);
	assert_false(rounds->judgeable);
	plan_fixture_free(&made);
}

/* A sequential thread needs a block of its own; without the fill there is no test. */
static void a_fill_that_cannot_run_takes_the_test_with_it(void **state)
{
	struct plan_device device = plan_fixture_drive(262144, 4096);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	assert_false(made.plan->tests[0].applicable);
	assert_string_equal(made.plan->tests[0].reason,
			    "step 'WIPC': range of 262144 bytes is smaller than one 128KiB "
			    "block for each of 4 threads");
	assert_int_equal(plan_runnable(made.plan, &err), -EINVAL);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "iops"));
	assert_non_null(strstr(err.text, "WIPC"));
	plan_fixture_free(&made);
}

/* B55: sizes below 4 KiB on 4 KiB LBAs make the mix impossible, they are not left out of it. */
static void a_mix_is_never_thinned_out(void **state)
{
	static const char *const names[] = {"cbw", "workloads/jesd219-enterprise"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct plan_device device = plan_fixture_drive(480103981056, 4096);
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read(names[i], SPEC_ENTERPRISE, NULL), &device, 0);
		unsigned mixes = 0;

		assert_false(made.plan->tests[0].applicable);
		assert_non_null(strstr(made.plan->tests[0].reason, "smaller than one LBA"));
		for (unsigned s = 0; s < made.plan->step_count; s++)
			for (unsigned c = 0; c < made.plan->steps[s].cell_count; c++) {
				const struct plan_cell *cell = &made.plan->steps[s].cells[c];

				if (cell->streams[0].size_count[0] == 1)
					continue;
				assert_int_equal(cell->streams[0].size_count[0], 12);
				assert_false(cell->applicable);
				mixes++;
			}
		assert_true(mixes > 0);
		assert_int_equal(plan_fixture_deviations(made.plan, "test"), 1);
		plan_fixture_free(&made);
	}
}

static void the_mix_runs_on_512_bytes(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("workloads/jesd219-enterprise", SPEC_ENTERPRISE, NULL),
		&device, 0);
	const struct plan_cell *cell = &plan_fixture_step(made.plan, "pattern")->cells[0];
	double sum = 0;

	(void)state;
	assert_true(made.plan->tests[0].applicable);
	for (unsigned i = 0; i < cell->streams[0].size_count[0]; i++)
		sum += cell->streams[0].sizes[0][i].share;
	assert_true(sum > 1 - 1e-12 && sum < 1 + 1e-12);
	assert_int_equal(cell->streams[0].sizes[0][7].block_bytes, 4096);
	assert_true(cell->streams[0].sizes[0][7].share == 0.67);
	assert_int_equal(made.plan->block_bytes_max, 128 << 10);
	assert_int_equal(made.plan->queue_depth_max, 256);
	plan_fixture_free(&made);
}

/* An odd size: a multiple of 512, not of the LBA. */
static void a_block_between_lbas_is_not_rounded(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 4096);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("dirth", SPEC_ENTERPRISE, "block_size=6KiB"), &device, 0);

	(void)state;
	assert_string_equal(plan_fixture_step(made.plan, "demand")->cells[0].reason,
			    "block of 6KiB is no whole number of LBAs (4096 B)");
	plan_fixture_free(&made);
}

/* The reader allows less; the plan doesn't rely on it. */
static void a_block_that_no_system_call_takes(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct spec *spec = plan_fixture_read("iops", SPEC_ENTERPRISE, NULL);
	struct plan_fixture made;

	(void)state;
	spec->steps[2].axes[1].values[7] = 1ull << 33;
	made = plan_fixture_make(spec, &device, 0);
	assert_non_null(
		strstr(plan_fixture_step(made.plan, "rounds")->cells[7].reason, "the kernel"));
	assert_int_equal(made.plan->block_bytes_max, 1 << 20);
	plan_fixture_free(&made);
}

static void small_devices_are_noted(void **state)
{
	static const uint64_t sizes[] = {10486272, (1ull << 30) - 512, 1ull << 30};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct plan_device device = plan_fixture_drive(sizes[i], 512);
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);
		unsigned said = 0;

		for (unsigned n = 0; n < made.plan->note_count; n++)
			said += !strcmp(made.plan->notes[n].kind, "device");
		assert_int_equal(said, i < 2);
		plan_fixture_free(&made);
	}
}

/* A file of odd length ends at its last whole LBA. */
static void bytes_in_no_lba_are_left_out(void **state)
{
	struct plan_device device = plan_fixture_drive(10486272 + 511, 512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);
	const struct plan_cell *fill = &plan_fixture_step(made.plan, "WIPC")->cells[0];

	(void)state;
	assert_int_equal(made.plan->device.capacity_bytes, 10486272);
	assert_int_equal(fill->streams[0].span_bytes, 10486272);
	assert_int_equal(fill->amount_bytes, 2 * 10486272);
	plan_fixture_free(&made);
}

static void no_capacity_is_refused(void **state)
{
	static const struct {
		uint64_t capacity;
		uint32_t lba;
	} drives[] = {{0, 512}, {0, 4096}, {511, 512}, {4095, 4096}, {1 << 30, 0}, {0, 0}};

	(void)state;
	for (unsigned i = 0; i < sizeof(drives) / sizeof(drives[0]); i++) {
		struct plan_device device =
			plan_fixture_drive(drives[i].capacity, drives[i].lba);
		struct pts_err err = plan_fixture_refused(
			plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, -ENODATA);

		assert_int_equal(err.exit, PTS_EXIT_DEVICE);
		assert_non_null(strstr(err.text, "/dev/drive"));
	}
}

static void specs_must_fit_together(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct spec *one = plan_fixture_read("iops", SPEC_ENTERPRISE, NULL);
	struct spec *same = plan_fixture_read("iops", SPEC_ENTERPRISE, NULL);
	struct spec *client = plan_fixture_read("lat", SPEC_CLIENT, NULL);
	const struct spec *const twice[] = {one, same}, *const modes[] = {one, client};
	struct pts_err err = PTS_ERR_INIT;
	struct plan *plan;

	(void)state;
	assert_int_equal(plan_make(twice, 2, &device, NULL, &plan, &err), -EINVAL);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	pts_err_clear(&err);
	assert_int_equal(plan_make(modes, 2, &device, NULL, &plan, &err), -EINVAL);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_non_null(strstr(err.text, "client"));
	pts_err_clear(&err);
	assert_int_equal(plan_make(twice, 0, &device, NULL, &plan, &err), -EINVAL);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	plan_free(NULL);
	spec_free(one);
	spec_free(same);
	spec_free(client);
}

/* Missing texts of a device are empty, not a crash. */
static void a_device_may_have_no_texts(void **state)
{
	struct plan_device device = {.capacity_bytes = 480103981056, .lba_bytes = 512};
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);
	char *text = plan_text(made.plan), *json = plan_json(made.plan);

	(void)state;
	assert_non_null(strstr(text, "identity=\"\""));
	assert_string_equal(made.plan->device.purge_name, "");
	free(text);
	free(json);
	plan_fixture_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_size_of_device_crashes),
		cmocka_unit_test(each_reason_is_told),
		cmocka_unit_test(a_fill_that_cannot_run_takes_the_test_with_it),
		cmocka_unit_test(a_mix_is_never_thinned_out),
		cmocka_unit_test(the_mix_runs_on_512_bytes),
		cmocka_unit_test(a_block_between_lbas_is_not_rounded),
		cmocka_unit_test(a_block_that_no_system_call_takes),
		cmocka_unit_test(small_devices_are_noted),
		cmocka_unit_test(bytes_in_no_lba_are_left_out),
		cmocka_unit_test(no_capacity_is_refused),
		cmocka_unit_test(specs_must_fit_together),
		cmocka_unit_test(a_device_may_have_no_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
