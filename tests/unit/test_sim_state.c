/*
 * Snapshots of the model drive: one that is restored goes on as the one that was kept, I/O by I/O;
 * what is damaged, cut or of another drive is refused, and leaves a fresh drive. All models of
 * specs/drives, and one with everything that a model can have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_sim.h"
#include "device.h"
#include "pts_hash.h"
#include "sim_drive.h"

#define US    1000ull
#define MS    1000000ull
#define MIB   (1ull << 20)
#define DEPTH 24

/* The CLI's reader of models, without the device room that asks it in the program. */
static device_sim_models_fn read_model;

void device_sim_models(device_sim_models_fn models)
{
	read_model = models;
}

static struct sim_model everything(void)
{
	struct sim_model model;

	sim_model_init(&model);
	snprintf(model.name, sizeof(model.name), "everything");
	model.capacity_bytes = 64 * MIB;
	model.lba_bytes = 512;
	model.page_bytes = 4096;
	model.pages_per_block = 64;
	model.dies = 8;
	model.channels = 4;
	model.over_provision = 0.28;
	model.read_ns = 50 * US;
	model.program_ns = 400 * US;
	model.erase_ns = 3000 * US;
	model.suspend_ns = 30 * US;
	model.channel_bytes_per_s = 400 * MIB;
	model.bytes_per_s = 1000 * MIB;
	model.buffer_pages = 64;
	model.slc_pages = 2048;
	model.slc_program_ns = 100 * US;
	model.compress = true;
	model.deduplicate = true;
	model.refresh_every_ns = 3000 * MS;
	model.refresh_ns = 1000 * MS;
	model.refresh_share = 0.3;
	model.endurance = 400;
	model.worn_read_ns = 60 * US;
	model.idle_after_ns = 5 * MS;
	model.idle_free_blocks = 8;
	model.idle_valid_share = 0.9;
	model.command_ns = 10 * US;
	model.iops_limit = 100000;
	model.noise_share = 0.2;
	model.tail_share = 0.01;
	model.tail_ns = 5 * MS;
	model.ambient_c = 30;
	model.rise_c = 60;
	model.heat_ns = 2000 * MS;
	model.throttle_on_c = 60;
	model.throttle_off_c = 55;
	model.throttle_factor = 2;
	model.bad_bytes = 4096;
	return model;
}

static struct sim_drive *drive_of(const struct sim_model *model, uint64_t seed)
{
	struct pts_err err = PTS_ERR_INIT;
	struct sim_drive *drive;

	if (sim_drive_open(model, seed, &drive, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sim_drive_reserve(drive, DEPTH), 0);
	return drive;
}

/* ---- a load that depends on what the drive answers ---------------------------------------- */

struct load {
	struct sim_drive *drive;
	struct pts_clock_source clock;
	uint64_t rng;
	uint64_t span_bytes; /* from LBA 0 on */
	uint64_t sum;        /* of every completion: which, what, when */
	uint64_t out;
};

static uint64_t below(struct load *load, uint64_t limit)
{
	return pts_splitmix64(&load->rng) % limit;
}

static void submit(struct load *load, uint64_t tag)
{
	const struct sim_model *model = sim_drive_model(load->drive);
	uint64_t most = model->page_bytes * 4 / model->lba_bytes;
	uint64_t lbas = 1 + below(load, most);

	sim_drive_submit(
		load->drive,
		&(struct sim_io){
			.offset_bytes =
				below(load, load->span_bytes / model->lba_bytes - lbas) *
				model->lba_bytes,
			.length_bytes = (uint32_t)(lbas * model->lba_bytes),
			.write = below(load, 4) != 0,
			.compressible = (double)below(load, 3) / 4,
			.tag = tag,
		});
	load->out++;
}

static void complete(struct load *load)
{
	struct sim_done done;

	if (!sim_drive_run(load->drive, UINT64_MAX / 8, &done))
		fail_msg("an I/O never came back");
	load->sum ^= done.tag << 32 ^ (uint32_t)done.result;
	load->sum += sim_drive_now_ns(load->drive);
	pts_splitmix64(&load->sum);
	load->out--;
}

/* Ends with nothing outstanding. In between the drive idles, deallocates and is purged. */
static void do_load(struct load *load, unsigned ios)
{
	const struct sim_model *model = sim_drive_model(load->drive);

	for (unsigned i = 0; i < ios; i++) {
		while (load->out >= 1 + below(load, DEPTH))
			complete(load);
		submit(load, i);
		if (below(load, 400))
			continue;
		while (load->out)
			complete(load);
		load->clock.sleep_until_ns(load->clock.ctx, sim_drive_now_ns(load->drive) +
								    below(load, 80) * MS);
		if (!below(load, 3))
			sim_drive_deallocate(load->drive, 0,
					     below(load, 64) * model->page_bytes);
		if (!below(load, 10))
			sim_drive_set_write_cache(load->drive, below(load, 2));
		if (!below(load, 40))
			sim_drive_purge(load->drive);
	}
	while (load->out)
		complete(load);
}

static struct load load_of(struct sim_drive *drive, uint64_t seed)
{
	uint64_t span = sim_drive_model(drive)->capacity_bytes;
	uint64_t real = sim_drive_model(drive)->real_bytes;

