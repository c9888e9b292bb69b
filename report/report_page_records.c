/*
 * Pages that record: deviations, set-up and method, events and anomalies, facts. Must not judge.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pts_clock.h"
#include "report_model_internal.h"

static const char *or_dash(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

static void text_row(struct report_model *model, struct report_table *table,
		     const char *const *values, unsigned count)
{
	struct report_cell *row = report_row_add(model, table);

	for (unsigned i = 0; i < count; i++)
		cell_text(&row[i], or_dash(values[i]));
}

void report_deviation_page(struct report_model *model)
{
	static const struct report_column columns[] = {
		{"test", "Test", "", false, 0.8},     {"clause", "Clause", "", false, 0.7},
		{"what", "What", "", false, 1.4},     {"required", "Required", "", false, 1.4},
		{"actual", "Actual", "", false, 1.4}, {"reason", "Reason", "", false, 2.6},
	};
	const struct report_data *data = &model->data;
	struct report_page *page =
		report_page_add(model, "deviations", "Deviations from the specification", NULL);
	struct report_table *table =
		report_table_new(model, "deviations", "Deviations", columns, 6);

	for (unsigned i = 0; i < data->deviation_count; i++) {
		const struct store_deviation *row = &data->deviations[i];
		const char *values[] = {row->test,     row->clause, row->what,
					row->required, row->actual, row->reason};

		text_row(model, table, values, 6);
	}
	for (unsigned i = 0; i < data->test_count; i++) {
		const struct report_test *test = &data->tests[i];

		report_block_add(page, BLOCK_BANNER, test->compliant ? TONE_GOOD : TONE_BAD,
				 report_text(model, "%s: %s", test->title,
					     test->compliant ? "COMPLIANT" : "NOT COMPLIANT"));
	}
	if (table->row_count > 0)
		report_block_table(page, table);
	else
		report_block_add(page, BLOCK_TEXT, TONE_PLAIN, "No deviation was recorded.");
	for (unsigned i = 0; i < data->test_count; i++) {
		const struct report_test *test = &data->tests[i];

		for (unsigned j = 0; j < test->own_reasons && j < 12; j++)
			report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
					 report_text(model, "%s is not compliant: %s.",
						     test->title, test->why_not.items[j]));
	}
}

static void pair(struct report_model *model, struct report_table *table, const char *name,
		 const char *value)
{
	struct report_cell *row = report_row_add(model, table);

	cell_text(&row[0], name);
	cell_text(&row[1], value != NULL && value[0] != '\0' ? value : REPORT_UNKNOWN);
}

static const struct report_column pair_columns[] = {
	{"name", "Item", "", false, 1},
	{"value", "Value", "", false, 3.4},
};

static const char *purge_evidence(const struct report_data *data)
{
	const char *evidence = data->run->purge_evidence;

	for (unsigned i = 0; evidence == NULL && i < data->event_count; i++) {
		if (strcmp(data->events[i].kind, "purge") == 0)
			evidence = data->events[i].text;
	}
	return evidence;
}

static void identification(struct report_model *model, struct report_page *page)
{
	const struct report_data *data = &model->data;
	const struct store_run *run = data->run;
	struct report_table *table =
		report_table_new(model, "run", "Identification and method", pair_columns, 2);

	table->is_pairs = true;
	table->first_is_head = true;
	pair(model, table, "Device identity", run->identity);
	pair(model, table, "Device path", run->device_path);
	pair(model, table, "Mode", run->mode);
	pair(model, table, "Purge method",
	     run->purge_method == NULL || run->purge_method[0] == '\0'
		     ? NULL
		     : report_text(model, "%s, %s", run->purge_method,
				   run->purge_is_pts ? "counts as a purge (PTS 3.2)"
						     : "does not count as a purge (PTS 3.2)"));
	pair(model, table, "Purge evidence", purge_evidence(data));
	pair(model, table, "Test software",
	     report_text(model, "pts %s, store schema %d", run->tool_version,
			 run->schema_version));
	pair(model, table, "I/O engine", run->backend);
	pair(model, table, "Clock",
	     run->clock_is_virtual ? "virtual" : "monotonic, of the host");
	pair(model, table, "Master seed", report_text(model, "%" PRIu64, run->master_seed));
	pair(model, table, "Plan SHA-256", run->plan_sha256);
	for (unsigned i = 0; i < data->test_count; i++) {
		const struct report_test *test = &data->tests[i];

		pair(model, table, report_text(model, "Spec, %s", test->title),
		     report_text(model, "%s, SHA-256 %s", test->spec_file, test->spec_sha256));
	}
	pair(model, table, "Command", run->command_line);
	pair(model, table, "State of the run",
	     run->state == STORE_DONE                                  ? "complete, sealed"
	     : run->stop_reason != NULL && run->stop_reason[0] != '\0' ? run->stop_reason
								       : "not ended");
	report_block_table(page, table);
}

static const char *what_text(struct report_model *model, const struct report_step *step)
{
	const struct report_plan_cell *cell = &step->cells[0];

	if (step->cell_count == 0)
		return "";
	if (step->cell_count > 1)
		return report_text(model, "%u cells of %s, TC %u x QD %u", step->cell_count,
				   report_duration(model, cell->duration_ns), cell->threads,
				   cell->queue_depth);
	return report_text(model, "%s, %s", cell->label,
			   cell->amount_bytes > 0 ? report_capacity(model, cell->amount_bytes)
						  : report_duration(model, cell->duration_ns));
}

static void steps_table(struct report_model *model, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"test", "Test", "", false, 0.6},
		{"phase", "Step", "", false, 0.9},
		{"what", "What", "", false, 3},
		{"rounds", "Rounds", "", true, 0.6},
		{"elapsed_s", "Time", "s", true, 0.9},
		{"bytes_written", "Written", "B", true, 1.6},
		{"max_gap_ms", "Longest gap", "ms", true, 1},
		{"outcome", "Outcome", "", false, 1},
	};
	const struct report_data *data = &model->data;
	struct report_table *table = report_table_new(model, "steps", "Steps", columns, 8);

	for (unsigned i = 0; i < data->step_count; i++) {
		const struct report_step *step = &data->steps[i];
		struct report_cell *row = report_row_add(model, table);

		cell_text(&row[0], step->test);
		cell_text(&row[1], step->phase);
		cell_text(&row[2], what_text(model, step));
		if (step->is_loop || step->rounds_closed > 0)
			cell_count(model, &row[3], (uint64_t)step->rounds_closed);
		cell_text(&row[7], step->outcome[0] ? step->outcome
				   : step->begun    ? "cut"
						    : "not begun");
		if (!step->ended) {
			cell_missing(&row[4], "the step did not end");
			cell_missing(&row[5], "the step did not end");
			cell_missing(&row[6], "the step did not end");
			continue;
		}
		cell_number(model, &row[4], (double)step->elapsed_ns / 1e9);
		cell_count(model, &row[5], step->bytes_written);
		if (step->cell_count > 1)
			cell_number(model, &row[6], (double)step->max_gap_ns / 1e6);
	}
	report_block_table(page, table);
}

/* Parameters are cited too; their rows stand above with the effective value. */
static bool is_param(const struct report_citation *citation)
{
	return strncmp(citation->path, "parameters.", 11) == 0 ||
	       strncmp(citation->path, "modes.", 6) == 0;
}

