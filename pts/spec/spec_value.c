/*
 * From text to a typed value, by a row of the key table, with the reason when it is none. Knows
 * no places and no parameters.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec_assume.h"
#include "spec_internal.h"

#define SHOWN      60 /* bytes of a bad text in a message */
#define SHOWN_ROOM (SHOWN * 4 + 8)

static void show(const char *text, char shown[SHOWN_ROOM])
{
	char start[SHOWN_ROOM - 4];
	size_t length = strlen(text);

	pts_printable(text, length > SHOWN ? SHOWN : length, start, sizeof(start));
	snprintf(shown, SHOWN_ROOM, "%s%s", start, length > SHOWN ? "..." : "");
}

static bool refuse(char *why, const char *text, const char *what)
{
	char shown[SHOWN_ROOM];

	show(text, shown);
	/* the bad text is bounded, so that what is wrong with it is always told */
	snprintf(why, SPEC_WHY_ROOM, "'%.248s'%s%.144s", shown, what[0] == ':' ? "" : " ",
		 what);
	return false;
}

static bool out_of_range(const struct spec_key_row *row, const char *text, char *why)
{
	char what[200];

	snprintf(what, sizeof(what), "is out of range: %s",
		 row->range ? row->range : "too large");
	return refuse(why, text, what);
}

static bool is_number(const char *text)
{
	double value;

	return pts_double_parse(text, &value) == 0;
}

/* The text is a bare number: say which units would do. */
static bool no_unit(char *why, const char *text, const char *first, const char *second)
{
	char shown[SHOWN_ROOM], what[2 * sizeof(shown) + 80];

	show(text, shown);
	if (second)
		snprintf(what, sizeof(what), ": a unit is missing: %s%s, %s%s", shown, first,
			 shown, second);
	else
		snprintf(what, sizeof(what), ": a unit is missing: %s%s", shown, first);
	return refuse(why, text, what);
}

bool spec_share_units(const char *text, uint64_t *ret_units)
{
	uint64_t units = 0;
	unsigned digits = 0, decimals = 0;
	bool point = false;

	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (++digits > 16 || (point && ++decimals > 9))
			return false;
		units = units * 10 + (uint64_t)(*text - '0');
	}
	if (!digits || (point && !decimals) || digits - decimals > 6)
		return false;
	for (; decimals < 9; decimals++)
		units *= 10;
	if (*text == ' ')
		text++;
	*ret_units = units;
	return strcmp(text, "%") == 0;
}

void spec_share_text(uint64_t units, char *text, size_t room)
{
	unsigned long long whole = units / 1000000000u, rest = units % 1000000000u;
	char decimals[16];
	size_t length;

	snprintf(decimals, sizeof(decimals), ".%09llu", rest);
	for (length = 10; length > 1 && decimals[length - 1] == '0'; length--)
		;
	decimals[length > 1 ? length : 0] = '\0';
	snprintf(text, room, "%llu%s%%", whole, decimals);
}

static bool parse_share(const struct spec_key_row *row, const char *text, uint64_t *ret_units,
			char *why)
{
	if (!spec_share_units(text, ret_units))
		return is_number(text) ? no_unit(why, text, "%", NULL)
				       : refuse(why, text,
						"is no share: a number with % and at most "
						"nine decimals");
	if (*ret_units < row->least || *ret_units > row->most)
		return out_of_range(row, text, why);
	return true;
}

static bool parse_count(const struct spec_key_row *row, const char *text, unsigned *out,
			char *why)
{
	uint64_t value = 0;
	int rc = pts_u64_parse(text, &value);

	if (rc == -ERANGE || (!rc && (value < row->least || value > row->most)))
		return out_of_range(row, text, why);
	if (rc && text[0] == '-' && is_number(text))
		return out_of_range(row, text, why);
	if (rc)
		return refuse(why, text, "is no whole number");
	*out = (unsigned)value;
	return true;
}

static bool parse_bytes(const struct spec_key_row *row, const char *text, uint64_t *out,
			char *why)
{
	int rc = pts_bytes_parse(text, out);

	if (rc && is_number(text))
		return no_unit(why, text, "KiB", "B");
	if (rc == -ERANGE || (!rc && (*out < row->least || *out > row->most)))
		return out_of_range(row, text, why);
	if (rc)
		return refuse(why, text,
			      "is no size: a number with B, KiB, MiB, GiB, kB, MB, GB");
	if (row->flags & SPEC_KEY_SECTORS && *out % 512)
		return refuse(why, text, "is no multiple of 512B");
	return true;
}

