/* Text: buffer, nearest name, odd bytes, numbers, whole files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pts_text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void buffer_grows_and_hands_over(void **state)
{
	struct pts_buf buf = {0};
	char *text = pts_buf_take(&buf);

	(void)state;
	assert_string_equal(text, "");
	free(text);
	for (int i = 0; i < 10000; i++)
		pts_buf_printf(&buf, "%d,", i % 10);
	pts_buf_add(&buf, "\0x", 2);
	assert_int_equal(buf.length, 20002);
	assert_memory_equal(buf.data, "0,1,2,3,4,5,6,7,8,9,0,", 22);
	assert_int_equal(buf.data[20002], 0);
	pts_buf_release(&buf);
	assert_null(buf.data);
	pts_buf_puts(&buf, "a");
	text = pts_buf_take(&buf);
	assert_string_equal(text, "a");
	assert_null(buf.data);
	free(text);
}

static void nearest_name_or_none(void **state)
{
	static const char *const names[] = {"block_size", "rw_mix", "threads", "queue_depth"};
	char longer[200];

	(void)state;
	assert_string_equal(pts_nearest("blocksize", names, 4), "block_size");
	assert_string_equal(pts_nearest("block_sise", names, 4), "block_size");
	assert_string_equal(pts_nearest("rwmix", names, 4), "rw_mix");
	assert_string_equal(pts_nearest("thraeds", names, 4), "threads");
	assert_string_equal(pts_nearest("queue-depth", names, 4), "queue_depth");
	assert_null(pts_nearest("voltage", names, 4));
	assert_null(pts_nearest("x", names, 4));
	assert_null(pts_nearest("", names, 4));
	assert_null(pts_nearest("threads", names, 0));
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_null(pts_nearest(longer, names, 4));
}

static void expect_printable(const char *raw, size_t bytes, const char *expected)
{
	char text[64];

	pts_printable(raw, bytes, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void odd_bytes_are_shown(void **state)
{
	char small[8];

	(void)state;
	expect_printable("  MODEL 1  ", 11, "MODEL 1");
	expect_printable("\0\0AB\0 ", 6, "AB");
	expect_printable("", 0, "");
	expect_printable("    ", 4, "");
	expect_printable("a\nb\x1b[31m", 8, "a\\x0ab\\x1b[31m");
	expect_printable("\x7f", 1, "\\x7f");
	expect_printable("Stra\xc3\x9f"
			 "e \xe2\x82\xac",
			 11,
			 "Stra\xc3\x9f"
			 "e \xe2\x82\xac");
	expect_printable("\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80");
	expect_printable("\xc3", 1, "\\xc3");                            /* cut off */
	expect_printable("\xc0\xaf", 2, "\\xc0\\xaf");                   /* overlong */
	expect_printable("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");          /* surrogate */
	expect_printable("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* > U+10FFFF */
	expect_printable("\xc2\x85", 2, "\\xc2\\x85");                   /* C1 control */
	expect_printable("\xff\xfe", 2, "\\xff\\xfe");
	/* never half a character, never half an escape */
	pts_printable("abcdef\xc3\x9f", 8, small, sizeof(small));
	assert_string_equal(small, "abcdef");
	pts_printable("abcd\x01", 5, small, sizeof(small));
	assert_string_equal(small, "abcd");
}

static void doubles_read_back(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {{0, "0"},
		     {0.1, "0.1"},
		     {0.2, "0.2"},
		     {1e9, "1000000000"},
		     {1.0 / 3, "0.3333333333333333"},
		     {0.1 + 0.2, "0.30000000000000004"},
		     {-1.5, "-1.5"},
		     {5e-324, "4.94065645841247e-324"},
		     {1.7976931348623157e308, "1.7976931348623157e+308"}};
	char text[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_true(pts_double_text(cases[i].value, text, sizeof(text)));
		assert_string_equal(text, cases[i].text);
	}
	assert_false(pts_double_text(NAN, text, sizeof(text)));
	assert_string_equal(text, "");
	assert_false(pts_double_text(INFINITY, text, sizeof(text)));
	assert_false(pts_double_text(-INFINITY, text, sizeof(text)));
}

