/*
 * The plan: spec x device facts x overrides -> a flat list of resolved steps with expected time
 * and bytes. Opens nothing, does no I/O: `pts plan` and `pts run` share it, so the dry run
 * cannot lie. Exact to the last LBA.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_err.h"
#include "spec.h"

/* What the plan needs of a device; the caller copies it from the device room's facts. */
struct plan_device {
	const char *path;
	const char *identity;
	const char *kind; /* "block" or "file" */
	const char *transport;
	uint64_t capacity_bytes;
	uint32_t lba_bytes;
	bool can_set_write_cache; /* false: what the mode asks is a deviation */
	const char *write_cache;  /* now, as the kernel says; "" unknown */
	const char *purge_name;   /* method that would run */
	bool purge_is_pts;
	bool is_virtual;
};

/*
 * What is known of a drive's speed under one load: from an earlier run, a datasheet, a model.
 * test, phase and label name the cell that was measured; NULL: any cell of this kind.
 */
struct plan_known {
	const char *test, *phase, *label;
	double random_share;
	unsigned read_pct;
	uint64_t block_bytes;          /* 0: a distribution; known by its label alone */
	unsigned threads, queue_depth; /* 0: any */
	double mb_per_s;               /* moved, reads and writes together */
	double write_mb_per_s;         /* of it written */
	uint64_t after_ns;             /* drain and gap behind such a cell; 0: not known */
};

/* How a step went in an earlier run. */
struct plan_known_step {
	const char *test, *phase;
	unsigned rounds;     /* whole ones; 0: it has none */
	bool steady;         /* it ended so */
	uint64_t elapsed_ns; /* of a purge: its time */
};

/*
 * What the likely figures rest on. It moves no bound, but for seq_write_mb_per_s, which is taken
 * to be exact, and for least and most_mb_per_s. All is borrowed until plan_make() returns.
 */
struct plan_assume {
	double seq_write_mb_per_s; /* every write runs at this rate; 0: not given */
	double least_mb_per_s;     /* no write of the drive is slower; 0: not known */
	double most_mb_per_s;      /* none is faster; 0: not known */
	const char *kind;          /* "run", "file", "model"; NULL: nothing is known */
	const char *source;        /* where from, for people */
	const struct plan_known *known;
	unsigned known_count;
	const struct plan_known_step *steps;
	unsigned step_count;
	const char *purge_name; /* the method that the times of purges are of; NULL: any */
	uint64_t purge_ns;      /* of any purge; 0: not known */
	unsigned rounds;        /* to steady state, of any loop; 0: not known */
};

struct plan_size {
	uint64_t block_bytes;
	double share;
};

/* A stream with everything resolved to bytes on this device. */
struct plan_stream {
	const char *name;
	double weight;
	double rate_iops;
	enum spec_arrivals arrivals;
	double random_share;
	unsigned read_pct;
	struct plan_size *sizes[2]; /* [1] NULL: same for writes */
	unsigned size_count[2];
	struct spec_zone *zones;
	unsigned zone_count;
	uint64_t align_bytes;
	uint64_t start_bytes, span_bytes;
	double read_hit_share;         /* re-reads of recently accessed blocks */
	uint64_t think_ns;             /* pause of a slot */
	unsigned threads, queue_depth; /* of its own; 0: the cell's */
};

/* What a cell is to its step. */
enum plan_role {
	PLAN_CELL,   /* of a matrix, a plain load, the busy part of a cycle */
	PLAN_LOAD,   /* the two parts of a sampled load */
	PLAN_SAMPLE, /* the one whose value is the round's */
	PLAN_BEFORE, /* a load before each round */
};

/* What a likely rate rests on, the best first. */
enum plan_rate_from {
	PLAN_RATE_BOUNDS,  /* nothing but the kind of drive: a guess */
	PLAN_RATE_GIVEN,   /* seq_write_mb_per_s */
	PLAN_RATE_CELL,    /* this very cell, measured */
	PLAN_RATE_LOAD,    /* the same load, measured in another phase */
	PLAN_RATE_DERIVED, /* worked out from other loads of the same source */
};

/* How fast a cell writes, in MB/s: surely more, likely, surely less. */
struct plan_rate {
	double least, likely, most;
	enum plan_rate_from from;
	uint64_t
		after_ns; /* likely drain and gap behind it; 0 with PLAN_RATE_BOUNDS and _GIVEN */
	uint64_t slack_ns; /* the longest that drain and gap take */
};

