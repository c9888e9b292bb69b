/*
 * What the engine's tests share: temporary targets, jobs with sensible defaults, and a backend
 * whose device is a function of the test's.
 */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine.h"
#include "engine_backend.h"
#include "engine_worker.h"

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define GIB (1ull << 30)
#define TIB (1ull << 40)
#define MS  1000000ull

/* A temporary file that is already unlinked: nothing is left behind, whatever happens. Opened
 * with O_DIRECT where the file system has it. */
int fixture_file(uint64_t bytes);
/* The whole file, read without O_DIRECT; free() it. */
unsigned char *fixture_read(int fd, uint64_t bytes);

/* One stream of one size over the whole target; change what a test is about. */
struct fixture_job {
	struct engine_job job;
	struct engine_stream stream;
	struct engine_size size;
};

void fixture_job_init(struct fixture_job *fixture, uint64_t span_bytes, uint64_t block_bytes);

struct engine_config fixture_config(enum engine_backend_kind backend, int fd, uint64_t bytes);
/* Opens, fails the test with the message if that fails. */
struct engine *fixture_open(const struct engine_config *config);
/* Runs a job to its end; returns what engine_finish() returns. */
int fixture_run(struct engine *engine, const struct engine_job *job,
		struct engine_result *result, struct pts_err *err);
/* The same, and fails the test unless it ends well. */
void fixture_run_well(struct engine *engine, const struct engine_job *job,
		      struct engine_result *result);

/*
 * The test's device: answer() is called for each I/O as it is submitted and says when it
 * completes (pts_now_ns(), UINT64_MAX never) and with what result. It may block. Called in
 * worker threads.
 */
struct fixture_answer {
	uint64_t due_ns;
	int result; /* FIXTURE_BROKEN: submission itself fails with ENXIO */
};

#define FIXTURE_BROKEN INT32_MIN

extern struct fixture_answer (*fixture_device)(struct engine_worker *worker,
					       const struct engine_slot *slot);
extern const struct engine_backend fixture_backend;

struct engine *fixture_open_device(unsigned threads, unsigned depth, uint64_t bytes,
				   struct fixture_answer (*device)(struct engine_worker *,
								   const struct engine_slot *));

#endif
