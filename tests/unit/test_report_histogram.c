/* Histogram pages: every level against values sorted here, the bars, what can't be said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_hist.h"
#include "report_model_internal.h"
#include "report_table_store.h"

#define PLAN                                                                                   \
	"{\"steps\":[{\"index\":0,\"kind\":\"load\",\"cells\":[{\"index\":0}]}],"              \
	"\"tests\":[{\"name\":\"h\",\"pages\":["                                               \
	"{\"kind\":\"histogram\",\"title\":\"H\",\"step\":\"s\",\"confidence\":true}]}]}"

static struct report_model *model;
static void *blobs[2];

static int teardown(void **state)
{
	(void)state;
	report_model_free(model);
	model = NULL;
	for (unsigned d = 0; d < 2; d++) {
		free(blobs[d]);
		blobs[d] = NULL;
	}
	return 0;
}

/* A step whose reads and writes took these times. */
static void make(const uint64_t *reads, size_t read_count, const uint64_t *writes,
		 size_t write_count)
{
	static const struct store_step_row step = {
		.plan = {.test = "h", .phase = "s", .kind = "load"}};
	static struct store_cell cell;
	static struct table_store table;
	const struct report_options options = {.out_dir = "."};
	struct pts_hist *hist = pts_hist_new();
	const uint64_t *times[2] = {reads, writes};
	const size_t counts[2] = {read_count, write_count};
	struct pts_err err = PTS_ERR_INIT;

	cell = (struct store_cell){.label = "RND 8KiB 65/35 at max",
				   .valid = true,
				   .threads = 6,
				   .queue_depth = 16,
				   .elapsed_ns = 600000000000,
				   .total = {.iops = 12345, .mb_per_s = 101.13}};
	for (unsigned d = 0; d < 2; d++) {
		pts_hist_reset(hist);
		for (size_t i = 0; i < counts[d]; i++)
			pts_hist_record(hist, times[d][i]);
		if (counts[d] > 0)
			assert_int_equal(
				pts_hist_encode(hist, &blobs[d], &cell.dir[d].hist_bytes), 0);
		cell.dir[d].hist = blobs[d];
	}
	pts_hist_free(hist);
	table = (struct table_store){.test = "h",
				     .title = "H",
				     .plan_json = PLAN,
				     .steps = &step,
				     .step_count = 1,
				     .cells = &cell,
				     .cell_count = 1};
	if (report_model_make(table_store_open(&table), &options, &model, &err) != 0)
		fail_msg("%s", err.text);
}

static const struct report_page *page_made(void)
{
	for (unsigned i = 0; i < model->page_count; i++) {
		if (strcmp(model->pages[i]->kind, "histogram") == 0)
			return model->pages[i];
	}
	fail_msg("no page");
	return NULL;
}

static const struct report_block *block_of(enum report_block_kind kind)
{
	const struct report_page *page = page_made();

	for (unsigned b = 0; b < page->block_count; b++) {
		if (page->blocks[b].kind == kind)
			return &page->blocks[b];
	}
	fail_msg("no such block");
	return NULL;
}

