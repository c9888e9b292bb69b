/*
 * The plan as JSON (schema_version 1), for `pts plan --json`, the store and the report. Keys
 * carry units; a fact that is not there is null. Names of enum values are those of the specs.
 *
 * mode, plan_sha256 (of the canonical text)
 * device {path identity kind transport capacity_bytes lba_bytes write_cache purge purge_is_pts
 *         is_virtual}
 * tests[] {name title standard revision section description spec_sha256 applicable reason
 *          first_step step_count labels[] write_cache fixed_time (but for its purges)
 *          duration_s{} bytes_written bytes_written_range{}
 *   params[] {name value standard overridden help clause basis binding note}
 *   citations[] {path value clause basis binding note}
 *   pages[] {kind title step steps[] track x y ys[] y2 y2s[] series z rows columns table
 *            confidence level_pct x_scale y_scale where{axis: value}}}
 * steps[] {index test phase kind loops on_gap limit_ns limit_bytes (of a sampled load) clause basis
 *          binding note at from from_step (-1: none) group group_value max_rounds
 *          on_unsteady window range_share slope_share rule{window range_pct slope_pct} judgeable
 *          until_steady idle_s busy_s repeat sample_s sample_load_s sample_first record_s
 *          warmup_s latency_limit_s shares_pct[] quantile limit_s point_limit
 *          timing (what ends it: clock, amount, rounds, drive) likely_rounds has_latest
 *          duration_s{} bytes_written (likely) bytes_written_range{}
 *   cells[], before[] (loads before each round) {index role label applicable reason point rw_mix
 *            read_pct block_bytes (null: several) threads queue_depth duration_ns duration_s
 *            amount_bytes (0: by time) record_ns data_pattern compressible_pct duplicate_pct segments
 *            segment_bytes segment_touched_bytes carry_position keep_histogram response_time
 *            track (-1: none)
 *     write_mb_per_s {least likely most likely_from after_s (likely drain and gap) slack_s (the
 *                     longest)}; likely_from: cell (this cell, measured), load (the same load
 *                     elsewhere), derived (from other loads), given, bounds (a guess)
 *     streams[] {name weight rate_iops arrivals random_share read_pct read_hit_pct think_s
 *                threads queue_depth (0: the cell's) start_bytes span_bytes align_bytes
 *                sizes[] write_sizes[] {block_bytes share_pct}
 *                zones[] {start_bytes bytes span_pct access_pct}}}
 *   tracks[] {name metric cell (-1: can't run) rw_mix read_pct block_bytes}
 *   points[] {name rule metric mean_latency_below_s mean_latency_below_ns between[] cell (of rule
 *            cell; else -1) where{axis: value}}}
 * duration_s {earliest likely latest slack (of latest: drains and gaps)}, bytes_written (likely),
 * bytes_written_range {least likely most}, drive_fills {same}, purges. Likely is a guess, the
 * others are bounds.
 * assumed {kind (run, file, model, given, bounds) from}
 * write_mb_per_s {least likely most least_iops likely_iops (0: no limit) source}
 * deviations[] {test clause what required actual reason}, notes[] {test kind clause what text}
 */
#include <stdlib.h>

#include "plan_json_internal.h"

static json_t *json_of_device(const struct plan_device *device)
{
	json_t *object = json_object();

	plan_set_text(object, "path", device->path);
	plan_set_text(object, "identity", device->identity);
	plan_set_text(object, "kind", device->kind);
	plan_set_text(object, "transport", device->transport);
	plan_set_count(object, "capacity_bytes", device->capacity_bytes);
	plan_set_count(object, "lba_bytes", device->lba_bytes);
	plan_set_text(object, "write_cache", device->write_cache);
	plan_set_text(object, "purge", device->purge_name);
	plan_set_bool(object, "purge_is_pts", device->purge_is_pts);
	plan_set_bool(object, "is_virtual", device->is_virtual);
	return object;
}

static json_t *json_of_params(const struct spec *spec)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < spec->param_count; i++) {
		const struct spec_param *param = &spec->params[i];
		json_t *object = json_object();

		plan_set_text(object, "name", param->name);
		plan_set_text(object, "value", param->value);
		plan_set_text(object, "standard", param->standard);
		plan_set_bool(object, "overridden", param->overridden);
		plan_set_text(object, "help", param->help);
		plan_set_source(object, &param->source);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_citations(const struct spec *spec)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < spec->citation_count; i++) {
		json_t *object = json_object();

		plan_set_text(object, "path", spec->citations[i].path);
		plan_set_text(object, "value", spec->citations[i].value);
		plan_set_source(object, &spec->citations[i].source);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_texts(const char *const *texts, unsigned count)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, plan_text_or_null(texts[i]));
	return list;
}

static json_t *json_of_page(const struct spec_page *page)
{
	json_t *object = json_object(), *where = json_object();

	plan_set_text(object, "kind", page->kind);
	plan_set_text(object, "title", page->title);
	plan_set_text(object, "step", page->step);
	plan_set(object, "steps", json_of_texts(page->steps, page->step_count));
	plan_set_text(object, "track", page->track);
	plan_set_text(object, "x", page->x);
	plan_set_text(object, "y", page->y);
	plan_set(object, "ys", json_of_texts(page->ys, page->y_count));
	plan_set_text(object, "y2", page->y2);
	plan_set(object, "y2s", json_of_texts(page->y2s, page->y2_count));
	plan_set_text(object, "series", page->series);
	plan_set_text(object, "z", page->z);
	plan_set_text(object, "rows", page->rows);
	plan_set_text(object, "columns", page->columns);
	plan_set_bool(object, "table", page->table);
	plan_set_bool(object, "confidence", page->confidence);
	plan_set_number(object, "level_pct", page->level_share * 100);
	plan_set_text(object, "x_scale", page->x_scale);
	plan_set_text(object, "y_scale", page->y_scale);
	for (unsigned i = 0; i < page->where_count; i++)
		plan_set_count(where, spec_axis_text(page->where[i].axis),
			       page->where[i].value);
	plan_set(object, "where", where);
	return object;
}

