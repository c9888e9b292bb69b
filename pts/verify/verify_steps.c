/*
 * Steps and rounds: complete and in order, times around those of their cells, bytes written as the
 * sum of them, the outcome as the judgements have it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify_internal.h"

/* What the cells of one step say about it. */
struct sums {
	struct verify *verify;
	int step;
	uint64_t bytes_written;
	uint64_t first_ns, last_ns; /* of all, 0: none was measured */
	struct round_sums {
		uint64_t first_ns, last_ns;
	} * attempts; /* in the order of store_each_round */
	size_t attempt_count, attempt_room;
	int cells_seen, round, cell; /* where store_each_cell is */
};

static void widen(uint64_t *first_ns, uint64_t *last_ns, const struct store_cell *cell)
{
	uint64_t end_ns = cell->started_ns + cell->elapsed_ns;

	if (!cell->elapsed_ns)
		return;
	if (!*first_ns || cell->started_ns < *first_ns)
		*first_ns = cell->started_ns;
	if (end_ns > *last_ns)
		*last_ns = end_ns;
}

/* Cells come by round, attempt and cell, so a number that doesn't rise begins another attempt. */
static int sum_cell(void *ctx, const struct store_cell *cell)
{
	struct sums *sums = ctx;

	if (!sums->attempt_count || cell->round != sums->round ||
	    verify_place(cell) <= sums->cell) {
		if (sums->attempt_count == sums->attempt_room) {
			sums->attempt_room = sums->attempt_room ? sums->attempt_room * 2 : 64;
			sums->attempts = realloc(sums->attempts,
						 sums->attempt_room * sizeof(*sums->attempts));
			if (!sums->attempts)
				abort();
		}
		sums->attempts[sums->attempt_count++] = (struct round_sums){0};
	}
	sums->round = cell->round;
	sums->cell = verify_place(cell);
	if (!cell->is_void) {
		sums->bytes_written += cell->dir[1].bytes;
		widen(&sums->first_ns, &sums->last_ns, cell);
	}
	widen(&sums->attempts[sums->attempt_count - 1].first_ns,
	      &sums->attempts[sums->attempt_count - 1].last_ns, cell);
	return 0;
}

/* Rounds of one step, side by side with the sums of their cells. */
struct rounds {
	struct verify *verify;
	const struct sums *sums;
	const struct store_step_row *step;
	size_t at;
	int last_valid;
	int in_part;                   /* the round that has not all of its cells; 0: none */
	uint64_t end_ns;               /* of the cells of the valid round before */
	uint64_t floor_ns, elapsed_ns; /* that round began then or later, and took so long */
};

/*
 * A round is closed before the next one, or its step, goes on. Its own beginning is not stored: it
 * lies between the cells before it and its first one.
 */
static void check_closed(struct rounds *rounds, const char *where, uint64_t until_ns)
{
	if (!rounds->verify->resumes && rounds->floor_ns)
		verify_that(rounds->verify, rounds->elapsed_ns <= until_ns - rounds->floor_ns,
			    where, "the round before took longer than there was time");
}

static void check_times(struct rounds *rounds, const char *where,
			const struct store_round_row *row)
{
	const struct round_sums none = {0}, *cells = &none;

	if (row->cells && rounds->at < rounds->sums->attempt_count)
		cells = &rounds->sums->attempts[rounds->at++];
	if (cells->first_ns)
		verify_u64(rounds->verify, where, "started_ns", row->started_ns,
			   cells->first_ns);
	if (strcmp(row->state, "valid") != 0 || !cells->first_ns)
		return;
	verify_that(rounds->verify, row->elapsed_ns >= cells->last_ns - cells->first_ns, where,
		    "elapsed_ns is shorter than its cells");
	verify_that(rounds->verify, row->started_ns >= rounds->end_ns || row->after_gap, where,
		    "it begins before the round before it ends");
	check_closed(rounds, where, row->started_ns);
	rounds->floor_ns = rounds->end_ns ? rounds->end_ns : rounds->step->started_ns;
	rounds->elapsed_ns = row->elapsed_ns;
	rounds->end_ns = cells->last_ns;
}

static bool ends_at_limit(const struct store_step_row *step)
{
	return step->outcome &&
	       (!strcmp(step->outcome, "amount") || !strcmp(step->outcome, "time"));
}

static uint64_t planned_cells(const struct store_step_row *step)
{
	return step->plan.planned_cells + step->plan.planned_before;
}

