/*
 * Merges what the workers measured into one result. It must not touch a worker that still runs:
 * of one that hangs in the kernel only what it has published is used.
 */
#include "engine_result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_worker.h"

struct engine_result *engine_result_new(void)
{
	struct engine_result *result = calloc(1, sizeof(*result));

	if (!result)
		abort();
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		result->hist[dir] = pts_hist_new();
	return result;
}

void engine_result_free(struct engine_result *result)
{
	if (!result)
		return;
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		pts_hist_free(result->hist[dir]);
	free(result->size_submitted);
	free(result->zone_submitted);
	free(result->stream_submitted);
	free(result->samples);
	free(result);
}

static int zeroed(uint64_t **array, size_t count)
{
	free(*array);
	*array = calloc(count ? count : 1, sizeof(**array));
	return *array ? 0 : -ENOMEM;
}

static void hist_clear(struct pts_hist *hist)
{
	unsigned first, last;

	if (!hist->count)
		return;
	first = pts_hist_index(hist->min);
	last = pts_hist_index(hist->max);
	memset(&hist->bucket[first], 0, (last - first + 1) * sizeof(hist->bucket[0]));
	hist->count = 0;
	hist->sum = 0;
	hist->min = UINT64_MAX;
	hist->max = 0;
}

/* Only the buckets between the minimum and the maximum can be used: a merge costs what the spread
 * of the latencies costs, not what the histogram could hold, so that cells follow closely. */
static void hist_move(struct pts_hist *into, struct pts_hist *from)
{
	unsigned first, last;

	if (!from->count)
		return;
	first = pts_hist_index(from->min);
	last = pts_hist_index(from->max);
	for (unsigned i = first; i <= last; i++)
		into->bucket[i] += from->bucket[i];
	into->count += from->count;
	into->sum += from->sum;
	if (into->min > from->min)
		into->min = from->min;
	if (into->max < from->max)
		into->max = from->max;
	hist_clear(from);
}

static void sample_add(struct engine_sample *into, const struct engine_sample *from)
{
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++) {
		into->ios[dir] += from->ios[dir];
		into->bytes[dir] += from->bytes[dir];
		into->lat_sum_ns[dir] += from->lat_sum_ns[dir];
		if (into->lat_max_ns[dir] < from->lat_max_ns[dir])
			into->lat_max_ns[dir] = from->lat_max_ns[dir];
	}
}

void engine_result_sample(const struct engine *engine, unsigned second,
			  struct engine_sample *ret_sample)
{
	*ret_sample = (struct engine_sample){
		.second = second,
		.span_ns = engine->job->sample_ns,
	};
	for (unsigned i = 0; i < engine->job->threads; i++) {
		struct engine_published *out = &engine->worker[i]->out;
		struct engine_sample *chunk;

		if (atomic_load_explicit(&out->samples, memory_order_acquire) <= second)
			continue;
		chunk = atomic_load_explicit(&out->chunk[second / ENGINE_SAMPLE_CHUNK],
					     memory_order_relaxed);
		sample_add(ret_sample, &chunk[second % ENGINE_SAMPLE_CHUNK]);
	}
}

static void note_insert(struct engine_result *result, const struct engine_error_note *note)
{
	unsigned at = result->error_count;

	while (at && result->errors[at - 1].at_ns > note->at_ns)
		at--;
	if (at == ENGINE_ERROR_NOTES)
		return;
	if (result->error_count < ENGINE_ERROR_NOTES)
		result->error_count++;
	memmove(&result->errors[at + 1], &result->errors[at],
		(result->error_count - 1 - at) * sizeof(*note));
	result->errors[at] = *note;
}

static void collect_counters(struct engine_result *result, const struct engine_draw *draw)
{
	const struct engine_plan *plan = draw->plan;

	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		result->dir[dir].submitted += draw->submitted[dir];
	for (unsigned i = 0; i < plan->flow_count; i++)
		result->stream_submitted[i] += draw->stream_submitted[i];
	for (unsigned i = 0; i < plan->size_total; i++)
		result->size_submitted[i] += draw->size_submitted[i];
	for (unsigned i = 0; i < plan->zone_total; i++)
		result->zone_submitted[i] += draw->zone_submitted[i];
}

static void collect_worker(struct engine_result *result, struct engine_worker *worker)
{
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++) {
		struct engine_tally *tally = &worker->tally[dir];

		result->dir[dir].ios += engine_tally_ios(tally);
		result->dir[dir].bytes += tally->bytes;
		result->dir[dir].errors += tally->errors;
		result->clock_errors += tally->unclocked;
		hist_move(result->hist[dir], tally->hist);
	}
	for (unsigned i = 0; i < worker->note_count; i++)
		note_insert(result, &worker->note[i]);
	collect_counters(result, &worker->draw);
	result->drain_ios += worker->drain_ios;
	result->user_ns += worker->user_ns;
	result->system_ns += worker->system_ns;
}

