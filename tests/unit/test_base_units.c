/* Quantities: what is read, what is refused and why, and the conversion table of B44 and B46. */
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

#include "pts_text.h"
#include "pts_units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct reading {
	const char *text;
	int rc;
	uint64_t value;
};

static void bytes_are_exact(void **state)
{
	static const struct reading cases[] = {
		{"0B", 0, 0},
		{"512B", 0, 512},
		{"0.5KiB", 0, 512},
		{"128KiB", 0, 131072},
		{"128 KiB", 0, 131072},
		{"1.92TB", 0, 1920000000000},
		{"1.000000000001TB", 0, 1000000000001},
		{"0.1kB", 0, 100},
		{"18446744073709551615B", 0, UINT64_MAX},
		{"15.5TiB", 0, 31ull << 39},
		{"16777215TiB", 0, 16777215ull << 40},
		{"0.3B", -ERANGE, 0},
		{"0.1KiB", -ERANGE, 0},
		{"18446744073709551616B", -ERANGE, 0},
		{"16777216TiB", -ERANGE, 0},
		{"18446745TB", -ERANGE, 0},
		{"128", -EINVAL, 0},
		{"", -EINVAL, 0},
		{"KiB", -EINVAL, 0},
		{"-1KiB", -EINVAL, 0},
		{"+1KiB", -EINVAL, 0},
		{"1e3B", -EINVAL, 0},
		{"0x10B", -EINVAL, 0},
		{"1,5KiB", -EINVAL, 0},
		{"1.KiB", -EINVAL, 0},
		{"1..5KiB", -EINVAL, 0},
		{"1.5.0KiB", -EINVAL, 0},
		{" 1KiB", -EINVAL, 0},
		{"1KiB ", -EINVAL, 0},
		{"1KB", -EINVAL, 0}, /* neither kB nor KiB: nobody knows which was meant */
		{"1kib", -EINVAL, 0},
		{"60s", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t value = 7;
		int rc = pts_bytes_parse(cases[i].text, &value);

		if (rc != cases[i].rc || value != (rc ? 7 : cases[i].value))
			fail_msg("'%s': %d, %llu", cases[i].text, rc,
				 (unsigned long long)value);
	}
}

static void durations_are_exact(void **state)
{
	static const struct reading cases[] = {
		{"60s", 0, 60000000000},
		{"1min", 0, 60000000000},
		{"1.5h", 0, 5400000000000},
		{"0.000000001s", 0, 1},
		{"2.147483648s", 0, 2147483648},
		{"0ns", 0, 0},
		{"5124095h", 0, 5124095ull * 3600000000000},
		{"5124096h", -ERANGE, 0},
		{"0.5ns", -ERANGE, 0},
		{"1sec", -EINVAL, 0},
		{"60", -EINVAL, 0},
		{"1m", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t value = 7;
		int rc = pts_duration_parse(cases[i].text, &value);

		if (rc != cases[i].rc || value != (rc ? 7 : cases[i].value))
			fail_msg("'%s': %d, %llu", cases[i].text, rc,
				 (unsigned long long)value);
	}
}

/* A share is the double nearest to the decimal: 20% is 0.2 itself, never its neighbour. */
static void percent_is_the_nearest_double(void **state)
{
	double share;

	(void)state;
	for (unsigned hundredths = 0; hundredths <= 10000; hundredths++) {
		char text[32], decimal[32];
		double truth;

		snprintf(text, sizeof(text), "%u.%02u%%", hundredths / 100, hundredths % 100);
		snprintf(decimal, sizeof(decimal), "%ue-4", hundredths);
		assert_int_equal(pts_percent_parse(text, &share), 0);
		assert_int_equal(pts_double_parse(decimal, &truth), 0);
		assert_memory_equal(&share, &truth, sizeof(share));
	}
	assert_int_equal(pts_percent_parse("20 %", &share), 0);
	assert_int_equal(pts_percent_parse("100.0001%", &share), -ERANGE);
	assert_int_equal(pts_percent_parse("20", &share), -EINVAL);
	assert_int_equal(pts_percent_parse("-1%", &share), -EINVAL);
	assert_int_equal(pts_percent_parse("0.2", &share), -EINVAL);
	assert_int_equal(pts_percent_parse("20%%", &share), -EINVAL);
}

static void mixes_sum_to_hundred(void **state)
{
	unsigned read_pct = 7;

	(void)state;
	for (unsigned i = 0; i <= 100; i++) {
		char text[48];

		pts_rw_mix_text(i, text, sizeof(text));
		assert_int_equal(pts_rw_mix_parse(text, &read_pct), 0);
		assert_int_equal(read_pct, i);
	}
	assert_int_equal(pts_rw_mix_parse("65/36", &read_pct), -ERANGE);
	assert_int_equal(pts_rw_mix_parse("999/999", &read_pct), -ERANGE);
	assert_int_equal(pts_rw_mix_parse("65", &read_pct), -EINVAL);
	assert_int_equal(pts_rw_mix_parse("65/", &read_pct), -EINVAL);
	assert_int_equal(pts_rw_mix_parse("/35", &read_pct), -EINVAL);
	assert_int_equal(pts_rw_mix_parse("65/35/0", &read_pct), -EINVAL);
	assert_int_equal(pts_rw_mix_parse("-5/105", &read_pct), -EINVAL);
	assert_int_equal(pts_rw_mix_parse("65.0/35", &read_pct), -EINVAL);
}

static void expect_amount(const char *text, uint64_t capacity_bytes, uint32_t lba_bytes, int rc,
			  uint64_t bytes)
{
	struct pts_amount amount;
	uint64_t got = 7;

	assert_int_equal(pts_amount_parse(text, &amount), 0);
	assert_int_equal(pts_amount_bytes(&amount, capacity_bytes, lba_bytes, &got), rc);
	assert_int_equal(got, rc ? 7 : bytes);
}

static void amounts_end_at_a_whole_lba(void **state)
{
	struct pts_amount amount;

	(void)state;
	assert_int_equal(pts_amount_parse("37.5% capacity", &amount), 0);
	assert_int_equal(amount.numerator, 3);
	assert_int_equal(amount.denominator, 8);
	assert_int_equal(pts_amount_parse("2x capacity", &amount), 0);
	assert_int_equal(amount.numerator, 2);
	assert_int_equal(amount.denominator, 1);
	expect_amount("2x capacity", 480103981056, 512, 0, 960207962112);
	expect_amount("75% capacity", 480103981056, 4096, 0, 360077983744);
	expect_amount("33.333333333333333% capacity", 3 * 4096, 4096, 0, 0);
	expect_amount("1.5x capacity", 4096, 4096, 0, 4096);
	expect_amount("10MiB", 1, 4096, 0, 10485760);
	expect_amount("1x capacity", UINT64_MAX, 512, 0, UINT64_MAX - 511);
	expect_amount("2x capacity", UINT64_MAX, 512, -ERANGE, 0);
	expect_amount("18446744073709551615x capacity", UINT64_MAX, 1, -ERANGE, 0);
	assert_int_equal(pts_amount_parse("0x capacity", &amount), -ERANGE);
	assert_int_equal(pts_amount_parse("0B", &amount), -ERANGE);
	assert_int_equal(pts_amount_parse("2xcapacity", &amount), -EINVAL);
	assert_int_equal(pts_amount_parse("2x", &amount), -EINVAL);
	assert_int_equal(pts_amount_parse("2x capacities", &amount), -EINVAL);
	assert_int_equal(pts_amount_parse("capacity", &amount), -EINVAL);
}

static void texts_are_canonical(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {{0, "0B"},
		     {512, "0.5KiB"},
		     {1536, "1.5KiB"},
		     {4096, "4KiB"},
		     {131072, "128KiB"},
		     {1048576, "1024KiB"},
		     {2097152, "2MiB"},
		     {480103981056, "468851544KiB"},
		     {480103981568, "480103981568B"},
		     {1ull << 40, "1TiB"},
		     {UINT64_MAX, "18446744073709551615B"}};
	static const struct {
		uint64_t ns;
		const char *text;
	} times[] = {{0, "0ns"},
		     {60000000000, "60s"},
		     {90000000000, "90s"},
		     {1800000000000, "30min"},
		     {3600000000000, "60min"},
		     {7200000000000, "2h"},
		     {1500000000, "1500ms"},
		     {UINT64_MAX, "18446744073709551615ns"}};
	char text[48];

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		pts_bytes_text(sizes[i].bytes, text, sizeof(text));
		assert_string_equal(text, sizes[i].text);
	}
	for (size_t i = 0; i < COUNT(times); i++) {
		pts_duration_text(times[i].ns, text, sizeof(text));
		assert_string_equal(text, times[i].text);
	}
	pts_percent_text(0.2, text, sizeof(text));
	assert_string_equal(text, "20%");
	pts_percent_text(0.0655, text, sizeof(text));
	assert_string_equal(text, "6.55%");
	pts_percent_text(1, text, sizeof(text));
	assert_string_equal(text, "100%");
	pts_percent_text(1.25, text, sizeof(text));
	assert_string_equal(text, "125%");
	pts_percent_text(0, text, sizeof(text));
	assert_string_equal(text, "0%");
}

static void people_read_whole_numbers(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {{0, "0 B"},
		     {999, "999 B"},
		     {1000, "1.00 kB"},
		     {999994, "999.99 kB"},
		     {999996, "1.00 MB"},
		     {1920383410176, "1.92 TB"},
		     {UINT64_MAX, "18.45 EB"}};
	char text[48];

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		pts_capacity_human(sizes[i].bytes, text, sizeof(text));
		assert_string_equal(text, sizes[i].text);
	}
	pts_duration_human(84000000000000, text, sizeof(text));
	assert_string_equal(text, "23 h 20 min");
	pts_duration_human(119600000000, text, sizeof(text));
	assert_string_equal(text, "2 min");
	pts_duration_human(3599700000000, text, sizeof(text));
	assert_string_equal(text, "1 h 0 min");
}

