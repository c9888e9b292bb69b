/*
 * The guard: everything that speaks against writing to a device, each with its own sentence and
 * the way out. All of them are collected, not only the first. Looks only; never writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "device_internal.h"

#define BUSY_TRIES 50

void guard_refuse(struct device_facts *facts, const char *code, const char *fmt, ...)
{
	struct device_refusal *refusal;
	va_list args;

	if (facts->refusal_count == DEVICE_REFUSALS)
		return;
	refusal = &facts->refusals[facts->refusal_count++];
	snprintf(refusal->code, sizeof(refusal->code), "%s", code);
	va_start(args, fmt);
	vsnprintf(refusal->text, sizeof(refusal->text), fmt, args);
	va_end(args);
}

bool guard_owns(const struct guard_target *target, dev_t device)
{
	for (unsigned i = 0; i < target->part_count; i++)
		if (target->parts[i] == device)
			return true;
	return false;
}

static void add_part(struct guard_target *target, const char *number)
{
	unsigned a, b;

	if (target->part_count < GUARD_PARTS_MAX && sscanf(number, "%u:%u", &a, &b) == 2)
		target->parts[target->part_count++] = makedev(a, b);
}

struct holder_scan {
	struct guard_target *target;
	const char *what; /* "nvme0n1" or "nvme0n1p2" */
};

static int refuse_holder(void *ctx, const char *name)
{
	struct holder_scan *scan = ctx;
	char dm[128];

	sysfs_text(dm, sizeof(dm), "/sys/block/%s/dm/name", name);
	guard_refuse(
		scan->target->facts, "holder",
		"/dev/%s is held by %s%s%s%s (md, device mapper, LVM, bcache): stop or detach "
		"that first",
		scan->what, name, dm[0] ? " ('" : "", dm, dm[0] ? "')" : "");
	return 0;
}

static int scan_part(void *ctx, const char *name)
{
	struct guard_target *target = ctx;
	struct holder_scan scan = {target, name};
	char number[32];

	if (!sysfs_exists("/sys/block/%s/%s/partition", target->name, name))
		return 0;
	sysfs_text(number, sizeof(number), "/sys/block/%s/%s/dev", target->name, name);
	add_part(target, number);
	sysfs_each(refuse_holder, &scan, "/sys/block/%s/%s/holders", target->name, name);
	return 0;
}

/* A loop device over this file, this device, or (for a loop) over the same backing file. */
static int scan_loop(void *ctx, const char *name)
{
	struct guard_target *target = ctx;
	char backing[PATH_MAX];
	struct stat st, own;

	if (strncmp(name, "loop", 4) != 0 || !strcmp(name, target->name) ||
	    sysfs_text(backing, sizeof(backing), "/sys/block/%s/loop/backing_file", name) < 0 ||
	    stat(backing, &st) < 0)
		return 0;
	if (target->name[0] && S_ISBLK(st.st_mode) && guard_owns(target, st.st_rdev))
		guard_refuse(target->facts, "loop-backing",
			     "'%s' backs the loop device /dev/%s: losetup -d /dev/%s first",
			     target->facts->path, name, name);
	else if (!target->name[0] && st.st_dev == target->st.st_dev &&
		 st.st_ino == target->st.st_ino)
		guard_refuse(target->facts, "loop-backing",
			     "the file '%s' backs the loop device /dev/%s: losetup -d /dev/%s "
			     "first, or "
			     "test that device",
			     target->facts->path, name, name);
	else if (target->facts->backing[0] && stat(target->facts->backing, &own) == 0 &&
		 st.st_dev == own.st_dev && st.st_ino == own.st_ino &&
		 st.st_rdev == own.st_rdev)
		guard_refuse(
			target->facts, "loop-shared",
			"'%s' has the same backing file as /dev/%s: losetup -d /dev/%s first",
			target->facts->path, name, name);
	return 0;
}

/* Is the file system of the store on this device, or on something that lies upon it? */
static bool below(const struct guard_target *target, unsigned a, unsigned b, int depth);

struct slave_scan {
	const struct guard_target *target;
	int depth;
	bool found;
};

