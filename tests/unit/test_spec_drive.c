/* Files of model drives: every type, every fault with its place, finding by name. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "spec_drive.h"

struct drive {
	uint64_t size, time;
	uint32_t count;
	double share, number;
	bool flag;
	char text[16];
};

static const struct spec_drive_key keys[] = {
	{"size", SPEC_DRIVE_BYTES, offsetof(struct drive, size), true, 0},
	{"time", SPEC_DRIVE_TIME, offsetof(struct drive, time), false, 0},
	{"count", SPEC_DRIVE_COUNT, offsetof(struct drive, count), false, 0},
	{"share", SPEC_DRIVE_SHARE, offsetof(struct drive, share), false, 0},
	{"number", SPEC_DRIVE_NUMBER, offsetof(struct drive, number), false, 0},
	{"flag", SPEC_DRIVE_BOOL, offsetof(struct drive, flag), false, 0},
	{"text", SPEC_DRIVE_TEXT, offsetof(struct drive, text), false, 16},
};

static char folder[] = "/tmp/pts-drive-XXXXXX";
static char path[128];
static struct drive drive;
static struct pts_err err;

static int read_text(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	pts_err_clear(&err);
	memset(&drive, 0, sizeof(drive));
	drive.count = 99;
	return spec_drive_read(path, keys, sizeof(keys) / sizeof(keys[0]), &drive, &err);
}

static void test_types(void **state)
{
	(void)state;
	assert_int_equal(read_text("# a drive\nsize: 8GiB\ntime: 600us\ncount: 7\nshare: 14%\n"
				   "number: 25.5\nflag: true\ntext: fifteen letters\n"),
			 0);
	assert_int_equal(drive.size, 8ull << 30);
	assert_int_equal(drive.time, 600000);
	assert_int_equal(drive.count, 7);
	assert_true(drive.share == 0.14);
	assert_true(drive.number == 25.5);
	assert_true(drive.flag);
	assert_string_equal(drive.text, "fifteen letters");
	/* what the file does not say stays as it is */
	assert_int_equal(read_text("size: 512B\n"), 0);
	assert_int_equal(drive.count, 99);
}

static void test_faults(void **state)
{
	static const struct {
		const char *text, *place, *says;
	} bad[] = {
		{"size: 8GiB\nsise: 1KiB\n", ":2:1:", "did you mean 'size'"},
		{"count: 1\n", ":1:1:", "the key 'size' is missing"},
		{"size: 8\n", ":1:7:", "size: "},
		{"size: 1KiB\nsize: 2KiB\n", ":2:1:", "size"},
		{"size: 1KiB\ntime: 5\n", ":2:7:", "time: "},
		{"size: 1KiB\ncount: -1\n", ":2:8:", "count: "},
		{"size: 1KiB\ncount: 4294967296\n", ":2:8:", "count: "},
		{"size: 1KiB\nshare: 101%\n", ":2:8:", "share: "},
		{"size: 1KiB\nnumber: nan\n", ":2:9:", "is no number"},
		{"size: 1KiB\nflag: maybe\n", ":2:7:", "flag: "},
		{"size: 1KiB\ntext: sixteen letters!\n", ":2:7:", "too long (15 bytes"},
		{"size: [1KiB]\n", ":1:7:", "size wants a value, not a list"},
		{"size:\n", ":1:", "size wants a value"},
		{"- size\n", ":1:1:", "mapping"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_text(bad[i].text), -EINVAL);
		assert_int_equal(err.exit, PTS_EXIT_SPEC);
		if (!strstr(err.text, bad[i].place) || !strstr(err.text, bad[i].says))
			fail_msg("%s -> %s", bad[i].text, err.text);
	}
	unlink(path);
	pts_err_clear(&err);
	assert_int_equal(spec_drive_read(path, keys, 1, &drive, &err), -ENOENT);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
}

static void test_find(void **state)
{
	char drives[128], wanted[160], *found = NULL;
	FILE *file;

	(void)state;
	snprintf(drives, sizeof(drives), "%s/drives", folder);
	snprintf(wanted, sizeof(wanted), "%s/quick-one.yaml", drives);
	assert_int_equal(mkdir(drives, 0700), 0);
	file = fopen(wanted, "w");
	assert_non_null(file);
	fclose(file);
	setenv("PTS_SPECS", folder, 1);
	pts_err_clear(&err);
	assert_int_equal(spec_drive_find("quick-one", &found, &err), 0);
	assert_non_null(strstr(found, "/drives/quick-one.yaml"));
	free(found);
	assert_int_equal(spec_drive_find("quick-on", &found, &err), -ENOENT);
	assert_null(found);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_non_null(strstr(err.text, "did you mean 'quick-one'"));
	/* a path is taken as it is */
	assert_int_equal(spec_drive_find("some/where.yaml", &found, &err), 0);
	assert_string_equal(found, "some/where.yaml");
	free(found);
	unlink(wanted);
	rmdir(drives);
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/drive.yaml", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
