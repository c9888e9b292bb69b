/* Written data cannot be compressed or deduplicated and is fresh for every write: B59. */
#include "engine_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_payload.h"

static int by_content(const void *a, const void *b)
{
	return memcmp(*(unsigned char *const *)a, *(unsigned char *const *)b, 512);
}

/* Number of 512-byte pieces that occur more than once. */
static size_t twins(unsigned char *data, size_t bytes)
{
	size_t count = bytes / 512;
	unsigned char **piece = malloc(count * sizeof(*piece));
	size_t same = 0;

	for (size_t i = 0; i < count; i++)
		piece[i] = data + i * 512;
	qsort(piece, count, sizeof(*piece), by_content);
	for (size_t i = 1; i < count; i++)
		same += memcmp(piece[i - 1], piece[i], 512) == 0;
	free(piece);
	return same;
}

/* Compressed size by gzip -6, or 0 without gzip. */
static size_t gzip_bytes(const unsigned char *data, size_t bytes)
{
	int fd = fixture_file(0);
	char command[64];
	unsigned long size = 0;
	FILE *pipe;

	assert_int_equal(write(fd, data, 0), 0);
	while (bytes) {
		size_t part = bytes < 4096 ? bytes : bytes / 4096 * 4096;
		unsigned char *aligned = aligned_alloc(4096, (part + 4095) / 4096 * 4096);

		memcpy(aligned, data, part);
		assert_int_equal(write(fd, aligned, part), part);
		free(aligned);
		data += part;
		bytes -= part;
	}
	snprintf(command, sizeof(command), "gzip -6 -c < /proc/%d/fd/%d | wc -c", (int)getpid(),
		 fd);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	if (fscanf(pipe, "%lu", &size) != 1)
		size = 0;
	pclose(pipe);
	close(fd);
	return size;
}

/* Bits of entropy per byte. */
static double entropy(const unsigned char *data, size_t bytes)
{
	size_t count[256] = {0};
	double bits = 0;

	for (size_t i = 0; i < bytes; i++)
		count[data[i]]++;
	for (unsigned i = 0; i < 256; i++) {
		double share = (double)count[i] / (double)bytes;

		bits -= share > 0 ? share * log2(share) : 0;
	}
	return bits;
}

static unsigned char *written(struct fixture_job *fixture, uint64_t bytes)
{
	int fd = fixture_file(bytes);
	struct engine_config config = fixture_config(ENGINE_URING, fd, bytes);
	struct engine *engine = fixture_open(&config);
	struct engine_result *result = engine_result_new();
	unsigned char *data;

	fixture->stream.random_share = 0;
	fixture->stream.read_share = 0;
	fixture->job.amount_bytes = bytes;
	fixture_run_well(engine, &fixture->job, result);
	data = fixture_read(fd, bytes);
	engine_result_free(result);
	engine_close(engine);
	close(fd);
	return data;
}

static void written_data_is_random_and_unique(void **state)
{
	const uint64_t bytes = 64 * MIB; /* 16,384 blocks of 4 KiB */
	struct fixture_job fixture;
	unsigned char *data;
	size_t packed;

	(void)state;
	fixture_job_init(&fixture, bytes, 4096);
	fixture.job.threads = 2;
	data = written(&fixture, bytes);
	assert_int_equal(twins(data, bytes), 0);
	assert_true(entropy(data, bytes) > 7.99999);
	packed = gzip_bytes(data, 8 * MIB);
	if (packed)
		assert_true((double)packed / (8.0 * MIB) > 0.99);
	else
		print_message("no gzip: only entropy and duplicates were checked\n");
	free(data);
}

/* The second write to an LBA holds other data than the first, another seed other data again. */
static void fresh_for_every_write(void **state)
{
	const uint64_t bytes = MIB;
	struct fixture_job fixture;
	unsigned char *both = malloc(3 * bytes);
	int fd = fixture_file(bytes);
	struct engine_config config = fixture_config(ENGINE_URING, fd, bytes);
	struct engine *engine = fixture_open(&config);
	struct engine_result *result = engine_result_new();

	(void)state;
	fixture_job_init(&fixture, bytes, 64 * KIB);
	fixture.stream.random_share = 0;
	fixture.stream.read_share = 0;
	for (unsigned i = 0; i < 3; i++) {
		unsigned char *data;

		/* one pass, two passes of the same seed, one pass of another */
		fixture.job.amount_bytes = i == 1 ? 2 * bytes : bytes;
		fixture.job.seed = i == 2 ? 99 : 98;
		fixture_run_well(engine, &fixture.job, result);
		data = fixture_read(fd, bytes);
		memcpy(both + i * bytes, data, bytes);
		free(data);
	}
	assert_int_equal(twins(both, 3 * bytes), 0);
	free(both);
	engine_result_free(result);
	engine_close(engine);
	close(fd);
}

static void both_ways_make_the_same_bytes(void **state)
{
	struct engine_payload_state a, b;
	unsigned char *one = aligned_alloc(64, 8192), *two = aligned_alloc(64, 8192);

	(void)state;
	engine_payload_init(&a, ENGINE_PAYLOAD_RANDOM, 0, 0, 5);
	b = a;
	for (size_t bytes = 512; bytes <= 8192; bytes *= 2) {
		engine_payload_random_portable(&a, one, bytes);
#if defined(__x86_64__)
		if (__builtin_cpu_supports("avx2")) {
			engine_payload_random_avx2(&b, two, bytes);
			assert_memory_equal(one, two, bytes);
		}
#endif
	}
	free(one);
	free(two);
}

