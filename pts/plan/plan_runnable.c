/*
 * What keeps a run from doing exactly what the plan says: said before the first write, never
 * found out on the way. Decides nothing about the drive's safety.
 */
#include <errno.h>
#include <string.h>

#include "plan_internal.h"

static const char *step_beyond(const struct plan_step *step)
{
	const struct spec_step *from = step->spec;

	switch (step->kind) {
	case SPEC_STEP_PURGE:
	case SPEC_STEP_IDLE:
	case SPEC_STEP_CYCLE:
	case SPEC_STEP_CHOOSE:
		return NULL;
	case SPEC_STEP_LOAD:
		if (from->stop.latency_limit_ns)
			return "a load that ends at a latency";
		return NULL;
	case SPEC_STEP_ROUNDS:
		for (unsigned i = 0; i < from->before_round_count; i++)
			if (from->before_round[i].sample_ns)
				return "rounds with a sampled load before each";
		return NULL;
	case SPEC_STEP_CURVE:
		return "a load curve";
	case SPEC_STEP_SEARCH:
		return "a search for the largest load";
	default:
		return spec_step_text(step->kind);
	}
}

static const char *stream_beyond(const struct plan_stream *stream)
{
	if (stream->rate_iops > 0)
		return "a stream with a rate";
	if (stream->arrivals != SPEC_CLOSED_LOOP)
		return "a stream with arrivals of its own";
	if (stream->sizes[1])
		return "sizes by direction";
	if (stream->read_hit_share > 0)
		return "reads of blocks accessed a moment ago (read_hit)";
	if (stream->think_ns)
		return "a think time";
	if (stream->threads || stream->queue_depth)
		return "a stream with threads of its own";
	return NULL;
}

static const char *cell_beyond(const struct plan_cell *cell)
{
	const char *what = NULL;

	for (unsigned s = 0; s < cell->stream_count && !what; s++)
		what = stream_beyond(&cell->streams[s]);
	if (!what && cell->segments)
		what = "an active range in segments";
	return what;
}

/* On a virtual clock the host's CPU time says nothing. */
static const char *track_beyond(const struct plan *plan, const struct plan_track *track)
{
	return track->metric == SPEC_CPU_SYSTEM && !strcmp(plan->device.kind, "sim")
		       ? "a tracking variable of the host's CPU time, which a model drive "
			 "lacks"
		       : NULL;
}

static int refuse_step(const struct plan_step *step, const char *verb, const char *what,
		       struct pts_err *err)
{
	return pts_fail(err, PTS_EXIT_MISSING, ENOTSUP,
			"this version can plan, but not run, the test '%s': its step '%s' %s "
			"%s",
			step->test, step->phase, verb, what);
}

int plan_runnable(const struct plan *plan, struct pts_err *err)
{
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];
		const char *what = step_beyond(step);

		if (what)
			return refuse_step(step, "is", what, err);
		for (unsigned c = 0; c < step->cell_count && !what; c++)
			what = cell_beyond(&step->cells[c]);
		for (unsigned t = 0; t < step->track_count && !what; t++)
			what = track_beyond(plan, &step->tracks[t]);
		if (what)
			return refuse_step(step, "has", what, err);
	}
	for (unsigned i = 0; i < plan->test_count; i++)
		if (!plan->tests[i].applicable)
			return pts_fail(
				err, PTS_EXIT_DEVICE, EINVAL,
				"the test '%s' can't run on '%s' (%llu bytes in LBAs of "
				"%u): %s",
				plan->tests[i].name, plan->device.path,
				(unsigned long long)plan->device.capacity_bytes,
				plan->device.lba_bytes, plan->tests[i].reason);
	return 0;
}
