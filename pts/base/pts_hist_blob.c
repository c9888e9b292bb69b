/*
 * The histogram as a blob. Decoding trusts nothing: every length, gap, count and total is
 * checked, since a store may come from anywhere.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pts_hist.h"

#define BLOB_VERSION 1
#define VARINT_MAX   10

struct reader {
	const unsigned char *at, *end;
	bool bad;
};

static size_t put_varint(unsigned char *to, uint64_t value)
{
	size_t used = 0;

	while (value >= 0x80) {
		to[used++] = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	to[used++] = (unsigned char)value;
	return used;
}

static uint64_t get_varint(struct reader *reader)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned char byte;

		if (reader->at == reader->end)
			break;
		byte = *reader->at++;
		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	reader->bad = true;
	return 0;
}

int pts_hist_encode(const struct pts_hist *hist, void **ret_blob, size_t *ret_bytes)
{
	size_t used = 0, filled = 0;
	unsigned char *blob;
	unsigned last = 0;

	for (unsigned i = 0; i < PTS_HIST_BUCKETS; i++)
		filled += hist->bucket[i] != 0;
	blob = malloc(1 + 5 * VARINT_MAX + filled * 2 * VARINT_MAX);
	if (!blob)
		return -ENOMEM;
	blob[used++] = BLOB_VERSION;
	used += put_varint(blob + used, hist->count);
	used += put_varint(blob + used, hist->count ? hist->min : 0);
	used += put_varint(blob + used, hist->max);
	used += put_varint(blob + used, (uint64_t)hist->sum);
	used += put_varint(blob + used, (uint64_t)(hist->sum >> 64));
	for (unsigned i = 0; i < PTS_HIST_BUCKETS; i++) {
		if (!hist->bucket[i])
			continue;
		used += put_varint(blob + used, i - last);
		used += put_varint(blob + used, hist->bucket[i]);
		last = i;
	}
	*ret_blob = blob;
	*ret_bytes = used;
	return 0;
}

static bool get_head(struct reader *reader, struct pts_hist *hist)
{
	uint64_t low;

	hist->count = get_varint(reader);
	hist->min = get_varint(reader);
	hist->max = get_varint(reader);
	low = get_varint(reader);
	hist->sum = (unsigned __int128)get_varint(reader) << 64 | low;
	return !reader->bad;
}

/* What the buckets say of the exact figures. */
struct seen {
	uint64_t count;
	unsigned __int128 least, most; /* of the sum */
	unsigned first, last;
};

static bool see(const struct pts_hist *hist, unsigned index, uint64_t count, struct seen *seen)
{
	uint64_t high = pts_hist_bucket_high(index);

	if (!seen->count)
		seen->first = index;
	seen->last = index;
	if (__builtin_add_overflow(seen->count, count, &seen->count))
		return false;
	/* Counts fit 64 bits together and values 64 each: no overflow in 128. */
	seen->least += (unsigned __int128)pts_hist_bucket_low(index) * count;
	seen->most += (unsigned __int128)(high < hist->max ? high : hist->max) * count;
	return true;
}

/* The exact figures must be possible for the buckets. */
static bool plausible(const struct pts_hist *hist, const struct seen *seen)
{
	if (seen->count != hist->count)
		return false;
	if (!hist->count)
		return !hist->min && !hist->max && !hist->sum;
	return hist->min <= hist->max && pts_hist_index(hist->min) == seen->first &&
	       pts_hist_index(hist->max) == seen->last && hist->sum >= seen->least &&
	       hist->sum <= seen->most;
}

static bool get_buckets(struct reader *reader, struct pts_hist *hist)
{
	struct seen seen = {0};
	uint64_t index = 0;

	while (reader->at < reader->end) {
		uint64_t gap = get_varint(reader);
		uint64_t count = get_varint(reader);

		if (reader->bad || !count || (seen.count && !gap) ||
		    gap >= PTS_HIST_BUCKETS - index)
			return false;
		index += gap;
		if (!see(hist, (unsigned)index, count, &seen))
			return false;
		hist->bucket[index] = count;
	}
	return plausible(hist, &seen);
}

int pts_hist_decode(const void *blob, size_t bytes, struct pts_hist *ret_hist)
{
	struct reader reader = {blob, (const unsigned char *)blob + bytes, false};

	pts_hist_reset(ret_hist);
	if (!blob || !bytes)
		return -EBADMSG;
	if (*reader.at++ != BLOB_VERSION)
		return -ENOTSUP;
	if (!get_head(&reader, ret_hist) || !get_buckets(&reader, ret_hist)) {
		pts_hist_reset(ret_hist);
		return -EBADMSG;
	}
	if (!ret_hist->count)
		ret_hist->min = UINT64_MAX;
	return 0;
}
