/* What is drawn and what is not: cases/plots.json, gaps, decimation, hostile labels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "gnuplot_internal.h"
#include "pts_hash.h"
#include "report_escape_internal.h"
#include "report_model_internal.h"
#include "report_plot_internal.h"
#include "report_scratch.h"

static struct report_model model;

static int setup(void **state)
{
	(void)state;
	memset(&model, 0, sizeof(model));
	model.arena = pts_arena_new();
	scratch_make();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	pts_arena_free(model.arena);
	scratch_remove();
	return 0;
}

static struct report_plot *plot_of(size_t count, const double *x, const double *y, bool log)
{
	struct report_plot *plot = PTS_ARENA_NEW(model.arena, struct report_plot);

	plot->name = "p";
	plot->series = PTS_ARENA_NEW(model.arena, struct report_series);
	plot->series_count = 1;
	plot->series->name = "IOPS";
	plot->series->count = count;
	plot->series->x = PTS_ARENA_ARRAY(model.arena, double, count + 1);
	plot->series->y = PTS_ARENA_ARRAY(model.arena, double, count + 1);
	memcpy(plot->series->x, x, count * sizeof(*x));
	memcpy(plot->series->y, y, count * sizeof(*y));
	plot->x.label = "Round";
	plot->y.label = "IOPS";
	plot->x.low = plot->x.high = plot->y.low = plot->y.high = NAN;
	plot->y.scale = log ? SCALE_LOG10 : SCALE_LINEAR;
	plot->y.from_zero = !log;
	return plot;
}

/* Draws it with a real gnuplot; the SVG is the caller's to free. */
static char *drawn(const struct report_plot *plot)
{
	const struct plot_frame frame = {800, 400, 0, 800, 0, 400, 12};
	struct pts_err err = PTS_ERR_INIT;
	struct pts_buf script = {0};
	size_t bytes;
	char *folder, *svg = NULL, path[300];

	pts_buf_puts(&script, "set terminal svg size 800,400 noenhanced\nset output 'p.svg'\n");
	plot_script(&script, plot, &frame);
	pts_buf_puts(&script, "unset output\n");
	assert_int_equal(gnuplot_folder_make(&folder, &err), 0);
	if (gnuplot_run(folder, script.data, script.length, &err) != 0)
		fail_msg("%s", err.text);
	snprintf(path, sizeof(path), "%s/p.svg", folder);
	assert_int_equal(pts_file_read(path, 16 << 20, &svg, &bytes), 0);
	gnuplot_folder_remove(folder);
	pts_buf_release(&script);
	return svg;
}

static double number(const json_t *value)
{
	double parsed = NAN;

	if (json_is_number(value))
		return json_number_value(value);
	return pts_double_parse(json_string_value(value), &parsed) == 0 ? parsed : NAN;
}

static const char *draw_case(const json_t *one, bool log)
{
	const json_t *rows = json_object_get(one, "rows");
	struct report_plot *plot;
	double x[8], y[8];
	size_t count = json_array_size(rows);
	char *svg;

	assert_true(count <= 8);
	for (size_t i = 0; i < count; i++) {
		x[i] = number(json_array_get(json_array_get(rows, i), 0));
		if (isnan(x[i]))
			x[i] = (double)i + 1;
		y[i] = number(json_array_get(json_array_get(rows, i), 1));
	}
	plot = plot_of(count, x, y, log);
	report_plot_prepare(&model, plot);
	if (plot->cannot != NULL)
		return plot->cannot;
	svg = drawn(plot);
	assert_non_null(strstr(svg, "</svg>"));
	free(svg);
	assert_true(plot->y.high > plot->y.low);
	return plot->note != NULL ? plot->note : "";
}

static void test_cases(void **state)
{
	json_error_t error;
	json_t *root = json_load_file(PTS_FIXTURES "/plots.json", 0, &error);
	json_t *cases = json_object_get(root, "cases");
	size_t i, seen = 0;
	json_t *one;

	(void)state;
	json_array_foreach(cases, i, one)
	{
		const char *id = json_string_value(json_object_get(one, "id"));
		const char *told = draw_case(one, strncmp(id, "log-", 4) == 0);

		seen++;
		if (strcmp(id, "log-all-zero") == 0)
			assert_non_null(strstr(told, "every value is 0"));
		else if (strcmp(id, "log-one-zero") == 0)
			assert_non_null(strstr(told, "1 values are 0"));
		else if (strcmp(id, "comma-decimal") == 0)
			assert_non_null(
				strstr(told, "there is no value")); /* never read as 0 */
		else
			assert_string_equal(told, "");
	}
	assert_true(seen >= 6);
	json_decref(root);
}

