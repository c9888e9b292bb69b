/*
 * Compiles a job to integer thresholds, positions and slices, and draws I/Os from them. It must
 * not do I/O, look at a clock or keep anything that grows with the capacity: there is no map of
 * blocks, so that a drive of 122 TB costs what one of 1 GB costs.
 */
#include "engine_draw.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pts_hash.h"

uint64_t engine_threshold(double share)
{
	if (share <= 0)
		return 0;
	if (share >= 1)
		return ENGINE_ALWAYS;
	return (uint64_t)(share * (double)ENGINE_ALWAYS + 0.5);
}

void engine_rng_seed(struct engine_rng *rng, uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++)
		rng->s[i] = pts_splitmix64(&seed);
}

/* ---- compiling ------------------------------------------------------------------------- */

/* total * numerator / denominator, rounded down, without overflow. */
static uint64_t scale(uint64_t total, uint64_t numerator, uint64_t denominator)
{
	return (uint64_t)((unsigned __int128)total * numerator / denominator);
}

static uint64_t round_up(uint64_t value, uint64_t step)
{
	return (value + step - 1) / step * step;
}

/* The share of the first zones may be 0.28999999999999998 for 29 %: an LBA that the exact product
 * would reach is not lost to that. */
uint64_t engine_zone_bound(const struct engine_zone *zones, unsigned zone, uint64_t span_bytes,
			   uint32_t lba_bytes)
{
	uint64_t lbas = span_bytes / lba_bytes;
	long double share = 0;
	long double bound;

	for (unsigned i = 0; i < zone; i++)
		share += (long double)zones[i].span_share;
	bound = floorl(share * (long double)lbas + 4.0L * DBL_EPSILON * (long double)lbas);
	if (bound >= (long double)lbas)
		return span_bytes;
	return (uint64_t)bound * lba_bytes;
}

/* Positions are aligned on the target; [low, high) bounds their first byte, region_end the I/O's
 * last. */
void engine_place_init(struct engine_place *place, uint64_t region_start, uint64_t region_end,
		       uint64_t low, uint64_t high, uint64_t length, uint64_t align)
{
	uint64_t first = round_up(region_start + low, align);
	uint64_t beyond = round_up(region_start + high, align);
	uint64_t last;

	*place = (struct engine_place){.first_bytes = first, .step_bytes = align};
	if (region_end < length)
		return;
	last = (region_end - length) / align * align;
	if (beyond > last + align)
		beyond = last + align;
	if (beyond > first)
		place->positions = (beyond - first) / align;
}

static void flow_places(struct engine_flow *flow, const struct engine_stream *stream,
			uint32_t lba_bytes)
{
	uint64_t end = stream->start_bytes + stream->span_bytes;

	for (unsigned s = 0; s < flow->size_count; s++) {
		uint64_t length = flow->size_bytes[s];
		uint64_t align = stream->align_bytes ? stream->align_bytes : length;

		for (unsigned z = 0; z < flow->zone_count; z++) {
			uint64_t low = 0;
			uint64_t high = stream->span_bytes;

			if (stream->zone_count) {
				low = engine_zone_bound(stream->zones, z, stream->span_bytes,
							lba_bytes);
				high = z + 1 == stream->zone_count
					       ? stream->span_bytes
					       : engine_zone_bound(stream->zones, z + 1,
								   stream->span_bytes,
								   lba_bytes);
			}
			engine_place_init(&flow->place[s * flow->zone_count + z],
					  stream->start_bytes, end, low, high, length, align);
		}
	}
}

static void flow_init(struct engine_flow *flow, const struct engine_stream *stream,
		      uint32_t lba_bytes)
{
	double share = 0;

	flow->random_below = engine_threshold(stream->random_share);
	flow->read_below = engine_threshold(stream->read_share);
	flow->size_count = stream->size_count;
	flow->start_bytes = stream->start_bytes;
	flow->span_bytes = stream->span_bytes;
	for (unsigned s = 0; s < stream->size_count; s++) {
		flow->size_bytes[s] = (uint32_t)stream->sizes[s].block_bytes;
		if (flow->block_bytes < stream->sizes[s].block_bytes)
			flow->block_bytes = stream->sizes[s].block_bytes;
		share += stream->sizes[s].share;
		flow->size_below[s] = engine_threshold(share);
	}
	flow->size_below[stream->size_count - 1] = ENGINE_ALWAYS;
	flow->zoned = stream->zone_count != 0;
	flow->zone_count = flow->zoned ? stream->zone_count : 1;
	share = 0;
	for (unsigned z = 0; z < stream->zone_count; z++) {
		share += stream->zones[z].access_share;
		flow->zone_below[z] = engine_threshold(share);
	}
	flow->zone_below[flow->zone_count - 1] = ENGINE_ALWAYS;
	flow_places(flow, stream, lba_bytes);
}

