/*
 * Parameters: those of `parameters` and those of the mode, --set in their place, $references and
 * {name} in texts. Values stay text here; the key that uses one types it.
 */
#include <stdlib.h>
#include <string.h>

#include "spec_internal.h"

bool spec_name_ok(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return length && length <= 40 && name[length] == '\0' && name[0] >= 'a' &&
	       name[0] <= 'z';
}

static struct spec_param_entry *find(struct spec_reader *r, const char *name)
{
	for (unsigned i = 0; i < r->param_count; i++)
		if (strcmp(r->params[i]->pub.name, name) == 0)
			return r->params[i];
	return NULL;
}

static const char *joined(struct spec_reader *r, const struct spec_item *items, unsigned count)
{
	struct pts_buf buf = {0};
	const char *text;

	for (unsigned i = 0; i < count; i++)
		pts_buf_printf(&buf, "%s%s", i ? ", " : "", items[i].text);
	text = pts_arena_strdup(r->arena, buf.data ? buf.data : "");
	pts_buf_release(&buf);
	return text;
}

static bool item_text(struct spec_reader *r, struct spec_node *node)
{
	if (node->kind != SPEC_NODE_TEXT || node->empty)
		spec_fault_node(r, node, "a parameter is a value or a list of values, not %s",
				spec_node_what(node));
	else if (node->text[0] == '$')
		spec_fault_node(r, node, "a parameter can't refer to another one");
	else
		return true;
	return false;
}

/* The items of a parameter as the file gives them. */
static bool standard_items(struct spec_reader *r, struct spec_param_entry *param,
			   struct spec_node *node)
{
	struct spec_node **values = &node;

	param->standard_count = 1;
	param->is_list = node->kind == SPEC_NODE_LIST;
	if (param->is_list) {
		param->standard_count = node->count;
		values = node->values;
	}
	if (!param->standard_count || param->standard_count > SPEC_VALUES_MOST) {
		spec_fault_node(r, node, "a list of 1 .. %d values is wanted",
				SPEC_VALUES_MOST);
		return false;
	}
	param->standard = PTS_ARENA_ARRAY(r->arena, struct spec_item, param->standard_count);
	for (unsigned i = 0; i < param->standard_count; i++) {
		if (!item_text(r, values[i]))
			return false;
		param->standard[i] = (struct spec_item){
			values[i]->text, values[i], param, i, false, param->pub.source};
	}
	return true;
}

static char *trimmed(struct spec_reader *r, const char *from, size_t length)
{
	while (length && (*from == ' ' || *from == '[')) {
		from++;
		length--;
	}
	while (length && (from[length - 1] == ' ' || from[length - 1] == ']'))
		length--;
	return pts_arena_strndup(r->arena, from, length);
}

/* The text after --set KEY=; a list is written with commas. */
static void override(struct spec_reader *r, struct spec_param_entry *param,
		     const struct spec_override *set)
{
	const char *at = pts_arena_strdup(r->arena, set->value); /* outlives the caller's */
	unsigned count = 1;

	for (const char *c = at; param->is_list && *c; c++)
		count += *c == ',';
	param->set = set;
	param->effective = PTS_ARENA_ARRAY(r->arena, struct spec_item, count);
	param->effective_count = count;
	for (unsigned i = 0; i < count; i++) {
		size_t length = param->is_list ? strcspn(at, ",") : strlen(at);
		const char *text = param->is_list ? trimmed(r, at, length) : at;

		param->effective[i] = (struct spec_item){text, param->node, param,
							 i,    false,       param->pub.source};
		at += length + 1;
	}
	if (count > SPEC_VALUES_MOST)
		spec_fault_set(r, set, "more than %d values", SPEC_VALUES_MOST);
}

static void apply_override(struct spec_reader *r, struct spec_param_entry *param)
{
	param->effective = param->standard;
	param->effective_count = param->standard_count;
	param->pub.standard = joined(r, param->standard, param->standard_count);
	for (unsigned i = 0; i < r->options->override_count; i++)
		if (strcmp(r->options->overrides[i].key, param->pub.name) == 0)
			override(r, param, &r->options->overrides[i]);
	param->pub.value = joined(r, param->effective, param->effective_count);
}

static bool check_name(struct spec_reader *r, const struct spec_node *key)
{
	const struct spec_param_entry *known = find(r, key->text);

	if (!spec_name_ok(key->text))
		spec_fault_node(r, key,
				"%s is no name of a parameter: small letters, digits and _",
				spec_quoted(r, key->text));
	else if (known)
		spec_fault_node(r, key, "parameter %s is given at %u:%u already",
				spec_quoted(r, key->text), known->node->line,
				known->node->column);
	else
		return true;
	return false;
}

