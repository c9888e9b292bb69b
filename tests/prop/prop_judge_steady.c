/*
 * Properties of the judge. The oracle is exact: integer series, every figure and limit compared in
 * whole numbers of 128 bits, without a single rounding.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "judge_steady.h"
#include "pts_hash.h"
#include "pts_text.h"

#define TRIES      40000
#define LONGEST    9
#define SHARE_UNIT 1000 /* shares are n/1000 */

typedef __int128 wide;

static uint64_t random_state = 20241201;

static uint64_t draw(uint64_t below)
{
	return pts_splitmix64(&random_state) % below;
}

/* Integers y(0..count) at x = first..first+count-1; the truth in whole numbers. */
struct oracle {
	unsigned count;
	long y[LONGEST];
	long first;
	unsigned range_share, slope_share; /* of SHARE_UNIT */

	wide sum_y, range, n_slope, d_slope; /* slope = n_slope / d_slope */
	bool range_ok, slope_ok, boundary, degenerate;
};

static wide size_of(wide value)
{
	return value < 0 ? -value : value;
}

static void solve(struct oracle *o)
{
	wide n = o->count, sum_x = 0, sum_xy = 0, sum_xx = 0, left, right;
	long least = o->y[0], most = o->y[0];

	o->sum_y = 0;
	for (unsigned i = 0; i < o->count; i++) {
		wide x = o->first + (long)i;

		sum_x += x;
		sum_xx += x * x;
		sum_xy += x * o->y[i];
		o->sum_y += o->y[i];
		least = o->y[i] < least ? o->y[i] : least;
		most = o->y[i] > most ? o->y[i] : most;
	}
	o->range = most - least;
	o->n_slope = n * sum_xy - sum_x * o->sum_y;
	o->d_slope = n * sum_xx - sum_x * sum_x;
	o->degenerate = o->sum_y == 0;
	/* range <= share * |sum y| / n */
	left = o->range * n * SHARE_UNIT;
	right = o->range_share * size_of(o->sum_y);
	o->range_ok = left <= right;
	o->boundary = left == right;
	/* (n - 1) * |slope| <= share * |sum y| / n */
	left = (n - 1) * size_of(o->n_slope) * n * SHARE_UNIT;
	right = o->slope_share * size_of(o->sum_y) * o->d_slope;
	o->slope_ok = left <= right;
	o->boundary = o->boundary || left == right;
}

/* The judge's answer on the same series, each value divided by 10^places as decimal text. */
static struct judge_window judged(const struct oracle *o, unsigned places)
{
	struct judge_rule rule = {.window = o->count};
	struct judge_window window;
	double values[LONGEST];
	char text[48];

	snprintf(text, sizeof(text), "%ue-3", o->range_share);
	assert_int_equal(pts_double_parse(text, &rule.range_share), 0);
	snprintf(text, sizeof(text), "%ue-3", o->slope_share);
	assert_int_equal(pts_double_parse(text, &rule.slope_share), 0);
	for (unsigned i = 0; i < o->count; i++) {
		snprintf(text, sizeof(text), "%lde-%u", o->y[i], places);
		assert_int_equal(pts_double_parse(text, &values[i]), 0);
	}
	assert_int_equal(judge_series_at(values, o->count, o->count - 1, (double)o->first,
					 &rule, &window),
			 0);
	return window;
}

static void expect(const struct oracle *o, const char *what, double got, long double want,
		   long double size)
{
	if (fabsl((long double)got - want) <= 1e-13L * fmaxl(fabsl(want), size))
		return;
	for (unsigned i = 0; i < o->count; i++)
		print_message("%ld ", o->y[i]);
	fail_msg("%s is %.17g, truth %.17Lg", what, got, want);
}

