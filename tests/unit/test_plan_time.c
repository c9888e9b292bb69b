/* Expected time and bytes: tests/fixtures/duration.json, each kind of step, and the limits. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "plan_fixture.h"

#define SECOND 1000000000ull
#define MINUTE (60 * SECOND)

/* The fixture gives nine digits. */
static void near_text(double value, const json_t *object, const char *key)
{
	double expected = atof(json_string_value(json_object_get(object, key)));

	if (fabs(value - expected) > 1e-8 * expected)
		fail_msg("%s: %.9g instead of %.9g", key, value, expected);
}

/* The latest end of the load itself, without drains and gaps. */
static uint64_t load_ns(const struct plan_span *span)
{
	assert_true(span->slack_ns > 0 && span->slack_ns < span->latest_ns);
	return span->latest_ns - span->slack_ns;
}

static void check_duration(const json_t *drive)
{
	uint64_t capacity =
		(uint64_t)json_integer_value(json_object_get(drive, "capacity_bytes"));
	unsigned cells = (unsigned)json_integer_value(json_object_get(drive, "cells_of_60_s"));
	const json_t *expected = json_object_get(drive, "expected");
	struct plan_device device = plan_fixture_drive(capacity, cells == 49 ? 4096 : 512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device,
				  json_number_value(json_object_get(drive, "seq_write_MB_s")));
	const struct plan_span *fill = &plan_fixture_step(made.plan, "WIPC")->span;
	const struct plan_span *rounds = &plan_fixture_step(made.plan, "rounds")->span;

	near_text((double)fill->earliest_ns / 1e9, expected, "wipc_s");
	near_text((double)load_ns(fill) / 1e9, expected, "wipc_s");
	assert_int_equal(
		rounds->earliest_ns,
		5 * SECOND *
			(uint64_t)json_integer_value(json_object_get(expected, "round_s")));
	near_text((double)(fill->earliest_ns + rounds->earliest_ns) / 1e9, expected,
		  "iops_test_min_s");
	near_text((double)(load_ns(fill) + load_ns(rounds)) / 1e9, expected, "iops_test_max_s");
	assert_int_equal(fill->least_bytes, 2 * capacity);
	assert_int_equal(fill->most_bytes, 2 * capacity);
	assert_string_equal(made.plan->rates.source, "given");
	plan_fixture_free(&made);
}

static void the_table_of_capacities_and_rates(void **state)
{
	char path[300];
	json_t *root;
	const json_t *drive;
	size_t i;

	(void)state;
	snprintf(path, sizeof(path), "%s/duration.json", PTS_FIXTURES);
	root = json_load_file(path, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(root, "cases")), 4);
	json_array_foreach(json_object_get(root, "cases"), i, drive) check_duration(drive);
	json_decref(root);
}

/* 25 full rounds of 56 cells are 23 h 20 min, whatever the drive (digest 2.13). */
static void rounds_are_exact(void **state)
{
	struct plan_device device = plan_fixture_drive(1920383410176, 512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);
	const struct plan_span *span = &plan_fixture_step(made.plan, "rounds")->span;

	(void)state;
	assert_int_equal(span->earliest_ns, 280 * MINUTE);
	assert_int_equal(span->likely_ns, 8 * 56 * MINUTE);
	assert_int_equal(load_ns(span), (23 * 60 + 20) * MINUTE);
	plan_fixture_free(&made);
	made = plan_fixture_make(
		plan_fixture_read("iops", SPEC_ENTERPRISE, "max_rounds=6;cell_time=2s"),
		&device, 0);
	span = &plan_fixture_step(made.plan, "rounds")->span;
	assert_int_equal(span->earliest_ns, 5 * 56 * 2 * SECOND);
	assert_int_equal(span->likely_ns, 6 * 56 * 2 * SECOND);
	assert_int_equal(load_ns(span), 6 * 56 * 2 * SECOND);
	plan_fixture_free(&made);
}

/* What can't be judged can't end early either. */
static void unjudgeable_rounds_run_to_the_end(void **state)
{
	struct plan_device device = plan_fixture_drive(786432, 512); /* no 1024 KiB block */
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);
	const struct plan_step *rounds = plan_fixture_step(made.plan, "rounds");

	(void)state;
	assert_false(rounds->judgeable);
	assert_int_equal(rounds->tracks[2].cell, -1);
	assert_int_equal(rounds->span.earliest_ns, 25 * 49 * MINUTE);
	plan_fixture_free(&made);
}

