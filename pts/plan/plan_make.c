/*
 * From specs and a device to a flat list of resolved steps. Opens nothing, does no I/O, asks no
 * clock: the same inputs give the same plan.
 */
#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan_internal.h"

static struct plan_step *add_step(struct plan_builder *builder)
{
	struct plan *plan = builder->plan;

	if (plan->step_count == builder->step_room) {
		unsigned room = builder->step_room ? builder->step_room * 2 : 16;
		struct plan_step *steps = PTS_ARENA_ARRAY(plan->arena, struct plan_step, room);

		if (plan->step_count)
			memcpy(steps, plan->steps, plan->step_count * sizeof(*steps));
		plan->steps = steps;
		builder->step_room = room;
	}
	plan->steps[plan->step_count].index = plan->step_count;
	return &plan->steps[plan->step_count++];
}

/* What the engine must be opened with for everything that this step does. */
static void note_sizes(struct plan *plan, const struct plan_step *step)
{
	for (unsigned c = 0; c < step->cell_count; c++) {
		const struct plan_cell *cell = &step->cells[c];

		if (!cell->applicable)
			continue;
		if (cell->threads > plan->threads_max)
			plan->threads_max = cell->threads;
		if (cell->queue_depth > plan->queue_depth_max)
			plan->queue_depth_max = cell->queue_depth;
		for (unsigned s = 0; s < cell->stream_count; s++)
			for (int d = 0; d < 2; d++)
				for (unsigned i = 0; i < cell->streams[s].size_count[d]; i++)
					if (cell->streams[s].sizes[d][i].block_bytes >
					    plan->block_bytes_max)
						plan->block_bytes_max = cell->streams[s]
										.sizes[d][i]
										.block_bytes;
	}
}

static int make_step(struct plan_builder *builder, const char *test,
		     const struct spec_step *from, struct pts_err *err)
{
	struct plan_step *step = add_step(builder);
	int rc = 0;

	step->test = test;
	step->phase = from->name;
	step->kind = from->kind;
	step->spec = from;
	step->max_rounds = from->max_rounds;
	step->on_unsteady = from->on_unsteady;
	step->idle_ns = from->idle_ns;
	switch (from->kind) {
	case SPEC_STEP_LOAD:
	case SPEC_STEP_ROUNDS:
	case SPEC_STEP_CYCLE:
	case SPEC_STEP_CURVE:
	case SPEC_STEP_SEARCH:
		rc = plan_cells(builder, from, step, err);
		break;
	default:
		break;
	}
	if (!rc && (from->kind == SPEC_STEP_ROUNDS || from->stop.when_steady))
		plan_tracks(builder, from, step);
	note_sizes(builder->plan, step);
	return rc;
}

static int make_test(struct plan_builder *builder, const struct spec *spec,
		     struct plan_test *test, struct pts_err *err)
{
	int rc = 0;

	*test = (struct plan_test){
		.name = spec->name,
		.spec = spec,
		.first_step = builder->plan->step_count,
		.step_count = spec->step_count,
	};
	for (unsigned i = 0; i < spec->step_count && !rc; i++)
		rc = make_step(builder, spec->name, &spec->steps[i], err);
	return rc;
}

static int check_inputs(const struct spec *const *specs, unsigned spec_count,
			const struct plan_device *device, struct pts_err *err)
{
	if (!spec_count)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "no spec to plan");
	if (!device->lba_bytes || device->capacity_bytes < device->lba_bytes)
		return pts_fail(
			err, PTS_EXIT_DEVICE, ENODATA,
			"'%s' reports a capacity of %llu bytes: nothing can be measured",
			device->path ? device->path : "?",
			(unsigned long long)device->capacity_bytes);
	for (unsigned i = 0; i < spec_count; i++)
		for (unsigned j = i + 1; j < spec_count; j++)
			if (!strcmp(specs[i]->name, specs[j]->name))
				return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
						"the test '%s' is given twice", specs[i]->name);
	return 0;
}

