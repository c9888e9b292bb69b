/*
 * Makes a ring: every capability is tried, what the kernel or a limit refuses is stepped down and
 * recorded with the reason. Nothing here is hot, and nothing is written to the target.
 */
#include "engine_uring_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define URING_REGISTERED_RING 1

int (*engine_uring_queue_init)(unsigned entries, struct io_uring *ring,
			       struct io_uring_params *params) = io_uring_queue_init_params;

/* What it takes to get io_uring going. */
static const char *advice(int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
		return "set the sysctl kernel.io_uring_disabled=0, or allow io_uring_setup in "
		       "the "
		       "container's seccomp profile";
	case ENOSYS:
		return "the kernel has no io_uring (5.6 or later with CONFIG_IO_URING), or a "
		       "seccomp filter hides it";
	case ENOMEM:
		return "raise the memlock limit (ulimit -l unlimited)";
	case EMFILE:
	case ENFILE:
		return "raise the limit of open files (ulimit -n)";
	case EINVAL:
		return "the kernel does not know it, or the queue depth is beyond its limit";
	default:
		return "see io_uring_setup(2)";
	}
}

struct rung {
	unsigned flags;
	const char *lost; /* what this one does without, compared to the one before */
};

/* Kernel 6.1, 6.0, 5.19, before. */
static const struct rung ladder[] = {
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
	 NULL},
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN, "deferred task work"},
	{IORING_SETUP_COOP_TASKRUN, "single issuer"},
	{0, "cooperative task work"},
};

static int setup_ring(struct engine_worker *worker, struct engine_uring *uring,
		      struct pts_err *err)
{
	/* one entry more than slots, for the timer */
	unsigned entries = worker->engine->config.queue_depth_max + 1;
	int ret = -EINVAL;

	for (unsigned i = 0; i < sizeof(ladder) / sizeof(ladder[0]); i++) {
		struct io_uring_params params = {.flags = ladder[i].flags};

		ret = engine_uring_queue_init(entries, &uring->ring, &params);
		if (ret >= 0) {
			for (unsigned j = 1; j <= i; j++)
				engine_degrade_add(worker->engine, ladder[j].lost,
						   "%s: the kernel is too old for it",
						   pts_errno_text(EINVAL));
			return 0;
		}
		if (ret != -EINVAL)
			break;
	}
	return pts_fail(
		err, PTS_EXIT_MISSING, -ret,
		"cannot set up an io_uring of depth %u: %s; %s (or choose backend psync)",
		worker->engine->config.queue_depth_max, pts_errno_text(-ret), advice(-ret));
}

static void register_ring_fd(struct engine_worker *worker, struct engine_uring *uring)
{
	int ret = io_uring_register_ring_fd(&uring->ring);

	uring->enter_fd = (unsigned)uring->ring.enter_ring_fd;
	if (ret == 1) {
		uring->enter_flags = IORING_ENTER_REGISTERED_RING;
		return;
	}
	uring->enter_fd = (unsigned)uring->ring.ring_fd;
	engine_degrade_add(worker->engine, "registered ring", "%s: %s", pts_errno_text(-ret),
			   advice(-ret));
}

static void register_file(struct engine_worker *worker, struct engine_uring *uring)
{
	int ret = io_uring_register_files(&uring->ring, &worker->engine->config.fd, 1);

	uring->fixed_file = ret >= 0;
	if (ret < 0)
		engine_degrade_add(worker->engine, "registered file", "%s: %s",
				   pts_errno_text(-ret), advice(-ret));
}

static int register_buffers(struct engine_worker *worker, struct engine_uring *uring)
{
	unsigned depth = worker->engine->config.queue_depth_max;
	struct iovec *iov = calloc(depth, sizeof(*iov));
	int ret;

	if (!iov)
		return -ENOMEM;
	for (unsigned i = 0; i < depth; i++) {
		iov[i].iov_base = engine_worker_buffer(worker, i);
		iov[i].iov_len = worker->slot_bytes;
	}
	ret = io_uring_register_buffers(&uring->ring, iov, depth);
	uring->fixed_buffers = ret >= 0;
	if (ret < 0)
		engine_degrade_add(worker->engine, "registered buffers", "%s: %s",
				   pts_errno_text(-ret), advice(-ret));
	free(iov);
	return 0;
}

