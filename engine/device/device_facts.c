/* Facts of a block device or a regular file, from sysfs and stat. Opens nothing for writing. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "device_internal.h"
#include "pts_units.h"

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
	facts->nr_requests = sysfs_u32(0, "/sys/block/%s/queue/nr_requests", name);
	facts->max_sectors_kb = sysfs_u32(0, "/sys/block/%s/queue/max_sectors_kb", name);
	facts->max_hw_sectors_kb = sysfs_u32(0, "/sys/block/%s/queue/max_hw_sectors_kb", name);
	facts->discard_max_bytes =
		sysfs_number(0, "/sys/block/%s/queue/discard_max_bytes", name);
	facts->rotational = sysfs_u32(0, "/sys/block/%s/queue/rotational", name) != 0;
	facts->io_poll = sysfs_u32(0, "/sys/block/%s/queue/io_poll", name) != 0;
	facts->removable = sysfs_u32(0, "/sys/block/%s/removable", name) != 0;
	facts->read_only = sysfs_u32(0, "/sys/block/%s/ro", name) != 0;
	facts->lba_bytes = sysfs_u32(0, "/sys/block/%s/queue/logical_block_size", name);
	facts->physical_bytes = sysfs_u32(0, "/sys/block/%s/queue/physical_block_size", name);
	facts->io_min_bytes = sysfs_u32(0, "/sys/block/%s/queue/minimum_io_size", name);
	facts->io_opt_bytes = sysfs_u32(0, "/sys/block/%s/queue/optimal_io_size", name);
	facts->metadata_bytes = sysfs_u32(0, "/sys/block/%s/metadata_bytes", name);
}

static int no_capacity(const struct device_facts *facts, const char *name, struct pts_err *err)
{
	if (!strcmp(facts->transport, "loop") && !facts->backing[0])
		return pts_fail(err, PTS_EXIT_DEVICE, ENODATA,
				"'%s' is a loop device without a file behind it: losetup %s "
				"FILE first",
				facts->path, facts->path);
	if (sysfs_u32(0, "/sys/block/%s/removable", name))
		return pts_fail(err, PTS_EXIT_DEVICE, ENODATA,
				"'%s' reports a capacity of 0: is a medium in it?",
				facts->path);
	return pts_fail(err, PTS_EXIT_DEVICE, ENODATA,
			"'%s' reports a capacity of 0: a drive that failed, an unfinished "
			"format, or LBAs with metadata that the kernel can't use (nvme id-ns "
			"-H lists the formats)",
			facts->path);
}

static int block_facts(struct device_facts *facts, const char *name, const struct stat *st,
		       struct pts_err *err)
{
	uint64_t sectors = sysfs_number(0, "/sys/block/%s/size", name);

	facts->kind = DEVICE_BLOCK;
	facts->major = major(st->st_rdev);
	facts->minor = minor(st->st_rdev);
	/* the kernel's unit, whatever the LBA; more than a file offset can say is no size */
	if (sectors <= INT64_MAX / 512)
		facts->capacity_bytes = pts_sectors_bytes(sectors);
	device_place(facts, name);
	queue(facts, name);
	sysfs_path(facts->backing, "/sys/block/%s/loop/backing_file", name);
	return facts->capacity_bytes ? 0 : no_capacity(facts, name, err);
}

/* The unit of direct I/O: the file system's word, else its device's LBA. */
static uint32_t file_lba_bytes(const char *path, const struct stat *st)
{
	unsigned a = major(st->st_dev), b = minor(st->st_dev);
	uint32_t lba_bytes;
#ifdef STATX_DIOALIGN
	struct statx sx;

	if (statx(AT_FDCWD, path, 0, STATX_DIOALIGN, &sx) == 0 &&
	    sx.stx_mask & STATX_DIOALIGN && sx.stx_dio_offset_align)
		return sx.stx_dio_offset_align < 512 ? 512 : sx.stx_dio_offset_align;
#else
	(void)path;
#endif
	lba_bytes = sysfs_u32(0, "/sys/dev/block/%u:%u/queue/logical_block_size", a, b);
	if (!lba_bytes)
		lba_bytes = sysfs_u32(512, "/sys/dev/block/%u:%u/../queue/logical_block_size",
				      a, b);
	return lba_bytes;
}

/* File systems that punch holes; which one it is can be known without touching the file. */
static bool file_punches(const char *path)
{
	static const long magics[] = {
		0xef53 /* ext4 */,         0x58465342 /* xfs */,  0x9123683e /* btrfs */,
		0x01021994 /* tmpfs */,    0xf2f52010 /* f2fs */, 0x2fc12fc1 /* zfs */,
		0xca451a4e /* bcachefs */,
	};
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return false;
	for (unsigned i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if ((unsigned long)fs.f_type == (unsigned long)magics[i])
			return true;
	return false;
}

static int file_facts(struct device_facts *facts, const struct stat *st, struct pts_err *err)
{
	facts->kind = DEVICE_FILE;
	facts->is_virtual = true;
	facts->numa_node = -1;
	facts->lba_bytes = file_lba_bytes(facts->real_path, st);
	facts->capacity_bytes = (uint64_t)st->st_size;
	facts->physical_bytes = (uint32_t)st->st_blksize;
	facts->discard_max_bytes = file_punches(facts->real_path) ? facts->capacity_bytes : 0;
	facts->read_only = access(facts->real_path, W_OK) < 0 && errno == EROFS;
	snprintf(facts->transport, sizeof(facts->transport), "file");
	if (!facts->capacity_bytes)
		return pts_fail(err, PTS_EXIT_DEVICE, ENODATA,
				"'%s' is an empty file: give it a size (truncate -s 1G FILE)",
				facts->path);
	return 0;
}

int device_facts_fill(const char *path, const char *name, const struct stat *st,
		      const char *store_dir, struct device_facts *ret_facts,
		      struct pts_err *err)
{
	char *real = realpath(path, NULL);
	int rc;

	memset(ret_facts, 0, sizeof(*ret_facts));
	snprintf(ret_facts->path, sizeof(ret_facts->path), "%s", path);
	snprintf(ret_facts->real_path, sizeof(ret_facts->real_path), "%s", real ? real : path);
	free(real);
	rc = S_ISBLK(st->st_mode) ? block_facts(ret_facts, name, st, err)
				  : file_facts(ret_facts, st, err);
	if (rc)
		return rc;
	device_identify(ret_facts, name, st);
	guard_check(ret_facts, name, st, store_dir);
	return 0;
}

int device_facts_read(const char *path, const char *store_dir, struct device_facts *ret_facts,
		      struct pts_err *err)
{
	char name[DEVICE_NAME];
	struct stat st;
	int rc;

	memset(ret_facts, 0, sizeof(*ret_facts));
	if (path && device_sim_is(path))
		return device_sim_facts(path, ret_facts, err);
	rc = device_path_check(path, &st, name, err);
	return rc ? rc : device_facts_fill(path, name, &st, store_dir, ret_facts, err);
}