static void compare(const struct oracle *o, const struct judge_window *window, unsigned places)
{
	long double unit = powl(10, -(int)places), n = o->count, size = 0;
	long double slope = (long double)o->n_slope / (long double)o->d_slope * unit;
	long double average = (long double)o->sum_y / n * unit;

	for (unsigned i = 0; i < o->count; i++)
		size = fmaxl(size, fabsl((long double)o->y[i] * unit));
	assert_int_equal(window->valid, !o->degenerate);
	if (o->degenerate) {
		assert_false(window->steady || window->boundary);
		return;
	}
	expect(o, "average", window->average, average, size);
	expect(o, "range", window->range, (long double)o->range * unit, size);
	expect(o, "slope", window->slope, slope, size);
	expect(o, "intercept", window->intercept,
	       average - slope * ((long double)o->first + (n - 1) / 2),
	       size * fabsl(n + o->first));
	expect(o, "excursion", window->slope_excursion, fabsl(slope) * (n - 1), size);
	if (window->range_ok != o->range_ok || window->slope_ok != o->slope_ok ||
	    window->boundary != o->boundary || window->steady != (o->range_ok && o->slope_ok)) {
		for (unsigned i = 0; i < o->count; i++)
			print_message("%ld ", o->y[i]);
		fail_msg("/10^%u: range %d, slope %d, boundary %d, expected %d %d %d", places,
			 window->range_ok, window->slope_ok, window->boundary, o->range_ok,
			 o->slope_ok, o->boundary);
	}
}

/* Small integers meet the limits exactly again and again. */
static void against_whole_numbers(void **state)
{
	static const unsigned ranges[] = {200, 200, 200, 125, 333, 7, 0, 1500};
	static const unsigned slopes[] = {100, 100, 100, 50, 111, 3, 0, 2500};
	unsigned boundaries = 0, steady = 0, unsteady = 0;

	(void)state;
	for (unsigned i = 0; i < TRIES; i++) {
		struct oracle o = {.count = draw(3) ? 5 : 2 + (unsigned)draw(LONGEST - 1),
				   .first = 1 + (long)draw(25)};
		long base = (long)draw(4) ? 30 + (long)draw(400) : (long)draw(10);
		long spread = 1 + (long)draw(draw(2) ? 8 : 60);

		for (unsigned k = 0; k < o.count; k++)
			o.y[k] = base + (long)draw((uint64_t)spread);
		if (draw(10) == 0)
			for (unsigned k = 0; k < o.count; k++)
				o.y[k] = -o.y[k];
		o.range_share = ranges[draw(8)];
		o.slope_share = slopes[draw(8)];
		solve(&o);
		for (unsigned places = 0; places <= 12; places += 3 + (unsigned)draw(4)) {
			struct judge_window window = judged(&o, places);

			compare(&o, &window, places);
		}
		boundaries += o.boundary;
		steady += o.range_ok && o.slope_ok;
		unsteady += !(o.range_ok && o.slope_ok);
	}
	print_message("%u series at a limit, %u steady, %u not\n", boundaries, steady,
		      unsteady);
	assert_true(boundaries > TRIES / 100 && steady > TRIES / 20 && unsteady > TRIES / 20);
}

/* Big IOPS with decimals, put at a limit and one unit of the last place beside it. */
static void one_unit_beside_a_limit(void **state)
{
	unsigned seen = 0;

	(void)state;
	for (unsigned i = 0; i < TRIES / 10; i++) {
		/* sum = 25 k: 20 % of the average is k */
		long k = 1000000 + (long)draw(10000000000000);
		long b = 5 * k - k / 2, c = b + k;
		struct oracle o = {
			.count = 5, .first = 1, .range_share = 200, .slope_share = 100};

		/* from 4.5 k to 5.5 k, symmetric, so that the line is flat */
		o.y[0] = o.y[4] = b;
		o.y[1] = o.y[3] = c;
		o.y[2] = 25 * k - 2 * (b + c);
		for (long beside = -1; beside <= 1; beside++) {
			struct oracle moved = o;

			moved.y[1] += beside;
			moved.y[2] -= beside;
			solve(&moved);
			for (unsigned places = 0; places <= 6; places += 2) {
				struct judge_window window = judged(&moved, places);

				compare(&moved, &window, places);
			}
			seen += moved.boundary;
		}
	}
	assert_true(seen >= TRIES / 10);
}

