/* Sequential jobs really cover the target: B10, B38, B71. Every LBA is read back or counted. */
#include "engine_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OLD 0xA5

/* 10 MiB + 512 B: no multiple of 1 MiB, of 128 KiB or of 4 KiB. */
#define ODD (10 * MIB + 512)

static void paint(int fd, uint64_t bytes)
{
	unsigned char *data = malloc(bytes + 4096);
	unsigned char *aligned = (unsigned char *)(((uintptr_t)data + 4095) / 4096 * 4096);

	memset(aligned, OLD, bytes);
	assert_int_equal(pwrite(fd, aligned, bytes, 0), bytes);
	free(data);
}

static unsigned old_lbas(int fd, uint64_t bytes)
{
	unsigned char *data = fixture_read(fd, bytes);
	unsigned char old[512];
	unsigned count = 0;

	memset(old, OLD, sizeof(old));
	for (uint64_t at = 0; at < bytes; at += 512)
		count += memcmp(data + at, old, 512) == 0;
	free(data);
	return count;
}

static void one_pass_leaves_no_old_lba(void **state)
{
	const enum engine_backend_kind backends[] = {ENGINE_URING, ENGINE_PSYNC};
	const unsigned threads[] = {1, 4, 3};
	struct engine_result *result = engine_result_new();

	(void)state;
	for (unsigned b = 0; b < 2; b++) {
		for (unsigned t = 0; t < 3; t++) {
			int fd = fixture_file(ODD);
			struct engine_config config = fixture_config(backends[b], fd, ODD);
			struct engine *engine = fixture_open(&config);
			struct fixture_job fixture;

			paint(fd, ODD);
			assert_int_equal(old_lbas(fd, ODD), ODD / 512);
			fixture_job_init(&fixture, ODD, 128 * KIB);
			fixture.stream.random_share = 0;
			fixture.stream.read_share = 0;
			fixture.job.threads = threads[t];
			fixture.job.amount_bytes = ODD;
			fixture_run_well(engine, &fixture.job, result);
			assert_int_equal(result->dir[ENGINE_WRITE].bytes, ODD);
			assert_int_equal(result->drain_ios, 0);
			/* 80 whole blocks and the tail */
			assert_int_equal(result->dir[ENGINE_WRITE].ios, 81);
			assert_int_equal(old_lbas(fd, ODD), 0);
			engine_close(engine);
			close(fd);
		}
	}
	engine_result_free(result);
}

/* ---- how often each LBA is written ------------------------------------------------------ */

static unsigned *lba_writes;

/* Slices are disjoint: no two threads ever write the same LBA, so that no lock is needed. */
static struct fixture_answer count_writes(struct engine_worker *worker,
					  const struct engine_slot *slot)
{
	(void)worker;
	for (uint32_t at = 0; at < slot->length_bytes; at += 512)
		lba_writes[(slot->offset_bytes + at) / 512]++;
	return (struct fixture_answer){0, (int)slot->length_bytes};
}

static uint64_t run_amount(struct engine *engine, struct fixture_job *fixture, uint64_t amount)
{
	struct engine_result *result = engine_result_new();
	uint64_t bytes;

	fixture->job.amount_bytes = amount;
	fixture_run_well(engine, &fixture->job, result);
	bytes = result->dir[ENGINE_WRITE].bytes;
	engine_result_free(result);
	return bytes;
}

