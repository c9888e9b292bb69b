/* What a resume refuses: another drive, another plan, no run, a finished one. B07, B10. */
#include "run_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pts_hash.h"
#include "pts_text.h"

static const char *const overrides[] = {"range=0.000001%", "cell_time=20ms", "max_rounds=3",
					NULL};

static void hash_of(const char *path, char ret_text[PTS_SHA256_TEXT])
{
	char *data;
	size_t bytes;

	assert_int_equal(pts_file_read(path, 64 * MIB, &data, &bytes), 0);
	pts_sha256_text(data, bytes, ret_text);
	free(data);
}

/* A run that was stopped in round 2. */
static void stopped(struct scene *scene)
{
	scene_begin(scene, 2 * MIB, overrides);
	scene->options.backend = "psync";
	scene->hook = hook_stop;
	scene->at_kind = RUN_CELL_BEGIN;
	scene->at_round = 2;
	scene->at_cell = 1;
	assert_int_equal(scene_run(scene), 0);
	assert_int_equal(scene->outcome.exit, PTS_EXIT_RESUMABLE);
	scene->hook = NULL;
}

static void expect_refused(struct scene *scene, enum pts_exit code, const char *word)
{
	struct told told;

	scene->events[RUN_STEP_BEGIN] = 0;
	assert_true(scene_resume(scene) < 0);
	if (scene->err.exit != code || !strstr(scene->err.text, word))
		fail_msg("exit %d: '%s'", scene->err.exit, scene->err.text);
	assert_int_equal(scene->outcome.exit, code);
	assert_int_equal(scene->events[RUN_STEP_BEGIN], 0);
	scene_told(scene, &told);
	assert_int_equal(told.state, STORE_STOPPED);
	assert_int_equal(told.resumed, 0);
}

static void make_file(const char *path, unsigned char byte, size_t bytes)
{
	unsigned char *data = malloc(bytes);

	assert_non_null(data);
	memset(data, byte, bytes);
	assert_int_equal(pts_file_write(path, data, bytes), 0);
	free(data);
}

static void another_drive_at_the_same_path(void **state)
{
	char before[PTS_SHA256_TEXT], after[PTS_SHA256_TEXT], kept[128];
	struct scene scene;

	(void)state;
	stopped(&scene);
	snprintf(kept, sizeof(kept), "%s.kept", scene.file);
	assert_int_equal(rename(scene.file, kept), 0);
	/* gone: nothing is made under that name */
	expect_refused(&scene, PTS_EXIT_SAFETY, "is not here");
	assert_true(access(scene.file, F_OK) != 0);
	/* another one of the same size */
	make_file(scene.file, 0x3c, 2 * MIB);
	hash_of(scene.file, before);
	expect_refused(&scene, PTS_EXIT_SAFETY, "is not here");
	hash_of(scene.file, after);
	assert_string_equal(before, after);
	/* and the right one again: it goes on */
	assert_int_equal(rename(kept, scene.file), 0);
	assert_int_equal(scene_resume(&scene), 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
	scene_end(&scene);
}

static void another_size(void **state)
{
	struct scene scene;

	(void)state;
	stopped(&scene);
	assert_int_equal(truncate(scene.file, (off_t)(3 * MIB)), 0);
	expect_refused(&scene, PTS_EXIT_SAFETY, "begin a new run");
	assert_int_equal(truncate(scene.file, (off_t)MIB), 0);
	expect_refused(&scene, PTS_EXIT_SAFETY, "begin a new run");
	scene_end(&scene);
}

static void change_store(const struct scene *scene, const char *sql)
{
	char path[128];
	sqlite3 *db;

	snprintf(path, sizeof(path), "%s/run.db", scene->out);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_changes(db), 1);
	sqlite3_close(db);
}

