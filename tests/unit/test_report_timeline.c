/* Timelines: what is on the axes, where lines break, the steady window, hand-computed values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report_model_internal.h"
#include "report_table_store.h"

#define SECOND 1000000000ull
#define GB     1000000000ull

static struct report_model *model;

static void assert_close(double value, double want, double by)
{
	if (!(fabs(value - want) <= by))
		fail_msg("%.17g instead of %.17g", value, want);
}

static int teardown(void **state)
{
	(void)state;
	report_model_free(model);
	model = NULL;
	return 0;
}

static struct report_plot *plot_of_page(unsigned skip)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		for (unsigned b = 0; b < model->pages[i]->block_count; b++) {
			struct report_block *block = &model->pages[i]->blocks[b];

			if (block->kind == BLOCK_PLOT && skip-- == 0)
				return block->plot;
		}
	}
	fail_msg("no such plot");
	return NULL;
}

static const struct report_table *table_named(const char *name)
{
	for (unsigned i = 0; i < model->table_count; i++) {
		if (strcmp(model->tables[i]->name, name) == 0)
			return model->tables[i];
	}
	fail_msg("no table '%s'", name);
	return NULL;
}

static void make(struct table_store *table)
{
	const struct report_options options = {.out_dir = "."};
	struct pts_err err = PTS_ERR_INIT;

	if (report_model_make(table_store_open(table), &options, &model, &err) != 0)
		fail_msg("%s", err.text);
}

/* A write sample of a second: so many I/Os of 1 MB, mean and maximum latency in ms. */
static struct store_sample sample(uint32_t second, uint64_t ios, uint64_t mean_ms,
				  uint64_t max_ms)
{
	struct store_sample out = {.second = second, .span_ns = SECOND};

	out.ios[1] = ios;
	out.bytes[1] = ios * 1000000;
	out.lat_sum_ns[1] = ios * mean_ms * 1000000;
	out.lat_max_ns[1] = max_ms * 1000000;
	return out;
}

#define LOADS                                                                                  \
	"{\"steps\":[{\"index\":0,\"phase\":\"purge\",\"kind\":\"purge\"},"                    \
	"{\"index\":1,\"kind\":\"load\",\"record_s\":2,\"cells\":[{\"index\":0}]},"            \
	"{\"index\":2,\"kind\":\"load\",\"cells\":[{\"index\":0}]}],"                          \
	"\"tests\":[{\"name\":\"t\",\"pages\":["                                               \
	"{\"kind\":\"timeline\",\"title\":\"A\",\"step\":\"one\",\"steps\":[\"one\",\"two\"]," \
	"\"x\":\"time\",\"ys\":[\"mb_per_s\"]},"                                               \
	"{\"kind\":\"timeline\",\"title\":\"B\",\"step\":\"one\",\"steps\":[\"one\",\"two\"]," \
	"\"x\":\"written\",\"ys\":[\"mb_per_s\"],\"y2s\":[\"lat_mean\",\"lat_max\"]},"         \
	"{\"kind\":\"timeline\",\"title\":\"C\",\"step\":\"two\",\"steps\":[\"two\"],"         \
	"\"x\":\"fills\",\"ys\":[\"iops\",\"lat_p99999\"],\"y_scale\":\"log10\"}]}]}"

