/*
 * gnuplot commands for 2D lines and 3D columns. Must not know stores; all device and spec text
 * goes through escape_gnuplot(), all data through data blocks of plain numbers.
 */
#include "report_plot_internal.h"

#include <math.h>

#include "report_escape_internal.h"
#include "report_style_internal.h"

void plot_number(struct pts_buf *buf, double value)
{
	char text[40];

	pts_buf_puts(buf, pts_double_text(value, text, sizeof(text)) ? text : "NaN");
}

static void set_range(struct pts_buf *buf, const char *axis, const struct report_axis *range)
{
	pts_buf_printf(buf, "set %srange [", axis);
	plot_number(buf, range->low);
	pts_buf_puts(buf, ":");
	plot_number(buf, range->high);
	pts_buf_puts(buf, "]\n");
}

static void set_scale(struct pts_buf *buf, const char *axis, const struct report_axis *range)
{
	if (range->scale != SCALE_LINEAR)
		pts_buf_printf(buf, "set logscale %s %d\n", axis,
			       range->scale == SCALE_LOG2 ? 2 : 10);
}

static void set_tics(struct pts_buf *buf, const char *axis, const struct report_axis *range,
		     const char *options)
{
	pts_buf_printf(buf, "set %stics %s (", axis, options);
	for (unsigned i = 0; i < range->tick_count; i++) {
		pts_buf_puts(buf, i > 0 ? ", " : "");
		escape_gnuplot(buf, range->ticks[i].text);
		pts_buf_puts(buf, " ");
		plot_number(buf, range->ticks[i].at);
		pts_buf_puts(buf, range->ticks[i].text[0] == '\0' ? " 1" : "");
	}
	pts_buf_printf(buf, ") textcolor rgb '%s'\n", style_ink());
}

static void set_label(struct pts_buf *buf, const char *which, const char *text,
		      const char *options)
{
	pts_buf_printf(buf, "set %s ", which);
	escape_gnuplot(buf, text);
	pts_buf_printf(buf, " noenhanced textcolor rgb '%s' %s\n", style_ink(), options);
}

static void data_blocks(struct pts_buf *buf, const struct report_plot *plot)
{
	for (unsigned s = 0; s < plot->series_count; s++) {
		const struct report_series *series = &plot->series[s];

		pts_buf_printf(buf, "$s%u << END\n", s);
		for (size_t i = 0; i < series->count; i++) {
			plot_number(buf, series->x[i]);
			pts_buf_puts(buf, " ");
			plot_number(buf, series->y[i]);
			if (series->x_end != NULL) {
				pts_buf_puts(buf, " ");
				plot_number(buf, series->x_end[i]);
			}
			pts_buf_puts(buf, "\n");
		}
		pts_buf_puts(buf, "END\n");
	}
}

static void set_margins(struct pts_buf *buf, const struct plot_frame *frame, double left,
			double right, double bottom, double top)
{
	double k = frame->points / 9;

	pts_buf_puts(buf, "set lmargin at screen ");
	plot_number(buf, (frame->left + left * k) / frame->page_width);
	pts_buf_puts(buf, "\nset rmargin at screen ");
	plot_number(buf, (frame->right - right * k) / frame->page_width);
	pts_buf_puts(buf, "\nset bmargin at screen ");
	plot_number(buf, (frame->bottom + bottom * k) / frame->page_height);
	pts_buf_puts(buf, "\nset tmargin at screen ");
	plot_number(buf, (frame->top - top * k) / frame->page_height);
	pts_buf_puts(buf, "\n");
}

static double tick_room(const struct report_axis *axis)
{
	double widest = 0;

	for (unsigned i = 0; i < axis->tick_count; i++)
		widest = fmax(widest, style_text_width(axis->ticks[i].text, false, 10.2));
	return widest;
}

static double name_room(const struct report_plot *plot)
{
	double widest = plot->series_title != NULL
				? style_text_width(plot->series_title, false, 10.2) - 20
				: 0;

	for (unsigned i = 0; i < plot->series_count; i++)
		widest = fmax(widest, style_text_width(plot->series[i].name, false, 10.2));
	return widest;
}

static bool has_roles(const struct report_plot *plot)
{
	for (unsigned s = 0; s < plot->series_count; s++) {
		if (plot->series[s].role != ROLE_DATA)
			return true;
	}
	return false;
}

/* The legend is one line over the plot, where nothing else needs that room. */
static bool key_on_top(const struct report_plot *plot)
{
	return has_roles(plot) || plot->has_y2;
}

/* One series without a title of its own needs no legend: its axis says what it is. */
static bool has_key(const struct report_plot *plot)
{
	return plot->series_count > 1 || plot->series_title != NULL;
}

