/*
 * The summary page: the verdict in plain words, one line a test, headline values. Must not
 * judge: it says what report_verdict.c found.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_model_internal.h"

#define REASONS_SHOWN 6

static void compliance_banner(struct report_model *model, struct report_page *page,
			      const struct report_test *test)
{
	const char *method = test->revision[0] ? test->revision : test->standard;
	const char *text;

	if (test->compliant) {
		report_block_add(
			page, BLOCK_BANNER, TONE_GOOD,
			report_text(model,
				    "COMPLIANT with %s, section %s (%s): no deviation was "
				    "recorded.",
				    method, test->section, test->title));
		return;
	}
	text = report_text(model, "NOT COMPLIANT with %s, section %s (%s):", method,
			   test->section, test->title);
	for (unsigned i = 0; i < test->why_not.count && i < REASONS_SHOWN; i++)
		text = report_text(model, "%s%s %s", text, i > 0 ? ";" : "",
				   test->why_not.items[i]);
	if (test->why_not.count > REASONS_SHOWN)
		text = report_text(model, "%s; and %u more (see Deviations)", text,
				   test->why_not.count - REASONS_SHOWN);
	report_block_add(page, BLOCK_BANNER, TONE_BAD, report_text(model, "%s.", text));
}

/* "Composite Block Size Workload, preconditioning" where a test has several loops. */
static const char *loop_title(struct report_model *model, const struct report_test *test,
			      const struct report_step *loop)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		if (test->steps[i]->is_loop && test->steps[i] != loop)
			return report_text(model, "%s, %s", test->title, loop->phase);
	}
	return test->title;
}

static const char *stop_text(struct report_model *model, const struct report_step *loop)
{
	if (strcmp(loop->outcome, "amount") == 0)
		return report_text(model,
				   "the amount to write was reached first (%s written in %s)",
				   report_capacity(model, loop->bytes_written),
				   report_duration(model, loop->elapsed_ns));
	return report_text(model, "its time was over first (%s written in %s)",
			   report_capacity(model, loop->bytes_written),
			   report_duration(model, loop->elapsed_ns));
}

/* Results of a test that never got steady may be reported, with this statement (PTS 7.3). */
static const char *loop_statement(struct report_model *model, const struct report_test *test,
				  const struct report_step *loop)
{
	const char *title = loop_title(model, test, loop);

	if (!loop->judgeable)
		return report_text(
			model,
			"%s: steady state can't be judged, because a tracking variable "
			"can't be measured on this device.",
			title);
	if (strcmp(loop->outcome, "amount") == 0 || strcmp(loop->outcome, "time") == 0)
		return report_text(model, "%s: STEADY STATE WAS NOT REACHED: %s.", title,
				   stop_text(model, loop));
	if (!loop->has_window)
		return report_text(
			model,
			"%s: steady state was not evaluated: %d of at least %u rounds "
			"were completed.",
			title, loop->rounds_closed, loop->window);
	if (!loop->steady)
		return report_text(
			model,
			"%s: STEADY STATE WAS NOT REACHED in %d rounds. The values are "
			"means over the last window, rounds %d-%d.",
			title, loop->rounds_closed, loop->first_round, loop->last_round);
	return NULL;
}

static void steady_banner(struct report_model *model, struct report_page *page,
			  const struct report_test *test)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		const struct report_step *loop = test->steps[i];
		const char *text = loop->is_loop ? loop_statement(model, test, loop) : NULL;

		if (text != NULL)
			report_block_add(page, BLOCK_BANNER, TONE_WARN, text);
		else if (loop->is_loop)
			report_block_add(
				page, BLOCK_BANNER, TONE_GOOD,
				report_text(model,
					    "%s: steady state was reached. Measurement window: "
					    "rounds %d-%d.",
					    loop_title(model, test, loop), loop->first_round,
					    loop->last_round));
	}
}

/* To the front: nobody may take the picture without it. */
static void put_first(struct report_page *page, const char *text)
{
	report_block_add(page, BLOCK_BANNER, TONE_WARN, text);
	for (unsigned b = page->block_count - 1; b > 0; b--) {
		struct report_block other = page->blocks[b];

		page->blocks[b] = page->blocks[b - 1];
		page->blocks[b - 1] = other;
	}
}

