/* Whole reports of synthetic runs in every state, through every writer. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "pts_text.h"
#include "report.h"
#include "report_fake_store.h"
#include "report_scratch.h"

#define ALL (REPORT_HTML | REPORT_PDF | REPORT_CSV | REPORT_JSON | REPORT_TEXT)

static int setup(void **state)
{
	(void)state;
	setenv("SOURCE_DATE_EPOCH", "1796140800", 1);
	scratch_make();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

static int write_report(const struct fake_options *fake, unsigned formats, const char *folder,
			struct pts_err *err)
{
	struct store *store = fake_store_new(fake);
	const struct report_options options = {.formats = formats,
					       .out_dir = scratch_path(folder)};
	int result = report_write(store, &options, NULL, NULL, err);

	fake_store_free(store);
	return result;
}

static void written(const struct fake_options *fake, unsigned formats, const char *folder)
{
	struct pts_err err = PTS_ERR_INIT;

	if (write_report(fake, formats, folder, &err) != 0)
		fail_msg("%s", err.text);
}

static json_t *report_json_of(const char *folder)
{
	char name[64];
	json_error_t error;
	json_t *root;

	snprintf(name, sizeof(name), "%s/report.json", folder);
	root = json_load_file(scratch_path(name), JSON_REJECT_DUPLICATES, &error);
	if (root == NULL)
		fail_msg("report.json: %s", error.text);
	return root;
}

static const json_t *table_of(const json_t *root, const char *name)
{
	const json_t *tables = json_object_get(root, "tables");
	size_t i;
	json_t *one;

	json_array_foreach((json_t *)tables, i, one)
	{
		if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0)
			return one;
	}
	fail_msg("no table '%s'", name);
	return NULL;
}

/* --- a second reader of RFC 4180: field f of record r, unquoted (free() it) --- */
static char *csv_field(const char *text, unsigned record, unsigned field)
{
	struct pts_buf out = {0};
	unsigned r = 0, f = 0;
	bool quoted = false;

	pts_buf_puts(&out, "");
	for (; *text != '\0'; text++) {
		bool here = r == record && f == field;

		if (quoted && text[0] == '"' && text[1] == '"') {
			if (here)
				pts_buf_puts(&out, "\"");
			text++;
		} else if (*text == '"') {
			quoted = !quoted;
		} else if (!quoted && *text == ',') {
			f++;
		} else if (!quoted && text[0] == '\r' && text[1] == '\n') {
			r++;
			f = 0;
			text++;
		} else if (here) {
			pts_buf_add(&out, text, 1);
		}
	}
	return pts_buf_take(&out);
}

/* Every tag that is opened is closed in order; void elements and the doctype aside. */
static void check_nesting(const char *html)
{
	static const char *const empty[] = {"!DOCTYPE", "meta", "br", "?xml"};
	char open[64][32];
	unsigned depth = 0;

	for (const char *at = strchr(html, '<'); at != NULL; at = strchr(at + 1, '<')) {
		bool close = at[1] == '/';
		const char *name = at + 1 + close;
		size_t length = strcspn(name, " \t\n>/");
		const char *end = strchr(at, '>');
		bool is_empty = end != NULL && end[-1] == '/';

		if (strncmp(at, "<!--", 4) == 0)
			continue;
		assert_non_null(end);
		for (unsigned i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
			if (strlen(empty[i]) == length && strncmp(name, empty[i], length) == 0)
				is_empty = true;
		}
		if (is_empty)
			continue;
		assert_true(length < 32);
		if (close) {
			assert_true(depth > 0);
			depth--;
			if (strlen(open[depth]) != length ||
			    strncmp(open[depth], name, length) != 0)
				fail_msg("</%.*s> closes <%s>", (int)length, name, open[depth]);
		} else {
			assert_true(depth < 64);
			snprintf(open[depth++], 32, "%.*s", (int)length, name);
		}
	}
	assert_int_equal(depth, 0);
}

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