/* One measured (or written) cell. */
struct plan_cell {
	unsigned index; /* from 0 in the round; loads before it are numbered behind its cells */
	enum plan_role role;
	const char *label; /* canonical: "RND 4KiB 0/100 T4Q32" */
	const char *point; /* threads and queue depth come from this chosen point at run time */
	bool applicable;
	const char *reason; /* why not: "block smaller than one LBA (4096 B)" */
	struct plan_stream *streams;
	unsigned stream_count;
	unsigned threads, queue_depth;
	unsigned read_pct;     /* of the single stream; for the matrix */
	uint64_t block_bytes;  /* of a fixed size; 0 for a distribution */
	uint64_t duration_ns;  /* 0: by amount */
	uint64_t amount_bytes; /* 0: by time */
	uint64_t record_ns;    /* span of its samples; 0: 1 s */
	const char *data_pattern;
	double compressible_share, duplicate_share;
	/* the range in equal segments, each touched from its start on; 0: all of the range */
	unsigned segments;
	uint64_t segment_bytes, segment_touched_bytes;
	bool carry_position;
	bool keep_histogram;
	bool response_time; /* its result is a response time: never waits for a batch */
	int track;          /* index into the step's tracks, -1 */
	struct plan_rate rate;
};

/* A point that a later load runs at: a cell of the step looked at, chosen by a rule. */
struct plan_point {
	const char *name;
	enum spec_choose_rule rule;
	enum spec_metric metric;
	uint64_t latency_limit_ns; /* SPEC_HIGHEST: mean latency below it; 0: no limit */
	int cell;                  /* SPEC_FIXED_CELL: its index; else -1 */
	int between[2];            /* SPEC_NEAREST_MEAN: indexes of earlier points */
};

struct plan_track {
	const char *name; /* "RND 4KiB 0/100" or the spec's name */
	enum spec_metric metric;
	int cell; /* index; -1: that cell can't run, the test can't be judged */
	unsigned read_pct;
	uint64_t block_bytes;
};

/*
 * Earliest, latest, least and most are bounds; likely is a guess as good as what it rests on
 * (struct plan_rate). Bytes are what is written. Without better knowledge a loop likely ends a
 * few rounds after its first window (plan_json() says how many).
 */
struct plan_span {
	uint64_t earliest_ns, likely_ns, latest_ns;
	uint64_t least_bytes, likely_bytes, most_bytes; /* written */
	uint64_t slack_ns; /* the part of latest_ns that is no load: drains, gaps */
};

/* What decides how long a step takes. */
enum plan_timing {
	PLAN_BY_CLOCK,  /* fixed: the plan's times are exact but for slack */
	PLAN_BY_AMOUNT, /* bytes written, at the drive's speed */
	PLAN_BY_ROUNDS, /* steady state */
	PLAN_BY_DRIVE,  /* a purge */
};

struct plan_step {
	unsigned index;    /* from 0 over the whole plan */
	const char *test;  /* the spec's name */
	const char *phase; /* "purge", "WIPC", "rounds" */
	enum spec_step_kind kind;
	bool loops; /* its cells are done in numbered rounds */
	/* LOAD: one; sampled: load and sample in their order; ROUNDS: of a round, in order */
	struct plan_cell *cells;
	unsigned cell_count;
	/* A sampled load as a whole ends at the first of these; 0: no such limit. */
	uint64_t limit_ns, limit_bytes; /* bytes written */
	struct plan_cell *before;       /* ROUNDS: loads before each round, one cell each */
	unsigned before_count;
	bool redo_test; /* after a stop the whole test begins again: a gap would lie in its result */
	unsigned max_rounds;
	enum spec_on_unsteady on_unsteady;
	unsigned window;
	double range_share, slope_share;
	struct plan_track *tracks;
	unsigned track_count;
	bool judgeable;            /* false: a tracked cell can't run */
	struct plan_point *points; /* CHOOSE: in the order of choosing */
	unsigned point_count;
	int from_step; /* CHOOSE: index of the step whose last window is looked at; else -1 */
	uint64_t idle_ns;
	const struct spec_step *spec; /* where it came from */
	enum plan_timing timing;
	unsigned likely_rounds; /* of a loop */
	struct plan_span span;
};

struct plan_deviation {
	const char *test;
	const char *clause;   /* "" if none */
	const char *what;     /* "cell_time" */
	const char *required; /* "60s" */
	const char *actual;   /* "2s" */
	const char *reason;   /* "--set cell_time=2s" */
};

