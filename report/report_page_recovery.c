/*
 * The recovery page: what each of several steps ended with and at its worst, and when the last
 * one reached the level that the first one set. The definition is the spec's (`level`); the
 * arithmetic is plain and told on the page.
 */
#include <math.h>
#include <string.h>

#include "pts_clock.h"
#include "report_model_internal.h"

struct recovery {
	struct report_model *model;
	const struct report_spec_page *spec;
	const struct report_step *first, *last; /* of the steps */
	double reference;                       /* mean of the first one over time */
	double goal;
	bool reached;
	uint64_t after_ns;   /* of the last step, until the end of the point that reached it */
	size_t later, below; /* points after it, and those of them below the goal */
};

static double mean_over_time(const struct report_step *step, const char *metric)
{
	double sum = 0, span = 0;

	for (size_t i = 0; i < step->point_count; i++) {
		double value = report_point_metric(&step->points[i], metric);

		if (!isfinite(value))
			continue;
		sum += value * (double)step->points[i].span_ns;
		span += (double)step->points[i].span_ns;
	}
	return span > 0 ? sum / span : NAN;
}

static void find_recovery(struct recovery *it)
{
	const char *metric = it->spec->y;
	const struct report_step *step = it->last;

	it->reference = mean_over_time(it->first, metric);
	it->goal = it->reference * it->spec->level_share;
	for (size_t i = 0; i < step->point_count; i++) {
		const struct report_point *point = &step->points[i];
		double value = report_point_metric(point, metric);

		if (it->reached) {
			it->later++;
			it->below += !(value >= it->goal);
		} else if (value >= it->goal) {
			it->reached = true;
			it->after_ns = point->at_ns + point->span_ns - step->points[0].at_ns;
		}
	}
}

/* Largest or last value of a step; NaN: none. */
static double peak_of(const struct report_step *step, const char *metric)
{
	double peak = NAN;

	for (size_t i = 0; i < step->point_count; i++) {
		double value = report_point_metric(&step->points[i], metric);

		if (isfinite(value) && !(value <= peak))
			peak = value;
	}
	return peak;
}

static double end_of(const struct report_step *step, const char *metric)
{
	for (size_t i = step->point_count; i-- > 0;) {
		double value = report_point_metric(&step->points[i], metric);

		if (isfinite(value))
			return value;
	}
	return NAN;
}

static void recovery_cell(const struct recovery *it, const struct report_step *step,
			  struct report_cell *cell)
{
	if (step != it->last)
		cell_text(cell, "-");
	else if (it->reached)
		cell_number(it->model, cell, (double)it->after_ns / 60e9);
	else
		cell_missing(cell, "not yet: the level was never reached");
}

static void value_cell(struct report_model *model, struct report_cell *cell, double value,
		       const char *metric)
{
	if (isfinite(value))
		cell_number(model, cell, value * report_metric_scale(metric));
	else
		cell_missing(cell, "nothing was recorded over time");
}

static void step_row(const struct recovery *it, struct report_table *table,
		     const struct report_step *step)
{
	const struct report_spec_page *spec = it->spec;
	struct report_cell *row = report_row_add(it->model, table);
	unsigned c = 0;

	cell_text(&row[c++], step->phase);
	value_cell(it->model, &row[c++], mean_over_time(step, spec->y), spec->y);
	value_cell(it->model, &row[c++], end_of(step, spec->y), spec->y);
	for (unsigned i = 0; i < spec->y2_count; i++)
		value_cell(it->model, &row[c++], peak_of(step, spec->y2s[i]), spec->y2s[i]);
	recovery_cell(it, step, &row[c]);
	if (row[c].kind == CELL_MISSING) {
		row[c].text = "not yet";
		row[c].tone = TONE_WARN;
	}
}

static struct report_table *new_table(const struct recovery *it, const char *name)
{
	struct report_model *model = it->model;
	const char *title = report_metric_title(it->spec->y);
	const char *unit = report_metric_unit(it->spec->y);
	struct report_column columns[REPORT_METRICS + 4];
	unsigned count = 0;

	columns[count++] = (struct report_column){"step", "Step", "", false, 1.2};
	columns[count++] = (struct report_column){"mean", report_text(model, "%s, mean", title),
						  unit, true, 1};
	columns[count++] = (struct report_column){
		"end", report_text(model, "%s at the end", title), unit, true, 1};
	for (unsigned i = 0; i < it->spec->y2_count; i++) {
		const char *metric = it->spec->y2s[i];

		columns[count++] = (struct report_column){
			report_text(model, "peak_%s", metric),
			report_text(model, "%s, peak", report_metric_title(metric)),
			report_metric_unit(metric), true, 1};
	}
	columns[count++] =
		(struct report_column){"recovery_min", "Recovery time", "min", true, 1};
	return report_table_new(model, name, it->spec->title, columns, count);
}