	if (real && real < span)
		span = real;
	return (struct load){
		.drive = drive,
		.clock = sim_drive_clock(drive, PTS_NS_PER_S),
		.rng = seed,
		.span_bytes = span < 64 * MIB ? span : 64 * MIB,
	};
}

/* ---- snapshots ------------------------------------------------------------------------- */

static unsigned char *snapshot_of(const struct sim_drive *drive, size_t *ret_bytes)
{
	struct sim_piece pieces[SIM_DRIVE_PIECES];
	struct sim_header header;
	unsigned char *snapshot;
	size_t at = sizeof(header);

	sim_drive_snapshot(drive, &header, pieces);
	*ret_bytes = sizeof(header) + header.state_bytes;
	snapshot = malloc(*ret_bytes);
	assert_non_null(snapshot);
	memcpy(snapshot, &header, sizeof(header));
	for (unsigned i = 0; i < SIM_DRIVE_PIECES; i++) {
		memcpy(snapshot + at, pieces[i].data, pieces[i].bytes);
		at += pieces[i].bytes;
	}
	assert_int_equal(at, *ret_bytes);
	return snapshot;
}

/* Snapshot, restore, and the same 10,000 I/Os on both. */
static void go_on_alike(const struct sim_model *model, uint64_t seed)
{
	struct sim_drive *kept = drive_of(model, seed), *restored = drive_of(model, seed);
	struct load load = load_of(kept, seed), other;
	unsigned char *snapshot, *again;
	size_t bytes, again_bytes;

	/* the other one has a past too, of which nothing may be left */
	other = load_of(restored, seed + 1);
	do_load(&other, 3000);
	do_load(&load, 2000 + (unsigned)below(&load, 20000));
	snapshot = snapshot_of(kept, &bytes);
	assert_int_equal(sim_drive_restore(restored, snapshot, bytes), SIM_FAULT_NONE);
	again = snapshot_of(restored, &again_bytes);
	assert_int_equal(again_bytes, bytes);
	assert_memory_equal(again, snapshot, bytes);

	other = load;
	other.drive = restored;
	other.clock = sim_drive_clock(restored, 0);
	do_load(&load, 10000);
	do_load(&other, 10000);
	if (load.sum != other.sum)
		fail_msg("%s, seed %llu: the restored drive answers otherwise", model->name,
			 (unsigned long long)seed);
	assert_int_equal(sim_drive_now_ns(kept), sim_drive_now_ns(restored));
	free(snapshot);
	free(again);
	sim_drive_close(kept);
	sim_drive_close(restored);
}

static void test_everything(void **state)
{
	struct sim_model model = everything();

	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++)
		go_on_alike(&model, seed);
	model.write_cache = false;
	go_on_alike(&model, 7);
	model.buffer_pages = 0;
	go_on_alike(&model, 8);
}

