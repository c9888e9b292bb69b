/*
 * Published rounds and tables of other people, read where they lie ($PTS_PUBLISHED_CASES, or
 * ../shared/published-cases beside the source tree); they are not ours to copy.
 */
#include "judge_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_MAX 400

static const char *folder(void)
{
	const char *path = getenv("PTS_PUBLISHED_CASES");

	return path && *path ? path : PTS_SOURCE "/../shared/published-cases";
}

static void open_table(struct csv *csv, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder(), name);
	csv_read(csv, path);
}

/* Window over x and y given as lists, with as many rounds as there are. */
static struct judge_window window_of(const char *x_text, const char *y_text)
{
	double x[32], y[32];
	size_t count = numbers_of(x_text, x, 32);
	struct judge_rule rule = {(unsigned)count, pts_rule.range_share, pts_rule.slope_share};
	struct judge_window window;

	assert_int_equal(numbers_of(y_text, y, 32), count);
	assert_int_equal(judge_window(x, y, count, &rule, &window), 0);
	return window;
}

/* Columns that all the tables of short cases have. */
static void expect_row(const struct csv *csv, size_t row, const struct judge_window *window,
		       const char *excursion)
{
	const char *id = csv_at(csv, row, "case_id");
	double size = fabs(csv_number(csv, row, "average"));

	expect_figure(id, "average", window->average, csv_number(csv, row, "average"), size);
	expect_figure(id, "range", window->range, csv_number(csv, row, "range"), size);
	expect_figure(id, "slope", window->slope, csv_number(csv, row, "slope"), size);
	expect_figure(id, "intercept", window->intercept, csv_number(csv, row, "intercept"),
		      size);
	expect_figure(id, excursion, window->slope_excursion, csv_number(csv, row, excursion),
		      size);
}

static void derived_boundary_cases(void **state)
{
	struct csv csv;

	(void)state;
	open_table(&csv, "derived-boundary-cases.csv");
	assert_int_equal(csv.row_count, 14);
	for (size_t row = 0; row < csv.row_count; row++) {
		struct judge_window window =
			window_of("1 2 3 4 5", csv_at(&csv, row, "y_rounds_1_to_5"));

		expect_row(&csv, row, &window, "fit_excursion");
		assert_int_equal(window.range_ok, csv_true(&csv, row, "range_ok"));
		assert_int_equal(window.slope_ok, csv_true(&csv, row, "slope_ok"));
		assert_int_equal(window.steady, csv_true(&csv, row, "steady"));
	}
	csv_release(&csv);
}

static void storperf_odd_spacing(void **state)
{
	struct csv csv;

	(void)state;
	open_table(&csv, "storperf-unit-cases.csv");
	assert_int_equal(csv.row_count, 7);
	for (size_t row = 0; row < csv.row_count; row++) {
		struct judge_window window =
			window_of(csv_at(&csv, row, "x"), csv_at(&csv, row, "y"));

		expect_row(&csv, row, &window, "fit_excursion");
		/* that tool's rule and ours agree on these, as the table's notes say */
		assert_int_equal(window.slope_ok,
				 csv_true(&csv, row, "pts_rule_fit_excursion"));
		assert_int_equal(window.steady,
				 csv_true(&csv, row, "expected_by_storperf_test"));
	}
	csv_release(&csv);
}

static void anvil_reasons(void **state)
{
	struct csv csv;

	(void)state;
	open_table(&csv, "anvil-unit-cases.csv");
	assert_int_equal(csv.row_count, 5);
	for (size_t row = 0; row < csv.row_count; row++) {
		const char *reason = csv_at(&csv, row, "expected_reason");
		struct judge_window window =
			window_of("1 2 3 4 5", csv_at(&csv, row, "y_rounds_1_to_5"));

		assert_int_equal(window.steady, csv_true(&csv, row, "expected_steady"));
		if (!strcmp(reason, "degenerate_mean_zero")) {
			assert_false(window.valid);
			continue;
		}
		expect_row(&csv, row, &window, "fit_excursion");
		assert_int_equal(window.range_ok, strcmp(reason, "range_exceeded") != 0);
		if (!strcmp(reason, "slope_exceeded"))
			assert_false(window.slope_ok);
	}
	csv_release(&csv);
}

/* A window of rounds 1-5 with a report's average, range and fitted line. */
static struct judge_window like_printed(double average, double range, double slope)
{
	double rounds[5], values[5];
	struct judge_window window;

	/* 1,-2,1 over rounds 2 to 4 moves neither average nor slope */
	for (int i = 0; i < 5; i++) {
		rounds[i] = i + 1;
		values[i] = average + slope * (i - 2);
	}
	if (range > 4 * fabs(slope)) {
		/* f on rounds 2 and 4, -2f on round 3: the widest pair decides */
		double f = (range - fabs(slope)) / 3;

		values[1] += f;
		values[2] -= 2 * f;
		values[3] += f;
	}
	assert_int_equal(judge_window(rounds, values, 5, &pts_rule, &window), 0);
	return window;
}

