/*
 * The plan's canonical text: everything that determines what is done, nothing that differs
 * between machines (no path, no estimate). Resume compares its SHA-256. One fact a line or a
 * name=value; values that a device or a file supplies are quoted.
 */
#include "plan_internal.h"
#include "pts_text.h"

static void number(struct pts_buf *buf, const char *name, double value)
{
	char text[40];

	if (pts_double_text(value, text, sizeof(text)))
		pts_buf_printf(buf, " %s=%s", name, text);
}

static void quantity(struct pts_buf *buf, const char *name, uint64_t ns)
{
	char text[48];

	pts_duration_text(ns, text, sizeof(text));
	if (ns)
		pts_buf_printf(buf, " %s=%s", name, text);
}

static void count(struct pts_buf *buf, const char *name, uint64_t value)
{
	if (value)
		pts_buf_printf(buf, " %s=%llu", name, (unsigned long long)value);
}

static void share(struct pts_buf *buf, const char *name, double value)
{
	if (value > 0)
		number(buf, name, value);
}

static void quoted(struct pts_buf *buf, const char *text)
{
	pts_buf_puts(buf, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			pts_buf_puts(buf, "\\");
		pts_buf_add(buf, text, 1);
	}
	pts_buf_puts(buf, "\"");
}

static void write_sizes(struct pts_buf *buf, const struct plan_stream *stream)
{
	static const char *const names[2] = {"size", "write_size"};
	char text[48];

	for (int d = 0; d < 2; d++)
		for (unsigned i = 0; i < stream->size_count[d]; i++) {
			pts_bytes_text(stream->sizes[d][i].block_bytes, text, sizeof(text));
			pts_buf_printf(buf, " %s=%s", names[d], text);
			if (stream->size_count[d] > 1)
				number(buf, "share", stream->sizes[d][i].share);
		}
}

static void write_stream(struct pts_buf *buf, const struct plan_stream *stream,
			 uint32_t lba_bytes)
{
	pts_buf_printf(buf, "    stream start=%lluB span=%lluB read_pct=%u",
		       (unsigned long long)stream->start_bytes,
		       (unsigned long long)stream->span_bytes, stream->read_pct);
	number(buf, "random", stream->random_share);
	if (stream->rate_iops > 0)
		number(buf, "rate_iops", stream->rate_iops);
	else
		number(buf, "weight", stream->weight);
	if (stream->align_bytes)
		pts_buf_printf(buf, " align=%lluB", (unsigned long long)stream->align_bytes);
	if (stream->arrivals != SPEC_CLOSED_LOOP)
		pts_buf_printf(buf, " arrivals=%s",
			       stream->arrivals == SPEC_CONSTANT ? "constant" : "exponential");
	share(buf, "read_hit", stream->read_hit_share);
	quantity(buf, "think", stream->think_ns);
	count(buf, "threads", stream->threads);
	count(buf, "queue_depth", stream->queue_depth);
	write_sizes(buf, stream);
	pts_buf_puts(buf, "\n");
	for (unsigned i = 0; i < stream->zone_count; i++) {
		pts_buf_printf(
			buf, "      zone start=%lluB",
			(unsigned long long)plan_zone_start(stream->zones, stream->zone_count,
							    i, stream->span_bytes, lba_bytes));
		number(buf, "span", stream->zones[i].span_share);
		number(buf, "access", stream->zones[i].access_share);
		pts_buf_puts(buf, "\n");
	}
}

static void write_cell(struct pts_buf *buf, const struct plan_cell *cell, uint32_t lba_bytes)
{
	pts_buf_printf(buf, "  %s %u ", plan_role_text(cell->role), cell->index);
	quoted(buf, cell->label);
	if (!cell->applicable) {
		pts_buf_printf(buf, " not applicable: %s\n", cell->reason);
		return;
	}
	count(buf, "threads", cell->threads);
	count(buf, "queue_depth", cell->queue_depth);
	quantity(buf, "time", cell->duration_ns);
	if (cell->amount_bytes)
		pts_buf_printf(buf, " amount=%lluB", (unsigned long long)cell->amount_bytes);
	pts_buf_printf(buf, " data=%s", cell->data_pattern);
	share(buf, "compressible", cell->compressible_share);
	share(buf, "duplicate", cell->duplicate_share);
	if (cell->segments)
		pts_buf_printf(buf, " segments=%u of=%lluB touched=%lluB", cell->segments,
			       (unsigned long long)cell->segment_bytes,
			       (unsigned long long)cell->segment_touched_bytes);
	pts_buf_printf(buf, "%s%s%s\n", cell->carry_position ? " resume_position" : "",
		       cell->keep_histogram ? " histogram" : "",
		       cell->response_time ? " response_time" : "");
	for (unsigned i = 0; i < cell->stream_count; i++)
		write_stream(buf, &cell->streams[i], lba_bytes);
}

static void write_track(struct pts_buf *buf, const struct plan_track *track)
{
	pts_buf_puts(buf, "  track ");
	quoted(buf, track->name);
	pts_buf_printf(buf, " %s ", spec_metric_text(track->metric));
	if (track->cell >= 0)
		pts_buf_printf(buf, "cell=%d\n", track->cell);
	else
		pts_buf_puts(buf, "can't run on this device\n");
}

