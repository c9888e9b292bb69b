/*
 * One cell: makes the engine's job from the plan, starts it, writes the cell before it while it
 * runs, collects the result and leaves it pending. Decides nothing about rounds.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_clock.h"
#include "pts_hash.h"
#include "run_internal.h"

/* A job with the arrays that it points to. */
struct job {
	struct engine_job job;
	struct engine_stream *streams;
	struct engine_size *sizes; /* of all streams, one after the other */
	struct engine_zone *zones;
};

static void job_release(struct job *job)
{
	free(job->streams);
	free(job->sizes);
	free(job->zones);
}

static void job_stream(const struct plan_stream *from, struct engine_size **sizes,
		       struct engine_zone **zones, struct engine_stream *ret_stream)
{
	*ret_stream = (struct engine_stream){
		.weight = from->weight > 0 ? from->weight : 1,
		.random_share = from->random_share,
		.read_share = from->read_pct / 100.0,
		.sizes = *sizes,
		.size_count = from->size_count[0],
		.zones = from->zone_count ? *zones : NULL,
		.zone_count = from->zone_count,
		.align_bytes = from->align_bytes,
		.start_bytes = from->start_bytes,
		.span_bytes = from->span_bytes,
	};
	for (unsigned i = 0; i < from->size_count[0]; i++)
		*(*sizes)++ = (struct engine_size){from->sizes[0][i].block_bytes,
						   from->sizes[0][i].share};
	for (unsigned i = 0; i < from->zone_count; i++)
		*(*zones)++ = (struct engine_zone){from->zones[i].span_share,
						   from->zones[i].access_share};
}

