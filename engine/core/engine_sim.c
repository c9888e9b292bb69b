/*
 * The model drive as a backend: all workers run in the thread that waits, on the drive's clock,
 * one completion after the other; draw, stamps, windows and accounting are those of every other
 * backend. Data are not moved, the drive gets told what they are like. It must not know what a
 * drive costs an I/O (sim_drive.c) nor read any real clock.
 */
#include <errno.h>
#include <stdlib.h>

#include "engine_loop.h"
#include "sim_drive.h"

#define TAG_BITS 32

/* ---- one worker ------------------------------------------------------------------------ */

static inline void sim_prepare(struct engine_worker *worker, struct engine_feed *feed,
			       unsigned index, enum engine_path path)
{
	const struct engine_slot *slot = &worker->slot[index];
	const struct engine_job *job = worker->engine->job;
	const bool zero = job->payload == ENGINE_PAYLOAD_ZERO;

	(void)feed;
	(void)path;
	sim_drive_submit(worker->engine->config.sim,
			 &(struct sim_io){
				 .offset_bytes = slot->offset_bytes,
				 .length_bytes = slot->length_bytes,
				 .write = slot->dir == ENGINE_WRITE,
				 .compressible = zero ? 1 : job->compressible_share,
				 .duplicate = zero ? 1 : job->duplicate_share,
				 .tag = (uint64_t)worker->index << TAG_BITS | index,
			 });
}

static inline unsigned sim_done(struct engine_worker *worker,
				const struct engine_harvest *harvest, unsigned i,
				int *ret_result)
{
	const struct sim_done *done = (const struct sim_done *)harvest->entries + i;

	(void)worker;
	*ret_result = done->result;
	return (unsigned)done->tag;
}

static inline void sim_taken(struct engine_worker *worker, const struct engine_harvest *harvest)
{
	(void)worker;
	(void)harvest;
}

static const struct engine_ops ops = {
	.prepare = sim_prepare,
	.done = sim_done,
	.taken = sim_taken,
};

/* Submits up to most I/Os, of those that there is room for. How many it were. */
ENGINE_INLINE unsigned submit(struct engine_worker *worker, unsigned most,
			      enum engine_path path)
{
	struct engine_feed feed = {0};
	unsigned made = path == ENGINE_PATH_GENERAL
				? engine_loop_general(worker, &ops, &feed, most)
				: engine_loop_fixed(worker, &ops, &feed, most, path);

	engine_loop_stamp(worker, made);
	return made;
}

/* Submits at one moment all that there is room for. */
ENGINE_INLINE void fill(struct engine_worker *worker, enum engine_path path)
{
	while (!worker->ending && worker->free_count)
		submit(worker, worker->free_count, path);
}

/* Takes a completion (NULL: time has passed), submits what follows from it, ends the worker's job
 * when nothing more is to come. */
ENGINE_INLINE void step(struct engine_worker *worker, const struct sim_done *done,
			enum engine_path path)
{
	struct engine_harvest harvest = {.entries = done, .count = done ? 1 : 0};
	unsigned out = worker->depth - worker->free_count;
	uint64_t now = engine_clock_ticks(&worker->clock);
	bool due;

	worker->area += (uint64_t)out * (now - worker->area_ticks);
	worker->area_ticks = now;
	due = worker->start_ticks &&
	      (now > worker->event_ticks ||
	       atomic_load_explicit(&worker->engine->end, memory_order_relaxed));
	if (ENGINE_UNLIKELY(due))
		engine_worker_event(worker, now);
	engine_loop_reap(worker, &ops, &harvest, now, path);
	if (ENGINE_LIKELY(!due) || engine_worker_alive(worker, now))
		fill(worker, path);
	else
		worker->ending = true;
	if (ENGINE_LIKELY(!worker->lost && worker->free_count != worker->depth))
		return;
	engine_worker_finish(worker);
	/* it is one thread: its CPU time belongs to the first worker */
	if (worker->index) {
		worker->user_ns = 0;
		worker->system_ns = 0;
	}
}

static bool is_done(const struct engine_worker *worker)
{
	return atomic_load_explicit(&worker->out.done, memory_order_relaxed);
}

/* ---- all of them ----------------------------------------------------------------------- */

/* Until somebody should look (engine_wake()) or until the limit. */
ENGINE_INLINE void advance(struct engine *engine, unsigned events, uint64_t limit_ns,
			   enum engine_path path)
{
	struct sim_drive *drive = engine->config.sim;

