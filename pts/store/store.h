/*
 * The store: one SQLite file = one run = the evidence. Schema, transactions, migrations,
 * queries. The only room that knows SQL; must not know what the numbers mean.
 *
 * A cell with its samples and histograms is one FULL transaction; a closing transaction makes
 * the round valid. After kill -9 at any point the file holds whole cells and says which round
 * was cut. Open runs are WAL; a sealed store is journal_mode=DELETE, so that it can be read in
 * a read-only folder.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_err.h"

struct store;

#define STORE_DIGEST_TEXT 65 /* SHA-256: 64 hexadecimal digits and the NUL */

enum store_state {
	STORE_RUNNING, /* open, or cut without a word */
	STORE_STOPPED, /* ended cleanly, resumable */
	STORE_FAILED,  /* a device or I/O error ended it; resumable after repair */
	STORE_DONE,    /* sealed */
};

/* One row of v_run. Strings are borrowed on writing; on reading they live until store_close. */
struct store_run {
	const char *tool_version;
	const char *mode;
	const char *identity;
	const char *device_path;
	uint64_t capacity_bytes;
	uint32_t lba_bytes;
	uint64_t master_seed;
	const char *plan_text;
	const char *plan_json;
	const char *plan_sha256;
	const char *command_line;
	const char *backend; /* "uring" */
	uint64_t started_wall_ns;
	uint64_t ended_wall_ns; /* 0: not yet */
	bool clock_is_virtual;
	const char *purge_method;
	bool purge_is_pts;
	const char *purge_evidence; /* one line of what was seen; NULL before the purge */
	int exit_code;              /* of the end; -1: none yet */
	const char *stop_reason;
	enum store_state state;
	int schema_version;
	const char *plan_json_sha256; /* on reading; store_create computes it */
};

struct store_test {
	const char *name, *title, *standard, *revision, *section, *mode;
	const char *spec_file, *spec_text, *spec_sha256;
	const char *overrides_json; /* {"cell_time": "2s"} */
};

struct store_step {
	int step; /* the plan's index */
	const char *test, *phase, *kind;
	uint64_t planned_cells;  /* of a round */
	bool loops;              /* its cells are done in numbered rounds */
	uint64_t planned_before; /* loads before each round: cells behind the planned ones */
};

#define STORE_DIRS 2 /* 0 reads, 1 writes */

struct store_dir {
	uint64_t ios, bytes, submitted, errors;
	double iops, mb_per_s; /* NaN is stored as NULL everywhere */
	double lat_mean_ns;
	uint64_t lat_min_ns, lat_max_ns, lat_p50_ns, lat_p99_ns, lat_p999_ns, lat_p9999_ns,
		lat_p99999_ns;
	unsigned __int128 lat_sum_ns; /* exact; stored as decimal text */
	const void *hist;             /* encoded pts_hist; NULL: not kept */
	size_t hist_bytes;
};

struct store_sample {
	uint32_t second;
	uint64_t span_ns;
	uint64_t ios[STORE_DIRS], bytes[STORE_DIRS], lat_sum_ns[STORE_DIRS],
		lat_max_ns[STORE_DIRS];
};

/* I/Os submitted of one item of a distribution: a size or zone of a stream, or a whole stream. */
struct store_share {
	const char *part;      /* "size", "stream", "zone" */
	unsigned stream, item; /* indexes in the plan's lists; of a stream both are its own */
	uint64_t submitted;
};

struct store_io_error {
	uint64_t at_ns, offset_bytes;
	uint32_t length_bytes, got_bytes;
	int error;
	bool is_write;
};

struct store_cell {
	int step;
	int round; /* from 1; 0 = NULL: outside loops */
	int cell;
	const char *role; /* "cell", "load" and "sample" (a sampled load's parts), "before" */
	const char *label, *access; /* "random", "sequential", "mixed" */
	int read_pct;               /* -1: several streams that differ */
	uint64_t block_bytes;       /* 0: a distribution */
	unsigned threads, queue_depth;
	uint64_t seed;
	bool valid;
	const char *reason; /* why not valid */
	uint64_t started_ns, elapsed_ns, started_wall_ns;
	uint64_t gap_ns, drain_ns, drain_ios;
	uint64_t requested_ns, requested_bytes;
	double outstanding_mean;
	uint64_t inflight_ns; /* of I/Os outstanding at the end, inside the window */
	uint64_t user_ns, system_ns;
	double cpu_system_pct; /* system time of the whole host, % of its CPUs' time; NaN: not known */
	struct store_dir dir[STORE_DIRS];
	struct store_dir total; /* hist unused: derived from both */
	const struct store_sample *samples;
	size_t sample_count;
	const struct store_share *shares; /* ordered by part, stream, item */
	size_t share_count;
	const struct store_io_error *errors;
	unsigned error_count;
	bool is_void;       /* on reading: of a test that was done again */
	const char *sha256; /* on reading: what store_cell_digest() said when it was stored */
};