static bool parse_time(const struct spec_key_row *row, const char *text, uint64_t *out,
		       char *why)
{
	int rc = pts_duration_parse(text, out);

	if (rc && is_number(text))
		return no_unit(why, text, "s", "min");
	if (rc == -ERANGE || (!rc && (*out < row->least || *out > row->most)))
		return out_of_range(row, text, why);
	if (rc)
		return refuse(why, text, "is no time: a number with ns, us, ms, s, min or h");
	return true;
}

static bool parse_rw_mix(const char *text, unsigned *out, char *why)
{
	unsigned reads, writes;
	char rest;

	if (pts_rw_mix_parse(text, out) == 0)
		return true;
	if (strlen(text) < 16 && sscanf(text, "%5u/%5u%c", &reads, &writes, &rest) == 2) {
		char what[80];

		snprintf(what, sizeof(what), "sums to %u, reads/writes must sum to 100",
			 reads + writes);
		return refuse(why, text, what);
	}
	return refuse(why, text, "is no R/W mix: reads/writes in %, as 65/35");
}

static bool parse_amount(const char *text, struct pts_amount *out, char *why)
{
	int rc = pts_amount_parse(text, out);

	if (rc && is_number(text))
		return no_unit(why, text, "x capacity", "GiB");
	if (rc == -ERANGE)
		return refuse(why, text, "is out of range");
	if (rc)
		return refuse(why, text, "is no amount: 2x capacity, 50% capacity or 10GiB");
	if ((out->kind == PTS_AMOUNT_BYTES && !out->bytes) ||
	    (out->kind == PTS_AMOUNT_CAPACITY && !out->numerator))
		return refuse(why, text, "is nothing");
	return true;
}

/* "random", "sequential", "70% random" */
static bool parse_access(const char *text, double *out, char *why)
{
	const char *blank = strrchr(text, ' ');
	char share[32];
	uint64_t units;

	if (strcmp(text, "random") == 0 || strcmp(text, "sequential") == 0) {
		*out = text[0] == 'r';
		return true;
	}
	if (blank && strcmp(blank, " random") == 0 && (size_t)(blank - text) < sizeof(share)) {
		memcpy(share, text, (size_t)(blank - text));
		share[blank - text] = '\0';
		if (spec_share_units(share, &units) && units <= SPEC_SHARE_WHOLE) {
			*out = (double)units / (double)SPEC_SHARE_WHOLE;
			return true;
		}
	}
	return refuse(why, text, "is no access: random, sequential or as 70% random");
}

static bool parse_rate(const struct spec_key_row *row, const char *text, double *out, char *why)
{
	char number[32];
	size_t length = strspn(text, "0123456789.");

	if (is_number(text))
		return no_unit(why, text, " IOPS", NULL);
	if (!length || length >= sizeof(number) ||
	    strcmp(text + length + (text[length] == ' '), "IOPS") != 0)
		return refuse(why, text, "is no rate: a number with IOPS");
	memcpy(number, text, length);
	number[length] = '\0';
	if (pts_double_parse(number, out))
		return refuse(why, text, "is no rate: a number with IOPS");
	if (!(*out >= (double)row->least && *out <= (double)row->most))
		return out_of_range(row, text, why);
	return true;
}

/* "500 MB/s", "90000 IOPS" */
static bool parse_speed(const char *text, struct spec_speed *out, char *why)
{
	struct spec_key_row row = {.least = 0, .most = INT64_MAX};
	static const char per_s[] = "/s";
	size_t length = strlen(text), bare = length - strlen(per_s);
	char amount[48];
	uint64_t bytes;

	*out = (struct spec_speed){0};
	if (is_number(text))
		return no_unit(why, text, " MB/s", " IOPS");
	if (length > strlen(per_s) && bare < sizeof(amount) && !strcmp(text + bare, per_s)) {
		memcpy(amount, text, bare);
		amount[bare] = '\0';
		if (pts_bytes_parse(amount, &bytes))
			return refuse(why, text, "is no speed: as 500 MB/s or 90000 IOPS");
		out->mb_per_s = (double)bytes / 1e6;
		return bytes > 0 || refuse(why, text, "is nothing");
	}
	if (length < 4 || strcmp(text + length - 4, "IOPS") != 0)
		return refuse(why, text, "is no speed: as 500 MB/s or 90000 IOPS");
	return parse_rate(&row, text, &out->iops, why) &&
	       (out->iops > 0 || refuse(why, text, "is nothing"));
}

