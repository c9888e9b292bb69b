/*
 * The hot loop: draw, fill, stamp, submit, reap, account. Written once as an inline function over
 * a constant table, so that each backend's file compiles its own copies without an indirect call,
 * specialised by path. It allocates nothing, locks nothing and logs nothing. Internal.
 */
#ifndef ENGINE_LOOP_H
#define ENGINE_LOOP_H

#include "engine_worker.h"

#define ENGINE_LIKELY(x)   __builtin_expect(!!(x), 1)
#define ENGINE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ENGINE_INLINE      static inline __attribute__((always_inline))

/* Where a batch goes and where completions come from: copies of the backend's state that live in
 * registers for the length of a loop. */
struct engine_feed {
	void *entries;
	unsigned *order;
	unsigned tail;
	unsigned mask;
};

struct engine_harvest {
	const void *entries;
	unsigned head;
	unsigned mask;
	unsigned count; /* of completions that wait */
};

struct engine_ops {
	struct engine_feed (*feed)(struct engine_worker *worker);
	/* Readies slot for submission; its offset, length and direction are set. */
	void (*prepare)(struct engine_worker *worker, struct engine_feed *feed, unsigned slot,
			enum engine_path path);
	/* Submits the made slots prepared since feed(), then waits until want are done (0: does
	 * not wait; never much longer than ENGINE_TICK_NS). 0, or -errno if the way to the target
	 * itself failed. */
	int (*commit)(struct engine_worker *worker, const struct engine_feed *feed,
		      unsigned made, unsigned want);
	struct engine_harvest (*harvest)(struct engine_worker *worker);
	/* The slot of completion i. A number of worker->depth or more is none of ours: it goes to
	 * other(), if there is one. */
	unsigned (*done)(struct engine_worker *worker, const struct engine_harvest *harvest,
			 unsigned i, int *ret_result);
	void (*other)(struct engine_worker *worker, unsigned slot);
	/* All completions of the harvest were looked at. */
	void (*taken)(struct engine_worker *worker, const struct engine_harvest *harvest);
};

ENGINE_INLINE void engine_loop_fill(struct engine_worker *worker, unsigned index,
				    const struct engine_io *io)
{
	worker->slot[index].dir = io->dir;
	if (io->dir == ENGINE_WRITE)
		engine_payload_fill(&worker->payload, engine_worker_buffer(worker, index),
				    io->length_bytes);
}

ENGINE_INLINE unsigned engine_loop_general(struct engine_worker *worker,
					   const struct engine_ops *ops,
					   struct engine_feed *feed, unsigned room)
{
	unsigned made;

	for (made = 0; made < room; made++) {
		unsigned index = worker->free_slot[worker->free_count - 1];
		struct engine_slot *slot = &worker->slot[index];
		struct engine_io io;

		if (ENGINE_UNLIKELY(!engine_draw_general(&worker->draw, &io))) {
			worker->ending = true;
			break;
		}
		worker->free_count--;
		slot->offset_bytes = io.offset_bytes;
		slot->length_bytes = io.length_bytes;
		engine_loop_fill(worker, index, &io);
		ops->prepare(worker, feed, index, ENGINE_PATH_GENERAL);
	}
	return made;
}

/* The same for jobs of one size over one region: the generator and the limits stay in registers. */
ENGINE_INLINE unsigned engine_loop_fixed(struct engine_worker *worker,
					 const struct engine_ops *ops, struct engine_feed *feed,
					 unsigned room, enum engine_path path)
{
	const struct engine_fixed fixed = worker->engine->plan.fixed;
	struct engine_rng rng = worker->draw.rng;
	struct engine_slot *slots = worker->slot;
	const uint32_t *top = worker->free_slot + worker->free_count;
	unsigned writes = 0;

	if (ENGINE_UNLIKELY(room >= worker->draw.ios_left)) {
		room = (unsigned)worker->draw.ios_left;
		worker->ending = true;
	}
	for (unsigned made = 0; made < room; made++) {
		unsigned index = *--top;
		struct engine_io io;

		engine_draw_fixed(&rng, &fixed, path, &io);
		slots[index].offset_bytes = io.offset_bytes;
		if (path == ENGINE_PATH_FIXED) {
			writes += io.dir;
			engine_loop_fill(worker, index, &io);
		}
		ops->prepare(worker, feed, index, path);
	}
	worker->free_count -= room;
	worker->draw.rng = rng;
	worker->draw.ios_left -= room;
	worker->draw.submitted[ENGINE_WRITE] += writes;
	worker->draw.submitted[ENGINE_READ] += room - writes;
	return room;
}

/* One stamp a submission, taken right before it: the slots just taken from the stack are the
 * ones above its new top. */
ENGINE_INLINE void engine_loop_stamp(struct engine_worker *worker, unsigned made)
{
	const uint32_t *index = worker->free_slot + worker->free_count;
	const uint32_t *end = index + made;
	uint64_t *stamp = worker->stamp;
	uint64_t now;

	if (ENGINE_UNLIKELY(!worker->start_ticks))
		now = engine_worker_release(worker);
	else
		now = engine_clock_ticks(&worker->clock);
	worker->area += (uint64_t)(worker->depth - worker->free_count - made) *
			(now - worker->area_ticks);
	worker->area_ticks = now;
	while (index < end)
		stamp[*index++] = now;
}

