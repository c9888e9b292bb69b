/*
 * What makes one model drive another one than the next: plain numbers, filled from
 * specs/drives/NAME.yaml by the spec room's caller, or by a test.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "pts_err.h"

struct sim_model {
	char name[64];
	uint64_t capacity_bytes;
	uint32_t lba_bytes;

	/* geometry */
	uint32_t page_bytes; /* unit of mapping, reading and programming */
	uint32_t pages_per_block;
	uint32_t dies;
	uint32_t channels;     /* die d is on channel d mod channels */
	double over_provision; /* spare / logical, without open and reserve blocks */
	uint32_t reserve_blocks;

	/* flash; of one page or block */
	uint64_t read_ns, program_ns, erase_ns;
	uint64_t suspend_ns; /* a read waits no longer than this for what its die does to write;
				0: to the end of the page program */
	uint64_t channel_bytes_per_s;

	/* write path */
	uint32_t buffer_pages; /* volatile; a write is done when it is in the buffer. 0: none */
	bool write_cache;      /* false: a write is done when it is programmed */
	uint64_t slc_pages;    /* cache of one bit a cell; 0: none */
	uint64_t slc_program_ns;
	bool compress;    /* the compressible share of what is written takes no flash */
	bool deduplicate; /* nor does the share that the drive holds already */

	/* cleaning and folding while nothing else is to do */
	uint64_t idle_after_ns;
	uint32_t idle_free_blocks; /* a die cleans on until so many are free; 0: never */
	double idle_valid_share;   /* but no block with a larger share of valid pages */

	/* refresh of old data: at the end of every so much power-on time, for so long, so much of
	 * the dies' time. It counts as time, not as wear */
	uint64_t refresh_every_ns; /* 0: never */
	uint64_t refresh_ns;
	double refresh_share;

	/* interface */
	uint64_t command_ns;  /* latency of a command beside flash and transfer */
	uint32_t iops_limit;  /* 0: none */
	uint64_t bytes_per_s; /* each direction on its own */

	/* noise: times of die operations are uniform in 1 +- noise_share; a share of commands has
	 * tail_ns more */
	double noise_share;
	double tail_share;
	uint64_t tail_ns;

	/* heat: towards ambient + rise x busy share of the dies, with a time constant */
	double ambient_c, rise_c;
	uint64_t heat_ns; /* time constant; 0: no heat */
	double throttle_on_c, throttle_off_c;
	double throttle_factor; /* times of dies and commands then; >= 1 */

	/* wear: mean erases of a block at which the drive takes no more writes (0: never); a
	 * read takes up to worn_read_ns more, in proportion to the wear */
	uint32_t endurance;
	uint64_t worn_read_ns;

	/* faults */
	uint64_t dies_at_ns;  /* of power-on time; 0: never. Then reads complete with 0 bytes,
				    writes with -ENOSPC, and the capacity reads 0 */
	uint64_t stuck_at_ns; /* the first I/O from then on never completes; 0: none */
	uint64_t bad_bytes;   /* reads of the LBA at this offset fail until it is written;
				    UINT64_MAX: none */
	uint64_t real_bytes;  /* I/O beyond fails, whatever the capacity says; 0: no lie */
	bool arrives_used;    /* filled, then written at random twice over, before power-on */
	bool purge_lies;      /* a purge says done, and reads find nothing any more, but no
				 block is erased */
};

/* No cache, no noise, no heat, no fault; the rest is 0 and must be set. */
void sim_model_init(struct sim_model *model);
/* -EINVAL (PTS_EXIT_SPEC) with a sentence about the first number that can't be. */
int sim_model_check(const struct sim_model *model, struct pts_err *err);

#endif
