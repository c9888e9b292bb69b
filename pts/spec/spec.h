/*
 * A spec: one test or workload as data, read from YAML (libyaml's document API) under one key
 * table (spec_keys.c), for one mode, with overrides applied, every $parameter replaced and typed,
 * and every for_each unrolled: what comes out is a flat list of steps in order, each value given
 * exactly once. Knows the language; must not know device, engine, time or store.
 *
 * Ownership: everything a struct spec points to lives in its arena until spec_free().
 */
#ifndef SPEC_H
#define SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_err.h"
#include "pts_hash.h"
#include "pts_units.h"

enum spec_mode {
	SPEC_ENTERPRISE,
	SPEC_CLIENT,
	SPEC_MODES,
};

struct spec_where {
	const char *file;
	unsigned line, column; /* from 1 */
};

/* How sure we are that the standard says so (pts-2.0.2 digest). */
enum spec_basis {
	SPEC_BASIS_NONE,
	SPEC_BASIS_CONFIRMED,
	SPEC_BASIS_IMPLEMENTED,
	SPEC_BASIS_CHOICE,
};

/* What changing the value means. */
enum spec_binding {
	SPEC_BINDING_FREE,        /* operator's choice */
	SPEC_BINDING_RECOMMENDED, /* the standard recommends it: another value is noted */
	SPEC_BINDING_FIXED,       /* the standard fixes it: another value is a deviation */
};

struct spec_source {
	const char *clause; /* "7.2"; NULL if none */
	enum spec_basis basis;
	enum spec_binding binding;
	const char *note; /* may be NULL */
};

/* One value of the file that carries a source, for the audit: path "steps[2].rounds.max". */
struct spec_citation {
	const char *path;
	const char *value;
	struct spec_source source;
	struct spec_where where;
};

/* A named value that the steps refer to as $name and --set may override. */
struct spec_param {
	const char *name;
	const char *value;    /* effective text */
	const char *standard; /* what the spec says for this mode */
	bool overridden;      /* by --set, to another value */
	const char *help;
	struct spec_source source;
	struct spec_where where;
};

enum spec_axis_kind {
	SPEC_AXIS_RW_MIX,
	SPEC_AXIS_BLOCK_SIZE,
	SPEC_AXIS_THREADS,
	SPEC_AXIS_QUEUE_DEPTH,
	SPEC_AXES,
};

struct spec_axis {
	enum spec_axis_kind kind;
	uint64_t *values; /* read %, bytes, or a count, in the stated order */
	unsigned count;
	struct spec_where where;
};

struct spec_size {
	uint64_t block_bytes;
	double share; /* of I/Os; they sum to exactly 100 % */
};

struct spec_zone {
	double span_share, access_share;
};

enum spec_arrivals {
	SPEC_CLOSED_LOOP, /* fixed outstanding I/O: the PTS */
	SPEC_EXPONENTIAL,
	SPEC_CONSTANT,
};

/* One stream of a workload. A value that an axis supplies is left at its zero. */
struct spec_stream {
	const char *name;
	double weight;    /* share of I/Os among streams; 0 if rate_iops is set */
	double rate_iops; /* open loop; else 0 */
	enum spec_arrivals arrivals;
	double random_share; /* 1 random, 0 sequential */
	unsigned read_pct;
	bool has_read_pct;
	struct spec_size
		*sizes[2]; /* [0] reads or both, [1] writes if they differ (else NULL) */
	unsigned size_count[2];
	struct spec_zone *zones;
	unsigned zone_count;
	uint64_t align_bytes;              /* 0: the block size */
	double region_start, region_share; /* of the active range; 0 and 1 by default */
	unsigned threads, queue_depth;     /* 0: the workload's */
	double read_hit_share;             /* re-reads of recently accessed blocks */
	uint64_t think_ns;
};

struct spec_workload {
	const char *name;
	struct spec_stream *streams;
	unsigned stream_count;
	unsigned threads, queue_depth; /* 0: from an axis */
	const char *data_pattern;      /* "random" or "zero" */
	double compressible_share, duplicate_share;
	double active_range_share; /* of user capacity, from LBA 0 */
	double segment_share; /* with segments: part of the active range that is touched, */
	unsigned segments;    /* spread over so many equal segments; 0: all of it */
	bool carry_position;  /* sequential streams resume where they ended */
	struct spec_where where;
};

