/* Whole reports of synthetic runs, and readers of what was written. For the report's tests. */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include <jansson.h>
#include <stddef.h>

#include "pts_err.h"
#include "report.h"
#include "report_fake_store.h"

#define REPORT_SCHEMA PTS_SOURCE "/report/report.schema.json"
#define ALL                                                                                    \
	(REPORT_HTML | REPORT_PDF | REPORT_CSV | REPORT_JSON | REPORT_TEXT | REPORT_MARKDOWN)

/* cmocka fixtures: a scratch folder and a fixed report date. */
int render_setup(void **state);
int render_teardown(void **state);
/* Into a folder of the scratch folder; written() fails the test on an error. */
int write_report(const struct fake_options *fake, unsigned formats, const char *folder,
		 struct pts_err *err);
void written(const struct fake_options *fake, unsigned formats, const char *folder);
/* The same with every option; out_dir is set here. */
void written_with(const struct fake_options *fake, struct report_options options,
		  const char *folder);

/* FOLDER/report.json, read strictly and checked against its schema; json_decref() it. */
json_t *report_json_of(const char *folder);
const json_t *table_of(const json_t *root, const char *name);
/* A second reader of RFC 4180: a field of a record, both from 0, unquoted; free() it. */
char *csv_field(const char *text, unsigned record, unsigned field);
/* Fails the test unless every tag that is opened is closed in order. */
void check_nesting(const char *html);
unsigned pdf_pages(const char *pdf, size_t bytes);

#endif
