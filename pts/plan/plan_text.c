/*
 * The plan's canonical text: everything that determines what is done, nothing that differs
 * between machines (no path, no estimate). Resume compares its SHA-256.
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

static void write_stream(struct pts_buf *buf, const struct plan_stream *stream)
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
	write_sizes(buf, stream);
	for (unsigned i = 0; i < stream->zone_count; i++) {
		number(buf, "zone_span", stream->zones[i].span_share);
		number(buf, "zone_access", stream->zones[i].access_share);
	}
	pts_buf_puts(buf, "\n");
}

static void write_cell(struct pts_buf *buf, const struct plan_cell *cell)
{
	pts_buf_printf(buf, "  cell %u \"%s\"", cell->index, cell->label);
	if (!cell->applicable) {
		pts_buf_printf(buf, " not applicable: %s\n", cell->reason);
		return;
	}
	quantity(buf, "time", cell->duration_ns);
	if (cell->amount_bytes)
		pts_buf_printf(buf, " amount=%lluB", (unsigned long long)cell->amount_bytes);
	pts_buf_printf(buf, " data=%s", cell->data_pattern);
	if (cell->compressible_share > 0)
		number(buf, "compressible", cell->compressible_share);
	pts_buf_printf(buf, "%s%s%s\n", cell->carry_position ? " resume_position" : "",
		       cell->keep_histogram ? " histogram" : "",
		       cell->response_time ? " response_time" : "");
	for (unsigned i = 0; i < cell->stream_count; i++)
		write_stream(buf, &cell->streams[i]);
}

static void write_track(struct pts_buf *buf, const struct plan_track *track)
{
	pts_buf_printf(buf, "  track \"%s\" %s ", track->name, spec_metric_text(track->metric));
	if (track->cell >= 0)
		pts_buf_printf(buf, "cell=%d\n", track->cell);
	else
		pts_buf_puts(buf, "can't run on this device\n");
}

static void write_extras(struct pts_buf *buf, const struct spec_step *from)
{
	quantity(buf, "idle", from->idle_ns);
	quantity(buf, "busy", from->busy_ns);
	quantity(buf, "sample", from->sample_ns);
	quantity(buf, "sample_load", from->sample_load_ns);
	quantity(buf, "warmup", from->warmup_ns);
	if (from->sample_ns)
		pts_buf_puts(buf, from->sample_first ? " sample_first" : " sample_last");
	if (from->repeat)
		pts_buf_printf(buf, " repeat=%u", from->repeat);
	for (unsigned i = 0; i < from->curve_count; i++)
		number(buf, "point", from->curve_shares[i]);
	for (unsigned i = 0; i < from->point_count; i++)
		pts_buf_printf(buf, " choose=%s", from->points[i].name);
	for (unsigned i = 0; i < from->before_round_count; i++) {
		pts_buf_printf(buf, " before_round=\"%s\"", from->before_round[i].name);
		quantity(buf, "time", from->before_round[i].stop.duration_ns);
	}
}

static void write_step(struct pts_buf *buf, const struct plan_step *step)
{
	pts_buf_printf(buf, "step %u %s \"%s\" %s", step->index, step->test, step->phase,
		       spec_step_text(step->kind));
	if (step->max_rounds)
		pts_buf_printf(buf, " max_rounds=%u on_unsteady=%s", step->max_rounds,
			       step->on_unsteady == SPEC_CONTINUE ? "continue" : "stop");
	if (step->track_count) {
		pts_buf_printf(buf, " window=%u", step->window);
		number(buf, "range", step->range_share);
		number(buf, "slope", step->slope_share);
	}
	write_extras(buf, step->spec);
	pts_buf_puts(buf, "\n");
	for (unsigned i = 0; i < step->cell_count; i++)
		write_cell(buf, &step->cells[i]);
	for (unsigned i = 0; i < step->track_count; i++)
		write_track(buf, &step->tracks[i]);
}

static void write_param(struct pts_buf *buf, const struct spec_param *param)
{
	pts_buf_printf(buf, "  param %s=\"%s\"", param->name, param->value);
	if (param->overridden)
		pts_buf_printf(buf, " instead of \"%s\"", param->standard);
	if (param->source.clause)
		pts_buf_printf(buf, " clause=%s basis=%s", param->source.clause,
			       spec_basis_text(param->source.basis));
	pts_buf_printf(buf, " binding=%s\n", spec_binding_text(param->source.binding));
}

char *plan_text(const struct plan *plan)
{
	const struct plan_device *device = &plan->device;
	struct pts_buf buf = {0};

	pts_buf_printf(&buf, "pts plan 1\nmode %s\n", spec_mode_text(plan->mode));
	pts_buf_printf(&buf, "device identity=\"%s\" capacity=%lluB lba=%uB purge=%s (%s)\n",
		       device->identity, (unsigned long long)device->capacity_bytes,
		       device->lba_bytes, device->purge_name,
		       device->purge_is_pts ? "a PTS purge" : "not a PTS purge");
	for (unsigned i = 0; i < plan->test_count; i++) {
		const struct spec *spec = plan->tests[i].spec;

		pts_buf_printf(&buf, "test %s \"%s\" %s section %s\n", spec->name, spec->title,
			       spec->revision ? spec->revision : "(outside the standard)",
			       spec->section ? spec->section : "-");
		for (unsigned p = 0; p < spec->param_count; p++)
			write_param(&buf, &spec->params[p]);
	}
	for (unsigned i = 0; i < plan->step_count; i++)
		write_step(&buf, &plan->steps[i]);
	return pts_buf_take(&buf);
}