/* Two loads, one after the other: 10, 20, 30, 40 MB/s of 1 MB blocks, then 1 and 3. */
static void make_loads(void)
{
	static struct store_sample one[4], two[2];
	static const struct store_step_row steps[] = {
		{.plan = {.step = 0, .test = "t", .phase = "purge", .kind = "purge"}},
		{.plan = {.step = 1, .test = "t", .phase = "one", .kind = "load"}},
		{.plan = {.step = 2, .test = "t", .phase = "two", .kind = "load"}},
	};
	static struct store_cell cells[2];
	static struct table_store table;

	for (uint32_t i = 0; i < 4; i++)
		one[i] = sample(i, 10 * (i + 1), i + 1, 100 + i);
	two[0] = sample(0, 1, 8, 9);
	two[1] = sample(1, 3, 4, 5);
	cells[0] = (struct store_cell){.step = 1,
				       .valid = true,
				       .started_ns = 7 * SECOND,
				       .elapsed_ns = 4 * SECOND,
				       .samples = one,
				       .sample_count = 4};
	cells[0].dir[1].bytes = 100 * 1000000;
	cells[1] = (struct store_cell){.step = 2,
				       .valid = true,
				       .started_ns = 11 * SECOND,
				       .elapsed_ns = 2 * SECOND,
				       .samples = two,
				       .sample_count = 2};
	cells[1].dir[1].bytes = 4 * 1000000;
	table = (struct table_store){.test = "t",
				     .title = "T",
				     .plan_json = LOADS,
				     .capacity_bytes = 50 * 1000000,
				     .steps = steps,
				     .step_count = 3,
				     .cells = cells,
				     .cell_count = 2};
	make(&table);
}

static void values(const struct report_series *series, size_t count, const double *x,
		   const double *y)
{
	assert_int_equal(series->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_close(series->x[i], x[i], 1e-9);
		if (isfinite(y[i]))
			assert_close(series->y[i], y[i], 1e-9);
		else
			assert_false(isfinite(series->y[i]));
	}
}

static void test_steps_of_one_metric_are_a_series_each(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_loads();
	plot = plot_of_page(0);
	assert_null(plot->cannot);
	assert_string_equal(plot->x.label, "Time (s)");
	assert_string_equal(plot->y.label, "Throughput (MB/s)");
	assert_int_equal(plot->series_count, 2);
	assert_string_equal(plot->series[0].name, "one");
	/* record_every 2 s sums two samples of a second each; drawn at the end of the span */
	values(&plot->series[0], 2, (double[]){2, 4}, (double[]){15, 35});
	values(&plot->series[1], 2, (double[]){5, 6}, (double[]){1, 3});
	assert_int_equal(plot->mark_count, 2);
	assert_string_equal(plot->marks[1].text, "two");
	assert_close(plot->marks[1].from, 4, 1e-9);
	assert_close(plot->marks[1].to, 6, 1e-9);
	assert_close(plot->x.high, 6, 1e-9);
}

static void test_several_metrics_are_a_series_each_over_all_steps(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_loads();
	plot = plot_of_page(1);
	assert_string_equal(plot->x.label, "Written since the purge (GB)");
	assert_true(plot->has_y2);
	/* from 1.7 to 103 ms: a linear axis would show nothing of the means */
	assert_string_equal(plot->y2.label, "Response time (ms), log scale");
	assert_int_equal(plot->y2.scale, SCALE_LOG10);
	assert_int_equal(plot->series_count, 3);
	assert_false(plot->series[0].on_y2);
	assert_true(plot->series[1].on_y2);
	/* the line is broken where a step ends; a mean is weighted by its I/Os */
	values(&plot->series[1], 5, (double[]){0.03, 0.1, 0.1, 0.101, 0.104},
	       (double[]){(10 * 1 + 20 * 2) / 30.0, (30 * 3 + 40 * 4) / 70.0, NAN, 8, 4});
	values(&plot->series[2], 5, (double[]){0.03, 0.1, 0.1, 0.101, 0.104},
	       (double[]){101, 103, NAN, 9, 5});
}

static void test_fills_count_what_the_test_wrote_before(void **state)
{
	const struct report_plot *plot;
	const struct report_page *page = NULL;

	(void)state;
	make_loads();
	plot = plot_of_page(2);
	assert_string_equal(plot->x.label, "Drive fills (bytes written / user capacity)");
	assert_int_equal(plot->y.scale, SCALE_LOG10);
	assert_int_equal(plot->series_count, 1);
	values(&plot->series[0], 2, (double[]){2.02, 2.08}, (double[]){1, 3});
	for (unsigned i = 0; i < model->page_count; i++) {
		if (strcmp(model->pages[i]->title, "C") == 0)
			page = model->pages[i];
	}
	assert_non_null(page);
	assert_string_equal(page->blocks[0].text,
			    "99.999 % response time is not recorded over time.");
}

