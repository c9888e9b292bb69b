/*
 * The report as Markdown (GitHub's dialect) for issue trackers and terminals: every verdict,
 * statement and table, with tables that are aligned as they stand. Nothing of a device, a spec or
 * an operator is taken for markup, a link, a mention or a reference.
 */
#include <string.h>

#include "report_escape_internal.h"
#include "report_write_internal.h"

/* A longer text sticks out of its column: one long reason must not make a table of 300 columns. */
#define MARKDOWN_CELL 48

static void spaces(struct pts_buf *buf, unsigned count)
{
	while (count-- > 0)
		pts_buf_puts(buf, " ");
}

static void paragraph(struct pts_buf *buf, const char *before, const char *text,
		      const char *after)
{
	pts_buf_puts(buf, before);
	escape_markdown(buf, text);
	pts_buf_printf(buf, "%s\n\n", after);
}

/* What stands in a cell of the head (row < 0) or of a row; `out` is emptied first. */
static void cell_of(const struct report_table *table, int row, unsigned column,
		    struct pts_buf *out)
{
	const struct report_column *head = &table->columns[column];
	const struct report_cell *cell;

	pts_buf_release(out);
	pts_buf_puts(out, "");
	if (row < 0) {
		escape_markdown(out, head->title);
		if (head->unit[0] != '\0' && table->corner == NULL &&
		    strstr(head->title, head->unit) == NULL) {
			pts_buf_puts(out, " (");
			escape_markdown(out, head->unit);
			pts_buf_puts(out, ")");
		}
		return;
	}
	cell = &table->cells[(size_t)row * table->column_count + column];
	if (cell->tone != TONE_PLAIN && cell->text[0] != '\0') {
		pts_buf_puts(out, "**");
		escape_markdown(out, cell->text);
		pts_buf_puts(out, "**");
	} else {
		escape_markdown(out, cell->text);
	}
}

static unsigned width_of(const struct report_table *table, unsigned column, unsigned first,
			 unsigned count)
{
	struct pts_buf text = {0};
	unsigned widest = 3; /* of "---" */

	for (int row = -1; row < (int)(first + count);
	     row = row < 0 && first > 0 ? (int)first : row + 1) {
		unsigned width;

		cell_of(table, row, column, &text);
		width = escape_columns(text.data, text.length);
		if (width > widest)
			widest = width;
	}
	pts_buf_release(&text);
	return widest < MARKDOWN_CELL ? widest : MARKDOWN_CELL;
}

static void table_row(struct pts_buf *buf, const struct report_table *table,
		      const unsigned *widths, int row)
{
	struct pts_buf text = {0};

	for (unsigned c = 0; c < table->column_count; c++) {
		bool right = table->columns[c].is_number && !table->is_pairs;
		unsigned width, room;

		cell_of(table, row, c, &text);
		width = escape_columns(text.data, text.length);
		room = width < widths[c] ? widths[c] - width : 0;
		pts_buf_puts(buf, "| ");
		spaces(buf, right ? room : 0);
		pts_buf_puts(buf, text.data);
		spaces(buf, (right ? 0 : room) + 1);
	}
	pts_buf_puts(buf, "|\n");
	pts_buf_release(&text);
}

static void rule(struct pts_buf *buf, const struct report_table *table, const unsigned *widths)
{
	for (unsigned c = 0; c < table->column_count; c++) {
		bool right = table->columns[c].is_number && !table->is_pairs;

		pts_buf_puts(buf, "| ");
		for (unsigned i = right; i < widths[c]; i++)
			pts_buf_puts(buf, "-");
		pts_buf_puts(buf, right ? ": " : " ");
	}
	pts_buf_puts(buf, "|\n");
}

static void markdown_table(struct pts_buf *buf, const struct report_table *table,
			   unsigned first, unsigned count)
{
	unsigned widths[REPORT_TICKS];

	if (table->column_count > REPORT_TICKS) {
		paragraph(buf, "", "(too wide: see the CSV file of this table)", "");
		return;
	}
	for (unsigned c = 0; c < table->column_count; c++)
		widths[c] = width_of(table, c, first, count);
	if (table->corner != NULL)
		paragraph(buf, "Columns: ", table->corner, "");
	table_row(buf, table, widths, -1);
	rule(buf, table, widths);
	for (unsigned row = first; row < first + count; row++)
		table_row(buf, table, widths, (int)row);
	pts_buf_puts(buf, "\n");
}

static void pair(struct pts_buf *buf, const struct report_pair *pair)
{
	pts_buf_puts(buf, "- ");
	escape_markdown(buf, pair->name);
	pts_buf_puts(buf, ": ");
	escape_markdown(buf, pair->value);
	pts_buf_puts(buf, "\n");
}

static void header(struct pts_buf *buf, const struct report_header *header)
{
	paragraph(buf, "SNIA Solid State Storage Performance Test Specification, ",
		  header->revision, "");
	paragraph(buf, "**", header->banner, "**");
	for (unsigned i = 0; i < header->labels.count; i++)
		paragraph(buf, "> **[!]** ", header->labels.items[i], "");
	for (unsigned i = 0; i < header->top_count; i++)
		pair(buf, &header->top[i]);
	pts_buf_puts(buf, "\n");
	for (unsigned c = 0; c < HEADER_COLUMNS; c++) {
		paragraph(buf, "**", header->columns[c].title, "**");
		for (unsigned i = 0; i < header->columns[c].count; i++)
			pair(buf, &header->columns[c].pairs[i]);
		pts_buf_puts(buf, "\n");
	}
}

static void plot(struct pts_buf *buf, const struct report_plot *plot)
{
	if (plot->cannot != NULL)
		paragraph(buf, "", plot->cannot, "");
	else if (plot->data != NULL)
		markdown_table(buf, plot->data, 0, plot->data->row_count);
	else
		paragraph(buf, "", "(a plot: see report.html or report.pdf)", "");
}

static void markdown_block(struct pts_buf *buf, const struct report_block *block)
{
	static const char *const marks[] = {"> ", "> **[+]** ", "> **[!]** ", "> **[X]** "};

	switch (block->kind) {
	case BLOCK_BANNER:
		paragraph(buf, marks[block->tone], block->text, "");
		break;
	case BLOCK_HEADING:
		paragraph(buf, "### ", block->text, "");
		break;
	case BLOCK_TEXT:
	case BLOCK_NOTE:
		paragraph(buf, "", block->text, "");
		break;
	case BLOCK_TABLE:
		if (block->text != NULL && block->first_row == 0)
			paragraph(buf, "**", block->text, "**");
		markdown_table(buf, block->table, block->first_row, block->row_count);
		break;
	case BLOCK_PLOT:
		plot(buf, block->plot);
		break;
	}
}

void report_markdown(struct pts_buf *buf, const struct report_model *model)
{
	const struct report_test *last = NULL;

	paragraph(buf, "# ", model->title, "");
	if (model->header.not_a_drive != NULL)
		paragraph(buf, "> **[X]** ", model->header.not_a_drive, "");
	header(buf, &model->header);
	for (unsigned i = 0; i < model->page_count; i++) {
		const struct report_page *page = model->pages[i];

		if (page->test != NULL && page->test != last && model->data.test_count > 1)
			header(buf, &page->test->header);
		last = page->test != NULL ? page->test : last;
		paragraph(buf, "## ", page->title, page->continued ? " (continued)" : "");
		for (unsigned b = 0; b < page->block_count; b++)
			markdown_block(buf, &page->blocks[b]);
	}
}
