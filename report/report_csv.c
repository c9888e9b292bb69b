/*
 * A table as CSV (RFC 4180): CRLF, full precision, no thousands separators, units in the head,
 * text quoted and numbers bare. A missing value is an empty field; the last column,
 * missing_reason, says why. Text that a spreadsheet would take for a formula begins with an
 * apostrophe.
 */
#include <errno.h>
#include <string.h>

#include "report_escape_internal.h"
#include "report_write_internal.h"

int report_csv_parse(const char *separator, const char *decimal, struct report_csv *ret_csv,
		     struct pts_err *err)
{
	bool comma = decimal != NULL && strcmp(decimal, "comma") == 0;

	if (decimal != NULL && !comma && strcmp(decimal, "point") != 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"unknown decimal sign '%s' for CSV: use point or comma",
				decimal);
	ret_csv->decimal_comma = comma;
	ret_csv->separator = comma ? ';' : ',';
	if (separator == NULL)
		return 0;
	if (strcmp(separator, "comma") == 0 || strcmp(separator, ",") == 0)
		ret_csv->separator = ',';
	else if (strcmp(separator, "semicolon") == 0 || strcmp(separator, ";") == 0)
		ret_csv->separator = ';';
	else if (strcmp(separator, "tab") == 0 || strcmp(separator, "\t") == 0)
		ret_csv->separator = '\t';
	else
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"unknown CSV separator '%s': use comma, semicolon or tab",
				separator);
	if (comma && ret_csv->separator == ',')
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"a comma can't be both the decimal sign and the separator of "
				"a CSV file: use semicolon or tab");
	return 0;
}

static void separator(struct pts_buf *buf, const struct report_csv *csv)
{
	const char text[2] = {csv->separator != '\0' ? csv->separator : ',', '\0'};

	pts_buf_puts(buf, text);
}

static bool has_numbers(const struct report_table *table)
{
	for (unsigned c = 0; c < table->column_count; c++) {
		if (table->columns[c].is_number)
			return true;
	}
	return false;
}

static void head(struct pts_buf *buf, const struct report_table *table,
		 const struct report_csv *csv)
{
	for (unsigned c = 0; c < table->column_count; c++) {
		const struct report_column *column = &table->columns[c];
		struct pts_buf title = {0};

		pts_buf_puts(&title, column->key);
		if (column->unit[0] != '\0')
			pts_buf_printf(&title, " [%s]", column->unit);
		if (c > 0)
			separator(buf, csv);
		escape_csv(buf, title.data);
		pts_buf_release(&title);
	}
	if (has_numbers(table)) {
		separator(buf, csv);
		pts_buf_puts(buf, "missing_reason");
	}
	pts_buf_puts(buf, "\r\n");
}

static void field(struct pts_buf *buf, const struct report_cell *cell,
		  const struct report_csv *csv)
{
	char text[40];
	char *point;

	if (cell->kind == CELL_NUMBER) {
		pts_double_text(cell->value, text, sizeof(text));
		point = strchr(text, '.');
		if (point != NULL && csv->decimal_comma)
			*point = ',';
		pts_buf_puts(buf, text);
	} else if (cell->kind == CELL_TEXT) {
		escape_csv_text(buf, cell->text);
	}
}

/* The reasons of a row's gaps, each once; nothing for a row without a gap. */
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
	if (text.length > 0)
		escape_csv_text(buf, text.data);
	pts_buf_release(&text);
}

void report_csv(struct pts_buf *buf, const struct report_table *table,
		const struct report_csv *csv)
{
	if (csv->bom)
		pts_buf_puts(buf, "\xEF\xBB\xBF");
	head(buf, table, csv);
	for (unsigned r = 0; r < table->row_count; r++) {
		const struct report_cell *row = &table->cells[(size_t)r * table->column_count];

		for (unsigned c = 0; c < table->column_count; c++) {
			if (c > 0)
				separator(buf, csv);
			field(buf, &row[c], csv);
		}
		if (has_numbers(table)) {
			separator(buf, csv);
			reasons(buf, row, table->column_count);
		}
		pts_buf_puts(buf, "\r\n");
	}
}