static void params_table(struct report_model *model, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"test", "Test", "", false, 0.6},
		{"parameter", "Parameter", "", false, 1.6},
		{"value", "Value", "", false, 2},
		{"standard", "Standard", "", false, 1.4},
		{"clause", "Clause", "", false, 0.7},
		{"basis", "Basis", "", false, 0.9},
		{"binding", "Binding", "", false, 0.9},
	};
	struct report_table *table =
		report_table_new(model, "parameters", "Parameters", columns, 7);

	for (unsigned i = 0; i < model->data.test_count; i++) {
		const struct report_test *test = &model->data.tests[i];

		for (unsigned j = 0; j < test->param_count; j++) {
			const struct report_param *param = &test->params[j];
			const char *values[] = {test->name,      param->name,   param->value,
						param->standard, param->clause, param->basis,
						param->binding};

			text_row(model, table, values, 7);
			if (param->overridden)
				table->cells[(size_t)(table->row_count - 1) * 7 + 2].tone =
					TONE_BAD;
		}
		for (unsigned j = 0; j < test->citation_count; j++) {
			const struct report_citation *citation = &test->citations[j];
			const char *values[] = {test->name,       citation->path,
						citation->value,  citation->value,
						citation->clause, citation->basis,
						citation->binding};

			if (is_param(citation))
				continue;
			text_row(model, table, values, 7);
		}
	}
	if (table->row_count == 0)
		return;
	report_block_add(
		page, BLOCK_NOTE, TONE_PLAIN,
		"Basis: how sure it is that the standard says so. confirmed: its text is "
		"quoted; implemented: seen in open implementations of this version; choice: "
		"the reading taken here.");
	report_block_table(page, table);
}