static int check_round(void *ctx, const struct store_round_row *row)
{
	struct rounds *rounds = ctx;
	struct verify *verify = rounds->verify;
	char where[96];

	snprintf(where, sizeof(where), "step %d round %d", row->step, row->round);
	check_times(rounds, where, row);
	if (!strcmp(row->state, "open")) {
		verify_that(verify, !rounds->step->ended, where,
			    "it is open although its step has ended");
		return 0;
	}
	if (strcmp(row->state, "valid") != 0)
		return 0;
	verify_that(verify, row->round == rounds->last_valid + 1, where,
		    "the round before it is missing");
	rounds->last_valid = row->round;
	verify->gaps += row->after_gap;
	if (ends_at_limit(rounds->step) && (uint64_t)row->cells < planned_cells(rounds->step))
		rounds->in_part = row->round;
	else
		verify_u64(verify, where, "cells", (uint64_t)row->cells,
			   planned_cells(rounds->step));
	return 0;
}

static void check_plan(struct verify *verify, const char *where,
		       const struct store_step_row *row)
{
	const json_t *planned = verify_plan_step(verify, row->plan.step);
	const char *text;

	if (!verify->plan)
		return;
	verify_that(verify, planned != NULL, where, "the plan has no such step");
	if (!planned)
		return;
	text = verify_json_text(planned, "test");
	verify_text(verify, where, "test", row->plan.test, text ? text : "");
	text = verify_json_text(planned, "phase");
	verify_text(verify, where, "phase", row->plan.phase, text ? text : "");
	text = verify_json_text(planned, "kind");
	verify_text(verify, where, "kind", row->plan.kind, text ? text : "");
	verify_u64(verify, where, "planned_cells", row->plan.planned_cells,
		   json_array_size(json_object_get(planned, "cells")));
	verify_u64(verify, where, "planned_before", row->plan.planned_before,
		   json_array_size(json_object_get(planned, "before")));
	verify_u64(verify, where, "loops", row->plan.loops, verify_json_true(planned, "loops"));
}

/* Behind a loop that ended by a limit: which one, and only its last round may be cut by it. */
static void check_limit(struct verify *verify, const char *where,
			const struct store_step_row *row, const struct rounds *rounds,
			const struct verify_limits *limits)
{
	const char *reached = limits->reached ? limits->reached : "none";

	if (ends_at_limit(row))
		verify_text(verify, where, "the limit that ended it", row->outcome, reached);
	else
		verify_that(verify, !limits->part_round, where,
			    "a round is cut by a limit that did not end it");
	verify_that(verify, !rounds->in_part || rounds->in_part == rounds->last_valid, where,
		    "a round before its last one has not all of its cells");
	verify_that(verify, !limits->part_round || limits->part_round == rounds->last_valid,
		    where, "a round before its last one was cut by a limit");
}

static void check_loop_outcome(struct verify *verify, const char *where,
			       const struct store_step_row *row, int last_round,
			       int steady_round, const struct verify_limits *limits)
{
	const json_t *planned = verify_plan_step(verify, row->plan.step);
	bool steady = row->outcome && !strcmp(row->outcome, "steady");
	bool ended_unsteady = row->outcome && (!strcmp(row->outcome, "not steady") ||
					       !strcmp(row->outcome, "not judged"));
	bool counted = ended_unsteady || (row->outcome && !strcmp(row->outcome, "done"));

	verify->all_steady = verify->all_steady && !ended_unsteady;
	if (steady)
		verify_that(verify, last_round && steady_round == last_round, where,
			    "its outcome is 'steady', its last round is not");
	if (counted || ends_at_limit(row))
		verify_that(verify, !steady_round, where,
			    "all tracks are steady at a round, its outcome says otherwise");
	if (counted) {
		verify_that(verify, last_round >= verify_json_whole(planned, "max_rounds", 0),
			    where, "it ended before its last round");
		verify_that(verify, !limits->reached, where,
			    "it reached one of its limits, its outcome says otherwise");
		verify_that(verify,
			    !json_array_size(json_object_get(planned, "tracks")) ==
				    !strcmp(row->outcome, "done"),
			    where, "its outcome does not fit to its tracks");
	}
	if (ended_unsteady) {
		verify_that(verify,
			    verify_json_true(planned, "judgeable") ==
				    !strcmp(row->outcome, "not steady"),
			    where, "its outcome does not fit to what the plan could judge");
	}
}

