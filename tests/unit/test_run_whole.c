/* Whole runs: what stands in the store is rounds x cells, judged, with gaps, seeds and facts. */
#include "run_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "pts_text.h"

#define CELLS 4 /* of a round of the small spec */

static void expect_sound(const struct told *told)
{
	assert_int_equal(told->first_gaps, 0);
	assert_int_equal(told->no_gaps, 0);
	assert_int_equal(told->same_seeds, 0);
	assert_true(told->windows_whole);
	assert_true(told->verify_checked > 50);
	assert_int_equal(told->verify_differences, 0);
}

static void run_to_the_end(const char *backend)
{
	struct scene scene;
	struct told told;

	scene_begin(&scene, 8 * MIB + 4096, NULL);
	scene.options.backend = backend;
	if (scene_run(&scene) < 0)
		fail_msg("%s", scene.err.text);
	scene_told(&scene, &told);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_GOOD);
	assert_int_equal(scene.outcome.tests_steady, 1);
	assert_int_equal(scene.outcome.tests_not_steady, 0);
	assert_int_equal(told.state, STORE_DONE);
	assert_int_equal(told.exit_code, 0);
	assert_string_equal(told.backend, backend);
	assert_string_equal(told.outcome[0], "done");
	assert_string_equal(told.outcome[1], "done");
	assert_string_equal(told.outcome[2], "steady");
	assert_in_range(told.valid_rounds, 2, 8);
	assert_int_equal(told.cells, told.valid_rounds * CELLS);
	assert_int_equal(told.invalid_cells, 0);
	/* preconditioning: one row, to the last LBA */
	assert_int_equal(told.loads, 1);
	assert_int_equal(told.load_bytes, 8 * MIB + 4096);
	/* a row for each track and window end */
	assert_int_equal(told.steady_rows, 2 * (told.valid_rounds - 1));
	assert_int_equal(told.purges, 1);
	assert_int_equal(told.cut_rounds + told.fresh_rounds + told.resumed + told.stopped, 0);
	assert_int_equal(told.gap_deviations, 0);
	for (int i = 0; i < 4; i++)
		assert_true(told.facts[i] > 3);
	assert_int_equal(told.facts[0], told.facts[1]);
	expect_sound(&told);
	assert_int_equal(scene.events[RUN_BEGIN], 1);
	assert_int_equal(scene.events[RUN_END], 1);
	assert_int_equal(scene.events[RUN_STEP_BEGIN], 3);
	assert_int_equal(scene.events[RUN_STEP_END], 3);
	assert_int_equal(scene.events[RUN_ROUND_BEGIN], told.valid_rounds);
	assert_int_equal(scene.events[RUN_ROUND_END], told.valid_rounds);
	assert_int_equal(scene.events[RUN_CELL_BEGIN], told.cells + 1);
	assert_int_equal(scene.events[RUN_CELL_END], told.cells + 1);
	print_message("%s: %u rounds, %u cells, largest gap %llu us, %llu figures verified\n",
		      backend, told.valid_rounds, told.cells,
		      (unsigned long long)told.max_gap_ns / 1000,
		      (unsigned long long)told.verify_checked);
	scene_end(&scene);
}

static void steady_by_psync(void **state)
{
	(void)state;
	run_to_the_end("psync");
}

static void steady_by_uring(void **state)
{
	(void)state;
	run_to_the_end("uring");
}

/* B19: the last allowed round ends it with a verdict, not with a crash or with silence. */
static void not_steady_after_the_last_round(void **state)
{
	static const char *const overrides[] = {"range=0.000001%", "cell_time=20ms",
						"max_rounds=4", NULL};
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, 2 * MIB, overrides);
	assert_int_equal(scene_run(&scene), 0);
	scene_told(&scene, &told);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
	assert_int_equal(scene.outcome.tests_not_steady, 1);
	assert_int_equal(told.state, STORE_DONE);
	assert_int_equal(told.exit_code, PTS_EXIT_VERDICT);
	assert_string_equal(told.outcome[2], "not steady");
	assert_int_equal(told.valid_rounds, 4);
	assert_int_equal(told.cells, 4 * CELLS);
	assert_int_equal(told.last_steady_first, 3); /* the last window is the one to report */
	expect_sound(&told);
	scene_end(&scene);
}

