/* The file of --about: a flat mapping of known keys to text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec_internal.h"

static bool check(struct spec_reader *r, struct spec_node *root)
{
	struct spec_map map;

	if (!spec_map_open(r, SPEC_IN_ABOUT, root, "about", NULL, &map))
		return false;
	for (unsigned i = 0; i < root->count; i++) {
		const struct spec_node *value = root->values[i];

		if (value->kind != SPEC_NODE_TEXT || value->empty)
			spec_fault_node(r, value, "%s wants a text, not %s",
					root->keys[i]->text, spec_node_what(value));
		else if (strlen(value->text) > SPEC_TEXT_MOST)
			spec_fault_node(r, value, "%s is too long (%d bytes at most)",
					root->keys[i]->text, SPEC_TEXT_MOST);
	}
	return !r->fault_count;
}

int spec_about_read(const char *path, int (*fn)(void *ctx, const char *key, const char *value),
		    void *ctx, struct pts_err *err)
{
	struct spec_reader r = {.file = path};
	struct spec_node *root;
	char *text = NULL;
	size_t bytes = 0;
	int rc = pts_file_read(path, SPEC_FILE_MOST, &text, &bytes);

	if (rc == -EFBIG)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:1:1: the file is larger than 1 MiB", path);
	if (rc)
		return pts_fail(err, PTS_EXIT_USAGE, -rc, "can't read '%s': %s", path,
				pts_errno_text(-rc));
	r.arena = pts_arena_new();
	root = spec_node_load(&r, text, bytes);
	if (root && !r.fault_count && check(&r, root))
		for (unsigned i = 0; i < root->count && !rc; i++)
			rc = fn(ctx, root->keys[i]->text, root->values[i]->text);
	else
		rc = spec_fault_report(&r, err);
	pts_arena_free(r.arena);
	free(text);
	return rc;
}
