/*
 * Axes, tracking variables and the steady-state block of a step, with the checks that can be
 * made without a device: tracked cells are cells, the window fits into the rounds.
 */
#include <string.h>

#include "spec_internal.h"

const struct spec_axis *spec_step_axis(const struct spec_step *step, enum spec_axis_kind kind)
{
	for (unsigned i = 0; i < step->axis_count; i++)
		if (step->axes[i].kind == kind)
			return &step->axes[i];
	return NULL;
}

bool spec_axis_has(const struct spec_axis *axis, uint64_t value)
{
	for (unsigned i = 0; i < axis->count; i++)
		if (axis->values[i] == value)
			return true;
	return false;
}

bool spec_axis_value(struct spec_reader *r, enum spec_axis_kind kind,
		     const struct spec_item *item, const char *path, uint64_t *ret_value)
{
	struct spec_key_row row = *spec_key_row(SPEC_IN_AXIS, spec_axis_words[kind]);
	unsigned small = 0;

	if (!path) /* a page's choice of cells is nobody's requirement */
		row.flags &= ~(unsigned)SPEC_KEY_STANDARD;
	if (kind == SPEC_AXIS_BLOCK_SIZE)
		return spec_item_parse(r, &row, item, path, ret_value);
	if (!spec_item_parse(r, &row, item, path, &small))
		return false;
	*ret_value = small;
	return true;
}

void spec_axis_keys(struct spec_map *map, bool cited, bool has[SPEC_AXES],
		    uint64_t value[SPEC_AXES])
{
	for (unsigned kind = 0; kind < SPEC_AXES; kind++) {
		struct spec_node *node = spec_map_get(map, spec_axis_words[kind]);
		const char *path = spec_path(map->r, "%s.%s", map->path, spec_axis_words[kind]);
		struct spec_item item;

		has[kind] =
			node && spec_item_read(map->r, node, path, &map->source, &item) &&
			spec_axis_value(map->r, kind, &item, cited ? path : NULL, &value[kind]);
	}
}

static void read_axis(struct spec_map *map, struct spec_step *step)
{
	struct spec_reader *r = map->r;
	enum spec_axis_kind kind = 0;
	struct spec_axis axis = {0};
	struct spec_item *items;
	const char *path;

	while (kind + 1 < SPEC_AXES &&
	       strcmp(spec_axis_words[kind], map->node->keys[0]->text) != 0)
		kind++;
	path = spec_path(r, "%s.%s", map->path, spec_axis_words[kind]);
	axis.kind = kind;
	axis.where = spec_where_of(r, map->node->keys[0]);
	items = spec_items_read(r, map->node->values[0], path, &map->source, &axis.count);
	if (!items)
		return;
	if (spec_step_axis(step, kind))
		spec_fault_node(r, map->node->keys[0], "axis %s stands twice",
				spec_axis_words[kind]);
	axis.values = PTS_ARENA_ARRAY(r->arena, uint64_t, axis.count);
	for (unsigned i = 0; i < axis.count; i++) {
		if (!spec_axis_value(r, kind, &items[i], path, &axis.values[i]))
			continue;
		for (unsigned j = 0; j < i; j++)
			if (axis.values[j] == axis.values[i])
				spec_fault_item(r, &items[i], "%s stands twice in the axis",
						spec_quoted(r, items[i].text));
	}
	step->axes[step->axis_count++] = axis;
}

void spec_axes_read(struct spec_map *map, struct spec_step *step)
{
	struct spec_reader *r = map->r;
	struct spec_node *node = spec_map_get(map, "axes"), *list;
	const char *path = spec_path(r, "%s.axes", map->path);
	struct spec_source source = map->source;
	uint64_t cells = 1;

	list = node ? spec_list_open(r, node, path, &source) : NULL;
	if (!list)
		return;
	step->axes = PTS_ARENA_ARRAY(r->arena, struct spec_axis, list->count);
	for (unsigned i = 0; i < list->count; i++) {
		struct spec_map axis;

		if (!spec_map_open(r, SPEC_IN_AXIS, list->values[i],
				   spec_path(r, "%s[%u]", path, i), &source, &axis))
			continue;
		if (axis.node->count != 1)
			spec_fault_node(r, list->values[i],
					"an axis is one key with its values");
		else if (spec_key_row(SPEC_IN_AXIS, axis.node->keys[0]->text))
			read_axis(&axis, step);
	}
	for (unsigned i = 0; i < step->axis_count && cells <= SPEC_CELLS_MOST; i++)
		cells *= step->axes[i].count;
	if (cells > SPEC_CELLS_MOST)
		spec_fault_node(r, list, "the axes make more than %d cells", SPEC_CELLS_MOST);
}

