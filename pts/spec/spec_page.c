/*
 * Pages of the report as data: each kind's keys, and that what a page shows is there: the step,
 * its track, axes, histogram. What a page looks like is the report's business.
 */
#include <string.h>

#include "spec_internal.h"

struct page_list {
	struct spec_page *pages;
	unsigned count;
};

static const enum spec_context contexts[] = {
	SPEC_IN_CONVERGENCE,  SPEC_IN_WINDOW,         SPEC_IN_MATRIX_TABLE,
	SPEC_IN_MATRIX_LINES, SPEC_IN_MATRIX_COLUMNS, SPEC_IN_CELL_BARS,
	SPEC_IN_TIMELINE,     SPEC_IN_HISTOGRAM,      SPEC_IN_RECOVERY,
};

/* What a step must be for a page of a context to show it; NULL if it is. */
static const char *unfit(enum spec_context context, const struct spec_step *step)
{
	bool rounds = step->kind == SPEC_STEP_ROUNDS;
	bool points = step->kind == SPEC_STEP_CURVE || step->kind == SPEC_STEP_SEARCH;
	bool samples = step->kind == SPEC_STEP_LOAD && step->sample_ns;

	switch (context) {
	case SPEC_IN_CONVERGENCE:
	case SPEC_IN_WINDOW:
		return rounds || samples ? NULL : "has no rounds";
	case SPEC_IN_MATRIX_TABLE:
	case SPEC_IN_MATRIX_LINES:
	case SPEC_IN_MATRIX_COLUMNS:
	case SPEC_IN_CELL_BARS:
		return rounds || points ? NULL : "has no cells";
	case SPEC_IN_HISTOGRAM:
		return step->keep_histogram ? NULL : "keeps no histogram (histogram: true)";
	default:
		return step->kind == SPEC_STEP_LOAD || step->kind == SPEC_STEP_CYCLE || points
			       ? NULL
			       : "has no load over time";
	}
}

static const struct spec_step *find_step(struct spec_map *map, const struct spec_item *item)
{
	const struct spec_step *step = spec_step_find(map->r, item->text);
	const char *why = step ? unfit(map->context, step) : NULL;

	if (!step && map->r->steps_ok)
		spec_fault_item(map->r, item, "unknown step %s%s",
				spec_quoted(map->r, item->text),
				spec_meant(map->r, spec_step_nearest(map->r, item->text)));
	else if (why && map->r->steps_ok)
		spec_fault_item(map->r, item, "step %s %s", spec_quoted(map->r, item->text),
				why);
	return why ? NULL : step;
}

static void read_steps(struct spec_map *map, struct spec_page *page)
{
	struct spec_node *node = spec_map_get(map, "steps");
	struct spec_item *items;
	unsigned count;

	items = spec_items_read(map->r, node, spec_path(map->r, "%s.steps", map->path), NULL,
				&count);
	if (!items)
		return;
	page->steps = PTS_ARENA_ARRAY(map->r->arena, const char *, count);
	for (unsigned i = 0; i < count; i++)
		if (find_step(map, &items[i]))
			page->steps[page->step_count++] = items[i].text;
}

static void read_group(struct spec_map *map, struct spec_page *page)
{
	struct spec_node *node = spec_map_get(map, "group");
	struct spec_reader *r = map->r;
	const char **names = PTS_ARENA_ARRAY(r->arena, const char *, r->named_count + 1);
	struct spec_item item;
	unsigned count = 0;

	if (!spec_item_read(r, node, map->path, NULL, &item))
		return;
	page->steps = PTS_ARENA_ARRAY(r->arena, const char *, r->named_count + 1);
	for (unsigned i = 0; i < r->named_count; i++) {
		const struct spec_step *step = r->named[i];

		if (!step->group || !step->name)
			continue;
		names[count++] = step->group;
		if (strcmp(step->group, item.text) == 0 && !unfit(map->context, step))
			page->steps[page->step_count++] = step->name;
	}
	if (!page->step_count && r->steps_ok)
		spec_fault_item(r, &item, "no for_each with load steps has the variable %s%s",
				spec_quoted(r, item.text),
				spec_meant(r, pts_nearest(item.text, names, count)));
}

