/* What the files of the run share: its state and the calls between them. */
#ifndef RUN_INTERNAL_H
#define RUN_INTERNAL_H

#include "device.h"
#include "engine.h"
#include "plan.h"
#include "purge.h"
#include "run.h"
#include "store.h"

/* Ticks of all CPUs together since the host's start; all 0: not known. */
struct run_cpu {
	uint64_t system, all;
};

/* What ends one cell: the plan's, or what is left of its step's limits; 0: no such limit. */
struct run_limits {
	uint64_t duration_ns, amount_bytes;
};

/* A measured cell that is not committed yet: it is written while the next one already runs. */
struct run_pending {
	bool used;
	const struct plan_step *step;
	const struct plan_cell *cell;
	struct run_limits limits;
	int round;
	uint64_t seed;
	uint64_t gap_ns;
	uint64_t started_wall_ns;
	double cpu_system_pct;
	struct engine_result *result;  /* one of run->results */
	char reason[PTS_ERR_TEXT_MAX]; /* why it is not valid; "" = valid */
};

struct run {
	const struct plan *plan;
	const struct run_options *options;
	struct device_facts facts;
	struct device *device;
	struct engine *engine;
	struct store *store;
	const struct purge_method *purge;
	const char *backend; /* a resumed run keeps the one that it began with */
	uint64_t master_seed;
	uint64_t attempt; /* how often the run was resumed: a cell done again gets a new seed */
	uint64_t begun_ns; /* of this process's part of the run */

	struct engine_result *results[2]; /* in turn: one runs while the other is written */
	struct plan_cell at_point[2]; /* cells that run at a chosen point, of the same turn */
	unsigned turn;
	struct run_pending pending;
	/* A step whose last cell is pending and that is not ended in the store, as the next one of
	 * the same line of time begins at once: both are written while that one runs. NULL: none. */
	const struct plan_step *unsettled;
	uint64_t unsettled_ns;             /* how long it took */
	const struct plan_step *beginning; /* the next one; NULL: not there yet */
	uint64_t beginning_ns;
	uint64_t last_completion_ns; /* of the previous cell of the same round; 0: none */
	uint64_t step_bytes_written;
	uint64_t step_first_ns,
		step_end_ns; /* begin and end of what its cells have run so far */
	uint64_t round_bytes
		[ENGINE_DIRS]; /* submitted to the device, for the kernel's counters */
	bool round_bytes_known;

	struct device_health health; /* as it was last seen */
	char cache_found[32];        /* the drive's write cache before the first switch */

	unsigned tests_steady, tests_not_steady;
};

/* How a part of the run ended. A stop is not an error: *err stays empty. */
enum run_flow {
	RUN_GO_ON,
	RUN_STOPPED, /* asked to stop */
	RUN_BROKEN,  /* *err holds why */
};

/* Outcomes of a step that need not be done again; a stopped or failed one has another. */
#define RUN_OUTCOME_DONE     "done"
#define RUN_OUTCOME_STEADY   "steady"
#define RUN_OUTCOME_UNSTEADY "not steady"
#define RUN_OUTCOME_UNJUDGED "not judged" /* a tracked cell can't run on this device */
#define RUN_OUTCOME_AMOUNT   "amount"     /* a sampled load that reached its limit */
#define RUN_OUTCOME_TIME     "time"

/* run_stop.c */
bool run_stop_wanted(void);
int run_stop_signal(void);
/* From now on a wish to stop ends the engine's job too; one that came before stays. */
void run_stop_watch(struct engine *engine);
void run_stop_forget(void); /* the run is over: the engine goes, the wish was this run's */

/* run_cell.c */
/* Measures one cell and leaves it pending; the one before is committed while it runs. */
enum run_flow run_cell(struct run *run, const struct plan_step *step,
		       const struct plan_cell *cell, int round, struct pts_err *err);
/* Commits what is pending. */
int run_cell_flush(struct run *run, struct pts_err *err);
/* A row for a cell that this device can't run. */
int run_cell_skip(struct run *run, const struct plan_step *step, const struct plan_cell *cell,
		  int round, struct pts_err *err);
