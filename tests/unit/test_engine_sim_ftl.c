/*
 * The flash translation layer of the model drive: its write amplification against theory, every
 * count against a brute-force cleaner that shares no code with it, its promises in the corners.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_hash.h"
#include "sim_ftl.h"

static uint64_t rng_state;

/* SplitMix64. */
static uint64_t rng(void)
{
	uint64_t z = rng_state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint32_t rng_below(uint32_t n)
{
	return (uint32_t)((rng() >> 32) * n >> 32);
}

/* ---- theory ---------------------------------------------------------------------------- */

#define WA_PAGES (2u << 20) /* 8 GiB of 4 KiB pages */

static struct sim_ftl *ftl_of(uint32_t pages, uint32_t dies, uint32_t per_block, double op)
{
	struct sim_ftl_config config = {
		.pages = pages,
		.dies = dies,
		.pages_per_block = per_block,
		.reserve_blocks = 1,
		.blocks_per_die = sim_ftl_blocks(pages, dies, per_block, 1, op),
	};
	struct sim_ftl *ftl;

	assert_int_equal(sim_ftl_new(&config, &ftl), 0);
	return ftl;
}

/* Physical pages for each logical one, without open and reserve blocks. */
static double alpha_of(const struct sim_ftl *ftl)
{
	const struct sim_ftl_config *config = sim_ftl_config(ftl);

	return (double)(config->blocks_per_die - config->reserve_blocks - 1) * config->dies *
	       config->pages_per_block / config->pages;
}

static void write_uniform(struct sim_ftl *ftl, uint64_t count)
{
	struct sim_ftl_work work;

	while (count--)
		sim_ftl_write(ftl, rng_below(sim_ftl_config(ftl)->pages), &work);
}

/* After writes_before x capacity, over half a capacity more. */
static double steady_wa(struct sim_ftl *ftl, double writes_before)
{
	uint32_t pages = sim_ftl_config(ftl)->pages;
	struct sim_ftl_work work;
	struct sim_ftl_counts before, after;

	for (uint32_t page = 0; page < pages; page++)
		sim_ftl_write(ftl, page, &work);
	write_uniform(ftl, (uint64_t)(writes_before * pages));
	before = sim_ftl_counts(ftl);
	write_uniform(ftl, pages / 2);
	after = sim_ftl_counts(ftl);
	return 1 + (double)(after.moved - before.moved) / (double)(after.host - before.host);
}

static void test_wa_is_analytic(void **state)
{
	static const double ops[] = {0.07, 0.15, 0.28};

	(void)state;
	rng_state = 1;
	for (unsigned i = 0; i < 3; i++) {
		struct sim_ftl *ftl = ftl_of(WA_PAGES, 8, 256, ops[i]);
		double wa = steady_wa(ftl, 1.5);
		double alpha = alpha_of(ftl);
		double limit = sim_ftl_greedy_wa_limit(alpha);
		double finite = sim_ftl_greedy_wa(alpha, 256);

		printf("op %.2f (alpha %.4f): simulated %.4f, large-block limit %.4f "
		       "(%+.2f %%), 256 pages a block %.4f (%+.2f %%)\n",
		       ops[i], alpha, wa, limit, 100 * (wa / limit - 1), finite,
		       100 * (wa / finite - 1));
		assert_true(fabs(wa / limit - 1) < 0.05);
		assert_true(fabs(wa / finite - 1) < 0.02);
		sim_ftl_free(ftl);
	}
}

/* The limit satisfies its own equation, by the Lambert function's definition. */
static void test_formula(void **state)
{
	(void)state;
	for (double alpha = 1.02; alpha < 3; alpha += 0.11) {
		double wa = sim_ftl_greedy_wa_limit(alpha);
		double w = alpha / wa - alpha; /* W(-alpha e^-alpha) */

		assert_true(fabs(w * exp(w) + alpha * exp(-alpha)) < 1e-9);
		assert_true(w > -1);
		assert_true(fabs(sim_ftl_greedy_wa(alpha, 1 << 15) / wa - 1) < 1e-3);
	}
	/* two pages a block: victims hold one page for x = 1: H(2) - H(1) = 1/2 = alpha / 2 */
	assert_true(fabs(sim_ftl_greedy_wa(1.0001, 2) - 2) < 0.01);
	assert_true(sim_ftl_greedy_wa(8, 2) == 1);
}

/* ---- brute force ----------------------------------------------------------------------- */

#define B_PAGES  96
#define B_DIES   2
#define B_PER    4
#define B_BLOCKS 17 /* a die: 12 full of data */
#define B_SLOTS  (B_BLOCKS * B_PER)

/* One die by the words of sim_ftl.h, with searches of everything for everything. */
struct brute {
	int page[B_BLOCKS][B_PER]; /* -1: no data of worth */
	int used[B_BLOCKS];        /* pages programmed since the erase */
	long changed[B_BLOCKS];    /* when the number of valid pages was last another */
	long freed[B_BLOCKS];      /* when it was erased */
	long now;
	uint64_t moved, erased;
	uint32_t erases[B_BLOCKS];
};

static int brute_valid(const struct brute *b, int block)
{
	int valid = 0;

	for (int i = 0; i < B_PER; i++)
		valid += b->page[block][i] >= 0;
	return valid;
}

static int brute_open(const struct brute *b)
{
	for (int i = 0; i < B_BLOCKS; i++)
		if (b->used[i] > 0 && b->used[i] < B_PER)
			return i;
	return -1;
}

static int brute_free(const struct brute *b, int *ret_count)
{
	int oldest = -1;

	*ret_count = 0;
	for (int i = 0; i < B_BLOCKS; i++) {
		if (b->used[i])
			continue;
		++*ret_count;
		if (oldest < 0 || b->freed[i] < b->freed[oldest])
			oldest = i;
	}
	return oldest;
}

static void brute_drop(struct brute *b, int page)
{
	for (int i = 0; i < B_BLOCKS; i++)
		for (int k = 0; k < B_PER; k++)
			if (b->page[i][k] == page) {
				b->page[i][k] = -1;
				b->changed[i] = ++b->now;
			}
}

static void brute_append(struct brute *b, int page)
{
	int open = brute_open(b), count;

	if (open < 0)
		open = brute_free(b, &count);
	b->page[open][b->used[open]++] = page;
	b->changed[open] = ++b->now;
}

static int brute_victim(const struct brute *b)
{
	int best = -1;

	for (int i = 0; i < B_BLOCKS; i++) {
		if (b->used[i] < B_PER)
			continue;
		if (best < 0 || brute_valid(b, i) < brute_valid(b, best) ||
		    (brute_valid(b, i) == brute_valid(b, best) &&
		     b->changed[i] < b->changed[best]))
			best = i;
	}
	return best;
}

static void brute_clean(struct brute *b, int victim)
{
	int pages[B_PER];

	memcpy(pages, b->page[victim], sizeof(pages));
	for (int k = 0; k < B_PER; k++) {
		if (pages[k] < 0)
			continue;
		b->page[victim][k] = -1;
		brute_append(b, pages[k]);
		b->moved++;
	}
	b->used[victim] = 0;
	b->freed[victim] = ++b->now;
	b->erases[victim]++;
	b->erased++;
}

static void brute_write(struct brute *b, int page)
{
	int count;

	brute_drop(b, page);
	brute_free(b, &count);
	if (brute_open(b) < 0 && count <= 1)
		brute_clean(b, brute_victim(b));
	brute_append(b, page);
}

static void brute_init(struct brute *b)
{
	memset(b, 0, sizeof(*b));
	memset(b->page, 0xff, sizeof(b->page));
	for (int i = 0; i < B_BLOCKS; i++)
		b->freed[i] = ++b->now;
}

static void brute_equal(const struct sim_ftl *ftl, const struct brute *b)
{
	struct sim_ftl_counts counts = sim_ftl_counts(ftl);
	uint64_t moved = 0, erased = 0;
	uint32_t most = 0, most_seen;
	double mean;

	for (int die = 0; die < B_DIES; die++) {
		int count;

		moved += b[die].moved;
		erased += b[die].erased;
		brute_free(&b[die], &count);
		assert_int_equal(sim_ftl_free_blocks(ftl, (uint32_t)die), count);
		for (int i = 0; i < B_BLOCKS; i++)
			most = most < b[die].erases[i] ? b[die].erases[i] : most;
	}
	assert_int_equal(counts.moved, moved);
	assert_int_equal(counts.erased, erased);
	sim_ftl_wear(ftl, &mean, &most_seen);
	assert_int_equal(most_seen, most);
	assert_true(fabs(mean - (double)erased / (B_DIES * B_BLOCKS)) < 1e-9);
}

/* Uniform, skewed and sequential writes, trims and idle cleaning in one long sequence: the counts
 * agree after every single step. */
static void test_brute_force(void **state)
{
	struct sim_ftl_config config = {B_PAGES, B_DIES, B_PER, B_BLOCKS, 1};
	struct brute b[B_DIES];
	struct sim_ftl *ftl;
	struct sim_ftl_work work;

	(void)state;
	rng_state = 7;
	assert_int_equal(sim_ftl_new(&config, &ftl), 0);
	for (int die = 0; die < B_DIES; die++)
		brute_init(&b[die]);
	for (uint32_t step = 0; step < 30000; step++) {
		uint32_t phase = step / 3000 % 3;
		uint32_t page = phase == 0   ? rng_below(B_PAGES)
				: phase == 1 ? rng_below(1 + rng_below(B_PAGES))
					     : step % B_PAGES;
		struct brute *die = &b[page % B_DIES];

		if (step / 9000 && rng_below(16) == 0) {
			sim_ftl_trim(ftl, page);
			brute_drop(die, (int)page);
		} else if (step / 9000 && rng_below(64) == 0) {
			int victim = brute_victim(die);
			bool any = victim >= 0 && brute_valid(die, victim) <= 2;

			assert_int_equal(sim_ftl_clean(ftl, page % B_DIES, 2, &work), any);
			if (any)
				brute_clean(die, victim);
		} else {
			sim_ftl_write(ftl, page, &work);
			brute_write(die, (int)page);
			assert_true(sim_ftl_mapped(ftl, page));
		}
		brute_equal(ftl, b);
	}
	assert_true(sim_ftl_counts(ftl).moved > 10000);
	sim_ftl_free(ftl);
}

/* ---- corners --------------------------------------------------------------------------- */

static void test_refuses_bad_geometry(void **state)
{
	static const struct sim_ftl_config bad[] = {
		{0, 1, 4, 10, 1},     {16, 0, 4, 10, 1},
		{16, 1, 3, 10, 1},    {16, 1, 4, 10, 0},
		{16, 1, 4, 5, 1},     {16, 1, 1, 99, 1},
		{2, 4, 4, 10, 1},     {1u << 31, 1, 4, 1u << 30, 1},
		{16, 1, 65536, 4, 1},
	};
	struct sim_ftl_config least = {16, 1, 4, 6, 1};
	struct sim_ftl *ftl;
	struct sim_ftl_work work;

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(sim_ftl_new(&bad[i], &ftl), -EINVAL);
		assert_null(ftl);
	}
	/* the least that is legal goes on for ever */
	assert_int_equal(sim_ftl_new(&least, &ftl), 0);
	for (unsigned i = 0; i < 10000; i++)
		sim_ftl_write(ftl, rng_below(16), &work);
	assert_int_equal(sim_ftl_counts(ftl).mapped, 16);
	sim_ftl_free(ftl);
	sim_ftl_free(NULL);
}

