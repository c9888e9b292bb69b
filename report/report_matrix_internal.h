/* Axes of a matrix of cells and the values over its window: for the pages that show one. */
#ifndef REPORT_MATRIX_INTERNAL_H
#define REPORT_MATRIX_INTERNAL_H

#include "report_model_internal.h"

#define AXIS_VALUES 64

struct matrix_axis {
	const char *name;             /* "block_size" */
	uint64_t values[AXIS_VALUES]; /* ascending */
	unsigned count;
};

/* Is it one of the four axes (else it is a metric)? */
bool matrix_is_axis(const char *name);
uint64_t matrix_axis_value(const struct report_plan_cell *cell, const char *name);
/* The values that the cells of the page (its `where`) have on an axis. */
void matrix_axis_fill(struct matrix_axis *axis, const char *name,
		      const struct report_step *loop, const struct report_spec_page *spec);
const char *matrix_axis_title(const char *name);
const char *matrix_axis_text(struct report_model *model, const struct matrix_axis *axis,
			     unsigned i);
/* As it stands on the axis: KiB of a block size. */
double matrix_axis_number(const struct matrix_axis *axis, unsigned i);
/* The page's cell at two axis values; NULL: none. */
const struct report_plan_cell *matrix_find(const struct report_step *loop,
					   const struct report_spec_page *spec,
					   const struct matrix_axis *rows, unsigned r,
					   const struct matrix_axis *columns, unsigned c);
/* The mean over the window as it is shown, or missing with a reason. */
void matrix_fill_cell(struct report_model *model, const struct report_step *loop,
		      const struct report_plan_cell *cell, const char *metric,
		      struct report_cell *out);
const char *matrix_mean_note(struct report_model *model, const struct report_step *loop,
			     const char *metric);

#endif
