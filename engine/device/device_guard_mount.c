/* The guard's look at mounts and swap (libmount). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <libmount.h>

#include "device_internal.h"

/* By the mount's device number, and by its source: btrfs mounts have numbers of their own. */
static bool mount_is_on(const struct guard_target *target, struct libmnt_fs *fs)
{
	const char *source = mnt_fs_get_srcpath(fs);
	struct stat st;

	if (guard_owns(target, mnt_fs_get_devno(fs)))
		return true;
	return source && source[0] == '/' && stat(source, &st) == 0 && S_ISBLK(st.st_mode) &&
	       guard_owns(target, st.st_rdev);
}

static void refuse_mount(struct guard_target *target, struct libmnt_fs *fs)
{
	dev_t device = mnt_fs_get_devno(fs);
	const char *where = mnt_fs_get_target(fs), *source = mnt_fs_get_srcpath(fs);
	bool whole = device == target->st.st_rdev;

	guard_refuse(target->facts, whole ? "mounted" : "partition-mounted",
		     "'%s' is mounted on '%s': umount it first%s",
		     whole || !source ? target->facts->path : source, where ? where : "?",
		     whole ? "" : " (it is a part of the drive)");
}

void guard_mounts(struct guard_target *target)
{
	struct libmnt_table *table;
	struct libmnt_iter *iter;
	struct libmnt_fs *fs;
	char path[PATH_MAX];

	if (!target->name[0])
		return;
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", device_root());
	table = mnt_new_table_from_file(path);
	iter = mnt_new_iter(MNT_ITER_FORWARD);
	if (!table)
		guard_refuse(target->facts, "no-mount-table",
			     "the table of mounts (%s) can't be read: is /proc mounted?", path);
	while (table && iter && mnt_table_next_fs(table, iter, &fs) == 0)
		if (mount_is_on(target, fs))
			refuse_mount(target, fs);
	mnt_free_iter(iter);
	mnt_unref_table(table);
}

/* On the device or a partition of it, in the file, or in the file behind the loop device. */
static bool swap_is_on(const struct guard_target *target, const struct stat *st)
{
	struct loop_backing own = {target->st.st_dev, target->st.st_ino, 0};

	if (S_ISBLK(st->st_mode))
		return target->name[0] && guard_owns(target, st->st_rdev);
	if (target->name[0] && !device_loop_backing(target->name, &own))
		return false;
	return S_ISREG(st->st_mode) && st->st_dev == own.device && st->st_ino == own.inode;
}

void guard_swaps(struct guard_target *target)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/swaps", device_root());
	if (table && iter && mnt_table_parse_swaps(table, path) == 0)
		while (mnt_table_next_fs(table, iter, &fs) == 0) {
			const char *source = mnt_fs_get_source(fs);
			struct stat st;

			if (source && stat(source, &st) == 0 && swap_is_on(target, &st))
				guard_refuse(target->facts, "swap",
					     "'%s' is in use as swap: swapoff %s first", source,
					     source);
		}
	mnt_free_iter(iter);
	mnt_unref_table(table);
}

/* The file system of an overlay's upper folder is where its writes go. */
static dev_t mount_device(struct libmnt_fs *fs, int depth);

static dev_t device_at(struct libmnt_table *table, const char *path, int depth)
{
	struct libmnt_fs *fs;
	struct stat st;

	if (stat(path, &st) < 0 || depth > 4)
		return 0;
	if (major(st.st_dev))
		return st.st_dev;
	fs = mnt_table_find_mountpoint(table, path, MNT_ITER_BACKWARD);
	return fs ? mount_device(fs, depth) : 0;
}

static dev_t mount_device(struct libmnt_fs *fs, int depth)
{
	const char *source = mnt_fs_get_srcpath(fs);
	char *upper = NULL, path[PATH_MAX];
	struct libmnt_table *table;
	size_t bytes = 0;
	struct stat st;
	dev_t device = 0;

	if (source && source[0] == '/' && stat(source, &st) == 0 && S_ISBLK(st.st_mode))
		return st.st_rdev;
	if (mnt_fs_get_option(fs, "upperdir", &upper, &bytes) != 0 || bytes >= sizeof(path))
		return 0;
	snprintf(path, sizeof(path), "%.*s", (int)bytes, upper);
	table = mnt_new_table_from_file("/proc/self/mountinfo");
	if (table)
		device = device_at(table, path, depth + 1);
	mnt_unref_table(table);
	return device;
}

dev_t guard_folder_device(const char *folder)
{
	struct libmnt_table *table;
	char path[PATH_MAX], at[PATH_MAX];
	struct stat st;
	dev_t device = 0;

	if (snprintf(path, sizeof(path), "%s", folder) >= (int)sizeof(path))
		return 0;
	/* it may be yet to be made: then its nearest parent says where */
	while (stat(path, &st) < 0) {
		char *slash = strrchr(path, '/');

		if (!strcmp(path, "/") || !strcmp(path, "."))
			return 0;
		if (!slash)
			memcpy(path, ".", 2);
		else if (slash == path)
			memcpy(path, "/", 2);
		else
			*slash = '\0';
	}
	if (!realpath(path, at))
		return 0;
	table = mnt_new_table_from_file("/proc/self/mountinfo");
	if (table)
		device = device_at(table, at, 0);
	mnt_unref_table(table);
	return device ? device : st.st_dev;
}
