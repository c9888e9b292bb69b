/*
 * A worker and the engine it belongs to: the state of the hot loop, what it publishes while it
 * runs, and the parts of its life that are not hot. Internal to the engine.
 */
#ifndef ENGINE_WORKER_H
#define ENGINE_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "engine_backend.h"
#include "engine_clock.h"
#include "engine_draw.h"
#include "engine_payload.h"

#define ENGINE_TICK_NS       (10u * 1000 * 1000) /* how soon a worker notices a stop */
#define ENGINE_BATCH         16
#define ENGINE_BATCH_BYTES   (64u << 10) /* of fresh data, about 3 us */
#define ENGINE_DEPTH_MOST    16384
#define ENGINE_THREADS_MOST  1024
#define ENGINE_SAMPLE_CHUNK  4096 /* samples allocated at a time: 68 minutes of seconds */
#define ENGINE_SAMPLE_CHUNKS 1024
#define ENGINE_CACHE_LINE    128

/* Why a job ended before its limits. */
enum engine_end {
	ENGINE_END_NONE,
	ENGINE_END_STOPPED,
	ENGINE_END_ERRORS,
	ENGINE_END_STALL,
	ENGINE_END_FAULT, /* the host failed, not the device */
};

struct engine_slot {
	uint64_t offset_bytes;
	uint32_t length_bytes;
	uint32_t dir;
};

/* Completions of one direction inside the window. */
struct engine_tally {
	struct pts_hist *hist; /* its max is brought up to date at each sample */
	uint64_t bytes;        /* in the fixed paths only at each sample */
	uint64_t max_ns;       /* of the current sample */
	uint64_t unclocked;    /* good, but the clock ran backwards */
	uint64_t errors;
	/* what it was when the current sample began */
	uint64_t ios_before;
	uint64_t bytes_before;
	uint64_t sum_before;
};

struct engine_published {
	_Alignas(ENGINE_CACHE_LINE) _Atomic uint64_t beat_ticks; /* the loop is alive */
	_Atomic uint64_t ios;
	_Atomic uint64_t bytes;
	_Atomic unsigned samples;
	atomic_bool done;
	/* allocated by the worker, kept for later jobs */
	struct engine_sample *_Atomic chunk[ENGINE_SAMPLE_CHUNKS];
};

struct engine_worker {
	struct engine *engine;
	unsigned index;

	/* the loop's state */
	_Alignas(ENGINE_CACHE_LINE) struct engine_clock clock;
	struct engine_slot *slot;
	uint64_t *stamp;     /* of each slot: ticks, right before submission */
	uint32_t *free_slot; /* a stack of slot numbers */
	unsigned free_count;
	unsigned depth;
	unsigned batch;
	unsigned wait_most;
	uint32_t block_bytes; /* of the fixed paths */
	bool ending;          /* submits no more */
	bool past;            /* the window is closed: what completes now is the drain */
	bool lost;            /* I/Os are out that never came back */
	bool timed_out;       /* the window closed because its time was over */
	bool cut;             /* the window closed because the job was ended early */
	uint64_t event_ticks; /* beyond it engine_worker_event() is called */
	uint64_t start_ticks; /* t0; 0 before the first submission */
	uint64_t area;        /* outstanding I/Os x ticks, up to area_ticks */
	uint64_t area_ticks;
	uint64_t done_ticks; /* last completion */
	struct engine_tally tally[ENGINE_DIRS];
	unsigned char *pool; /* depth buffers of slot_bytes */
	size_t slot_bytes;
	void *port;
	struct engine_draw draw;
	struct engine_payload_state payload;

	/* touched at events and ends only */
	uint64_t end_ticks;    /* t0 + duration, UINT64_MAX without one */
	uint64_t closed_ticks; /* where this worker's window ended */
	uint64_t sample_ticks; /* where the current sample ends */
	unsigned sample;
	uint64_t stall_ticks;
	uint64_t area_closed;
	uint64_t inflight; /* ticks inside the window of what was outstanding at its end */
	uint64_t drain_ios;
	uint64_t user_ns, system_ns; /* before the job: minus what was used until then */
	int fault;                   /* errno of ENGINE_END_FAULT */
	const char *fault_what;
	struct engine_error_note note[ENGINE_ERROR_NOTES];
	unsigned note_count;
	struct engine_carry carry[ENGINE_STREAMS_MAX];
	struct engine_published out;