/* What is worth knowing before the run and departs from nothing that the standard fixes. */
struct plan_note {
	const char *test;   /* "" for the whole plan */
	const char *kind;   /* "recommended", "not_applicable", "estimate", "device" */
	const char *clause; /* "" if none */
	const char *what;   /* "threads" */
	const char *text;   /* "2 instead of the recommended 4 (--set threads=2)" */
};

/*
 * Write rates of the kind of drive, behind every bound and behind what is likely where nothing
 * better is known. A write is as fast as its bytes and its command allow: the slower of both.
 */
struct plan_rates {
	double least, likely, most; /* MB/s of large writes: surely more, likely, surely less */
	double least_iops, likely_iops; /* of small ones; 0: no limit */
	const char *source; /* "given", or the kind of drive whose bounds they are: "nvme" */
	const char *kind;   /* of struct plan_assume; "given"; "bounds": nothing is known */
	const char *from;   /* its source; "" */
};

/* One test of the plan: a spec for one mode. */
struct plan_test {
	const char *name;
	const struct spec *spec; /* borrowed: must outlive the plan */
	unsigned first_step, step_count;
	bool applicable;    /* false: one of its steps can't run at all on this device */
	const char *reason; /* then: which step, and why */
	bool fixed_time;    /* nothing but its purges depends on the drive */
	struct plan_span span;
};

struct plan {
	struct pts_arena *arena;
	enum spec_mode mode;
	struct plan_device device;
	struct plan_test *tests;
	unsigned test_count;
	struct plan_step *steps;
	unsigned step_count;
	struct plan_deviation *deviations;
	unsigned deviation_count;
	struct plan_note *notes;
	unsigned note_count;
	struct plan_rates rates;
	struct plan_span span;
	char sha256[PTS_SHA256_TEXT];          /* of plan_text() */
	unsigned threads_max, queue_depth_max; /* what the engine must be opened with */
	uint64_t block_bytes_max;
};

/*
 * Resolves tests in the given order; all are read for the same mode. Errors: PTS_EXIT_USAGE for
 * no spec, the same test twice or two modes; PTS_EXIT_DEVICE for a device without capacity;
 * PTS_EXIT_SPEC (-ERANGE) for amounts and times beyond what 64 bits hold. A step that this
 * version can't run, or that no cell of can run on this device, is planned nevertheless;
 * plan_runnable() refuses it.
 */
int plan_make(const struct spec *const *specs, unsigned spec_count,
	      const struct plan_device *device, const struct plan_assume *assume,
	      struct plan **ret_plan, struct pts_err *err);
/* 0, or the first thing that keeps a run from doing what the plan says, naming test and step:
 * -ENOTSUP (PTS_EXIT_MISSING) for a kind of step or stream that the run can't do, -EINVAL
 * (PTS_EXIT_DEVICE) for a test that can't run on this device. */
int plan_runnable(const struct plan *plan, struct pts_err *err);
void plan_free(struct plan *plan); /* NULL is legal */

/* Canonical text (golden tests, the store, resume's comparison): everything that determines what
 * is done; the same on every machine for the same inputs, and free of estimates and of the
 * device's path. The caller's to free(). */
char *plan_text(const struct plan *plan);
/* JSON of the contract; plan_json.c lists its keys. The caller's to free(). */
char *plan_json(const struct plan *plan);

const char *plan_role_text(enum plan_role role); /* "cell", "load", "sample", "before" */
/* It goes on until it is steady, whatever max_rounds says: latest is only its max_rounds. */
bool plan_step_is_open(const struct plan_step *step);

/* Geometry, exported for its tests: whole LBAs of a share of the capacity. */
uint64_t plan_range_bytes(uint64_t capacity_bytes, uint32_t lba_bytes, double share);
/* Block-aligned random positions of a block size in a span; 0 if none fits. */
uint64_t plan_positions(uint64_t span_bytes, uint64_t block_bytes);
/* Where a zone begins in a span, rounded down to an LBA; zone == zone_count gives its end. The
 * engine draws by the same bounds (engine_zone_bound()). */
uint64_t plan_zone_start(const struct spec_zone *zones, unsigned zone_count, unsigned zone,
			 uint64_t span_bytes, uint32_t lba_bytes);
/* Length of each of so many equal segments of a range, whole LBAs; 0 if there are too many. */
uint64_t plan_segment_bytes(uint64_t range_bytes, uint32_t lba_bytes, unsigned segments);

#endif
