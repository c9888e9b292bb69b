/*
 * Stops and kills at every kind of place, and what a resume makes of them: B20. Each combination
 * ends in a store that is whole, verified and says where it was cut.
 */
#include "run_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pts_hash.h"

#define CELLS  4
#define ROUNDS 4
#define BYTES  (4 * MIB + 512)

/* Four rounds that can't be steady. */
static const char *const overrides[] = {"range=0.000001%", "cell_time=30ms", "max_rounds=4",
					NULL};

/* Where it is cut, and what must be true after the resume. */
struct place {
	const char *name;
	enum run_event_kind kind;
	unsigned round, cell;
	unsigned stop_cuts, kill_cuts; /* a kill takes the cell that is not committed yet */
	unsigned fresh_rounds;
	bool gap_deviation;
};

static const struct place places[] = {
	{"begin", RUN_BEGIN, 0, 0, 0, 0, 0, false},
	{"before the purge", RUN_STEP_BEGIN, 0, 0, 0, 0, 0, false},
	{"in the fill", RUN_CELL_BEGIN, 0, 0, 0, 0, 0, true},
	{"before round 1", RUN_ROUND_BEGIN, 1, 0, 0, 0, 0, true},
	{"in the first cell", RUN_CELL_BEGIN, 1, 0, 0, 0, 0, true},
	{"behind a cell of round 1", RUN_CELL_END, 1, 1, 1, 1, 0, true},
	{"behind round 1", RUN_ROUND_END, 1, 0, 0, 0, 1, true},
	{"before round 3", RUN_ROUND_BEGIN, 3, 0, 0, 0, 1, true},
	{"in round 3", RUN_CELL_BEGIN, 3, 2, 1, 1, 1, true},
	{"behind the last cell of round 3", RUN_CELL_END, 3, 3, 0, 1, 1, true},
	{"behind the last round", RUN_ROUND_END, ROUNDS, 0, 0, 0, 0, false},
};

static void expect_whole(const struct place *place, const struct told *told)
{
	print_message("%s: %u valid rounds, %u cut, %u cells\n", place->name,
		      told->valid_rounds, told->cut_rounds, told->cells);
	assert_int_equal(told->state, STORE_DONE);
	assert_string_equal(told->outcome[2], "not steady");
	assert_int_equal(told->valid_rounds, ROUNDS);
	assert_int_equal(told->cells, ROUNDS * CELLS);
	assert_int_equal(told->fresh_rounds, place->fresh_rounds);
	assert_int_equal(told->loads, 1);
	assert_int_equal(told->load_bytes, BYTES);
	assert_true(told->windows_whole);
	assert_int_equal(told->first_gaps, 0);
	assert_int_equal(told->same_seeds, 0);
	assert_int_equal(told->resumed, 1);
	assert_int_equal(told->gap_deviations, place->gap_deviation);
	assert_int_equal(told->verify_differences, 0);
}

static void stop_and_resume(const struct place *place)
{
	struct scene scene;
	struct told told;

	scene_begin(&scene, BYTES, overrides);
	scene.options.backend = "psync";
	scene.hook = hook_stop;
	scene.at_kind = place->kind;
	scene.at_round = place->round;
	scene.at_cell = place->cell;
	assert_int_equal(scene_run(&scene), 0);
	assert_true(scene.acted);
	scene_told(&scene, &told);
	/* behind the last round there is nothing left to stop */
	if (place->kind != RUN_ROUND_END || place->round != ROUNDS) {
		assert_int_equal(scene.outcome.exit, PTS_EXIT_RESUMABLE);
		assert_int_equal(told.state, STORE_STOPPED);
		assert_int_equal(told.exit_code, PTS_EXIT_RESUMABLE);
		assert_int_equal(told.stopped, 1);
		assert_int_equal(told.verify_differences, 0);
		scene.options.backend = NULL;
		scene.options.identity = NULL; /* the stored one must do */
		assert_int_equal(scene_resume(&scene), 0);
		assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
		scene_told(&scene, &told);
		assert_int_equal(told.cut_rounds, place->stop_cuts);
		assert_string_equal(told.backend, "psync");
		expect_whole(place, &told);
	}
	scene_end(&scene);
}

static void stopped_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		stop_and_resume(&places[i]);
}

static void hook_purge(struct scene *scene, const struct run_event *event)
{
	if (event->kind == RUN_PROGRESS && !strcmp(event->phase, "purge")) {
		assert_false(scene->acted); /* no piece more behind the stop */
		assert_true(event->done_share < 1);
		scene->acted = true;
		run_request_stop(SIGTERM);
	}
}

/* A long purge ends with the stop, not at its own end, and is done again as a whole. */
static void stopped_in_the_purge(void **state)
{
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, 3072 * MIB, overrides);
	scene.hook = hook_purge;
	assert_int_equal(scene_run(&scene), 0);
	assert_true(scene.acted);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_RESUMABLE);
	scene_told(&scene, &told);
	assert_string_equal(told.outcome[0], "stopped");
	assert_int_equal(told.purges, 0);
	/* done again from its beginning: stopped in the fill, which would take long here */
	scene.hook = hook_stop;
	scene.acted = false;
	scene.at_kind = RUN_CELL_BEGIN;
	assert_int_equal(scene_resume(&scene), 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_RESUMABLE);
	scene_told(&scene, &told);
	assert_string_equal(told.outcome[0], "done");
	assert_int_equal(told.purges, 1);
	assert_int_equal(told.loads, 0);
	assert_int_equal(told.verify_differences, 0);
	scene_end(&scene);
}

