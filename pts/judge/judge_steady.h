/*
 * Steady state (PTS 2.0.2, definition 2.1.24): pure arithmetic on arrays. No allocation, no
 * I/O, no clock. The rule's numbers come from the spec, never from here.
 */
#ifndef JUDGE_STEADY_H
#define JUDGE_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define JUDGE_WINDOW_MAX 64 /* rounds; a spec with a longer window is refused */

struct judge_rule {
	unsigned window;    /* rounds x-(window-1)..x */
	double range_share; /* max - min <= range_share * average */
	double slope_share; /* (window - 1) * |slope| <= slope_share * |average| */
};

/* What a window of rounds says. There are no figures (valid = false, NaN) if a round failed or the
 * average is 0. */
struct judge_window {
	bool valid; /* every round of the window has a value, their average is not 0 */
	double first_round, last_round;
	double average;
	double minimum, maximum;
	double range;
	double range_pct;       /* of the average */
	double slope;           /* least squares, per round */
	double intercept;       /* at round 0 */
	double slope_excursion; /* max - min of the fitted line over the window */
	double slope_excursion_pct;
	double r; /* Pearson; NaN for a flat window */
	bool range_ok, slope_ok;
	bool boundary; /* either limit met exactly, whatever the verdict */
	bool steady;   /* range_ok and slope_ok; never for an average of 0 */
};

/*
 * Judges count points: rounds[i] is the x value, values[i] the y value (NaN = failed round).
 * count must be rule->window. Least squares over the given x, so odd spacing is right too; the
 * slope excursion is |slope| * (max x - min x). Equality with a limit passes and sets boundary;
 * equality allows for the rounding of decimal input to doubles (a few units in the last place,
 * see judge_steady.c), so that 0.9 1.1 1.0 1.1 0.9 is exactly at the limit. 0 or -EINVAL.
 */
int judge_window(const double *rounds, const double *values, size_t count,
		 const struct judge_rule *rule, struct judge_window *ret_window);

/*
 * Judges the window that ends at index last of a series of consecutive rounds (values[0] is
 * round first_round). -ERANGE if the series is shorter than the window there.
 */
int judge_series_at(const double *values, size_t count, size_t last, double first_round,
		    const struct judge_rule *rule, struct judge_window *ret_window);

/*
 * Several tracking variables: steady at a round only if all are steady over the same rounds.
 * values[t] points to count values of track t. Returns the index of the first such round, or
 * -1 if there is none.
 */
long judge_first_common(const double *const *values, size_t track_count, size_t count,
			const struct judge_rule *rule);

#endif
