/* What the files of the plan share. */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include "plan.h"
#include "pts_arena.h"

/* A drive that becomes steady likely does so as many rounds after its first window. */
#define PLAN_LIKELY_ROUNDS_MORE 3

/* A plan under construction: its lists grow. */
struct plan_builder {
	struct plan *plan;
	const struct spec *spec; /* of the test that is being made */
	const struct plan_assume *assume;
	unsigned step_room, deviation_room, note_room;
};

/* plan_cells.c: the cells of a load or of a round, outer axis first. */
int plan_cells(struct plan_builder *builder, const struct spec_step *from,
	       struct plan_cell **ret_cells, unsigned *ret_count, struct pts_err *err);
/* The amount at which a load ends, in bytes of this device; 0: none. -ERANGE beyond 2^63. */
int plan_amount(const struct plan_builder *builder, const struct spec_step *from,
		uint64_t *ret_bytes, struct pts_err *err);

/* plan_tracks.c: the tracks of a step, each with the index of its cell. */
void plan_tracks(struct plan_builder *builder, const struct spec_step *from,
		 struct plan_step *step);

/* plan_points.c: the points of a choose step, whose earlier steps are made. */
void plan_points(struct plan_builder *builder, const struct spec_step *from,
		 struct plan_step *step);
/* Does a cell have these axis values? */
bool plan_axis_matches(const bool *has_axis, const uint64_t *axis,
		       const struct plan_cell *cell);

/* plan_deviations.c */
void plan_deviations(struct plan_builder *builder);

/* plan_notes.c */
void plan_notes(struct plan_builder *builder);

/* plan_time.c */
int plan_time(struct plan_builder *builder, struct pts_err *err);
/* Share of a cell's I/Os that are writes. */
double plan_write_share(const struct plan_cell *cell);

/* plan_rates.c: the rates of the kind of drive into the plan, those of each cell into the cells;
 * plan_rate_from_text() says what a likely one rests on. */
void plan_rates(struct plan_builder *builder);
const char *plan_rate_from_text(enum plan_rate_from from);

/* plan_known.c: what is known of a cell; false: nothing. */
bool plan_known_rate(const struct plan_assume *assume, const struct plan_step *step,
		     const struct plan_cell *cell, struct plan_rate *ret_rate);
/* How such a step went; NULL: not known. */
const struct plan_known_step *plan_known_step(const struct plan_assume *assume,
					      const struct plan_step *step);
/* Mean size of a cell's I/Os; writes only or all. 0: there is none. */
double plan_mean_block(const struct plan_cell *cell, bool writes_only);

/* plan_geometry.c: NULL if it can be driven, else the reason why not (from the arena). */
const char *plan_stream_fault(struct pts_arena *arena, const struct plan_stream *stream,
			      uint32_t lba_bytes, unsigned threads);
const char *plan_segments_fault(struct pts_arena *arena, const struct plan_cell *cell,
				const struct plan_stream *stream, uint32_t lba_bytes);

/* A list that doubles its room: the new one, in the arena, with the old one's contents. */
void *plan_grow(struct pts_arena *arena, void *list, unsigned count, unsigned *room,
		size_t item_bytes);

#endif
