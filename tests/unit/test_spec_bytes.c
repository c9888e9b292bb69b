/* Bytes, sizes and overrides: faults that are no piece of a sound text. */
#include "test_spec_faults.h"

static void expect(const char *text, size_t bytes, const char *faults)
{
	struct spec_options options = {.mode = SPEC_CLIENT};
	enum pts_exit exit;
	char *said = faults_of(text, bytes, &options, &exit);

	assert_string_equal(said, faults);
	assert_int_equal(exit, PTS_EXIT_SPEC);
	free(said);
}

static void the_sound_text_is_sound(void **state)
{
	struct spec_options options = {.mode = SPEC_CLIENT};
	enum pts_exit exit;
	char *said = faults_of(sound, strlen(sound), &options, &exit);

	(void)state;
	assert_string_equal(said, "");
	free(said);
}

static void a_byte_order_mark_and_crlf_change_nothing(void **state)
{
	struct spec_options options = {.mode = SPEC_CLIENT};
	struct pts_buf text = {0};
	enum pts_exit exit;
	char *said;

	(void)state;
	pts_buf_puts(&text, "\xef\xbb\xbf");
	for (const char *c = sound; *c; c++)
		pts_buf_puts(&text, *c == '\n' ? "\r\n" : (char[]){*c, '\0'});
	said = faults_of(text.data, text.length, &options, &exit);
	assert_string_equal(said, "");
	free(said);
	/* places do not shift */
	memcpy(text.data + 3, "titel", 5);
	said = faults_of(text.data, text.length, &options, &exit);
	assert_string_equal(said, "1:1: unknown key 'titel', did you mean 'title'?\n");
	free(said);
	pts_buf_release(&text);
}

static void bytes_that_are_no_text(void **state)
{
	(void)state;
	expect("", 0, "1:1: the file is empty\n");
	expect("# nothing\n", 10, "1:1: the file is empty\n");
	expect("a: b\0c\n", 7, "1:5: a NUL byte: this is no text file\n");
	expect("title: \xff\n", 9, "1:8: bytes that are no valid UTF-8\n");
	expect("title: \xc0\xaf\n", 10, "1:8: bytes that are no valid UTF-8\n");
	expect("title: \xed\xa0\x80\n", 11, "1:8: bytes that are no valid UTF-8\n");
	expect("title: a\n# \xe2\x80\xa8\n", 15, "2:3: a control character (U+2028)\n");
	expect("title: a\rb: c\n", 14,
	       "1:9: a carriage return alone: lines end with a newline\n");
	expect("title:\ta\n\tb\n", 12,
	       "1:7: a tab: YAML is indented with blanks\n"
	       "2:1: a tab: YAML is indented with blanks\n");
}

static void the_root_is_a_block_of_keys(void **state)
{
	(void)state;
	expect("- a\n", 4, "1:1: the file wants a block of keys, not a list\n");
	expect("text\n", 5, "1:1: the file wants a block of keys, not a single value\n");
	expect("a: 1\n---\nb: 2\n", 14, "2:1: a second document: one file holds one spec\n");
}

static void sizes_are_bounded(void **state)
{
	size_t bytes = (1 << 20) + 1;
	char *text = malloc(bytes + 1);

	(void)state;
	assert_non_null(text);
	memset(text, '#', bytes);
	text[bytes] = '\0';
	expect(text, bytes, "1:1: the file is larger than 1 MiB\n");
	expect(text, 5000, "1:4097: the line is too long (4096 bytes at most)\n");
	for (size_t i = 0; i < bytes; i++)
		text[i] = "[]\n"[i % 3];
	memcpy(text, "x:\n", 3);
	for (size_t i = 3; i + 4 <= 60003; i += 4)
		memcpy(text + i, "- a\n", 4);
	expect(text, 60003, "1:1: the file holds more than 10000 values\n");
	free(text);
}

static void depth_and_aliases_are_bounded(void **state)
{
	static const char bomb[] = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
				   "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
				   "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
				   "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
				   "e: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n";
	struct pts_buf deep = {0}, anchors = {0};

	(void)state;
	expect(bomb, strlen(bomb),
	       "1:23: the file expands to more than 10000 values (used by the alias at "
	       "4:36)\n");
	for (int i = 0; i < 40; i++)
		pts_buf_puts(&deep, "[");
	for (int i = 0; i < 40; i++)
		pts_buf_puts(&deep, "]");
	expect(deep.data, deep.length, "1:33: nested more than 32 deep\n");
	for (int i = 0; i < 600; i++)
		pts_buf_printf(&anchors, "- &a%d x\n", i);
	expect(anchors.data, anchors.length, "500:3: too many '&' in one file\n");
	pts_buf_release(&deep);
	pts_buf_release(&anchors);
}

