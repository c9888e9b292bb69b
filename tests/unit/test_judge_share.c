/* Shares and uniformity of submitted I/Os: the shared cases, and limits. B13, B55. */
#include "judge_fixture.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge_share.h"
#include "pts_hash.h"
#include "pts_text.h"

static json_t *fixture(const char *path)
{
	json_t *root = json_load_file(path, 0, NULL);

	assert_non_null(root);
	return root;
}

static void expect_z(double got, const json_t *want)
{
	double truth;

	if (json_is_null(want)) {
		assert_true(isnan(got));
		return;
	}
	assert_int_equal(pts_double_parse(json_string_value(want), &truth), 0);
	/* the cases print eight digits */
	assert_true(fabs(got - truth) <= 1e-7 * truth + 1e-12);
}

static void mixes_of_reads_and_writes(void **state)
{
	json_t *root = fixture(PTS_FIXTURES "/rwmix.json"), *test;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(json_object_get(root, "cases")), 6);
	json_array_foreach(json_object_get(root, "cases"), i, test)
	{
		const json_t *expected = json_object_get(test, "expected");
		const char *verdict =
			json_string_value(json_object_get(expected, "verdict_5_sigma"));
		uint64_t ios = (uint64_t)json_integer_value(json_object_get(test, "ios"));
		uint64_t reads = (uint64_t)json_integer_value(json_object_get(test, "reads"));
		double share = (double)json_integer_value(
				       json_object_get(test, "requested_read_pct")) /
			       100;
		double z_squared;

		assert_int_equal(judge_share(ios, reads, share, 5, &z_squared),
				 !strcmp(verdict, "ok"));
		expect_z(z_squared, json_object_get(expected, "z_squared"));
	}
	json_decref(root);
}

static void one_split(const json_t *test)
{
	uint64_t ios = (uint64_t)json_integer_value(json_object_get(test, "ios"));
	const char *verdict = json_string_value(
		json_object_get(json_object_get(test, "expected"), "verdict"));
	const json_t *row;
	bool all = true;
	size_t i;

	json_array_foreach(json_object_get(test, "rows"), i, row)
	{
		uint64_t hits = (uint64_t)json_integer_value(json_object_get(row, "observed"));
		double share = json_number_value(json_object_get(row, "share_pct")) / 100,
		       z_squared;
		bool ok = judge_share(ios, hits, share, 5, &z_squared);

		assert_int_equal(ok, json_is_true(json_object_get(row, "within_5_sigma")));
		expect_z(z_squared, json_object_get(row, "z_squared"));
		all = all && ok;
	}
	assert_int_equal(all, !strcmp(verdict, "ok"));
}

static void sizes_of_a_distribution(void **state)
{
	json_t *root = fixture(PTS_FIXTURES "/bssplit.json"), *test;
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(json_object_get(root, "cases")), 4);
	json_array_foreach(json_object_get(root, "cases"), i, test) one_split(test);
	json_decref(root);
}

static void nothing_and_everything(void **state)
{
	double z_squared = 1;

	(void)state;
	assert_true(judge_share(0, 0, 0.5, 5, &z_squared));
	assert_true(isnan(z_squared));
	assert_true(judge_share(10, 0, 0, 5, &z_squared));
	assert_true(isnan(z_squared));
	assert_false(judge_share(10, 1, 0, 5, &z_squared));
	assert_true(judge_share(10, 10, 1, 5, &z_squared));
	assert_false(judge_share(10, 9, 1, 5, &z_squared));
	/* exactly five sigma pass: 10,000 at a half, sigma 50 */
	assert_true(judge_share(10000, 5250, 0.5, 5, &z_squared));
	assert_true(judge_share(10000, 4750, 0.5, 5, &z_squared));
	assert_false(judge_share(10000, 5251, 0.5, 5, &z_squared));
	assert_false(judge_share(10000, 4749, 0.5, 5, &z_squared));
	/* counts beyond 2^53 keep their last digit */
	assert_true(judge_share(1ull << 62, 1ull << 61, 0.5, 5, &z_squared));
	assert_true(z_squared <= 0);
	assert_true(
		judge_share(1ull << 62, (1ull << 61) + (1ull << 30) * 5, 0.5, 5, &z_squared));
	assert_false(judge_share(1ull << 62, (1ull << 61) + (1ull << 30) * 5 + 1, 0.5, 5,
				 &z_squared));
}

static void uniformity_of_positions(void **state)
{
	enum { BINS = 1000, DRAWS = 200000 };
	uint64_t *counts = calloc(BINS, sizeof(*counts)), seed = 7;
	double chi_square, z;

	(void)state;
	assert_non_null(counts);
	for (unsigned i = 0; i < DRAWS; i++)
		counts[pts_splitmix64(&seed) % BINS]++;
	z = judge_uniform_z(counts, BINS, &chi_square);
	assert_true(fabs(z) < 5);
	/* the upper half is never reached: B32 */
	for (unsigned i = 0; i < BINS / 2; i++) {
		counts[i] += counts[i + BINS / 2];
		counts[i + BINS / 2] = 0;
	}
	assert_true(judge_uniform_z(counts, BINS, &chi_square) > 1000);
	/* by hand: 10 and 20 against 15 each: 25/15 + 25/15, 1 degree of freedom */
	counts[0] = 10;
	counts[1] = 20;
	z = judge_uniform_z(counts, 2, &chi_square);
	expect_figure("two bins", "chi square", chi_square, 10.0 / 3, 0);
	expect_figure("two bins", "z", z, (10.0 / 3 - 1) / sqrt(2), 0);
	assert_true(isnan(judge_uniform_z(counts, 1, &chi_square)));
	memset(counts, 0, BINS * sizeof(*counts));
	assert_true(isnan(judge_uniform_z(counts, BINS, &chi_square)));
	free(counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixes_of_reads_and_writes),
		cmocka_unit_test(sizes_of_a_distribution),
		cmocka_unit_test(nothing_and_everything),
		cmocka_unit_test(uniformity_of_positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
