/* Pages of recovery, of bars and of a matrix over a metric, against values worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report_model_internal.h"
#include "report_table_store.h"

#define MINUTE 60000000000ull

static struct report_model *model;

static int teardown(void **state)
{
	(void)state;
	report_model_free(model);
	model = NULL;
	return 0;
}

static void make(struct table_store *table)
{
	const struct report_options options = {.out_dir = "."};
	struct pts_err err = PTS_ERR_INIT;

	if (report_model_make(table_store_open(table), &options, &model, &err) != 0)
		fail_msg("%s", err.text);
}

static void assert_close(double value, double want)
{
	if (!(fabs(value - want) <= 1e-9 * fabs(want) + 1e-12))
		fail_msg("%.17g instead of %.17g", value, want);
}

static const struct report_page *page_titled(const char *title)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		if (strcmp(model->pages[i]->title, title) == 0)
			return model->pages[i];
	}
	fail_msg("no page '%s'", title);
	return NULL;
}

static const struct report_block *block_of(const char *title, enum report_block_kind kind)
{
	const struct report_page *page = page_titled(title);

	for (unsigned b = 0; b < page->block_count; b++) {
		if (page->blocks[b].kind == kind)
			return &page->blocks[b];
	}
	fail_msg("no such block on '%s'", title);
	return NULL;
}

static bool says(const char *title, const char *part)
{
	const struct report_page *page = page_titled(title);

	for (unsigned b = 0; b < page->block_count; b++) {
		if (page->blocks[b].text != NULL && strstr(page->blocks[b].text, part) != NULL)
			return true;
	}
	return false;
}

#define RECOVERY                                                                               \
	"{\"steps\":[{\"index\":0,\"kind\":\"load\",\"cells\":[{}]},"                          \
	"{\"index\":1,\"kind\":\"load\",\"cells\":[{}]},"                                      \
	"{\"index\":2,\"kind\":\"load\",\"cells\":[{}]}],"                                     \
	"\"tests\":[{\"name\":\"x\",\"pages\":[{\"kind\":\"recovery\",\"title\":\"R\","        \
	"\"step\":\"one\",\"steps\":[\"one\",\"two\",\"three\"],\"y\":\"mb_per_s\","           \
	"\"y2s\":[\"lat_mean\",\"lat_max\"],\"level_pct\":%d}]}]}"

/* Minutes of three loads in MB/s; the first one's mean is 100. */
static void make_recovery(int level_pct)
{
	static const unsigned rates[3][4] = {
		{130, 90, 90, 90}, {10, 11, 12, 9}, {20, 92, 40, 95}};
	static const struct store_step_row steps[3] = {
		{.plan = {.step = 0, .test = "x", .phase = "one", .kind = "load"}},
		{.plan = {.step = 1, .test = "x", .phase = "two", .kind = "load"}},
		{.plan = {.step = 2, .test = "x", .phase = "three", .kind = "load"}},
	};
	static struct store_sample samples[3][4];
	static struct store_cell cells[3];
	static struct table_store table;
	static char plan[1000];

	for (int s = 0; s < 3; s++) {
		for (uint32_t i = 0; i < 4; i++) {
			samples[s][i] = (struct store_sample){.second = i, .span_ns = MINUTE};
			samples[s][i].ios[1] = 60ull * rates[s][i];
			samples[s][i].bytes[1] = 60000000ull * rates[s][i];
			samples[s][i].lat_sum_ns[1] = samples[s][i].ios[1] * (i + 1) * 1000000;
			samples[s][i].lat_max_ns[1] = (10 * (uint64_t)s + i + 1) * 1000000;
		}
		cells[s] = (struct store_cell){.step = s,
					       .valid = true,
					       .started_ns = MINUTE * (uint64_t)(4 * s + 1),
					       .elapsed_ns = 4 * MINUTE,
					       .samples = samples[s],
					       .sample_count = 4};
	}
	snprintf(plan, sizeof(plan), RECOVERY, level_pct);
	table = (struct table_store){.test = "x",
				     .title = "X",
				     .plan_json = plan,
				     .steps = steps,
				     .step_count = 3,
				     .cells = cells,
				     .cell_count = 3};
	make(&table);
}