/* Sequential overwrites move nothing, a reset drive moves nothing until it is full again. */
static void test_sequential_and_reset(void **state)
{
	struct sim_ftl *ftl = ftl_of(4096, 4, 64, 0.1);
	struct sim_ftl_work work;
	uint64_t moved;
	double mean;
	uint32_t most;

	(void)state;
	for (uint32_t i = 0; i < 8 * 4096; i++)
		sim_ftl_write(ftl, i % 4096, &work);
	assert_int_equal(sim_ftl_counts(ftl).moved, 0);
	write_uniform(ftl, 4096);
	moved = sim_ftl_counts(ftl).moved;
	assert_true(moved > 0);
	sim_ftl_reset(ftl);
	assert_int_equal(sim_ftl_counts(ftl).mapped, 0);
	assert_false(sim_ftl_mapped(ftl, 17));
	for (uint32_t i = 0; i < 4096; i++)
		sim_ftl_write(ftl, i, &work);
	assert_int_equal(sim_ftl_counts(ftl).moved, moved);
	sim_ftl_wear(ftl, &mean, &most);
	assert_true(mean > 5 && most >= mean && most < 3 * mean);
	sim_ftl_free(ftl);
}

/* A drive that goes on from a snapshot is the same drive; a damaged one is refused. */
static void test_snapshot(void **state)
{
	struct sim_ftl *a = ftl_of(4096, 4, 64, 0.1), *b = ftl_of(4096, 4, 64, 0.1);
	struct sim_ftl *other = ftl_of(4096, 4, 64, 0.2);
	struct sim_ftl_counts ca, cb;
	unsigned char *copy;
	const void *bytes;
	size_t size, size_b;
	uint64_t seed;
	unsigned refused = 0;

	(void)state;
	write_uniform(a, 20000);
	bytes = sim_ftl_state(a, &size);
	copy = malloc(size);
	memcpy(copy, bytes, size);
	assert_int_equal(sim_ftl_restore(other, copy, size), -EINVAL);
	assert_int_equal(sim_ftl_restore(b, copy, size - 1), -EINVAL);
	assert_int_equal(sim_ftl_restore(b, copy, size), 0);
	seed = rng_state;
	write_uniform(a, 20000);
	rng_state = seed;
	write_uniform(b, 20000);
	ca = sim_ftl_counts(a);
	cb = sim_ftl_counts(b);
	assert_memory_equal(&ca, &cb, sizeof(ca));
	assert_memory_equal(sim_ftl_state(a, &size), sim_ftl_state(b, &size_b), size);
	/* damage anywhere: refused, or of no harm (a counter, padding, data of no worth) */
	for (unsigned i = 0; i < 400; i++) {
		size_t at = rng() % size;
		unsigned char was = copy[at];

		copy[at] ^= (unsigned char)(1 + rng_below(255));
		if (sim_ftl_restore(b, copy, size) == 0)
			write_uniform(b, 200);
		else
			refused++;
		copy[at] = was;
	}
	printf("damaged snapshots: %u of 400 refused\n", refused);
	assert_true(refused > 100);
	free(copy);
	sim_ftl_free(a);
	sim_ftl_free(b);
	sim_ftl_free(other);
}

