/* Geometry, exact to the last LBA: shares of a drive, positions in a span, what can't be run. */
#include <math.h>

#include "plan_internal.h"

/* Shares are written in decimal: parts of 10^12 give back what the text meant. */
#define PARTS 1000000000000ull

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

const char *plan_block_fault(struct pts_arena *arena, uint64_t block_bytes, uint64_t span_bytes,
			     uint32_t lba_bytes, unsigned sequential_threads)
{
	char block[48];

	if (block_bytes < lba_bytes)
		return pts_arena_printf(arena, "block smaller than one LBA (%u B)", lba_bytes);
	pts_bytes_text(block_bytes, block, sizeof(block));
	if (block_bytes % lba_bytes)
		return pts_arena_printf(arena, "block of %s is no whole number of LBAs (%u B)",
					block, lba_bytes);
	if (block_bytes > span_bytes)
		return pts_arena_printf(arena,
					"device smaller than one block: its range of %llu "
					"bytes holds no %s",
					(unsigned long long)span_bytes, block);
	if (plan_positions(span_bytes, block_bytes) < sequential_threads)
		return pts_arena_printf(
			arena,
			"range of %llu bytes is smaller than one %s block for each "
			"of %u threads",
			(unsigned long long)span_bytes, block, sequential_threads);
	return NULL;
}
