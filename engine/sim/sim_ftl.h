/*
 * A page-mapped flash translation layer in flat arrays: mapping, valid counts, greedy cleaning,
 * wear. It counts pages and blocks; time, channels and buffers are the model drive's business
 * (sim_drive.h). Nothing allocates after sim_ftl_new().
 *
 * Logical page p lives on die p mod dies, always: dies never borrow space from each other. A die
 * has one block open for host writes and for pages moved by cleaning alike, free blocks in the
 * order they were freed (so wear spreads), and sealed blocks in buckets by their number of valid
 * pages. When a block must be opened and no more than reserve_blocks are free, the sealed block
 * with the fewest valid pages is cleaned first; of several the one that reached that number
 * first.
 */
#ifndef SIM_FTL_H
#define SIM_FTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_FTL_NONE UINT32_MAX

struct sim_ftl_config {
	uint32_t pages; /* logical */
	uint32_t dies;
	uint32_t pages_per_block; /* a power of two, 2 to 32768 */
	uint32_t blocks_per_die;
	uint32_t reserve_blocks; /* kept free on each die, 1 or more */
};

/* What an operation made the flash do beside the host's own page. */
struct sim_ftl_work {
	uint32_t moved;  /* pages read and programmed again */
	uint32_t erased; /* blocks */
};

struct sim_ftl_counts {
	uint64_t host;       /* pages written by the host, shared ones too */
	uint64_t programmed; /* in the flash, moved ones too */
	uint64_t moved;      /* pages moved by cleaning: (host + moved) / host is the write
			   amplification */
	uint64_t erased;
	uint64_t mapped; /* logical pages that hold data */
};

struct sim_ftl;

/* Blocks a die needs for over_provision (spare / logical) beside its open and reserve blocks; at
 * most UINT32_MAX, which sim_ftl_new() refuses. */
uint32_t sim_ftl_blocks(uint32_t pages, uint32_t dies, uint32_t pages_per_block,
			uint32_t reserve_blocks, double over_provision);

/* -EINVAL if the geometry leaves no spare block or does not fit 32 bits, -ENOMEM. */
int sim_ftl_new(const struct sim_ftl_config *config, struct sim_ftl **ret_ftl);
void sim_ftl_free(struct sim_ftl *ftl); /* NULL is legal */

/* Fresh: nothing mapped, all blocks erased and free. Wear and counts stay. */
void sim_ftl_reset(struct sim_ftl *ftl);

/* page < config.pages in all of these. */
void sim_ftl_write(struct sim_ftl *ftl, uint32_t page, struct sim_ftl_work *ret_work);
/* The page's data are a part of what lies in the flash already: it takes no page of its own. */
void sim_ftl_write_shared(struct sim_ftl *ftl, uint32_t page);
/* Does it hold data for the host? */
bool sim_ftl_mapped(const struct sim_ftl *ftl, uint32_t page);
void sim_ftl_trim(struct sim_ftl *ftl, uint32_t page);
/* The host sees no data any more; the flash keeps and moves them as before. */
void sim_ftl_forget(struct sim_ftl *ftl);

/* Cleans one block of a die while nobody waits, if one has at most valid_most valid pages.
 * False: none has. */
bool sim_ftl_clean(struct sim_ftl *ftl, uint32_t die, uint32_t valid_most,
		   struct sim_ftl_work *ret_work);
uint32_t sim_ftl_free_blocks(const struct sim_ftl *ftl, uint32_t die);

const struct sim_ftl_config *sim_ftl_config(const struct sim_ftl *ftl);
struct sim_ftl_counts sim_ftl_counts(const struct sim_ftl *ftl);
/* Erases a block has seen, over all blocks. */
void sim_ftl_wear(const struct sim_ftl *ftl, double *ret_mean, uint32_t *ret_most);

/* The whole state as one piece of memory, for a snapshot. The geometry is not part of it. */
const void *sim_ftl_state(const struct sim_ftl *ftl, size_t *ret_bytes);
/* Takes such a piece of the same geometry over, after checking that every reference in it holds:
 * -EINVAL if the size or the content is not a state of this geometry; the drive is then fresh. */
int sim_ftl_restore(struct sim_ftl *ftl, const void *state, size_t bytes);

/*
 * Write amplification of greedy cleaning in steady uniform random writes, mean field: many blocks
 * of pages_per_block = b pages, alpha physical pages (without open and reserve blocks) for each
 * logical one. A block is sealed full and loses page after page at a rate proportional to what it
 * holds, so the number of blocks with i valid pages is F U / i for U logical pages and F blocks
 * cleaned a host write, down to the real number x of valid pages a victim has on average:
 *
 *	(H(b) - H(x)) / (b - x) = alpha / b		A = b / (b - x)
 *
 * with H the harmonic numbers, linear between integers. For b -> infinity H(b) - H(x) is
 * ln(b / x) and A = alpha / (alpha + W(-alpha exp(-alpha))), W the Lambert function: the formula
 * of Desnoyers, "Analytic modeling of SSD write performance" (SYSTOR 2012), and of Xiang and
 * Kurkoski, "An improved analytic expression for write amplification in NAND flash" (ICNC 2012).
 */
double sim_ftl_greedy_wa(double alpha, uint32_t pages_per_block);
/* The same in the limit of large blocks. */
double sim_ftl_greedy_wa_limit(double alpha);

#endif
