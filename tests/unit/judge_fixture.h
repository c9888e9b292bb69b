/* What the judge's tests share: CSV files as rows of text, and comparisons of figures. */
#ifndef JUDGE_FIXTURE_H
#define JUDGE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#include "judge_steady.h"

#define PTS_WINDOW 5 /* of the cases: 2.1.24 */
static const struct judge_rule pts_rule = {PTS_WINDOW, 0.20, 0.10};

#define CSV_COLUMNS 24

struct csv {
	char *text; /* the file, cut up in place */
	char *(*rows)[CSV_COLUMNS];
	size_t row_count; /* without the header */
	char *header[CSV_COLUMNS];
};

void csv_read(struct csv *csv, const char *path); /* fails the test if it can't */
void csv_release(struct csv *csv);
/* The text of a named column; fails the test if there is none of that name. */
const char *csv_at(const struct csv *csv, size_t row, const char *column);
double csv_number(const struct csv *csv, size_t row, const char *column);
bool csv_true(const struct csv *csv, size_t row, const char *column); /* "True", "1", "Y" */

/* "1 2.5 3" into doubles, "" and blanks between; the count. */
size_t numbers_of(const char *text, double *ret_values, size_t room);

/* |got - want| <= 1e-9 of what is larger: want, or the size of the values behind it. */
void expect_figure(const char *name, const char *figure, double got, double want, double size);

#endif
