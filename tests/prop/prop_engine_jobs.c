/*
 * Random jobs: whatever the engine accepts, it never draws an I/O beyond the region, off its
 * alignment or of another size than asked for, and its counters add up. A failure prints the
 * number of the case, which is its seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine_check.h"
#include "engine_draw.h"
#include "pts_hash.h"

#define CASES 400
#define DRAWS 1500

static uint64_t random_state;

static uint64_t below(uint64_t count)
{
	return pts_splitmix64(&random_state) % count;
}

struct scene {
	struct engine_config config;
	struct engine_job job;
	struct engine_stream stream[4];
	struct engine_size size[4][5];
	struct engine_zone zone[4][4];
};

/* n shares that sum to 1, some of them 0. */
static void shares(double *share, size_t stride, unsigned count)
{
	double left = 1;

	for (unsigned i = 0; i < count; i++) {
		double part = i + 1 == count ? left : left * (double)below(101) / 100;

		*(double *)((char *)share + i * stride) = part;
		left -= part;
	}
}

static void make_stream(struct scene *scene, unsigned i)
{
	struct engine_stream *stream = &scene->stream[i];
	uint64_t lba = scene->config.lba_bytes;
	uint64_t lbas = scene->config.target_bytes / lba;
	uint64_t start = below(4) ? 0 : below(lbas);

	stream->random_share = (double)below(3) / 2;
	stream->read_share = (double)below(5) / 4;
	stream->start_bytes = start * lba;
	stream->span_bytes = (1 + below(lbas - start)) * lba;
	stream->align_bytes = below(3) ? 0 : (1 + below(9)) * lba;
	stream->sizes = scene->size[i];
	stream->size_count = 1 + (unsigned)below(5);
	for (unsigned s = 0; s < stream->size_count; s++)
		scene->size[i][s].block_bytes = (1 + below(below(2) ? 8 : 256)) * lba;
	shares(&scene->size[i][0].share, sizeof(struct engine_size), stream->size_count);
	stream->zones = scene->zone[i];
	stream->zone_count = (unsigned)below(5);
	shares(&scene->zone[i][0].span_share, sizeof(struct engine_zone), stream->zone_count);
	shares(&scene->zone[i][0].access_share, sizeof(struct engine_zone), stream->zone_count);
}

static void make_scene(struct scene *scene)
{
	const uint64_t lbas[] = {64, 4099, 20481, 1ull << 33, 240000000001ull};

	memset(scene, 0, sizeof(*scene));
	scene->config.fd = -1;
	scene->config.lba_bytes = below(2) ? 512 : 4096;
	scene->config.target_bytes = lbas[below(5)] * scene->config.lba_bytes;
	scene->config.threads_max = 8;
	scene->config.queue_depth_max = 8;
	scene->config.block_bytes_max = 256ull * 4096;
	scene->job.streams = scene->stream;
	scene->job.stream_count = below(2) ? 1 : 1 + (unsigned)below(4);
	scene->job.threads = 1 + (unsigned)below(8);
	scene->job.queue_depth = 1;
	scene->job.seed = pts_splitmix64(&random_state);
	scene->job.ios = below(2) ? 0 : 1 + below(4 * DRAWS);
	scene->job.amount_bytes = below(2) ? 0 : 1 + below(1ull << 26);
	scene->job.duration_ns = 1;
	for (unsigned i = 0; i < scene->job.stream_count; i++)
		make_stream(scene, i);
	shares(&scene->stream[0].weight, sizeof(struct engine_stream), scene->job.stream_count);
}

/* The stream an I/O came from is not told: one of them must explain it. */
static bool explained(const struct scene *scene, const struct engine_io *io)
{
	for (unsigned i = 0; i < scene->job.stream_count; i++) {
		const struct engine_stream *stream = &scene->stream[i];
		uint64_t end = stream->start_bytes + stream->span_bytes;

		if (io->offset_bytes < stream->start_bytes || io->offset_bytes >= end ||
		    io->length_bytes > end - io->offset_bytes)
			continue;
		for (unsigned s = 0; s < stream->size_count; s++) {
			uint64_t size = stream->sizes[s].block_bytes;
			uint64_t align = stream->align_bytes ? stream->align_bytes : size;

			if (stream->random_share < 1 && io->length_bytes <= size)
				return true;
			if (io->length_bytes == size && io->offset_bytes % align == 0)
				return true;
		}
	}
	return false;
}

