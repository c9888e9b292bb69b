/* Where specs are found, in which order they are listed, and the file of --about. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "pts_text.h"
#include "spec.h"

struct place {
	char folder[64];
	char work[80];
};

static void put(const char *folder, const char *name, const char *text)
{
	struct pts_buf path = {0};

	pts_buf_printf(&path, "%s/%s", folder, name);
	assert_int_equal(pts_file_write(path.data, text, strlen(text)), 0);
	pts_buf_release(&path);
}

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	strcpy(place->folder, "/tmp/pts-spec-XXXXXX");
	if (!mkdtemp(place->folder))
		return -1;
	snprintf(place->work, sizeof(place->work), "%s/workloads", place->folder);
	mkdir(place->work, 0700);
	put(place->folder, "zeta.yaml", "title: Z\n");
	put(place->folder, "alpha.yaml", "title: A\n");
	put(place->folder, "readme.txt", "no spec\n");
	put(place->work, "beta.yaml", "title: B\n");
	setenv("PTS_SPECS", place->folder, 1);
	*state = place;
	return 0;
}

static int drop_place(void **state)
{
	static const char *const names[] = {"zeta.yaml", "alpha.yaml", "readme.txt",
					    "workloads/beta.yaml", "about.yaml"};
	struct place *place = *state;
	char path[200];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", place->folder, names[i]);
		unlink(path);
	}
	rmdir(place->work);
	rmdir(place->folder);
	free(place);
	return 0;
}

static void expect_found(const struct place *place, const char *name, const char *file)
{
	struct pts_err err = PTS_ERR_INIT;
	char expected[200], *path = NULL;

	snprintf(expected, sizeof(expected), "%s/%s", place->folder, file);
	assert_int_equal(spec_find(name, &path, &err), 0);
	assert_string_equal(path, expected);
	free(path);
}

static void names_paths_and_suffixes_are_found(void **state)
{
	const struct place *place = *state;
	char path[200];

	snprintf(path, sizeof(path), "%s/zeta.yaml", place->folder);
	expect_found(place, path, "zeta.yaml");
	expect_found(place, "zeta", "zeta.yaml");
	expect_found(place, "zeta.yaml", "zeta.yaml");
	expect_found(place, "workloads/beta", "workloads/beta.yaml");
	expect_found(place, "beta", "workloads/beta.yaml");
}

static void what_is_not_found_names_the_nearest(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	char *path = NULL;

	(void)state;
	assert_int_equal(spec_find("alpa", &path, &err), -ENOENT);
	assert_null(path);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_string_equal(err.text, "no spec 'alpa', did you mean 'alpha'?");
}

static void note_name(void *ctx, const char *name, const char *path)
{
	assert_int_equal(access(path, R_OK), 0);
	pts_buf_printf(ctx, "%s ", name);
}

static void tests_are_listed_before_workloads(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	struct pts_buf names = {0};

	(void)state;
	assert_int_equal(spec_each(note_name, &names, &err), 0);
	assert_non_null(strstr(names.data, "alpha "));
	assert_true(strstr(names.data, "zeta ") > strstr(names.data, "alpha "));
	assert_true(strstr(names.data, "workloads/beta ") > strstr(names.data, "zeta "));
	assert_null(strstr(names.data, "readme"));
	pts_buf_release(&names);
}

/* --- --about --- */

static int note_about(void *ctx, const char *key, const char *value)
{
	pts_buf_printf(ctx, "%s=%s\n", key, value);
	return 0;
}

static void expect_about(const struct place *place, const char *text, const char *pairs,
			 const char *fault)
{
	struct pts_err err = PTS_ERR_INIT;
	struct pts_buf said = {0};
	char path[200], expected[400];
	int rc;

	put(place->folder, "about.yaml", text);
	snprintf(path, sizeof(path), "%s/about.yaml", place->folder);
	rc = spec_about_read(path, note_about, &said, &err);
	pts_buf_puts(&said, "");
	assert_string_equal(said.data, pairs);
	if (fault) {
		snprintf(expected, sizeof(expected), "%s:%s", path, fault);
		assert_int_equal(rc, -EINVAL);
		assert_int_equal(err.exit, PTS_EXIT_SPEC);
		assert_string_equal(err.text, expected);
	} else {
		assert_int_equal(rc, 0);
	}
	pts_buf_release(&said);
}

static void about_files_are_flat_and_known(void **state)
{
	const struct place *place = *state;
	struct pts_err err = PTS_ERR_INIT;

	expect_about(place, "operator: A. Müller\nnand_type: TLC\nnotes: |\n  one\n  two\n",
		     "operator=A. Müller\nnand_type=TLC\nnotes=one\ntwo\n", NULL);
	expect_about(place, "operator: \"3: yes {not} $a\"\n", "operator=3: yes {not} $a\n",
		     NULL);
	expect_about(place, "operater: x\n", "",
		     "1:1: unknown key 'operater', did you mean 'operator'?");
	expect_about(place, "operator: x\nsponsor: [a]\n", "",
		     "2:10: sponsor wants a text, not a list");
	expect_about(place, "operator:\n", "", "1:10: operator wants a text, not nothing");
	expect_about(place, "operator: a\noperator: b\n", "",
		     "2:1: duplicate key 'operator', it stands at 1:1 already");
	expect_about(place, "- operator\n", "",
		     "1:1: an about file wants a block of keys, not a list");
	expect_about(place, "", "", "1:1: the file is empty");
	assert_int_equal(spec_about_read("/nonexistent/about.yaml", note_about, NULL, &err),
			 -ENOENT);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_paths_and_suffixes_are_found),
		cmocka_unit_test(what_is_not_found_names_the_nearest),
		cmocka_unit_test(tests_are_listed_before_workloads),
		cmocka_unit_test(about_files_are_flat_and_known),
	};

	return cmocka_run_group_tests(tests, make_place, drop_place);
}
