/*
 * The stimulus engine: drives a target with a job and measures every completion. It knows
 * threads, rings, address patterns, payload, latency and time; it must not know specs, rounds,
 * steady state, SQLite or stdout.
 *
 * Life: engine_open() once per run; threads, rings and buffers stay alive across jobs, so that
 * no recovery gap opens between two cells. engine_start() returns at once, so that the caller
 * can commit the previous cell while the next one runs; engine_poll() waits for a sample or the
 * end; engine_finish() collects the result.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_err.h"
#include "pts_hist.h"

enum engine_dir {
	ENGINE_READ,
	ENGINE_WRITE,
	ENGINE_DIRS,
};

/* One size of a distribution; shares are of I/Os (not of bytes) and sum to 1. */
struct engine_size {
	uint64_t block_bytes;
	double share;
};

/* One zone: a part of the stream's region that takes a share of its accesses. Zones follow one
 * another; span shares and access shares sum to 1; bounds are rounded down to an LBA. */
struct engine_zone {
	double span_share;
	double access_share;
};

/*
 * One stream of I/O. Random offsets are uniform with replacement over the positions that are
 * multiples of the alignment on the target and leave room for the I/O in the region; a position
 * belongs to the zone its first byte lies in. The choice is the high word of a 64 x 64 bit
 * product, so that the probabilities of two of n positions differ by at most n / 2^64 (1.3e-8
 * relative for 122 TB of 512-byte LBAs). Sequential streams of several threads work on disjoint
 * slices of the region, cut at whole blocks from its start, which together are the whole region
 * (the last slice takes the tail). A stream with a random share between 0 and 1 draws for each
 * I/O; its sequential I/Os follow one another whatever lies between them.
 */
struct engine_stream {
	double weight;       /* share of the job's I/Os; 1 for a single stream */
	double random_share; /* 1: every I/O at a random offset; 0: sequential */
	double read_share;   /* R/W mix: exact in the long run over submitted I/Os */
	const struct engine_size *sizes;
	unsigned size_count;
	const struct engine_zone *zones; /* NULL: the whole region evenly */
	unsigned zone_count;
	uint64_t align_bytes; /* 0: the size of the I/O itself */
	uint64_t start_bytes; /* the region (active range) on the target */
	uint64_t span_bytes;  /* multiple of lba_bytes */
};

enum engine_payload {
	ENGINE_PAYLOAD_RANDOM, /* incompressible, no two blocks alike, fresh for every write */
	ENGINE_PAYLOAD_ZERO,
};

struct engine_job {
	const struct engine_stream *streams;
	unsigned stream_count;
	unsigned threads;     /* <= engine_config.threads_max */
	unsigned queue_depth; /* outstanding I/Os per thread, <= queue_depth_max */

	/* It ends at the first limit that is reached; 0 = no such limit; at least one is set. */
	uint64_t duration_ns;
	uint64_t ios;          /* total over threads */
	uint64_t amount_bytes; /* total over threads; sequential jobs write it exactly, wrapping
				  inside each slice, with a shorter I/O at the end of a slice so
				  that the last LBA of the region is covered too */
	bool amount_is_written; /* the amount counts writes only, whatever is read meanwhile;
				   it is passed by less than a block of each thread then */
	bool carry_position; /* sequential: go on where the previous sequential job over the same
				region ended, instead of at its start */

	enum engine_payload payload;
	double compressible_share; /* 0: none (the rule); part of each block that is zeroes */
	double duplicate_share;    /* 0: none (the rule); of the units of 4 KiB (or of the
				      smaller block) that hold the same few data in every job */
	uint64_t seed;             /* of this cell; threads derive theirs from it */
	unsigned submit_batch; /* I/Os a system call: 0: up to 16 together, without waiting for
				      them; 1 for cells whose result is a response time (each I/O
				      is stamped and submitted alone); N > 1: waits for N
				      completions (of those out), which costs latency and depth */

	uint64_t sample_ns;      /* span of its samples; 0: as the engine was opened */
	uint64_t stall_limit_ns; /* no completion for so long while I/Os are out: the device
				    answers no more, the job ends with an error. 0: 60 s */
	uint64_t errors_max;     /* more I/O errors than this end the job (0: the first one) */
};

/* One span (sample_ns) of one job. */
struct engine_sample {
	uint32_t second;  /* its number, from 0 */
	uint64_t span_ns; /* the last one may be shorter */
	uint64_t ios[ENGINE_DIRS];
	uint64_t bytes[ENGINE_DIRS];
	uint64_t lat_sum_ns[ENGINE_DIRS];
	uint64_t lat_max_ns[ENGINE_DIRS];
};

struct engine_error_note {
	uint64_t at_ns; /* since the job's start */
	uint64_t offset_bytes;
	uint32_t length_bytes;
	int error; /* errno value; a short transfer is EIO with got_bytes set */
	uint32_t got_bytes;
	enum engine_dir dir;
};

#define ENGINE_ERROR_NOTES 16

struct engine_counts {
	uint64_t ios; /* completions inside [t0, t1], good ones only */
	uint64_t bytes;
	uint64_t submitted; /* I/Os submitted, also those that completed after t1 */
	uint64_t errors;
};