static const struct report_cell *level(const char *name, unsigned column)
{
	const struct report_table *table = block_of(BLOCK_TABLE)->table;

	for (unsigned r = 0; r < table->row_count; r++) {
		if (strcmp(table->cells[r * table->column_count].text, name) == 0)
			return &table->cells[r * table->column_count + column];
	}
	fail_msg("no level '%s'", name);
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* As printed, against the value of that rank: within 0.1 %. */
static void check_level(const char *name, unsigned column, double want_ns)
{
	const struct report_cell *cell = level(name, column);
	char plain[64];
	size_t length = 0;

	assert_int_equal(cell->kind, CELL_NUMBER);
	for (const char *at = cell->text; *at != '\0' && length < sizeof(plain) - 1; at++) {
		if (*at != ',')
			plain[length++] = *at;
	}
	plain[length] = '\0';
	if (fabs(strtod(plain, NULL) * 1e6 / want_ns - 1) > 0.001)
		fail_msg("%s is %s ms instead of %.9g ns", name, cell->text, want_ns);
}

static void check_all(uint64_t *times, size_t count, unsigned column)
{
	static const struct {
		const char *name;
		double quantile;
	} levels[] = {{"50 % (median)", 0.5}, {"90 %", 0.9},       {"99 %", 0.99},
		      {"99.9 %", 0.999},      {"99.99 %", 0.9999}, {"99.999 %", 0.99999}};
	double sum = 0;

	qsort(times, count, sizeof(*times), ascending);
	for (size_t i = 0; i < count; i++)
		sum += (double)times[i];
	for (unsigned i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		size_t rank = (size_t)ceil(levels[i].quantile * (double)count - 1e-9);

		check_level(levels[i].name, column, (double)times[rank - 1]);
	}
	check_level("ART (mean)", column, sum / (double)count);
	check_level("Minimum", column, (double)times[0]);
	check_level("MRT (maximum)", column, (double)times[count - 1]);
}

/* Two service times, as a drive that stalls once in 2000 commands. */
static void test_levels_of_two_points(void **state)
{
	size_t count = 1000000;
	uint64_t *times = malloc(count * sizeof(*times));

	(void)state;
	for (size_t i = 0; i < count; i++)
		times[i] = i % 2000 == 7 ? 13000000 : 80000;
	make(NULL, 0, times, count);
	check_all(times, count, 1);
	assert_int_equal(block_of(BLOCK_TABLE)->table->column_count, 2);
	free(times);
}

/* From 10 us to seconds, other times for reads than for writes. */
static void test_levels_of_a_long_tail(void **state)
{
	size_t count = 300000;
	uint64_t *reads = malloc(count * sizeof(*reads));
	uint64_t *writes = malloc(count * sizeof(*writes));
	uint64_t *both = malloc(2 * count * sizeof(*both));
	uint64_t seed = 42;

	(void)state;
	for (size_t i = 0; i < 2 * count; i++) {
		uint64_t time_ns;

		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		time_ns = (uint64_t)(10000 *
				     exp(-2.0 * log(((double)(seed >> 11) + 1) / 0x1p53)));
		both[i] = time_ns > 60000000000 ? 60000000000 : time_ns;
		if (i < count)
			reads[i] = both[i];
		else
			writes[i - count] = both[i] = both[i] * 3;
	}
	make(reads, count, writes, count);
	check_all(both, 2 * count, 1);
	check_all(reads, count, 2);
	check_all(writes, count, 3);
	free(reads);
	free(writes);
	free(both);
}

static void test_bars_hold_every_io(void **state)
{
	const uint64_t times[] = {1000, 1000, 1001, 250000, 90000000000, 0};
	const struct report_series *bars;
	const struct report_plot *plot;
	double sum = 0;

	(void)state;
	make(times, 3, times + 3, 3);
	plot = block_of(BLOCK_PLOT)->plot;
	assert_null(plot->cannot);
	assert_int_equal(plot->x.scale, SCALE_LOG10);
	assert_int_equal(plot->y.scale, SCALE_LOG10);
	assert_true(plot->has_y2);
	bars = &plot->series[0];
	for (size_t i = 0; i < bars->count; i++) {
		sum += bars->y[i];
		assert_true(bars->x_end[i] > bars->x[i]);
		assert_true(i == 0 || bars->x[i] >= bars->x_end[i - 1] * (1 - 1e-12));
	}
	assert_true(sum == 6);
	assert_true(plot->y.low < 1); /* one I/O is a bar too */
	/* the maximum lies on the page, with room for its name */
	assert_true(plot->x.high > 90000 * 1.2 && plot->x.low < 0.001);
	assert_true(plot->series[1].on_y2);
	assert_true(plot->series[1].y[plot->series[1].count - 1] == 100);
	/* too few I/Os for 99.9 % and more: only the lines that can be said */
	assert_int_equal(plot->mark_count, 2);
	assert_string_equal(plot->marks[0].text, "ART 15,000 ms");
	assert_string_equal(plot->marks[1].text, "MRT 90,000 ms");
	assert_int_equal(level("99.9 %", 1)->kind, CELL_MISSING);
	assert_string_equal(level("99.999 %", 1)->reason,
			    "too few I/Os: not one of them lies beyond this level");
}

static void test_a_load_at_a_point_tells_its_threads(void **state)
{
	const uint64_t times[] = {5000};
	const struct report_page *page;
	bool found = false;

	(void)state;
	make(NULL, 0, times, 1);
	page = page_made();
	for (unsigned b = 0; b < page->block_count; b++)
		found = found || (page->blocks[b].text != NULL &&
				  strcmp(page->blocks[b].text,
					 "RND 8KiB 65/35 at max T6Q16 for 10 min: 12,345 IOPS, "
					 "101.13 MB/s.") == 0);
	assert_true(found);
}

static void test_what_is_not_there_is_told(void **state)
{
	(void)state;
	make(NULL, 0, NULL, 0);
	assert_string_equal(block_of(BLOCK_PLOT)->plot->cannot,
			    "Not drawn: no histogram was stored.");
}

static void test_a_damaged_histogram_costs_its_plot_only(void **state)
{
	static const struct store_step_row step = {
		.plan = {.test = "h", .phase = "s", .kind = "load"}};
	static const struct store_cell cell = {
		.label = "x", .valid = true, .dir[1] = {.hist = "\xff\xff", .hist_bytes = 2}};
	static struct table_store table = {.test = "h",
					   .title = "H",
					   .plan_json = PLAN,
					   .steps = &step,
					   .step_count = 1,
					   .cells = &cell,
					   .cell_count = 1};
	const struct report_options options = {.out_dir = "."};
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	assert_int_equal(report_model_make(table_store_open(&table), &options, &model, &err),
			 0);
	assert_string_equal(block_of(BLOCK_PLOT)->plot->cannot,
			    "Not drawn: the stored histogram is damaged.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_levels_of_two_points, teardown),
		cmocka_unit_test_teardown(test_levels_of_a_long_tail, teardown),
		cmocka_unit_test_teardown(test_bars_hold_every_io, teardown),
		cmocka_unit_test_teardown(test_a_load_at_a_point_tells_its_threads, teardown),
		cmocka_unit_test_teardown(test_what_is_not_there_is_told, teardown),
		cmocka_unit_test_teardown(test_a_damaged_histogram_costs_its_plot_only,
					  teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
