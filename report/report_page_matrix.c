/*
 * Pages about a matrix of cells: the table, the 2D plot and the 3D columns, all of means over the
 * window rounds. A cell that the device can't run keeps its place and has a reason.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_model_internal.h"

#define AXIS_VALUES 64

struct axis {
	const char *name; /* "block_size" */
	uint64_t values[AXIS_VALUES];
	unsigned count;
};

static uint64_t axis_value(const struct report_plan_cell *cell, const char *name)
{
	if (strcmp(name, "rw_mix") == 0)
		return (uint64_t)cell->read_pct;
	if (strcmp(name, "threads") == 0)
		return cell->threads;
	if (strcmp(name, "queue_depth") == 0)
		return cell->queue_depth;
	return cell->block_bytes;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void axis_fill(struct axis *axis, const char *name, const struct report_step *step)
{
	axis->name = name;
	axis->count = 0;
	for (unsigned i = 0; i < step->cell_count; i++) {
		uint64_t value = axis_value(&step->cells[i], name);
		unsigned j = 0;

		while (j < axis->count && axis->values[j] != value)
			j++;
		if (j == axis->count && axis->count < AXIS_VALUES)
			axis->values[axis->count++] = value;
	}
	qsort(axis->values, axis->count, sizeof(axis->values[0]), ascending);
}

static const char *axis_title(const char *name)
{
	return strcmp(name, "rw_mix") == 0        ? "R/W mix"
	       : strcmp(name, "threads") == 0     ? "Threads"
	       : strcmp(name, "queue_depth") == 0 ? "Queue depth"
						  : "Block size (KiB)";
}

static const char *axis_text(struct report_model *model, const struct axis *axis, unsigned i)
{
	if (strcmp(axis->name, "rw_mix") == 0)
		return report_mix(model, (int)axis->values[i]);
	if (strcmp(axis->name, "block_size") == 0)
		return report_block_tick(model, axis->values[i]);
	return report_text(model, "%llu", (unsigned long long)axis->values[i]);
}

static const struct report_plan_cell *find(const struct report_step *step,
					   const struct axis *rows, unsigned r,
					   const struct axis *columns, unsigned c)
{
	for (unsigned i = 0; i < step->cell_count; i++) {
		const struct report_plan_cell *cell = &step->cells[i];

		if (axis_value(cell, rows->name) == rows->values[r] &&
		    axis_value(cell, columns->name) == columns->values[c])
			return cell;
	}
	return NULL;
}

/* The value of a cell as it is shown; the reason's footnote number in *ret_mark. */
static void fill_cell(struct report_model *model, const struct report_step *loop,
		      const struct report_plan_cell *cell, const char *metric,
		      struct report_cell *out)
{
	const char *reason = "not in the test's matrix";
	double value = NAN;

	if (cell != NULL)
		value = report_window_mean(model, loop, cell, metric, &reason);
	if (isfinite(value))
		cell_number(model, out, value * report_metric_scale(metric));
	else
		cell_missing(out, reason);
}

/* Numbers the reasons of missing cells and lists them under the table. */
static void footnotes(struct report_model *model, struct report_page *page,
		      struct report_table *table)
{
	const char *reasons[8];
	unsigned count = 0;

	for (unsigned i = 0; i < table->row_count * table->column_count; i++) {
		struct report_cell *cell = &table->cells[i];
		unsigned mark = 0;

		if (cell->kind != CELL_MISSING)
			continue;
		while (mark < count && strcmp(reasons[mark], cell->reason) != 0)
			mark++;
		if (mark == count && count < sizeof(reasons) / sizeof(reasons[0]))
			reasons[count++] = cell->reason;
		cell->text = report_text(model, "n/a [%u]", mark + 1);
	}
	for (unsigned i = 0; i < count; i++)
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
				 report_text(model, "[%u] n/a: %s", i + 1, reasons[i]));
}

static const char *mean_note(struct report_model *model, const struct report_step *loop,
			     const char *metric)
{
	if (!loop->has_window)
		return report_no_window(model, loop);
	return report_text(
		model, "%s: mean over the window rounds %d-%d.%s",
		report_metric_label(model, metric), loop->first_round, loop->last_round,
		strcmp(metric, "iops") == 0 ? " IOPS of a mixed cell = reads/s + writes/s."
					    : "");
}

