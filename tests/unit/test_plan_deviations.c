/* What departs from the standard before anything has run, and what does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_fixture.h"

#define CAPACITY 480103981056

static const struct plan_deviation *deviation(const struct plan *plan, const char *what)
{
	for (unsigned i = 0; i < plan->deviation_count; i++)
		if (!strcmp(plan->deviations[i].what, what))
			return &plan->deviations[i];
	fail_msg("no deviation '%s'", what);
	return NULL;
}

static struct plan_fixture made_for(const struct plan_device *device, const char *sets)
{
	return plan_fixture_make(plan_fixture_read("iops", SPEC_ENTERPRISE, sets), device, 0);
}

static void a_drive_as_asked_deviates_in_nothing(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);

	(void)state;
	for (unsigned i = 0; i < PLAN_FIXTURE_SPECS; i++)
		for (int mode = 0; mode < SPEC_MODES; mode++) {
			struct plan_fixture made =
				plan_fixture_make(plan_fixture_read(plan_fixture_specs[i],
								    (enum spec_mode)mode, NULL),
						  &device, 0);

			assert_int_equal(made.plan->deviation_count, 0);
			assert_true(made.plan->tests[0].applicable);
			plan_fixture_free(&made);
		}
}

static void fixed_values_are_deviations(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);
	struct plan_fixture made =
		made_for(&device, "cell_time=2s;active_range=50%;fill_amount=1x capacity");
	const struct plan_deviation *time = deviation(made.plan, "cell_time");

	(void)state;
	assert_int_equal(made.plan->deviation_count, 3);
	assert_string_equal(time->test, "iops");
	assert_string_equal(time->clause, "7.2");
	assert_string_equal(time->required, "60s");
	assert_string_equal(time->actual, "2s");
	assert_string_equal(time->reason, "--set cell_time=2s");
	assert_string_equal(deviation(made.plan, "active_range")->required, "100%");
	assert_string_equal(deviation(made.plan, "fill_amount")->actual, "1x capacity");
	plan_fixture_free(&made);
}

/* Setting a value to what the standard says changes nothing. */
static void the_standards_own_value_is_none(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);
	struct plan_fixture made = made_for(&device, "cell_time=60s;threads=4;max_rounds=25");

	(void)state;
	assert_int_equal(made.plan->deviation_count, 0);
	for (unsigned i = 0; i < made.plan->note_count; i++)
		assert_string_not_equal(made.plan->notes[i].kind, "recommended");
	plan_fixture_free(&made);
}

static void recommended_values_are_notes(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);
	struct plan_fixture made = made_for(&device, "threads=2;queue_depth=16");
	unsigned said = 0;

	(void)state;
	assert_int_equal(made.plan->deviation_count, 0);
	for (unsigned i = 0; i < made.plan->note_count; i++) {
		const struct plan_note *note = &made.plan->notes[i];

		if (strcmp(note->kind, "recommended") != 0)
			continue;
		said++;
		assert_string_equal(note->test, "iops");
		assert_string_equal(note->clause, "7.2");
		if (!strcmp(note->what, "threads"))
			assert_string_equal(note->text,
					    "2 instead of the recommended 4 (--set threads=2)");
		else
			assert_string_equal(note->what, "queue_depth");
	}
	assert_int_equal(said, 2);
	plan_fixture_free(&made);
}

static void free_values_are_neither(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);
	struct plan_fixture made = made_for(&device, "on_unsteady=continue"), plain;

	(void)state;
	plain = made_for(&device, NULL);
	assert_int_equal(made.plan->deviation_count, 0);
	assert_int_equal(made.plan->note_count, plain.plan->note_count);
	assert_int_equal(plan_fixture_step(made.plan, "rounds")->on_unsteady, SPEC_CONTINUE);
	plan_fixture_free(&made);
	plan_fixture_free(&plain);
}

static void no_purge_of_the_standard_always_is(void **state)
{
	static const char *const methods[] = {"discard", "zeroes", "none"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct plan_device device = plan_fixture_drive(CAPACITY, 512);
		struct plan_fixture made;

		device.purge_name = methods[i];
		device.purge_is_pts = false;
		made = made_for(&device, NULL);
		assert_int_equal(made.plan->deviation_count, 1);
		assert_string_equal(deviation(made.plan, "purge")->clause, "3.2");
		assert_string_equal(deviation(made.plan, "purge")->actual, methods[i]);
		plan_fixture_free(&made);
		/* each test that purges says so on its own pages */
		made = plan_fixture_make(plan_fixture_read("tp", SPEC_ENTERPRISE, NULL),
					 &device, 0);
		assert_int_equal(plan_fixture_deviations(made.plan, "purge"), 1);
		plan_fixture_free(&made);
	}
}

