/* JSON on stdout: null for what is missing, never NaN. */
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
	json_t *string = text ? json_string(text) : json_null();

	return string ? string : json_null(); /* no valid UTF-8 */
}

json_t *cli_json_u64(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

void cli_json_print(json_t *value)
{
	json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
	putchar('\n');
	json_decref(value);
}
