/*
 * Scheduling with one thread a worker: they are started once, sleep on a futex between jobs and
 * are released together. It must not know what a job does.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engine_worker.h"

#define STACK_BYTES   (256u << 10)
#define OPEN_LIMIT_NS (60 * PTS_NS_PER_S)
#define CLOSE_LIMIT_S 3
#define WAIT_SLICE_NS (PTS_NS_PER_S / 4)

int engine_futex_wait(_Atomic unsigned *word, unsigned expected, uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / PTS_NS_PER_S),
		.tv_nsec = (long)(timeout_ns % PTS_NS_PER_S),
	};

	if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &timeout, NULL, 0) == 0 ||
	    errno == EAGAIN)
		return 0;
	return -errno;
}

void engine_futex_wake(_Atomic unsigned *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* ---- a worker's thread ----------------------------------------------------------------- */

/* Signals are the main thread's business; SIGXFSZ blocked turns into EFBIG. */
static void block_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void pin(struct engine_worker *worker)
{
	cpu_set_t allowed, one;
	unsigned nth;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0) {
		engine_degrade_add(worker->engine, "pinned threads", "%s",
				   pts_errno_text(errno));
		return;
	}
	nth = worker->index % (unsigned)CPU_COUNT(&allowed);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed) || nth--)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one) < 0)
			engine_degrade_add(worker->engine, "pinned threads", "%s",
					   pts_errno_text(errno));
		return;
	}
}

static bool worker_ready(struct engine_worker *worker)
{
	struct engine *engine = worker->engine;
	struct pts_err err = PTS_ERR_INIT;
	int ret;

	block_signals();
	if (engine->config.pin)
		pin(worker);
	ret = engine_worker_open(worker, &err);
	if (!ret) {
		ret = engine->backend->port->open(worker, &err);
		if (ret < 0)
			engine_worker_close(worker);
	}
	pthread_mutex_lock(&engine->lock);
	if (ret < 0 && !engine->open_failed) {
		engine->open_failed = true;
		engine->open_err = err;
		if (!err.text[0])
			pts_fail(&engine->open_err, PTS_EXIT_MISSING, -ret,
				 "cannot ready a worker: %s", pts_errno_text(-ret));
	}
	engine->opened++;
	pthread_mutex_unlock(&engine->lock);
	engine_wake(engine);
	return ret == 0;
}

static void *worker_main(void *arg)
{
	struct engine_worker *worker = arg;
	struct engine *engine = worker->engine;
	unsigned number = 0;

	if (!worker_ready(worker))
		return NULL;
	for (;;) {
		unsigned next = atomic_load(&engine->job_number);

		if (atomic_load(&engine->quit))
			break;
		if (next == number) {
			engine_futex_wait(&engine->job_number, number, 60 * PTS_NS_PER_S);
			continue;
		}
		number = next;
		if (!atomic_load(&worker->out.done))
			engine->backend->port->job(worker);
	}
	engine->backend->port->close(worker);
	engine_worker_close(worker);
	return NULL;
}

/* ---- the four functions ---------------------------------------------------------------- */

static int start_threads(struct engine *engine)
{
	pthread_attr_t attr;
	int ret = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (unsigned i = 0; !ret && i < engine->config.threads_max; i++) {
		struct engine_worker *worker = engine->worker[i];

		ret = pthread_create(&worker->thread, &attr, worker_main, worker);
		worker->has_thread = !ret;
	}
	pthread_attr_destroy(&attr);
	return -ret;
}

static unsigned count_opened(struct engine *engine, bool *ret_failed)
{
	unsigned opened;

	pthread_mutex_lock(&engine->lock);
	opened = engine->opened;
	*ret_failed = engine->open_failed;
	pthread_mutex_unlock(&engine->lock);
	return opened;
}

int engine_threads_open(struct engine *engine, struct pts_err *err)
{
	uint64_t limit = pts_now_ns() + OPEN_LIMIT_NS;
	bool failed = false;
	int ret = start_threads(engine);

	if (ret < 0)
		return pts_fail(err, PTS_EXIT_MISSING, -ret, "cannot start %u threads: %s",
				engine->config.threads_max, pts_errno_text(-ret));
	for (;;) {
		unsigned events = atomic_load(&engine->events);

		if (count_opened(engine, &failed) == engine->config.threads_max)
			break;
		if (pts_now_ns() > limit)
			return pts_fail(
				err, PTS_EXIT_DEVICE, ETIMEDOUT,
				"the workers were not ready within 60 s: the device does "
				"not answer");
		engine_futex_wait(&engine->events, events, WAIT_SLICE_NS);
	}
	if (!failed)
		return 0;
	if (err)
		*err = engine->open_err;
	return -(engine->open_err.error ? engine->open_err.error : EIO);
}

bool engine_threads_close(struct engine *engine)
{
	struct timespec limit;
	bool all = true;

	atomic_store(&engine->quit, true);
	atomic_fetch_add(&engine->job_number, 1);
	engine_futex_wake(&engine->job_number);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += CLOSE_LIMIT_S;
	for (unsigned i = 0; i < engine->config.threads_max; i++) {
		struct engine_worker *worker = engine->worker[i];

		if (!worker->has_thread)
			continue;
		if (pthread_timedjoin_np(worker->thread, NULL, &limit) == 0)
			continue;
		pthread_detach(worker->thread);
		all = false;
	}
	return all;
}

void engine_threads_start(struct engine *engine)
{
	atomic_fetch_add(&engine->job_number, 1);
	engine_futex_wake(&engine->job_number);
}

int engine_threads_wait(struct engine *engine, unsigned events, uint64_t timeout_ns)
{
	int ret = engine_futex_wait(&engine->events, events, timeout_ns);

	return ret == -EINTR ? -EINTR : 0;
}
