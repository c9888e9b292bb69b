/*
 * Expected time and bytes. What the clock ends is exact, but for the drains and gaps behind the
 * cells (slack). Work by amount follows the rates of plan_rates.c. The number of rounds is known
 * only to lie between the window and the maximum.
 */
#include <errno.h>
#include <string.h>

#include "plan_internal.h"

typedef unsigned __int128 wide;

/* Discarding: seconds at most minutes; the drive's own rate of it is not known. */
#define DISCARD_LIKELY_NS (10ull * 1000000000)
#define DISCARD_LATEST_NS (1800ull * 1000000000)
/* Around a step: its rows, a look at the drive. */
#define STEP_SLACK_NS 1000000000ull

static uint64_t clamp(wide value)
{
	return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static uint64_t times(uint64_t ns, uint64_t count)
{
	return clamp((wide)ns * count);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t bytes_ns(uint64_t bytes, double mb_per_s)
{
	long double ns = mb_per_s > 0 ? (long double)bytes * 1000 / mb_per_s : 0x1p64L;

	return ns >= 0x1p64L ? UINT64_MAX : (uint64_t)ns;
}

static uint64_t ns_bytes(uint64_t ns, double mb_per_s)
{
	long double bytes = (long double)ns * mb_per_s / 1000;

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

static struct plan_span idle_span(uint64_t ns)
{
	return (struct plan_span){.earliest_ns = ns, .likely_ns = ns, .latest_ns = ns};
}

static struct plan_span timed(const struct plan_cell *cell, uint64_t ns)
{
	const struct plan_rate *rate = &cell->rate;

	return (struct plan_span){
		.earliest_ns = ns,
		.likely_ns = clamp((wide)ns + rate->after_ns),
		.latest_ns = clamp((wide)ns + rate->slack_ns),
		.slack_ns = rate->slack_ns,
		/* a drive that answers nothing writes nothing */
		.least_bytes = 0,
		.likely_bytes = ns_bytes(ns, rate->likely),
		.most_bytes = ns_bytes(ns, rate->most),
	};
}

static void add(struct plan_span *sum, const struct plan_span *more, uint64_t count)
{
	sum->earliest_ns = clamp(sum->earliest_ns + (wide)more->earliest_ns * count);
	sum->likely_ns = clamp(sum->likely_ns + (wide)more->likely_ns * count);
	sum->latest_ns = clamp(sum->latest_ns + (wide)more->latest_ns * count);
	sum->slack_ns = clamp(sum->slack_ns + (wide)more->slack_ns * count);
	sum->least_bytes = clamp(sum->least_bytes + (wide)more->least_bytes * count);
	sum->likely_bytes = clamp(sum->likely_bytes + (wide)more->likely_bytes * count);
	sum->most_bytes = clamp(sum->most_bytes + (wide)more->most_bytes * count);
}

/* How many rounds a loop likely has: as many as the last time, else a few after the first window. */
static uint64_t likely_rounds(const struct plan_assume *assume, const struct plan_step *step)
{
	const struct plan_known_step *known = plan_known_step(assume, step);
	uint64_t first = step->window ? step->window : 1, rounds;

	if (known && known->rounds)
		rounds = known->steady || !step->max_rounds ? known->rounds : step->max_rounds;
	else if (assume && assume->rounds)
		rounds = assume->rounds;
	else
		rounds = first + PLAN_LIKELY_ROUNDS_MORE;
	if (rounds < first)
		rounds = first;
	return step->max_rounds ? least(rounds, step->max_rounds) : rounds;
}

/* The limits of a load; UINT64_MAX: it has no such one. */
struct limits {
	uint64_t time_ns;                                           /* by the clock */
	uint64_t early_amount_ns, likely_amount_ns, late_amount_ns; /* until all is written */
	uint64_t early_rounds_ns, likely_rounds_ns, late_rounds_ns;
	uint64_t cells; /* at most so many */
	uint64_t bytes; /* 0: no amount */
};

/* A load over samples is steady at the earliest after a window of groups, each a load and its
 * sample. After a run that was not steady, its other limits count. */
static void limit_rounds(const struct plan_assume *assume, struct plan_step *step,
			 struct limits *limits)
{
	const struct spec_step *from = step->spec;
	const struct plan_known_step *known = plan_known_step(assume, step);
	const struct plan_rate *rate = &step->cells[0].rate;
	uint64_t group_ns = clamp((wide)from->sample_ns + from->sample_load_ns);
	uint64_t likely_ns = clamp((wide)group_ns + 2 * (wide)rate->after_ns);

	if (!group_ns)
		return;
	if (step->max_rounds) {
		limits->early_rounds_ns = times(group_ns, step->max_rounds);
		limits->late_rounds_ns = limits->early_rounds_ns;
		limits->likely_rounds_ns = times(likely_ns, step->max_rounds);
		limits->cells = 2 * (uint64_t)step->max_rounds;
	}
	limits->cells =
		least(limits->cells,
		      times(least(limits->time_ns, limits->late_amount_ns) / group_ns + 1, 2));
	if (!from->stop.when_steady)
		return;
	step->likely_rounds = known && known->rounds && !known->steady
				      ? known->rounds /* another limit ends it */
				      : (unsigned)likely_rounds(assume, step);
	limits->early_rounds_ns = least(limits->early_rounds_ns, times(group_ns, step->window));
	if (!known || !known->rounds || known->steady)
		limits->likely_rounds_ns =
			least(limits->likely_rounds_ns, times(likely_ns, step->likely_rounds));
}

/* The bytes of a load that takes so long: its drains write, but are not counted. */
static uint64_t likely_bytes(const struct plan_step *step, uint64_t likely_ns)
{
	const struct spec_step *from = step->spec;
	const struct plan_rate *rate = &step->cells[0].rate;
	double group_ns = (double)from->sample_ns + (double)from->sample_load_ns;
	double whole_ns = group_ns + 2 * (double)rate->after_ns;

	if (from->sample_ns)
		likely_ns = (uint64_t)((double)likely_ns * (group_ns / whole_ns));
	return ns_bytes(likely_ns, rate->likely);
}

static uint64_t first_of(uint64_t a, uint64_t b, uint64_t c)
{
	return least(least(a, b), c);
}

/* A load ends at the first of its limits; an amount counts what is written. */
static struct plan_span span_of(const struct plan_step *step, const struct limits *limits)
{
	const struct plan_rate *rate = &step->cells[0].rate;
	uint64_t latest_ns =
		first_of(limits->time_ns, limits->late_amount_ns, limits->late_rounds_ns);
	bool only_amount = limits->bytes && limits->time_ns == UINT64_MAX &&
			   limits->early_rounds_ns == UINT64_MAX;
	struct plan_span span = {
		.earliest_ns = first_of(limits->time_ns, limits->early_amount_ns,
					limits->early_rounds_ns),
		.likely_ns = first_of(limits->time_ns, limits->likely_amount_ns,
				      limits->likely_rounds_ns),
		.slack_ns =
			times(rate->slack_ns, limits->cells == UINT64_MAX ? 1 : limits->cells),
		.least_bytes = only_amount ? limits->bytes : 0,
	};

	span.latest_ns = clamp((wide)latest_ns + span.slack_ns);
	if (only_amount) {
		span.likely_bytes = span.most_bytes = limits->bytes;
		return span;
	}
	span.likely_bytes = likely_bytes(step, span.likely_ns);
	span.most_bytes = ns_bytes(latest_ns, rate->most);
	if (limits->bytes) {
		span.likely_bytes = least(span.likely_bytes, limits->bytes);
		span.most_bytes = least(span.most_bytes, limits->bytes);
	}
	return span;
}

static struct plan_span step_load(const struct plan_assume *assume, struct plan_step *step)
{
	const struct plan_cell *cell = &step->cells[0];
	const struct plan_rate *rate = &cell->rate;
	struct limits limits = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
				UINT64_MAX, UINT64_MAX, UINT64_MAX, 0};
	bool sampled = step->spec->sample_ns > 0;
	struct plan_span span;
	uint64_t limit_ns;

	if (!cell->applicable)
		return (struct plan_span){0};
	limits.bytes = sampled ? step->limit_bytes : cell->amount_bytes;
	limit_ns = sampled ? step->limit_ns : cell->duration_ns;
	step->timing = limits.bytes ? PLAN_BY_AMOUNT : PLAN_BY_CLOCK;
	if (step->spec->stop.when_steady)
		step->timing = PLAN_BY_ROUNDS;
	if (limit_ns)
		limits.time_ns = limit_ns;
	if (limits.bytes) {
		limits.early_amount_ns = bytes_ns(limits.bytes, rate->most);
		limits.likely_amount_ns = bytes_ns(limits.bytes, rate->likely);
		limits.late_amount_ns = bytes_ns(limits.bytes, rate->least);
	}
	limit_rounds(assume, step, &limits);
	span = step->timing == PLAN_BY_CLOCK && limits.early_rounds_ns == UINT64_MAX
		       ? timed(cell, cell->duration_ns)
		       : span_of(step, &limits);
	/* no cell may be what the point's rule asks for: then the load is left out */
	if (step->spec->at)
		span.earliest_ns = span.least_bytes = 0;
	return span;
}

/* A load before each round has a time or an amount. */
static struct plan_span before_span(const struct plan_cell *cell)
{
	struct plan_step step = {.cells = (struct plan_cell *)cell};
	struct spec_step spec = {0};

	step.spec = &spec;
	return step_load(NULL, &step);
}

static struct plan_span one_round(const struct plan_step *step)
{
	struct plan_span round = {0};

	for (unsigned i = 0; i < step->cell_count; i++) {
		const struct plan_cell *cell = &step->cells[i];
		struct plan_span span = timed(cell, cell->duration_ns);

		if (cell->applicable)
			add(&round, &span, 1);
	}
	for (unsigned i = 0; i < step->before_count; i++) {
		struct plan_span span = before_span(&step->before[i]);

		add(&round, &span, 1);
	}
	return round;
}

static struct plan_span step_rounds(const struct plan_assume *assume, struct plan_step *step)
{
	struct plan_span round = one_round(step), early = {0}, likely = {0}, late = {0};
	uint64_t window = step->window ? step->window : 1;
	uint64_t most = step->max_rounds ? step->max_rounds : window;

	step->timing = PLAN_BY_ROUNDS;
	/* what can't be judged runs to the end */
	step->likely_rounds = (unsigned)(step->judgeable ? likely_rounds(assume, step) : most);
	add(&early, &round, step->judgeable ? least(window, most) : most);
	add(&likely, &round, step->likely_rounds);
	add(&late, &round, most);
	return (struct plan_span){early.earliest_ns, likely.likely_ns,    late.latest_ns,
				  early.least_bytes, likely.likely_bytes, late.most_bytes,
				  late.slack_ns};
}

/* What an earlier purge took, if it was done the same way; 0: not known. */
static uint64_t known_purge_ns(const struct plan_builder *builder, const struct plan_step *step)
{
	const struct plan_assume *assume = builder->assume;
	const struct plan_known_step *known = plan_known_step(assume, step);

	if (!assume || (assume->purge_name &&
			strcmp(assume->purge_name, builder->plan->device.purge_name) != 0))
		return 0;
	return known ? known->elapsed_ns : assume->purge_ns;
}

static struct plan_span step_purge(const struct plan_builder *builder, struct plan_step *step)
{
	const struct plan_device *device = &builder->plan->device;
	const struct plan_rates *rates = &builder->plan->rates;
	uint64_t known_ns = known_purge_ns(builder, step);
	struct plan_span span = {
		.likely_ns = DISCARD_LIKELY_NS,
		.latest_ns = DISCARD_LATEST_NS,
	};

	step->timing = PLAN_BY_DRIVE;
	if (!strcmp(device->purge_name, "none"))
		return (struct plan_span){0};
	if (!strcmp(device->purge_name, "zeroes"))
		span = (struct plan_span){bytes_ns(device->capacity_bytes, rates->most),
					  bytes_ns(device->capacity_bytes, rates->likely),
					  bytes_ns(device->capacity_bytes, rates->least),
					  device->capacity_bytes,
					  device->capacity_bytes,
					  device->capacity_bytes,
					  0};
	if (known_ns)
		span.likely_ns = known_ns;
	if (span.latest_ns < span.likely_ns)
		span.latest_ns = span.likely_ns;
	if (span.likely_ns < span.earliest_ns)
		span.likely_ns = span.earliest_ns;
	return span;
}

static struct plan_span repeated(const struct plan_step *step, uint64_t busy_ns,
				 uint64_t idle_ns, uint64_t count)
{
	struct plan_span busy = timed(&step->cells[0], busy_ns);
	struct plan_span idle = idle_span(idle_ns), sum = {0};

	add(&sum, &busy, count);
	add(&sum, &idle, count);
	return step->cells[0].applicable ? sum : (struct plan_span){0};
}

static struct plan_span step_span(const struct plan_builder *builder, struct plan_step *step)
{
	const struct spec_step *from = step->spec;
	uint64_t point_ns = clamp((wide)from->warmup_ns + from->cell_ns);

	switch (step->kind) {
	case SPEC_STEP_PURGE:
		return step_purge(builder, step);
	case SPEC_STEP_LOAD:
		return step_load(builder->assume, step);
	case SPEC_STEP_ROUNDS:
		return step_rounds(builder->assume, step);
	case SPEC_STEP_IDLE:
		return idle_span(from->idle_ns);
	case SPEC_STEP_CYCLE:
		return repeated(step, from->busy_ns, from->idle_ns, from->repeat);
	case SPEC_STEP_CURVE:
		return repeated(step, point_ns, from->idle_ns, from->curve_count + 1);
	case SPEC_STEP_SEARCH:
		return repeated(step, point_ns, from->idle_ns, from->search_points);
	default:
		return (struct plan_span){0};
	}
}

bool plan_step_is_open(const struct plan_step *step)
{
	return step->timing == PLAN_BY_ROUNDS && step->on_unsteady == SPEC_CONTINUE &&
	       step->max_rounds;
}

static void time_tests(struct plan *plan)
{
	for (unsigned t = 0; t < plan->test_count; t++) {
		struct plan_test *test = &plan->tests[t];

		test->fixed_time = true;
		for (unsigned i = 0; i < test->step_count; i++) {
			const struct plan_step *step = &plan->steps[test->first_step + i];

			add(&test->span, &step->span, 1);
			if (step->timing == PLAN_BY_AMOUNT || step->timing == PLAN_BY_ROUNDS)
				test->fixed_time = false;
		}
	}
}

int plan_time(struct plan_builder *builder, struct pts_err *err)
{
	static const struct plan_span around = {.latest_ns = STEP_SLACK_NS,
						.slack_ns = STEP_SLACK_NS};
	struct plan *plan = builder->plan;

	plan_rates(builder);
	for (unsigned i = 0; i < plan->step_count; i++) {
		struct plan_step *step = &plan->steps[i];

		step->span = step_span(builder, step);
		add(&step->span, &around, 1);
		add(&plan->span, &step->span, 1);
	}
	time_tests(plan);
	if (plan->span.latest_ns == UINT64_MAX || plan->span.most_bytes == UINT64_MAX)
		return pts_fail(
			err, PTS_EXIT_SPEC, ERANGE,
			"the plan could take longer than 580 years or write more than 2^64 "
			"bytes");
	return 0;
}
