/*
 * report.json: everything of the pages and more, for programs. Missing values are null, with the
 * reason beside them; never NaN or infinity. report.schema.json describes each key.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_escape_internal.h"
#include "report_write_internal.h"

#define REPORT_JSON_VERSION 1

/* A string as it is if it is valid UTF-8, else with the odd bytes shown. */
static json_t *text(const char *value)
{
	json_t *string;
	struct pts_buf buf = {0};

	if (value == NULL)
		return json_null();
	string = json_string(value);
	if (string != NULL)
		return string;
	escape_plain(&buf, value, 1);
	string = json_string(buf.data);
	pts_buf_release(&buf);
	return string;
}

/* Whole numbers stay whole; what is no number is null. */
static json_t *number(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 9007199254740992.0)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static void put_text(json_t *object, const char *key, const char *value)
{
	json_object_set_new(object, key, text(value));
}

static json_t *table_row(const struct report_table *table, const struct report_cell *cells)
{
	json_t *row = json_object();
	json_t *reasons = json_object();

	for (unsigned c = 0; c < table->column_count; c++) {
		const char *key = table->columns[c].key;

		if (cells[c].kind == CELL_TEXT)
			put_text(row, key, cells[c].text);
		else
			json_object_set_new(row, key, number(cells[c].value));
		if (cells[c].kind == CELL_MISSING)
			put_text(reasons, key, cells[c].reason);
	}
	if (json_object_size(reasons) > 0)
		json_object_set_new(row, "missing_reason", reasons);
	else
		json_decref(reasons);
	return row;
}

static json_t *table(const struct report_table *source)
{
	json_t *object = json_object();
	json_t *columns = json_array();
	json_t *rows = json_array();

	put_text(object, "name", source->name);
	put_text(object, "title", source->title);
	for (unsigned c = 0; c < source->column_count; c++) {
		json_t *column = json_object();

		put_text(column, "key", source->columns[c].key);
		put_text(column, "title", source->columns[c].title);
		put_text(column, "unit", source->columns[c].unit);
		json_array_append_new(columns, column);
	}
	for (unsigned r = 0; r < source->row_count; r++)
		json_array_append_new(
			rows,
			table_row(source, &source->cells[(size_t)r * source->column_count]));
	json_object_set_new(object, "columns", columns);
	json_object_set_new(object, "rows", rows);
	return object;
}

static json_t *numbers(const double *values, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, number(values[i]));
	return list;
}

static json_t *series(const struct report_series *source)
{
	json_t *object = json_object();

	put_text(object, "name", source->name);
	if (source->on_y2)
		put_text(object, "axis", "y2");
	json_object_set_new(object, "x", numbers(source->x, source->count));
	if (source->x_end != NULL)
		json_object_set_new(object, "x_end", numbers(source->x_end, source->count));
	json_object_set_new(object, "y", numbers(source->y, source->count));
	return object;
}

static json_t *marks(const struct report_plot *source)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < source->mark_count; i++) {
		const struct report_mark *mark = &source->marks[i];
		double to = mark->kind == MARK_LINE ? mark->from : mark->to;
		json_t *one = json_object();

		put_text(one, "text", mark->text);
		json_object_set_new(one, "from", number(mark->from));
		json_object_set_new(one, "to", number(to));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *plot(const struct report_plot *source)
{
	bool columns = source->kind == PLOT_COLUMNS;
	json_t *object = json_object();
	json_t *list = json_array(), *names = json_array();

	put_text(object, "kind", columns ? "columns" : "lines");
	put_text(object, "x", source->x.label);
	put_text(object, "y", source->y.label);
	if (source->has_y2)
		put_text(object, "y2", source->y2.label);
	if (columns) {
		put_text(object, "depth", source->z.label);
		for (unsigned i = 0; i < source->x.tick_count; i++)
			json_array_append_new(names, text(source->x.ticks[i].text));
		json_object_set(object, "x_names", names);
	}
	json_decref(names);
	if (source->cannot != NULL)
		put_text(object, "not_drawn", source->cannot);
	if (source->mark_count > 0)
		json_object_set_new(object, "marks", marks(source));
	for (unsigned s = 0; s < source->series_count; s++)
		json_array_append_new(list, series(&source->series[s]));
	json_object_set_new(object, "series", list);
	return object;
}

static json_t *page(const struct report_page *source)
{
	json_t *object = json_object();
	json_t *statements = json_array(), *tables = json_array(), *plots = json_array();

	json_object_set_new(object, "number", json_integer(source->number));
	put_text(object, "id", source->id);
	put_text(object, "kind", source->kind);
	put_text(object, "title", source->title);
	put_text(object, "test", source->test != NULL ? source->test->name : NULL);
	for (unsigned b = 0; b < source->block_count; b++) {
		const struct report_block *block = &source->blocks[b];

		if (block->kind == BLOCK_TABLE)
			json_array_append_new(tables, text(block->table->name));
		else if (block->kind == BLOCK_PLOT)
			json_array_append_new(plots, plot(block->plot));
		else
			json_array_append_new(statements, text(block->text));
	}
	json_object_set_new(object, "statements", statements);
	json_object_set_new(object, "tables", tables);
	json_object_set_new(object, "plots", plots);
	return object;
}

static json_t *pairs(const struct report_pair *list, unsigned count)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < count; i++) {
		json_t *pair = json_object();

		put_text(pair, "name", list[i].name);
		put_text(pair, "value", list[i].value);
		json_array_append_new(array, pair);
	}
	return array;
}