/* help may stand in either mode's entry */
static const char *help_of(struct spec_node *entry)
{
	struct spec_node *help = entry ? spec_node_get(entry, "help") : NULL;

	return help && help->kind == SPEC_NODE_TEXT ? help->text : NULL;
}

static void read_param(struct spec_reader *r, struct spec_node *key, struct spec_node *entry,
		       const char *path, struct spec_node *twin)
{
	struct spec_param_entry *param = PTS_ARENA_NEW(r->arena, struct spec_param_entry);
	struct spec_node *value = entry;
	struct spec_map map = {0};

	if (!check_name(r, key))
		return;
	if (entry->kind == SPEC_NODE_MAP) {
		if (!spec_map_open(r, SPEC_IN_PARAMETER, entry, path, NULL, &map))
			return;
		value = spec_map_get(&map, "value");
		if (!value) {
			spec_fault_node(r, key, "parameter %s lacks the key 'value'",
					spec_quoted(r, key->text));
			return;
		}
	}
	param->key = key;
	param->node = value;
	param->path = path;
	param->pub = (struct spec_param){
		.name = key->text, .source = map.source, .where = spec_where_of(r, value)};
	param->pub.help = help_of(entry) ? help_of(entry) : help_of(twin);
	if (!param->pub.help)
		param->pub.help = "";
	if (!standard_items(r, param, value))
		return;
	apply_override(r, param);
	spec_cite(r, value, path, param->pub.standard, &param->pub.source);
	r->params = spec_grow(r, r->params, r->param_count, &r->param_room,
			      sizeof(struct spec_param_entry *));
	r->params[r->param_count++] = param;
}

static struct spec_node *mode_node(struct spec_reader *r, struct spec_node *modes,
				   enum spec_mode mode)
{
	struct spec_node *node = spec_node_get(modes, spec_mode_text(mode));

	if (!node)
		spec_fault_node(r, modes, "modes lack '%s'", spec_mode_text(mode));
	else if (node->kind != SPEC_NODE_MAP)
		spec_fault_node(r, node, "a mode wants a block of keys, not %s",
				spec_node_what(node));
	return node && node->kind == SPEC_NODE_MAP ? node : NULL;
}

static void check_twins(struct spec_reader *r, const struct spec_node *mode,
			const struct spec_node *other, const char *other_name)
{
	const char **names = PTS_ARENA_ARRAY(r->arena, const char *, other->count + 1);

	for (unsigned i = 0; i < other->count; i++)
		names[i] = other->keys[i]->text;
	for (unsigned i = 0; i < mode->count; i++) {
		const char *key = mode->keys[i]->text;

		if (!spec_node_get(other, key))
			spec_fault_node(r, mode->keys[i], "mode '%s' lacks the key %s%s",
					other_name, spec_quoted(r, key),
					spec_meant(r, pts_nearest(key, names, other->count)));
	}
}

static void read_mode(struct spec_reader *r, struct spec_node *modes)
{
	enum spec_mode mode = r->options->mode;
	enum spec_mode other = mode == SPEC_ENTERPRISE ? SPEC_CLIENT : SPEC_ENTERPRISE;
	const char *const names[] = {spec_mode_text(mode), spec_mode_text(other)};
	struct spec_node *own, *twin;

	if (modes->kind != SPEC_NODE_MAP) {
		spec_fault_node(r, modes, "modes want a block of keys, not %s",
				spec_node_what(modes));
		return;
	}
	for (unsigned i = 0; i < modes->count; i++) {
		enum spec_mode known;

		if (spec_mode_parse(modes->keys[i]->text, &known) != 0)
			spec_fault_node(
				r, modes->keys[i], "unknown mode %s%s",
				spec_quoted(r, modes->keys[i]->text),
				spec_meant(r, pts_nearest(modes->keys[i]->text, names, 2)));
	}
	own = mode_node(r, modes, mode);
	twin = mode_node(r, modes, other);
	if (!own || !twin)
		return;
	check_twins(r, own, twin, spec_mode_text(other));
	check_twins(r, twin, own, spec_mode_text(mode));
	for (unsigned i = 0; i < own->count; i++) {
		const char *key = own->keys[i]->text;

		if (strcmp(key, "revision") != 0)
			read_param(r, own->keys[i], own->values[i],
				   spec_path(r, "modes.%s.%s", spec_mode_text(mode), key),
				   spec_node_get(twin, key));
	}
}

static void refuse_unknown_sets(struct spec_reader *r)
{
	const char **names = PTS_ARENA_ARRAY(r->arena, const char *, r->param_count + 1);

	for (unsigned i = 0; i < r->param_count; i++)
		names[i] = r->params[i]->pub.name;
	for (unsigned i = 0; i < r->options->override_count; i++) {
		const struct spec_override *set = &r->options->overrides[i];

		if (r->options->lenient_overrides || find(r, set->key))
			continue;
		spec_fault_set(r, set, "%s has no parameter %s%s", r->spec->name,
			       spec_quoted(r, set->key),
			       spec_meant(r, pts_nearest(set->key, names, r->param_count)));
	}
}