static void test_points_are_a_table_too(void **state)
{
	const struct report_table *table;

	(void)state;
	make_loads();
	table = table_named("t-one-points");
	assert_int_equal(table->row_count, 2);
	assert_close(table->cells[9 + 2].value, 9e9, 0); /* started_ns */
	assert_close(table->cells[9 + 3].value, 2e9, 0);
	assert_close(table->cells[9 + 4].value, 100e6, 0);
	assert_close(table->cells[9 + 6].value, 35, 1e-9);
	assert_close(table->cells[9 + 8].value, 103e6, 0);
	table = table_named("t-timeline-summary");
	assert_int_equal(table->row_count, 2);
	assert_close(table->cells[3].value, 15, 1e-9);    /* first */
	assert_close(table->cells[4].value, 35, 1e-9);    /* highest */
	assert_close(table->cells[8 + 5].value, 1, 1e-9); /* lowest */
	assert_close(table->cells[8 + 6].value, 2, 1e-9); /* mean */
}

#define SAMPLED                                                                                \
	"{\"steps\":[{\"index\":0,\"kind\":\"load\",\"sample_s\":1,\"sample_load_s\":2,"       \
	"\"sample_first\":false,\"record_s\":1,\"window\":2,"                                  \
	"\"cells\":[{\"index\":0},{\"index\":1}],"                                             \
	"\"tracks\":[{\"name\":\"IOPS\",\"metric\":\"iops\",\"cell\":0}]}],"                   \
	"\"tests\":[{\"name\":\"w\",\"pages\":["                                               \
	"{\"kind\":\"timeline\",\"title\":\"A\",\"step\":\"s\",\"steps\":[\"s\"],"             \
	"\"x\":\"time\",\"ys\":[\"iops\"]},"                                                   \
	"{\"kind\":\"convergence\",\"title\":\"C\",\"step\":\"s\",\"steps\":[\"s\"],"          \
	"\"y\":\"iops\"},"                                                                     \
	"{\"kind\":\"window\",\"title\":\"W\",\"step\":\"s\",\"steps\":[\"s\"],"               \
	"\"track\":\"IOPS\",\"table\":true}]}]}"

/* Three pairs of a load of 2 s and a sample of 1 s; the last two samples are the window. */
static void make_sampled(const char *outcome, bool steady)
{
	static struct store_sample loads[3][2], samples[3][1];
	static struct store_cell cells[6];
	static struct store_round_row rounds[3];
	static struct store_step_row step;
	static struct store_steady judged;
	static struct table_store table;

	for (int r = 0; r < 3; r++) {
		uint64_t ios = (uint64_t)(300 - 100 * r);

		loads[r][0] = sample(0, ios + 2, 1, 2);
		loads[r][1] = sample(1, ios + 1, 1, 2);
		samples[r][0] = sample(0, ios, 1, 2);
		for (int c = 0; c < 2; c++) {
			struct store_cell *cell = &cells[2 * r + c];

			*cell = (struct store_cell){.round = r + 1, .cell = c, .valid = true};
			cell->started_ns = (uint64_t)(3 * r + 2 * c + 1) * SECOND;
			cell->elapsed_ns = (c == 0 ? 2 : 1) * SECOND;
			cell->samples = c == 0 ? loads[r] : samples[r];
			cell->sample_count = c == 0 ? 2 : 1;
			cell->total.iops = (double)ios + (c == 0 ? 1.5 : 0);
		}
		rounds[r] = (struct store_round_row){.round = r + 1, .state = "valid"};
	}
	step = (struct store_step_row){
		.plan = {.test = "w", .phase = "s", .kind = "load"},
		.begun = true,
		.ended = true,
		.outcome = outcome,
		.rounds_closed = 3,
		.bytes_written = 4 * GB,
		.elapsed_ns = 9 * SECOND,
	};
	judged = (struct store_steady){.track = "IOPS",
				       .last_round = 3,
				       .window = 2,
				       .metric = "iops",
				       .valid = true,
				       .average = 150,
				       .range_limit = 0.2,
				       .slope_limit = 0.1,
				       .steady = steady};
	table = (struct table_store){.test = "w",
				     .title = "Write Saturation",
				     .plan_json = SAMPLED,
				     .capacity_bytes = GB,
				     .steps = &step,
				     .step_count = 1,
				     .cells = cells,
				     .cell_count = 6,
				     .rounds = rounds,
				     .round_count = 3,
				     .steady = &judged,
				     .steady_count = 1};
	make(&table);
}