static void collect_hung(struct engine_result *result, const struct engine_worker *worker)
{
	unsigned count = atomic_load_explicit(&worker->out.samples, memory_order_acquire);

	for (unsigned i = 0; i < count; i++) {
		const struct engine_sample *sample = &atomic_load(
			&worker->out.chunk[i / ENGINE_SAMPLE_CHUNK])[i % ENGINE_SAMPLE_CHUNK];

		for (unsigned dir = 0; dir < ENGINE_DIRS; dir++) {
			result->dir[dir].ios += sample->ios[dir];
			result->dir[dir].bytes += sample->bytes[dir];
			result->dir[dir].submitted += sample->ios[dir];
		}
	}
}

/* The window and what lies after it, in ticks. */
struct ends {
	uint64_t start, close, last;
	bool timed;
};

static struct ends find_ends(const struct engine *engine)
{
	struct ends ends = {.start = atomic_load(&engine->start_ticks)};
	uint64_t closed = ends.start;

	ends.last = ends.start;
	for (unsigned i = 0; i < engine->job->threads; i++) {
		const struct engine_worker *worker = engine->worker[i];

		if (worker->hung)
			continue;
		ends.timed |= worker->timed_out;
		if (closed < worker->closed_ticks)
			closed = worker->closed_ticks;
		if (ends.last < worker->done_ticks)
			ends.last = worker->done_ticks;
	}
	ends.close = closed;
	return ends;
}

static void collect_times(const struct engine *engine, struct engine_result *result)
{
	const struct engine_clock *clock = &engine->clock;
	struct ends ends = find_ends(engine);
	long double area = 0;
	uint64_t inflight = 0;
	uint64_t closed_ns;

	result->started_ns = engine_clock_at_ns(clock, ends.start);
	result->first_submit_ns = result->started_ns;
	result->elapsed_ns = engine_clock_at_ns(clock, ends.close) - result->started_ns;
	/* the window of a timed job is its duration by definition: no rounding of ticks */
	if (ends.timed)
		result->elapsed_ns = engine->job->duration_ns;
	closed_ns = result->started_ns + result->elapsed_ns;
	result->last_completion_ns = engine_clock_at_ns(clock, ends.last);
	result->drain_ns = 0;
	if (ends.last > ends.close && result->last_completion_ns > closed_ns)
		result->drain_ns = result->last_completion_ns - closed_ns;
	for (unsigned i = 0; i < engine->job->threads; i++) {
		if (engine->worker[i]->hung)
			continue;
		area += (long double)engine->worker[i]->area_closed;
		inflight += engine->worker[i]->inflight;
	}
	result->inflight_ns = engine_clock_span_ns(clock, inflight);
	result->outstanding_mean =
		ends.close > ends.start
			? (double)(area / (long double)(ends.close - ends.start))
			: 0;
}

static int collect_samples(const struct engine *engine, struct engine_result *result)
{
	uint64_t sample_ns = engine->job->sample_ns;
	size_t count = (size_t)((result->elapsed_ns + sample_ns - 1) / sample_ns);
	struct engine_sample *samples;

	samples = realloc(result->samples, (count ? count : 1) * sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	result->samples = samples;
	result->sample_count = count;
	for (size_t i = 0; i < count; i++) {
		uint64_t left = result->elapsed_ns - i * sample_ns;

		engine_result_sample(engine, (unsigned)i, &samples[i]);
		if (left < sample_ns)
			samples[i].span_ns = left;
	}
	return 0;
}

/* What a longer last sample holds when rounding put the window's end on a sample's bound. */
static void collect_rest(const struct engine *engine, struct engine_result *result)
{
	struct engine_sample rest;

	if (!result->sample_count)
		return;
	engine_result_sample(engine, (unsigned)result->sample_count, &rest);
	sample_add(&result->samples[result->sample_count - 1], &rest);
}

static void result_reset(struct engine_result *result)
{
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		hist_clear(result->hist[dir]);
	memset(result->dir, 0, sizeof(result->dir));
	result->drain_ios = 0;
	result->error_count = 0;
	result->clock_errors = 0;
	result->user_ns = 0;
	result->system_ns = 0;
}

int engine_result_collect(struct engine *engine, struct engine_result *result)
{
	const struct engine_plan *plan = &engine->plan;

	result_reset(result);
	if (zeroed(&result->size_submitted, plan->size_total) < 0 ||
	    zeroed(&result->zone_submitted, plan->zone_total) < 0 ||
	    zeroed(&result->stream_submitted, plan->flow_count) < 0)
		return -ENOMEM;
	for (unsigned i = 0; i < engine->job->threads; i++) {
		if (engine->worker[i]->hung)
			collect_hung(result, engine->worker[i]);
		else
			collect_worker(result, engine->worker[i]);
	}
	collect_times(engine, result);
	if (collect_samples(engine, result) < 0)
		return -ENOMEM;
	collect_rest(engine, result);
	return 0;
}
