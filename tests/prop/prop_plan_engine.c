/*
 * The plan and the engine agree: hundreds of random workloads on random small drives. A cell
 * that the plan calls applicable is taken by the engine, one that it doesn't is refused by it;
 * zones begin where the engine draws them. PTS_PROP_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"
#include "engine_draw.h"
#include "plan_fixture.h"
#include "pts_hash.h"
#include "pts_text.h"

#define CASES 600

static uint64_t seed, state_of;

static uint64_t below(uint64_t count)
{
	return pts_splitmix64(&state_of) % count;
}

static void add_sizes(struct pts_buf *yaml)
{
	static const unsigned shares[] = {50, 30, 20};

	if (below(2)) {
		pts_buf_printf(yaml, "    block_size: %lluB\n",
			       512ull * (1 + below(below(2) ? 16 : 300)));
		return;
	}
	pts_buf_puts(yaml, "    sizes: [");
	for (unsigned i = 0; i < 3; i++)
		pts_buf_printf(yaml, "%s{size: %lluB, share: %u%%}", i ? ", " : "",
			       512ull * (1 + i * 40 + below(below(2) ? 16 : 40)), shares[i]);
	pts_buf_puts(yaml, "]\n");
}

static void add_zones(struct pts_buf *yaml)
{
	unsigned first = 1 + (unsigned)below(60), second = 1 + (unsigned)below(30);

	pts_buf_printf(yaml,
		       "    zones: [{span: %u%%, access: 50%%}, {span: %u%%, access: 30%%}, "
		       "{span: %u%%, access: 20%%}]\n",
		       first, second, 100 - first - second);
}

static struct spec *random_spec(void)
{
	static const char *const access[] = {"random", "sequential", "30% random"};
	struct pts_buf yaml = {0};
	unsigned kind = (unsigned)below(3);
	struct spec *spec;

	pts_buf_printf(&yaml,
		       "title: made\nworkloads:\n  w:\n    threads: %u\n    queue_depth: 2\n"
		       "    access: %s\n    rw_mix: 35/65\n",
		       1 + (unsigned)below(5), access[kind]);
	add_sizes(&yaml);
	if (!kind && below(2))
		add_zones(&yaml);
	if (kind != 1 && below(3) == 0)
		pts_buf_printf(&yaml, "    align: %lluB\n", 512ull << below(6));
	if (below(3) == 0)
		pts_buf_printf(&yaml, "    region: {start: %u%%, share: %u%%}\n",
			       (unsigned)below(50), 1 + (unsigned)below(50));
	if (below(3) == 0)
		pts_buf_printf(&yaml, "    active_range: %u%%\n", 1 + (unsigned)below(100));
	pts_buf_puts(&yaml, "steps:\n  - load: {name: load, workload: w, until: {time: 1s}}\n"
			    "pages:\n  - {kind: timeline, title: t, step: load, x: time, "
			    "y: iops}\n");
	spec = plan_fixture_text(yaml.data);
	pts_buf_release(&yaml);
	return spec;
}

struct job {
	struct engine_stream stream;
	struct engine_size sizes[3];
	struct engine_zone zones[3];
	struct engine_job job;
};

static void job_of(const struct plan_cell *cell, struct job *job)
{
	const struct plan_stream *from = &cell->streams[0];

	for (unsigned i = 0; i < from->size_count[0]; i++)
		job->sizes[i] = (struct engine_size){from->sizes[0][i].block_bytes,
						     from->sizes[0][i].share};
	for (unsigned i = 0; i < from->zone_count; i++)
		job->zones[i] = (struct engine_zone){from->zones[i].span_share,
						     from->zones[i].access_share};
	job->stream = (struct engine_stream){
		.weight = 1,
		.random_share = from->random_share,
		.read_share = from->read_pct / 100.0,
		.sizes = job->sizes,
		.size_count = from->size_count[0],
		.zones = from->zone_count ? job->zones : NULL,
		.zone_count = from->zone_count,
		.align_bytes = from->align_bytes,
		.start_bytes = from->start_bytes,
		.span_bytes = from->span_bytes,
	};
	job->job = (struct engine_job){
		.streams = &job->stream,
		.stream_count = 1,
		.threads = cell->threads,
		.queue_depth = cell->queue_depth,
		.ios = 20,
		.seed = 1,
	};
}

static bool engine_takes(const struct plan_cell *cell, const struct plan_device *device,
			 struct pts_err *err)
{
	struct engine_config config = {
		.backend = ENGINE_NIL,
		.fd = -1,
		.target_bytes = device->capacity_bytes,
		.lba_bytes = device->lba_bytes,
		.threads_max = 5,
		.queue_depth_max = 2,
		.block_bytes_max = 1 << 20,
	};
	struct engine_result *result = engine_result_new();
	struct pts_err ignored = PTS_ERR_INIT;
	struct engine *engine;
	struct job job = {0};
	bool takes;

	assert_int_equal(engine_open(&config, &engine, &ignored), 0);
	job_of(cell, &job);
	takes = engine_start(engine, &job.job, err) == 0;
	if (takes)
		assert_int_equal(engine_finish(engine, result, &ignored), 0);
	engine_close(engine);
	engine_result_free(result);
	return takes;
}

static void applicable_is_what_the_engine_takes(void **state)
{
	unsigned applicable = 0;

	(void)state;
	for (unsigned i = 0; i < CASES; i++) {
		uint32_t lba = below(2) ? 512 : 4096;
		struct plan_device device =
			plan_fixture_drive(lba * (1 + below(below(2) ? 600 : 20)), lba);
		struct plan_fixture made = plan_fixture_make(random_spec(), &device, 0);
		const struct plan_cell *cell = &made.plan->steps[0].cells[0];
		struct pts_err err = PTS_ERR_INIT;
		bool takes = engine_takes(cell, &made.plan->device, &err);

		if (takes != cell->applicable)
			fail_msg("seed %llu, case %u: engine: %s, plan: %s; %llu bytes, LBA "
				 "%u, %u threads\n%s",
				 (unsigned long long)seed, i, takes ? "takes it" : err.text,
				 cell->applicable ? "applicable" : cell->reason,
				 (unsigned long long)device.capacity_bytes, lba, cell->threads,
				 made.spec->text);
		applicable += cell->applicable;
		plan_fixture_free(&made);
	}
	/* both sides of the rule were met often */
	assert_true(applicable > CASES / 10 && applicable < CASES * 9 / 10);
}

static void zones_begin_where_the_engine_draws(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		uint32_t lba = below(2) ? 512 : 4096;
		uint64_t span = lba * (1 + below(1ull << below(40)));
		double first = (double)(1 + below(400)) / 1000,
		       second = (double)(1 + below(400)) / 1000;
		struct spec_zone ours[3] = {
			{first, 0.5}, {second, 0.3}, {1 - first - second, 0.2}};
		struct engine_zone theirs[3] = {
			{first, 0.5}, {second, 0.3}, {1 - first - second, 0.2}};

		for (unsigned z = 0; z < 3; z++)
			assert_int_equal(plan_zone_start(ours, 3, z, span, lba),
					 engine_zone_bound(theirs, z, span, lba));
		assert_int_equal(plan_zone_start(ours, 3, 3, span, lba), span);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(applicable_is_what_the_engine_takes),
		cmocka_unit_test(zones_begin_where_the_engine_draws),
	};
	const char *given = getenv("PTS_PROP_SEED");

	seed = given ? strtoull(given, NULL, 10) : pts_seed_fresh() >> 16;
	state_of = seed;
	print_message("PTS_PROP_SEED=%llu\n", (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
