/* Addresses, sizes, zones and mixes as they are drawn, without any I/O: B13, B32, B55, B70. */
#include "engine_fixture.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_check.h"
#include "judge_share.h"

struct drawing {
	struct engine_plan plan;
	struct engine_draw draw;
	struct engine_carry carry[ENGINE_STREAMS_MAX];
};

static void drawing_init(struct drawing *drawing, const struct engine_job *job, unsigned thread)
{
	memset(drawing, 0, sizeof(*drawing));
	assert_int_equal(engine_plan_init(&drawing->plan, job, 512), 0);
	assert_int_equal(
		engine_draw_init(&drawing->draw, &drawing->plan, thread, drawing->carry), 0);
}

static void drawing_release(struct drawing *drawing)
{
	engine_draw_release(&drawing->draw);
	engine_plan_release(&drawing->plan);
}

static bool next(struct drawing *drawing, struct engine_io *io)
{
	return engine_draw_next(&drawing->draw, drawing->plan.path, io);
}

static void thresholds_are_exact_at_the_ends(void **state)
{
	(void)state;
	assert_int_equal(engine_threshold(0), 0);
	assert_true(engine_threshold(1) == ENGINE_ALWAYS);
	assert_true(engine_threshold(0.5) == ENGINE_ALWAYS / 2);
	assert_true(engine_threshold(0.65) > engine_threshold(0.6499999));
}

/* Chi-square over 1024 bins of the span: the whole span is hit evenly. z beyond 5 has a
 * probability below 1e-6, and the seed is fixed. */
static void uniform_over_the_span(void **state)
{
	const uint64_t spans[] = {512 * MIB, 480103981056ull / 4096 * 4096, 20 * TIB,
				  122880000000000ull / 4096 * 4096};
	uint64_t *bin = calloc(1024, sizeof(*bin));

	(void)state;
	for (unsigned s = 0; s < 4; s++) {
		uint64_t blocks = spans[s] / 4096;
		struct fixture_job fixture;
		struct drawing drawing;
		struct engine_io io;
		double chi_square;
		double z;

		fixture_job_init(&fixture, spans[s], 4096);
		fixture.job.seed = s;
		drawing_init(&drawing, &fixture.job, 0);
		memset(bin, 0, 1024 * sizeof(*bin));
		for (unsigned i = 0; i < 2000000; i++) {
			assert_true(next(&drawing, &io));
			assert_int_equal(io.offset_bytes % 4096, 0);
			assert_true(io.offset_bytes <= spans[s] - 4096);
			bin[(unsigned __int128)(io.offset_bytes / 4096) * 1024 / blocks]++;
		}
		z = judge_uniform_z(bin, 1024, &chi_square);
		print_message("span %.4g bytes: chi2 %.1f, z %.2f\n", (double)spans[s],
			      chi_square, z);
		assert_true(fabs(z) < 5);
		drawing_release(&drawing);
	}
	free(bin);
}

/* Address bits 12 to 21 must be as even as the high ones (one RAID member got 15 % more). */
static void low_bits_are_even(void **state)
{
	uint64_t bin[1024] = {0};
	struct fixture_job fixture;
	struct drawing drawing;
	struct engine_io io;
	double chi_square;

	(void)state;
	fixture_job_init(&fixture, 122880000000000ull / 4096 * 4096, 4096);
	drawing_init(&drawing, &fixture.job, 0);
	for (unsigned i = 0; i < 2000000; i++) {
		assert_true(next(&drawing, &io));
		bin[(io.offset_bytes >> 12) % 1024]++;
	}
	assert_true(fabs(judge_uniform_z(bin, 1024, &chi_square)) < 5);
	for (unsigned bit = 0; bit < 10; bit++) {
		uint64_t ones = 0;
		double z_squared;

		for (unsigned i = 0; i < 1024; i++)
			ones += i >> bit & 1 ? bin[i] : 0;
		assert_true(judge_share(2000000, ones, 0.5, 5, &z_squared));
	}
	drawing_release(&drawing);
}

/* B32: 20 TiB and 122 TB at 512 bytes need 36 and 38 bits; every sixteenth gets its share, blocks
 * beyond 2^32 are hit, and the last one can be. */
