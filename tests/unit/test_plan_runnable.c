/*
 * What the run can't do is refused before the first write, by name: kinds of steps, and every
 * property of a workload that would get lost on the way to the engine.
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

static void check(struct plan_fixture *made, const char *step, const char *what)
{
	struct pts_err err = PTS_ERR_INIT;

	assert_int_equal(plan_runnable(made->plan, &err), -ENOTSUP);
	assert_int_equal(err.exit, PTS_EXIT_MISSING);
	if (!strstr(err.text, step) || !strstr(err.text, what) ||
	    !strstr(err.text, made->plan->tests[0].name) || strchr(err.text, '\n'))
		fail_msg("'%s' doesn't name '%s' and '%s'", err.text, step, what);
	plan_fixture_free(made);
}

static void the_basic_tests_run(void **state)
{
	static const char *const names[] = {"iops", "tp",    "lat",
					    "xsr",  "wsat",  "hir",
					    "cbw",  "dirth", "workloads/jesd219-enterprise"};
	struct plan_device device = plan_fixture_drive(480103981056, 512);

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (int mode = 0; mode < SPEC_MODES; mode++) {
			struct plan_fixture made = plan_fixture_make(
				plan_fixture_read(names[i], (enum spec_mode)mode, NULL),
				&device, 0);
			struct pts_err err = PTS_ERR_INIT;

			if (plan_runnable(made.plan, &err))
				fail_msg("%s: %s", names[i], err.text);
			assert_true(made.plan->threads_max > 0);
			assert_true(made.plan->queue_depth_max > 0);
			assert_true(made.plan->block_bytes_max >= 4096);
			plan_fixture_free(&made);
		}
}

static void kinds_that_the_run_lacks(void **state)
{
	static const struct {
		const char *name, *step, *what;
	} cases[] = {
		{"workloads/oltp", "'warm-up'", "read_hit"},
		{"workloads/vmfleet-curve", "'curve'", "a load curve"},
	};
	struct plan_device device = plan_fixture_drive(480103981056, 512);

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read(cases[i].name, SPEC_ENTERPRISE, NULL), &device, 0);

		check(&made, cases[i].step, cases[i].what);
	}
}

/* A load with one more line in its workload or step. */
static struct plan_fixture load_with(const char *workload, const char *step)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	char yaml[2000];

	snprintf(yaml, sizeof(yaml),
		 "title: made\n"
		 "workloads:\n"
		 "  w:\n"
		 "    threads: 2\n"
		 "    queue_depth: 4\n"
		 "    access: random\n"
		 "    rw_mix: 50/50\n"
		 "%s"
		 "steps:\n"
		 "%s"
		 "pages:\n"
		 "  - {kind: timeline, title: t, step: load, x: time, y: iops}\n",
		 workload, step);
	return plan_fixture_make(plan_fixture_text(yaml), &device, 0);
}

#define BLOCK "    block_size: 8KiB\n"
#define TIMED "  - load: {name: load, workload: w, until: {time: 1s}}\n"

static void a_plain_load_runs(void **state)
{
	static const char *const fine[] = {
		BLOCK,
		BLOCK "    align: 4KiB\n",
		BLOCK "    compressible: 50%\n",
		BLOCK "    duplicate: 20%\n",
		BLOCK "    active_range: 40%\n",
		BLOCK "    region: {start: 10%, share: 20%}\n",
		BLOCK "    zones: [{span: 10%, access: 90%}, {span: 90%, access: 10%}]\n",
		"    sizes: [{size: 4KiB, share: 70%}, {size: 8KiB, share: 30%}]\n",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
		struct plan_fixture made = load_with(fine[i], TIMED);
		struct pts_err err = PTS_ERR_INIT;

		if (plan_runnable(made.plan, &err))
			fail_msg("%s\n%s", fine[i], err.text);
		plan_fixture_free(&made);
	}
}

static void nothing_of_a_workload_gets_lost(void **state)
{
	static const struct {
		const char *workload, *step, *what;
	} cases[] = {
		{BLOCK "    read_hit: 20%\n", TIMED, "read_hit"},
		{BLOCK "    think_time: 1ms\n", TIMED, "think time"},
		{BLOCK "    segments: 2048\n    segment_share: 10%\n", TIMED, "segments"},
		{BLOCK "    rate: 1000 IOPS\n    arrivals: constant\n", TIMED, "a rate"},
		{"    read_sizes: [{size: 4KiB, share: 100%}]\n"
		 "    write_sizes: [{size: 8KiB, share: 100%}]\n",
		 TIMED, "by direction"},
		{BLOCK,
		 "  - load: {name: load, workload: w, until: {time: 1h, latency: 5ms}}\n",
		 "latency"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct plan_fixture made = load_with(cases[i].workload, cases[i].step);

		check(&made, "'load'", cases[i].what);
	}
}

static void other_kinds_are_named(void **state)
{
	static const struct {
		const char *step, *name, *what;
	} cases[] = {
		{"  - search: {name: search, workload: w, quantile: 99%, limit: 1ms, time: 1s, "
		 "warmup: 1s, points: 9}\n",
		 "'search'", "a search"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char steps[500];
		struct plan_fixture made;

		snprintf(steps, sizeof(steps), "%s%s", cases[i].step, TIMED);
		made = load_with(BLOCK, steps);
		check(&made, cases[i].name, cases[i].what);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_basic_tests_run),
		cmocka_unit_test(kinds_that_the_run_lacks),
		cmocka_unit_test(a_plain_load_runs),
		cmocka_unit_test(nothing_of_a_workload_gets_lost),
		cmocka_unit_test(other_kinds_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