/* The words that a step of this kind can end with. */
static void check_word(struct verify *verify, const char *where,
		       const struct store_step_row *row)
{
	static const char *const loop[] = {"steady", "not steady", "not judged", "amount",
					   "time"};
	static const char *const any[] = {"stopped", "failed", "done"};
	bool known = !row->outcome;

	for (unsigned i = 0; i < sizeof(loop) / sizeof(loop[0]) && !known; i++)
		known = row->plan.loops && !strcmp(row->outcome, loop[i]);
	for (unsigned i = 0; i < sizeof(any) / sizeof(any[0]) && !known; i++)
		known = !strcmp(row->outcome, any[i]);
	verify_that(verify, known, where, "its outcome is none that such a step can have");
	verify_that(verify, !row->begun || row->attempt > 0, where,
		    "attempt does not fit to its beginning");
	verify_that(verify, row->attempt <= (int)verify->resumes + 1, where,
		    "it was begun again more often than the run was resumed");
}

static bool ended_for_good(const struct store_step_row *row)
{
	return row->outcome && strcmp(row->outcome, "stopped") != 0 &&
	       strcmp(row->outcome, "failed") != 0;
}

static void check_sums(struct verify *verify, const char *where,
		       const struct store_step_row *row, const struct sums *sums)
{
	if (sums->first_ns && row->begun)
		verify_that(verify, row->started_ns <= sums->first_ns, where,
			    "started_ns is after its first cell");
	if (!ended_for_good(row))
		return;
	if (sums->attempt_count) /* what a purge wrote no row shows */
		verify_u64(verify, where, "bytes_written", row->bytes_written,
			   sums->bytes_written);
	if (row->attempt != 1)
		return;
	verify_that(verify,
		    !sums->last_ns || row->started_ns + row->elapsed_ns >= sums->last_ns, where,
		    "elapsed_ns ends before its last cell");
}

/* One process does its steps in turn. */
static void check_order(struct verify *verify, const char *where,
			const struct store_step_row *row, struct rounds *rounds)
{
	uint64_t end_ns = row->started_ns + row->elapsed_ns;

	if (verify->resumes || !row->begun)
		return;
	verify_that(verify, row->started_ns >= verify->end_ns, where,
		    "it begins before the step before it ends");
	if (!ended_for_good(row))
		return;
	verify->end_ns = end_ns;
	check_closed(rounds, where, end_ns);
}

static int check_step(void *ctx, const struct store_step_row *row)
{
	struct verify *verify = ctx;
	bool loop = row->plan.loops;
	/* Cut rounds of a loop were written to the drive; a fill that was cut is done again. */
	const struct store_cell_filter filter = {.step = row->plan.step, .with_cut = loop};
	struct sums sums = {.verify = verify, .step = row->plan.step};
	struct rounds rounds = {.verify = verify, .sums = &sums, .step = row};
	struct verify_limits limits = {0};
	int steady_round = 0, rc;
	char where[160];

	snprintf(where, sizeof(where), "step %d (%.100s)", row->plan.step, row->plan.phase);
	verify->steps++;
	check_plan(verify, where, row);
	check_word(verify, where, row);
	verify->steps_ended = verify->steps_ended && ended_for_good(row);
	rc = store_each_cell(verify->store, &filter, sum_cell, &sums, verify->err);
	if (!rc && loop)
		rc = store_each_round(verify->store, row->plan.step, check_round, &rounds,
				      verify->err);
	if (!rc && loop)
		rc = verify_limits(verify, row->plan.step, &limits);
	if (!limits.part_round)
		limits.part_round = rounds.in_part;
	if (!rc && loop)
		rc = verify_judgement(verify, row->plan.step, limits.part_round, &steady_round);
	if (!rc)
		rc = verify_choices(verify, row);
	if (!rc) {
		check_sums(verify, where, row, &sums);
		check_order(verify, where, row, &rounds);
		if (loop) {
			check_loop_outcome(verify, where, row, rounds.last_valid, steady_round,
					   &limits);
			check_limit(verify, where, row, &rounds, &limits);
		}
	}
	free(sums.attempts);
	return rc;
}

int verify_steps(struct verify *verify)
{
	const json_t *planned = json_object_get(verify->plan, "deviations");
	int rc = store_each_step(verify->store, check_step, verify, verify->err);

	/* A gap inside a loop is a deviation; one before a test begins is none. */
	verify_that(verify, rc || verify->deviations >= json_array_size(planned) + verify->gaps,
		    "run", "a deviation is missing: of the plan, or for a gap between rounds");
	verify_u64(verify, "run", "steps", verify->steps,
		   verify->plan ? json_array_size(json_object_get(verify->plan, "steps"))
				: verify->steps);
	return rc;
}