static int job_make(const struct plan_cell *cell, const struct run_limits *limits,
		    uint64_t seed, struct job *ret_job, struct pts_err *err)
{
	size_t size_count = 0, zone_count = 0;
	struct engine_size *sizes;
	struct engine_zone *zones;

	for (unsigned i = 0; i < cell->stream_count; i++) {
		size_count += cell->streams[i].size_count[0];
		zone_count += cell->streams[i].zone_count;
	}
	ret_job->streams = calloc(cell->stream_count + 1, sizeof(*ret_job->streams));
	ret_job->sizes = sizes = calloc(size_count + 1, sizeof(*sizes));
	ret_job->zones = zones = calloc(zone_count + 1, sizeof(*zones));
	if (!ret_job->streams || !sizes || !zones)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	for (unsigned i = 0; i < cell->stream_count; i++)
		job_stream(&cell->streams[i], &sizes, &zones, &ret_job->streams[i]);
	ret_job->job = (struct engine_job){
		.streams = ret_job->streams,
		.stream_count = cell->stream_count,
		.threads = cell->threads,
		.queue_depth = cell->queue_depth,
		.duration_ns = limits->duration_ns,
		.amount_bytes = limits->amount_bytes,
		.amount_is_written = true,
		.sample_ns = cell->record_ns,
		.carry_position = cell->carry_position,
		.payload = strcmp(cell->data_pattern, "zero") ? ENGINE_PAYLOAD_RANDOM
							      : ENGINE_PAYLOAD_ZERO,
		.compressible_share = cell->compressible_share,
		.duplicate_share = cell->duplicate_share,
		.seed = seed,
		.submit_batch = cell->response_time ? 1 : 0,
	};
	return 0;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

/* Time since the step's first cell began, by the clock: with the gaps between its cells. */
static uint64_t step_ns(const struct run *run)
{
	return run->step_first_ns ? run->step_end_ns - run->step_first_ns : 0;
}

const char *run_limit_reached(const struct run *run, const struct plan_step *step)
{
	if (step->limit_bytes && run->step_bytes_written >= step->limit_bytes)
		return RUN_OUTCOME_AMOUNT;
	if (step->limit_ns && step_ns(run) >= step->limit_ns)
		return RUN_OUTCOME_TIME;
	return NULL;
}

/* A cell ends at its own time, or where its step ends: run_limit_reached() was asked before. */
static struct run_limits limits_of(const struct run *run, const struct plan_step *step,
				   const struct plan_cell *cell)
{
	struct run_limits limits = {cell->duration_ns, cell->amount_bytes};

	if (step->limit_ns)
		limits.duration_ns = lesser(cell->duration_ns, step->limit_ns - step_ns(run));
	if (step->limit_bytes)
		limits.amount_bytes = step->limit_bytes - run->step_bytes_written;
	return limits;
}

static double done_share(const struct plan_cell *cell, const struct engine_progress *progress)
{
	double by_time = 0, by_bytes = 0;

	if (cell->duration_ns)
		by_time = (double)progress->elapsed_ns / (double)cell->duration_ns;
	if (cell->amount_bytes)
		by_bytes = (double)progress->bytes / (double)cell->amount_bytes;
	if (by_bytes > by_time)
		by_time = by_bytes;
	return by_time < 1 ? by_time : 1;
}

static void progress_event(const struct run *run, const struct plan_step *step,
			   const struct plan_cell *cell, int round,
			   const struct engine_progress *progress)
{
	const struct engine_sample *last = &progress->last;
	double share = done_share(cell, progress);
	struct run_event event = {
		.kind = RUN_PROGRESS,
		.test = step->test,
		.phase = step->phase,
		.step = step->index,
		.round = (unsigned)round,
		.max_rounds = step->max_rounds,
		.brief = step->kind == SPEC_STEP_CYCLE,
		.cell = cell->index,
		.cell_count = step->cell_count,
		.cell_label = cell->label,
	};

	if (last->span_ns) {
		double seconds = (double)last->span_ns / (double)PTS_NS_PER_S;

		event.iops = (double)(last->ios[0] + last->ios[1]) / seconds;
		event.mb_per_s = (double)(last->bytes[0] + last->bytes[1]) / 1e6 / seconds;
	}
	event.done_share = run_round_share(step, cell, share);
	run_left(run, step, round, event.done_share, progress->elapsed_ns, &event);
	run_emit(run, &event);
}

/* Waits for the end of the job and reports about once a second. */
static void watch(struct run *run, const struct plan_step *step, const struct plan_cell *cell,
		  int round)
{
	struct engine_progress progress = {0};
	uint64_t shown_ns = 0;

	while (!progress.done) {
		/* A signal between the last look and the job's start ended no job. */
		if (run_stop_wanted())
			engine_stop(run->engine);
		if (engine_poll(run->engine, PTS_NS_PER_S, &progress) < 0)
			continue;
		if (!progress.done && progress.elapsed_ns / PTS_NS_PER_S != shown_ns) {
			shown_ns = progress.elapsed_ns / PTS_NS_PER_S;
			progress_event(run, step, cell, round, &progress);
		}
	}
}

static void count_bytes(struct run *run, const struct plan_cell *cell,
			const struct run_limits *limits, const struct engine_result *result)
{
	bool by_amount = limits->amount_bytes &&
			 (!limits->duration_ns || result->elapsed_ns < limits->duration_ns);

	run->step_bytes_written += result->dir[ENGINE_WRITE].bytes;
	if (!run->step_first_ns)
		run->step_first_ns = result->started_ns;
	run->step_end_ns = result->started_ns + result->elapsed_ns + result->drain_ns;
	if (!cell->block_bytes || by_amount) {
		run->round_bytes_known = false; /* shorter I/Os: not known from counts */
		return;
	}
	for (int i = 0; i < ENGINE_DIRS; i++)
		run->round_bytes[i] += result->dir[i].submitted * cell->block_bytes;
}

static void keep(struct run *run, const struct plan_step *step, const struct plan_cell *cell,
		 const struct run_limits *limits, int round, uint64_t seed, uint64_t wall_ns,
		 struct engine_result *result)
{
	struct run_pending *pending = &run->pending;

	*pending = (struct run_pending){
		.used = true,
		.step = step,
		.cell = cell,
		.limits = *limits,
		.round = round,
		.seed = seed,
		.started_wall_ns = wall_ns,
		.result = result,
	};
	if (run->last_completion_ns && result->first_submit_ns > run->last_completion_ns)
		pending->gap_ns = result->first_submit_ns - run->last_completion_ns;
	run->last_completion_ns = result->last_completion_ns;
	if (!result->dir[ENGINE_READ].ios && !result->dir[ENGINE_WRITE].ios)
		snprintf(pending->reason, sizeof(pending->reason),
			 "no I/O completed inside the cell's time");
	else if (result->dir[ENGINE_READ].errors || result->dir[ENGINE_WRITE].errors)
		snprintf(pending->reason, sizeof(pending->reason), "I/O errors");
	count_bytes(run, cell, limits, result);
}

void run_cell_drop(struct run *run)
{
	/* the last cell of a step that is done is no part of what was cut */
	if (run->unsettled && run->pending.step == run->unsettled)
		return;
	run->pending.used = false;
}

int run_cell_flush(struct run *run, struct pts_err *err)
{
	int rc = 0;

	if (run->pending.used)
		rc = run_commit(run, &run->pending, err);
	run->pending.used = false;
	return run->unsettled ? run_step_settled(run, rc, err) : rc;
}

static void cell_event(const struct run *run, enum run_event_kind kind,
		       const struct plan_step *step, const struct plan_cell *cell, int round,
		       const struct engine_result *result)
{
	struct run_event event = {
		.kind = kind,
		.test = step->test,
		.phase = step->phase,
		.step = step->index,
		.round = (unsigned)round,
		.max_rounds = step->max_rounds,
		.brief = step->kind == SPEC_STEP_CYCLE,
		.cell = cell->index,
		.cell_count = step->cell_count,
		.cell_label = cell->label,
	};

	if (result && result->elapsed_ns) {
		double seconds = (double)result->elapsed_ns / (double)PTS_NS_PER_S;

		event.iops = (double)(result->dir[0].ios + result->dir[1].ios) / seconds;
		event.mb_per_s =
			(double)(result->dir[0].bytes + result->dir[1].bytes) / 1e6 / seconds;
	}
	event.done_share = run_round_share(step, cell, result ? 1 : 0);
	run_left(run, step, round, event.done_share, result ? result->elapsed_ns : 0, &event);
	run_emit(run, &event);
}

/* The engine knows no names. A drive that went is the cause, what its I/O said the symptom. */
static void name_drive(const struct run *run, struct pts_err *err)
{
	struct pts_err gone = PTS_ERR_INIT;

	if (err->exit != PTS_EXIT_DEVICE)
		return;
	if (device_check(run->device, &gone) < 0)
		pts_err_prefix(err, "%s", gone.text);
	else
		pts_err_prefix(err, "'%s'", run->facts.path);
}

static enum run_flow measure(struct run *run, const struct plan_step *step,
			     const struct plan_cell *cell, int round, struct pts_err *err)
{
	struct engine_result *result = run->results[run->turn];
	uint64_t seed = pts_seed_derive(run->master_seed, step->index, (uint64_t)round,
					cell->index, run->attempt);
	uint64_t wall_ns = pts_wall_ns();
	struct run_limits limits = limits_of(run, step, cell);
	enum run_flow flow = RUN_BROKEN;
	struct job job = {0};
	struct run_cpu before, after;
	int committed, rc;

	if (run_stop_wanted())
		return RUN_STOPPED;
	rc = job_make(cell, &limits, seed, &job, err);
	run_host_cpu(&before);
	if (!rc)
		rc = engine_start(run->engine, &job.job, err);
	if (rc)
		goto out;
	/* The cell before this one is written while this one runs: no gap for the drive. */
	committed = run_cell_flush(run, err);
	cell_event(run, RUN_CELL_BEGIN, step, cell, round, NULL);
	if (committed)
		engine_stop(run->engine); /* nothing may run that can't be recorded */
	watch(run, step, cell, round);
	run_host_cpu(&after);
	rc = engine_finish(run->engine, result, committed ? NULL : err);
	if (committed)
		goto out;
	if (rc == -ECANCELED) {
		flow = RUN_STOPPED;
		goto out;
	}
	keep(run, step, cell, &limits, round, seed, wall_ns, result);
	run->pending.cpu_system_pct = run_host_system_pct(&before, &after);
	if (rc) {
		snprintf(run->pending.reason, sizeof(run->pending.reason), "%s", err->text);
		name_drive(run, err);
		goto out;
	}
	cell_event(run, RUN_CELL_END, step, cell, round, result);
	if (device_keep(run->device, false, err) == 0)
		flow = RUN_GO_ON;
out:
	job_release(&job);
	return flow;
}

enum run_flow run_cell(struct run *run, const struct plan_step *step,
		       const struct plan_cell *cell, int round, struct pts_err *err)
{
	struct plan_cell *at_point = &run->at_point[run->turn ^= 1];

	if (!cell->point)
		return measure(run, step, cell, round, err);
	if (run_point_cell(run, step, cell, at_point, err) < 0)
		return RUN_BROKEN;
	if (at_point->applicable)
		return measure(run, step, at_point, round, err);
	return run_cell_skip(run, step, at_point, round, err) < 0 ? RUN_BROKEN : RUN_GO_ON;
}
