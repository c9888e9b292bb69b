/* The points of a choose step: rules over cells of an earlier step of rounds. */
#include <string.h>

#include "spec_internal.h"

static const struct spec_point *earlier(const struct spec_step *step, const char *name)
{
	for (unsigned i = 0; i < step->point_count; i++)
		if (step->points[i].name && strcmp(step->points[i].name, name) == 0)
			return &step->points[i];
	return NULL;
}

static void read_between(struct spec_map *map, struct spec_step *step, struct spec_point *point)
{
	struct spec_reader *r = map->r;
	struct spec_node *node = spec_map_get(map, "between");
	struct spec_item *items;
	unsigned count;

	if (!node) {
		spec_fault_node(r, map->node, "rule nearest_mean lacks the key 'between'");
		return;
	}
	items = spec_items_read(r, node, spec_path(r, "%s.between", map->path), &map->source,
				&count);
	if (!items)
		return;
	if (count != 2)
		spec_fault_node(r, node, "between wants two points");
	for (unsigned i = 0; i < count && i < 2; i++) {
		const struct spec_point *other = earlier(step, items[i].text);

		if (!other)
			spec_fault_item(r, &items[i], "no earlier point is called %s",
					spec_quoted(r, items[i].text));
		point->between[i] = items[i].text;
	}
}

/* The cell rule names one cell of the rounds. */
static void check_cell(struct spec_map *map, const struct spec_step *from,
		       const struct spec_point *point)
{
	for (unsigned kind = 0; from && kind < SPEC_AXES; kind++) {
		const struct spec_axis *axis = spec_step_axis(from, kind);
		struct spec_node *node = spec_map_get(map, spec_axis_words[kind]);

		if (axis && !node && axis->count > 1)
			spec_fault_node(map->r, map->node, "rule cell lacks the key '%s'",
					spec_axis_words[kind]);
		else if (node && !axis)
			spec_fault_node(map->r, node, "%s is no axis of step '%s'",
					spec_axis_words[kind], from->name);
		else if (point->has_axis[kind] && !spec_axis_has(axis, point->axis[kind]))
			spec_fault_node(map->r, node,
					"the cell is not in the axes of step '%s'", from->name);
	}
}

/* Keys that another rule would need say that the rule is the wrong one. */
static void refuse_others(struct spec_map *map, enum spec_choose_rule rule)
{
	struct spec_node *between = spec_node_key(map->node, "between");
	struct spec_node *limit = spec_node_key(map->node, "mean_latency_below");
	struct spec_node *metric = spec_node_key(map->node, "metric");

	if (between && rule != SPEC_NEAREST_MEAN)
		spec_fault_node(map->r, between, "between belongs to rule nearest_mean");
	if (limit && rule != SPEC_HIGHEST)
		spec_fault_node(map->r, limit, "mean_latency_below belongs to rule highest");
	if (!metric && rule != SPEC_FIXED_CELL)
		spec_fault_node(map->r, map->node, "the rule lacks the key 'metric'");
	for (unsigned kind = 0; kind < SPEC_AXES && rule != SPEC_FIXED_CELL; kind++)
		if (spec_node_key(map->node, spec_axis_words[kind]))
			spec_fault_node(map->r, spec_node_key(map->node, spec_axis_words[kind]),
					"%s belongs to rule cell", spec_axis_words[kind]);
}

static void read_point(struct spec_map *map, const struct spec_step *from,
		       struct spec_step *step)
{
	struct spec_reader *r = map->r;
	struct spec_point *point = &step->points[step->point_count];
	unsigned before = r->fault_seen;

	point->where = spec_where_of(r, map->node);
	spec_map_fill(map, SPEC_IN_POINT, point);
	spec_axis_keys(map, true, point->has_axis, point->axis);
	if (r->fault_seen != before || !point->name || spec_map_odd(map))
		return;
	refuse_others(map, point->rule);
	if (point->rule == SPEC_NEAREST_MEAN)
		read_between(map, step, point);
	if (point->rule == SPEC_FIXED_CELL)
		check_cell(map, from, point);
	for (unsigned i = 0; i < r->named_count; i++)
		if (earlier(r->named[i], point->name))
			spec_fault_node(r, map->node, "point name %s is used twice",
					spec_quoted(r, point->name));
	if (earlier(step, point->name))
		spec_fault_node(r, map->node, "point name %s is used twice",
				spec_quoted(r, point->name));
	step->point_count++;
}

void spec_choose_read(struct spec_map *map, struct spec_step *step)
{
	struct spec_reader *r = map->r;
	struct spec_node *node = spec_map_get(map, "points"), *list;
	const char *path = spec_path(r, "%s.points", map->path);
	struct spec_source source = map->source;
	struct spec_step *from = step->from ? spec_step_find(r, step->from) : NULL;

	if (step->from && !from)
		spec_fault_node(r, spec_map_get(map, "from"), "no earlier step is called %s%s",
				spec_quoted(r, step->from),
				spec_meant(r, spec_step_nearest(r, step->from)));
	else if (from && from->kind != SPEC_STEP_ROUNDS)
		spec_fault_node(r, spec_map_get(map, "from"),
				"step %s has no cells to choose from",
				spec_quoted(r, step->from));
	list = node ? spec_list_open(r, node, path, &source) : NULL;
	if (!list)
		return;
	step->points = PTS_ARENA_ARRAY(r->arena, struct spec_point, list->count);
	for (unsigned i = 0; i < list->count; i++) {
		struct spec_map entry;

		if (spec_map_open(r, SPEC_IN_POINT, list->values[i],
				  spec_path(r, "%s[%u]", path, i), &source, &entry))
			read_point(&entry, from, step);
	}
}
