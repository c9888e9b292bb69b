/* Model drives behind the engine for tests, and a cell on one of them by its figures. */
#include "engine_sim_fixture.h"

#include <math.h>
#include <stdio.h>

struct engine_result *result;
struct sim_drive *drive;
struct engine *engine;

int sim_results_make(void **state)
{
	(void)state;
	result = engine_result_new();
	return 0;
}

int sim_results_drop(void **state)
{
	(void)state;
	engine_result_free(result);
	return 0;
}

struct sim_model sim_plain(void)
{
	struct sim_model model;

	sim_model_init(&model);
	snprintf(model.name, sizeof(model.name), "plain");
	model.capacity_bytes = 64 * MIB;
	model.lba_bytes = 512;
	model.page_bytes = 4096;
	model.pages_per_block = 64;
	model.dies = 8;
	model.channels = 4;
	model.over_provision = 0.28;
	model.read_ns = 500 * US;
	model.program_ns = 1000 * US;
	model.erase_ns = 5000 * US;
	model.channel_bytes_per_s = 400 * MIB;
	model.bytes_per_s = 1000 * MIB;
	model.buffer_pages = 64;
	model.command_ns = 10 * US;
	return model;
}

void sim_setup(const struct sim_model *model, uint64_t seed, unsigned threads, unsigned depth)
{
	struct pts_err err = PTS_ERR_INIT;
	struct engine_config config;
	struct pts_clock_source clock;

	if (sim_drive_open(model, seed, &drive, &err) < 0)
		fail_msg("%s", err.text);
	clock = sim_drive_clock(drive, SEC);
	pts_clock_set(&clock);
	config = fixture_config(ENGINE_SIM, -1, model->capacity_bytes);
	config.lba_bytes = model->lba_bytes;
	config.sim = drive;
	config.threads_max = threads;
	config.queue_depth_max = depth;
	config.block_bytes_max = MIB;
	config.sample_ns = 0;
	engine = fixture_open(&config);
}

void sim_teardown(void)
{
	engine_close(engine);
	pts_clock_set(NULL);
	sim_drive_close(drive);
}

int sim_run(const struct sim_cell *cell, struct pts_err *err)
{
	struct fixture_job f;

	fixture_job_init(&f, sim_drive_model(drive)->capacity_bytes, cell->block_bytes);
	f.stream.read_share = cell->reads;
	f.stream.random_share = cell->random;
	f.job.threads = cell->threads;
	f.job.queue_depth = cell->depth;
	f.job.duration_ns = cell->duration_ns;
	f.job.amount_bytes = cell->amount_bytes;
	f.job.ios = 0;
	f.job.seed = cell->seed;
	return fixture_run(engine, &f.job, result, err);
}

double sim_iops(void)
{
	return (double)(result->dir[0].ios + result->dir[1].ios) * 1e9 /
	       (double)result->elapsed_ns;
}

double sim_mean_ns(unsigned dir)
{
	return (double)result->hist[dir]->sum / (double)result->hist[dir]->count;
}

void sim_run_well(const struct sim_cell *cell)
{
	struct pts_err err = PTS_ERR_INIT;

	if (sim_run(cell, &err) < 0)
		fail_msg("%s", err.text);
}

void sim_fill_all(void)
{
	sim_run_well(&(struct sim_cell){MIB, 0, 0, 1, 4, 0,
					sim_drive_model(drive)->capacity_bytes, 1});
}

double sim_random_writes(uint64_t duration_ns, uint64_t seed)
{
	sim_run_well(&(struct sim_cell){4096, 0, 1, 4, 8, duration_ns, 0, seed});
	return sim_iops();
}

void assert_near(double value, double wanted, double share)
{
	if (fabs(value / wanted - 1) > share)
		fail_msg("%.6g is %.3f %% off %.6g", value, 100 * (value / wanted - 1), wanted);
}