/* The report prints the limits and the fit; average and line give all of it back. */
static void cloudharmony_printed_lines(void **state)
{
	struct csv csv;

	(void)state;
	open_table(&csv, "cloudharmony-ss-tables.csv");
	assert_int_equal(csv.row_count, 3);
	for (size_t row = 0; row < csv.row_count; row++) {
		const char *id = csv_at(&csv, row, "case_id");
		double average = csv_number(&csv, row, "average_recovered_from_fit");
		double range = csv_number(&csv, row, "measured_max_data_excursion");
		double slope = csv_number(&csv, row, "fit_slope");
		double printed = csv_number(&csv, row, "measured_max_slope_excursion");
		struct judge_window window = like_printed(average, range, slope);

		expect_figure(id, "range", window.range, range, 0);
		expect_figure(id, "intercept", window.intercept,
			      csv_number(&csv, row, "fit_intercept"), 0);
		/* printed with one digit after the mark */
		assert_true(fabs(window.slope_excursion - printed) <= 0.05 + 1e-9);
		expect_figure(id, "range limit", pts_rule.range_share * window.average,
			      csv_number(&csv, row, "allowed_max_data_excursion"), 0);
		assert_true(fabs(pts_rule.slope_share * window.average -
				 csv_number(&csv, row, "allowed_max_slope_excursion")) < 0.006);
		/* the print cuts the average off */
		assert_int_equal((int)window.average,
				 (int)csv_number(&csv, row, "printed_average"));
		assert_int_equal(window.steady,
				 !strcmp(csv_at(&csv, row, "verdict"), "steady"));
	}
	csv_release(&csv);
}

struct totals {
	size_t series, windows, yes;
	double worst;
};

/* Relative to the figure; sums that cancel (slope, range) to the size of the values. */
static void expect_close(const char *id, const char *figure, double got, double want,
			 double average, struct totals *totals)
{
	double off = fabs(got - want) / fmax(fabs(want), 1e-3 * average);

	expect_figure(id, figure, got, want, 1e-3 * average);
	totals->worst = fmax(totals->worst, off);
}

static void expect_last_window(const struct csv *csv, size_t row,
			       const struct judge_window *window, struct totals *totals)
{
	const char *id = csv_at(csv, row, "case_id");
	double average = csv_number(csv, row, "average");
	double r = csv_number(csv, row, "correlation_r");

	expect_close(id, "average", window->average, average, average, totals);
	expect_close(id, "range", window->range, csv_number(csv, row, "range"), average,
		     totals);
	expect_close(id, "slope", window->slope, csv_number(csv, row, "slope_per_round"),
		     average, totals);
	expect_close(id, "intercept", window->intercept, csv_number(csv, row, "intercept"),
		     average, totals);
	expect_close(id, "excursion", window->slope_excursion,
		     csv_number(csv, row, "fit_excursion"), average, totals);
	expect_close(id, "allowed range", pts_rule.range_share * window->average,
		     csv_number(csv, row, "allowed_range"), average, totals);
	if (isnan(r))
		assert_true(isnan(window->r));
	else
		expect_figure(id, "r", window->r, r, 1);
	assert_int_equal(window->range_ok, csv_true(csv, row, "range_ok"));
	assert_int_equal(window->slope_ok, csv_true(csv, row, "slope_ok"));
	assert_int_equal(window->steady, csv_true(csv, row, "last_window_steady"));
}

static void expect_series(const struct csv *csv, size_t row, const double *values, size_t count,
			  struct totals *totals)
{
	const char *verdicts = csv_at(csv, row, "steady_by_round_from_5");
	double first = csv_number(csv, row, "first_steady_round");
	struct judge_window window = {.valid = false};

	assert_int_equal(strlen(verdicts), count < 5 ? 0 : count - 4);
	for (size_t last = 4; last < count; last++) {
		assert_int_equal(judge_series_at(values, count, last, 1, &pts_rule, &window),
				 0);
		if (window.steady != (verdicts[last - 4] == 'Y'))
			fail_msg("%s: round %zu", csv_at(csv, row, "case_id"), last + 1);
		totals->windows++;
		totals->yes += window.steady;
	}
	assert_int_equal(judge_first_common(&values, 1, count, &pts_rule) + 1,
			 isnan(first) ? 0 : (long)first);
	if (count >= 5)
		expect_last_window(csv, row, &window, totals);
	totals->series++;
}

/* Real rounds of real drives: every window of every series. */
static void ljishen_every_window(void **state)
{
	struct csv rounds, verdicts;
	struct totals totals = {0};
	size_t at = 0;

	(void)state;
	open_table(&rounds, "ljishen-rounds.csv");
	open_table(&verdicts, "ljishen-verdicts.csv");
	for (size_t row = 0; row < verdicts.row_count; row++) {
		const char *id = csv_at(&verdicts, row, "case_id");
		double values[ROUNDS_MAX];
		size_t count = 0;

		/* both files have the same order of series */
		while (at < rounds.row_count && !strcmp(csv_at(&rounds, at, "case_id"), id)) {
			assert_true(count < ROUNDS_MAX);
			assert_int_equal((int)csv_number(&rounds, at, "round"), (int)count + 1);
			values[count++] = csv_number(&rounds, at++, "value");
		}
		assert_int_equal(count, (int)csv_number(&verdicts, row, "rounds_recorded"));
		expect_series(&verdicts, row, values, count, &totals);
	}
	print_message("%zu series, %zu windows, %zu steady, largest relative difference %.1e\n",
		      totals.series, totals.windows, totals.yes, totals.worst);
	assert_int_equal(at, rounds.row_count);
	assert_int_equal(totals.series, 526);
	assert_int_equal(totals.windows, 1280 + 947);
	assert_int_equal(totals.yes, 947);
	csv_release(&rounds);
	csv_release(&verdicts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(derived_boundary_cases),
		cmocka_unit_test(storperf_odd_spacing),
		cmocka_unit_test(anvil_reasons),
		cmocka_unit_test(cloudharmony_printed_lines),
		cmocka_unit_test(ljishen_every_window),
	};

	if (access(folder(), R_OK) != 0) {
		printf("skipped: no published cases here (set PTS_PUBLISHED_CASES)\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
