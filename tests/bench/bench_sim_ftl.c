/*
 * What a simulated page write costs, in steady uniform random writes on 8 GiB of 4 KiB pages, and
 * the write amplification there against theory. Usage: bench_sim_ftl [OVER_PROVISION...]
 */
#include <stdio.h>
#include <stdlib.h>

#include "pts_clock.h"
#include "sim_ftl.h"

#define PAGES     (2u << 20)
#define DIES      8u
#define PER_BLOCK 256u

static uint64_t seed = 1;

static uint32_t next_page(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)((seed >> 32) * PAGES >> 32);
}

static int run(double over_provision)
{
	struct sim_ftl_config config = {
		.pages = PAGES,
		.dies = DIES,
		.pages_per_block = PER_BLOCK,
		.reserve_blocks = 2,
		.blocks_per_die = sim_ftl_blocks(PAGES, DIES, PER_BLOCK, 2, over_provision),
	};
	double alpha = (double)(config.blocks_per_die - 3) * DIES * PER_BLOCK / PAGES;
	struct sim_ftl_counts before, after;
	struct sim_ftl_work work;
	struct sim_ftl *ftl;
	uint64_t begun;
	double wa, ns, limit = sim_ftl_greedy_wa_limit(alpha);

	if (sim_ftl_new(&config, &ftl) < 0)
		return 1;
	for (uint32_t page = 0; page < PAGES; page++)
		sim_ftl_write(ftl, page, &work);
	for (uint32_t i = 0; i < 3 * PAGES; i++)
		sim_ftl_write(ftl, next_page(), &work);
	before = sim_ftl_counts(ftl);
	begun = pts_now_ns();
	for (uint32_t i = 0; i < PAGES; i++)
		sim_ftl_write(ftl, next_page(), &work);
	ns = (double)(pts_now_ns() - begun) / PAGES;
	after = sim_ftl_counts(ftl);
	wa = 1 + (double)(after.moved - before.moved) / PAGES;
	printf("op %.3f: %.1f ns a host write (%.1f ns a flash write); WA %.4f, theory %.4f "
	       "(%+.2f %%)\n",
	       alpha - 1, ns, ns / wa, wa, limit, 100 * (wa / limit - 1));
	sim_ftl_free(ftl);
	return 0;
}

int main(int argc, char **argv)
{
	static const double usual[] = {0.07, 0.15, 0.28};
	int bad = 0;

	for (int i = 1; i < argc; i++)
		bad |= run(strtod(argv[i], NULL));
	for (unsigned i = 0; argc < 2 && i < 3; i++)
		bad |= run(usual[i]);
	return bad;
}
