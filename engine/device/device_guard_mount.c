/* The guard's look at mounts and swap (libmount) and at what lies on the device (libblkid). */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <blkid.h>
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

static bool swap_is_on(const struct guard_target *target, const struct stat *st)
{
	if (target->name[0])
		return S_ISBLK(st->st_mode) && guard_owns(target, st->st_rdev);
	return S_ISREG(st->st_mode) && st->st_dev == target->st.st_dev &&
	       st->st_ino == target->st.st_ino;
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

/* A member of an array or volume group that is not assembled now still holds somebody's data. */
void guard_signature(struct guard_target *target)
{
	const char *type = NULL, *usage = NULL;
	blkid_probe probe;
	int fd;

	if (!target->name[0] || device_root()[0])
		return;
	fd = open(target->facts->real_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	probe = fd >= 0 ? blkid_new_probe() : NULL;
	if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe,
						  BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE);
		if (blkid_do_safeprobe(probe) == 0) {
			blkid_probe_lookup_value(probe, "TYPE", &type, NULL);
			blkid_probe_lookup_value(probe, "USAGE", &usage, NULL);
		}
	}
	if (type && ((usage && !strcmp(usage, "raid")) || !strcmp(type, "zfs_member")))
		guard_refuse(
			target->facts, "member",
			"'%s' carries the signature of an array or volume (%s): if it is free, "
			"wipefs -a %s first",
			target->facts->path, type, target->facts->path);
	blkid_free_probe(probe);
	if (fd >= 0)
		close(fd);
}
