/* Cells: rates from counts and times, latency from sums and histograms, totals, samples. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pts_hist.h"
#include "pts_units.h"
#include "verify_internal.h"

/* The cell before, for the gap between two of the same round. */
struct before {
	struct verify *verify;
	int step, round, cell;
	uint64_t end_ns; /* start + elapsed + drain */
	struct pts_hist *hist[STORE_DIRS], *both;
};

static const char *const dir_names[STORE_DIRS] = {"read", "write"};

static void check_rates(struct verify *verify, const char *where, const char *name,
			const struct store_cell *cell, const struct store_dir *dir)
{
	char column[64];
	double none = NAN;

	snprintf(column, sizeof(column), "%s iops", name);
	verify_double(verify, where, column, dir->iops,
		      cell->valid ? pts_per_s(dir->ios, cell->elapsed_ns) : none);
	snprintf(column, sizeof(column), "%s mb_per_s", name);
	verify_double(verify, where, column, dir->mb_per_s,
		      cell->valid ? pts_mb_per_s(dir->bytes, cell->elapsed_ns) : none);
	snprintf(column, sizeof(column), "%s lat_mean_ns", name);
	verify_double(verify, where, column, dir->lat_mean_ns,
		      cell->valid && dir->ios
			      ? (double)((long double)dir->lat_sum_ns / (long double)dir->ios)
			      : none);
}

static void check_hist(struct verify *verify, const char *where, const char *name,
		       const struct store_dir *dir, const struct pts_hist *hist)
{
	const struct {
		const char *column;
		uint64_t stored, computed;
	} rows[] = {
		{"ios", dir->ios, hist->count},
		{"lat_min_ns", dir->lat_min_ns, hist->count ? hist->min : 0},
		{"lat_max_ns", dir->lat_max_ns, hist->max},
		{"lat_p50_ns", dir->lat_p50_ns, pts_hist_quantile(hist, 0.5)},
		{"lat_p99_ns", dir->lat_p99_ns, pts_hist_quantile(hist, 0.99)},
		{"lat_p999_ns", dir->lat_p999_ns, pts_hist_quantile(hist, 0.999)},
		{"lat_p9999_ns", dir->lat_p9999_ns, pts_hist_quantile(hist, 0.9999)},
		{"lat_p99999_ns", dir->lat_p99999_ns, pts_hist_quantile(hist, 0.99999)},
	};
	char column[64];

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(column, sizeof(column), "%s %s", name, rows[i].column);
		verify_u64(verify, where, column, rows[i].stored, rows[i].computed);
	}
	snprintf(column, sizeof(column), "%s lat_sum_ns differs from its histogram", name);
	verify_that(verify, dir->lat_sum_ns == hist->sum, where, column);
}

/* True if the histogram of a direction is there and could be read. */
static bool decode(struct verify *verify, const char *where, const char *name,
		   const struct store_dir *dir, struct pts_hist *ret_hist)
{
	char what[96];
	int rc;

	pts_hist_reset(ret_hist);
	if (!dir->ios)
		return true;
	if (!dir->hist_bytes)
		return false;
	rc = pts_hist_decode(dir->hist, dir->hist_bytes, ret_hist);
	snprintf(what, sizeof(what), "the %s histogram is damaged", name);
	verify_that(verify, rc == 0, where, what);
	return rc == 0;
}

static void check_hists(struct before *before, const char *where, const struct store_cell *cell)
{
	struct verify *verify = before->verify;
	bool all = true;

	pts_hist_reset(before->both);
	for (int i = 0; i < STORE_DIRS; i++) {
		if (!decode(verify, where, dir_names[i], &cell->dir[i], before->hist[i])) {
			all = false;
			continue;
		}
		if (cell->dir[i].ios)
			check_hist(verify, where, dir_names[i], &cell->dir[i], before->hist[i]);
		pts_hist_add(before->both, before->hist[i]);
	}
	if (all && cell->total.ios)
		check_hist(verify, where, "total", &cell->total, before->both);
}