static void facts_table(struct report_model *model, struct report_page *page, const char *name,
			const char *title, enum report_scope before, enum report_scope after)
{
	static const struct report_column columns[] = {
		{"fact", "Fact", "", false, 1},
		{"before", "Before the run", "", false, 2},
		{"after", "After the run", "", false, 2},
	};
	const struct report_data *data = &model->data;
	struct report_table *table = report_table_new(model, name, title, columns, 3);

	for (unsigned i = 0; i < data->facts[before].count; i++) {
		const struct report_fact *fact = &data->facts[before].items[i];
		const char *then = report_fact(data, after, fact->key);
		struct report_cell *row = report_row_add(model, table);

		cell_text(&row[0], fact->key);
		cell_text(&row[1], fact->value);
		cell_text(&row[2], then == NULL                     ? REPORT_UNKNOWN
				   : strcmp(then, fact->value) == 0 ? "same"
								    : then);
		if (then != NULL && strcmp(then, fact->value) != 0)
			row[2].tone = TONE_WARN;
	}
	if (table->row_count > 0)
		report_block_table(page, table);
}

void report_setup_pages(struct report_model *model)
{
	struct report_page *page = report_page_add(model, "set-up", "Set-up and method", NULL);

	identification(model, page);
	steps_table(model, page);
	params_table(model, page);
	page = report_page_add(model, "facts", "Device and host facts", NULL);
	facts_table(model, page, "device-facts", "Device", SCOPE_DEVICE_BEFORE,
		    SCOPE_DEVICE_AFTER);
	facts_table(model, page, "host-facts", "Host", SCOPE_HOST_BEFORE, SCOPE_HOST_AFTER);
	if (page->block_count == 0)
		report_block_add(page, BLOCK_TEXT, TONE_PLAIN, "No facts were recorded.");
}

static void error_table(struct report_model *model, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"step", "Step", "", true, 0.6},
		{"round", "Round", "", true, 0.6},
		{"cell", "Cell", "", true, 0.6},
		{"at_ms", "At", "ms", true, 1},
		{"direction", "I/O", "", false, 0.6},
		{"offset_bytes", "Offset", "B", true, 1.6},
		{"length_bytes", "Length", "B", true, 1},
		{"got_bytes", "Done", "B", true, 1},
		{"errno", "Error", "", false, 2.4},
	};
	const struct report_data *data = &model->data;
	struct report_table *table =
		report_table_new(model, "io-errors", "I/O errors", columns, 9);

	for (unsigned i = 0; i < data->io_error_count; i++) {
		const struct store_io_error_row *error = &data->io_errors[i];
		struct report_cell *row = report_row_add(model, table);

		cell_count(model, &row[0], (uint64_t)error->step);
		if (error->round > 0)
			cell_count(model, &row[1], (uint64_t)error->round);
		cell_count(model, &row[2], (uint64_t)error->cell);
		cell_number(model, &row[3], (double)error->error.at_ns / 1e6);
		cell_text(&row[4], error->error.is_write ? "write" : "read");
		cell_count(model, &row[5], error->error.offset_bytes);
		cell_count(model, &row[6], error->error.length_bytes);
		cell_count(model, &row[7], error->error.got_bytes);
		cell_text(&row[8],
			  report_text(model, "%s (%d)", pts_errno_text(error->error.error),
				      error->error.error));
	}
	if (table->row_count > 0)
		report_block_table(page, table);
}

