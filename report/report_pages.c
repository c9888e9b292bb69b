/*
 * Spec pages -> model: gives each page kind of a spec its meaning, in the spec's order. Knows
 * what a page shows; must not know how it is written.
 */
#include "report_model_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *kind;
	void (*make)(struct report_model *model, const struct report_test *test,
		     const struct report_spec_page *spec);
	bool wants_loop; /* its step must have rounds */
} kinds[] = {
	{"convergence", report_convergence_page, true},
	{"window", report_window_page, true},
	{"matrix_table", report_matrix_table_page, true},
	{"matrix_lines", report_matrix_plot_page, true},
	{"matrix_columns", report_matrix_plot_page, true},
	{"timeline", report_timeline_page, false},
	{"histogram", report_histogram_page, false},
	{"recovery", report_recovery_page, false},
	{"cell_bars", report_cell_bars_page, true},
};

static void unknown_page(struct report_model *model, const struct report_test *test,
			 const struct report_spec_page *spec)
{
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);

	report_block_add(
		page, BLOCK_NOTE, TONE_WARN,
		report_text(model,
			    "This version draws no pages of kind '%s'; the measured values "
			    "are in tables/cells.csv and report.json.",
			    spec->kind));
}

/* Stores come from elsewhere too: a page may name a step that is not there, or of another kind. */
static bool can_show(const struct report_test *test, const struct report_spec_page *spec,
		     bool wants_loop)
{
	const struct report_step *step = report_step_named(test, spec->step);

	return !wants_loop || (step != NULL && step->is_loop);
}

static void test_pages(struct report_model *model, const struct report_test *test)
{
	for (unsigned i = 0; i < test->page_count; i++) {
		const struct report_spec_page *spec = &test->pages[i];
		bool made = false;

		for (unsigned j = 0; j < sizeof(kinds) / sizeof(kinds[0]) && !made; j++) {
			if (strcmp(spec->kind, kinds[j].kind) != 0 ||
			    !can_show(test, spec, kinds[j].wants_loop))
				continue;
			kinds[j].make(model, test, spec);
			made = true;
		}
		if (!made)
			unknown_page(model, test, spec);
	}
	report_choice_pages(model, test);
}

void report_pages(struct report_model *model)
{
	report_summary_page(model);
	report_contents_page(model);
	report_deviation_page(model);
	/* of several tests the results come first: the set-up of all is many pages */
	if (model->data.test_count == 1)
		report_setup_pages(model);
	for (unsigned i = 0; i < model->data.test_count; i++)
		test_pages(model, &model->data.tests[i]);
	if (model->data.test_count != 1)
		report_setup_pages(model);
	report_unsteady_banners(model);
	report_event_page(model);
	report_extra_tables(model);
	report_contents_fill(model);
}