/* ---- the host's view apart from the flash ----------------------------------------------- */

static uint64_t moved_per_write(struct sim_ftl *ftl, double taken)
{
	struct sim_ftl_counts before = sim_ftl_counts(ftl);
	const uint32_t pages = sim_ftl_config(ftl)->pages;
	struct sim_ftl_work work;

	for (uint32_t i = 0; i < 2 * pages; i++) {
		uint32_t page = rng_below(pages);

		if (rng() * 0x1p-64 < taken)
			sim_ftl_write(ftl, page, &work);
		else
			sim_ftl_write_shared(ftl, page);
	}
	return sim_ftl_counts(ftl).moved - before.moved;
}

/* Pages that share flash leave room: cleaning moves less, as with that much more spare area. */
static void test_shared(void **state)
{
	struct sim_ftl *ftl = ftl_of(1u << 18, 4, 64, 0.1);
	const uint32_t pages = sim_ftl_config(ftl)->pages;
	struct sim_ftl_work work;
	uint64_t all, half;
	double wa;

	(void)state;
	rng_state = 3;
	for (uint32_t page = 0; page < pages; page++)
		sim_ftl_write(ftl, page, &work);
	moved_per_write(ftl, 1);
	all = moved_per_write(ftl, 1);
	moved_per_write(ftl, 0.5);
	half = moved_per_write(ftl, 0.5);
	assert_int_equal(sim_ftl_counts(ftl).mapped, pages);
	wa = 1 + (double)half / pages; /* half of 2 x pages are programmed */
	printf("moved a write: %.3f, with half of them shared %.3f (WA %.3f, by theory %.3f)\n",
	       (double)all / 2 / pages, (double)half / 2 / pages, wa,
	       sim_ftl_greedy_wa(2 * alpha_of(ftl), 64));
	assert_true(fabs(wa / sim_ftl_greedy_wa(2 * alpha_of(ftl), 64) - 1) < 0.1);
	for (uint32_t page = 0; page < pages; page++)
		sim_ftl_write_shared(ftl, page);
	assert_int_equal(moved_per_write(ftl, 0), 0);
	sim_ftl_trim(ftl, 5);
	assert_false(sim_ftl_mapped(ftl, 5));
	assert_int_equal(sim_ftl_counts(ftl).mapped, pages - 1);
	sim_ftl_free(ftl);
}

