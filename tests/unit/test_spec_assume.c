/* The file of --assume: what it may say, and that each fault has its place. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pts_text.h"
#include "spec_assume.h"

static char path[] = "/tmp/pts-assume-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int drop_file(void **state)
{
	(void)state;
	return unlink(path);
}

static struct spec_assume *good(const char *text)
{
	struct pts_err err = PTS_ERR_INIT;
	struct spec_assume *assume;

	assert_int_equal(pts_file_write(path, text, strlen(text)), 0);
	if (spec_assume_read(path, &assume, &err))
		fail_msg("%s", err.text);
	return assume;
}

static void bad(const char *text, const char *fault)
{
	struct pts_err err = PTS_ERR_INIT;
	struct spec_assume *assume;
	char expected[400];

	assert_int_equal(pts_file_write(path, text, strlen(text)), 0);
	assert_int_equal(spec_assume_read(path, &assume, &err), -EINVAL);
	assert_null(assume);
	assert_int_equal(err.exit, PTS_EXIT_SPEC);
	snprintf(expected, sizeof(expected), "%s:%s", path, fault);
	assert_string_equal(err.text, expected);
}

static void speeds_of_a_datasheet(void **state)
{
	struct spec_assume *assume = good("sequential_read: 3.5 GB/s\n"
					  "sequential_write: 500 MB/s\n"
					  "random_read: 98000 IOPS\n"
					  "random_write: 90000IOPS\n"
					  "random_block: 8KiB\n"
					  "purge_time: 2min\n"
					  "rounds: 8\n");

	(void)state;
	assert_true(assume->sequential_read.mb_per_s == 3500);
	assert_true(assume->sequential_write.mb_per_s == 500);
	assert_true(assume->sequential_write.iops == 0);
	assert_true(assume->random_read.iops == 98000);
	assert_true(assume->random_write.iops == 90000);
	assert_int_equal(assume->random_block_bytes, 8192);
	assert_int_equal(assume->sequential_block_bytes, 131072);
	assert_int_equal(assume->purge_ns, 120000000000ull);
	assert_int_equal(assume->rounds, 8);
	assert_int_equal(assume->cell_count, 0);
	spec_assume_free(assume);
	assume = good("rounds: 1\n");
	assert_true(assume->random_write.mb_per_s == 0 && assume->random_write.iops == 0);
	spec_assume_free(assume);
	spec_assume_free(NULL);
}

static void loads_of_their_own(void **state)
{
	struct spec_assume *assume = good(
		"cells:\n"
		"  - {access: random, rw_mix: 65/35, block_size: 8KiB, rate: 120000 IOPS}\n"
		"  - {access: 70% random, rw_mix: 0/100, block_size: 1MiB, threads: 4,\n"
		"     queue_depth: 32, rate: 480 MB/s}\n");

	(void)state;
	assert_int_equal(assume->cell_count, 2);
	assert_int_equal(assume->cells[0].read_pct, 65);
	assert_int_equal(assume->cells[0].block_bytes, 8192);
	assert_true(assume->cells[0].random_share == 1);
	assert_int_equal(assume->cells[0].threads, 0);
	assert_true(assume->cells[0].rate.iops == 120000);
	assert_true(assume->cells[1].random_share == 0.7);
	assert_int_equal(assume->cells[1].threads * assume->cells[1].queue_depth, 128);
	assert_true(assume->cells[1].rate.mb_per_s == 480);
	spec_assume_free(assume);
}

static void faults_have_their_place(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	struct spec_assume *assume;

	(void)state;
	bad("rounds: 8\nsequential_writ: 5 MB/s\n",
	    "2:1: unknown key 'sequential_writ', did you mean 'sequential_write'?");
	bad("sequential_write: 500\n", "1:19: sequential_write: '500': a unit is missing: "
				       "500 MB/s, 500 IOPS");
	bad("random_write: 500 IOP\n",
	    "1:15: random_write: '500 IOP' is no speed: as 500 MB/s or 90000 IOPS");
	bad("random_write: 0 IOPS\n", "1:15: random_write: '0 IOPS' is nothing");
	bad("random_write: 0 MB/s\n", "1:15: random_write: '0 MB/s' is nothing");
	bad("random_write: -5 MB/s\n",
	    "1:15: random_write: '-5 MB/s' is no speed: as 500 MB/s or 90000 IOPS");
	bad("rounds: 0\n", "1:9: rounds: '0' is out of range: 1 .. 1000000");
	bad("purge_time: 5\n", "1:13: purge_time: '5': a unit is missing: 5s, 5min");
	bad("cells: 5\n", "1:8: a list is wanted, not a single value");
	bad("cells:\n  - {access: random, rw_mix: 0/100, block_size: 4KiB}\n",
	    "2:5: a cell lacks the key 'rate'");
	bad("cells:\n  - {access: random, rw_mix: 60/50, block_size: 4KiB, rate: 1 IOPS}\n",
	    "2:30: rw_mix: '60/50' sums to 110, reads/writes must sum to 100");
	bad("random_write: 5 IOPS\nrandom_write: 6 IOPS\n",
	    "2:1: duplicate key 'random_write', it stands at 1:1 already");
	bad("random_write: $fast\n", "1:15: unknown reference '$fast'");
	bad("- 5 MB/s\n", "1:1: a file of assumptions wants a block of keys, not a list");
	bad("", "1:1: the file is empty");
	assert_int_equal(spec_assume_read("/nonexistent/x.yaml", &assume, &err), -ENOENT);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speeds_of_a_datasheet),
		cmocka_unit_test(loads_of_their_own),
		cmocka_unit_test(faults_have_their_place),
	};

	return cmocka_run_group_tests(tests, make_file, drop_file);
}
