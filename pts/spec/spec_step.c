/*
 * Steps: each kind's keys into struct spec_step, for_each unrolled, names unique. Must not know
 * what a device or a report does with them.
 */
#include <string.h>

#include "spec_internal.h"

struct step_list {
	struct spec_step *steps;
	unsigned count, room;
	bool loads_only; /* before_round */
};

struct spec_step *spec_step_find(struct spec_reader *r, const char *name)
{
	for (unsigned i = 0; i < r->named_count; i++)
		if (r->named[i]->name && strcmp(r->named[i]->name, name) == 0)
			return r->named[i];
	return NULL;
}

const char *spec_step_nearest(struct spec_reader *r, const char *name)
{
	const char **names = PTS_ARENA_ARRAY(r->arena, const char *, r->named_count + 1);
	unsigned count = 0;

	for (unsigned i = 0; i < r->named_count; i++)
		if (r->named[i]->name)
			names[count++] = r->named[i]->name;
	return pts_nearest(name, names, count);
}

static void read_sampled(struct spec_map *map, struct spec_step *step)
{
	struct spec_node *node = spec_map_get(map, "sampled"), *first;
	const char *word = NULL;
	struct spec_map block;

	if (!node ||
	    !spec_map_open(map->r, SPEC_IN_SAMPLED, node,
			   spec_path(map->r, "%s.sampled", map->path), &map->source, &block))
		return;
	spec_map_fill(&block, SPEC_IN_SAMPLED, step);
	first = spec_map_get(&block, "first");
	if (first &&
	    spec_map_value(&block, spec_key_row(SPEC_IN_SAMPLED, "first"), first, &word))
		step->sample_first = strcmp(word, "sample") == 0;
}

/* amount counts what is written: pure reads would never end */
static void check_amount(struct spec_map *until, const struct spec_step *step)
{
	const struct spec_workload *work = &step->work;
	bool writes = !work->stream_count;

	for (unsigned i = 0; i < work->stream_count; i++)
		writes |= work->streams[i].read_pct < 100;
	if (!writes && !step->stop.duration_ns)
		spec_fault_node(until->r, spec_map_get(until, "amount"),
				"the workload writes nothing, the amount is never reached");
}

static void read_until(struct spec_map *map, struct spec_step *step)
{
	struct spec_node *node = spec_map_get(map, "until");
	struct spec_map until;

	if (!node ||
	    !spec_map_open(map->r, SPEC_IN_UNTIL, node,
			   spec_path(map->r, "%s.until", map->path), &map->source, &until))
		return;
	spec_map_fill(&until, SPEC_IN_UNTIL, &step->stop);
	step->stop.when_steady = spec_map_get(&until, "steady") != NULL;
	if (step->stop.when_steady)
		spec_steady_read(&until, step);
	if (!spec_map_odd(&until) && !spec_map_get(&until, "amount") &&
	    !spec_map_get(&until, "time") && !spec_map_get(&until, "latency") &&
	    !step->stop.when_steady)
		spec_fault_node(map->r, node,
				"'until' wants at least one of amount, time, latency, steady");
	if (spec_map_get(&until, "amount"))
		check_amount(&until, step);
	if (step->stop.when_steady && !spec_map_get(map, "sampled"))
		spec_fault_node(
			map->r, spec_node_key(until.node, "steady"),
			"a load is steady over samples: the step lacks the key 'sampled'");
}

static void read_load(struct spec_map *map, struct spec_step *step)
{
	struct spec_node *rounds = spec_node_key(map->node, "max_rounds");

	read_sampled(map, step);
	read_until(map, step);
	if (rounds && !spec_map_get(map, "sampled"))
		spec_fault_node(map->r, rounds,
				"max_rounds counts samples: the step lacks the key "
				"'sampled'");
	spec_window_check(map, step);
}

static void read_list(struct spec_reader *r, struct spec_node *node, const char *path,
		      void *ctx);

