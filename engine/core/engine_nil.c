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

static inline void nil_prepare(struct engine_worker *worker, unsigned index,
			       enum engine_path path)
{
	struct nil *nil = worker->port;

	(void)path;
	nil->index[nil->count++] = index;
}

static inline int nil_commit(struct engine_worker *worker, unsigned made, unsigned want)
{
	(void)worker;
	(void)made;
	(void)want;
	return 0;
}

static inline unsigned nil_ready(struct engine_worker *worker)
{
	const struct nil *nil = worker->port;

	return nil->count;
}

static inline unsigned nil_done(struct engine_worker *worker, unsigned i, int *ret_result)
{
	const struct nil *nil = worker->port;

	*ret_result = (int)worker->slot[nil->index[i]].length_bytes;
	return nil->index[i];
}

static inline void nil_taken(struct engine_worker *worker, unsigned count)
{
	struct nil *nil = worker->port;

	(void)count;
	nil->count = 0;
}

static void nil_job(struct engine_worker *worker)
{
	static const struct engine_ops ops = {
		.prepare = nil_prepare,
		.commit = nil_commit,
		.ready = nil_ready,
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
