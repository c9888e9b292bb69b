/* JSON on stdout: null for what is missing, never NaN. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

json_t *cli_json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_text(const char *text)
{
	json_t *string = text && *text ? json_string(text) : NULL;

	return string ? string : json_null(); /* nothing known, or no valid UTF-8 */
}

json_t *cli_json_u64(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

static void print(json_t *value, size_t flags)
{
	char *text = json_dumps(value, flags | JSON_REAL_PRECISION(17));

	json_decref(value);
	if (!text)
		abort(); /* only values made by this room are in it */
	puts(text);
	free(text);
}

void cli_json_print(json_t *value)
{
	print(value, JSON_INDENT(2));
}

void cli_json_line(json_t *value)
{
	print(value, JSON_COMPACT);
	/* Whoever read it has gone away: the run goes on, its result is in the store. */
	if (fflush(stdout) != 0 && errno == EPIPE && !freopen("/dev/null", "w", stdout))
		abort();
}
