/*
 * Blocks of keys under the key table: unknown keys, defaults, required keys, sources, typed
 * scalars with $references resolved, citations. Must not know what the keys mean.
 */
#include <string.h>

#include "spec_internal.h"

static const struct spec_source no_source;

/* A word of the source block; these are never $references. */
static unsigned source_word(struct spec_map *map, const char *key, const char *const *words,
			    unsigned otherwise)
{
	const struct spec_key_row *row = spec_key_row(SPEC_IN_SOURCE, key);
	struct spec_node *node = spec_node_get(map->node, key);
	char why[SPEC_WHY_ROOM];
	const char *word = NULL;
	unsigned index = 0;

	if (!node)
		return otherwise;
	if (node->kind != SPEC_NODE_TEXT || !spec_value_parse(row, node->text, &word, why)) {
		spec_fault_node(map->r, node, "%s: %s", key,
				node->kind == SPEC_NODE_TEXT ? why : "a word is wanted");
		return otherwise;
	}
	while (strcmp(words[index], word) != 0)
		index++;
	return index;
}

static const char *source_text(struct spec_map *map, const char *key, const char *otherwise)
{
	struct spec_node *node = spec_node_get(map->node, key);

	if (!node)
		return otherwise;
	if (node->kind == SPEC_NODE_TEXT && *node->text && strlen(node->text) < 500)
		return node->text;
	spec_fault_node(map->r, node, "%s: a short text is wanted", key);
	return otherwise;
}

/* The block's own clause and basis, else what it inherits. */
static void read_source(struct spec_map *map, const struct spec_source *inherited)
{
	bool own = spec_node_get(map->node, "clause") || spec_node_get(map->node, "basis");
	struct spec_source source = own ? no_source : *inherited;

	source.clause = source_text(map, "clause", source.clause);
	source.note = source_text(map, "note", own ? NULL : source.note);
	source.basis =
		(enum spec_basis)source_word(map, "basis", spec_basis_words, source.basis);
	source.binding = (enum spec_binding)source_word(
		map, "binding", spec_binding_words, own ? SPEC_BINDING_FIXED : source.binding);
	if (own && source.clause && !spec_node_get(map->node, "basis"))
		spec_fault_node(map->r, spec_node_key(map->node, "clause"),
				"a clause wants its basis: confirmed, implemented or choice");
	if (own && !spec_node_get(map->node, "clause"))
		spec_fault_node(map->r, spec_node_key(map->node, "basis"),
				"a basis wants its clause");
	map->source = source;
}

static void check_keys(struct spec_map *map)
{
	const struct spec_context_row *context = &spec_context_rows[map->context];

	for (unsigned i = 0; i < map->node->count; i++) {
		const char *key = map->node->keys[i]->text;

		if (spec_key_row(map->context, key) ||
		    (context->sourced && spec_key_row(SPEC_IN_SOURCE, key)))
			continue;
		spec_fault_node(map->r, map->node->keys[i], "unknown key %s%s",
				spec_quoted(map->r, key),
				spec_meant(map->r, spec_key_nearest(map->context, key)));
	}
}

bool spec_work_left(struct spec_reader *r, const struct spec_node *node)
{
	if (r->work < SPEC_WORK_MOST) {
		r->work++;
		return true;
	}
	if (r->work++ == SPEC_WORK_MOST)
		spec_fault_node(r, node, "for_each makes too much of this file");
	return false;
}

bool spec_map_open(struct spec_reader *r, enum spec_context context, struct spec_node *node,
		   const char *path, const struct spec_source *inherited,
		   struct spec_map *ret_map)
{
	static struct spec_node *none[1];

	*ret_map =
		(struct spec_map){r, node, context, path, inherited ? *inherited : no_source};
	if (!spec_work_left(r, node))
		return false;
	if (node->kind == SPEC_NODE_TEXT && node->empty) {
		node->kind = SPEC_NODE_MAP;
		node->keys = node->values = none;
		node->count = 0;
	}
	if (node->kind != SPEC_NODE_MAP) {
		spec_fault_node(r, node, "%s wants a block of keys, not %s",
				spec_context_rows[context].what, spec_node_what(node));
		return false;
	}
	/* modes hold parameters beside their own keys */
	if (context != SPEC_IN_MODE)
		check_keys(ret_map);
	if (spec_context_rows[context].sourced)
		read_source(ret_map, &ret_map->source);
	return true;
}

struct spec_node *spec_map_get(const struct spec_map *map, const char *key)
{
	return spec_node_get(map->node, key);
}

struct spec_node *spec_unwrap(struct spec_reader *r, struct spec_node *node, const char *path,
			      struct spec_source *source, bool *ret_wrapped)
{
	struct spec_map map;