enum spec_metric {
	SPEC_IOPS,
	SPEC_MB_PER_S,
	SPEC_LAT_MEAN,
	SPEC_LAT_P99999,
	SPEC_LAT_MAX,
	SPEC_CPU_SYSTEM, /* system time of the host while the cell ran, % of all its CPUs' time */
	SPEC_METRICS,
};

/*
 * A tracking variable and its metric. ROUNDS: the one cell whose axis values match (the reader
 * has checked that there is exactly one). LOAD: the sample; no axis is set.
 */
struct spec_track {
	const char *name;
	enum spec_metric metric;
	bool has_axis[SPEC_AXES];
	uint64_t axis[SPEC_AXES];
	struct spec_where where;
};

enum spec_on_unsteady {
	SPEC_STOP,     /* stop at max rounds, report with the statement */
	SPEC_CONTINUE, /* go on until steady */
};

/* What a run that was stopped in a step begins again. */
enum spec_on_gap {
	SPEC_GAP_STEP, /* the step; of a loop the cut round, and the window */
	SPEC_GAP_TEST, /* the whole test from its first step: a gap would lie in its result */
};

struct spec_steady {
	unsigned window;
	double range_share, slope_share;
	struct spec_track *tracks;
	unsigned track_count;
};

/* What ends a load step: whichever comes first. */
struct spec_stop_rules {
	uint64_t duration_ns;      /* 0: no */
	struct pts_amount amount;  /* bytes written; NONE: no */
	uint64_t latency_limit_ns; /* mean latency of a record above it; 0: no */
	bool when_steady;          /* steady over the samples (spec_step.steady, .sample_ns) */
};

enum spec_step_kind {
	SPEC_STEP_PURGE,
	SPEC_STEP_LOAD,   /* one workload until a stop rule holds */
	SPEC_STEP_ROUNDS, /* axes looped as cells, until steady */
	SPEC_STEP_IDLE,   /* issues nothing at all */
	SPEC_STEP_CYCLE,  /* repeat: load for a time, idle for a time */
	SPEC_STEP_CHOOSE, /* points by rule from measured cells */
	SPEC_STEP_CURVE,  /* the maximum, then shares of it */
	SPEC_STEP_SEARCH, /* largest load with a latency under a limit */
	SPEC_STEP_KINDS,
};

enum spec_choose_rule {
	SPEC_HIGHEST, /* highest metric, among cells with mean latency below a limit if set */
	SPEC_FIXED_CELL,   /* the cell at given axis values */
	SPEC_NEAREST_MEAN, /* metric nearest to (a + b) / 2 of two chosen points */
};

struct spec_point {
	const char *name; /* unique in the spec */
	enum spec_choose_rule rule;
	enum spec_metric metric;
	uint64_t latency_limit_ns; /* SPEC_HIGHEST: 0 no limit */
	bool has_axis[SPEC_AXES];
	uint64_t axis[SPEC_AXES];
	const char *between[2]; /* SPEC_NEAREST_MEAN: earlier points of the same step */
	struct spec_where where;
};

struct spec_step {
	enum spec_step_kind kind;
	const char *name; /* the phase: "purge", "WIPC", "rounds 1024KiB"; unique in the spec */
	const char *group,
		*group_value; /* the for_each it came from ("block_size") and the value
					    ("1024KiB") as written; NULL outside */
	struct spec_where where;
	struct spec_source source;

	struct spec_workload work; /* LOAD, ROUNDS (template of a cell), CYCLE, CURVE, SEARCH */
	const char
		*at; /* threads and queue depth come from this point of an earlier CHOOSE step
			   (work.threads and .queue_depth are 0 then); NULL: no */
	bool keep_histogram; /* full histograms are stored */
	enum spec_on_gap on_gap;
	uint64_t record_ns; /* LOAD, CYCLE: the report's time step; 0: 1 s */

