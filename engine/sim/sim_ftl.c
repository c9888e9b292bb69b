/*
 * The flash translation layer of the model drive. It must not know time, and it must not
 * allocate, search or sort while it serves an I/O: every step of a write is O(1), but for the
 * pages that cleaning moves.
 */
#include "sim_ftl.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGES_PER_BLOCK_MOST 32768u
#define WORD_BITS            64u

/* A sealed block stands in its die's bucket for its number of valid pages; an open or free one
 * in none (prev is then SIM_FTL_NONE, too). */
struct block {
	uint32_t prev, next;
	uint32_t valid;
	uint32_t erases;
};

struct bucket {
	uint32_t first, last;
};

struct die {
	uint32_t open;    /* SIM_FTL_NONE: the last one was sealed */
	uint32_t at;      /* next page in it */
	uint32_t free_at; /* the oldest of the ring of free blocks */
	uint32_t free_count;
};

struct sim_ftl {
	struct sim_ftl_config config;
	unsigned shift; /* page number = block << shift | page in it */
	unsigned words; /* of a die's bitmap */
	/* pieces of state, all of them plain numbers */
	void *state;
	size_t state_bytes;
	struct sim_ftl_counts *counts;
	struct die *die;
	uint64_t *filled;      /* [die][word]: which buckets hold a block */
	struct bucket *bucket; /* [die][pages_per_block + 1] */
	struct block *block;   /* [die][blocks_per_die] */
	uint32_t *ring;        /* [die][blocks_per_die]: free blocks */
	uint32_t *place;       /* [page]: where it lies, or SIM_FTL_NONE */
	uint32_t *owner; /* [block][page]: whose data it got last; of worth only if place[]
				  points back */
	uint64_t *known; /* [page / 64]: the pages that hold data for the host. Apart from
				  place[], as a page may share another one's flash, and a purge
				  may lie; and small, as every read asks it */
};

/* ---- buckets --------------------------------------------------------------------------- */

static struct bucket *bucket_of(const struct sim_ftl *ftl, uint32_t die, uint32_t valid)
{
	return &ftl->bucket[(size_t)die * (ftl->config.pages_per_block + 1) + valid];
}

static void bucket_append(struct sim_ftl *ftl, uint32_t die, uint32_t index)
{
	struct block *block = &ftl->block[index];
	struct bucket *bucket = bucket_of(ftl, die, block->valid);

	block->prev = bucket->last;
	block->next = SIM_FTL_NONE;
	if (bucket->last == SIM_FTL_NONE) {
		bucket->first = index;
		ftl->filled[(size_t)die * ftl->words + block->valid / WORD_BITS] |=
			1ull << block->valid % WORD_BITS;
	} else {
		ftl->block[bucket->last].next = index;
	}
	bucket->last = index;
}

static void bucket_remove(struct sim_ftl *ftl, uint32_t die, uint32_t index)
{
	struct block *block = &ftl->block[index];
	struct bucket *bucket = bucket_of(ftl, die, block->valid);

	if (block->prev == SIM_FTL_NONE)
		bucket->first = block->next;
	else
		ftl->block[block->prev].next = block->next;
	if (block->next == SIM_FTL_NONE)
		bucket->last = block->prev;
	else
		ftl->block[block->next].prev = block->prev;
	if (bucket->first == SIM_FTL_NONE)
		ftl->filled[(size_t)die * ftl->words + block->valid / WORD_BITS] &=
			~(1ull << block->valid % WORD_BITS);
}

/* The first block of the lowest bucket that holds one; SIM_FTL_NONE if nothing is sealed. */
static uint32_t victim_of(const struct sim_ftl *ftl, uint32_t die)
{
	const uint64_t *filled = &ftl->filled[(size_t)die * ftl->words];

	for (unsigned i = 0; i < ftl->words; i++)
		if (filled[i])
			return bucket_of(ftl, die,
					 i * WORD_BITS + (unsigned)__builtin_ctzll(filled[i]))
				->first;
	return SIM_FTL_NONE;
}

