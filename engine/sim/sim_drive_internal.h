/* The model drive's state, shared by its time (sim_drive.c) and its life (sim_drive_life.c). */
#ifndef SIM_DRIVE_INTERNAL_H
#define SIM_DRIVE_INTERNAL_H

#include <stddef.h>

#include "sim_drive.h"

#define SIM_HEAT_STEP_NS (100u * 1000 * 1000)
#define SIM_SLOT_BITS    20

struct sim_die {
	uint64_t write_busy, read_busy; /* until when */
	uint64_t debt_ns;               /* cleaning that is not paid yet */
	uint64_t pay_ns;                /* of it, with each host write */
	uint64_t ring_at;
};

/* What happens next to an I/O; order holds its number of submission and its slot. */
struct sim_event {
	uint64_t at_ns;
	uint64_t order;
};

struct sim_pending {
	uint64_t tag;
	uint32_t length_bytes;
	uint32_t pages; /* of a read, that dies have yet to give to the channels */
	uint32_t die;   /* of the first of them */
	int result;
	bool flash; /* the event is the end of the dies' work, not the completion */
};

/*
 * Everything up to `model` is kept in a snapshot as it stands, and so are the arrays of the
 * memory block (sim_drive_life.c) and the FTL's state: plain numbers, no pointers. What is not
 * kept follows from the model, or is of no more worth when the power goes: a field that changes
 * while I/Os are served and is not among the kept ones is a fault (test_sim_state).
 */
struct sim_drive {
	uint64_t rng;
	uint64_t wall_base_ns;

	uint64_t now_ns;
	uint64_t command_busy, read_busy, write_busy; /* interface */
	uint64_t work_until;                          /* when the last die falls idle */
	uint64_t idle_until;                          /* background work is done so far */
	uint64_t slc_used;
	uint64_t submitted;
	uint64_t bad_bytes; /* where a read fails until it is written, see sim_model */

	double celsius;
	uint64_t heat_at;
	uint64_t heat_busy; /* die time since then */
	uint64_t
		throttled; /* a flag: as wide as the others, so that no bytes lie between them */
	uint64_t stuck_done;
	uint64_t throttled_ns, throttle_events;
	double celsius_most;
	double pace;          /* what times of dies are multiplied with now */
	uint64_t read_ns;     /* of a page, worn as it is */
	uint64_t write_cache; /* a flag */

	struct sim_model model; /* the first that is not kept */
	uint64_t seed;
	struct sim_ftl *ftl;
	unsigned page_shift;
	uint32_t buffer_per_die;
	uint64_t channel_page_ns;
	uint64_t command_gap_ns;
	double heat_decay; /* of one step */

	/* the memory block and the arrays that lie in it */
	void *memory;
	size_t memory_bytes;
	struct sim_die *die;
	uint64_t *channel_busy;
	uint64_t *ring; /* [die][buffer_per_die]: when each part of the buffer falls free */

	/* outstanding */
	struct sim_event *heap;
	struct sim_pending *pending;
	uint32_t *free_slot;
	uint32_t slots, free_count, events;
};

#define SIM_KEPT_BYTES offsetof(struct sim_drive, model)

/* Fresh out of the box: what is not kept by the model's numbers, what is by the seed. */
void sim_drive_begin(struct sim_drive *drive);
/* Wear as a share of the endurance. */
double sim_drive_worn(const struct sim_drive *drive);
/* What is outstanding never comes back. */
void sim_drive_forget(struct sim_drive *drive);

#endif