/* SHA-256 of every value of a cell (pts-store(5), CELL DIGEST); of a cell read back only with its
 * histograms and samples. A sha256 that is there already does not enter it. */
void store_cell_digest(const struct store_cell *cell, char ret_text[STORE_DIGEST_TEXT]);

struct store_steady {
	int step;
	const char *track; /* "RND 4KiB 0/100" */
	int last_round;
	int window;
	const char *metric;
	int read_pct;
	uint64_t block_bytes;
	bool valid;
	double average, minimum, maximum, range, range_pct, slope, intercept, slope_excursion,
		slope_excursion_pct, r;
	double range_limit, slope_limit; /* shares */
	bool range_ok, slope_ok, boundary, steady;
};

/* A cell of an earlier step, chosen by a rule. */
struct store_choice {
	int step;                /* the one that chooses */
	const char *name, *rule; /* "highest", "cell", "nearest_mean" */
	int cell;                /* -1: none fits the rule */
	unsigned threads, queue_depth;
	const char *metric;
	double value, lat_mean_ns;   /* of the cell: means over these rounds */
	int first_round, last_round; /* 0: there were none */
};

struct store_deviation {
	const char *test, *clause, *what, *required, *actual, *reason;
};

/* Scopes: "device_before", "device_after", "host_before", "host_after", "about". */
struct store_fact {
	const char *scope, *key, *value;
};

struct store_event {
	uint64_t at_ns, wall_ns;
	int step, round, cell; /* -1: none */
	const char *level;     /* "info", "warning", "error" */
	const char *kind;      /* "gap", "degraded", "stopped", "resumed", "purge" ... */
	const char *text;
};

/* Makes the file with schema and everything that must be there before the first write to the
 * device: run, tests, plan, deviations, facts, in one transaction; it appears under its name only
 * when that is committed. -EEXIST: PTS_EXIT_USAGE naming `pts resume`. -ENOSPC: PTS_EXIT_USAGE,
 * and nothing is left. The lock is the writer's until store_close. */
int store_create(const char *path, const struct store_run *run, const struct store_test *tests,
		 unsigned test_count, const struct store_step *steps, unsigned step_count,
		 const struct store_deviation *deviations, unsigned deviation_count,
		 const struct store_fact *facts, unsigned fact_count, struct store **ret_store,
		 struct pts_err *err);

enum store_access {
	STORE_READ,   /* works on sealed stores in read-only folders and beside a writer */
	STORE_RESUME, /* takes the writer's lock; integrity_check first */
};
/*
 * Checks application id, schema version, the whole schema (word for word), integrity with every
 * constraint; STORE_RESUME also all references, and it seals a done store that could not be
 * sealed. PTS_EXIT_SPEC for a file that is no store of ours, of another version or damaged;
 * PTS_EXIT_USAGE if it is absent, written by another process (which is named), or has changes in
 * a -wal or -journal that can't be used where it lies. A running store that lost its -wal is a
 * warning of the log, and on STORE_RESUME an event.
 */
int store_open(const char *path, enum store_access access, struct store **ret_store,
	       struct pts_err *err);
/* A writer that closes leaves one file, without -wal, whatever the run's state. NULL is legal. */
void store_close(struct store *store);
/* The name of a file system (statfs f_type) on which WAL can't work; NULL: it can. */
const char *store_remote_fs(uint64_t f_type);

/*
 * Does a process hold the writer's lock? 1 (*ret_pid is it), 0 nobody, -1 can't be told. Looks at
 * /proc/locks and touches no lock itself: asking can't get in the way of a writer.
 */
int store_writer(const char *path, long *ret_pid);

/* "DIR" or "DIR/run.db" -> path of the store; the caller's to free(). */
int store_locate(const char *dir_or_file, char **ret_path, struct pts_err *err);

/* A fact that is there already is replaced. */
int store_put_fact(struct store *store, const char *scope, const char *key, const char *value,
		   struct pts_err *err);
int store_step_begin(struct store *store, int step, uint64_t now_ns, struct pts_err *err);
/* bytes_written: of a step without cells (a purge); what cells wrote is summed from their rows. */
int store_step_end(struct store *store, int step, uint64_t elapsed_ns, uint64_t bytes_written,
		   const char *outcome, struct pts_err *err);
int store_put_cell(struct store *store, const struct store_cell *cell, struct pts_err *err);
/* The closing transaction of a round with its judgement. PTS_EXIT_BUG if it is not open or hasn't
 * exactly the planned cells. */
int store_close_round(struct store *store, int step, int round, uint64_t elapsed_ns,
		      const struct store_steady *steady, unsigned steady_count,
		      struct pts_err *err);
/* The same for the last round of a loop that reached its limit inside the round: the cells that
 * are there stay, and no window ends in it. */
int store_close_part(struct store *store, int step, int round, uint64_t elapsed_ns,
		     struct pts_err *err);
