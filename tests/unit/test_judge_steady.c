/* One window: the limits, what is no number, and what is no window. B16, B17. */
#include "judge_fixture.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const double first_five[] = {1, 2, 3, 4, 5};

static struct judge_window judge(const double *values)
{
	struct judge_window window;

	assert_int_equal(judge_window(first_five, values, 5, &pts_rule, &window), 0);
	return window;
}

static void expect(const char *values_text, bool range_ok, bool slope_ok, bool boundary)
{
	double values[5];
	struct judge_window window;

	assert_int_equal(numbers_of(values_text, values, 5), 5);
	window = judge(values);
	assert_true(window.valid);
	if (window.range_ok != range_ok || window.slope_ok != slope_ok ||
	    window.boundary != boundary || window.steady != (range_ok && slope_ok))
		fail_msg("%s: range %.17g %% %d, slope %.17g %% %d, boundary %d", values_text,
			 window.range_pct, window.range_ok, window.slope_excursion_pct,
			 window.slope_ok, window.boundary);
}

static void equality_passes_and_is_flagged(void **state)
{
	(void)state;
	expect("0.9 1.1 1.0 1.1 0.9", true, true, true);
	expect("90 110 100 110 90", true, true, true);
	/* the same shape where doubles come out too small */
	expect("1111110.3 1358023.7 1234567 1358023.7 1111110.3", true, true, true);
	expect("95 97.5 100 102.5 105", true, true, true);
	expect("105 102.5 100 97.5 95", true, true, true);
	expect("0.95 0.975 1 1.025 1.05", true, true, true);
	expect("0.00000095 0.000000975 0.000001 0.000001025 0.00000105", true, true, true);
	/* range at its limit, slope beyond: still flagged, whatever the verdict */
	expect("90 95 100 105 110", true, false, true);
	/* slope at its limit (sum dx y = 25 at an average of 100), range far beyond */
	expect("95 120 62.5 110 112.5", false, true, true);
}

static void the_next_decimal_is_seen(void **state)
{
	(void)state;
	expect("90000 110001 99998 110000 90000", false, true, false); /* 20.00104 % */
	expect("0.9 1.1000000000001 1.0 1.1 0.9", false, true, false);
	expect("0.9 1.0999999999999 1.0 1.0999999999999 0.9", true, true, false);
	expect("0.9 1.100000000000002 1.0 1.1 0.9", false, true, false);
	expect("95 97.5 100 102.5 105.0000000000001", true, false, false);
	expect("95 97.5 100 102.5 104.9999999999", true, true, false);
}

static void both_rules_over_the_same_rounds(void **state)
{
	(void)state;
	expect("80 70 60 70 80", false, true, false);        /* V: no slope, large range */
	expect("91 95.5 100 104.5 109", true, false, false); /* drift inside the range */
	expect("100 100 100 100 100", true, true, false);
	expect("100 90 100 110 100", true, true, true); /* 8 % by the line, 0 by its ends */
}

static void a_failed_round_has_no_figures(void **state)
{
	double values[] = {1, 1, NAN, 1, 1};
	struct judge_window window = judge(values);

	(void)state;
	assert_false(window.valid || window.steady || window.range_ok || window.slope_ok);
	assert_false(window.boundary);
	assert_true(isnan(window.average) && isnan(window.range_pct) && isnan(window.slope));
	assert_true(isnan(window.minimum) && isnan(window.r) && isnan(window.intercept));
	assert_true(window.first_round > 0 && window.last_round > 4);
	values[2] = INFINITY;
	assert_false(judge(values).valid);
	values[2] = -INFINITY;
	assert_false(judge(values).valid);
}

static void an_average_of_zero_is_never_steady(void **state)
{
	static const double zero[5] = {0}, minus[5] = {-0.0, -0.0, 0, 0, 0};
	static const double cancelled[] = {0.1, -0.1, 0.2, -0.3, 0.1};
	struct judge_window window = judge(zero);

	(void)state;
	assert_false(window.valid || window.steady || window.range_ok || window.slope_ok);
	assert_false(window.boundary);
	assert_true(isnan(window.average) && isnan(window.range_pct) && isnan(window.r));
	assert_false(judge(minus).steady);
	/* the sum of these doubles is 1.4e-17, of these decimals 0 */
	window = judge(cancelled);
	assert_false(window.valid || window.steady);
	assert_true(isnan(window.range_pct));
}