static double mark_room(const struct report_plot *plot)
{
	return plot->mark_count > 0 && plot->marks[0].kind != MARK_LINE ? 14 : 0;
}

static void set_key(struct pts_buf *buf, const struct report_plot *plot,
		    const struct plot_frame *frame)
{
	if (!has_key(plot)) {
		pts_buf_puts(buf, "unset key\n");
		return;
	}
	if (key_on_top(plot)) {
		pts_buf_puts(buf, "set key noenhanced at screen ");
		plot_number(buf, (frame->left + frame->right + 20) / 2 / frame->page_width);
		pts_buf_puts(buf, ", screen ");
		plot_number(buf, (frame->top - 2 * frame->points / 9) / frame->page_height);
		pts_buf_puts(buf, " center top horizontal samplen 1.8 width -1.5 maxrows 1\n");
		return;
	}
	pts_buf_puts(buf, "set key noenhanced at screen ");
	plot_number(buf, (frame->right - 2) / frame->page_width);
	pts_buf_puts(buf, ", screen ");
	plot_number(buf, (frame->top - 8 * frame->points / 9) / frame->page_height);
	pts_buf_puts(buf, " right top vertical reverse Left samplen 3 spacing 1.25 title ");
	escape_gnuplot(buf, plot->series_title != NULL ? plot->series_title : "");
	pts_buf_puts(buf, " left\n");
}

#define DENSE 120 /* points of a line from which on not every one gets its mark */

static void line_style(struct pts_buf *buf, const struct report_plot *plot,
		       const struct report_series *series)
{
	struct style_series style = style_series(plot, series);
	bool dense = series->count > DENSE;
	bool alone = plot->series_count == 1 || series->role == ROLE_MEASURED;
	bool marks = style.point > 0 && !(dense && alone);

	if (series->role == ROLE_BARS) {
		pts_buf_printf(buf, "with boxxyerror fs solid 1 noborder lc rgb '%s'",
			       style.rgb);
		return;
	}
	pts_buf_printf(buf, "with %s lc rgb '%s' dt %d lw ", marks ? "linespoints" : "lines",
		       style.rgb, dense ? 1 : style.dash);
	plot_number(buf, dense && !alone ? 1.2 : style.width);
	if (!marks)
		return;
	pts_buf_printf(buf, " pt %d ps 0.75", style.point);
	if (dense)
		pts_buf_printf(buf, " pi %zu", series->count / 12);
}

/* Which numbers of a data block are drawn: a bar needs its four edges. */
static void line_columns(struct pts_buf *buf, const struct report_plot *plot,
			 const struct report_series *series)
{
	if (series->role != ROLE_BARS) {
		pts_buf_printf(buf, "using 1:2 %s", series->on_y2 ? "axes x1y2 " : "");
		return;
	}
	pts_buf_puts(buf, "using 1:2:1:3:(");
	plot_number(buf, plot->y.low);
	pts_buf_puts(buf, "):2 ");
}

static double mark_share(const struct report_axis *x, double at)
{
	double share = x->scale == SCALE_LINEAR ? (at - x->low) / (x->high - x->low)
						: log(at / x->low) / log(x->high / x->low);

	return fmin(1, fmax(0, share));
}

static void mark_line(struct pts_buf *buf, double at, double top)
{
	pts_buf_puts(buf, "set arrow from graph ");
	plot_number(buf, at);
	pts_buf_puts(buf, ", graph 0 to graph ");
	plot_number(buf, at);
	pts_buf_puts(buf, ", graph ");
	plot_number(buf, top);
	pts_buf_printf(buf, " nohead front lc rgb '%s' lw 0.8 dt 2\n", style_muted());
}

static void mark_label(struct pts_buf *buf, const char *text, double at, double up,
		       const char *options)
{
	pts_buf_puts(buf, "set label ");
	escape_gnuplot(buf, text);
	pts_buf_puts(buf, " at graph ");
	plot_number(buf, at);
	pts_buf_puts(buf, ", graph ");
	plot_number(buf, up);
	pts_buf_printf(buf, " %s front noenhanced textcolor rgb '%s'\n", options, style_ink());
}

static void mark_shade(struct pts_buf *buf, double from, double to)
{
	pts_buf_puts(buf, "set object rectangle from graph ");
	plot_number(buf, from);
	pts_buf_puts(buf, ", graph 0 to graph ");
	plot_number(buf, to);
	pts_buf_printf(buf, ", graph 1 behind fillstyle solid 1 noborder fc rgb '%s'\n",
		       style_tone_fill(TONE_WARN));
}

