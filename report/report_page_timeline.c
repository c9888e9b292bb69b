/*
 * The timeline page: one or several steps over time, bytes written or drive fills, with one or
 * two y axes. Also each step's points as a table for CSV. Must not know how samples are stored.
 */
#include <math.h>
#include <string.h>

#include "pts_clock.h"
#include "report_model_internal.h"

#define STEPS_MOST 64

/* What the x axis counts, and in which unit. */
struct scale {
	const char *label;
	double unit; /* ns or bytes of one unit */
	bool is_time;
};

struct part {
	struct report_step *step;
	const char *name;
	bool before; /* the loads before each round */
	double first_x, last_x;
};

struct timeline {
	struct report_model *model;
	const struct report_test *test;
	const struct report_spec_page *spec;
	struct part parts[STEPS_MOST];
	unsigned part_count;
	const char *metrics[2 * REPORT_METRICS];
	unsigned metric_count, left_count; /* the first ones belong to the left axis */
	struct scale x;
	uint64_t start_ns;
};

static bool shown(const struct part *part, const struct report_point *point)
{
	return report_is_before(part->step, point->cell) == part->before;
}

static void find_parts(struct timeline *line)
{
	for (unsigned i = 0; i < line->spec->step_count && line->part_count < STEPS_MOST; i++) {
		struct part *part = &line->parts[line->part_count];

		part->name = line->spec->steps[i];
		part->step = report_point_step(line->test, part->name, &part->before);
		if (part->step != NULL && part->step->point_count > 0)
			line->part_count++;
	}
	line->start_ns = UINT64_MAX;
	for (unsigned i = 0; i < line->part_count; i++) {
		const struct report_step *step = line->parts[i].step;

		for (size_t j = 0; j < step->point_count; j++) {
			if (shown(&line->parts[i], &step->points[j]) &&
			    step->points[j].at_ns < line->start_ns)
				line->start_ns = step->points[j].at_ns;
		}
	}
}

/* Response times and rates that samples have; the others are told as missing. */
static void find_metrics(struct timeline *line, struct report_page *page)
{
	const struct report_point probe = {.span_ns = 1, .ios = 1};

	for (unsigned i = 0; i < line->spec->y_count + line->spec->y2_count; i++) {
		bool left = i < line->spec->y_count;
		const char *metric =
			left ? line->spec->ys[i] : line->spec->y2s[i - line->spec->y_count];

		if (!isfinite(report_point_metric(&probe, metric))) {
			report_block_add(page, BLOCK_NOTE, TONE_WARN,
					 report_text(line->model,
						     "%s is not recorded over time.",
						     report_metric_title(metric)));
			continue;
		}
		line->metrics[line->metric_count++] = metric;
		line->left_count += left;
	}
}

static double most_x(const struct timeline *line)
{
	double most = 0;

	for (unsigned i = 0; i < line->part_count; i++) {
		const struct report_step *step = line->parts[i].step;
		const struct report_point *last = &step->points[step->point_count - 1];
		double written =
			(double)report_written_before(&line->model->data, line->test, step);

		for (size_t j = 0; j < step->point_count; j++)
			written += (double)step->points[j].written_bytes;
		most = fmax(most, line->x.is_time ? (double)(last->at_ns + last->span_ns) -
							    (double)line->start_ns
						  : written);
	}
	return most;
}

static void choose_scale(struct timeline *line)
{
	static const struct scale times[] = {{"Time (s)", 1e9, true},
					     {"Time (min)", 60e9, true},
					     {"Time (h)", 3600e9, true}};
	const char *x = line->spec->x != NULL ? line->spec->x : "time";
	uint64_t capacity = line->model->data.run->capacity_bytes;
	double most;

	line->x.is_time = strcmp(x, "time") == 0;
	most = most_x(line);
	if (line->x.is_time)
		line->x = times[most > 600 * 60e9 ? 2 : most > 300e9 ? 1 : 0];
	else if (strcmp(x, "fills") == 0 && capacity > 0)
		line->x = (struct scale){"Drive fills (bytes written / user capacity)",
					 (double)capacity, false};
	else if (most > 10e12)
		line->x = (struct scale){"Written since the purge (TB)", 1e12, false};
	else
		line->x = (struct scale){"Written since the purge (GB)", 1e9, false};
}

/* A pause between two points that is no part of the step's programme: the line is broken. */
static bool is_gap(const struct part *part, const struct report_point *last,
		   const struct report_point *next)
{
	return strcmp(part->step->kind, "cycle") != 0 &&
	       next->at_ns > last->at_ns + last->span_ns + last->span_ns;
}

static void add_value(struct report_series *series, double x, double y)
{
	series->x[series->count] = x;
	series->y[series->count++] = y;
}