/* What the device can't run is a deviation of the plan; the matrix names it once. */
static bool is_applicable(const struct report_data *data, const struct report_cell_row *cell)
{
	for (unsigned i = 0; i < data->step_count; i++) {
		const struct report_step *step = &data->steps[i];

		if (step->index != cell->step)
			continue;
		for (unsigned c = 0; c < step->cell_count; c++) {
			if (step->cells[c].index == cell->cell)
				return step->cells[c].applicable;
		}
	}
	return true;
}

static void invalid_cells(struct report_model *model, struct report_page *page)
{
	static const struct report_column columns[] = {
		{"step", "Step", "", true, 0.6},
		{"round", "Round", "", true, 0.6},
		{"cell", "Cell", "", false, 2},
		{"reason", "Why it has no value", "", false, 4},
	};
	const struct report_data *data = &model->data;
	struct report_table *table =
		report_table_new(model, "missing-cells", "Cells without a value", columns, 4);

	for (size_t i = 0; i < data->cell_count; i++) {
		const struct report_cell_row *cell = &data->cells[i];
		struct report_cell *row;

		if (cell->valid || !is_applicable(data, cell))
			continue;
		row = report_row_add(model, table);
		cell_count(model, &row[0], (uint64_t)cell->step);
		if (cell->round > 0)
			cell_count(model, &row[1], (uint64_t)cell->round);
		cell_text(&row[2], cell->label);
		cell_text(&row[3], or_dash(cell->reason));
	}
	/* the same few cells in every round: the page keeps to the first ones, the CSV has all */
	if (table->row_count > 0 && table->row_count <= 60)
		report_block_table(page, table);
	else if (table->row_count > 60)
		report_block_add(
			page, BLOCK_NOTE, TONE_WARN,
			report_text(model,
				    "%u cells have no value; tables/missing-cells.csv lists "
				    "them.",
				    table->row_count));
}

static enum report_tone level_tone(const char *level)
{
	return strcmp(level, "error") == 0     ? TONE_BAD
	       : strcmp(level, "warning") == 0 ? TONE_WARN
					       : TONE_PLAIN;
}

void report_event_page(struct report_model *model)
{
	static const struct report_column columns[] = {
		{"time", "Time (UTC)", "", false, 1.5},  {"level", "Level", "", false, 0.7},
		{"kind", "Kind", "", false, 0.9},        {"step", "Step", "", true, 0.5},
		{"round", "Round", "", true, 0.6},       {"cell", "Cell", "", true, 0.5},
		{"text", "What happened", "", false, 5},
	};
	const struct report_data *data = &model->data;
	struct report_page *page =
		report_page_add(model, "events",
				data->run->clock_is_virtual
					? "Events and anomalies, at times of the virtual clock"
					: "Events and anomalies",
				NULL);
	struct report_table *table = report_table_new(model, "events", "Events", columns, 7);

	for (unsigned i = 0; i < data->event_count; i++) {
		const struct store_event *event = &data->events[i];
		struct report_cell *row = report_row_add(model, table);

		cell_text(&row[0], report_wall(model, event->wall_ns));
		cell_text(&row[1], event->level);
		row[1].tone = level_tone(event->level);
		cell_text(&row[2], event->kind);
		if (event->step >= 0)
			cell_count(model, &row[3], (uint64_t)event->step);
		if (event->round > 0)
			cell_count(model, &row[4], (uint64_t)event->round);
		if (event->cell >= 0 && event->round > 0)
			cell_count(model, &row[5], (uint64_t)event->cell);
		cell_text(&row[6], event->text);
	}
	if (table->row_count > 0)
		report_block_table(page, table);
	else
		report_block_add(page, BLOCK_TEXT, TONE_PLAIN, "No event was recorded.");
	error_table(model, page);
	invalid_cells(model, page);
}