/* What a workload fixes for every cell; false if it fixes nothing or several values. */
static bool fixed_value(const struct spec_step *step, enum spec_axis_kind kind,
			uint64_t *ret_value)
{
	const struct spec_workload *work = &step->work;
	const struct spec_stream *stream = work->streams;

	if (!work->stream_count)
		return false;
	*ret_value = kind == SPEC_AXIS_THREADS       ? work->threads
		     : kind == SPEC_AXIS_QUEUE_DEPTH ? work->queue_depth
		     : kind == SPEC_AXIS_RW_MIX      ? stream->read_pct
		     : stream->size_count[0] == 1    ? stream->sizes[0][0].block_bytes
						     : 0;
	return work->stream_count == 1 &&
	       (*ret_value || (kind == SPEC_AXIS_RW_MIX && stream->has_read_pct));
}

/* The track names exactly one cell of the axes. */
static void check_track(struct spec_map *map, const struct spec_step *step,
			const struct spec_track *track)
{
	for (unsigned kind = 0; kind < SPEC_AXES; kind++) {
		const struct spec_axis *axis = spec_step_axis(step, kind);
		const char *key = spec_axis_words[kind];
		uint64_t fixed;

		if (axis && !track->has_axis[kind] && !spec_map_get(map, key) &&
		    axis->count > 1)
			spec_fault_node(map->r, map->node,
					"the track lacks the key '%s': the axis has %u values",
					key, axis->count);
		if (!track->has_axis[kind])
			continue;
		if (axis ? !spec_axis_has(axis, track->axis[kind])
			 : fixed_value(step, kind, &fixed) && fixed != track->axis[kind])
			spec_fault_node(
				map->r, spec_map_get(map, key),
				"the tracked cell is not in the axes: %s has no %s", key,
				spec_quoted(map->r, spec_map_get(map, key)->text
							    ? spec_map_get(map, key)->text
							    : "such value"));
		else if (!axis && !fixed_value(step, kind, &fixed))
			spec_fault_node(map->r, spec_map_get(map, key),
					"%s is no axis of this step", key);
	}
}

static void read_tracks(struct spec_map *map, struct spec_step *step)
{
	struct spec_reader *r = map->r;
	struct spec_node *node = spec_map_get(map, "track"), *list;
	const char *path = spec_path(r, "%s.track", map->path);
	struct spec_source source = map->source;
	struct spec_steady *steady = &step->steady;

	list = node ? spec_list_open(r, node, path, &source) : NULL;
	if (!list)
		return;
	steady->tracks = PTS_ARENA_ARRAY(r->arena, struct spec_track, list->count);
	for (unsigned i = 0; i < list->count; i++) {
		struct spec_track *track = &steady->tracks[steady->track_count];
		unsigned before = r->fault_seen;
		struct spec_map entry;

		if (!spec_map_open(r, SPEC_IN_TRACK, list->values[i],
				   spec_path(r, "%s[%u]", path, i), &source, &entry))
			continue;
		track->where = spec_where_of(r, list->values[i]);
		spec_map_fill(&entry, SPEC_IN_TRACK, track);
		spec_axis_keys(&entry, true, track->has_axis, track->axis);
		if (r->fault_seen == before && r->axes_ok)
			check_track(&entry, step, track);
		for (unsigned j = 0; j < steady->track_count && track->name; j++)
			if (steady->tracks[j].name &&
			    strcmp(steady->tracks[j].name, track->name) == 0)
				spec_fault_node(r, list->values[i],
						"track name %s is used twice",
						spec_quoted(r, track->name));
		steady->track_count++;
	}
}

void spec_steady_read(struct spec_map *outer, struct spec_step *step)
{
	struct spec_node *node = spec_map_get(outer, "steady");
	struct spec_map map;

	if (!node ||
	    !spec_map_open(outer->r, SPEC_IN_STEADY, node,
			   spec_path(outer->r, "%s.steady", outer->path), &outer->source, &map))
		return;
	spec_map_fill(&map, SPEC_IN_STEADY, &step->steady);
	read_tracks(&map, step);
}

void spec_window_check(struct spec_map *map, const struct spec_step *step)
{
	struct spec_node *node = spec_map_get(map, "max_rounds");
	struct spec_item item;

	if (!node || !step->max_rounds || step->steady.window <= step->max_rounds ||
	    !spec_item_read(map->r, node, map->path, &map->source, &item))
		return;
	spec_fault_item(map->r, &item, "max_rounds is %u, the window needs %u rounds",
			step->max_rounds, step->steady.window);
}