static void test_recovery_is_the_first_point_at_the_level(void **state)
{
	const struct report_table *table;

	(void)state;
	make_recovery(90);
	table = block_of("R", BLOCK_TABLE)->table;
	assert_int_equal(table->column_count, 6);
	assert_int_equal(table->row_count, 3);
	assert_close(table->cells[1].value, 100);        /* mean of one */
	assert_close(table->cells[2].value, 90);         /* its end */
	assert_close(table->cells[6 + 1].value, 10.5);   /* of two */
	assert_close(table->cells[2 * 6 + 2].value, 95); /* end of three */
	assert_close(table->cells[2 * 6 + 3].value, 4);  /* peak mean response */
	assert_close(table->cells[2 * 6 + 4].value, 24); /* peak maximum */
	assert_string_equal(table->cells[5].text, "-");
	assert_close(table->cells[2 * 6 + 5].value, 2); /* 92 >= 90: the second minute */
	assert_true(says("R", "at least 90 % of the mean of 'one': 90 MB/s"));
	assert_true(says("R", "1 of the 2 later points are below that level again"));
	assert_string_equal(block_of("R", BLOCK_PLOT)->plot->marks[0].text,
			    "recovered after 2 min");
}

static void test_a_level_that_is_never_reached(void **state)
{
	const struct report_table *table;

	(void)state;
	make_recovery(100);
	table = block_of("R", BLOCK_TABLE)->table;
	assert_int_equal(table->cells[2 * 6 + 5].kind, CELL_MISSING);
	assert_string_equal(table->cells[2 * 6 + 5].text, "not yet");
	assert_int_equal(block_of("R", BLOCK_PLOT)->plot->mark_count, 0);
}

static const char demand[] =
	"{\"steps\":[{\"index\":0,\"kind\":\"rounds\",\"window\":2,\"before\":[{}],\"cells\":["
	"{\"index\":0,\"read_pct\":65,\"block_bytes\":8192,\"threads\":4,\"queue_depth\":4},"
	"{\"index\":1,\"read_pct\":65,\"block_bytes\":8192,\"threads\":4,\"queue_depth\":2},"
	"{\"index\":2,\"read_pct\":65,\"block_bytes\":8192,\"threads\":2,\"queue_depth\":4},"
	"{\"index\":3,\"read_pct\":65,\"block_bytes\":8192,\"threads\":2,\"queue_depth\":2}]}],"
	"\"tests\":[{\"name\":\"d\",\"pages\":["
	"{\"kind\":\"cell_bars\",\"title\":\"B\",\"step\":\"s\",\"y\":\"iops\","
	"\"y2s\":[\"lat_mean\"]},"
	"{\"kind\":\"matrix_lines\",\"title\":\"I\",\"step\":\"s\",\"x\":\"iops\","
	"\"y\":\"lat_mean\",\"series\":\"threads\",\"y_scale\":\"log10\"},"
	"{\"kind\":\"matrix_columns\",\"title\":\"U\",\"step\":\"s\",\"x\":\"queue_depth\","
	"\"z\":\"threads\",\"y\":\"cpu_system\"},"
	"{\"kind\":\"convergence\",\"title\":\"C\",\"step\":\"s\",\"y\":\"iops\","
	"\"series\":\"queue_depth\",\"where\":{\"threads\":4}}]}]}";

/* Two rounds of 2 x 2 cells; a load before each round is no cell of the matrix. */
static void make_demand(void)
{
	static const double iops[2][4] = {{100, 80, 70, 50}, {300, 120, 90, 50}};
	static const struct store_step_row step = {
		.plan = {.test = "d", .phase = "s", .kind = "rounds"}, .rounds_closed = 2};
	static struct store_round_row rounds[2];
	static const struct store_choice choices[2] = {
		{0, "max", "highest", 0, 4, 4, "iops", 200, 20e6 / 3, 1, 2},
		{0, "none", "highest", -1, 0, 0, "iops", NAN, NAN, 1, 2},
	};
	static struct store_cell cells[10];
	static struct table_store table;

	for (int r = 0; r < 2; r++) {
		rounds[r] = (struct store_round_row){.round = r + 1, .state = "valid"};
		for (int c = 0; c < 5; c++) {
			/* as they were done: the load before the round comes first */
			struct store_cell *cell = &cells[5 * r + (c + 1) % 5];

			*cell = (struct store_cell){.round = r + 1, .cell = c, .valid = true};
			cell->role = c < 4 ? "cell" : "before";
			cell->total.iops = c < 4 ? iops[r][c] : 9999;
			cell->total.lat_mean_ns = 1e9 / cell->total.iops;
			cell->cpu_system_pct = c == 3 ? NAN : 10 * c + r;
		}
	}
	table = (struct table_store){.test = "d",
				     .title = "D",
				     .plan_json = demand,
				     .steps = &step,
				     .step_count = 1,
				     .cells = cells,
				     .cell_count = 10,
				     .rounds = rounds,
				     .round_count = 2,
				     .choices = choices,
				     .choice_count = 2};
	make(&table);
}