/* A stretch has its name over the plot and a line where it begins; the shaded one lies behind the
 * data. width: of the plot, in the unit of style_text_width() at the font size of the labels. */
static void set_stretch(struct pts_buf *buf, const struct report_plot *plot,
			const struct report_mark *mark, double width)
{
	double from = mark_share(&plot->x, mark->from);
	double to = mark_share(&plot->x, mark->to);
	double half = style_text_width(mark->text, false, 10.2) / 2 / width;
	double middle = fmin(fmax((from + to) / 2, half), fmax(half, 1 - half));

	if (mark->kind == MARK_SHADED)
		mark_shade(buf, from, to);
	if (from > 0.001)
		mark_line(buf, from, 1);
	if (mark->kind == MARK_SHADED)
		mark_line(buf, to, 1);
	else if (2 * half > to - from)
		return; /* too narrow for its name: the legend has it */
	mark_label(buf, mark->text, middle, 1, "offset 0,char 0.7 center");
}

/* Lines of values, from left to right: each ends lower than the one before, so that no name,
 * which stands at the right of its line's end, is crossed. */
static void set_marks(struct pts_buf *buf, const struct report_plot *plot, double width)
{
	double top = 0.97;

	for (unsigned i = 0; i < plot->mark_count; i++) {
		const struct report_mark *mark = &plot->marks[i];
		double at = mark_share(&plot->x, mark->from);

		if (mark->kind != MARK_LINE) {
			set_stretch(buf, plot, mark, width);
			continue;
		}
		mark_line(buf, at, top);
		mark_label(buf, mark->text, at, top - 0.012, "offset char 0.4,0 left");
		top -= 0.055;
	}
}

static void plot_lines(struct pts_buf *buf, const struct report_plot *plot)
{
	pts_buf_puts(buf, "plot ");
	/* the measured values come first in the key, but are drawn last, on top */
	for (unsigned s = 0; s < plot->series_count; s++) {
		if (plot->series[s].role != ROLE_MEASURED)
			continue;
		pts_buf_puts(buf, "keyentry ");
		line_style(buf, plot, &plot->series[s]);
		pts_buf_puts(buf, " title ");
		escape_gnuplot(buf, plot->series[s].name);
		pts_buf_puts(buf, ", ");
	}
	for (unsigned s = 0; s < plot->series_count; s++) {
		pts_buf_printf(buf, "%s$s%u ", s > 0 ? ", " : "", s);
		line_columns(buf, plot, &plot->series[s]);
		line_style(buf, plot, &plot->series[s]);
		pts_buf_puts(buf, plot->series[s].role == ROLE_MEASURED ? " no" : " ");
		pts_buf_puts(buf, "title ");
		if (plot->series[s].role == ROLE_MEASURED)
			continue;
		if (plot->series[s].on_y2) {
			struct pts_buf name = {0};

			pts_buf_printf(&name, "%s, right axis", plot->series[s].name);
			escape_gnuplot(buf, name.data);
			pts_buf_release(&name);
		} else {
			escape_gnuplot(buf, plot->series[s].name);
		}
	}
	pts_buf_puts(buf, "\n");
}

static void set_y2(struct pts_buf *buf, const struct report_plot *plot)
{
	if (!plot->has_y2)
		return;
	set_range(buf, "y2", &plot->y2);
	set_scale(buf, "y2", &plot->y2);
	set_tics(buf, "y2", &plot->y2, "nomirror out scale 0.6");
	set_label(buf, "y2label", plot->y2.label, "");
}

static void lines_script(struct pts_buf *buf, const struct report_plot *plot,
			 const struct plot_frame *frame)
{
	double left = 40 + tick_room(&plot->y);
	double right = plot->has_y2                        ? 40 + tick_room(&plot->y2)
		       : has_roles(plot) || !has_key(plot) ? 14
							   : 52 + name_room(plot);

	set_margins(buf, frame, left, right,
		    42 + (plot->x.is_upright ? tick_room(&plot->x) : 0),
		    (key_on_top(plot) ? 24 : 10) + mark_room(plot));
	set_range(buf, "x", &plot->x);
	set_range(buf, "y", &plot->y);
	set_scale(buf, "x", &plot->x);
	set_scale(buf, "y", &plot->y);
	set_tics(buf, "x", &plot->x,
		 plot->x.is_upright ? "nomirror out scale 0.6 rotate by 90 right"
				    : "nomirror out scale 0.6");
	set_tics(buf, "y", &plot->y, "nomirror out scale 0.6");
	pts_buf_printf(buf, "set border %d lc rgb '%s'\n", plot->has_y2 ? 11 : 3,
		       style_muted());
	pts_buf_printf(buf, "set grid xtics ytics lc rgb '%s' lt 1 lw 0.6\n", style_grid());
	set_label(buf, "xlabel", plot->x.label, "");
	set_label(buf, "ylabel", plot->y.label, "");
	set_y2(buf, plot);
	set_key(buf, plot, frame);
	set_marks(buf, plot, (frame->right - frame->left) * 9 / frame->points - left - right);
	plot_lines(buf, plot);
}

