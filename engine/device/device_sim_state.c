/*
 * The file that a model drive lives in between two processes ("state=FILE"). A new snapshot is
 * written beside it, made durable and put in its place, so that there is a whole one at any time;
 * a file that is not of this drive is never touched. Whoever writes to the drive holds a lock on
 * the file. It must not know what a snapshot holds, nor what time it is in the drive.
 */
#include "device_sim_state.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "pts_clock.h"
#include "sim_drive.h"

/* Of a run's time that keeping the drive may take where it need not be kept at once. */
#define COST_SHARE 20

/* ---- names ----------------------------------------------------------------------------- */

int device_sim_state_name(struct device_sim_state *state, const char *file, struct pts_err *err)
{
	char *folder_text = strdup(file), *base_text = strdup(file);
	char *folder = NULL;
	int rc = 0;

	memset(state, 0, sizeof(*state));
	state->fd = -1;
	if (!folder_text || !base_text)
		abort();
	folder = realpath(dirname(folder_text), NULL);
	if (!*file || file[strlen(file) - 1] == '/')
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			      "state='%s': a model drive's state is kept in a file", file);
	else if (!folder)
		rc = pts_fail(err, PTS_EXIT_USAGE, errno, "state='%s': its folder: %s", file,
			      pts_errno_text(errno));
	else if (snprintf(state->path, sizeof(state->path), "%s/%s",
			  strcmp(folder, "/") ? folder : "",
			  basename(base_text)) >= (int)sizeof(state->path))
		rc = pts_fail(err, PTS_EXIT_USAGE, ENAMETOOLONG, "state='%.200s...': too long",
			      file);
	free(folder);
	free(folder_text);
	free(base_text);
	return rc;
}

#define NEW_NAME_ROOM (PATH_MAX + 16)

static void new_name(const struct device_sim_state *state, char name[NEW_NAME_ROOM])
{
	snprintf(name, NEW_NAME_ROOM, "%s.pts-new", state->path);
}

/* Does the name lead to this very file? */
static bool leads_to(const char *name, const struct stat *file)
{
	struct stat now;

	return lstat(name, &now) == 0 && now.st_dev == file->st_dev &&
	       now.st_ino == file->st_ino;
}

static int fail_file(const char *name, const char *what, struct pts_err *err)
{
	return pts_fail(err, PTS_EXIT_MISSING, errno, "cannot %s '%s': %s", what, name,
			pts_errno_text(errno));
}

/* ---- in -------------------------------------------------------------------------------- */

static int fail_fault(enum sim_fault fault, const struct device_sim_state *state,
		      const struct sim_header *header, const struct sim_drive *drive,
		      struct pts_err *err)
{
	const char *path = state->path;

	switch (fault) {
	case SIM_FAULT_NONE:
		return 0;
	case SIM_FAULT_FOREIGN:
		return pts_fail(err, PTS_EXIT_SAFETY, EINVAL,
				"refused: '%s' is no model drive's state; name another file",
				path);
	case SIM_FAULT_VERSION:
		return pts_fail(err, PTS_EXIT_SAFETY, EINVAL,
				"refused: '%s' was written by another version of pts; name "
				"another file",
				path);
	case SIM_FAULT_MODEL:
		return pts_fail(
			err, PTS_EXIT_SAFETY, EINVAL,
			"refused: '%s' holds a drive of the model '%.60s' as that model "
			"was then; this is '%s': name another file",
			path, header->model, sim_drive_model(drive)->name);
	case SIM_FAULT_SEED:
		return pts_fail(err, PTS_EXIT_SAFETY, EINVAL,
				"refused: '%s' holds the drive with seed=%llu: give that seed, "
				"or another file",
				path, (unsigned long long)header->seed);
	default:
		return pts_fail(err, PTS_EXIT_SAFETY, EINVAL,
				"refused: '%s' is damaged: bring back a copy of it, or begin "
				"anew with another file",
				path);
	}
}

static int read_all(int fd, void *data, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = pread(fd, (char *)data + done, bytes - done, (off_t)done);

		if (got < 0)
			return -errno;
		if (!got)
			return -EIO;
		done += (size_t)got;
	}
	return 0;
}

