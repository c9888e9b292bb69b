/*
 * The device room on real loop devices, 512 and 4096 byte sectors, and on files: facts, identity,
 * confirmed opening, the guard where it needs a kernel, a drive that shrinks. Skips with the
 * reason where there are no rights or no loop driver.
 */
#include "device_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static void facts_of_loops(void **state)
{
	static const uint32_t sectors[] = {512, 4096};
	int fd = file_make("a", BYTES);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct loop loop = loop_over(fd, sectors[i]);
		struct stat st;

		fstat(loop.fd, &st);
		read_facts(loop.path);
		assert_int_equal(facts.kind, DEVICE_BLOCK);
		assert_int_equal(facts.lba_bytes, sectors[i]);
		assert_int_equal(facts.capacity_bytes, BYTES);
		assert_int_equal(makedev(facts.major, facts.minor), st.st_rdev);
		assert_string_equal(facts.transport, "loop");
		assert_true(facts.is_virtual);
		assert_int_equal(facts.refusal_count, 0);
		loop_drop(&loop);
	}
	close(fd);
}

/* The same file has the same text behind every number; another file never. */
static void identity_is_the_file(void **state)
{
	int fd = file_make("my file", BYTES), other = file_make("my_file", BYTES);
	struct loop first = loop_over(fd, 512), second = loop_over(other, 512);
	char identity[DEVICE_TEXT], path[PATH_MAX];

	(void)state;
	read_facts(first.path);
	memcpy(identity, facts.identity, sizeof(identity));
	assert_null(strchr(identity, ' '));
	assert_int_equal(strncmp(identity, "loop:/", 6), 0);
	read_facts(second.path);
	assert_string_not_equal(facts.identity, identity);
	loop_drop(&first);
	loop_drop(&second);
	/* two equal files swapped behind the same names (B07) */
	second = loop_over(other, 512);
	first = loop_over(fd, 512);
	read_facts(first.path);
	assert_string_equal(facts.identity, identity);
	loop_drop(&first);
	loop_drop(&second);
	/* a file that took the old one's place under its name: the old inode is still in use */
	file_path(path, "my file");
	other = file_make("my file", BYTES);
	first = loop_over(other, 512);
	read_facts(first.path);
	assert_string_not_equal(facts.identity, identity);
	loop_drop(&first);
	/* deleted, the device still knows its file */
	first = loop_over(other, 512);
	read_facts(first.path);
	memcpy(identity, facts.identity, sizeof(identity));
	unlink(path);
	read_facts(first.path);
	assert_string_not_equal(facts.identity, identity);
	assert_non_null(strstr(facts.identity, strrchr(identity, ':')));
	loop_drop(&first);
	close(fd);
}

static void wrong_identity(void **state)
{
	static const char *const words[] = {"", "x", "yes", NULL};
	int fd = file_make("a", BYTES);
	struct loop loop = loop_over(fd, 512);
	char before[PTS_SHA256_TEXT], after[PTS_SHA256_TEXT], near[DEVICE_TEXT + 1];
	struct device *device = NULL;

	(void)state;
	sha(fd, before);
	read_facts(loop.path);
	for (unsigned i = 0; i < 4; i++) {
		err = (struct pts_err)PTS_ERR_INIT;
		assert_true(device_open_destroy(&facts, words[i], NULL, &device, &err) < 0);
		assert_int_equal(err.exit, PTS_EXIT_SAFETY);
		assert_null(device);
		/* without one, the sentence says what would be lost and how to confirm it */
		assert_non_null(strstr(err.text, words[i] && words[i][0]
							 ? "nothing was written"
							 : "would be destroyed; confirm"));
	}
	snprintf(near, sizeof(near), "%s1", facts.identity); /* longer, then shorter by one */
	assert_true(device_open_destroy(&facts, near, NULL, &device, NULL) < 0);
	near[strlen(facts.identity) - 1] = '\0';
	assert_true(device_open_destroy(&facts, near, NULL, &device, NULL) < 0);
	sha(fd, after);
	assert_string_equal(before, after);
	loop_drop(&loop);
	close(fd);
}

