/*
 * Numbers to text and back with '.' as the mark, whatever the locale: the C locale is asked for
 * by name, so that a caller's setlocale() changes nothing.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_text.h"

static locale_t c_locale(void)
{
	static _Atomic(locale_t) made;
	locale_t locale = made, none = (locale_t)0;

	if (locale)
		return locale;
	locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!locale)
		abort();
	if (atomic_compare_exchange_strong(&made, &none, locale))
		return locale;
	freelocale(locale);
	return none;
}

/* snprintf has no form with a locale: the mark of a foreign one is put right afterwards. */
static void point(char *text)
{
	for (; *text; text++)
		if (strchr("+-0123456789eE.", *text) == NULL) {
			*text++ = '.';
			while (*text && strchr("0123456789eE+-", *text) == NULL)
				memmove(text, text + 1, strlen(text));
			return;
		}
}

bool pts_double_text(double value, char *text, size_t room)
{
	text[0] = '\0';
	if (!isfinite(value))
		return false;
	for (int digits = 15; digits <= 17; digits++) {
		double back;

		snprintf(text, room, "%.*g", digits, value);
		point(text);
		if (!pts_double_parse(text, &back) && !(back < value) && !(back > value))
			return true;
	}
	return true;
}

static bool decimal(const char *text)
{
	bool digit = false;

	if (*text == '+' || *text == '-')
		text++;
	for (; *text; text++) {
		if (*text >= '0' && *text <= '9')
			digit = true;
		else if (*text == 'e' || *text == 'E')
			break;
		else if (*text != '.')
			return false;
	}
	return digit;
}

int pts_double_parse(const char *text, double *ret_value)
{
	char *end;
	double value;

	if (!decimal(text))
		return -EINVAL;
	value = strtod_l(text, &end, c_locale());
	if (*end || end == text || !isfinite(value))
		return -EINVAL;
	*ret_value = value;
	return 0;
}

int pts_u64_parse(const char *text, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!*text)
		return -EINVAL;
	for (const char *at = text; *at; at++)
		if (*at < '0' || *at > '9')
			return -EINVAL;
	for (; *text; text++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return -ERANGE;
	*ret_value = value;
	return 0;
}

void pts_number_text(double value, int digits, char *text, size_t room)
{
	char plain[400];
	size_t used = 0, whole;
	const char *at = plain;

	text[0] = '\0';
	if (!isfinite(value) || room < 2)
		return;
	snprintf(plain, sizeof(plain), "%.*f", digits < 0 ? 0 : digits, value);
	point(plain);
	if (*at == '-') {
		/* "-0.0" is no number that anybody wants to read */
		if (strpbrk(plain, "123456789"))
			text[used++] = '-';
		at++;
	}
	for (whole = strcspn(at, "."); whole && used + 2 < room; whole--) {
		text[used++] = *at++;
		if (whole > 1 && whole % 3 == 1 && used + 2 < room)
			text[used++] = ',';
	}
	snprintf(text + used, room - used, "%s", at);
}
