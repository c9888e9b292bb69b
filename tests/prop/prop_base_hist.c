/*
 * Properties of the histogram over random samples of hostile shapes: quantiles against the sorted
 * truth, merge = record of the union, blob round trip, and random damage to a blob.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pts_hash.h"
#include "pts_hist.h"

#define SAMPLES_MAX 5000
#define ROUNDS      60

static uint64_t random_state = 20261201;

static uint64_t draw(uint64_t below)
{
	return pts_splitmix64(&random_state) % below;
}

/* Shapes: even in an octave, any power, bucket edges, two far heaps, one value, beyond the top. */
static uint64_t sample(unsigned shape)
{
	uint64_t edge;

	switch (shape % 6) {
	case 0:
		return 1000000 + draw(1000000);
	case 1:
		return pts_splitmix64(&random_state) >> (27 + draw(37));
	case 2:
		edge = pts_hist_bucket_low((unsigned)draw(PTS_HIST_OVERFLOW));
		return edge - (edge && draw(2));
	case 3:
		return draw(100) ? 20000 + draw(10) : 3000000000 + draw(1000);
	case 4:
		return 42;
	default:
		return draw(20) ? draw(100000) : (1ull << PTS_HIST_TOP_BITS) + draw(1ull << 40);
	}
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* per_million/10^6 of count, rounded up, in whole numbers: the true nearest rank. */
static size_t true_rank(size_t count, uint64_t per_million)
{
	size_t rank = (size_t)((count * per_million + 999999) / 1000000);

	return rank ? rank : 1;
}

static void check_quantiles(const struct pts_hist *hist, const uint64_t *sorted, size_t count)
{
	static const uint64_t per_million[] = {0,      1,      10000,  500000, 900000, 990000,
					       999000, 999900, 999990, 999999, 1000000};

	for (size_t i = 0; i < sizeof(per_million) / sizeof(per_million[0]); i++) {
		uint64_t truth = sorted[true_rank(count, per_million[i]) - 1];
		uint64_t got = pts_hist_quantile(hist, (double)per_million[i] / 1e6);
		uint64_t off = got > truth ? got - truth : truth - got;

		if (got < hist->min || got > hist->max)
			fail_msg("a quantile outside the samples");
		if (truth >= 1ull << PTS_HIST_TOP_BITS)
			assert_true(got == hist->max); /* the overflow bucket's value */
		else if (off * 4096 > truth)
			fail_msg("%llu per million: %llu, truth %llu",
				 (unsigned long long)per_million[i], (unsigned long long)got,
				 (unsigned long long)truth);
	}
}

static void check_round_trip(const struct pts_hist *hist)
{
	struct pts_hist *back = pts_hist_new();
	void *blob;
	size_t bytes;

	assert_int_equal(pts_hist_encode(hist, &blob, &bytes), 0);
	assert_int_equal(pts_hist_decode(blob, bytes, back), 0);
	assert_memory_equal(back, hist, sizeof(*hist));
	/* Any one byte changed: refused, or a histogram that is sound in itself. */
	for (unsigned i = 0; i < 20; i++) {
		unsigned char *damaged = malloc(bytes);
		int rc;

		assert_non_null(damaged);
		memcpy(damaged, blob, bytes);
		damaged[draw(bytes)] ^= (unsigned char)(1 + draw(255));
		rc = pts_hist_decode(damaged, bytes - draw(2), back);
		assert_true(rc == 0 || rc == -EBADMSG || rc == -ENOTSUP);
		if (!rc)
			assert_in_range(pts_hist_quantile(back, 0.5), back->min, back->max);
		free(damaged);
	}
	free(blob);
	pts_hist_free(back);
}

static void quantiles_merge_and_blob(void **state)
{
	uint64_t *values = malloc(SAMPLES_MAX * sizeof(*values));
	struct pts_hist *all = pts_hist_new(), *parts[3];

	(void)state;
	assert_non_null(values);
	for (int p = 0; p < 3; p++)
		parts[p] = pts_hist_new();
	for (unsigned round = 0; round < ROUNDS; round++) {
		size_t count = 1 + draw(round % 4 ? SAMPLES_MAX : 12);
		unsigned __int128 sum = 0;

		pts_hist_reset(all);
		for (int p = 0; p < 3; p++)
			pts_hist_reset(parts[p]);
		for (size_t i = 0; i < count; i++) {
			values[i] = sample(round);
			sum += values[i];
			pts_hist_record(all, values[i]);
			pts_hist_record(parts[draw(3)], values[i]);
		}
		qsort(values, count, sizeof(*values), ascending);
		assert_true(all->count == count && all->sum == sum);
		assert_true(all->min == values[0] && all->max == values[count - 1]);
		check_quantiles(all, values, count);
		pts_hist_add(parts[0], parts[1]);
		pts_hist_add(parts[2], parts[0]);
		assert_memory_equal(parts[2], all, sizeof(*all));
		check_round_trip(all);
	}
	for (int p = 0; p < 3; p++)
		pts_hist_free(parts[p]);
	pts_hist_free(all);
	free(values);
}

/* Bytes that nobody wrote as a blob at all. */
static void noise_is_never_trusted(void **state)
{
	struct pts_hist *hist = pts_hist_new();

	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		size_t bytes = draw(60);
		unsigned char *noise = malloc(bytes + 1);

		assert_non_null(noise);
		for (size_t i = 0; i < bytes; i++)
			noise[i] = (unsigned char)(draw(3) ? draw(256) : draw(4));
		if (bytes)
			noise[0] = 1;
		if (pts_hist_decode(noise, bytes, hist) == 0 && hist->count)
			assert_in_range(pts_hist_quantile(hist, 0.9), hist->min, hist->max);
		free(noise);
	}
	pts_hist_free(hist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_merge_and_blob),
		cmocka_unit_test(noise_is_never_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
