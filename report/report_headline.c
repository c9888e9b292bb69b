/*
 * The summary's tables: one line a test, and its headline values. Must not judge: it says what
 * report_verdict.c found.
 */
#include <math.h>
#include <string.h>

#include "report_model_internal.h"

/* Whose settings stand for the test: of its main loop, else of its first load. */
static const struct report_plan_cell *first_cell(const struct report_test *test)
{
	if (test->loop != NULL && test->loop->cell_count > 0)
		return &test->loop->cells[0];
	for (unsigned i = 0; i < test->step_count; i++) {
		if (test->steps[i]->cell_count > 0)
			return &test->steps[i]->cells[0];
	}
	return NULL;
}

static void result_line(struct report_model *model, struct report_table *table,
			const struct report_test *test)
{
	struct report_cell *row = report_row_add(model, table);
	const struct report_header *header = &test->header;
	const struct report_step *loop = test->loop;
	const struct report_plan_cell *cell = first_cell(test);

	cell_text(&row[0], test->title);
	cell_text(&row[1], test->revision);
	cell_text(&row[2], test->steady ? "yes" : test->judged ? "NO" : "-");
	row[2].tone = test->steady ? TONE_GOOD : test->loop != NULL ? TONE_BAD : TONE_PLAIN;
	cell_text(&row[3], loop == NULL       ? "-"
			   : loop->has_window ? report_text(model, "%d-%d", loop->first_round,
							    loop->last_round)
					      : "none");
	cell_text(&row[4], loop != NULL ? report_text(model, "%d", loop->rounds_closed) : "-");
	cell_text(&row[5],
		  cell != NULL ? report_text(model, "%u / %u", cell->threads, cell->queue_depth)
			       : "-");
	cell_text(&row[6],
		  cell != NULL && model->data.run->capacity_bytes > 0
			  ? report_text(model, "%s %%",
					report_number(model, 100.0 * (double)cell->span_bytes /
								     (double)model->data.run
									     ->capacity_bytes))
			  : "-");
	for (unsigned i = 0; i < header->columns[1].count; i++) {
		if (strcmp(header->columns[1].pairs[i].name, "Write cache") == 0)
			cell_text(&row[7], header->columns[1].pairs[i].value);
	}
	cell_text(&row[8], test->compliant ? "COMPLIANT" : "NOT COMPLIANT");
	row[8].tone = test->compliant ? TONE_GOOD : TONE_BAD;
}

void report_result_table(struct report_model *model, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"test", "Test", "", false, 1},
		{"revision", "Specification", "", false, 1},
		{"steady", "Steady", "", false, 0.6},
		{"window_rounds", "Window", "", false, 0.7},
		{"rounds_run", "Rounds run", "", false, 0.8},
		{"tc_qd", "TC / QD", "", false, 0.7},
		{"active_range", "Active range", "", false, 0.9},
		{"write_cache", "Write cache", "", false, 1.4},
		{"compliance", "Compliance", "", false, 1.2},
	};
	struct report_table *table =
		report_table_new(model, "summary", "Results by test", columns, 9);

	table->first_is_head = true;
	for (unsigned i = 0; i < model->data.test_count; i++)
		result_line(model, table, &model->data.tests[i]);
	report_block_table(page, table);
}

static const struct report_plan_cell *cell_at(const struct report_step *step, int read_pct,
					      uint64_t block_bytes)
{
	for (unsigned i = 0; i < step->cell_count; i++) {
		if (step->cells[i].read_pct == read_pct &&
		    step->cells[i].block_bytes == block_bytes)
			return &step->cells[i];
	}
	return NULL;
}

static bool is_tracked(const struct report_step *step, const struct report_plan_cell *cell)
{
	for (unsigned i = 0; i < step->track_count; i++) {
		if (step->tracks[i].cell == cell->index || step->is_sampled)
			return true;
	}
	return false;
}

static void headline(struct report_model *model, struct report_table *table,
		     const struct report_test *test, const struct report_step *loop,
		     const struct report_plan_cell *cell)
{
	const char *metric = loop->track_count > 0 ? loop->tracks[0].metric : "iops";
	struct report_cell *row = report_row_add(model, table);
	const char *reason;
	double value = report_window_mean(model, loop, cell, metric, &reason);

	cell_text(&row[0], test->title);
	cell_text(&row[1], cell->label);
	if (isfinite(value))
		cell_number(model, &row[2], value * report_metric_scale(metric));
	else
		cell_missing(&row[2], reason);
	cell_text(&row[3], report_metric_unit(metric));
	value = report_window_mean(model, loop, cell, "lat_mean_ns", &reason);
	if (isfinite(value))
		cell_number(model, &row[4], value * 1e-6);
	else
		cell_missing(&row[4], reason);
	value = report_window_mean(model, loop, cell, "mb_per_s", &reason);
	if (isfinite(value))
		cell_number(model, &row[5], value);
	else
		cell_missing(&row[5], reason);
	cell_text(&row[6], row[2].reason != NULL    ? row[2].reason
			   : is_tracked(loop, cell) ? "tracking variable"
						    : "");
}

