/*
 * The engine as its callers see it: opening, one job at a time, closing. It must not touch what a
 * running worker owns; it talks to workers through the job number, the end flag and what they
 * publish.
 */
#include "engine.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_check.h"
#include "engine_result.h"
#include "engine_worker.h"

#define CALIBRATION_NS (20u * 1000 * 1000)
#define WAIT_SLICE_NS  (PTS_NS_PER_S / 4)
/* beyond the stall limit, before the waiter gives up a worker that hangs inside the kernel */
#define HANG_GRACE_NS   PTS_NS_PER_S
#define DRIFT_TOLERATED 1e-3

/* Engines that a hanging worker still uses are never freed. */
static struct engine *abandoned;

/* ---- small services -------------------------------------------------------------------- */

void engine_wake(struct engine *engine)
{
	atomic_fetch_add(&engine->events, 1);
	engine_futex_wake(&engine->events);
}

void engine_end_job(struct engine *engine, enum engine_end reason)
{
	int none = ENGINE_END_NONE;

	atomic_compare_exchange_strong(&engine->end, &none, (int)reason);
	engine_wake(engine);
}

void engine_stop(struct engine *engine)
{
	engine_end_job(engine, ENGINE_END_STOPPED);
}

void engine_degrade_add(struct engine *engine, const char *capability, const char *fmt, ...)
{
	struct engine_degrade *degrade = NULL;
	va_list args;

	pthread_mutex_lock(&engine->lock);
	for (unsigned i = 0; i < engine->degrade_count; i++)
		if (strcmp(engine->degrade[i].capability, capability) == 0)
			goto out;
	if (engine->degrade_count == ENGINE_DEGRADES)
		goto out;
	degrade = &engine->degrade[engine->degrade_count++];
	snprintf(degrade->capability, sizeof(degrade->capability), "%s", capability);
	va_start(args, fmt);
	vsnprintf(degrade->reason, sizeof(degrade->reason), fmt, args);
	va_end(args);
out:
	pthread_mutex_unlock(&engine->lock);
}

unsigned engine_degrades(const struct engine *engine,
			 const struct engine_degrade **ret_degrades)
{
	*ret_degrades = engine->degrade;
	return engine->degrade_count;
}

const char *engine_backend_name(const struct engine *engine)
{
	return engine->backend->name;
}

/* ---- opening and closing --------------------------------------------------------------- */

static void engine_free(struct engine *engine)
{
	for (unsigned i = 0; engine->worker && i < engine->config.threads_max; i++)
		engine_worker_free(engine->worker[i]);
	free(engine->worker);
	engine_plan_release(&engine->plan);
	pthread_mutex_destroy(&engine->lock);
	free(engine);
}

static struct engine *engine_new(const struct engine_config *config,
				 const struct engine_backend *backend)
{
	struct engine *engine = NULL;

	if (posix_memalign((void **)&engine, ENGINE_CACHE_LINE, sizeof(*engine)))
		return NULL;
	memset(engine, 0, sizeof(*engine));
	pthread_mutex_init(&engine->lock, NULL);
	engine->config = *config;
	engine->backend = backend;
	if (!backend->needs_fd)
		engine->config.fd = -1;
	if (!config->sample_ns)
		engine->config.sample_ns = PTS_NS_PER_S;
	engine->worker = calloc(config->threads_max, sizeof(struct engine_worker *));
	for (unsigned i = 0; engine->worker && i < config->threads_max; i++) {
		engine->worker[i] = engine_worker_new(engine, i);
		if (!engine->worker[i])
			break;
	}
	if (engine->worker && engine->worker[config->threads_max - 1])
		return engine;
	engine_free(engine);
	return NULL;
}

/* The first calibration needs a baseline; later ones have the time since then. */
static void clock_ready(struct engine *engine, uint64_t since_ns)
{
	if (!engine->clock.tsc)
		return;
	while (pts_sleep_until_ns(since_ns + CALIBRATION_NS) == -EINTR)
		;
	engine_clock_calibrate(&engine->clock);
}

int engine_open_backend(const struct engine_config *config,
			const struct engine_backend *backend, struct engine **ret_engine,
			struct pts_err *err)
{
	struct engine *engine;
	char reason[96];
	uint64_t since_ns = pts_now_ns();
	int ret = engine_check_config(config, backend->needs_fd, err);

