/*
 * Latency histogram: log-linear, 2048 steps an octave, so that a value read back differs from
 * the recorded one by at most 1/4096 (0.025 %); exact minimum, maximum, sum and count; fixed
 * memory; merged by adding. Values from 0 to 2^37 ns (137 s) have buckets, larger ones share
 * one overflow bucket (whose value is the exact maximum). Percentiles by nearest rank, clamped
 * to [min, max].
 */
#ifndef PTS_HIST_H
#define PTS_HIST_H

#include <stddef.h>
#include <stdint.h>

#define PTS_HIST_BITS     11
#define PTS_HIST_TOP_BITS 37
#define PTS_HIST_OVERFLOW ((PTS_HIST_TOP_BITS - PTS_HIST_BITS + 1) << PTS_HIST_BITS)
#define PTS_HIST_BUCKETS  (PTS_HIST_OVERFLOW + 1)

struct pts_hist {
	uint64_t count;
	uint64_t min; /* UINT64_MAX while empty */
	uint64_t max;
	unsigned __int128 sum;
	uint64_t bucket[PTS_HIST_BUCKETS];
};

static inline unsigned pts_hist_index(uint64_t value)
{
	unsigned top = 63 - (unsigned)__builtin_clzll(value | (1ull << PTS_HIST_BITS));
	unsigned index = ((top - PTS_HIST_BITS) << PTS_HIST_BITS) +
			 (unsigned)(value >> (top - PTS_HIST_BITS));

	return index < PTS_HIST_OVERFLOW ? index : PTS_HIST_OVERFLOW;
}

static inline void pts_hist_record(struct pts_hist *hist, uint64_t value)
{
	hist->bucket[pts_hist_index(value)]++;
	hist->sum += value;
	hist->count++;
	if (value < hist->min)
		hist->min = value;
	if (value > hist->max)
		hist->max = value;
}

struct pts_hist *pts_hist_new(void); /* about 432 KiB, touched; aborts without memory */
void pts_hist_free(struct pts_hist *hist);
void pts_hist_reset(struct pts_hist *hist);
void pts_hist_add(struct pts_hist *into, const struct pts_hist *from);

/* Lowest and highest value that bucket index stands for; the representative is the middle. */
uint64_t pts_hist_bucket_low(unsigned index);
uint64_t pts_hist_bucket_high(unsigned index);

/* quantile 0.99999 -> the ceil(q*n)-th smallest value (bucket middle, clamped); 0 if empty. */
uint64_t pts_hist_quantile(const struct pts_hist *hist, double quantile);
double pts_hist_mean(const struct pts_hist *hist); /* exact sum / count; NaN if empty */

/*
 * Portable blob: version byte, then varints (count, min, max, sum as two words, then gap+count
 * of each used bucket), so that it is small and independent of byte order. *ret_blob is the
 * caller's to free(). Decoding checks everything (it may come from a hostile store):
 * -EBADMSG for a damaged blob, -ENOTSUP for another version.
 */
int pts_hist_encode(const struct pts_hist *hist, void **ret_blob, size_t *ret_bytes);
int pts_hist_decode(const void *blob, size_t bytes, struct pts_hist *ret_hist);

#endif
