/*
 * What a path is, before anything is opened: every kind of wrong path has a sentence of its own.
 * Nothing is ever created here.
 */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device_internal.h"

static int absent(const char *path, struct pts_err *err)
{
	struct stat st;

	if (errno == ENOENT && lstat(path, &st) == 0)
		return pts_fail(err, PTS_EXIT_USAGE, ENOENT,
				"'%s' is a link to something that is not there", path);
	if (errno == ENOENT)
		return pts_fail(err, PTS_EXIT_USAGE, ENOENT,
				"'%s' does not exist (nothing was created)", path);
	return pts_fail(err, PTS_EXIT_USAGE, errno, "cannot look at '%s': %s", path,
			pts_errno_text(errno));
}

static int character(const char *path, const struct stat *st, struct pts_err *err)
{
	char link[PATH_MAX];

	sysfs_link(link, sizeof(link), "/sys/dev/char/%u:%u/subsystem", major(st->st_rdev),
		   minor(st->st_rdev));
	if (strstr(link, "/nvme-generic"))
		return pts_fail(
			err, PTS_EXIT_USAGE, ENOTBLK,
			"'%s' is the pass-through node of an NVMe namespace: name its block "
			"device, such as /dev/nvme0n1",
			path);
	if (strstr(link, "/nvme"))
		return pts_fail(
			err, PTS_EXIT_USAGE, ENOTBLK,
			"'%s' is an NVMe controller, not a drive: name a namespace, such as "
			"/dev/nvme0n1 (the numbers need not agree: see `pts info`)",
			path);
	return pts_fail(err, PTS_EXIT_USAGE, ENOTBLK,
			"'%s' is a character device, not a block device", path);
}

static int partition(const char *path, const struct stat *st, struct pts_err *err)
{
	char real[PATH_MAX];

	sysfs_link(real, sizeof(real), "/sys/dev/block/%u:%u", major(st->st_rdev),
		   minor(st->st_rdev));
	return pts_fail(err, PTS_EXIT_SAFETY, EINVAL,
			"'%s' is a partition: a test needs the whole drive, /dev/%s", path,
			real[0] ? basename(dirname(real)) : "(its disk)");
}

static int block(const char *path, const struct stat *st, char ret_name[64],
		 struct pts_err *err)
{
	char real[PATH_MAX];

	if (sysfs_exists("/sys/dev/block/%u:%u/partition", major(st->st_rdev),
			 minor(st->st_rdev)))
		return partition(path, st, err);
	sysfs_link(real, sizeof(real), "/sys/dev/block/%u:%u", major(st->st_rdev),
		   minor(st->st_rdev));
	if (!real[0] || snprintf(ret_name, 64, "%s", basename(real)) >= 64)
		return pts_fail(
			err, PTS_EXIT_DEVICE, ENXIO,
			"'%s' is a block device that the kernel does not know (any more)",
			path);
	return 0;
}

int device_path_check(const char *path, struct stat *ret_st, char ret_name[64],
		      struct pts_err *err)
{
	ret_name[0] = '\0';
	if (!path || !*path)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "no device given");
	if (stat(path, ret_st) < 0)
		return absent(path, err);
	switch (ret_st->st_mode & S_IFMT) {
	case S_IFBLK:
		return block(path, ret_st, ret_name, err);
	case S_IFREG:
		return 0;
	case S_IFCHR:
		return character(path, ret_st, err);
	case S_IFDIR:
		return pts_fail(err, PTS_EXIT_USAGE, EISDIR, "'%s' is a folder, not a device",
				path);
	default:
		return pts_fail(err, PTS_EXIT_USAGE, ENOTBLK,
				"'%s' is a pipe or socket, not a block device", path);
	}
}