static json_t *json_of_pages(const struct spec *spec)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < spec->page_count; i++)
		json_array_append_new(list, json_of_page(&spec->pages[i]));
	return list;
}

static json_t *json_of_test(const struct plan_test *test)
{
	const struct spec *spec = test->spec;
	json_t *object = json_object();

	plan_set_text(object, "name", spec->name);
	plan_set_text(object, "title", spec->title);
	plan_set_text(object, "standard", spec->standard);
	plan_set_text(object, "revision", spec->revision);
	plan_set_text(object, "section", spec->section);
	plan_set_text(object, "description", spec->description);
	plan_set_text(object, "spec_sha256", spec->sha256);
	plan_set_bool(object, "applicable", test->applicable);
	plan_set_text(object, "reason", test->reason);
	plan_set_count(object, "first_step", test->first_step);
	plan_set_count(object, "step_count", test->step_count);
	plan_set(object, "labels",
		 json_of_texts((const char *const *)spec->labels, spec->label_count));
	plan_set_text(object, "write_cache",
		      !spec->has_write_cache      ? NULL
		      : spec->write_cache_enabled ? "enabled"
						  : "disabled");
	plan_set_bool(object, "fixed_time", test->fixed_time);
	plan_set(object, "duration_s", plan_json_seconds(&test->span));
	plan_set_count(object, "bytes_written", test->span.likely_bytes);
	plan_set(object, "bytes_written_range", plan_json_bytes(&test->span));
	plan_set(object, "params", json_of_params(spec));
	plan_set(object, "citations", json_of_citations(spec));
	plan_set(object, "pages", json_of_pages(spec));
	return object;
}

static json_t *json_of_tests(const struct plan *plan)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < plan->test_count; i++)
		json_array_append_new(list, json_of_test(&plan->tests[i]));
	return list;
}

static json_t *json_of_steps(const struct plan *plan)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < plan->step_count; i++)
		json_array_append_new(list,
				      plan_json_step(&plan->steps[i], plan->device.lba_bytes));
	return list;
}

static json_t *json_of_deviations(const struct plan *plan)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < plan->deviation_count; i++) {
		const struct plan_deviation *deviation = &plan->deviations[i];
		json_t *object = json_object();

		plan_set_text(object, "test", deviation->test);
		plan_set_text(object, "clause", deviation->clause);
		plan_set_text(object, "what", deviation->what);
		plan_set_text(object, "required", deviation->required);
		plan_set_text(object, "actual", deviation->actual);
		plan_set_text(object, "reason", deviation->reason);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_notes(const struct plan *plan)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];
		json_t *object = json_object();

		plan_set_text(object, "test", note->test);
		plan_set_text(object, "kind", note->kind);
		plan_set_text(object, "clause", note->clause);
		plan_set_text(object, "what", note->what);
		plan_set_text(object, "text", note->text);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_rates(const struct plan_rates *rates)
{
	json_t *object = json_object();

	plan_set_number(object, "least", rates->least);
	plan_set_number(object, "likely", rates->likely);
	plan_set_number(object, "most", rates->most);
	plan_set_number(object, "least_iops", rates->least_iops);
	plan_set_number(object, "likely_iops", rates->likely_iops);
	plan_set_text(object, "source", rates->source);
	return object;
}

static json_t *json_of_assumed(const struct plan_rates *rates)
{
	json_t *object = json_object();

	plan_set_text(object, "kind", rates->kind);
	plan_set_text(object, "from", *rates->from ? rates->from : NULL);
	return object;
}

static json_t *json_of_fills(const struct plan *plan)
{
	double capacity = (double)plan->device.capacity_bytes;
	json_t *object = json_object();

	plan_set_number(object, "least", (double)plan->span.least_bytes / capacity);
	plan_set_number(object, "likely", (double)plan->span.likely_bytes / capacity);
	plan_set_number(object, "most", (double)plan->span.most_bytes / capacity);
	return object;
}

static unsigned purges(const struct plan *plan)
{
	unsigned count = 0;

	for (unsigned i = 0; i < plan->step_count; i++)
		count += plan->steps[i].kind == SPEC_STEP_PURGE;
	return count;
}

char *plan_json(const struct plan *plan)
{
	json_t *root = json_object();
	char *text;

	plan_set_count(root, "schema_version", 1);
	plan_set_text(root, "mode", spec_mode_text(plan->mode));
	plan_set_text(root, "plan_sha256", plan->sha256);
	plan_set(root, "device", json_of_device(&plan->device));
	plan_set(root, "tests", json_of_tests(plan));
	plan_set(root, "steps", json_of_steps(plan));
	plan_set(root, "duration_s", plan_json_seconds(&plan->span));
	plan_set_count(root, "bytes_written", plan->span.likely_bytes);
	plan_set(root, "bytes_written_range", plan_json_bytes(&plan->span));
	plan_set(root, "drive_fills", json_of_fills(plan));
	plan_set_count(root, "purges", purges(plan));
	plan_set(root, "assumed", json_of_assumed(&plan->rates));
	plan_set(root, "write_mb_per_s", json_of_rates(&plan->rates));
	plan_set(root, "deviations", json_of_deviations(plan));
	plan_set(root, "notes", json_of_notes(plan));
	/* 15 digits give every decimal text of up to 15 digits back as it was: 0.2, not 0.2000..1 */
	text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(root);
	if (!text)
		abort();
	return text;
}
