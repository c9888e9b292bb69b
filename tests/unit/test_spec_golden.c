/*
 * Broken files under tests/golden/spec: what `pts check` says about NAME.yaml is NAME.faults.
 * PTS_GOLDEN_UPDATE=1 writes the latter anew, for review as a diff.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_text.h"
#include "spec.h"

#define FOLDER "tests/golden/spec/"

static void collect(void *ctx, const char *line)
{
	pts_buf_printf(ctx, "%s\n", line);
}

static void check(const char *name)
{
	struct pts_err err = PTS_ERR_INIT;
	struct pts_buf said = {0};
	char path[300], *expected = NULL;
	size_t bytes;

	snprintf(path, sizeof(path), FOLDER "%s", name);
	assert_int_equal(spec_check_file(path, collect, &said, &err), -22);
	assert_int_equal(err.exit, PTS_EXIT_SPEC);
	strcpy(path + strlen(path) - strlen("yaml"), "faults");
	if (getenv("PTS_GOLDEN_UPDATE"))
		assert_int_equal(pts_file_write(path, said.data, said.length), 0);
	assert_int_equal(pts_file_read(path, 1 << 20, &expected, &bytes), 0);
	assert_string_equal(said.data, expected);
	free(expected);
	pts_buf_release(&said);
}

static void broken_files_say_what_they_said(void **state)
{
	DIR *dir = opendir(FOLDER);
	struct dirent *entry;
	unsigned count = 0;

	(void)state;
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".yaml") != 0)
			continue;
		check(entry->d_name);
		count++;
	}
	closedir(dir);
	assert_true(count >= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_files_say_what_they_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
