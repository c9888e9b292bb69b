/* Quantities to text: the canonical writing that reads back the same, and the one for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_text.h"
#include "pts_units.h"

#define NS_PER_S   1000000000ull
#define NS_PER_MIN (60 * NS_PER_S)
#define NS_PER_H   (60 * NS_PER_MIN)

void pts_bytes_text(uint64_t bytes, char *text, size_t room)
{
	static const char *const names[] = {"KiB", "MiB", "GiB", "TiB"};
	int best = -1;

	for (int i = 0; i < 4; i++)
		if (bytes && bytes % (1ull << (10 * (i + 1))) == 0)
			best = i;
	/* Block sizes are named in KiB up to 1024KiB, as the standard's tables do. */
	if (best > 0 && bytes <= 1ull << 20)
		best = 0;
	if (best >= 0)
		snprintf(text, room, "%llu%s", (unsigned long long)(bytes >> (10 * (best + 1))),
			 names[best]);
	else if (bytes && bytes % 512 == 0 && bytes < 65536)
		snprintf(text, room, "%llu.5KiB", (unsigned long long)(bytes / 1024));
	else
		snprintf(text, room, "%lluB", (unsigned long long)bytes);
}

void pts_duration_text(uint64_t ns, char *text, size_t room)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {{"h", NS_PER_H},    {"min", NS_PER_MIN}, {"s", NS_PER_S},
		     {"ms", 1000000ull}, {"us", 1000},        {"ns", 1}};

	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		/* one minute and a half are 90s, one minute alone 60s: minutes from two on */
		uint64_t least = i < 2 ? 2 * units[i].factor : units[i].factor;

		if ((ns >= least || units[i].factor == 1) && ns % units[i].factor == 0) {
			snprintf(text, room, "%llu%s",
				 (unsigned long long)(ns / units[i].factor), units[i].name);
			return;
		}
	}
}

/* The shortest digits d1 d2 ... with share = 0.d1d2... * 10^*ret_point that read back to it. */
static void share_digits(double share, char digits[20], int *ret_point)
{
	for (int more = 14; more <= 16; more++) {
		char number[40], back_text[48];
		size_t count = 0;
		double back;

		snprintf(number, sizeof(number), "%.*e", more, share);
		for (const char *at = number; *at != 'e'; at++)
			if (*at >= '0' && *at <= '9')
				digits[count++] = *at;
		digits[count] = '\0';
		*ret_point = (int)strtol(strchr(number, 'e') + 1, NULL, 10) + 1;
		snprintf(back_text, sizeof(back_text), "%se%d", digits, *ret_point - 1 - more);
		if (!pts_double_parse(back_text, &back) && !(back < share) && !(back > share))
			break;
	}
	for (size_t count = strlen(digits); count > 1 && digits[count - 1] == '0'; count--)
		digits[count - 1] = '\0';
}

/* The mark is moved by two places in the digits: no product that would be rounded. */
void pts_percent_text(double share, char *text, size_t room)
{
	static const char zeroes[] = "00000000000000000000";
	char digits[20];
	int point, count;

	if (!(share > 1e-18) || !isfinite(share)) {
		snprintf(text, room, "0%%");
		return;
	}
	share_digits(share, digits, &point);
	point += 2;
	count = (int)strlen(digits);
	if (point <= 0)
		snprintf(text, room, "0.%.*s%s%%", -point, zeroes, digits);
	else if (count <= point)
		snprintf(text, room, "%s%.*s%%", digits, point - count, zeroes);
	else
		snprintf(text, room, "%.*s.%s%%", point, digits, digits + point);
}

void pts_rw_mix_text(unsigned read_pct, char *text, size_t room)
{
	snprintf(text, room, "%u/%u", read_pct, 100 - read_pct);
}

/* numerator / denominator as a finite decimal, if it is one */
static bool finite_text(uint64_t numerator, uint64_t denominator, char *text, size_t room)
{
	uint64_t rest = numerator % denominator;
	size_t used = (size_t)snprintf(text, room, "%llu",
				       (unsigned long long)(numerator / denominator));

	for (int digits = 0; rest; digits++) {
		unsigned __int128 next = (unsigned __int128)rest * 10;

		if (digits > 18 || used + 3 > room)
			return false;
		if (!digits)
			text[used++] = '.';
		text[used++] = (char)('0' + (int)(next / denominator));
		text[used] = '\0';
		rest = (uint64_t)(next % denominator);
	}
	return true;
}

void pts_amount_text(const struct pts_amount *amount, char *text, size_t room)
{
	char number[40];

	if (amount->kind == PTS_AMOUNT_BYTES)
		pts_bytes_text(amount->bytes, text, room);
	else if (amount->kind == PTS_AMOUNT_CAPACITY && amount->denominator &&
		 finite_text(amount->numerator, amount->denominator, number, sizeof(number)))
		snprintf(text, room, "%sx capacity", number);
	else
		snprintf(text, room, "none");
}

void pts_capacity_human(uint64_t bytes, char *text, size_t room)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	char number[40];
	unsigned i = 0;

	/* 999.995 of one unit would round to 1000.00: the next one then */
	while (i + 1 < sizeof(names) / sizeof(names[0]) && value >= 999.995) {
		value /= 1000;
		i++;
	}
	pts_number_text(value, i ? 2 : 0, number, sizeof(number));
	snprintf(text, room, "%s %s", number, names[i]);
}

void pts_duration_human(uint64_t ns, char *text, size_t room)
{
	uint64_t seconds = ns / NS_PER_S + (ns % NS_PER_S >= NS_PER_S / 2);

	if (ns < 10 * NS_PER_S)
		snprintf(text, room, "%llu.%llu s", (unsigned long long)(ns / NS_PER_S),
			 (unsigned long long)(ns % NS_PER_S / (NS_PER_S / 10)));
	else if (seconds < 120)
		snprintf(text, room, "%llu s", (unsigned long long)seconds);
	else if (seconds < 3600 && seconds % 60 == 0)
		snprintf(text, room, "%llu min", (unsigned long long)(seconds / 60));
	else if (seconds < 3600)
		snprintf(text, room, "%llu min %llu s", (unsigned long long)(seconds / 60),
			 (unsigned long long)(seconds % 60));
	else
		snprintf(text, room, "%llu h %llu min", (unsigned long long)(seconds / 3600),
			 (unsigned long long)(seconds % 3600 / 60));
}
