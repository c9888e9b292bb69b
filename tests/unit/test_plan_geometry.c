/*
 * Geometry against independent figures: tests/fixtures/geometry.json (ranges, matrix, segments
 * of fourteen drives) and the zones of bssplit.json, both modes, to the last LBA.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "plan_fixture.h"

static json_t *load(const char *name)
{
	char path[300];
	json_error_t error;
	json_t *root;

	snprintf(path, sizeof(path), "%s/%s", PTS_FIXTURES, name);
	root = json_load_file(path, 0, &error);
	if (!root)
		fail_msg("%s: %s", path, error.text);
	return root;
}

static uint64_t number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value))
		fail_msg("no number '%s'", key);
	return (uint64_t)json_integer_value(value);
}

static const json_t *member(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!value)
		fail_msg("no '%s'", key);
	return value;
}

/* A drive with metadata in its LBAs never reaches the plan: the device room refuses it. */
static bool plannable(const json_t *drive)
{
	return !number(drive, "metadata_size") && number(drive, "lbas");
}

static void check_ranges(const json_t *drive)
{
	static const struct {
		const char *name;
		double share;
	} shares[] = {{"100%", 1}, {"75%", 0.75}, {"50%", 0.5}};
	uint32_t lba = (uint32_t)number(drive, "lba_size");

	for (unsigned i = 0; i < 3; i++) {
		const json_t *range = member(member(drive, "active_range"), shares[i].name);
		uint64_t bytes = plan_range_bytes(number(drive, "bytes"), lba, shares[i].share);

		assert_int_equal(bytes, number(range, "bytes"));
		assert_int_equal(bytes / lba - 1, number(range, "last_lba"));
	}
}

static void active_ranges_end_at_the_right_lba(void **state)
{
	json_t *root = load("geometry.json");
	const json_t *drive;
	size_t i, checked = 0;

	(void)state;
	json_array_foreach(json_object_get(root, "cases"), i, drive)
	{
		if (!plannable(drive))
			continue;
		check_ranges(drive);
		checked++;
	}
	assert_int_equal(checked, 11);
	json_decref(root);
}

static void segments_are_equal_and_of_whole_lbas(void **state)
{
	json_t *root = load("geometry.json");
	const json_t *drive;
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(root, "cases"), i, drive)
	{
		const json_t *segment = member(drive, "ar_segments_2048_pts_c_1_1");
		uint64_t bytes = plan_segment_bytes(number(drive, "bytes"),
						    (uint32_t)number(drive, "lba_size"), 2048);

		assert_int_equal(bytes, number(segment, "segment_bytes_lba_aligned"));
		assert_int_equal(bytes > 0, json_is_true(member(segment, "possible")));
	}
	json_decref(root);
}

/* The matrix of the real IOPS spec: "0.5K" of the fixture is the cell of that block size. */
static void check_cell(const struct plan_step *rounds, const char *size, const json_t *expected)
{
	const char *why = json_string_value(json_object_get(expected, "why"));
	uint64_t block = (uint64_t)(atof(size) * 1024);
	unsigned found = 0;

	for (unsigned i = 0; i < rounds->cell_count; i++) {
		const struct plan_cell *cell = &rounds->cells[i];
		uint64_t span = cell->streams[0].span_bytes;

		if (cell->block_bytes != block)
			continue;
		found++;
		assert_int_equal(cell->applicable, json_is_true(member(expected, "runnable")));
		if (why) {
			assert_non_null(strstr(cell->reason, why));
			continue;
		}
		assert_null(cell->reason);
		assert_int_equal(plan_positions(span, block),
				 number(expected, "positions_100pct"));
		assert_int_equal((plan_positions(span, block) - 1) * block,
				 number(expected, "last_offset"));
		assert_int_equal(span % block, number(expected, "unreached_tail_bytes"));
	}
	assert_int_equal(found, 7); /* one in each mix, whether it can run or not */
}