static void test_flat_starts_at_zero(void **state)
{
	const double x[] = {1, 2, 3}, y[] = {500, 500, 500};
	struct report_plot *plot = plot_of(3, x, y, false);

	(void)state;
	report_plot_prepare(&model, plot);
	assert_true(plot->y.low == 0);
	assert_true(plot->y.high > 500);
}

static void test_single_point_is_visible(void **state)
{
	const double x[] = {5}, y[] = {40000};
	struct report_plot *plot = plot_of(1, x, y, false);
	char *svg;

	(void)state;
	report_plot_prepare(&model, plot);
	svg = drawn(plot);
	/* one mark for the point and one in the key */
	assert_true(count_of(svg, "<use xlink:href='#gpPt") >= 2);
	free(svg);
}

static void test_gap_breaks_the_line(void **state)
{
	const double x[] = {1, 2, 3, 4, 5}, y[] = {10, 11, NAN, 12, 13};
	struct report_plot *plot = plot_of(5, x, y, false);
	struct pts_buf script = {0};
	const struct plot_frame frame = {800, 400, 0, 800, 0, 400, 12};

	(void)state;
	report_plot_prepare(&model, plot);
	plot_script(&script, plot, &frame);
	assert_non_null(strstr(script.data, "\n3 NaN\n"));
	assert_null(strstr(script.data, "\n3 0\n"));
	pts_buf_release(&script);
}

static void test_long_series_keep_their_peaks(void **state)
{
	size_t count = 100000;
	double *x = calloc(count, sizeof(*x)), *y = calloc(count, sizeof(*y));
	struct report_plot *plot;
	double high = 0, low = 1e9;

	(void)state;
	for (size_t i = 0; i < count; i++) {
		x[i] = (double)i;
		y[i] = 1000 + sin((double)i / 1000);
	}
	y[54321] = 9999;
	y[12345] = 1;
	plot = plot_of(count, x, y, false);
	report_plot_prepare(&model, plot);
	assert_true(plot->series->count <= 2000);
	for (size_t i = 0; i < plot->series->count; i++) {
		high = fmax(high, plot->series->y[i]);
		low = fmin(low, plot->series->y[i]);
		assert_true(i == 0 || plot->series->x[i] > plot->series->x[i - 1]);
	}
	assert_true(high == 9999 && low == 1);
	free(x);
	free(y);
}

static void test_labels_are_drawn_not_run(void **state)
{
	const double x[] = {1, 2}, y[] = {1, 2};
	struct report_plot *plot = plot_of(2, x, y, false);
	char name[400], *svg;

	(void)state;
	snprintf(name, sizeof(name), "D_R`touch %s`^2'x\"@y{z}\\", scratch_path("pwned"));
	plot->series->name = name;
	plot->y.label = name;
	report_plot_prepare(&model, plot);
	svg = drawn(plot);
	assert_false(scratch_exists("pwned"));
	/* the literal text in one run: no subscript, no smaller font */
	assert_non_null(strstr(svg, "D_R`touch "));
	free(svg);
}