static void add_part(const struct timeline *line, struct part *part, const char *metric,
		     struct report_series *series)
{
	const struct report_step *step = part->step;
	double written = (double)report_written_before(&line->model->data, line->test, step);
	const struct report_point *last = NULL;

	part->first_x = NAN;
	for (size_t i = 0; i < step->point_count; i++) {
		const struct report_point *point = &step->points[i];
		double begin = line->x.is_time ? (double)point->at_ns - (double)line->start_ns
					       : written;
		double end;

		written += (double)point->written_bytes;
		end = line->x.is_time ? begin + (double)point->span_ns : written;
		if (!shown(part, point))
			continue;
		if (!isfinite(part->first_x))
			part->first_x = begin / line->x.unit;
		if (last != NULL && is_gap(part, last, point))
			add_value(series, begin / line->x.unit, NAN);
		add_value(series, end / line->x.unit,
			  report_point_metric(point, metric) * report_metric_scale(metric));
		part->last_x = end / line->x.unit;
		last = point;
	}
}

static struct report_series *new_series(struct timeline *line, struct report_plot *plot,
					size_t points)
{
	struct report_series *series = &plot->series[plot->series_count];

	*series = (struct report_series){.rank = plot->series_count};
	series->x = PTS_ARENA_ARRAY(line->model->arena, double, 2 * points + 8);
	series->y = PTS_ARENA_ARRAY(line->model->arena, double, 2 * points + 8);
	plot->series_count++;
	return series;
}

/* Several steps of one metric are a series each; several metrics are one series over all steps. */
static void add_series(struct timeline *line, struct report_plot *plot)
{
	size_t points = 0;

	for (unsigned p = 0; p < line->part_count; p++)
		points += line->parts[p].step->point_count;
	plot->series = PTS_ARENA_ARRAY(line->model->arena, struct report_series,
				       line->part_count + line->metric_count + 1);
	for (unsigned m = 0; m < line->metric_count; m++) {
		struct report_series *series = NULL;

		for (unsigned p = 0; p < line->part_count; p++) {
			bool own = line->metric_count == 1;

			if (series == NULL || own)
				series = new_series(line, plot, points);
			else
				add_value(series, line->parts[p - 1].last_x, NAN);
			series->name = own ? line->parts[p].name
					   : report_metric_label(line->model, line->metrics[m]);
			series->on_y2 = m >= line->left_count;
			add_part(line, &line->parts[p], line->metrics[m], series);
		}
	}
}

static void add_mark(struct report_plot *plot, double from, double to, const char *text,
		     bool shaded)
{
	if (plot->mark_count < REPORT_MARKS)
		plot->marks[plot->mark_count++] = (struct report_mark){
			shaded ? MARK_SHADED : MARK_STRETCH, from, to, text};
}

/* Where the steady window of a sampled load lies: first sample's begin to last sample's end. */
static void mark_window(struct timeline *line, struct report_plot *plot,
			const struct part *part)
{
	const struct report_step *step = part->step;
	double written = (double)report_written_before(&line->model->data, line->test, step);
	double from = NAN, to = NAN;

	for (size_t i = 0; i < step->point_count; i++) {
		const struct report_point *point = &step->points[i];
		double begin = line->x.is_time ? (double)point->at_ns - (double)line->start_ns
					       : written;

		written += (double)point->written_bytes;
		if (point->round < step->first_round || point->round > step->last_round ||
		    point->cell != report_judged_cell(step, point->cell))
			continue;
		from = isfinite(from) ? from : begin;
		to = line->x.is_time ? begin + (double)point->span_ns : written;
	}
	if (isfinite(from))
		add_mark(plot, from / line->x.unit, to / line->x.unit,
			 report_text(line->model, "%s, rounds %d-%d",
				     step->steady ? "Steady state window"
						  : "Last window: NOT steady",
				     step->first_round, step->last_round),
			 true);
}

static void add_marks(struct timeline *line, struct report_plot *plot)
{
	for (unsigned p = 0; p < line->part_count; p++) {
		const struct part *part = &line->parts[p];

		if (line->part_count > 1 && isfinite(part->first_x))
			add_mark(plot, part->first_x, part->last_x, part->name, false);
		if (part->step->is_sampled && part->step->has_window)
			mark_window(line, plot, part);
	}
}

static const char *axis_label(struct timeline *line, unsigned first, unsigned end)
{
	const char *label = report_metric_label(line->model, line->metrics[first]);

	for (unsigned m = first + 1; m < end; m++) {
		if (strcmp(report_metric_unit(line->metrics[m]),
			   report_metric_unit(line->metrics[first])) == 0)
			label = report_text(line->model, "Response time (%s)",
					    report_metric_unit(line->metrics[first]));
	}
	return label;
}

static struct report_plot *draw(struct timeline *line, const char *name)
{
	struct report_plot *plot = PTS_ARENA_NEW(line->model->arena, struct report_plot);
	const struct report_axis axis = {.low = NAN, .high = NAN, .from_zero = true};

