/* report.json keeps to report.schema.json in every state of a run, and pts-report(5) tells each key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "json_schema.h"
#include "pts_text.h"
#include "report.h"
#include "report_render.h"
#include "report_scratch.h"

static json_t *made(const struct fake_options *fake)
{
	written(fake, REPORT_JSON, "out");
	return report_json_of("out");
}

static void check(const struct fake_options *fake)
{
	json_decref(made(fake));
}

static void test_every_state_keeps_to_it(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;

	(void)state;
	check(&fake);
	fake.lba_4096 = true;
	fake.failed_cell = 3;
	fake.deviations = 3;
	fake.events = 30;
	check(&fake);
	fake.all_zero = true;
	check(&fake);
	fake.all_zero = false;
	fake.flat = true;
	check(&fake);
	fake.unsteady = true;
	fake.rounds = 25;
	check(&fake);
	for (int at = STORE_RUNNING; at <= STORE_DONE; at++) {
		fake.state = (enum store_state)at;
		fake.rounds = at;
		check(&fake);
	}
	fake.model = "odd \xFF byte \x1b[31m";
	check(&fake);
}

/* What the checker says of a report that was changed after the pattern. */
static void broken(void (*change)(json_t *root), const char *says)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char text[800] = "";
	json_t *root;

	fake.lba_4096 = true;
	root = made(&fake);
	change(root);
	assert_false(report_json_check(REPORT_SCHEMA, root, text, sizeof(text)));
	if (strstr(text, says) == NULL)
		fail_msg("'%s' instead of '%s'", text, says);
	json_decref(root);
}

static json_t *first(json_t *root, const char *key)
{
	return json_array_get(json_object_get(root, key), 0);
}

static void no_version(json_t *root)
{
	json_object_del(root, "schema_version");
}

static void other_version(json_t *root)
{
	json_object_set_new(root, "schema_version", json_integer(2));
}

static void new_key(json_t *root)
{
	json_object_set_new(json_object_get(root, "run"), "colour", json_string("red"));
}

static void other_type(json_t *root)
{
	json_object_set_new(first(root, "tests"), "compliant", json_string("yes"));
}

static void other_state(json_t *root)
{
	json_object_set_new(json_object_get(root, "run"), "state", json_string("gone"));
}

static void no_block(json_t *root)
{
	json_object_set_new(json_object_get(root, "run"), "lba_bytes", json_integer(0));
}

static void table_twice(json_t *root)
{
	json_array_append(json_object_get(root, "tables"), first(root, "tables"));
}

static void table_gone(json_t *root)
{
	json_array_clear(json_object_get(root, "tables"));
}

static json_t *row_with_a_gap(json_t *root)
{
	size_t t, r;
	json_t *table, *row;

	json_array_foreach(json_object_get(root, "tables"), t, table)
	{
		json_array_foreach(json_object_get(table, "rows"), r, row)
		{
			if (json_object_get(row, "missing_reason") != NULL)
				return row;
		}
	}
	fail_msg("no row has a gap");
	return NULL;
}

static void no_reason(json_t *root)
{
	json_object_clear(json_object_get(row_with_a_gap(root), "missing_reason"));
}

static void column_gone(json_t *root)
{
	json_object_del(row_with_a_gap(root), "block_size");
}

static void short_series(json_t *root)
{
	size_t p, s;
	json_t *page, *plot;

	json_array_foreach(json_object_get(root, "pages"), p, page)
	{
		json_array_foreach(json_object_get(page, "plots"), s, plot)
			json_array_remove(json_object_get(first(plot, "series"), "y"), 0);
	}
}

static void test_the_checker_finds_faults(void **state)
{
	(void)state;
	broken(no_version, ": lacks 'schema_version'");
	broken(other_version, "/schema_version: is not the value");
	broken(new_key, "/run: 'colour' is not in the schema");
	broken(other_type, "/tests/0/compliant: is not of the type");
	broken(other_state, "/run/state: is none of the values");
	broken(no_block, "/run/lba_bytes: is less than");
	broken(table_twice, "stands twice");
	broken(table_gone, "there is no table");
	broken(no_reason, "is null without a reason");
	broken(column_gone, "other keys than the columns");
	broken(short_series, "not as many y as x");
}

static void test_the_checker_knows_what_it_does_not_know(void **state)
{
	static const struct {
		const char *schema, *says;
	} cases[] = {
		{"{\"type\": \"object\", \"maxProperties\": 0}",
		 "'maxProperties' is not known"},
		{"{\"properties\": {\"a\": {}}}", "does not describe 'a'"},
		{"{\"$ref\": \"#/$defs/none\"}", "lacks '#/$defs/none'"},
	};
	json_t *value = json_pack("{s:i}", "a", 1);
	char text[800];

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *schema = json_loads(cases[i].schema, 0, NULL);

		assert_non_null(schema);
		assert_false(json_schema_check(schema, value, text, sizeof(text)));
		assert_non_null(strstr(text, cases[i].says));
		json_decref(schema);
	}
	json_decref(value);
}

static unsigned check_told(const char *page, const json_t *properties)
{
	unsigned count = 0;
	const char *key;
	json_t *one;

	json_object_foreach((json_t *)properties, key, one)
	{
		char want[80];

		snprintf(want, sizeof(want), "\n.B %s\n%s\n", key,
			 json_string_value(json_object_get(one, "description")));
		if (strstr(page, want) == NULL)
			fail_msg("pts-report.5 does not say:%s", want);
		count++;
	}
	return count;
}

static void test_the_man_page_tells_each_key(void **state)
{
	json_t *schema = json_load_file(REPORT_SCHEMA, 0, NULL), *definition;
	unsigned told;
	const char *name;
	char *page;
	size_t bytes;

	(void)state;
	assert_int_equal(
		pts_file_read(PTS_SOURCE "/pts/man/pts-report.5", 1 << 20, &page, &bytes), 0);
	told = check_told(page, json_object_get(schema, "properties"));
	json_object_foreach(json_object_get(schema, "$defs"), name, definition) told +=
		check_told(page, json_object_get(definition, "properties"));
	assert_true(told > 60);
	json_decref(schema);
	free(page);
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, render_setup, render_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_every_state_keeps_to_it),
		WITH_SCRATCH(test_the_checker_finds_faults),
		cmocka_unit_test(test_the_checker_knows_what_it_does_not_know),
		cmocka_unit_test(test_the_man_page_tells_each_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
