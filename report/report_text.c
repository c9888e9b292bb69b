/*
 * The report for terminals: every verdict, statement and table in 100 columns. UTF-8, no control
 * characters.
 */
#include <stdlib.h>
#include <string.h>

#include "report_escape_internal.h"
#include "report_write_internal.h"

#define TEXT_WIDTH   100
#define TEXT_COLUMNS 80

static char *plain(const char *text)
{
	struct pts_buf buf = {0};

	escape_plain(&buf, text, 0);
	return pts_buf_take(&buf);
}

/* Bytes of the next line of at most width columns: up to a blank, else anywhere. */
static size_t wrap(const char *text, unsigned width)
{
	size_t at = 0, fits = 0;
	unsigned used = 0;

	while (text[at] != '\0') {
		size_t next = at + 1;

		while (((unsigned char)text[next] & 0xC0) == 0x80)
			next++;
		used += escape_columns(text + at, next - at);
		if (used > width && text[at] != ' ' && at > 0)
			return fits > 0 ? fits : at;
		at = next;
		if (text[at - 1] == ' ')
			fits = at;
	}
	return at;
}

static void spaces(struct pts_buf *buf, unsigned count)
{
	while (count-- > 0)
		pts_buf_puts(buf, " ");
}

/* Up to the width of a column; nothing where text is wider than that. */
static void fill(struct pts_buf *buf, unsigned width, const char *text, size_t bytes)
{
	unsigned used = escape_columns(text, bytes);

	spaces(buf, used < width ? width - used : 0);
}

static void trim_line(struct pts_buf *buf)
{
	while (buf->length > 0 && buf->data[buf->length - 1] == ' ')
		buf->data[--buf->length] = '\0';
	pts_buf_puts(buf, "\n");
}

static void paragraph(struct pts_buf *buf, const char *mark, const char *raw)
{
	unsigned indent = (unsigned)strlen(mark);
	char *text = plain(raw);
	const char *at = text;
	bool first = true;

	do {
		size_t bytes = wrap(at, TEXT_WIDTH - indent);

		if (first)
			pts_buf_puts(buf, mark);
		else
			spaces(buf, indent);
		pts_buf_add(buf, at, bytes);
		trim_line(buf);
		at += bytes;
		first = false;
	} while (*at != '\0');
	free(text);
}

static void underlined(struct pts_buf *buf, const char *raw, char under)
{
	char *text = plain(raw);

	pts_buf_printf(buf, "\n%s\n", text);
	for (unsigned i = escape_columns(text, strlen(text)); i > 0; i--)
		pts_buf_add(buf, &under, 1);
	pts_buf_puts(buf, "\n");
	free(text);
}

static const char *title_of(const struct report_table *table,
			    const struct report_column *column, struct pts_buf *buf)
{
	pts_buf_puts(buf, column->title);
	if (column->unit[0] != '\0' && table->corner == NULL &&
	    strstr(column->title, column->unit) == NULL)
		pts_buf_printf(buf, " (%s)", column->unit);
	return buf->data;
}

static void widths_of(const struct report_table *table, unsigned *widths)
{
	unsigned total = 2 * (table->column_count - 1);

	for (unsigned c = 0; c < table->column_count; c++) {
		struct pts_buf title = {0};

		title_of(table, &table->columns[c], &title);
		widths[c] = table->is_pairs ? 1 : escape_columns(title.data, title.length);
		pts_buf_release(&title);
		for (unsigned r = 0; r < table->row_count; r++) {
			char *text =
				plain(table->cells[(size_t)r * table->column_count + c].text);
			unsigned width = escape_columns(text, strlen(text));

			widths[c] = width > widths[c] ? width : widths[c];
			free(text);
		}
		total += widths[c];
	}
	while (total > TEXT_WIDTH && table->column_count > 0) {
		unsigned widest = 0;

		for (unsigned c = 1; c < table->column_count; c++)
			widest = widths[c] > widths[widest] ? c : widest;
		if (widths[widest] <= 4)
			break;
		widths[widest]--;
		total--;
	}
}

/* One row of texts, wrapped inside its columns. Takes the texts (they are freed). */
static void text_row(struct pts_buf *buf, const struct report_table *table,
		     const unsigned *widths, char **texts)
{
	const char *at[TEXT_COLUMNS];
	bool more = true;

	for (unsigned c = 0; c < table->column_count; c++)
		at[c] = texts[c];
	while (more) {
		more = false;
		for (unsigned c = 0; c < table->column_count; c++) {
			size_t bytes = wrap(at[c], widths[c]);
			size_t shown = bytes;
			bool right = table->columns[c].is_number && !table->is_pairs;

			while (shown > 0 && at[c][shown - 1] == ' ')
				shown--;
			if (right)
				fill(buf, widths[c], at[c], shown);
			pts_buf_puts(buf, "");
			pts_buf_add(buf, at[c], shown);
			if (!right)
				fill(buf, widths[c], at[c], shown);
			spaces(buf, 2);
			at[c] += bytes;
			more = more || *at[c] != '\0';
		}
		trim_line(buf);
	}
	for (unsigned c = 0; c < table->column_count; c++)
		free(texts[c]);
}

