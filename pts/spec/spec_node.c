/*
 * A text as a tree of nodes with places, through libyaml's document API. Aliases are expanded
 * (bounded) and every node under one remembers it; cycles, a second document, tags, duplicate
 * keys and keys that are no text are faults. The only file that knows libyaml.
 */
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "spec_internal.h"

struct load {
	struct spec_reader *r;
	yaml_document_t document;
	const char *text; /* without a byte order mark */
	size_t bytes;
	const char **lines; /* start of each */
	unsigned line_count;
	bool *open; /* document nodes on the path from the root: an alias to one is a cycle */
	unsigned made, depth;
	bool full;
};

struct alias {
	unsigned line, column; /* 0: none */
};

struct spec_node *spec_node_get(const struct spec_node *map, const char *key)
{
	for (unsigned i = 0; map->kind == SPEC_NODE_MAP && i < map->count; i++)
		if (strcmp(map->keys[i]->text, key) == 0)
			return map->values[i];
	return NULL;
}

struct spec_node *spec_node_key(const struct spec_node *map, const char *key)
{
	for (unsigned i = 0; map->kind == SPEC_NODE_MAP && i < map->count; i++)
		if (strcmp(map->keys[i]->text, key) == 0)
			return map->keys[i];
	return NULL;
}

const char *spec_node_what(const struct spec_node *node)
{
	return node->kind == SPEC_NODE_LIST  ? "a list"
	       : node->kind == SPEC_NODE_MAP ? "a block of keys"
	       : node->empty                 ? "nothing"
					     : "a single value";
}

static void split_lines(struct load *load)
{
	unsigned room = 0;

	load->line_count = 0;
	load->lines = spec_grow(load->r, NULL, 0, &room, sizeof(char *));
	load->lines[load->line_count++] = load->text;
	for (const char *at = load->text; at < load->text + load->bytes; at++) {
		if (*at != '\n')
			continue;
		load->lines = spec_grow(load->r, load->lines, load->line_count, &room,
					sizeof(char *));
		load->lines[load->line_count++] = at + 1;
	}
}

/*
 * libyaml resolves aliases and forgets where they stood. Between the node before and the alias
 * there are only blanks, comments and the signs of a list or mapping, so that the next '*' is it.
 */
static struct alias find_alias(const struct load *load, yaml_mark_t from)
{
	const char *end = load->text + load->bytes, *at = end;
	struct alias place = {(unsigned)from.line + 1, (unsigned)from.column + 1};
	bool comment = false;

	if (from.line < load->line_count)
		at = load->lines[from.line];
	for (size_t skip = from.column; skip && at < end; skip--) {
		at++;
		while (at < end && (*at & 0xc0) == 0x80)
			at++;
	}
	for (; at < end && (comment || *at != '*'); at++) {
		if (*at == '\n') {
			comment = false;
			place.line++;
			place.column = 1;
			continue;
		}
		comment = comment || *at == '#';
		place.column += (*at & 0xc0) != 0x80;
	}
	return place;
}

static struct spec_node *make(struct load *load, const yaml_node_t *from, struct alias alias)
{
	struct spec_node *node = PTS_ARENA_NEW(load->r->arena, struct spec_node);

	node->line = (unsigned)from->start_mark.line + 1;
	node->column = (unsigned)from->start_mark.column + 1;
	node->alias_line = alias.line;
	node->alias_column = alias.column;
	node->kind = from->type == YAML_SCALAR_NODE     ? SPEC_NODE_TEXT
		     : from->type == YAML_SEQUENCE_NODE ? SPEC_NODE_LIST
							: SPEC_NODE_MAP;
	if (++load->made > SPEC_NODES_MOST && !load->full) {
		load->full = true;
		spec_fault_node(load->r, node, "the file expands to more than %d values",
				SPEC_NODES_MOST);
	}
	return node;
}

static bool plain_tag(const yaml_node_t *from)
{
	const char *tag = (const char *)from->tag;

	return !tag || strcmp(tag, YAML_STR_TAG) == 0 || strcmp(tag, YAML_SEQ_TAG) == 0 ||
	       strcmp(tag, YAML_MAP_TAG) == 0;
}

static void fill_text(struct load *load, struct spec_node *node, const yaml_node_t *from)
{
	const char *text = (const char *)from->data.scalar.value;
	size_t length = from->data.scalar.length;

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x20 && text[i] != '\n') {
			spec_fault_node(load->r, node, "the value holds a control character");
			length = i;
		}
	}
	node->text = pts_arena_strndup(load->r->arena, text, length);
	node->empty = !length && from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	/* a folded text ends with a newline that nobody meant */
	while (length && node->text[length - 1] == '\n')
		((char *)node->text)[--length] = '\0';
}

static struct spec_node *copy(struct load *load, int index, yaml_mark_t *before,
			      struct alias alias);

static void fill_list(struct load *load, struct spec_node *node, const yaml_node_t *from,
		      struct alias alias)
{
	yaml_mark_t before = from->start_mark;
	size_t count =
		(size_t)(from->data.sequence.items.top - from->data.sequence.items.start);

	before.index++; /* an item that starts where the list does is the list itself */
	node->values = PTS_ARENA_ARRAY(load->r->arena, struct spec_node *, count + 1);
	for (size_t i = 0; i < count && !load->full; i++) {
		int item = from->data.sequence.items.start[i];
		const yaml_node_t *child = yaml_document_get_node(&load->document, item);
		struct spec_node *made = copy(load, item, &before, alias);

		if (made)
			node->values[node->count++] = made;
		if (child->start_mark.index >= before.index)
			before = child->end_mark;
	}
}