	struct spec_stop_rules stop; /* LOAD */
	/* LOAD with samples: groups of load and sample of one unbroken load; the sample's mean is
	 * the value of a "round" (group). sample_ns 0: no samples. */
	uint64_t sample_ns;
	uint64_t sample_load_ns;
	bool sample_first; /* the sample begins the group instead of ending it */

	struct spec_axis *axes; /* ROUNDS: outer first */
	unsigned axis_count;
	uint64_t cell_ns;    /* ROUNDS: time of a cell; CURVE, SEARCH: time of a point */
	unsigned max_rounds; /* ROUNDS, LOAD with samples (groups; 0: no limit) */
	enum spec_on_unsteady on_unsteady;
	struct spec_steady steady;      /* ROUNDS, and LOAD with stop.when_steady */
	struct spec_step *before_round; /* ROUNDS: LOAD steps before each round; may be NULL */
	unsigned before_round_count;

	uint64_t idle_ns; /* IDLE; CYCLE: the pause after each load; CURVE: before each point */
	uint64_t busy_ns; /* CYCLE: the load's time */
	unsigned repeat;  /* CYCLE */

	struct spec_point *points; /* CHOOSE */
	unsigned point_count;
	const char *from; /* CHOOSE: the rounds step whose last window is looked at */

	double *curve_shares; /* CURVE: of the maximum, in order; may exceed 1 */
	unsigned curve_count;
	uint64_t warmup_ns;       /* CURVE, SEARCH: of each point, not measured */
	double search_quantile;   /* SEARCH: 0.99 */
	uint64_t search_limit_ns; /* SEARCH: that quantile must stay at or below it */
	unsigned search_points;   /* SEARCH: at most so many points */
};

#define SPEC_PAGE_METRICS 4

/*
 * A report page as data; the report room gives kinds their meaning:
 *   convergence     y over rounds, one line for each value of `series` (or one line)
 *   window          the measurement window of `track`, with its determination table if `table`
 *   matrix_table    window means: rows and columns are axes, one block for each of ys
 *   matrix_lines    window means: x an axis or a metric, y, one line for each value of `series`
 *   matrix_columns  3D columns: x and z axes, y
 *   cell_bars       each cell a bar, ordered by threads x queue depth; ys left, y2s right (a line)
 *   timeline        x time, written (bytes since the purge) or fills (of the capacity); ys left,
 *                   y2s right; one line for each of steps and metric
 *   histogram       response times of a step; with the confidence axis if `confidence`
 *   recovery        table of steps: end value of y, peaks of y2s, time until the last step
 *                   reaches the mean of the first
 */
struct spec_page {
	const char *kind;
	const char *title;
	const char *step;   /* phase name: steps[0] */
	const char **steps; /* timeline, recovery: all of them, in order */
	unsigned step_count;
	const char *track;                   /* window pages */
	const char *x, *y, *y2, *series, *z; /* axis, metric or time names; NULL if not given */
	const char *ys[SPEC_PAGE_METRICS];   /* y is ys[0] */
	unsigned y_count;
	const char *y2s[SPEC_PAGE_METRICS]; /* right-hand axis: y2 is y2s[0] */
	unsigned y2_count;
	const char *rows, *columns;    /* tables: axis names */
	bool table;                    /* window pages: with the determination table */
	bool confidence;               /* histogram pages: cumulative %, 3/4/5 nines, mean */
	double level_share;            /* recovery: of the first step's mean, as a share */
	const char *x_scale, *y_scale; /* "linear", "log2", "log10" */
	struct {
		enum spec_axis_kind axis;
		uint64_t value;
	} where[SPEC_AXES];
	unsigned where_count;
	struct spec_where at;
};

struct spec {
	struct pts_arena *arena;
	const char *file; /* as found */
	const char *name; /* file stem: the test's name in store and reports */
	const char *title;
	const char *standard; /* "SNIA SSS PTS 2.0.2"; NULL for a workload outside it */
	const char *section;
	const char *revision; /* for this mode: "PTS-E 2.0.2" */
	const char *description;
	const char **labels; /* stamped on every report: "burst, not PTS" */
	unsigned label_count;
	enum spec_mode mode;
	const char *text; /* the file, byte for byte */
	size_t text_bytes;
	char sha256[PTS_SHA256_TEXT];

