/* What the eight files say, against the digest of the standard, and shares by exact arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "pts_text.h"
#include "spec.h"

#define SECOND 1000000000ull
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define KIB    1024ull

static struct spec *read_spec(const char *name, enum spec_mode mode)
{
	struct spec_options options = {.mode = mode};
	struct pts_err err = PTS_ERR_INIT;
	struct pts_buf path = {0};
	struct spec *spec;

	pts_buf_printf(&path, "%s/specs/%s.yaml", PTS_SOURCE, name);
	if (spec_read_file(path.data, &options, &spec, &err))
		fail_msg("%s", err.text);
	pts_buf_release(&path);
	return spec;
}

static void expect_axis(const struct spec_axis *axis, enum spec_axis_kind kind,
			const uint64_t *values, unsigned count)
{
	assert_int_equal(axis->kind, kind);
	assert_int_equal(axis->count, count);
	assert_memory_equal(axis->values, values, count * sizeof(*values));
}

static void expect_steady(const struct spec_step *step, unsigned tracks)
{
	assert_int_equal(step->steady.window, 5);
	assert_float_equal(step->steady.range_share, 0.2, 0);
	assert_float_equal(step->steady.slope_share, 0.1, 0);
	assert_int_equal(step->steady.track_count, tracks);
	assert_int_equal(step->on_unsteady, SPEC_STOP);
}

static void expect_load(const struct spec_workload *work, double random, unsigned read_pct,
			uint64_t block, unsigned threads, unsigned depth, double range)
{
	assert_int_equal(work->stream_count, 1);
	assert_float_equal(work->streams[0].random_share, random, 0);
	assert_int_equal(work->streams[0].read_pct, read_pct);
	assert_int_equal(
		work->streams[0].size_count[0] ? work->streams[0].sizes[0][0].block_bytes : 0,
		block);
	assert_int_equal(work->threads, threads);
	assert_int_equal(work->queue_depth, depth);
	assert_float_equal(work->active_range_share, range, 0);
	assert_string_equal(work->data_pattern, "random");
}

static void expect_fill(const struct spec_step *step, unsigned multiple)
{
	assert_int_equal(step->kind, SPEC_STEP_LOAD);
	assert_int_equal(step->stop.amount.kind, PTS_AMOUNT_CAPACITY);
	assert_int_equal(step->stop.amount.numerator, multiple * step->stop.amount.denominator);
}

static void iops_is_section_7(void **state)
{
	static const uint64_t mixes[] = {100, 95, 65, 50, 35, 5, 0};
	static const uint64_t sizes[] = {1024 * KIB, 128 * KIB, 64 * KIB, 32 * KIB,
					 16 * KIB,   8 * KIB,   4 * KIB,  512};
	static const uint64_t tracked[3][2] = {{0, 4 * KIB}, {65, 64 * KIB}, {100, 1024 * KIB}};

	(void)state;
	for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
		struct spec *spec = read_spec("iops", mode);
		const struct spec_step *rounds = &spec->steps[2];
		unsigned threads = mode ? 2 : 4, depth = mode ? 16 : 32;
		double range = mode ? 0.75 : 1;

		assert_int_equal(spec->step_count, 3);
		assert_int_equal(spec->page_count, 8);
		assert_int_equal(spec->steps[0].kind, SPEC_STEP_PURGE);
		expect_fill(&spec->steps[1], 2);
		expect_load(&spec->steps[1].work, 0, 0, 128 * KIB, threads, depth, range);
		expect_load(&rounds->work, 1, 0, 0, threads, depth, range);
		assert_int_equal(rounds->axis_count, 2);
		expect_axis(&rounds->axes[0], SPEC_AXIS_RW_MIX, mixes, 7);
		expect_axis(&rounds->axes[1], SPEC_AXIS_BLOCK_SIZE, sizes, 8);
		assert_int_equal(rounds->cell_ns, MINUTE);
		assert_int_equal(rounds->max_rounds, 25);
		expect_steady(rounds, 3);
		for (unsigned i = 0; i < 3; i++) {
			assert_int_equal(rounds->steady.tracks[i].metric, SPEC_IOPS);
			assert_int_equal(rounds->steady.tracks[i].axis[SPEC_AXIS_RW_MIX],
					 tracked[i][0]);
			assert_int_equal(rounds->steady.tracks[i].axis[SPEC_AXIS_BLOCK_SIZE],
					 tracked[i][1]);
		}
		spec_free(spec);
	}
}

static void tp_is_section_8(void **state)
{
	static const uint64_t mixes[] = {100, 0};
	static const char *const names[] = {"purge 1024KiB", "WIPC 1024KiB", "rounds 1024KiB",
					    "purge 128KiB",  "WIPC 128KiB",  "rounds 128KiB"};

	(void)state;
	for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
		struct spec *spec = read_spec("tp", mode);
		unsigned runs = mode ? 1 : 2;

		assert_int_equal(spec->step_count, 3 * runs);
		assert_int_equal(spec->page_count, 5 * runs);
		for (unsigned i = 0; i < spec->step_count; i++) {
			const struct spec_step *step = &spec->steps[i];

			assert_string_equal(step->name, names[i]);
			assert_string_equal(step->group, "block_size");
			assert_string_equal(step->group_value, i < 3 ? "1024KiB" : "128KiB");
			if (i % 3)
				expect_load(&step->work, 0, 0, (i < 3 ? 1024 : 128) * KIB, 1,
					    32, mode ? 0.75 : 1);
		}
		expect_fill(&spec->steps[1], 2);
		expect_axis(&spec->steps[2].axes[0], SPEC_AXIS_RW_MIX, mixes, 2);
		expect_steady(&spec->steps[2], 1);
		assert_int_equal(spec->steps[2].steady.tracks[0].metric, SPEC_MB_PER_S);
		assert_string_equal(spec->steps[2].steady.tracks[0].name, "SEQ 1024KiB 0/100");
		assert_string_equal(spec->pages[2].title,
				    "Steady State Measurement Window - SEQ/1024KiB");
		spec_free(spec);
	}
}

static void lat_is_section_9(void **state)
{
	static const uint64_t mixes[] = {100, 65, 0}, sizes[] = {8 * KIB, 4 * KIB, 512};
	struct spec *spec = read_spec("lat", SPEC_ENTERPRISE);

	(void)state;
	assert_int_equal(spec->step_count, 4);
	assert_int_equal(spec->page_count, 7);
	expect_fill(&spec->steps[1], 2);
	expect_axis(&spec->steps[2].axes[0], SPEC_AXIS_RW_MIX, mixes, 3);
	expect_axis(&spec->steps[2].axes[1], SPEC_AXIS_BLOCK_SIZE, sizes, 3);
	expect_load(&spec->steps[2].work, 1, 0, 0, 1, 1, 1);
	expect_steady(&spec->steps[2], 1);
	assert_int_equal(spec->steps[2].steady.tracks[0].metric, SPEC_LAT_MEAN);
	expect_load(&spec->steps[3].work, 1, 0, 4 * KIB, 1, 1, 1);
	assert_int_equal(spec->steps[3].stop.duration_ns, 20 * MINUTE);
	assert_true(spec->steps[3].keep_histogram);
	assert_int_equal(spec->pages[3].y_count, 4);
	spec_free(spec);
}

static void wsat_is_section_10(void **state)
{
	struct spec *spec = read_spec("wsat", SPEC_CLIENT);
	const struct spec_step *load = &spec->steps[1];

	(void)state;
	assert_int_equal(spec->step_count, 3);
	expect_fill(load, 4);
	expect_load(&load->work, 1, 0, 4 * KIB, 4, 32, 0.75);
	assert_int_equal(load->stop.duration_ns, 6 * HOUR);
	assert_true(load->stop.when_steady);
	assert_int_equal(load->sample_load_ns, 30 * MINUTE);
	assert_int_equal(load->sample_ns, MINUTE);
	assert_false(load->sample_first);
	assert_int_equal(load->record_ns, MINUTE);
	assert_int_equal(load->max_rounds, 0);
	expect_steady(load, 1);
	assert_int_equal(spec->steps[2].stop.duration_ns, 20 * MINUTE);
	spec_free(spec);
}

static void hir_is_section_11(void **state)
{
	static const unsigned waits[] = {5, 10, 15, 25, 50};
	struct spec *spec = read_spec("hir", SPEC_ENTERPRISE);
	uint64_t total_ns = 0;

	(void)state;
	assert_int_equal(spec->step_count, 2 + 2 * 5);
	assert_int_equal(spec->steps[1].sample_load_ns + spec->steps[1].sample_ns, 30 * MINUTE);
	assert_int_equal(spec->steps[1].max_rounds, 25);
	expect_steady(&spec->steps[1], 1);
	for (unsigned i = 0; i < 5; i++) {
		const struct spec_step *cycle = &spec->steps[2 + 2 * i], *base = cycle + 1;

		assert_int_equal(cycle->kind, SPEC_STEP_CYCLE);
		assert_int_equal(cycle->idle_ns, waits[i] * SECOND);
		assert_int_equal(cycle->busy_ns, 5 * SECOND);
		assert_int_equal(cycle->repeat, 360);
		expect_load(&cycle->work, 1, 0, 4 * KIB, 4, 32, 1);
		assert_int_equal(base->stop.duration_ns, 1800 * SECOND);
		total_ns += cycle->repeat * (cycle->busy_ns + cycle->idle_ns) +
			    base->stop.duration_ns;
	}
	assert_int_equal(total_ns, 930 * MINUTE);
	assert_string_equal(spec->steps[2].name, "access 5s/5s");
	assert_int_equal(spec->pages[2].step_count, 10);
	assert_int_equal(spec->pages[3].step_count, 2);
	spec_free(spec);
}

static void xsr_is_section_12(void **state)
{
	static const unsigned hours[] = {8, 6, 8};
	struct spec *spec = read_spec("xsr", SPEC_ENTERPRISE);

	(void)state;
	assert_int_equal(spec->step_count, 4);
	for (unsigned i = 0; i < 3; i++) {
		const struct spec_step *group = &spec->steps[1 + i];

		assert_int_equal(group->stop.duration_ns, hours[i] * HOUR);
		assert_int_equal(group->record_ns, MINUTE);
		expect_load(&group->work, i == 1, 0, (i == 1 ? 8 : 1024) * KIB, 1, 32, 1);
	}
	assert_int_equal(spec->pages[2].step_count, 3);
	assert_int_equal(spec->pages[2].y2_count, 2);
	spec_free(spec);
}

static void expect_demand(const struct spec *spec, unsigned read_pct)
{
	static const uint64_t counts[] = {32, 16, 8, 6, 4, 2, 1};
	static const char *const points[] = {"max", "mid", "min"};
	const struct spec_step *demand = &spec->steps[2], *choose = &spec->steps[3];

	assert_int_equal(spec->step_count, 4 + 2 * 3);
	assert_int_equal(spec->page_count, 15);
	assert_true(spec->steps[1].sample_first);
	assert_int_equal(spec->steps[1].work.streams[0].read_pct, 0);
	assert_int_equal(spec->steps[1].work.threads * spec->steps[1].work.queue_depth, 1024);
	expect_axis(&demand->axes[0], SPEC_AXIS_THREADS, counts, 7);
	expect_axis(&demand->axes[1], SPEC_AXIS_QUEUE_DEPTH, counts, 7);
	assert_int_equal(demand->work.streams[0].read_pct, read_pct);
	assert_int_equal(demand->before_round_count, 1);
	assert_int_equal(demand->before_round[0].stop.duration_ns, 5 * MINUTE);
	assert_int_equal(demand->before_round[0].work.streams[0].read_pct, 0);
	expect_steady(demand, 1);
	assert_int_equal(choose->points[0].rule, SPEC_HIGHEST);
	assert_int_equal(choose->points[0].latency_limit_ns, 5000000);
	assert_int_equal(choose->points[1].rule, SPEC_FIXED_CELL);
	assert_int_equal(choose->points[2].rule, SPEC_NEAREST_MEAN);
	assert_string_equal(choose->points[2].between[1], "min");
	for (unsigned i = 0; i < 3; i++) {
		const struct spec_step *write = &spec->steps[4 + 2 * i], *histogram = write + 1;

		assert_string_equal(write->at, points[i]);
		assert_int_equal(write->work.threads + write->work.queue_depth, 0);
		assert_int_equal(write->stop.duration_ns, 60 * MINUTE);
		assert_int_equal(histogram->stop.duration_ns, 10 * MINUTE);
		assert_int_equal(histogram->work.streams[0].read_pct, read_pct);
		assert_true(histogram->keep_histogram && !write->keep_histogram);
	}
}

static void cbw_is_section_13(void **state)
{
	static const double zones[3][2] = {{0.05, 0.5}, {0.15, 0.3}, {0.8, 0.2}};
	struct spec *spec = read_spec("cbw", SPEC_ENTERPRISE);
	const struct spec_stream *stream = spec->steps[2].work.streams;

	(void)state;
	expect_demand(spec, 40);
	assert_int_equal(stream->size_count[0], 12);
	assert_int_equal(stream->zone_count, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_float_equal(stream->zones[i].span_share, zones[i][0], 0);
		assert_float_equal(stream->zones[i].access_share, zones[i][1], 0);
	}
	spec_free(spec);
}

static void dirth_is_section_14(void **state)
{
	struct spec *spec = read_spec("dirth", SPEC_CLIENT);

	(void)state;
	expect_demand(spec, 65);
	expect_load(&spec->steps[2].work, 1, 65, 8 * KIB, 0, 0, 0.75);
	spec_free(spec);
}

static void workloads_say_what_they_should(void **state)
{
	static const double weights[] = {0.1, 0.35, 0.35, 0.05, 0.15};
	struct spec *oltp = read_spec("workloads/oltp", SPEC_CLIENT);
	struct spec *curve = read_spec("workloads/vmfleet-curve", SPEC_CLIENT);
	struct spec *jesd = read_spec("workloads/jesd219-enterprise", SPEC_CLIENT);

	(void)state;
	assert_int_equal(oltp->steps[3].work.stream_count, 5);
	for (unsigned i = 0; i < 5; i++)
		assert_float_equal(oltp->steps[3].work.streams[i].weight, weights[i], 0);
	assert_float_equal(oltp->steps[3].work.streams[0].read_hit_share, 1, 0);
	assert_int_equal(curve->steps[2].kind, SPEC_STEP_CURVE);
	assert_int_equal(curve->steps[2].curve_count, 10);
	assert_float_equal(curve->steps[2].curve_shares[9], 1, 0);
	assert_float_equal(curve->steps[2].work.streams[0].random_share, 0.7, 0);
	assert_int_equal(curve->steps[2].work.streams[0].arrivals, SPEC_EXPONENTIAL);
	assert_int_equal(curve->steps[2].warmup_ns, MINUTE);
	assert_int_equal(jesd->steps[2].work.streams[0].align_bytes, 4 * KIB);
	spec_free(oltp);
	spec_free(curve);
	spec_free(jesd);
}

/* --- B55: shares of the fixture, 100 % exactly, 99 % and 101 % with a line number --- */

