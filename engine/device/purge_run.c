/*
 * Running a purge and looking at what it left: a purge that failed is an error, never a warning.
 * Sampled LBAs are read before and after. What reads zero is no proof of an erase, but data that
 * are still there prove that there was none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pts_hash.h"
#include "purge.h"
#include "sim_drive.h"

#define SAMPLES 66 /* the first, the last, and 64 spread over the span */

/* One look at the device. A sum of 0: read zero, or not at all. */
struct seen {
	unsigned samples, zero, other, failed;
	uint64_t sum[SAMPLES];
	uint64_t failed_lba; /* the first one, and why */
	int error;
};

static uint64_t sum_of(const unsigned char *data, size_t bytes)
{
	uint64_t sum = bytes, word;
	bool zero = true;

	for (size_t at = 0; at < bytes; at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		zero = zero && !word;
		sum ^= word;
		sum = pts_splitmix64(&sum);
	}
	if (zero)
		return 0;
	return sum ? sum : 1;
}

static uint64_t sample_lba(const struct device_facts *facts, unsigned samples, unsigned i)
{
	uint64_t lbas = facts->capacity_bytes / facts->lba_bytes;
	unsigned last = samples > 1 ? samples - 1 : 1;

	return (uint64_t)((unsigned __int128)(lbas - 1) * i / last);
}

static unsigned sample_count(const struct device_facts *facts)
{
	uint64_t lbas = facts->capacity_bytes / facts->lba_bytes;

	return lbas < SAMPLES ? (unsigned)lbas : SAMPLES;
}

static int look(struct device *device, struct seen *ret_seen, struct pts_err *err)
{
	const struct device_facts *facts = device_facts(device);
	void *block = NULL;

	*ret_seen = (struct seen){.samples = sample_count(facts)};
	if (posix_memalign(&block, 4096, facts->lba_bytes < 4096 ? 4096 : facts->lba_bytes))
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	for (unsigned i = 0; i < ret_seen->samples; i++) {
		uint64_t lba = sample_lba(facts, ret_seen->samples, i);
		ssize_t got = pread(device_fd(device), block, facts->lba_bytes,
				    (off_t)(lba * facts->lba_bytes));

		if (got != (ssize_t)facts->lba_bytes && !ret_seen->failed++) {
			ret_seen->failed_lba = lba;
			ret_seen->error = got < 0 ? errno : EIO;
		}
		if (got != (ssize_t)facts->lba_bytes)
			continue;
		ret_seen->sum[i] = sum_of(block, facts->lba_bytes);
		ret_seen->zero += !ret_seen->sum[i];
		ret_seen->other += ret_seen->sum[i] != 0;
	}
	free(block);
	return 0;
}

/* Samples whose data are there as before. */
static unsigned kept(const struct seen *before, const struct seen *after)
{
	unsigned count = 0;

	for (unsigned i = 0; i < after->samples; i++)
		count += after->sum[i] && after->sum[i] == before->sum[i];
	return count;
}

static int judge(const struct device *device, const struct purge_method *method,
		 const struct seen *before, const struct seen *after, struct pts_err *err)
{
	const char *path = device_facts(device)->path;
	unsigned same = kept(before, after);

	if (after->failed)
		return pts_fail(
			err, PTS_EXIT_DEVICE, after->error,
			"after the purge by %s %u of %u sampled LBAs of '%s' can't be read, "
			"the first at LBA %llu: %s",
			method->name, after->failed, after->samples, path,
			(unsigned long long)after->failed_lba, pts_errno_text(after->error));
	if (!strcmp(method->name, "zeroes") && after->other)
		return pts_fail(
			err, PTS_EXIT_DEVICE, EIO,
			"the purge by zeroes left other data in %u of %u sampled LBAs of '%s'",
			after->other, after->samples, path);
	if (method->is_pts_purge && same)
		return pts_fail(
			err, PTS_EXIT_DEVICE, EIO,
			"the drive said that the purge by %s was done, but %u of %u sampled "
			"LBAs of '%s' hold the same data as before: they were not erased",
			method->name, same, before->other, path);
	return 0;
}

/* A model drive has no bytes, but knows where the host would find some. */
static int prove_model(struct device *device, char *ret_evidence, unsigned evidence_room,
		       struct pts_err *err)
{
	const struct device_facts *facts = device_facts(device);
	const struct sim_drive *drive = device_sim(device);
	unsigned samples = sample_count(facts), held = 0;

	for (unsigned i = 0; i < samples; i++)
		held += sim_drive_holds(drive,
					sample_lba(facts, samples, i) * facts->lba_bytes);
	snprintf(ret_evidence, evidence_room,
		 "of %u sampled LBAs of the model drive %u hold no data, %u do", samples,
		 samples - held, held);
	if (held)
		return pts_fail(err, PTS_EXIT_DEVICE, EIO,
				"after the purge %u of %u sampled LBAs of '%s' hold data", held,
				samples, facts->path);
	return 0;
}

static int run_model(struct device *device, const struct purge_method *method,
		     int (*progress)(void *ctx, double share), void *ctx, char *ret_evidence,
		     unsigned evidence_room, struct pts_err *err)
{
	int rc = method->run(device, progress, ctx, err);

	if (!rc)
		rc = device_check(device, err);
	if (!rc && method->is_pts_purge)
		rc = prove_model(device, ret_evidence, evidence_room, err);
	else if (!rc)
		snprintf(ret_evidence, evidence_room, "nothing was done");
	return rc ? rc : device_keep(device, true, err);
}

int purge_run(struct device *device, const struct purge_method *method,
	      int (*progress)(void *ctx, double share), void *ctx, char *ret_evidence,
	      unsigned evidence_room, struct pts_err *err)
{
	struct seen before, after;
	int rc;

	if (device_facts(device)->kind == DEVICE_SIM)
		return run_model(device, method, progress, ctx, ret_evidence, evidence_room,
				 err);
	rc = look(device, &before, err);
	if (!rc)
		rc = method->run(device, progress, ctx, err);
	if (!rc)
		rc = device_check(device, err);
	if (!rc)
		rc = look(device, &after, err);
	if (rc)
		return rc;
	snprintf(ret_evidence, evidence_room,
		 "of %u sampled LBAs %u read zero, %u other data, %u not at all, %u the same "
		 "data "
		 "as before; capacity and LBA size unchanged",
		 after.samples, after.zero, after.other - kept(&before, &after), after.failed,
		 kept(&before, &after));
	return judge(device, method, &before, &after, err);
}
