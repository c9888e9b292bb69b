/* What the files of the device room share. */
#ifndef DEVICE_INTERNAL_H
#define DEVICE_INTERNAL_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "device.h"

/*
 * device_sysfs.c: every look into sysfs (and /proc) goes through here, below a root that tests
 * may set to a tree of their own. Text is trimmed, odd bytes are escaped, missing is "" and -ENOENT.
 */
void device_root_set(const char *root); /* NULL: "" */
const char *device_root(void);
int sysfs_text(char *text, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int sysfs_raw(void *data, size_t room, size_t *ret_bytes, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
uint64_t sysfs_number(uint64_t otherwise, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool sysfs_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Target of a link below the root, resolved; "" if there is none. */
void sysfs_link(char *text, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* fn for each entry of a folder, sorted; non-zero ends it. */
int sysfs_each(int (*fn)(void *ctx, const char *name), void *ctx, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* device_path.c: what a path is; ret_name is the kernel's name of a block device ("nvme0n1"). */
int device_path_check(const char *path, struct stat *ret_st, char ret_name[64],
		      struct pts_err *err);

/* device_identity.c */
void device_identify(struct device_facts *facts, const char *name, const struct stat *st);

/* device_guard.c, device_guard_mount.c */
#define GUARD_PARTS_MAX 256

struct guard_target {
	struct device_facts *facts;
	const char *name; /* kernel name; "" for a file */
	struct stat st;
	dev_t parts[GUARD_PARTS_MAX]; /* the device and its partitions */
	unsigned part_count;
};

void guard_refuse(struct device_facts *facts, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool guard_owns(const struct guard_target *target, dev_t device);
void guard_check(struct device_facts *facts, const char *name, const struct stat *st,
		 const char *store_dir);
void guard_mounts(struct guard_target *target);
void guard_swaps(struct guard_target *target);
void guard_signature(struct guard_target *target);

#endif