void run_cell_drop(struct run *run); /* throws the pending cell away */
/* The limit of the step that its cells have reached, as an outcome; NULL: none. */
const char *run_limit_reached(const struct run *run, const struct plan_step *step);

/* run_choose.c */
enum run_flow run_choose(struct run *run, const struct plan_step *step, struct pts_err *err);
/* The planned cell with the threads and queue depth of its point; not applicable if its point
 * could not be chosen. */
int run_point_cell(struct run *run, const struct plan_step *step,
		   const struct plan_cell *planned, struct plan_cell *ret_cell,
		   struct pts_err *err);

/* run_host.c */
void run_host_cpu(struct run_cpu *ret_cpu);
/* Share of system time between two looks, in % of all CPUs' time; NaN if it says nothing. */
double run_host_system_pct(const struct run_cpu *from, const struct run_cpu *to);

/* run_commit.c */
int run_commit(struct run *run, const struct run_pending *pending, struct pts_err *err);

/* run_step.c */
/* Ends the unsettled step in the store and begins the next one; rc is that of its last cell. */
int run_step_settled(struct run *run, int rc, struct pts_err *err);
enum run_flow run_step(struct run *run, const struct plan_step *step, int first_round,
		       struct pts_err *err);
void run_count_verdict(struct run *run, const char *outcome);
/* Issues nothing at all until then (pts_now_ns()); phase_ns of the step are over when it begins. */
enum run_flow run_idle(const struct run *run, const struct plan_step *step, int round,
		       uint64_t until_ns);

/* run_judge.c: the judgement of one round, a row and an event state for each track of the step. */
struct run_verdict {
	struct store_steady *rows;
	struct run_track_state *states;
	unsigned row_count, state_count;
	bool steady; /* all of them */
};

int run_judge(struct run *run, const struct plan_step *step, int round,
	      struct run_verdict *ret_verdict, struct pts_err *err);

/* run_rounds.c */
enum run_flow run_rounds(struct run *run, const struct plan_step *step, int first_round,
			 const char **ret_outcome, struct pts_err *err);
/* How the loop ends behind this round; NULL: it goes on. */
const char *run_rounds_ending(const struct plan_step *step, int round, bool steady);

/* run_open.c: device, engine and what else a run holds; run_release undoes it. */
int run_hold(struct run *run, const char *identity, const char *out_dir, struct pts_err *err);
int run_steps(struct run *run, unsigned first_step, int first_round,
	      struct run_outcome *ret_outcome, struct pts_err *err);
/* Only the end is missing: facts, state, seal. */
int run_finish(struct run *run, const char *dir, struct run_outcome *ret_outcome,
	       struct pts_err *err);
int run_facts(struct run *run, const char *when, struct pts_err *err);
void run_release(struct run *run);

/* run_resume_model.c */
/* Facts of the model drive that a run was made on, in run->facts; its clock stands behind all that
 * the store holds. PTS_EXIT_SAFETY if it is not there any more. */
int run_resume_model(struct run *run, const struct store_run *stored, const char *dir,
		     struct pts_err *err);

/* run_cache.c */
/* Switches the drive's write cache to what the test asks, if the drive can. PTS_EXIT_DEVICE. */
int run_cache_set(struct run *run, const char *test, struct pts_err *err);

/* run_health.c */
void run_health_begin(struct run *run);
/* Behind a round, or a step (round 0): a note of what the log says that bends the numbers. */
void run_health_look(struct run *run, const struct plan_step *step, int round);

/* run_event.c */
void run_emit(const struct run *run, struct run_event *event);
void run_note(struct run *run, int step, int round, int cell, const char *level,
	      const char *kind, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* Time of one round with everything in it; 0: not known beforehand. */
uint64_t run_round_ns(const struct plan_step *step);
/* How much of its round is over when so much of a cell is. */
double run_round_share(const struct plan_step *step, const struct plan_cell *cell,
		       double share);
void run_left(const struct run *run, const struct plan_step *step, int round, double done_share,
	      uint64_t step_elapsed_ns, struct run_event *ret_event);

#endif