	*ret_engine = NULL;
	if (ret < 0)
		return ret;
	engine = engine_new(config, backend);
	if (!engine)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM,
				"no memory for %u workers: use fewer threads",
				config->threads_max);
	engine_clock_init(&engine->clock, reason, sizeof(reason));
	if (reason[0] && !pts_clock_is_virtual())
		engine_degrade_add(engine, "TSC time stamps", "%s", reason);
	ret = backend->open(engine, err);
	if (ret < 0) {
		engine_close(engine);
		return ret;
	}
	clock_ready(engine, since_ns);
	*ret_engine = engine;
	return 0;
}

int engine_open(const struct engine_config *config, struct engine **ret_engine,
		struct pts_err *err)
{
	static const struct engine_backend *const backends[] = {
		[ENGINE_URING] = &engine_backend_uring,
		[ENGINE_PSYNC] = &engine_backend_psync,
		[ENGINE_NIL] = &engine_backend_nil,
		[ENGINE_SIM] = &engine_backend_sim,
	};

	*ret_engine = NULL;
	if ((unsigned)config->backend >= sizeof(backends) / sizeof(backends[0]))
		return pts_fail(err, PTS_EXIT_BUG, EINVAL, "engine: backend %d",
				(int)config->backend);
	return engine_open_backend(config, backends[config->backend], ret_engine, err);
}

void engine_close(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->running) {
		struct engine_result *result = engine_result_new();

		engine_stop(engine);
		engine_finish(engine, result, NULL);
		engine_result_free(result);
	}
	if (engine->backend->close(engine)) {
		engine_free(engine);
		return;
	}
	engine->abandoned_next = abandoned;
	abandoned = engine;
}

/* ---- a job ----------------------------------------------------------------------------- */

static int compile(struct engine *engine, const struct engine_job *job, struct pts_err *err)
{
	int ret = engine_check_job(&engine->config, job, err);

	if (ret < 0)
		return ret;
	engine_plan_release(&engine->plan);
	ret = engine_plan_init(&engine->plan, job, engine->config.lba_bytes);
	if (ret < 0)
		return pts_fail(err, PTS_EXIT_MISSING, -ret, "no memory for the cell's plan");
	return engine_check_plan(&engine->plan, err);
}

static void set_depth(struct engine *engine, const struct engine_job *job)
{
	unsigned most = engine->backend->depth_most;

	engine->depth = job->queue_depth;
	if (!most || job->queue_depth <= most)
		return;
	engine->depth = most;
	engine_degrade_add(engine, "queue depth",
			   "%s has %u I/O out per thread: queue depth %u was not reached",
			   engine->backend->name, most, job->queue_depth);
}

int engine_start(struct engine *engine, const struct engine_job *job, struct pts_err *err)
{
	uint64_t now;
	int ret;

	if (engine->running)
		return pts_fail(err, PTS_EXIT_BUG, EBUSY, "engine: a job is running");
	if (engine->broken)
		return pts_fail(
			err, PTS_EXIT_DEVICE, EIO,
			"the device has not answered earlier I/Os: nothing more is sent");
	ret = compile(engine, job, err);
	if (ret < 0)
		return ret;
	engine_clock_calibrate(&engine->clock);
	set_depth(engine, job);
	engine->own_job = *job;
	if (!job->sample_ns)
		engine->own_job.sample_ns = engine->config.sample_ns;
	engine->job = &engine->own_job;
	engine->round++;
	engine->polled = 0;
	engine->running = true;
	atomic_store(&engine->end, ENGINE_END_NONE);
	atomic_store(&engine->errors, 0);
	atomic_store(&engine->start_ticks, 0);
	atomic_store(&engine->arrived, 0);
	now = engine_clock_ticks(&engine->clock);
	for (unsigned i = 0; i < job->threads; i++) {
		struct engine_published *out = &engine->worker[i]->out;

		atomic_store(&out->beat_ticks, now);
		atomic_store(&out->ios, 0);
		atomic_store(&out->bytes, 0);
		atomic_store(&out->samples, 0);
		atomic_store(&out->done, false);
	}
	engine->backend->start(engine);
	return 0;
}

