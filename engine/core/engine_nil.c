/*
 * Completes every I/O at once and does nothing else: what is measured is the engine itself. It
 * must not touch a target; it runs without one.
 */
#include <errno.h>
#include <stdlib.h>

#include "engine_loop.h"

struct nil {
	unsigned count;
	unsigned index[]; /* submitted, in order */
};

static inline struct engine_feed nil_feed(struct engine_worker *worker)
{
	struct nil *nil = worker->port;

	return (struct engine_feed){.order = nil->index, .tail = nil->count};
}

static inline void nil_prepare(struct engine_worker *worker, struct engine_feed *feed,
			       unsigned index, enum engine_path path)
{
	(void)worker;
	(void)path;
	feed->order[feed->tail++] = index;
}

static inline int nil_commit(struct engine_worker *worker, const struct engine_feed *feed,
			     unsigned made, unsigned want)
{
	struct nil *nil = worker->port;

	(void)made;
	(void)want;
	nil->count = feed->tail;
	return 0;
}

static inline struct engine_harvest nil_harvest(struct engine_worker *worker)
{
	const struct nil *nil = worker->port;

	return (struct engine_harvest){.entries = nil->index, .count = nil->count};
}

static inline unsigned nil_done(struct engine_worker *worker,
				const struct engine_harvest *harvest, unsigned i,
				int *ret_result)
{
	unsigned index = ((const unsigned *)harvest->entries)[i];

	*ret_result = (int)worker->slot[index].length_bytes;
	return index;
}

static inline void nil_taken(struct engine_worker *worker, const struct engine_harvest *harvest)
{
	struct nil *nil = worker->port;

	(void)harvest;
	nil->count = 0;
}

static void nil_job(struct engine_worker *worker)
{
	static const struct engine_ops ops = {
		.feed = nil_feed,
		.prepare = nil_prepare,
		.commit = nil_commit,
		.harvest = nil_harvest,
		.done = nil_done,
		.taken = nil_taken,
	};

	engine_loop(worker, &ops);
}

static int nil_open(struct engine_worker *worker, struct pts_err *err)
{
	size_t depth = worker->engine->config.queue_depth_max;

	(void)err;
	worker->port = calloc(1, sizeof(struct nil) + depth * sizeof(unsigned));
	return worker->port ? 0 : -ENOMEM;
}

static void nil_close(struct engine_worker *worker)
{
	free(worker->port);
	worker->port = NULL;
}

static const struct engine_port nil_port = {
	.open = nil_open,
	.job = nil_job,
	.close = nil_close,
};

const struct engine_backend engine_backend_nil = {
	.name = "nil",
	.open = engine_threads_open,
	.close = engine_threads_close,
	.start = engine_threads_start,
	.wait = engine_threads_wait,
	.port = &nil_port,
};
