/* Cells: a workload with the values of the axes, resolved to bytes on this device. */
#include <stdio.h>
#include <string.h>

#include "plan_internal.h"

/* What the axes say for one cell; a value that no axis gives is not set. */
struct choice {
	bool has[SPEC_AXES];
	uint64_t value[SPEC_AXES];
};

static struct plan_size *sizes_of(struct pts_arena *arena, const struct spec_size *from,
				  unsigned count)
{
	struct plan_size *sizes = PTS_ARENA_ARRAY(arena, struct plan_size, count ? count : 1);

	for (unsigned i = 0; i < count; i++)
		sizes[i] = (struct plan_size){from[i].block_bytes, from[i].share};
	return sizes;
}

static void stream_sizes(struct pts_arena *arena, const struct spec_stream *from,
			 const struct choice *choice, struct plan_stream *stream)
{
	if (choice->has[SPEC_AXIS_BLOCK_SIZE]) {
		struct spec_size one = {choice->value[SPEC_AXIS_BLOCK_SIZE], 1};

		stream->sizes[0] = sizes_of(arena, &one, 1);
		stream->size_count[0] = 1;
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (!from->sizes[i])
			continue;
		stream->sizes[i] = sizes_of(arena, from->sizes[i], from->size_count[i]);
		stream->size_count[i] = from->size_count[i];
	}
}

static void stream_of(struct plan_builder *builder, const struct spec_workload *work,
		      const struct spec_stream *from, const struct choice *choice,
		      struct plan_stream *stream)
{
	const struct plan_device *device = &builder->plan->device;
	struct pts_arena *arena = builder->plan->arena;
	uint64_t range = plan_range_bytes(device->capacity_bytes, device->lba_bytes,
					  work->active_range_share);

	*stream = (struct plan_stream){
		.name = from->name,
		.weight = work->stream_count == 1 && !(from->rate_iops > 0) ? 1 : from->weight,
		.rate_iops = from->rate_iops,
		.arrivals = from->arrivals,
		.random_share = from->random_share,
		.read_pct = choice->has[SPEC_AXIS_RW_MIX]
				    ? (unsigned)choice->value[SPEC_AXIS_RW_MIX]
				    : from->read_pct,
		.zones = from->zones,
		.zone_count = from->zone_count,
		.align_bytes = from->align_bytes,
		.start_bytes = plan_range_bytes(range, device->lba_bytes, from->region_start),
	};
	/* to the end of the region as seen from the range's start: no LBA between two regions */
	stream->span_bytes = plan_range_bytes(range, device->lba_bytes,
					      from->region_start + from->region_share) -
			     stream->start_bytes;
	stream_sizes(arena, from, choice, stream);
}

/* 4KiB-aligned sizes below an LBA and the like: the whole cell can't run (never a part of it). */
static void judge_applicable(struct plan_builder *builder, struct plan_cell *cell)
{
	const struct plan_device *device = &builder->plan->device;

	cell->applicable = true;
	for (unsigned i = 0; i < cell->stream_count; i++) {
		const struct plan_stream *stream = &cell->streams[i];
		unsigned sequential = stream->random_share < 1 ? cell->threads : 0;

		for (int d = 0; d < 2; d++)
			for (unsigned s = 0; s < stream->size_count[d] && cell->applicable; s++)
				cell->reason = plan_block_fault(
					builder->plan->arena, stream->sizes[d][s].block_bytes,
					stream->span_bytes, device->lba_bytes, sequential),
				cell->applicable = !cell->reason;
	}
}

static void label_size(const struct plan_stream *stream, char *text, size_t room)
{
	if (stream->size_count[0] == 1)
		pts_bytes_text(stream->sizes[0][0].block_bytes, text, room);
	else
		snprintf(text, room, "mixed sizes");
}

static const char *label_of(struct plan_builder *builder, const struct spec_workload *work,
			    const struct plan_cell *cell)
{
	const struct plan_stream *first = &cell->streams[0];
	const char *access = first->random_share >= 1   ? "RND"
			     : first->random_share <= 0 ? "SEQ"
							: "MIX";
	char size[48], mix[48], load[64];

	pts_rw_mix_text(first->read_pct, mix, sizeof(mix));
	label_size(first, size, sizeof(size));
	if (cell->point)
		snprintf(load, sizeof(load), "at %s", cell->point);
	else
		snprintf(load, sizeof(load), "T%uQ%u", cell->threads, cell->queue_depth);
	if (cell->stream_count > 1)
		return pts_arena_printf(builder->plan->arena, "%s (%u streams) %s",
					work->name ? work->name : "streams", cell->stream_count,
					load);
	return pts_arena_printf(builder->plan->arena, "%s %s %s %s", access, size, mix, load);
}

