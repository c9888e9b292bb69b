/* B34: each kind of wrong path has a sentence of its own, an exit code, and leaves nothing. */
#include "device_fake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

static struct device_facts facts;

static void wrong(const char *path, enum pts_exit exit, const char *part)
{
	struct pts_err err = PTS_ERR_INIT;
	struct device *device = NULL;

	assert_true(device_facts_read(path, NULL, &facts, &err) < 0);
	assert_int_equal(err.exit, exit);
	assert_true(err.error != 0);
	if (!strstr(err.text, part) || (path && path[0] && !strstr(err.text, path)))
		fail_msg("'%s' does not say '%s' of '%s'", err.text, part, path);
	/* facts of nothing can't be opened by anybody */
	assert_true(device_open_destroy(&facts, "x", NULL, &device, NULL) < 0);
	assert_null(device);
}

static void absent(void **state)
{
	char path[PATH_MAX];

	(void)state;
	fake_path(path, "/nvme9n9");
	wrong(path, PTS_EXIT_USAGE, "does not exist");
	assert_int_equal(access(path, F_OK), -1);
	wrong("/dev/nvme9n9", PTS_EXIT_USAGE, "does not exist");
	assert_int_equal(access("/dev/nvme9n9", F_OK), -1);
	wrong("", PTS_EXIT_USAGE, "no device given");
	wrong(NULL, PTS_EXIT_USAGE, "no device given");
}

static void dangling_link(void **state)
{
	char path[PATH_MAX], to[PATH_MAX];

	(void)state;
	assert_int_equal(symlink(fake_path(to, "/gone"), fake_path(path, "/link")), 0);
	wrong(path, PTS_EXIT_USAGE, "a link to something that is not there");
	assert_int_equal(access(to, F_OK), -1);
}

static void folder(void **state)
{
	(void)state;
	wrong(fake_root(), PTS_EXIT_USAGE, "is a folder");
}

static void pipe_and_socket(void **state)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char path[PATH_MAX];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_int_equal(mkfifo(fake_path(path, "/fifo"), 0600), 0);
	wrong(path, PTS_EXIT_USAGE, "a pipe or socket");
	fake_path(path, "/sock");
	assert_true(strlen(path) < sizeof(at.sun_path));
	memcpy(at.sun_path, path, strlen(path) + 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	wrong(path, PTS_EXIT_USAGE, "a pipe or socket");
	close(fd);
}

static void character_device(void **state)
{
	(void)state;
	wrong("/dev/null", PTS_EXIT_USAGE, "a character device");
}

static void empty_file(void **state)
{
	char path[PATH_MAX];

	(void)state;
	fake_bytes("/empty", "", 0);
	wrong(fake_path(path, "/empty"), PTS_EXIT_DEVICE, "empty file");
}

/* B01: the drive's name comes from links; the controller's own number would name another. */
static void controller(void **state)
{
	struct stat st;
	char at[64];

	(void)state;
	fake_nvme_two_paths();
	assert_int_equal(stat("/dev/null", &st), 0);
	snprintf(at, sizeof(at), "/sys/dev/char/%u:%u", major(st.st_rdev), minor(st.st_rdev));
	fake_link(at, "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/nvme/nvme0");
	fake_link("/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/nvme/nvme0/subsystem",
		  "/sys/class/nvme");
	wrong("/dev/null", PTS_EXIT_USAGE, "NVMe controller, not a drive");
	wrong("/dev/null", PTS_EXIT_USAGE, "its namespace: /dev/nvme3n1");
}

static void generic_node(void **state)
{
	struct stat st;
	char at[64];

	(void)state;
	assert_int_equal(stat("/dev/null", &st), 0);
	snprintf(at, sizeof(at), "/sys/dev/char/%u:%u", major(st.st_rdev), minor(st.st_rdev));
	fake_link(at, "/sys/devices/x/nvme0/ng0n1");
	fake_link("/sys/devices/x/nvme0/ng0n1/subsystem", "/sys/class/nvme-generic");
	wrong("/dev/null", PTS_EXIT_USAGE, "pass-through node");
}

/* A node that only root can make, and nobody opens. */
static bool block_node(char path[PATH_MAX], unsigned a, unsigned b)
{
	fake_path(path, "/node");
	unlink(path);
	if (mknod(path, S_IFBLK | 0600, makedev(a, b)) == 0)
		return true;
	print_message("no block node can be made: %s\n", strerror(errno));
	return false;
}

static void partition(void **state)
{
	char path[PATH_MAX];

	(void)state;
	fake_sata();
	if (!block_node(path, 8, 2))
		skip();
	wrong(path, PTS_EXIT_SAFETY, "is a partition: a test needs the whole drive, /dev/sda");
}

static void unknown_number(void **state)
{
	char path[PATH_MAX];

	(void)state;
	fake_sata();
	if (!block_node(path, 8, 240))
		skip();
	wrong(path, PTS_EXIT_DEVICE, "does not know");
	fake_remove("/sys");
	wrong(path, PTS_EXIT_MISSING, "without sysfs");
}

/* A whole drive by its node, and through a link as in /dev/disk/by-id. */
static void whole_drive(void **state)
{
	char path[PATH_MAX], link[PATH_MAX];
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	fake_sata();
	if (!block_node(path, 8, 0))
		skip();
	assert_int_equal(symlink(path, fake_path(link, "/by-id")), 0);
	assert_int_equal(device_facts_read(link, NULL, &facts, &err), 0);
	assert_string_equal(facts.path, link);
	assert_string_equal(facts.real_path, path);
	assert_int_equal(facts.major, 8);
	assert_string_equal(facts.model, "Samsung SSD 870");
}

#define FAKED(test) cmocka_unit_test_setup_teardown(test, fake_begin, fake_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKED(absent),          FAKED(dangling_link), FAKED(folder),
		FAKED(pipe_and_socket), FAKED(empty_file),    FAKED(character_device),
		FAKED(controller),      FAKED(generic_node),  FAKED(partition),
		FAKED(unknown_number),  FAKED(whole_drive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
