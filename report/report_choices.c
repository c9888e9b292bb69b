/*
 * The points that a test chose from measured cells: which cell, by which rule, and its figures.
 * Tells what the store holds; chooses nothing.
 */
#include <math.h>
#include <string.h>

#include "report_model_internal.h"

/* What the plan says of a rule; the store says which cell came of it. */
static const char *rule_text(struct report_model *model, const struct report_choice *choice)
{
	if (strcmp(choice->rule, "highest") == 0)
		return report_text(model, "highest %s", report_metric_title(choice->metric));
	if (strcmp(choice->rule, "nearest_mean") == 0)
		return report_text(model, "nearest to the mean, %s",
				   report_metric_title(choice->metric));
	return "the cell that the specification names";
}

static void choice_row(struct report_model *model, struct report_table *table,
		       const struct report_choice *choice)
{
	struct report_cell *row = report_row_add(model, table);
	const char *none = "no cell fits the rule";

	cell_text(&row[0], choice->name);
	cell_text(&row[1], rule_text(model, choice));
	if (choice->cell < 0) {
		for (unsigned i = 2; i < 7; i++)
			cell_missing(&row[i], none);
		return;
	}
	cell_count(model, &row[2], choice->threads);
	cell_count(model, &row[3], choice->queue_depth);
	cell_count(model, &row[4], (uint64_t)choice->threads * choice->queue_depth);
	cell_number(model, &row[5], choice->value * report_metric_scale(choice->metric));
	cell_number(model, &row[6], choice->lat_mean_ns * 1e-6);
}

static struct report_table *choice_table(struct report_model *model,
					 const struct report_test *test,
					 const struct report_choice *first, const char *title)
{
	const struct report_column columns[] = {
		{"name", "Point", "", false, 0.8},
		{"rule", "Rule", "", false, 2},
		{"threads", "Threads", "", true, 0.7},
		{"queue_depth", "Queue depth", "", true, 0.8},
		{"total_oio", "Total OIO", "", true, 0.8},
		{"value", report_metric_title(first->metric), report_metric_unit(first->metric),
		 true, 1},
		{"lat_mean_ms", "Average response time", "ms", true, 1.2},
	};
	struct report_table *table =
		report_table_new(model, report_text(model, "%s choices", test->name), title,
				 columns, sizeof(columns) / sizeof(columns[0]));

	table->first_is_head = true;
	table->is_large = true;
	return table;
}

/* The choices of one step, from first on: they stand together. */
static void choice_page(struct report_model *model, const struct report_test *test,
			const struct report_step *step, const struct report_choice *first)
{
	const struct report_data *data = &model->data;
	const char *title = "Chosen Points";
	struct report_page *page = report_page_add(model, "choices", title, test);
	struct report_table *table = choice_table(model, test, first, title);

	for (unsigned i = 0; i < data->choice_count; i++) {
		if (data->choices[i].step == step->index)
			choice_row(model, table, &data->choices[i]);
	}
	report_block_table(page, table);
	report_footnotes(model, page, table);
	report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
			 report_text(model,
				     "Means over the rounds %d-%d. Reads and writes count "
				     "together.",
				     first->first_round, first->last_round));
}

void report_choice_pages(struct report_model *model, const struct report_test *test)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		for (unsigned c = 0; c < model->data.choice_count; c++) {
			if (model->data.choices[c].step != test->steps[i]->index)
				continue;
			choice_page(model, test, test->steps[i], &model->data.choices[c]);
			break;
		}
	}
}