static size_t zeroes(const unsigned char *data, size_t bytes)
{
	size_t count = 0;

	for (size_t i = 0; i < bytes; i++)
		count += data[i] == 0;
	return count;
}

static void compressible_share_and_zeroes(void **state)
{
	const uint64_t bytes = 4 * MIB;
	struct fixture_job fixture;
	unsigned char *data;
	double share;

	(void)state;
	for (unsigned block = 512; block <= 128 * KIB; block *= 16) {
		fixture_job_init(&fixture, bytes, block);
		fixture.job.compressible_share = 0.3;
		data = written(&fixture, bytes);
		/* every 4 KiB holds its part, not only the whole */
		for (uint64_t at = 0; at < bytes; at += 4096) {
			share = (double)zeroes(data + at, 4096) / 4096;
			assert_true(share > 0.28 && share < 0.34);
		}
		free(data);
	}
	fixture_job_init(&fixture, bytes, 4096);
	fixture.job.payload = ENGINE_PAYLOAD_ZERO;
	data = written(&fixture, bytes);
	assert_int_equal(zeroes(data, bytes), bytes);
	free(data);
}

static int by_unit(const void *a, const void *b)
{
	return memcmp(*(unsigned char *const *)a, *(unsigned char *const *)b, 4096);
}

/* Units of 4 KiB that are there already, and how many different ones those are. */
static void repeated(unsigned char *data, uint64_t bytes, size_t *ret_units, size_t *ret_kinds)
{
	size_t count = bytes / 4096;
	unsigned char **unit = malloc(count * sizeof(*unit));

	*ret_units = *ret_kinds = 0;
	for (size_t i = 0; i < count; i++)
		unit[i] = data + i * 4096;
	qsort(unit, count, sizeof(*unit), by_unit);
	for (size_t i = 1; i < count; i++) {
		bool same = memcmp(unit[i - 1], unit[i], 4096) == 0;

		*ret_units += same;
		*ret_kinds += same && (i == 1 || memcmp(unit[i - 2], unit[i], 4096) != 0);
	}
	free(unit);
}

/* A share of the units is copies of the same few data, in two jobs of other seeds too; they are as
 * compressible as the others. */
static void duplicate_share(void **state)
{
	const uint64_t bytes = 32 * MIB, units = bytes / 4096;
	unsigned char *both = malloc(2 * bytes);
	struct fixture_job fixture;
	size_t count, kinds;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		unsigned char *data;

		fixture_job_init(&fixture, bytes, 4096u << 2 * i);
		fixture.job.threads = 2;
		fixture.job.seed = 50 + i;
		fixture.job.duplicate_share = 0.25;
		fixture.job.compressible_share = 0.5;
		data = written(&fixture, bytes);
		memcpy(both + i * bytes, data, bytes);
		free(data);
	}
	for (uint64_t at = 0; at < 2 * bytes; at += 4096)
		assert_true(fabs((double)zeroes(both + at, 4096) / 4096 - 0.5) < 0.02);
	for (unsigned i = 0; i < 2; i++) {
		repeated(both + i * bytes, bytes, &count, &kinds);
		assert_int_equal(kinds, ENGINE_PAYLOAD_POOL);
		/* 5 sigma of a binomial of 8,192 units */
		assert_true(fabs((double)(count + kinds) / (double)units - 0.25) < 0.024);
	}
	repeated(both, 2 * bytes, &count, &kinds);
	assert_int_equal(kinds, ENGINE_PAYLOAD_POOL);
	free(both);
}

/* In a mixed job reads leave old data in the buffers: it must never be written again. */
static void mixed_jobs_write_fresh_data(void **state)
{
	const uint64_t bytes = 2 * MIB;
	int fd = fixture_file(bytes);
	struct engine_config config = fixture_config(ENGINE_URING, fd, bytes);
	struct engine *engine = fixture_open(&config);
	struct engine_result *result = engine_result_new();
	struct fixture_job fixture;
	unsigned char *data;

	(void)state;
	fixture_job_init(&fixture, bytes, 4096);
	fixture.stream.random_share = 0;
	fixture.stream.read_share = 0;
	fixture.job.amount_bytes = bytes;
	fixture_run_well(engine, &fixture.job, result);
	fixture.stream.random_share = 1;
	fixture.stream.read_share = 0.5;
	fixture.job.amount_bytes = 16 * bytes;
	fixture.job.threads = 2;
	fixture_run_well(engine, &fixture.job, result);
	data = fixture_read(fd, bytes);
	assert_int_equal(twins(data, bytes), 0);
	free(data);
	engine_result_free(result);
	engine_close(engine);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_data_is_random_and_unique),
		cmocka_unit_test(fresh_for_every_write),
		cmocka_unit_test(both_ways_make_the_same_bytes),
		cmocka_unit_test(compressible_share_and_zeroes),
		cmocka_unit_test(duplicate_share),
		cmocka_unit_test(mixed_jobs_write_fresh_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
