/*
 * Steady state, PTS 2.0.2 definition 2.1.24. Pure arithmetic: no allocation, no I/O, no clock.
 *
 * Equality at a limit. The values are decimal text or quotients of counts, rounded to doubles:
 * each may be off by e = 2^-53 of itself, and so may the rule's shares. What that can do to the
 * figures follows from the data, so the slack is worked out and not guessed:
 *
 *   range      max - min                               off by at most  e (|max| + |min|)
 *   excursion  dx |sum w y|, w = (x - mean x) / sum (x - mean x)^2     e dx sum|w| max|y|
 *   limit      share |mean y|                                          e share (mean|y| + |mean y|)
 *
 * The sums here are made in long double, whose own rounding is 2^-64 an operation: INPUT_ERROR has
 * a sixteenth for it. A figure nearer to its limit than the slack may be equality in truth, and
 * passes as one; for a window of five at 20 % that is 3 parts in 10^16 of the average, so an
 * excess in the 15th digit is still seen. An average that the errors may have made of 0 is 0.
 */
#include "judge_steady.h"

#include <errno.h>
#include <math.h>

#define INPUT_ERROR 0x1.1p-53L

/* Sums over the window, centred so that large values keep their digits. */
struct sums {
	long double mean_x, mean_y;
	long double mean_size_y; /* of |y| */
	long double xx, xy, yy;
	long double size_dx; /* sum of |x - mean x| */
	long double min_x, max_x, min_y, max_y;
};

static void sums_of(const double *x, const double *y, size_t count, struct sums *ret_sums)
{
	struct sums s = {.min_x = x[0], .max_x = x[0], .min_y = y[0], .max_y = y[0]};

	for (size_t i = 0; i < count; i++) {
		s.mean_x += x[i];
		s.mean_y += y[i];
		s.mean_size_y += fabsl(y[i]);
		s.min_x = fminl(s.min_x, x[i]);
		s.max_x = fmaxl(s.max_x, x[i]);
		s.min_y = fminl(s.min_y, y[i]);
		s.max_y = fmaxl(s.max_y, y[i]);
	}
	s.mean_x /= (long double)count;
	s.mean_y /= (long double)count;
	s.mean_size_y /= (long double)count;
	for (size_t i = 0; i < count; i++) {
		long double dx = x[i] - s.mean_x, dy = y[i] - s.mean_y;

		s.size_dx += fabsl(dx);
		s.xx += dx * dx;
		s.xy += dx * dy;
		s.yy += dy * dy;
	}
	*ret_sums = s;
}

/* value <= share * |mean|, with equality inside the slack; value_error: what value is off by. */
static bool within(const struct sums *s, long double value, long double value_error,
		   double share, bool *ret_equal)
{
	long double size = fabsl(s->mean_y);
	long double limit = share * size;
	long double slack = value_error + INPUT_ERROR * share * (s->mean_size_y + size);
	bool equal = fabsl(value - limit) <= slack;

	*ret_equal = *ret_equal || equal;
	return equal || value < limit;
}

static bool all_there(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

static void no_figures(struct judge_window *window)
{
	window->average = window->minimum = window->maximum = NAN;
	window->range = window->range_pct = NAN;
	window->slope = window->intercept = NAN;
	window->slope_excursion = window->slope_excursion_pct = NAN;
	window->r = NAN;
}

static void figures(const struct sums *s, const struct judge_rule *rule,
		    struct judge_window *window)
{
	bool flat = !(s->max_y > s->min_y);
	long double range = s->max_y - s->min_y;
	long double slope = flat ? 0 : s->xy / s->xx;
	long double span = s->max_x - s->min_x;
	long double excursion = fabsl(slope) * span;
	long double largest = fmaxl(fabsl(s->max_y), fabsl(s->min_y));
	long double size = fabsl(s->mean_y);

	window->average = (double)s->mean_y;
	window->minimum = (double)s->min_y;
	window->maximum = (double)s->max_y;
	window->range = (double)range;
	window->slope = (double)slope;
	window->intercept = (double)(s->mean_y - slope * s->mean_x);
	window->slope_excursion = (double)excursion;
	window->r = flat ? NAN : (double)(s->xy / sqrtl(s->xx * s->yy));
	window->range_pct = (double)(100 * range / size);
	window->slope_excursion_pct = (double)(100 * excursion / size);
	window->range_ok = within(s, range, INPUT_ERROR * (fabsl(s->max_y) + fabsl(s->min_y)),
				  rule->range_share, &window->boundary);
	window->slope_ok =
		within(s, excursion, INPUT_ERROR * span * s->size_dx / s->xx * largest,
		       rule->slope_share, &window->boundary);
	window->steady = window->range_ok && window->slope_ok;
}

int judge_window(const double *rounds, const double *values, size_t count,
		 const struct judge_rule *rule, struct judge_window *ret_window)
{
	struct sums s;

	*ret_window = (struct judge_window){.valid = false};
	no_figures(ret_window);
	if (rule->window < 2 || count != rule->window || !all_there(rounds, count) ||
	    !(rule->range_share >= 0) || !(rule->slope_share >= 0))
		return -EINVAL;
	ret_window->first_round = rounds[0];
	ret_window->last_round = rounds[count - 1];
	if (!all_there(values, count))
		return 0;
	sums_of(rounds, values, count, &s);
	if (!(s.xx > 0))
		return -EINVAL;
	/* A = 0 is degenerate: a share of nothing is no limit (PTS 2.7 reading). */
	if (!(fabsl(s.mean_y) > INPUT_ERROR * s.mean_size_y))
		return 0;
	ret_window->valid = true;
	figures(&s, rule, ret_window);
	return 0;
}

int judge_series_at(const double *values, size_t count, size_t last, double first_round,
		    const struct judge_rule *rule, struct judge_window *ret_window)
{
	double rounds[JUDGE_WINDOW_MAX];

	if (rule->window > JUDGE_WINDOW_MAX)
		return -EINVAL;
	if (last >= count || last + 1 < rule->window)
		return -ERANGE;
	for (unsigned i = 0; i < rule->window; i++)
		rounds[i] = first_round + (double)(last + 1 - rule->window + i);
	return judge_window(rounds, values + last + 1 - rule->window, rule->window, rule,
			    ret_window);
}

long judge_first_common(const double *const *values, size_t track_count, size_t count,
			const struct judge_rule *rule)
{
	for (size_t last = 0; track_count && last < count; last++) {
		struct judge_window window = {.steady = true};

		for (size_t t = 0; t < track_count && window.steady; t++)
			if (judge_series_at(values[t], count, last, 1, rule, &window) < 0)
				window.steady = false;
		if (window.steady)
			return (long)last;
	}
	return -1;
}