static struct report_table *matrix_table(struct report_model *model,
					 const struct report_test *test,
					 const struct report_step *loop, const char *metric,
					 const char *title, const struct axis *rows,
					 const struct axis *columns)
{
	struct report_column *head =
		PTS_ARENA_ARRAY(model->arena, struct report_column, AXIS_VALUES + 1);
	struct report_table *table;

	head[0] = (struct report_column){rows->name, axis_title(rows->name), "", true, 1.3};
	for (unsigned c = 0; c < columns->count; c++) {
		const char *text = axis_text(model, columns, c);

		head[c + 1] = (struct report_column){
			report_text(model, "%s_%s", columns->name, report_slug(model, text)),
			text, report_metric_unit(metric), true, 1};
	}
	table = report_table_new(
		model,
		report_text(model, "%s matrix %s", test->name, report_metric_title(metric)),
		title, head, columns->count + 1);
	table->corner = report_text(model, "%s, %s", axis_title(columns->name),
				    report_metric_label(model, metric));
	table->first_is_head = true;
	for (unsigned r = 0; r < rows->count; r++) {
		struct report_cell *row = report_row_add(model, table);

		cell_shown(&row[0],
			   strcmp(rows->name, "block_size") == 0
				   ? (double)rows->values[r] / 1024
				   : (double)rows->values[r],
			   axis_text(model, rows, r));
		for (unsigned c = 0; c < columns->count; c++)
			fill_cell(model, loop, find(loop, rows, r, columns, c), metric,
				  &row[c + 1]);
	}
	return table;
}

/* The standard does not say whether the maximum of a window is the mean of its rounds' maxima or
 * the largest of them: both are given. */
static void largest_table(struct report_model *model, struct report_page *page,
			  const struct report_test *test, const struct report_step *loop,
			  const struct axis *rows, const struct axis *columns)
{
	struct report_table *table = matrix_table(
		model, test, loop, "lat_max",
		"Maximum response time (ms): the largest of the window", rows, columns);

	for (unsigned r = 0; r < rows->count; r++) {
		for (unsigned c = 0; c < columns->count; c++) {
			const struct report_plan_cell *cell = find(loop, rows, r, columns, c);
			struct report_cell *out =
				&table->cells[(size_t)r * table->column_count + c + 1];
			double value = 0;

			for (int round = loop->first_round;
			     out->kind == CELL_NUMBER && round <= loop->last_round; round++)
				value = fmax(value,
					     report_metric(report_find_cell(&model->data,
									    loop->index, round,
									    cell->index),
							   "lat_max"));
			if (out->kind == CELL_NUMBER)
				cell_number(model, out, value * report_metric_scale("lat_max"));
		}
	}
	report_block_table(page, table);
	footnotes(model, page, table);
}

static void several_tables(struct report_model *model, struct report_page *page,
			   const struct report_test *test, const struct report_step *loop,
			   const struct report_spec_page *spec, const struct axis *rows,
			   const struct axis *columns)
{
	for (unsigned i = 0; i < spec->y_count; i++) {
		bool is_max = strcmp(spec->ys[i], "lat_max") == 0;
		struct report_table *table = matrix_table(
			model, test, loop, spec->ys[i],
			report_text(model, "%s%s", report_metric_label(model, spec->ys[i]),
				    is_max ? ": mean of the rounds' maxima" : ""),
			rows, columns);

		report_block_table(page, table);
		footnotes(model, page, table);
		if (is_max)
			largest_table(model, page, test, loop, rows, columns);
	}
	report_block_add(
		page, BLOCK_NOTE, TONE_PLAIN,
		loop->has_window
			? report_text(
				  model,
				  "Means over the window, rounds %d-%d. IOPS of a mixed cell = "
				  "reads/s + writes/s; its response times are "
				  "weighted by the number of I/Os.",
				  loop->first_round, loop->last_round)
			: report_no_window(model, loop));
}

void report_matrix_table_page(struct report_model *model, const struct report_test *test,
			      const struct report_spec_page *spec)
{
	const struct report_step *loop = report_step_named(test, spec->step);
	const char *metric = spec->y != NULL ? spec->y : "iops";
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	struct report_table *table;
	struct axis rows, columns;

	axis_fill(&rows, spec->rows != NULL ? spec->rows : "block_size", loop);
	axis_fill(&columns, spec->columns != NULL ? spec->columns : "rw_mix", loop);
	if (spec->y_count > 1) {
		several_tables(model, page, test, loop, spec, &rows, &columns);
		return;
	}
	table = matrix_table(model, test, loop, metric, spec->title, &rows, &columns);
	table->is_large = true;
	report_block_table(page, table);
	report_block_add(page, BLOCK_NOTE, TONE_PLAIN, mean_note(model, loop, metric));
	footnotes(model, page, table);
}

