/*
 * What the run's tests share: a folder of their own with a file as the device, a small spec as
 * text, the run and its store read back.
 */
#ifndef RUN_FIXTURE_H
#define RUN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#include "device.h"
#include "plan.h"
#include "run.h"
#include "store.h"

#define MIB (1ull << 20)

struct scene {
	char folder[64], file[96], out[96], about[96];
	struct spec *spec;
	struct plan *plan;
	struct device_facts facts;
	struct run_options options;
	struct run_outcome outcome;
	struct pts_err err;
	unsigned events[RUN_END + 1];
	char last_note[256];
	/* called for each event, for tests that act in the middle of a run */
	void (*hook)(struct scene *scene, const struct run_event *event);
	enum run_event_kind at_kind; /* what a hook waits for */
	unsigned at_round, at_cell;
	bool acted;
};

/*
 * The small spec: purge, a fill of the whole device, rounds of 100/0 and 0/100 at 64KiB and 4KiB.
 * Parameters that overrides may change: cell_time, max_rounds, on_unsteady, range, second_block,
 * fill_time. Steady by default after two rounds; range=0.000001% makes that impossible.
 */
extern const char small_spec[];

/* Skips the test program where files can't be opened for direct I/O. */
void scene_begin(struct scene *scene, uint64_t bytes, const char *const *overrides);
void scene_end(struct scene *scene); /* removes the folder with all that is in it */
int scene_run(struct scene *scene);
int scene_resume(struct scene *scene);
/* scene_run or scene_resume in a child, which the hook may kill; its wait status. */
int scene_fork(struct scene *scene, int (*go)(struct scene *scene));

/* hook: SIGINT to this run, or SIGKILL to this process, at at_kind, at_round, at_cell */
void hook_stop(struct scene *scene, const struct run_event *event);
void hook_kill(struct scene *scene, const struct run_event *event);
bool hook_is_here(struct scene *scene, const struct run_event *event);

/* What the store says. */
struct told {
	enum store_state state;
	int exit_code;
	char backend[16], outcome[8][32];
	unsigned valid_rounds, cut_rounds, fresh_rounds;
	unsigned cells;         /* of valid rounds */
	unsigned invalid_cells; /* with valid = 0 */
	unsigned loads;         /* valid rows outside loops */
	uint64_t load_bytes;
	unsigned steady_rows, deviations, gap_deviations;
	int last_steady_first; /* first round of the last judged window; 0: none */
	bool windows_whole;    /* no judged window reaches over a fresh mark */
	uint64_t max_gap_ns;
	unsigned first_gaps; /* first cells of a round with a gap: must be 0 */
	unsigned no_gaps;    /* other cells without one */
	unsigned same_seeds;
	unsigned facts[4]; /* device_before, device_after, host_before, host_after */
	unsigned about;
	unsigned stopped, resumed, foreign, degraded, purges, broken; /* events */
	uint64_t verify_checked, verify_differences;
};

void scene_told(struct scene *scene, struct told *ret_told);
bool scene_has_store(const struct scene *scene);
/* Number of entries in a folder; -1 if it is not there. */
int entries(const char *path);

#endif
