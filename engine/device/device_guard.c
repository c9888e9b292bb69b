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

/* False without room: then the guard can't know enough, and says so. */
static bool add_part(struct guard_target *target, const char *number)
{
	unsigned a, b;

	if (sscanf(number, "%u:%u", &a, &b) != 2)
		return true;
	if (target->part_count == GUARD_PARTS_MAX)
		return false;
	target->parts[target->part_count++] = makedev(a, b);
	return true;
}

/* How the owner lets go of a device. */
static void way_out(char *text, size_t room, const char *holder)
{
	char name[128], uuid[64];

	sysfs_text(name, sizeof(name), "/sys/block/%s/dm/name", holder);
	sysfs_text(uuid, sizeof(uuid), "/sys/block/%s/dm/uuid", holder);
	if (!strncmp(holder, "md", 2))
		snprintf(text, room, "the array %s: mdadm --stop /dev/%s", holder, holder);
	else if (!strncmp(uuid, "LVM-", 4))
		snprintf(text, room, "LVM ('%s'): lvchange -an /dev/mapper/%s", name, name);
	else if (!strncmp(uuid, "CRYPT-", 6))
		snprintf(text, room, "encryption ('%s'): cryptsetup close %s", name, name);
	else if (name[0])
		snprintf(text, room, "the device mapper ('%s'): dmsetup remove %s", name, name);
	else if (!strncmp(holder, "bcache", 6))
		snprintf(text, room, "%s: echo 1 > /sys/block/%s/bcache/stop", holder, holder);
	else
		snprintf(text, room, "%s: stop that", holder);
}

struct holder_scan {
	struct guard_target *target;
	const char *what; /* "nvme0n1" or "nvme0n1p2" */
};

static int refuse_holder(void *ctx, const char *name)
{
	struct holder_scan *scan = ctx;
	char way[320];

	way_out(way, sizeof(way), name);
	guard_refuse(scan->target->facts, "holder", "/dev/%s is held by %s first", scan->what,
		     way);
	return 0;
}

struct disk_scan {
	struct guard_target *target;
	const char *disk;
	bool fits;
};

static int scan_part(void *ctx, const char *name)
{
	struct disk_scan *scan = ctx;
	struct holder_scan holders = {scan->target, name};
	char number[32];

	if (!sysfs_exists("/sys/block/%s/%s/partition", scan->disk, name))
		return 0;
	sysfs_text(number, sizeof(number), "/sys/block/%s/%s/dev", scan->disk, name);
	scan->fits = add_part(scan->target, number) && scan->fits;
	sysfs_each(refuse_holder, &holders, "/sys/block/%s/%s/holders", scan->disk, name);
	return 0;
}

/* A whole disk: its number, its holders, and the same of its partitions. */
static bool scan_disk(struct guard_target *target, const char *disk)
{
	struct disk_scan scan = {target, disk, true};
	struct holder_scan holders = {target, disk};
	char number[32];

	sysfs_text(number, sizeof(number), "/sys/block/%s/dev", disk);
	scan.fits = add_part(target, number);
	sysfs_each(refuse_holder, &holders, "/sys/block/%s/holders", disk);
	sysfs_each(scan_part, &scan, "/sys/block/%s", disk);
	return scan.fits;
}

/* The same drive by another path (two ports, two controllers): what is mounted there counts. */
static int scan_other_path(void *ctx, const char *name)
{
	struct disk_scan *scan = ctx;
	const struct device_facts *facts = scan->target->facts;
	struct device_facts *other;

	if (!strcmp(name, scan->target->name) || sysfs_u32(0, "/sys/block/%s/hidden", name))
		return 0;
	other = calloc(1, sizeof(*other));
	if (!other)
		return 0;
	device_names_read(other, name);
	if (!strcmp(other->wwid, facts->wwid) && !strcmp(other->serial, facts->serial))
		scan->fits = scan_disk(scan->target, name) && scan->fits;
	free(other);
	return 0;
}

static void scan_disks(struct guard_target *target)
{
	struct disk_scan scan = {target, target->name, true};

	target->parts[target->part_count++] = target->st.st_rdev;
	scan.fits = scan_disk(target, target->name);
	if (target->facts->wwid[0])
		sysfs_each(scan_other_path, &scan, "/sys/block");
	if (!scan.fits)
		guard_refuse(target->facts, "too-many-parts",
			     "'%s' has more than %u partitions and paths: remove some",
			     target->facts->path, GUARD_PARTS_MAX);
}

static void check_format(struct guard_target *target)
{
	struct device_facts *facts = target->facts;
	char text[64];

	if (facts->metadata_bytes)
		guard_refuse(
			facts, "metadata",
			"'%s' is formatted with %u bytes of metadata an LBA: format it without "
			"(nvme id-ns -H lists the formats)",
			facts->path, facts->metadata_bytes);
	else if (target->name[0] &&
		 sysfs_text(text, sizeof(text), "/sys/block/%s/integrity/format",
			    target->name) == 0 &&
		 text[0] && strcmp(text, "none") != 0)
		guard_refuse(
			facts, "metadata",
			"'%s' is formatted with protection information (%s): format it without",
			facts->path, text);
	if (target->name[0] &&
	    sysfs_text(text, sizeof(text), "/sys/block/%s/queue/zoned", target->name) == 0 &&
	    text[0] && strcmp(text, "none") != 0)
		guard_refuse(facts, "zoned",
			     "'%s' is a zoned device (%s): it takes no random writes; test "
			     "another drive",
			     facts->path, text);
}

static void check_facts(struct guard_target *target)
{
	struct device_facts *facts = target->facts;
	uint32_t lba = facts->lba_bytes;

	if (facts->read_only)
		guard_refuse(facts, "read-only",
			     "'%s' is read only: lift the write protection%s", facts->path,
			     facts->kind == DEVICE_FILE ? " of its file system"
							: " (blockdev --setrw)");
	if (lba < 512 || (lba & (lba - 1)) || facts->capacity_bytes < lba)
		guard_refuse(facts, "geometry",
			     "'%s' reports LBAs of %u bytes and a capacity of %llu bytes: no "
			     "test fits that",
			     facts->path, lba, (unsigned long long)facts->capacity_bytes);
	check_format(target);
}

/* A virtual machine holds its image by a lock of its open file. */
static void check_lock(struct guard_target *target, int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
		guard_refuse(target->facts, "busy",
			     "'%s' is locked by another program (a virtual machine?): end that "
			     "first (see lslocks)",
			     target->facts->path);
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
	int flags = target->name[0] ? O_EXCL : 0;

	if (target->facts->refusal_count || device_root()[0])
		return;
	do {
		fd = open(target->facts->real_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	} while (fd < 0 && errno == EBUSY && ++tries < BUSY_TRIES &&
		 nanosleep(&pause, NULL) == 0);
	if (fd < 0 && errno == EBUSY)
		guard_refuse(target->facts, "busy",
			     "'%s' is in use (the kernel gives no exclusive access): see "
			     "lsblk, fuser",
			     target->facts->path);
	if (fd < 0)
		return;
	if (!target->name[0])
		check_lock(target, fd);
	close(fd);
}

void guard_check(struct device_facts *facts, const char *name, const struct stat *st,
		 const char *store_dir)
{
	struct guard_target target = {.facts = facts, .name = name, .st = *st};

	facts->refusal_count = 0;
	check_facts(&target);
	if (name[0])
		scan_disks(&target);
	guard_mounts(&target);
	guard_swaps(&target);
	guard_loops(&target);
	guard_store(&target, store_dir);
	guard_content(&target);
	check_exclusive(&target);
}