	*ret_wrapped = false;
	if (node->kind != SPEC_NODE_MAP)
		return node;
	if (!spec_map_open(r, SPEC_IN_VALUE, node, path, source, &map))
		return NULL;
	if (!spec_map_get(&map, "value")) {
		spec_fault_node(r, node,
				"a value is wanted, not a block of keys (a value with its "
				"source is {value: ..., clause: ..., basis: ...})");
		return NULL;
	}
	*source = map.source;
	*ret_wrapped = true;
	return spec_map_get(&map, "value");
}

static bool resolve(struct spec_reader *r, struct spec_node *node, struct spec_item **ret_items,
		    unsigned *ret_count)
{
	struct spec_param_entry *param;

	return spec_ref_resolve(r, node, node->text + 1, ret_items, ret_count, &param);
}

static bool item_of_node(struct spec_reader *r, struct spec_node *node,
			 const struct spec_source *source, bool wrapped,
			 struct spec_item *ret_item)
{
	struct spec_item *items;
	unsigned count;

	if (node->kind != SPEC_NODE_TEXT || node->empty) {
		spec_fault_node(r, node, "a single value is wanted, not %s",
				spec_node_what(node));
		return false;
	}
	if (node->text[0] != '$') {
		const char *text = spec_fill_in(r, node, node->text);

		*ret_item = (struct spec_item){text, node, NULL, 0, wrapped, *source};
		return text != NULL;
	}
	if (!resolve(r, node, &items, &count))
		return false;
	if (count != 1) {
		spec_fault_node(r, node, "%s is a list, a single value is wanted",
				spec_quoted(r, node->text));
		return false;
	}
	*ret_item = items[0];
	return true;
}

bool spec_item_read(struct spec_reader *r, struct spec_node *node, const char *path,
		    const struct spec_source *inherited, struct spec_item *ret_item)
{
	struct spec_source source = inherited ? *inherited : no_source;
	bool wrapped;

	node = spec_unwrap(r, node, path, &source, &wrapped);
	return node && item_of_node(r, node, &source, wrapped, ret_item);
}

struct spec_node *spec_list_open(struct spec_reader *r, struct spec_node *node,
				 const char *path, struct spec_source *source)
{
	bool wrapped;

	node = spec_unwrap(r, node, path, source, &wrapped);
	if (!node)
		return NULL;
	if (node->kind != SPEC_NODE_LIST) {
		spec_fault_node(r, node, "a list is wanted, not %s", spec_node_what(node));
		return NULL;
	}
	if (!node->count || node->count > SPEC_VALUES_MOST) {
		spec_fault_node(r, node,
				node->count ? "the list is too long (%d at most)"
					    : "the list is empty (1 .. %d)",
				SPEC_VALUES_MOST);
		return NULL;
	}
	return node;
}

/* A list is one citation: its values are not cited one by one. */
static void cite_list(struct spec_reader *r, struct spec_node *list, const char *path,
		      const struct spec_item *items, const struct spec_source *source)
{
	struct pts_buf buf = {0};

	for (unsigned i = 0; i < list->count; i++) {
		pts_buf_printf(&buf, "%s%s", i ? ", " : "", items[i].text);
		list->values[i]->cited = true;
	}
	spec_cite(r, list, path, pts_arena_strdup(r->arena, buf.data), source);
	pts_buf_release(&buf);
}

struct spec_item *spec_items_read(struct spec_reader *r, struct spec_node *node,
				  const char *path, const struct spec_source *inherited,
				  unsigned *ret_count)
{
	struct spec_source source = inherited ? *inherited : no_source;
	struct spec_item *items;
	bool wrapped, good = true;

	*ret_count = 0;
	node = spec_work_left(r, node) ? spec_unwrap(r, node, path, &source, &wrapped) : NULL;
	if (!node)
		return NULL;
	if (node->kind == SPEC_NODE_TEXT && node->text[0] == '$')
		return resolve(r, node, &items, ret_count) ? items : NULL;
	if (node->kind == SPEC_NODE_TEXT && !node->empty) {
		items = PTS_ARENA_NEW(r->arena, struct spec_item);
		*ret_count = 1;
		return item_of_node(r, node, &source, wrapped, items) ? items : NULL;
	}
	node = spec_list_open(r, node, path, &source);
	if (!node)
		return NULL;
	items = PTS_ARENA_ARRAY(r->arena, struct spec_item, node->count);
	for (unsigned i = 0; i < node->count; i++)
		good &= item_of_node(r, node->values[i], &source, wrapped, &items[i]);
	*ret_count = node->count;
	if (good)
		cite_list(r, node, path, items, &source);
	return good ? items : NULL;
}

