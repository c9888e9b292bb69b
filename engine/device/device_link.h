/*
 * How much the drive's link lets through, and whether a measured rate can be true. Rates in MB/s
 * of 10^6 bytes, one direction, after line coding and before any protocol (TLP heads, FIS), so
 * that nothing real is above them.
 */
#ifndef DEVICE_LINK_H
#define DEVICE_LINK_H

#include "device.h"

enum device_link_state {
	DEVICE_LINK_UNKNOWN, /* virtual, or not reported: n/a, never a warning */
	DEVICE_LINK_OK,
	DEVICE_LINK_DOWNGRADED, /* trained below what the drive can */
	DEVICE_LINK_IMPOSSIBLE, /* a measured rate is above the limit: not the drive's data */
};

struct device_link {
	enum device_link_state state;
	double limit_mb_per_s;  /* of the link as it is; 0: not known */
	double best_mb_per_s;   /* of the drive's own best link; 0: not known */
	bool is_slot_the_limit; /* downgraded, and the slot above can't do more */
	char text[256];         /* a sentence, with the way out; "" while all is well */
};

/* PCIe: "16.0 GT/s PCIe" and "4"; 2.5 and 5 GT/s carry 8b/10b, 8 to 32 GT/s 128b/130b (PCI
 * Express Base 3.0, 4.2), 64 GT/s no line code of its own; SATA: "6.0 Gbps", 8b/10b. 0: unknown. */
double device_link_limit(const char *speed, const char *width);

/* measured rates may be 0: not measured. Each direction has the whole limit for itself. */
void device_link_judge(const struct device_facts *facts, double read_mb_per_s,
		       double write_mb_per_s, struct device_link *ret_link);

const char *device_link_state_text(enum device_link_state state); /* "ok", "downgraded" ... */

#endif
