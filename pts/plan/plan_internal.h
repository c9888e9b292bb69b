/* What the files of the plan share. */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include "plan.h"
#include "pts_arena.h"

/* A plan under construction: its lists grow. */
struct plan_builder {
	struct plan *plan;
	const struct plan_assume *assume;
	unsigned step_room, deviation_room;
};

/* plan_cells.c: the cells of a load or of a round, outer axis first. */
int plan_cells(struct plan_builder *builder, const struct spec_step *from,
	       struct plan_step *step, struct pts_err *err);
/* The tracks of a step, each with the index of its cell. */
void plan_tracks(struct plan_builder *builder, const struct spec_step *from,
		 struct plan_step *step);

/* plan_deviations.c */
void plan_deviate(struct plan_builder *builder, const char *test, const char *clause,
		  const char *what, const char *required, const char *actual,
		  const char *reason);
void plan_deviations(struct plan_builder *builder);

/* plan_time.c */
int plan_time(struct plan_builder *builder, struct pts_err *err);

/* plan_geometry.c */
/* NULL if a block can be driven in a span, else the reason why not (from the arena). */
const char *plan_block_fault(struct pts_arena *arena, uint64_t block_bytes, uint64_t span_bytes,
			     uint32_t lba_bytes, unsigned sequential_threads);

#endif