/* Marks an open round of a step (0: every open one) as cut; its cells stay, in v_cut_cells, and a
 * cell of the same number begins the next attempt. */
int store_cut_round(struct store *store, int step, int round, const char *reason,
		    struct pts_err *err);
/* A choice that is there already is replaced. */
int store_put_choice(struct store *store, const struct store_choice *choice,
		     struct pts_err *err);
/* What the steps from first to last (of one test) have done counts no more: its rounds are void,
 * its judgements and choices go, and its steps have not begun. */
int store_void_steps(struct store *store, int first_step, int last_step, struct pts_err *err);
int store_put_event(struct store *store, const struct store_event *event, struct pts_err *err);
int store_put_deviation(struct store *store, const struct store_deviation *deviation,
			struct pts_err *err);
int store_set_purge(struct store *store, const char *method, bool is_pts, const char *evidence,
		    struct pts_err *err);
/* Ends the run: state, exit code, reason. STORE_DONE checks (integrity, references) and seals:
 * checkpoint, journal_mode=DELETE. PTS_EXIT_RESUMABLE, -EBUSY: all is stored as done, but another
 * program (named) has the file open; STORE_RESUME seals it later. */
int store_end(struct store *store, enum store_state state, int exit_code, const char *reason,
	      uint64_t wall_ns, struct pts_err *err);
/* Back to running, after a resume. */
int store_reopen(struct store *store, struct pts_err *err);

/* Rows that refer to rows that are not there: PTS_EXIT_SPEC naming the first. */
int store_check_references(struct store *store, struct pts_err *err);

/* --- reading; a callback that returns non-zero ends the loop with that value --- */
int store_get_run(struct store *store, const struct store_run **ret_run, struct pts_err *err);
int store_each_test(struct store *store, int (*fn)(void *ctx, const struct store_test *test),
		    void *ctx, struct pts_err *err);
int store_each_fact(struct store *store, const char *scope,
		    int (*fn)(void *ctx, const char *key, const char *value), void *ctx,
		    struct pts_err *err);

struct store_step_row {
	struct store_step plan;
	bool begun, ended;
	uint64_t started_ns, elapsed_ns, bytes_written;
	const char *outcome; /* "done", "steady", "not steady", "not judged", "amount", "time",
				"stopped", "failed" */
	int rounds_closed;   /* valid rounds */
	int cells_stored;
	uint64_t max_gap_ns;
	int attempt; /* how often it was begun */
};
int store_each_step(struct store *store,
		    int (*fn)(void *ctx, const struct store_step_row *step), void *ctx,
		    struct pts_err *err);

/* Valid rounds only unless with_cut. step -1: all; round 0: all. Histograms are attached only
 * with with_hist, samples and shares only with with_samples. Order: step, round, attempt, and
 * as they were done: loads before a round, then its cells. */
struct store_cell_filter {
	int step, round;
	bool with_cut, with_hist, with_samples;
};
int store_each_cell(struct store *store, const struct store_cell_filter *filter,
		    int (*fn)(void *ctx, const struct store_cell *cell), void *ctx,
		    struct pts_err *err);

struct store_round_row {
	int step, round;
	const char *state; /* "valid", "cut", "open"; "void": the test was done again */
	uint64_t started_ns, elapsed_ns;
	int cells;
	bool after_gap; /* first round after a resume: no window may reach across it */
};
int store_each_round(struct store *store, int step,
		     int (*fn)(void *ctx, const struct store_round_row *round), void *ctx,
		     struct pts_err *err);
/* A window starts afresh at this round (after a resume); the gap is recorded. */
int store_mark_fresh(struct store *store, int step, int first_round, struct pts_err *err);

int store_each_steady(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_steady *steady), void *ctx,
		      struct pts_err *err);
int store_each_choice(struct store *store, int step, /* -1: all */
		      int (*fn)(void *ctx, const struct store_choice *choice), void *ctx,
		      struct pts_err *err);
int store_each_deviation(struct store *store,
			 int (*fn)(void *ctx, const struct store_deviation *deviation),
			 void *ctx, struct pts_err *err);
int store_each_event(struct store *store, int (*fn)(void *ctx, const struct store_event *event),
		     void *ctx, struct pts_err *err);

/*
 * The values of one cell over the rounds since the last fresh mark, for the judge (cut rounds
 * left out; the open one is there too: it is judged before it is closed). metric is "iops",
 * "mb_per_s", "lat_mean", "lat_p99999" or "lat_max" of the total, the latencies in ns, or
 * "cpu_system" in %.
 * NaN for a cell without a value. values has room for room doubles; *ret_first_round is the
 * first one's round number. More rounds than room: -ERANGE; a hole between rounds: -EBADMSG.
 */
int store_series(struct store *store, int step, int cell, const char *metric, double *values,
		 size_t room, size_t *ret_count, int *ret_first_round, struct pts_err *err);

#endif
