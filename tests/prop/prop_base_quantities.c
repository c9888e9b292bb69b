/* Random quantities to text and back: the same value, in a canonical text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pts_hash.h"
#include "pts_text.h"
#include "pts_units.h"

#define TRIES 50000

static uint64_t random_state = 1201;

static uint64_t draw64(void)
{
	return pts_splitmix64(&random_state);
}

/* Any size, and often a multiple of a round number. */
static uint64_t quantity(void)
{
	static const uint64_t factors[] = {1,    512,        1024,       1048576,
					   1000, 1000000000, 60000000000};
	uint64_t value = draw64() >> (draw64() % 64);

	return value * factors[draw64() % 7];
}

static void bytes_and_durations(void **state)
{
	char text[48], again[48];
	uint64_t back;

	(void)state;
	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t value = quantity();

		pts_bytes_text(value, text, sizeof(text));
		if (pts_bytes_parse(text, &back) || back != value)
			fail_msg("%llu bytes: '%s'", (unsigned long long)value, text);
		pts_bytes_text(back, again, sizeof(again));
		assert_string_equal(text, again);
		pts_duration_text(value, text, sizeof(text));
		if (pts_duration_parse(text, &back) || back != value)
			fail_msg("%llu ns: '%s'", (unsigned long long)value, text);
	}
}

/* A fraction of a unit is exact or refused: the truth by whole numbers. */
static void fractions_are_exact(void **state)
{
	(void)state;
	for (unsigned i = 0; i < TRIES; i++) {
		unsigned places = (unsigned)(draw64() % 7);
		uint64_t whole = draw64() % 100000, scale = 1, digits, bytes = 0;
		char text[64];
		int rc;

		for (unsigned p = 0; p < places; p++)
			scale *= 10;
		digits = draw64() % scale;
		if (places)
			snprintf(text, sizeof(text), "%llu.%0*lluMiB",
				 (unsigned long long)whole, (int)places,
				 (unsigned long long)digits);
		else
			snprintf(text, sizeof(text), "%lluMiB", (unsigned long long)whole);
		rc = pts_bytes_parse(text, &bytes);
		if (digits * 1048576 % scale)
			assert_true(rc < 0);
		else if (rc || bytes != whole * 1048576 + digits * 1048576 / scale)
			fail_msg("'%s': %d, %llu", text, rc, (unsigned long long)bytes);
	}
}

static void shares(void **state)
{
	char text[48];
	double back;

	(void)state;
	for (unsigned i = 0; i < TRIES; i++) {
		/* all doubles of [2^-16, 1), most of them no short decimal */
		double share = ldexp(1 + (double)(draw64() >> 12) * 0x1p-52,
				     -1 - (int)(draw64() % 16));

		pts_percent_text(share, text, sizeof(text));
		if (pts_percent_parse(text, &back) || memcmp(&back, &share, sizeof(back)) != 0)
			fail_msg("%.17g: '%s' -> %.17g", share, text, back);
	}
}

static void amounts(void **state)
{
	struct pts_amount amount, back;
	char text[64], canonical[64];

	(void)state;
	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t digits = 1 + (draw64() >> (4 + draw64() % 59));

		if (draw64() % 3 == 0)
			pts_bytes_text(quantity() | 1, text, sizeof(text));
		else if (draw64() % 2)
			snprintf(text, sizeof(text), "%llu.%05llux capacity",
				 (unsigned long long)(digits % 1000000000000),
				 (unsigned long long)(draw64() % 100000));
		else
			snprintf(text, sizeof(text), "%llu.%03llu%% capacity",
				 (unsigned long long)(digits % 1000000000000),
				 (unsigned long long)(draw64() % 1000));
		if (pts_amount_parse(text, &amount)) /* 0 of anything is refused */
			continue;
		pts_amount_text(&amount, canonical, sizeof(canonical));
		if (pts_amount_parse(canonical, &back) || back.kind != amount.kind ||
		    back.bytes != amount.bytes || back.numerator != amount.numerator ||
		    back.denominator != amount.denominator)
			fail_msg("'%s' -> '%s'", text, canonical);
	}
}

static void doubles(void **state)
{
	char text[32];
	double back;

	(void)state;
	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t bits = draw64();
		double value;

		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value)) {
			assert_false(pts_double_text(value, text, sizeof(text)));
			continue;
		}
		assert_true(pts_double_text(value, text, sizeof(text)));
		if (pts_double_parse(text, &back) || memcmp(&back, &value, sizeof(back)) != 0)
			fail_msg("%.17g: '%s'", value, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_and_durations),
		cmocka_unit_test(fractions_are_exact),
		cmocka_unit_test(shares),
		cmocka_unit_test(amounts),
		cmocka_unit_test(doubles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