/* HIR: 55,800 s after preconditioning (digest 7). XSR: 22 h (digest 8). */
static void timed_programmes_are_exact(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("hir", SPEC_ENTERPRISE, NULL), &device, 0);
	uint64_t sum = 0;

	(void)state;
	for (unsigned i = 2; i < made.plan->step_count; i++) {
		assert_int_equal(made.plan->steps[i].span.earliest_ns,
				 load_ns(&made.plan->steps[i].span));
		assert_int_equal(made.plan->steps[i].timing, PLAN_BY_CLOCK);
		sum += load_ns(&made.plan->steps[i].span);
	}
	assert_int_equal(sum, 55800 * SECOND);
	assert_int_equal(plan_fixture_step(made.plan, "preconditioning")->span.earliest_ns,
			 5 * 30 * MINUTE);
	assert_int_equal(plan_fixture_step(made.plan, "preconditioning")->span.likely_ns,
			 8 * 30 * MINUTE);
	assert_int_equal(load_ns(&plan_fixture_step(made.plan, "preconditioning")->span),
			 25 * 30 * MINUTE);
	assert_false(made.plan->tests[0].fixed_time);
	plan_fixture_free(&made);
	made = plan_fixture_make(plan_fixture_read("xsr", SPEC_ENTERPRISE, NULL), &device, 0);
	sum = 0;
	for (unsigned i = 1; i < made.plan->step_count; i++)
		sum += load_ns(&made.plan->steps[i].span);
	assert_true(made.plan->tests[0].fixed_time);
	assert_int_equal(sum, 22 * 60 * MINUTE);
	plan_fixture_free(&made);
}

/* A round of CBW is 54 minutes: 5 of writes before it and 49 cells (digest 9). */
static void loads_before_rounds_count(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("cbw", SPEC_ENTERPRISE, NULL), &device, 500);
	const struct plan_step *demand = plan_fixture_step(made.plan, "demand");

	(void)state;
	assert_int_equal(demand->before_count, 1);
	assert_int_equal(demand->before[0].threads, 32);
	assert_int_equal(demand->span.earliest_ns, 5 * 54 * MINUTE);
	assert_int_equal(load_ns(&demand->span), 25 * 54 * MINUTE);
	/* 500 MB/s: 300 s of writes, 49 * 60 s with 60 % of them */
	assert_int_equal(demand->span.most_bytes,
			 25ull * 500000000 * 300 + 25ull * 49 * 500000000 * 60 / 10 * 6);
	plan_fixture_free(&made);
}

/* WSAT ends at the first of three: 4x capacity, 6 h, steady over 5 samples of 31 minutes. */
static void the_first_limit_ends_a_load(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("wsat", SPEC_ENTERPRISE, NULL), &device, 500);
	const struct plan_span *span = &plan_fixture_step(made.plan, "saturation")->span;

	(void)state;
	/* 4 * 480103981056 B at 500 MB/s are 3840.8 s: before the first window */
	assert_int_equal(load_ns(span) / SECOND, 3840);
	assert_int_equal(span->earliest_ns, load_ns(span));
	assert_int_equal(span->most_bytes, 4 * device.capacity_bytes);
	plan_fixture_free(&made);

	device.capacity_bytes = 30725893324800;
	made = plan_fixture_make(plan_fixture_read("wsat", SPEC_ENTERPRISE, NULL), &device,
				 500);
	span = &plan_fixture_step(made.plan, "saturation")->span;
	assert_int_equal(span->earliest_ns, 5 * 31 * MINUTE);
	assert_int_equal(span->likely_ns, 8 * 31 * MINUTE);
	assert_int_equal(load_ns(span), 360 * MINUTE);
	/* never more than six hours write at that rate */
	assert_int_equal(span->most_bytes, 6ull * 3600 * 500000000);
	plan_fixture_free(&made);
}

/* An amount counts what is written: a load of 35 % writes takes longer for it. */
static void mixed_loads_take_longer_to_write_an_amount(void **state)
{
	struct plan_device device = plan_fixture_drive(1000000000000 / 512 * 512, 512);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("wsat", SPEC_ENTERPRISE, "workload=oltp;stop_time=600h"),
		&device, 1000);
	const struct plan_span *span = &plan_fixture_step(made.plan, "saturation")->span;

	(void)state;
	assert_int_equal(load_ns(span) / SECOND, (uint64_t)(4000 / 0.35));
	plan_fixture_free(&made);
}