/* ---- pages ----------------------------------------------------------------------------- */

static void block_free(struct sim_ftl *ftl, uint32_t die_index, uint32_t index)
{
	struct die *die = &ftl->die[die_index];
	uint32_t count = ftl->config.blocks_per_die;
	uint32_t at = die->free_at + die->free_count++;

	ftl->ring[(size_t)die_index * count + (at < count ? at : at - count)] = index;
}

static void block_open(struct sim_ftl *ftl, uint32_t die_index)
{
	struct die *die = &ftl->die[die_index];
	uint32_t count = ftl->config.blocks_per_die;

	die->open = ftl->ring[(size_t)die_index * count + die->free_at];
	die->free_at = die->free_at + 1 < count ? die->free_at + 1 : 0;
	die->free_count--;
	die->at = 0;
}

static void append(struct sim_ftl *ftl, uint32_t die_index, uint32_t page)
{
	struct die *die = &ftl->die[die_index];
	uint32_t place;

	if (die->open == SIM_FTL_NONE)
		block_open(ftl, die_index);
	place = die->open << ftl->shift | die->at++;
	ftl->counts->programmed++;
	ftl->owner[place] = page;
	ftl->place[page] = place;
	ftl->block[die->open].valid++;
	if (die->at < ftl->config.pages_per_block)
		return;
	bucket_append(ftl, die_index, die->open);
	die->open = SIM_FTL_NONE;
}

/* The page's data are of no worth any more. */
static void drop(struct sim_ftl *ftl, uint32_t die, uint32_t place)
{
	uint32_t index = place >> ftl->shift;
	struct block *block = &ftl->block[index];

	if (index == ftl->die[die].open) {
		block->valid--;
		return;
	}
	bucket_remove(ftl, die, index);
	block->valid--;
	bucket_append(ftl, die, index);
}

/* A free block is at hand, so that the victim's pages have room; the victim becomes one. */
static void clean(struct sim_ftl *ftl, uint32_t die, uint32_t victim, struct sim_ftl_work *work)
{
	struct block *block = &ftl->block[victim];
	uint32_t base = victim << ftl->shift;
	uint32_t left = block->valid;

	bucket_remove(ftl, die, victim);
	work->moved += left;
	work->erased++;
	ftl->counts->moved += left;
	ftl->counts->erased++;
	for (uint32_t place = base; left; place++) {
		uint32_t page = ftl->owner[place];

		if (page == SIM_FTL_NONE || ftl->place[page] != place)
			continue;
		append(ftl, die, page);
		left--;
	}
	block->valid = 0;
	block->erases++;
	block_free(ftl, die, victim);
}

static void know(struct sim_ftl *ftl, uint32_t page)
{
	ftl->counts->mapped += !sim_ftl_mapped(ftl, page);
	ftl->known[page / WORD_BITS] |= 1ull << page % WORD_BITS;
	ftl->counts->host++;
}

void sim_ftl_write(struct sim_ftl *ftl, uint32_t page, struct sim_ftl_work *ret_work)
{
	uint32_t die_index = page % ftl->config.dies;
	struct die *die = &ftl->die[die_index];
	uint32_t place = ftl->place[page];

	*ret_work = (struct sim_ftl_work){0};
	if (place != SIM_FTL_NONE)
		drop(ftl, die_index, place);
	/* dropped first: so a victim has at least one page less than a block holds; the page
	 * itself must not be moved */
	ftl->place[page] = SIM_FTL_NONE;
	if (die->open == SIM_FTL_NONE && die->free_count <= ftl->config.reserve_blocks)
		clean(ftl, die_index, victim_of(ftl, die_index), ret_work);
	append(ftl, die_index, page);
	know(ftl, page);
}

