/*
 * The digest of a cell: SHA-256 of one canonical text of every value that the store keeps of it,
 * so that a changed digit in a column that nothing else can be computed from (CPU time, one
 * second's longest latency, an error's offset) is seen too. pts-store(5) describes the text.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pts_hash.h"
#include "pts_text.h"
#include "store.h"

static void add_u64(struct pts_buf *buf, uint64_t value)
{
	pts_buf_printf(buf, "%" PRIu64 "\n", value);
}

static void add_wide(struct pts_buf *buf, unsigned __int128 value)
{
	pts_buf_printf(buf, "%016" PRIx64 "%016" PRIx64 "\n", (uint64_t)(value >> 64),
		       (uint64_t)value);
}

/* The bits of a double; a missing value is a dash, as SQLite keeps neither NaN nor -0. */
static void add_double(struct pts_buf *buf, double value)
{
	uint64_t bits;

	if (!isfinite(value)) {
		pts_buf_puts(buf, "-\n");
		return;
	}
	if (fpclassify(value) == FP_ZERO)
		value = 0;
	memcpy(&bits, &value, sizeof(bits));
	pts_buf_printf(buf, "%016" PRIx64 "\n", bits);
}

static void add_text(struct pts_buf *buf, const char *text)
{
	if (text)
		pts_buf_printf(buf, "%zu:%s\n", strlen(text), text);
	else
		pts_buf_puts(buf, "-\n");
}

static void add_dir(struct pts_buf *buf, const char *name, const struct store_dir *dir,
		    bool with_hist)
{
	const uint64_t latencies[] = {
		dir->lat_min_ns,  dir->lat_max_ns,   dir->lat_p50_ns,    dir->lat_p99_ns,
		dir->lat_p999_ns, dir->lat_p9999_ns, dir->lat_p99999_ns,
	};
	char hash[PTS_SHA256_TEXT];

	pts_buf_printf(buf, "%s\n", name);
	add_u64(buf, dir->ios);
	add_u64(buf, dir->bytes);
	add_u64(buf, dir->submitted);
	add_u64(buf, dir->errors);
	add_double(buf, dir->iops);
	add_double(buf, dir->mb_per_s);
	add_double(buf, dir->lat_mean_ns);
	add_wide(buf, dir->lat_sum_ns);
	/* Without a completion the latencies are NULL, whatever the caller's struct held. */
	for (unsigned i = 0; i < sizeof(latencies) / sizeof(latencies[0]); i++)
		add_u64(buf, dir->ios ? latencies[i] : 0);
	if (with_hist && dir->ios && dir->hist && dir->hist_bytes) {
		pts_sha256_text(dir->hist, dir->hist_bytes, hash);
		add_text(buf, hash);
	} else {
		add_text(buf, NULL);
	}
}

static void add_head(struct pts_buf *buf, const struct store_cell *cell)
{
	pts_buf_printf(buf, "pts-cell 1\n%d\n%d\n%d\n", cell->step, cell->round, cell->cell);
	add_text(buf, cell->role);
	add_text(buf, cell->label);
	add_text(buf, cell->access);
	pts_buf_printf(buf, "%d\n", cell->read_pct < 0 ? -1 : cell->read_pct);
	add_u64(buf, cell->block_bytes);
	add_u64(buf, cell->threads);
	add_u64(buf, cell->queue_depth);
	add_u64(buf, cell->seed);
	add_u64(buf, cell->valid);
	add_text(buf, cell->reason);
	add_u64(buf, cell->started_ns);
	add_u64(buf, cell->elapsed_ns);
	add_u64(buf, cell->started_wall_ns);
	add_u64(buf, cell->gap_ns);
	add_u64(buf, cell->drain_ns);
	add_u64(buf, cell->drain_ios);
	add_u64(buf, cell->requested_ns);
	add_u64(buf, cell->requested_bytes);
	add_double(buf, cell->outstanding_mean);
	add_u64(buf, cell->inflight_ns);
	add_u64(buf, cell->user_ns);
	add_u64(buf, cell->system_ns);
	add_double(buf, cell->cpu_system_pct);
}

static void add_sample(struct pts_buf *buf, const struct store_sample *sample)
{
	add_u64(buf, sample->second);
	add_u64(buf, sample->span_ns);
	for (int d = 0; d < STORE_DIRS; d++) {
		add_u64(buf, sample->ios[d]);
		add_u64(buf, sample->bytes[d]);
		add_u64(buf, sample->lat_sum_ns[d]);
		add_u64(buf, sample->lat_max_ns[d]);
	}
}

void store_cell_digest(const struct store_cell *cell, char ret_text[STORE_DIGEST_TEXT])
{
	struct pts_buf buf = {0};

	_Static_assert(STORE_DIGEST_TEXT == PTS_SHA256_TEXT, "a SHA-256 in hexadecimal");
	add_head(&buf, cell);
	add_dir(&buf, "read", &cell->dir[0], true);
	add_dir(&buf, "write", &cell->dir[1], true);
	add_dir(&buf, "total", &cell->total, false);
	pts_buf_printf(&buf, "samples %zu\n", cell->sample_count);
	for (size_t i = 0; i < cell->sample_count; i++)
		add_sample(&buf, &cell->samples[i]);
	pts_buf_printf(&buf, "shares %zu\n", cell->share_count);
	for (size_t i = 0; i < cell->share_count; i++) {
		const struct store_share *share = &cell->shares[i];

		pts_buf_printf(&buf, "%s\n%u\n%u\n%" PRIu64 "\n", share->part, share->stream,
			       share->item, share->submitted);
	}
	pts_buf_printf(&buf, "errors %u\n", cell->error_count);
	for (unsigned i = 0; i < cell->error_count; i++) {
		const struct store_io_error *e = &cell->errors[i];

		pts_buf_printf(&buf, "%" PRIu64 "\n%s\n%" PRIu64 "\n%u\n%u\n%d\n", e->at_ns,
			       e->is_write ? "write" : "read", e->offset_bytes, e->length_bytes,
			       e->got_bytes, e->error);
	}
	pts_sha256_text(buf.data, buf.length, ret_text);
	pts_buf_release(&buf);
}