static void axis_ticks(struct report_model *model, struct report_axis *out,
		       const struct axis *axis, bool categories)
{
	out->tick_count = axis->count < REPORT_TICKS ? axis->count : REPORT_TICKS;
	for (unsigned i = 0; i < out->tick_count; i++) {
		double value = strcmp(axis->name, "block_size") == 0
				       ? (double)axis->values[i] / 1024
				       : (double)axis->values[i];

		out->ticks[i] =
			(struct report_tick){categories ? i : value, axis_text(model, axis, i)};
	}
	out->label = axis_title(axis->name);
}

static const char *missing_note(struct report_model *model, const struct axis *x,
				const struct axis *z, const struct report_step *loop,
				const char *metric)
{
	const char *reason = NULL, *first = NULL;
	unsigned missing = 0;

	for (unsigned s = 0; s < z->count; s++) {
		for (unsigned i = 0; i < x->count; i++) {
			const struct report_plan_cell *cell = find(loop, x, i, z, s);

			if (cell == NULL ||
			    isfinite(report_window_mean(model, loop, cell, metric, &reason)))
				continue;
			missing++;
			first = first != NULL ? first : reason;
		}
	}
	if (missing == 0)
		return NULL;
	return report_text(model, "%u of %u cells have no value and leave a gap: %s.", missing,
			   x->count * z->count, first);
}

void report_matrix_plot_page(struct report_model *model, const struct report_test *test,
			     const struct report_spec_page *spec)
{
	bool columns = strcmp(spec->kind, "matrix_columns") == 0;
	const struct report_step *loop = report_step_named(test, spec->step);
	const char *metric = spec->y != NULL ? spec->y : "iops";
	const char *depth = columns ? spec->z : spec->series;
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	struct report_plot *plot = PTS_ARENA_NEW(model->arena, struct report_plot);
	const char *gaps;
	struct axis x, z;

	axis_fill(&x, spec->x != NULL ? spec->x : "block_size", loop);
	axis_fill(&z, depth != NULL ? depth : "rw_mix", loop);
	plot->name = page->id;
	plot->kind = columns ? PLOT_COLUMNS : PLOT_LINES;
	plot->series_title = axis_title(z.name);
	axis_ticks(model, &plot->x, &x, columns);
	axis_ticks(model, &plot->z, &z, true);
	plot->x.scale = spec->x_scale != NULL && strcmp(spec->x_scale, "log2") == 0
				? SCALE_LOG2
				: SCALE_LINEAR;
	plot->x.low = plot->x.high = plot->y.low = plot->y.high = NAN;
	plot->y.label = report_metric_label(model, metric);
	plot->y.scale = spec->y_scale != NULL && strcmp(spec->y_scale, "log10") == 0
				? SCALE_LOG10
				: SCALE_LINEAR;
	plot->y.from_zero = plot->y.scale == SCALE_LINEAR;
	plot->series = PTS_ARENA_ARRAY(model->arena, struct report_series, z.count + 1);
	plot->series_count = z.count;
	for (unsigned s = 0; s < z.count; s++) {
		struct report_series *series = &plot->series[s];

		*series = (struct report_series){
			.name = axis_text(model, &z, s), .rank = s, .count = x.count};
		series->x = PTS_ARENA_ARRAY(model->arena, double, x.count);
		series->y = PTS_ARENA_ARRAY(model->arena, double, x.count);
		for (unsigned i = 0; i < x.count; i++) {
			struct report_cell value;

			fill_cell(model, loop, find(loop, &x, i, &z, s), metric, &value);
			series->x[i] = plot->x.ticks[i].at;
			series->y[i] = value.value;
		}
	}
	if (!loop->has_window)
		plot->cannot = mean_note(model, loop, metric);
	report_plot_prepare(model, plot);
	report_block_plot(page, plot);
	if (!loop->has_window)
		return;
	report_block_add(page, BLOCK_NOTE, TONE_PLAIN, mean_note(model, loop, metric));
	gaps = missing_note(model, &x, &z, loop, metric);
	if (gaps != NULL)
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN, gaps);
}