static void read_rounds(struct spec_map *map, struct spec_step *step)
{
	struct step_list list = {.loads_only = true};
	struct spec_node *before = spec_map_get(map, "before_round");

	spec_steady_read(map, step);
	spec_window_check(map, step);
	if (!before)
		return;
	read_list(map->r, before, spec_path(map->r, "%s.before_round", map->path), &list);
	step->before_round = list.steps;
	step->before_round_count = list.count;
}

static void read_curve(struct spec_map *map, struct spec_step *step)
{
	const char *path = spec_path(map->r, "%s.shares", map->path);
	struct spec_key_row row = *spec_key_row(SPEC_IN_CURVE, "shares");
	struct spec_node *node = spec_map_get(map, "shares");
	struct spec_item *items;
	unsigned count = 0;

	items = node ? spec_items_read(map->r, node, path, &map->source, &count) : NULL;
	if (!items)
		return;
	row.type = SPEC_TYPE_SHARE;
	row.least = SPEC_SHARE_WHOLE / 1000;
	row.most = 10 * SPEC_SHARE_WHOLE;
	row.range = "0.1% .. 1000%";
	step->curve_shares = PTS_ARENA_ARRAY(map->r->arena, double, count);
	step->curve_count = count;
	for (unsigned i = 0; i < count; i++)
		spec_item_parse(map->r, &row, &items[i], path, &step->curve_shares[i]);
}

/* An open loop needs something that gives its rate. */
static void check_arrivals(struct spec_map *map, const struct spec_step *step)
{
	for (unsigned i = 0; i < step->work.stream_count; i++) {
		const struct spec_stream *stream = &step->work.streams[i];

		if (stream->arrivals != SPEC_CLOSED_LOOP && stream->rate_iops == 0 &&
		    step->kind != SPEC_STEP_CURVE && step->kind != SPEC_STEP_SEARCH)
			spec_fault_node(
				map->r, map->node,
				"workload '%s' has arrivals but no rate, and the step gives "
				"none",
				step->work.name);
	}
}

static void read_kind(struct spec_map *map, struct spec_step_row *row)
{
	struct spec_step *step = &row->s;
	unsigned before = map->r->fault_seen;

	if (spec_context_rows[map->context].parent == SPEC_IN_WORK) {
		spec_map_fill(map, SPEC_IN_WORK, row);
		if (step->kind == SPEC_STEP_ROUNDS)
			spec_axes_read(map, step);
		map->r->axes_ok = map->r->fault_seen == before && !spec_map_odd(map);
		spec_step_work(map, row, map->r->axes_ok);
		check_arrivals(map, step);
	}
	if (step->kind == SPEC_STEP_LOAD)
		read_load(map, step);
	else if (step->kind == SPEC_STEP_ROUNDS)
		read_rounds(map, step);
	else if (step->kind == SPEC_STEP_CURVE)
		read_curve(map, step);
	else if (step->kind == SPEC_STEP_CHOOSE)
		spec_choose_read(map, step);
}

static void note_name(struct spec_reader *r, struct spec_map *map, struct spec_step *step)
{
	const struct spec_step *first = step->name ? spec_step_find(r, step->name) : NULL;

	if (first)
		spec_fault_node(r, map->node, "step name %s is used twice, first in line %u%s",
				spec_quoted(r, step->name), first->where.line,
				r->loop ? spec_path(r, " (put {%s} into it)", r->loop->name)
					: "");
	if (r->loop) {
		step->group = r->loop->name;
		step->group_value = r->loop->item.text;
	}
	r->named = spec_grow(r, r->named, r->named_count, &r->named_room,
			     sizeof(struct spec_step *));
	r->named[r->named_count++] = step;
}

