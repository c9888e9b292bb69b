/*
 * The page of bars: one for each cell of a loop, by total outstanding I/Os (threads x queue
 * depth), with a second quantity as a line on the right axis. Cells of the same total stand side
 * by side, none hides another.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_model_internal.h"

static unsigned total_of(const struct report_plan_cell *cell)
{
	return cell->threads * cell->queue_depth;
}

static int by_total(const void *a, const void *b)
{
	const struct report_plan_cell *x = *(const struct report_plan_cell *const *)a;
	const struct report_plan_cell *y = *(const struct report_plan_cell *const *)b;

	if (total_of(x) != total_of(y))
		return total_of(x) < total_of(y) ? -1 : 1;
	return x->threads < y->threads ? -1 : x->threads > y->threads;
}

static const struct report_plan_cell **sorted(struct report_model *model,
					      const struct report_step *loop)
{
	const struct report_plan_cell **cells = PTS_ARENA_ARRAY(
		model->arena, const struct report_plan_cell *, loop->cell_count + 1);

	for (unsigned i = 0; i < loop->cell_count; i++)
		cells[i] = &loop->cells[i];
	qsort(cells, loop->cell_count, sizeof(const struct report_plan_cell *), by_total);
	return cells;
}

static double value_of(struct report_model *model, const struct report_step *loop,
		       const struct report_plan_cell *cell, const char *metric,
		       const char **ret_reason)
{
	return report_window_mean(model, loop, cell, metric, ret_reason) *
	       report_metric_scale(metric);
}

static void fill_series(struct report_model *model, struct report_series *series,
			const struct report_step *loop, const struct report_plan_cell **cells,
			unsigned count, const char *metric)
{
	const char *reason;

	series->name = report_metric_label(model, metric);
	series->count = count;
	series->x = PTS_ARENA_ARRAY(model->arena, double, count + 1);
	series->y = PTS_ARENA_ARRAY(model->arena, double, count + 1);
	if (series->role == ROLE_BARS)
		series->x_end = PTS_ARENA_ARRAY(model->arena, double, count + 1);
	for (unsigned i = 0; i < count; i++) {
		series->x[i] = series->role == ROLE_BARS ? i - 0.38 : i;
		if (series->role == ROLE_BARS)
			series->x_end[i] = i + 0.38;
		series->y[i] = value_of(model, loop, cells[i], metric, &reason);
	}
}

static struct report_plot *draw(struct report_model *model, const struct report_step *loop,
				const struct report_plan_cell **cells,
				const struct report_spec_page *spec, const char *name)
{
	struct report_plot *plot = PTS_ARENA_NEW(model->arena, struct report_plot);
	unsigned count = loop->cell_count < REPORT_TICKS ? loop->cell_count : REPORT_TICKS;
	const struct report_axis axis = {.low = NAN, .high = NAN, .from_zero = true};

	plot->name = name;
	plot->x = plot->y = plot->y2 = axis;
	plot->x.label = "Total outstanding I/Os = threads x queue depth";
	plot->x.is_upright = true;
	for (unsigned i = 0; i < count; i++)
		plot->x.ticks[plot->x.tick_count++] = (struct report_tick){
			i, report_text(model, "%u = %ux%u", total_of(cells[i]),
				       cells[i]->threads, cells[i]->queue_depth)};
	plot->y.label = report_metric_label(model, spec->y);
	plot->series = PTS_ARENA_ARRAY(model->arena, struct report_series, spec->y2_count + 1);
	plot->series[0].role = ROLE_BARS;
	plot->series_count = 1;
	fill_series(model, &plot->series[0], loop, cells, count, spec->y);
	for (unsigned i = 0; i < spec->y2_count; i++) {
		struct report_series *series = &plot->series[plot->series_count++];

		series->role = i == 0 ? ROLE_SECOND : ROLE_DATA;
		series->rank = i;
		series->on_y2 = true;
		fill_series(model, series, loop, cells, count, spec->y2s[i]);
		plot->has_y2 = true;
		plot->y2.label = report_metric_label(model, spec->y2s[0]);
	}
	if (!loop->has_window)
		plot->cannot = report_no_window(model, loop);
	return plot;
}

static void bar_table(struct report_model *model, const struct report_page *page,
		      const struct report_step *loop, const struct report_plan_cell **cells,
		      const struct report_spec_page *spec, struct report_plot *plot)
{
	struct report_column columns[REPORT_METRICS + 4] = {
		{"total_oio", "Total OIO", "", true, 0},
		{"threads", "Threads", "", true, 0},
		{"queue_depth", "Queue depth", "", true, 0},
	};
	const char *metrics[REPORT_METRICS + 1];
	unsigned count = 0;
	struct report_table *table;

	metrics[count++] = spec->y;
	for (unsigned i = 0; i < spec->y2_count; i++)
		metrics[count++] = spec->y2s[i];
	for (unsigned i = 0; i < count; i++)
		columns[3 + i] =
			(struct report_column){metrics[i], report_metric_title(metrics[i]),
					       report_metric_unit(metrics[i]), true, 0};
	table = report_table_new(model, page->id, page->title, columns, 3 + count);
	table->first_is_head = true;
	plot->data = table;
	for (unsigned i = 0; i < loop->cell_count; i++) {
		struct report_cell *row = report_row_add(model, table);

		cell_count(model, &row[0], total_of(cells[i]));
		cell_count(model, &row[1], cells[i]->threads);
		cell_count(model, &row[2], cells[i]->queue_depth);
		for (unsigned m = 0; m < count; m++) {
			const char *reason;
			double value = value_of(model, loop, cells[i], metrics[m], &reason);

			if (isfinite(value))
				cell_number(model, &row[3 + m], value);
			else
				cell_missing(&row[3 + m], reason);
		}
	}
}

void report_cell_bars_page(struct report_model *model, const struct report_test *test,
			   const struct report_spec_page *spec)
{
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	const struct report_step *loop = report_step_named(test, spec->step);
	const struct report_plan_cell **cells = sorted(model, loop);
	struct report_plot *plot = draw(model, loop, cells, spec, page->id);

	report_plot_prepare(model, plot);
	report_block_plot(page, plot);
	bar_table(model, page, loop, cells, spec, plot);
	if (loop->has_window)
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
				 report_text(model,
					     "A bar for each of %u cells: means over the "
					     "window, rounds %d-%d.",
					     loop->cell_count, loop->first_round,
					     loop->last_round));
}
