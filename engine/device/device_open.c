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
#include <time.h>
#include <unistd.h>

#include "device_internal.h"
#include "pts_units.h"

#define LOCK_TRIES 100

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

/* The text that names what an open descriptor leads to now; "" if the kernel lost it. While it is
 * open its number is given to nothing else, so this is beyond doubt where a path is not. */
static void identity_of(const struct stat *st, const struct device_facts *facts,
			char ret_identity[DEVICE_TEXT])
{
	struct device_facts *now = calloc(1, sizeof(*now));
	char name[DEVICE_NAME] = "";

	ret_identity[0] = '\0';
	if (!now)
		return;
	now->kind = facts->kind;
	memcpy(now->real_path, facts->real_path, sizeof(now->real_path));
	if (now->kind == DEVICE_BLOCK) {
		device_name_of(st->st_rdev, name);
		device_place(now, name);
		sysfs_path(now->backing, "/sys/block/%s/loop/backing_file", name);
	}
	if (now->kind == DEVICE_FILE || name[0])
		device_identify(now, name, st);
	memcpy(ret_identity, now->identity, DEVICE_TEXT);
	free(now);
}

/* What an open descriptor leads to, against the facts: nothing changed, or what did. */
enum change { CHANGE_NONE, CHANGE_GONE, CHANGE_OTHER, CHANGE_SIZE, CHANGE_LBA };

static enum change changed(int fd, const struct device_facts *facts, uint64_t *ret_bytes)
{
	unsigned lba_bytes = facts->lba_bytes;
	char identity[DEVICE_TEXT];
	struct stat st;

	*ret_bytes = 0;
	if (fstat(fd, &st) < 0)
		return CHANGE_GONE;
	if (S_ISBLK(st.st_mode) != (facts->kind == DEVICE_BLOCK) ||
	    (S_ISBLK(st.st_mode) && st.st_rdev != makedev(facts->major, facts->minor)))
		return CHANGE_OTHER;
	*ret_bytes = size_of(fd, &st);
	identity_of(&st, facts, identity);
	if (!*ret_bytes || !identity[0])
		return CHANGE_GONE;
	if (strcmp(identity, facts->identity) != 0)
		return CHANGE_OTHER;
	if (*ret_bytes != facts->capacity_bytes)
		return CHANGE_SIZE;
	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKSSZGET, &lba_bytes) < 0)
		return CHANGE_GONE;
	return lba_bytes == facts->lba_bytes ? CHANGE_NONE : CHANGE_LBA;
}

static int fail_changed(enum change change, const struct device_facts *facts, uint64_t bytes,
			enum pts_exit exit, struct pts_err *err)
{
	switch (change) {
	case CHANGE_NONE:
		return 0;
	case CHANGE_GONE:
		return pts_fail(err, exit, ENODEV,
				"'%s' has gone: the kernel reports no capacity; connect it and "
				"go on with `pts resume`",
				facts->path);
	case CHANGE_OTHER:
		return pts_fail(err, exit, ENODEV,
				"'%s' is no longer '%s' but another device: names moved",
				facts->path, facts->identity);
	case CHANGE_SIZE:
		return pts_fail(err, exit, ENODEV,
				"'%s' changed its capacity from %llu to %llu bytes",
				facts->path, (unsigned long long)facts->capacity_bytes,
				(unsigned long long)bytes);
	default:
		return pts_fail(err, exit, ENODEV,
				"'%s' changed its LBA size, which was %u bytes", facts->path,
				facts->lba_bytes);
	}
}

static int compare(int fd, const struct device_facts *facts, enum pts_exit exit,
		   struct pts_err *err)
{
	uint64_t bytes;
	enum change change = changed(fd, facts, &bytes);

	return fail_changed(change, facts, bytes, exit, err);
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
	rc = compare(fd, facts, PTS_EXIT_SAFETY, err);
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

/* A model drive has no descriptor. */
static int sim_new(const struct device_facts *facts, struct device **ret_device,
		   struct pts_err *err)
{
	struct device *device;
	int rc = device_sim_check(facts, err);

