/* report.md as a reader of tables sees it: whole rows, aligned, and no name becomes anything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_text.h"
#include "report.h"
#include "report_render.h"
#include "report_scratch.h"

/* Cells of a line, by the bars that no backslash stands before. */
static unsigned bars(const char *line)
{
	unsigned count = 0;

	for (; *line != '\0'; line++) {
		if (*line == '\\' && line[1] != '\0')
			line++;
		else
			count += *line == '|';
	}
	return count;
}

/* Every table has a head, a rule and rows with as many cells; returns how many tables there are. */
static unsigned check_tables(char *text)
{
	unsigned tables = 0, in_table = 0, want = 0;
	char *line, *more = text;

	while ((line = strsep(&more, "\n")) != NULL) {
		if (line[0] != '|') {
			assert_true(in_table == 0 || in_table > 1);
			in_table = 0;
			continue;
		}
		want = in_table == 0 ? bars(line) : want;
		assert_int_equal(bars(line), want);
		assert_string_equal(line + strlen(line) - 2, " |");
		if (in_table == 1) {
			assert_int_equal(strspn(line, "|-: "), strlen(line));
			tables++;
		}
		in_table++;
	}
	return tables;
}

static void test_tables_are_whole(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *text;

	(void)state;
	fake.deviations = 90;
	fake.events = 3;
	fake.lba_4096 = true;
	written(&fake, REPORT_MARKDOWN, "out");
	text = scratch_read("out/report.md", NULL);
	assert_true(check_tables(text) > 8);
	free(text);
}

/* The numbers of a column end under each other. */
static void test_columns_are_aligned(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *text, *row, *rule, *end;
	unsigned rows = 0;

	(void)state;
	written(&fake, REPORT_MARKDOWN, "out");
	text = scratch_read("out/report.md", NULL);
	row = strstr(text, "| Block size (KiB) |");
	assert_non_null(row);
	rule = strchr(row, '\n') + 1;
	for (row = strchr(rule, '\n') + 1; *row == '|'; row = end + 1, rows++) {
		end = strchr(row, '\n');
		for (size_t i = 0; row + i < end; i++)
			assert_int_equal(row[i] == '|', rule[i] == '|');
	}
	assert_int_equal(rows, 8);
	free(text);
}

static void test_hostile_names(void **state)
{
	static const char *const names[][2] = {
		{"a|b", "a\\|b"},
		{"<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"},
		{"![x](http://y/z.png)", "!\\[x\\](http:<!-- -->//y/z.png)"},
		{"# head", "\\# head"},
		{"@everyone", "@<!-- -->everyone"},
		{"line\nbreak", "line\\\\x0abreak"},
		{"| --- | --- |", "\\| --- \\| --- \\|"},
	};
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *text, want[200];

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		fake.model = names[i][0];
		written(&fake, REPORT_MARKDOWN, "out");
		text = scratch_read("out/report.md", NULL);
		snprintf(want, sizeof(want), "\n- Model: %s\n", names[i][1]);
		assert_non_null(strstr(text, want));
		check_tables(text);
		free(text);
	}
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, render_setup, render_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_tables_are_whole),
		WITH_SCRATCH(test_columns_are_aligned),
		WITH_SCRATCH(test_hostile_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