static void big_drives_are_reached_to_the_end(void **state)
{
	const uint64_t spans[] = {20 * TIB, 122880000000000ull, 16 * TIB + MIB, 8 * TIB + MIB};

	(void)state;
	for (unsigned s = 0; s < 4; s++) {
		uint64_t hits[16] = {0};
		uint64_t blocks = spans[s] / 512;
		uint64_t beyond = 0;
		uint64_t highest = 0;
		struct fixture_job fixture;
		struct drawing drawing;
		struct engine_io io;

		fixture_job_init(&fixture, spans[s], 512);
		drawing_init(&drawing, &fixture.job, 3);
		assert_true(drawing.plan.flow[0].place[0].positions == blocks);
		for (unsigned i = 0; i < 1000000; i++) {
			uint64_t block;

			assert_true(next(&drawing, &io));
			block = io.offset_bytes / 512;
			assert_true(block < blocks);
			hits[(unsigned __int128)block * 16 / blocks]++;
			beyond += block > UINT32_MAX;
			if (highest < block)
				highest = block;
		}
		for (unsigned i = 0; i < 16; i++) {
			double z_squared;

			assert_true(judge_share(1000000, hits[i], 1.0 / 16, 5, &z_squared));
		}
		assert_true(beyond > 0);
		assert_true((double)highest / (double)blocks > 0.99998);
		drawing_release(&drawing);
	}
}

/* A region of a few blocks: first and last position are both hit, none beyond. */
static void every_position_of_a_small_region(void **state)
{
	struct fixture_job fixture;
	struct drawing drawing;
	struct engine_io io;
	unsigned hits[7] = {0};

	(void)state;
	/* 3 LBAs before the first aligned block, 7 blocks, 5 LBAs after them */
	fixture_job_init(&fixture, 7 * 4096 + 8 * 512, 4096);
	fixture.stream.start_bytes = 5 * 512 + 4096;
	drawing_init(&drawing, &fixture.job, 0);
	for (unsigned i = 0; i < 10000; i++) {
		assert_true(next(&drawing, &io));
		assert_int_equal(io.offset_bytes % 4096, 0);
		assert_true(io.offset_bytes >= 2 * 4096 && io.offset_bytes < 9 * 4096);
		hits[io.offset_bytes / 4096 - 2]++;
	}
	for (unsigned i = 0; i < 7; i++)
		assert_true(hits[i] > 1000);
	drawing_release(&drawing);
}

/* B13: the seven mixes of the IOPS matrix, over submitted I/Os; the ends exactly. */
static void mixes_within_five_sigma(void **state)
{
	const unsigned mixes[] = {100, 95, 65, 50, 35, 5, 0};

	(void)state;
	for (unsigned m = 0; m < 7; m++) {
		double share = mixes[m] / 100.0;
		struct fixture_job fixture;
		struct drawing drawing;
		struct engine_io io;
		double z_squared;

		fixture_job_init(&fixture, GIB, 4096);
		fixture.stream.read_share = share;
		fixture.job.ios = 1000000;
		for (unsigned general = 0; general < 2; general++) {
			const uint64_t *submitted;

			drawing_init(&drawing, &fixture.job, 0);
			if (general)
				drawing.plan.path = ENGINE_PATH_GENERAL;
			while (next(&drawing, &io))
				;
			engine_draw_settle(&drawing.draw);
			submitted = drawing.draw.submitted;
			assert_int_equal(submitted[ENGINE_READ] + submitted[ENGINE_WRITE],
					 1000000);
			assert_true(judge_share(1000000, submitted[ENGINE_READ], share, 5,
						&z_squared));
			drawing_release(&drawing);
		}
	}
}

