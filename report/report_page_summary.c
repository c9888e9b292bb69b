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

void report_summary_page(struct report_model *model)
{
	struct report_page *page = report_page_add(model, "summary", "Report summary", NULL);
	const struct report_data *data = &model->data;
	unsigned warnings = 0;

	if (data->test_count > 1)
		report_result_table(model, page);
	for (unsigned i = 0; i < data->test_count; i++) {
		compliance_banner(model, page, &data->tests[i]);
		steady_banner(model, page, &data->tests[i]);
	}
	if (data->test_count <= 1)
		report_result_table(model, page);
	report_headline_table(model, page);
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