static void loops_are_bounded(void **state)
{
	struct pts_buf text = {0};
	struct spec_options options = {.mode = SPEC_CLIENT};
	enum pts_exit exit;
	char *said;

	(void)state;
	pts_buf_puts(&text,
		     "title: T\nsteps:\n  - for_each: \n      variable: a\n      values: [");
	for (int i = 0; i < 256; i++)
		pts_buf_printf(&text, "%s%d", i ? ", " : "", i);
	pts_buf_puts(&text, "]\n      steps:\n        - for_each:\n            variable: b\n"
			    "            values: [");
	for (int i = 0; i < 256; i++)
		pts_buf_printf(&text, "%s%d", i ? ", " : "", i);
	pts_buf_puts(&text, "]\n            steps: [{idle: {name: '{a} {b}', time: 1s}}]\n");
	said = faults_of(text.data, text.length, &options, &exit);
	assert_string_equal(said, "10:21: more than 1000 steps\n");
	free(said);
	pts_buf_release(&text);
}

static void many_faults_are_cut(void **state)
{
	struct spec_options options = {.mode = SPEC_CLIENT};
	struct pts_buf text = {0};
	enum pts_exit exit;
	unsigned lines = 0;
	char *said;

	(void)state;
	for (int i = 0; i < 50; i++)
		pts_buf_printf(&text, "zzzzz%d: 1\n", i);
	pts_buf_puts(&text, sound);
	said = faults_of(text.data, text.length, &options, &exit);
	for (char *c = said; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 21);
	assert_non_null(strstr(said, "20:1: unknown key 'zzzzz19'\n"
				     "21:1: and 30 more faults from here on\n"));
	free(said);
	pts_buf_release(&text);
}

/* --- overrides --- */

static char *with_set(const char *text, const char *key, const char *value, bool lenient,
		      enum pts_exit *ret_exit)
{
	struct spec_override set = {key, value};
	struct spec_options options = {.mode = SPEC_ENTERPRISE,
				       .overrides = &set,
				       .override_count = 1,
				       .lenient_overrides = lenient};

	return faults_of(text, strlen(text), &options, ret_exit);
}

static void a_bad_override_names_itself(void **state)
{
	static const struct {
		const char *key, *value, *said;
	} cases[] = {
		{"cell_time", "abc",
		 "--set cell_time=abc: cell_time: 'abc' is no time: a number with ns, us, ms, "
		 "s, "
		 "min or h\n"},
		{"cell_time", "2",
		 "--set cell_time=2: cell_time: '2': a unit is missing: 2s, 2min\n"},
		{"cell_tme", "2s",
		 "--set cell_tme=2s: t has no parameter 'cell_tme', did you mean "
		 "'cell_time'?\n"},
		{"max_rounds", "4",
		 "--set max_rounds=4: max_rounds is 4, the window needs 5 rounds\n"},
		{"max_rounds", "4,5",
		 "--set max_rounds=4,5: max_rounds: '4,5' is no whole number\n"},
	};
	enum pts_exit exit;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *said = with_set(sound, cases[i].key, cases[i].value, false, &exit);

		assert_string_equal(said, cases[i].said);
		assert_int_equal(exit, PTS_EXIT_USAGE);
		free(said);
	}
	/* several specs share one list of overrides */
	free(with_set(sound, "cell_tme", "2s", true, &exit));
	assert_int_equal(exit, PTS_EXIT_GOOD);
}

static bool overridden(const char *key, const char *value)
{
	struct spec_override set = {key, value};
	struct spec_options options = {
		.mode = SPEC_ENTERPRISE, .overrides = &set, .override_count = 1};
	struct pts_err err = PTS_ERR_INIT;
	struct spec *spec;
	bool is = false;

	assert_int_equal(spec_read_text("t.yaml", sound, strlen(sound), &options, &spec, &err),
			 0);
	for (unsigned i = 0; i < spec->param_count; i++) {
		if (strcmp(spec->params[i].name, key) != 0)
			continue;
		is = spec->params[i].overridden;
		assert_string_equal(spec->params[i].value, value);
	}
	spec_free(spec);
	return is;
}

static void an_override_to_the_same_value_is_none(void **state)
{
	(void)state;
	assert_false(overridden("cell_time", "60s"));
	assert_false(overridden("cell_time", "1min"));
	assert_false(overridden("cell_time", "60000 ms"));
	assert_true(overridden("cell_time", "61s"));
	assert_false(overridden("max_rounds", "25"));
	assert_true(overridden("max_rounds", "24"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sound_text_is_sound),
		cmocka_unit_test(a_byte_order_mark_and_crlf_change_nothing),
		cmocka_unit_test(bytes_that_are_no_text),
		cmocka_unit_test(the_root_is_a_block_of_keys),
		cmocka_unit_test(sizes_are_bounded),
		cmocka_unit_test(depth_and_aliases_are_bounded),
		cmocka_unit_test(loops_are_bounded),
		cmocka_unit_test(many_faults_are_cut),
		cmocka_unit_test(a_bad_override_names_itself),
		cmocka_unit_test(an_override_to_the_same_value_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