	bool has_write_cache;     /* the spec asks for a state of the drive's cache */
	bool write_cache_enabled; /* of the drive, not of the host */
	struct spec_source write_cache_source; /* (also in params, as "write_cache") */

	struct spec_param *params;
	unsigned param_count;
	struct spec_step *steps;
	unsigned step_count;
	struct spec_page *pages;
	unsigned page_count;
	struct spec_citation *citations;
	unsigned citation_count;
};

/* "KEY=VALUE" as given with --set. */
struct spec_override {
	const char *key;
	const char *value;
};

/*
 * Reads and checks a whole spec for one mode. Every fault found is one line
 * "FILE:LINE:COL: text" given to fault() (up to a bound); the return value is 0, or -EINVAL with
 * *err holding the first one (PTS_EXIT_SPEC), or another -errno (-ENOENT: PTS_EXIT_USAGE).
 * An override of a key that no spec parameter has is PTS_EXIT_USAGE with the nearest name; with
 * lenient_overrides it is ignored (several specs, one --set list).
 */
struct spec_options {
	enum spec_mode mode;
	const struct spec_override *overrides;
	unsigned override_count;
	bool lenient_overrides;
	void (*fault)(void *ctx, const char *line);
	void *fault_ctx;
};

int spec_read_file(const char *path, const struct spec_options *options, struct spec **ret_spec,
		   struct pts_err *err);
/* The same from memory: for resume (the text in the store) and the fuzzers. */
int spec_read_text(const char *file, const char *text, size_t text_bytes,
		   const struct spec_options *options, struct spec **ret_spec,
		   struct pts_err *err);
void spec_free(struct spec *spec); /* NULL is legal */

/* Reads a file in both modes and reports each fault once: `pts check`. 0 or as spec_read_file. */
int spec_check_file(const char *path, void (*fault)(void *ctx, const char *line), void *ctx,
		    struct pts_err *err);

/*
 * Finds a spec by path ("specs/iops.yaml") or name ("iops", "workloads/jesd219"): the path as it
 * is, then $PTS_SPECS, the specs folder beside the program, the install prefix. *ret_path is
 * the caller's to free(). -ENOENT: PTS_EXIT_USAGE with the nearest name.
 */
int spec_find(const char *name, char **ret_path, struct pts_err *err);
/* Calls fn for each spec file that can be found, sorted, tests before workloads. */
int spec_each(void (*fn)(void *ctx, const char *name, const char *path), void *ctx,
	      struct pts_err *err);

/* The key table, for `pts spec keys` and the man page. */
struct spec_key {
	const char *context; /* "step.rounds", "stream", "page" ... */
	const char *name;
	const char *type;
	const char *unit;
	const char *range;
	const char *standard; /* default; "" if there is none */
	bool required;
	const char *help;
};
const struct spec_key *spec_keys(unsigned *ret_count);

/*
 * The file of `--about`: a flat YAML mapping of text (context "about" of the key table: operator,
 * sponsor, auditor, nand_type, form_factor ...). Calls fn for each key in the file's order; a
 * non-zero return of fn ends the reading with that value. Faults as FILE:LINE:COL in *err
 * (PTS_EXIT_SPEC, -EINVAL), -ENOENT: PTS_EXIT_USAGE.
 */
int spec_about_read(const char *path, int (*fn)(void *ctx, const char *key, const char *value),
		    void *ctx, struct pts_err *err);

const char *spec_mode_text(enum spec_mode mode); /* "enterprise" */
int spec_mode_parse(const char *text, enum spec_mode *ret_mode);
const char *spec_axis_text(enum spec_axis_kind kind);   /* "rw_mix" */
const char *spec_metric_text(enum spec_metric metric);  /* "iops" */
const char *spec_rule_text(enum spec_choose_rule rule); /* "highest" */
const char *spec_basis_text(enum spec_basis basis);
const char *spec_binding_text(enum spec_binding binding);
const char *spec_step_text(enum spec_step_kind kind);
/* An axis value in the spec's own writing: "65/35", "4KiB", "32". room >= 48. */
void spec_axis_value_text(enum spec_axis_kind kind, uint64_t value, char *text, size_t room);

#endif