	if (rc)
		return rc;
	device = calloc(1, sizeof(*device));
	if (!device)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	device->facts = *facts;
	device->fd = -1;
	*ret_device = device;
	return 0;
}

int device_open_read(const struct device_facts *facts, struct device **ret_device,
		     struct pts_err *err)
{
	int fd = -1, rc;

	*ret_device = NULL;
	if (facts->kind == DEVICE_SIM)
		return sim_new(facts, ret_device, err);
	rc = open_direct(facts, O_RDONLY, &fd, err);
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
	enum change change = CHANGE_NONE;
	int rc = device_facts_read(old->path, store_dir, ret_facts, err);

	if (rc)
		return rc;
	if (strcmp(ret_facts->identity, old->identity) != 0)
		change = CHANGE_OTHER;
	else if (ret_facts->capacity_bytes != old->capacity_bytes)
		change = CHANGE_SIZE;
	else if (ret_facts->lba_bytes != old->lba_bytes)
		change = CHANGE_LBA;
	if (change)
		return fail_changed(change, old, ret_facts->capacity_bytes, PTS_EXIT_SAFETY,
				    err);
	return refuse(ret_facts, identity, err);
}

/*
 * udev leaves a locked device alone, and a second run of ours finds it taken. It is asked for a
 * moment: the rings of a process that was killed keep its lock a little longer.
 */
static int lock(int fd)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	int tries = 0, rc;

	do {
		rc = flock(fd, LOCK_EX | LOCK_NB);
	} while (rc < 0 && errno == EWOULDBLOCK && ++tries < LOCK_TRIES &&
		 nanosleep(&pause, NULL) == 0);
	return rc;
}

int device_open_destroy(const struct device_facts *facts, const char *identity,
			const char *store_dir, struct device **ret_device, struct pts_err *err)
{
	struct device_facts now = {.kind = facts->kind};
	int fd = -1, rc = refuse(facts, identity, err);

	*ret_device = NULL;
	if (!rc)
		rc = refresh(facts, identity, store_dir, &now, err);
	if (!rc && now.kind == DEVICE_SIM) {
		rc = device_sim_hold(err);
		return rc ? rc : sim_new(&now, ret_device, err);
	}
	if (!rc)
		rc = open_direct(&now, O_RDWR | (now.kind == DEVICE_BLOCK ? O_EXCL : 0), &fd,
				 err);
	if (rc)
		return rc;
	if (lock(fd) < 0) {
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

struct sim_drive *device_sim(const struct device *device)
{
	return device_sim_of(&device->facts);
}

const struct device_facts *device_facts(const struct device *device)
{
	return &device->facts;
}

bool device_can_set_write_cache(const struct device_facts *facts)
{
	return facts->kind == DEVICE_SIM && device_sim_has_buffer();
}

int device_set_write_cache(struct device *device, bool enabled, struct pts_err *err)
{
	if (!device_can_set_write_cache(&device->facts))
		return pts_fail(err, PTS_EXIT_MISSING, ENOTSUP,
				"the write cache of '%s' can't be set by this program",
				device->facts.path);
	return device_sim_set_write_cache(&device->facts, enabled, err);
}

void device_close(struct device *device)
{
	if (!device)
		return;
	if (device->fd >= 0)
		close(device->fd);
	if (device->facts.kind == DEVICE_SIM)
		device_sim_let_go();
	free(device);
}

int device_keep(struct device *device, bool at_once, struct pts_err *err)
{
	return device->facts.kind == DEVICE_SIM ? device_sim_keep(at_once, err) : 0;
}

int device_check(struct device *device, struct pts_err *err)
{
	if (device->facts.kind == DEVICE_SIM)
		return device_sim_check(&device->facts, err);
	return compare(device->fd, &device->facts, PTS_EXIT_DEVICE, err);
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
