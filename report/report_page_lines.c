/*
 * Plots of a matrix of cells: lines and 3D columns of means over the window rounds. A cell without
 * a value leaves a gap and is told.
 */
#include <math.h>
#include <string.h>

#include "report_matrix_internal.h"

static void axis_ticks(struct report_model *model, struct report_axis *out,
		       const struct matrix_axis *axis, bool categories)
{
	out->tick_count = axis->count < REPORT_TICKS ? axis->count : REPORT_TICKS;
	for (unsigned i = 0; i < out->tick_count; i++)
		out->ticks[i] =
			(struct report_tick){categories ? i : matrix_axis_number(axis, i),
					     matrix_axis_text(model, axis, i)};
	out->label = matrix_axis_title(axis->name);
}

/* What a page draws: a line for each z, a point for each x; on the x axis stands x itself or a
 * metric. */
struct drawing {
	struct report_model *model;
	const struct report_step *loop;
	const struct report_spec_page *spec;
	const char *metric, *x_metric; /* x_metric NULL: x itself */
	struct matrix_axis x, z;
};

static const struct report_plan_cell *cell_at(const struct drawing *it, unsigned i, unsigned s)
{
	return matrix_find(it->loop, it->spec, &it->x, i, &it->z, s);
}

/* Points of a plot over a metric lie along the axis that is neither the lines' nor fixed. */
static const char *point_axis(const struct report_step *loop,
			      const struct report_spec_page *spec, const char *series)
{
	static const char *const axes[] = {"queue_depth", "threads", "block_size", "rw_mix"};
	struct matrix_axis axis;

	for (unsigned i = 0; i < 4; i++) {
		if (strcmp(axes[i], series) == 0)
			continue;
		matrix_axis_fill(&axis, axes[i], loop, spec);
		if (axis.count > 1)
			return axes[i];
	}
	return strcmp(series, axes[0]) == 0 ? axes[1] : axes[0];
}

/* How many cells have no value, and why the first one has none. */
static unsigned missing_cells(const struct drawing *it, const char **ret_reason)
{
	unsigned missing = 0;

	*ret_reason = NULL;
	for (unsigned s = 0; s < it->z.count; s++) {
		for (unsigned i = 0; i < it->x.count; i++) {
			const struct report_plan_cell *cell = cell_at(it, i, s);
			const char *reason;

			if (cell == NULL ||
			    isfinite(report_window_mean(it->model, it->loop, cell, it->metric,
							&reason)))
				continue;
			missing++;
			*ret_reason = *ret_reason != NULL ? *ret_reason : reason;
		}
	}
	return missing;
}

static const char *missing_note(const struct drawing *it)
{
	const char *reason;
	unsigned missing = missing_cells(it, &reason);

	if (missing == 0)
		return NULL;
	return report_text(it->model, "%u of %u cells have no value and leave a gap: %s.",
			   missing, it->x.count * it->z.count, reason);
}

static void fill_series(const struct drawing *it, const struct report_plot *plot, unsigned s,
			struct report_series *series)
{
	struct report_model *model = it->model;

	*series = (struct report_series){
		.name = matrix_axis_text(model, &it->z, s), .rank = s, .count = it->x.count};
	series->x = PTS_ARENA_ARRAY(model->arena, double, it->x.count);
	series->y = PTS_ARENA_ARRAY(model->arena, double, it->x.count);
	for (unsigned i = 0; i < it->x.count; i++) {
		const struct report_plan_cell *cell = cell_at(it, i, s);
		struct report_cell value;

		matrix_fill_cell(model, it->loop, cell, it->metric, &value);
		series->y[i] = value.value;
		if (it->x_metric == NULL) {
			series->x[i] = plot->x.ticks[i].at;
			continue;
		}
		matrix_fill_cell(model, it->loop, cell, it->x_metric, &value);
		series->x[i] = value.value;
	}
}

static struct report_plot *draw(const struct drawing *it, const char *name)
{
	const struct report_spec_page *spec = it->spec;
	bool columns = strcmp(spec->kind, "matrix_columns") == 0;
	struct report_plot *plot = PTS_ARENA_NEW(it->model->arena, struct report_plot);
	const char *reason;

