/* The latency histogram: making, merging, reading. Recording is inline in the header. */
#include "pts_hist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pts_hist_reset(struct pts_hist *hist)
{
	memset(hist, 0, sizeof(*hist));
	hist->min = UINT64_MAX;
}

struct pts_hist *pts_hist_new(void)
{
	struct pts_hist *hist = malloc(sizeof(*hist));

	if (!hist)
		abort();
	pts_hist_reset(hist);
	return hist;
}

void pts_hist_free(struct pts_hist *hist)
{
	free(hist);
}

void pts_hist_add(struct pts_hist *into, const struct pts_hist *from)
{
	if (!from->count)
		return;
	into->count += from->count;
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	for (unsigned i = 0; i < PTS_HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

uint64_t pts_hist_bucket_low(unsigned index)
{
	const unsigned steps = 1u << PTS_HIST_BITS;

	if (index < 2 * steps)
		return index;
	return (uint64_t)((index & (steps - 1)) | steps) << ((index >> PTS_HIST_BITS) - 1);
}

uint64_t pts_hist_bucket_high(unsigned index)
{
	return index >= PTS_HIST_OVERFLOW ? UINT64_MAX : pts_hist_bucket_low(index + 1) - 1;
}

static uint64_t clamp(const struct pts_hist *hist, uint64_t value)
{
	if (value < hist->min)
		return hist->min;
	return value > hist->max ? hist->max : value;
}

/*
 * The rank ceil(q*n), at least 1. The double 0.99999 lies above the decimal one by up to 2^-54,
 * so its product with n = 10^9 lies 4.5e-8 above the whole number 999990000 and would round up:
 * what the representation can be off by (half a unit in the last place, times n) is taken away.
 */
static uint64_t rank_of(uint64_t count, double quantile)
{
	long double product = (long double)quantile * (long double)count;
	long double rank = ceill(product - (long double)count * 0x1p-53L);

	if (rank < 1)
		return 1;
	return rank > (long double)count ? count : (uint64_t)rank;
}

uint64_t pts_hist_quantile(const struct pts_hist *hist, double quantile)
{
	uint64_t rank, seen = 0;

	if (!hist->count)
		return 0;
	rank = rank_of(hist->count, quantile);
	if (rank == hist->count)
		return hist->max;
	for (unsigned i = 0; i < PTS_HIST_OVERFLOW; i++) {
		seen += hist->bucket[i];
		if (seen >= rank) {
			uint64_t low = pts_hist_bucket_low(i);

			return clamp(hist, low + (pts_hist_bucket_high(i) - low) / 2);
		}
	}
	return hist->max;
}

double pts_hist_mean(const struct pts_hist *hist)
{
	if (!hist->count)
		return NAN;
	return (double)((long double)hist->sum / (long double)hist->count);
}