/* step, steps or group: exactly one; the first step is returned for the other checks. */
static const struct spec_step *read_which(struct spec_map *map, struct spec_page *page)
{
	struct spec_node *one = spec_map_get(map, "step");
	bool steps = spec_map_get(map, "steps"), group = spec_map_get(map, "group");
	struct spec_item item;

	if (!!one + steps + group != 1) {
		if (map->context == SPEC_IN_TIMELINE && !spec_map_odd(map))
			spec_fault_node(map->r, map->node,
					"%s: one of step, steps and group is wanted",
					spec_context_rows[map->context].what);
		return NULL;
	}
	if (steps)
		read_steps(map, page);
	if (group)
		read_group(map, page);
	if (one && spec_item_read(map->r, one, map->path, NULL, &item) &&
	    find_step(map, &item)) {
		page->steps = PTS_ARENA_NEW(map->r->arena, const char *);
		page->steps[0] = item.text;
		page->step_count = 1;
	}
	if (!page->step_count)
		return NULL;
	page->step = page->steps[0];
	return spec_step_find(map->r, page->step);
}

static unsigned read_metrics(struct spec_map *map, const char *key,
			     const char *out[SPEC_PAGE_METRICS])
{
	struct spec_key_row row = {
		.name = key, .type = SPEC_TYPE_WORD, .words = spec_metric_words};
	struct spec_node *node = spec_map_get(map, key);
	struct spec_item *items;
	unsigned count = 0, kept = 0;

	items = node ? spec_items_read(map->r, node, map->path, NULL, &count) : NULL;
	if (count > SPEC_PAGE_METRICS) {
		spec_fault_node(map->r, node, "%s: at most %d metrics", key, SPEC_PAGE_METRICS);
		count = SPEC_PAGE_METRICS;
	}
	for (unsigned i = 0; items && i < count; i++)
		kept += spec_item_parse(map->r, &row, &items[i], map->path, &out[kept]);
	return kept;
}

static void check_axis(struct spec_map *map, const struct spec_step *step, const char *key)
{
	struct spec_node *node = spec_map_get(map, key);
	struct spec_item item;
	const char *names[SPEC_AXES];

	if (!node || !spec_item_read(map->r, node, map->path, NULL, &item))
		return;
	for (unsigned kind = 0; kind < SPEC_AXES; kind++)
		if (strcmp(spec_axis_words[kind], item.text) == 0 &&
		    !spec_step_axis(step, kind)) {
			for (unsigned i = 0; i < step->axis_count; i++)
				names[i] = spec_axis_words[step->axes[i].kind];
			spec_fault_item(map->r, &item, "%s is no axis of step '%s'%s",
					item.text, step->name,
					spec_meant(map->r, pts_nearest(item.text, names,
								       step->axis_count)));
		}
}

static void read_where(struct spec_map *map, const struct spec_step *step,
		       struct spec_page *page)
{
	struct spec_node *node = spec_map_get(map, "where");
	uint64_t value[SPEC_AXES];
	bool has[SPEC_AXES];
	struct spec_map block;

	if (!node || !spec_map_open(map->r, SPEC_IN_AXIS, node,
				    spec_path(map->r, "%s.where", map->path), NULL, &block))
		return;
	spec_axis_keys(&block, false, has, value);
	for (unsigned kind = 0; kind < SPEC_AXES; kind++) {
		const struct spec_axis *axis = spec_step_axis(step, kind);

		if (!has[kind])
			continue;
		if (!axis)
			spec_fault_node(map->r, spec_node_key(node, spec_axis_words[kind]),
					"%s is no axis of step '%s'", spec_axis_words[kind],
					step->name);
		else if (!spec_axis_has(axis, value[kind]))
			spec_fault_node(map->r, spec_map_get(&block, spec_axis_words[kind]),
					"axis %s of step '%s' has no such value",
					spec_axis_words[kind], step->name);
		page->where[page->where_count].axis = kind;
		page->where[page->where_count++].value = value[kind];
	}
}

static void check_track(struct spec_map *map, const struct spec_step *step,
			const struct spec_page *page)
{
	const char *names[SPEC_VALUES_MOST];
	unsigned count = 0;

	if (!page->track)
		return;
	for (unsigned i = 0; i < step->steady.track_count && count < SPEC_VALUES_MOST; i++) {
		const char *name = step->steady.tracks[i].name;

		if (name && strcmp(name, page->track) == 0)
			return;
		if (name)
			names[count++] = name;
	}
	spec_fault_node(map->r, spec_map_get(map, "track"), "step '%s' has no track %s%s",
			step->name, spec_quoted(map->r, page->track),
			spec_meant(map->r, pts_nearest(page->track, names, count)));
}