static uint64_t draw_thread(const struct scene *scene, const struct engine_plan *plan,
			    unsigned thread, unsigned number)
{
	struct engine_carry carry[ENGINE_STREAMS_MAX] = {0};
	struct engine_draw draw;
	struct engine_io io;
	uint64_t bytes = 0, ios = 0, streams = 0, sizes = 0;

	memset(&draw, 0, sizeof(draw));
	assert_int_equal(engine_draw_init(&draw, plan, thread, carry), 0);
	while (ios < DRAWS && engine_draw_next(&draw, plan->path, &io)) {
		if (!explained(scene, &io) || !io.length_bytes ||
		    io.offset_bytes % scene->config.lba_bytes ||
		    io.length_bytes % scene->config.lba_bytes)
			fail_msg("case %u: I/O of %u bytes at %llu", number, io.length_bytes,
				 (unsigned long long)io.offset_bytes);
		bytes += io.length_bytes;
		ios++;
	}
	engine_draw_settle(&draw);
	for (unsigned i = 0; i < plan->flow_count; i++)
		streams += draw.stream_submitted[i];
	for (unsigned i = 0; i < plan->size_total; i++)
		sizes += draw.size_submitted[i];
	if (draw.submitted[0] + draw.submitted[1] != ios || streams != ios || sizes != ios)
		fail_msg("case %u: counters do not add up", number);
	engine_draw_release(&draw);
	return bytes;
}

static void accepted_jobs_stay_inside(void **state)
{
	unsigned accepted = 0;

	(void)state;
	for (unsigned number = 0; number < CASES; number++) {
		static struct engine_plan plan;
		struct pts_err err = PTS_ERR_INIT;
		struct scene scene;

		random_state = number;
		make_scene(&scene);
		if (engine_check_job(&scene.config, &scene.job, &err) < 0)
			continue;
		assert_int_equal(engine_plan_init(&plan, &scene.job, scene.config.lba_bytes),
				 0);
		if (engine_check_plan(&plan, &err) == 0) {
			accepted++;
			for (unsigned t = 0; t < scene.job.threads; t++)
				draw_thread(&scene, &plan, t, number);
		}
		engine_plan_release(&plan);
	}
	print_message("%u of %u jobs accepted\n", accepted, CASES);
	assert_true(accepted > CASES / 10);
}

/* Exact amounts: whatever the number of threads and the size, the sum is right to the LBA. */
static void exact_amounts_add_up(void **state)
{
	(void)state;
	for (unsigned number = 0; number < CASES; number++) {
		static struct engine_plan plan;
		struct pts_err err = PTS_ERR_INIT;
		struct scene scene;
		uint64_t bytes = 0;
		uint64_t lba;

		random_state = 1000 + number;
		make_scene(&scene);
		lba = scene.config.lba_bytes;
		scene.job.stream_count = 1;
		scene.stream[0].weight = 1;
		scene.stream[0].random_share = 0;
		scene.stream[0].size_count = 1;
		scene.size[0][0].share = 1;
		scene.job.ios = 0;
		scene.job.amount_bytes = 1 + below(1000 * lba);
		if (engine_check_job(&scene.config, &scene.job, &err) < 0)
			continue;
		assert_int_equal(engine_plan_init(&plan, &scene.job, (uint32_t)lba), 0);
		if (engine_check_plan(&plan, &err) == 0) {
			for (unsigned t = 0; t < scene.job.threads; t++)
				bytes += draw_thread(&scene, &plan, t, number);
			if (bytes != (scene.job.amount_bytes + lba - 1) / lba * lba)
				fail_msg("case %u: %llu bytes", number,
					 (unsigned long long)bytes);
		}
		engine_plan_release(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepted_jobs_stay_inside),
		cmocka_unit_test(exact_amounts_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
