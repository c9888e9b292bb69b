/* The steps of the plan as JSON; plan_json.c lists the keys. */
#include "plan_json_internal.h"

static const char *arrivals_text(enum spec_arrivals arrivals)
{
	return arrivals == SPEC_EXPONENTIAL ? "exponential"
	       : arrivals == SPEC_CONSTANT  ? "constant"
					    : "closed_loop";
}

static json_t *json_of_zones(const struct plan_stream *stream, uint32_t lba_bytes)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < stream->zone_count; i++) {
		uint64_t start = plan_zone_start(stream->zones, stream->zone_count, i,
						 stream->span_bytes, lba_bytes);
		uint64_t end = plan_zone_start(stream->zones, stream->zone_count, i + 1,
					       stream->span_bytes, lba_bytes);
		json_t *zone = json_object();

		plan_set_count(zone, "start_bytes", stream->start_bytes + start);
		plan_set_count(zone, "bytes", end - start);
		plan_set_number(zone, "span_pct", stream->zones[i].span_share * 100);
		plan_set_number(zone, "access_pct", stream->zones[i].access_share * 100);
		json_array_append_new(list, zone);
	}
	return list;
}

static json_t *json_of_stream(const struct plan_stream *stream, uint32_t lba_bytes)
{
	static const char *const names[2] = {"sizes", "write_sizes"};
	json_t *object = json_object();

	plan_set_text(object, "name", stream->name);
	plan_set_number(object, "weight", stream->weight);
	plan_set_number(object, "rate_iops", stream->rate_iops);
	plan_set_text(object, "arrivals", arrivals_text(stream->arrivals));
	plan_set_number(object, "random_share", stream->random_share);
	plan_set_count(object, "read_pct", stream->read_pct);
	plan_set_number(object, "read_hit_pct", stream->read_hit_share * 100);
	plan_set_ns(object, "think_s", stream->think_ns);
	plan_set_count(object, "threads", stream->threads);
	plan_set_count(object, "queue_depth", stream->queue_depth);
	plan_set_count(object, "start_bytes", stream->start_bytes);
	plan_set_count(object, "span_bytes", stream->span_bytes);
	plan_set_count(object, "align_bytes", stream->align_bytes);
	for (int d = 0; d < 2; d++) {
		json_t *sizes = json_array();

		for (unsigned i = 0; i < stream->size_count[d]; i++) {
			json_t *size = json_object();

			plan_set_count(size, "block_bytes", stream->sizes[d][i].block_bytes);
			plan_set_number(size, "share_pct", stream->sizes[d][i].share * 100);
			json_array_append_new(sizes, size);
		}
		plan_set(object, names[d], sizes);
	}
	plan_set(object, "zones", json_of_zones(stream, lba_bytes));
	return object;
}

/* MB/s written, and what the likely figure rests on. */
static json_t *json_of_rate(const struct plan_rate *rate)
{
	json_t *object = json_object();

	plan_set_number(object, "least", rate->least);
	plan_set_number(object, "likely", rate->likely);
	plan_set_number(object, "most", rate->most);
	plan_set_text(object, "likely_from", plan_rate_from_text(rate->from));
	plan_set_ns(object, "after_s", rate->after_ns);
	plan_set_ns(object, "slack_s", rate->slack_ns);
	return object;
}

