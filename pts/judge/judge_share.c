/* Shares and uniformity of submitted I/Os: pure arithmetic. */
#include "judge_share.h"

#include <math.h>

bool judge_share(uint64_t ios, uint64_t hits, double share, double sigmas,
		 double *ret_z_squared)
{
	long double expected = (long double)ios * share;
	long double variance = expected * (1 - (long double)share);
	long double off = (long double)hits - expected;

	*ret_z_squared = NAN;
	if (!ios)
		return true;
	if (!(share > 0))
		return hits == 0;
	if (!(share < 1))
		return hits == ios;
	*ret_z_squared = (double)(off * off / variance);
	return off * off <= (long double)sigmas * sigmas * variance;
}

double judge_uniform_z(const uint64_t *counts, uint64_t bins, double *ret_chi_square)
{
	long double total = 0, chi_square = 0, expected, freedom;

	*ret_chi_square = NAN;
	for (uint64_t i = 0; i < bins; i++)
		total += (long double)counts[i];
	if (bins < 2 || !(total > 0))
		return NAN;
	expected = total / (long double)bins;
	for (uint64_t i = 0; i < bins; i++) {
		long double off = (long double)counts[i] - expected;

		chi_square += off * off / expected;
	}
	freedom = (long double)(bins - 1);
	*ret_chi_square = (double)chi_square;
	return (double)((chi_square - freedom) / sqrtl(2 * freedom));
}
