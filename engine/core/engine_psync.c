/*
 * The reference backend: one pread or pwrite at a time in each worker. Slow and simple, so that
 * the others can be compared with it. It must not choose I/Os or account for them.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine_loop.h"

struct psync {
	unsigned index;
	unsigned ready;
	int result;
};

static inline struct engine_feed psync_feed(struct engine_worker *worker)
{
	return (struct engine_feed){.entries = worker->port};
}

static inline void psync_prepare(struct engine_worker *worker, struct engine_feed *feed,
				 unsigned index, enum engine_path path)
{
	struct psync *psync = feed->entries;

	(void)worker;
	(void)path;
	psync->index = index;
}

static inline int psync_commit(struct engine_worker *worker, const struct engine_feed *feed,
			       unsigned made, unsigned want)
{
	struct psync *psync = feed->entries;
	const struct engine_slot *slot = &worker->slot[psync->index];
	void *buffer = engine_worker_buffer(worker, psync->index);
	ssize_t bytes;

	(void)want;
	if (!made)
		return 0;
	if (slot->dir == ENGINE_READ)
		bytes = pread(worker->engine->config.fd, buffer, slot->length_bytes,
			      (off_t)slot->offset_bytes);
	else
		bytes = pwrite(worker->engine->config.fd, buffer, slot->length_bytes,
			       (off_t)slot->offset_bytes);
	psync->result = bytes < 0 ? -errno : (int)bytes;
	psync->ready = 1;
	return 0;
}

static inline struct engine_harvest psync_harvest(struct engine_worker *worker)
{
	const struct psync *psync = worker->port;

	return (struct engine_harvest){.entries = psync, .count = psync->ready};
}

static inline unsigned psync_done(struct engine_worker *worker,
				  const struct engine_harvest *harvest, unsigned i,
				  int *ret_result)
{
	const struct psync *psync = harvest->entries;

	(void)worker;
	(void)i;
	*ret_result = psync->result;
	return psync->index;
}

static inline void psync_taken(struct engine_worker *worker,
			       const struct engine_harvest *harvest)
{
	struct psync *psync = worker->port;

	psync->ready -= harvest->count;
}

static void psync_job(struct engine_worker *worker)
{
	static const struct engine_ops ops = {
		.feed = psync_feed,
		.prepare = psync_prepare,
		.commit = psync_commit,
		.harvest = psync_harvest,
		.done = psync_done,
		.taken = psync_taken,
	};

	engine_loop(worker, &ops);
}

static int psync_open(struct engine_worker *worker, struct pts_err *err)
{
	(void)err;
	worker->port = calloc(1, sizeof(struct psync));
	return worker->port ? 0 : -ENOMEM;
}

static void psync_close(struct engine_worker *worker)
{
	free(worker->port);
	worker->port = NULL;
}

static const struct engine_port psync_port = {
	.open = psync_open,
	.job = psync_job,
	.close = psync_close,
};

const struct engine_backend engine_backend_psync = {
	.name = "psync",
	.needs_fd = true,
	.depth_most = 1,
	.open = engine_threads_open,
	.close = engine_threads_close,
	.start = engine_threads_start,
	.wait = engine_threads_wait,
	.port = &psync_port,
};
