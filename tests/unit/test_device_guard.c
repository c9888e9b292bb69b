/*
 * What the guard says of drives that this machine has not: holders, mounts, other paths, formats.
 * Loop devices, real mounts and swap are in tests/blockdev/guard.sh.
 */
#include "device_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct device_facts facts;

static void nothing_speaks_against(void **state)
{
	(void)state;
	fake_sata();
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 0);
}

static void says(const char *code, const char *part)
{
	const char *text = refusal_text(&facts, code);

	if (!text)
		fail_msg("no refusal '%s'", code);
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

/* B02: md on the whole device. */
static void held_by_md(void **state)
{
	(void)state;
	fake_sata();
	fake_disk("/sys/devices/virtual/block/md127", "9:127", 4096, 512);
	fake_link("/sys/block/sda/holders/md127", "/sys/devices/virtual/block/md127");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 1);
	says("holder", "/dev/sda is held by the array md127: mdadm --stop /dev/md127");
}

/* B02: holders of a partition count as the device's own, and say which partition. */
static void partition_held(void **state)
{
	(void)state;
	fake_sata();
	fake_disk("/sys/devices/virtual/block/dm-0", "252:0", 4096, 512);
	fake_text("/sys/block/dm-0/dm/name", "vg0-home");
	fake_text("/sys/block/dm-0/dm/uuid", "LVM-abcdef");
	fake_link("/sys/block/sda/sda2/holders/dm-0", "/sys/devices/virtual/block/dm-0");
	fake_disk("/sys/devices/virtual/block/bcache0", "251:0", 4096, 512);
	fake_link("/sys/block/sda/sda1/holders/bcache0", "/sys/devices/virtual/block/bcache0");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 2);
	says("holder", "/dev/sda1 is held by bcache0");
	assert_non_null(strstr(facts.refusals[1].text,
			       "/dev/sda2 is held by LVM ('vg0-home'): lvchange -an"));
}

static void mounts(const char *text)
{
	fake_text("/proc/self/mountinfo", text);
}

static void mounted(void **state)
{
	(void)state;
	fake_sata();
	mounts("36 1 8:0 / /srv/my\\040data rw shared:1 - xfs /dev/sda rw");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 1);
	says("mounted", "mounted on '/srv/my data'");
}

static void partition_mounted(void **state)
{
	(void)state;
	fake_sata();
	mounts("36 1 8:2 / /home rw shared:1 - ext4 /dev/sda2 rw");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 1);
	says("partition-mounted", "'/dev/sda2' is mounted on '/home'");
	mounts("36 1 8:18 / /home rw shared:1 - ext4 /dev/sdb2 rw");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 0);
}

static void no_table_of_mounts(void **state)
{
	(void)state;
	fake_sata();
	fake_remove("/proc/self/mountinfo");
	fake_facts_good("sda", 8, 0, &facts);
	says("no-mount-table", "is /proc mounted?");
}

/* The same drive by a second port: no exclusive open tells of a mount there. */
static void mounted_by_another_path(void **state)
{
	static const char *const other =
		"/sys/devices/pci0000:00/0000:00:18.0/ata5/host4/target4:0:0/4:0:0:0/block/sdb";

	(void)state;
	fake_sata();
	fake_disk(other, "8:16", 937703088, 512);
	fake_attribute(other, "device/wwid", "naa.5002538f70000001");
	fake_partition(other, 1, "8:17");
	mounts("36 1 8:17 / /home rw shared:1 - ext4 /dev/sdb1 rw");
	fake_facts_good("sda", 8, 0, &facts);
	says("partition-mounted", "'/dev/sdb1' is mounted on '/home'");
	/* a different drive is none of our business */
	fake_attribute(other, "device/wwid", "naa.5002538f70000002");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 0);
}

/* B26 */
static void metadata(void **state)
{
	(void)state;
	fake_nvme();
	fake_attribute(FAKE_NVME, "metadata_bytes", "8");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_int_equal(facts.metadata_bytes, 8);
	assert_int_equal(facts.refusal_count, 1);
	says("metadata", "8 bytes of metadata");
	/* an older kernel tells of it by the format of the protection information */
	fake_attribute(FAKE_NVME, "metadata_bytes", "0");
	fake_attribute(FAKE_NVME, "integrity/format", "T10-DIF-TYPE1-CRC");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	says("metadata", "T10-DIF-TYPE1-CRC");
	fake_attribute(FAKE_NVME, "integrity/format", "none");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_int_equal(facts.refusal_count, 0);
}

