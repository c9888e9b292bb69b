/*
 * What a model drive likely does, reckoned from its numbers without running it: for estimates
 * before a run. Cleaning by sim_ftl_greedy_wa(); noise, heat, caches of one bit a cell and
 * compression are left out, so that it is a guess where a model has them.
 */
#ifndef SIM_RATES_H
#define SIM_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_model.h"

struct sim_rate {
	bool random, write;
	uint64_t block_bytes;
	uint32_t outstanding;
	double mb_per_s;
};

#define SIM_RATES 24

/* Pure reads and writes of one page and of 32, with 1, 32 and 128 outstanding; random writes in
 * steady state over the whole capacity. */
void sim_rates(const struct sim_model *model, struct sim_rate ret_rates[SIM_RATES]);
/* No write load of some outstanding I/Os is slower, in MB/s: random single pages one at a time,
 * throttled, with a margin of 4 for blocks smaller than a page and for cleaning that lags. */
double sim_rates_least(const struct sim_model *model);
/* A purge erases every block, all dies at once. */
uint64_t sim_rates_purge_ns(const struct sim_model *model);

#endif
