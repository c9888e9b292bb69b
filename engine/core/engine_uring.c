/*
 * The real backend: one io_uring a worker. Submission entry i belongs to buffer slot i for life,
 * so that an I/O writes its offset (and what else differs) and its number, and an entry or a
 * buffer that the kernel still uses cannot be taken twice. It must not choose I/Os or account
 * for them.
 *
 * The wait for completions has no time limit of its own: a timer entry that is always out wakes
 * it, so that a stop or a stall is noticed without a price on every call.
 */
#include <errno.h>

#include "engine_loop.h"
#include "engine_uring_internal.h"

static inline struct engine_feed uring_feed(struct engine_worker *worker)
{
	const struct engine_uring *uring = worker->port;

	return (struct engine_feed){
		.entries = uring->sqes,
		.order = uring->array,
		.tail = uring->tail,
		.mask = uring->sq_mask,
	};
}

static inline void uring_prepare(struct engine_worker *worker, struct engine_feed *feed,
				 unsigned index, enum engine_path path)
{
	const struct engine_slot *slot = &worker->slot[index];
	struct io_uring_sqe *sqe = (struct io_uring_sqe *)feed->entries + index;

	sqe->off = slot->offset_bytes;
	if (path == ENGINE_PATH_GENERAL)
		sqe->len = slot->length_bytes;
	if (path != ENGINE_PATH_READ)
		sqe->opcode = ((const struct engine_uring *)worker->port)->opcode[slot->dir];
	feed->order[feed->tail++ & feed->mask] = index;
}

static inline int uring_commit(struct engine_worker *worker, const struct engine_feed *feed,
			       unsigned made, unsigned want)
{
	struct engine_uring *uring = worker->port;
	unsigned flags = uring->enter_flags;
	unsigned tail = feed->tail;
	int ret;

	if (want || worker->batch == 1)
		flags |= IORING_ENTER_GETEVENTS;
	if (ENGINE_UNLIKELY(want && !uring->timer_out)) {
		uring->array[tail++ & uring->sq_mask] = uring->timer_index;
		uring->timer_out = true;
		made++;
	}
	uring->tail = tail;
	__atomic_store_n(uring->sq_tail, tail, __ATOMIC_RELEASE);
	made += uring->pending;
	ret = io_uring_enter(uring->enter_fd, made, want, flags, NULL);
	uring->pending = made;
	if (ENGINE_LIKELY(ret >= 0)) {
		uring->pending = made - (unsigned)ret;
		return 0;
	}
	/* the kernel lacks memory at this moment, or completions must be taken first */
	return ret == -EINTR || ret == -EAGAIN || ret == -EBUSY ? 0 : ret;
}

static inline struct engine_harvest uring_harvest(struct engine_worker *worker)
{
	const struct engine_uring *uring = worker->port;

	return (struct engine_harvest){
		.entries = uring->cqes,
		.head = uring->head,
		.mask = uring->cq_mask,
		.count = __atomic_load_n(uring->cq_tail, __ATOMIC_ACQUIRE) - uring->head,
	};
}

static inline unsigned uring_done(struct engine_worker *worker,
				  const struct engine_harvest *harvest, unsigned i,
				  int *ret_result)
{
	const struct io_uring_cqe *cqe = (const struct io_uring_cqe *)harvest->entries +
					 ((harvest->head + i) & harvest->mask);

	(void)worker;
	*ret_result = cqe->res;
	return (unsigned)cqe->user_data;
}

static inline void uring_other(struct engine_worker *worker, unsigned index)
{
	struct engine_uring *uring = worker->port;

	if (index == UINT32_MAX)
		uring->timer_out = false;
}

static inline void uring_taken(struct engine_worker *worker,
			       const struct engine_harvest *harvest)
{
	struct engine_uring *uring = worker->port;

	uring->head = harvest->head + harvest->count;
	__atomic_store_n(uring->cq_head, uring->head, __ATOMIC_RELEASE);
}

/* Lengths and directions of the fixed paths are set once a job. */
static void uring_begin(struct engine_worker *worker)
{
	const struct engine_plan *plan = &worker->engine->plan;
	struct engine_uring *uring = worker->port;

	for (unsigned i = 0; i < worker->engine->depth; i++) {
		uring->sqes[i].len = plan->flow[0].size_bytes[0];
		uring->sqes[i].opcode = uring->opcode[ENGINE_READ];
	}
}

static void uring_job(struct engine_worker *worker)
{
	static const struct engine_ops ops = {
		.feed = uring_feed,
		.prepare = uring_prepare,
		.commit = uring_commit,
		.harvest = uring_harvest,
		.done = uring_done,
		.other = uring_other,
		.taken = uring_taken,
	};

	uring_begin(worker);
	engine_loop(worker, &ops);
}

static const struct engine_port uring_port = {
	.open = engine_uring_open,
	.job = uring_job,
	.close = engine_uring_close,
};

const struct engine_backend engine_backend_uring = {
	.name = "uring",
	.needs_fd = true,
	.open = engine_threads_open,
	.close = engine_threads_close,
	.start = engine_threads_start,
	.wait = engine_threads_wait,
	.port = &uring_port,
};
