/*
 * The model drive: an FTL (sim_ftl.h) behind queues, on a virtual clock of its own. The engine
 * drives it (engine_sim.c), the device room gives it a name.
 *
 * Servers, each doing one thing at a time: the command processor (iops_limit), the two directions
 * of the interface, every channel, every die. A read goes command -> dies of its pages (all at
 * once) -> channels -> interface; pages that hold no data skip dies and channels. A write goes
 * command -> interface -> buffer -> dies; it is done when the last page is in the buffer, or
 * programmed. Each die has its equal part of the buffer and drains it in order. A read goes before
 * the writes that wait at its die, it waits only for the one being programmed. The work of
 * cleaning is spread over the host writes until the next cleaning.
 *
 * Everything that happens follows from model, seed and the sequence of calls.
 */
#ifndef SIM_DRIVE_H
#define SIM_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_clock.h"
#include "pts_err.h"
#include "sim_ftl.h"
#include "sim_model.h"

#define SIM_OUTSTANDING_MOST (1u << 20)

struct sim_drive;

struct sim_io {
	uint64_t offset_bytes; /* whole LBAs */
	uint32_t length_bytes;
	bool write;
	double compressible; /* shares of the data that can be, and that the drive holds */
	double duplicate;    /* already; of writes */
	uint64_t tag;        /* comes back with the completion */
};

struct sim_done {
	uint64_t tag;
	int result; /* bytes, or -errno, as a kernel says it */
};

/* PTS_EXIT_SPEC for a bad model, PTS_EXIT_MISSING without memory. The drive is fresh and its
 * clock stands at one second. */
int sim_drive_open(const struct sim_model *model, uint64_t seed, struct sim_drive **ret_drive,
		   struct pts_err *err);
void sim_drive_close(struct sim_drive *drive); /* NULL is legal */

const struct sim_model *sim_drive_model(const struct sim_drive *drive);
const struct sim_ftl *sim_drive_ftl(const struct sim_drive *drive);
uint64_t sim_drive_capacity(const struct sim_drive *drive); /* bytes; 0 when it has died */
bool sim_drive_throttled(const struct sim_drive *drive);
double sim_drive_celsius(const struct sim_drive *drive);

/* What the drive's own log says, as a SMART log does. Counts are of its whole life. */
struct sim_health {
	double celsius, celsius_most;
	uint64_t throttle_events, throttled_ns; /* how often, how long in all */
	double used_pct;                        /* of its endurance; -1 if the model has none */
	double erases;                          /* mean of a block */
	uint64_t host_bytes, flash_bytes;       /* written by the host; programmed */
};
struct sim_health sim_drive_health(const struct sim_drive *drive);

/* The write cache, while no I/O is outstanding: a write is done when it is in the buffer, or when
 * it is programmed. -ENOTSUP: there is no buffer. */
int sim_drive_set_write_cache(struct sim_drive *drive, bool enabled);
bool sim_drive_write_cache(const struct sim_drive *drive);

/* Room for so many outstanding I/Os (<= SIM_OUTSTANDING_MOST), while none is. -ENOMEM, -EBUSY. */
int sim_drive_reserve(struct sim_drive *drive, uint32_t outstanding);

uint64_t sim_drive_now_ns(const struct sim_drive *drive);
/* At the drive's present time. There is room, and the I/O lies within the model's capacity. */
void sim_drive_submit(struct sim_drive *drive, const struct sim_io *io);
/* Lets time pass to the next completion, but not beyond until_ns. False: none came by then. */
bool sim_drive_run(struct sim_drive *drive, uint64_t until_ns, struct sim_done *ret_done);

/* Would a read of the LBA at this offset find data? */
bool sim_drive_holds(const struct sim_drive *drive, uint64_t offset_bytes);
/* Data in the range are of no worth any more (whole pages of it). */
void sim_drive_deallocate(struct sim_drive *drive, uint64_t offset_bytes, uint64_t bytes);
/* Everything erased, fresh out of the box but for wear; takes the time the erases take. A drive
 * whose purge lies takes the time and erases nothing. */
void sim_drive_purge(struct sim_drive *drive);

/*
 * A snapshot: the header and then these pieces, one behind the other, are the whole drive. They
 * point into it and are of worth until it is used again. I/Os that are outstanding are not in it:
 * for them the power went.
 */
#define SIM_DRIVE_PIECES 3

struct sim_piece {
	const void *data;
	size_t bytes;
};

struct sim_header {
	uint64_t magic, version; /* of the program that can read the pieces */
	uint64_t model_hash;     /* of all numbers of the model, and of their layout */
	uint64_t seed;
	uint64_t capacity_bytes;
	uint64_t state_bytes; /* of the pieces together */
	char model[64];       /* its name, for messages */
	uint64_t checksum;    /* of the pieces and of what stands above */
};

void sim_drive_snapshot(const struct sim_drive *drive, struct sim_header *ret_header,
			struct sim_piece ret_pieces[SIM_DRIVE_PIECES]);

/* Header and pieces together. */
size_t sim_drive_snapshot_bytes(const struct sim_drive *drive);

enum sim_fault {
	SIM_FAULT_NONE,
	SIM_FAULT_FOREIGN, /* no snapshot of a model drive */
	SIM_FAULT_VERSION,
	SIM_FAULT_MODEL, /* of another one, or its numbers have changed */
	SIM_FAULT_SEED,
	SIM_FAULT_DAMAGED,
};

/* Of the first bytes of a snapshot (less than a header is foreign). */
enum sim_fault sim_header_check(const struct sim_drive *drive, const void *snapshot,
				size_t bytes);
/*
 * Takes a whole snapshot over, after checking all of it; on any fault the drive is fresh. It goes
 * on exactly where the other one was: the same calls give the same times.
 */
enum sim_fault sim_drive_restore(struct sim_drive *drive, const void *snapshot, size_t bytes);
/* The power was off and is on again: what was buffered is on the flash (written with the energy
 * that the drive had left, as one with its buffer protected does), all servers are idle, and
 * power-on time goes on a second later. */
void sim_drive_power_on(struct sim_drive *drive);

/*
 * The drive's clock as the process's clock (pts_clock_set): sleeping lets the drive idle. Dates
 * start at wall_ns, or go on where those of the restored drive had come if that is later. The
 * drive must outlive it.
 */
struct pts_clock_source sim_drive_clock(struct sim_drive *drive, uint64_t wall_ns);

#endif