/* Opened once, nobody else gets it: neither us again nor anybody who asks the kernel. */
static void opened_alone(void **state)
{
	int fd = file_make("a", BYTES);
	struct loop loop = loop_over(fd, 4096);
	struct device *device = opened(loop.path);
	struct device *second = NULL;
	int flags = fcntl(device_fd(device), F_GETFL);

	(void)state;
	assert_true((flags & O_ACCMODE) == O_RDWR && flags & O_DIRECT);
	assert_int_equal(open(loop.path, O_RDONLY | O_EXCL | O_CLOEXEC), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(flock(loop.fd, LOCK_EX | LOCK_NB), -1); /* as udev would ask */
	refused(loop.path, "busy");
	assert_true(device_open_destroy(&facts, facts.identity, NULL, &second, NULL) < 0);
	assert_int_equal(device_check(device, &err), 0);
	device_close(device);
	device = opened(loop.path);
	device_close(device);
	loop_drop(&loop);
	close(fd);
}

/* What the facts said hours ago is looked at again: a size that changed is refused. */
static void facts_grown_old(void **state)
{
	int fd = file_make("a", BYTES);
	struct loop loop = loop_over(fd, 512);
	struct device *device = NULL;
	char identity[DEVICE_TEXT];

	(void)state;
	read_facts(loop.path);
	memcpy(identity, facts.identity, sizeof(identity));
	assert_int_equal(ftruncate(fd, BYTES / 2), 0);
	assert_int_equal(ioctl(loop.fd, LOOP_SET_CAPACITY, 0), 0);
	assert_true(device_open_destroy(&facts, identity, NULL, &device, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_SAFETY);
	assert_non_null(strstr(err.text, "changed its capacity"));
	loop_drop(&loop);
	close(fd);
}

/* Another drive under the old name: the facts of the first don't open the second. */
static void another_behind_the_name(void **state)
{
	int one = file_make("a", BYTES), two = file_make("b", BYTES);
	struct loop first = loop_over(one, 512), second = loop_over(two, 512);
	char link[PATH_MAX], before[PTS_SHA256_TEXT], after[PTS_SHA256_TEXT];
	struct device *device = NULL;

	(void)state;
	sha(two, before);
	file_path(link, "by-id");
	unlink(link);
	assert_int_equal(symlink(first.path, link), 0);
	read_facts(link);
	unlink(link);
	assert_int_equal(symlink(second.path, link), 0);
	assert_true(device_open_destroy(&facts, facts.identity, NULL, &device, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_SAFETY);
	assert_null(device);
	sha(two, after);
	assert_string_equal(before, after);
	loop_drop(&first);
	loop_drop(&second);
	close(one);
	close(two);
}

/* B53: shrunk to a part, then to nothing. */
static void drive_that_shrinks(void **state)
{
	int fd = file_make("a", BYTES);
	struct loop loop = loop_over(fd, 512);
	struct device *device = opened(loop.path);

	(void)state;
	assert_int_equal(ftruncate(fd, BYTES / 2), 0);
	assert_int_equal(ioctl(loop.fd, LOOP_SET_CAPACITY, 0), 0);
	assert_int_equal(device_check(device, &err), -ENODEV);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "from 8388608 to 4194304 bytes"));
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(ioctl(loop.fd, LOOP_SET_CAPACITY, 0), 0);
	err = (struct pts_err)PTS_ERR_INIT;
	assert_int_equal(device_check(device, &err), -ENODEV);
	assert_non_null(strstr(err.text, "has gone"));
	device_close(device);
	loop_drop(&loop);
	close(fd);
}

/* A loop over this loop, this file, and a second loop over the same file. */
static void loops_upon_loops(void **state)
{
	int fd = file_make("a\nb", BYTES), below, file;
	struct loop lower = loop_over(fd, 512), upper;
	char path[PATH_MAX], original[PATH_MAX];

	(void)state;
	file_path(path, "a\nb");
	refused(path, "loop-backing");
	assert_non_null(strstr(refusal("loop-backing"), lower.path));
	below = open(lower.path, O_RDWR | O_CLOEXEC);
	upper = loop_over(below, 512);
	refused(lower.path, "loop-backing");
	assert_non_null(strstr(refusal("loop-backing"), upper.path));
	read_facts(upper.path);
	assert_int_equal(facts.refusal_count, 0);
	loop_drop(&upper);
	close(below);
	/* by a hard link, which is another name for the same blocks */
	file_path(path, "other name");
	unlink(path);
	file_path(original, "a\nb");
	assert_int_equal(link(original, path), 0);
	refused(path, "loop-backing");
	file = open(path, O_RDWR | O_CLOEXEC);
	upper = loop_over(file, 512);
	refused(upper.path, "loop-shared");
	refused(lower.path, "loop-shared");
	loop_drop(&upper);
	close(file);
	loop_drop(&lower);
	read_facts(path);
	assert_int_equal(facts.refusal_count, 0);
	close(fd);
}

static void read_only_loop(void **state)
{
	int fd = file_make("a", BYTES);
	struct loop loop;

	(void)state;
	assert_true(loop_try(fd, 512, LO_FLAGS_READ_ONLY, &loop));
	refused(loop.path, "read-only");
	loop_drop(&loop);
	close(fd);
}

/* An image that a virtual machine holds by a lock of its open file. */
static void locked_image(void **state)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	int fd = file_make("image", BYTES);
	char path[PATH_MAX];

	(void)state;
	file_path(path, "image");
	read_facts(path);
	assert_int_equal(facts.refusal_count, 0);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
	refused(path, "busy");
	close(fd);
}