/* B55: JESD219's twelve sizes and three zones. */
static void sizes_and_zones_within_five_sigma(void **state)
{
	static const struct engine_size sizes[] = {{512, 0.04},   {1024, 0.01},  {1536, 0.01},
						   {2048, 0.01},  {2560, 0.01},  {3072, 0.01},
						   {3584, 0.01},  {4096, 0.67},  {8192, 0.10},
						   {16384, 0.07}, {32768, 0.03}, {65536, 0.03}};
	static const struct engine_zone zones[] = {{0.05, 0.5}, {0.15, 0.3}, {0.8, 0.2}};
	struct fixture_job fixture;
	struct drawing drawing;
	struct engine_io io;
	double z_squared;
	uint64_t inside[3] = {0};
	uint64_t low, high;

	(void)state;
	fixture_job_init(&fixture, 117212886ull * 512, 4096);
	fixture.stream.sizes = sizes;
	fixture.stream.size_count = 12;
	fixture.stream.zones = zones;
	fixture.stream.zone_count = 3;
	fixture.stream.align_bytes = 4096;
	fixture.stream.read_share = 0.4;
	fixture.job.ios = 1000000;
	drawing_init(&drawing, &fixture.job, 0);
	low = 5860644ull * 512;
	high = 23442577ull * 512;
	while (next(&drawing, &io)) {
		assert_int_equal(io.offset_bytes % 4096, 0);
		assert_true(io.offset_bytes + io.length_bytes <= fixture.stream.span_bytes);
		inside[io.offset_bytes < low ? 0 : io.offset_bytes < high ? 1 : 2]++;
	}
	for (unsigned i = 0; i < 12; i++)
		assert_true(judge_share(1000000, drawing.draw.size_submitted[i], sizes[i].share,
					5, &z_squared));
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(inside[i], drawing.draw.zone_submitted[i]);
		assert_true(
			judge_share(1000000, inside[i], zones[i].access_share, 5, &z_squared));
	}
	drawing_release(&drawing);
}

/* Zone bounds of the fixture: rounded down to an LBA, no gap, no overlap. */
static void zone_bounds_of_the_fixture(void **state)
{
	static const struct engine_zone zones[] = {{0.05, 0.5}, {0.15, 0.3}, {0.8, 0.2}};
	json_error_t error;
	json_t *root = json_load_file(PTS_FIXTURES "/bssplit.json", 0, &error);
	json_t *examples = json_object_get(json_object_get(root, "zones"), "examples");
	json_t *example;
	size_t i;

	(void)state;
	assert_true(json_array_size(examples) >= 3);
	json_array_foreach(examples, i, example)
	{
		uint64_t lbas = (uint64_t)json_integer_value(json_object_get(example, "lbas"));
		uint64_t before = 0;

		for (unsigned z = 0; z < 3; z++) {
			const char *name = (const char *[]){"A", "B", "C"}[z];
			json_t *pair = json_object_get(example, name);
			uint64_t first = (uint64_t)json_integer_value(json_array_get(pair, 0));
			uint64_t last = (uint64_t)json_integer_value(json_array_get(pair, 1));

			assert_int_equal(first, before);
			assert_int_equal(engine_zone_bound(zones, z, lbas * 512, 512),
					 first * 512);
			assert_int_equal(engine_zone_bound(zones, z + 1, lbas * 512, 512),
					 (last + 1) * 512);
			before = last + 1;
		}
		assert_int_equal(before, lbas);
	}
	json_decref(root);
}

/* Zones whose shares are no binary fractions: every aligned position in exactly one zone. */
static void zones_leave_no_position_out(void **state)
{
	static const struct engine_zone zones[] = {
		{0.1, 0.1}, {0.2, 0.2}, {0.29, 0.3}, {0.01, 0.2}, {0.4, 0.2}};
	struct fixture_job fixture;
	struct drawing drawing;
	uint64_t positions = 0;
	uint64_t expected = 0;

	(void)state;
	fixture_job_init(&fixture, 100003ull * 512, 4096);
	fixture.stream.zones = zones;
	fixture.stream.zone_count = 5;
	drawing_init(&drawing, &fixture.job, 0);
	for (unsigned z = 0; z < 5; z++) {
		const struct engine_place *place = &drawing.plan.flow[0].place[z];

		assert_int_equal(place->first_bytes, expected);
		expected = place->first_bytes + place->positions * place->step_bytes;
		positions += place->positions;
	}
	assert_int_equal(positions, 100003ull * 512 / 4096);
	/* 29 % of 100 LBAs are 29, although 0.29 * 100 is 28.999999999999996 in doubles */
	assert_int_equal(engine_zone_bound((const struct engine_zone[]){{0.29, 1}, {0.71, 0}},
					   1, 100 * 512, 512),
			 29 * 512);
	drawing_release(&drawing);
}