static json_t *json_of_cell(const struct plan_cell *cell, uint32_t lba_bytes)
{
	json_t *object = json_object(), *streams = json_array();
	char mix[16];

	pts_rw_mix_text(cell->read_pct, mix, sizeof(mix));
	plan_set_count(object, "index", cell->index);
	plan_set_text(object, "role", plan_role_text(cell->role));
	plan_set_text(object, "label", cell->label);
	plan_set_bool(object, "applicable", cell->applicable);
	plan_set_text(object, "reason", cell->reason);
	plan_set_text(object, "point", cell->point);
	plan_set_text(object, "rw_mix", mix);
	plan_set_count(object, "read_pct", cell->read_pct);
	plan_set(object, "block_bytes",
		 cell->block_bytes ? json_integer((json_int_t)cell->block_bytes) : json_null());
	plan_set_count(object, "threads", cell->threads);
	plan_set_count(object, "queue_depth", cell->queue_depth);
	plan_set_count(object, "duration_ns", cell->duration_ns);
	plan_set_ns(object, "duration_s", cell->duration_ns);
	plan_set_count(object, "amount_bytes", cell->amount_bytes);
	plan_set_count(object, "record_ns", cell->record_ns);
	plan_set_text(object, "data_pattern", cell->data_pattern);
	plan_set_number(object, "compressible_pct", cell->compressible_share * 100);
	plan_set_number(object, "duplicate_pct", cell->duplicate_share * 100);
	plan_set_count(object, "segments", cell->segments);
	plan_set_count(object, "segment_bytes", cell->segment_bytes);
	plan_set_count(object, "segment_touched_bytes", cell->segment_touched_bytes);
	plan_set_bool(object, "carry_position", cell->carry_position);
	plan_set_bool(object, "keep_histogram", cell->keep_histogram);
	plan_set_bool(object, "response_time", cell->response_time);
	plan_set(object, "track", json_integer(cell->track));
	plan_set(object, "write_mb_per_s", cell->applicable ? json_of_rate(&cell->rate) : NULL);
	for (unsigned i = 0; i < cell->stream_count; i++)
		json_array_append_new(streams, json_of_stream(&cell->streams[i], lba_bytes));
	plan_set(object, "streams", streams);
	return object;
}

static json_t *json_of_track(const struct plan_track *track)
{
	json_t *object = json_object();
	char mix[16];

	pts_rw_mix_text(track->read_pct, mix, sizeof(mix));
	plan_set_text(object, "name", track->name);
	plan_set_text(object, "metric", spec_metric_text(track->metric));
	plan_set(object, "cell", json_integer(track->cell));
	plan_set_text(object, "rw_mix", mix);
	plan_set_count(object, "read_pct", track->read_pct);
	plan_set_count(object, "block_bytes", track->block_bytes);
	return object;
}

static json_t *json_of_point(const struct spec_point *point, int cell)
{
	json_t *object = json_object(), *where = json_object(), *between = json_array();

	plan_set_text(object, "name", point->name);
	plan_set_text(object, "rule", spec_rule_text(point->rule));
	plan_set_text(object, "metric",
		      point->rule == SPEC_FIXED_CELL ? NULL : spec_metric_text(point->metric));
	plan_set_ns(object, "mean_latency_below_s", point->latency_limit_ns);
	plan_set_count(object, "mean_latency_below_ns", point->latency_limit_ns);
	for (int i = 0; i < 2 && point->between[i]; i++)
		json_array_append_new(between, json_string(point->between[i]));
	plan_set(object, "between", between);
	plan_set(object, "cell", json_integer(cell));
	for (int a = 0; a < SPEC_AXES; a++)
		if (point->has_axis[a])
			plan_set_count(where, spec_axis_text((enum spec_axis_kind)a),
				       point->axis[a]);
	plan_set(object, "where", where);
	return object;
}

json_t *plan_json_seconds(const struct plan_span *span)
{
	json_t *object = json_object();

	plan_set_ns(object, "earliest", span->earliest_ns);
	plan_set_ns(object, "likely", span->likely_ns);
	plan_set_ns(object, "latest", span->latest_ns);
	plan_set_ns(object, "slack", span->slack_ns);
	return object;
}

json_t *plan_json_bytes(const struct plan_span *span)
{
	json_t *object = json_object();

	plan_set_count(object, "least", span->least_bytes);
	plan_set_count(object, "likely", span->likely_bytes);
	plan_set_count(object, "most", span->most_bytes);
	return object;
}

static json_t *json_of_cells(const struct plan_cell *cells, unsigned count, uint32_t lba_bytes)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list, json_of_cell(&cells[i], lba_bytes));
	return list;
}

static void set_rule(json_t *object, const struct plan_step *step)
{
	json_t *rule = step->track_count ? json_object() : NULL;

	plan_set_count(object, "window", step->window);
	plan_set_number(object, "range_share", step->range_share);
	plan_set_number(object, "slope_share", step->slope_share);
	if (rule) {
		plan_set_count(rule, "window", step->window);
		plan_set_number(rule, "range_pct", step->range_share * 100);
		plan_set_number(rule, "slope_pct", step->slope_share * 100);
	}
	plan_set(object, "rule", rule);
}

