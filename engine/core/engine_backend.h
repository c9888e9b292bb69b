/*
 * What a backend is. Internal to the engine and its tests.
 *
 * A backend owns the scheduling of the workers: it may run each in a thread of its own (uring,
 * psync, nil: engine_threads.c) or all of them in the thread that waits, on a virtual clock. The
 * workers' accounting (engine_worker.h) and the choice of I/Os (engine_draw.h) are the same for
 * all, so that a figure means the same whatever made it.
 */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

struct engine_worker;

/* One worker's way to the target. All three are called in the worker's own thread. */
struct engine_port {
	int (*open)(struct engine_worker *worker, struct pts_err *err);
	/* Runs the engine's current job to its end: an instance of engine_loop(). */
	void (*job)(struct engine_worker *worker);
	/* After a successful open. worker->lost: I/Os are still out, their buffers stay. */
	void (*close)(struct engine_worker *worker);
};

struct engine_backend {
	const char *name;
	bool needs_fd;
	bool no_data;        /* moves no bytes: workers get no buffers */
	unsigned depth_most; /* I/Os a worker can have out; 0: any number */
	/* Readies the workers; on failure nothing is left behind. */
	int (*open)(struct engine *engine, struct pts_err *err);
	/* Ends them, in bounded time. False: one hangs in the kernel and still uses the engine. */
	bool (*close)(struct engine *engine);
	/* Sets the compiled job going and returns at once. */
	void (*start)(struct engine *engine);
	/* Until something happened (engine_wake()) since the caller read events, or until the
	 * timeout. 0 or -EINTR. */
	int (*wait)(struct engine *engine, unsigned events, uint64_t timeout_ns);
	const struct engine_port *port;
};

extern const struct engine_backend engine_backend_uring;
extern const struct engine_backend engine_backend_psync;
extern const struct engine_backend engine_backend_nil;
extern const struct engine_backend engine_backend_sim;

/* engine_open() with a backend of the caller's (config->backend is ignored). */
int engine_open_backend(const struct engine_config *config,
			const struct engine_backend *backend, struct engine **ret_engine,
			struct pts_err *err);

/* Scheduling with one thread a worker; the four functions of such a backend. */
int engine_threads_open(struct engine *engine, struct pts_err *err);
bool engine_threads_close(struct engine *engine);
void engine_threads_start(struct engine *engine);
int engine_threads_wait(struct engine *engine, unsigned events, uint64_t timeout_ns);

#endif
