/*
 * Geometry, exact to the last LBA: shares of a drive, zones and segments of a range, positions in
 * a span, and what can't be run. Where the engine draws by the same bounds, the arithmetic is the
 * engine's, so that no cell is planned that it would refuse.
 */
#include <float.h>
#include <math.h>

#include "plan_internal.h"

/* Shares are written in decimal: parts of 10^12 give back what the text meant. */
#define PARTS 1000000000000ull
/* The kernel cuts a longer read or write (MAX_RW_COUNT). */
#define IO_BYTES_MOST 0x7ffff000ull

uint64_t plan_range_bytes(uint64_t capacity_bytes, uint32_t lba_bytes, double share)
{
	uint64_t parts, lbas;

	if (!lba_bytes || !(share > 0))
		return 0;
	parts = share < 1 ? (uint64_t)llround(share * (double)PARTS) : PARTS;
	lbas = capacity_bytes / lba_bytes;
	return (uint64_t)((unsigned __int128)lbas * parts / PARTS) * lba_bytes;
}

uint64_t plan_positions(uint64_t span_bytes, uint64_t block_bytes)
{
	return block_bytes ? span_bytes / block_bytes : 0;
}

uint64_t plan_zone_start(const struct spec_zone *zones, unsigned zone_count, unsigned zone,
			 uint64_t span_bytes, uint32_t lba_bytes)
{
	uint64_t lbas = lba_bytes ? span_bytes / lba_bytes : 0;
	long double share = 0, bound;

	if (zone >= zone_count)
		return span_bytes;
	for (unsigned i = 0; i < zone; i++)
		share += (long double)zones[i].span_share;
	/* 29 % may be 0.28999999999999998: the LBA that the exact product reaches is kept */
	bound = floorl(share * (long double)lbas + 4.0L * DBL_EPSILON * (long double)lbas);
	return bound >= (long double)lbas ? span_bytes : (uint64_t)bound * lba_bytes;
}

uint64_t plan_segment_bytes(uint64_t range_bytes, uint32_t lba_bytes, unsigned segments)
{
	return segments && lba_bytes ? range_bytes / lba_bytes / segments * lba_bytes : 0;
}

static uint64_t round_up(uint64_t value, uint64_t step)
{
	uint64_t rest = value % step;

	return rest ? value + (step - rest) : value;
}

/* Multiples of align on the target at which an I/O that begins in [low, high) of the stream's
 * region ends inside of it. */
static uint64_t aligned_positions(const struct plan_stream *stream, uint64_t low, uint64_t high,
				  uint64_t block_bytes)
{
	uint64_t align = stream->align_bytes ? stream->align_bytes : block_bytes;
	uint64_t first = round_up(stream->start_bytes + low, align);
	uint64_t beyond = round_up(stream->start_bytes + high, align);
	uint64_t end = stream->start_bytes + stream->span_bytes;
	uint64_t last;

	if (stream->span_bytes < block_bytes)
		return 0;
	last = (end - block_bytes) / align * align;
	if (beyond > last + align)
		beyond = last + align;
	return beyond > first ? (beyond - first) / align : 0;
}

static const char *block_fault(struct pts_arena *arena, const struct plan_stream *stream,
			       uint64_t block_bytes, uint32_t lba_bytes)
{
	char block[48];

	if (block_bytes < lba_bytes)
		return pts_arena_printf(arena, "block smaller than one LBA (%u B)", lba_bytes);
	pts_bytes_text(block_bytes, block, sizeof(block));
	if (block_bytes % lba_bytes)
		return pts_arena_printf(arena, "block of %s is no whole number of LBAs (%u B)",
					block, lba_bytes);
	if (block_bytes > stream->span_bytes)
		return pts_arena_printf(arena,
					"device smaller than one block: its range of %llu "
					"bytes holds no %s",
					(unsigned long long)stream->span_bytes, block);
	if (block_bytes > IO_BYTES_MOST)
		return pts_arena_printf(arena,
					"block of %s is more than the kernel takes at once "
					"(%llu bytes)",
					block, IO_BYTES_MOST);
	return NULL;
}

static const char *random_fault(struct pts_arena *arena, const struct plan_stream *stream,
				uint64_t block_bytes, uint32_t lba_bytes)
{
	unsigned zones = stream->zone_count ? stream->zone_count : 1;
	char block[48];

	pts_bytes_text(block_bytes, block, sizeof(block));
	for (unsigned z = 0; z < zones; z++) {
		uint64_t low = plan_zone_start(stream->zones, stream->zone_count, z,
					       stream->span_bytes, lba_bytes);
		uint64_t high = plan_zone_start(stream->zones, stream->zone_count, z + 1,
						stream->span_bytes, lba_bytes);

		if (!stream->zone_count)
			low = 0;
		if (aligned_positions(stream, low, high, block_bytes))
			continue;
		if (stream->zone_count)
			return pts_arena_printf(arena,
						"no aligned %s block begins in zone %u (%llu "
						"bytes)",
						block, z + 1, (unsigned long long)(high - low));
		return pts_arena_printf(
			arena, "no aligned %s block fits into bytes %llu to %llu", block,
			(unsigned long long)stream->start_bytes,
			(unsigned long long)(stream->start_bytes + stream->span_bytes - 1));
	}
	return NULL;
}

static const char *size_fault(struct pts_arena *arena, const struct plan_stream *stream,
			      uint64_t block_bytes, uint32_t lba_bytes, unsigned threads)
{
	const char *fault = block_fault(arena, stream, block_bytes, lba_bytes);
	char block[48];

	if (fault)
		return fault;
	pts_bytes_text(block_bytes, block, sizeof(block));
	/* each sequential thread has a slice of its own, of at least one block */
	if (stream->random_share < 1 &&
	    plan_positions(stream->span_bytes, block_bytes) < threads)
		return pts_arena_printf(
			arena,
			"range of %llu bytes is smaller than one %s block for each "
			"of %u threads",
			(unsigned long long)stream->span_bytes, block, threads);
	if (stream->random_share > 0)
		return random_fault(arena, stream, block_bytes, lba_bytes);
	return NULL;
}

const char *plan_stream_fault(struct pts_arena *arena, const struct plan_stream *stream,
			      uint32_t lba_bytes, unsigned threads)
{
	const char *fault = NULL;

	if (stream->align_bytes % lba_bytes)
		return pts_arena_printf(arena,
					"alignment of %llu bytes is no whole number of LBAs "
					"(%u B)",
					(unsigned long long)stream->align_bytes, lba_bytes);
	for (int d = 0; d < 2; d++)
		for (unsigned i = 0; i < stream->size_count[d] && !fault; i++)
			fault = size_fault(arena, stream, stream->sizes[d][i].block_bytes,
					   lba_bytes, threads);
	return fault;
}

const char *plan_segments_fault(struct pts_arena *arena, const struct plan_cell *cell,
				const struct plan_stream *stream, uint32_t lba_bytes)
{
	if (!cell->segments)
		return NULL;
	if (!cell->segment_bytes)
		return pts_arena_printf(arena, "range of %llu bytes holds no %u LBAs of %u B",
					(unsigned long long)stream->span_bytes, cell->segments,
					lba_bytes);
	for (int d = 0; d < 2; d++)
		for (unsigned i = 0; i < stream->size_count[d]; i++)
			if (stream->sizes[d][i].block_bytes > cell->segment_touched_bytes)
				return pts_arena_printf(
					arena,
					"a segment's %llu bytes hold no block of %llu bytes",
					(unsigned long long)cell->segment_touched_bytes,
					(unsigned long long)stream->sizes[d][i].block_bytes);
	return NULL;
}
