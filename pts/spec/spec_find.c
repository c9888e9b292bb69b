/*
 * Where spec files are: $PTS_SPECS, the specs folder of the source tree that the program was
 * built in, the install prefix. Reads folders, no files.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec_drive.h"
#include "spec_internal.h"

#define DRIVES "drives/"
#define SUFFIX ".yaml"

struct found {
	char *name; /* "iops", "workloads/oltp" */
	char *path;
};

struct finds {
	struct found *all;
	size_t count, room;
};

static char *joined(const char *a, const char *b, const char *c)
{
	struct pts_buf buf = {0};

	pts_buf_printf(&buf, "%s%s%s", a, b, c);
	return pts_buf_take(&buf);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The folder of the program, without the final slash; false if /proc does not say. */
static bool program_folder(char *folder, size_t room)
{
	ssize_t length = readlink("/proc/self/exe", folder, room - 1);
	char *slash;

	if (length <= 0)
		return false;
	folder[length] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

/* Folders in the order of looking; how many. Each is the caller's to free(). */
static unsigned folders(char *ret_folders[3])
{
	const char *named = getenv("PTS_SPECS");
	char folder[4096];
	unsigned count = 0;

	if (named && *named)
		ret_folders[count++] = joined(named, "", "");
	if (program_folder(folder, sizeof(folder))) {
		ret_folders[count++] = joined(folder, "/../../specs", "");
		ret_folders[count++] = joined(folder, "/../share/pts/specs", "");
	}
	return count;
}

static void keep(struct finds *finds, const char *name, char *path)
{
	for (size_t i = 0; i < finds->count; i++) {
		if (strcmp(finds->all[i].name, name) == 0) {
			free(path); /* an earlier folder hides it */
			return;
		}
	}
	if (finds->count == finds->room) {
		finds->room = finds->room ? finds->room * 2 : 32;
		finds->all = realloc(finds->all, finds->room * sizeof(*finds->all));
		if (!finds->all)
			abort();
	}
	finds->all[finds->count++] = (struct found){joined(name, "", ""), path};
}

/* prefix is "" or "workloads/" */
static void scan(struct finds *finds, const char *folder, const char *prefix)
{
	char *path = joined(folder, "/", prefix);
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);
		char *file, *name;

		if (length <= strlen(SUFFIX) || entry->d_name[0] == '.' ||
		    strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		file = joined(path, "", entry->d_name);
		name = joined(prefix, entry->d_name, "");
		name[strlen(name) - strlen(SUFFIX)] = '\0';
		if (is_file(file))
			keep(finds, name, file);
		else
			free(file);
		free(name);
	}
	if (dir)
		closedir(dir);
	free(path);
}

static int by_name(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	bool a_below = strchr(a->name, '/') != NULL, b_below = strchr(b->name, '/') != NULL;

	if (a_below != b_below)
		return a_below ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void find_all(struct finds *finds)
{
	char *where[3];
	unsigned count = folders(where);

	for (unsigned i = 0; i < count; i++) {
		scan(finds, where[i], "");
		scan(finds, where[i], "workloads/");
		free(where[i]);
	}
	if (finds->count)
		qsort(finds->all, finds->count, sizeof(*finds->all), by_name);
}

static void release(struct finds *finds)
{
	for (size_t i = 0; i < finds->count; i++) {
		free(finds->all[i].name);
		free(finds->all[i].path);
	}
	free(finds->all);
}

int spec_each(void (*fn)(void *ctx, const char *name, const char *path), void *ctx,
	      struct pts_err *err)
{
	struct finds finds = {0};

	find_all(&finds);
	for (size_t i = 0; i < finds.count; i++)
		fn(ctx, finds.all[i].name, finds.all[i].path);
	if (!finds.count) {
		release(&finds);
		return pts_fail(err, PTS_EXIT_MISSING, ENOENT,
				"no spec files found: set PTS_SPECS to their folder");
	}
	release(&finds);
	return 0;
}

/* "oltp" is found as "workloads/oltp" too; ".yaml" may be written. */
static bool matches(const char *found, const char *name)
{
	size_t length = strlen(name);
	const char *slash = strchr(found, '/');

	if (length > strlen(SUFFIX) && strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0)
		length -= strlen(SUFFIX);
	return (strncmp(found, name, length) == 0 && found[length] == '\0') ||
	       (slash && strncmp(slash + 1, name, length) == 0 && slash[1 + length] == '\0');
}

static int not_found(const struct finds *finds, const char *name, struct pts_err *err)
{
	const char **names = calloc(finds->count * 2 + 1, sizeof(char *));
	const char *nearest = NULL;
	size_t count = 0;
	int rc;

	for (size_t i = 0; names && i < finds->count; i++) {
		const char *slash = strchr(finds->all[i].name, '/');

		names[count++] = finds->all[i].name;
		if (slash)
			names[count++] = slash + 1;
	}
	if (names)
		nearest = pts_nearest(name, names, count);
	rc = pts_fail(err, PTS_EXIT_USAGE, ENOENT, "no spec '%s'%s%s%s", name,
		      nearest ? ", did you mean '" : "", nearest ? nearest : "",
		      nearest ? "'?" : " (see pts list)");
	free(names);
	return rc;
}

int spec_find(const char *name, char **ret_path, struct pts_err *err)
{
	struct finds finds = {0};
	int rc = -ENOENT;

	*ret_path = NULL;
	if (is_file(name)) {
		*ret_path = joined(name, "", "");
		return 0;
	}
	find_all(&finds);
	for (size_t i = 0; i < finds.count && !*ret_path; i++)
		if (matches(finds.all[i].name, name))
			*ret_path = joined(finds.all[i].path, "", "");
	rc = *ret_path ? 0 : not_found(&finds, name, err);
	release(&finds);
	return rc;
}

static void find_drives(struct finds *finds)
{
	char *where[3];
	unsigned count = folders(where);

	for (unsigned i = 0; i < count; i++) {
		scan(finds, where[i], DRIVES);
		free(where[i]);
	}
	if (finds->count)
		qsort(finds->all, finds->count, sizeof(*finds->all), by_name);
}

int spec_drive_each(void (*fn)(void *ctx, const char *name, const char *path), void *ctx,
		    struct pts_err *err)
{
	struct finds finds = {0};

	find_drives(&finds);
	for (size_t i = 0; i < finds.count; i++)
		fn(ctx, finds.all[i].name + strlen(DRIVES), finds.all[i].path);
	release(&finds);
	if (finds.count)
		return 0;
	return pts_fail(err, PTS_EXIT_MISSING, ENOENT,
			"no model drives found: set PTS_SPECS to the folder of the specs");
}

int spec_drive_find(const char *name, char **ret_path, struct pts_err *err)
{
	struct finds finds = {0};
	size_t length = strlen(name);
	const char **names, *nearest;

	*ret_path = NULL;
	if (length > strlen(SUFFIX) && !strcmp(name + length - strlen(SUFFIX), SUFFIX))
		*ret_path = joined(name, "", "");
	find_drives(&finds);
	names = calloc(finds.count + 1, sizeof(char *));
	for (size_t i = 0; names && i < finds.count; i++) {
		names[i] = finds.all[i].name + strlen(DRIVES);
		if (!*ret_path && !strcmp(names[i], name))
			*ret_path = joined(finds.all[i].path, "", "");
	}
	nearest = names && !*ret_path ? pts_nearest(name, names, finds.count) : NULL;
	if (!*ret_path)
		pts_fail(err, PTS_EXIT_USAGE, ENOENT, "no model drive '%s'%s%s%s", name,
			 nearest ? ", did you mean '" : "", nearest ? nearest : "",
			 nearest ? "'?" : " (they are in specs/drives)");
	free(names);
	release(&finds);
	return *ret_path ? 0 : -ENOENT;
}
