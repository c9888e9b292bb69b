/* Reports of runs that went wrong or short: missing cells, no steady state, cut, empty. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "pts_text.h"
#include "report.h"
#include "report_render.h"
#include "report_scratch.h"

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

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, render_setup, render_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_missing_cells_keep_their_place),
		WITH_SCRATCH(test_a_failed_cell_is_no_zero),
		WITH_SCRATCH(test_unsteady_says_so_on_every_page),
		WITH_SCRATCH(test_window_means_are_exact),
		WITH_SCRATCH(test_runs_that_did_not_get_far),
		WITH_SCRATCH(test_zero_and_flat_values),
		WITH_SCRATCH(test_not_a_drive),
	};

	if (report_gnuplot() == NULL) {
		print_message("skipped: gnuplot is not installed (gnuplot-nox)\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
