/*
 * A sysfs of the tests' own: drives that this machine has not, in a folder that goes away again.
 */
#ifndef DEVICE_FAKE_H
#define DEVICE_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "device_internal.h"

/* cmocka set-up and tear-down: an empty tree with /proc/self/mountinfo and /proc/swaps. */
int fake_begin(void **state);
int fake_end(void **state);
const char *fake_root(void);

/* A file below the root with this text (folders are made); bytes for odd content. */
void fake_text(const char *path, const char *text);
void fake_bytes(const char *path, const void *data, size_t bytes);
/* A link below the root that leads to a place below the root ("/sys/devices/..."). */
void fake_link(const char *path, const char *target);
void fake_remove(const char *path);
char *fake_path(char room[PATH_MAX], const char *path);

/* A disk at a place in /sys/devices, with number, size and LBA; its partition 1, 2 ... */
void fake_disk(const char *place, const char *number, uint64_t sectors, unsigned lba_bytes);
void fake_partition(const char *place, unsigned index, const char *number);
/* More text into the disk's own folder. */
void fake_attribute(const char *place, const char *name, const char *text);

/* The facts of a block device of that kernel name and number. */
int fake_facts(const char *name, unsigned a, unsigned b, struct device_facts *ret_facts,
	       struct pts_err *err);
/* The same when they must be had. */
void fake_facts_good(const char *name, unsigned a, unsigned b, struct device_facts *ret_facts);

/* The text of the first refusal with that code; NULL if there is none. */
const char *refusal_text(const struct device_facts *facts, const char *code);

/* One whole drive each, as the kernel (6.x) shows it. */
#define FAKE_NVME  "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/nvme/nvme0/nvme0n1"
#define FAKE_HEADS "/sys/devices/virtual/nvme-subsystem/nvme-subsys3"
#define FAKE_SATA                                                                              \
	"/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda"
void fake_nvme(void);           /* nvme0n1 (259:0), 4 GT/s wide */
void fake_nvme_two_paths(void); /* nvme3n1 (259:3) over the controllers nvme0 and nvme7 */
void fake_sata(void);           /* sda (8:0) with two partitions */

#endif