static void check_matrix(const json_t *drive)
{
	struct plan_device device =
		plan_fixture_drive(number(drive, "bytes"), (uint32_t)number(drive, "lba_size"));
	/* one thread: the sequential fill needs a block for each */
	struct plan_fixture made = plan_fixture_make(
		plan_fixture_read("iops", SPEC_ENTERPRISE, "threads=1"), &device, 0);
	const struct plan_step *rounds = plan_fixture_step(made.plan, "rounds");
	const struct plan_cell *fill = &plan_fixture_step(made.plan, "WIPC")->cells[0];
	const json_t *wipc = member(drive, "wipc"), *expected;
	const char *size;

	assert_int_equal(rounds->cell_count, 56);
	json_object_foreach(json_object_get(drive, "iops_matrix"), size, expected)
		check_cell(rounds, size, expected);
	assert_true(fill->applicable);
	assert_int_equal(fill->amount_bytes, number(wipc, "bytes_total"));
	assert_int_equal(plan_positions(fill->streams[0].span_bytes, fill->block_bytes),
			 number(wipc, "full_128k_ios_per_pass"));
	assert_int_equal(fill->streams[0].span_bytes % fill->block_bytes,
			 number(wipc, "tail_io_bytes_per_pass"));
	plan_fixture_free(&made);
}

static void the_matrix_keeps_its_places_on_every_drive(void **state)
{
	json_t *root = load("geometry.json");
	const json_t *drive;
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(root, "cases"), i, drive)
	{
		if (plannable(drive))
			check_matrix(drive);
	}
	json_decref(root);
}

/* B14: the tracked 4 KiB cell stays cell 54, with and without a 0.5 KiB column. */
static void tracked_cells_do_not_move(void **state)
{
	const uint32_t lbas[] = {512, 4096};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct plan_device device = plan_fixture_drive(480103981056, lbas[i]);
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read("iops", SPEC_CLIENT, NULL), &device, 0);
		const struct plan_step *rounds = plan_fixture_step(made.plan, "rounds");

		assert_int_equal(rounds->tracks[0].cell, 54);
		assert_int_equal(rounds->tracks[0].block_bytes, 4096);
		assert_int_equal(rounds->tracks[1].cell, 18);
		assert_int_equal(rounds->tracks[2].cell, 0);
		assert_true(rounds->judgeable);
		assert_string_equal(rounds->cells[54].label, "RND 4KiB 0/100 T2Q16");
		assert_int_equal(rounds->cells[54].track, 0);
		assert_int_equal(rounds->cells[55].applicable, lbas[i] == 512);
		if (lbas[i] == 4096)
			assert_string_equal(rounds->cells[55].reason,
					    "block smaller than one LBA (4096 B)");
		plan_fixture_free(&made);
	}
}

static void client_spans_end_inside_of_75_percent(void **state)
{
	json_t *root = load("geometry.json");
	const json_t *drive;
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(root, "cases"), i, drive)
	{
		struct plan_device device;
		struct plan_fixture made;
		const struct plan_cell *fill;

		if (!plannable(drive) || number(drive, "bytes") < 1048576)
			continue;
		device = plan_fixture_drive(number(drive, "bytes"),
					    (uint32_t)number(drive, "lba_size"));
		made = plan_fixture_make(plan_fixture_read("iops", SPEC_CLIENT, NULL), &device,
					 0);
		fill = &plan_fixture_step(made.plan, "WIPC")->cells[0];
		assert_int_equal(fill->streams[0].span_bytes,
				 number(member(member(drive, "active_range"), "75%"), "bytes"));
		/* twice the *user* capacity, although the range is smaller */
		assert_int_equal(fill->amount_bytes, 2 * number(drive, "bytes"));
		plan_fixture_free(&made);
	}
	json_decref(root);
}

static void check_zone(const json_t *example, const char *name, uint64_t start, uint64_t end)
{
	const json_t *bounds = member(example, name);

	assert_int_equal(start, json_integer_value(json_array_get(bounds, 0)));
	assert_int_equal(end - 1, json_integer_value(json_array_get(bounds, 1)));
}