/* The head is looked at first: what is not ours may be as large as it likes. */
static int restore(struct device_sim_state *state, int fd, const struct stat *st,
		   struct sim_drive *drive, struct pts_err *err)
{
	struct sim_header header = {0};
	size_t bytes = (size_t)st->st_size;
	enum sim_fault fault = SIM_FAULT_FOREIGN;
	void *snapshot = NULL;

	if (bytes >= sizeof(header) && read_all(fd, &header, sizeof(header)) < 0)
		return fail_file(state->path, "read", err);
	header.model[sizeof(header.model) - 1] = '\0';
	if (bytes >= sizeof(header))
		fault = sim_header_check(drive, &header, sizeof(header));
	if (!fault && bytes > sim_drive_snapshot_bytes(drive))
		fault = SIM_FAULT_DAMAGED;
	if (!fault) {
		snapshot = malloc(bytes);
		if (!snapshot)
			return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
		fault = read_all(fd, snapshot, bytes) < 0
				? SIM_FAULT_DAMAGED
				: sim_drive_restore(drive, snapshot, bytes);
		free(snapshot);
	}
	return fail_fault(fault, state, &header, drive, err);
}

int device_sim_state_load(struct device_sim_state *state, struct sim_drive *drive,
			  struct pts_err *err)
{
	int fd = open(state->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int rc;

	if (fd < 0 && errno == ENOENT)
		return 0; /* a fresh drive */
	if (fd < 0 && errno != ELOOP)
		return fail_file(state->path, "open", err);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		if (fd >= 0)
			close(fd);
		return pts_fail(err, PTS_EXIT_SAFETY, EINVAL,
				"refused: '%s' is no regular file; name another one",
				state->path);
	}
	rc = restore(state, fd, &st, drive, err);
	close(fd);
	if (rc)
		return rc;
	sim_drive_power_on(drive);
	state->file = st;
	state->exists = true;
	return 0;
}

/* ---- out ------------------------------------------------------------------------------- */

static int write_all(int fd, const struct sim_header *header,
		     const struct sim_piece pieces[SIM_DRIVE_PIECES])
{
	struct iovec part[SIM_DRIVE_PIECES + 1] = {
		{(void *)(uintptr_t)header, sizeof(*header)}};
	unsigned at = 0;

	for (unsigned i = 0; i < SIM_DRIVE_PIECES; i++)
		part[i + 1] =
			(struct iovec){(void *)(uintptr_t)pieces[i].data, pieces[i].bytes};
	while (at <= SIM_DRIVE_PIECES) {
		ssize_t done = writev(fd, part + at, (int)(SIM_DRIVE_PIECES + 1 - at));

		if (done < 0)
			return -errno;
		for (; at <= SIM_DRIVE_PIECES && (size_t)done >= part[at].iov_len; at++)
			done -= (ssize_t)part[at].iov_len;
		if (at > SIM_DRIVE_PIECES)
			break;
		part[at].iov_base = (char *)part[at].iov_base + done;
		part[at].iov_len -= (size_t)done;
	}
	return 0;
}

/* A kill may leave a new one of this drive, half written: that is removed, anything else stays. */
static int clear_way(const char *name, const struct sim_drive *drive, struct pts_err *err)
{
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct sim_header header;
	struct stat st;
	bool ours = false, busy = false;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		ours = !st.st_size ||
		       (read_all(fd, &header, sizeof(header)) == 0 &&
			sim_header_check(drive, &header, sizeof(header)) == SIM_FAULT_NONE);
		busy = flock(fd, LOCK_EX | LOCK_NB) < 0 || !leads_to(name, &st);
	}
	if (ours && !busy)
		unlink(name);
	if (fd >= 0)
		close(fd);
	if (ours && !busy)
		return 0;
	return pts_fail(
		err, PTS_EXIT_SAFETY, EEXIST,
		busy ? "refused: '%s' is being written by another process"
		     : "refused: '%s' is in the way and not of this model drive: move it",
		name);
}