static unsigned pdf_pages(const char *pdf, size_t bytes)
{
	unsigned pages = 0;

	for (size_t i = 0; i + 12 < bytes; i++)
		pages += memcmp(pdf + i, "/Type /Page ", 12) == 0;
	return pages;
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
	assert_null(strstr(html, "<script"));
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
	assert_null(strstr(html, "<script>"));
	free(html);
}

static void test_missing_cells_keep_their_place(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *csv, *field, *text;
	const json_t *row;
	json_t *root;

	(void)state;
	fake.lba_4096 = true;
	written(&fake, ALL, "out");
	csv = scratch_read("out/tables/iops-matrix-iops.csv", NULL);
	field = csv_field(csv, 1, 0); /* the first row is still 0.5 KiB */
	assert_string_equal(field, "0.5");
	free(field);
	field = csv_field(csv, 1, 1);
	assert_string_equal(field, "");
	free(field);
	field = csv_field(csv, 1, 8);
	assert_string_equal(field, "block smaller than one LBA (4096 B)");
	free(field);
	field = csv_field(csv, 2, 0);
	assert_string_equal(field, "4");
	free(field);
	root = report_json_of("out");
	row = json_array_get(json_object_get(table_of(root, "iops-matrix-iops"), "rows"), 0);
	assert_true(json_is_null(json_object_get(row, "rw_mix_0-100")));
	assert_string_equal(json_string_value(json_object_get(
				    json_object_get(row, "missing_reason"), "rw_mix_0-100")),
			    "block smaller than one LBA (4096 B)");
	text = scratch_read("out/report.txt", NULL);
	assert_non_null(strstr(text, "n/a [1]"));
	assert_non_null(strstr(text, "[1] n/a: block smaller than one LBA (4096 B)"));
	/* a gap is no reason to lose steady state */
	assert_non_null(strstr(text, "steady state was reached"));
	json_decref(root);
	free(text);
	free(csv);
}

static void test_a_failed_cell_is_no_zero(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	const json_t *row;
	json_t *root;
	char *text;

	(void)state;
	fake.failed_cell = 9; /* 95/5, 128 KiB */
	written(&fake, REPORT_JSON | REPORT_TEXT, "out");
	root = report_json_of("out");
	row = json_array_get(json_object_get(table_of(root, "iops-matrix-iops"), "rows"), 6);
	assert_true(json_is_null(json_object_get(row, "rw_mix_95-5")));
	text = scratch_read("out/report.txt", NULL);
	assert_non_null(strstr(text, "n/a: no I/O completed"));
	assert_non_null(strstr(text, "NOT COMPLIANT"));
	json_decref(root);
	free(text);
}

static void test_unsteady_says_so_on_every_page(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	json_t *root, *test;
	char *html, *text;

	(void)state;
	fake.unsteady = true;
	fake.rounds = 25;
	written(&fake, ALL, "out");
	html = scratch_read("out/report.html", NULL);
	/* the summary and the eight pages of the test */
	assert_int_equal(count_of(html, "STEADY STATE WAS NOT REACHED in 25 rounds"), 9);
	text = scratch_read("out/report.txt", NULL);
	assert_non_null(strstr(text, "rounds 21-25"));
	assert_non_null(strstr(text, "NOT STEADY"));
	root = report_json_of("out");
	test = json_array_get(json_object_get(root, "tests"), 0);
	assert_true(json_is_false(json_object_get(test, "steady")));
	assert_int_equal(json_integer_value(json_object_get(test, "first_round")), 21);
	/* the table is still there */
	assert_true(json_is_number(json_object_get(
		json_array_get(json_object_get(table_of(root, "iops-matrix-iops"), "rows"), 1),
		"rw_mix_0-100")));
	json_decref(root);
	free(text);
	free(html);
}

