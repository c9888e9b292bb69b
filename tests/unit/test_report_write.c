/* Whole reports through every writer: pages, names, bytes, locale, bad input, golden files. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "pts_text.h"
#include "report.h"
#include "report_render.h"
#include "report_scratch.h"

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* No id twice, though gnuplot gives every drawing the same ones. */
static void check_ids(char *html)
{
	static char *ids[20000];
	size_t count = 0;

	for (char *at = html; (at = strstr(at, " id=")) != NULL;) {
		char quote = at[4];
		char *from = at + 5, *to = strchr(from, quote);

		assert_non_null(to);
		*to = '\0';
		assert_true(count < 20000);
		ids[count++] = from;
		at = to + 1;
	}
	assert_true(count > 20);
	qsort(ids, count, sizeof(ids[0]), compare);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(ids[i - 1], ids[i]) == 0)
			fail_msg("id '%s' stands twice", ids[i]);
	}
}

/* --- tests --- */

static void test_pages_of_the_catalogue(void **state)
{
	static const char *const want[] = {
		"summary",      "deviations",     "set-up", "facts",  "convergence",
		"window",       "window",         "window", "window", "matrix_table",
		"matrix_lines", "matrix_columns", "events",
	};
	struct fake_options fake = FAKE_OPTIONS_INIT;
	json_t *root, *page;
	unsigned last = 0, kinds = 0;
	size_t i, bytes;
	char *pdf, *html;

	(void)state;
	written(&fake, ALL, "out");
	root = report_json_of("out");
	json_array_foreach(json_object_get(root, "pages"), i, page)
	{
		const char *kind = json_string_value(json_object_get(page, "kind"));

		assert_int_equal(json_integer_value(json_object_get(page, "number")), ++last);
		if (kinds > 0 && strcmp(kind, want[kinds - 1]) == 0 &&
		    strcmp(kind, "window") != 0)
			continue; /* continued */
		assert_true(kinds < sizeof(want) / sizeof(want[0]));
		assert_string_equal(kind, want[kinds++]);
	}
	assert_int_equal(kinds, sizeof(want) / sizeof(want[0]));
	pdf = scratch_read("out/report.pdf", &bytes);
	assert_memory_equal(pdf, "%PDF-", 5);
	assert_int_equal(pdf_pages(pdf, bytes), last);
	html = scratch_read("out/report.html", NULL);
	assert_int_equal(count_of(html, "<section "), last);
	assert_int_equal(count_of(html, "<svg "), 7);
	json_decref(root);
	free(pdf);
	free(html);
}

static void test_html_stands_alone(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *html;

	(void)state;
	fake.events = 3;
	fake.deviations = 3;
	written(&fake, REPORT_HTML, "out");
	html = scratch_read("out/report.html", NULL);
	check_nesting(html);
	assert_int_equal(count_of(html, "<script"), 1);
	assert_int_equal(count_of(html, "</script"), 1);
	assert_int_equal(count_of(html, "default-src 'none'"), 1); /* the policy */
	assert_int_equal(count_of(html, "'sha256-"), 1);
	/* each 3D plot has its data beside it */
	assert_int_equal(count_of(html, " data-columns=\"{"), 1);
	assert_null(strstr(html, "src="));
	assert_null(strstr(html, "@import"));
	assert_null(strstr(html, "url(http"));
	assert_null(strstr(html, "<link"));
	/* the header block stands on every page */
	assert_int_equal(count_of(html, "<section "), count_of(html, ">Device under test<"));
	assert_int_equal(count_of(html, "<section "), count_of(html, "<dd>000123</dd>"));
	check_ids(html);
	free(html);
}

static void check_name(const char *model, const char *html_text)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *html, *csv, *field, *pdf;
	struct pts_buf want = {0};
	json_t *root;

	fake.model = model;
	written(&fake, ALL, "name");
	html = scratch_read("name/report.html", NULL);
	pts_buf_printf(&want, "<dt>Model</dt><dd>%s</dd>",
		       model[0] != '\0' ? html_text : "(no model)");
	assert_non_null(strstr(html, want.data));
	check_nesting(html);
	csv = scratch_read("name/tables/device-facts.csv", NULL);
	field = csv_field(csv, 3, 0);
	assert_string_equal(field, "model");
	free(field);
	field = csv_field(csv, 3, 1);
	assert_string_equal(field, model);
	root = report_json_of("name");
	assert_string_equal(
		json_string_value(json_object_get(
			json_object_get(json_object_get(root, "facts"), "device_before"),
			"model")),
		model);
	pdf = scratch_read("name/report.pdf", NULL);
	assert_memory_equal(pdf, "%PDF-", 5);
	json_decref(root);
	pts_buf_release(&want);
	free(field);
	free(pdf);
	free(csv);
	free(html);
}

