/*
 * Expected time and bytes. Timed work is exact; work by amount follows the assumed sequential
 * write rate, or, without one, the bounds below, which are wide on purpose. The number of rounds
 * is known only to lie between the window and the maximum.
 */
#include <errno.h>
#include <string.h>

#include "plan_internal.h"

typedef unsigned __int128 wide;

/* What a drive of that kind surely exceeds, likely does, surely does not exceed. Only for
 * estimates; an assumed rate replaces them. */
static const struct plan_rates by_transport[] = {
	{100, 1500, 16000, "nvme"}, {50, 400, 600, "sata"},     {50, 800, 3000, "sas"},
	{10, 200, 2500, "usb"},     {50, 500, 16000, "virtio"}, {20, 500, 30000, "other"},
};
#define TRANSPORTS (sizeof(by_transport) / sizeof(by_transport[0]))

/* Discarding: seconds at most minutes; the drive's own rate of it is not known. */
#define DISCARD_LIKELY_NS (10ull * 1000000000)
#define DISCARD_LATEST_NS (1800ull * 1000000000)

static struct plan_rates rates_of(const struct plan_builder *builder)
{
	const char *transport = builder->plan->device.transport;
	size_t i = 0;

	if (builder->assume && builder->assume->seq_write_mb_per_s > 0) {
		double rate = builder->assume->seq_write_mb_per_s;

		return (struct plan_rates){rate, rate, rate, "given"};
	}
	while (i + 1 < TRANSPORTS && strcmp(by_transport[i].source, transport) != 0)
		i++;
	return by_transport[i];
}

