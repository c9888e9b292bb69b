/* Facts of a block device or a regular file, from sysfs and ioctls on a read-only descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device_internal.h"

/* Where a device sits, by the path that the kernel gives it in sysfs; the first match counts. */
static const struct {
	const char *part, *transport;
	bool is_virtual;
} places[] = {
	{"/virtual/block/loop", "loop", true},
	{"/virtual/block/zram", "zram", true},
	{"/virtual/block/dm-", "device-mapper", true},
	{"/virtual/block/md", "md", true},
	{"/virtual/block/nbd", "nbd", true},
	{"/virtual/nvme-subsystem/", "nvme", false},
	{"/virtual/nvme-fabrics/", "nvme-fabrics", false},
	{"/virtual/", "virtual", true},
	{"/nvme/", "nvme", false},
	{"/usb", "usb", false},
	{"/ata", "sata", false},
	{"/end_device", "sas", false},
	{"/virtio", "virtio", true},
};

static void place(struct device_facts *facts)
{
	char real[PATH_MAX];

	snprintf(facts->transport, sizeof(facts->transport), "unknown");
	sysfs_link(real, sizeof(real), "/sys/dev/block/%u:%u", facts->major, facts->minor);
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strstr(real, places[i].part)) {
			snprintf(facts->transport, sizeof(facts->transport), "%s",
				 places[i].transport);
			facts->is_virtual = places[i].is_virtual;
			return;
		}
}

/* "none [mq-deadline]" -> mq-deadline */
static void bracketed(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (close) {
		*close = '\0';
		memmove(text, open + 1, strlen(open + 1) + 1);
	}
}

static void queue(struct device_facts *facts, const char *name)
{
	sysfs_text(facts->scheduler, sizeof(facts->scheduler), "/sys/block/%s/queue/scheduler",
		   name);
	bracketed(facts->scheduler);
	sysfs_text(facts->write_cache, sizeof(facts->write_cache),
		   "/sys/block/%s/queue/write_cache", name);
	facts->nr_requests = (uint32_t)sysfs_number(0, "/sys/block/%s/queue/nr_requests", name);
	facts->max_sectors_kb =
		(uint32_t)sysfs_number(0, "/sys/block/%s/queue/max_sectors_kb", name);
	facts->max_hw_sectors_kb =
		(uint32_t)sysfs_number(0, "/sys/block/%s/queue/max_hw_sectors_kb", name);
	facts->discard_max_bytes =
		sysfs_number(0, "/sys/block/%s/queue/discard_max_bytes", name);
	facts->rotational = sysfs_number(0, "/sys/block/%s/queue/rotational", name) != 0;
	facts->io_poll = sysfs_number(0, "/sys/block/%s/queue/io_poll", name) != 0;
	facts->removable = sysfs_number(0, "/sys/block/%s/removable", name) != 0;
	facts->read_only = sysfs_number(0, "/sys/block/%s/ro", name) != 0;
	facts->lba_bytes =
		(uint32_t)sysfs_number(512, "/sys/block/%s/queue/logical_block_size", name);
	facts->physical_bytes =
		(uint32_t)sysfs_number(0, "/sys/block/%s/queue/physical_block_size", name);
	facts->io_min_bytes =
		(uint32_t)sysfs_number(0, "/sys/block/%s/queue/minimum_io_size", name);
	facts->io_opt_bytes =
		(uint32_t)sysfs_number(0, "/sys/block/%s/queue/optimal_io_size", name);
	facts->metadata_bytes = (uint32_t)sysfs_number(0, "/sys/block/%s/metadata_bytes", name);
}

/* The PCIe function above the device: an NVMe controller's "device", or a parent further up. */
static void link_of(struct device_facts *facts, const char *name)
{
	static const char *const ways[] = {"device/device", "device/../..", "device"};
	char node[32];

	facts->numa_node = -1;
	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!sysfs_exists("/sys/block/%s/%s/current_link_speed", name, ways[i]))
			continue;
		sysfs_text(facts->link_speed, sizeof(facts->link_speed),
			   "/sys/block/%s/%s/current_link_speed", name, ways[i]);
		sysfs_text(facts->link_width, sizeof(facts->link_width),
			   "/sys/block/%s/%s/current_link_width", name, ways[i]);
		sysfs_text(facts->link_speed_max, sizeof(facts->link_speed_max),
			   "/sys/block/%s/%s/max_link_speed", name, ways[i]);
		sysfs_text(facts->link_width_max, sizeof(facts->link_width_max),
			   "/sys/block/%s/%s/max_link_width", name, ways[i]);
		if (sysfs_text(node, sizeof(node), "/sys/block/%s/%s/numa_node", name,
			       ways[i]) == 0)
			facts->numa_node = atoi(node);
		return;
	}
}

static int block_facts(struct device_facts *facts, const char *name, const struct stat *st,
		       struct pts_err *err)
{
	char real[PATH_MAX];