static void zoned(void **state)
{
	(void)state;
	fake_nvme();
	fake_attribute(FAKE_NVME, "queue/zoned", "host-managed");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	says("zoned", "host-managed");
}

static void read_only(void **state)
{
	(void)state;
	fake_nvme();
	fake_attribute(FAKE_NVME, "ro", "1");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	says("read-only", "blockdev --setrw");
}

/* Nothing may be divided by these, and no test fits them. */
static void geometry(void **state)
{
	static const char *const lbas[] = {"0",    "1",          "511",        "520",
					   "4224", "4294967295", "4294967808", "",
					   "-512", "512 bytes"};

	(void)state;
	fake_nvme();
	for (unsigned i = 0; i < sizeof(lbas) / sizeof(lbas[0]); i++) {
		fake_attribute(FAKE_NVME, "queue/logical_block_size", lbas[i]);
		fake_facts_good("nvme0n1", 259, 0, &facts);
		says("geometry", "no test fits");
	}
	fake_attribute(FAKE_NVME, "queue/logical_block_size", "4096");
	fake_attribute(FAKE_NVME, "size", "1"); /* B92: smaller than one LBA */
	fake_facts_good("nvme0n1", 259, 0, &facts);
	says("geometry", "a capacity of 512 bytes");
}

/* All reasons are told, not the first alone. */
static void all_are_collected(void **state)
{
	(void)state;
	fake_sata();
	fake_text("/sys/block/sda/ro", "1");
	fake_text("/sys/block/sda/queue/zoned", "host-aware");
	fake_disk("/sys/devices/virtual/block/md1", "9:1", 4096, 512);
	fake_link("/sys/block/sda/sda2/holders/md1", "/sys/devices/virtual/block/md1");
	mounts("36 1 8:1 / /boot rw shared:1 - ext4 /dev/sda1 rw");
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, 4);
	says("read-only", "sda");
	says("zoned", "host-aware");
	says("holder", "md1");
	says("partition-mounted", "/boot");
}

/* More reasons than there is room for: still refused, nothing overflows. */
static void very_many(void **state)
{
	static char table[8192];
	size_t used = 0;

	(void)state;
	fake_sata();
	for (unsigned i = 0; i < 100; i++)
		used += (size_t)snprintf(table + used, sizeof(table) - used,
					 "%u 1 8:1 / /a/%u rw - ext4 /dev/sda1 rw\n", 40 + i,
					 i);
	fake_bytes("/proc/self/mountinfo", table, used);
	fake_facts_good("sda", 8, 0, &facts);
	assert_int_equal(facts.refusal_count, DEVICE_REFUSALS);
}

/* As many partitions as the kernel knows, the last of them mounted. */
static void very_many_partitions(void **state)
{
	char number[32];

	(void)state;
	fake_sata();
	for (unsigned i = 1; i <= 256; i++) {
		snprintf(number, sizeof(number), "259:%u", i);
		fake_partition(FAKE_SATA, i, number);
	}
	mounts("36 1 259:256 / /home rw shared:1 - ext4 /dev/sda256 rw");
	fake_facts_good("sda", 8, 0, &facts);
	says("partition-mounted", "/dev/sda256");
}

static void refused_text_says_the_first(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	struct device *device = NULL;

	(void)state;
	fake_sata();
	mounts("36 1 8:0 / /srv rw shared:1 - xfs /dev/sda rw");
	fake_facts_good("sda", 8, 0, &facts);
	assert_true(device_open_destroy(&facts, facts.identity, NULL, &device, &err) < 0);
	assert_null(device);
	assert_int_equal(err.exit, PTS_EXIT_SAFETY);
	assert_non_null(strstr(err.text, "mounted on '/srv'"));
}

#define FAKED(test) cmocka_unit_test_setup_teardown(test, fake_begin, fake_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKED(nothing_speaks_against),
		FAKED(held_by_md),
		FAKED(partition_held),
		FAKED(mounted),
		FAKED(partition_mounted),
		FAKED(no_table_of_mounts),
		FAKED(mounted_by_another_path),
		FAKED(metadata),
		FAKED(zoned),
		FAKED(read_only),
		FAKED(geometry),
		FAKED(all_are_collected),
		FAKED(very_many),
		FAKED(very_many_partitions),
		FAKED(refused_text_says_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