static const char *copy(struct pts_arena *arena, const char *text)
{
	return pts_arena_strdup(arena, text ? text : "");
}

static void take_device(struct plan *plan, const struct plan_device *device)
{
	plan->device = *device;
	/* a capacity that is no whole number of LBAs ends at the last whole one */
	plan->device.capacity_bytes -= device->capacity_bytes % device->lba_bytes;
	plan->device.path = copy(plan->arena, device->path);
	plan->device.identity = copy(plan->arena, device->identity);
	plan->device.kind = copy(plan->arena, device->kind);
	plan->device.transport = copy(plan->arena, device->transport);
	plan->device.write_cache = copy(plan->arena, device->write_cache);
	plan->device.purge_name = copy(plan->arena, device->purge_name);
}

int plan_make(const struct spec *const *specs, unsigned spec_count,
	      const struct plan_device *device, const struct plan_assume *assume,
	      struct plan **ret_plan, struct pts_err *err)
{
	struct pts_arena *arena;
	struct plan_builder builder = {.assume = assume};
	char *text;
	int rc = check_inputs(specs, spec_count, device, err);

	*ret_plan = NULL;
	if (rc)
		return rc;
	arena = pts_arena_new();
	builder.plan = PTS_ARENA_NEW(arena, struct plan);
	builder.plan->arena = arena;
	builder.plan->mode = specs[0]->mode;
	take_device(builder.plan, device);
	builder.plan->tests = PTS_ARENA_ARRAY(arena, struct plan_test, spec_count);
	for (unsigned i = 0; i < spec_count && !rc; i++) {
		rc = make_test(&builder, specs[i], &builder.plan->tests[i], err);
		builder.plan->test_count++;
	}
	if (!rc) {
		plan_deviations(&builder);
		rc = plan_time(&builder, err);
	}
	if (rc) {
		pts_arena_free(arena);
		return rc;
	}
	text = plan_text(builder.plan);
	pts_sha256_text(text, strlen(text), builder.plan->sha256);
	free(text);
	*ret_plan = builder.plan;
	return 0;
}

void plan_free(struct plan *plan)
{
	if (plan)
		pts_arena_free(plan->arena);
}

static const char *beyond(const struct plan_step *step)
{
	const struct spec_step *from = step->spec;

	switch (step->kind) {
	case SPEC_STEP_PURGE:
	case SPEC_STEP_IDLE:
		return NULL;
	case SPEC_STEP_LOAD:
		if (from->at)
			return "a load at a chosen point";
		if (from->sample_ns || from->stop.when_steady || from->stop.latency_limit_ns)
			return "a sampled load";
		return NULL;
	case SPEC_STEP_ROUNDS:
		return from->before_round_count ? "rounds with a step before each" : NULL;
	default:
		return spec_step_text(step->kind);
	}
}

int plan_runnable(const struct plan *plan, struct pts_err *err)
{
	bool any = false;

	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];
		const char *what = beyond(step);

		if (what)
			return pts_fail(
				err, PTS_EXIT_MISSING, ENOTSUP,
				"this version can plan, but not run, the test '%s': step "
				"'%s' is %s",
				step->test, step->phase, what);
		for (unsigned c = 0; c < step->cell_count; c++) {
			const struct plan_cell *cell = &step->cells[c];

			any = any || cell->applicable;
			for (unsigned s = 0; s < cell->stream_count; s++)
				if (cell->streams[s].rate_iops > 0 || cell->streams[s].sizes[1])
					return pts_fail(
						err, PTS_EXIT_MISSING, ENOTSUP,
						"this version can plan, but not run, the "
						"test '%s': step '%s' has a stream with a "
						"rate or with sizes by direction",
						step->test, step->phase);
		}
	}
	if (!any)
		return pts_fail(
			err, PTS_EXIT_DEVICE, EINVAL,
			"no cell of the plan can run on '%s' (%llu bytes in LBAs of %u)",
			plan->device.path, (unsigned long long)plan->device.capacity_bytes,
			plan->device.lba_bytes);
	return 0;
}