static void test_chosen_points_are_a_table(void **state)
{
	const struct report_table *table;

	(void)state;
	make_demand();
	table = block_of("Chosen Points", BLOCK_TABLE)->table;
	assert_int_equal(table->row_count, 2);
	assert_string_equal(table->cells[0].text, "max");
	assert_string_equal(table->cells[1].text, "highest IOPS");
	assert_close(table->cells[2].value, 4);
	assert_close(table->cells[4].value, 16);
	assert_close(table->cells[5].value, 200);
	assert_close(table->cells[6].value, 20 / 3.0);
	assert_int_equal(table->cells[7 + 5].kind, CELL_MISSING);
	assert_true(says("Chosen Points", "[1] n/a: no cell fits the rule"));
}

static void test_cpu_time_that_is_not_known_is_a_gap(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_demand();
	plot = block_of("U", BLOCK_PLOT)->plot;
	assert_string_equal(plot->y.label, "System CPU utilisation (%)");
	assert_false(isfinite(plot->series[0].y[0])); /* 2 threads, depth 2: cell 3 */
	assert_close(plot->series[0].y[1], 20.5);
	assert_close(plot->series[1].y[1], 0.5);
}

static void test_cells_of_the_same_total_stand_side_by_side(void **state)
{
	static const char *const names[] = {"4 = 2x2", "8 = 2x4", "8 = 4x2", "16 = 4x4"};
	static const double iops[] = {50, 80, 100, 200};
	const struct report_plot *plot;

	(void)state;
	make_demand();
	plot = block_of("B", BLOCK_PLOT)->plot;
	assert_int_equal(plot->x.tick_count, 4);
	assert_int_equal(plot->series_count, 2);
	assert_int_equal(plot->series[0].role, ROLE_BARS);
	assert_true(plot->has_y2 && plot->series[1].on_y2);
	for (unsigned i = 0; i < 4; i++) {
		assert_string_equal(plot->x.ticks[i].text, names[i]);
		assert_close(plot->series[0].y[i], iops[i]);
		assert_true(plot->series[0].x[i] < i && plot->series[0].x_end[i] > i);
	}
	assert_close(plot->series[1].y[3], (10 + 1000 / 300.0) / 2);
}

static void test_a_metric_on_the_x_axis(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_demand();
	plot = block_of("I", BLOCK_PLOT)->plot;
	assert_string_equal(plot->x.label, "IOPS");
	assert_string_equal(plot->series_title, "Threads");
	assert_int_equal(plot->series_count, 2);
	assert_string_equal(plot->series[0].name, "2");
	/* along a line of the same threads: queue depth 2, then 4 */
	assert_close(plot->series[0].x[0], 50);
	assert_close(plot->series[0].x[1], 80);
	assert_close(plot->series[1].x[1], 200);
	assert_close(plot->series[0].y[0], 20);
	assert_int_equal(plot->data->row_count, 4);
}

static void test_where_keeps_its_cells_only(void **state)
{
	const struct report_plot *plot;

	(void)state;
	make_demand();
	plot = block_of("C", BLOCK_PLOT)->plot;
	assert_string_equal(plot->series_title, "Queue depth");
	assert_int_equal(plot->series_count, 2);
	assert_string_equal(plot->series[0].name, "2");
	assert_close(plot->series[0].y[0], 80);
	assert_close(plot->series[1].y[1], 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_recovery_is_the_first_point_at_the_level,
					  teardown),
		cmocka_unit_test_teardown(test_a_level_that_is_never_reached, teardown),
		cmocka_unit_test_teardown(test_chosen_points_are_a_table, teardown),
		cmocka_unit_test_teardown(test_cpu_time_that_is_not_known_is_a_gap, teardown),
		cmocka_unit_test_teardown(test_cells_of_the_same_total_stand_side_by_side,
					  teardown),
		cmocka_unit_test_teardown(test_a_metric_on_the_x_axis, teardown),
		cmocka_unit_test_teardown(test_where_keeps_its_cells_only, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
