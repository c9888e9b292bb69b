/* The guard's look at loop devices, and at what the store's file system lies upon. */
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "device_internal.h"

static bool same_backing(const struct loop_backing *a, const struct loop_backing *b)
{
	if (a->special || b->special)
		return a->special == b->special;
	return a->inode && a->inode == b->inode && a->device == b->device;
}

/* A loop device over this file, this device, or (for a loop) over the same backing file. */
static int scan_loop(void *ctx, const char *name)
{
	struct guard_target *target = ctx;
	const char *path = target->facts->path;
	struct loop_backing its, own = {target->st.st_dev, target->st.st_ino, 0};
	bool is_loop;

	if (strncmp(name, "loop", 4) != 0 || !strcmp(name, target->name) ||
	    !device_loop_backing(name, &its))
		return 0;
	if (target->name[0] && its.special && guard_owns(target, its.special))
		guard_refuse(target->facts, "loop-backing",
			     "'%s' backs the loop device /dev/%s: losetup -d /dev/%s first",
			     path, name, name);
	else if (!target->name[0] && same_backing(&its, &own))
		guard_refuse(target->facts, "loop-backing",
			     "the file '%s' backs the loop device /dev/%s: losetup -d /dev/%s "
			     "first, or test that device",
			     path, name, name);
	is_loop = target->name[0] && device_loop_backing(target->name, &own);
	if (is_loop && same_backing(&its, &own))
		guard_refuse(target->facts, "loop-shared",
			     "'%s' has the same file behind it as /dev/%s: losetup -d /dev/%s "
			     "first",
			     path, name, name);
	return 0;
}

void guard_loops(struct guard_target *target)
{
	sysfs_each(scan_loop, target, "/sys/block");
}

#define DEPTH_MAX 16 /* of devices upon devices */

static bool lies_on(const struct guard_target *target, dev_t device, int depth);

struct slave_scan {
	const struct guard_target *target;
	int depth;
};

static int scan_slave(void *ctx, const char *name)
{
	struct slave_scan *scan = ctx;
	char number[32];
	unsigned a, b;

	sysfs_text(number, sizeof(number), "/sys/class/block/%s/dev", name);
	return sscanf(number, "%u:%u", &a, &b) == 2 &&
	       lies_on(scan->target, makedev(a, b), scan->depth + 1);
}

/* Is this device the target, a part of it, or something that lies upon it? */
static bool lies_on(const struct guard_target *target, dev_t device, int depth)
{
	struct slave_scan scan = {target, depth};
	struct loop_backing backing;
	unsigned a = major(device), b = minor(device);
	char place[PATH_MAX], *disk;

	if (guard_owns(target, device))
		return true;
	sysfs_link(place, sizeof(place), "/sys/dev/block/%u:%u%s", a, b,
		   sysfs_exists("/sys/dev/block/%u:%u/partition", a, b) ? "/.." : "");
	disk = strrchr(place, '/');
	if (!disk || depth > DEPTH_MAX)
		return false;
	if (sysfs_each(scan_slave, &scan, "%s/slaves", place))
		return true;
	if (!device_loop_backing(disk + 1, &backing))
		return false;
	return lies_on(target, backing.special ? backing.special : backing.device, depth + 1);
}

void guard_store(struct guard_target *target, const char *store_dir)
{
	dev_t device;

	if (!store_dir || !target->name[0])
		return;
	device = guard_folder_device(store_dir);
	if (device && lies_on(target, device, 0))
		guard_refuse(target->facts, "store",
			     "the run's folder '%s' lies on '%s' itself: give --out on another "
			     "drive",
			     store_dir, target->facts->path);
}
