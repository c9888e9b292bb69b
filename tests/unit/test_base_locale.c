/*
 * B76: numbers keep their '.' whatever the locale. A locale with a decimal comma is compiled here,
 * since a clean machine has none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pts_text.h"
#include "pts_units.h"

static char folder[] = "/tmp/pts-locale-XXXXXX";

static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
			     "grouping 3;3\nEND LC_NUMERIC\n";

/* localedef warns of the categories that are not there: its exit code says nothing. */
static bool comma_locale(void)
{
	char path[64], command[256];

	if (!mkdtemp(folder))
		return false;
	snprintf(path, sizeof(path), "%s/source", folder);
	if (pts_file_write(path, source, sizeof(source) - 1) < 0)
		return false;
	snprintf(command, sizeof(command),
		 "localedef -c -i %s/source %s/xx_XX >/dev/null 2>&1 || true", folder, folder);
	if (system(command) != 0)
		return false;
	setenv("LOCPATH", folder, 1);
	return setlocale(LC_NUMERIC, "xx_XX") && localeconv()->decimal_point[0] == ',';
}

static void the_locale_is_at_work(void **state)
{
	char text[32];

	(void)state;
	snprintf(text, sizeof(text), "%.1f", 0.5);
	assert_string_equal(text, "0,5");
	assert_true(strtod("0,5", NULL) > 0.4);
}

static void numbers_keep_their_point(void **state)
{
	char text[64];
	double value;

	(void)state;
	assert_true(pts_double_text(0.1, text, sizeof(text)));
	assert_string_equal(text, "0.1");
	assert_true(pts_double_text(1.5e-300, text, sizeof(text)));
	assert_string_equal(text, "1.5e-300");
	assert_true(pts_double_text(1234567.0, text, sizeof(text)));
	assert_string_equal(text, "1234567");
	assert_int_equal(pts_double_parse("0.5", &value), 0);
	assert_true(value > 0.4 && value < 0.6);
	assert_true(pts_double_parse("0,5", &value) < 0);
	pts_number_text(1234567.891, 2, text, sizeof(text));
	assert_string_equal(text, "1,234,567.89");
}

static void quantities_keep_their_point(void **state)
{
	char text[64];
	uint64_t bytes;
	double share;

	(void)state;
	assert_int_equal(pts_bytes_parse("0.5KiB", &bytes), 0);
	assert_int_equal(bytes, 512);
	assert_int_equal(pts_percent_parse("6.55%", &share), 0);
	pts_percent_text(share, text, sizeof(text));
	assert_string_equal(text, "6.55%");
	pts_capacity_human(1920383410176, text, sizeof(text));
	assert_string_equal(text, "1.92 TB");
	pts_bytes_text(1536, text, sizeof(text));
	assert_string_equal(text, "1.5KiB");
	assert_true(pts_percent_parse("6,55%", &share) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_locale_is_at_work),
		cmocka_unit_test(numbers_keep_their_point),
		cmocka_unit_test(quantities_keep_their_point),
	};
	char command[64];
	int rc;

	if (!comma_locale()) {
		printf("skipped: localedef makes no locale with a decimal comma here\n");
		rc = 77;
	} else {
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	}
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) ? 1 : rc;
}
