/*
 * Makes a plot safe to draw: ranges that are never empty, ticks, log axes without zeros, at most
 * so many points a series. What can't be drawn says why in one line. Must not know gnuplot.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "pts_text.h"
#include "report_model_internal.h"

#define POINTS_MAX 2000 /* of a series: more than a page has dots across */

struct extent {
	double low, high;
	size_t count;
};

enum which {
	OF_X,
	OF_Y,
	OF_Y2,
};

static struct extent extent_of(const struct report_plot *plot, enum which which)
{
	struct extent extent = {DBL_MAX, -DBL_MAX, 0};

	for (unsigned s = 0; s < plot->series_count; s++) {
		const struct report_series *series = &plot->series[s];

		for (size_t i = 0; i < series->count; i++) {
			double value = which == OF_X ? series->x[i] : series->y[i];

			if (!isfinite(series->x[i]) || !isfinite(series->y[i]) ||
			    (which != OF_X && series->on_y2 != (which == OF_Y2)))
				continue;
			extent.low = fmin(extent.low, value);
			extent.high = fmax(extent.high, value);
			extent.count++;
		}
	}
	return extent;
}

/* Values that have no place on a log axis become gaps; how many they were. */
static size_t drop_for_log(struct report_plot *plot)
{
	size_t dropped = 0;

	for (unsigned s = 0; s < plot->series_count; s++) {
		struct report_series *series = &plot->series[s];

		for (size_t i = 0; i < series->count; i++) {
			const struct report_axis *y = series->on_y2 ? &plot->y2 : &plot->y;
			bool bad_y = y->scale != SCALE_LINEAR && series->y[i] <= 0;
			bool bad_x = plot->x.scale != SCALE_LINEAR && series->x[i] <= 0;

			if (bad_x || bad_y) {
				series->y[i] = NAN;
				dropped++;
			}
		}
	}
	return dropped;
}

/*
 * Keeps the smallest and the largest value of each of POINTS_MAX / 2 stretches, in their order,
 * so that no peak is lost. A stretch without a value leaves one gap. True if any was left out.
 */
static bool decimate(struct report_model *model, struct report_series *series)
{
	size_t stretches = POINTS_MAX / 2;
	double *x, *y;
	size_t out = 0;

	if (series->count <= POINTS_MAX)
		return false;
	x = PTS_ARENA_ARRAY(model->arena, double, POINTS_MAX);
	y = PTS_ARENA_ARRAY(model->arena, double, POINTS_MAX);
	for (size_t k = 0; k < stretches; k++) {
		size_t from = k * series->count / stretches;
		size_t to = (k + 1) * series->count / stretches;
		size_t low = from, high = from;

		for (size_t i = from; i < to; i++) {
			if (!(series->y[low] <= series->y[i]) && isfinite(series->y[i]))
				low = i;
			if (!(series->y[high] >= series->y[i]) && isfinite(series->y[i]))
				high = i;
		}
		x[out] = series->x[low < high ? low : high];
		y[out++] = series->y[low < high ? low : high];
		if (low == high)
			continue;
		x[out] = series->x[low < high ? high : low];
		y[out++] = series->y[low < high ? high : low];
	}
	series->x = x;
	series->y = y;
	series->count = out;
	return true;
}

static double nice_step(double span, unsigned ticks)
{
	static const double steps[] = {1, 2, 2.5, 5, 10};
	double unit = pow(10, floor(log10(span / ticks)));

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (span / (steps[i] * unit) <= ticks)
			return steps[i] * unit;
	}
	return 10 * unit;
}

static void add_tick(struct report_model *model, struct report_axis *axis, double at,
		     int digits)
{
	char text[64];

	if (axis->tick_count == REPORT_TICKS)
		return;
	pts_number_text(at, digits, text, sizeof(text));
	axis->ticks[axis->tick_count++] =
		(struct report_tick){at, report_text(model, "%s", text)};
}

static int digits_for(double step)
{
	int digits = 0;

	while (digits < 9 && fabs(step - round(step)) > 1e-9 * step) {
		step *= 10;
		digits++;
	}
	return digits;
}

static double clock_step(double span, unsigned ticks)
{
	static const double steps[] = {0.25, 0.5, 1, 2, 3, 5, 10, 15, 30, 60, 120, 240};

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (span >= 1 && span / steps[i] <= ticks)
			return steps[i];
	}
	return nice_step(span, ticks);
}

static void linear_ticks(struct report_model *model, struct report_axis *axis)
{
	double step = axis->is_clock ? clock_step(axis->high - axis->low, 12)
				     : nice_step(axis->high - axis->low, 8);
	double first = ceil(axis->low / step - 1e-9);
	int count = (int)(floor(axis->high / step + 1e-9) - first) + 1;

	for (int i = 0; i < count; i++)
		add_tick(model, axis, (first + i) * step + 0.0, digits_for(step));
}

static void linear_range(struct report_model *model, struct report_axis *axis,
			 struct extent data)
{
	double pad = (data.high - data.low) * 0.12;
	double step;

	if (axis->from_zero) {
		data.low = fmin(data.low, 0);
		data.high = fmax(data.high, 0);
		pad = 0;
	}
	if (data.high - data.low <= fabs(data.high) * 1e-9)
		pad = fabs(data.high) > 0 ? fabs(data.high) * 0.1 : 0.5;
	data.low = axis->from_zero && data.low >= 0 ? 0 : data.low - pad;
	data.high += pad;
	if (data.high <= data.low)
		data.high = data.low + 1;
	if (axis->is_tight) {
		axis->low = data.low;
		axis->high = data.high;
		linear_ticks(model, axis);
		return;
	}
	step = nice_step(data.high - data.low, 8);
	axis->low = floor(data.low / step + 1e-9) * step;
	axis->high = ceil(data.high / step * (axis->from_zero ? 1.02 : 1) - 1e-9) * step;
	linear_ticks(model, axis);
}

