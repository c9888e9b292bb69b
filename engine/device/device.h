/*
 * Facts of a device under test, its identity, and opening it. Reads sysfs and ioctls; may refuse,
 * never decides to destroy. Must not know what a test is.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "pts_err.h"

enum device_kind {
	DEVICE_BLOCK, /* a whole block device */
	DEVICE_FILE,  /* a regular file: tests and demos, marked "not a drive" */
	DEVICE_SIM,   /* a model drive of this process: "sim:MODEL[,seed=N][,state=FILE]" */
};

#define DEVICE_TEXT         256
#define DEVICE_REFUSALS     16
#define DEVICE_REFUSAL_TEXT 320

struct device_refusal {
	char code[32]; /* "mounted", "swap", "holder", "loop-backing", "partition", ... */
	char text[DEVICE_REFUSAL_TEXT]; /* a sentence with the way out */
};

/* A fact that is not known is "" or 0; has_* says whether a number was reported. */
struct device_facts {
	char path[PATH_MAX];      /* as given */
	char real_path[PATH_MAX]; /* links resolved */
	enum device_kind kind;
	unsigned major, minor;
	char identity[DEVICE_TEXT]; /* what --destroy wants, see device_identity.c */
	char model[DEVICE_TEXT];
	char serial[DEVICE_TEXT];
	char firmware[DEVICE_TEXT];
	char vendor[DEVICE_TEXT];
	char wwid[DEVICE_TEXT];
	char eui[48], nguid[48];      /* NVMe: the namespace's own identifiers */
	char usb_serial[DEVICE_TEXT]; /* of a USB bridge, which is not the drive behind it */
	char transport
		[32];    /* nvme, nvme-tcp, sata, sas, usb, virtio, loop, file, unknown ... */
	char driver[64]; /* of the drive; host_driver: of the PCI function that it hangs on */
	char host_driver[64];
	char backing[PATH_MAX]; /* loop: its file; a model drive: the file of its state */
	/* What lies on it now, by libblkid: "gpt", "ext4 'data'"; it is no refusal by itself. */
	char content[DEVICE_TEXT];
	/* NVMe: 0 if not known. A purge of the whole drive hits all namespaces. */
	uint32_t nsid, namespace_count, controller_count;
	uint64_t capacity_bytes;
	uint32_t lba_bytes;
	uint32_t physical_bytes; /* a hint, never a limit */
	uint32_t io_min_bytes, io_opt_bytes;
	uint32_t metadata_bytes;
	bool read_only, removable, rotational, is_virtual;
	char scheduler[64];
	char write_cache[32]; /* "write back", "write through" */
	uint32_t nr_requests, max_sectors_kb, max_hw_sectors_kb;
	uint64_t discard_max_bytes;
	bool io_poll;
	int numa_node; /* -1: none */
	/* NVMe: of the PCIe function and of the slot above; SATA: of the port. device_link.h */
	char link_speed[48], link_width[16], link_speed_max[48], link_width_max[16];
	char slot_speed_max[48], slot_width_max[16];
	struct device_refusal refusals[DEVICE_REFUSALS];
	unsigned refusal_count;
};

/*
 * Reads the facts without opening for writing, never creating anything, and runs the guard
 * (device_guard.c) into refusals[]. store_dir (may be NULL) is where the run's files go: a device
 * under that file system is refused. Errors, each with its own sentence: PTS_EXIT_USAGE for a path that does not
 * exist or is no device (a directory, a character device, a controller node, a dangling link);
 * PTS_EXIT_SAFETY for a partition; PTS_EXIT_DEVICE for a capacity of 0.
 */
int device_facts_read(const char *path, const char *store_dir, struct device_facts *ret_facts,
		      struct pts_err *err);

/* Calls fn for every known fact with a stable key ("capacity_bytes") and its value as text. */
void device_facts_each(const struct device_facts *facts,
		       void (*fn)(void *ctx, const char *key, const char *value), void *ctx);