static void test_names_through_every_writer(void **state)
{
	json_error_t error;
	json_t *root = json_load_file(PTS_FIXTURES "/names.json", 0, &error);
	size_t i;
	json_t *one;

	(void)state;
	assert_non_null(root);
	json_array_foreach(json_object_get(root, "cases"), i, one)
		check_name(json_string_value(json_object_get(one, "model")),
			   json_string_value(json_object_get(json_object_get(one, "expected"),
							     "html_text")));
	json_decref(root);
}

static void test_nothing_in_a_name_is_executed(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char model[512], mark[200];
	char *html;

	(void)state;
	snprintf(mark, sizeof(mark), "%s", scratch_path("pwned"));
	snprintf(model, sizeof(model), "''; system(\"touch %s\"); ''", mark);
	fake.model = model;
	written(&fake, ALL, "out");
	assert_false(scratch_exists("pwned"));
	snprintf(model, sizeof(model), "`touch %s`';system('touch %s')#<script>", mark, mark);
	written(&fake, ALL, "out");
	assert_false(scratch_exists("pwned"));
	html = scratch_read("out/report.html", NULL);
	assert_int_equal(count_of(html, "<script>"), 1); /* ours */
	free(html);
}

static void same_file(const char *name)
{
	char path[64];
	size_t a_bytes, b_bytes;
	char *a, *b;

	snprintf(path, sizeof(path), "a/%s", name);
	a = scratch_read(path, &a_bytes);
	snprintf(path, sizeof(path), "b/%s", name);
	b = scratch_read(path, &b_bytes);
	assert_int_equal(a_bytes, b_bytes);
	if (memcmp(a, b, a_bytes) != 0)
		fail_msg("%s differs", name);
	free(a);
	free(b);
}

static void same_files(void)
{
	same_file("report.html");
	same_file("report.pdf");
	same_file("report.json");
	same_file("report.txt");
	same_file("report.md");
	same_file("tables/iops-matrix-iops.csv");
	same_file("tables/cells.csv");
}

static void test_same_store_same_bytes(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;

	(void)state;
	written(&fake, ALL, "a");
	sleep(1); /* a second passes, which no file may show */
	written(&fake, ALL, "b");
	same_files();
}

/* A locale with a decimal comma, made here if the machine has none. */
static bool german(void)
{
	char command[700];

	if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL)
		return true;
	snprintf(command, sizeof(command), "localedef -i de_DE -f UTF-8 '%s' >/dev/null 2>&1",
		 scratch_path("de_DE.UTF-8"));
	if (system(command) > 1 * 256)
		return false;
	setenv("LOCPATH", scratch_path(""), 1);
	return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void test_decimal_comma_changes_nothing(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char shown[16];

	(void)state;
	written(&fake, ALL, "a");
	if (!german()) {
		print_message("skipped: no de_DE locale and none can be made\n");
		skip();
	}
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	snprintf(shown, sizeof(shown), "%.1f", 0.5);
	assert_string_equal(shown, "0,5"); /* the locale is really on */
	written(&fake, ALL, "b");
	setlocale(LC_ALL, "C");
	unsetenv("LC_ALL");
	unsetenv("LOCPATH");
	same_files();
}

static void test_without_gnuplot(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	struct pts_err err = PTS_ERR_INIT;
	char *path = strdup(getenv("PATH"));

	(void)state;
	setenv("PATH", scratch_path("nowhere"), 1);
	assert_int_not_equal(write_report(&fake, REPORT_HTML, "out", &err), 0);
	assert_int_equal(err.exit, PTS_EXIT_MISSING);
	assert_non_null(strstr(err.text, "gnuplot-nox"));
	assert_false(scratch_exists("out/report.html"));
	written(&fake, REPORT_TEXT | REPORT_CSV | REPORT_JSON, "out");
	assert_true(scratch_exists("out/report.txt"));
	setenv("PATH", path, 1);
	free(path);
}

