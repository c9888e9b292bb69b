/*
 * The table of a matrix of cells: means over the window rounds. A cell that the device can't run
 * keeps its place and has a reason.
 */
#include <math.h>
#include <string.h>

#include "report_matrix_internal.h"

static struct report_table *
matrix_table(struct report_model *model, const struct report_test *test,
	     const struct report_step *loop, const struct report_spec_page *spec,
	     const char *metric, const char *title, const struct matrix_axis *rows,
	     const struct matrix_axis *columns)
{
	struct report_column *head =
		PTS_ARENA_ARRAY(model->arena, struct report_column, AXIS_VALUES + 1);
	struct report_table *table;

	head[0] = (struct report_column){rows->name, matrix_axis_title(rows->name),
					 strcmp(rows->name, "block_size") == 0 ? "KiB" : "",
					 true, 1.3};
	for (unsigned c = 0; c < columns->count; c++) {
		const char *text = matrix_axis_text(model, columns, c);

		head[c + 1] = (struct report_column){
			report_text(model, "%s_%s", columns->name, report_slug(model, text)),
			text, report_metric_unit(metric), true, 1};
	}
	table = report_table_new(
		model,
		report_text(model, "%s matrix %s", test->name, report_metric_title(metric)),
		title, head, columns->count + 1);
	table->corner = report_text(model, "%s, %s", matrix_axis_title(columns->name),
				    report_metric_label(model, metric));
	table->first_is_head = true;
	for (unsigned r = 0; r < rows->count; r++) {
		struct report_cell *row = report_row_add(model, table);

		cell_shown(&row[0], matrix_axis_number(rows, r),
			   matrix_axis_text(model, rows, r));
		for (unsigned c = 0; c < columns->count; c++)
			matrix_fill_cell(model, loop,
					 matrix_find(loop, spec, rows, r, columns, c), metric,
					 &row[c + 1]);
	}
	return table;
}

/* The standard does not say whether the maximum of a window is the mean of its rounds' maxima or
 * the largest of them: both are given. */
static void largest_table(struct report_model *model, struct report_page *page,
			  const struct report_test *test, const struct report_step *loop,
			  const struct report_spec_page *spec, const struct matrix_axis *rows,
			  const struct matrix_axis *columns)
{
	struct report_table *table = matrix_table(
		model, test, loop, spec, "lat_max",
		"Maximum response time (ms): the largest of the window", rows, columns);

	for (unsigned r = 0; r < rows->count; r++) {
		for (unsigned c = 0; c < columns->count; c++) {
			const struct report_plan_cell *cell =
				matrix_find(loop, spec, rows, r, columns, c);
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
	report_footnotes(model, page, table);
}

static void several_tables(struct report_model *model, struct report_page *page,
			   const struct report_test *test, const struct report_step *loop,
			   const struct report_spec_page *spec, const struct matrix_axis *rows,
			   const struct matrix_axis *columns)
{
	for (unsigned i = 0; i < spec->y_count; i++) {
		bool is_max = strcmp(spec->ys[i], "lat_max") == 0;
		struct report_table *table = matrix_table(
			model, test, loop, spec, spec->ys[i],
			report_text(model, "%s%s", report_metric_label(model, spec->ys[i]),
				    is_max ? ": mean of the rounds' maxima" : ""),
			rows, columns);

		report_block_table(page, table);
		report_footnotes(model, page, table);
		if (is_max)
			largest_table(model, page, test, loop, spec, rows, columns);
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
	struct matrix_axis rows, columns;

	matrix_axis_fill(&rows, spec->rows != NULL ? spec->rows : "block_size", loop, spec);
	matrix_axis_fill(&columns, spec->columns != NULL ? spec->columns : "rw_mix", loop,
			 spec);
	if (spec->y_count > 1) {
		several_tables(model, page, test, loop, spec, &rows, &columns);
		return;
	}
	table = matrix_table(model, test, loop, spec, metric, spec->title, &rows, &columns);
	table->is_large = true;
	report_block_table(page, table);
	report_block_add(page, BLOCK_NOTE, TONE_PLAIN, matrix_mean_note(model, loop, metric));
	report_footnotes(model, page, table);
}