static uint64_t clamp(wide value)
{
	return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static uint64_t bytes_ns(uint64_t bytes, double mb_per_s)
{
	long double ns = mb_per_s > 0 ? (long double)bytes * 1000 / mb_per_s : 0x1p64L;

	return ns >= 0x1p64L ? UINT64_MAX : (uint64_t)ns;
}

static uint64_t ns_bytes(uint64_t ns, double mb_per_s, double share)
{
	long double bytes = (long double)ns * mb_per_s / 1000 * share;

	/* 0.6 is a little less than 60 %: to the nearest byte, not to the one below */
	return bytes >= 0x1p64L ? UINT64_MAX : (uint64_t)(bytes + 0.5L);
}

double plan_write_share(const struct plan_cell *cell)
{
	double share = 0;

	for (unsigned i = 0; i < cell->stream_count; i++)
		share += cell->streams[i].weight * (100 - cell->streams[i].read_pct) / 100;
	return share < 1 ? share : 1;
}

static struct plan_span timed(const struct plan_rates *rates, uint64_t ns, double share)
{
	return (struct plan_span){
		.earliest_ns = ns,
		.likely_ns = ns,
		.latest_ns = ns,
		/* a drive that answers nothing writes nothing */
		.least_bytes = 0,
		.likely_bytes = ns_bytes(ns, rates->likely, share),
		.most_bytes = ns_bytes(ns, rates->most, share),
	};
}

static void add(struct plan_span *sum, const struct plan_span *more, uint64_t times)
{
	sum->earliest_ns = clamp(sum->earliest_ns + (wide)more->earliest_ns * times);
	sum->likely_ns = clamp(sum->likely_ns + (wide)more->likely_ns * times);
	sum->latest_ns = clamp(sum->latest_ns + (wide)more->latest_ns * times);
	sum->least_bytes = clamp(sum->least_bytes + (wide)more->least_bytes * times);
	sum->likely_bytes = clamp(sum->likely_bytes + (wide)more->likely_bytes * times);
	sum->most_bytes = clamp(sum->most_bytes + (wide)more->most_bytes * times);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A load ends at the first of its limits; an amount counts what is written. */
static struct plan_span load_span(const struct plan_rates *rates, const struct plan_cell *cell,
				  uint64_t duration_ns)
{
	double share = plan_write_share(cell);
	struct plan_span span;

	if (!cell->amount_bytes)
		return timed(rates, duration_ns, share);
	span = (struct plan_span){
		.earliest_ns = bytes_ns(cell->amount_bytes, rates->most * share),
		.likely_ns = bytes_ns(cell->amount_bytes, rates->likely * share),
		.latest_ns = bytes_ns(cell->amount_bytes, rates->least * share),
		.least_bytes = cell->amount_bytes,
		.likely_bytes = cell->amount_bytes,
		.most_bytes = cell->amount_bytes,
	};
	if (!duration_ns)
		return span;
	span.earliest_ns = least(span.earliest_ns, duration_ns);
	span.likely_ns = least(span.likely_ns, duration_ns);
	span.latest_ns = least(span.latest_ns, duration_ns);
	span.least_bytes = 0;
	span.likely_bytes =
		least(span.likely_bytes, ns_bytes(duration_ns, rates->likely, share));
	span.most_bytes = least(span.most_bytes, ns_bytes(duration_ns, rates->most, share));
	return span;
}

static uint64_t times(uint64_t ns, uint64_t count)
{
	return clamp((wide)ns * count);
}

/* A load over samples is steady at the earliest after a window of groups. */
static void steady_span(const struct plan_rates *rates, const struct plan_step *step,
			uint64_t group_ns, struct plan_span *span)
{
	double share = plan_write_share(&step->cells[0]);
	uint64_t early_ns = times(group_ns, step->window);
	uint64_t likely_ns = times(group_ns, step->window + PLAN_LIKELY_ROUNDS_MORE);

	span->earliest_ns = least(span->earliest_ns, early_ns);
	span->likely_ns = least(span->likely_ns, likely_ns);
	span->least_bytes = 0;
	span->likely_bytes =
		least(span->likely_bytes, ns_bytes(likely_ns, rates->likely, share));
}

static struct plan_span step_load(const struct plan_rates *rates, const struct plan_step *step)
{
	const struct spec_step *from = step->spec;
	struct plan_cell whole = step->cells[0], *cell = &whole;
	uint64_t group_ns = clamp((wide)from->sample_ns + from->sample_load_ns);
	uint64_t limit_ns = from->sample_ns ? step->limit_ns : cell->duration_ns;
	struct plan_span span;

	if (!cell->applicable)
		return (struct plan_span){0};
	if (from->sample_ns)
		whole.amount_bytes = step->limit_bytes;
	if (from->sample_ns && step->max_rounds) {
		uint64_t groups_ns = times(group_ns, step->max_rounds);

		limit_ns = limit_ns ? least(limit_ns, groups_ns) : groups_ns;
	}
	span = load_span(rates, cell, limit_ns);
	if (from->stop.when_steady && group_ns)
		steady_span(rates, step, group_ns, &span);
	return span;
}

static struct plan_span one_round(const struct plan_rates *rates, const struct plan_step *step)
{
	struct plan_span round = {0};

	for (unsigned i = 0; i < step->cell_count; i++) {
		const struct plan_cell *cell = &step->cells[i];
		struct plan_span span = timed(rates, cell->duration_ns, plan_write_share(cell));

		if (cell->applicable)
			add(&round, &span, 1);
	}
	for (unsigned i = 0; i < step->before_count; i++) {
		const struct plan_cell *cell = &step->before[i];
		struct plan_span span = load_span(rates, cell, cell->duration_ns);

		if (cell->applicable)
			add(&round, &span, 1);
	}
	return round;
}

static struct plan_span step_rounds(const struct plan_rates *rates,
				    const struct plan_step *step)
{
	struct plan_span round = one_round(rates, step), early = {0}, likely = {0}, late = {0};
	uint64_t window = step->window ? step->window : 1;
	uint64_t most = step->max_rounds ? step->max_rounds : window;

	/* what can't be judged runs to the end */
	add(&early, &round, step->judgeable ? least(window, most) : most);
	add(&likely, &round,
	    step->judgeable ? least(window + PLAN_LIKELY_ROUNDS_MORE, most) : most);
	add(&late, &round, most);
	return (struct plan_span){early.earliest_ns, likely.likely_ns,    late.latest_ns,
				  early.least_bytes, likely.likely_bytes, late.most_bytes};
}

static struct plan_span step_purge(const struct plan_builder *builder,
				   const struct plan_rates *rates)
{
	const struct plan_device *device = &builder->plan->device;

	if (!strcmp(device->purge_name, "zeroes"))
		return (struct plan_span){bytes_ns(device->capacity_bytes, rates->most),
					  bytes_ns(device->capacity_bytes, rates->likely),
					  bytes_ns(device->capacity_bytes, rates->least),
					  device->capacity_bytes,
					  device->capacity_bytes,
					  device->capacity_bytes};
	if (!strcmp(device->purge_name, "none"))
		return (struct plan_span){0};
	return (struct plan_span){
		.likely_ns = DISCARD_LIKELY_NS,
		.latest_ns = DISCARD_LATEST_NS,
	};
}

static struct plan_span repeated(const struct plan_rates *rates, const struct plan_step *step,
				 uint64_t busy_ns, uint64_t idle_ns, uint64_t count)
{
	struct plan_span busy = timed(rates, busy_ns, plan_write_share(&step->cells[0]));
	struct plan_span idle = timed(rates, idle_ns, 0), sum = {0};

	add(&sum, &busy, count);
	add(&sum, &idle, count);
	return step->cells[0].applicable ? sum : (struct plan_span){0};
}

static struct plan_span step_span(const struct plan_builder *builder,
				  const struct plan_rates *rates, const struct plan_step *step)
{
	const struct spec_step *from = step->spec;

	switch (step->kind) {
	case SPEC_STEP_PURGE:
		return step_purge(builder, rates);
	case SPEC_STEP_LOAD:
		return step_load(rates, step);
	case SPEC_STEP_ROUNDS:
		return step_rounds(rates, step);
	case SPEC_STEP_IDLE:
		return timed(rates, from->idle_ns, 0);
	case SPEC_STEP_CYCLE:
		return repeated(rates, step, from->busy_ns, from->idle_ns, from->repeat);
	case SPEC_STEP_CURVE:
		return repeated(rates, step, clamp((wide)from->warmup_ns + from->cell_ns),
				from->idle_ns, from->curve_count + 1);
	case SPEC_STEP_SEARCH:
		return repeated(rates, step, clamp((wide)from->warmup_ns + from->cell_ns),
				from->idle_ns, from->search_points);
	default:
		return (struct plan_span){0};
	}
}

int plan_time(struct plan_builder *builder, struct pts_err *err)
{
	struct plan *plan = builder->plan;

	plan->rates = rates_of(builder);
	for (unsigned i = 0; i < plan->step_count; i++) {
		plan->steps[i].span = step_span(builder, &plan->rates, &plan->steps[i]);
		add(&plan->span, &plan->steps[i].span, 1);
	}
	if (plan->span.latest_ns == UINT64_MAX || plan->span.most_bytes == UINT64_MAX)
		return pts_fail(
			err, PTS_EXIT_SPEC, ERANGE,
			"the plan could take longer than 580 years or write more than 2^64 "
			"bytes");
	return 0;
}