	/* the scheduler's */
	pthread_t thread;
	bool has_thread;
	bool hung;              /* the waiter gave it up */
	uint64_t suspect_ticks; /* since when it shows no sign of life */
	size_t pool_bytes;
};

struct engine {
	struct engine_config config;
	const struct engine_backend *backend;
	struct engine *abandoned_next;
	struct engine_worker **worker; /* [config.threads_max], each its own allocation */

	/* the job that runs */
	const struct engine_job
		*job; /* own_job: a worker that hangs may outlive the caller's */
	struct engine_job own_job;
	unsigned round; /* number of this job, set before workers see it */
	struct engine_plan plan;
	struct engine_clock clock;
	unsigned depth;
	bool running;
	bool broken;     /* a worker never came back */
	unsigned polled; /* samples already reported by engine_poll() */
	_Alignas(ENGINE_CACHE_LINE) atomic_int end; /* enum engine_end, read in every pass */
	_Alignas(ENGINE_CACHE_LINE) _Atomic uint64_t start_ticks;
	_Atomic uint64_t errors;
	_Atomic unsigned arrived;
	_Atomic unsigned released;
	_Atomic unsigned events; /* counts what engine_poll() should look at */
	_Atomic unsigned job_number;
	atomic_bool quit;

	/* opening */
	pthread_mutex_t lock; /* of what follows */
	unsigned opened;
	bool open_failed;
	struct pts_err open_err;
	struct engine_degrade degrade[ENGINE_DEGRADES];
	unsigned degrade_count;
};

/* Records a step down, once for each capability. Any thread. */
void engine_degrade_add(struct engine *engine, const char *capability, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Ends the job early; the first reason wins. Safe in a signal handler. */
void engine_end_job(struct engine *engine, enum engine_end reason);
/* Tells engine_poll() that there is something to see. Safe in a signal handler. */
void engine_wake(struct engine *engine);

/* 0, -EINTR or -ETIMEDOUT; returns at once if *word is not expected. */
int engine_futex_wait(_Atomic unsigned *word, unsigned expected, uint64_t timeout_ns);
void engine_futex_wake(_Atomic unsigned *word);

struct engine_worker *engine_worker_new(struct engine *engine, unsigned index);
void engine_worker_free(struct engine_worker *worker);
/* Buffers and slots, in the worker's own thread (its node's memory). */
int engine_worker_open(struct engine_worker *worker, struct pts_err *err);
void engine_worker_close(struct engine_worker *worker);

/* The cold parts of a job, in the order they come. */
void engine_worker_begin(struct engine_worker *worker);
/* Waits until every worker has its first batch ready; then t0 is set by the first to come. */
uint64_t engine_worker_release(struct engine_worker *worker);
/* Something is due at now, before what completed is accounted: a sample's end, the window's end,
 * a stop, a sign of life. */
void engine_worker_event(struct engine_worker *worker, uint64_t now);
/* After it: false if the device has not answered for too long; the worker gives up. */
bool engine_worker_alive(struct engine_worker *worker, uint64_t now);
void engine_worker_error(struct engine_worker *worker, unsigned slot, int result, uint64_t now);
void engine_worker_backwards(struct engine_worker *worker, unsigned slot);
void engine_worker_drained(struct engine_worker *worker, unsigned slot, int result,
			   uint64_t now);
/* The host failed (errno error): the job ends, I/Os that are out are given up. */
void engine_worker_fault(struct engine_worker *worker, int error, const char *what);
void engine_worker_finish(struct engine_worker *worker);

static inline unsigned char *engine_worker_buffer(const struct engine_worker *worker,
						  unsigned slot)
{
	return worker->pool + slot * worker->slot_bytes;
}

/* Good I/Os of a direction inside the window so far. */
static inline uint64_t engine_tally_ios(const struct engine_tally *tally)
{
	return tally->hist->count + tally->unclocked;
}

#endif
