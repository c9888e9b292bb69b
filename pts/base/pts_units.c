/*
 * Quantities with units, read exactly: a decimal fraction times a unit must be a whole number of
 * bytes or nanoseconds; nothing goes through a double.
 */
#include "pts_units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_text.h"

typedef unsigned __int128 wide;

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit byte_units[] = {
	{"B", 1},
	{"kB", 1000},
	{"MB", 1000000},
	{"GB", 1000000000},
	{"TB", 1000000000000},
	{"KiB", 1ull << 10},
	{"MiB", 1ull << 20},
	{"GiB", 1ull << 30},
	{"TiB", 1ull << 40},
	{NULL, 0},
};

static const struct unit time_units[] = {
	{"ns", 1},         {"us", 1000},         {"ms", 1000000},
	{"s", 1000000000}, {"min", 60000000000}, {"h", 3600000000000},
	{NULL, 0},
};

/* digits / scale, scale a power of ten */
struct decimal {
	uint64_t digits;
	uint64_t scale;
};

/* Reads "12.5", moves *text behind it and behind blanks. */
static int decimal_parse(const char **text, struct decimal *ret_decimal)
{
	const char *at = *text;
	bool mark = false, any = false;

	*ret_decimal = (struct decimal){0, 1};
	for (; (*at >= '0' && *at <= '9') || (*at == '.' && !mark); at++) {
		if (*at == '.') {
			mark = true;
			continue;
		}
		any = true;
		if (__builtin_mul_overflow(ret_decimal->digits, 10u, &ret_decimal->digits) ||
		    __builtin_add_overflow(ret_decimal->digits, (uint64_t)(*at - '0'),
					   &ret_decimal->digits) ||
		    (mark &&
		     __builtin_mul_overflow(ret_decimal->scale, 10u, &ret_decimal->scale)))
			return -ERANGE;
	}
	if (!any || at[-1] == '.')
		return -EINVAL;
	while (*at == ' ')
		at++;
	*text = at;
	return 0;
}

static int scaled(const struct decimal *decimal, uint64_t factor, uint64_t *ret_value)
{
	wide product = (wide)decimal->digits * factor;

	if (product % decimal->scale || product / decimal->scale > UINT64_MAX)
		return -ERANGE;
	*ret_value = (uint64_t)(product / decimal->scale);
	return 0;
}

static int unit_parse(const char *text, const struct unit *units, uint64_t *ret_value)
{
	struct decimal decimal;
	int rc = decimal_parse(&text, &decimal);

	if (rc)
		return rc;
	for (const struct unit *unit = units; unit->name; unit++)
		if (!strcmp(text, unit->name))
			return scaled(&decimal, unit->factor, ret_value);
	return -EINVAL;
}

int pts_bytes_parse(const char *text, uint64_t *ret_bytes)
{
	return unit_parse(text, byte_units, ret_bytes);
}

int pts_duration_parse(const char *text, uint64_t *ret_ns)
{
	return unit_parse(text, time_units, ret_ns);
}

int pts_percent_parse(const char *text, double *ret_share)
{
	struct decimal decimal;
	char share[48];
	int rc = decimal_parse(&text, &decimal), exponent = 2;

	if (rc)
		return rc;
	if (strcmp(text, "%") != 0)
		return -EINVAL;
	if (decimal.digits > (wide)100 * decimal.scale)
		return -ERANGE;
	/* Rounded once, from decimal: 20% is the double 0.2, 6.55% the double 0.0655. */
	for (uint64_t scale = decimal.scale; scale > 1; scale /= 10)
		exponent++;
	snprintf(share, sizeof(share), "%llue-%d", (unsigned long long)decimal.digits,
		 exponent);
	return pts_double_parse(share, ret_share);
}

static bool whole_pct(const char *text, size_t length, unsigned *ret_pct)
{
	unsigned pct = 0;

	if (!length || length > 3)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		pct = pct * 10 + (unsigned)(text[i] - '0');
	}
	*ret_pct = pct;
	return true;
}

int pts_rw_mix_parse(const char *text, unsigned *ret_read_pct)
{
	const char *slash = strchr(text, '/');
	unsigned read_pct, write_pct;

	if (!slash || !whole_pct(text, (size_t)(slash - text), &read_pct) ||
	    !whole_pct(slash + 1, strlen(slash + 1), &write_pct))
		return -EINVAL;
	if (read_pct + write_pct != 100)
		return -ERANGE;
	*ret_read_pct = read_pct;
	return 0;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int multiple(const struct decimal *decimal, uint64_t per, struct pts_amount *ret_amount)
{
	uint64_t denominator, common;

	if (!decimal->digits || __builtin_mul_overflow(decimal->scale, per, &denominator))
		return -ERANGE;
	common = gcd(decimal->digits, denominator);
	*ret_amount = (struct pts_amount){
		.kind = PTS_AMOUNT_CAPACITY,
		.numerator = decimal->digits / common,
		.denominator = denominator / common,
	};
	return 0;
}

/* "2x capacity", "50% capacity" */
static int capacity_parse(const char *text, struct pts_amount *ret_amount)
{
	struct decimal decimal;
	uint64_t per;
	int rc = decimal_parse(&text, &decimal);

	if (rc)
		return rc;
	if (*text != 'x' && *text != '%')
		return -EINVAL;
	per = *text++ == 'x' ? 1 : 100;
	if (*text != ' ' || strcmp(text + strspn(text, " "), "capacity") != 0)
		return -EINVAL;
	return multiple(&decimal, per, ret_amount);
}

int pts_amount_parse(const char *text, struct pts_amount *ret_amount)
{
	struct pts_amount amount = {.kind = PTS_AMOUNT_BYTES, .denominator = 1};
	int rc = pts_bytes_parse(text, &amount.bytes);

	if (rc == -EINVAL)
		return capacity_parse(text, ret_amount);
	if (!rc && !amount.bytes)
		rc = -ERANGE;
	if (!rc)
		*ret_amount = amount;
	return rc;
}

int pts_amount_bytes(const struct pts_amount *amount, uint64_t capacity_bytes,
		     uint32_t lba_bytes, uint64_t *ret_bytes)
{
	wide bytes = amount->bytes;

	if (!lba_bytes || !amount->denominator)
		return -EINVAL;
	if (amount->kind == PTS_AMOUNT_CAPACITY)
		bytes = (wide)capacity_bytes * amount->numerator / amount->denominator;
	else if (amount->kind != PTS_AMOUNT_BYTES)
		return -EINVAL;
	bytes -= bytes % lba_bytes;
	if (bytes > UINT64_MAX)
		return -ERANGE;
	*ret_bytes = (uint64_t)bytes;
	return 0;
}

double pts_per_s(uint64_t count, uint64_t elapsed_ns)
{
	if (!elapsed_ns)
		return NAN;
	return (double)((long double)count * 1e9L / (long double)elapsed_ns);
}

double pts_mb_per_s(uint64_t bytes, uint64_t elapsed_ns)
{
	if (!elapsed_ns)
		return NAN;
	return (double)((long double)bytes * 1e3L / (long double)elapsed_ns);
}

uint64_t pts_sectors_bytes(uint64_t kernel_sectors)
{
	return kernel_sectors * 512;
}

int pts_kelvin_celsius(unsigned kelvin, int *ret_celsius)
{
	if (!kelvin)
		return -ENODATA;
	*ret_celsius = (int)kelvin - 273;
	return 0;
}
