/* Loop devices and files of the device room's tests; whatever is made here goes away again. */
#include "device_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pts_hash.h"

char folder[PATH_MAX];
struct device_facts facts;
struct pts_err err;

void file_path(char path[PATH_MAX], const char *name)
{
	assert_true(snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX);
}

/* A file full of the old pattern. */
int file_make(const char *name, uint64_t bytes)
{
	char path[PATH_MAX];
	unsigned char *data = malloc(bytes);
	int fd;

	file_path(path, name);
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	memset(data, OLD, bytes);
	assert_int_equal(pwrite(fd, data, bytes, 0), bytes);
	free(data);
	fsync(fd);
	return fd;
}

bool loop_try(int fd, uint32_t sector_bytes, uint32_t flags, struct loop *ret_loop)
{
	struct loop_config config = {
		.fd = (unsigned)fd,
		.block_size = sector_bytes,
		.info.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_AUTOCLEAR | flags,
	};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	for (unsigned tries = 0; control >= 0 && tries < 20; tries++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		snprintf(ret_loop->path, sizeof(ret_loop->path), "/dev/loop%d", number);
		ret_loop->fd = number < 0 ? -1 : open(ret_loop->path, O_RDWR | O_CLOEXEC);
		if (ret_loop->fd >= 0 && ioctl(ret_loop->fd, LOOP_CONFIGURE, &config) == 0) {
			close(control);
			return true;
		}
		if (ret_loop->fd >= 0)
			close(ret_loop->fd);
		if (errno != EBUSY) /* somebody else took that one */
			break;
	}
	if (control >= 0)
		close(control);
	return false;
}

struct loop loop_over(int fd, uint32_t sector_bytes)
{
	struct loop loop;

	if (!loop_try(fd, sector_bytes, 0, &loop))
		fail_msg("no loop device: %s", strerror(errno));
	return loop;
}

/* The device is free again when the kernel says so, a moment after the last close. */
void loop_drop(struct loop *loop)
{
	char backing[80];

	close(loop->fd);
	snprintf(backing, sizeof(backing), "/sys/block/%s/loop/backing_file", loop->path + 5);
	for (unsigned i = 0; i < 500 && access(backing, F_OK) == 0; i++)
		usleep(10000);
	assert_int_equal(access(backing, F_OK), -1);
}

void sha(int fd, char sum[PTS_SHA256_TEXT])
{
	struct stat st;
	char *data;

	fsync(fd);
	assert_int_equal(fstat(fd, &st), 0);
	data = malloc((size_t)st.st_size);
	assert_int_equal(pread(fd, data, (size_t)st.st_size, 0), st.st_size);
	pts_sha256_text(data, (size_t)st.st_size, sum);
	free(data);
}

void read_facts(const char *path)
{
	err = (struct pts_err)PTS_ERR_INIT;
	if (device_facts_read(path, NULL, &facts, &err))
		fail_msg("%s", err.text);
}

const char *refusal(const char *code)
{
	for (unsigned i = 0; i < facts.refusal_count; i++)
		if (!strcmp(facts.refusals[i].code, code))
			return facts.refusals[i].text;
	return NULL;
}

void refused(const char *path, const char *code)
{
	struct device *device = NULL;

	read_facts(path);
	if (!refusal(code))
		fail_msg("%s is not refused by '%s' but by %u others, the first '%s'", path,
			 code, facts.refusal_count, facts.refusals[0].code);
	assert_true(device_open_destroy(&facts, facts.identity, NULL, &device, &err) < 0);
	assert_null(device);
	assert_int_equal(err.exit, PTS_EXIT_SAFETY);
}

struct device *opened(const char *path)
{
	struct device *device = NULL;

	read_facts(path);
	if (device_open_destroy(&facts, facts.identity, folder, &device, &err))
		fail_msg("%s", err.text);
	return device;
}

int begin(void **state)
{
	const char *temporary = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof(folder), "%s/pts-loop-XXXXXX", temporary ? temporary : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

int end(void **state)
{
	static const char *const names[] = {"a",           "b",       "a\nb",  "other name",
					    "my file",     "my_file", "image", "pv",
					    "target file", "by-id"};
	char path[PATH_MAX];

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		file_path(path, names[i]);
		unlink(path);
	}
	rmdir(folder);
	return 0;
}

/* 77: the reason is on stdout */
int can_loop(void)
{
	struct loop loop = {.fd = -1};
	int fd, good;

	if (begin(NULL) < 0)
		return 0;
	fd = file_make("a", MIB);
	good = loop_try(fd, 512, 0, &loop);
	if (!good)
		print_message("skipped: no loop device: %s\n", strerror(errno));
	else
		loop_drop(&loop);
	close(fd);
	end(NULL);
	return good;
}