static void each_lba_written(uint64_t span, unsigned threads, uint64_t block, uint64_t start,
			     uint64_t amount)
{
	uint64_t lbas = (start + span) / 512;
	struct engine *engine =
		fixture_open_device(threads, 4, start + span + MIB, count_writes);
	struct fixture_job fixture;
	unsigned least = (unsigned)(amount / span);
	unsigned most = (unsigned)((amount + span - 1) / span);
	uint64_t more = 0;

	lba_writes = calloc(lbas + MIB / 512, sizeof(*lba_writes));
	fixture_job_init(&fixture, span, block);
	fixture.stream.start_bytes = start;
	fixture.stream.random_share = 0;
	fixture.stream.read_share = 0;
	fixture.job.threads = threads;
	fixture.job.queue_depth = 4;
	assert_int_equal(run_amount(engine, &fixture, amount), (amount + 511) / 512 * 512);
	for (uint64_t i = 0; i < lbas + MIB / 512; i++) {
		bool inside = i >= start / 512 && i < lbas;

		if (!inside) {
			assert_int_equal(lba_writes[i], 0);
			continue;
		}
		assert_in_range(lba_writes[i], least, most);
		more += lba_writes[i] - least;
	}
	assert_int_equal(more, (amount - least * span + 511) / 512);
	if (threads == 1)
		for (uint64_t i = start / 512 + 1; i < lbas; i++)
			assert_true(lba_writes[i] <= lba_writes[i - 1]);
	free(lba_writes);
	engine_close(engine);
}

static void amounts_cover_every_lba_alike(void **state)
{
	const uint64_t spans[] = {ODD, 3 * MIB, 128 * KIB * 5 + 90112};
	const unsigned threads[] = {1, 2, 3, 4};

	(void)state;
	for (unsigned s = 0; s < 3; s++) {
		for (unsigned t = 0; t < 4; t++) {
			each_lba_written(spans[s], threads[t], 128 * KIB, 0, 2 * spans[s]);
			each_lba_written(spans[s], threads[t], 128 * KIB, 7 * 512,
					 3 * spans[s]);
			/* 2.667 x, and an amount that is no whole LBA */
			each_lba_written(spans[s], threads[t], 128 * KIB, 0,
					 spans[s] * 2667 / 1000);
			each_lba_written(spans[s], threads[t], 4096, 0, spans[s] / 3);
		}
	}
}

/* A job that goes on where the one before ended, in odd parts: together exactly two passes. */
static void carried_position_goes_on(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct engine *engine = fixture_open_device(threads, 4, ODD, count_writes);
		struct fixture_job fixture;
		uint64_t left = 2 * ODD;

		lba_writes = calloc(ODD / 512, sizeof(*lba_writes));
		fixture_job_init(&fixture, ODD, 128 * KIB);
		fixture.stream.random_share = 0;
		fixture.stream.read_share = 0;
		fixture.job.threads = threads;
		fixture.job.queue_depth = 4;
		fixture.job.carry_position = true;
		if (threads == 1) {
			const uint64_t parts[] = {512, 3 * MIB + 1536, 128 * KIB, 7 * MIB};

			for (unsigned i = 0; i < 4; i++) {
				run_amount(engine, &fixture, parts[i]);
				left -= parts[i];
			}
		} else {
			run_amount(engine, &fixture, ODD);
			left -= ODD;
		}
		run_amount(engine, &fixture, left);
		for (uint64_t i = 0; i < ODD / 512; i++)
			assert_int_equal(lba_writes[i], 2);
		/* without the wish it starts at the front again */
		fixture.job.carry_position = false;
		run_amount(engine, &fixture, MIB);
		assert_int_equal(lba_writes[0], 3);
		free(lba_writes);
		engine_close(engine);
	}
}

static void too_many_threads_for_the_blocks(void **state)
{
	struct engine *engine = fixture_open_device(4, 4, ODD, count_writes);
	struct pts_err err = PTS_ERR_INIT;
	struct fixture_job fixture;

	(void)state;
	fixture_job_init(&fixture, 3 * 128 * KIB + 512, 128 * KIB);
	fixture.stream.random_share = 0;
	fixture.stream.read_share = 0;
	fixture.job.threads = 4;
	fixture.job.queue_depth = 4;
	fixture.job.amount_bytes = MIB;
	assert_true(engine_start(engine, &fixture.job, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_SPEC);
	assert_non_null(strstr(err.text, "use fewer threads"));
	engine_close(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pass_leaves_no_old_lba),
		cmocka_unit_test(amounts_cover_every_lba_alike),
		cmocka_unit_test(carried_position_goes_on),
		cmocka_unit_test(too_many_threads_for_the_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