void spec_params_read(struct spec_reader *r, struct spec_node *modes,
		      struct spec_node *parameters)
{
	if (modes)
		read_mode(r, modes);
	if (parameters && parameters->kind != SPEC_NODE_MAP)
		spec_fault_node(r, parameters, "parameters want a block of keys, not %s",
				spec_node_what(parameters));
	for (unsigned i = 0;
	     parameters && parameters->kind == SPEC_NODE_MAP && i < parameters->count; i++)
		read_param(r, parameters->keys[i], parameters->values[i],
			   spec_path(r, "parameters.%s", parameters->keys[i]->text), NULL);
	refuse_unknown_sets(r);
}

/* In a mode an unknown key is a parameter, so that a misspelt key shows as an unused one. */
static const char *mode_key(struct spec_reader *r, const struct spec_param_entry *param)
{
	static const char *const keys[] = {"revision", "write_cache"};

	if (strncmp(param->path, "modes.", 6) != 0)
		return "";
	return spec_meant(r, pts_nearest(param->pub.name, keys, 2));
}

void spec_params_finish(struct spec_reader *r)
{
	struct spec *spec = r->spec;
	bool clean;

	spec->params = PTS_ARENA_ARRAY(r->arena, struct spec_param, r->param_count + 1);
	/* after other faults an unused name may well be their consequence */
	clean = !r->fault_count;
	for (unsigned i = 0; i < r->param_count; i++) {
		const struct spec_param_entry *param = r->params[i];

		spec->params[spec->param_count++] = param->pub;
		if (!param->used && clean)
			spec_fault_node(r, param->key, "parameter '%s' is used nowhere ($%s)%s",
					param->pub.name, param->pub.name, mode_key(r, param));
	}
}

static const char *nearest_ref(struct spec_reader *r, const char *name)
{
	const char **names =
		PTS_ARENA_ARRAY(r->arena, const char *, r->param_count + r->loop_depth + 1);
	unsigned count = 0;

	for (const struct spec_loop *loop = r->loop; loop; loop = loop->outer)
		names[count++] = loop->name;
	for (unsigned i = 0; i < r->param_count; i++)
		names[count++] = r->params[i]->pub.name;
	return pts_nearest(name, names, count);
}

bool spec_ref_resolve(struct spec_reader *r, struct spec_node *node, const char *name,
		      struct spec_item **ret_items, unsigned *ret_count,
		      struct spec_param_entry **ret_param)
{
	struct spec_param_entry *param = find(r, name);

	*ret_param = param;
	for (struct spec_loop *loop = r->loop; loop; loop = loop->outer) {
		if (strcmp(loop->name, name) != 0)
			continue;
		loop->used = true;
		*ret_items = &loop->item;
		*ret_count = 1;
		return true;
	}
	if (!param) {
		spec_fault_node(r, node, "unknown reference %s%s",
				spec_quoted(r, spec_path(r, "$%s", name)),
				spec_meant(r, nearest_ref(r, name)));
		return false;
	}
	param->used = true;
	*ret_items = param->effective;
	*ret_count = param->effective_count;
	return true;
}

/* One "{name}"; *text is moved behind it. False after a fault. */
static bool fill_one(struct spec_reader *r, struct spec_node *node, const char **text,
		     struct pts_buf *buf)
{
	size_t length = strcspn(*text + 1, "{}");
	const char *name = pts_arena_strndup(r->arena, *text + 1, length);
	struct spec_param_entry *param;
	struct spec_item *items;
	unsigned count;

	if ((*text)[1 + length] != '}' || !spec_name_ok(name)) {
		pts_buf_add(buf, (*text)++, 1);
		return true;
	}
	if (!spec_ref_resolve(r, node, name, &items, &count, &param))
		return false;
	pts_buf_puts(buf, joined(r, items, count));
	*text += length + 2;
	return true;
}

const char *spec_fill_in(struct spec_reader *r, struct spec_node *node, const char *text)
{
	struct pts_buf buf = {0};
	const char *filled = text;
	bool good = true;

	if (!strchr(text, '{'))
		return text;
	while (*text && good) {
		size_t plain = strcspn(text, "{");

		pts_buf_add(&buf, text, plain);
		text += plain;
		if (*text)
			good = fill_one(r, node, &text, &buf);
	}
	filled = good ? pts_arena_strdup(r->arena, buf.data ? buf.data : "") : NULL;
	pts_buf_release(&buf);
	return filled;
}
