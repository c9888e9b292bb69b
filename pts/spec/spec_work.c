/*
 * A step with a workload: the workload's own values, what the step adds and what the axes loop
 * give each value exactly once. Must not know kinds of steps beyond that.
 */
#include <string.h>

#include "spec_internal.h"

/* Where a value may come from besides the workload. */
struct give {
	struct spec_map *map;
	struct spec_step_row *row;
	struct spec_work_use *use;
};

static const struct spec_axis *axis_of(const struct give *give, enum spec_axis_kind kind)
{
	return spec_step_axis(&give->row->s, kind);
}

/* The step or an axis gives what the workload has already, or both do. */
static void refuse_twice(struct give *give, enum spec_axis_kind kind, bool in_work)
{
	struct spec_reader *r = give->map->r;
	const char *key = spec_axis_words[kind];
	struct spec_node *own = spec_map_get(give->map, key);
	const struct spec_axis *axis = axis_of(give, kind);

	if (own && in_work)
		spec_fault_node(r, own, "%s is given twice: workload '%s' (line %u) has it too",
				key, give->use->work.name, give->use->node->line);
	if (axis && (own || in_work))
		spec_fault_place(r, axis->where.line, axis->where.column,
				 "%s is given twice: %s has it too", key,
				 own ? "the step" : "the workload");
}

static void refuse_none(struct give *give, enum spec_axis_kind kind)
{
	const char *key = spec_axis_words[kind];

	/* It was given, and its value refused: one fault is enough. */
	if (spec_map_get(give->map, key) || spec_node_get(give->use->node, key))
		return;
	spec_fault_node(give->map->r, give->map->node,
			"nothing gives a %s: neither workload '%s', nor the step, nor an axis",
			key, give->use->work.name);
}

static void give_mix(struct give *give)
{
	struct spec_stream *stream = give->use->work.streams;
	bool own = spec_map_get(give->map, "rw_mix");

	refuse_twice(give, SPEC_AXIS_RW_MIX, stream->has_read_pct);
	if (own) {
		stream->read_pct = give->row->read_pct;
		stream->has_read_pct = true;
	}
	if (!stream->has_read_pct && !axis_of(give, SPEC_AXIS_RW_MIX))
		refuse_none(give, SPEC_AXIS_RW_MIX);
}

static void give_block(struct give *give)
{
	struct spec_stream *stream = give->use->work.streams;
	bool own = spec_map_get(give->map, "block_size");

	refuse_twice(give, SPEC_AXIS_BLOCK_SIZE, stream->sizes[0] != NULL);
	if (own) {
		struct spec_size *size = PTS_ARENA_NEW(give->map->r->arena, struct spec_size);

		*size = (struct spec_size){give->row->block_bytes, 1};
		stream->sizes[0] = size;
		stream->size_count[0] = 1;
	}
	if (!stream->sizes[0] && !axis_of(give, SPEC_AXIS_BLOCK_SIZE))
		refuse_none(give, SPEC_AXIS_BLOCK_SIZE);
}

/* An axis or a step can't mean one stream of several. */
static void refuse_several(struct give *give, enum spec_axis_kind kind)
{
	struct spec_node *own = spec_map_get(give->map, spec_axis_words[kind]);
	const struct spec_axis *axis = axis_of(give, kind);

	if (own || axis)
		spec_fault_place(give->map->r, own ? own->line : axis->where.line,
				 own ? own->column : axis->where.column,
				 "%s can't be given here: workload '%s' has several streams",
				 spec_axis_words[kind], give->use->work.name);
}

static bool every_stream(const struct spec_workload *work, bool threads)
{
	for (unsigned i = 0; i < work->stream_count; i++)
		if (threads ? !work->streams[i].threads : !work->streams[i].queue_depth)
			return false;
	return work->stream_count > 0;
}

static void give_count(struct give *give, enum spec_axis_kind kind, unsigned own,
		       unsigned *work)
{
	bool threads = kind == SPEC_AXIS_THREADS;
	struct spec_node *at = spec_map_get(give->map, "at");

	refuse_twice(give, kind, *work > 0);
	if (at && (*work || own || axis_of(give, kind)))
		spec_fault_node(give->map->r, at, "%s is given twice: the point has it",
				spec_axis_words[kind]);
	if (own)
		*work = own;
	if (!*work && !at && !axis_of(give, kind) && !every_stream(&give->use->work, threads))
		refuse_none(give, kind);
}

/* `at` names a point of an earlier choose step. */
static void check_point(struct give *give)
{
	struct spec_reader *r = give->map->r;
	const char *names[64];
	size_t count = 0;

	for (unsigned i = 0; i < r->named_count; i++) {
		const struct spec_step *step = r->named[i];

		for (unsigned p = 0; p < step->point_count && count < 64; p++) {
			if (step->points[p].name &&
			    strcmp(step->points[p].name, give->row->s.at) == 0)
				return;
			if (step->points[p].name)
				names[count++] = step->points[p].name;
		}
	}
	spec_fault_node(r, spec_map_get(give->map, "at"),
			"no earlier step chooses a point %s%s", spec_quoted(r, give->row->s.at),
			spec_meant(r, pts_nearest(give->row->s.at, names, count)));
}

void spec_step_work(struct spec_map *map, struct spec_step_row *row, bool whole)
{
	struct spec_node *name = spec_map_get(map, "workload");
	struct spec_work_use use;
	struct give give = {map, row, &use};
	struct spec_item which;

	if (row->s.at)
		check_point(&give);
	if (!name || !row->workload ||
	    !spec_item_read(map->r, name, spec_path(map->r, "%s.workload", map->path),
			    &map->source, &which) ||
	    !spec_workload_read(map->r, &which, &use) || !whole)
		return;
	if (use.single) {
		give_mix(&give);
		give_block(&give);
	} else {
		refuse_several(&give, SPEC_AXIS_RW_MIX);
		refuse_several(&give, SPEC_AXIS_BLOCK_SIZE);
	}
	give_count(&give, SPEC_AXIS_THREADS, row->threads, &use.work.threads);
	give_count(&give, SPEC_AXIS_QUEUE_DEPTH, row->queue_depth, &use.work.queue_depth);
	row->s.work = use.work;
}