static void expect_sum(json_t *rows, int more_pct, const char *fault)
{
	struct pts_err err = PTS_ERR_INIT;
	struct spec_options options = {.mode = SPEC_ENTERPRISE};
	struct pts_buf text = {0};
	struct spec *spec = NULL;
	json_t *row;
	size_t i;

	pts_buf_puts(&text,
		     "title: B55\nworkloads:\n  mix:\n    access: random\n"
		     "    rw_mix: 40/60\n    threads: 1\n    queue_depth: 1\n    sizes:\n");
	json_array_foreach(rows, i, row)
		pts_buf_printf(&text, "      - {size: %lldB, share: %lld%%}\n",
			       json_integer_value(json_object_get(row, "bytes")),
			       json_integer_value(json_object_get(row, "share_pct")) +
				       (i == 7 ? more_pct : 0));
	pts_buf_puts(&text, "steps:\n  - load: {name: l, workload: mix, until: {time: 1s}}\n");
	assert_int_equal(
		spec_read_text("mix.yaml", text.data, text.length, &options, &spec, &err),
		fault ? -22 : 0);
	assert_string_equal(err.text, fault ? fault : "");
	for (i = 0; spec && i < json_array_size(rows); i++)
		assert_float_equal(spec->steps[0].work.streams[0].sizes[0][i].share * 100,
				   (double)json_integer_value(json_object_get(
					   json_array_get(rows, i), "share_pct")),
				   1e-12);
	spec_free(spec);
	pts_buf_release(&text);
}

static void shares_of_the_composite_mix_are_exact(void **state)
{
	json_error_t bad;
	json_t *root = json_load_file(PTS_FIXTURES "/bssplit.json", 0, &bad);
	json_t *first = json_array_get(json_object_get(root, "cases"), 0);
	json_t *rows = json_object_get(first, "rows");

	(void)state;
	assert_int_equal(json_array_size(rows), 12);
	expect_sum(rows, 0, NULL);
	expect_sum(rows, -1, "mix.yaml:9:7: the shares sum to 99%, less than 100%");
	expect_sum(rows, 1, "mix.yaml:9:7: the shares sum to 101%, more than 100%");
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iops_is_section_7),
		cmocka_unit_test(tp_is_section_8),
		cmocka_unit_test(lat_is_section_9),
		cmocka_unit_test(wsat_is_section_10),
		cmocka_unit_test(hir_is_section_11),
		cmocka_unit_test(xsr_is_section_12),
		cmocka_unit_test(cbw_is_section_13),
		cmocka_unit_test(dirth_is_section_14),
		cmocka_unit_test(workloads_say_what_they_should),
		cmocka_unit_test(shares_of_the_composite_mix_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