static bool job_done(const struct engine *engine)
{
	for (unsigned i = 0; i < engine->job->threads; i++) {
		const struct engine_worker *worker = engine->worker[i];

		if (!worker->hung &&
		    !atomic_load_explicit(&worker->out.done, memory_order_acquire))
			return false;
	}
	return true;
}

/*
 * A worker shows signs of life every few milliseconds, also while it waits for the device. One
 * that has shown none for the stall limit and a second hangs inside the kernel. Two looks apart,
 * so that a machine that slept as a whole does not count as a device that hangs.
 */
static void watch(struct engine *engine)
{
	const struct engine_job *job = engine->job;
	uint64_t limit_ns = job->stall_limit_ns ? job->stall_limit_ns : 60 * PTS_NS_PER_S;
	uint64_t limit = engine_clock_span_ticks(&engine->clock, limit_ns + HANG_GRACE_NS);
	uint64_t now = engine_clock_ticks(&engine->clock);

	for (unsigned i = 0; i < job->threads; i++) {
		struct engine_worker *worker = engine->worker[i];
		uint64_t beat =
			atomic_load_explicit(&worker->out.beat_ticks, memory_order_relaxed);

		if (worker->hung ||
		    atomic_load_explicit(&worker->out.done, memory_order_acquire))
			continue;
		if (now <= beat || now - beat <= limit) {
			worker->suspect_ticks = 0;
		} else if (!worker->suspect_ticks) {
			worker->suspect_ticks = now;
		} else if (now - worker->suspect_ticks >
			   engine_clock_span_ticks(&engine->clock, WAIT_SLICE_NS)) {
			worker->hung = true;
			engine_end_job(engine, ENGINE_END_STALL);
		}
	}
}

/* Samples that every worker which still runs has published. */
static unsigned samples_ready(const struct engine *engine)
{
	unsigned least = UINT_MAX;
	unsigned most = 0;

	for (unsigned i = 0; i < engine->job->threads; i++) {
		const struct engine_worker *worker = engine->worker[i];
		unsigned samples =
			atomic_load_explicit(&worker->out.samples, memory_order_acquire);

		if (most < samples)
			most = samples;
		if (!atomic_load_explicit(&worker->out.done, memory_order_acquire) &&
		    least > samples)
			least = samples;
	}
	return least < most ? least : most;
}

static void fill_progress(struct engine *engine, struct engine_progress *progress)
{
	uint64_t start = atomic_load(&engine->start_ticks);
	uint64_t now = engine_clock_ticks(&engine->clock);
	unsigned samples = samples_ready(engine);

	memset(progress, 0, sizeof(*progress));
	progress->done = job_done(engine);
	if (start && now > start)
		progress->elapsed_ns = engine_clock_span_ns(&engine->clock, now - start);
	for (unsigned i = 0; i < engine->job->threads; i++) {
		const struct engine_published *out = &engine->worker[i]->out;

		progress->ios += atomic_load_explicit(&out->ios, memory_order_relaxed);
		progress->bytes += atomic_load_explicit(&out->bytes, memory_order_relaxed);
	}
	if (samples)
		engine_result_sample(engine, samples - 1, &progress->last);
}

int engine_poll(struct engine *engine, uint64_t timeout_ns,
		struct engine_progress *ret_progress)
{
	uint64_t begun = pts_now_ns();
	int ret = 0;

	memset(ret_progress, 0, sizeof(*ret_progress));
	ret_progress->done = true;
	if (!engine->running)
		return 0;
	for (;;) {
		unsigned events = atomic_load(&engine->events);
		uint64_t spent = pts_now_ns() - begun;
		uint64_t left = timeout_ns > spent ? timeout_ns - spent : 0;
		unsigned samples = samples_ready(engine);

		if (job_done(engine) || samples > engine->polled || !left || ret < 0) {
			engine->polled = samples;
			break;
		}
		ret = engine->backend->wait(engine, events,
					    left < WAIT_SLICE_NS ? left : WAIT_SLICE_NS);
		watch(engine);
	}
	fill_progress(engine, ret_progress);
	return ret;
}