static void prepare_sqes(struct engine_worker *worker, struct engine_uring *uring)
{
	unsigned depth = worker->engine->config.queue_depth_max;

	uring->opcode[ENGINE_READ] =
		uring->fixed_buffers ? IORING_OP_READ_FIXED : IORING_OP_READ;
	uring->opcode[ENGINE_WRITE] =
		uring->fixed_buffers ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE;
	for (unsigned i = 0; i < depth; i++) {
		struct io_uring_sqe *sqe = &uring->sqes[i];

		memset(sqe, 0, sizeof(*sqe));
		sqe->fd = uring->fixed_file ? 0 : worker->engine->config.fd;
		sqe->flags = uring->fixed_file ? IOSQE_FIXED_FILE : 0;
		sqe->addr = (uintptr_t)engine_worker_buffer(worker, i);
		sqe->buf_index = uring->fixed_buffers ? (uint16_t)i : 0;
		sqe->user_data = i;
	}
	uring->timer_index = depth;
	uring->timer.tv_nsec = ENGINE_TICK_NS;
	memset(&uring->sqes[depth], 0, sizeof(uring->sqes[depth]));
	io_uring_prep_timeout(&uring->sqes[depth], &uring->timer, 0, 0);
	uring->sqes[depth].user_data = UINT32_MAX;
}

/* A target without a way that never blocks makes the kernel hand every I/O to a thread of its
 * own: what is measured then is that thread. */
static void probe_nowait(struct engine_worker *worker)
{
	struct iovec iov = {
		.iov_base = worker->pool,
		.iov_len = worker->engine->config.lba_bytes,
	};

	if (worker->index || preadv2(worker->engine->config.fd, &iov, 1, 0, RWF_NOWAIT) >= 0 ||
	    errno != EOPNOTSUPP)
		return;
	engine_degrade_add(
		worker->engine, "non-blocking I/O",
		"the target has none: the kernel runs each I/O in a thread of its own");
}

int engine_uring_open(struct engine_worker *worker, struct pts_err *err)
{
	struct engine_uring *uring = calloc(1, sizeof(*uring));
	int ret;

	if (!uring)
		return -ENOMEM;
	ret = setup_ring(worker, uring, err);
	if (ret < 0) {
		free(uring);
		return ret;
	}
	uring->sqes = uring->ring.sq.sqes;
	uring->array = uring->ring.sq.array;
	uring->sq_tail = uring->ring.sq.ktail;
	uring->sq_mask = uring->ring.sq.ring_mask;
	uring->tail = *uring->ring.sq.ktail;
	uring->cqes = uring->ring.cq.cqes;
	uring->cq_head = uring->ring.cq.khead;
	uring->cq_tail = uring->ring.cq.ktail;
	uring->cq_mask = uring->ring.cq.ring_mask;
	uring->head = *uring->ring.cq.khead;
	register_ring_fd(worker, uring);
	register_file(worker, uring);
	ret = register_buffers(worker, uring);
	if (ret < 0) {
		io_uring_queue_exit(&uring->ring);
		free(uring);
		return ret;
	}
	prepare_sqes(worker, uring);
	probe_nowait(worker);
	worker->port = uring;
	return 0;
}

void engine_uring_close(struct engine_worker *worker)
{
	struct engine_uring *uring = worker->port;

	/* The kernel takes a ring down some time after its end; until then it would hold the
	 * device, and who comes next finds it in use. */
	if (uring->fixed_file && !worker->lost)
		io_uring_unregister_files(&uring->ring);
	io_uring_queue_exit(&uring->ring);
	free(uring);
	worker->port = NULL;
}
