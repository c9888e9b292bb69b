/* Heights and widths of a page's parts, in points: shared by pagination and the PDF writer. */
#ifndef REPORT_LAYOUT_INTERNAL_H
#define REPORT_LAYOUT_INTERNAL_H

#include "report_model_internal.h"
#include "report_style_internal.h"

#define LAYOUT_COLUMNS    80 /* of a table on a page: an axis has at most 64 values */
#define LAYOUT_PAD_X      4.0
#define LAYOUT_PAD_Y      2.2
#define LAYOUT_GAP        7.0
#define LAYOUT_LABEL      64.0 /* of a header pair */
#define LAYOUT_TOP        66.0 /* title bar and dates of the header */
#define LAYOUT_BESIDE     0.58 /* of the width for the plot of a page with a table beside */
#define LAYOUT_FOOTER     16.0
#define LAYOUT_PAIR_LINES 3 /* a header value takes at most so many lines */

struct layout_area {
	double left, right, top, bottom; /* from the lower left corner */
};

struct layout_table {
	double left[LAYOUT_COLUMNS + 1]; /* left edges from 0; the last is the width */
	double head_height;
};

double layout_header_height(const struct report_header *header, double width);
/* The content area under the header of a page. */
struct layout_area layout_content(const struct report_model *model,
				  const struct report_page *page);
void layout_table(const struct report_table *table, double width,
		  struct layout_table *ret_layout);
double layout_row_height(const struct report_table *table, const struct layout_table *layout,
			 unsigned row);
enum style_size layout_size(const struct report_table *table);
double layout_pad(const struct report_table *table);
/* Room for the title of a table block, 0 without one. */
double layout_title(const struct report_block *block);
/* Without the gap that follows; 0 for a plot, which takes what is left. */
double layout_block_height(const struct report_block *block, double width);
const struct report_header *layout_header(const struct report_model *model,
					  const struct report_page *page);
const char *layout_column_title(struct pts_arena *arena, const struct report_column *column);

#endif