static void only_whole_decimal_text_is_a_double(void **state)
{
	static const char *const bad[] = {"",       " 1",    "1 ",    "nan", "inf",     "-inf",
					  "NAN(1)", "0x1p3", "1e",    "1e+", "1,5",     "1.5.2",
					  "1e400",  "--1",   "+-1",   ".",   "-",       "e5",
					  "1d3",    "1_0",   "1e5.0", "1\n", "infinity"};
	double value = 7;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (pts_double_parse(bad[i], &value) != -EINVAL)
			fail_msg("'%s' was read as %g", bad[i], value);
	assert_true(value > 6 && value < 8);
	assert_int_equal(pts_double_parse("+1.5e-3", &value), 0);
	assert_true(value > 0.00149 && value < 0.00151);
	assert_int_equal(pts_double_parse(".5", &value), 0);
	assert_int_equal(pts_double_parse("5.", &value), 0);
}

static void whole_numbers_do_not_wrap(void **state)
{
	uint64_t value = 7;

	(void)state;
	assert_int_equal(pts_u64_parse("18446744073709551615", &value), 0);
	assert_int_equal(value, UINT64_MAX);
	value = 7;
	assert_int_equal(pts_u64_parse("18446744073709551616", &value), -ERANGE);
	assert_int_equal(pts_u64_parse("99999999999999999999", &value), -ERANGE);
	assert_int_equal(pts_u64_parse("", &value), -EINVAL);
	assert_int_equal(pts_u64_parse("-1", &value), -EINVAL);
	assert_int_equal(pts_u64_parse("+1", &value), -EINVAL);
	assert_int_equal(pts_u64_parse("1.0", &value), -EINVAL);
	assert_int_equal(pts_u64_parse("0x1", &value), -EINVAL);
	assert_int_equal(value, 7);
	assert_int_equal(pts_u64_parse("007", &value), 0);
	assert_int_equal(value, 7);
}

static void numbers_for_people(void **state)
{
	static const struct {
		double value;
		int digits;
		const char *text;
	} cases[] = {{1234567.891, 1, "1,234,567.9"},
		     {999.96, 1, "1,000.0"},
		     {0, 0, "0"},
		     {-0.04, 1, "0.0"},
		     {-1234.5, 1, "-1,234.5"},
		     {123, 0, "123"},
		     {1e15, 0, "1,000,000,000,000,000"},
		     {NAN, 1, ""}};
	char text[64];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		pts_number_text(cases[i].value, cases[i].digits, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

static unsigned entries(const char *dir_path)
{
	DIR *dir = opendir(dir_path);
	unsigned count = 0;
	struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void files_whole_or_not_at_all(void **state)
{
	char dir[] = "/tmp/pts-base-XXXXXX", path[64], missing[80], *text = NULL;
	size_t bytes = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/file", dir);
	snprintf(missing, sizeof(missing), "%s/no/file", dir);
	assert_int_equal(pts_file_write(path, "first", 5), 0);
	assert_int_equal(pts_file_write(path, "se\0nd", 5), 0);
	assert_int_equal(pts_file_read(path, 5, &text, &bytes), 0);
	assert_int_equal(bytes, 5);
	assert_memory_equal(text, "se\0nd", 6);
	free(text);
	assert_int_equal(pts_file_read(path, 4, &text, &bytes), -EFBIG);
	assert_int_equal(pts_file_read(missing, 4, &text, &bytes), -ENOENT);
	assert_int_equal(pts_file_read(dir, 4, &text, &bytes), -EISDIR);
	assert_int_equal(pts_file_write(missing, "x", 1), -ENOENT);
	assert_int_equal(entries(dir), 1); /* no temporary file is left */
	assert_int_equal(pts_file_write(dir, "x", 1), -EISDIR);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffer_grows_and_hands_over),
		cmocka_unit_test(nearest_name_or_none),
		cmocka_unit_test(odd_bytes_are_shown),
		cmocka_unit_test(doubles_read_back),
		cmocka_unit_test(only_whole_decimal_text_is_a_double),
		cmocka_unit_test(whole_numbers_do_not_wrap),
		cmocka_unit_test(numbers_for_people),
		cmocka_unit_test(files_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
