/*
 * The file of a model drive, read by the caller's key table. It must not know what a drive is,
 * and must leave nothing half read unsaid: an unknown, doubled or missing key is a fault.
 */
#include "spec_drive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec_internal.h"

#define KEYS_MOST 128

static const enum spec_type types[] = {
	[SPEC_DRIVE_BYTES] = SPEC_TYPE_BYTES, [SPEC_DRIVE_TIME] = SPEC_TYPE_TIME,
	[SPEC_DRIVE_COUNT] = SPEC_TYPE_COUNT, [SPEC_DRIVE_SHARE] = SPEC_TYPE_SHARE,
	[SPEC_DRIVE_BOOL] = SPEC_TYPE_BOOL,
};

static const struct spec_drive_key *find(const struct spec_drive_key *keys, unsigned count,
					 const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

static const char *nearest(const struct spec_drive_key *keys, unsigned count, const char *name)
{
	const char *names[KEYS_MOST];

	for (unsigned i = 0; i < count && i < KEYS_MOST; i++)
		names[i] = keys[i].name;
	return pts_nearest(name, names, count < KEYS_MOST ? count : KEYS_MOST);
}

static bool parse(const struct spec_drive_key *key, const char *text, void *place,
		  char why[SPEC_WHY_ROOM])
{
	struct spec_key_row row = {
		.name = key->name,
		.least = 0,
		.most = key->type == SPEC_DRIVE_COUNT ? UINT32_MAX : INT64_MAX,
		.range = key->type == SPEC_DRIVE_COUNT ? "0 to 4294967295" : "0 to 2^63 - 1",
	};

	if (key->type == SPEC_DRIVE_TEXT) {
		if (strlen(text) < key->text_room) {
			memcpy(place, text, strlen(text) + 1);
			return true;
		}
		snprintf(why, SPEC_WHY_ROOM, "is too long (%u bytes at most)",
			 key->text_room - 1);
		return false;
	}
	if (key->type == SPEC_DRIVE_NUMBER) {
		if (pts_double_parse(text, place) == 0)
			return true;
		snprintf(why, SPEC_WHY_ROOM, "'%.40s' is no number", text);
		return false;
	}
	row.type = types[key->type];
	if (key->type == SPEC_DRIVE_SHARE) {
		row.most = SPEC_SHARE_WHOLE;
		row.range = "0% to 100%";
	}
	return spec_value_parse(&row, text, place, why);
}

static void read_pair(struct spec_reader *r, const struct spec_drive_key *keys, unsigned count,
		      const struct spec_node *name, const struct spec_node *value, void *base)
{
	const struct spec_drive_key *key = find(keys, count, name->text);
	char why[SPEC_WHY_ROOM] = "";

	if (!key)
		spec_fault_node(r, name, "unknown key %s%s", spec_quoted(r, name->text),
				spec_meant(r, nearest(keys, count, name->text)));
	else if (value->kind != SPEC_NODE_TEXT || value->empty)
		spec_fault_node(r, value, "%s wants a value, not %s", key->name,
				spec_node_what(value));
	else if (!parse(key, value->text, (char *)base + key->offset, why))
		spec_fault_node(r, value, "%s: %s", key->name, why);
}

static void read_all(struct spec_reader *r, const struct spec_drive_key *keys, unsigned count,
		     const struct spec_node *root, void *base)
{
	if (root->kind != SPEC_NODE_MAP) {
		spec_fault_node(r, root, "a model drive is a mapping of keys to values, not %s",
				spec_node_what(root));
		return;
	}
	for (unsigned i = 0; i < root->count; i++)
		read_pair(r, keys, count, root->keys[i], root->values[i], base);
	for (unsigned i = 0; i < count; i++)
		if (keys[i].required && !spec_node_get(root, keys[i].name))
			spec_fault_node(r, root, "the key '%s' is missing", keys[i].name);
}

int spec_drive_read(const char *path, const struct spec_drive_key *keys, unsigned count,
		    void *base, struct pts_err *err)
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
	if (root && !r.fault_count)
		read_all(&r, keys, count, root, base);
	rc = root && !r.fault_count ? 0 : spec_fault_report(&r, err);
	pts_arena_free(r.arena);
	free(text);
	return rc;
}
