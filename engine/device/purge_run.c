/* Running a purge and looking at what it left: a purge that failed is an error, never a warning. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "purge.h"

#define SAMPLES 66 /* the first, the last, and 64 spread over the span */

struct seen {
	unsigned samples, zero, other, failed;
	uint64_t failed_lba; /* the first one, and why */
	int error;
};

static bool all_zero(const unsigned char *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (data[i])
			return false;
	return true;
}

static int look(struct device *device, struct seen *ret_seen, struct pts_err *err)
{
	const struct device_facts *facts = device_facts(device);
	uint64_t lbas = facts->capacity_bytes / facts->lba_bytes;
	void *block = NULL;

	*ret_seen = (struct seen){.samples = lbas < SAMPLES ? (unsigned)lbas : SAMPLES};
	if (posix_memalign(&block, 4096, facts->lba_bytes < 4096 ? 4096 : facts->lba_bytes))
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	for (unsigned i = 0; i < ret_seen->samples; i++) {
		unsigned last = ret_seen->samples > 1 ? ret_seen->samples - 1 : 1;
		uint64_t lba = (uint64_t)((unsigned __int128)(lbas - 1) * i / last);
		ssize_t got = pread(device_fd(device), block, facts->lba_bytes,
				    (off_t)(lba * facts->lba_bytes));

		if (got != (ssize_t)facts->lba_bytes && !ret_seen->failed++) {
			ret_seen->failed_lba = lba;
			ret_seen->error = got < 0 ? errno : EIO;
		}
		if (got != (ssize_t)facts->lba_bytes)
			continue;
		if (all_zero(block, facts->lba_bytes))
			ret_seen->zero++;
		else
			ret_seen->other++;
	}
	free(block);
	return 0;
}

int purge_run(struct device *device, const struct purge_method *method,
	      int (*progress)(void *ctx, double share), void *ctx, char *ret_evidence,
	      unsigned evidence_room, struct pts_err *err)
{
	struct seen seen = {0};
	int rc = method->run(device, progress, ctx, err);

	if (device_facts(device)->kind == DEVICE_SIM) {
		snprintf(ret_evidence, evidence_room,
			 "said by the model drive; it holds no bytes to look at");
		if (!rc)
			rc = device_check(device, err);
		return rc ? rc : device_keep(device, true, err);
	}
	if (!rc)
		rc = device_check(device, err);
	if (!rc)
		rc = look(device, &seen, err);
	if (rc)
		return rc;
	snprintf(ret_evidence, evidence_room,
		 "of %u sampled LBAs %u read zero, %u other data, %u not at all; capacity and "
		 "LBA size unchanged",
		 seen.samples, seen.zero, seen.other, seen.failed);
	if (seen.failed)
		return pts_fail(
			err, PTS_EXIT_DEVICE, seen.error,
			"after the purge by %s %u of %u sampled LBAs of '%s' can't be read, "
			"the first at LBA %llu: %s",
			method->name, seen.failed, seen.samples, device_facts(device)->path,
			(unsigned long long)seen.failed_lba, pts_errno_text(seen.error));
	if (!strcmp(method->name, "zeroes") && seen.other)
		return pts_fail(
			err, PTS_EXIT_DEVICE, EIO,
			"the purge by zeroes left other data in %u of %u sampled LBAs of '%s'",
			seen.other, seen.samples, device_facts(device)->path);
	return 0;
}