/* A new snapshot under its temporary name, locked; its descriptor, or an error. */
static int write_new(const char *name, const struct sim_drive *drive, struct pts_err *err)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	struct sim_piece pieces[SIM_DRIVE_PIECES];
	struct sim_header header;
	int fd = open(name, flags, 0666), rc;

	if (fd < 0 && errno == EEXIST) {
		rc = clear_way(name, drive, err);
		if (rc)
			return rc;
		fd = open(name, flags, 0666);
	}
	if (fd < 0)
		return fail_file(name, "make", err);
	sim_drive_snapshot(drive, &header, pieces);
	rc = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : write_all(fd, &header, pieces);
	if (!rc && fdatasync(fd) < 0)
		rc = -errno;
	if (!rc)
		return fd;
	unlink(name);
	close(fd);
	errno = -rc;
	return fail_file(name, "write", err);
}

/* The folder's entry has to be durable too. */
static void sync_folder(const struct device_sim_state *state)
{
	char folder[PATH_MAX];
	int fd;

	snprintf(folder, sizeof(folder), "%s", state->path);
	fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int in_its_place(const struct device_sim_state *state, const char *name,
			struct pts_err *err)
{
	if (state->exists && !leads_to(state->path, &state->file))
		return pts_fail(err, PTS_EXIT_SAFETY, ESTALE,
				"refused: '%s' is not the file any more that this model drive "
				"was read from; the drive is not kept",
				state->path);
	if (!state->exists &&
	    renameat2(AT_FDCWD, name, AT_FDCWD, state->path, RENAME_NOREPLACE) < 0) {
		if (errno == EEXIST)
			return pts_fail(err, PTS_EXIT_SAFETY, EEXIST,
					"refused: '%s' has come meanwhile", state->path);
		return fail_file(state->path, "make", err);
	}
	if (state->exists && rename(name, state->path) < 0)
		return fail_file(state->path, "replace", err);
	return 0;
}

static int put(struct device_sim_state *state, const struct sim_drive *drive,
	       struct pts_err *err)
{
	char name[NEW_NAME_ROOM];
	int fd, rc;

	new_name(state, name);
	fd = write_new(name, drive, err);
	if (fd < 0)
		return fd;
	rc = in_its_place(state, name, err);
	if (rc) {
		unlink(name);
		close(fd);
		return rc;
	}
	sync_folder(state);
	if (state->fd >= 0)
		close(state->fd); /* its lock goes after the new one is there */
	state->fd = fd;
	state->exists = fstat(fd, &state->file) == 0;
	state->kept_ns = sim_drive_now_ns(drive);
	return 0;
}

/* ---- the lock -------------------------------------------------------------------------- */

int device_sim_state_hold(struct device_sim_state *state, const struct sim_drive *drive,
			  struct pts_err *err)
{
	int fd;

	if (state->fd >= 0)
		return 0;
	if (!state->exists)
		return put(state, drive, err);
	fd = open(state->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fail_file(state->path, "open", err);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return pts_fail(err, PTS_EXIT_SAFETY, EBUSY,
				"refused: the model drive in '%s' is in use by another process",
				state->path);
	}
	/* a holder replaces the file with each snapshot: the lock must be on the one we read */
	if (!leads_to(state->path, &state->file)) {
		close(fd);
		return pts_fail(err, PTS_EXIT_SAFETY, ESTALE,
				"refused: the model drive in '%s' was used by another process "
				"just now: begin again",
				state->path);
	}
	state->fd = fd;
	return 0;
}

void device_sim_state_let_go(struct device_sim_state *state)
{
	if (state->fd >= 0)
		close(state->fd);
	state->fd = -1;
}

/* ---- how often ------------------------------------------------------------------------- */

int device_sim_state_keep(struct device_sim_state *state, const struct sim_drive *drive,
			  bool at_once, struct pts_err *err)
{
	uint64_t begun_ns = pts_onlooker_ns();
	int rc;

	if (state->fd < 0 || state->kept_ns == sim_drive_now_ns(drive))
		return 0;
	if (!at_once && begun_ns < state->next_ns)
		return 0;
	rc = put(state, drive, err);
	state->next_ns = pts_onlooker_ns();
	state->next_ns += (state->next_ns - begun_ns) * (COST_SHARE - 1);
	return rc;
}