/* PTS-E asks for a disabled cache, PTS-C for an enabled one. */
static void a_cache_that_is_not_as_asked(void **state)
{
	static const struct {
		const char *now;
		bool can_set;
		bool deviates[SPEC_MODES];
		const char *actual;
	} cases[] = {
		{"write back", true, {false, false}, NULL},
		{"", true, {false, false}, NULL},
		{"write back", false, {true, false}, "enabled"},
		{"write through", false, {false, true}, "disabled"},
		{"", false, {true, true}, "unknown"},
		{"odd", false, {true, true}, "unknown"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int mode = 0; mode < SPEC_MODES; mode++) {
			struct plan_device device = plan_fixture_drive(CAPACITY, 512);
			struct plan_fixture made;

			device.write_cache = cases[i].now;
			device.can_set_write_cache = cases[i].can_set;
			made = plan_fixture_make(
				plan_fixture_read("iops", (enum spec_mode)mode, NULL), &device,
				0);
			assert_int_equal(plan_fixture_deviations(made.plan, "write_cache"),
					 cases[i].deviates[mode]);
			if (cases[i].deviates[mode])
				assert_string_equal(deviation(made.plan, "write_cache")->actual,
						    cases[i].actual);
			plan_fixture_free(&made);
		}
}

/* A workload asks for no state of the cache. */
static void a_workload_asks_for_no_cache(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);
	struct plan_fixture made;

	(void)state;
	device.write_cache = "";
	device.can_set_write_cache = false;
	made = plan_fixture_make(plan_fixture_read("workloads/oltp", SPEC_ENTERPRISE, NULL),
				 &device, 0);
	assert_int_equal(made.plan->deviation_count, 0);
	plan_fixture_free(&made);
}

static void what_is_no_drive(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 512);
	struct plan_fixture made;

	(void)state;
	device.kind = "file";
	made = made_for(&device, NULL);
	assert_string_equal(deviation(made.plan, "device under test")->actual,
			    "a regular file");
	plan_fixture_free(&made);
	device.kind = "block";
	device.is_virtual = true;
	device.transport = "loop";
	made = made_for(&device, NULL);
	assert_string_equal(deviation(made.plan, "device under test")->actual,
			    "a virtual device (loop)");
	plan_fixture_free(&made);
}

static void columns_that_cannot_run(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 4096);
	struct plan_fixture made = made_for(&device, NULL);
	const struct plan_note *cells = NULL;

	(void)state;
	/* disclosed, and no deviation: no drive with such LBAs could comply otherwise */
	assert_int_equal(made.plan->deviation_count, 0);
	for (unsigned i = 0; i < made.plan->note_count; i++)
		if (!strcmp(made.plan->notes[i].kind, "not_applicable"))
			cells = &made.plan->notes[i];
	assert_non_null(cells);
	assert_string_equal(cells->what, "cells of 'rounds'");
	assert_string_equal(cells->text,
			    "7 of 56 not applicable: block smaller than one LBA (4096 B)");
	plan_fixture_free(&made);
}

static void a_track_that_cannot_run(void **state)
{
	struct plan_device device = plan_fixture_drive(786432, 512);
	struct plan_fixture made = made_for(&device, NULL);
	const struct plan_deviation *track = deviation(made.plan, "tracking variable");

	(void)state;
	assert_string_equal(track->required, "RND 1024KiB 100/0");
	assert_non_null(strstr(track->reason, "can't be judged"));
	plan_fixture_free(&made);
}

/* Many overrides at once: the list grows and keeps its order. */
static void many_deviations(void **state)
{
	struct plan_device device = plan_fixture_drive(CAPACITY, 4096);
	struct spec *specs[8];
	const struct spec *list[8];
	struct pts_err err = PTS_ERR_INIT;
	struct plan *plan;
	unsigned last = 0;

	(void)state;
	device.purge_is_pts = false;
	device.can_set_write_cache = false;
	device.is_virtual = true;
	for (unsigned i = 0; i < 8; i++)
		list[i] = specs[i] =
			plan_fixture_read(plan_fixture_specs[i], SPEC_ENTERPRISE, NULL);
	assert_int_equal(plan_make(list, 8, &device, NULL, &plan, &err), 0);
	assert_true(plan->deviation_count > 8 * 3);
	for (unsigned i = 0; i < plan->deviation_count; i++) {
		unsigned test = 0;

		while (strcmp(plan->tests[test].name, plan->deviations[i].test) != 0)
			test++;
		assert_true(test >= last);
		last = test;
		assert_true(plan->deviations[i].required[0] && plan->deviations[i].actual[0] &&
			    plan->deviations[i].reason[0]);
	}
	assert_int_equal(last, 7);
	assert_int_equal(plan->test_count, 8);
	for (unsigned i = 0; i < plan->step_count; i++)
		assert_int_equal(plan->steps[i].index, i);
	plan_free(plan);
	for (unsigned i = 0; i < 8; i++)
		spec_free(specs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drive_as_asked_deviates_in_nothing),
		cmocka_unit_test(fixed_values_are_deviations),
		cmocka_unit_test(the_standards_own_value_is_none),
		cmocka_unit_test(recommended_values_are_notes),
		cmocka_unit_test(free_values_are_neither),
		cmocka_unit_test(no_purge_of_the_standard_always_is),
		cmocka_unit_test(a_cache_that_is_not_as_asked),
		cmocka_unit_test(a_workload_asks_for_no_cache),
		cmocka_unit_test(what_is_no_drive),
		cmocka_unit_test(columns_that_cannot_run),
		cmocka_unit_test(a_track_that_cannot_run),
		cmocka_unit_test(many_deviations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