static void release(struct sim_ftl *ftl, uint32_t page)
{
	uint32_t place = ftl->place[page];

	if (place != SIM_FTL_NONE)
		drop(ftl, page % ftl->config.dies, place);
	ftl->place[page] = SIM_FTL_NONE;
}

void sim_ftl_write_shared(struct sim_ftl *ftl, uint32_t page)
{
	release(ftl, page);
	know(ftl, page);
}

bool sim_ftl_mapped(const struct sim_ftl *ftl, uint32_t page)
{
	return ftl->known[page / WORD_BITS] >> page % WORD_BITS & 1;
}

void sim_ftl_trim(struct sim_ftl *ftl, uint32_t page)
{
	release(ftl, page);
	ftl->counts->mapped -= sim_ftl_mapped(ftl, page);
	ftl->known[page / WORD_BITS] &= ~(1ull << page % WORD_BITS);
}

static size_t known_bytes(const struct sim_ftl *ftl)
{
	return ((size_t)ftl->config.pages + WORD_BITS - 1) / WORD_BITS * sizeof(uint64_t);
}

void sim_ftl_forget(struct sim_ftl *ftl)
{
	memset(ftl->known, 0, known_bytes(ftl));
	ftl->counts->mapped = 0;
}

bool sim_ftl_clean(struct sim_ftl *ftl, uint32_t die, uint32_t valid_most,
		   struct sim_ftl_work *ret_work)
{
	uint32_t victim = victim_of(ftl, die);

	*ret_work = (struct sim_ftl_work){0};
	if (victim == SIM_FTL_NONE || ftl->block[victim].valid > valid_most)
		return false;
	clean(ftl, die, victim, ret_work);
	return true;
}

uint32_t sim_ftl_free_blocks(const struct sim_ftl *ftl, uint32_t die)
{
	return ftl->die[die].free_count;
}

/* ---- life ------------------------------------------------------------------------------ */

uint32_t sim_ftl_blocks(uint32_t pages, uint32_t dies, uint32_t pages_per_block,
			uint32_t reserve_blocks, double over_provision)
{
	uint64_t pages_per_die = (pages + (uint64_t)dies - 1) / dies;
	double blocks = ceil((double)pages_per_die * (1 + over_provision) / pages_per_block);

	blocks += (double)reserve_blocks + 1;
	return blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
}

static bool config_fits(const struct sim_ftl_config *config)
{
	uint32_t per_block = config->pages_per_block;
	uint64_t per_die, kept = (uint64_t)config->reserve_blocks + 1; /* and the open one */

	if (!config->pages || !config->dies || config->dies > config->pages ||
	    !config->reserve_blocks || per_block < 2 || per_block > PAGES_PER_BLOCK_MOST ||
	    per_block & (per_block - 1))
		return false;
	per_die = (config->pages + (uint64_t)config->dies - 1) / config->dies;
	/* one sealed block with a page that is of no worth, when one must be opened */
	if (config->blocks_per_die <= kept ||
	    (config->blocks_per_die - kept) * per_block < per_die)
		return false;
	return (uint64_t)config->dies * config->blocks_per_die * per_block < SIM_FTL_NONE;
}

/* Lays the pieces out behind one another; each starts at a multiple of 64 bytes. */
static size_t lay_out(struct sim_ftl *ftl, unsigned char *state)
{
	const struct sim_ftl_config *config = &ftl->config;
	size_t blocks = (size_t)config->dies * config->blocks_per_die;
	const struct {
		void **piece;
		size_t bytes;
	} pieces[] = {
		{(void **)&ftl->counts, sizeof(*ftl->counts)},
		{(void **)&ftl->die, config->dies * sizeof(*ftl->die)},
		{(void **)&ftl->filled, (size_t)config->dies * ftl->words * sizeof(uint64_t)},
		{(void **)&ftl->bucket,
		 (size_t)config->dies * (config->pages_per_block + 1) * sizeof(*ftl->bucket)},
		{(void **)&ftl->block, blocks * sizeof(*ftl->block)},
		{(void **)&ftl->ring, blocks * sizeof(*ftl->ring)},
		{(void **)&ftl->place, config->pages * sizeof(*ftl->place)},
		{(void **)&ftl->owner, (blocks << ftl->shift) * sizeof(*ftl->owner)},
		{(void **)&ftl->known, known_bytes(ftl)},
	};
	size_t at = 0;

	for (unsigned i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		if (state)
			*pieces[i].piece = state + at;
		at += (pieces[i].bytes + 63) / 64 * 64;
	}
	return at;
}