static void test_window_means_are_exact(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	const json_t *rows, *matrix;
	double sum = 0;
	json_t *root;
	size_t i;
	json_t *row;

	(void)state;
	fake.rounds = 9;
	written(&fake, REPORT_JSON, "out");
	root = report_json_of("out");
	rows = json_object_get(table_of(root, "cells"), "rows");
	json_array_foreach((json_t *)rows, i, row)
	{
		if (json_integer_value(json_object_get(row, "round")) >= 5 &&
		    json_integer_value(json_object_get(row, "read_pct")) == 65 &&
		    json_integer_value(json_object_get(row, "block_bytes")) == 4096)
			sum += json_number_value(json_object_get(row, "iops"));
	}
	matrix = json_array_get(json_object_get(table_of(root, "iops-matrix-iops"), "rows"), 1);
	assert_true(fabs(json_number_value(json_object_get(matrix, "rw_mix_65-35")) - sum / 5) <
		    1e-9 * sum);
	json_decref(root);
}

static void state_of(int rounds, enum store_state run_state, const char *want)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *text, *html, *pdf;
	json_t *root;
	size_t bytes;

	fake.rounds = rounds;
	fake.state = run_state;
	written(&fake, ALL, "out");
	text = scratch_read("out/report.txt", NULL);
	if (strstr(text, want) == NULL)
		fail_msg("the report does not say '%s'", want);
	assert_null(strstr(text, "nan"));
	html = scratch_read("out/report.html", NULL);
	check_nesting(html);
	assert_null(strstr(html, ">nan<"));
	pdf = scratch_read("out/report.pdf", &bytes);
	assert_true(pdf_pages(pdf, bytes) >= 13);
	root = report_json_of("out");
	json_decref(root);
	free(pdf);
	free(html);
	free(text);
}

static void test_runs_that_did_not_get_far(void **state)
{
	(void)state;
	state_of(0, STORE_STOPPED, "0 of at least 5 rounds");
	state_of(1, STORE_STOPPED, "1 of at least 5 rounds");
	state_of(4, STORE_RUNNING, "the run has not ended");
	state_of(6, STORE_FAILED, "write error at LBA 1234567: EIO");
}

static void test_zero_and_flat_values(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *text;

	(void)state;
	fake.all_zero = true;
	written(&fake, ALL, "zero");
	text = scratch_read("zero/report.txt", NULL);
	assert_non_null(strstr(text, "every value is 0"));
	assert_non_null(strstr(text, "STEADY STATE WAS NOT REACHED"));
	free(text);
	fake.all_zero = false;
	fake.flat = true;
	written(&fake, ALL, "flat");
	text = scratch_read("flat/report.txt", NULL);
	assert_non_null(strstr(text, "steady state was reached"));
	free(text);
}

static void test_not_a_drive(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *html;

	(void)state;
	fake.transport = "loop";
	fake.purge_is_pts = false;
	fake.deviations = 3;
	written(&fake, REPORT_HTML, "out");
	html = scratch_read("out/report.html", NULL);
	assert_int_equal(count_of(html, "NOT A DRIVE: a loop device over a file"),
			 count_of(html, "<section "));
	assert_non_null(strstr(html, "NOT COMPLIANT with PTS-E 2.0.2, section 7 (IOPS)"));
	assert_non_null(strstr(html, "discard (not a PTS purge)"));
	assert_null(strstr(html, ">COMPLIANT<"));
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
	assert_int_equal(report_formats_parse("html,pdf,csv,json,text", &formats, &err), 0);
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
	written(&fake, REPORT_TEXT | REPORT_CSV, "out");
	golden("out/report.txt", "report.txt");
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
	assert_int_equal(count_of(html, "--set max_rounds=7"), 30); /* none is lost */
	free(pdf);
	free(html);
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_pages_of_the_catalogue),
		WITH_SCRATCH(test_html_stands_alone),
		WITH_SCRATCH(test_names_through_every_writer),
		WITH_SCRATCH(test_nothing_in_a_name_is_executed),
		WITH_SCRATCH(test_missing_cells_keep_their_place),
		WITH_SCRATCH(test_a_failed_cell_is_no_zero),
		WITH_SCRATCH(test_unsteady_says_so_on_every_page),
		WITH_SCRATCH(test_window_means_are_exact),
		WITH_SCRATCH(test_runs_that_did_not_get_far),
		WITH_SCRATCH(test_zero_and_flat_values),
		WITH_SCRATCH(test_not_a_drive),
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
