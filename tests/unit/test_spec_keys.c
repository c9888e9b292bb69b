/* The key table: complete, unique, and every key explained in specs/README.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_text.h"
#include "spec.h"

static void the_table_is_complete(void **state)
{
	unsigned count;
	const struct spec_key *keys = spec_keys(&count);

	(void)state;
	assert_in_range(count, 150, 255);
	for (unsigned i = 0; i < count; i++) {
		assert_true(strlen(keys[i].context) > 0 && strlen(keys[i].name) > 0);
		assert_true(strlen(keys[i].type) > 0);
		assert_true(strlen(keys[i].help) > 5 && strlen(keys[i].help) < 100);
		assert_non_null(keys[i].unit);
		assert_non_null(keys[i].range);
		assert_false(keys[i].required && *keys[i].standard);
		if (strcmp(keys[i].type, "time") == 0)
			assert_string_equal(keys[i].unit, "ns us ms s min h");
		if (strcmp(keys[i].type, "word") == 0)
			assert_true(strlen(keys[i].range) > 3);
		for (unsigned j = 0; j < i; j++)
			assert_false(strcmp(keys[i].context, keys[j].context) == 0 &&
				     strcmp(keys[i].name, keys[j].name) == 0);
	}
}

static void known(const char *context, const char *name, const char *range,
		  const char *standard)
{
	unsigned count;
	const struct spec_key *keys = spec_keys(&count);

	for (unsigned i = 0; i < count; i++) {
		if (strcmp(keys[i].context, context) || strcmp(keys[i].name, name))
			continue;
		assert_string_equal(keys[i].range, range);
		assert_string_equal(keys[i].standard, standard);
		return;
	}
	fail_msg("no key %s in %s", name, context);
}

static void ranges_and_defaults_are_told(void **state)
{
	(void)state;
	known("workload", "queue_depth", "1 .. 16384", "");
	known("workload", "data_pattern", "random | zero", "random");
	known("step.rounds", "on_unsteady", "stop | continue", "stop");
	known("step.work", "on_gap", "step | test", "step");
	known("page.matrix_lines", "x_scale", "linear | log2 | log10", "linear");
	known("source", "basis", "confirmed | implemented | choice", "");
	known("about", "operator", "", "");
}

static void the_readme_explains_every_key(void **state)
{
	unsigned count;
	const struct spec_key *keys = spec_keys(&count);
	char *text, name[64];
	size_t bytes;

	(void)state;
	assert_int_equal(pts_file_read(PTS_SOURCE "/specs/README.md", 1 << 20, &text, &bytes),
			 0);
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "`%s`", keys[i].name);
		if (!strstr(text, name))
			print_error("specs/README.md does not explain %s of %s\n", name,
				    keys[i].context);
		assert_non_null(strstr(text, name));
	}
	free(text);
}

/* The README's whole file is one: what people copy must work. */
static void the_readme_example_is_sound(void **state)
{
	struct spec_options options = {.mode = SPEC_CLIENT};
	struct pts_err err = PTS_ERR_INIT;
	char *text, *start, *end;
	struct spec *spec;
	size_t bytes;

	(void)state;
	assert_int_equal(pts_file_read(PTS_SOURCE "/specs/README.md", 1 << 20, &text, &bytes),
			 0);
	start = strstr(text, "```yaml\ntitle:");
	assert_non_null(start);
	start += strlen("```yaml\n");
	end = strstr(start, "```");
	assert_int_equal(spec_read_text("mine.yaml", start, (size_t)(end - start), &options,
					&spec, &err),
			 0);
	assert_int_equal(spec->step_count, 2);
	assert_int_equal(spec->page_count, 1);
	spec_free(spec);
	free(text);
}

static void words_are_those_of_the_language(void **state)
{
	char text[48];
	enum spec_mode mode;

	(void)state;
	assert_string_equal(spec_mode_text(SPEC_CLIENT), "client");
	assert_int_equal(spec_mode_parse("client", &mode), 0);
	assert_int_equal(mode, SPEC_CLIENT);
	assert_true(spec_mode_parse("Client", &mode) < 0);
	assert_string_equal(spec_axis_text(SPEC_AXIS_QUEUE_DEPTH), "queue_depth");
	assert_string_equal(spec_metric_text(SPEC_CPU_SYSTEM), "cpu_system");
	assert_string_equal(spec_step_text(SPEC_STEP_SEARCH), "search");
	assert_string_equal(spec_basis_text(SPEC_BASIS_CHOICE), "choice");
	assert_string_equal(spec_binding_text(SPEC_BINDING_FIXED), "fixed");
	spec_axis_value_text(SPEC_AXIS_RW_MIX, 65, text, sizeof(text));
	assert_string_equal(text, "65/35");
	spec_axis_value_text(SPEC_AXIS_BLOCK_SIZE, 512, text, sizeof(text));
	assert_string_equal(text, "0.5KiB");
	spec_axis_value_text(SPEC_AXIS_THREADS, 32, text, sizeof(text));
	assert_string_equal(text, "32");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_complete),
		cmocka_unit_test(ranges_and_defaults_are_told),
		cmocka_unit_test(the_readme_explains_every_key),
		cmocka_unit_test(the_readme_example_is_sound),
		cmocka_unit_test(words_are_those_of_the_language),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
