/* Escaping of text for each writer: every string of a device, a spec or an operator passes here. */
#ifndef REPORT_ESCAPE_INTERNAL_H
#define REPORT_ESCAPE_INTERNAL_H

#include <stdint.h>

#include "pts_text.h"

/*
 * The next character of *text: its code point, or -1 for a byte that is no valid UTF-8 (*text
 * moves by one byte then). 0 at the end, without moving.
 */
int32_t escape_next(const char **text);

/* Element content and attribute values in either kind of quotes. */
void escape_html(struct pts_buf *buf, const char *text);

/*
 * One RFC 4180 field: quoted where needed whatever the separator, quotes doubled. Text that begins
 * with one of = + - @, their full-width forms, a tab or a line end gets a leading apostrophe, so
 * that no spreadsheet takes it for a formula. Odd bytes and control characters stand as \xNN.
 */
void escape_csv(struct pts_buf *buf, const char *text);
/* The same, always quoted: a reader can tell the text "000123" from a number. */
void escape_csv_text(struct pts_buf *buf, const char *text);

/*
 * A gnuplot string in single quotes: nothing in it is ever executed or expanded (back quotes and
 * macros are, inside double quotes). Quotes are doubled where gnuplot understands that, else
 * written as U+2019. Control characters and bytes that are no
 * UTF-8 stand as \xNN, characters that the report's font lacks as U+XXXX.
 */
void escape_gnuplot(struct pts_buf *buf, const char *text);

/*
 * Inline Markdown on one line, for a paragraph, a heading or a cell of a table: nothing in it is
 * markup, HTML, a link, a mention ("@name") or a reference ("#12"). Blanks at the start go.
 */
void escape_markdown(struct pts_buf *buf, const char *text);

/* Columns that so many bytes of text take on a terminal. */
unsigned escape_columns(const char *text, size_t bytes);

/* For terminals and JSON: valid UTF-8, control characters as \xNN; keep_lines keeps newlines. */
void escape_plain(struct pts_buf *buf, const char *text, int keep_lines);

#endif