/* The mixes of all tracks at the block size of the first one, then the other tracks. */
static void headlines_of_tracks(struct report_model *model, struct report_table *table,
				const struct report_test *test, const struct report_step *loop)
{
	const struct report_plan_cell *cell;

	for (unsigned t = 0; t < loop->track_count; t++) {
		cell = cell_at(loop, loop->tracks[t].read_pct, loop->tracks[0].block_bytes);
		if (cell != NULL)
			headline(model, table, test, loop, cell);
	}
	for (unsigned t = 1; t < loop->track_count; t++) {
		cell = cell_at(loop, loop->tracks[t].read_pct, loop->tracks[t].block_bytes);
		if (cell != NULL && cell->block_bytes != loop->tracks[0].block_bytes)
			headline(model, table, test, loop, cell);
	}
}

/* Of a single track every mix at its block size, threads and queue depth. */
static void headlines(struct report_model *model, struct report_table *table,
		      const struct report_test *test, const struct report_step *loop)
{
	const struct report_plan_cell *tracked =
		loop->track_count > 0
			? cell_at(loop, loop->tracks[0].read_pct, loop->tracks[0].block_bytes)
			: NULL;

	if (loop->is_sampled && (!loop->has_window || loop != test->loop))
		return; /* told by its points, or only the way to the test */
	if (loop->track_count != 1 || tracked == NULL) {
		headlines_of_tracks(model, table, test, loop);
		return;
	}
	for (unsigned i = 0; i < loop->cell_count; i++) {
		const struct report_plan_cell *cell = &loop->cells[i];

		if (cell->block_bytes == tracked->block_bytes &&
		    cell->threads == tracked->threads &&
		    cell->queue_depth == tracked->queue_depth)
			headline(model, table, test, loop, cell);
	}
}

/* What the first page that shows a step over time has on its left axis. */
static const char *metric_over_time(const struct report_test *test,
				    const struct report_step *step)
{
	for (unsigned i = 0; i < test->page_count; i++) {
		const struct report_spec_page *page = &test->pages[i];

		for (unsigned j = 0; report_shows_points(page) && j < page->step_count; j++) {
			if (strcmp(page->steps[j], step->phase) == 0 && page->y != NULL)
				return page->y;
		}
	}
	return "iops";
}

/* A step over time, where no window has its value: mean response and rates of some points. */
static void headline_points(struct report_model *model, struct report_table *table,
			    const struct report_test *test, const struct report_step *step,
			    size_t first, size_t count, const char *note)
{
	struct report_point sum = {0};
	const char *metric = metric_over_time(test, step);
	struct report_cell *row;

	for (size_t i = first; i < first + count; i++) {
		sum.span_ns += step->points[i].span_ns;
		sum.ios += step->points[i].ios;
		sum.bytes += step->points[i].bytes;
		sum.lat_sum_ns += step->points[i].lat_sum_ns;
	}
	if (sum.span_ns == 0)
		return;
	row = report_row_add(model, table);
	cell_text(&row[0], test->title);
	cell_text(&row[1], report_text(model, "%s: %s", step->phase,
				       step->cell_count > 0 ? step->cells[0].label : ""));
	cell_number(model, &row[2],
		    report_point_metric(&sum, metric) * report_metric_scale(metric));
	cell_text(&row[3], report_metric_unit(metric));
	cell_number(model, &row[4], report_point_metric(&sum, "lat_mean") * 1e-6);
	cell_number(model, &row[5], report_point_metric(&sum, "mb_per_s"));
	cell_text(&row[6], note);
}

/* A saturation's fresh and last minutes; other loads and cycles as they went on. */
static void headlines_over_time(struct report_model *model, struct report_table *table,
				const struct report_test *test)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		const struct report_step *step = test->steps[i];
		size_t count = step->point_count;

		if (count == 0 || step->before_count > 0)
			continue;
		if (!step->is_sampled) {
			headline_points(model, table, test, step, 0, count, "mean over time");
			continue;
		}
		headline_points(model, table, test, step, 0, 1, "first point: fresh");
		if (!step->has_window)
			headline_points(model, table, test, step,
					count - (count < 5 ? count : 5), count < 5 ? count : 5,
					"mean of the last 5 points");
	}
}

void report_headline_table(struct report_model *model, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"test", "Test", "", false, 0.8},
		{"condition", "Condition", "", false, 1.8},
		{"value", "Value", "", true, 1},
		{"unit", "Unit", "", false, 0.6},
		{"mean_response_ms", "Mean response", "ms", true, 1},
		{"mb_per_s", "Throughput", "MB/s", true, 1},
		{"note", "Note", "", false, 1.8},
	};
	struct report_table *table =
		report_table_new(model, "headline", "Headline values", columns, 7);

	for (unsigned i = 0; i < model->data.test_count; i++) {
		const struct report_test *test = &model->data.tests[i];

		for (unsigned j = 0; j < test->step_count; j++) {
			if (test->steps[j]->is_loop)
				headlines(model, table, test, test->steps[j]);
		}
		headlines_over_time(model, table, test);
	}
	if (table->row_count > 0)
		report_block_table(page, table);
}