static bool counts_writes(const struct engine_job *job)
{
	bool reads = false;

	for (unsigned i = 0; i < job->stream_count; i++)
		reads |= job->streams[i].read_share > 0;
	return job->amount_bytes && job->amount_is_written && reads;
}

static enum engine_path plan_path(const struct engine_job *job)
{
	const struct engine_stream *stream = &job->streams[0];

	if (counts_writes(job) || job->stream_count != 1 || stream->size_count != 1 ||
	    stream->zone_count || stream->random_share < 1)
		return ENGINE_PATH_GENERAL;
	return stream->read_share >= 1 ? ENGINE_PATH_READ : ENGINE_PATH_FIXED;
}

static int plan_streams(struct engine_plan *plan, const struct engine_job *job)
{
	size_t places = 1; /* one that nobody needs: never an empty allocation */
	double weight = 0;

	for (unsigned i = 0; i < job->stream_count; i++) {
		const struct engine_stream *stream = &job->streams[i];

		places += (size_t)stream->size_count *
			  (stream->zone_count ? stream->zone_count : 1);
	}
	plan->places = calloc(places, sizeof(*plan->places));
	if (!plan->places)
		return -ENOMEM;
	places = 0;
	for (unsigned i = 0; i < job->stream_count; i++) {
		const struct engine_stream *stream = &job->streams[i];
		struct engine_flow *flow = &plan->flow[i];

		flow->place = plan->places + places;
		flow->size_base = plan->size_total;
		flow->zone_base = plan->zone_total;
		flow_init(flow, stream, plan->lba_bytes);
		places += (size_t)flow->size_count * flow->zone_count;
		plan->size_total += stream->size_count;
		plan->zone_total += stream->zone_count;
		weight += stream->weight;
		flow->below = engine_threshold(weight);
		plan->has_random |= flow->random_below != 0;
		plan->has_writes |= flow->read_below != ENGINE_ALWAYS;
		if (plan->block_bytes < flow->block_bytes)
			plan->block_bytes = flow->block_bytes;
	}
	plan->flow[job->stream_count - 1].below = ENGINE_ALWAYS;
	plan->fixed = (struct engine_fixed){
		.place = plan->flow[0].place[0],
		.read_below = plan->flow[0].read_below,
		.length_bytes = plan->flow[0].size_bytes[0],
	};
	return 0;
}

int engine_plan_init(struct engine_plan *plan, const struct engine_job *job, uint32_t lba_bytes)
{
	memset(plan, 0, sizeof(*plan));
	plan->lba_bytes = lba_bytes;
	plan->threads = job->threads;
	plan->flow_count = job->stream_count;
	plan->carry = job->carry_position;
	plan->seed = job->seed;
	plan->ios = job->ios;
	plan->amount_bytes = round_up(job->amount_bytes, lba_bytes);
	plan->path = plan_path(job);
	plan->amount_is_written = counts_writes(job);
	plan->exact = job->stream_count == 1 && job->streams[0].random_share <= 0 &&
		      !plan->amount_is_written;
	return plan_streams(plan, job);
}

void engine_plan_release(struct engine_plan *plan)
{
	free(plan->places);
	plan->places = NULL;
}

/* ---- a thread's share ------------------------------------------------------------------ */

/* Where slice number thread begins, from the region's start: whole blocks, shared out evenly;
 * the last slice ends with the region and so takes the tail that is no whole block. */
static uint64_t slice_bound(const struct engine_flow *flow, unsigned thread, unsigned threads)
{
	if (thread == threads)
		return flow->span_bytes;
	return scale(flow->span_bytes / flow->block_bytes, thread, threads) * flow->block_bytes;
}

/*
 * The part of an exact amount that falls to a slice: the whole passes over it, and of the rest
 * what is proportional to the slice, rounded down to an LBA at both bounds, so that the parts
 * add up to the amount.
 */
