/* The one way into sysfs and /proc. Trusts nothing that it reads, knows no device. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_internal.h"
#include "pts_text.h"

static const char *root = "";

void device_root_set(const char *new_root)
{
	root = new_root ? new_root : "";
}

const char *device_root(void)
{
	return root;
}

static bool path_of(char path[PATH_MAX], const char *fmt, va_list args)
{
	int used = snprintf(path, PATH_MAX, "%s", root), more;

	if (used < 0 || used >= PATH_MAX)
		return false;
	more = vsnprintf(path + used, PATH_MAX - (size_t)used, fmt, args);
	return more >= 0 && more < PATH_MAX - used;
}

static int read_file(const char *path, void *data, size_t room, size_t *ret_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t used = 0;
	int rc = 0;

	*ret_bytes = 0;
	if (fd < 0)
		return -errno;
	while (used < room) {
		ssize_t got = read(fd, (char *)data + used, room - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			rc = -errno;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	close(fd);
	*ret_bytes = used;
	return rc;
}

int sysfs_raw(void *data, size_t room, size_t *ret_bytes, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	*ret_bytes = 0;
	return fits ? read_file(path, data, room, ret_bytes) : -ENAMETOOLONG;
}

static int text_at(const char *path, char *text, size_t room)
{
	char raw[4096];
	size_t bytes;
	int rc = read_file(path, raw, sizeof(raw), &bytes);

	text[0] = '\0';
	if (rc)
		return rc;
	while (bytes && (raw[bytes - 1] == '\n' || raw[bytes - 1] == ' '))
		bytes--;
	pts_printable(raw, bytes, text, room);
	return 0;
}

int sysfs_text(char *text, size_t room, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	text[0] = '\0';
	return fits ? text_at(path, text, room) : -ENAMETOOLONG;
}

int sysfs_path(char path[PATH_MAX], const char *fmt, ...)
{
	char at[PATH_MAX];
	size_t bytes;
	va_list args;
	bool fits;
	int rc;

	va_start(args, fmt);
	fits = path_of(at, fmt, args);
	va_end(args);
	rc = fits ? read_file(at, path, PATH_MAX - 1, &bytes) : -ENAMETOOLONG;
	path[0] = rc ? '\0' : path[0];
	if (rc)
		return rc;
	if (bytes && path[bytes - 1] == '\n')
		bytes--;
	path[bytes] = '\0';
	return bytes ? 0 : -ENOENT;
}

uint32_t sysfs_u32(uint32_t otherwise, const char *fmt, ...)
{
	char path[PATH_MAX], text[64];
	uint64_t value;
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	if (!fits || text_at(path, text, sizeof(text)) < 0 || pts_u64_parse(text, &value) < 0 ||
	    value > UINT32_MAX)
		return otherwise;
	return (uint32_t)value;
}

uint64_t sysfs_number(uint64_t otherwise, const char *fmt, ...)
{
	char path[PATH_MAX], text[64];
	uint64_t value;
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	if (!fits || text_at(path, text, sizeof(text)) < 0 || pts_u64_parse(text, &value) < 0)
		return otherwise;
	return value;
}

bool sysfs_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	return fits && access(path, F_OK) == 0;
}

void sysfs_link(char *text, size_t room, const char *fmt, ...)
{
	char path[PATH_MAX], *real = NULL;
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	text[0] = '\0';
	if (fits)
		real = realpath(path, NULL);
	if (real) {
		char *top = root[0] ? realpath(root, NULL) : NULL;
		size_t skip = top && !strncmp(real, top, strlen(top)) ? strlen(top) : 0;

		if (strlen(real + skip) < room)
			memcpy(text, real + skip, strlen(real + skip) + 1);
		free(top);
	}
	free(real);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int sysfs_each(int (*fn)(void *ctx, const char *name), void *ctx, const char *fmt, ...)
{
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int count, rc = 0;
	va_list args;
	bool fits;

	va_start(args, fmt);
	fits = path_of(path, fmt, args);
	va_end(args);
	count = fits ? scandir(path, &entries, visible, alphasort) : 0;
	for (int i = 0; i < count; i++) {
		if (!rc)
			rc = fn(ctx, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return rc;
}