void spec_cite(struct spec_reader *r, struct spec_node *node, const char *path,
	       const char *value, const struct spec_source *source)
{
	struct spec *spec = r->spec;

	if (node->cited || !source->clause)
		return;
	node->cited = true;
	spec->citations = spec_grow(r, spec->citations, spec->citation_count, &r->citation_room,
				    sizeof(struct spec_citation));
	spec->citations[spec->citation_count++] =
		(struct spec_citation){path, value, *source, spec_where_of(r, node)};
}

/* In a file that names a standard, every value that the standard fixes says where it stands. */
static void check_source(struct spec_reader *r, const struct spec_key_row *row,
			 const struct spec_item *item, const char *path)
{
	if (!(row->flags & SPEC_KEY_STANDARD) && !item->wrapped)
		return;
	if (!item->source.clause && r->spec->standard && row->flags & SPEC_KEY_STANDARD)
		spec_fault_node(
			r, item->param ? item->param->node : item->node,
			"%s: the file names a standard, this value wants a clause and a "
			"basis",
			row->name);
	if (!item->param)
		spec_cite(r, item->node, path, item->text, &item->source);
}

/* Whether --set really changes the value: 60s and 1min are the same. */
static void note_override(const struct spec_key_row *row, const struct spec_item *item,
			  const void *value)
{
	struct spec_param_entry *param = item->param;
	unsigned char standard[64] = {0};
	char why[SPEC_WHY_ROOM];
	bool same;

	if (!param || !param->set || param->pub.overridden)
		return;
	if (param->standard_count != param->effective_count) {
		param->pub.overridden = true;
		return;
	}
	if (!spec_value_parse(row, param->standard[item->index].text, standard, why))
		return;
	if (row->type == SPEC_TYPE_TEXT || row->type == SPEC_TYPE_NAME)
		same = strcmp(param->standard[item->index].text, item->text) == 0;
	else
		same = memcmp(standard, value, spec_value_size(row->type)) == 0;
	param->pub.overridden = !same;
}

bool spec_item_parse(struct spec_reader *r, const struct spec_key_row *row,
		     const struct spec_item *item, const char *path, void *out)
{
	unsigned char value[64] = {0};
	char why[SPEC_WHY_ROOM];

	if (!spec_value_parse(row, item->text, value, why)) {
		spec_fault_item(r, item, "%s: %s", row->name, why);
		return false;
	}
	check_source(r, row, item, path);
	note_override(row, item, value);
	memcpy(out, value, spec_value_size(row->type));
	return true;
}

bool spec_map_value(struct spec_map *map, const struct spec_key_row *row,
		    struct spec_node *node, void *out)
{
	const char *path = spec_path(map->r, "%s.%s", map->path, row->name);
	struct spec_item item;

	return spec_item_read(map->r, node, path, &map->source, &item) &&
	       spec_item_parse(map->r, row, &item, path, out);
}

bool spec_map_odd(const struct spec_map *map)
{
	for (unsigned i = 0; i < map->node->count; i++)
		if (!spec_key_row(map->context, map->node->keys[i]->text) &&
		    !(spec_context_rows[map->context].sourced &&
		      spec_key_row(SPEC_IN_SOURCE, map->node->keys[i]->text)))
			return true;
	return false;
}

/* A misspelt key is one fault, not also a missing one. */
static bool misspelt(const struct spec_map *map, const char *name)
{
	for (unsigned i = 0; i < map->node->count; i++) {
		const char *key = map->node->keys[i]->text, *nearest;

		if (spec_key_row(map->context, key))
			continue;
		nearest = spec_key_nearest(map->context, key);
		if (nearest && strcmp(nearest, name) == 0)
			return true;
	}
	return false;
}

static void fill_one(struct spec_map *map, const struct spec_key_row *row, void *base)
{
	struct spec_node *node = spec_map_get(map, row->name);
	void *out = row->offset == SPEC_NO_PLACE ? NULL : (char *)base + row->offset;
	char why[SPEC_WHY_ROOM];

	if (node && out)
		spec_map_value(map, row, node, out);
	else if (!node && row->flags & SPEC_KEY_REQUIRED && !misspelt(map, row->name))
		spec_fault_node(map->r, map->node, "%s lacks the key '%s'",
				spec_context_rows[map->context].what, row->name);
	else if (!node && row->standard && out)
		spec_value_parse(row, row->standard, out, why);
}

void spec_map_fill(struct spec_map *map, enum spec_context context, void *base)
{
	for (const struct spec_key_row *row = spec_key_next(context, NULL); row;
	     row = spec_key_next(context, row))
		fill_one(map, row, base);
}
