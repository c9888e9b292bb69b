/*
 * Histogram: percentiles of merged threads (B43), long stalls (B46), the blob and what a hostile
 * one may try.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_hist.h"
#include "pts_text.h"

static void record_many(struct pts_hist *hist, uint64_t value, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		pts_hist_record(hist, value);
}

/* The header's promise is twice as sharp as what is asked for (0.05 %). */
static void expect_near(uint64_t got, uint64_t truth)
{
	uint64_t off = got > truth ? got - truth : truth - got;

	if (off * 4096 > truth)
		fail_msg("%llu, truth %llu", (unsigned long long)got,
			 (unsigned long long)truth);
}

static void every_value_has_its_bucket(void **state)
{
	(void)state;
	assert_int_equal(pts_hist_bucket_low(0), 0);
	for (unsigned i = 0; i < PTS_HIST_OVERFLOW; i++) {
		uint64_t low = pts_hist_bucket_low(i), high = pts_hist_bucket_high(i);

		if (pts_hist_index(low) != i || pts_hist_index(high) != i || high < low ||
		    pts_hist_bucket_low(i + 1) != high + 1)
			fail_msg("bucket %u: %llu to %llu", i, (unsigned long long)low,
				 (unsigned long long)high);
		/* its middle is at most 1/4096 away from both ends */
		if ((high - low + 1) / 2 * 4096 > low + 4096)
			fail_msg("bucket %u is too wide", i);
	}
	assert_int_equal(pts_hist_bucket_low(PTS_HIST_OVERFLOW), 1ull << PTS_HIST_TOP_BITS);
	assert_int_equal(pts_hist_index((1ull << PTS_HIST_TOP_BITS) - 1),
			 PTS_HIST_OVERFLOW - 1);
	assert_int_equal(pts_hist_index(UINT64_MAX), PTS_HIST_OVERFLOW);
	assert_int_equal(pts_hist_bucket_high(PTS_HIST_OVERFLOW), UINT64_MAX);
}

static void empty_and_single(void **state)
{
	struct pts_hist *hist = pts_hist_new();

	(void)state;
	assert_int_equal(pts_hist_quantile(hist, 0.5), 0);
	assert_true(isnan(pts_hist_mean(hist)));
	assert_true(hist->min == UINT64_MAX);
	pts_hist_record(hist, 0);
	assert_int_equal(hist->min, 0);
	assert_int_equal(pts_hist_quantile(hist, 0.99999), 0);
	pts_hist_reset(hist);
	pts_hist_record(hist, 42001);
	assert_int_equal(pts_hist_quantile(hist, 0.5), 42001); /* clamped to the exact figure */
	pts_hist_free(hist);
	pts_hist_free(NULL);
}

/* B46: a stall of more than 2^31 ns, and one beyond the last bucket, keep their exact size. */
static void long_stalls_do_not_wrap(void **state)
{
	struct pts_hist *hist = pts_hist_new();

	(void)state;
	record_many(hist, 100000, 99);
	pts_hist_record(hist, 3000000000ull);
	assert_int_equal(hist->max, 3000000000ull);
	assert_int_equal(pts_hist_quantile(hist, 1), 3000000000ull);
	assert_int_equal(pts_hist_quantile(hist, 0.99999), 3000000000ull);
	pts_hist_record(hist, 600000000000ull);
	pts_hist_record(hist, UINT64_MAX);
	pts_hist_record(hist, UINT64_MAX);
	assert_true(pts_hist_quantile(hist, 0.999) == UINT64_MAX);
	assert_true(hist->sum == (unsigned __int128)UINT64_MAX * 2 + 603000000000ull + 9900000);
	expect_near(pts_hist_quantile(hist, 0.5), 100000);
	pts_hist_free(hist);
}

/*
 * Nearest rank where q*n is whole: 0.99999 as a double lies above the decimal, and n = 10^9 (two
 * hours at 140,000 IOPS) makes of that a rank too many without care.
 */