static void wait_done(struct engine *engine)
{
	for (;;) {
		unsigned events = atomic_load(&engine->events);

		if (job_done(engine))
			return;
		engine->backend->wait(engine, events, WAIT_SLICE_NS);
		watch(engine);
	}
}

/* ---- the end --------------------------------------------------------------------------- */

static int fail_errors(const struct engine_result *result, struct pts_err *err)
{
	const struct engine_error_note *note = &result->errors[0];
	const char *verb = note->dir == ENGINE_READ ? "read" : "write";
	uint64_t count = result->dir[ENGINE_READ].errors + result->dir[ENGINE_WRITE].errors;
	char got[48] = "";

	if (note->got_bytes || note->error == EIO)
		snprintf(got, sizeof(got), " (%" PRIu32 " bytes done)", note->got_bytes);
	return pts_fail(err, PTS_EXIT_DEVICE, EIO,
			"%s of %" PRIu32 " bytes at offset %" PRIu64 " failed: %s%s; %" PRIu64
			" I/O error%s ended the cell",
			verb, note->length_bytes, note->offset_bytes,
			pts_errno_text(note->error), got, count, count == 1 ? "" : "s");
}

static int fail_stall(const struct engine *engine, struct pts_err *err)
{
	uint64_t limit =
		engine->job->stall_limit_ns ? engine->job->stall_limit_ns : 60 * PTS_NS_PER_S;
	unsigned out = 0;

	for (unsigned i = 0; i < engine->job->threads; i++)
		if (engine->worker[i]->hung)
			out += engine->depth;
		else if (engine->worker[i]->lost)
			out += engine->worker[i]->depth - engine->worker[i]->free_count;
	return pts_fail(
		err, PTS_EXIT_DEVICE, EIO,
		"the device answers no more: none of %u outstanding I/Os completed within "
		"%.3g s; check the kernel log, then the drive's power and link",
		out, (double)limit / 1e9);
}

static int fail_fault(const struct engine *engine, struct pts_err *err)
{
	for (unsigned i = 0; i < engine->job->threads; i++) {
		const struct engine_worker *worker = engine->worker[i];

		if (!worker->hung && worker->fault)
			return pts_fail(err, PTS_EXIT_MISSING, worker->fault,
					"the host failed at %s: %s", worker->fault_what,
					pts_errno_text(worker->fault));
	}
	return pts_fail(err, PTS_EXIT_BUG, EIO, "engine: a fault without a cause");
}

static bool was_cut(const struct engine *engine)
{
	for (unsigned i = 0; i < engine->job->threads; i++)
		if (engine->worker[i]->hung || engine->worker[i]->cut)
			return true;
	return false;
}

static void check_clock(struct engine *engine, struct engine_result *result)
{
	double drift = engine_clock_drift(&engine->clock);

	if (drift < DRIFT_TOLERATED && drift > -DRIFT_TOLERATED)
		return;
	result->clock_errors++;
	engine_degrade_add(engine, "steady clock",
			   "TSC and CLOCK_MONOTONIC went apart by %.3g %% during a cell",
			   drift * 100);
}

int engine_finish(struct engine *engine, struct engine_result *ret_result, struct pts_err *err)
{
	int ret;

	if (!engine->running)
		return pts_fail(err, PTS_EXIT_BUG, EINVAL, "engine: no job to finish");
	wait_done(engine);
	engine->running = false;
	for (unsigned i = 0; i < engine->job->threads; i++)
		engine->broken |= engine->worker[i]->hung || engine->worker[i]->lost;
	ret = engine_result_collect(engine, ret_result);
	if (ret < 0)
		return pts_fail(err, PTS_EXIT_MISSING, -ret, "no memory for the cell's result");
	check_clock(engine, ret_result);
	switch ((enum engine_end)atomic_load(&engine->end)) {
	case ENGINE_END_NONE:
		return 0;
	case ENGINE_END_STOPPED:
		if (engine->broken)
			return fail_stall(engine, err);
		/* a stop that came after the window was closed cut nothing off */
		return was_cut(engine) ? -ECANCELED : 0;
	case ENGINE_END_ERRORS:
		return fail_errors(ret_result, err);
	case ENGINE_END_STALL:
		return fail_stall(engine, err);
	case ENGINE_END_FAULT:
		return fail_fault(engine, err);
	}
	return -EIO;
}