/* fn for every model of specs/drives. */
static void each_model(void (*fn)(const struct sim_model *model))
{
	struct pts_err err = PTS_ERR_INIT;
	glob_t files;

	cli_sim_init();
	assert_int_equal(glob("specs/drives/*.yaml", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct sim_model model;

		if (read_model(files.gl_pathv[i], &model, &err) < 0)
			fail_msg("%s", err.text);
		fn(&model);
	}
	globfree(&files);
}

static void model_goes_on(const struct sim_model *model)
{
	go_on_alike(model, 3);
}

static void test_models_go_on(void **state)
{
	(void)state;
	each_model(model_goes_on);
}

/* The number that a datasheet calls the response time: nothing else is to do. */
static void read_latency(const struct sim_model *model)
{
	struct sim_drive *drive = drive_of(model, 1);
	struct pts_clock_source clock = sim_drive_clock(drive, PTS_NS_PER_S);
	uint64_t begin =
		(model->bad_bytes == UINT64_MAX ? 0 : model->bad_bytes) / MIB * MIB + MIB;
	double expected = (double)(model->command_ns + model->read_ns) +
			  model->tail_share * (double)model->tail_ns +
			  (double)model->page_bytes * 1e9 / (double)model->channel_bytes_per_s +
			  (double)model->page_bytes * 1e9 / (double)model->bytes_per_s;
	unsigned ios = model->tail_share > 0 ? 400000 : 20000;
	uint64_t pages = MIB / model->page_bytes, rng = 1;
	struct sim_done done;
	double sum = 0;

	sim_drive_submit(drive, &(struct sim_io){begin, MIB, true, 0, 0, 0});
	assert_true(sim_drive_run(drive, UINT64_MAX / 8, &done));
	clock.sleep_until_ns(clock.ctx, sim_drive_now_ns(drive) + 10 * PTS_NS_PER_S);
	for (unsigned i = 0; i < ios; i++) {
		uint64_t at = begin + pts_splitmix64(&rng) % pages * model->page_bytes;
		uint64_t from = sim_drive_now_ns(drive);

		sim_drive_submit(drive,
				 &(struct sim_io){at, model->page_bytes, false, 0, 0, i});
		assert_true(sim_drive_run(drive, UINT64_MAX / 8, &done));
		assert_int_equal(done.result, model->page_bytes);
		sum += (double)(sim_drive_now_ns(drive) - from);
	}
	sum /= ios;
	if (sum < 0.99 * expected || sum > 1.01 * expected)
		fail_msg("%s: a read alone takes %.0f ns, the model says %.0f", model->name,
			 sum, expected);
	sim_drive_close(drive);
}

static void test_read_latency(void **state)
{
	struct sim_model model = everything();

	(void)state;
	model.refresh_every_ns = 0; /* times that take longer have a test of their own */
	model.throttle_on_c = 1000;
	read_latency(&model);
	each_model(read_latency);
}

/* ---- faults ---------------------------------------------------------------------------- */

/* A drive that was refused a snapshot is a fresh one. */
static void assert_fresh(struct sim_drive *drive, const struct sim_model *model, uint64_t seed)
{
	struct sim_drive *fresh = drive_of(model, seed);
	struct load a = load_of(drive, 9), b = load_of(fresh, 9);

	do_load(&a, 500);
	do_load(&b, 500);
	assert_int_equal(a.sum, b.sum);
	sim_drive_close(fresh);
}

static void test_damaged(void **state)
{
	struct sim_model model = everything();
	struct sim_drive *drive = drive_of(&model, 5);
	struct load load = load_of(drive, 5);
	unsigned char *snapshot;
	uint64_t rng = 4;
	size_t bytes;

	(void)state;
	do_load(&load, 8000);
	snapshot = snapshot_of(drive, &bytes);
	for (unsigned i = 0; i < 300; i++) {
		struct sim_drive *other = drive_of(&model, 5);
		/* each word of the head, then anywhere */
		size_t at = i < 64 ? i * 8 : pts_splitmix64(&rng) % bytes;
		unsigned char bit = (unsigned char)(1u << i % 8);

		snapshot[at] ^= bit;
		assert_int_not_equal(sim_drive_restore(other, snapshot, bytes), SIM_FAULT_NONE);
		snapshot[at] ^= bit;
		if (i % 50 == 0)
			assert_fresh(other, &model, 5);
		sim_drive_close(other);
	}
	assert_int_equal(sim_drive_restore(drive, snapshot, bytes - 1), SIM_FAULT_DAMAGED);
	assert_int_equal(sim_drive_restore(drive, snapshot, bytes / 2), SIM_FAULT_DAMAGED);
	assert_int_equal(sim_drive_restore(drive, snapshot, 20), SIM_FAULT_FOREIGN);
	assert_int_equal(sim_drive_restore(drive, snapshot, 0), SIM_FAULT_FOREIGN);
	assert_int_equal(sim_drive_restore(drive, snapshot, bytes), SIM_FAULT_NONE);
	free(snapshot);
	sim_drive_close(drive);
}

static void test_other_drive(void **state)
{
	struct sim_model model = everything(), warmer = everything();
	struct sim_drive *drive = drive_of(&model, 5), *other;
	unsigned char *snapshot;
	size_t bytes;

	(void)state;
	snapshot = snapshot_of(drive, &bytes);
	other = drive_of(&model, 6);
	assert_int_equal(sim_drive_restore(other, snapshot, bytes), SIM_FAULT_SEED);
	sim_drive_close(other);
	warmer.ambient_c += 1;
	other = drive_of(&warmer, 5);
	assert_int_equal(sim_drive_restore(other, snapshot, bytes), SIM_FAULT_MODEL);
	sim_drive_close(other);
	snapshot[8]++;
	assert_int_equal(sim_drive_restore(drive, snapshot, bytes), SIM_FAULT_VERSION);
	free(snapshot);
	sim_drive_close(drive);
}

/* Power off and on: idle, later, and dates go on. */
static void test_power_on(void **state)
{
	struct sim_model model = everything();
	struct sim_drive *drive;
	struct pts_clock_source clock;
	uint64_t now_ns, wall_ns;
	unsigned char *snapshot;
	struct load load;
	size_t bytes;

	(void)state;
	drive = drive_of(&model, 5);
	load = load_of(drive, 5);
	clock = sim_drive_clock(drive, 1000 * PTS_NS_PER_S);
	do_load(&load, 3000);
	now_ns = sim_drive_now_ns(drive);
	wall_ns = clock.wall_ns(clock.ctx);
	snapshot = snapshot_of(drive, &bytes);
	sim_drive_close(drive);
	drive = drive_of(&model, 5);
	assert_int_equal(sim_drive_restore(drive, snapshot, bytes), SIM_FAULT_NONE);
	sim_drive_power_on(drive);
	assert_true(sim_drive_now_ns(drive) >= now_ns + PTS_NS_PER_S);
	clock = sim_drive_clock(drive, 900 * PTS_NS_PER_S);
	assert_true(clock.wall_ns(clock.ctx) > wall_ns);
	clock = sim_drive_clock(drive, wall_ns + 7000 * PTS_NS_PER_S);
	assert_int_equal(clock.wall_ns(clock.ctx), wall_ns + 7000 * PTS_NS_PER_S);
	load = load_of(drive, 6);
	do_load(&load, 1000);
	free(snapshot);
	sim_drive_close(drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything),   cmocka_unit_test(test_models_go_on),
		cmocka_unit_test(test_read_latency), cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_other_drive),  cmocka_unit_test(test_power_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
