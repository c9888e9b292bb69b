/*
 * The look of reports: colours, fonts, sizes. Must not know stores or file formats.
 *
 * Series colours run from dark to light along one scale whose lightness is monotonic (viridis,
 * cut before its pale end), so that eight series stay apart in grey and for colour-blind
 * readers; each has a mark and a dash of its own besides. The roles of a window plot use colours
 * of the palette of Okabe and Ito.
 */
#include "report_style_internal.h"

#include <string.h>

#include "report_escape_internal.h"

static const struct style_paper papers[2] = {
	{"A4 landscape", 841.89, 595.28, 28},
	{"letter landscape", 792, 612, 28},
};

const struct style_paper *style_paper(bool letter)
{
	return &papers[letter];
}

static const char *const scale[8] = {"#440154", "#46327E", "#365C8D", "#277F8E",
				     "#1FA187", "#4AC16D", "#97C52F", "#D6B911"};

/* The colours are spread over as many series as there are; with more than eight, neighbours share
 * one and differ by their marks. */
static struct style_series data_series(unsigned rank, unsigned of)
{
	static const int points[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12, 14, 2, 1, 3};
	static const int dashes[8] = {1, 2, 1, 4, 1, 2, 1, 4};
	unsigned last = of > 1 ? of - 1 : 1;
	unsigned at = (rank * 7 + last / 2) / last;
	struct style_series style = {scale[at & 7], dashes[rank % 8],
				     points[rank % (sizeof(points) / sizeof(points[0]))], 1.6};

	return style;
}

struct style_series style_series(const struct report_plot *plot,
				 const struct report_series *series)
{
	static const struct style_series roles[] = {
		[ROLE_MEASURED] = {"#0072B2", 1, 7, 2.0},
		[ROLE_AVERAGE] = {"#202020", 1, 0, 1.4},
		[ROLE_BAND] = {"#6E6E6E", 3, 0, 1.2},
		[ROLE_FIT] = {"#D55E00", 2, 0, 1.8},
		[ROLE_BARS] = {"#4C88B8", 1, 0, 0.6},
		[ROLE_SECOND] = {"#D55E00", 1, 7, 1.6},
		[ROLE_SHARE] = {"#D55E00", 1, 0, 1.6},
	};
	unsigned data = 0;

	if (series->role != ROLE_DATA)
		return roles[series->role];
	for (unsigned i = 0; i < plot->series_count; i++)
		data += plot->series[i].role == ROLE_DATA;
	return data_series(series->rank, data);
}

double style_points(enum style_size size)
{
	static const double points[] = {13, 9.8, 8.4, 7.8, 6.8, 6.7};

	return points[size];
}

double style_line(enum style_size size)
{
	return style_points(size) * 1.28;
}

const char *style_font(void)
{
	return "DejaVu Sans Condensed";
}

const char *style_plot_font(void)
{
	return "DejaVu Sans";
}

const char *style_css_fonts(void)
{
	return "\"Helvetica Neue\",Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif";
}

const char *style_ink(void)
{
	return "#16202A";
}

const char *style_muted(void)
{
	return "#5A6672";
}

const char *style_rule(void)
{
	return "#B4BDC6";
}

const char *style_shade(void)
{
	return "#EDF1F5";
}

const char *style_grid(void)
{
	return "#D9DEE3";
}

const char *style_tone_ink(enum report_tone tone)
{
	static const char *const inks[] = {"#16202A", "#0B5D3B", "#7A4B00", "#9B1C1C"};

	return inks[tone];
}

const char *style_tone_fill(enum report_tone tone)
{
	static const char *const fills[] = {"#F3F5F7", "#E3F4EA", "#FDF2DC", "#FBE6E4"};

	return fills[tone];
}

/* Advance widths of DejaVu Sans Condensed, thousandths of the size, from blank to tilde. */
static const short widths[2][95] = {
	{286, 360, 414, 754, 572, 855, 702, 247, 351, 351, 450, 754, 286, 325, 286, 303,
	 572, 572, 572, 572, 572, 572, 572, 572, 572, 572, 303, 303, 754, 754, 754, 478,
	 900, 615, 617, 628, 693, 568, 518, 697, 677, 265, 265, 590, 501, 776, 673, 708,
	 542, 708, 625, 571, 549, 659, 615, 890, 616, 549, 616, 351, 303, 351, 754, 450,
	 450, 551, 571, 495, 571, 554, 316, 571, 570, 250, 250, 521, 250, 876, 570, 550,
	 571, 571, 370, 469, 353, 570, 532, 736, 532, 532, 472, 572, 303, 572, 754},
	{313, 410, 469, 754, 626, 901, 785, 275, 411, 411, 470, 754, 342, 374, 342, 329,
	 626, 626, 626, 626, 626, 626, 626, 626, 626, 626, 360, 360, 754, 754, 754, 522,
	 900, 696, 686, 660, 747, 615, 615, 738, 753, 334, 334, 697, 573, 896, 753, 765,
	 659, 765, 693, 648, 614, 730, 696, 993, 694, 651, 652, 411, 329, 411, 754, 450,
	 450, 607, 644, 533, 644, 610, 391, 644, 641, 308, 308, 598, 308, 938, 641, 618,
	 644, 644, 444, 536, 430, 641, 586, 831, 580, 586, 523, 641, 329, 641, 754},
};

static double char_width(int32_t code, bool bold, double points)
{
	double width = 700;

	if (code >= ' ' && code <= '~')
		width = widths[bold][code - ' '];
	else if (code < ' ' || code == 0x7F)
		width = 4 * 600; /* shown as \xNN */
	else if (code >= 0x2300 || (code > 0x525 && code < 0x1E00))
		width = 6 * 620; /* shown as U+XXXX */
	return width * points / 1000;
}

double style_text_width(const char *text, bool bold, double points)
{
	double width = 0;
	int32_t code;

	while ((code = escape_next(&text)) != 0)
		width += char_width(code, bold, points);
	return width;
}

size_t style_wrap(const char *text, bool bold, double points, double width)
{
	const char *at = text;
	const char *from = text;
	const char *fits = NULL;
	double used = 0;
	int32_t code;

	while ((code = escape_next(&at)) != 0) {
		used += char_width(code, bold, points);
		if (code == ' ')
			fits = at;
		else if (used > width && fits != NULL)
			return (size_t)(fits - text);
		else if (used > width && from > text)
			return (size_t)(from - text);
		from = at;
	}
	return (size_t)(at - text);
}

unsigned style_lines(const char *text, bool bold, double points, double width)
{
	unsigned lines = 0;

	do {
		text += style_wrap(text, bold, points, width);
		lines++;
	} while (*text != '\0');
	return lines;
}
