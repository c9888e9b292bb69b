/* What the files of verify share: the sink of differences and the stored plan. */
#ifndef VERIFY_INTERNAL_H
#define VERIFY_INTERNAL_H

#include <stdbool.h>

#include <jansson.h>

#include "verify.h"

struct verify {
	struct store *store;
	void (*difference)(void *ctx, const char *line);
	void *ctx;
	struct verify_counts counts;
	struct pts_err *err;
	json_t *plan; /* the stored plan; NULL: unreadable, which is a difference */
	const struct store_run *run;
	unsigned resumes; /* events that say so */
	unsigned steps;
	unsigned gaps; /* rounds behind one */
	size_t deviations;
	bool all_steady;  /* every loop ended steady */
	bool steps_ended; /* every step has an outcome */
	uint64_t end_ns;  /* of the step before */
};

/* where: "step 2 round 3 cell 4"; NaN equals NaN (both missing). Equal within 1e-12 relative: the
 * stored doubles went through the same arithmetic, another machine's long double bends the last
 * digits at most. What a cell holds is compared to the last bit besides, by its digest. */
void verify_double(struct verify *verify, const char *where, const char *column, double stored,
		   double computed);
void verify_u64(struct verify *verify, const char *where, const char *column, uint64_t stored,
		uint64_t computed);
void verify_text(struct verify *verify, const char *where, const char *column,
		 const char *stored, const char *computed);
void verify_that(struct verify *verify, bool holds, const char *where, const char *what);

/* verify_plan.c: the plan's JSON against the run, and what the other files ask of it. NULL,
 * negative or the fallback if it doesn't say. */
int verify_plan_open(struct verify *verify);
const json_t *verify_plan_step(const struct verify *verify, int step);
const json_t *verify_plan_cell(const struct verify *verify, int step, int cell);
const char *verify_json_text(const json_t *object, const char *key);
int64_t verify_json_whole(const json_t *object, const char *key, int64_t fallback);
double verify_json_number(const json_t *object, const char *key);
bool verify_json_true(const json_t *object, const char *key);

/* Time and amount that a cell was asked for are the plan's, or less in a step with limits. */
void verify_cell_limits(struct verify *verify, const char *where,
			const struct store_cell *cell);
/* How the cells that count used up the limits of their step. */
struct verify_limits {
	const char *reached; /* as an outcome; NULL: none */
	int part_round;      /* the round that a limit cut; 0: none */
};
int verify_limits(struct verify *verify, int step, struct verify_limits *ret_limits);

void verify_shares(struct verify *verify, const char *where, const struct store_cell *cell);

int verify_cells(struct verify *verify);
/* One cell against the plan's and against the recorded master seed. */
void verify_cell_plan(struct verify *verify, const char *where, const struct store_cell *cell);
/* Where a cell stands among those of its round as they were done: loads before it first. */
int verify_place(const struct store_cell *cell);
int verify_steps(struct verify *verify);
/* verify_choose.c: the points of a step that chooses, and whether a cell runs at its point. */
int verify_choices(struct verify *verify, const struct store_step_row *row);
int verify_point(struct verify *verify, const char *where, const struct store_cell *cell,
		 const char *point);
/* The judgements of one loop (part_round: is no value of it); *ret_steady_round is the round at which all of its tracks are steady
 * for good, 0 if there is none. */
int verify_judgement(struct verify *verify, int step, int part_round, int *ret_steady_round);

#endif
