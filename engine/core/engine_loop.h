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

struct engine_ops {
	/* Readies slot for submission; its offset, length and direction are set. */
	void (*prepare)(struct engine_worker *worker, unsigned slot, enum engine_path path);
	/* Submits the made slots prepared since the last call, then waits until want are done
	 * (0: does not wait; never much longer than ENGINE_TICK_NS). 0, or -errno if the way to
	 * the target itself failed. */
	int (*commit)(struct engine_worker *worker, unsigned made, unsigned want);
	/* How many completions there are; completion i of them; forget them. A slot number of
	 * worker->depth or more is none of ours. */
	unsigned (*ready)(struct engine_worker *worker);
	unsigned (*done)(struct engine_worker *worker, unsigned i, int *ret_result);
	void (*taken)(struct engine_worker *worker, unsigned count);
};

ENGINE_INLINE unsigned engine_loop_prepare(struct engine_worker *worker,
					   const struct engine_ops *ops, enum engine_path path)
{
	unsigned room = worker->free_count < worker->batch ? worker->free_count : worker->batch;
	unsigned made;

	for (made = 0; made < room; made++) {
		unsigned index = worker->free_slot[worker->free_count - 1];
		struct engine_slot *slot = &worker->slot[index];
		struct engine_io io;

		if (ENGINE_UNLIKELY(!engine_draw_next(&worker->draw, path, &io))) {
			worker->ending = true;
			break;
		}
		worker->free_count--;
		slot->offset_bytes = io.offset_bytes;
		if (path == ENGINE_PATH_GENERAL)
			slot->length_bytes = io.length_bytes;
		if (path != ENGINE_PATH_READ) {
			slot->dir = io.dir;
			if (io.dir == ENGINE_WRITE)
				engine_payload_fill(&worker->payload,
						    engine_worker_buffer(worker, index),
						    io.length_bytes);
		}
		ops->prepare(worker, index, path);
	}
	return made;
}

/* One stamp a submission, taken right before it: the slots just taken from the stack are the
 * ones above its new top. */
ENGINE_INLINE void engine_loop_stamp(struct engine_worker *worker, unsigned made)
{
	const uint32_t *index = worker->free_slot + worker->free_count;
	uint64_t now;

	if (ENGINE_UNLIKELY(!worker->start_ticks))
		now = engine_worker_release(worker);
	else
		now = engine_clock_ticks(&worker->clock);
	worker->area += (uint64_t)(worker->depth - worker->free_count - made) *
			(now - worker->area_ticks);
	worker->area_ticks = now;
	for (unsigned i = 0; i < made; i++)
		worker->slot[index[i]].stamp = now;
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

	if (ENGINE_UNLIKELY(result != (int)length)) {
		engine_worker_error(worker, index, result, now);
		return;
	}
	if (path == ENGINE_PATH_GENERAL)
		tally->bytes += length;
	if (ENGINE_UNLIKELY(now < slot->stamp)) {
		engine_worker_backwards(worker, index);
		return;
	}
	engine_loop_record(tally, engine_clock_span_ns(&worker->clock, now - slot->stamp));
}

ENGINE_INLINE void engine_loop_reap(struct engine_worker *worker, const struct engine_ops *ops,
				    unsigned ready, uint64_t now, enum engine_path path)
{
	unsigned free_before = worker->free_count;
	unsigned free_count = free_before;

	for (unsigned i = 0; i < ready; i++) {
		int result;
		unsigned index = ops->done(worker, i, &result);

		if (ENGINE_UNLIKELY(index >= worker->depth))
			continue;
		if (ENGINE_LIKELY(!worker->past))
			engine_loop_done(worker, index, result, now, path);
		else
			engine_worker_drained(worker, index, result, now);
		worker->free_slot[free_count++] = index;
	}
	ops->taken(worker, ready);
	worker->free_count = free_count;
	if (free_count != free_before)
		worker->done_ticks = now;
}

/* One pass; false when the worker has nothing more to do. */
ENGINE_INLINE bool engine_loop_pass(struct engine_worker *worker, const struct engine_ops *ops,
				    enum engine_path path)
{
	unsigned made = 0;
	unsigned want = 0;
	unsigned ready;
	unsigned out;
	uint64_t now;
	bool due;
	int ret;

	if (ENGINE_LIKELY(!worker->ending))
		made = engine_loop_prepare(worker, ops, path);
	engine_loop_stamp(worker, made);
	out = worker->depth - worker->free_count;
	if (ENGINE_UNLIKELY(!out))
		return false;
	if (!worker->free_count || worker->ending)
		want = out < worker->wait_most ? out : worker->wait_most;
	ret = ops->commit(worker, made, want);
	if (ENGINE_UNLIKELY(ret < 0)) {
		engine_worker_fault(worker, -ret, "submission");
		worker->lost = true;
		return false;
	}
	ready = ops->ready(worker);
	if (!ready && !want)
		return true;
	now = engine_clock_ticks(&worker->clock);
	worker->area += (uint64_t)out * (now - worker->area_ticks);
	worker->area_ticks = now;
	due = now > worker->event_ticks ||
	      atomic_load_explicit(&worker->engine->end, memory_order_relaxed);
	if (ENGINE_UNLIKELY(due))
		engine_worker_event(worker, now);
	engine_loop_reap(worker, ops, ready, now, path);
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
