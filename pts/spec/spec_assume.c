/* The file of --assume: a mapping of known keys, some speeds, and a list of loads. */
#include "spec_assume.h"

#include <errno.h>
#include <stdlib.h>

#include "spec_internal.h"

static void read_cell(struct spec_reader *r, struct spec_node *node,
		      struct spec_assume_cell *cell)
{
	struct spec_map map;

	if (spec_map_open(r, SPEC_IN_ASSUME_CELL, node, "cells", NULL, &map))
		spec_map_fill(&map, SPEC_IN_ASSUME_CELL, cell);
}

static void read_cells(struct spec_map *map, struct spec_assume *assume)
{
	struct spec_node *list = spec_map_get(map, "cells");
	struct spec_source source = map->source;
	struct spec_assume_cell *cells;

	if (!list)
		return;
	list = spec_list_open(map->r, list, "cells", &source);
	if (!list)
		return;
	cells = PTS_ARENA_ARRAY(map->r->arena, struct spec_assume_cell, list->count);
	for (unsigned i = 0; i < list->count; i++)
		read_cell(map->r, list->values[i], &cells[i]);
	assume->cells = cells;
	assume->cell_count = list->count;
}

static void read_all(struct spec_reader *r, struct spec_node *root, struct spec_assume *assume)
{
	struct spec_map map;

	if (!spec_map_open(r, SPEC_IN_ASSUME, root, "assume", NULL, &map))
		return;
	if (!root->count)
		spec_fault_node(r, root, "nothing is assumed: the file is empty");
	spec_map_fill(&map, SPEC_IN_ASSUME, assume);
	read_cells(&map, assume);
}

int spec_assume_read(const char *path, struct spec_assume **ret_assume, struct pts_err *err)
{
	struct spec_options options = {.mode = SPEC_ENTERPRISE};
	struct spec_reader r = {.file = path, .options = &options};
	struct spec_assume *assume;
	struct spec_node *root;
	char *text = NULL;
	size_t bytes = 0;
	int rc = pts_file_read(path, SPEC_FILE_MOST, &text, &bytes);

	*ret_assume = NULL;
	if (rc == -EFBIG)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:1:1: the file is larger than 1 MiB", path);
	if (rc)
		return pts_fail(err, PTS_EXIT_USAGE, -rc, "can't read '%s': %s", path,
				pts_errno_text(-rc));
	r.arena = pts_arena_new();
	r.spec = PTS_ARENA_NEW(r.arena, struct spec);
	assume = PTS_ARENA_NEW(r.arena, struct spec_assume);
	assume->arena = r.arena;
	root = spec_node_load(&r, text, bytes);
	if (root && !r.fault_count)
		read_all(&r, root, assume);
	free(text);
	if (root && !r.fault_count) {
		*ret_assume = assume;
		return 0;
	}
	rc = spec_fault_report(&r, err);
	pts_arena_free(r.arena);
	return rc;
}

void spec_assume_free(struct spec_assume *assume)
{
	if (assume)
		pts_arena_free(assume->arena);
}