	plot->name = name;
	plot->series_title = line->part_count > 1 ? "Step" : NULL;
	plot->x = plot->y = plot->y2 = axis;
	if (line->part_count == 0 || line->metric_count == 0) {
		plot->x.label = plot->y.label = "";
		plot->cannot = "Not drawn: nothing was recorded over time.";
		return plot;
	}
	choose_scale(line);
	plot->x.label = line->x.label;
	plot->x.is_tight = true;
	plot->x.is_clock = line->x.is_time;
	plot->y.label = axis_label(line, 0, line->left_count);
	plot->has_y2 = line->metric_count > line->left_count;
	if (plot->has_y2)
		plot->y2.label = axis_label(line, line->left_count, line->metric_count);
	if (line->spec->y_scale != NULL && strcmp(line->spec->y_scale, "log10") == 0) {
		plot->y.scale = SCALE_LOG10;
		plot->y.from_zero = false;
	}
	add_series(line, plot);
	add_marks(line, plot);
	return plot;
}

/* First, highest, lowest, mean and the end of a step: what the eye looks for in the plot. */
static void summary_row(struct timeline *line, struct report_table *table,
			const struct part *part, const char *metric)
{
	struct report_cell *row = report_row_add(line->model, table);
	double factor = report_metric_scale(metric);
	double first = NAN, high = NAN, low = NAN, sum = 0, span = 0, last[5];
	double end = 0, end_span = 0;
	size_t count = 0;

	for (size_t i = 0; i < part->step->point_count; i++) {
		const struct report_point *point = &part->step->points[i];
		double value = report_point_metric(point, metric) * factor;

		if (!shown(part, point) || !isfinite(value))
			continue;
		first = count == 0 ? value : first;
		high = count == 0 ? value : fmax(high, value);
		low = count == 0 ? value : fmin(low, value);
		sum += value * (double)point->span_ns;
		span += (double)point->span_ns;
		last[count++ % 5] = value;
	}
	for (size_t i = 0; i < count && i < 5; i++) {
		end += last[i];
		end_span++;
	}
	cell_text(&row[0], part->name);
	cell_text(&row[1], report_metric_label(line->model, metric));
	cell_count(line->model, &row[2], count);
	cell_number(line->model, &row[3], first);
	cell_number(line->model, &row[4], high);
	cell_number(line->model, &row[5], low);
	cell_number(line->model, &row[6], count > 0 ? sum / span : NAN);
	cell_number(line->model, &row[7], count > 0 ? end / end_span : NAN);
}

static void add_summary(struct timeline *line, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"step", "Step", "", false, 1.5},        {"metric", "Quantity", "", false, 1.5},
		{"points", "Points", "", true, 0.6},     {"first", "First point", "", true, 1},
		{"highest", "Highest", "", true, 1},     {"lowest", "Lowest", "", true, 1},
		{"mean", "Mean over time", "", true, 1}, {"end", "Mean of last 5", "", true, 1},
	};
	struct report_table *table = report_table_new(
		line->model, report_text(line->model, "%s summary", page->id),
		report_text(line->model, "%s, in figures", page->title), columns, 8);

	table->first_is_head = true;
	for (unsigned p = 0; p < line->part_count; p++) {
		for (unsigned m = 0; m < line->metric_count; m++)
			summary_row(line, table, &line->parts[p], line->metrics[m]);
	}
	if (table->row_count > 0)
		report_block_table(page, table);
}

static void point_note(struct timeline *line, struct report_page *page)
{
	size_t count = 0;
	uint64_t span_ns = 0;

	for (unsigned p = 0; p < line->part_count; p++) {
		const struct report_step *step = line->parts[p].step;

		for (size_t i = 0; i < step->point_count; i++) {
			count += shown(&line->parts[p], &step->points[i]);
			if (step->points[i].span_ns > span_ns)
				span_ns = step->points[i].span_ns;
		}
	}
	if (count > 0)
		report_block_add(
			page, BLOCK_NOTE, TONE_PLAIN,
			report_text(line->model,
				    "%s points of at most %s, each drawn at its end: rates and "
				    "means over the point, maxima within it.",
				    report_number(line->model, (double)count),
				    report_duration(line->model, span_ns)));
}

void report_timeline_page(struct report_model *model, const struct report_test *test,
			  const struct report_spec_page *spec)
{
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	struct timeline *line = PTS_ARENA_NEW(model->arena, struct timeline);
	struct report_plot *plot;

	line->model = model;
	line->test = test;
	line->spec = spec;
	find_parts(line);
	find_metrics(line, page);
	plot = draw(line, page->id);
	report_plot_prepare(model, plot);
	report_block_plot(page, plot);
	add_summary(line, page);
	point_note(line, page);
}