static json_t *fixture(const char *name)
{
	char path[512];
	json_t *root;

	snprintf(path, sizeof(path), "%s/%s", PTS_FIXTURES, name);
	root = json_load_file(path, 0, NULL);
	assert_non_null(root);
	return root;
}

static double expected(const json_t *test, const char *key)
{
	const char *text =
		json_string_value(json_object_get(json_object_get(test, "expected"), key));
	double value;

	assert_non_null(text);
	assert_int_equal(pts_double_parse(text, &value), 0);
	return value;
}

static uint64_t input(const json_t *test, const char *key)
{
	return (uint64_t)json_integer_value(
		json_object_get(json_object_get(test, "input"), key));
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-10 * fabs(want)))
		fail_msg("%.17g, expected %.17g", got, want);
}

static void check_kelvin(const json_t *test)
{
	int celsius = 7;
	int rc = pts_kelvin_celsius((unsigned)input(test, "smart_kelvin"), &celsius);

	if (json_is_null(json_object_get(json_object_get(test, "expected"), "celsius"))) {
		assert_int_equal(rc, -ENODATA);
		assert_int_equal(celsius, 7);
	} else {
		assert_int_equal(rc, 0);
		near(celsius, expected(test, "celsius"));
	}
}

static void check_capacity(const json_t *test)
{
	char text[48], rounded[48];

	pts_capacity_human(input(test, "bytes"), text, sizeof(text));
	pts_number_text(expected(test, "GB") / 1000, 2, rounded, sizeof(rounded));
	assert_int_equal(strncmp(text, rounded, strlen(rounded)), 0);
	assert_string_equal(text + strlen(rounded), " TB");
}

