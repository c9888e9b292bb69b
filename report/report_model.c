/*
 * Building blocks of the report model: pages, blocks, tables, cells, and numbers as people read
 * them. Must not know stores, specs or file formats.
 */
#include "report_model_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_clock.h"
#include "pts_text.h"
#include "pts_units.h"

const char *report_text(struct report_model *model, const char *fmt, ...)
{
	va_list args;
	char *heap = NULL;
	const char *text;

	va_start(args, fmt);
	if (vasprintf(&heap, fmt, args) < 0)
		abort(); /* out of memory, as in the arena */
	va_end(args);
	text = pts_arena_strdup(model->arena, heap);
	free(heap);
	return text;
}

const char *report_slug(struct report_model *model, const char *text)
{
	char *slug = pts_arena_alloc(model->arena, strlen(text) + 2);
	size_t length = 0;

	for (; *text != '\0'; text++) {
		if (isalnum((unsigned char)*text) && (unsigned char)*text < 0x80)
			slug[length++] = (char)tolower((unsigned char)*text);
		else if (length > 0 && slug[length - 1] != '-')
			slug[length++] = '-';
	}
	while (length > 0 && slug[length - 1] == '-')
		length--;
	if (length == 0)
		slug[length++] = 'x';
	slug[length] = '\0';
	return slug;
}

static void *grown(struct report_model *model, const void *items, unsigned count,
		   unsigned *room, size_t size)
{
	unsigned more = *room == 0 ? 16 : *room * 2;
	void *bigger = pts_arena_alloc(model->arena, more * size);

	if (count > 0)
		memcpy(bigger, items, count * size);
	*room = more;
	return bigger;
}

static bool id_taken(const struct report_model *model, const char *id)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		if (strcmp(model->pages[i]->id, id) == 0)
			return true;
	}
	return false;
}

struct report_page *report_page_add(struct report_model *model, const char *kind,
				    const char *title, const struct report_test *test)
{
	struct report_page *page = PTS_ARENA_NEW(model->arena, struct report_page);
	const char *slug = report_slug(
		model, report_text(model, "%s %s", test ? test->name : "run", kind));
	unsigned next = 2;

	page->id = slug;
	while (id_taken(model, page->id))
		page->id = report_text(model, "%s-%u", slug, next++);
	page->kind = kind;
	page->title = title;
	page->test = test;
	if (model->page_count == model->page_room)
		model->pages = grown(model, model->pages, model->page_count, &model->page_room,
				     sizeof(struct report_page *));
	model->pages[model->page_count++] = page;
	return page;
}

struct report_block *report_block_add(struct report_page *page, enum report_block_kind kind,
				      enum report_tone tone, const char *text)
{
	struct report_block *block =
		&page->blocks[page->block_count < REPORT_BLOCKS ? page->block_count++
								: REPORT_BLOCKS - 1];

	memset(block, 0, sizeof(*block));
	block->kind = kind;
	block->tone = tone;
	block->text = text;
	return block;
}

void report_block_table(struct report_page *page, const struct report_table *table)
{
	struct report_block *block = report_block_add(page, BLOCK_TABLE, TONE_PLAIN, NULL);

	block->table = table;
	block->row_count = table->row_count;
	if (strcmp(table->title, page->title) != 0)
		block->text = table->title;
}

void report_block_plot(struct report_page *page, struct report_plot *plot)
{
	report_block_add(page, BLOCK_PLOT, TONE_PLAIN, NULL)->plot = plot;
}

struct report_table *report_table_new(struct report_model *model, const char *name,
				      const char *title, const struct report_column *columns,
				      unsigned column_count)
{
	struct report_table *table = PTS_ARENA_NEW(model->arena, struct report_table);
	struct report_column *copy =
		PTS_ARENA_ARRAY(model->arena, struct report_column, column_count);

	memcpy(copy, columns, column_count * sizeof(*copy));
	table->name = report_slug(model, name);
	for (unsigned i = 0, next = 2; i < model->table_count; i++) {
		if (strcmp(model->tables[i]->name, table->name) == 0) {
			table->name =
				report_text(model, "%s-%u", report_slug(model, name), next++);
			i = (unsigned)-1;
		}
	}
	table->title = title;
	table->columns = copy;
	table->column_count = column_count;
	if (model->table_count == model->table_room)
		model->tables = grown(model, model->tables, model->table_count,
				      &model->table_room, sizeof(struct report_table *));
	model->tables[model->table_count++] = table;
	return table;
}

struct report_cell *report_row_add(struct report_model *model, struct report_table *table)
{
	size_t row_bytes = table->column_count * sizeof(struct report_cell);
	struct report_cell *row;

	if (table->row_count == table->row_room)
		table->cells = grown(model, table->cells, table->row_count, &table->row_room,
				     row_bytes);
	row = &table->cells[(size_t)table->row_count++ * table->column_count];
	for (unsigned i = 0; i < table->column_count; i++)
		cell_text(&row[i], "");
	return row;
}