static void check_key(struct load *load, const struct spec_node *map,
		      const struct spec_node *key)
{
	const struct spec_node *first = spec_node_key(map, key->text);

	if (first)
		spec_fault_node(load->r, key, "duplicate key %s, it stands at %u:%u already",
				spec_quoted(load->r, key->text), first->line, first->column);
}

static void fill_map(struct load *load, struct spec_node *node, const yaml_node_t *from,
		     struct alias alias)
{
	yaml_node_pair_t *pair = from->data.mapping.pairs.start;
	size_t count = (size_t)(from->data.mapping.pairs.top - pair);

	node->keys = PTS_ARENA_ARRAY(load->r->arena, struct spec_node *, count + 1);
	node->values = PTS_ARENA_ARRAY(load->r->arena, struct spec_node *, count + 1);
	for (; count && !load->full; pair++, count--) {
		const yaml_node_t *name = yaml_document_get_node(&load->document, pair->key);
		struct spec_node *key = make(load, name, alias), *value;
		yaml_mark_t before = name->end_mark;

		if (name->type != YAML_SCALAR_NODE) {
			spec_fault_node(load->r, key, "a key must be text");
			continue;
		}
		fill_text(load, key, name);
		check_key(load, node, key);
		value = copy(load, pair->value, &before, alias);
		if (!value)
			continue;
		node->keys[node->count] = key;
		node->values[node->count++] = value;
	}
}

/* Copies a document node that stands after *before or, if it starts earlier, is an alias; then
 * the search for the next alias begins behind it. */
static struct spec_node *copy(struct load *load, int index, yaml_mark_t *before,
			      struct alias alias)
{
	const yaml_node_t *from = yaml_document_get_node(&load->document, index);
	struct spec_node *node;

	if (from->start_mark.index < before->index) {
		struct alias place = find_alias(load, *before);

		before->line = place.line - 1;
		before->column = place.column;

		if (load->open[index]) {
			spec_fault_place(load->r, place.line, place.column,
					 "the alias holds itself: its anchor is at %u:%u",
					 (unsigned)from->start_mark.line + 1,
					 (unsigned)from->start_mark.column + 1);
			return NULL;
		}
		if (!alias.line)
			alias = place;
	}
	node = make(load, from, alias);
	if (!plain_tag(from))
		spec_fault_node(load->r, node,
				"tags have no meaning here, the key gives the type");
	if (load->open[index] || load->depth == SPEC_DEPTH_MOST) {
		spec_fault_node(load->r, node, "nested more than %d deep", SPEC_DEPTH_MOST);
		return NULL;
	}
	load->open[index] = true;
	load->depth++;
	if (from->type == YAML_SCALAR_NODE)
		fill_text(load, node, from);
	else if (from->type == YAML_SEQUENCE_NODE)
		fill_list(load, node, from, alias);
	else
		fill_map(load, node, from, alias);
	load->open[index] = false;
	load->depth--;
	return node;
}

static void yaml_fault(struct spec_reader *r, const yaml_parser_t *parser)
{
	const char *problem = parser->problem ? parser->problem : "not enough memory";
	yaml_mark_t mark = parser->problem_mark;

	if (parser->context)
		spec_fault_place(r, (unsigned)mark.line + 1, (unsigned)mark.column + 1,
				 "no YAML: %s (%s, line %u)", problem, parser->context,
				 (unsigned)parser->context_mark.line + 1);
	else
		spec_fault_place(r, (unsigned)mark.line + 1, (unsigned)mark.column + 1,
				 "no YAML: %s", problem);
}

/* Anything after the first document but its end is a fault. */
static void refuse_second(struct spec_reader *r, yaml_parser_t *parser)
{
	yaml_document_t second;
	yaml_node_t *root;

	if (!yaml_parser_load(parser, &second)) {
		yaml_fault(r, parser);
		return;
	}
	root = yaml_document_get_root_node(&second);
	if (root)
		spec_fault_place(r, (unsigned)second.start_mark.line + 1,
				 (unsigned)second.start_mark.column + 1,
				 "a second document: one file holds one spec");
	yaml_document_delete(&second);
}

static struct spec_node *load_root(struct load *load)
{
	yaml_node_t *root = yaml_document_get_root_node(&load->document);
	size_t nodes = (size_t)(load->document.nodes.top - load->document.nodes.start);
	yaml_mark_t start = {0};

	if (!root) {
		spec_fault_place(load->r, 1, 1, "the file is empty");
		return NULL;
	}
	if (nodes > SPEC_NODES_MOST) {
		spec_fault_place(load->r, 1, 1, "the file holds more than %d values",
				 SPEC_NODES_MOST);
		return NULL;
	}
	split_lines(load);
	load->open = PTS_ARENA_ARRAY(load->r->arena, bool, nodes + 1);
	return copy(load, 1, &start, (struct alias){0, 0});
}

struct spec_node *spec_node_load(struct spec_reader *r, const char *text, size_t bytes)
{
	struct load load = {.r = r, .text = text, .bytes = bytes};
	struct spec_node *root = NULL;
	yaml_parser_t parser;

	if (!spec_scan(r, text, bytes))
		return NULL;
	if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		load.text += 3;
		load.bytes -= 3;
	}
	if (!yaml_parser_initialize(&parser)) {
		spec_fault_place(r, 1, 1, "not enough memory");
		return NULL;
	}
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)load.text, load.bytes);
	if (yaml_parser_load(&parser, &load.document)) {
		root = load_root(&load);
		if (root)
			refuse_second(r, &parser);
		yaml_document_delete(&load.document);
	} else {
		yaml_fault(r, &parser);
	}
	yaml_parser_delete(&parser);
	return root;
}
