/*
 * The plan as JSON (schema_version 1), for `pts plan --json`, the store and the report:
 * mode, device{}, tests[] {params[], citations[], pages[]}, steps[] {cells[] {streams[]}, tracks[],
 * span{}}, duration_s{}, bytes_written{}, drive_fills{}, deviations[]. Keys carry units.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "plan_internal.h"

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value ? value : json_null());
}

static void set_text(json_t *object, const char *key, const char *text)
{
	set(object, key, text_or_null(text));
}

static void set_count(json_t *object, const char *key, uint64_t value)
{
	set(object, key,
	    value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

static void set_number(json_t *object, const char *key, double value)
{
	set(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_bool(json_t *object, const char *key, bool value)
{
	set(object, key, json_boolean(value));
}

static void set_source(json_t *object, const struct spec_source *source)
{
	set_text(object, "clause", source->clause);
	set_text(object, "basis", spec_basis_text(source->basis));
	set_text(object, "binding", spec_binding_text(source->binding));
	set_text(object, "note", source->note);
}

static json_t *json_of_device(const struct plan_device *device)
{
	json_t *object = json_object();

	set_text(object, "path", device->path);
	set_text(object, "identity", device->identity);
	set_text(object, "kind", device->kind);
	set_text(object, "transport", device->transport);
	set_count(object, "capacity_bytes", device->capacity_bytes);
	set_count(object, "lba_bytes", device->lba_bytes);
	set_text(object, "write_cache", device->write_cache);
	set_text(object, "purge", device->purge_name);
	set_bool(object, "purge_is_pts", device->purge_is_pts);
	set_bool(object, "is_virtual", device->is_virtual);
	return object;
}

static json_t *json_of_params(const struct spec *spec)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < spec->param_count; i++) {
		const struct spec_param *param = &spec->params[i];
		json_t *object = json_object();

		set_text(object, "name", param->name);
		set_text(object, "value", param->value);
		set_text(object, "standard", param->standard);
		set_bool(object, "overridden", param->overridden);
		set_text(object, "help", param->help);
		set_source(object, &param->source);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_citations(const struct spec *spec)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < spec->citation_count; i++) {
		json_t *object = json_object();

		set_text(object, "path", spec->citations[i].path);
		set_text(object, "value", spec->citations[i].value);
		set_source(object, &spec->citations[i].source);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_texts(const char *const *texts, unsigned count)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, text_or_null(texts[i]));
	return list;
}

static json_t *json_of_page(const struct spec_page *page)
{
	json_t *object = json_object(), *where = json_object();

	set_text(object, "kind", page->kind);
	set_text(object, "title", page->title);
	set_text(object, "step", page->step);
	set(object, "steps", json_of_texts(page->steps, page->step_count));
	set_text(object, "track", page->track);
	set_text(object, "x", page->x);
	set_text(object, "y", page->y);
	set(object, "ys", json_of_texts(page->ys, page->y_count));
	set_text(object, "y2", page->y2);
	set(object, "y2s", json_of_texts(page->y2s, page->y2_count));
	set_text(object, "series", page->series);
	set_text(object, "z", page->z);
	set_text(object, "rows", page->rows);
	set_text(object, "columns", page->columns);
	set_bool(object, "table", page->table);
	set_bool(object, "confidence", page->confidence);
	set_text(object, "x_scale", page->x_scale);
	set_text(object, "y_scale", page->y_scale);
	for (unsigned i = 0; i < page->where_count; i++)
		set_count(where, spec_axis_text(page->where[i].axis), page->where[i].value);
	set(object, "where", where);
	return object;
}

static json_t *json_of_tests(const struct plan *plan)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < plan->test_count; i++) {
		const struct spec *spec = plan->tests[i].spec;
		json_t *object = json_object(), *pages = json_array();

		set_text(object, "name", spec->name);
		set_text(object, "title", spec->title);
		set_text(object, "standard", spec->standard);
		set_text(object, "revision", spec->revision);
		set_text(object, "section", spec->section);
		set_text(object, "description", spec->description);
		set_text(object, "spec_sha256", spec->sha256);
		set(object, "labels",
		    json_of_texts((const char *const *)spec->labels, spec->label_count));
		if (spec->has_write_cache)
			set_text(object, "write_cache",
				 spec->write_cache_enabled ? "enabled" : "disabled");
		set(object, "params", json_of_params(spec));
		set(object, "citations", json_of_citations(spec));
		for (unsigned p = 0; p < spec->page_count; p++)
			json_array_append_new(pages, json_of_page(&spec->pages[p]));
		set(object, "pages", pages);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_of_stream(const struct plan_stream *stream)
{
	static const char *const names[2] = {"sizes", "write_sizes"};
	json_t *object = json_object(), *zones = json_array();

	set_text(object, "name", stream->name);
	set_number(object, "weight", stream->weight);
	set_number(object, "rate_iops", stream->rate_iops);
	set_number(object, "random_share", stream->random_share);
	set_count(object, "read_pct", stream->read_pct);
	set_count(object, "start_bytes", stream->start_bytes);
	set_count(object, "span_bytes", stream->span_bytes);
	set_count(object, "align_bytes", stream->align_bytes);
	for (int d = 0; d < 2; d++) {
		json_t *sizes = json_array();

		for (unsigned i = 0; i < stream->size_count[d]; i++) {
			json_t *size = json_object();

			set_count(size, "block_bytes", stream->sizes[d][i].block_bytes);
			set_number(size, "share_pct", stream->sizes[d][i].share * 100);
			json_array_append_new(sizes, size);
		}
		set(object, names[d], sizes);
	}
	for (unsigned i = 0; i < stream->zone_count; i++) {
		json_t *zone = json_object();

		set_number(zone, "span_pct", stream->zones[i].span_share * 100);
		set_number(zone, "access_pct", stream->zones[i].access_share * 100);
		json_array_append_new(zones, zone);
	}
	set(object, "zones", zones);
	return object;
}

static json_t *json_of_cell(const struct plan_cell *cell)
{
	json_t *object = json_object(), *streams = json_array();
	char mix[16];

	pts_rw_mix_text(cell->read_pct, mix, sizeof(mix));
	set_count(object, "index", cell->index);
	set_text(object, "label", cell->label);
	set_bool(object, "applicable", cell->applicable);
	set_text(object, "reason", cell->reason);
	set_text(object, "point", cell->point);
	set_text(object, "rw_mix", mix);
	set_count(object, "read_pct", cell->read_pct);
	set(object, "block_bytes",
	    cell->block_bytes ? json_integer((json_int_t)cell->block_bytes) : json_null());
	set_count(object, "threads", cell->threads);
	set_count(object, "queue_depth", cell->queue_depth);
	set_count(object, "duration_ns", cell->duration_ns);
	set_number(object, "duration_s", (double)cell->duration_ns / 1e9);
	set_count(object, "amount_bytes", cell->amount_bytes);
	set_text(object, "data_pattern", cell->data_pattern);
	set_number(object, "compressible_pct", cell->compressible_share * 100);
	set_bool(object, "carry_position", cell->carry_position);
	set_bool(object, "keep_histogram", cell->keep_histogram);
	for (unsigned i = 0; i < cell->stream_count; i++)
		json_array_append_new(streams, json_of_stream(&cell->streams[i]));
	set(object, "streams", streams);
	return object;
}

static json_t *json_of_track(const struct plan_track *track)
{
	json_t *object = json_object();
	char mix[16];

	pts_rw_mix_text(track->read_pct, mix, sizeof(mix));
	set_text(object, "name", track->name);
	set_text(object, "metric", spec_metric_text(track->metric));
	set(object, "cell", json_integer(track->cell));
	set_text(object, "rw_mix", mix);
	set_count(object, "read_pct", track->read_pct);
	set_count(object, "block_bytes", track->block_bytes);
	return object;
}

static json_t *seconds_of(const struct plan_span *span)
{
	json_t *object = json_object();

	set_number(object, "earliest", (double)span->earliest_ns / 1e9);
	set_number(object, "likely", (double)span->likely_ns / 1e9);
	set_number(object, "latest", (double)span->latest_ns / 1e9);
	return object;
}

static json_t *bytes_of(const struct plan_span *span, double per)
{
	json_t *object = json_object();

	if (per > 1) {
		set_number(object, "least", (double)span->least_bytes / per);
		set_number(object, "likely", (double)span->likely_bytes / per);
		set_number(object, "most", (double)span->most_bytes / per);
	} else {
		set_count(object, "least", span->least_bytes);
		set_count(object, "likely", span->likely_bytes);
		set_count(object, "most", span->most_bytes);
	}
	return object;
}

static json_t *json_of_step(const struct plan_step *step)
{
	json_t *object = json_object(), *cells = json_array(), *tracks = json_array();
	const struct spec_step *from = step->spec;

	set_count(object, "index", step->index);
	set_text(object, "test", step->test);
	set_text(object, "phase", step->phase);
	set_text(object, "kind", spec_step_text(step->kind));
	set_source(object, &from->source);
	for (unsigned i = 0; i < step->cell_count; i++)
		json_array_append_new(cells, json_of_cell(&step->cells[i]));
	set(object, "cells", cells);
	set_count(object, "max_rounds", step->max_rounds);
	set_text(object, "on_unsteady",
		 step->on_unsteady == SPEC_CONTINUE ? "continue" : "stop");
	set_count(object, "window", step->window);
	set_number(object, "range_share", step->range_share);
	set_number(object, "slope_share", step->slope_share);
	for (unsigned i = 0; i < step->track_count; i++)
		json_array_append_new(tracks, json_of_track(&step->tracks[i]));
	set(object, "tracks", tracks);
	set_bool(object, "judgeable", step->judgeable);
	set_number(object, "idle_s", (double)step->idle_ns / 1e9);
	set_number(object, "busy_s", (double)from->busy_ns / 1e9);
	set_count(object, "repeat", from->repeat);
	set_number(object, "sample_s", (double)from->sample_ns / 1e9);
	set_number(object, "sample_load_s", (double)from->sample_load_ns / 1e9);
	set(object, "duration_s", seconds_of(&step->span));
	set(object, "bytes_written", bytes_of(&step->span, 1));
	return object;
}

static json_t *json_of_deviations(const struct plan *plan)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < plan->deviation_count; i++) {
		const struct plan_deviation *deviation = &plan->deviations[i];
		json_t *object = json_object();

		set_text(object, "test", deviation->test);
		set_text(object, "clause", deviation->clause);
		set_text(object, "what", deviation->what);
		set_text(object, "required", deviation->required);
		set_text(object, "actual", deviation->actual);
		set_text(object, "reason", deviation->reason);
		json_array_append_new(list, object);
	}
	return list;
}

char *plan_json(const struct plan *plan)
{
	json_t *root = json_object(), *steps = json_array();
	char *text;

	set_count(root, "schema_version", 1);
	set_text(root, "mode", spec_mode_text(plan->mode));
	set_text(root, "plan_sha256", plan->sha256);
	set(root, "device", json_of_device(&plan->device));
	set(root, "tests", json_of_tests(plan));
	for (unsigned i = 0; i < plan->step_count; i++)
		json_array_append_new(steps, json_of_step(&plan->steps[i]));
	set(root, "steps", steps);
	set(root, "duration_s", seconds_of(&plan->span));
	set(root, "bytes_written", bytes_of(&plan->span, 1));
	set(root, "drive_fills", bytes_of(&plan->span, (double)plan->device.capacity_bytes));
	set(root, "deviations", json_of_deviations(plan));
	text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	json_decref(root);
	if (!text)
		abort();
	return text;
}
