/* What the files of the device room share. */
#ifndef DEVICE_INTERNAL_H
#define DEVICE_INTERNAL_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "device.h"

/*
 * device_sysfs.c: every look into sysfs (and /proc) goes through here, below a root that tests
 * may set to a tree of their own. Text is trimmed, odd bytes are escaped, missing is "" and
 * -ENOENT. With a root of its own nothing is asked of the kernel's devices themselves.
 */
void device_root_set(const char *root); /* NULL: "" */
const char *device_root(void);
int sysfs_text(char *text, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int sysfs_raw(void *data, size_t room, size_t *ret_bytes, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A file name that stands in a file, byte by byte: nothing trimmed but the final newline. */
int sysfs_path(char path[PATH_MAX], const char *fmt, ...) __attribute__((format(printf, 2, 3)));
uint64_t sysfs_number(uint64_t otherwise, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
uint32_t sysfs_u32(uint32_t otherwise, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool sysfs_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Where a link leads, resolved and without the root ("/sys/devices/..."); "" if nowhere. */
void sysfs_link(char *text, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* fn for each entry of a folder, sorted; non-zero ends it. */
int sysfs_each(int (*fn)(void *ctx, const char *name), void *ctx, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* device_path.c: what a path is; ret_name is the kernel's name of a block device ("nvme0n1"). */
#define DEVICE_NAME 64
int device_path_check(const char *path, struct stat *ret_st, char ret_name[DEVICE_NAME],
		      struct pts_err *err);
/* The kernel's name of a device number; "" if it has none. */
void device_name_of(dev_t device, char ret_name[DEVICE_NAME]);

/* device_facts.c: all facts and the guard, for a path that device_path_check() has named. */
int device_facts_fill(const char *path, const char *name, const struct stat *st,
		      const char *store_dir, struct device_facts *ret_facts,
		      struct pts_err *err);

/* device_place.c: transport, drivers, links; and who shares the NVMe subsystem. */
void device_place(struct device_facts *facts, const char *name);

/* device_identity.c: names and the text that --destroy wants. */
void device_identify(struct device_facts *facts, const char *name, const struct stat *st);
void device_names_read(struct device_facts *facts, const char *name); /* model, serial ... */
/* The file or device behind a loop device; a loop's own word counts before the path's. */
struct loop_backing {
	dev_t device;  /* of the file system that the file lies on */
	ino_t inode;   /* 0: not known */
	dev_t special; /* of the block device behind it, or 0 */
};
bool device_loop_backing(const char *name, struct loop_backing *ret_backing);

/* device_guard*.c */
#define GUARD_PARTS_MAX 1024

struct guard_target {
	struct device_facts *facts;
	const char *name; /* kernel name; "" for a file */
	struct stat st;
	dev_t parts
		[GUARD_PARTS_MAX]; /* the device, its other paths, and all their partitions */
	unsigned part_count;
};

void guard_refuse(struct device_facts *facts, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool guard_owns(const struct guard_target *target, dev_t device);
void guard_check(struct device_facts *facts, const char *name, const struct stat *st,
		 const char *store_dir);
void guard_loops(struct guard_target *target);
void guard_store(struct guard_target *target, const char *store_dir);
void guard_mounts(struct guard_target *target);
void guard_swaps(struct guard_target *target);
/* The device that a folder's file system lies on, also where st_dev is no device's number. */
dev_t guard_folder_device(const char *folder);
void guard_content(struct guard_target *target);

/* device_sim.c: model drives */
bool device_sim_is(const char *path);
int device_sim_facts(const char *path, struct device_facts *ret_facts, struct pts_err *err);
/* Of facts that device_sim_facts() filled in this process; NULL for others. */
struct sim_drive *device_sim_of(const struct device_facts *facts);
bool device_sim_has_buffer(void); /* a write cache that can be switched */
int device_sim_set_write_cache(struct device_facts *facts, bool enabled, struct pts_err *err);
/* PTS_EXIT_DEVICE if it has died. */
int device_sim_check(const struct device_facts *facts, struct pts_err *err);
/* Its state's file, if it has one: locked before the drive is written, and let go; device_keep(). */
int device_sim_hold(struct pts_err *err);
void device_sim_let_go(void);
int device_sim_keep(bool at_once, struct pts_err *err);

#endif
