/*
 * The plan as JSON: the names that scripts and the report rely on, for every spec, and that its
 * values are those of the plan.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "plan_fixture.h"

static json_t *json_of(const struct plan *plan)
{
	char *text = plan_json(plan);
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	free(text);
	return root;
}

static const json_t *get(const json_t *object, const char *path)
{
	char copy[200], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *word = strtok_r(copy, ".", &save); word; word = strtok_r(NULL, ".", &save)) {
		object = word[0] >= '0' && word[0] <= '9'
				 ? json_array_get(object, (size_t)atoi(word))
				 : json_object_get(object, word);
		if (!object)
			fail_msg("no '%s' in '%s'", word, path);
	}
	return object;
}

static void has_keys(const json_t *object, const char *keys)
{
	char copy[1000], *save = NULL;
	size_t count = 0;

	snprintf(copy, sizeof(copy), "%s", keys);
	for (char *key = strtok_r(copy, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		if (!json_object_get(object, key))
			fail_msg("no key '%s'", key);
		count++;
	}
	/* what is not listed here is not documented either */
	assert_int_equal(json_object_size(object), count);
}

static double number(const json_t *object, const char *path)
{
	const json_t *value = get(object, path);

	if (!json_is_number(value))
		fail_msg("'%s' is no number", path);
	return json_number_value(value);
}

static const char *text(const json_t *object, const char *path)
{
	const char *value = json_string_value(get(object, path));

	if (!value)
		fail_msg("'%s' is no text", path);
	return value;
}

static void check_stream(const json_t *stream)
{
	const json_t *item;
	size_t i;

	has_keys(stream, "name weight rate_iops arrivals random_share read_pct read_hit_pct "
			 "think_s threads queue_depth start_bytes span_bytes align_bytes sizes "
			 "write_sizes zones");
	json_array_foreach(json_object_get(stream, "sizes"), i, item)
		has_keys(item, "block_bytes share_pct");
	json_array_foreach(json_object_get(stream, "zones"), i, item)
		has_keys(item, "start_bytes bytes span_pct access_pct");
}

static void check_cell(const json_t *cell, const struct plan_cell *expected)
{
	const json_t *stream;
	size_t i;

	has_keys(cell,
		 "index role label applicable reason point rw_mix read_pct block_bytes threads "
		 "queue_depth duration_ns duration_s amount_bytes record_ns data_pattern "
		 "compressible_pct duplicate_pct segments segment_bytes segment_touched_bytes "
		 "carry_position keep_histogram response_time track streams write_mb_per_s");
	if (expected->applicable)
		has_keys(get(cell, "write_mb_per_s"),
			 "least likely most likely_from after_s slack_s");
	assert_int_equal(number(cell, "index"), expected->index);
	assert_string_equal(text(cell, "label"), expected->label);
	assert_int_equal(json_is_true(get(cell, "applicable")), expected->applicable);
	assert_int_equal(json_is_null(get(cell, "reason")), expected->applicable);
	assert_int_equal(json_is_null(get(cell, "block_bytes")), !expected->block_bytes);
	assert_int_equal((uint64_t)json_integer_value(get(cell, "duration_ns")),
			 expected->duration_ns);
	assert_int_equal((uint64_t)json_integer_value(get(cell, "amount_bytes")),
			 expected->amount_bytes);
	assert_int_equal(json_array_size(get(cell, "streams")), expected->stream_count);
	json_array_foreach(json_object_get(cell, "streams"), i, stream) check_stream(stream);
}

static void check_step(const json_t *step, const struct plan_step *expected)
{
	has_keys(step,
		 "index test phase kind loops on_gap limit_ns limit_bytes clause basis binding "
		 "note "
		 "at from from_step group group_value "
		 "max_rounds on_unsteady window range_share slope_share rule judgeable "
		 "until_steady idle_s busy_s repeat sample_s sample_load_s sample_first "
		 "record_s warmup_s latency_limit_s shares_pct quantile limit_s point_limit "
		 "timing likely_rounds has_latest "
		 "duration_s bytes_written bytes_written_range cells before tracks points");
	assert_int_equal(number(step, "index"), expected->index);
	assert_string_equal(text(step, "phase"), expected->phase);
	assert_string_equal(text(step, "kind"), spec_step_text(expected->kind));
	has_keys(get(step, "duration_s"), "earliest likely latest slack");
	has_keys(get(step, "bytes_written_range"), "least likely most");
	assert_int_equal(number(step, "bytes_written"), expected->span.likely_bytes);
	assert_int_equal(json_array_size(get(step, "cells")), expected->cell_count);
	assert_int_equal(json_array_size(get(step, "before")), expected->before_count);
	assert_int_equal(json_array_size(get(step, "tracks")), expected->track_count);
	assert_int_equal(json_is_object(get(step, "rule")), expected->track_count > 0);
	for (unsigned i = 0; i < expected->cell_count; i++)
		check_cell(json_array_get(get(step, "cells"), i), &expected->cells[i]);
	for (unsigned i = 0; i < expected->before_count; i++)
		check_cell(json_array_get(get(step, "before"), i), &expected->before[i]);
	for (unsigned i = 0; i < expected->track_count; i++)
		has_keys(json_array_get(get(step, "tracks"), i),
			 "name metric cell rw_mix read_pct block_bytes");
}

