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

/* Finds the drives of a controller by the links of the drives, never by their names. */
struct drives {
	const char *controller; /* its place in sysfs */
	char list[160];
};

static int see_drive(void *ctx, const char *name)
{
	struct drives *drives = ctx;
	const char *controller = strrchr(drives->controller, '/');
	char place[PATH_MAX];
	size_t used = strlen(drives->list);

	sysfs_link(place, sizeof(place), "/sys/block/%s/device", name);
	if (!controller || sysfs_u32(0, "/sys/block/%s/hidden", name) ||
	    (strcmp(place, drives->controller) != 0 &&
	     !sysfs_exists("/sys/block/%s/device%s/transport", name, controller)))
		return 0;
	snprintf(drives->list + used, sizeof(drives->list) - used, "%s/dev/%s",
		 used ? ", " : "", name);
	return 0;
}

static int controller(const char *path, const struct stat *st, struct pts_err *err)
{
	char place[PATH_MAX];
	struct drives drives = {.controller = place};

	sysfs_link(place, sizeof(place), "/sys/dev/char/%u:%u", major(st->st_rdev),
		   minor(st->st_rdev));
	sysfs_each(see_drive, &drives, "/sys/block");
	if (!drives.list[0])
		return pts_fail(err, PTS_EXIT_USAGE, ENOTBLK,
				"'%s' is an NVMe controller, not a drive: name a namespace, "
				"such as /dev/nvme0n1 (none hangs on this one)",
				path);
	return pts_fail(err, PTS_EXIT_USAGE, ENOTBLK,
			"'%s' is an NVMe controller, not a drive: name its namespace: %s", path,
			drives.list);
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
		return controller(path, st, err);
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

void device_name_of(dev_t device, char ret_name[DEVICE_NAME])
{
	char real[PATH_MAX];
	const char *slash;

	sysfs_link(real, sizeof(real), "/sys/dev/block/%u:%u", major(device), minor(device));
	slash = strrchr(real, '/');
	ret_name[0] = '\0';
	if (slash && strlen(slash + 1) < DEVICE_NAME)
		memcpy(ret_name, slash + 1, strlen(slash + 1) + 1);
}

static int block(const char *path, const struct stat *st, char ret_name[DEVICE_NAME],
		 struct pts_err *err)
{
	if (sysfs_exists("/sys/dev/block/%u:%u/partition", major(st->st_rdev),
			 minor(st->st_rdev)))
		return partition(path, st, err);
	if (!sysfs_exists("/sys/dev/block"))
		return pts_fail(err, PTS_EXIT_MISSING, ENOENT,
				"nothing can be known of '%s' without sysfs: mount it on /sys",
				path);
	device_name_of(st->st_rdev, ret_name);
	if (!ret_name[0])
		return pts_fail(
			err, PTS_EXIT_DEVICE, ENXIO,
			"'%s' is a block device that the kernel does not know (any more)",
			path);
	return 0;
}

int device_path_check(const char *path, struct stat *ret_st, char ret_name[DEVICE_NAME],
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