static void same_seed_same_sequence(void **state)
{
	struct fixture_job fixture;
	struct drawing a, b, other_thread, other_seed;
	struct engine_io io[4];
	unsigned same[4] = {0};

	(void)state;
	fixture_job_init(&fixture, TIB, 4096);
	fixture.stream.read_share = 0.65;
	drawing_init(&a, &fixture.job, 1);
	drawing_init(&b, &fixture.job, 1);
	drawing_init(&other_thread, &fixture.job, 2);
	fixture.job.seed++;
	drawing_init(&other_seed, &fixture.job, 1);
	for (unsigned i = 0; i < 1000; i++) {
		assert_true(next(&a, &io[0]) && next(&b, &io[1]));
		assert_true(next(&other_thread, &io[2]) && next(&other_seed, &io[3]));
		for (unsigned j = 1; j < 4; j++)
			same[j] += io[0].offset_bytes == io[j].offset_bytes &&
				   io[0].dir == io[j].dir;
	}
	assert_int_equal(same[1], 1000);
	assert_int_equal(same[2], 0);
	assert_int_equal(same[3], 0);
	drawing_release(&a);
	drawing_release(&b);
	drawing_release(&other_thread);
	drawing_release(&other_seed);
}

static void streams_by_weight(void **state)
{
	struct engine_size small = {4096, 1}, large = {65536, 1};
	struct engine_stream streams[] = {
		{.weight = 0.35,
		 .random_share = 1,
		 .read_share = 1,
		 .sizes = &small,
		 .size_count = 1,
		 .span_bytes = GIB},
		{.weight = 0.65,
		 .random_share = 0,
		 .read_share = 0,
		 .sizes = &large,
		 .size_count = 1,
		 .start_bytes = GIB,
		 .span_bytes = GIB},
	};
	struct engine_job job = {.streams = streams,
				 .stream_count = 2,
				 .threads = 1,
				 .queue_depth = 1,
				 .ios = 500000,
				 .seed = 7};
	struct drawing drawing;
	struct engine_io io;
	double z_squared;
	uint64_t expected = GIB;

	(void)state;
	drawing_init(&drawing, &job, 0);
	while (next(&drawing, &io)) {
		if (io.dir == ENGINE_READ) {
			assert_true(io.offset_bytes < GIB);
			continue;
		}
		assert_int_equal(io.offset_bytes, expected);
		expected = expected + 65536 == 2 * GIB ? GIB : expected + 65536;
	}
	assert_true(judge_share(500000, drawing.draw.stream_submitted[0], 0.35, 5, &z_squared));
	assert_int_equal(drawing.draw.stream_submitted[0], drawing.draw.submitted[ENGINE_READ]);
	drawing_release(&drawing);
}

/* Limits are shared out whole: no I/O too many or too few, whatever the number of threads. */
static void ios_are_shared_out_exactly(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 7; threads++) {
		uint64_t total = 0;

		for (unsigned thread = 0; thread < threads; thread++) {
			struct fixture_job fixture;
			struct drawing drawing;
			struct engine_io io;

			fixture_job_init(&fixture, GIB, 4096);
			fixture.job.threads = threads;
			fixture.job.ios = 10007;
			drawing_init(&drawing, &fixture.job, thread);
			while (next(&drawing, &io))
				total++;
			drawing_release(&drawing);
		}
		assert_int_equal(total, 10007);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thresholds_are_exact_at_the_ends),
		cmocka_unit_test(uniform_over_the_span),
		cmocka_unit_test(low_bits_are_even),
		cmocka_unit_test(big_drives_are_reached_to_the_end),
		cmocka_unit_test(every_position_of_a_small_region),
		cmocka_unit_test(mixes_within_five_sigma),
		cmocka_unit_test(sizes_and_zones_within_five_sigma),
		cmocka_unit_test(zone_bounds_of_the_fixture),
		cmocka_unit_test(zones_leave_no_position_out),
		cmocka_unit_test(same_seed_same_sequence),
		cmocka_unit_test(streams_by_weight),
		cmocka_unit_test(ios_are_shared_out_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
