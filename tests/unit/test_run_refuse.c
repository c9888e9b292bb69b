/* A refused run: the reason is told, nothing is left in the folder, not a byte of the target is
 * changed. B01, B02, B88 and the contract of --out. */
#include "run_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pts_hash.h"
#include "pts_text.h"

static void hash_of(const char *path, char ret_text[PTS_SHA256_TEXT])
{
	char *data;
	size_t bytes;

	assert_int_equal(pts_file_read(path, 16 * MIB, &data, &bytes), 0);
	pts_sha256_text(data, bytes, ret_text);
	free(data);
}

/* Runs, and expects a refusal that leaves all as it was: the folder too. */
static void expect_refused(struct scene *scene, enum pts_exit code, const char *word,
			   int entries_after)
{
	char before[PTS_SHA256_TEXT], after[PTS_SHA256_TEXT];

	hash_of(scene->file, before);
	assert_true(scene_run(scene) < 0);
	assert_int_equal(scene->err.exit, code);
	assert_int_equal(scene->outcome.exit, code);
	if (!strstr(scene->err.text, word))
		fail_msg("'%s' does not say '%s'", scene->err.text, word);
	hash_of(scene->file, after);
	assert_string_equal(before, after);
	assert_int_equal(entries(scene->out), entries_after);
	assert_int_equal(scene->events[RUN_BEGIN] + scene->events[RUN_STEP_BEGIN], 0);
}

static void wrong_identity(void **state)
{
	struct scene scene;
	char longer[DEVICE_TEXT + 8];

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	scene.options.identity = "somebody else";
	expect_refused(&scene, PTS_EXIT_SAFETY, scene.facts.identity, -1);
	scene.options.identity = NULL;
	expect_refused(&scene, PTS_EXIT_SAFETY, "--destroy", -1);
	scene.options.identity = "";
	expect_refused(&scene, PTS_EXIT_SAFETY, "--destroy", -1);
	snprintf(longer, sizeof(longer), "%s ", scene.facts.identity);
	scene.options.identity = longer;
	expect_refused(&scene, PTS_EXIT_SAFETY, "not", -1);
	scene_end(&scene);
}

static void a_target_that_is_in_use(void **state)
{
	struct scene scene;
	int fd;

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	fd = open(scene.file, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	expect_refused(&scene, PTS_EXIT_SAFETY, "locked", -1);
	close(fd);
	/* refusals of the guard that came with the facts count, whatever is there now */
	scene.facts.refusal_count = 1;
	snprintf(scene.facts.refusals[0].text, sizeof(scene.facts.refusals[0].text),
		 "it is mounted on '/mnt'");
	expect_refused(&scene, PTS_EXIT_SAFETY, "mounted", -1);
	scene_end(&scene);
}

static void a_target_that_changed(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	assert_int_equal(truncate(scene.file, (off_t)MIB), 0);
	assert_true(scene_run(&scene) < 0);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_SAFETY);
	assert_int_equal(entries(scene.out), -1);
	assert_int_equal(unlink(scene.file), 0);
	assert_true(scene_run(&scene) < 0);
	assert_true(access(scene.file, F_OK) != 0); /* B34: nothing is made under that name */
	assert_int_equal(entries(scene.out), -1);
	scene_end(&scene);
}

static void the_folder(void **state)
{
	char path[160];
	struct scene scene;

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	/* with a run in it */
	assert_int_equal(mkdir(scene.out, 0700), 0);
	snprintf(path, sizeof(path), "%s/run.db", scene.out);
	assert_int_equal(pts_file_write(path, "x", 1), 0);
	expect_refused(&scene, PTS_EXIT_USAGE, "pts resume", 1);
	unlink(path);
	/* with something else in it: that stays, and a refusal adds nothing */
	snprintf(path, sizeof(path), "%s/notes.txt", scene.out);
	assert_int_equal(pts_file_write(path, "x", 1), 0);
	scene.options.identity = "somebody else";
	expect_refused(&scene, PTS_EXIT_SAFETY, "not", 1);
	unlink(path);
	rmdir(scene.out);
	scene.options.identity = scene.facts.identity;
	/* a file of that name, a parent that is not there, no name */
	assert_int_equal(pts_file_write(scene.out, "x", 1), 0);
	expect_refused(&scene, PTS_EXIT_USAGE, "not a folder", -1);
	unlink(scene.out);
	snprintf(path, sizeof(path), "%s/no/where", scene.folder);
	scene.options.out_dir = path;
	expect_refused(&scene, PTS_EXIT_USAGE, "no/where", -1);
	scene.options.out_dir = "";
	expect_refused(&scene, PTS_EXIT_USAGE, "--out", -1);
	scene.options.out_dir = NULL;
	expect_refused(&scene, PTS_EXIT_USAGE, "--out", -1);
	scene_end(&scene);
}

/* Faults that show only after the folder was made take it with them. */
static void an_about_file_with_a_fault(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	scene.options.about_path = scene.about;
	expect_refused(&scene, PTS_EXIT_USAGE, "about.yaml", -1);
	assert_int_equal(pts_file_write(scene.about, "operator: [a, b]\n", 17), 0);
	expect_refused(&scene, PTS_EXIT_SPEC, "about.yaml:1:", -1);
	assert_int_equal(pts_file_write(scene.about, "operater: me\n", 13), 0);
	expect_refused(&scene, PTS_EXIT_SPEC, "operator", -1);
	scene_end(&scene);
}

/* What can't be judged is refused before the hours of a fill, not found out behind them. */
static void a_track_that_a_model_drive_does_not_have(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	scene.plan->steps[2].tracks[1].metric = SPEC_CPU_SYSTEM;
	scene.plan->device.kind = "sim";
	expect_refused(&scene, PTS_EXIT_MISSING, "CPU time", -1);
	scene_end(&scene);
}

static void purge_of_another_kind(void **state)
{
	struct plan_device device;
	struct scene scene;

	(void)state;
	scene_begin(&scene, 2 * MIB, NULL);
	assert_true(run_plan_device(&scene.facts, "hammer", &device, &scene.err) < 0);
	assert_int_equal(scene.err.exit, PTS_EXIT_USAGE);
	pts_err_clear(&scene.err);
	assert_int_equal(run_plan_device(&scene.facts, "none", &device, &scene.err), 0);
	assert_string_equal(device.purge_name, "none");
	assert_false(device.purge_is_pts);
	assert_int_equal(device.capacity_bytes, 2 * MIB);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_identity),
		cmocka_unit_test(a_target_that_is_in_use),
		cmocka_unit_test(a_target_that_changed),
		cmocka_unit_test(the_folder),
		cmocka_unit_test(an_about_file_with_a_fault),
		cmocka_unit_test(a_track_that_a_model_drive_does_not_have),
		cmocka_unit_test(purge_of_another_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