/* B85, B56: a first answer without any assumption, and it says what it rests on. */
static void bounds_without_an_assumption(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	static const char *const transports[] = {"nvme", "sata", "sas",      "usb",
						 "loop", "",     "something"};
	double least = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(transports) / sizeof(transports[0]); i++) {
		struct plan_fixture made;
		const struct plan_span *span;
		unsigned said = 0;

		device.transport = transports[i];
		made = plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL),
					 &device, 0);
		span = &plan_fixture_step(made.plan, "WIPC")->span;
		assert_true(span->earliest_ns < span->likely_ns);
		assert_true(span->likely_ns < span->latest_ns);
		assert_true(made.plan->span.least_bytes >= 2 * device.capacity_bytes);
		assert_true(made.plan->span.least_bytes <= made.plan->span.likely_bytes);
		assert_true(made.plan->span.likely_bytes <= made.plan->span.most_bytes);
		for (unsigned n = 0; n < made.plan->note_count; n++)
			said += !strcmp(made.plan->notes[n].kind, "estimate");
		assert_int_equal(said, 3);
		if (!strcmp(transports[i], "sata"))
			least = made.plan->rates.least;
		plan_fixture_free(&made);
	}
	assert_true(least > 0);
}

static void totals_are_sums(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);

	(void)state;
	for (unsigned i = 0; i < PLAN_FIXTURE_SPECS; i++) {
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read(plan_fixture_specs[i], SPEC_CLIENT, NULL), &device,
			700);
		struct plan_span sum = {0};

		for (unsigned s = 0; s < made.plan->step_count; s++) {
			const struct plan_span *span = &made.plan->steps[s].span;

			assert_true(span->earliest_ns <= span->likely_ns);
			assert_true(span->likely_ns <= span->latest_ns);
			assert_true(span->least_bytes <= span->likely_bytes);
			assert_true(span->likely_bytes <= span->most_bytes);
			sum.earliest_ns += span->earliest_ns;
			sum.latest_ns += span->latest_ns;
			sum.most_bytes += span->most_bytes;
		}
		assert_int_equal(sum.earliest_ns, made.plan->span.earliest_ns);
		assert_int_equal(sum.latest_ns, made.plan->span.latest_ns);
		assert_int_equal(sum.most_bytes, made.plan->span.most_bytes);
		assert_true(sum.latest_ns > 0);
		plan_fixture_free(&made);
	}
}

/* Beyond 64 bits is an error, never a small number. */
static void overflow_is_refused(void **state)
{
	static const uint64_t refused[] = {1ull << 62, 1ull << 63, UINT64_MAX,
					   (1ull << 63) - 4096};
	struct pts_err err;

	(void)state;
	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct plan_device device = plan_fixture_drive(refused[i], 4096);

		err = plan_fixture_refused(plan_fixture_read("iops", SPEC_ENTERPRISE, NULL),
					   &device, -ERANGE);
		assert_int_equal(err.exit, PTS_EXIT_SPEC);
		err = plan_fixture_refused(plan_fixture_read("wsat", SPEC_ENTERPRISE, NULL),
					   &device, -ERANGE);
		assert_non_null(strstr(err.text, "saturation"));
	}
	for (unsigned bits = 20; bits < 57; bits++) {
		struct plan_device device = plan_fixture_drive((1ull << bits) + 4096, 4096);
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 0);

		assert_int_equal(plan_fixture_step(made.plan, "WIPC")->cells[0].amount_bytes,
				 2 * device.capacity_bytes);
		assert_true(made.plan->span.most_bytes >= 2 * device.capacity_bytes);
		plan_fixture_free(&made);
	}
}

static void too_many_rounds_are_refused(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct spec *spec =
		plan_fixture_read("iops", SPEC_ENTERPRISE, "max_rounds=1000000;cell_time=24h");
	struct pts_err err = plan_fixture_refused(spec, &device, -ERANGE);

	(void)state;
	assert_int_equal(err.exit, PTS_EXIT_SPEC);
	assert_non_null(strstr(err.text, "580 years"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_of_capacities_and_rates),
		cmocka_unit_test(rounds_are_exact),
		cmocka_unit_test(unjudgeable_rounds_run_to_the_end),
		cmocka_unit_test(timed_programmes_are_exact),
		cmocka_unit_test(loads_before_rounds_count),
		cmocka_unit_test(the_first_limit_ends_a_load),
		cmocka_unit_test(mixed_loads_take_longer_to_write_an_amount),
		cmocka_unit_test(bounds_without_an_assumption),
		cmocka_unit_test(totals_are_sums),
		cmocka_unit_test(overflow_is_refused),
		cmocka_unit_test(too_many_rounds_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