static void whole_ranks_stay_whole(void **state)
{
	static const struct {
		double quantile;
		uint64_t below; /* samples of 1000 ns */
		uint64_t above; /* samples of 9000 ns */
		uint64_t truth;
	} cases[] = {{0.99999, 99999, 1, 1000},
		     {0.99999, 99998, 2, 9000},
		     {0.99999, 999990000, 10000, 1000},
		     {0.99999, 999989999, 10001, 9000},
		     {0.9999, 9999000000000, 1000000000, 1000},
		     {0.999, 999, 1, 1000},
		     {0.999, 998, 2, 9000},
		     {0.99, 99, 1, 1000},
		     {0.5, 5, 5, 1000},
		     {0.5, 4, 5, 9000},
		     {0, 1, 5, 1000},
		     {1, 5, 1, 9000}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pts_hist *hist = pts_hist_new();

		hist->count = cases[i].below + cases[i].above;
		hist->min = 1000;
		hist->max = 9000;
		hist->bucket[pts_hist_index(1000)] = cases[i].below;
		hist->bucket[pts_hist_index(9000)] = cases[i].above;
		if (pts_hist_quantile(hist, cases[i].quantile) / 1000 != cases[i].truth / 1000)
			fail_msg(
				"case %zu: %llu", i,
				(unsigned long long)pts_hist_quantile(hist, cases[i].quantile));
		pts_hist_free(hist);
	}
}

static void one_case(const json_t *test)
{
	struct pts_hist *all = pts_hist_new();
	const json_t *expected = json_object_get(test, "expected"), *thread, *run, *value;
	const json_t *percentiles = json_object_get(expected, "percentiles");
	const json_t *wrong =
		json_object_get(test, "common_wrong_answer_average_of_percentiles");
	const char *key;
	double mean, quantile, average;
	size_t t, r;

	json_array_foreach(json_object_get(test, "threads_rle"), t, thread)
	{
		struct pts_hist *one = pts_hist_new();

		json_array_foreach(thread, r, run)
			record_many(one, (uint64_t)json_integer_value(json_array_get(run, 0)),
				    (uint64_t)json_integer_value(json_array_get(run, 1)));
		pts_hist_add(all, one);
		pts_hist_free(one);
	}
	assert_int_equal(all->count, json_integer_value(json_object_get(expected, "count")));
	assert_int_equal(all->min, json_integer_value(json_object_get(expected, "min")));
	assert_int_equal(all->max, json_integer_value(json_object_get(expected, "max")));
	assert_int_equal(
		pts_double_parse(json_string_value(json_object_get(expected, "mean")), &mean),
		0);
	assert_true(fabs(pts_hist_mean(all) - mean) <= 1e-10 * mean);
	json_object_foreach((json_t *)percentiles, key, value)
	{
		uint64_t got;

		assert_int_equal(pts_double_parse(key, &quantile), 0);
		got = pts_hist_quantile(all, quantile / 100);
		expect_near(got, (uint64_t)json_integer_value(value));
		assert_in_range(got, all->min, all->max);
		assert_int_equal(
			pts_double_parse(json_string_value(json_object_get(wrong, key)),
					 &average),
			0);
		if (fabs(average - (double)json_integer_value(value)) > 1)
			assert_true(fabs((double)got - average) > 1);
	}
	pts_hist_free(all);
}

static void percentiles_of_merged_threads(void **state)
{
	json_t *root = json_load_file(PTS_FIXTURES "/percentiles.json", 0, NULL), *test;
	size_t i;

	(void)state;
	assert_non_null(root);
	assert_int_equal(json_array_size(json_object_get(root, "cases")), 4);
	json_array_foreach(json_object_get(root, "cases"), i, test) one_case(test);
	json_decref(root);
}

static void blob_round_trip(void **state)
{
	struct pts_hist *hist = pts_hist_new(), *back = pts_hist_new();
	void *blob = NULL;
	size_t bytes = 0;

	(void)state;
	assert_int_equal(pts_hist_encode(hist, &blob, &bytes), 0);
	assert_int_equal(bytes, 6);
	assert_int_equal(pts_hist_decode(blob, bytes, back), 0);
	assert_memory_equal(hist, back, sizeof(*hist));
	free(blob);
	for (unsigned shift = 0; shift < 64; shift++)
		record_many(hist, (1ull << shift) + shift, shift + 1);
	pts_hist_record(hist, 0);
	pts_hist_record(hist, UINT64_MAX);
	assert_int_equal(pts_hist_encode(hist, &blob, &bytes), 0);
	assert_true(bytes < 400);
	assert_int_equal(pts_hist_decode(blob, bytes, back), 0);
	assert_memory_equal(hist, back, sizeof(*hist));
	free(blob);
	pts_hist_free(hist);
	pts_hist_free(back);
}

