/*
 * Purge methods: one table, from the drive's own erase commands down to "none". A row says
 * whether the PTS counts it as a purge; the others are always a recorded deviation.
 */
#ifndef PURGE_H
#define PURGE_H

#include "device.h"

struct purge_method {
	const char *name;  /* what --purge takes: "discard", "zeroes", "none" */
	const char *title; /* for people */
	bool is_pts_purge; /* PTS 3.2 */
	bool (*possible)(const struct device_facts *facts);
	int (*run)(struct device *device, int (*progress)(void *ctx, double share), void *ctx,
		   struct pts_err *err);
};

/* Best first. Rows for NVMe, SCSI and ATA stand before these when they are built. */
const struct purge_method *purge_methods(unsigned *ret_count);

/* NULL or "auto": the best that is possible (never NULL: "none" always is). By name: -ENOENT
 * (PTS_EXIT_USAGE, names the ones there are), -ENOTSUP (PTS_EXIT_MISSING: not on this device). */
int purge_choose(const struct device_facts *facts, const char *name,
		 const struct purge_method **ret_method, struct pts_err *err);

/* Runs it and proves it: read-back samples over the span, before and after. A failed purge is an
 * error, never a warning (PTS_EXIT_DEVICE); one that counts for the PTS and left data where they
 * were has failed. progress may be NULL; if it returns non-zero before the end, the purge
 * is left half done, where the method allows it: -ECANCELED without a message. ret_evidence gets
 * one line of what was seen. */
int purge_run(struct device *device, const struct purge_method *method,
	      int (*progress)(void *ctx, double share), void *ctx, char *ret_evidence,
	      unsigned evidence_room, struct pts_err *err);

#endif