static void test_bad_input(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	struct pts_err err = PTS_ERR_INIT;
	unsigned formats;
	FILE *file;

	(void)state;
	assert_int_equal(report_formats_parse("html,pdf,csv,json,text,md", &formats, &err), 0);
	assert_int_equal(formats, ALL);
	assert_int_not_equal(report_formats_parse("html,docx", &formats, &err), 0);
	assert_non_null(strstr(err.text, "docx"));
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	pts_err_clear(&err);
	assert_int_not_equal(report_formats_parse("", &formats, &err), 0);
	pts_err_clear(&err);
	file = fopen(scratch_path("file"), "w");
	assert_non_null(file);
	fclose(file);
	assert_int_not_equal(write_report(&fake, REPORT_TEXT, "file/out", &err), 0);
	assert_non_null(strstr(err.text, "file/out"));
	pts_err_clear(&err);
	fake.plan_json = "{\"steps\": [";
	assert_int_not_equal(write_report(&fake, REPORT_TEXT, "out", &err), 0);
	assert_int_equal(err.exit, PTS_EXIT_SPEC);
	assert_false(scratch_exists("out/report.txt"));
	pts_err_clear(&err);
	fake.plan_json =
		"{\"steps\": 3, \"tests\": [{\"name\": \"iops\", \"pages\": [7, {}]}]}";
	if (write_report(&fake, ALL, "odd", &err) != 0)
		fail_msg("%s", err.text);
}

/* Whole files against the ones in tests/golden/report; PTS_GOLDEN_UPDATE=1 writes them anew. */
static void golden(const char *written_name, const char *golden_name)
{
	char path[400];
	size_t bytes, want_bytes;
	char *text = scratch_read(written_name, &bytes), *want = NULL;

	snprintf(path, sizeof(path), PTS_SOURCE "/tests/golden/report/%s", golden_name);
	if (getenv("PTS_GOLDEN_UPDATE") != NULL)
		assert_int_equal(pts_file_write(path, text, bytes), 0);
	assert_int_equal(pts_file_read(path, 1 << 24, &want, &want_bytes), 0);
	assert_string_equal(text, want);
	free(text);
	free(want);
}

static void test_golden(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;

	(void)state;
	fake.deviations = 3;
	fake.events = 3;
	fake.lba_4096 = true;
	written(&fake, REPORT_TEXT | REPORT_CSV | REPORT_MARKDOWN, "out");
	golden("out/report.txt", "report.txt");
	golden("out/report.md", "report.md");
	golden("out/tables/iops-matrix-iops.csv", "iops-matrix-iops.csv");
	golden("out/tables/iops-window-rnd-4kib-0-100.csv", "iops-window-rnd-4kib-0-100.csv");
	golden("out/tables/deviations.csv", "deviations.csv");
}

static void test_many_rows_make_more_pages(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *html, *pdf;
	size_t bytes;

	(void)state;
	fake.events = 300;
	fake.deviations = 90;
	written(&fake, REPORT_HTML | REPORT_PDF, "out");
	html = scratch_read("out/report.html", NULL);
	pdf = scratch_read("out/report.pdf", &bytes);
	assert_true(pdf_pages(pdf, bytes) > 20);
	assert_int_equal(pdf_pages(pdf, bytes), count_of(html, "<section "));
	assert_int_equal(count_of(html, ">--set max_rounds=7"), 30); /* none is lost */
	free(pdf);
	free(html);
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, render_setup, render_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_pages_of_the_catalogue),
		WITH_SCRATCH(test_html_stands_alone),
		WITH_SCRATCH(test_names_through_every_writer),
		WITH_SCRATCH(test_nothing_in_a_name_is_executed),
		WITH_SCRATCH(test_same_store_same_bytes),
		WITH_SCRATCH(test_decimal_comma_changes_nothing),
		WITH_SCRATCH(test_without_gnuplot),
		WITH_SCRATCH(test_bad_input),
		WITH_SCRATCH(test_golden),
		WITH_SCRATCH(test_many_rows_make_more_pages),
	};

	if (report_gnuplot() == NULL) {
		print_message("skipped: gnuplot is not installed (gnuplot-nox)\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
