/* gnuplot commands for plots. */
#ifndef REPORT_PLOT_INTERNAL_H
#define REPORT_PLOT_INTERNAL_H

#include "pts_text.h"
#include "report_model_internal.h"

/* Where a plot goes: a rectangle of a page, in points from the lower left corner. */
struct plot_frame {
	double page_width, page_height;
	double left, right, bottom, top;
	double points; /* font size of the plot */
};

/* Everything from `reset` to the plot command. plot->cannot must be NULL. Text is quoted, numbers
 * have '.', nothing of the caller's strings is executed. */
void plot_script(struct pts_buf *buf, const struct report_plot *plot,
		 const struct plot_frame *frame);
/* A number as gnuplot data: "NaN" for a gap. */
void plot_number(struct pts_buf *buf, double value);

#endif
