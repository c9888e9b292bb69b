/*
 * A spec: one test or workload as data, read from YAML (libyaml's document API) under one key
 * table (spec_keys.c), for one mode, with overrides applied and every $parameter replaced and
 * typed. Knows the language; must not know device, engine, time or store.
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
	SPEC_BINDING_FREE,	  /* operator's choice */
	SPEC_BINDING_RECOMMENDED, /* the standard recommends it: another value is noted */
	SPEC_BINDING_FIXED,	  /* the standard fixes it: another value is a deviation */
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
	double weight;	     /* share of I/Os among streams; 0 if rate_iops is set */
	double rate_iops;    /* open loop */
	enum spec_arrivals arrivals;
	double random_share; /* 1 random, 0 sequential */
	unsigned read_pct;
	bool has_read_pct;
	struct spec_size *sizes[2]; /* [0] reads or both, [1] writes if they differ (else NULL) */
	unsigned size_count[2];
	struct spec_zone *zones;
	unsigned zone_count;
	uint64_t align_bytes;		     /* 0: the block size */
	double region_start, region_share;   /* of the active range; 0 and 1 by default */
	unsigned threads, queue_depth;	     /* 0: the workload's */
	double read_hit_share;		     /* re-reads of recently accessed blocks */
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
	unsigned segments;	   /* active range spread over so many equal segments; 0: plain */
	bool carry_position;	   /* sequential streams resume where they ended */
	struct spec_where where;
};

enum spec_metric {
	SPEC_IOPS,
	SPEC_MB_PER_S,
	SPEC_LAT_MEAN,
	SPEC_LAT_P99999,
	SPEC_LAT_MAX,
	SPEC_METRICS,
};

/* A tracking variable: the cell whose axis values match, and its metric. */
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

struct spec_steady {
	unsigned window;
	double range_share, slope_share;
	struct spec_track *tracks;
	unsigned track_count;
};

/* What ends a load step: whichever comes first. */
struct spec_stop_rules {
	uint64_t duration_ns;	   /* 0: no */
	struct pts_amount amount;  /* NONE: no */
	double latency_limit_ns;   /* 0: no */
	bool when_steady;	   /* with steady below, over the samples */
};

enum spec_step_kind {
	SPEC_STEP_PURGE,
	SPEC_STEP_LOAD,	    /* one workload until a stop rule holds */
	SPEC_STEP_ROUNDS,   /* axes looped as cells, until steady */
	SPEC_STEP_IDLE,	    /* issues nothing at all */
	SPEC_STEP_CYCLE,    /* repeat: load for a time, idle for a time */
	SPEC_STEP_CHOOSE,   /* points by rule from measured cells */
	SPEC_STEP_FOR_EACH, /* its children for each value of an axis or each chosen point */
	SPEC_STEP_CURVE,    /* the maximum, then shares of it */
	SPEC_STEP_SEARCH,   /* largest load with a latency under a limit */
	SPEC_STEP_KINDS,
};

enum spec_choose_rule {
	SPEC_HIGHEST_UNDER_LATENCY, /* highest metric among cells with mean latency below a limit */
	SPEC_FIXED_CELL,	    /* the cell at given axis values */
	SPEC_NEAREST_MEAN,	    /* nearest to (a + b) / 2 of two chosen points */
};

struct spec_point {
	const char *name;
	enum spec_choose_rule rule;
	enum spec_metric metric;
	uint64_t latency_limit_ns;
	bool has_axis[SPEC_AXES];
	uint64_t axis[SPEC_AXES];
	const char *between[2];
	struct spec_where where;
};

struct spec_step {
	enum spec_step_kind kind;
	const char *name; /* the phase: "purge", "WIPC", "rounds", unique among siblings */
	struct spec_where where;
	struct spec_source source;

	struct spec_workload work; /* LOAD, ROUNDS (template of a cell), CYCLE, CURVE, SEARCH */
	struct spec_stop_rules stop;
	uint64_t sample_ns;	  /* LOAD: sampled load: every load_ns a sample of sample_ns */
	uint64_t sample_load_ns;
	bool sample_first;	  /* the sample begins the group instead of ending it */
	bool keep_histogram;

	struct spec_axis *axes;	  /* ROUNDS: outer first; FOR_EACH: one */
	unsigned axis_count;
	uint64_t cell_ns;	  /* ROUNDS: time of a cell */
	unsigned max_rounds;
	enum spec_on_unsteady on_unsteady;
	struct spec_steady steady; /* ROUNDS, and LOAD with when_steady */
	struct spec_step *before_round; /* ROUNDS: steps before each round (pre-write); may be NULL */
	unsigned before_round_count;

	uint64_t idle_ns;	   /* IDLE; CYCLE: the pause */
	uint64_t *idle_values_ns;  /* FOR_EACH over waits */
	unsigned idle_value_count;
	uint64_t busy_ns;	   /* CYCLE: the load's time */
	unsigned repeat;	   /* CYCLE */

	struct spec_point *points; /* CHOOSE */
	unsigned point_count;
	const char *from;	   /* CHOOSE: the rounds step; CURVE: %; FOR_EACH: the choose step */

	double *curve_shares;	   /* CURVE: of the maximum */
	unsigned curve_count;
	double search_quantile;	   /* SEARCH: 0.99 */
	uint64_t search_limit_ns;

	struct spec_step *children; /* FOR_EACH */
	unsigned child_count;
};

/* A report page as data; the report room gives kinds their meaning. */
struct spec_page {
	const char *kind;  /* convergence window matrix_table matrix_lines matrix_columns timeline
			      histogram recovery demand_variation demand_intensity ... */
	const char *title;
	const char *step;  /* phase name */
	const char *track; /* window pages */
	const char *x, *y, *y2, *series, *z; /* axis or metric names; NULL if not given */
	const char *rows, *columns;	     /* tables: axis names */
	bool table;			     /* window pages: with the determination table */
	const char *x_scale, *y_scale;	     /* "linear", "log2", "log10" */
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
	enum spec_mode mode;
	const char *text; /* the file, byte for byte */
	size_t text_bytes;
	char sha256[PTS_SHA256_TEXT];

	bool has_write_cache;
	bool write_cache_enabled; /* of the drive, not of the host */
	struct spec_source write_cache_source;

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
	const char *standard; /* default; "" if required */
	const char *help;
};
const struct spec_key *spec_keys(unsigned *ret_count);

const char *spec_mode_text(enum spec_mode mode);	   /* "enterprise" */
int spec_mode_parse(const char *text, enum spec_mode *ret_mode);
const char *spec_axis_text(enum spec_axis_kind kind);	   /* "rw_mix" */
const char *spec_metric_text(enum spec_metric metric);	   /* "iops" */
const char *spec_basis_text(enum spec_basis basis);
const char *spec_binding_text(enum spec_binding binding);
const char *spec_step_text(enum spec_step_kind kind);
/* An axis value in the spec's own writing: "65/35", "4KiB", "32". room >= 48. */
void spec_axis_value_text(enum spec_axis_kind kind, uint64_t value, char *text, size_t room);

#endif
