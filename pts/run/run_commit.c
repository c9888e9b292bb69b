/*
 * From an engine result to a row of the store: rates, latency figures, samples, histograms,
 * errors of one cell. It runs while the next cell already measures.
 */
#include <math.h>
#include <stdlib.h>

#include "pts_clock.h"
#include "pts_hist.h"
#include "pts_units.h"
#include "run_internal.h"

static void latency(const struct pts_hist *hist, struct store_dir *ret_dir)
{
	ret_dir->lat_mean_ns = pts_hist_mean(hist);
	ret_dir->lat_sum_ns = hist->sum;
	if (!hist->count)
		return;
	ret_dir->lat_min_ns = hist->min;
	ret_dir->lat_max_ns = hist->max;
	ret_dir->lat_p50_ns = pts_hist_quantile(hist, 0.5);
	ret_dir->lat_p99_ns = pts_hist_quantile(hist, 0.99);
	ret_dir->lat_p999_ns = pts_hist_quantile(hist, 0.999);
	ret_dir->lat_p9999_ns = pts_hist_quantile(hist, 0.9999);
	ret_dir->lat_p99999_ns = pts_hist_quantile(hist, 0.99999);
}

static void rates(struct store_dir *dir, uint64_t elapsed_ns)
{
	dir->iops = pts_per_s(dir->ios, elapsed_ns);
	dir->mb_per_s = pts_mb_per_s(dir->bytes, elapsed_ns);
}

static int one_dir(const struct engine_result *result, int dir, bool keep_histogram,
		   struct store_dir *ret_dir)
{
	const struct engine_counts *counts = &result->dir[dir];
	void *blob = NULL;
	int rc = 0;

	ret_dir->ios = counts->ios;
	ret_dir->bytes = counts->bytes;
	ret_dir->submitted = counts->submitted;
	ret_dir->errors = counts->errors;
	rates(ret_dir, result->elapsed_ns);
	latency(result->hist[dir], ret_dir);
	if (keep_histogram && result->hist[dir]->count) {
		rc = pts_hist_encode(result->hist[dir], &blob, &ret_dir->hist_bytes);
		ret_dir->hist = blob;
	}
	return rc;
}

static void both_dirs(const struct engine_result *result, struct store_cell *cell)
{
	struct pts_hist *both = pts_hist_new();
	struct store_dir *total = &cell->total;

	pts_hist_add(both, result->hist[ENGINE_READ]);
	pts_hist_add(both, result->hist[ENGINE_WRITE]);
	for (int i = 0; i < ENGINE_DIRS; i++) {
		total->ios += cell->dir[i].ios;
		total->bytes += cell->dir[i].bytes;
		total->submitted += cell->dir[i].submitted;
		total->errors += cell->dir[i].errors;
	}
	/* IOPS of a mixed cell = reads + writes; latency weighted by count (PTS 2.9). */
	rates(total, result->elapsed_ns);
	latency(both, total);
	pts_hist_free(both);
}

static struct store_sample *samples(const struct engine_result *result)
{
	struct store_sample *rows = calloc(result->sample_count + 1, sizeof(*rows));

	if (!rows)
		return NULL;
	for (size_t i = 0; i < result->sample_count; i++) {
		const struct engine_sample *from = &result->samples[i];

		rows[i].second = from->second;
		rows[i].span_ns = from->span_ns;
		for (int d = 0; d < ENGINE_DIRS; d++) {
			rows[i].ios[d] = from->ios[d];
			rows[i].bytes[d] = from->bytes[d];
			rows[i].lat_sum_ns[d] = from->lat_sum_ns[d];
			rows[i].lat_max_ns[d] = from->lat_max_ns[d];
		}
	}
	return rows;
}

static void io_errors(const struct engine_result *result, struct store_io_error *rows)
{
	for (unsigned i = 0; i < result->error_count; i++) {
		const struct engine_error_note *from = &result->errors[i];

		rows[i] = (struct store_io_error){
			.at_ns = from->at_ns,
			.offset_bytes = from->offset_bytes,
			.length_bytes = from->length_bytes,
			.got_bytes = from->got_bytes,
			.error = from->error,
			.is_write = from->dir == ENGINE_WRITE,
		};
	}
}

static unsigned count_shares(const struct plan_cell *cell)
{
	unsigned count = cell->stream_count > 1 ? cell->stream_count : 0;

	for (unsigned i = 0; i < cell->stream_count; i++) {
		const struct plan_stream *stream = &cell->streams[i];

		count += stream->zone_count;
		count += stream->size_count[0] > 1 ? stream->size_count[0] : 0;
	}
	return count;
}

/* What was drawn, where there was something to draw: in the order of the store, sizes, streams,
 * zones. The engine's counters follow one another stream by stream. */
