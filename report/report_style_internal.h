/* Colours, fonts, sizes, dashes and marks: the one place that knows them. */
#ifndef REPORT_STYLE_INTERNAL_H
#define REPORT_STYLE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "report_model_internal.h"

/* All lengths in points (1/72 inch). */
struct style_paper {
	const char *css; /* "A4 landscape" */
	double width, height;
	double margin;
};

struct style_series {
	const char *rgb;
	int dash;  /* gnuplot dt */
	int point; /* gnuplot pt */
	double width;
};

enum style_size {
	SIZE_TITLE,
	SIZE_HEADING,
	SIZE_BODY,
	SIZE_TABLE,
	SIZE_HEADER,
	SIZE_SMALL,
};

const struct style_paper *style_paper(bool letter);
struct style_series style_series(const struct report_plot *plot,
				 const struct report_series *series);
double style_points(enum style_size size);
double style_line(enum style_size size); /* height of a line of text */

const char *style_font(void);      /* of pages: a fontconfig family */
const char *style_plot_font(void); /* of plots */
const char *style_css_fonts(void);
const char *style_ink(void);
const char *style_muted(void);
const char *style_rule(void);  /* thin lines */
const char *style_shade(void); /* head rows */
const char *style_grid(void);
const char *style_tone_ink(enum report_tone tone);
const char *style_tone_fill(enum report_tone tone);

/* Width of text in the page font. Never too small for Latin text. */
double style_text_width(const char *text, bool bold, double points);
/* Bytes of the next line of *text that is at most width wide: breaks at blanks, else anywhere. */
size_t style_wrap(const char *text, bool bold, double points, double width);
/* Lines that text takes at that width (at least 1). */
unsigned style_lines(const char *text, bool bold, double points, double width);

#endif
