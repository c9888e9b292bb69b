/*
 * One writer: an flock on the run's folder (never on the database file, whose POSIX locks are
 * SQLite's). It ends with the process, also by kill -9. And: file systems where WAL can't work.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
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

/* /proc/locks: "1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF"; 0 if it isn't there. */
static long holder_of(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	struct stat st;
	long found = 0;

	if (!locks)
		return 0;
	if (fstat(fd, &st) == 0)
		while (!found && fgets(line, sizeof(line), locks)) {
			unsigned major, minor;
			unsigned long long inode;
			long pid;

			if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%llu", &pid, &major,
				   &minor, &inode) == 4 &&
			    inode == st.st_ino)
				found = pid;
		}
	fclose(locks);
	return found;
}

int store_lock(const char *path, int *ret_fd, struct pts_err *err)
{
	int fd = open_folder(path), rc;
	long pid;

	*ret_fd = -1;
	if (fd < 0)
		return pts_fail(err, PTS_EXIT_USAGE, errno,
				"cannot open the folder of '%s': %s", path,
				pts_errno_text(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		*ret_fd = fd;
		return 0;
	}
	pid = holder_of(fd);
	if (pid)
		rc = pts_fail(err, PTS_EXIT_USAGE, EBUSY,
			      "'%s' is being written by process %ld: one writer at a time",
			      path, pid);
	else
		rc = pts_fail(err, PTS_EXIT_USAGE, EBUSY,
			      "'%s' is being written by another process", path);
	close(fd);
	return rc;
}

int store_writer(const char *path, long *ret_pid)
{
	int fd = open_folder(path);

	*ret_pid = 0;
	if (fd < 0 || access("/proc/locks", R_OK) != 0) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	*ret_pid = holder_of(fd);
	close(fd);
	return *ret_pid != 0;
}

/* WAL needs shared memory between processes, which these can't give (numbers: statfs(2)). */
static const struct {
	unsigned long type;
	const char *name;
} remote[] = {
	{0x6969, "NFS"},     {0xff534d42, "CIFS"}, {0xfe534d42, "SMB2"},
	{0x517b, "SMB"},     {0x65735546, "FUSE"}, {0x01021997, "9p"},
	{0x5346414f, "AFS"}, {0x00c36400, "Ceph"}, {0x6a656a63, "virtiofs"},
};

bool store_is_remote(const char *path, const char **ret_name)
{
	int fd = open_folder(path);
	struct statfs fs = {0};
	bool known = fd >= 0 && fstatfs(fd, &fs) == 0;

	if (fd >= 0)
		close(fd);
	for (unsigned i = 0; known && i < sizeof(remote) / sizeof(remote[0]); i++)
		if (((unsigned long)fs.f_type & 0xffffffff) == remote[i].type) {
			*ret_name = remote[i].name;
			return true;
		}
	return false;
}
