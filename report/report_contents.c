/*
 * The table of contents of a report of several tests: a row for each page, with its number once
 * the pages are laid out. Must not know what is on a page.
 */
#include <string.h>

#include "report_model_internal.h"

static struct report_page *contents_page(const struct report_model *model)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		if (strcmp(model->pages[i]->kind, "contents") == 0)
			return model->pages[i];
	}
	return NULL;
}

void report_contents_page(struct report_model *model)
{
	if (model->data.test_count > 1)
		report_page_add(model, "contents", "Contents", NULL);
}

void report_contents_fill(struct report_model *model)
{
	static const struct report_column columns[] = {
		{"test", "Test", "", false, 1.4},
		{"title", "Page", "", false, 3},
		{"page", "Number", "", true, 0.4},
	};
	struct report_page *contents = contents_page(model);
	const struct report_test *last = NULL;
	struct report_table *table;

	if (contents == NULL)
		return;
	table = report_table_new(model, "contents", contents->title, columns, 3);
	for (unsigned i = 0; i < model->page_count; i++) {
		const struct report_page *page = model->pages[i];
		struct report_cell *row;

		if (page == contents)
			continue;
		row = report_row_add(model, table);
		if (page->test != NULL && page->test != last)
			cell_text(&row[0], page->test->title);
		last = page->test;
		cell_text(&row[1], page->title);
		row[1].link = page->id;
	}
	table->first_is_head = true;
	report_block_table(contents, table);
}

static unsigned number_of(const struct report_model *model, const char *id)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		if (strcmp(model->pages[i]->id, id) == 0)
			return model->pages[i]->number;
	}
	return 0;
}

void report_contents_number(struct report_model *model)
{
	const struct report_page *contents = contents_page(model);
	const struct report_table *table = NULL;

	if (contents == NULL || contents->block_count == 0)
		return;
	table = contents->blocks[0].table;
	for (unsigned r = 0; r < table->row_count; r++) {
		struct report_cell *row = &table->cells[(size_t)r * table->column_count];

		cell_count(model, &row[2], number_of(model, row[1].link));
	}
}