void report_unsteady_banners(struct report_model *model)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		struct report_page *page = model->pages[i];
		const struct report_test *test = page->test;

		for (unsigned s = test != NULL ? test->step_count : 0; s-- > 0;) {
			const struct report_step *loop = test->steps[s];
			const char *text =
				loop->is_loop ? loop_statement(model, test, loop) : NULL;

			if (text != NULL)
				put_first(page, text);
		}
	}
}

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

static void result_table(struct report_model *model, struct report_page *page)
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
		if (step->tracks[i].cell == cell->index)
			return true;
	}
	return false;
}

static void headline(struct report_model *model, struct report_table *table,
		     const struct report_test *test, const struct report_plan_cell *cell)
{
	const char *metric =
		test->loop->track_count > 0 ? test->loop->tracks[0].metric : "iops";
	struct report_cell *row = report_row_add(model, table);
	const char *reason;
	double value = report_window_mean(model, test->loop, cell, metric, &reason);

	cell_text(&row[0], test->title);
	cell_text(&row[1], cell->label);
	if (isfinite(value))
		cell_number(model, &row[2], value * report_metric_scale(metric));
	else
		cell_missing(&row[2], reason);
	cell_text(&row[3], report_metric_unit(metric));
	value = report_window_mean(model, test->loop, cell, "lat_mean_ns", &reason);
	if (isfinite(value))
		cell_number(model, &row[4], value * 1e-6);
	else
		cell_missing(&row[4], reason);
	value = report_window_mean(model, test->loop, cell, "mb_per_s", &reason);
	if (isfinite(value))
		cell_number(model, &row[5], value);
	else
		cell_missing(&row[5], reason);
	cell_text(&row[6], row[2].reason != NULL          ? row[2].reason
			   : is_tracked(test->loop, cell) ? "tracking variable"
							  : "");
}

/* The mixes of all tracks at the block size of the first one, then the other tracks. */
static void headlines(struct report_model *model, struct report_table *table,
		      const struct report_test *test)
{
	const struct report_step *step = test->loop;
	const struct report_plan_cell *cell;

	for (unsigned t = 0; step != NULL && t < step->track_count; t++) {
		cell = cell_at(step, step->tracks[t].read_pct, step->tracks[0].block_bytes);
		if (cell != NULL)
			headline(model, table, test, cell);
	}
	for (unsigned t = 1; step != NULL && t < step->track_count; t++) {
		cell = cell_at(step, step->tracks[t].read_pct, step->tracks[t].block_bytes);
		if (cell != NULL && cell->block_bytes != step->tracks[0].block_bytes)
			headline(model, table, test, cell);
	}
}

static void headline_table(struct report_model *model, struct report_page *page)
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

	for (unsigned i = 0; i < model->data.test_count; i++)
		headlines(model, table, &model->data.tests[i]);
	if (table->row_count > 0)
		report_block_table(page, table);
}

void report_summary_page(struct report_model *model)
{
	struct report_page *page = report_page_add(model, "summary", "Report summary", NULL);
	const struct report_data *data = &model->data;
	unsigned warnings = 0;

	for (unsigned i = 0; i < data->test_count; i++) {
		compliance_banner(model, page, &data->tests[i]);
		steady_banner(model, page, &data->tests[i]);
	}
	result_table(model, page);
	headline_table(model, page);
	for (unsigned i = 0; i < data->event_count; i++)
		warnings += strcmp(data->events[i].level, "info") != 0;
	report_block_add(
		page, BLOCK_NOTE, TONE_PLAIN,
		report_text(model,
			    "Values are means over the window rounds. %u deviations, %u "
			    "warnings and errors among the events, %llu I/O errors in "
			    "measured cells. Compliance is claimed for each test by itself, "
			    "never for the standard as a whole. The results relate only to "
			    "the item tested.",
			    data->deviation_count, warnings,
			    (unsigned long long)data->errors_total));
}