static bool wants_latency(const struct spec_step *from)
{
	for (unsigned i = 0; i < from->steady.track_count; i++) {
		enum spec_metric metric = from->steady.tracks[i].metric;

		if (metric == SPEC_LAT_MEAN || metric == SPEC_LAT_P99999 ||
		    metric == SPEC_LAT_MAX)
			return true;
	}
	/* a distribution that is kept outside of a loop is the result itself */
	return from->kind == SPEC_STEP_LOAD && from->keep_histogram;
}

static void cell_of(struct plan_builder *builder, const struct spec_step *from,
		    const struct choice *choice, struct plan_cell *cell)
{
	const struct spec_workload *work = &from->work;

	cell->stream_count = work->stream_count;
	cell->streams = PTS_ARENA_ARRAY(builder->plan->arena, struct plan_stream,
					work->stream_count ? work->stream_count : 1);
	for (unsigned i = 0; i < work->stream_count; i++)
		stream_of(builder, work, &work->streams[i], choice, &cell->streams[i]);
	cell->point = from->at;
	cell->threads = choice->has[SPEC_AXIS_THREADS]
				? (unsigned)choice->value[SPEC_AXIS_THREADS]
				: work->threads;
	cell->queue_depth = choice->has[SPEC_AXIS_QUEUE_DEPTH]
				    ? (unsigned)choice->value[SPEC_AXIS_QUEUE_DEPTH]
				    : work->queue_depth;
	if (cell->stream_count) {
		cell->read_pct = cell->streams[0].read_pct;
		if (cell->stream_count == 1 && cell->streams[0].size_count[0] == 1)
			cell->block_bytes = cell->streams[0].sizes[0][0].block_bytes;
	}
	cell->data_pattern = work->data_pattern ? work->data_pattern : "random";
	cell->compressible_share = work->compressible_share;
	cell->carry_position = work->carry_position;
	cell->keep_histogram = from->keep_histogram;
	cell->response_time = wants_latency(from);
	cell->track = -1;
	cell->label = label_of(builder, work, cell);
	judge_applicable(builder, cell);
}

static unsigned cell_total(const struct spec_step *from)
{
	unsigned total = 1;

	for (unsigned i = 0; i < from->axis_count; i++)
		total *= from->axes[i].count;
	return total;
}

int plan_cells(struct plan_builder *builder, const struct spec_step *from,
	       struct plan_step *step, struct pts_err *err)
{
	const struct plan_device *device = &builder->plan->device;
	unsigned total = from->kind == SPEC_STEP_ROUNDS ? cell_total(from) : 1;

	step->cells =
		PTS_ARENA_ARRAY(builder->plan->arena, struct plan_cell, total ? total : 1);
	step->cell_count = total;
	for (unsigned index = 0; index < total; index++) {
		struct plan_cell *cell = &step->cells[index];
		struct choice choice = {0};
		unsigned rest = index;

		/* the last axis turns fastest */
		for (unsigned a = from->axis_count;
		     from->kind == SPEC_STEP_ROUNDS && a-- > 0;) {
			const struct spec_axis *axis = &from->axes[a];

			choice.has[axis->kind] = true;
			choice.value[axis->kind] = axis->values[rest % axis->count];
			rest /= axis->count;
		}
		cell->index = index;
		cell_of(builder, from, &choice, cell);
		cell->duration_ns = from->kind == SPEC_STEP_LOAD    ? from->stop.duration_ns
				    : from->kind == SPEC_STEP_CYCLE ? from->busy_ns
								    : from->cell_ns;
		if (from->kind == SPEC_STEP_LOAD && from->stop.amount.kind != PTS_AMOUNT_NONE &&
		    pts_amount_bytes(&from->stop.amount, device->capacity_bytes,
				     device->lba_bytes, &cell->amount_bytes) < 0)
			return pts_fail(
				err, PTS_EXIT_SPEC, 34,
				"step '%s': the amount of a drive of %llu bytes is beyond "
				"2^64 bytes",
				from->name, (unsigned long long)device->capacity_bytes);
	}
	return 0;
}

static bool matches(const struct spec_track *track, const struct plan_cell *cell)
{
	const uint64_t have[SPEC_AXES] = {
		[SPEC_AXIS_RW_MIX] = cell->read_pct,
		[SPEC_AXIS_BLOCK_SIZE] = cell->block_bytes,
		[SPEC_AXIS_THREADS] = cell->threads,
		[SPEC_AXIS_QUEUE_DEPTH] = cell->queue_depth,
	};

	for (int a = 0; a < SPEC_AXES; a++)
		if (track->has_axis[a] && track->axis[a] != have[a])
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

			if (!matches(&steady->tracks[t], cell))
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
