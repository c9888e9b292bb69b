/* One worker's ring. Only engine_uring*.c and their test include this. */
#ifndef ENGINE_URING_INTERNAL_H
#define ENGINE_URING_INTERNAL_H

#include <liburing.h>
#include <stdbool.h>

#include "engine_worker.h"

struct engine_uring {
	struct io_uring ring;
	/* copies of what the hot loop reads in the ring */
	struct io_uring_sqe
		*sqes; /* number i belongs to slot i for life; the last is the timer */
	unsigned *array;
	unsigned *sq_tail;
	unsigned sq_mask;
	unsigned tail;    /* of the submission queue, not yet published */
	unsigned pending; /* published, not yet taken by the kernel */
	struct io_uring_cqe *cqes;
	unsigned *cq_head;
	unsigned *cq_tail;
	unsigned cq_mask;
	unsigned head;
	unsigned enter_fd;
	unsigned enter_flags;
	unsigned timer_index;
	bool timer_out;
	struct __kernel_timespec timer;
	uint8_t opcode[ENGINE_DIRS];
	bool fixed_buffers;
	bool fixed_file;
};

/* io_uring_queue_init_params; a test puts an older kernel in its place. */
extern int (*engine_uring_queue_init)(unsigned entries, struct io_uring *ring,
				      struct io_uring_params *params);

/* Makes the worker's ring in the calling thread, stepping down what the kernel refuses. */
int engine_uring_open(struct engine_worker *worker, struct pts_err *err);
void engine_uring_close(struct engine_worker *worker);

#endif