static json_t *header(const struct report_header *source)
{
	json_t *object = json_object();
	json_t *columns = json_array();

	json_object_set_new(object, "fields", pairs(source->top, source->top_count));
	for (unsigned c = 0; c < HEADER_COLUMNS; c++) {
		json_t *column = json_object();

		put_text(column, "title", source->columns[c].title);
		json_object_set_new(column, "pairs",
				    pairs(source->columns[c].pairs, source->columns[c].count));
		json_array_append_new(columns, column);
	}
	json_object_set_new(object, "columns", columns);
	return object;
}

static json_t *test(const struct report_test *source)
{
	json_t *object = json_object();
	json_t *why = json_array();
	const struct report_step *loop = source->loop;

	put_text(object, "name", source->name);
	put_text(object, "title", source->title);
	put_text(object, "standard", source->standard);
	put_text(object, "revision", source->revision);
	put_text(object, "section", source->section);
	put_text(object, "mode", source->mode);
	put_text(object, "spec_sha256", source->spec_sha256);
	json_object_set_new(object, "compliant", json_boolean(source->compliant));
	for (unsigned i = 0; i < source->why_not.count; i++)
		json_array_append_new(why, text(source->why_not.items[i]));
	json_object_set_new(object, "not_compliant_because", why);
	json_object_set_new(object, "steady",
			    source->judged ? json_boolean(source->steady) : json_null());
	json_object_set_new(object, "first_round",
			    loop != NULL && loop->has_window ? json_integer(loop->first_round)
							     : json_null());
	json_object_set_new(object, "last_round",
			    loop != NULL && loop->has_window ? json_integer(loop->last_round)
							     : json_null());
	json_object_set_new(object, "header", header(&source->header));
	return object;
}

static json_t *run(const struct report_model *model)
{
	static const char *const states[] = {"running", "stopped", "failed", "done"};
	const struct store_run *source = model->data.run;
	json_t *object = json_object();
	char seed[32];

	put_text(object, "tool_version", source->tool_version);
	put_text(object, "mode", source->mode);
	put_text(object, "identity", source->identity);
	put_text(object, "device_path", source->device_path);
	json_object_set_new(object, "capacity_bytes", number((double)source->capacity_bytes));
	json_object_set_new(object, "lba_bytes", json_integer(source->lba_bytes));
	snprintf(seed, sizeof(seed), "%" PRIu64, source->master_seed);
	put_text(object, "master_seed", seed); /* as text: programs read numbers as doubles */
	put_text(object, "plan_sha256", source->plan_sha256);
	put_text(object, "command_line", source->command_line);
	put_text(object, "backend", source->backend);
	put_text(object, "purge_method", source->purge_method);
	json_object_set_new(object, "purge_is_pts", json_boolean(source->purge_is_pts));
	put_text(object, "started",
		 report_wall((struct report_model *)model, source->started_wall_ns));
	put_text(object, "ended",
		 source->ended_wall_ns
			 ? report_wall((struct report_model *)model, source->ended_wall_ns)
			 : NULL);
	json_object_set_new(object, "clock_is_virtual", json_boolean(source->clock_is_virtual));
	put_text(object, "report_date",
		 report_wall((struct report_model *)model, model->report_wall_ns));
	put_text(object, "state", states[source->state]);
	put_text(object, "stop_reason", source->stop_reason);
	put_text(object, "not_a_drive", report_not_a_drive(model));
	return object;
}

static json_t *facts(const struct report_data *data)
{
	static const char *const names[SCOPES] = {"device_before", "device_after",
						  "host_before", "host_after", "about"};
	json_t *object = json_object();

	for (unsigned s = 0; s < SCOPES; s++) {
		json_t *scope = json_object();

		for (unsigned i = 0; i < data->facts[s].count; i++) {
			json_t *key = text(data->facts[s].items[i].key);

			put_text(scope, json_string_value(key), data->facts[s].items[i].value);
			json_decref(key);
		}
		json_object_set_new(object, names[s], scope);
	}
	return object;
}

int report_json(struct pts_buf *buf, const struct report_model *model, struct pts_err *err)
{
	json_t *root = json_object();
	json_t *tests = json_array(), *pages = json_array(), *tables = json_array();
	char *dump;

	put_text(root, "format", "pts-report");
	json_object_set_new(root, "schema_version", json_integer(REPORT_JSON_VERSION));
	json_object_set_new(root, "run", run(model));
	for (unsigned i = 0; i < model->data.test_count; i++)
		json_array_append_new(tests, test(&model->data.tests[i]));
	json_object_set_new(root, "tests", tests);
	for (unsigned i = 0; i < model->page_count; i++)
		json_array_append_new(pages, page(model->pages[i]));
	json_object_set_new(root, "pages", pages);
	for (unsigned i = 0; i < model->table_count; i++)
		json_array_append_new(tables, table(model->tables[i]));
	json_object_set_new(root, "tables", tables);
	json_object_set_new(root, "facts", facts(&model->data));
	dump = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	json_decref(root);
	if (dump == NULL)
		return pts_fail(err, PTS_EXIT_BUG, 0, "cannot write report.json");
	pts_buf_puts(buf, dump);
	pts_buf_puts(buf, "\n");
	free(dump);
	return 0;
}
