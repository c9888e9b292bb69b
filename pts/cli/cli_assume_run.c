/*
 * The rates that a run measured: a mean for each load of each step, over all of its valid rounds,
 * with what lay between the cells. Judges nothing; a step that did not end says nothing of its
 * rounds.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_assume.h"
#include "pts_arena.h"
#include "store.h"

/* Sums over the cells of one load in one step. */
struct load {
	struct plan_known known;
	int step;
	double elapsed_ns, bytes, written, after_ns;
	unsigned cells;
};

struct gathering {
	struct pts_arena *arena;
	struct plan_known_step *steps; /* by the run's step numbers */
	unsigned step_count, step_room;
	struct load *loads;
	unsigned load_count, load_room;
};

static void *grown(void *list, unsigned count, unsigned *room, size_t bytes)
{
	if (count < *room)
		return list;
	*room = *room ? *room * 2 : 64;
	list = realloc(list, *room * bytes);
	if (!list)
		abort();
	return list;
}

static bool whole(const struct store_step_row *step)
{
	return step->ended && step->outcome && strcmp(step->outcome, "stopped") != 0 &&
	       strcmp(step->outcome, "failed") != 0;
}

static int take_step(void *ctx, const struct store_step_row *step)
{
	struct gathering *to = ctx;
	struct plan_known_step *one;

	to->steps = grown(to->steps, to->step_count, &to->step_room, sizeof(*to->steps));
	one = &to->steps[to->step_count++];
	*one = (struct plan_known_step){
		.test = pts_arena_strdup(to->arena, step->plan.test),
		.phase = pts_arena_strdup(to->arena, step->plan.phase),
	};
	if (!whole(step))
		return 0;
	one->elapsed_ns = step->elapsed_ns;
	one->rounds = step->rounds_closed > 0 ? (unsigned)step->rounds_closed : 0;
	one->steady = !strcmp(step->outcome, "steady");
	return 0;
}

static struct load *load_of(struct gathering *to, const struct store_cell *cell)
{
	struct load *load;

	for (unsigned i = 0; i < to->load_count; i++)
		if (to->loads[i].step == cell->step &&
		    !strcmp(to->loads[i].known.label, cell->label))
			return &to->loads[i];
	to->loads = grown(to->loads, to->load_count, &to->load_room, sizeof(*to->loads));
	load = &to->loads[to->load_count++];
	*load = (struct load){.step = cell->step};
	load->known = (struct plan_known){
		.label = pts_arena_strdup(to->arena, cell->label),
		.random_share = cell->access && !strcmp(cell->access, "sequential") ? 0 : 1,
		.read_pct = cell->read_pct >= 0 ? (unsigned)cell->read_pct : 0,
		.block_bytes = cell->read_pct >= 0 && cell->access &&
					       strcmp(cell->access, "mixed") != 0
				       ? cell->block_bytes
				       : 0,
		.threads = cell->threads,
		.queue_depth = cell->queue_depth,
	};
	return load;
}

static int take_cell(void *ctx, const struct store_cell *cell)
{
	struct gathering *to = ctx;
	struct load *load;

	if (!cell->valid || !cell->elapsed_ns || cell->step < 0 ||
	    (unsigned)cell->step >= to->step_count)
		return 0;
	load = load_of(to, cell);
	load->elapsed_ns += (double)cell->elapsed_ns;
	load->bytes += (double)cell->total.bytes;
	load->written += (double)cell->dir[1].bytes;
	load->after_ns += (double)cell->drain_ns + (double)cell->gap_ns;
	load->cells++;
	return 0;
}

static void hand_over(const struct gathering *from, struct cli_assume *assume)
{
	struct plan_known *list =
		PTS_ARENA_ARRAY(assume->arena, struct plan_known, from->load_count + 1);
	struct plan_known_step *steps =
		PTS_ARENA_ARRAY(assume->arena, struct plan_known_step, from->step_count + 1);

	for (unsigned i = 0; i < from->load_count; i++) {
		const struct load *load = &from->loads[i];

		list[i] = load->known;
		list[i].test = from->steps[load->step].test;
		list[i].phase = from->steps[load->step].phase;
		list[i].mb_per_s = load->bytes * 1000 / load->elapsed_ns;
		list[i].write_mb_per_s = load->written * 1000 / load->elapsed_ns;
		list[i].after_ns = (uint64_t)(load->after_ns / load->cells);
	}
	if (from->step_count)
		memcpy(steps, from->steps, from->step_count * sizeof(*steps));
	assume->assume.known = list;
	assume->assume.known_count = from->load_count;
	assume->assume.steps = steps;
	assume->assume.step_count = from->step_count;
}

static int gather(struct store *store, const char *path, struct cli_assume *assume,
		  struct pts_err *err)
{
	const struct store_cell_filter all = {.step = -1};
	struct gathering to = {.arena = assume->arena};
	const struct store_run *run;
	int rc = store_get_run(store, &run, err);

	if (!rc)
		rc = store_each_step(store, take_step, &to, err);
	if (!rc)
		rc = store_each_cell(store, &all, take_cell, &to, err);
	if (!rc && !to.load_count)
		rc = pts_fail(err, PTS_EXIT_USAGE, ENODATA,
			      "--assume '%s': this run has measured nothing yet", path);
	if (!rc) {
		hand_over(&to, assume);
		assume->assume.kind = "run";
		assume->assume.source =
			pts_arena_printf(assume->arena, "%s, drive %s", path, run->identity);
		if (run->purge_method)
			assume->assume.purge_name =
				pts_arena_strdup(assume->arena, run->purge_method);
	}
	free(to.steps);
	free(to.loads);
	return rc;
}

int cli_assume_run(const char *path, struct cli_assume *assume, struct pts_err *err)
{
	struct store *store = NULL;
	char *file = NULL;
	int rc = store_locate(path, &file, err);

	if (!rc)
		rc = store_open(file, STORE_READ, &store, err);
	if (!rc)
		rc = gather(store, path, assume, err);
	store_close(store);
	free(file);
	return rc;
}