	while (atomic_load_explicit(&engine->events, memory_order_relaxed) == events) {
		uint64_t now = sim_drive_now_ns(drive);
		uint64_t until =
			now + ENGINE_TICK_NS < limit_ns ? now + ENGINE_TICK_NS : limit_ns;
		struct sim_done done;

		if (now >= limit_ns)
			return;
		if (ENGINE_LIKELY(sim_drive_run(drive, until, &done))) {
			struct engine_worker *worker = engine->worker[done.tag >> TAG_BITS];

			if (ENGINE_LIKELY(!is_done(worker)))
				step(worker, &done, path);
			continue;
		}
		for (unsigned i = 0; i < engine->job->threads; i++)
			if (!is_done(engine->worker[i]))
				step(engine->worker[i], NULL, path);
	}
}

static int sim_wait(struct engine *engine, unsigned events, uint64_t timeout_ns)
{
	uint64_t limit_ns = sim_drive_now_ns(engine->config.sim) + timeout_ns;

	switch (engine->plan.path) {
	case ENGINE_PATH_READ:
		advance(engine, events, limit_ns, ENGINE_PATH_READ);
		break;
	case ENGINE_PATH_FIXED:
		advance(engine, events, limit_ns, ENGINE_PATH_FIXED);
		break;
	case ENGINE_PATH_GENERAL:
		advance(engine, events, limit_ns, ENGINE_PATH_GENERAL);
		break;
	}
	return 0;
}

/* Buffers there are none, and nothing is to be put into them. */
static void no_fill(struct engine_payload_state *state, void *data, size_t bytes)
{
	(void)state;
	(void)data;
	(void)bytes;
}

/* In turn, as threads do that run at once: in a long queue none is behind all of another one's. */
ENGINE_INLINE void begin(struct engine *engine, enum engine_path path)
{
	unsigned made;

	do {
		made = 0;
		for (unsigned i = 0; i < engine->job->threads; i++) {
			struct engine_worker *worker = engine->worker[i];

			if (!worker->ending && worker->free_count)
				made += submit(worker, 1, path);
		}
	} while (made);
	for (unsigned i = 0; i < engine->job->threads; i++)
		step(engine->worker[i], NULL, path);
}

static void sim_start(struct engine *engine)
{
	/* nobody waits at the barrier: they all are this thread */
	atomic_store(&engine->released, engine->round);
	for (unsigned i = 0; i < engine->job->threads; i++) {
		struct engine_worker *worker = engine->worker[i];

		engine_worker_begin(worker);
		worker->payload.random_bytes = ENGINE_PAYLOAD_UNIT;
		worker->payload.duplicates = 0;
		worker->payload.fill = no_fill;
		worker->event_ticks = UINT64_MAX;
		worker->area_ticks = engine_clock_ticks(&worker->clock);
	}
	switch (engine->plan.path) {
	case ENGINE_PATH_READ:
		begin(engine, ENGINE_PATH_READ);
		break;
	case ENGINE_PATH_FIXED:
		begin(engine, ENGINE_PATH_FIXED);
		break;
	case ENGINE_PATH_GENERAL:
		begin(engine, ENGINE_PATH_GENERAL);
		break;
	}
}

static int sim_open(struct engine *engine, struct pts_err *err)
{
	const struct engine_config *config = &engine->config;
	uint64_t outstanding = (uint64_t)config->threads_max * config->queue_depth_max;
	int ret = 0;

	if (!config->sim || !pts_clock_is_virtual())
		return pts_fail(err, PTS_EXIT_BUG, EINVAL,
				"engine: a model drive runs on its own clock");
	if (outstanding > SIM_OUTSTANDING_MOST)
		return pts_fail(
			err, PTS_EXIT_SPEC, EINVAL,
			"%u threads of queue depth %u: a model drive takes %u I/Os at a "
			"time",
			config->threads_max, config->queue_depth_max, SIM_OUTSTANDING_MOST);
	for (unsigned i = 0; !ret && i < config->threads_max; i++)
		ret = engine_worker_open(engine->worker[i], err);
	if (ret < 0)
		return ret;
	ret = sim_drive_reserve(config->sim, (uint32_t)outstanding);
	if (ret < 0)
		return pts_fail(err, PTS_EXIT_MISSING, -ret,
				"cannot ready the model drive for %u I/Os: %s",
				(unsigned)outstanding, pts_errno_text(-ret));
	return 0;
}

static bool sim_close(struct engine *engine)
{
	for (unsigned i = 0; i < engine->config.threads_max; i++) {
		/* what is lost in the model drive writes to no buffer */
		engine->worker[i]->lost = false;
		engine_worker_close(engine->worker[i]);
	}
	return true;
}

const struct engine_backend engine_backend_sim = {
	.name = "sim",
	.no_data = true,
	.open = sim_open,
	.close = sim_close,
	.start = sim_start,
	.wait = sim_wait,
};