static void another_plan(void **state)
{
	struct scene scene;

	(void)state;
	stopped(&scene);
	change_store(&scene, "UPDATE run SET plan_sha256 = 'of another version'");
	expect_refused(&scene, PTS_EXIT_SPEC, "resume with version");
	scene_end(&scene);
	/* an override that was not stored as it was given changes the plan too */
	stopped(&scene);
	change_store(&scene, "UPDATE test SET overrides_json = "
			     "replace(overrides_json, '20ms', '21ms')");
	expect_refused(&scene, PTS_EXIT_SPEC, "another plan");
	scene_end(&scene);
}

static void a_spec_that_is_no_longer_one(void **state)
{
	static const char *const changes[] = {
		"UPDATE test SET spec_text = 'title: Small'",
		"UPDATE test SET spec_text = ''",
		"UPDATE test SET overrides_json = '[1]'",
		"UPDATE test SET overrides_json = '{'",
		"UPDATE test SET overrides_json = '{\"cell_time\": 5}'",
		"UPDATE test SET overrides_json = '{\"no_such\": \"5\"}'",
		"UPDATE test SET mode = 'both'",
	};
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		stopped(&scene);
		change_store(&scene, changes[i]);
		assert_true(scene_resume(&scene) < 0);
		print_message("%s\n", scene.err.text);
		assert_true(scene.err.text[0] != '\0');
		assert_true(scene.err.exit == PTS_EXIT_SPEC ||
			    scene.err.exit == PTS_EXIT_USAGE);
		scene_end(&scene);
	}
}

static void no_run_at_all(void **state)
{
	struct scene scene;
	char path[128];

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	assert_true(scene_resume(&scene) < 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_USAGE);
	assert_int_equal(entries(scene.out), -1);
	assert_true(run_resume(scene.folder, &scene.options, &scene.outcome, &scene.err) < 0);
	pts_err_clear(&scene.err);
	snprintf(path, sizeof(path), "%s/run.db", scene.folder);
	assert_int_equal(pts_file_write(path, "no database", 11), 0);
	run_outcome_release(&scene.outcome);
	assert_true(run_resume(scene.folder, &scene.options, &scene.outcome, &scene.err) < 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_SPEC);
	scene_end(&scene);
}

static void a_finished_run_is_left_alone(void **state)
{
	char before[2][PTS_SHA256_TEXT], after[2][PTS_SHA256_TEXT], path[128];
	struct scene scene;

	(void)state;
	scene_begin(&scene, 2 * MIB, overrides);
	assert_int_equal(scene_run(&scene), 0);
	snprintf(path, sizeof(path), "%s/run.db", scene.out);
	hash_of(scene.file, before[0]);
	hash_of(path, before[1]);
	memset(scene.events, 0, sizeof(scene.events));
	assert_int_equal(scene_resume(&scene), 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
	assert_int_equal(scene.outcome.tests_not_steady, 1);
	assert_non_null(strstr(scene.last_note, "nothing to resume"));
	assert_int_equal(scene.events[RUN_BEGIN] + scene.events[RUN_STEP_BEGIN], 0);
	hash_of(scene.file, after[0]);
	hash_of(path, after[1]);
	assert_string_equal(before[0], after[0]);
	assert_string_equal(before[1], after[1]);
	assert_int_equal(entries(scene.out), 1); /* no journal is left beside it */
	scene_end(&scene);
}

/* The place between the last step and the seal: only the end was missing. */
static void only_the_seal_is_missing(void **state)
{
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, 2 * MIB, overrides);
	assert_int_equal(scene_run(&scene), 0);
	change_store(&scene, "UPDATE run SET state = 'running', exit_code = NULL");
	assert_int_equal(scene_resume(&scene), 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_VERDICT);
	scene_told(&scene, &told);
	assert_int_equal(told.state, STORE_DONE);
	assert_int_equal(told.valid_rounds, 3);
	assert_int_equal(told.resumed, 1);
	assert_int_equal(told.verify_differences, 0);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_drive_at_the_same_path),
		cmocka_unit_test(another_size),
		cmocka_unit_test(another_plan),
		cmocka_unit_test(a_spec_that_is_no_longer_one),
		cmocka_unit_test(no_run_at_all),
		cmocka_unit_test(a_finished_run_is_left_alone),
		cmocka_unit_test(only_the_seal_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
