/*
 * The guard's look at what lies on the device now (libblkid): a member of an array or volume that
 * is not assembled still holds somebody's data, and no holder tells of it. Other content is
 * a fact, not a refusal.
 */
#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <blkid.h>

#include "device_internal.h"
#include "pts_text.h"

struct content_scan {
	struct guard_target *target;
	blkid_probe probe;
	int fd;
	const char *node; /* "/dev/sda2", or the path as given */
	uint64_t start_bytes;
};

/* libblkid's usage of these is not "raid", but they are members all the same. */
static bool is_member(const char *type, const char *usage)
{
	static const char *const types[] = {"zfs_member", "bcache", "ceph_bluestore", "stratis",
					    "vdo"};

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(type, types[i]))
			return true;
	return !strcmp(usage, "raid");
}

/* btrfs of several devices: their count stands at 88h of the super block, at 64 KiB. */
static bool is_btrfs_member(const struct content_scan *scan, const char *type)
{
	uint64_t count = 0;

	return !strcmp(type, "btrfs") &&
	       pread(scan->fd, &count, sizeof(count),
		     (off_t)(scan->start_bytes + 0x10000 + 0x88)) == (ssize_t)sizeof(count) &&
	       le64toh(count) > 1;
}

static void look_up(blkid_probe probe, const char *name, char *text, size_t room)
{
	const char *value = NULL;

	text[0] = '\0';
	if (blkid_probe_lookup_value(probe, name, &value, NULL) == 0 && value)
		pts_printable(value, strlen(value), text, room);
}

static void note(struct device_facts *facts, const char *type, const char *label)
{
	size_t used = strlen(facts->content);

	snprintf(facts->content + used, sizeof(facts->content) - used, "%s%s%s%s%s",
		 used ? ", " : "", type, label[0] ? " '" : "", label, label[0] ? "'" : "");
}

static void see_one(struct content_scan *scan)
{
	struct device_facts *facts = scan->target->facts;
	char type[64], usage[64], label[96];

	look_up(scan->probe, "TYPE", type, sizeof(type));
	look_up(scan->probe, "USAGE", usage, sizeof(usage));
	look_up(scan->probe, "LABEL", label, sizeof(label));
	if (!type[0]) /* a table of partitions */
		look_up(scan->probe, "PTTYPE", type, sizeof(type));
	if (!type[0])
		return;
	note(facts, type, label);
	if (is_member(type, usage) || is_btrfs_member(scan, type))
		guard_refuse(facts, "member",
			     "%s holds a member of an array or volume (%s, says libblkid): if "
			     "nobody needs it, wipefs -a %s first",
			     scan->node, type, scan->node);
}

/* All signatures, not the one that libblkid would choose: two of them are no less a reason. */
static void see_range(struct content_scan *scan, uint64_t bytes)
{
	if (blkid_probe_set_device(scan->probe, scan->fd, (blkid_loff_t)scan->start_bytes,
				   (blkid_loff_t)bytes) < 0)
		return;
	blkid_probe_enable_superblocks(scan->probe, 1);
	blkid_probe_set_superblocks_flags(scan->probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
							       BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(scan->probe, 1);
	for (unsigned i = 0; i < 32 && blkid_do_probe(scan->probe) == 0; i++)
		see_one(scan);
}

static int see_partition(void *ctx, const char *name)
{
	struct content_scan *whole = ctx;
	struct content_scan scan = *whole;
	const char *disk = whole->target->name;
	uint64_t sectors = sysfs_number(0, "/sys/block/%s/%s/size", disk, name);
	char node[DEVICE_NAME + 8];

	if (!sectors || !sysfs_exists("/sys/block/%s/%s/partition", disk, name))
		return 0;
	snprintf(node, sizeof(node), "/dev/%.63s", name);
	scan.node = node;
	scan.start_bytes = sysfs_number(0, "/sys/block/%s/%s/start", disk, name) * 512;
	see_range(&scan, sectors * 512);
	return 0;
}

void guard_content(struct guard_target *target)
{
	struct content_scan scan = {.target = target, .node = target->facts->path};

	if (device_root()[0])
		return;
	scan.fd = open(target->facts->real_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (scan.fd < 0)
		return;
	scan.probe = blkid_new_probe();
	if (scan.probe) {
		see_range(&scan, 0);
		if (target->name[0])
			sysfs_each(see_partition, &scan, "/sys/block/%s", target->name);
		blkid_free_probe(scan.probe);
	}
	close(scan.fd);
}
