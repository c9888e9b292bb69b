/* Cells: a workload with the values of the axes, resolved to bytes on this device. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plan_internal.h"

/* Far above any matrix that a drive could be measured by; keeps a mistyped axis small. */
#define CELLS_MOST 100000u

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
	stream->read_hit_share = from->read_hit_share;
	stream->think_ns = from->think_ns;
	stream->threads = from->threads;
	stream->queue_depth = from->queue_depth;
	/* to the end of the region as seen from the range's start: no LBA between two regions */
	stream->span_bytes = plan_range_bytes(range, device->lba_bytes,
					      from->region_start + from->region_share) -
			     stream->start_bytes;
	stream_sizes(arena, from, choice, stream);
}

/* One size that can't run takes the whole cell with it: sizes are never dropped from a mix. */
static void judge_applicable(struct plan_builder *builder, struct plan_cell *cell)
{
	uint32_t lba_bytes = builder->plan->device.lba_bytes;
	struct pts_arena *arena = builder->plan->arena;

	for (unsigned i = 0; i < cell->stream_count && !cell->reason; i++) {
		const struct plan_stream *stream = &cell->streams[i];

		cell->reason =
			plan_stream_fault(arena, stream, lba_bytes,
					  stream->threads ? stream->threads : cell->threads);
		if (!cell->reason)
			cell->reason = plan_segments_fault(arena, cell, stream, lba_bytes);
	}
	cell->applicable = !cell->reason;
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

static bool is_latency(enum spec_metric metric)
{
	return metric == SPEC_LAT_MEAN || metric == SPEC_LAT_P99999 || metric == SPEC_LAT_MAX;
}

static bool chosen_by_latency(const struct spec *spec, const struct spec_step *from)
{
	for (unsigned i = 0; i < spec->step_count; i++) {
		const struct spec_step *step = &spec->steps[i];

		if (step->kind != SPEC_STEP_CHOOSE || strcmp(step->from, from->name) != 0)
			continue;
		for (unsigned p = 0; p < step->point_count; p++)
			if (step->points[p].latency_limit_ns ||
			    is_latency(step->points[p].metric))
				return true;
	}
	return false;
}

static bool wants_latency(const struct plan_builder *builder, const struct spec_step *from)
{
	for (unsigned i = 0; i < from->steady.track_count; i++)
		if (is_latency(from->steady.tracks[i].metric))
			return true;
	switch (from->kind) {
	case SPEC_STEP_CURVE:
	case SPEC_STEP_SEARCH:
		return true;
	case SPEC_STEP_ROUNDS:
		return chosen_by_latency(builder->spec, from);
	default:
		/* a distribution that is kept outside of a loop is the result itself */
		return from->keep_histogram;
	}
}

static void segments_of(const struct plan_builder *builder, const struct spec_workload *work,
			struct plan_cell *cell)
{
	const struct plan_device *device = &builder->plan->device;
	uint64_t range = plan_range_bytes(device->capacity_bytes, device->lba_bytes,
					  work->active_range_share);

	cell->segments = work->segments;
	cell->segment_bytes = plan_segment_bytes(range, device->lba_bytes, work->segments);
	cell->segment_touched_bytes =
		plan_range_bytes(cell->segment_bytes, device->lba_bytes, work->segment_share);
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
	cell->duplicate_share = work->duplicate_share;
	cell->carry_position = work->carry_position;
	cell->keep_histogram = from->keep_histogram;
	cell->response_time = wants_latency(builder, from);
	cell->track = -1;
	cell->label = label_of(builder, work, cell);
	segments_of(builder, work, cell);
	judge_applicable(builder, cell);
}

static uint64_t cell_total(const struct spec_step *from)
{
	uint64_t total = 1;

	for (unsigned i = 0; i < from->axis_count && total <= CELLS_MOST; i++)
		total *= from->axes[i].count;
	return total;
}

/* The values of the axes for the cell of that index: the last axis turns fastest. */
static struct choice choice_of(const struct spec_step *from, unsigned index)
{
	struct choice choice = {0};

	for (unsigned a = from->axis_count; a-- > 0;) {
		const struct spec_axis *axis = &from->axes[a];

		choice.has[axis->kind] = true;
		choice.value[axis->kind] = axis->values[index % axis->count];
		index /= axis->count;
	}
	return choice;
}

const char *plan_role_text(enum plan_role role)
{
	static const char *const texts[] = {
		[PLAN_CELL] = "cell",
		[PLAN_LOAD] = "load",
		[PLAN_SAMPLE] = "sample",
		[PLAN_BEFORE] = "before",
	};

	return texts[role];
}

int plan_amount(const struct plan_builder *builder, const struct spec_step *from,
		uint64_t *ret_bytes, struct pts_err *err)
{
	const struct plan_device *device = &builder->plan->device;

	*ret_bytes = 0;
	if (from->kind != SPEC_STEP_LOAD || from->stop.amount.kind == PTS_AMOUNT_NONE)
		return 0;
	if (pts_amount_bytes(&from->stop.amount, device->capacity_bytes, device->lba_bytes,
			     ret_bytes) < 0 ||
	    *ret_bytes > INT64_MAX)
		return pts_fail(err, PTS_EXIT_SPEC, ERANGE,
				"step '%s': its amount on a drive of %llu bytes is beyond "
				"2^63 bytes",
				from->name, (unsigned long long)device->capacity_bytes);
	if (!*ret_bytes) /* which would mean: no limit */
		return pts_fail(
			err, PTS_EXIT_SPEC, ERANGE,
			"step '%s': its amount is less than one LBA (%u B) of the drive",
			from->name, device->lba_bytes);
	return 0;
}

/* The parts of a sampled load have times of their own; what ends it is the step's. */
static void sampled_part(const struct spec_step *from, struct plan_cell *cell)
{
	bool is_sample = (cell->index == 0) == from->sample_first;

	cell->role = is_sample ? PLAN_SAMPLE : PLAN_LOAD;
	cell->duration_ns = is_sample ? from->sample_ns : from->sample_load_ns;
}

static int cell_limits(const struct plan_builder *builder, const struct spec_step *from,
		       struct plan_cell *cell, struct pts_err *err)
{
	switch (from->kind) {
	case SPEC_STEP_LOAD:
		cell->record_ns = from->record_ns;
		if (from->sample_ns) {
			sampled_part(from, cell);
			return 0;
		}
		cell->duration_ns = from->stop.duration_ns;
		return plan_amount(builder, from, &cell->amount_bytes, err);
	case SPEC_STEP_CYCLE:
		cell->duration_ns = from->busy_ns;
		cell->record_ns = from->busy_ns;
		return 0;
	default:
		cell->duration_ns = from->cell_ns;
		return 0;
	}
}

int plan_cells(struct plan_builder *builder, const struct spec_step *from,
	       struct plan_cell **ret_cells, unsigned *ret_count, struct pts_err *err)
{
	uint64_t total = from->kind == SPEC_STEP_ROUNDS ? cell_total(from)
			 : from->sample_ns              ? 2
							: 1;
	struct plan_cell *cells;
	int rc = 0;

	if (total > CELLS_MOST)
		return pts_fail(err, PTS_EXIT_SPEC, ERANGE,
				"step '%s': its axes make more than %u cells", from->name,
				CELLS_MOST);
	cells = PTS_ARENA_ARRAY(builder->plan->arena, struct plan_cell, total ? total : 1);
	for (unsigned index = 0; index < total && !rc; index++) {
		struct choice choice = {0};

		if (from->kind == SPEC_STEP_ROUNDS)
			choice = choice_of(from, index);
		cells[index].index = index;
		cell_of(builder, from, &choice, &cells[index]);
		rc = cell_limits(builder, from, &cells[index], err);
	}
	*ret_cells = cells;
	*ret_count = (unsigned)total;
	return rc;
}
