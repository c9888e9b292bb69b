/* Model drives behind the engine for tests: one at a time, on its own clock. */
#ifndef ENGINE_SIM_FIXTURE_H
#define ENGINE_SIM_FIXTURE_H

#include "engine_fixture.h"
#include "sim_drive.h"

#define US  1000ull
#define SEC 1000000000ull

extern struct engine_result *result;
extern struct sim_drive *drive;
extern struct engine *engine;

/* setup and teardown of a group of tests: the results */
int sim_results_make(void **state);
int sim_results_drop(void **state);

/* 64 MiB on 8 dies, no noise. */
struct sim_model sim_plain(void);
void sim_setup(const struct sim_model *model, uint64_t seed, unsigned threads, unsigned depth);
void sim_teardown(void);

struct sim_cell {
	uint64_t block_bytes;
	double reads, random;
	unsigned threads, depth;
	uint64_t duration_ns, amount_bytes;
	uint64_t seed;
};

int sim_run(const struct sim_cell *cell, struct pts_err *err);
void sim_run_well(const struct sim_cell *cell);
double sim_iops(void); /* of the last cell, both directions */
double sim_mean_ns(unsigned dir);
void sim_fill_all(void);
/* 4 KiB, 4 threads of depth 8; the IOPS */
double sim_random_writes(uint64_t duration_ns, uint64_t seed);
void assert_near(double value, double wanted, double share);

#endif
