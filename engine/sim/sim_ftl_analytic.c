/*
 * What theory says of greedy cleaning: the yardstick of the model's tests, and what a model's
 * author reckons with. It must not look at a drive.
 */
#include <math.h>

#include "sim_ftl.h"

#define BISECTIONS 200

/* (H(b) - H(x)) / (b - x), with H linear between integers; falls from H(b) / b at x = 0. */
static double share_at(double x, uint32_t pages_per_block)
{
	double sum = 0;
	uint32_t above = (uint32_t)x + 1;

	for (uint32_t i = pages_per_block; i > above; i--)
		sum += 1.0 / i;
	sum += (above - x) / above;
	return sum / (pages_per_block - x);
}

double sim_ftl_greedy_wa(double alpha, uint32_t pages_per_block)
{
	double b = pages_per_block;
	double low = 0, high = b - 1e-9;

	/* more room than there are pages to keep: victims are empty */
	if (share_at(0, pages_per_block) <= alpha / b)
		return 1;
	for (unsigned i = 0; i < BISECTIONS; i++) {
		double x = (low + high) / 2;

		if (share_at(x, pages_per_block) > alpha / b)
			low = x;
		else
			high = x;
	}
	return b / (b - low);
}

/* u = share of valid pages in a victim: ln(1 / u) / (1 - u) = alpha, 0 < u < 1, alpha > 1. */
double sim_ftl_greedy_wa_limit(double alpha)
{
	double low = 0, high = 1;

	for (unsigned i = 0; i < BISECTIONS; i++) {
		double u = (low + high) / 2;

		if (-log(u) / (1 - u) > alpha)
			low = u;
		else
			high = u;
	}
	return 1 / (1 - low);
}
