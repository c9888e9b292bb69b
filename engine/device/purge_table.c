/*
 * The table of purge methods, best first. The drive's own commands (NVMe Format and Sanitize, SCSI
 * FORMAT UNIT and SANITIZE, ATA SECURITY ERASE and SANITIZE) take the rows above these; what
 * stands here the PTS does not count as a purge (3.2), so each is a recorded deviation.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device_internal.h"
#include "purge.h"
#include "sim_drive.h"

#define CHUNK_BYTES (1ull << 30)

static bool can_discard(const struct device_facts *facts)
{
	return facts->discard_max_bytes > 0;
}

static bool always(const struct device_facts *facts)
{
	(void)facts;
	return true;
}

static bool is_model(const struct device_facts *facts)
{
	return facts->kind == DEVICE_SIM;
}

static bool has_bytes(const struct device_facts *facts)
{
	return !is_model(facts);
}

#define ZEROES_BYTES (1ull << 20)

/* Really written, so that the file has its blocks: ZERO_RANGE would only note them. */
static int write_zeroes(int fd, uint64_t start, uint64_t bytes)
{
	void *zeroes = NULL;
	uint64_t done = 0;

	if (posix_memalign(&zeroes, 4096, ZEROES_BYTES)) {
		errno = ENOMEM;
		return -1;
	}
	memset(zeroes, 0, ZEROES_BYTES);
	while (done < bytes) {
		uint64_t left = bytes - done;
		ssize_t got = pwrite(fd, zeroes, left < ZEROES_BYTES ? left : ZEROES_BYTES,
				     (off_t)(start + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = ENOSPC;
		if (got <= 0)
			break;
		done += (uint64_t)got;
	}
	free(zeroes);
	return done < bytes ? -1 : 0;
}

static int one_range(struct device *device, unsigned long request, uint64_t start,
		     uint64_t bytes)
{
	uint64_t range[2] = {start, bytes};
	int fd = device_fd(device);

	if (device_facts(device)->kind == DEVICE_BLOCK)
		return ioctl(fd, request, range);
	if (request == BLKDISCARD)
		return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)start,
				 (off_t)bytes);
	return write_zeroes(fd, start, bytes);
}

/* All LBAs, in chunks, so that progress is seen. Bytes after the last whole LBA are nobody's. */
static int whole(struct device *device, unsigned long request, const char *what,
		 int (*progress)(void *ctx, double share), void *ctx, struct pts_err *err)
{
	const struct device_facts *facts = device_facts(device);
	uint64_t total = facts->capacity_bytes - facts->capacity_bytes % facts->lba_bytes;

	for (uint64_t at = 0; at < total; at += CHUNK_BYTES) {
		uint64_t bytes = total - at < CHUNK_BYTES ? total - at : CHUNK_BYTES;

		if (one_range(device, request, at, bytes) < 0)
			return pts_fail(
				err, PTS_EXIT_DEVICE, errno,
				"purge by %s failed at byte %llu of '%s': %s; choose another "
				"with --purge",
				what, (unsigned long long)at, facts->path,
				pts_errno_text(errno));
		if (progress && progress(ctx, (double)(at + bytes) / (double)total) &&
		    at + bytes < total)
			return -ECANCELED;
	}
	return 0;
}

static int run_discard(struct device *device, int (*progress)(void *ctx, double share),
		       void *ctx, struct pts_err *err)
{
	return whole(device, BLKDISCARD, "discard", progress, ctx, err);
}

static int run_zeroes(struct device *device, int (*progress)(void *ctx, double share),
		      void *ctx, struct pts_err *err)
{
	return whole(device, BLKZEROOUT, "zeroes", progress, ctx, err);
}

/* At one moment of the caller's time: there is no way to stop half done. */
static int run_model(struct device *device, int (*progress)(void *ctx, double share), void *ctx,
		     struct pts_err *err)
{
	(void)err;
	sim_drive_purge(device_sim(device));
	if (progress)
		progress(ctx, 1);
	return 0;
}

static int run_none(struct device *device, int (*progress)(void *ctx, double share), void *ctx,
		    struct pts_err *err)
{
	(void)device;
	(void)progress;
	(void)ctx;
	(void)err;
	return 0;
}

static const struct purge_method methods[] = {
	{"model", "erase of a model drive (stands for a PTS purge)", true, is_model, run_model},
	{"discard", "discard of all blocks (not a PTS purge)", false, can_discard, run_discard},
	{"zeroes", "zeroes written to all blocks (not a PTS purge)", false, has_bytes,
	 run_zeroes},
	{"none", "no purge", false, always, run_none},
};

const struct purge_method *purge_methods(unsigned *ret_count)
{
	*ret_count = sizeof(methods) / sizeof(methods[0]);
	return methods;
}

/* Zeroes are a drive fill that the user did not ask for: only by name. */
static const struct purge_method *best(const struct device_facts *facts)
{
	for (unsigned i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (methods[i].possible(facts) && methods[i].run != run_zeroes)
			return &methods[i];
	return NULL; /* never: "none" always is possible */
}

int purge_choose(const struct device_facts *facts, const char *name,
		 const struct purge_method **ret_method, struct pts_err *err)
{
	unsigned count;
	const struct purge_method *method = purge_methods(&count);

	*ret_method = best(facts);
	if (!name || !strcmp(name, "auto"))
		return 0;
	for (unsigned i = 0; i < count; i++, method++) {
		if (strcmp(method->name, name) != 0)
			continue;
		if (!method->possible(facts))
			return pts_fail(
				err, PTS_EXIT_MISSING, ENOTSUP,
				"'%s' can't be purged by %s: the device does not offer it",
				facts->path, name);
		*ret_method = method;
		return 0;
	}
	return pts_fail(
		err, PTS_EXIT_USAGE, ENOENT,
		"unknown purge method '%s': there are auto, model, discard, zeroes, none",
		name);
}