static void test_the_window_of_a_sampled_load_is_marked(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_sampled("steady", true);
	plot = plot_of_page(0);
	assert_int_equal(plot->series_count, 1);
	assert_int_equal(plot->series[0].count, 9);
	assert_close(plot->series[0].y[2], 300, 1e-9);
	assert_int_equal(plot->mark_count, 1);
	assert_int_equal(plot->marks[0].kind, MARK_SHADED);
	/* from the begin of sample 2 to the end of sample 3 */
	assert_close(plot->marks[0].from, 5, 1e-9);
	assert_close(plot->marks[0].to, 9, 1e-9);
	assert_string_equal(plot->marks[0].text, "Steady state window, rounds 2-3");
}

static void test_rounds_of_a_sampled_load_are_its_samples(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_sampled("steady", true);
	plot = plot_of_page(1);
	assert_int_equal(plot->series_count, 1);
	values(&plot->series[0], 3, (double[]){1, 2, 3}, (double[]){300, 200, 100});
	plot = plot_of_page(2);
	values(&plot->series[plot->series_count - 1], 2, (double[]){2, 3},
	       (double[]){200, 100});
}

static void stop_rule(const char *outcome, bool steady, const char *want, bool warn)
{
	bool found = false;

	make_sampled(outcome, steady);
	for (unsigned p = 0; p < model->page_count; p++) {
		for (unsigned b = 0; b < model->pages[p]->block_count; b++) {
			const struct report_block *block = &model->pages[p]->blocks[b];

			if (block->kind == BLOCK_BANNER && strstr(block->text, want) != NULL) {
				found = true;
				assert_int_equal(block->tone == TONE_WARN, warn);
			}
		}
	}
	if (!found)
		fail_msg("nobody says '%s'", want);
	report_model_free(model);
	model = NULL;
}

static void test_the_rule_that_ended_a_load_is_told(void **state)
{
	(void)state;
	stop_rule("steady", true, "steady state was reached", false);
	stop_rule("amount", false,
		  "STEADY STATE WAS NOT REACHED: the amount to write was reached first "
		  "(4.00 GB",
		  true);
	stop_rule("time", false, "STEADY STATE WAS NOT REACHED: its time was over first", true);
	stop_rule("not steady", false, "STEADY STATE WAS NOT REACHED in 3 rounds", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_steps_of_one_metric_are_a_series_each, teardown),
		cmocka_unit_test_teardown(test_several_metrics_are_a_series_each_over_all_steps,
					  teardown),
		cmocka_unit_test_teardown(test_fills_count_what_the_test_wrote_before,
					  teardown),
		cmocka_unit_test_teardown(test_points_are_a_table_too, teardown),
		cmocka_unit_test_teardown(test_the_window_of_a_sampled_load_is_marked,
					  teardown),
		cmocka_unit_test_teardown(test_rounds_of_a_sampled_load_are_its_samples,
					  teardown),
		cmocka_unit_test_teardown(test_the_rule_that_ended_a_load_is_told, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