static void write_point(struct pts_buf *buf, const struct spec_point *point)
{
	pts_buf_puts(buf, "  point ");
	quoted(buf, point->name);
	pts_buf_printf(buf, " %s", spec_rule_text(point->rule));
	if (point->rule != SPEC_FIXED_CELL)
		pts_buf_printf(buf, " %s", spec_metric_text(point->metric));
	quantity(buf, "mean_latency_below", point->latency_limit_ns);
	for (int a = 0; a < SPEC_AXES; a++)
		if (point->has_axis[a])
			pts_buf_printf(buf, " %s=%llu", spec_axis_text((enum spec_axis_kind)a),
				       (unsigned long long)point->axis[a]);
	for (int i = 0; i < 2 && point->between[i]; i++) {
		pts_buf_puts(buf, i ? " and=" : " between=");
		quoted(buf, point->between[i]);
	}
	pts_buf_puts(buf, "\n");
}

static void write_extras(struct pts_buf *buf, const struct spec_step *from)
{
	if (from->at) {
		pts_buf_puts(buf, " at=");
		quoted(buf, from->at);
	}
	if (from->from) {
		pts_buf_puts(buf, " from=");
		quoted(buf, from->from);
	}
	quantity(buf, "idle", from->idle_ns);
	quantity(buf, "busy", from->busy_ns);
	quantity(buf, "sample", from->sample_ns);
	quantity(buf, "sample_load", from->sample_load_ns);
	if (from->sample_ns)
		pts_buf_puts(buf, from->sample_first ? " sample_first" : " sample_last");
	quantity(buf, "record", from->record_ns);
	quantity(buf, "latency_limit", from->stop.latency_limit_ns);
	if (from->stop.when_steady)
		pts_buf_puts(buf, " until_steady");
	quantity(buf, "warmup", from->warmup_ns);
	count(buf, "repeat", from->repeat);
	for (unsigned i = 0; i < from->curve_count; i++)
		number(buf, "share", from->curve_shares[i]);
	if (from->kind == SPEC_STEP_SEARCH) {
		number(buf, "quantile", from->search_quantile);
		quantity(buf, "limit", from->search_limit_ns);
		count(buf, "points", from->search_points);
	}
}

static void write_step(struct pts_buf *buf, const struct plan_step *step, uint32_t lba_bytes)
{
	pts_buf_printf(buf, "step %u %s ", step->index, step->test);
	quoted(buf, step->phase);
	pts_buf_printf(buf, " %s", spec_step_text(step->kind));
	if (step->spec->max_rounds)
		pts_buf_printf(buf, " max_rounds=%u on_unsteady=%s", step->max_rounds,
			       step->on_unsteady == SPEC_CONTINUE ? "continue" : "stop");
	if (step->track_count) {
		pts_buf_printf(buf, " window=%u", step->window);
		number(buf, "range", step->range_share);
		number(buf, "slope", step->slope_share);
	}
	write_extras(buf, step->spec);
	pts_buf_puts(buf, step->redo_test ? " on_gap=test" : "");
	quantity(buf, "time", step->limit_ns);
	if (step->limit_bytes)
		pts_buf_printf(buf, " amount=%lluB", (unsigned long long)step->limit_bytes);
	pts_buf_puts(buf, "\n");
	for (unsigned i = 0; i < step->before_count; i++)
		write_cell(buf, &step->before[i], lba_bytes);
	for (unsigned i = 0; i < step->cell_count; i++)
		write_cell(buf, &step->cells[i], lba_bytes);
	for (unsigned i = 0; i < step->track_count; i++)
		write_track(buf, &step->tracks[i]);
	for (unsigned i = 0; i < step->spec->point_count; i++)
		write_point(buf, &step->spec->points[i]);
}

static void write_param(struct pts_buf *buf, const struct spec_param *param)
{
	pts_buf_printf(buf, "  param %s=", param->name);
	quoted(buf, param->value);
	if (param->overridden) {
		pts_buf_puts(buf, " instead of ");
		quoted(buf, param->standard);
	}
	if (param->source.clause)
		pts_buf_printf(buf, " clause=%s basis=%s", param->source.clause,
			       spec_basis_text(param->source.basis));
	pts_buf_printf(buf, " binding=%s\n", spec_binding_text(param->source.binding));
}

static void write_test(struct pts_buf *buf, const struct plan_test *test)
{
	const struct spec *spec = test->spec;

	pts_buf_printf(buf, "test %s ", spec->name);
	quoted(buf, spec->title);
	pts_buf_printf(buf, " %s section %s",
		       spec->revision ? spec->revision : "(outside the standard)",
		       spec->section ? spec->section : "-");
	if (spec->has_write_cache)
		pts_buf_printf(buf, " write_cache=%s",
			       spec->write_cache_enabled ? "enabled" : "disabled");
	pts_buf_puts(buf, "\n");
	if (!test->applicable)
		pts_buf_printf(buf, "  not applicable: %s\n", test->reason);
	for (unsigned i = 0; i < spec->param_count; i++)
		write_param(buf, &spec->params[i]);
}

char *plan_text(const struct plan *plan)
{
	const struct plan_device *device = &plan->device;
	struct pts_buf buf = {0};

	pts_buf_printf(&buf,
		       "pts plan 1\nmode %s\ndevice identity=", spec_mode_text(plan->mode));
	quoted(&buf, device->identity);
	pts_buf_printf(&buf, " capacity=%lluB lba=%uB purge=%s (%s)\n",
		       (unsigned long long)device->capacity_bytes, device->lba_bytes,
		       device->purge_name,
		       device->purge_is_pts ? "a PTS purge" : "not a PTS purge");
	pts_buf_puts(&buf,
		     "seeds of each cell and thread from the run's master seed, step, round "
		     "and cell\n");
	for (unsigned i = 0; i < plan->test_count; i++)
		write_test(&buf, &plan->tests[i]);
	for (unsigned i = 0; i < plan->step_count; i++)
		write_step(&buf, &plan->steps[i], device->lba_bytes);
	return pts_buf_take(&buf);
}
