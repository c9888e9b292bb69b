/* Whole series with known verdicts: every round of the shared cases, and several tracks at once. */
#include "judge_fixture.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "pts_text.h"

#define ROUNDS_MAX 64

/* Values of one series of ss-series.csv; an empty field is a failed round. */
static size_t series_of(const struct csv *csv, const char *name, double *values)
{
	size_t count = 0;

	for (size_t row = 0; row < csv->row_count; row++) {
		if (strcmp(csv_at(csv, row, "series"), name) != 0)
			continue;
		assert_int_equal((int)csv_number(csv, row, "round"), (int)count + 1);
		values[count++] = csv_number(csv, row, "value");
	}
	return count;
}

static void compare(const struct csv *expected, size_t row, const struct judge_window *window)
{
	static const struct {
		const char *column;
		size_t offset;
	} figures[] = {{"avg", offsetof(struct judge_window, average)},
		       {"range", offsetof(struct judge_window, range)},
		       {"range_pct", offsetof(struct judge_window, range_pct)},
		       {"slope", offsetof(struct judge_window, slope)},
		       {"intercept_round0", offsetof(struct judge_window, intercept)},
		       {"fit_range", offsetof(struct judge_window, slope_excursion)},
		       {"fit_pct", offsetof(struct judge_window, slope_excursion_pct)}};
	const char *name = csv_at(expected, row, "series");

	assert_int_equal(window->valid, csv_at(expected, row, "avg")[0] != '\0');
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		double want = csv_number(expected, row, figures[i].column);
		double got;

		memcpy(&got, (const char *)window + figures[i].offset, sizeof(got));
		if (isnan(want))
			assert_true(isnan(got));
		else
			expect_figure(name, figures[i].column, got, want, 0);
	}
	assert_int_equal(window->range_ok, csv_true(expected, row, "range_ok"));
	assert_int_equal(window->slope_ok, csv_true(expected, row, "slope_ok"));
	assert_int_equal(window->steady, csv_true(expected, row, "steady"));
	assert_int_equal(window->boundary, csv_true(expected, row, "boundary"));
}

static void every_round_of_every_series(void **state)
{
	struct csv series, expected;
	size_t windows = 0;

	(void)state;
	csv_read(&series, PTS_FIXTURES "/ss-series.csv");
	csv_read(&expected, PTS_FIXTURES "/ss-expected.csv");
	for (size_t row = 0; row < expected.row_count; row++) {
		double values[ROUNDS_MAX];
		size_t count = series_of(&series, csv_at(&expected, row, "series"), values);
		size_t last = (size_t)csv_number(&expected, row, "round") - 1;
		struct judge_window window;

		assert_int_equal(judge_series_at(values, count, last, 1, &pts_rule, &window),
				 0);
		compare(&expected, row, &window);
		windows++;
	}
	print_message("%zu windows\n", windows);
	assert_int_equal(windows, 89);
	csv_release(&series);
	csv_release(&expected);
}

static double json_number_of(const json_t *value)
{
	double number = NAN;

	if (json_is_string(value))
		assert_int_equal(pts_double_parse(json_string_value(value), &number), 0);
	return number;
}

static size_t json_series(const json_t *rounds, double *values)
{
	const json_t *value;
	size_t i;

	json_array_foreach(rounds, i, value) values[i] = json_number_of(value);
	return json_array_size(rounds);
}

static void one_first_round(const json_t *series)
{
	const json_t *expected = json_object_get(series, "expected"), *round;
	const json_t *first = json_object_get(expected, "first_steady_round");
	const json_t *rounds = json_object_get(expected, "per_round");
	const double *tracks[1];
	double values[ROUNDS_MAX];
	size_t count = json_series(json_object_get(series, "rounds"), values), i;
	long got;

	tracks[0] = values;
	got = judge_first_common(tracks, 1, count, &pts_rule);
	assert_int_equal(got + 1, json_is_null(first) ? 0 : json_integer_value(first));
	assert_int_equal(json_array_size(rounds),
			 count < PTS_WINDOW ? 0 : count - PTS_WINDOW + 1);
	json_array_foreach(rounds, i, round)
	{
		struct judge_window window;

		assert_int_equal(judge_series_at(values, count, i + PTS_WINDOW - 1, 1,
						 &pts_rule, &window),
				 0);
		assert_int_equal(window.steady, json_is_true(json_object_get(round, "steady")));
		assert_int_equal((int)window.first_round, (int)i + 1);
		assert_int_equal((int)window.last_round,
				 json_integer_value(json_object_get(round, "round")));
		if (!window.valid)
			continue;
		expect_figure("json", "min", window.minimum,
			      json_number_of(json_object_get(json_object_get(round, "min"),
							     "decimal")),
			      0);
		expect_figure("json", "max", window.maximum,
			      json_number_of(json_object_get(json_object_get(round, "max"),
							     "decimal")),
			      0);
	}
}

static void the_first_steady_round(void **state)
{
	json_t *root = json_load_file(PTS_FIXTURES "/ss-series.json", 0, NULL), *series;
	size_t i;

	(void)state;
	assert_non_null(root);
	assert_int_equal(json_array_size(json_object_get(root, "series")), 22);
	json_array_foreach(json_object_get(root, "series"), i, series) one_first_round(series);
	json_decref(root);
}

static void expect_steady_rounds(const double *values, size_t count, const json_t *expected)
{
	size_t next = 0;

	for (size_t last = 0; last < count; last++) {
		struct judge_window window;

		if (judge_series_at(values, count, last, 1, &pts_rule, &window) < 0 ||
		    !window.steady)
			continue;
		assert_int_equal(last + 1, json_integer_value(json_array_get(expected, next)));
		next++;
	}
	assert_int_equal(next, json_array_size(expected));
}

static void one_multi_case(const json_t *test)
{
	const json_t *expected = json_object_get(test, "expected"), *rounds;
	const json_t *each = json_object_get(expected, "steady_rounds_each");
	const json_t *all = json_object_get(expected, "all_steady_same_round");
	double values[8][ROUNDS_MAX];
	const double *tracks[8];
	size_t track_count = 0, count = 0;
	const char *name;

	json_object_foreach(json_object_get(test, "tracked"), name, rounds)
	{
		tracks[track_count] = values[track_count];
		count = json_series(rounds, values[track_count++]);
		expect_steady_rounds(tracks[track_count - 1], count,
				     json_object_get(each, name));
	}
	assert_int_equal(judge_first_common(tracks, track_count, count, &pts_rule) + 1,
			 json_is_null(all) ? 0 : json_integer_value(all));
}

static void all_tracks_over_the_same_rounds(void **state)
{
	json_t *root = json_load_file(PTS_FIXTURES "/ss-multi.json", 0, NULL), *test;
	size_t i;

	(void)state;
	assert_non_null(root);
	assert_int_equal(json_array_size(json_object_get(root, "cases")), 3);
	json_array_foreach(json_object_get(root, "cases"), i, test) one_multi_case(test);
	assert_int_equal(judge_first_common(NULL, 0, 25, &pts_rule), -1);
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_round_of_every_series),
		cmocka_unit_test(the_first_steady_round),
		cmocka_unit_test(all_tracks_over_the_same_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
