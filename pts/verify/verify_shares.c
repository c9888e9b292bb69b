/*
 * Shares: what a cell drew from the distributions of its plan is complete, and adds up to what was
 * submitted.
 */
#include <stdio.h>
#include <string.h>

#include "verify_internal.h"

/* Submitted I/Os of one part of one stream; *ret_items says how many items there are. */
static uint64_t sum_of(const struct store_cell *cell, const char *part, unsigned stream,
		       size_t *ret_items)
{
	uint64_t sum = 0;

	*ret_items = 0;
	for (size_t i = 0; i < cell->share_count; i++) {
		const struct store_share *share = &cell->shares[i];

		if (strcmp(share->part, part) != 0 || share->stream != stream)
			continue;
		sum += share->submitted;
		++*ret_items;
	}
	return sum;
}

static void check_stream(struct verify *verify, const char *where,
			 const struct store_cell *cell, const json_t *planned, unsigned index,
			 bool alone)
{
	const json_t *stream = json_array_get(json_object_get(planned, "streams"), index);
	size_t sizes = json_array_size(json_object_get(stream, "sizes")), found;
	size_t zones = json_array_size(json_object_get(stream, "zones")), own;
	uint64_t all = sum_of(cell, "stream", index, &own), sum;

	if (alone)
		all = cell->total.submitted;
	verify_u64(verify, where, "streams' shares", own, !alone);
	sum = sum_of(cell, "size", index, &found);
	verify_u64(verify, where, "sizes' shares", found, sizes > 1 ? sizes : 0);
	if (found)
		verify_u64(verify, where, "sizes' submitted", sum, all);
	sum = sum_of(cell, "zone", index, &found);
	verify_u64(verify, where, "zones' shares", found, zones);
	if (found && verify_json_number(stream, "random_share") >= 1)
		verify_u64(verify, where, "zones' submitted", sum, all);
	verify_that(verify, sum <= all, where, "more I/Os lie in zones than were submitted");
}

void verify_shares(struct verify *verify, const char *where, const struct store_cell *cell)
{
	const json_t *planned = verify_plan_cell(verify, cell->step, cell->cell);
	size_t streams = json_array_size(json_object_get(planned, "streams")), found;
	uint64_t sum = 0;

	if (!planned || !cell->valid)
		return;
	for (size_t i = 0; i < streams; i++) {
		check_stream(verify, where, cell, planned, (unsigned)i, streams == 1);
		sum += sum_of(cell, "stream", (unsigned)i, &found);
	}
	if (streams > 1)
		verify_u64(verify, where, "streams' submitted", sum, cell->total.submitted);
}