static void text_table(struct pts_buf *buf, const struct report_table *table, unsigned first,
		       unsigned count)
{
	unsigned widths[TEXT_COLUMNS];
	char *texts[TEXT_COLUMNS];

	if (table->column_count > TEXT_COLUMNS) {
		paragraph(buf, "", "(too wide for text: see the CSV file of this table)");
		return;
	}
	widths_of(table, widths);
	if (table->corner != NULL)
		pts_buf_printf(buf, "(columns: %s)\n", table->corner);
	if (!table->is_pairs) {
		for (unsigned c = 0; c < table->column_count; c++) {
			struct pts_buf title = {0};

			title_of(table, &table->columns[c], &title);
			texts[c] = pts_buf_take(&title);
		}
		text_row(buf, table, widths, texts);
		for (unsigned c = 0; c < table->column_count; c++) {
			for (unsigned i = 0; i < widths[c]; i++)
				pts_buf_puts(buf, "-");
			spaces(buf, 2);
		}
		trim_line(buf);
	}
	for (unsigned r = first; r < first + count; r++) {
		for (unsigned c = 0; c < table->column_count; c++)
			texts[c] =
				plain(table->cells[(size_t)r * table->column_count + c].text);
		text_row(buf, table, widths, texts);
	}
}

static void header_pair(struct pts_buf *buf, const struct report_pair *pair)
{
	struct pts_buf mark = {0};

	pts_buf_printf(&mark, "  %-20s ", pair->name);
	paragraph(buf, mark.data, pair->value);
	pts_buf_release(&mark);
}

static void text_header(struct pts_buf *buf, const struct report_header *header)
{
	pts_buf_puts(buf, "SNIA Solid State Storage Performance Test Specification\n");
	paragraph(buf, "", header->revision);
	paragraph(buf, "", header->banner);
	for (unsigned i = 0; i < header->labels.count; i++)
		paragraph(buf, "[!] ", header->labels.items[i]);
	for (unsigned i = 0; i < header->top_count; i++)
		header_pair(buf, &header->top[i]);
	for (unsigned c = 0; c < HEADER_COLUMNS; c++) {
		underlined(buf, header->columns[c].title, '-');
		for (unsigned i = 0; i < header->columns[c].count; i++)
			header_pair(buf, &header->columns[c].pairs[i]);
	}
}

static void text_block(struct pts_buf *buf, const struct report_block *block)
{
	static const char *const marks[] = {"[ ] ", "[+] ", "[!] ", "[X] "};

	switch (block->kind) {
	case BLOCK_BANNER:
		paragraph(buf, marks[block->tone], block->text);
		break;
	case BLOCK_HEADING:
		underlined(buf, block->text, '-');
		break;
	case BLOCK_TEXT:
	case BLOCK_NOTE:
		paragraph(buf, "", block->text);
		break;
	case BLOCK_TABLE:
		if (block->text != NULL && block->first_row == 0)
			paragraph(buf, "\n", block->text);
		text_table(buf, block->table, block->first_row, block->row_count);
		break;
	case BLOCK_PLOT:
		if (block->plot->cannot != NULL)
			paragraph(buf, "", block->plot->cannot);
		else if (block->plot->data != NULL)
			text_table(buf, block->plot->data, 0, block->plot->data->row_count);
		else
			paragraph(buf, "", "(a plot: see report.html or report.pdf)");
		break;
	}
}

void report_plain_text(struct pts_buf *buf, const struct report_model *model)
{
	const struct report_test *last = NULL;

	paragraph(buf, "", model->title);
	text_header(buf, &model->header);
	if (model->header.not_a_drive != NULL)
		pts_buf_printf(buf, "\n[X] %s\n", model->header.not_a_drive);
	for (unsigned i = 0; i < model->page_count; i++) {
		const struct report_page *page = model->pages[i];
		struct pts_buf title = {0};

		if (page->test != NULL && page->test != last && model->data.test_count > 1)
			text_header(buf, &page->test->header);
		last = page->test != NULL ? page->test : last;
		pts_buf_printf(&title, "%s%s", page->title,
			       page->continued ? " (continued)" : "");
		underlined(buf, title.data, '=');
		pts_buf_release(&title);
		for (unsigned b = 0; b < page->block_count; b++)
			text_block(buf, &page->blocks[b]);
	}
}