static uint64_t exact_share(const struct engine_plan *plan, unsigned thread)
{
	const struct engine_flow *flow = &plan->flow[0];
	uint64_t low = slice_bound(flow, thread, plan->threads);
	uint64_t high = slice_bound(flow, thread + 1, plan->threads);
	uint64_t passes = plan->amount_bytes / flow->span_bytes;
	uint64_t rest = plan->amount_bytes % flow->span_bytes / plan->lba_bytes;
	uint64_t from = scale(rest, low, flow->span_bytes);
	uint64_t to = scale(rest, high, flow->span_bytes);

	return passes * (high - low) + (to - from) * plan->lba_bytes;
}

static uint64_t even_share(uint64_t total, unsigned thread, unsigned threads)
{
	return scale(total, thread + 1, threads) - scale(total, thread, threads);
}

static void draw_limits(struct engine_draw *draw, unsigned thread)
{
	const struct engine_plan *plan = draw->plan;
	const struct engine_flow *flow = &plan->flow[0];

	draw->ios_left = ENGINE_UNLIMITED;
	draw->bytes_left = ENGINE_UNLIMITED;
	if (plan->ios)
		draw->ios_left = even_share(plan->ios, thread, plan->threads);
	if (!plan->amount_bytes)
		return;
	if (plan->exact) {
		draw->bytes_left = exact_share(plan, thread);
	} else if (plan->flow_count == 1 && flow->size_count == 1 && !plan->amount_is_written) {
		uint64_t blocks =
			(plan->amount_bytes + flow->block_bytes - 1) / flow->block_bytes;
		uint64_t ios = even_share(blocks, thread, plan->threads);

		if (ios < draw->ios_left)
			draw->ios_left = ios;
	} else {
		draw->bytes_left = even_share(plan->amount_bytes, thread, plan->threads);
	}
}

static void draw_slices(struct engine_draw *draw, unsigned thread,
			const struct engine_carry *carry)
{
	const struct engine_plan *plan = draw->plan;

	for (unsigned i = 0; i < plan->flow_count; i++) {
		const struct engine_flow *flow = &plan->flow[i];
		struct engine_cursor *cursor = &draw->cursor[i];
		uint64_t at;

		cursor->begin_bytes =
			flow->start_bytes + slice_bound(flow, thread, plan->threads);
		cursor->end_bytes =
			flow->start_bytes + slice_bound(flow, thread + 1, plan->threads);
		cursor->at_bytes = cursor->begin_bytes;
		at = carry[i].at_bytes;
		if (!plan->carry || carry[i].threads != plan->threads ||
		    carry[i].start_bytes != flow->start_bytes ||
		    carry[i].span_bytes != flow->span_bytes || at < cursor->begin_bytes ||
		    at >= cursor->end_bytes)
			continue;
		if (carry[i].block_bytes != flow->block_bytes)
			at -= (at - cursor->begin_bytes) % flow->block_bytes;
		cursor->at_bytes = at;
	}
}

int engine_draw_init(struct engine_draw *draw, const struct engine_plan *plan, unsigned thread,
		     const struct engine_carry *carry)
{
	size_t room = plan->size_total + plan->zone_total;

	draw->plan = plan;
	if (draw->counters_room < room) {
		free(draw->size_submitted);
		draw->counters_room = 0;
		draw->size_submitted = calloc(room, sizeof(*draw->size_submitted));
		if (!draw->size_submitted)
			return -ENOMEM;
		draw->counters_room = room;
	}
	memset(draw->size_submitted, 0, room * sizeof(*draw->size_submitted));
	draw->zone_submitted = draw->size_submitted + plan->size_total;
	memset(draw->submitted, 0, sizeof(draw->submitted));
	memset(draw->stream_submitted, 0, sizeof(draw->stream_submitted));
	engine_rng_seed(&draw->rng, pts_seed_derive(plan->seed, 0, 0, 0, thread));
	draw_limits(draw, thread);
	draw->ios_share = draw->ios_left;
	draw_slices(draw, thread, carry);
	return 0;
}

void engine_draw_release(struct engine_draw *draw)
{
	free(draw->size_submitted);
	memset(draw, 0, sizeof(*draw));
}

