/* The writers: each makes one file's bytes out of the model. Private to the report room. */
#ifndef REPORT_WRITE_INTERNAL_H
#define REPORT_WRITE_INTERNAL_H

#include "pts_text.h"
#include "report_model_internal.h"

/* SVG text of each plot of each page, in order of the pages' blocks; NULL where none is drawn. */
struct report_drawings {
	char **svg;
	unsigned count;
	char *pdf;
	size_t pdf_bytes;
};

/* One gnuplot for everything that formats needs (REPORT_HTML: SVG, REPORT_PDF: the PDF). */
int report_draw(const struct report_model *model, unsigned formats,
		struct report_drawings *ret_drawings, struct pts_err *err);
void report_drawings_release(struct report_drawings *drawings);

/* The script of the whole PDF, writing `file` in its folder. */
void report_pdf_script(struct pts_buf *buf, const struct report_model *model, const char *file);

void report_html(struct pts_buf *buf, const struct report_model *model,
		 const struct report_drawings *drawings);
/* report_script.c: for the head of the page, for its end, and an attribute of a 3D plot's figure. */
void report_html_policy(struct pts_buf *buf);
void report_html_script(struct pts_buf *buf);
void report_html_columns(struct pts_buf *buf, const struct report_plot *plot);
void report_plain_text(struct pts_buf *buf, const struct report_model *model);
void report_markdown(struct pts_buf *buf, const struct report_model *model);
void report_csv(struct pts_buf *buf, const struct report_table *table,
		const struct report_csv *csv);
/* -EIO for what can't be JSON (never: every string is made valid UTF-8, every gap is null). */
int report_json(struct pts_buf *buf, const struct report_model *model, struct pts_err *err);

#endif
