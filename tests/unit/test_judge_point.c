/* Choosing cells by rule, on cases computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge_point.h"

static void the_highest_below_a_latency(void **state)
{
	const double iops[] = {9000, 8000, 7000, 6000};
	const double ms[] = {7, 5, 4.999, 1};

	(void)state;
	assert_int_equal(judge_highest(iops, ms, 4, 0), 0);
	assert_int_equal(judge_highest(iops, NULL, 4, 0), 0);
	/* below is below: 5 ms is not */
	assert_int_equal(judge_highest(iops, ms, 4, 5), 2);
	assert_int_equal(judge_highest(iops, ms, 4, 5.001), 1);
	assert_int_equal(judge_highest(iops, ms, 4, 1), -1);
}

static void what_is_missing_is_never_chosen(void **state)
{
	const double iops[] = {NAN, 100, 300, 200};
	const double ms[] = {1, 1, NAN, 1};
	const double none[] = {NAN, NAN};

	(void)state;
	assert_int_equal(judge_highest(iops, ms, 4, 5), 3);
	assert_int_equal(judge_nearest(iops, 4, 0), 1);
	assert_int_equal(judge_highest(none, none, 2, 0), -1);
	assert_int_equal(judge_nearest(none, 2, 10), -1);
	assert_int_equal(judge_nearest(iops, 4, NAN), -1);
	assert_int_equal(judge_highest(iops, ms, 0, 0), -1);
}

static void the_nearest_to_a_target(void **state)
{
	const double iops[] = {11689, 7450, 4839, 4200, 1713};

	(void)state;
	/* (7450 + 1713) / 2 = 4581.5: 4839 is 257.5 away, 4200 381.5 */
	assert_int_equal(judge_nearest(iops, 5, (iops[1] + iops[4]) / 2), 2);
	assert_int_equal(judge_nearest(iops, 5, 4300), 3);
	assert_int_equal(judge_nearest(iops, 5, 1e9), 0);
}

static void of_equals_the_first(void **state)
{
	const double same[] = {5, 7, 7, 3};

	(void)state;
	assert_int_equal(judge_highest(same, NULL, 4, 0), 1);
	assert_int_equal(judge_nearest(same, 4, 4), 0);
}

static void means(void **state)
{
	const double values[] = {1, 2, 6}, hole[] = {1, NAN, 3};

	(void)state;
	assert_true(fabs(judge_mean(values, 3) - 3) < 1e-15);
	assert_true(isnan(judge_mean(hole, 3)));
	assert_true(isnan(judge_mean(values, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_highest_below_a_latency),
		cmocka_unit_test(what_is_missing_is_never_chosen),
		cmocka_unit_test(the_nearest_to_a_target),
		cmocka_unit_test(of_equals_the_first),
		cmocka_unit_test(means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