/* The same for names of stretches, lines and ticks, a second axis and bars. */
static void test_marks_bars_and_a_second_axis(void **state)
{
	const double x[] = {1, 2, 3}, y[] = {10, 20, 30};
	struct report_plot *plot = plot_of(3, x, y, false);
	char name[400], *svg;

	(void)state;
	snprintf(name, sizeof(name), "M`touch %s`^2'x\"@y{z}\\", scratch_path("pwned"));
	plot->series = PTS_ARENA_ARRAY(model.arena, struct report_series, 2);
	plot->series[0] = plot->series[1] = *plot_of(3, x, y, false)->series;
	plot->series[0].role = ROLE_BARS;
	plot->series[0].x_end = PTS_ARENA_ARRAY(model.arena, double, 3);
	for (unsigned i = 0; i < 3; i++)
		plot->series[0].x_end[i] = plot->series[0].x[i] + 0.5;
	plot->series[1].name = name;
	plot->series[1].on_y2 = true;
	plot->series_count = 2;
	plot->has_y2 = true;
	plot->y2 = (struct report_axis){.label = name, .low = NAN, .high = NAN};
	plot->marks[0] = (struct report_mark){MARK_STRETCH, 1, 3, name};
	plot->marks[1] = (struct report_mark){MARK_SHADED, 1.2, 2, name};
	plot->marks[2] = (struct report_mark){MARK_LINE, 2, 2, name};
	plot->mark_count = 3;
	plot->x.ticks[0] = (struct report_tick){1, name};
	plot->x.ticks[1] = (struct report_tick){3, "3"};
	plot->x.tick_count = 2;
	plot->x.is_upright = true;
	report_plot_prepare(&model, plot);
	assert_null(plot->cannot);
	svg = drawn(plot);
	assert_false(scratch_exists("pwned"));
	/* legend, right axis, tick, and the names of the shaded stretch and the line */
	assert_true(count_of(svg, "M`touch ") >= 5);
	free(svg);
}

/* What a gnuplot string in single quotes stands for; valid until the next call. */
static const char *unquoted(const char *quoted)
{
	static char text[512];
	size_t length = 0;

	for (quoted++; quoted[1] != '\0'; quoted++) {
		text[length++] = *quoted;
		quoted += quoted[0] == '\'' && quoted[1] == '\'';
	}
	text[length] = '\0';
	return text;
}

/* gnuplot reads back what was written, whatever stands in it: 3,000 strings made to break out. */
static void test_random_strings_are_read_back(void **state)
{
	static const char alphabet[] = "''''\"`\\@${};#%&^_ ab1~|()<>!?-+=,.\n";
	struct pts_buf script = {0}, want = {0};
	struct pts_err err = PTS_ERR_INIT;
	uint64_t seed = 20261201;
	char *folder, *got = NULL, path[300];
	size_t bytes;

	(void)state;
	pts_buf_printf(&script, "set encoding utf8\nset print 'read.txt'\n");
	for (unsigned i = 0; i < 3000; i++) {
		struct pts_buf quoted = {0};
		char text[32] = "";
		unsigned length = (unsigned)(pts_splitmix64(&seed) % 16);

		for (unsigned j = 0; j < length; j++)
			text[j] = alphabet[pts_splitmix64(&seed) % (sizeof(alphabet) - 1)];
		escape_gnuplot(&quoted, text);
		pts_buf_printf(&script, "print %s\n", quoted.data);
		pts_buf_printf(&want, "%s\n", unquoted(quoted.data));
		pts_buf_release(&quoted);
	}
	assert_int_equal(gnuplot_folder_make(&folder, &err), 0);
	if (gnuplot_run(folder, script.data, script.length, &err) != 0)
		fail_msg("%s", err.text);
	snprintf(path, sizeof(path), "%s/read.txt", folder);
	assert_int_equal(pts_file_read(path, 1 << 20, &got, &bytes), 0);
	assert_string_equal(got, want.data);
	gnuplot_folder_remove(folder);
	pts_buf_release(&script);
	pts_buf_release(&want);
	free(got);
}

static void test_a_broken_script_is_an_error(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	char *folder;

	(void)state;
	assert_int_equal(gnuplot_folder_make(&folder, &err), 0);
	assert_int_not_equal(gnuplot_run(folder, "plot nonsense(\n", 15, &err), 0);
	assert_int_equal(err.exit, PTS_EXIT_BUG);
	assert_non_null(strstr(err.text, "gnuplot failed"));
	gnuplot_folder_remove(folder);
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_cases),
		WITH_SCRATCH(test_flat_starts_at_zero),
		WITH_SCRATCH(test_single_point_is_visible),
		WITH_SCRATCH(test_gap_breaks_the_line),
		WITH_SCRATCH(test_long_series_keep_their_peaks),
		WITH_SCRATCH(test_labels_are_drawn_not_run),
		WITH_SCRATCH(test_marks_bars_and_a_second_axis),
		WITH_SCRATCH(test_random_strings_are_read_back),
		WITH_SCRATCH(test_a_broken_script_is_an_error),
	};

	if (report_gnuplot() == NULL) {
		print_message("skipped: gnuplot is not installed (gnuplot-nox)\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