static void conversion_table(void **state)
{
	json_t *root = fixture("units.json"), *test;
	size_t i, checked = 0;

	(void)state;
	json_array_foreach(json_object_get(root, "cases"), i, test)
	{
		const char *id = json_string_value(json_object_get(test, "id"));

		checked++;
		if (!strcmp(id, "MBps")) {
			uint64_t ns = input(test, "elapsed_s") * 1000000000u;

			near(pts_mb_per_s(input(test, "bytes"), ns), expected(test, "MB/s"));
			near(pts_mb_per_s(input(test, "bytes"), ns) * 1e6 / 1048576,
			     expected(test, "MiB/s"));
		} else if (!strcmp(id, "capacity")) {
			check_capacity(test);
		} else if (!strncmp(id, "kelvin", 6)) {
			check_kelvin(test);
		} else if (!strcmp(id, "sectors")) {
			near((double)pts_sectors_bytes(input(test, "kernel_stat_sectors")),
			     expected(test, "bytes"));
		} else if (!strcmp(id, "over-int32-ns")) {
			near((double)input(test, "ns") / pts_per_s(1, 1), expected(test, "s"));
		} else {
			fail_msg("unknown case '%s'", id);
		}
	}
	assert_int_equal(checked, 6);
	json_decref(root);
}

static void nothing_elapsed_is_no_rate(void **state)
{
	(void)state;
	assert_true(isnan(pts_mb_per_s(1, 0)));
	assert_true(isnan(pts_per_s(1, 0)));
	near(pts_per_s(6000000, 60000000000), 100000);
	near(pts_mb_per_s(UINT64_MAX, UINT64_MAX), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_exact),
		cmocka_unit_test(durations_are_exact),
		cmocka_unit_test(percent_is_the_nearest_double),
		cmocka_unit_test(mixes_sum_to_hundred),
		cmocka_unit_test(amounts_end_at_a_whole_lba),
		cmocka_unit_test(texts_are_canonical),
		cmocka_unit_test(people_read_whole_numbers),
		cmocka_unit_test(conversion_table),
		cmocka_unit_test(nothing_elapsed_is_no_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
