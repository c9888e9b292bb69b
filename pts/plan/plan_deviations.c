/* What departs from the standard before anything has run: each with clause, asked and actual. */
#include <string.h>

#include "plan_internal.h"

static void deviate(struct plan_builder *builder, const char *test, const char *clause,
		    const char *what, const char *required, const char *actual,
		    const char *reason)
{
	struct plan *plan = builder->plan;

	plan->deviations = plan_grow(plan->arena, plan->deviations, plan->deviation_count,
				     &builder->deviation_room, sizeof(*plan->deviations));
	plan->deviations[plan->deviation_count++] = (struct plan_deviation){
		.test = test,
		.clause = clause ? clause : "",
		.what = what,
		.required = required,
		.actual = actual,
		.reason = reason,
	};
}

static void overrides(struct plan_builder *builder, const struct spec *spec)
{
	struct pts_arena *arena = builder->plan->arena;

	for (unsigned i = 0; i < spec->param_count; i++) {
		const struct spec_param *param = &spec->params[i];

		if (!param->overridden || param->source.binding != SPEC_BINDING_FIXED)
			continue;
		deviate(builder, spec->name, param->source.clause, param->name, param->standard,
			param->value,
			pts_arena_printf(arena, "--set %s=%s", param->name, param->value));
	}
}

static const struct spec_step *purge_step(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->step_count; i++)
		if (spec->steps[i].kind == SPEC_STEP_PURGE)
			return &spec->steps[i];
	return NULL;
}

static void purge(struct plan_builder *builder, const struct spec *spec)
{
	const struct plan_device *device = &builder->plan->device;
	const struct spec_step *step = purge_step(spec);

	if (!step || device->purge_is_pts)
		return;
	deviate(builder, spec->name, step->source.clause, "purge",
		"a purge command of the drive (format, sanitize, secure erase)",
		device->purge_name, "the standard does not count this method as a purge");
}

static void write_cache(struct plan_builder *builder, const struct spec *spec)
{
	const struct plan_device *device = &builder->plan->device;
	const char *required = spec->write_cache_enabled ? "enabled" : "disabled";
	const char *now = !strcmp(device->write_cache, "write back")      ? "enabled"
			  : !strcmp(device->write_cache, "write through") ? "disabled"
									  : "unknown";

	if (!spec->has_write_cache || device->can_set_write_cache || !strcmp(now, required))
		return;
	deviate(builder, spec->name, spec->write_cache_source.clause, "write_cache", required,
		now, "this program can't set the drive's write cache on this device");
}

static void no_drive(struct plan_builder *builder, const struct spec *spec)
{
	const struct plan_device *device = &builder->plan->device;
	bool file = !strcmp(device->kind, "file");

	if (!file && !device->is_virtual)
		return;
	deviate(builder, spec->name, "", "device under test", "a solid state drive",
		file ? "a regular file"
		     : pts_arena_printf(builder->plan->arena, "a virtual device (%s)",
					device->transport),
		"not a drive: the figures say nothing about one");
}

static void tracks(struct plan_builder *builder, const struct plan_test *test,
		   const struct plan_step *step)
{
	for (unsigned t = 0; t < step->track_count; t++)
		if (step->tracks[t].cell < 0)
			deviate(builder, test->name, step->spec->source.clause,
				"tracking variable", step->tracks[t].name,
				"can't run on this device",
				"the test can't be judged without it");
}

static void steps(struct plan_builder *builder, const struct plan_test *test)
{
	if (!test->applicable)
		deviate(builder, test->name, test->spec->section, "test", "a complete test",
			"can't run on this device", test->reason);
	for (unsigned i = 0; i < test->step_count; i++) {
		const struct plan_step *step = &builder->plan->steps[test->first_step + i];

		tracks(builder, test, step);
	}
}

void plan_deviations(struct plan_builder *builder)
{
	for (unsigned i = 0; i < builder->plan->test_count; i++) {
		const struct plan_test *test = &builder->plan->tests[i];

		no_drive(builder, test->spec);
		purge(builder, test->spec);
		write_cache(builder, test->spec);
		overrides(builder, test->spec);
		steps(builder, test);
	}
}
