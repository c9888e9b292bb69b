/* Purge on real loop devices and files, and the proof that follows it. */
#include "device_loop.h"

#include <errno.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "purge.h"

static unsigned not_zero(int fd, uint64_t bytes)
{
	unsigned char *data = malloc(bytes);
	unsigned count = 0;

	assert_int_equal(pread(fd, data, bytes, 0), bytes);
	for (uint64_t i = 0; i < bytes; i++)
		count += data[i] != 0;
	free(data);
	return count;
}

struct progress {
	double last;
	unsigned calls;
};

static int note_progress(void *ctx, double share)
{
	struct progress *progress = ctx;

	assert_true(share > progress->last && share <= 1);
	progress->last = share;
	progress->calls++;
	return 0;
}

static void purge_one(const char *path, const char *name, const char *evidence)
{
	struct device *device = opened(path);
	const struct purge_method *method;
	struct progress progress = {0, 0};
	char seen[256];

	assert_int_equal(purge_choose(&facts, name, &method, &err), 0);
	if (purge_run(device, method, note_progress, &progress, seen, sizeof(seen), &err))
		fail_msg("%s", err.text);
	if (!strstr(seen, evidence))
		fail_msg("%s: '%s' does not say '%s'", name, seen, evidence);
	if (strcmp(name, "none") != 0)
		assert_true(progress.calls && progress.last == 1);
	device_close(device);
}

static void purges(void **state)
{
	static const char *const names[] = {"discard", "zeroes"};
	char path[PATH_MAX];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		int fd = file_make("a", BYTES);
		struct loop loop = loop_over(fd, i < 2 ? 512 : 4096);

		purge_one(
			loop.path, "none",
			"66 sampled LBAs 0 read zero, 0 other data, 0 not at all, 66 the same");
		purge_one(loop.path, names[i % 2], "66 sampled LBAs 66 read zero, 0 other");
		fsync(loop.fd);
		assert_int_equal(not_zero(fd, BYTES), 0);
		loop_drop(&loop);
		close(fd);
	}
	for (unsigned i = 0; i < 2; i++) {
		int fd = file_make("a", BYTES);

		file_path(path, "a");
		purge_one(path, names[i], "66 sampled LBAs 66 read zero, 0 other");
		assert_int_equal(not_zero(fd, BYTES), 0);
		close(fd);
	}
}

/* B92: devices of one LBA and a few, and the bytes behind the last whole LBA. */
static void small_purges(void **state)
{
	static const uint64_t sizes[] = {512, 1024, 4096, 8192, 65536, 10 * MIB + 512};

	(void)state;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int fd = file_make("a", sizes[i]);
		struct loop loop = loop_over(fd, 512);

		purge_one(loop.path, "zeroes", "0 other data, 0 not at all");
		purge_one(loop.path, "discard", "0 other data, 0 not at all");
		assert_int_equal(not_zero(fd, sizes[i]), 0);
		loop_drop(&loop);
		close(fd);
	}
}

static int run_lie(struct device *device, int (*progress)(void *ctx, double share), void *ctx,
		   struct pts_err *ret_err)
{
	(void)device;
	(void)progress;
	(void)ctx;
	(void)ret_err;
	return 0;
}

static int run_fail(struct device *device, int (*progress)(void *ctx, double share), void *ctx,
		    struct pts_err *ret_err)
{
	(void)device;
	(void)progress;
	(void)ctx;
	return pts_fail(ret_err, PTS_EXIT_DEVICE, EOPNOTSUPP, "not supported");
}

static int flip(struct device *device, uint64_t bytes)
{
	unsigned char *data = aligned_alloc(4096, bytes);
	int fd = device_fd(device);

	assert_int_equal(pread(fd, data, bytes, 0), bytes);
	for (uint64_t i = 0; i < bytes; i++)
		data[i] ^= 0x5a;
	assert_int_equal(pwrite(fd, data, bytes, 0), bytes);
	free(data);
	return 0;
}

static int run_new_key(struct device *device, int (*progress)(void *ctx, double share),
		       void *ctx, struct pts_err *ret_err)
{
	(void)progress;
	(void)ctx;
	(void)ret_err;
	return flip(device, BYTES);
}

static int run_forgets_last(struct device *device, int (*progress)(void *ctx, double share),
			    void *ctx, struct pts_err *ret_err)
{
	(void)progress;
	(void)ctx;
	(void)ret_err;
	return flip(device, BYTES - 4096);
}

/* B10, B29: a method that says "done" is not believed, and one that failed is no success. */
static void purge_is_proved(void **state)
{
	struct purge_method method = {.name = "zeroes", .title = "zeroes", .run = run_lie};
	int fd = file_make("a", BYTES);
	struct loop loop = loop_over(fd, 512);
	struct device *device = opened(loop.path);
	char seen[256] = "";

	(void)state;
	assert_true(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "left other data in 66 of 66"));
	/* discard need not zero: what was seen is told, and is no failure */
	err = (struct pts_err)PTS_ERR_INIT;
	method.name = "discard";
	assert_int_equal(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err), 0);
	assert_non_null(strstr(seen, "66 the same data as before"));
	/* but what the PTS counts as a purge erases, whatever the drive answered */
	method.name = "format";
	method.is_pts_purge = true;
	assert_true(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "66 of 66 sampled LBAs"));
	assert_non_null(strstr(err.text, "were not erased"));
	/* keys thrown away: other data than before are as good as zeroes */
	err = (struct pts_err)PTS_ERR_INIT;
	method.run = run_new_key;
	assert_int_equal(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err), 0);
	assert_non_null(strstr(seen, "66 other data, 0 not at all, 0 the same data"));
	/* one LBA that was left is enough */
	method.run = run_forgets_last;
	assert_true(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err) < 0);
	assert_non_null(strstr(err.text, "1 of 66 sampled LBAs"));
	err = (struct pts_err)PTS_ERR_INIT;
	method.name = "discard";
	method.is_pts_purge = false;
	method.run = run_fail;
	assert_true(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	/* the drive shrank under the purge */
	err = (struct pts_err)PTS_ERR_INIT;
	method.run = run_lie;
	assert_int_equal(ftruncate(fd, BYTES / 2), 0);
	assert_int_equal(ioctl(loop.fd, LOOP_SET_CAPACITY, 0), 0);
	assert_true(purge_run(device, &method, NULL, NULL, seen, sizeof(seen), &err) < 0);
	assert_non_null(strstr(err.text, "changed its capacity"));
	device_close(device);
	loop_drop(&loop);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(purges),
		cmocka_unit_test(small_purges),
		cmocka_unit_test(purge_is_proved),
	};

	if (!can_loop())
		return 77;
	return cmocka_run_group_tests(tests, begin, end);
}