void report_footnotes(struct report_model *model, struct report_page *page,
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
		if (mark < count)
			cell->text = report_text(model, "n/a [%u]", mark + 1);
	}
	for (unsigned i = 0; i < count; i++)
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
				 report_text(model, "[%u] n/a: %s", i + 1, reasons[i]));
}

void cell_text(struct report_cell *cell, const char *text)
{
	*cell = (struct report_cell){.kind = CELL_TEXT, .text = text, .value = NAN};
}

void cell_shown(struct report_cell *cell, double value, const char *text)
{
	*cell = (struct report_cell){.kind = CELL_NUMBER, .text = text, .value = value};
}

void cell_number(struct report_model *model, struct report_cell *cell, double value)
{
	if (isfinite(value))
		cell_shown(cell, value, report_number(model, value));
	else
		cell_missing(cell, "no value");
}

void cell_count(struct report_model *model, struct report_cell *cell, uint64_t value)
{
	char text[48];

	pts_number_text((double)value, 0, text, sizeof(text));
	cell_shown(cell, (double)value, report_text(model, "%s", text));
}

void cell_missing(struct report_cell *cell, const char *reason)
{
	*cell = (struct report_cell){
		.kind = CELL_MISSING, .text = "n/a", .value = NAN, .reason = reason};
}

const char *report_number(struct report_model *model, double value)
{
	char text[64];
	int digits = 0;

	if (!isfinite(value))
		return "n/a";
	if (value != 0)
		digits = 4 - (int)floor(log10(fabs(value)));
	digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
	if (value == floor(value) && fabs(value) < 1e15)
		digits = 0;
	pts_number_text(value, digits, text, sizeof(text));
	return report_text(model, "%s", text);
}

const char *report_block_tick(struct report_model *model, uint64_t bytes)
{
	char text[32];

	pts_double_text((double)bytes / 1024, text, sizeof(text));
	return report_text(model, "%s", text);
}

const char *report_block_size(struct report_model *model, uint64_t bytes)
{
	return report_text(model, "%s KiB", report_block_tick(model, bytes));
}

const char *report_mix(struct report_model *model, int read_pct)
{
	if (read_pct < 0)
		return "several";
	return report_text(model, "%d/%d", read_pct, 100 - read_pct);
}

const char *report_wall(struct report_model *model, uint64_t wall_ns)
{
	char text[40];

	if (wall_ns == 0)
		return REPORT_UNKNOWN;
	pts_wall_text(wall_ns, text, sizeof(text));
	return report_text(model, "%s", text);
}

/* How many of the letter stand at the end of a text. */
static size_t trailing(const char *text, char letter)
{
	size_t length = strlen(text), count = 0;

	while (count < length && text[length - 1 - count] == letter)
		count++;
	return count;
}

const char *report_duration(struct report_model *model, uint64_t ns)
{
	char text[64];

	if (ns < 60 * PTS_NS_PER_S) {
		/* no digit of a short time is cut off, and none is shown that says nothing */
		snprintf(text, sizeof(text), "%s",
			 report_number(model, (double)ns / (double)PTS_NS_PER_S));
		if (strchr(text, '.')) {
			text[strlen(text) - trailing(text, '0')] = '\0';
			text[strlen(text) - trailing(text, '.')] = '\0';
		}
		return report_text(model, "%s s", text);
	}
	pts_duration_human(ns, text, sizeof(text));
	return report_text(model, "%s", text);
}

const char *report_capacity(struct report_model *model, uint64_t bytes)
{
	char human[64], whole[64];

	pts_capacity_human(bytes, human, sizeof(human));
	pts_number_text((double)bytes, 0, whole, sizeof(whole));
	return report_text(model, "%s (%s B)", human, whole);
}

static const struct {
	const char *name, *title, *unit;
	double factor;
} metrics[] = {
	{"iops", "IOPS", "IOPS", 1},
	{"mb_per_s", "Throughput", "MB/s", 1},
	{"lat_mean_ns", "Average response time", "ms", 1e-6},
	{"lat_p99999_ns", "99.999 % response time", "ms", 1e-6},
	{"lat_max_ns", "Maximum response time", "ms", 1e-6},
	{"cpu_system", "System CPU utilisation", "%", 1},
};

static unsigned metric_index(const char *metric)
{
	for (unsigned i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		if (metric != NULL && strncmp(metrics[i].name, metric, strlen(metric)) == 0)
			return i;
	}
	return 0;
}

const char *report_metric_title(const char *metric)
{
	return metrics[metric_index(metric)].title;
}

const char *report_metric_unit(const char *metric)
{
	return metrics[metric_index(metric)].unit;
}

double report_metric_scale(const char *metric)
{
	return metrics[metric_index(metric)].factor;
}

const char *report_metric_label(struct report_model *model, const char *metric)
{
	const char *title = report_metric_title(metric);
	const char *unit = report_metric_unit(metric);

	return strcmp(title, unit) == 0 ? title : report_text(model, "%s (%s)", title, unit);
}
