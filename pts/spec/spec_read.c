/*
 * The whole of a spec: the order in which its parts are read, what refers to what, and the
 * public entry points. Must not print.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec_internal.h"

/* "specs/workloads/oltp.yaml" -> "oltp" */
static const char *stem(struct pts_arena *arena, const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	size_t length = strlen(base);

	if (length > 5 && strcmp(base + length - 5, ".yaml") == 0)
		length -= 5;
	return pts_arena_strndup(arena, base, length);
}

static void read_labels(struct spec_map *map)
{
	static const struct spec_key_row row = {.name = "labels", .type = SPEC_TYPE_NAME};
	struct spec_node *node = spec_map_get(map, "labels");
	struct spec *spec = map->r->spec;
	struct spec_item *items;
	unsigned count = 0;

	items = node ? spec_items_read(map->r, node, "labels", NULL, &count) : NULL;
	if (!items)
		return;
	spec->labels = PTS_ARENA_ARRAY(map->r->arena, const char *, count);
	spec->label_count = count;
	for (unsigned i = 0; i < count; i++)
		spec_item_parse(map->r, &row, &items[i], "labels", &spec->labels[i]);
}

static void read_revision(struct spec_reader *r, struct spec_node *modes)
{
	struct spec_node *mode = spec_node_get(modes, spec_mode_text(r->options->mode));
	struct spec_node *revision = mode ? spec_node_get(mode, "revision") : NULL;
	struct spec_item item;

	if (revision && spec_item_read(r, revision, "modes.revision", NULL, &item))
		spec_item_parse(r, spec_key_row(SPEC_IN_MODE, "revision"), &item,
				"modes.revision", &r->spec->revision);
	else if (!revision && mode && r->spec->standard)
		spec_fault_node(r, mode,
				"the file names a standard, a mode lacks the key 'revision'");
}

/* The cache's state is a parameter that no step refers to. */
static void read_write_cache(struct spec_reader *r)
{
	const struct spec_key_row *row = spec_key_row(SPEC_IN_MODE, "write_cache");
	struct spec *spec = r->spec;
	unsigned enabled = 0;

	for (unsigned i = 0; i < r->param_count; i++) {
		struct spec_param_entry *param = r->params[i];

		if (strcmp(param->pub.name, "write_cache") != 0)
			continue;
		param->used = true;
		if (param->effective_count != 1 ||
		    !spec_item_parse(r, row, &param->effective[0], param->path, &enabled))
			continue;
		spec->has_write_cache = true;
		spec->write_cache_enabled = enabled;
		spec->write_cache_source = param->pub.source;
	}
}

static void read_file(struct spec_reader *r, struct spec_node *root)
{
	struct spec_node *modes, *steps, *pages;
	struct spec *spec = r->spec;
	struct spec_map map;

	if (!spec_map_open(r, SPEC_IN_FILE, root, spec->name, NULL, &map))
		return;
	modes = spec_map_get(&map, "modes");
	spec_params_read(r, modes, spec_map_get(&map, "parameters"));
	spec_map_fill(&map, SPEC_IN_FILE, spec);
	if (modes && modes->kind == SPEC_NODE_MAP)
		read_revision(r, modes);
	else if (!modes && spec->standard)
		spec_fault_node(r, spec_node_key(root, "standard"),
				"the file names a standard: it lacks the key 'modes'");
	read_labels(&map);
	read_write_cache(r);
	spec_workloads_open(r, spec_map_get(&map, "workloads"));
	steps = spec_map_get(&map, "steps");
	if (steps)
		spec_steps_read(r, steps, "steps", &spec->steps, &spec->step_count);
	r->steps_ok = !r->fault_count;
	spec_workloads_finish(r);
	pages = spec_map_get(&map, "pages");
	if (pages)
		spec_pages_read(r, pages);
	spec_params_finish(r);
}

int spec_read_text(const char *file, const char *text, size_t text_bytes,
		   const struct spec_options *options, struct spec **ret_spec,
		   struct pts_err *err)
{
	struct spec_reader r = {.file = file, .options = options};
	struct spec_node *root;
	struct spec *spec;
	int rc;

	*ret_spec = NULL;
	r.arena = pts_arena_new();
	spec = PTS_ARENA_NEW(r.arena, struct spec);
	spec->arena = r.arena;
	r.spec = spec;
	r.file = spec->file = pts_arena_strdup(r.arena, file);
	spec->name = stem(r.arena, file);
	spec->mode = options->mode;
	spec->text = pts_arena_strndup(r.arena, text, text_bytes);
	spec->text_bytes = text_bytes;
	pts_sha256_text(text, text_bytes, spec->sha256);
	root = spec_node_load(&r, text, text_bytes);
	if (root && !r.fault_count)
		read_file(&r, root);
	rc = spec_fault_report(&r, err);
	if (rc) {
		spec_free(spec);
		return rc;
	}
	*ret_spec = spec;
	return 0;
}

static int read_bytes(const char *path, char **ret_text, size_t *ret_bytes, struct pts_err *err)
{
	int rc = pts_file_read(path, SPEC_FILE_MOST, ret_text, ret_bytes);

	if (rc == -EFBIG)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:1:1: the file is larger than 1 MiB", path);
	if (rc)
		return pts_fail(err, PTS_EXIT_USAGE, -rc, "can't read '%s': %s", path,
				pts_errno_text(-rc));
	return 0;
}

int spec_read_file(const char *path, const struct spec_options *options, struct spec **ret_spec,
		   struct pts_err *err)
{
	char *text = NULL;
	size_t bytes = 0;
	int rc = read_bytes(path, &text, &bytes, err);

	*ret_spec = NULL;
	if (rc)
		return rc;
	rc = spec_read_text(path, text, bytes, options, ret_spec, err);
	free(text);
	return rc;
}

/* Faults of both modes, to be shown once and in the order of the file. */
struct both {
	size_t path_length;
	struct line {
		char *text;
		unsigned line, column, order;
	} lines[2 * SPEC_FAULTS_SHOWN + 2];
	unsigned count;
};

static void keep_line(void *ctx, const char *text)
{
	struct both *both = ctx;
	struct line line = {.text = strdup(text), .order = both->count};

	for (unsigned i = 0; i < both->count; i++) {
		if (!line.text || strcmp(both->lines[i].text, text) == 0) {
			free(line.text);
			return;
		}
	}
	if (sscanf(text + both->path_length, ":%u:%u:", &line.line, &line.column) < 2)
		line.line = line.column = 0;
	both->lines[both->count++] = line;
}

static int by_line(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

int spec_check_file(const char *path, void (*fault)(void *ctx, const char *line), void *ctx,
		    struct pts_err *err)
{
	struct both both = {.path_length = strlen(path)};
	char *text = NULL;
	size_t bytes = 0;
	int rc = read_bytes(path, &text, &bytes, err);

	if (rc)
		return rc;
	for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
		struct spec_options options = {
			.mode = mode, .fault = keep_line, .fault_ctx = &both};
		struct spec *spec;

		spec_read_text(path, text, bytes, &options, &spec, NULL);
		spec_free(spec);
	}
	qsort(both.lines, both.count, sizeof(both.lines[0]), by_line);
	if (both.count)
		rc = pts_fail(err, PTS_EXIT_SPEC, EINVAL, "%s", both.lines[0].text);
	for (unsigned i = 0; i < both.count; i++) {
		if (fault)
			fault(ctx, both.lines[i].text);
		free(both.lines[i].text);
	}
	free(text);
	return rc;
}

void spec_free(struct spec *spec)
{
	if (spec)
		pts_arena_free(spec->arena);
}