static bool parse_word(const struct spec_key_row *row, const char *text, unsigned *ret_index,
		       char *why)
{
	const char *nearest;
	char what[300];
	unsigned count = 0;
	size_t used = 0;

	for (; row->words[count]; count++) {
		if (strcmp(row->words[count], text) == 0) {
			*ret_index = count;
			return true;
		}
	}
	nearest = pts_nearest(text, row->words, count);
	if (nearest) {
		snprintf(what, sizeof(what), "is unknown here, did you mean '%s'?", nearest);
		return refuse(why, text, what);
	}
	used = (size_t)snprintf(what, sizeof(what), "is unknown here; one of");
	for (count = 0; row->words[count] && used < sizeof(what); count++)
		used += (size_t)snprintf(what + used, sizeof(what) - used, "%s %s",
					 count ? "," : "", row->words[count]);
	return refuse(why, text, what);
}

static bool parse_bool(const char *text, bool *out, char *why)
{
	*out = strcmp(text, "true") == 0;
	return *out || strcmp(text, "false") == 0 ||
	       refuse(why, text, "is neither true nor false");
}

static bool parse_text(const struct spec_key_row *row, const char *text, const char **out,
		       char *why)
{
	size_t most = row->type == SPEC_TYPE_NAME ? SPEC_NAME_MOST : SPEC_TEXT_MOST;

	*out = text;
	if (!*text)
		return refuse(why, text, "is empty");
	if (strlen(text) > most)
		return refuse(why, text, "is too long");
	if (row->type == SPEC_TYPE_NAME && strpbrk(text, "\n\t"))
		return refuse(why, text, "must be one line");
	return true;
}

size_t spec_value_size(enum spec_type type)
{
	switch (type) {
	case SPEC_TYPE_BOOL:
		return sizeof(bool);
	case SPEC_TYPE_COUNT:
	case SPEC_TYPE_RW_MIX:
	case SPEC_TYPE_ENUM:
		return sizeof(unsigned);
	case SPEC_TYPE_AMOUNT:
		return sizeof(struct pts_amount);
	case SPEC_TYPE_SPEED:
		return sizeof(struct spec_speed);
	default:
		return sizeof(uint64_t); /* pointers and doubles too */
	}
}

bool spec_value_parse(const struct spec_key_row *row, const char *text, void *out,
		      char why[SPEC_WHY_ROOM])
{
	uint64_t units = 0;
	unsigned index = 0;
	bool good;

	switch (row->type) {
	case SPEC_TYPE_BOOL:
		return parse_bool(text, out, why);
	case SPEC_TYPE_COUNT:
		return parse_count(row, text, out, why);
	case SPEC_TYPE_BYTES:
		return parse_bytes(row, text, out, why);
	case SPEC_TYPE_TIME:
		return parse_time(row, text, out, why);
	case SPEC_TYPE_EXACT:
		return parse_share(row, text, out, why);
	case SPEC_TYPE_SHARE:
		good = parse_share(row, text, &units, why);
		*(double *)out = (double)units / (double)SPEC_SHARE_WHOLE;
		return good;
	case SPEC_TYPE_RW_MIX:
		return parse_rw_mix(text, out, why);
	case SPEC_TYPE_AMOUNT:
		return parse_amount(text, out, why);
	case SPEC_TYPE_ACCESS:
		return parse_access(text, out, why);
	case SPEC_TYPE_RATE:
		return parse_rate(row, text, out, why);
	case SPEC_TYPE_SPEED:
		return parse_speed(text, out, why);
	case SPEC_TYPE_ENUM:
		good = parse_word(row, text, &index, why);
		*(unsigned *)out = index;
		return good;
	case SPEC_TYPE_WORD:
		good = parse_word(row, text, &index, why);
		*(const char **)out = good ? row->words[index] : NULL;
		return good;
	default:
		return parse_text(row, text, out, why);
	}
}
