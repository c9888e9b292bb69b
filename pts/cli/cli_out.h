/* Colours and tables for people. */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum cli_ink { CLI_PLAIN, CLI_BOLD, CLI_GOOD, CLI_BAD, CLI_WARN, CLI_DIM };

/* Once, after parsing: no colours with --no-color, NO_COLOR or TERM=dumb. */
void cli_out_init(bool no_color);
/* "" unless that stream is a terminal that wants colours; cli_ink(to, CLI_PLAIN) ends it. */
const char *cli_ink(FILE *to, enum cli_ink ink);

/* Prints text that may come from a strange file: what moves a terminal (control characters but
 * for line ends and tabs, what is no UTF-8) is written as \xNN. Ends no line. */
void cli_put(FILE *to, const char *text);
void cli_say(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A table: columns padded to their widest cell; a column whose head begins with '>' is aligned
 * to the right. Cells are copied, and harmless as by cli_put(). */
struct cli_table {
	unsigned columns;
	char **cells; /* row by row; row 0 is the head */
	size_t count, room;
};
void cli_table_cell(struct cli_table *table, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Fixed digits after the mark with thousands separators; "-" for what is no number. */
void cli_table_number(struct cli_table *table, double value, int digits);
/* Prints to stdout with a bold head and releases the cells. */
void cli_table_print(struct cli_table *table);

/* Columns that a text takes: UTF-8 sequences count one. */
size_t cli_columns(const char *text);

#endif
