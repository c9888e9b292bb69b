/*
 * for_each: its children are read once for each value with the variable bound, so that plan and
 * run meet a flat list. Used for steps and for pages.
 */
#include <string.h>

#include "spec_internal.h"

/* A name that hides a parameter or an outer variable would mislead the reader of the file. */
static bool check_variable(struct spec_reader *r, struct spec_node *node)
{
	if (node->kind != SPEC_NODE_TEXT || !spec_name_ok(node->text)) {
		spec_fault_node(r, node, "a variable's name is small letters, digits and _");
		return false;
	}
	for (unsigned i = 0; i < r->param_count; i++) {
		if (strcmp(r->params[i]->pub.name, node->text) != 0)
			continue;
		spec_fault_node(r, node, "a parameter has the name %s already",
				spec_quoted(r, node->text));
		return false;
	}
	for (const struct spec_loop *loop = r->loop; loop; loop = loop->outer) {
		if (strcmp(loop->name, node->text) != 0)
			continue;
		spec_fault_node(r, node, "an outer for_each has the variable %s already",
				spec_quoted(r, node->text));
		return false;
	}
	return true;
}

static void check_values(struct spec_reader *r, const struct spec_item *items, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < i; j++)
			if (strcmp(items[i].text, items[j].text) == 0)
				spec_fault_item(r, &items[i], "value %s stands twice",
						spec_quoted(r, items[i].text));
}

void spec_for_each(struct spec_reader *r, struct spec_node *node, const char *path,
		   const char *children, spec_loop_fn fn, void *ctx)
{
	struct spec_loop loop = {.outer = r->loop};
	struct spec_node *variable, *body;
	struct spec_item *items = NULL;
	struct spec_map map;
	unsigned count = 0;

	if (!spec_map_open(r, SPEC_IN_FOR_EACH, node, path, NULL, &map))
		return;
	spec_map_fill(&map, SPEC_IN_FOR_EACH, NULL);
	variable = spec_map_get(&map, "variable");
	body = spec_map_get(&map, children);
	if (!body)
		spec_fault_node(r, node, "'for_each' lacks the key '%s' here", children);
	if (spec_map_get(&map, "values"))
		items = spec_items_read(r, spec_map_get(&map, "values"),
					spec_path(r, "%s.values", path), NULL, &count);
	if (!items || !body || !variable || !check_variable(r, variable))
		return;
	if (r->loop_depth == SPEC_LOOPS_MOST) {
		spec_fault_node(r, node, "more than %d for_each in one another",
				SPEC_LOOPS_MOST);
		return;
	}
	check_values(r, items, count);
	loop.name = variable->text;
	r->loop = &loop;
	r->loop_depth++;
	for (unsigned i = 0; i < count && spec_work_left(r, node); i++) {
		loop.item = items[i];
		fn(r, body, spec_path(r, "%s.%s", path, children), ctx);
	}
	r->loop_depth--;
	r->loop = loop.outer;
	if (!loop.used)
		spec_fault_node(r, variable, "variable '%s' is used nowhere ($%s or {%s})",
				loop.name, loop.name, loop.name);
}
