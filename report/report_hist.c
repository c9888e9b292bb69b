/*
 * Stored histograms of a step -> its levels (exact mean, minimum and maximum; quantiles as close
 * as the stored buckets: 0.025 %) and bins for a log axis. Must not know pages or plots.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "pts_hist.h"
#include "report_model_internal.h"

#define READS  0
#define WRITES 1
#define BOTH   2

double report_level_quantile(enum report_level level)
{
	static const double quantiles[LEVELS] = {0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999};

	return quantiles[level];
}

double report_bin_low_ns(unsigned bin)
{
	return pow(10, (double)bin / HIST_BINS_DECADE);
}

struct target {
	struct report_hist *out;
	struct pts_hist *sum[3], *one;
	unsigned found;
};

static int take_hist(void *ctx, const struct store_cell *cell)
{
	struct target *target = ctx;

	for (unsigned d = 0; d < STORE_DIRS; d++) {
		if (cell->dir[d].hist == NULL)
			continue;
		if (pts_hist_decode(cell->dir[d].hist, cell->dir[d].hist_bytes, target->one) !=
		    0) {
			target->out->cannot = "Not drawn: the stored histogram is damaged.";
			continue;
		}
		pts_hist_add(target->sum[d], target->one);
		pts_hist_add(target->sum[BOTH], target->one);
		target->found++;
	}
	return 0;
}

static void take_times(const struct pts_hist *hist, struct report_times *times)
{
	times->count = hist->count;
	if (hist->count == 0)
		return;
	times->min_ns = hist->min;
	times->max_ns = hist->max;
	times->mean_ns = pts_hist_mean(hist);
	for (unsigned i = 0; i < LEVELS; i++)
		times->level_ns[i] = pts_hist_quantile(hist, report_level_quantile(i));
}

/* The bin of a time; a bucket goes to the bin that its middle lies in. */
static unsigned bin_of(double ns)
{
	double at = floor(log10(fmax(ns, 1)) * HIST_BINS_DECADE);

	return (unsigned)fmin(at, HIST_BINS - 1);
}

static void take_bins(const struct pts_hist *hist, uint64_t *bins)
{
	for (unsigned i = 0; i < PTS_HIST_BUCKETS; i++) {
		double middle =
			((double)pts_hist_bucket_low(i) + (double)pts_hist_bucket_high(i)) / 2;

		if (hist->bucket[i] > 0)
			bins[bin_of(fmin(middle, (double)hist->max))] += hist->bucket[i];
	}
}

static int query_step(struct store *store, struct report_model *model, struct report_step *step,
		      struct pts_err *err)
{
	struct store_cell_filter filter = {.step = step->index, .with_hist = true};
	struct target target = {.out = step->hist, .one = pts_hist_new()};
	int result;

	(void)model;
	for (unsigned d = 0; d < 3; d++)
		target.sum[d] = pts_hist_new();
	result = store_each_cell(store, &filter, take_hist, &target, err);
	for (unsigned d = 0; d < 3; d++)
		take_times(target.sum[d], &step->hist->dir[d]);
	take_bins(target.sum[BOTH], step->hist->bin);
	if (step->hist->cannot == NULL && step->hist->dir[BOTH].count == 0)
		step->hist->cannot = target.found > 0 ? "Not drawn: no I/O completed."
						      : "Not drawn: no histogram was stored.";
	for (unsigned d = 0; d < 3; d++)
		pts_hist_free(target.sum[d]);
	pts_hist_free(target.one);
	return result;
}

int report_hist_query(struct store *store, struct report_model *model, struct pts_err *err)
{
	int result = 0;

	for (unsigned t = 0; t < model->data.test_count; t++) {
		struct report_test *test = &model->data.tests[t];

		for (unsigned p = 0; p < test->page_count && result == 0; p++) {
			const struct report_spec_page *page = &test->pages[p];
			struct report_step *step =
				(struct report_step *)report_step_named(test, page->step);

			if (strcmp(page->kind, "histogram") != 0 || step == NULL ||
			    step->hist != NULL)
				continue;
			step->hist = PTS_ARENA_NEW(model->arena, struct report_hist);
			result = query_step(store, model, step, err);
		}
	}
	return result;
}
