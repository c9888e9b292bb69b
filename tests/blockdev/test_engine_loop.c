/*
 * The engine on real block devices: loop devices with direct I/O, 512 and 4096 byte sectors, that
 * this test makes over files of its own and takes away again, also when it fails. Skips with the
 * reason where there are no rights or no loop driver.
 */
#include "engine_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "judge_share.h"

#define OLD 0xA5

/* No multiple of 1 MiB, of 128 KiB or of 8 KiB. */
#define ODD (10 * MIB + 4096)

static char skip_reason[128];

/* A loop device over fd; LO_FLAGS_AUTOCLEAR takes it away with its last user. */
static int loop_open(int fd, uint32_t sector_bytes)
{
	struct loop_config config = {
		.fd = (unsigned)fd,
		.block_size = sector_bytes,
		.info.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_AUTOCLEAR,
	};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	for (unsigned tries = 0; control >= 0 && tries < 10; tries++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);
		char path[32];
		int loop;

		if (number < 0)
			break;
		snprintf(path, sizeof(path), "/dev/loop%d", number);
		loop = open(path, O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC);
		if (loop >= 0 && ioctl(loop, LOOP_CONFIGURE, &config) == 0) {
			close(control);
			return loop;
		}
		if (loop >= 0)
			close(loop);
		if (errno != EBUSY) /* somebody else took it */
			break;
	}
	snprintf(skip_reason, sizeof(skip_reason), "no loop device: %s", strerror(errno));
	if (control >= 0)
		close(control);
	return -1;
}

static unsigned char *aligned(uint64_t bytes)
{
	void *data = NULL;

	assert_int_equal(posix_memalign(&data, 4096, bytes), 0);
	return data;
}

static void paint(int fd, uint64_t bytes)
{
	unsigned char *data = aligned(bytes);

	memset(data, OLD, bytes);
	assert_int_equal(pwrite(fd, data, bytes, 0), bytes);
	free(data);
}

/* LBAs that still hold the old pattern, read through the device. */
static unsigned old_lbas(int fd, uint64_t bytes, uint32_t lba)
{
	unsigned char *data = aligned(bytes);
	unsigned char *old = malloc(lba);
	unsigned count = 0;

	memset(old, OLD, lba);
	assert_int_equal(pread(fd, data, bytes, 0), bytes);
	for (uint64_t at = 0; at < bytes; at += lba)
		count += memcmp(data + at, old, lba) == 0;
	free(data);
	free(old);
	return count;
}

static void write_twice(int loop, uint64_t bytes, uint32_t lba, unsigned threads)
{
	struct engine_config config = fixture_config(ENGINE_URING, loop, bytes);
	struct engine_result *result = engine_result_new();
	struct fixture_job fixture;
	struct engine *engine;

	config.lba_bytes = lba;
	engine = fixture_open(&config);
	paint(loop, bytes);
	assert_int_equal(old_lbas(loop, bytes, lba), bytes / lba);
	fixture_job_init(&fixture, bytes, 128 * KIB);
	fixture.stream.random_share = 0;
	fixture.stream.read_share = 0;
	fixture.job.threads = threads;
	fixture.job.amount_bytes = 2 * bytes;
	fixture_run_well(engine, &fixture.job, result);
	assert_int_equal(result->dir[ENGINE_WRITE].bytes, 2 * bytes);
	assert_int_equal(old_lbas(loop, bytes, lba), 0);
	engine_close(engine);
	engine_result_free(result);
}

static void mixed_cell(int loop, uint64_t bytes, uint32_t lba)
{
	struct engine_config config = fixture_config(ENGINE_URING, loop, bytes);
	struct engine_result *result = engine_result_new();
	struct fixture_job fixture;
	struct engine *engine;
	uint64_t submitted;
	double z_squared;

	config.lba_bytes = lba;
	engine = fixture_open(&config);
	fixture_job_init(&fixture, bytes, 4096);
	fixture.stream.read_share = 0.65;
	fixture.job.threads = 2;
	fixture.job.queue_depth = 32;
	fixture.job.duration_ns = 500 * MS;
	fixture_run_well(engine, &fixture.job, result);
	submitted = result->dir[ENGINE_READ].submitted + result->dir[ENGINE_WRITE].submitted;
	assert_true(judge_share(submitted, result->dir[ENGINE_READ].submitted, 0.65, 5,
				&z_squared));
	assert_int_equal(submitted, result->dir[ENGINE_READ].ios +
					    result->dir[ENGINE_WRITE].ios + result->drain_ios);
	print_message("%u B sectors, 65/35, QD32 x 2: %llu I/Os, z %.2f, outstanding %.1f, "
		      "drain %.2f ms\n",
		      lba, (unsigned long long)submitted, sqrt(z_squared),
		      result->outstanding_mean, (double)result->drain_ns / 1e6);
	engine_close(engine);
	engine_result_free(result);
}

static void on_loop_devices(void **state)
{
	const uint32_t sectors[] = {512, 4096};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t bytes = sectors[i] == 512 ? ODD + 512 : ODD;
		int file = fixture_file(bytes);
		int loop = loop_open(file, sectors[i]);
		uint64_t got = 0;

		close(file);
		if (loop < 0) {
			print_message("%s\n", skip_reason);
			skip();
		}
		assert_int_equal(ioctl(loop, BLKGETSIZE64, &got), 0);
		assert_int_equal(got, bytes);
		write_twice(loop, bytes, sectors[i], 1);
		write_twice(loop, bytes, sectors[i], 4);
		mixed_cell(loop, bytes, sectors[i]);
		close(loop);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_loop_devices),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	return !failed && skip_reason[0] ? 77 : failed;
}