static int scan_slave(void *ctx, const char *name)
{
	struct slave_scan *scan = ctx;
	char number[32];
	unsigned a, b;

	sysfs_text(number, sizeof(number), "/sys/class/block/%s/dev", name);
	if (sscanf(number, "%u:%u", &a, &b) == 2 && below(scan->target, a, b, scan->depth + 1))
		scan->found = true;
	return 0;
}

static bool below(const struct guard_target *target, unsigned a, unsigned b, int depth)
{
	struct slave_scan scan = {target, depth, false};
	char backing[PATH_MAX];
	struct stat st;

	if (guard_owns(target, makedev(a, b)))
		return true;
	if (depth > 8)
		return false;
	sysfs_each(scan_slave, &scan, "/sys/dev/block/%u:%u/slaves", a, b);
	if (!scan.found &&
	    sysfs_text(backing, sizeof(backing), "/sys/dev/block/%u:%u/loop/backing_file", a,
		       b) == 0 &&
	    stat(backing, &st) == 0)
		scan.found =
			S_ISBLK(st.st_mode)
				? below(target, major(st.st_rdev), minor(st.st_rdev), depth + 1)
				: below(target, major(st.st_dev), minor(st.st_dev), depth + 1);
	return scan.found;
}

static void check_store(struct guard_target *target, const char *store_dir)
{
	struct stat st;

	if (!store_dir || !target->name[0] || stat(store_dir, &st) < 0)
		return;
	if (below(target, major(st.st_dev), minor(st.st_dev), 0))
		guard_refuse(target->facts, "store",
			     "the run's folder '%s' lies on '%s' itself: give --out on another "
			     "drive",
			     store_dir, target->facts->path);
}

static void check_facts(struct guard_target *target)
{
	struct device_facts *facts = target->facts;
	char zoned[32];

	if (facts->read_only)
		guard_refuse(facts, "read-only",
			     "'%s' is read only: lift the write protection (blockdev --setrw)",
			     facts->path);
	if (facts->metadata_bytes)
		guard_refuse(
			facts, "metadata",
			"'%s' is formatted with %u bytes of metadata an LBA: format it without "
			"(nvme id-ns -H lists the formats)",
			facts->path, facts->metadata_bytes);
	if (target->name[0] &&
	    sysfs_text(zoned, sizeof(zoned), "/sys/block/%s/queue/zoned", target->name) == 0 &&
	    strcmp(zoned, "none") != 0)
		guard_refuse(facts, "zoned",
			     "'%s' is a zoned device (%s): it takes no random writes",
			     facts->path, zoned);
	if (facts->lba_bytes < 512 || facts->capacity_bytes < facts->lba_bytes)
		guard_refuse(facts, "geometry",
			     "'%s' reports LBAs of %u bytes and a capacity of %llu bytes",
			     facts->path, facts->lba_bytes,
			     (unsigned long long)facts->capacity_bytes);
}

/*
 * The kernel's own word: what it says that nothing above explained. It is asked again for a
 * moment: the rings of a process that was killed, or a probe of udev's, hold a device a little
 * longer than they are seen.
 */
static void check_exclusive(struct guard_target *target)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	int fd, tries = 0;

	if (!target->name[0] || target->facts->refusal_count)
		return;
	do {
		fd = open(target->facts->real_path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);
	} while (fd < 0 && errno == EBUSY && ++tries < BUSY_TRIES &&
		 nanosleep(&pause, NULL) == 0);
	if (fd >= 0)
		close(fd);
	else if (errno == EBUSY)
		guard_refuse(target->facts, "busy",
			     "'%s' is in use (the kernel gives no exclusive access): see "
			     "lsblk, fuser",
			     target->facts->path);
}

void guard_check(struct device_facts *facts, const char *name, const struct stat *st,
		 const char *store_dir)
{
	struct guard_target target = {.facts = facts, .name = name, .st = *st};
	struct holder_scan scan = {&target, name};

	facts->refusal_count = 0;
	check_facts(&target);
	if (name[0]) {
		target.parts[target.part_count++] = st->st_rdev;
		sysfs_each(refuse_holder, &scan, "/sys/block/%s/holders", name);
		sysfs_each(scan_part, &target, "/sys/block/%s", name);
	}
	guard_mounts(&target);
	guard_swaps(&target);
	sysfs_each(scan_loop, &target, "/sys/block");
	check_store(&target, store_dir);
	guard_signature(&target);
	check_exclusive(&target);
}
