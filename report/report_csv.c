/*
 * A table as CSV (RFC 4180): CRLF, '.' decimals, full precision, units in the head. A missing
 * value is an empty field; the last column, missing_reason, says why. Text that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
#include <string.h>

#include "report_escape_internal.h"
#include "report_write_internal.h"

static bool has_numbers(const struct report_table *table)
{
	for (unsigned c = 0; c < table->column_count; c++) {
		if (table->columns[c].is_number)
			return true;
	}
	return false;
}

static void head(struct pts_buf *buf, const struct report_table *table)
{
	for (unsigned c = 0; c < table->column_count; c++) {
		const struct report_column *column = &table->columns[c];
		struct pts_buf title = {0};

		pts_buf_puts(&title, column->key);
		if (column->unit[0] != '\0')
			pts_buf_printf(&title, " [%s]", column->unit);
		pts_buf_puts(buf, c > 0 ? "," : "");
		escape_csv(buf, title.data);
		pts_buf_release(&title);
	}
	pts_buf_puts(buf, has_numbers(table) ? ",missing_reason\r\n" : "\r\n");
}

static void field(struct pts_buf *buf, const struct report_cell *cell)
{
	char text[40];

	if (cell->kind == CELL_NUMBER) {
		pts_double_text(cell->value, text, sizeof(text));
		pts_buf_puts(buf, text);
	} else if (cell->kind == CELL_TEXT) {
		escape_csv(buf, cell->text);
	}
}

/* The reasons of a row's gaps, each once. */
static void reasons(struct pts_buf *buf, const struct report_cell *row, unsigned count)
{
	struct pts_buf text = {0};

	pts_buf_puts(&text, "");
	for (unsigned c = 0; c < count; c++) {
		if (row[c].kind != CELL_MISSING || row[c].reason == NULL ||
		    strstr(text.data, row[c].reason) != NULL)
			continue;
		pts_buf_printf(&text, "%s%s", text.length > 0 ? "; " : "", row[c].reason);
	}
	escape_csv(buf, text.data);
	pts_buf_release(&text);
}

void report_csv(struct pts_buf *buf, const struct report_table *table)
{
	head(buf, table);
	for (unsigned r = 0; r < table->row_count; r++) {
		const struct report_cell *row = &table->cells[(size_t)r * table->column_count];

		for (unsigned c = 0; c < table->column_count; c++) {
			pts_buf_puts(buf, c > 0 ? "," : "");
			field(buf, &row[c]);
		}
		if (has_numbers(table)) {
			pts_buf_puts(buf, ",");
			reasons(buf, row, table->column_count);
		}
		pts_buf_puts(buf, "\r\n");
	}
}
