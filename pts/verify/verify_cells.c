/*
 * Cells: their digest, rates from counts and times, latency from sums and histograms, totals,
 * samples, errors, gaps. Cut rounds too: they are evidence of what happened. Must not look at
 * rounds or verdicts.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pts_hash.h"
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

/* What holds with and without a histogram: a distribution is in order, its mean lies inside. */
static void check_order(struct verify *verify, const char *where, const char *name,
			const struct store_dir *dir)
{
	const uint64_t rising[] = {dir->lat_min_ns,  dir->lat_p50_ns,   dir->lat_p99_ns,
				   dir->lat_p999_ns, dir->lat_p9999_ns, dir->lat_p99999_ns,
				   dir->lat_max_ns};
	unsigned __int128 least = (unsigned __int128)dir->lat_min_ns * dir->ios;
	unsigned __int128 most = (unsigned __int128)dir->lat_max_ns * dir->ios;
	char what[96];
	bool in_order = true;

	for (unsigned i = 1; i < sizeof(rising) / sizeof(rising[0]); i++)
		in_order = in_order && rising[i - 1] <= rising[i];
	snprintf(what, sizeof(what), "%s latencies are not in order", name);
	verify_that(verify, in_order, where, what);
	snprintf(what, sizeof(what), "%s lat_sum_ns is outside minimum and maximum", name);
	verify_that(verify, dir->lat_sum_ns >= least && dir->lat_sum_ns <= most, where, what);
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

static uint64_t lesser_min(const struct store_dir *a, const struct store_dir *b)
{
	if (!a->ios || !b->ios)
		return a->ios ? a->lat_min_ns : b->lat_min_ns;
	return a->lat_min_ns < b->lat_min_ns ? a->lat_min_ns : b->lat_min_ns;
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
	verify_u64(verify, where, "total lat_min_ns", t->lat_min_ns, lesser_min(a, b));
	for (int i = 0; i < STORE_DIRS; i++)
		verify_that(verify,
			    cell->dir[i].submitted >= cell->dir[i].ios + cell->dir[i].errors,
			    where, "more I/Os completed than were submitted");
	if (cell->valid)
		verify_u64(verify, where, "submitted (ios + errors + drain_ios)", t->submitted,
			   t->ios + t->errors + cell->drain_ios);
	/* Cells of an amount may end with shorter I/Os: the tail of the span. */
	if (cell->block_bytes && !cell->requested_bytes)
		for (int i = 0; i < STORE_DIRS; i++)
			verify_u64(verify, where,
				   i ? "write bytes (ios x block)" : "read bytes (ios x block)",
				   cell->dir[i].bytes, cell->dir[i].ios * cell->block_bytes);
}

/* The notes of errors are the first ones; the counts are all. */
static void check_errors(struct verify *verify, const char *where,
			 const struct store_cell *cell)
{
	uint64_t noted[STORE_DIRS] = {0};

	for (unsigned i = 0; i < cell->error_count; i++)
		noted[cell->errors[i].is_write]++;
	for (int d = 0; d < STORE_DIRS; d++)
		verify_that(verify, noted[d] <= cell->dir[d].errors, where,
			    d ? "more write errors are noted than counted"
			      : "more read errors are noted than counted");
	verify_that(verify, !cell->total.errors || cell->error_count, where,
		    "errors are counted, none is noted");
	verify_that(verify, !cell->total.errors || !cell->valid, where,
		    "it is valid in spite of I/O errors");
}

/* The samples of a cell add up to it. */
static void check_samples(struct verify *verify, const char *where,
			  const struct store_cell *cell)
{
	static const char *const columns[STORE_DIRS][4] = {
		{"samples' read ios", "samples' read bytes",
		 "samples' read lat_sum_ns is not the cell's", "samples' read lat_max_ns"},
		{"samples' write ios", "samples' write bytes",
		 "samples' write lat_sum_ns is not the cell's", "samples' write lat_max_ns"},
	};
	bool in_order = true;
	uint64_t span_ns = 0;

	if (!cell->sample_count)
		return;
	for (size_t i = 0; i < cell->sample_count; i++) {
		span_ns += cell->samples[i].span_ns;
		in_order = in_order && cell->samples[i].second == i;
	}
	verify_that(verify, in_order, where, "a second of its samples is missing");
	verify_u64(verify, where, "samples' span_ns", span_ns, cell->elapsed_ns);
	for (int d = 0; d < STORE_DIRS; d++) {
		uint64_t ios = 0, bytes = 0, max = 0;
		unsigned __int128 sum = 0;

		for (size_t i = 0; i < cell->sample_count; i++) {
			ios += cell->samples[i].ios[d];
			bytes += cell->samples[i].bytes[d];
			sum += cell->samples[i].lat_sum_ns[d];
			if (cell->samples[i].lat_max_ns[d] > max)
				max = cell->samples[i].lat_max_ns[d];
		}
		verify_u64(verify, where, columns[d][0], ios, cell->dir[d].ios);
		verify_u64(verify, where, columns[d][1], bytes, cell->dir[d].bytes);
		verify_that(verify, sum == cell->dir[d].lat_sum_ns, where, columns[d][2]);
		verify_u64(verify, where, columns[d][3], max, cell->dir[d].lat_max_ns);
	}
}

/*
 * Little's law with the window's edges (engine.h): the mean number outstanding was counted, the
 * latencies were measured each on its own, so what bent one of them shows. Exact but for the
 * nanosecond that each latency is rounded by: real drives keep it within 0.001 %. Errors have no
 * latency, and a cell with errors is not valid.
 */
static void check_little(struct verify *verify, const char *where,
			 const struct store_cell *cell)
{
	double area_ns = cell->outstanding_mean * (double)cell->elapsed_ns;
	double sum_ns = (double)cell->total.lat_sum_ns + (double)cell->inflight_ns;
	double off_ns = fabs(area_ns - sum_ns),
	       most_ns = 0.01 * area_ns + (double)cell->total.ios;
	char text[192];

	snprintf(text, sizeof(text),
		 "Little's law: %.6g I/Os were outstanding in the mean, latencies and "
		 "inflight_ns say %.6g",
		 cell->outstanding_mean, sum_ns / (double)cell->elapsed_ns);
	verify_that(verify, off_ns <= most_ns, where, text);
}

int verify_place(const struct store_cell *cell)
{
	return cell->role && !strcmp(cell->role, "before") ? cell->cell - INT_MAX : cell->cell;
}

/* gap_ns = last completion of the cell before (with its drain) to the first submission of this
 * one; 0 for the first of a round. A cut round's next attempt begins at its first cell again. */
static void check_gap(struct before *before, const char *where, const struct store_cell *cell)
{
	bool follows = before->step == cell->step && before->round == cell->round &&
		       cell->round && verify_place(cell) > before->cell;
	uint64_t gap_ns = 0;

	if (!cell->elapsed_ns)
		return;
	if (follows && cell->started_ns > before->end_ns)
		gap_ns = cell->started_ns - before->end_ns;
	verify_u64(before->verify, where, follows ? "gap_ns" : "gap_ns (first cell)",
		   cell->gap_ns, gap_ns);
	before->step = cell->step;
	before->round = cell->round;
	before->cell = verify_place(cell);
	before->end_ns = cell->started_ns + cell->elapsed_ns + cell->drain_ns;
}

static void check_digest(struct verify *verify, const char *where,
			 const struct store_cell *cell)
{
	char digest[STORE_DIGEST_TEXT];

	store_cell_digest(cell, digest);
	verify_text(verify, where, "sha256", cell->sha256, digest);
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
	check_errors(verify, where, cell);
	if (cell->valid) {
		check_hists(before, where, cell);
		check_samples(verify, where, cell);
		if (cell->elapsed_ns)
			check_little(verify, where, cell);
		verify_that(verify, cell->elapsed_ns && cell->total.ios, where,
			    "it is valid without time or I/O");
	} else {
		verify_that(verify, cell->reason && *cell->reason, where,
			    "it is not valid and gives no reason");
	}
	for (int i = 0; cell->valid && i < STORE_DIRS; i++)
		if (cell->dir[i].ios)
			check_order(verify, where, dir_names[i], &cell->dir[i]);
	if (cell->valid && cell->total.ios)
		check_order(verify, where, "total", &cell->total);
	verify_cell_plan(verify, where, cell);
	verify_cell_limits(verify, where, cell);
	verify_shares(verify, where, cell);
	check_gap(before, where, cell);
	check_digest(verify, where, cell);
	return 0;
}

int verify_cells(struct verify *verify)
{
	const struct store_cell_filter filter = {
		.step = -1, .with_cut = true, .with_hist = true, .with_samples = true};
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