/* LVM's own check sum: CRC-32 with another start and no inversion at the end. */
static uint32_t lvm_sum(const unsigned char *data, size_t bytes)
{
	uint32_t sum = 0xf597a6cf;

	for (size_t i = 0; i < bytes; i++) {
		sum ^= data[i];
		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return sum;
}

/* B02: a member that nobody has assembled has no holder; only its label tells. */
static void lvm_label(void **state)
{
	unsigned char label[512] = "LABELONE";
	int fd = file_make("pv", BYTES);
	struct loop loop;
	uint32_t sum;

	(void)state;
	label[8] = 1;   /* its sector */
	label[20] = 32; /* where the head of the volume begins */
	memcpy(label + 24, "LVM2 001", 8);
	memset(label + 32, 'a', 32);
	sum = lvm_sum(label + 20, sizeof(label) - 20);
	for (unsigned i = 0; i < 4; i++)
		label[16 + i] = (unsigned char)(sum >> (8 * i));
	assert_int_equal(pwrite(fd, label, sizeof(label), 512), sizeof(label));
	fsync(fd);
	loop = loop_over(fd, 512);
	refused(loop.path, "member");
	assert_non_null(strstr(refusal("member"), "LVM2_member"));
	assert_non_null(strstr(refusal("member"), "wipefs -a"));
	assert_non_null(strstr(facts.content, "LVM2_member"));
	loop_drop(&loop);
	close(fd);
}

static void kernel_counters(void **state)
{
	int fd = file_make("a", BYTES);
	struct loop loop = loop_over(fd, 4096);
	struct device *device = opened(loop.path);
	struct device_stat before, after;
	void *data = NULL;

	(void)state;
	assert_int_equal(posix_memalign(&data, 4096, MIB), 0);
	memset(data, 1, MIB);
	assert_int_equal(device_stat_read(device, &before), 0);
	assert_int_equal(pwrite(device_fd(device), data, MIB, 0), MIB);
	assert_int_equal(pread(device_fd(device), data, 4096, 8192), 4096);
	assert_int_equal(device_stat_read(device, &after), 0);
	assert_int_equal(after.write_bytes - before.write_bytes, MIB);
	assert_int_equal(after.read_bytes - before.read_bytes, 4096);
	assert_int_equal(after.read_ios - before.read_ios, 1);
	free(data);
	device_close(device);
	loop_drop(&loop);
	close(fd);
}

static void files_as_targets(void **state)
{
	int fd = file_make("target file", BYTES);
	struct device_stat stat_now;
	struct device *device;
	char path[PATH_MAX];

	(void)state;
	file_path(path, "target file");
	read_facts(path);
	assert_int_equal(facts.kind, DEVICE_FILE);
	assert_string_equal(facts.transport, "file");
	assert_int_equal(facts.capacity_bytes, BYTES);
	assert_int_equal(strncmp(facts.identity, "file:/", 6), 0);
	assert_null(strchr(facts.identity, ' '));
	assert_true(device_open_destroy(&facts, "file", NULL, &device, &err) < 0);
	device = opened(path);
	assert_int_equal(device_stat_read(device, &stat_now), -ENOTSUP);
	assert_int_equal(device_check(device, &err), 0);
	assert_int_equal(ftruncate(fd, BYTES / 2), 0);
	assert_int_equal(device_check(device, &err), -ENODEV);
	device_close(device);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_loops),     cmocka_unit_test(identity_is_the_file),
		cmocka_unit_test(wrong_identity),     cmocka_unit_test(opened_alone),
		cmocka_unit_test(facts_grown_old),    cmocka_unit_test(another_behind_the_name),
		cmocka_unit_test(drive_that_shrinks), cmocka_unit_test(loops_upon_loops),
		cmocka_unit_test(read_only_loop),     cmocka_unit_test(locked_image),
		cmocka_unit_test(lvm_label),

		cmocka_unit_test(kernel_counters),    cmocka_unit_test(files_as_targets),
	};

	if (!can_loop())
		return 77;
	return cmocka_run_group_tests(tests, begin, end);
}