static void zones_leave_no_gap_and_do_not_overlap(void **state)
{
	static const struct spec_zone zones[] = {{0.05, 0.5}, {0.15, 0.3}, {0.8, 0.2}};
	static const char *const names[] = {"A", "B", "C"};
	json_t *root = load("bssplit.json");
	const json_t *example;
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(json_object_get(root, "zones"), "examples"), i,
			   example)
	{
		uint64_t lbas = number(example, "lbas");

		for (unsigned lba = 512; lba <= 4096; lba *= 8)
			for (unsigned z = 0; z < 3; z++)
				check_zone(example, names[z],
					   plan_zone_start(zones, 3, z, lbas * lba, lba) / lba,
					   plan_zone_start(zones, 3, z + 1, lbas * lba, lba) /
						   lba);
	}
	json_decref(root);
}

/* Regions of a range follow one another: no LBA between them, none in both. */
static void regions_follow_one_another(void **state)
{
	static const char yaml[] =
		"title: regions\n"
		"workloads:\n"
		"  w:\n"
		"    threads: 1\n"
		"    queue_depth: 1\n"
		"    active_range: 75%\n"
		"    streams:\n"
		"      - {name: a, weight: 50%, access: random, rw_mix: 0/100, "
		"block_size: 4KiB, region: {start: 0%, share: 33.3%}}\n"
		"      - {name: b, weight: 30%, access: random, rw_mix: 0/100, "
		"block_size: 4KiB, region: {start: 33.3%, share: 0.7%}}\n"
		"      - {name: c, weight: 20%, access: random, rw_mix: 0/100, "
		"block_size: 4KiB, region: {start: 34%, share: 66%}}\n"
		"steps:\n"
		"  - load: {name: l, workload: w, until: {time: 1s}}\n"
		"pages:\n"
		"  - {kind: timeline, title: t, step: l, x: time, y: iops}\n";
	struct plan_device device = plan_fixture_drive(480103981056 + 512, 512);
	struct plan_fixture made = plan_fixture_make(plan_fixture_text(yaml), &device, 0);
	const struct plan_stream *streams = made.plan->steps[0].cells[0].streams;
	uint64_t at = 0;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(streams[i].start_bytes, at);
		assert_int_equal(streams[i].start_bytes % 512, 0);
		at += streams[i].span_bytes;
	}
	assert_int_equal(at, plan_range_bytes(device.capacity_bytes, 512, 0.75));
	plan_fixture_free(&made);
}

static void shares_mean_what_their_decimals_say(void **state)
{
	(void)state;
	/* 0.29 is 0.28999999999999998 as a double: 29 of 100 LBAs all the same */
	assert_int_equal(plan_range_bytes(51200, 512, 0.29), 29 * 512);
	assert_int_equal(plan_range_bytes(51200, 512, 0.07), 7 * 512);
	assert_int_equal(plan_range_bytes(51200, 512, 0.57), 57 * 512);
	for (unsigned pct = 1; pct <= 100; pct++)
		assert_int_equal(plan_range_bytes(51200, 512, pct / 100.0), pct * 512);
	for (unsigned i = 1; i <= 100000; i++)
		assert_int_equal(plan_range_bytes(100000 * 512, 512, i / 100000.0), i * 512);
	assert_int_equal(plan_range_bytes(UINT64_MAX, 4096, 1), UINT64_MAX / 4096 * 4096);
	assert_int_equal(plan_range_bytes(1ull << 63, 512, 0.5), 1ull << 62);
	assert_int_equal(plan_range_bytes(51200, 512, 0), 0);
	assert_int_equal(plan_range_bytes(51200, 0, 1), 0);
	assert_int_equal(plan_positions(51200, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(active_ranges_end_at_the_right_lba),
		cmocka_unit_test(segments_are_equal_and_of_whole_lbas),
		cmocka_unit_test(the_matrix_keeps_its_places_on_every_drive),
		cmocka_unit_test(tracked_cells_do_not_move),
		cmocka_unit_test(client_spans_end_inside_of_75_percent),
		cmocka_unit_test(zones_leave_no_gap_and_do_not_overlap),
		cmocka_unit_test(regions_follow_one_another),
		cmocka_unit_test(shares_mean_what_their_decimals_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
