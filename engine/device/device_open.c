/* Opening: for reading by anybody, for writing only past guard and identity. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device_internal.h"
#include "pts_units.h"

struct device {
	struct device_facts facts;
	int fd;
};

static int open_direct(const struct device_facts *facts, int flags, int *ret_fd,
		       struct pts_err *err)
{
	int fd = open(facts->real_path, flags | O_DIRECT | O_CLOEXEC);

	if (fd < 0 && errno == EBUSY)
		return pts_fail(err, PTS_EXIT_SAFETY, EBUSY,
				"cannot open '%s': it is in use (see lsblk, fuser)",
				facts->path);
	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return pts_fail(
			err, PTS_EXIT_MISSING, errno,
			"cannot open '%s': %s: run as root, or with rights on the device",
			facts->path, pts_errno_text(errno));
	if (fd < 0 && errno == EINVAL && facts->kind == DEVICE_FILE)
		return pts_fail(
			err, PTS_EXIT_DEVICE, EINVAL,
			"'%s' lies on a file system without direct I/O: its numbers would be "
			"the host's memory's",
			facts->path);
	if (fd < 0)
		return pts_fail(err, PTS_EXIT_DEVICE, errno, "cannot open '%s': %s",
				facts->path, pts_errno_text(errno));
	*ret_fd = fd;
	return 0;
}

static uint64_t size_of(int fd, const struct stat *st)
{
	uint64_t bytes = 0;

	if (S_ISREG(st->st_mode))
		return (uint64_t)st->st_size;
	return ioctl(fd, BLKGETSIZE64, &bytes) < 0 ? 0 : bytes;
}

/* The descriptor must be what the facts were read of: names move. */
static int compare(int fd, const struct device_facts *facts, struct pts_err *err)
{
	unsigned lba_bytes = facts->lba_bytes;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return pts_fail(err, PTS_EXIT_DEVICE, errno, "'%s': %s", facts->path,
				pts_errno_text(errno));
	if (S_ISBLK(st.st_mode) && (st.st_rdev != makedev(facts->major, facts->minor) ||
				    ioctl(fd, BLKSSZGET, &lba_bytes) < 0))
		return pts_fail(err, PTS_EXIT_SAFETY, ENODEV,
				"'%s' is another device than a moment ago", facts->path);
	if (size_of(fd, &st) != facts->capacity_bytes || lba_bytes != facts->lba_bytes)
		return pts_fail(err, PTS_EXIT_SAFETY, ENODEV,
				"'%s' has another size than a moment ago", facts->path);
	return 0;
}

static int device_new(const struct device_facts *facts, int fd, struct device **ret_device,
		      struct pts_err *err)
{
	struct device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device) {
		close(fd);
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	}
	rc = compare(fd, facts, err);
	if (rc) {
		free(device);
		close(fd);
		return rc;
	}
	device->facts = *facts;
	device->fd = fd;
	*ret_device = device;
	return 0;
}

int device_open_read(const struct device_facts *facts, struct device **ret_device,
		     struct pts_err *err)
{
	int fd = -1, rc = open_direct(facts, O_RDONLY, &fd, err);

	*ret_device = NULL;
	return rc ? rc : device_new(facts, fd, ret_device, err);
}

static int refuse(const struct device_facts *facts, const char *identity, struct pts_err *err)
{
	if (facts->refusal_count)
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM, "refused: %s",
				facts->refusals[0].text);
	if (!identity || !*identity)
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM,
				"refused: everything on '%s' would be destroyed; confirm with "
				"--destroy %s",
				facts->path, facts->identity);
	if (strcmp(identity, facts->identity) != 0)
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM,
				"refused: '%s' is '%s', not '%s': nothing was written",
				facts->path, facts->identity, identity);
	return 0;
}

/* Read again now: what was said of the device may be hours old. */
static int refresh(const struct device_facts *old, const char *identity, const char *store_dir,
		   struct device_facts *ret_facts, struct pts_err *err)
{
	int rc = device_facts_read(old->path, store_dir, ret_facts, err);

	if (rc)
		return rc;
	rc = refuse(ret_facts, identity, err);
	if (!rc && strcmp(ret_facts->identity, old->identity) != 0)
		rc = pts_fail(err, PTS_EXIT_SAFETY, ENODEV,
			      "refused: '%s' is another device than a moment ago", old->path);
	return rc;
}

int device_open_destroy(const struct device_facts *facts, const char *identity,
			const char *store_dir, struct device **ret_device, struct pts_err *err)
{
	struct device_facts now;
	int fd = -1, rc = refuse(facts, identity, err);

	*ret_device = NULL;
	if (!rc)
		rc = refresh(facts, identity, store_dir, &now, err);
	if (!rc)
		rc = open_direct(&now, O_RDWR | (now.kind == DEVICE_BLOCK ? O_EXCL : 0), &fd,
				 err);
	if (rc)
		return rc;
	/* udev leaves a locked device alone, and a second run of ours finds it taken */
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return pts_fail(err, PTS_EXIT_SAFETY, EBUSY,
				"refused: '%s' is locked by another program", facts->path);
	}
	return device_new(&now, fd, ret_device, err);
}

int device_fd(const struct device *device)
{
	return device->fd;
}

const struct device_facts *device_facts(const struct device *device)
{
	return &device->facts;
}

void device_close(struct device *device)
{
	if (!device)
		return;
	close(device->fd);
	free(device);
}

int device_check(struct device *device, struct pts_err *err)
{
	const struct device_facts *facts = &device->facts;
	struct stat st;
	uint64_t bytes = fstat(device->fd, &st) == 0 ? size_of(device->fd, &st) : 0;

	if (bytes == facts->capacity_bytes)
		return 0;
	if (!bytes)
		return pts_fail(
			err, PTS_EXIT_DEVICE, ENODEV,
			"'%s' has gone: its capacity reads 0; connect it and go on with "
			"`pts resume`",
			facts->path);
	return pts_fail(err, PTS_EXIT_DEVICE, ENODEV,
			"'%s' changed its capacity from %llu to %llu bytes", facts->path,
			(unsigned long long)facts->capacity_bytes, (unsigned long long)bytes);
}

int device_stat_read(const struct device *device, struct device_stat *ret_stat)
{
	unsigned long long r_ios, r_sectors, w_ios, w_sectors;
	char text[512];

	if (device->facts.kind != DEVICE_BLOCK)
		return -ENOTSUP;
	if (sysfs_text(text, sizeof(text), "/sys/dev/block/%u:%u/stat", device->facts.major,
		       device->facts.minor) < 0 ||
	    sscanf(text, "%llu %*u %llu %*u %llu %*u %llu", &r_ios, &r_sectors, &w_ios,
		   &w_sectors) != 4)
		return -ENOTSUP;
	*ret_stat = (struct device_stat){
		.read_ios = r_ios,
		.read_bytes = pts_sectors_bytes(r_sectors),
		.write_ios = w_ios,
		.write_bytes = pts_sectors_bytes(w_sectors),
	};
	return 0;
}
