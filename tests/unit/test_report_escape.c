/* Every writer's escaping, over the names of cases/names.json and worse. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report_escape_internal.h"

static json_t *names(void)
{
	json_error_t error;
	json_t *root = json_load_file(PTS_FIXTURES "/names.json", 0, &error);

	assert_non_null(root);
	return root;
}

static void check(void (*escape)(struct pts_buf *buf, const char *text), const char *text,
		  const char *expected)
{
	struct pts_buf buf = {0};

	escape(&buf, text);
	assert_string_equal(buf.data, expected);
	pts_buf_release(&buf);
}

static void test_names(void **state)
{
	json_t *root = names();
	json_t *cases = json_object_get(root, "cases");
	size_t i;
	json_t *one;

	(void)state;
	assert_true(json_array_size(cases) >= 12);
	json_array_foreach(cases, i, one)
	{
		const char *model = json_string_value(json_object_get(one, "model"));
		const json_t *want = json_object_get(one, "expected");

		check(escape_csv, model,
		      json_string_value(json_object_get(want, "csv_rfc4180")));
		check(escape_html, model,
		      json_string_value(json_object_get(want, "html_text")));
		check(escape_gnuplot, model,
		      json_string_value(
			      json_object_get(want, "gnuplot_string_with_noenhanced")));
	}
	json_decref(root);
}

static void test_csv_guards_formulas(void **state)
{
	(void)state;
	check(escape_csv, "=1+1", "'=1+1");
	check(escape_csv, "+49 30", "'+49 30");
	check(escape_csv, "-1", "'-1");
	check(escape_csv, "@SUM(A1)", "'@SUM(A1)");
	check(escape_csv, "=\"a\",b", "\"'=\"\"a\"\",b\"");
	check(escape_csv, "a=b", "a=b");
	check(escape_csv, "1.92 TB, mixed", "\"1.92 TB, mixed\"");
	check(escape_csv, "1.92 TB; mixed", "\"1.92 TB; mixed\"");
	check(escape_csv, "a\tb", "\"a\tb\"");
	check(escape_csv, "\t=1", "\"'\t=1\"");
	check(escape_csv, "\n=1", "\"'\n=1\"");
	check(escape_csv,
	      "\xEF\xBC\x9D"
	      "1",
	      "'\xEF\xBC\x9D"
	      "1"); /* full-width '=' */
	check(escape_csv, "a\x1b[31m\xFF", "a\\x1b[31m\\xff");
	check(escape_csv_text, "000123", "\"000123\"");
	check(escape_csv_text, "-1", "\"'-1\"");
	check(escape_csv_text, "", "\"\"");
}

static void test_markdown_is_text(void **state)
{
	(void)state;
	check(escape_markdown, "max_rounds", "max_rounds");
	check(escape_markdown, "_a_ __b", "\\_a\\_ \\_\\_b");
	check(escape_markdown, "a|b `c` *d* ~e~", "a\\|b \\`c\\` \\*d\\* \\~e\\~");
	check(escape_markdown, "[x](http://y)", "\\[x\\](http:<!-- -->//y)");
	check(escape_markdown, "![x]", "!\\[x\\]");
	check(escape_markdown, "www.x.org", "www<!-- -->.x.org");
	check(escape_markdown, "wwww.", "wwww<!-- -->.");
	check(escape_markdown, "<b>&lt;", "\\<b\\>\\&lt;");
	check(escape_markdown, "@team fixes #12", "@<!-- -->team fixes #<!-- -->12");
	check(escape_markdown, "# x", "\\# x");
	check(escape_markdown, "- x", "\\- x");
	check(escape_markdown, "+ x", "\\+ x");
	check(escape_markdown, "---", "\\---");
	check(escape_markdown, "--set a=1", "--set a=1");
	check(escape_markdown, "-1.5", "-1.5");
	check(escape_markdown, "12. x", "12\\. x");
	check(escape_markdown, "12) x", "12\\) x");
	check(escape_markdown, "3.2", "3.2");
	check(escape_markdown, "    code", "code");
	check(escape_markdown, "$x$", "\\$x\\$");
	check(escape_markdown, "C:\\drive", "C:\\\\drive");
	check(escape_markdown, "a\nb\x1b[1m", "a\\\\x0ab\\\\x1b\\[1m");
	check(escape_markdown, "", "");
}

static void test_columns_on_a_terminal(void **state)
{
	(void)state;
	assert_int_equal(escape_columns("abc", 3), 3);
	assert_int_equal(escape_columns("abc", 2), 2);
	assert_int_equal(escape_columns("\xC2\xB5s", 3), 2);
	assert_int_equal(escape_columns("\xE5\x9B\xBA\xE6\x80\x81", 6), 4);
	assert_int_equal(escape_columns("e\xCC\x81", 3), 1);
}

static void test_odd_bytes_are_shown(void **state)
{
	(void)state;
	check(escape_html,
	      "a\x01"
	      "b",
	      "a\\x01b");
	check(escape_html, "\xFF\xFE", "\\xff\\xfe");
	check(escape_html, "\xC0\xAF", "\\xc0\\xaf");          /* overlong '/' */
	check(escape_html, "\xED\xA0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
	check(escape_gnuplot, "cut \xE4\xB8", "'cut \\xe4\\xb8'");
	check(escape_gnuplot, "a\nset output 'x'\n", "'a\\x0aset output ''x''\\x0a'");
	check(escape_gnuplot, "\x1b[31mred", "'\\x1b[31mred'");
}

static void test_gnuplot_quotes(void **state)
{
	(void)state;
	check(escape_gnuplot, "it's", "'it''s'");
	check(escape_gnuplot, "'x", "'\xE2\x80\x99x'");
	check(escape_gnuplot, "x''y", "'x''\xE2\x80\x99y'");
	check(escape_gnuplot, "x'''y", "'x''\xE2\x80\x99''y'");
	check(escape_gnuplot, "x'", "'x'''");
}

static void test_glyphs_that_no_font_has(void **state)
{
	(void)state;
	check(escape_gnuplot, "\xE4\xB8\x9C\xE8\x8A\x9D", "'U+4E1CU+829D'");
	check(escape_gnuplot, "ACM\xC3\x89 \xC2\xB5SSD", "'ACM\xC3\x89 \xC2\xB5SSD'");
	check(escape_html, "\xE4\xB8\x9C", "\xE4\xB8\x9C");
}

static void test_plain_keeps_to_one_line(void **state)
{
	struct pts_buf buf = {0};

	(void)state;
	escape_plain(&buf,
		     "a\nb\t\x7f\xE2\x80\xAE"
		     "c",
		     0);
	assert_string_equal(buf.data, "a\\x0ab\\x09\\x7f\\xe2\\x80\\xaec");
	pts_buf_release(&buf);
	escape_plain(&buf, "a\nb", 1);
	assert_string_equal(buf.data, "a\nb");
	pts_buf_release(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_csv_guards_formulas),
		cmocka_unit_test(test_markdown_is_text),
		cmocka_unit_test(test_columns_on_a_terminal),
		cmocka_unit_test(test_odd_bytes_are_shown),
		cmocka_unit_test(test_gnuplot_quotes),
		cmocka_unit_test(test_glyphs_that_no_font_has),
		cmocka_unit_test(test_plain_keeps_to_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