static void a_flat_window_has_no_correlation(void **state)
{
	static const double flat[] = {0.1, 0.1, 0.1, 0.1, 0.1};
	static const double line[] = {3, 5, 7, 9, 11};
	struct judge_window window = judge(flat);

	(void)state;
	assert_true(window.steady && isnan(window.r));
	assert_true(!(window.slope > 0) && !(window.slope < 0));
	expect_figure("line", "r", judge(line).r, 1, 0);
	expect_figure("line", "slope", judge(line).slope, 2, 0);
	expect_figure("line", "intercept", judge(line).intercept, 1, 0);
}

static void negative_averages_are_measured_by_size(void **state)
{
	static const double values[] = {-0.9, -1.1, -1.0, -1.1, -0.9};
	struct judge_window window = judge(values);

	(void)state;
	assert_true(window.steady && window.boundary);
	expect_figure("negative", "range_pct", window.range_pct, 20, 0);
	expect_figure("negative", "average", window.average, -1, 0);
}

static void what_is_no_window_is_refused(void **state)
{
	static const double values[] = {1, 1, 1, 1, 1}, same[] = {3, 3, 3, 3, 3};
	struct judge_rule rule = pts_rule;
	struct judge_window window;
	double odd[] = {1, 2, NAN, 4, 5};

	(void)state;
	assert_int_equal(judge_window(first_five, values, 4, &rule, &window), -EINVAL);
	assert_int_equal(judge_window(same, values, 5, &rule, &window), -EINVAL);
	assert_int_equal(judge_window(odd, values, 5, &rule, &window), -EINVAL);
	assert_false(window.valid || window.steady);
	rule.window = 1;
	assert_int_equal(judge_window(first_five, values, 1, &rule, &window), -EINVAL);
	rule = (struct judge_rule){5, NAN, 0.1};
	assert_int_equal(judge_window(first_five, values, 5, &rule, &window), -EINVAL);
	rule = (struct judge_rule){5, 0.2, -0.1};
	assert_int_equal(judge_window(first_five, values, 5, &rule, &window), -EINVAL);
	rule = (struct judge_rule){JUDGE_WINDOW_MAX + 1, 0.2, 0.1};
	assert_int_equal(judge_series_at(values, 5, 4, 1, &rule, &window), -EINVAL);
	assert_int_equal(judge_series_at(values, 5, 3, 1, &pts_rule, &window), -ERANGE);
	assert_int_equal(judge_series_at(values, 5, 5, 1, &pts_rule, &window), -ERANGE);
	assert_int_equal(judge_series_at(values, 5, 4, 7, &pts_rule, &window), 0);
	assert_true(window.first_round > 6 && window.first_round < 8);
	assert_true(window.last_round > 10 && window.last_round < 12);
}

static void rule_of_nothing_allows_nothing(void **state)
{
	static const double flat[] = {7, 7, 7, 7, 7}, moved[] = {7, 7, 7, 7, 7.0000001};
	const struct judge_rule rule = {5, 0, 0};
	struct judge_window window;

	(void)state;
	assert_int_equal(judge_window(first_five, flat, 5, &rule, &window), 0);
	assert_true(window.steady && window.boundary);
	assert_int_equal(judge_window(first_five, moved, 5, &rule, &window), 0);
	assert_false(window.steady);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equality_passes_and_is_flagged),
		cmocka_unit_test(the_next_decimal_is_seen),
		cmocka_unit_test(both_rules_over_the_same_rounds),
		cmocka_unit_test(a_failed_round_has_no_figures),
		cmocka_unit_test(an_average_of_zero_is_never_steady),
		cmocka_unit_test(a_flat_window_has_no_correlation),
		cmocka_unit_test(negative_averages_are_measured_by_size),
		cmocka_unit_test(what_is_no_window_is_refused),
		cmocka_unit_test(rule_of_nothing_allows_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
