/*
 * One writer: an flock on the run's folder (never on the database file, whose POSIX locks are
 * SQLite's and would be lost with any close() of it). It ends with the process, also by kill -9.
 * And: who holds a lock, and on which file systems WAL can't work.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "store_internal.h"

static int open_folder(const char *path)
{
	char *copy = strdup(path);
	int fd = -1;

	if (copy)
		fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	return fd;
}

/*
 * /proc/locks: "1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF", device in hexadecimal. Some file
 * systems show another device number there than stat does, so an inode alone is the second
 * choice. 0: nobody (but the process `except`) is seen.
 */
static long holder_of(const struct stat *st, const char *want_kind, pid_t except)
{
	FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	long sure = 0, likely = 0;

	if (!locks)
		return 0;
	while (!sure && fgets(line, sizeof(line), locks)) {
		unsigned major, minor;
		unsigned long long inode;
		char kind[16];
		long pid;

		if (sscanf(line, "%*s %15s %*s %*s %ld %x:%x:%llu", kind, &pid, &major, &minor,
			   &inode) != 5 ||
		    strcmp(kind, want_kind) != 0 || inode != st->st_ino || pid == except)
			continue;
		if (major == major(st->st_dev) && minor == minor(st->st_dev))
			sure = pid;
		else
			likely = pid;
	}
	fclose(locks);
	return sure ? sure : likely;
}

static long holder_of_path(const char *path, const char *suffix)
{
	char *name = NULL;
	struct stat st;
	long pid = 0;

	if (asprintf(&name, "%s%s", path, suffix) < 0)
		return 0;
	if (stat(name, &st) == 0)
		pid = holder_of(&st, "POSIX", getpid());
	free(name);
	return pid;
}

long store_locked_by(const char *path)
{
	long pid = holder_of_path(path, "-shm");

	return pid ? pid : holder_of_path(path, "");
}

int store_lock(const char *path, int *ret_fd, struct pts_err *err)
{
	int fd = open_folder(path), error, rc;
	struct stat st;
	long pid = 0;

	*ret_fd = -1;
	if (fd < 0)
		return pts_fail(err, PTS_EXIT_USAGE, errno,
				"cannot open the folder of '%s': %s", path,
				pts_errno_text(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		*ret_fd = fd;
		return 0;
	}
	error = errno;
	if (error == EWOULDBLOCK && fstat(fd, &st) == 0)
		pid = holder_of(&st, "FLOCK", 0);
	if (error != EWOULDBLOCK)
		rc = pts_fail(err, PTS_EXIT_MISSING, error,
			      "cannot lock the folder of '%s': %s", path,
			      pts_errno_text(error));
	else if (pid)
		rc = pts_fail(err, PTS_EXIT_USAGE, EBUSY,
			      "'%s' is being written by process %ld: one writer at a time",
			      path, pid);
	else
		rc = pts_fail(err, PTS_EXIT_USAGE, EBUSY,
			      "'%s' is being written by another process: one writer at a time",
			      path);
	close(fd);
	return rc;
}

int store_writer(const char *path, long *ret_pid)
{
	int fd = open_folder(path);
	struct stat st;

	*ret_pid = 0;
	if (fd < 0 || fstat(fd, &st) < 0 || access("/proc/locks", R_OK) != 0) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	close(fd);
	*ret_pid = holder_of(&st, "FLOCK", 0);
	return *ret_pid != 0;
}

/* WAL needs memory shared between all that have the file open, and locks that work: not there on
 * these. virtiofs calls itself FUSE. Lustre, GPFS and BeeGFS are in no kernel header. */
static const struct {
	uint32_t type;
	const char *name;
} remote[] = {
	{NFS_SUPER_MAGIC, "NFS"},   {CIFS_SUPER_MAGIC, "CIFS"},   {SMB2_SUPER_MAGIC, "SMB2"},
	{SMB_SUPER_MAGIC, "SMB"},   {FUSE_SUPER_MAGIC, "FUSE"},   {V9FS_MAGIC, "9p"},
	{AFS_SUPER_MAGIC, "AFS"},   {AFS_FS_MAGIC, "AFS"},        {CEPH_SUPER_MAGIC, "Ceph"},
	{CODA_SUPER_MAGIC, "Coda"}, {OCFS2_SUPER_MAGIC, "OCFS2"}, {0x0bd00bd0, "Lustre"},
	{0x47504653, "GPFS"},       {0x19830326, "BeeGFS"},       {0x786f4256, "vboxsf"},
};

const char *store_remote_fs(uint64_t f_type)
{
	/* f_type is a long: a type with its top bit set comes sign-extended on some machines */
	uint32_t type = (uint32_t)f_type;

	for (unsigned i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		if (type == remote[i].type)
			return remote[i].name;
	return NULL;
}

const char *store_remote_name(const char *path)
{
	int fd = open_folder(path);
	struct statfs fs = {0};
	const char *name = NULL;

	if (fd >= 0 && fstatfs(fd, &fs) == 0)
		name = store_remote_fs((uint64_t)fs.f_type);
	if (fd >= 0)
		close(fd);
	return name;
}