	plot->name = name;
	plot->kind = columns ? PLOT_COLUMNS : PLOT_LINES;
	plot->series_title = matrix_axis_title(it->z.name);
	if (it->x_metric == NULL) {
		axis_ticks(it->model, &plot->x, &it->x, columns);
	} else {
		plot->x.label = report_metric_label(it->model, it->x_metric);
		plot->x.from_zero = true;
	}
	axis_ticks(it->model, &plot->z, &it->z, true);
	plot->x.scale = spec->x_scale != NULL && strcmp(spec->x_scale, "log2") == 0
				? SCALE_LOG2
				: SCALE_LINEAR;
	plot->x.low = plot->x.high = plot->y.low = plot->y.high = NAN;
	plot->y.label = report_metric_label(it->model, it->metric);
	plot->y.scale = spec->y_scale != NULL && strcmp(spec->y_scale, "log10") == 0
				? SCALE_LOG10
				: SCALE_LINEAR;
	plot->y.from_zero = plot->y.scale == SCALE_LINEAR;
	plot->series = PTS_ARENA_ARRAY(it->model->arena, struct report_series, it->z.count + 1);
	plot->series_count = it->z.count;
	for (unsigned s = 0; s < it->z.count; s++)
		fill_series(it, plot, s, &plot->series[s]);
	if (!it->loop->has_window)
		plot->cannot = matrix_mean_note(it->model, it->loop, it->metric);
	else if (missing_cells(it, &reason) == it->x.count * it->z.count && reason != NULL)
		plot->cannot = report_text(it->model, "Not drawn: %s.", reason);
	return plot;
}

static bool has_table(const struct report_test *test)
{
	for (unsigned i = 0; i < test->page_count; i++) {
		if (strcmp(test->pages[i].kind, "matrix_table") == 0)
			return true;
	}
	return false;
}

/* The plot's values, a row for each cell, where no page of the test has them as a table. */
static const struct report_table *value_table(const struct drawing *it, const char *name)
{
	const char *metrics[2] = {it->x_metric != NULL ? it->x_metric : it->metric, it->metric};
	unsigned count = it->x_metric != NULL ? 2 : 1;
	struct report_column columns[4] = {
		{it->z.name, matrix_axis_title(it->z.name), "", true, 0},
		{it->x.name, matrix_axis_title(it->x.name), "", true, 0},
	};
	struct report_table *table;

	for (unsigned m = 0; m < count; m++)
		columns[2 + m] =
			(struct report_column){metrics[m], report_metric_title(metrics[m]),
					       report_metric_unit(metrics[m]), true, 0};
	table = report_table_new(it->model, name, it->spec->title, columns, 2 + count);
	for (unsigned s = 0; s < it->z.count; s++) {
		for (unsigned i = 0; i < it->x.count; i++) {
			struct report_cell *row = report_row_add(it->model, table);

			cell_shown(&row[0], matrix_axis_number(&it->z, s),
				   matrix_axis_text(it->model, &it->z, s));
			cell_shown(&row[1], matrix_axis_number(&it->x, i),
				   matrix_axis_text(it->model, &it->x, i));
			for (unsigned m = 0; m < count; m++)
				matrix_fill_cell(it->model, it->loop, cell_at(it, i, s),
						 metrics[m], &row[2 + m]);
		}
	}
	return table;
}

void report_matrix_plot_page(struct report_model *model, const struct report_test *test,
			     const struct report_spec_page *spec)
{
	bool columns = strcmp(spec->kind, "matrix_columns") == 0;
	const char *depth = columns ? spec->z : spec->series;
	const char *x = spec->x != NULL ? spec->x : "block_size";
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	struct drawing it = {.model = model,
			     .loop = report_step_named(test, spec->step),
			     .spec = spec,
			     .metric = spec->y != NULL ? spec->y : "iops"};
	struct report_plot *plot;

	if (depth == NULL)
		depth = strcmp(x, "rw_mix") == 0 ? "block_size" : "rw_mix";
	matrix_axis_fill(&it.z, depth, it.loop, spec);
	it.x_metric = matrix_is_axis(x) ? NULL : x;
	matrix_axis_fill(&it.x, it.x_metric != NULL ? point_axis(it.loop, spec, it.z.name) : x,
			 it.loop, spec);
	plot = draw(&it, page->id);
	report_plot_prepare(model, plot);
	report_block_plot(page, plot);
	if (!it.loop->has_window)
		return;
	if (!has_table(test))
		plot->data = value_table(&it, page->id);
	report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
			 matrix_mean_note(model, it.loop, it.metric));
	if (it.x_metric != NULL && it.x.count > 0)
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
				 report_text(model,
					     "Each point is a cell; along a line: %s %s to %s.",
					     matrix_axis_title(it.x.name),
					     matrix_axis_text(model, &it.x, 0),
					     matrix_axis_text(model, &it.x, it.x.count - 1)));
	if (missing_note(&it) != NULL)
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN, missing_note(&it));
}