int sim_ftl_new(const struct sim_ftl_config *config, struct sim_ftl **ret_ftl)
{
	struct sim_ftl *ftl;

	*ret_ftl = NULL;
	if (!config_fits(config))
		return -EINVAL;
	ftl = calloc(1, sizeof(*ftl));
	if (!ftl)
		return -ENOMEM;
	ftl->config = *config;
	ftl->shift = (unsigned)__builtin_ctz(config->pages_per_block);
	ftl->words = (config->pages_per_block + WORD_BITS) / WORD_BITS;
	ftl->state_bytes = lay_out(ftl, NULL);
	if (posix_memalign(&ftl->state, 64, ftl->state_bytes)) {
		free(ftl);
		return -ENOMEM;
	}
	memset(ftl->state, 0, ftl->state_bytes);
	lay_out(ftl, ftl->state);
	sim_ftl_reset(ftl);
	*ret_ftl = ftl;
	return 0;
}

void sim_ftl_free(struct sim_ftl *ftl)
{
	if (!ftl)
		return;
	free(ftl->state);
	free(ftl);
}

void sim_ftl_reset(struct sim_ftl *ftl)
{
	const struct sim_ftl_config *config = &ftl->config;
	size_t blocks = (size_t)config->dies * config->blocks_per_die;

	sim_ftl_forget(ftl);
	memset(ftl->filled, 0, (size_t)config->dies * ftl->words * sizeof(uint64_t));
	memset(ftl->place, 0xff, config->pages * sizeof(*ftl->place));
	memset(ftl->owner, 0xff, (blocks << ftl->shift) * sizeof(*ftl->owner));
	memset(ftl->bucket, 0xff,
	       (size_t)config->dies * (config->pages_per_block + 1) * sizeof(*ftl->bucket));
	for (uint32_t die = 0; die < config->dies; die++) {
		ftl->die[die] = (struct die){.open = SIM_FTL_NONE};
		for (uint32_t i = 0; i < config->blocks_per_die; i++) {
			struct block *block = &ftl->block[die * config->blocks_per_die + i];

			block->prev = SIM_FTL_NONE;
			block->next = SIM_FTL_NONE;
			block->valid = 0;
			block_free(ftl, die, die * config->blocks_per_die + i);
		}
	}
}

const struct sim_ftl_config *sim_ftl_config(const struct sim_ftl *ftl)
{
	return &ftl->config;
}

struct sim_ftl_counts sim_ftl_counts(const struct sim_ftl *ftl)
{
	return *ftl->counts;
}

void sim_ftl_wear(const struct sim_ftl *ftl, double *ret_mean, uint32_t *ret_most)
{
	size_t blocks = (size_t)ftl->config.dies * ftl->config.blocks_per_die;
	double sum = 0;

	*ret_most = 0;
	for (size_t i = 0; i < blocks; i++) {
		sum += ftl->block[i].erases;
		if (ftl->block[i].erases > *ret_most)
			*ret_most = ftl->block[i].erases;
	}
	*ret_mean = sum / (double)blocks;
}

/* ---- snapshots ------------------------------------------------------------------------- */

const void *sim_ftl_state(const struct sim_ftl *ftl, size_t *ret_bytes)
{
	*ret_bytes = ftl->state_bytes;
	return ftl->state;
}