static struct store_share *shares(const struct plan_cell *cell,
				  const struct engine_result *result, size_t *ret_count)
{
	struct store_share *rows = calloc(count_shares(cell) + 1, sizeof(*rows));
	const uint64_t *size = result->size_submitted, *zone = result->zone_submitted;
	size_t count = 0;

	for (unsigned i = 0; rows && i < cell->stream_count; i++) {
		unsigned sizes = cell->streams[i].size_count[0];

		for (unsigned k = 0; k < sizes; k++, size++)
			if (sizes > 1)
				rows[count++] = (struct store_share){"size", i, k, *size};
	}
	for (unsigned i = 0; rows && cell->stream_count > 1 && i < cell->stream_count; i++)
		rows[count++] =
			(struct store_share){"stream", i, i, result->stream_submitted[i]};
	for (unsigned i = 0; rows && i < cell->stream_count; i++)
		for (unsigned k = 0; k < cell->streams[i].zone_count; k++, zone++)
			rows[count++] = (struct store_share){"zone", i, k, *zone};
	*ret_count = count;
	return rows;
}

static const char *access_text(const struct plan_cell *cell)
{
	double random = cell->streams[0].random_share;

	for (unsigned i = 1; i < cell->stream_count; i++)
		if (cell->streams[i].random_share < random ||
		    cell->streams[i].random_share > random)
			return "mixed";
	if (random >= 1)
		return "random";
	return random > 0 ? "mixed" : "sequential";
}

/* What the plan says of a cell, whether it was measured or not. */
static void planned(const struct plan_step *step, const struct plan_cell *cell, int round,
		    struct store_cell *ret_row)
{
	ret_row->step = (int)step->index;
	ret_row->round = round;
	ret_row->cell = (int)cell->index;
	ret_row->role = plan_role_text(cell->role);
	ret_row->label = cell->label;
	ret_row->access = access_text(cell);
	ret_row->read_pct = (int)cell->read_pct;
	for (unsigned i = 1; i < cell->stream_count; i++)
		if (cell->streams[i].read_pct != cell->streams[0].read_pct)
			ret_row->read_pct = -1;
	ret_row->block_bytes = cell->block_bytes;
	ret_row->threads = cell->threads;
	ret_row->queue_depth = cell->queue_depth;
	ret_row->requested_ns = cell->duration_ns;
	ret_row->requested_bytes = cell->amount_bytes;
}

static void no_figures(struct store_dir *dir)
{
	dir->iops = NAN;
	dir->mb_per_s = NAN;
	dir->lat_mean_ns = NAN;
}

int run_cell_skip(struct run *run, const struct plan_step *step, const struct plan_cell *cell,
		  int round, struct pts_err *err)
{
	struct store_cell row = {.reason = cell->reason, .cpu_system_pct = NAN};

	planned(step, cell, round, &row);
	no_figures(&row.dir[ENGINE_READ]);
	no_figures(&row.dir[ENGINE_WRITE]);
	no_figures(&row.total);
	return store_put_cell(run->store, &row, err);
}

int run_commit(struct run *run, const struct run_pending *pending, struct pts_err *err)
{
	const struct engine_result *result = pending->result;
	struct store_io_error errors[ENGINE_ERROR_NOTES];
	struct store_sample *seconds = samples(result);
	size_t share_count = 0;
	struct store_share *drawn = shares(pending->cell, result, &share_count);
	struct store_cell row = {
		.seed = pending->seed,
		.valid = !pending->reason[0],
		.reason = pending->reason[0] ? pending->reason : NULL,
		.started_ns = result->started_ns,
		.elapsed_ns = result->elapsed_ns,
		.started_wall_ns = pending->started_wall_ns,
		.gap_ns = pending->gap_ns,
		.drain_ns = result->drain_ns,
		.drain_ios = result->drain_ios,
		.outstanding_mean = result->outstanding_mean,
		.inflight_ns = result->inflight_ns,
		.user_ns = result->user_ns,
		.system_ns = result->system_ns,
		.cpu_system_pct = pending->cpu_system_pct,
		.samples = seconds,
		.sample_count = seconds ? result->sample_count : 0,
		.shares = drawn,
		.share_count = share_count,
		.errors = errors,
		.error_count = result->error_count,
	};
	int rc = 0;

	planned(pending->step, pending->cell, pending->round, &row);
	row.requested_ns = pending->limits.duration_ns;
	row.requested_bytes = pending->limits.amount_bytes;
	io_errors(result, errors);
	for (int i = 0; i < ENGINE_DIRS && !rc; i++)
		rc = one_dir(result, i, pending->cell->keep_histogram, &row.dir[i]);
	if (rc)
		rc = pts_fail(err, PTS_EXIT_BUG, -rc, "cannot encode the histogram of '%s'",
			      pending->cell->label);
	both_dirs(result, &row);
	if (!row.valid) {
		/* A failed cell has counts, never a rate: nobody may average it in. */
		no_figures(&row.dir[ENGINE_READ]);
		no_figures(&row.dir[ENGINE_WRITE]);
		no_figures(&row.total);
	}
	if (!rc)
		rc = store_put_cell(run->store, &row, err);
	for (int i = 0; i < ENGINE_DIRS; i++)
		free((void *)row.dir[i].hist);
	free(seconds);
	free(drawn);
	return rc;
}
