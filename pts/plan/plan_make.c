/*
 * From specs and a device to a flat list of resolved steps. Opens nothing, does no I/O, asks no
 * clock: the same inputs give the same plan.
 */
#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan_internal.h"

void *plan_grow(struct pts_arena *arena, void *list, unsigned count, unsigned *room,
		size_t item_bytes)
{
	unsigned wider = *room ? *room * 2 : 16;
	void *copy;

	if (count < *room)
		return list;
	copy = pts_arena_alloc(arena, wider * item_bytes);
	if (count)
		memcpy(copy, list, count * item_bytes);
	*room = wider;
	return copy;
}

static struct plan_step *add_step(struct plan_builder *builder)
{
	struct plan *plan = builder->plan;

	plan->steps = plan_grow(plan->arena, plan->steps, plan->step_count, &builder->step_room,
				sizeof(*plan->steps));
	plan->steps[plan->step_count].index = plan->step_count;
	return &plan->steps[plan->step_count++];
}

static void note_blocks(struct plan *plan, const struct plan_stream *stream)
{
	for (int d = 0; d < 2; d++)
		for (unsigned i = 0; i < stream->size_count[d]; i++)
			if (stream->sizes[d][i].block_bytes > plan->block_bytes_max)
				plan->block_bytes_max = stream->sizes[d][i].block_bytes;
}

/* What the engine must be opened with for these cells. */
static void note_sizes(struct plan *plan, const struct plan_cell *cells, unsigned count)
{
	for (unsigned c = 0; c < count; c++) {
		const struct plan_cell *cell = &cells[c];

		if (!cell->applicable)
			continue;
		if (cell->threads > plan->threads_max)
			plan->threads_max = cell->threads;
		if (cell->queue_depth > plan->queue_depth_max)
			plan->queue_depth_max = cell->queue_depth;
		for (unsigned s = 0; s < cell->stream_count; s++)
			note_blocks(plan, &cell->streams[s]);
	}
}

static int make_before(struct plan_builder *builder, const struct spec_step *from,
		       struct plan_step *step, struct pts_err *err)
{
	unsigned count;
	int rc = 0;

	step->before_count = from->before_round_count;
	step->before = PTS_ARENA_ARRAY(builder->plan->arena, struct plan_cell,
				       step->before_count ? step->before_count : 1);
	for (unsigned i = 0; i < step->before_count && !rc; i++) {
		struct plan_cell *one;

		rc = plan_cells(builder, &from->before_round[i], &one, &count, err);
		if (!rc)
			step->before[i] = *one;
		step->before[i].index = step->cell_count + i;
		step->before[i].role = PLAN_BEFORE;
	}
	note_sizes(builder->plan, step->before, rc ? 0 : step->before_count);
	return rc;
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
	step->from_step = -1;
	step->max_rounds = from->kind == SPEC_STEP_CYCLE ? from->repeat : from->max_rounds;
	step->on_unsteady = from->on_unsteady;
	step->idle_ns = from->idle_ns;
	step->loops = from->kind == SPEC_STEP_ROUNDS || from->kind == SPEC_STEP_CYCLE ||
		      from->sample_ns;
	switch (from->kind) {
	case SPEC_STEP_LOAD:
	case SPEC_STEP_ROUNDS:
	case SPEC_STEP_CYCLE:
	case SPEC_STEP_CURVE:
	case SPEC_STEP_SEARCH:
		rc = plan_cells(builder, from, &step->cells, &step->cell_count, err);
		break;
	default:
		break;
	}
	if (!rc && from->sample_ns) {
		step->limit_ns = from->stop.duration_ns;
		rc = plan_amount(builder, from, &step->limit_bytes, err);
	}
	/* what is left of a limit is not known behind a gap */
	step->redo_test = from->on_gap == SPEC_GAP_TEST || step->limit_ns || step->limit_bytes;
	if (!rc)
		rc = make_before(builder, from, step, err);
	if (!rc && (from->kind == SPEC_STEP_ROUNDS || from->stop.when_steady))
		plan_tracks(builder, from, step);
	if (!rc && from->kind == SPEC_STEP_CHOOSE)
		plan_points(builder, from, step);
	note_sizes(builder->plan, step->cells, step->cell_count);
	return rc;
}

/* NULL if one of the cells can run, else why not. */
static const char *none_runs(const struct plan_cell *cells, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (cells[i].applicable)
			return NULL;
	return count ? cells[0].reason : NULL;
}

/* Steps build on one another: without one of them the others would measure something else. */
static void judge_test(struct plan *plan, struct plan_test *test)
{
	test->applicable = true;
	for (unsigned i = 0; i < test->step_count && test->applicable; i++) {
		const struct plan_step *step = &plan->steps[test->first_step + i];
		const char *reason = none_runs(step->cells, step->cell_count);

		for (unsigned b = 0; b < step->before_count && !reason; b++)
			reason = step->before[b].reason;
		if (!reason)
			continue;
		test->applicable = false;
		test->reason =
			pts_arena_printf(plan->arena, "step '%s': %s", step->phase, reason);
	}
}

static int make_test(struct plan_builder *builder, const struct spec *spec,
		     struct plan_test *test, struct pts_err *err)
{
	int rc = 0;

	builder->spec = spec;
	*test = (struct plan_test){
		.name = spec->name,
		.spec = spec,
		.first_step = builder->plan->step_count,
		.step_count = spec->step_count,
	};
	for (unsigned i = 0; i < spec->step_count && !rc; i++)
		rc = make_step(builder, spec->name, &spec->steps[i], err);
	if (rc)
		pts_err_prefix(err, "test '%s'", spec->name);
	else
		judge_test(builder->plan, test);
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
	for (unsigned i = 1; i < spec_count; i++)
		if (specs[i]->mode != specs[0]->mode)
			return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
					"'%s' is read for %s, '%s' for %s: one plan has one "
					"mode",
					specs[0]->name, spec_mode_text(specs[0]->mode),
					specs[i]->name, spec_mode_text(specs[i]->mode));
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
		plan_notes(&builder);
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