static void check_total(struct verify *verify, const char *where, const struct store_cell *cell)
{
	const struct store_dir *a = &cell->dir[0], *b = &cell->dir[1], *t = &cell->total;

	verify_u64(verify, where, "total ios", t->ios, a->ios + b->ios);
	verify_u64(verify, where, "total bytes", t->bytes, a->bytes + b->bytes);
	verify_u64(verify, where, "total submitted", t->submitted, a->submitted + b->submitted);
	verify_u64(verify, where, "total errors", t->errors, a->errors + b->errors);
	verify_that(verify, t->lat_sum_ns == a->lat_sum_ns + b->lat_sum_ns, where,
		    "total lat_sum_ns is not the sum of both directions");
	verify_u64(verify, where, "total lat_max_ns", t->lat_max_ns,
		   a->lat_max_ns > b->lat_max_ns ? a->lat_max_ns : b->lat_max_ns);
	for (int i = 0; i < STORE_DIRS; i++)
		verify_that(verify,
			    cell->dir[i].submitted >= cell->dir[i].ios + cell->dir[i].errors,
			    where, "more I/Os completed than were submitted");
	if (cell->block_bytes && !cell->requested_bytes)
		verify_u64(verify, where, "total bytes (ios x block)", t->bytes,
			   t->ios * cell->block_bytes);
}

/* The samples of a cell add up to it. */
static void check_samples(struct verify *verify, const char *where,
			  const struct store_cell *cell)
{
	static const char *const columns[STORE_DIRS][4] = {
		{"samples' read ios", "samples' read bytes", "samples' read lat_sum_ns",
		 "samples' read lat_max_ns"},
		{"samples' write ios", "samples' write bytes", "samples' write lat_sum_ns",
		 "samples' write lat_max_ns"},
	};
	uint64_t span_ns = 0;

	if (!cell->sample_count)
		return;
	for (size_t i = 0; i < cell->sample_count; i++)
		span_ns += cell->samples[i].span_ns;
	verify_u64(verify, where, "samples' span_ns", span_ns, cell->elapsed_ns);
	for (int d = 0; d < STORE_DIRS; d++) {
		uint64_t ios = 0, bytes = 0, sum = 0, max = 0;

		for (size_t i = 0; i < cell->sample_count; i++) {
			ios += cell->samples[i].ios[d];
			bytes += cell->samples[i].bytes[d];
			sum += cell->samples[i].lat_sum_ns[d];
			if (cell->samples[i].lat_max_ns[d] > max)
				max = cell->samples[i].lat_max_ns[d];
		}
		verify_u64(verify, where, columns[d][0], ios, cell->dir[d].ios);
		verify_u64(verify, where, columns[d][1], bytes, cell->dir[d].bytes);
		verify_that(verify, sum == (uint64_t)cell->dir[d].lat_sum_ns, where,
			    columns[d][2]);
		verify_u64(verify, where, columns[d][3], max, cell->dir[d].lat_max_ns);
	}
}

/* The engine's gap runs from the last completion to the first submission, so it can't be longer
 * than the time between the two cells' windows. */
static void check_gap(struct before *before, const char *where, const struct store_cell *cell)
{
	bool follows =
		before->step == cell->step && before->round == cell->round && cell->round;

	if (!cell->elapsed_ns)
		return;
	if (!follows)
		verify_u64(before->verify, where, "gap_ns (first cell)", cell->gap_ns, 0);
	else
		verify_u64(before->verify, where, "gap_ns", cell->gap_ns,
			   cell->started_ns > before->end_ns ? cell->started_ns - before->end_ns
							     : 0);
}

static int check_cell(void *ctx, const struct store_cell *cell)
{
	struct before *before = ctx;
	struct verify *verify = before->verify;
	char where[96];

	snprintf(where, sizeof(where), "step %d round %d cell %d", cell->step, cell->round,
		 cell->cell);
	for (int i = 0; i < STORE_DIRS; i++)
		check_rates(verify, where, dir_names[i], cell, &cell->dir[i]);
	check_rates(verify, where, "total", cell, &cell->total);
	check_total(verify, where, cell);
	if (cell->valid) {
		check_hists(before, where, cell);
		check_samples(verify, where, cell);
	} else {
		verify_that(verify, cell->reason && *cell->reason, where,
			    "it is not valid and gives no reason");
	}
	check_gap(before, where, cell);
	if (cell->elapsed_ns) {
		before->step = cell->step;
		before->round = cell->round;
		before->end_ns = cell->started_ns + cell->elapsed_ns + cell->drain_ns;
	}
	return 0;
}

int verify_cells(struct verify *verify)
{
	struct store_cell_filter filter = {.step = -1, .with_hist = true, .with_samples = true};
	struct before before = {.verify = verify, .step = -1};
	int rc;

	before.hist[0] = pts_hist_new();
	before.hist[1] = pts_hist_new();
	before.both = pts_hist_new();
	rc = store_each_cell(verify->store, &filter, check_cell, &before, verify->err);
	pts_hist_free(before.hist[0]);
	pts_hist_free(before.hist[1]);
	pts_hist_free(before.both);
	return rc;
}
