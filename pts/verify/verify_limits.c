/*
 * Limits: what each cell was asked for, from the plan and from what the cells of its step had run
 * and written before it, and which limit ended a loop.
 */
#include <stdio.h>
#include <string.h>

#include "verify_internal.h"

static uint64_t whole(const json_t *object, const char *key)
{
	return (uint64_t)verify_json_whole(object, key, 0);
}

void verify_cell_limits(struct verify *verify, const char *where, const struct store_cell *cell)
{
	const json_t *step = verify_plan_step(verify, cell->step);
	const json_t *planned = verify_plan_cell(verify, cell->step, cell->cell);
	uint64_t limit_bytes = whole(step, "limit_bytes");

	if (!planned)
		return;
	if (!whole(step, "limit_ns") && !limit_bytes) {
		verify_u64(verify, where, "requested_ns", cell->requested_ns,
			   whole(planned, "duration_ns"));
		verify_u64(verify, where, "requested_bytes", cell->requested_bytes,
			   whole(planned, "amount_bytes"));
		return;
	}
	verify_that(verify,
		    cell->requested_ns && cell->requested_ns <= whole(planned, "duration_ns"),
		    where, "requested_ns is more than the plan has");
	verify_that(verify, cell->requested_bytes <= limit_bytes, where,
		    "requested_bytes is more than the plan has");
}

/* The cells of one step that count, in their order. */
struct walk {
	struct verify *verify;
	const json_t *step;
	uint64_t limit_ns, limit_bytes;
	uint64_t first_ns, end_ns, bytes_written; /* of the cells before this one */
	struct verify_limits *limits;
};

static const char *reached(const struct walk *walk)
{
	if (walk->limit_bytes && walk->bytes_written >= walk->limit_bytes)
		return "amount";
	return walk->limit_ns && walk->end_ns - walk->first_ns >= walk->limit_ns ? "time"
										 : NULL;
}

static int walk_cell(void *ctx, const struct store_cell *cell)
{
	struct walk *walk = ctx;
	const json_t *planned = verify_plan_cell(walk->verify, cell->step, cell->cell);
	uint64_t ns = whole(planned, "duration_ns"), left_ns, bytes = 0;
	char where[96];

	snprintf(where, sizeof(where), "step %d round %d cell %d", cell->step, cell->round,
		 cell->cell);
	verify_that(walk->verify, !reached(walk), where,
		    "it began beyond the limits of its step");
	left_ns = walk->limit_ns - (walk->end_ns - walk->first_ns);
	if (walk->limit_ns && left_ns < ns)
		ns = left_ns;
	if (walk->limit_bytes)
		bytes = walk->limit_bytes - walk->bytes_written;
	verify_u64(walk->verify, where, "requested_ns", cell->requested_ns, ns);
	verify_u64(walk->verify, where, "requested_bytes", cell->requested_bytes, bytes);
	walk->bytes_written += cell->dir[1].bytes;
	if (cell->elapsed_ns) {
		if (!walk->first_ns)
			walk->first_ns = cell->started_ns;
		walk->end_ns = cell->started_ns + cell->elapsed_ns + cell->drain_ns;
	}
	if (cell->elapsed_ns < whole(planned, "duration_ns"))
		walk->limits->part_round = cell->round;
	return 0;
}

int verify_limits(struct verify *verify, int step, struct verify_limits *ret_limits)
{
	const struct store_cell_filter filter = {.step = step};
	const json_t *planned = verify_plan_step(verify, step);
	struct walk walk = {
		.verify = verify,
		.step = planned,
		.limit_ns = whole(planned, "limit_ns"),
		.limit_bytes = whole(planned, "limit_bytes"),
		.limits = ret_limits,
	};
	int rc = 0;

	*ret_limits = (struct verify_limits){0};
	if (walk.limit_ns || walk.limit_bytes)
		rc = store_each_cell(verify->store, &filter, walk_cell, &walk, verify->err);
	ret_limits->reached = reached(&walk);
	return rc;
}