static void read_page(struct spec_reader *r, struct spec_node *node, const char *path,
		      enum spec_context context, struct page_list *list)
{
	static const char *const axis_keys[] = {"series", "rows", "columns", "x", "z"};
	struct spec_page page = {.at = spec_where_of(r, node)};
	const struct spec_step *step;
	struct spec_map map;

	if (!spec_map_open(r, context, node, path, NULL, &map))
		return;
	spec_map_fill(&map, SPEC_IN_PAGE, &page);
	spec_map_fill(&map, context, &page);
	page.y_count = read_metrics(&map, "y", page.ys);
	page.y2_count = read_metrics(&map, "y2", page.y2s);
	page.y = page.y_count ? page.ys[0] : NULL;
	page.y2 = page.y2_count ? page.y2s[0] : NULL;
	step = read_which(&map, &page);
	if (step && r->steps_ok) {
		for (unsigned i = 0; i < sizeof(axis_keys) / sizeof(axis_keys[0]); i++)
			check_axis(&map, step, axis_keys[i]);
		read_where(&map, step, &page);
		check_track(&map, step, &page);
	}
	list->pages = spec_grow(r, list->pages, list->count, &r->page_room, sizeof(page));
	list->pages[list->count++] = page;
}

static void read_list(struct spec_reader *r, struct spec_node *node, const char *path,
		      void *ctx);

static void no_kind(struct spec_reader *r, struct spec_node *entry)
{
	static const char *const wanted[] = {"kind", "for_each"};

	for (unsigned i = 0; entry->kind == SPEC_NODE_MAP && i < entry->count; i++) {
		const char *key = entry->keys[i]->text;
		const char *meant = pts_nearest(key, wanted, 2);

		if (!meant || spec_key_row(SPEC_IN_PAGE, key))
			continue;
		spec_fault_node(r, entry->keys[i], "unknown key %s%s", spec_quoted(r, key),
				spec_meant(r, meant));
		return;
	}
	spec_fault_node(r, entry, "a page lacks the key 'kind'");
}

static void read_entry(struct spec_reader *r, struct spec_node *entry, const char *path,
		       struct page_list *list)
{
	const struct spec_key_row *row = spec_key_row(SPEC_IN_PAGE, "kind");
	struct spec_node *kind = spec_node_get(entry, "kind");
	const char *word = NULL;
	struct spec_item item;
	unsigned index = 0;

	if (entry->kind == SPEC_NODE_MAP && entry->count == 1 &&
	    strcmp(entry->keys[0]->text, "for_each") == 0) {
		spec_for_each(r, entry->values[0], spec_path(r, "%s.for_each", path), "pages",
			      read_list, list);
		return;
	}
	if (!kind) {
		no_kind(r, entry);
		return;
	}
	if (!spec_item_read(r, kind, path, NULL, &item) ||
	    !spec_item_parse(r, row, &item, path, &word))
		return;
	while (strcmp(spec_page_words[index], word) != 0)
		index++;
	read_page(r, entry, path, contexts[index], list);
}

static void read_list(struct spec_reader *r, struct spec_node *node, const char *path,
		      void *ctx)
{
	struct page_list *list = ctx;

	if (node->kind != SPEC_NODE_LIST) {
		spec_fault_node(r, node, "pages want a list, not %s", spec_node_what(node));
		return;
	}
	for (unsigned i = 0; i < node->count; i++) {
		if (list->count > SPEC_STEPS_MOST) {
			spec_fault_node(r, node->values[i], "more than %d pages",
					SPEC_STEPS_MOST);
			return;
		}
		read_entry(r, node->values[i], spec_path(r, "%s[%u]", path, i), list);
	}
}

void spec_pages_read(struct spec_reader *r, struct spec_node *list)
{
	struct page_list pages = {0};

	read_list(r, list, "pages", &pages);
	r->spec->pages = pages.pages;
	r->spec->page_count = pages.count;
}
