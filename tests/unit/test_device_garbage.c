/*
 * Nothing that sysfs or /proc may say makes the device room crash, hang or read out of bounds:
 * every file of the trees is replaced by garbage, again and again (run under the sanitizers).
 */
#include "device_fake.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_link.h"
#include "pts_hash.h"
#include "purge.h"

#define ROUNDS    60
#define FILES_MAX 512

static struct device_facts facts;
static char *files[FILES_MAX];
static unsigned file_count;
static uint64_t seed;

static unsigned draw(unsigned below)
{
	return (unsigned)(pts_splitmix64(&seed) % below);
}

static int note_file(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)walk;
	if (type == FTW_F && file_count < FILES_MAX)
		files[file_count++] = strdup(path + strlen(fake_root()));
	return 0;
}

/* Empty, binary, very long, numbers at and beyond their limits, formats, paths that go up. */
static size_t garbage(char *data, size_t room)
{
	static const char *const texts[] = {
		"",
		"\n",
		"0",
		"-1",
		"18446744073709551615",
		"18446744073709551616",
		"4294967296",
		"1e9",
		"0x200",
		" 512 ",
		"512 bytes",
		"%s%n%s%n",
		"[",
		"]",
		"[]",
		"[[a]",
		"../../../../etc",
		"/",
		"//",
		"nvme",
		"nvme0n",
		"8:",
		":",
		"8:0:0",
		"999999999999:999999999999",
		"\xc3",
		"\xf0\x9f",
		"a\0b",
		"36 1 8:0 / / rw -",
		"36 1 8:0 / / rw - ext4 /dev/sda rw\n36 1",
	};
	unsigned kind = draw(4);
	size_t bytes;

	if (kind == 0) {
		const char *text = texts[draw(sizeof(texts) / sizeof(texts[0]))];

		bytes = strlen(text);
		memcpy(data, text, bytes);
		return bytes;
	}
	bytes = kind == 1 ? draw(16) : kind == 2 ? draw(600) : draw((unsigned)room);
	for (size_t i = 0; i < bytes; i++)
		data[i] = (char)(kind == 3 ? 'A' + draw(26) : draw(256));
	return bytes;
}

static void take_fact(void *ctx, const char *key, const char *value)
{
	unsigned *count = ctx;

	/* whatever was read: text that a terminal and a report can take */
	for (const unsigned char *at = (const unsigned char *)value; *at; at++)
		if (*at < 0x20 || *at == 0x7f)
			fail_msg("fact '%s' holds byte %02x", key, *at);
	(*count)++;
}

static void look(const char *name, unsigned a, unsigned b)
{
	const struct purge_method *method;
	struct pts_err err = PTS_ERR_INIT;
	struct device_link link;
	unsigned count = 0;

	if (fake_facts(name, a, b, &facts, &err)) {
		assert_true(err.text[0] != '\0');
		assert_true(err.exit != PTS_EXIT_GOOD);
		return;
	}
	assert_true(facts.identity[0] != '\0');
	assert_null(strchr(facts.identity, ' '));
	assert_true(facts.refusal_count <= DEVICE_REFUSALS);
	if (!facts.refusal_count) {
		/* what is not refused can be divided by */
		assert_true(facts.lba_bytes >= 512);
		assert_true(facts.capacity_bytes >= facts.lba_bytes);
	}
	device_facts_each(&facts, take_fact, &count);
	assert_true(count > 10);
	device_link_judge(&facts, 100, 100, &link);
	assert_int_equal(purge_choose(&facts, "auto", &method, &err), 0);
}

static void look_at_all(void)
{
	struct pts_err err = PTS_ERR_INIT;
	unsigned count = 0;

	look("nvme0n1", 259, 0);
	look("nvme3n1", 259, 3);
	look("sda", 8, 0);
	look("loop9", 7, 9);
	device_facts_read("/dev/null", NULL, &facts, &err);
	device_host_each(take_fact, &count);
}

static void plant(void)
{
	fake_nvme();
	fake_nvme_two_paths();
	fake_sata();
	fake_disk("/sys/devices/virtual/block/loop9", "7:9", 4096, 512);
	fake_text("/sys/block/loop9/loop/backing_file", "/gone/file");
	fake_disk("/sys/devices/virtual/block/dm-0", "252:0", 4096, 512);
	fake_text("/sys/block/dm-0/dm/name", "vg0-home");
	fake_text("/sys/block/dm-0/dm/uuid", "LVM-abcdef");
	fake_link("/sys/block/sda/sda2/holders/dm-0", "/sys/devices/virtual/block/dm-0");
	fake_bytes(FAKE_SATA "/device/vpd_pg80",
		   "\0\x80\0\x04"
		   "ABCD",
		   8);
	fake_bytes(FAKE_SATA "/device/vpd_pg89", "\0\x89", 2);
	fake_text("/proc/cpuinfo", "model name\t: x\nflags : hypervisor");
	fake_text("/proc/meminfo", "MemTotal: 16384 kB");
	fake_text("/etc/os-release", "PRETTY_NAME=\"x\"");
	fake_text("/sys/devices/system/cpu/vulnerabilities/mds", "Vulnerable");
	fake_text("/sys/class/dmi/id/board_name", "X1");
}

static void list_files(void)
{
	while (file_count)
		free(files[--file_count]);
	assert_int_equal(nftw(fake_root(), note_file, 16, FTW_PHYS), 0);
	assert_true(file_count > 100);
}

static void every_file_in_turn(void **state)
{
	static char data[20000];

	(void)state;
	seed = 1;
	plant();
	look_at_all();
	list_files();
	for (unsigned i = 0; i < file_count; i++) {
		fake_bytes(files[i], data, garbage(data, sizeof(data)));
		look_at_all();
		if (i % 16 == 15)
			plant();
	}
	while (file_count)
		free(files[--file_count]);
}

static void many_files_at_once(void **state)
{
	static char data[20000];

	(void)state;
	seed = 2;
	for (unsigned round = 0; round < ROUNDS; round++) {
		plant();
		list_files();
		for (unsigned i = 0; i < file_count; i++)
			if (draw(4) == 0)
				fake_bytes(files[i], data, garbage(data, sizeof(data)));
		look_at_all();
	}
	while (file_count)
		free(files[--file_count]);
}

/* Folders where files should be, links in circles, and nothing at all. */
static void other_shapes(void **state)
{
	(void)state;
	plant();
	fake_remove("/sys/block/sda/queue/scheduler");
	fake_text("/sys/block/sda/queue/scheduler/folder", "x");
	fake_remove(FAKE_SATA "/device/model");
	fake_link(FAKE_SATA "/device/model", FAKE_SATA);
	fake_link("/sys/devices/virtual/block/dm-0/slaves/dm-0",
		  "/sys/devices/virtual/block/dm-0");
	fake_link("/sys/block/sda/holders/sda", FAKE_SATA);
	look_at_all();
	fake_remove("/sys/devices");
	look_at_all();
	fake_remove("/sys");
	fake_remove("/proc");
	look_at_all();
}

#define FAKED(test) cmocka_unit_test_setup_teardown(test, fake_begin, fake_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKED(every_file_in_turn),
		FAKED(many_files_at_once),
		FAKED(other_shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