static bool is_inside(const struct report_axis *axis, double at)
{
	return at >= axis->low && at <= axis->high;
}

/* Decades, and what is between them as far as there is room. */
static void log10_ticks(struct report_model *model, struct report_axis *axis, int low, int high)
{
	double ratio = axis->high / axis->low;

	for (int decade = low; decade <= high; decade++) {
		int digits = decade < 0 ? -decade : 0;

		if (is_inside(axis, pow(10, decade)))
			add_tick(model, axis, pow(10, decade), digits);
		for (int i = 2; i < 10 && decade < high && high - low <= 6; i++) {
			if (!is_inside(axis, i * pow(10, decade)))
				continue;
			add_tick(model, axis, i * pow(10, decade), digits);
			if (ratio > 120 || (ratio > 8 && i != 2 && i != 5))
				axis->ticks[axis->tick_count - 1].text = ""; /* a minor one */
		}
	}
}

static void log10_range(struct report_model *model, struct report_axis *axis,
			struct extent data)
{
	int low = (int)floor(log10(data.low) + 1e-12);
	int high = (int)ceil(log10(data.high) - 1e-12);

	if (high <= low)
		high = low + 1;
	axis->low = axis->is_tight ? data.low : pow(10, low);
	axis->high = axis->is_tight ? data.high : pow(10, high);
	axis->low *= 1 - 1e-6; /* so that the lowest tick is inside */
	axis->high *= 1 + 1e-6;
	log10_ticks(model, axis, low, high);
}

static void whole_ticks(struct report_model *model, struct report_axis *axis)
{
	int step = (int)fmax(1, ceil((axis->high - axis->low) / 25));
	int count = (int)((axis->high - axis->low) / step) + 1;

	for (int i = 0; i < count; i++)
		add_tick(model, axis, axis->low + i * step, 0);
	axis->low -= 0.5;
	axis->high += 0.5;
}

static void category_range(struct report_axis *axis)
{
	axis->low = axis->ticks[0].at;
	axis->high = axis->ticks[axis->tick_count - 1].at;
	if (axis->scale != SCALE_LINEAR && axis->low > 0) {
		axis->low /= 1.35;
		axis->high *= 1.35;
	} else {
		axis->low -= 0.6;
		axis->high += 0.6;
	}
}

static void x_range(struct report_model *model, struct report_plot *plot)
{
	struct report_axis *axis = &plot->x;
	struct extent extent = extent_of(plot, OF_X);

	if (axis->tick_count > 0)
		category_range(axis);
	else if (axis->scale == SCALE_LOG10 && axis->is_tight)
		log10_range(model, axis, (struct extent){axis->low, axis->high, 1});
	else if (isfinite(axis->low) && isfinite(axis->high))
		whole_ticks(model, axis); /* rounds */
	else if (axis->scale == SCALE_LOG10)
		log10_range(model, axis, extent);
	else
		linear_range(model, axis, extent);
}

static void y_range(struct report_model *model, struct report_axis *axis, struct extent extent)
{
	if (axis->scale == SCALE_LINEAR)
		linear_range(model, axis, extent);
	else
		log10_range(model, axis, extent);
}

/* A right axis whose values differ by more than this is drawn with a log scale, and says so. */
#define WIDE 30

static void choose_y2(struct report_model *model, struct report_plot *plot)
{
	struct extent extent = extent_of(plot, OF_Y2);

	if (extent.count == 0)
		plot->has_y2 = false;
	if (plot->y2.is_tight)
		return;
	if (extent.count == 0 || extent.low <= 0 || extent.high / extent.low < WIDE)
		return;
	plot->y2.scale = SCALE_LOG10;
	plot->y2.from_zero = false;
	plot->y2.label = report_text(model, "%s, log scale", plot->y2.label);
}

static void add_note(struct report_model *model, struct report_plot *plot, const char *text)
{
	plot->note = plot->note != NULL ? report_text(model, "%s %s", plot->note, text) : text;
}

void report_plot_prepare(struct report_model *model, struct report_plot *plot)
{
	bool thinned = false;
	struct extent y;
	size_t dropped;

	if (plot->has_y2)
		choose_y2(model, plot);
	dropped = drop_for_log(plot);
	y = extent_of(plot, OF_Y);
	for (unsigned s = 0; s < plot->series_count; s++)
		thinned |= decimate(model, &plot->series[s]);
	if (plot->cannot != NULL)
		return;
	if (y.count == 0) {
		plot->cannot =
			dropped > 0
				? "Not drawn: every value is 0, which a log axis can't show."
				: "Not drawn: there is no value.";
		return;
	}
	if (dropped > 0)
		add_note(model, plot,
			 report_text(model,
				     "%zu values are 0 and have no place on the log axis: they "
				     "leave a gap.",
				     dropped));
	if (thinned)
		add_note(model, plot,
			 report_text(model,
				     "Drawn with %d points a line: the smallest and the "
				     "largest value of each stretch; the CSV table has all.",
				     POINTS_MAX));
	x_range(model, plot);
	y_range(model, &plot->y, y);
	if (plot->has_y2)
		y_range(model, &plot->y2, extent_of(plot, OF_Y2));
	if (plot->kind == PLOT_COLUMNS && plot->z.tick_count > 0)
		category_range(&plot->z);
}
