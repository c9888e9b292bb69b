/* Was a share of the submitted I/Os (reads, a block size, a zone) what was asked for? */
#ifndef JUDGE_SHARE_H
#define JUDGE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Binomial test: each of ios I/Os hits with probability share. *ret_z_squared =
 * (hits - ios*share)^2 / (ios*share*(1-share)); shares 0 and 1 must be met exactly (z squared is
 * NaN then). True if |z| <= sigmas. ios 0 is true with NaN.
 */
bool judge_share(uint64_t ios, uint64_t hits, double share, double sigmas,
		 double *ret_z_squared);

/*
 * Chi-square goodness of fit of observed counts against equal expectation: *ret_chi_square, and
 * the normal approximation z = (chi2 - dof) / sqrt(2 dof) as return value.
 */
double judge_uniform_z(const uint64_t *counts, uint64_t bins, double *ret_chi_square);

#endif
