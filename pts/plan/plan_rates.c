/*
 * How fast each cell writes: bounds by the kind of drive, a likely figure by what is known. Only
 * for estimates: nothing that is done follows from them.
 */
#include <string.h>

#include "plan_internal.h"

/* What a drive of that kind surely exceeds, likely does, surely does not exceed, in MB/s; then
 * what it surely and likely does of small random writes in IOPS, however few are outstanding. */
static const struct plan_rates by_transport[] = {
	{100, 1500, 16000, 500, 200000, "nvme", NULL, NULL},
	{50, 400, 600, 200, 50000, "sata", NULL, NULL},
	{50, 800, 3000, 200, 80000, "sas", NULL, NULL},
	{10, 200, 2500, 20, 10000, "usb", NULL, NULL},
	{50, 500, 16000, 100, 50000, "virtio", NULL, NULL},
	{0.5, 30, 30000, 100, 2000, "sim", NULL, NULL},
	{20, 500, 30000, 20, 20000, "other", NULL, NULL},
};
#define TRANSPORTS (sizeof(by_transport) / sizeof(by_transport[0]))

/* From one cell to the next: a commit waits for the disk of the store, seldom as long as this. */
#define GAP_LATEST_NS 1000000000ull

static struct plan_rates drive_rates(const struct plan_builder *builder)
{
	const struct plan_assume *assume = builder->assume;
	const char *transport = builder->plan->device.transport;
	struct plan_rates rates;
	size_t i = 0;

	if (assume && assume->seq_write_mb_per_s > 0) {
		double rate = assume->seq_write_mb_per_s;

		return (struct plan_rates){rate, rate, rate, 0, 0, "given", "given", ""};
	}
	while (i + 1 < TRANSPORTS && strcmp(by_transport[i].source, transport) != 0)
		i++;
	rates = by_transport[i];
	rates.kind = "bounds";
	rates.from = "";
	if (!assume)
		return rates;
	if (assume->kind)
		rates.kind = assume->kind;
	if (assume->source)
		rates.from = pts_arena_strdup(builder->plan->arena, assume->source);
	if (assume->most_mb_per_s > 0)
		rates.most = assume->most_mb_per_s;
	if (assume->least_mb_per_s > 0) {
		rates.least = assume->least_mb_per_s;
		rates.least_iops = 0;
	}
	return rates;
}

static double lower(double a, double b)
{
	return a < b ? a : b;
}

static double slower(double mb_per_s, double iops, double block_bytes)
{
	return iops > 0 ? lower(mb_per_s, iops * block_bytes / 1e6) : mb_per_s;
}

static uint64_t largest_block(const struct plan_cell *cell)
{
	uint64_t largest = 0;

	for (unsigned s = 0; s < cell->stream_count; s++)
		for (int d = 0; d < 2; d++)
			for (unsigned i = 0; i < cell->streams[s].size_count[d]; i++)
				if (cell->streams[s].sizes[d][i].block_bytes > largest)
					largest = cell->streams[s].sizes[d][i].block_bytes;
	return largest;
}

/* When its time is over, what is outstanding must still complete. */
static uint64_t slack(const struct plan *plan, const struct plan_cell *cell, double mb_per_s)
{
	double outstanding = cell->threads && cell->queue_depth
				     ? (double)cell->threads * cell->queue_depth
				     : (double)plan->threads_max * plan->queue_depth_max;
	double drain_ns = outstanding * (double)largest_block(cell) * 1000 / mb_per_s;

	return GAP_LATEST_NS + (drain_ns < 1e18 ? (uint64_t)drain_ns : (uint64_t)1e18);
}

/* Both directions of an interface work at once: half of the I/Os may write at its whole speed. */
static double most_share(double write_share)
{
	return write_share < 0.5 ? write_share / (1 - write_share) : 1;
}

static void rate_cell(struct plan_builder *builder, const struct plan_step *step,
		      struct plan_cell *cell)
{
	const struct plan_rates *rates = &builder->plan->rates;
	const struct plan_assume *assume = builder->assume;
	bool given = !strcmp(rates->kind, "given");
	double share = plan_write_share(cell), block_bytes = plan_mean_block(cell, false);
	double least = slower(rates->least, rates->least_iops, block_bytes);
	struct plan_rate rate = {
		.likely = share * slower(rates->likely, rates->likely_iops, block_bytes),
		.from = given ? PLAN_RATE_GIVEN : PLAN_RATE_BOUNDS,
	};

	if (!cell->applicable)
		return;
	if (!given && assume)
		plan_known_rate(assume, step, cell, &rate);
	rate.least = least * share;
	rate.most = rates->most * (given ? share : most_share(share));
	if (rate.likely < rate.least)
		rate.likely = rate.least;
	if (rate.likely > rate.most)
		rate.likely = rate.most;
	/* nothing drains between the parts of an unbroken load */
	if (rate.from == PLAN_RATE_DERIVED &&
	    (cell->role == PLAN_LOAD || cell->role == PLAN_SAMPLE))
		rate.after_ns = 0;
	rate.slack_ns = slack(builder->plan, cell, least);
	if (rate.after_ns > rate.slack_ns)
		rate.after_ns = rate.slack_ns;
	cell->rate = rate;
}

void plan_rates(struct plan_builder *builder)
{
	struct plan *plan = builder->plan;

	plan->rates = drive_rates(builder);
	for (unsigned i = 0; i < plan->step_count; i++) {
		struct plan_step *step = &plan->steps[i];

		for (unsigned c = 0; c < step->cell_count; c++)
			rate_cell(builder, step, &step->cells[c]);
		for (unsigned c = 0; c < step->before_count; c++)
			rate_cell(builder, step, &step->before[c]);
	}
}

const char *plan_rate_from_text(enum plan_rate_from from)
{
	static const char *const texts[] = {
		[PLAN_RATE_BOUNDS] = "bounds",   [PLAN_RATE_GIVEN] = "given",
		[PLAN_RATE_CELL] = "cell",       [PLAN_RATE_LOAD] = "load",
		[PLAN_RATE_DERIVED] = "derived",
	};

	return texts[from];
}