/* What only some kinds of steps have. */
static void set_extras(json_t *object, const struct plan_step *step)
{
	const struct spec_step *from = step->spec;
	json_t *shares = json_array(), *points = json_array();

	plan_set_text(object, "at", from->at);
	plan_set_text(object, "from", from->from);
	plan_set(object, "from_step", json_integer(step->from_step));
	plan_set_text(object, "group", from->group);
	plan_set_text(object, "group_value", from->group_value);
	plan_set_bool(object, "until_steady",
		      from->stop.when_steady || from->kind == SPEC_STEP_ROUNDS);
	plan_set_ns(object, "idle_s", from->idle_ns);
	plan_set_ns(object, "busy_s", from->busy_ns);
	plan_set_count(object, "repeat", from->repeat);
	plan_set_ns(object, "sample_s", from->sample_ns);
	plan_set_ns(object, "sample_load_s", from->sample_load_ns);
	plan_set_bool(object, "sample_first", from->sample_first);
	plan_set_ns(object, "record_s", from->record_ns);
	plan_set_ns(object, "warmup_s", from->warmup_ns);
	plan_set_ns(object, "latency_limit_s", from->stop.latency_limit_ns);
	for (unsigned i = 0; i < from->curve_count; i++)
		json_array_append_new(shares, json_real(from->curve_shares[i] * 100));
	plan_set(object, "shares_pct", shares);
	plan_set_number(object, "quantile", from->search_quantile);
	plan_set_ns(object, "limit_s", from->search_limit_ns);
	plan_set_count(object, "point_limit", from->search_points);
	for (unsigned i = 0; i < from->point_count; i++)
		json_array_append_new(points,
				      json_of_point(&from->points[i], step->points[i].cell));
	plan_set(object, "points", points);
}

static const char *timing_text(enum plan_timing timing)
{
	static const char *const texts[] = {
		[PLAN_BY_CLOCK] = "clock",
		[PLAN_BY_AMOUNT] = "amount",
		[PLAN_BY_ROUNDS] = "rounds",
		[PLAN_BY_DRIVE] = "drive",
	};

	return texts[timing];
}

json_t *plan_json_step(const struct plan_step *step, uint32_t lba_bytes)
{
	json_t *object = json_object(), *tracks = json_array();

	plan_set_count(object, "index", step->index);
	plan_set_text(object, "test", step->test);
	plan_set_text(object, "phase", step->phase);
	plan_set_text(object, "kind", spec_step_text(step->kind));
	plan_set_bool(object, "loops", step->loops);
	plan_set_text(object, "on_gap", step->redo_test ? "test" : "step");
	plan_set_count(object, "limit_ns", step->limit_ns);
	plan_set_count(object, "limit_bytes", step->limit_bytes);
	plan_set_source(object, &step->spec->source);
	plan_set(object, "before", json_of_cells(step->before, step->before_count, lba_bytes));
	plan_set(object, "cells", json_of_cells(step->cells, step->cell_count, lba_bytes));
	plan_set_count(object, "max_rounds", step->max_rounds);
	plan_set_text(object, "on_unsteady",
		      step->on_unsteady == SPEC_CONTINUE ? "continue" : "stop");
	set_rule(object, step);
	for (unsigned i = 0; i < step->track_count; i++)
		json_array_append_new(tracks, json_of_track(&step->tracks[i]));
	plan_set(object, "tracks", tracks);
	plan_set_bool(object, "judgeable", step->judgeable);
	set_extras(object, step);
	plan_set_text(object, "timing", timing_text(step->timing));
	plan_set_count(object, "likely_rounds", step->likely_rounds);
	plan_set_bool(object, "has_latest", !plan_step_is_open(step));
	plan_set(object, "duration_s", plan_json_seconds(&step->span));
	plan_set_count(object, "bytes_written", step->span.likely_bytes);
	plan_set(object, "bytes_written_range", plan_json_bytes(&step->span));
	return object;
}
