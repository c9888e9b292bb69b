/*
 * Choosing measured cells by rule (PTS 2.0.2, sections 13 and 14: the points of the largest, the
 * smallest and the middle load). Pure arithmetic; of equals the first one is taken.
 */
#ifndef JUDGE_POINT_H
#define JUDGE_POINT_H

#include <stddef.h>

/* Arithmetic mean; NaN if a value is missing (NaN) or there is none. */
double judge_mean(const double *values, size_t count);

/* Index of the highest value among those whose latency is below limit (0: no limit, latencies may
 * be NULL). What is NaN is never chosen; -1 if nothing is left. */
long judge_highest(const double *values, const double *latencies, size_t count, double limit);

/* Index of the value that is nearest to target; NaN is never chosen. -1 if nothing is left or the
 * target is NaN. */
long judge_nearest(const double *values, size_t count, double target);

#endif