static void kill_and_resume(const struct place *place)
{
	struct scene scene;
	struct told told;
	int status;

	scene_begin(&scene, BYTES, overrides);
	scene.hook = hook_kill;
	scene.at_kind = place->kind;
	scene.at_round = place->round;
	scene.at_cell = place->cell;
	status = scene_fork(&scene, scene_run);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	/* the fork took the hook's memory with it */
	scene.hook = NULL;
	scene_told(&scene, &told);
	assert_int_equal(told.state, STORE_RUNNING);
	assert_int_equal(told.cells % CELLS, 0); /* whole rounds only */
	assert_int_equal(told.verify_differences, 0);
	if (scene_resume(&scene) < 0)
		fail_msg("%s: %s", place->name, scene.err.text);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
	scene_told(&scene, &told);
	assert_int_equal(told.cut_rounds, place->kill_cuts);
	expect_whole(place, &told);
	scene_end(&scene);
}

static void killed_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		kill_and_resume(&places[i]);
}

/* Killed between the round that was steady and the end of its step: no round more. */
static void a_steady_loop_is_not_run_again(void **state)
{
	static const char *const easy[] = {"cell_time=60ms", "max_rounds=25", NULL};
	struct scene scene;
	struct told before, after;

	(void)state;
	scene_begin(&scene, BYTES, easy);
	scene.hook = hook_kill;
	scene.at_kind = RUN_ROUND_END;
	for (unsigned round = 2;; round++) {
		int status;

		scene.at_round = round;
		status = scene_fork(&scene, round == 2 ? scene_run : scene_resume);
		assert_true(WIFSIGNALED(status) && round < 25);
		scene_told(&scene, &before);
		assert_int_equal(before.valid_rounds, round);
		if (before.last_steady_first != (int)round - 1)
			continue; /* the window was cut: nothing was judged */
		break;
	}
	scene.hook = NULL;
	assert_int_equal(scene_resume(&scene), 0);
	scene_told(&scene, &after);
	if (scene.outcome.exit == PTS_EXIT_GOOD && !strcmp(after.outcome[2], "steady") &&
	    after.valid_rounds == before.valid_rounds)
		print_message("round %u was steady and stayed the last\n", before.valid_rounds);
	else
		assert_true(after.valid_rounds > before.valid_rounds);
	assert_int_equal(after.verify_differences, 0);
	assert_true(after.windows_whole);
	scene_end(&scene);
}

/* Stopped twice in the same round, and once more later: every attempt has seeds of its own. */
static void stopped_again_and_again(void **state)
{
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, BYTES, overrides);
	scene.hook = hook_stop;
	scene.at_kind = RUN_CELL_BEGIN;
	scene.at_round = 2;
	scene.at_cell = 2;
	assert_int_equal(scene_run(&scene), 0);
	for (int i = 0; i < 3; i++) {
		scene.acted = false;
		scene.at_round = i < 2 ? 2 : 3;
		assert_int_equal(scene_resume(&scene), 0);
		assert_int_equal(scene.outcome.exit, PTS_EXIT_RESUMABLE);
	}
	scene.hook = NULL;
	assert_int_equal(scene_resume(&scene), 0);
	scene_told(&scene, &told);
	assert_int_equal(told.valid_rounds, ROUNDS);
	assert_int_equal(told.cells, ROUNDS * CELLS);
	assert_int_equal(told.cut_rounds, 4);
	assert_int_equal(told.resumed, 4);
	assert_int_equal(told.gap_deviations, 4);
	assert_int_equal(told.same_seeds, 0);
	assert_true(told.windows_whole);
	assert_int_equal(told.verify_differences, 0);
	scene_end(&scene);
}

static void stop_on_signal(int signal_number)
{
	run_request_stop(signal_number);
}

static int run_with_handler(struct scene *scene)
{
	struct sigaction action = {.sa_handler = stop_on_signal};

	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	return scene_run(scene);
}

/*
 * A signal at any moment ends it, also between the last look and the start of a job that would
 * last an hour: a lost one would hang here.
 */
static void no_signal_is_lost(void **state)
{
	static const char *const hour[] = {"cell_time=1h", NULL};
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < 25; i++) {
		struct timespec wait = {.tv_nsec = (long)(pts_splitmix64(&seed) % 60000000)};
		struct scene scene;
		int status = 0;
		pid_t child;

		scene_begin(&scene, 2 * MIB, hour);
		signal(SIGTERM, SIG_IGN); /* until the child has its handler */
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			run_with_handler(&scene);
			_exit((int)scene.outcome.exit);
		}
		signal(SIGTERM, SIG_DFL);
		while (!scene_has_store(&scene) && waitpid(child, &status, WNOHANG) == 0)
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		nanosleep(&wait, NULL);
		assert_int_equal(kill(child, SIGTERM), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), PTS_EXIT_RESUMABLE);
		scene_end(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopped_anywhere),
		cmocka_unit_test(stopped_in_the_purge),
		cmocka_unit_test(killed_anywhere),
		cmocka_unit_test(a_steady_loop_is_not_run_again),
		cmocka_unit_test(stopped_again_and_again),
		cmocka_unit_test(no_signal_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
