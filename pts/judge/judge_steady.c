/*
 * Steady state, PTS 2.0.2 definition 2.1.24. Pure arithmetic: no allocation, no I/O, no clock.
 *
 * Equality at a limit. The values are decimal text (or quotients of counts) rounded to doubles,
 * so each carries a relative error of at most 2^-53. All sums here are made in long double
 * (2^-64), which adds nothing that matters. For positive values of like size (near a limit the
 * range is about range_share of the average, so all values lie near it) the error of
 * max - min is at most 2 * 2^-53 * max, that of the average at most 2^-53 * average, and that of
 * the slope excursion, a weighted sum of the values with weights of at most 1 in sum of moduli
 * (window - 1) * sum|x - mean x| / sum (x - mean x)^2 (2.4 for a window of five), at most
 * 2.4 * 2^-53 * max. Against limits of a tenth of the average that is a relative error of a few
 * tens of 2^-53. A difference within LIMIT_SLACK (2^-47, 64 of those) of the limit is equality; a
 * true excess of 1 part in 10^13 is still seen.
 */
#include "judge_steady.h"

#include <errno.h>
#include <math.h>

#define LIMIT_SLACK 0x1p-47L

/* Sums over the window, centred so that large values keep their digits. */
struct sums {
	long double mean_x, mean_y;
	long double xx, xy, yy;
	long double min_x, max_x, min_y, max_y;
};

static void sums_of(const double *x, const double *y, size_t count, struct sums *ret_sums)
{
	struct sums s = {.min_x = x[0], .max_x = x[0], .min_y = y[0], .max_y = y[0]};

	for (size_t i = 0; i < count; i++) {
		s.mean_x += x[i];
		s.mean_y += y[i];
		s.min_x = fminl(s.min_x, x[i]);
		s.max_x = fmaxl(s.max_x, x[i]);
		s.min_y = fminl(s.min_y, y[i]);
		s.max_y = fmaxl(s.max_y, y[i]);
	}
	s.mean_x /= (long double)count;
	s.mean_y /= (long double)count;
	for (size_t i = 0; i < count; i++) {
		long double dx = x[i] - s.mean_x, dy = y[i] - s.mean_y;

		s.xx += dx * dx;
		s.xy += dx * dy;
		s.yy += dy * dy;
	}
	*ret_sums = s;
}

/* value <= limit with equality by LIMIT_SLACK. */
static bool within(long double value, long double limit, bool *ret_equal)
{
	bool equal = fabsl(value - limit) <= limit * LIMIT_SLACK;

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
	long double excursion = fabsl(slope) * (s->max_x - s->min_x);
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
	window->range_ok = within(range, rule->range_share * size, &window->boundary);
	window->slope_ok = within(excursion, rule->slope_share * size, &window->boundary);
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
	if (!(fabsl(s.mean_y) > 0))
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
