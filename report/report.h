/*
 * Reports: reads a store, makes one model of pages, tables and plots, and writes it as HTML,
 * PDF, CSV, JSON, text and Markdown. gnuplot is a child process of this room alone. Must not know devices
 * or engines. Every number comes from the store.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

#include "pts_err.h"
#include "store.h"

enum report_format {
	REPORT_HTML = 1 << 0,
	REPORT_PDF = 1 << 1,
	REPORT_CSV = 1 << 2,
	REPORT_JSON = 1 << 3,
	REPORT_TEXT = 1 << 4,
	REPORT_MARKDOWN = 1 << 5,
};

/* How CSV files look. All zero: comma, decimal point, no byte order mark. */
struct report_csv {
	char separator; /* ',' ';' or '\t'; '\0' is ',' */
	bool decimal_comma;
	bool bom; /* UTF-8 byte order mark, by which some spreadsheets know UTF-8 */
};

struct report_options {
	unsigned formats;    /* of the above, or-ed */
	const char *out_dir; /* made if absent */
	const char *paper;   /* "a4" (NULL) or "letter" */
	const char *test;    /* only this one of the run's tests; NULL: all */
	struct report_csv csv;
};

/* Writes report.html, report.pdf, tables/NAME.csv, report.json, report.txt, report.md. Calls wrote() with each
 * path. PTS_EXIT_MISSING without gnuplot (only where a plot is needed), PTS_EXIT_USAGE for a test
 * that the run has not. */
int report_write(struct store *store, const struct report_options *options,
		 void (*wrote)(void *ctx, const char *path), void *ctx, struct pts_err *err);

/* "html,pdf" -> flags; -EINVAL with the list of formats there are. */
int report_formats_parse(const char *text, unsigned *ret_formats, struct pts_err *err);

/* "comma", "semicolon" or "tab" (or the character) and "point" or "comma"; NULL: the default. With
 * a decimal comma the default separator is ';'. -EINVAL names what there is, or the contradiction. */
int report_csv_parse(const char *separator, const char *decimal, struct report_csv *ret_csv,
		     struct pts_err *err);

/* Where gnuplot is, NULL if it is missing: for `pts doctor` and early checks. */
const char *report_gnuplot(void);

#endif
