/* Choosing cells by rule: arithmetic on arrays, nothing else. */
#include "judge_point.h"

#include <math.h>

double judge_mean(const double *values, size_t count)
{
	long double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count ? (double)(sum / count) : NAN;
}

long judge_highest(const double *values, const double *latencies, size_t count, double limit)
{
	long best = -1;

	for (size_t i = 0; i < count; i++) {
		if (isnan(values[i]) || (limit > 0 && !(latencies[i] < limit)))
			continue;
		if (best < 0 || values[i] > values[best])
			best = (long)i;
	}
	return best;
}

long judge_nearest(const double *values, size_t count, double target)
{
	long best = -1;

	for (size_t i = 0; i < count; i++) {
		if (isnan(values[i]) || isnan(target))
			continue;
		if (best < 0 || fabs(values[i] - target) < fabs(values[best] - target))
			best = (long)i;
	}
	return best;
}