static void flat(struct report_model *model, struct report_series *series, const char *name,
		 double to, double y)
{
	*series = (struct report_series){.name = name, .role = ROLE_BAND, .count = 2};
	series->x = PTS_ARENA_ARRAY(model->arena, double, 2);
	series->y = PTS_ARENA_ARRAY(model->arena, double, 2);
	series->x[1] = to;
	series->y[0] = series->y[1] = y;
}

static void fill_series(const struct recovery *it, struct report_series *series)
{
	const struct report_step *step = it->last;
	size_t room = step->point_count + 1;

	*series = (struct report_series){.name = step->phase, .role = ROLE_MEASURED};
	series->x = PTS_ARENA_ARRAY(it->model->arena, double, room);
	series->y = PTS_ARENA_ARRAY(it->model->arena, double, room);
	for (size_t i = 0; i < step->point_count; i++) {
		const struct report_point *point = &step->points[i];

		series->x[i] =
			(double)(point->at_ns + point->span_ns - step->points[0].at_ns) / 60e9;
		series->y[i] = report_point_metric(point, it->spec->y) *
			       report_metric_scale(it->spec->y);
	}
	series->count = step->point_count;
}

/* The last step over time, the level that it has to reach, and when it did. */
static struct report_plot *draw(const struct recovery *it, const char *name)
{
	struct report_model *model = it->model;
	struct report_plot *plot = PTS_ARENA_NEW(model->arena, struct report_plot);
	const struct report_axis axis = {.low = NAN, .high = NAN, .from_zero = true};
	size_t count = it->last->point_count;
	double after_min = (double)it->after_ns / 60e9;

	plot->name = name;
	plot->x = plot->y = axis;
	plot->x.label =
		report_text(model, "Time since the begin of '%s' (min)", it->last->phase);
	plot->x.is_tight = plot->x.is_clock = true;
	plot->y.label = report_metric_label(model, it->spec->y);
	plot->series = PTS_ARENA_ARRAY(model->arena, struct report_series, 2);
	plot->series_count = 2;
	fill_series(it, &plot->series[1]);
	flat(model, &plot->series[0],
	     report_text(model, "%s %% of the mean of %s",
			 report_number(model, it->spec->level_share * 100), it->first->phase),
	     count > 0 ? plot->series[1].x[count - 1] : 0,
	     it->goal * report_metric_scale(it->spec->y));
	if (it->reached)
		plot->marks[plot->mark_count++] = (struct report_mark){
			.kind = MARK_LINE,
			.from = after_min,
			.to = after_min,
			.text = report_text(model, "recovered after %s min",
					    report_number(model, after_min))};
	return plot;
}

static void definition(const struct recovery *it, struct report_page *page)
{
	struct report_model *model = it->model;

	report_block_add(
		page, BLOCK_NOTE, TONE_PLAIN,
		report_text(model,
			    "Recovery time: from the begin of '%s' to the end of the first "
			    "point whose "
			    "%s is at least %s %% of the mean of '%s': %s %s.",
			    it->last->phase, report_metric_title(it->spec->y),
			    report_number(model, it->spec->level_share * 100), it->first->phase,
			    report_number(model, it->goal * report_metric_scale(it->spec->y)),
			    report_metric_unit(it->spec->y)));
	if (it->reached && it->below > 0)
		report_block_add(page, BLOCK_NOTE, TONE_WARN,
				 report_text(model,
					     "%zu of the %zu later points are below that level "
					     "again.",
					     it->below, it->later));
}

void report_recovery_page(struct report_model *model, const struct report_test *test,
			  const struct report_spec_page *spec)
{
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	struct recovery it = {.model = model, .spec = spec};
	struct report_table *table;
	struct report_plot *plot;

	it.first = report_step_named(test, spec->step);
	it.last = spec->step_count > 0
			  ? report_step_named(test, spec->steps[spec->step_count - 1])
			  : NULL;
	if (it.first == NULL || it.last == NULL || spec->y == NULL ||
	    !isfinite(spec->level_share)) {
		report_block_add(page, BLOCK_NOTE, TONE_WARN,
				 "The steps or the level of this page are not in the plan.");
		return;
	}
	find_recovery(&it);
	plot = draw(&it, page->id);
	report_plot_prepare(model, plot);
	plot->y.high *= 1.12; /* room for the name of the line over the data */
	report_block_plot(page, plot);
	table = new_table(&it, page->id);
	table->first_is_head = true;
	for (unsigned i = 0; i < spec->step_count; i++) {
		const struct report_step *step = report_step_named(test, spec->steps[i]);

		if (step != NULL)
			step_row(&it, table, step);
	}
	report_block_table(page, table);
	definition(&it, page);
}