static void check_test(const json_t *test, const struct spec *spec)
{
	has_keys(test,
		 "name title standard revision section description spec_sha256 "
		 "applicable reason first_step step_count labels write_cache params "
		 "citations pages fixed_time duration_s bytes_written bytes_written_range");
	assert_string_equal(text(test, "name"), spec->name);
	assert_string_equal(text(test, "spec_sha256"), spec->sha256);
	assert_int_equal(json_array_size(get(test, "params")), spec->param_count);
	assert_int_equal(json_array_size(get(test, "citations")), spec->citation_count);
	assert_int_equal(json_array_size(get(test, "pages")), spec->page_count);
	for (unsigned i = 0; i < spec->param_count; i++)
		has_keys(json_array_get(get(test, "params"), i),
			 "name value standard overridden help clause basis binding note");
	for (unsigned i = 0; i < spec->citation_count; i++)
		has_keys(json_array_get(get(test, "citations"), i),
			 "path value clause basis binding note");
	for (unsigned i = 0; i < spec->page_count; i++) {
		const json_t *page = json_array_get(get(test, "pages"), i);

		has_keys(page, "kind title step steps track x y ys y2 y2s series z rows "
			       "columns table confidence level_pct x_scale y_scale where");
		assert_string_equal(text(page, "kind"), spec->pages[i].kind);
		assert_string_equal(text(page, "title"), spec->pages[i].title);
		assert_int_equal(json_object_size(get(page, "where")),
				 spec->pages[i].where_count);
	}
}

static void check_root(const json_t *root, const struct plan_fixture *made)
{
	const struct plan *plan = made->plan;

	has_keys(root,
		 "schema_version mode plan_sha256 device tests steps duration_s bytes_written "
		 "bytes_written_range "
		 "drive_fills purges assumed write_mb_per_s deviations notes");
	has_keys(get(root, "device"),
		 "path identity kind transport capacity_bytes lba_bytes write_cache purge "
		 "purge_is_pts is_virtual");
	has_keys(get(root, "duration_s"), "earliest likely latest slack");
	has_keys(get(root, "bytes_written_range"), "least likely most");
	assert_int_equal(number(root, "bytes_written"), plan->span.likely_bytes);
	has_keys(get(root, "drive_fills"), "least likely most");
	has_keys(get(root, "write_mb_per_s"),
		 "least likely most least_iops likely_iops source");
	has_keys(get(root, "assumed"), "kind from");
	assert_int_equal(number(root, "schema_version"), 1);
	assert_string_equal(text(root, "plan_sha256"), plan->sha256);
	assert_int_equal(json_array_size(get(root, "steps")), plan->step_count);
	assert_int_equal(json_array_size(get(root, "deviations")), plan->deviation_count);
	assert_int_equal(json_array_size(get(root, "notes")), plan->note_count);
	for (unsigned i = 0; i < plan->deviation_count; i++)
		has_keys(json_array_get(get(root, "deviations"), i),
			 "test clause what required actual reason");
	for (unsigned i = 0; i < plan->note_count; i++)
		has_keys(json_array_get(get(root, "notes"), i), "test kind clause what text");
	check_test(get(root, "tests.0"), made->spec);
	for (unsigned i = 0; i < plan->step_count; i++)
		check_step(json_array_get(get(root, "steps"), i), &plan->steps[i]);
}

static void every_spec_has_all_keys(void **state)
{
	(void)state;
	for (unsigned n = 0; n < PLAN_FIXTURE_SPECS; n++)
		for (uint32_t lba = 512; lba <= 4096; lba *= 8) {
			struct plan_device device = plan_fixture_drive(480103981056, lba);
			struct plan_fixture made = plan_fixture_make(
				plan_fixture_read(plan_fixture_specs[n], SPEC_CLIENT, NULL),
				&device, 0);
			json_t *root = json_of(made.plan);

			check_root(root, &made);
			json_decref(root);
			plan_fixture_free(&made);
		}
}