/* The same for the host: kernel, cpu, cpu_count, memory_bytes, board, system, os, hostname,
 * clocksource, governor ... */
void device_host_each(void (*fn)(void *ctx, const char *key, const char *value), void *ctx);

struct device; /* an opened device under test */

/* Read only, by direct I/O: for stimulus without writes and for read-back. A file system without
 * direct I/O is an error (PTS_EXIT_DEVICE): a page cache's numbers are nobody's. */
int device_open_read(const struct device_facts *facts, struct device **ret_device,
		     struct pts_err *err);

/*
 * For writing. Refuses (PTS_EXIT_SAFETY, first refusal's sentence) if the guard has refusals,
 * and (PTS_EXIT_SAFETY) unless identity is exactly facts->identity. Opens O_DIRECT, and O_EXCL
 * for block devices, takes a BSD lock so that udev leaves it alone, reads the facts again on the
 * open descriptor and compares identity, capacity and LBA size.
 */
int device_open_destroy(const struct device_facts *facts, const char *identity,
			const char *store_dir, struct device **ret_device, struct pts_err *err);

int device_fd(const struct device *device);
const struct device_facts *device_facts(const struct device *device);
void device_close(struct device *device); /* NULL is legal */

/* Still the same drive, size and LBA? A drive that vanished reports 0. PTS_EXIT_DEVICE otherwise. */
int device_check(struct device *device, struct pts_err *err);

struct sim_drive;
struct sim_model;

/*
 * Who knows the models: opens NAME of "sim:NAME..." by filling *ret_model. Until it is set
 * a path that begins with "sim:" is refused. A model drive is made by the first
 * device_facts_read() of its path, lives as long as the process, and its clock is the process's
 * from then on; a second one in the same process is refused (PTS_EXIT_USAGE). With ",state=FILE"
 * it is the one that FILE holds, powered on again, and fresh if there is no such file yet; opening
 * it for writing makes FILE and locks it. *ret_model is told apart from others by its bytes:
 * begin with sim_model_init(), copy it as a whole.
 */
typedef int (*device_sim_models_fn)(const char *name, struct sim_model *ret_model,
				    struct pts_err *err);
void device_sim_models(device_sim_models_fn models);

/* What ENGINE_SIM drives; NULL for real devices. */
struct sim_drive *device_sim(const struct device *device);

/*
 * Puts a model drive that was opened for writing into its state's file, durably; nothing for other
 * devices. No I/O is outstanding. Where at_once is false only as often as it costs no more than a
 * twentieth of the host's time: after a kill the drive is then as it was some cells ago.
 */
int device_keep(struct device *device, bool at_once, struct pts_err *err);

/* The drive's write cache (not the kernel's page cache). Setting it changes the fact write_cache of
 * the opened device. PTS_EXIT_DEVICE if the drive refuses, -ENOTSUP (PTS_EXIT_MISSING) if it
 * can't be set. */
bool device_can_set_write_cache(const struct device_facts *facts);
int device_set_write_cache(struct device *device, bool enabled, struct pts_err *err);

/* What the drive's own log says (SMART): of its whole life, but for the temperature now. */
struct device_health {
	double celsius, celsius_most;
	uint64_t throttle_events,
		throttled_ns;             /* how often, how long it slowed down for heat */
	double used_pct;                  /* of its endurance; -1: it does not say */
	double erases;                    /* mean of a block */
	uint64_t host_bytes, flash_bytes; /* written by the host, and programmed for it */
};
/* A command to a real drive. -ENOTSUP: it has no such log. */
int device_health_read(const struct device *device, struct device_health *ret_health);
/* Calls fn for every figure with a stable key ("percentage_used"); for none without a log. */
void device_health_each(const struct device *device,
			void (*fn)(void *ctx, const char *key, const char *value), void *ctx);

/* Kernel counters of /sys/block/X/stat; -ENOTSUP for files. */
struct device_stat {
	uint64_t read_ios, read_bytes, write_ios, write_bytes;
};
int device_stat_read(const struct device *device, struct device_stat *ret_stat);

#endif