/* Values on the columns of the back row, which no other column hides; the table has them all. */
static void column_labels(struct pts_buf *buf, const struct report_plot *plot)
{
	unsigned back = plot->series_count - 1;
	const struct report_series *series = &plot->series[back];

	pts_buf_puts(buf, "$labels << END\n");
	for (size_t i = 0; i < series->count; i++) {
		char text[64];

		if (!isfinite(series->y[i]))
			continue;
		pts_number_text(series->y[i], series->y[i] < 100 ? 1 : 0, text, sizeof(text));
		plot_number(buf, series->x[i]);
		pts_buf_printf(buf, " %u ", back);
		plot_number(buf, series->y[i] + plot->y.high * 0.06);
		pts_buf_printf(buf, " \"%s\"\n", text);
	}
	pts_buf_puts(buf, "NaN NaN NaN \"\"\nEND\n");
}

static void columns_view(struct pts_buf *buf)
{
	pts_buf_puts(buf,
		     "set boxwidth 0.62\nset boxdepth 0.55\n"
		     "set view 57,26,1.13,1.18\nset xyplane at 0\n"
		     "set pm3d depthorder base\nset pm3d lighting primary 0.45 specular 0.0\n"
		     "unset key\n");
	pts_buf_printf(buf, "set style fill solid 1.0 border lc rgb '%s'\n", style_ink());
	/* base, the left edge and the three back edges: nothing in front of the columns */
	pts_buf_printf(buf, "set border 895 lc rgb '%s'\n", style_rule());
	pts_buf_printf(buf, "set grid xtics ytics ztics vertical lc rgb '%s' lt 1 lw 0.6\n",
		       style_grid());
}

/* splot scales itself to its rectangle, not to margins. */
static void set_rectangle(struct pts_buf *buf, const struct plot_frame *frame)
{
	pts_buf_puts(buf, "set origin ");
	plot_number(buf, frame->left / frame->page_width);
	pts_buf_puts(buf, ",");
	plot_number(buf, frame->bottom / frame->page_height);
	pts_buf_puts(buf, "\nset size ");
	plot_number(buf, (frame->right - frame->left) / frame->page_width);
	pts_buf_puts(buf, ",");
	plot_number(buf, (frame->top - frame->bottom) / frame->page_height);
	pts_buf_puts(buf, "\n");
}

static void columns_script(struct pts_buf *buf, const struct report_plot *plot,
			   const struct plot_frame *frame)
{
	set_rectangle(buf, frame);
	set_range(buf, "x", &plot->x);
	set_range(buf, "y", &plot->z);
	set_range(buf, "z", &plot->y);
	columns_view(buf);
	set_tics(buf, "x", &plot->x, "nomirror scale 0.4 offset -0.4,-0.4");
	set_tics(buf, "y", &plot->z, "nomirror scale 0.4 offset 0.6,-0.3");
	set_tics(buf, "z", &plot->y, "nomirror scale 0.4");
	set_label(buf, "xlabel", plot->x.label, "offset 0,-0.8");
	set_label(buf, "ylabel", plot->z.label, "offset 2.5,-0.6");
	set_label(buf, "zlabel", plot->y.label, "rotate offset -3.5,0");
	column_labels(buf, plot);
	pts_buf_puts(buf, "splot ");
	for (unsigned s = 0; s < plot->series_count; s++) {
		struct style_series style = style_series(plot, &plot->series[s]);

		pts_buf_printf(buf, "%s$s%u using 1:(%u):2 with boxes lc rgb '%s' notitle",
			       s > 0 ? ", " : "", s, s, style.rgb);
	}
	pts_buf_puts(buf, ", $labels using 1:2:3:4 with labels center noenhanced font ',");
	plot_number(buf, frame->points * 0.82);
	pts_buf_printf(buf, "' tc rgb '%s' notitle\n", style_ink());
}

void plot_script(struct pts_buf *buf, const struct report_plot *plot,
		 const struct plot_frame *frame)
{
	pts_buf_puts(buf, "reset\nset encoding utf8\nset minussign\nunset minussign\n");
	data_blocks(buf, plot);
	if (plot->kind == PLOT_COLUMNS)
		columns_script(buf, plot, frame);
	else
		lines_script(buf, plot, frame);
}
