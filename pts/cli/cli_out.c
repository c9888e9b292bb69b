/* Tables and colours. Must not know what a number means. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_out.h"
#include "pts_text.h"

static bool colours;

void cli_out_init(bool no_color)
{
	const char *variable = getenv("NO_COLOR"), *term = getenv("TERM");

	colours = !no_color && !(variable && *variable) && !(term && !strcmp(term, "dumb"));
}

const char *cli_ink(FILE *to, enum cli_ink ink)
{
	static const char *const inks[] = {"\033[0m",  "\033[1m",  "\033[32m",
					   "\033[31m", "\033[33m", "\033[2m"};

	return colours && isatty(fileno(to)) ? inks[ink] : "";
}

size_t cli_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

/* The text up to a line end or tab, blanks at its ends kept, which pts_printable() drops. */
static void put_piece(struct pts_buf *buf, const char *text, size_t length)
{
	size_t first = strspn(text, " "), last = length, room;
	char *made;

	if (first >= length) {
		pts_buf_add(buf, text, length);
		return;
	}
	while (text[last - 1] == ' ')
		last--;
	room = 4 * (last - first) + 1;
	made = malloc(room);
	if (!made)
		abort();
	pts_printable(text + first, last - first, made, room);
	pts_buf_add(buf, text, first);
	pts_buf_puts(buf, made);
	pts_buf_add(buf, text + last, length - last);
	free(made);
}

static char *harmless(const char *text)
{
	struct pts_buf buf = {0};

	while (*text) {
		size_t length = strcspn(text, "\n\t");

		put_piece(&buf, text, length);
		text += length;
		length = strspn(text, "\n\t");
		pts_buf_add(&buf, text, length);
		text += length;
	}
	return pts_buf_take(&buf);
}

void cli_put(FILE *to, const char *text)
{
	char *made = harmless(text);

	fputs(made, to);
	free(made);
}

void cli_say(FILE *to, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		abort();
	va_end(args);
	cli_put(to, text);
	free(text);
}

static void keep_cell(struct cli_table *table, const char *raw)
{
	char *text = harmless(raw);

	if (table->count == table->room) {
		table->room = table->room ? table->room * 2 : 64;
		table->cells = realloc(table->cells, table->room * sizeof(*table->cells));
		if (!table->cells)
			abort();
	}
	table->cells[table->count++] = text;
}

void cli_table_cell(struct cli_table *table, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		abort();
	va_end(args);
	keep_cell(table, text);
	free(text);
}

void cli_table_number(struct cli_table *table, double value, int digits)
{
	char text[64];

	if (!isfinite(value)) {
		cli_table_cell(table, "-");
		return;
	}
	pts_number_text(value, digits, text, sizeof(text));
	cli_table_cell(table, "%s", text);
}

static size_t column_width(const struct cli_table *table, unsigned column)
{
	size_t widest = 0;

	for (size_t i = column; i < table->count; i += table->columns) {
		size_t width = cli_columns(table->cells[i]);

		if (i == column && table->cells[i][0] == '>')
			width--;
		if (width > widest)
			widest = width;
	}
	return widest;
}

static void print_cell(const struct cli_table *table, size_t index, size_t width)
{
	unsigned column = (unsigned)(index % table->columns);
	const char *text = table->cells[index];
	bool right = table->cells[column][0] == '>';
	bool last = column + 1 == table->columns;
	size_t pad;

	if (index < table->columns && *text == '>')
		text++;
	pad = width - cli_columns(text);
	if (right)
		printf("%*s%s%s", (int)pad, "", text, last ? "" : "  ");
	else
		printf("%s%*s%s", text, last ? 0 : (int)pad, "", last ? "" : "  ");
}

void cli_table_print(struct cli_table *table)
{
	size_t *widths = calloc(table->columns, sizeof(*widths));

	if (!widths)
		abort();
	for (unsigned c = 0; c < table->columns; c++)
		widths[c] = column_width(table, c);
	for (size_t i = 0; i < table->count; i++) {
		unsigned column = (unsigned)(i % table->columns);

		if (i == 0)
			fputs(cli_ink(stdout, CLI_BOLD), stdout);
		print_cell(table, i, widths[column]);
		if (column + 1 < table->columns)
			continue;
		fputs(i < table->columns ? cli_ink(stdout, CLI_PLAIN) : "", stdout);
		putchar('\n');
	}
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	free(widths);
	*table = (struct cli_table){.columns = table->columns};
}
