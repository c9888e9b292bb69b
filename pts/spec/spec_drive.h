/*
 * The file of a model drive (specs/drives/NAME.yaml): a flat YAML mapping whose keys the caller
 * names, so that this room knows the form and the caller what a drive is. Faults look like those
 * of any spec: FILE:LINE:COL: text.
 */
#ifndef SPEC_DRIVE_H
#define SPEC_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_err.h"

enum spec_drive_type {
	SPEC_DRIVE_BYTES,  /* uint64_t: "4KiB" */
	SPEC_DRIVE_TIME,   /* uint64_t ns: "600us" */
	SPEC_DRIVE_COUNT,  /* uint32_t */
	SPEC_DRIVE_SHARE,  /* double: "7%" */
	SPEC_DRIVE_NUMBER, /* double, no unit */
	SPEC_DRIVE_BOOL,   /* bool: "true", "false" */
	SPEC_DRIVE_TEXT,   /* char[text_room] */
};

struct spec_drive_key {
	const char *name;
	enum spec_drive_type type;
	size_t offset; /* in the struct that is filled */
	bool required;
	unsigned text_room; /* of TEXT */
};

/* Fills base; a key that the file does not have leaves its place alone. -EINVAL with
 * PTS_EXIT_SPEC and every fault in err's text as spec_read_file does; PTS_EXIT_USAGE if the file
 * can't be read. */
int spec_drive_read(const char *path, const struct spec_drive_key *keys, unsigned count,
		    void *base, struct pts_err *err);

/* Calls fn for every model that spec_drive_find() knows by name. -ENOENT: PTS_EXIT_MISSING. */
int spec_drive_each(void (*fn)(void *ctx, const char *name, const char *path), void *ctx,
		    struct pts_err *err);

/* A model by path (ends in .yaml) or name, in the folders of spec_find(), below drives/.
 * *ret_path is the caller's to free(). -ENOENT: PTS_EXIT_USAGE, with the nearest name. */
int spec_drive_find(const char *name, char **ret_path, struct pts_err *err);

#endif