/* Every block is free, open or sealed, exactly once, and on its own die. */
static bool blocks_hold(const struct sim_ftl *ftl, uint32_t die_index, unsigned char *seen)
{
	const struct die *die = &ftl->die[die_index];
	uint32_t count = ftl->config.blocks_per_die, first = die_index * count, total = 0;

	if (die->free_at >= count || die->free_count > count ||
	    die->free_count < ftl->config.reserve_blocks)
		return false;
	for (uint32_t i = 0; i < die->free_count; i++, total++) {
		uint32_t index = ftl->ring[first + (die->free_at + i) % count];

		if (index - first >= count || seen[index]++ || ftl->block[index].valid)
			return false;
	}
	if (die->open != SIM_FTL_NONE) {
		if (die->open - first >= count || seen[die->open]++ || !die->at ||
		    die->at >= ftl->config.pages_per_block)
			return false;
		total++;
	}
	for (uint32_t valid = 0; valid <= ftl->config.pages_per_block; valid++) {
		const struct bucket *bucket = bucket_of(ftl, die_index, valid);
		uint32_t before = SIM_FTL_NONE;
		bool filled = ftl->filled[(size_t)die_index * ftl->words + valid / WORD_BITS] >>
				      valid % WORD_BITS &
			      1;

		if (filled != (bucket->first != SIM_FTL_NONE))
			return false;
		for (uint32_t i = bucket->first; i != SIM_FTL_NONE; i = ftl->block[i].next) {
			if (i - first >= count || seen[i]++ || ftl->block[i].valid != valid ||
			    ftl->block[i].prev != before)
				return false;
			before = i;
			total++;
		}
		if (bucket->last != before)
			return false;
	}
	return total == count;
}

/* place[] and owner[] agree, and so do the valid counts. */
static bool pages_hold(const struct sim_ftl *ftl, uint32_t *valid)
{
	size_t blocks = (size_t)ftl->config.dies * ftl->config.blocks_per_die;
	uint64_t mapped = 0;

	for (uint32_t page = 0; page < ftl->config.pages; page++) {
		uint32_t place = ftl->place[page], index = place >> ftl->shift;

		mapped += sim_ftl_mapped(ftl, page);
		if (place == SIM_FTL_NONE)
			continue;
		if (index >= blocks || ftl->owner[place] != page ||
		    index / ftl->config.blocks_per_die != page % ftl->config.dies)
			return false;
		valid[index]++;
	}
	for (size_t i = 0; i < blocks; i++)
		if (valid[i] != ftl->block[i].valid)
			return false;
	for (size_t i = 0; i < blocks << ftl->shift; i++)
		if (ftl->owner[i] != SIM_FTL_NONE && ftl->owner[i] >= ftl->config.pages)
			return false;
	return mapped == ftl->counts->mapped;
}

static int state_check(const struct sim_ftl *ftl)
{
	size_t blocks = (size_t)ftl->config.dies * ftl->config.blocks_per_die;
	uint32_t *valid = calloc(blocks, sizeof(*valid));
	unsigned char *seen = calloc(blocks, 1);
	bool holds = valid && seen;
	int ret = holds ? 0 : -ENOMEM;

	for (uint32_t die = 0; holds && die < ftl->config.dies; die++)
		holds = blocks_hold(ftl, die, seen);
	if (!ret && (!holds || !pages_hold(ftl, valid)))
		ret = -EINVAL;
	free(valid);
	free(seen);
	return ret;
}

int sim_ftl_restore(struct sim_ftl *ftl, const void *state, size_t bytes)
{
	int ret;

	if (bytes != ftl->state_bytes)
		return -EINVAL;
	memcpy(ftl->state, state, bytes);
	ret = state_check(ftl);
	if (ret < 0) {
		memset(ftl->state, 0, ftl->state_bytes);
		sim_ftl_reset(ftl);
	}
	return ret;
}