static void random_series(double *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = 50000 + (double)draw(20000000) / 1000;
}

static struct judge_window at(const double *values, unsigned count, double first)
{
	const struct judge_rule rule = {count, 0.2, 0.1};
	struct judge_window window;

	assert_int_equal(judge_series_at(values, count, count - 1, first, &rule, &window), 0);
	return window;
}

static void near(double got, double want, double size)
{
	if (!(fabs(got - want) <= 1e-12 * size))
		fail_msg("%.17g, expected %.17g", got, want);
}

static void scale_changes_no_verdict(void **state)
{
	static const double factors[] = {1e-6, 1e-3, 0.1, 3, 7e5, 1e9};

	(void)state;
	for (unsigned i = 0; i < TRIES / 10; i++) {
		double values[5], scaled[5], factor = factors[draw(6)];
		struct judge_window before, after;

		random_series(values, 5);
		for (int k = 0; k < 5; k++)
			scaled[k] = values[k] * factor;
		before = at(values, 5, 1);
		after = at(scaled, 5, 1);
		assert_int_equal(before.steady, after.steady);
		near(after.average, before.average * factor, before.average * factor);
		near(after.range_pct, before.range_pct, 100);
		near(after.slope_excursion_pct, before.slope_excursion_pct, 100);
		near(after.r, before.r, 1);
	}
}

static void later_rounds_move_the_intercept_only(void **state)
{
	(void)state;
	for (unsigned i = 0; i < TRIES / 10; i++) {
		double values[5], shift = (double)draw(1000);
		struct judge_window before, after;

		random_series(values, 5);
		before = at(values, 5, 1);
		after = at(values, 5, 1 + shift);
		assert_int_equal(before.steady, after.steady);
		near(after.average, before.average, 1);
		near(after.slope, before.slope, before.average);
		near(after.slope_excursion, before.slope_excursion, before.average);
		near(after.range_pct, before.range_pct, 100);
		near(after.intercept, before.intercept - before.slope * shift,
		     before.average * 1000);
	}
}

static void reversal_turns_the_slope(void **state)
{
	(void)state;
	for (unsigned i = 0; i < TRIES / 10; i++) {
		double values[5], reversed[5];
		struct judge_window before, after;

		random_series(values, 5);
		for (int k = 0; k < 5; k++)
			reversed[k] = values[4 - k];
		before = at(values, 5, 1);
		after = at(reversed, 5, 1);
		near(after.slope, -before.slope, before.average);
		near(after.r, -before.r, 1);
		near(after.range, before.range, before.average);
		near(after.slope_excursion, before.slope_excursion, before.average);
		assert_int_equal(before.steady, after.steady);
	}
}

static void several_tracks_agree_with_each(void **state)
{
	const struct judge_rule rule = {5, 0.2, 0.1};

	(void)state;
	for (unsigned i = 0; i < TRIES / 50; i++) {
		double series[3][25];
		const double *tracks[3] = {series[0], series[1], series[2]};
		long expected = -1;

		for (int t = 0; t < 3; t++)
			random_series(series[t], 25);
		for (size_t last = 4; last < 25 && expected < 0; last++) {
			unsigned steady = 0;

			for (int t = 0; t < 3; t++) {
				struct judge_window window;

				assert_int_equal(
					judge_series_at(series[t], 25, last, 1, &rule, &window),
					0);
				steady += window.steady;
			}
			if (steady == 3)
				expected = (long)last;
		}
		assert_int_equal(judge_first_common(tracks, 3, 25, &rule), expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_whole_numbers),
		cmocka_unit_test(one_unit_beside_a_limit),
		cmocka_unit_test(scale_changes_no_verdict),
		cmocka_unit_test(later_rounds_move_the_intercept_only),
		cmocka_unit_test(reversal_turns_the_slope),
		cmocka_unit_test(several_tracks_agree_with_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
