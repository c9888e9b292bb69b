/*
 * The run: takes the plan's steps in order, asks the engine, stores, asks the judge with the
 * series read back from the store, goes on or closes the phase. Signals, stop rules, resume.
 * Emits events; never prints. Must not know io_uring or SQL text.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "pts_err.h"
#include "plan.h"

enum run_event_kind {
	RUN_BEGIN, /* text: run directory */
	RUN_STEP_BEGIN,
	RUN_STEP_END, /* text: outcome */
	RUN_ROUND_BEGIN,
	RUN_CELL_BEGIN,
	RUN_PROGRESS, /* about once a second */
	RUN_CELL_END,
	RUN_ROUND_END, /* steady figures of each track */
	RUN_NOTE,      /* text: degraded, deviation, gap, warning */
	RUN_END,       /* text: how it ended */
};

struct run_track_state {
	const char *name;
	bool valid;
	double average, range_pct, slope_pct;
	bool steady;
};

struct run_event {
	enum run_event_kind kind;
	const char *text;
	const char *test, *phase;
	unsigned step, step_count;
	unsigned round,
		max_rounds; /* 0: outside loops; max_rounds also 0: as many as it takes */
	bool brief; /* of a cycle: one of many short rounds, not worth a line of its own */
	unsigned cell, cell_count;
	const char *cell_label;
	double iops, mb_per_s;                   /* now (progress) or of the cell (cell end) */
	double done_share;                       /* of the phase */
	uint64_t left_likely_ns, left_latest_ns; /* of the run */
	const struct run_track_state *tracks;
	unsigned track_count;
};

struct run_options {
	const char *out_dir;    /* made by run_start */
	const char *identity;   /* as given with --destroy */
	const char *purge_name; /* NULL: best */
	const char *backend;    /* "uring" (NULL), "psync" */
	const char *command_line;
	const char *about_path; /* YAML or NULL */
	uint64_t master_seed;   /* 0: fresh */
	bool pin;
	void (*event)(void *ctx, const struct run_event *event);
	void *event_ctx;
};

struct run_outcome {
	enum pts_exit exit; /* GOOD, VERDICT, RESUMABLE, DEVICE ... */
	unsigned tests_steady, tests_not_steady;
	const char *store_path; /* lives until run_outcome_release */
};

struct device_facts;

/* The plan's device block from facts and the purge that would run: the same for plan and run. */
int run_plan_device(const struct device_facts *facts, const char *purge_name,
		    struct plan_device *ret_device, struct pts_err *err);

/* A whole run. Nothing is left in out_dir when it is refused. The guard and the identity are
 * checked before anything is written. */
int run_start(const struct plan *plan, const struct device_facts *facts,
	      const struct run_options *options, struct run_outcome *ret_outcome,
	      struct pts_err *err);
/* Goes on after a stop: same drive by identity, cut round redone, fresh window, gap recorded. */
int run_resume(const char *dir, const struct run_options *options,
	       struct run_outcome *ret_outcome, struct pts_err *err);
void run_outcome_release(struct run_outcome *outcome);

/* Asks the run of this process to stop cleanly (async-signal-safe): exit 75. */
void run_request_stop(int signal_number);

#endif