static void goes_on_when_told_to(void **state)
{
	static const char *const overrides[] = {"range=0.000001%", "cell_time=20ms",
						"max_rounds=2", "on_unsteady=continue", NULL};
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, 2 * MIB, overrides);
	scene.hook = hook_stop;
	scene.at_kind = RUN_ROUND_END;
	scene.at_round = 5;
	assert_int_equal(scene_run(&scene), 0);
	scene_told(&scene, &told);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_RESUMABLE);
	assert_int_equal(told.valid_rounds, 5);
	assert_int_equal(told.state, STORE_STOPPED);
	expect_sound(&told);
	scene_end(&scene);
}

/*
 * B14: what can't run is a row with a reason; a tracked one leaves nothing to judge, and the loop
 * ends at its last round even if it was to go on until steady.
 */
static void a_tracked_cell_that_cannot_run(void **state)
{
	static const char *const overrides[] = {"second_block=4MiB", "cell_time=20ms",
						"max_rounds=2", "on_unsteady=continue", NULL};
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, 2 * MIB, overrides);
	assert_int_equal(scene_run(&scene), 0);
	scene_told(&scene, &told);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
	assert_string_equal(told.outcome[2], "not judged");
	assert_int_equal(told.valid_rounds, 2);
	assert_int_equal(told.cells, 2 * CELLS);
	assert_int_equal(told.invalid_cells, 2 * 2);
	assert_int_equal(told.steady_rows, 0);
	assert_int_equal(told.verify_differences, 0);
	assert_true(told.deviations > 0);
	scene_end(&scene);
}

static void the_same_seed_draws_the_same_cells(void **state)
{
	static const char *const overrides[] = {"range=0.000001%", "cell_time=20ms",
						"max_rounds=2", NULL};
	uint64_t seeds[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct pts_err err = PTS_ERR_INIT;
		const struct store_run *row;
		struct store *store;
		struct scene scene;

		scene_begin(&scene, 2 * MIB, overrides);
		scene.options.master_seed = i ? 0 : 4711;
		assert_int_equal(scene_run(&scene), 0);
		assert_int_equal(store_open(scene.outcome.store_path, STORE_READ, &store, &err),
				 0);
		assert_int_equal(store_get_run(store, &row, &err), 0);
		seeds[i] = row->master_seed;
		store_close(store);
		scene_end(&scene);
	}
	assert_int_equal(seeds[0], 4711);
	assert_true(seeds[1] != 0 && seeds[1] != 4711);
}

static void about_stands_in_the_store(void **state)
{
	static const char *const overrides[] = {"cell_time=20ms", NULL};
	static const char about[] = "operator: A. Tester\nsponsor: \"A Lab, Ltd.\"\n";
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, 2 * MIB, overrides);
	assert_int_equal(pts_file_write(scene.about, about, sizeof(about) - 1), 0);
	scene.options.about_path = scene.about;
	if (scene_run(&scene) < 0)
		fail_msg("%s", scene.err.text);
	scene_told(&scene, &told);
	assert_int_equal(told.about, 2);
	scene_end(&scene);
}

struct shares {
	double last;
	unsigned count;
};

static struct shares shares;

static void hook_progress(struct scene *scene, const struct run_event *event)
{
	(void)scene;
	if (event->kind == RUN_ROUND_BEGIN)
		shares.last = -1; /* of the round */
	if (event->kind != RUN_PROGRESS || strcmp(event->phase, "loop") != 0)
		return;
	assert_true(event->done_share >= 0 && event->done_share <= 1);
	assert_true(event->done_share > shares.last);
	assert_true(event->left_latest_ns >= event->left_likely_ns);
	assert_non_null(event->cell_label);
	shares.last = event->done_share;
	shares.count++;
}

static void progress_goes_forward(void **state)
{
	static const char *const overrides[] = {"cell_time=1300ms", "max_rounds=2",
						"range=0.000001%", NULL};
	struct scene scene;

	(void)state;
	shares = (struct shares){.last = -1};
	scene_begin(&scene, 2 * MIB, overrides);
	scene.hook = hook_progress;
	assert_int_equal(scene_run(&scene), 0);
	assert_true(shares.count >= CELLS);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_by_psync),
		cmocka_unit_test(steady_by_uring),
		cmocka_unit_test(not_steady_after_the_last_round),
		cmocka_unit_test(goes_on_when_told_to),
		cmocka_unit_test(a_tracked_cell_that_cannot_run),
		cmocka_unit_test(the_same_seed_draws_the_same_cells),
		cmocka_unit_test(about_stands_in_the_store),
		cmocka_unit_test(progress_goes_forward),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
