/* Points: which step a choice looks at, and which cells its rules name. */
#include <string.h>

#include "plan_internal.h"

static int step_called(const struct plan_builder *builder, const struct plan_step *until,
		       const char *phase)
{
	const struct plan *plan = builder->plan;

	for (unsigned i = until->index; i-- > 0;)
		if (!strcmp(plan->steps[i].test, until->test) &&
		    !strcmp(plan->steps[i].phase, phase))
			return (int)i;
	return -1;
}

static int point_called(const struct plan_step *step, const char *name)
{
	for (unsigned i = 0; name && i < step->point_count; i++)
		if (!strcmp(step->points[i].name, name))
			return (int)i;
	return -1;
}

static int cell_of(const struct plan_builder *builder, int from_step,
		   const struct spec_point *point)
{
	const struct plan_step *from;

	if (from_step < 0 || point->rule != SPEC_FIXED_CELL)
		return -1;
	from = &builder->plan->steps[from_step];
	for (unsigned i = 0; i < from->cell_count; i++)
		if (plan_axis_matches(point->has_axis, point->axis, &from->cells[i]))
			return (int)i;
	return -1;
}

void plan_points(struct plan_builder *builder, const struct spec_step *from,
		 struct plan_step *step)
{
	step->from_step = step_called(builder, step, from->from);
	step->points = PTS_ARENA_ARRAY(builder->plan->arena, struct plan_point,
				       from->point_count ? from->point_count : 1);
	for (unsigned i = 0; i < from->point_count; i++) {
		const struct spec_point *point = &from->points[i];

		step->points[i] = (struct plan_point){
			.name = point->name,
			.rule = point->rule,
			.metric = point->metric,
			.latency_limit_ns = point->latency_limit_ns,
			.cell = cell_of(builder, step->from_step, point),
			.between = {point_called(step, point->between[0]),
				    point_called(step, point->between[1])},
		};
		step->point_count++;
	}
}