static void values_are_as_people_wrote_them(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("iops", SPEC_CLIENT, NULL), &device, 500);
	char *json = plan_json(made.plan);
	json_t *root = json_of(made.plan);

	(void)state;
	assert_non_null(strstr(json, "\"range_pct\": 20.0,"));
	assert_non_null(strstr(json, "\"range_share\": 0.2"));
	assert_true(number(root, "steps.2.range_share") == 0.2);
	assert_true(number(root, "steps.2.rule.slope_pct") == 10);
	assert_int_equal(number(root, "steps.2.rule.window"), 5);
	assert_string_equal(text(root, "mode"), "client");
	assert_string_equal(text(root, "steps.2.cells.54.rw_mix"), "0/100");
	assert_int_equal(number(root, "steps.2.cells.54.block_bytes"), 4096);
	assert_int_equal(number(root, "steps.2.cells.54.track"), 0);
	assert_int_equal(number(root, "steps.2.tracks.1.cell"), 18);
	assert_true(number(root, "steps.1.duration_s.likely") > 1920.41592 - 1e-5 &&
		    number(root, "steps.1.duration_s.likely") < 1920.41593);
	assert_int_equal(number(root, "steps.1.bytes_written_range.most"), 960207962112);
	assert_string_equal(text(root, "write_mb_per_s.source"), "given");
	assert_int_equal(number(root, "purges"), 1);
	assert_true(number(root, "drive_fills.least") >= 2);
	json_decref(root);
	free(json);
	plan_fixture_free(&made);
}

/* B56: fills printed = 2 of the fill and those of the rounds. */
static void fills_are_of_the_drive(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 500);
	json_t *root = json_of(made.plan);
	/* writes of a round: 8 cells of each mix, 0 + 5 + 35 + 50 + 65 + 95 + 100 % of 60 s */
	double round = 8 * 3.5 * 60 * 500e6;
	double most = number(root, "drive_fills.most");
	double expected = 2 + 25 * round / 480103981056;

	(void)state;
	assert_true(most > expected * (1 - 1e-9) && most < expected * (1 + 1e-9));
	assert_int_equal(number(root, "drive_fills.least"), 2);
	json_decref(root);
	plan_fixture_free(&made);
}

static void chosen_points_and_curves_are_told(void **state)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("cbw", SPEC_ENTERPRISE, NULL), &device, 0);
	json_t *root = json_of(made.plan);

	(void)state;
	assert_string_equal(text(root, "steps.3.points.0.rule"), "highest");
	assert_true(number(root, "steps.3.points.0.mean_latency_below_s") == 0.005);
	assert_int_equal(number(root, "steps.3.points.1.where.threads"), 1);
	assert_string_equal(text(root, "steps.3.points.2.between.1"), "min");
	assert_string_equal(text(root, "steps.3.from"), "demand");
	assert_string_equal(text(root, "steps.5.at"), "max");
	assert_string_equal(text(root, "steps.5.group"), "point");
	assert_int_equal(number(root, "steps.2.before.0.threads"), 32);
	assert_int_equal(number(root, "steps.1.cells.0.streams.0.zones.1.start_bytes"),
			 46885154ll * 512);
	assert_true(number(root, "steps.1.cells.0.streams.0.sizes.7.share_pct") == 67);
	json_decref(root);
	plan_fixture_free(&made);
	made = plan_fixture_make(
		plan_fixture_read("workloads/vmfleet-curve", SPEC_ENTERPRISE, NULL), &device,
		0);
	root = json_of(made.plan);
	assert_int_equal(json_array_size(get(root, "steps.2.shares_pct")), 10);
	assert_string_equal(text(root, "steps.2.cells.0.streams.0.arrivals"), "exponential");
	assert_int_equal(number(root, "steps.2.warmup_s"), 60);
	json_decref(root);
	plan_fixture_free(&made);
}

/* A model name may hold anything printable: JSON stays JSON. */
static void odd_texts_stay_texts(void **state)
{
	static const char odd[] = "A\"B\\C`id` \xc3\xa9 %n {}, \x7f";
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made;
	json_t *root;

	(void)state;
	device.identity = odd;
	made = plan_fixture_make(plan_fixture_read("lat", SPEC_CLIENT, NULL), &device, 0);
	root = json_of(made.plan);
	assert_string_equal(text(root, "device.identity"), odd);
	json_decref(root);
	plan_fixture_free(&made);
}

/* A drive beyond what JSON integers hold: numbers, never null or negative. */
static void large_numbers_stay_numbers(void **state)
{
	struct plan_device device = plan_fixture_drive((1ull << 57) / 4096 * 4096, 4096);
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("iops", SPEC_ENTERPRISE, NULL), &device, 30000);
	json_t *root = json_of(made.plan);

	(void)state;
	assert_true(number(root, "steps.1.bytes_written_range.most") == 0x1p58);
	assert_true(number(root, "bytes_written_range.most") >= 0x1p58);
	assert_true(number(root, "duration_s.latest") > 0);
	json_decref(root);
	plan_fixture_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_spec_has_all_keys),
		cmocka_unit_test(values_are_as_people_wrote_them),
		cmocka_unit_test(fills_are_of_the_drive),
		cmocka_unit_test(chosen_points_and_curves_are_told),
		cmocka_unit_test(odd_texts_stay_texts),
		cmocka_unit_test(large_numbers_stay_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