	facts->kind = DEVICE_BLOCK;
	facts->major = major(st->st_rdev);
	facts->minor = minor(st->st_rdev);
	facts->capacity_bytes = sysfs_number(0, "/sys/block/%s/size", name) * 512;
	place(facts);
	queue(facts, name);
	link_of(facts, name);
	sysfs_link(real, sizeof(real), "/sys/block/%s/device/driver", name);
	snprintf(facts->driver, sizeof(facts->driver), "%.60s",
		 strrchr(real, '/') ? strrchr(real, '/') + 1 : "");
	sysfs_text(facts->backing, sizeof(facts->backing), "/sys/block/%s/loop/backing_file",
		   name);
	if (!facts->capacity_bytes)
		return pts_fail(
			err, PTS_EXIT_DEVICE, ENODATA,
			"'%s' reports a capacity of 0: no medium, an unfinished format, or a "
			"format with metadata that the kernel can't use",
			facts->path);
	return 0;
}

/* Direct I/O on a file goes in units of its file system's device. */
static int file_facts(struct device_facts *facts, const struct stat *st, struct pts_err *err)
{
	facts->kind = DEVICE_FILE;
	facts->is_virtual = true;
	facts->numa_node = -1;
	facts->lba_bytes = 512;
	facts->capacity_bytes = (uint64_t)st->st_size;
	facts->physical_bytes = (uint32_t)st->st_blksize;
	facts->read_only = access(facts->path, W_OK) < 0 && errno == EROFS;
	snprintf(facts->transport, sizeof(facts->transport), "file");
	if (!facts->capacity_bytes)
		return pts_fail(err, PTS_EXIT_DEVICE, ENODATA, "'%s' is an empty file",
				facts->path);
	return 0;
}

int device_facts_read(const char *path, const char *store_dir, struct device_facts *ret_facts,
		      struct pts_err *err)
{
	struct stat st;
	char name[64], *real;
	int rc = device_path_check(path, &st, name, err);

	memset(ret_facts, 0, sizeof(*ret_facts));
	if (rc)
		return rc;
	snprintf(ret_facts->path, sizeof(ret_facts->path), "%s", path);
	real = realpath(path, NULL);
	snprintf(ret_facts->real_path, sizeof(ret_facts->real_path), "%s", real ? real : path);
	free(real);
	rc = S_ISBLK(st.st_mode) ? block_facts(ret_facts, name, &st, err)
				 : file_facts(ret_facts, &st, err);
	if (rc)
		return rc;
	device_identify(ret_facts, name, &st);
	guard_check(ret_facts, name, &st, store_dir);
	return 0;
}

static void each_text(void (*fn)(void *ctx, const char *key, const char *value), void *ctx,
		      const char *key, const char *value)
{
	if (value[0])
		fn(ctx, key, value);
}

static void each_number(void (*fn)(void *ctx, const char *key, const char *value), void *ctx,
			const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	fn(ctx, key, text);
}

void device_facts_each(const struct device_facts *facts,
		       void (*fn)(void *ctx, const char *key, const char *value), void *ctx)
{
	each_text(fn, ctx, "path", facts->path);
	each_text(fn, ctx, "real_path", facts->real_path);
	fn(ctx, "kind", facts->kind == DEVICE_FILE ? "file" : "block");
	each_text(fn, ctx, "identity", facts->identity);
	each_text(fn, ctx, "model", facts->model);
	each_text(fn, ctx, "serial", facts->serial);
	each_text(fn, ctx, "firmware", facts->firmware);
	each_text(fn, ctx, "vendor", facts->vendor);
	each_text(fn, ctx, "wwid", facts->wwid);
	each_text(fn, ctx, "transport", facts->transport);
	each_text(fn, ctx, "driver", facts->driver);
	each_text(fn, ctx, "backing", facts->backing);
	each_number(fn, ctx, "capacity_bytes", facts->capacity_bytes);
	each_number(fn, ctx, "lba_bytes", facts->lba_bytes);
	each_number(fn, ctx, "physical_bytes", facts->physical_bytes);
	each_number(fn, ctx, "io_min_bytes", facts->io_min_bytes);
	each_number(fn, ctx, "io_opt_bytes", facts->io_opt_bytes);
	each_number(fn, ctx, "metadata_bytes", facts->metadata_bytes);
	each_number(fn, ctx, "read_only", facts->read_only);
	each_number(fn, ctx, "removable", facts->removable);
	each_number(fn, ctx, "rotational", facts->rotational);
	each_number(fn, ctx, "is_virtual", facts->is_virtual);
	each_text(fn, ctx, "scheduler", facts->scheduler);
	each_text(fn, ctx, "write_cache", facts->write_cache);
	each_number(fn, ctx, "nr_requests", facts->nr_requests);
	each_number(fn, ctx, "max_sectors_kb", facts->max_sectors_kb);
	each_number(fn, ctx, "max_hw_sectors_kb", facts->max_hw_sectors_kb);
	each_number(fn, ctx, "discard_max_bytes", facts->discard_max_bytes);
	each_number(fn, ctx, "io_poll", facts->io_poll);
	if (facts->numa_node >= 0)
		each_number(fn, ctx, "numa_node", (uint64_t)facts->numa_node);
	each_text(fn, ctx, "link_speed", facts->link_speed);
	each_text(fn, ctx, "link_width", facts->link_width);
	each_text(fn, ctx, "link_speed_max", facts->link_speed_max);
	each_text(fn, ctx, "link_width_max", facts->link_width_max);
}