static void expect_bad(const void *blob, size_t bytes, int rc)
{
	/* a copy on the heap, so that a read past its end is seen */
	void *copy = malloc(bytes ? bytes : 1);
	struct pts_hist *hist = pts_hist_new();

	assert_non_null(copy);
	memcpy(copy, blob, bytes);
	assert_int_equal(pts_hist_decode(copy, bytes, hist), rc);
	assert_int_equal(hist->count, 0);
	assert_true(pts_hist_quantile(hist, 0.5) == 0);
	free(copy);
	pts_hist_free(hist);
}

static void hostile_blobs_are_refused(void **state)
{
	static const struct {
		const char *what;
		unsigned char bytes[24];
		size_t count;
	} cases[] = {
		{"empty histogram with a maximum", {1, 0, 0, 5, 0, 0}, 6},
		{"empty histogram with a minimum", {1, 0, 5, 0, 0, 0}, 6},
		{"empty histogram with a bucket", {1, 0, 0, 0, 0, 0, 1, 1}, 8},
		{"a count without buckets", {1, 1, 5, 5, 5, 0}, 6},
		{"count is not the buckets' sum", {1, 2, 5, 5, 10, 0, 5, 1}, 8},
		{"a bucket with nothing in it", {1, 1, 5, 5, 5, 0, 1, 0, 4, 1}, 10},
		{"a gap of 0 twice", {1, 2, 5, 5, 10, 0, 5, 1, 0, 1}, 10},
		{"minimum in another bucket", {1, 1, 4, 5, 5, 0, 5, 1}, 8},
		{"maximum in another bucket", {1, 1, 5, 6, 5, 0, 5, 1}, 8},
		{"minimum above maximum", {1, 1, 6, 5, 5, 0, 5, 1}, 8},
		{"sum too small", {1, 2, 5, 6, 10, 0, 5, 1, 1, 1}, 10},
		{"sum too large", {1, 2, 5, 6, 12, 0, 5, 1, 1, 1}, 10},
		{"half a bucket", {1, 1, 5, 5, 5, 0, 5}, 7},
		{"a number of eleven bytes",
		 {1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 127, 0},
		 12},
		{"a gap behind the last bucket",
		 {1, 1, 5, 5, 5, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 1},
		 12},
		{"gaps that wrap around",
		 {1, 1, 5, 5, 5, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1},
		 17},
		{"counts that wrap around to 1",
		 {1, 1, 5, 6, 5, 0, 5, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 2},
		 19},
	};
	static const unsigned char good[] = {1, 2, 5, 6, 11, 0, 5, 1, 1, 1};
	struct pts_hist *hist = pts_hist_new();

	(void)state;
	assert_int_equal(pts_hist_decode(good, sizeof(good), hist), 0);
	assert_int_equal(hist->count, 2);
	for (size_t bytes = 1; bytes < sizeof(good); bytes++)
		expect_bad(good, bytes, -EBADMSG);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%s\n", cases[i].what);
		expect_bad(cases[i].bytes, cases[i].count, -EBADMSG);
	}
	expect_bad("\2", 1, -ENOTSUP);
	expect_bad("", 0, -EBADMSG);
	assert_int_equal(pts_hist_decode(NULL, 0, hist), -EBADMSG);
	pts_hist_free(hist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_has_its_bucket),
		cmocka_unit_test(empty_and_single),
		cmocka_unit_test(long_stalls_do_not_wrap),
		cmocka_unit_test(whole_ranks_stay_whole),
		cmocka_unit_test(percentiles_of_merged_threads),
		cmocka_unit_test(blob_round_trip),
		cmocka_unit_test(hostile_blobs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