ENGINE_INLINE void engine_loop_record(struct engine_tally *tally, uint64_t latency_ns)
{
	struct pts_hist *hist = tally->hist;

	hist->bucket[pts_hist_index(latency_ns)]++;
	hist->sum += latency_ns;
	hist->count++;
	if (ENGINE_UNLIKELY(latency_ns < hist->min))
		hist->min = latency_ns;
	if (ENGINE_UNLIKELY(latency_ns > tally->max_ns))
		tally->max_ns = latency_ns;
}

ENGINE_INLINE void engine_loop_done(struct engine_worker *worker, unsigned index, int result,
				    uint64_t now, enum engine_path path)
{
	const struct engine_slot *slot = &worker->slot[index];
	uint32_t length =
		path == ENGINE_PATH_GENERAL ? slot->length_bytes : worker->block_bytes;
	struct engine_tally *tally =
		&worker->tally[path == ENGINE_PATH_READ ? ENGINE_READ : slot->dir];
	int64_t ticks = (int64_t)(now - worker->stamp[index]);

	if (ENGINE_UNLIKELY(result != (int)length)) {
		engine_worker_error(worker, index, result, now);
		return;
	}
	if (path == ENGINE_PATH_GENERAL)
		tally->bytes += length;
	if (ENGINE_UNLIKELY(ticks < 0)) {
		engine_worker_backwards(worker, index);
		return;
	}
	engine_loop_record(tally, engine_clock_span_ns(&worker->clock, (uint64_t)ticks));
}

ENGINE_INLINE void engine_loop_reap(struct engine_worker *worker, const struct engine_ops *ops,
				    const struct engine_harvest *harvest, uint64_t now,
				    enum engine_path path)
{
	uint32_t *free_slot = worker->free_slot + worker->free_count;
	const uint32_t *free_before = free_slot;
	unsigned depth = worker->depth;
	bool past = worker->past;

	for (unsigned i = 0; i < harvest->count; i++) {
		int result;
		unsigned index = ops->done(worker, harvest, i, &result);

		if (ENGINE_UNLIKELY(index >= depth)) {
			if (ops->other)
				ops->other(worker, index);
			continue;
		}
		if (ENGINE_LIKELY(!past))
			engine_loop_done(worker, index, result, now, path);
		else
			engine_worker_drained(worker, index, result, now);
		*free_slot++ = index;
	}
	ops->taken(worker, harvest);
	if (free_slot == free_before)
		return;
	worker->free_count += (unsigned)(free_slot - free_before);
	worker->done_ticks = now;
}

/* One pass; false when the worker has nothing more to do. */
ENGINE_INLINE bool engine_loop_pass(struct engine_worker *worker, const struct engine_ops *ops,
				    enum engine_path path)
{
	unsigned room = worker->free_count < worker->batch ? worker->free_count : worker->batch;
	struct engine_feed feed = ops->feed(worker);
	struct engine_harvest harvest;
	unsigned made = 0;
	unsigned want = 0;
	unsigned out;
	uint64_t now;
	bool due;
	int ret;

	if (ENGINE_LIKELY(!worker->ending))
		made = path == ENGINE_PATH_GENERAL
			       ? engine_loop_general(worker, ops, &feed, room)
			       : engine_loop_fixed(worker, ops, &feed, room, path);
	engine_loop_stamp(worker, made);
	out = worker->depth - worker->free_count;
	if (ENGINE_UNLIKELY(!out))
		return false;
	if (!worker->free_count || worker->ending)
		want = out < worker->wait_most ? out : worker->wait_most;
	ret = ops->commit(worker, &feed, made, want);
	if (ENGINE_UNLIKELY(ret < 0)) {
		engine_worker_fault(worker, -ret, "submission");
		worker->lost = true;
		return false;
	}
	harvest = ops->harvest(worker);
	if (!harvest.count && !want)
		return true;
	now = engine_clock_ticks(&worker->clock);
	worker->area += (uint64_t)out * (now - worker->area_ticks);
	worker->area_ticks = now;
	due = now > worker->event_ticks ||
	      atomic_load_explicit(&worker->engine->end, memory_order_relaxed);
	if (ENGINE_UNLIKELY(due))
		engine_worker_event(worker, now);
	engine_loop_reap(worker, ops, &harvest, now, path);
	return ENGINE_LIKELY(!due) || engine_worker_alive(worker, now);
}

/* Runs the engine's job in this worker, from the barrier to the last completion. */
ENGINE_INLINE void engine_loop(struct engine_worker *worker, const struct engine_ops *ops)
{
	engine_worker_begin(worker);
	switch (worker->engine->plan.path) {
	case ENGINE_PATH_READ:
		while (engine_loop_pass(worker, ops, ENGINE_PATH_READ))
			;
		break;
	case ENGINE_PATH_FIXED:
		while (engine_loop_pass(worker, ops, ENGINE_PATH_FIXED))
			;
		break;
	case ENGINE_PATH_GENERAL:
		while (engine_loop_pass(worker, ops, ENGINE_PATH_GENERAL))
			;
		break;
	}
	engine_worker_finish(worker);
}

#endif
