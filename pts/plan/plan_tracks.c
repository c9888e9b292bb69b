/* Tracking variables: which cell of a round each of them is, if that cell can run at all. */
#include "plan_internal.h"

bool plan_axis_matches(const bool *has_axis, const uint64_t *axis, const struct plan_cell *cell)
{
	const uint64_t have[SPEC_AXES] = {
		[SPEC_AXIS_RW_MIX] = cell->read_pct,
		[SPEC_AXIS_BLOCK_SIZE] = cell->block_bytes,
		[SPEC_AXIS_THREADS] = cell->threads,
		[SPEC_AXIS_QUEUE_DEPTH] = cell->queue_depth,
	};

	for (int a = 0; a < SPEC_AXES; a++)
		if (has_axis[a] && axis[a] != have[a])
			return false;
	return true;
}

void plan_tracks(struct plan_builder *builder, const struct spec_step *from,
		 struct plan_step *step)
{
	const struct spec_steady *steady = &from->steady;

	step->window = steady->window;
	step->range_share = steady->range_share;
	step->slope_share = steady->slope_share;
	step->track_count = steady->track_count;
	step->tracks = PTS_ARENA_ARRAY(builder->plan->arena, struct plan_track,
				       steady->track_count ? steady->track_count : 1);
	/* a cell that can't run stays the track's cell: no other one takes its place */
	step->judgeable = steady->track_count > 0;
	for (unsigned t = 0; t < steady->track_count; t++) {
		struct plan_track *track = &step->tracks[t];

		*track = (struct plan_track){
			.name = steady->tracks[t].name,
			.metric = steady->tracks[t].metric,
			.cell = -1,
		};
		for (unsigned c = 0; c < step->cell_count && track->cell < 0; c++) {
			struct plan_cell *cell = &step->cells[c];

			if (cell->role == PLAN_LOAD ||
			    !plan_axis_matches(steady->tracks[t].has_axis,
					       steady->tracks[t].axis, cell))
				continue;
			track->read_pct = cell->read_pct;
			track->block_bytes = cell->block_bytes;
			if (!cell->applicable)
				break;
			track->cell = (int)c;
			cell->track = (int)t;
		}
		step->judgeable = step->judgeable && track->cell >= 0;
	}
}