static void read_step(struct spec_reader *r, struct spec_node *key, struct spec_node *node,
		      enum spec_step_kind kind, const char *path, struct step_list *list)
{
	static const enum spec_context contexts[SPEC_STEP_KINDS] = {
		SPEC_IN_PURGE, SPEC_IN_LOAD,   SPEC_IN_ROUNDS, SPEC_IN_IDLE,
		SPEC_IN_CYCLE, SPEC_IN_CHOOSE, SPEC_IN_CURVE,  SPEC_IN_SEARCH,
	};
	struct spec_step_row *row = PTS_ARENA_NEW(r->arena, struct spec_step_row);
	struct spec_step *kept;
	struct spec_map map;

	row->s.kind = kind;
	row->s.where = spec_where_of(r, key);
	if (!spec_map_open(r, contexts[kind], node, path, NULL, &map))
		return;
	row->s.source = map.source;
	spec_map_fill(&map, contexts[kind], row);
	read_kind(&map, row);
	if (map.source.clause && row->s.name && kind == SPEC_STEP_PURGE)
		spec_cite(r, key, path, row->s.name, &map.source);
	else if (kind == SPEC_STEP_PURGE && r->spec->standard && !map.source.clause)
		spec_fault_node(r, key,
				"purge: the file names a standard, this step wants a clause "
				"and a basis");
	list->steps = spec_grow(r, list->steps, list->count, &list->room, sizeof(*list->steps));
	list->steps[list->count++] = row->s;
	/* names refer to a copy that does not move while the list grows */
	kept = PTS_ARENA_NEW(r->arena, struct spec_step);
	*kept = row->s;
	note_name(r, &map, kept);
	list->steps[list->count - 1].group = kept->group;
	list->steps[list->count - 1].group_value = kept->group_value;
}

static void read_entry(struct spec_reader *r, struct spec_node *entry, const char *path,
		       struct step_list *list)
{
	const char *names[SPEC_STEP_KINDS + 1];
	const char *key;

	if (entry->kind != SPEC_NODE_MAP || entry->count != 1) {
		spec_fault_node(r, entry, "a step is one key, its kind, with a block below it");
		return;
	}
	key = entry->keys[0]->text;
	path = spec_path(r, "%s.%s", path, key);
	if (strcmp(key, "for_each") == 0) {
		spec_for_each(r, entry->values[0], path, "steps", read_list, list);
		return;
	}
	for (unsigned kind = 0; kind < SPEC_STEP_KINDS; kind++) {
		names[kind] = spec_step_words[kind];
		if (strcmp(key, spec_step_words[kind]) != 0)
			continue;
		if (list->loads_only && kind != SPEC_STEP_LOAD)
			spec_fault_node(r, entry->keys[0],
					"before a round there are steps 'load' only");
		else
			read_step(r, entry->keys[0], entry->values[0], kind, path, list);
		return;
	}
	names[SPEC_STEP_KINDS] = "for_each";
	spec_fault_node(r, entry->keys[0], "unknown kind of step %s%s", spec_quoted(r, key),
			spec_meant(r, pts_nearest(key, names, SPEC_STEP_KINDS + 1)));
}

static void read_list(struct spec_reader *r, struct spec_node *node, const char *path,
		      void *ctx)
{
	struct step_list *list = ctx;

	if (node->kind != SPEC_NODE_LIST || !node->count) {
		spec_fault_node(r, node, "steps want a list, not %s",
				node->kind == SPEC_NODE_LIST ? "an empty one"
							     : spec_node_what(node));
		return;
	}
	for (unsigned i = 0; i < node->count; i++) {
		if (r->named_count >= SPEC_STEPS_MOST) {
			if (!r->steps_full)
				spec_fault_node(r, node->values[i], "more than %d steps",
						SPEC_STEPS_MOST);
			r->steps_full = true;
			return;
		}
		read_entry(r, node->values[i], spec_path(r, "%s[%u]", path, i), list);
	}
}

void spec_steps_read(struct spec_reader *r, struct spec_node *list, const char *path,
		     struct spec_step **ret_steps, unsigned *ret_count)
{
	struct step_list steps = {0};

	read_list(r, list, path, &steps);
	*ret_steps = steps.steps;
	*ret_count = steps.count;
}