/*
 * Times are pts_now_ns(); a completion's time is the moment the engine saw it. The window is [t0, t1]: t0 is the first submission, t1 = t0 +
 * duration for timed jobs, else the last completion. iops = ios / (t1 - t0). Completions after t1
 * (the drain) are in no figure but drain_*.
 */
struct engine_result {
	uint64_t started_ns; /* t0 */
	uint64_t elapsed_ns; /* t1 - t0 */
	uint64_t first_submit_ns;
	uint64_t last_completion_ns; /* with the drain */
	uint64_t drain_ns;           /* last completion - t1, 0 if none */
	uint64_t drain_ios;
	struct engine_counts dir[ENGINE_DIRS];
	struct pts_hist *hist[ENGINE_DIRS];
	uint64_t *size_submitted; /* [stream][size], flattened in job order */
	uint64_t *zone_submitted; /* [stream][zone] */
	uint64_t *stream_submitted;
	struct engine_sample *samples;
	size_t sample_count;
	struct engine_error_note errors[ENGINE_ERROR_NOTES];
	unsigned error_count;    /* notes kept: the earliest ones */
	double outstanding_mean; /* I/Os submitted and not yet seen completed, integrated over the
				    window; independent of the latencies: Little's law checks it */
	/*
	 * Time inside the window of the I/Os that were outstanding at t1. Nothing is outstanding at
	 * t0, and each I/O adds its time inside the window to the integral of the number
	 * outstanding, so, exactly,
	 *
	 *	outstanding_mean x elapsed_ns = sum of all latencies + inflight_ns
	 *
	 * Without the last term this is Little's law, L = lambda W, which holds over a finite
	 * window only if none is outstanding at its ends: J. D. C. Little, "A Proof for the
	 * Queuing Formula L = lambda W" (Operations Research 9, 1961); for finite windows Little,
	 * "Little's Law as Viewed on Its 50th Anniversary" (Operations Research 59, 2011).
	 */
	uint64_t inflight_ns;
	uint64_t clock_errors; /* good I/Os whose clock ran backwards: they count as I/Os but
				    have no latency, so the histogram holds fewer */
	uint64_t user_ns, system_ns; /* CPU of the workers (not the kernel's own threads) */
};

enum engine_backend_kind {
	ENGINE_URING,
	ENGINE_PSYNC,
	ENGINE_NIL, /* completes at once: our own overhead */
	ENGINE_SIM, /* a model drive on its own clock, which must be the process's (sim_drive.h) */
};

struct sim_drive;

struct engine_config {
	enum engine_backend_kind backend;
	int fd;                /* the target, opened by the device room with O_DIRECT; stays the
				   caller's; unused by nil and sim */
	struct sim_drive *sim; /* the target of ENGINE_SIM; stays the caller's */
	uint64_t target_bytes; /* no I/O ever goes beyond it */
	uint32_t lba_bytes;
	unsigned threads_max;
	unsigned queue_depth_max;
	uint64_t block_bytes_max;
	uint64_t sample_ns; /* 0: one second */
	bool pin;           /* pin worker i to CPU i (of those allowed) */
};

/* A capability that was asked for and not there, and what was taken instead. */
struct engine_degrade {
	char capability[48]; /* "registered buffers" */
	char reason[112];    /* "ENOMEM: raise the memlock limit (ulimit -l)" */
};

#define ENGINE_DEGRADES 12

struct engine;

/* Errors: PTS_EXIT_MISSING (no io_uring: with the advice that fits EPERM, ENOSYS, ENOMEM),
 * PTS_EXIT_DEVICE. Nothing is written by opening. */
int engine_open(const struct engine_config *config, struct engine **ret_engine,
		struct pts_err *err);
/* NULL is legal. Does not hang on a device that answers no more: a worker that is still inside
 * the kernel after some seconds is left behind with its memory. */
void engine_close(struct engine *engine);

unsigned engine_degrades(const struct engine *engine,
			 const struct engine_degrade **ret_degrades);
const char *engine_backend_name(const struct engine *engine);

/* Checks the job against the config (-EINVAL, PTS_EXIT_BUG or PTS_EXIT_SPEC: a block smaller
 * than an LBA or larger than the region ...) and starts it. The job and what it points to must
 * live until engine_finish(). */
int engine_start(struct engine *engine, const struct engine_job *job, struct pts_err *err);

struct engine_progress {
	bool done;
	uint64_t elapsed_ns;
	uint64_t bytes; /* completed so far */
	uint64_t ios;
	struct engine_sample last; /* the last whole one */
};

/* Waits until the job ends, a new sample is there, or timeout_ns passed. 0 or -EINTR. */
int engine_poll(struct engine *engine, uint64_t timeout_ns,
		struct engine_progress *ret_progress);

/* Asks the running job to end now (from any thread, also a signal handler). Without a running
 * job it does nothing: engine_start() forgets it. */
void engine_stop(struct engine *engine);

/* Waits for the end and fills result (made by engine_result_new; its arrays are reused).
 * 0; -EIO with PTS_EXIT_DEVICE if errors or a stall ended the job (the result holds what was
 * measured until then); -ECANCELED after engine_stop(), without a message. */
int engine_finish(struct engine *engine, struct engine_result *ret_result, struct pts_err *err);

struct engine_result *engine_result_new(void);
void engine_result_free(struct engine_result *result);

#endif