void engine_draw_carry(const struct engine_draw *draw, struct engine_carry *carry)
{
	const struct engine_plan *plan = draw->plan;

	for (unsigned i = 0; i < plan->flow_count; i++) {
		const struct engine_flow *flow = &plan->flow[i];

		if (flow->random_below == ENGINE_ALWAYS)
			continue;
		carry[i] = (struct engine_carry){
			.start_bytes = flow->start_bytes,
			.span_bytes = flow->span_bytes,
			.at_bytes = draw->cursor[i].at_bytes,
			.block_bytes = flow->block_bytes,
			.threads = plan->threads,
		};
	}
}

void engine_draw_settle(struct engine_draw *draw)
{
	uint64_t ios = draw->ios_share - draw->ios_left;

	if (draw->plan->path == ENGINE_PATH_GENERAL)
		return;
	draw->stream_submitted[0] = ios;
	draw->size_submitted[0] = ios;
}

/* ---- drawing --------------------------------------------------------------------------- */

static inline unsigned pick(struct engine_rng *rng, const uint64_t *below, unsigned count)
{
	uint64_t word;
	unsigned i = 0;

	if (count == 1)
		return 0;
	word = engine_rng_next(rng) >> 1;
	while (word >= below[i])
		i++;
	return i;
}

static unsigned pick_flow(struct engine_draw *draw)
{
	uint64_t word;
	unsigned i = 0;

	if (draw->plan->flow_count == 1)
		return 0;
	word = engine_rng_next(&draw->rng) >> 1;
	while (word >= draw->plan->flow[i].below)
		i++;
	return i;
}

/* 0 and 1 take no draw and are exact. */
static inline bool hits(struct engine_rng *rng, uint64_t threshold)
{
	if (threshold == 0 || threshold == ENGINE_ALWAYS)
		return threshold != 0;
	return engine_rng_hits(rng, threshold);
}

static void draw_random(struct engine_draw *draw, const struct engine_flow *flow, unsigned size,
			struct engine_io *io)
{
	unsigned zone = pick(&draw->rng, flow->zone_below, flow->zone_count);
	const struct engine_place *place = &flow->place[size * flow->zone_count + zone];

	io->offset_bytes = place->first_bytes +
			   engine_rng_below(&draw->rng, place->positions) * place->step_bytes;
	if (flow->zoned)
		draw->zone_submitted[flow->zone_base + zone]++;
}

/*
 * The next I/O of the slice: shorter before the slice's end (the tail that is no whole block),
 * before the end of an exact amount, and after a position that an earlier job left inside a
 * block, so that the following ones are whole blocks again.
 */
static void draw_sequential(struct engine_draw *draw, unsigned index, struct engine_io *io)
{
	const struct engine_flow *flow = &draw->plan->flow[index];
	struct engine_cursor *cursor = &draw->cursor[index];
	uint64_t length = io->length_bytes;

	if (flow->size_count == 1)
		length -= (cursor->at_bytes - cursor->begin_bytes) % length;
	if (length > cursor->end_bytes - cursor->at_bytes)
		length = cursor->end_bytes - cursor->at_bytes;
	if (draw->plan->exact && length > draw->bytes_left)
		length = draw->bytes_left;
	io->offset_bytes = cursor->at_bytes;
	io->length_bytes = (uint32_t)length;
	cursor->at_bytes += length;
	if (cursor->at_bytes >= cursor->end_bytes)
		cursor->at_bytes = cursor->begin_bytes;
}

bool engine_draw_general(struct engine_draw *draw, struct engine_io *ret_io)
{
	const struct engine_flow *flow;
	unsigned index;
	unsigned size;

	if (!draw->ios_left || !draw->bytes_left)
		return false;
	index = pick_flow(draw);
	flow = &draw->plan->flow[index];
	size = pick(&draw->rng, flow->size_below, flow->size_count);
	ret_io->length_bytes = flow->size_bytes[size];
	ret_io->dir = hits(&draw->rng, flow->read_below) ? ENGINE_READ : ENGINE_WRITE;
	if (hits(&draw->rng, flow->random_below))
		draw_random(draw, flow, size, ret_io);
	else
		draw_sequential(draw, index, ret_io);
	draw->ios_left--;
	if (draw->bytes_left != ENGINE_UNLIMITED &&
	    (ret_io->dir == ENGINE_WRITE || !draw->plan->amount_is_written))
		draw->bytes_left -= ret_io->length_bytes < draw->bytes_left
					    ? ret_io->length_bytes
					    : draw->bytes_left;
	draw->submitted[ret_io->dir]++;
	draw->stream_submitted[index]++;
	draw->size_submitted[flow->size_base + size]++;
	return true;
}