static void test_forget(void **state)
{
	struct sim_ftl *ftl = ftl_of(1u << 16, 4, 64, 0.1),
		       *copy = ftl_of(1u << 16, 4, 64, 0.1);
	const uint32_t pages = sim_ftl_config(ftl)->pages;
	struct sim_ftl_work work;
	uint64_t before, after;
	size_t bytes;
	const void *kept;

	(void)state;
	rng_state = 4;
	for (uint32_t page = 0; page < pages; page++)
		sim_ftl_write(ftl, page, &work);
	moved_per_write(ftl, 1);
	before = moved_per_write(ftl, 1);
	sim_ftl_forget(ftl);
	assert_int_equal(sim_ftl_counts(ftl).mapped, 0);
	for (uint32_t page = 0; page < pages; page++)
		assert_false(sim_ftl_mapped(ftl, page));
	after = moved_per_write(ftl, 1);
	assert_true(after > before * 0.97);
	kept = sim_ftl_state(ftl, &bytes);
	assert_int_equal(sim_ftl_restore(copy, kept, bytes), 0);
	assert_int_equal(sim_ftl_counts(copy).mapped, sim_ftl_counts(ftl).mapped);
	sim_ftl_free(ftl);
	sim_ftl_free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formula),
		cmocka_unit_test(test_wa_is_analytic),
		cmocka_unit_test(test_brute_force),
		cmocka_unit_test(test_refuses_bad_geometry),
		cmocka_unit_test(test_sequential_and_reset),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
