/* Facts and identity of drives that this machine has not. */
#include "device_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "device_link.h"
#include "purge.h"

static struct device_facts facts;

static void nvme(void **state)
{
	(void)state;
	fake_nvme();
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_string_equal(facts.model, "ACME: SSD 2 960G");
	assert_string_equal(facts.serial, "S4N1NX0T 12345");
	assert_string_equal(facts.identity, "S4N1NX0T_12345");
	assert_string_equal(facts.firmware, "GDC5602Q");
	assert_string_equal(facts.transport, "nvme");
	assert_string_equal(facts.driver, "nvme");
	assert_string_equal(facts.scheduler, "mq-deadline");
	assert_string_equal(facts.write_cache, "write back");
	assert_string_equal(facts.link_speed, "8.0 GT/s PCIe");
	assert_string_equal(facts.link_speed_max, "16.0 GT/s PCIe");
	assert_string_equal(facts.slot_speed_max, "8.0 GT/s PCIe");
	assert_int_equal(facts.numa_node, 1);
	assert_int_equal(facts.capacity_bytes, 960197124096);
	assert_int_equal(facts.lba_bytes, 512);
	assert_int_equal(facts.nsid, 1);
	assert_int_equal(facts.namespace_count, 1);
	assert_int_equal(facts.controller_count, 1);
	assert_false(facts.is_virtual);
	assert_int_equal(facts.refusal_count, 0);
}

/* B01: the head's number is the subsystem's; the live controller's function is looked at. */
static void nvme_numbers_differ(void **state)
{
	(void)state;
	fake_nvme_two_paths();
	fake_facts_good("nvme3n1", 259, 3, &facts);
	assert_string_equal(facts.transport, "nvme");
	assert_string_equal(facts.identity, "S4N1NX0T_12345");
	assert_string_equal(facts.model, "ACME: SSD 2 960G");
	assert_string_equal(facts.driver, "nvme");
	assert_string_equal(facts.link_speed, "16.0 GT/s PCIe");
	assert_int_equal(facts.controller_count, 2);
	assert_int_equal(facts.namespace_count, 1); /* the hidden paths are none */
	assert_int_equal(facts.lba_bytes, 4096);
}

/* B07, B31: the serial number is the drive's; a second namespace makes it not enough. */
static void two_namespaces(void **state)
{
	(void)state;
	fake_nvme_two_paths();
	fake_disk(FAKE_HEADS "/nvme3n2", "259:4", 4096, 4096);
	fake_link(FAKE_HEADS "/nvme3n2/device", FAKE_HEADS);
	fake_attribute(FAKE_HEADS "/nvme3n2", "wwid", "eui.0025385b91b00002");
	fake_attribute(FAKE_HEADS "/nvme3n2", "nsid", "2");
	fake_facts_good("nvme3n1", 259, 3, &facts);
	assert_int_equal(facts.namespace_count, 2);
	assert_string_equal(facts.identity, "S4N1NX0T_12345/eui.0025385b91b00001");
	fake_facts_good("nvme3n2", 259, 4, &facts);
	assert_string_equal(facts.identity, "S4N1NX0T_12345/eui.0025385b91b00002");
	assert_int_equal(facts.nsid, 2);
}

/* B89: a drive behind a network is named as one. */
static void nvme_over_tcp(void **state)
{
	static const char *const ctl = "/sys/devices/virtual/nvme-fabrics/ctl/nvme4";

	(void)state;
	fake_attribute(ctl, "transport", "tcp");
	fake_attribute(ctl, "serial", "TARGET1");
	fake_disk("/sys/devices/virtual/nvme-fabrics/ctl/nvme4/nvme4n1", "259:9", 4096, 512);
	fake_link("/sys/devices/virtual/nvme-fabrics/ctl/nvme4/nvme4n1/device", ctl);
	fake_facts_good("nvme4n1", 259, 9, &facts);
	assert_string_equal(facts.transport, "nvme-tcp");
	assert_string_equal(facts.identity, "TARGET1");
	assert_string_equal(facts.link_speed, "");
}

static void put_ata_text(unsigned char *identify, unsigned word, unsigned words,
			 const char *text)
{
	for (unsigned i = 0; i < 2 * words; i++)
		identify[2 * word + (i ^ 1)] =
			(unsigned char)(i < strlen(text) ? text[i] : ' ');
}

/* B80: the inquiry cuts the model to 16 characters; the identify data have all 40. */
static void sata(void **state)
{
	unsigned char page[60 + 512] = {0, 0x89, 0x02, 0x38};
	static const char pg80[] = "\0\x80\0\x14      S5RRNF0R000001";

	(void)state;
	fake_sata();
	fake_bytes(FAKE_SATA "/device/vpd_pg80", pg80, sizeof(pg80) - 1);
	fake_facts_good("sda", 8, 0, &facts);
	assert_string_equal(facts.transport, "sata");
	assert_string_equal(facts.driver, "sd");
	assert_string_equal(facts.host_driver, "ahci");
	assert_string_equal(facts.model, "Samsung SSD 870");
	assert_string_equal(facts.identity, "S5RRNF0R000001");
	assert_string_equal(facts.link_speed, "3.0 Gbps");
	assert_string_equal(facts.link_speed_max, "6.0 Gbps");

	put_ata_text(page + 60, 10, 10, "S5RRNF0R000001");
	put_ata_text(page + 60, 23, 4, "SVT01B6Q");
	put_ata_text(page + 60, 27, 20, "Samsung SSD 870 EVO 500GB");
	fake_bytes(FAKE_SATA "/device/vpd_pg89", page, sizeof(page));
	fake_facts_good("sda", 8, 0, &facts);
	assert_string_equal(facts.model, "Samsung SSD 870 EVO 500GB");
	assert_string_equal(facts.firmware, "SVT01B6Q");
	assert_string_equal(facts.identity, "S5RRNF0R000001");
}

/* The page's own length counts, not what the buffer holds behind it; a foreign page does not. */
static void serial_page(void **state)
{
	static const char longer[] = "\0\x80\0\x04"
				     "ABCDEFGH";
	static const char shorter[] = "\0\x80\0\xff"
				      "AB";
	static const char foreign[] = "\0\x83\0\x04"
				      "ABCD";

	(void)state;
	fake_sata();
	fake_bytes(FAKE_SATA "/device/vpd_pg80", longer, sizeof(longer) - 1);
	fake_facts_good("sda", 8, 0, &facts);
	assert_string_equal(facts.serial, "ABCD");
	fake_bytes(FAKE_SATA "/device/vpd_pg80", shorter, sizeof(shorter) - 1);
	fake_facts_good("sda", 8, 0, &facts);
	assert_string_equal(facts.serial, "AB");
	fake_bytes(FAKE_SATA "/device/vpd_pg80", foreign, sizeof(foreign) - 1);
	fake_facts_good("sda", 8, 0, &facts);
	assert_string_equal(facts.serial, "");
	assert_string_equal(facts.identity, "wwid:naa.5002538f70000001");
}

/* An NVMe drive behind a USB bridge appears as sdX: the bridge's serial is all there is. */
static void usb(void **state)
{
	static const char *const bridge = "/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1";
	static const char *const disk =
		"/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host4/target4:0:0/"
		"4:0:0:0/block/sdb";

	(void)state;
	fake_attribute(bridge, "bDeviceClass", "00");
	fake_attribute(bridge, "serial", "0123456789AB");
	fake_attribute(bridge, "speed", "480");
	fake_disk(disk, "8:16", 4096, 512);
	fake_facts_good("sdb", 8, 16, &facts);
	assert_string_equal(facts.transport, "usb");
	assert_string_equal(facts.identity, "0123456789AB");
	assert_string_equal(facts.link_speed, "480 Mbit/s");
	assert_string_equal(facts.link_speed_max, "");
}

/* B61: disks of hypervisors, by place or by model. */
static void virtual_disks(void **state)
{
	static const char *const place =
		"/sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vdb";

	(void)state;
	fake_disk(place, "253:16", 4096, 512);
	fake_attribute(place, "serial", "vol-0 1");
	fake_facts_good("vdb", 253, 16, &facts);
	assert_string_equal(facts.transport, "virtio");
	assert_string_equal(facts.identity, "vol-0_1");
	assert_true(facts.is_virtual);
	fake_nvme();
	fake_text("/sys/block/nvme0n1/device/model", "Amazon Elastic Block Store");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_true(facts.is_virtual);
}

/* What has no serial number has a text of its own, without blanks. */
static void nameless(void **state)
{
	(void)state;
	fake_disk("/sys/devices/virtual/block/dm-0", "252:0", 4096, 512);
	fake_text("/sys/block/dm-0/dm/uuid", "CRYPT-LUKS2-abc my disk");
	fake_facts_good("dm-0", 252, 0, &facts);
	assert_string_equal(facts.identity, "dm:CRYPT-LUKS2-abc_my_disk");
	assert_string_equal(facts.transport, "device-mapper");
	fake_disk("/sys/devices/virtual/block/zram0", "251:0", 4096, 4096);
	fake_facts_good("zram0", 251, 0, &facts);
	assert_string_equal(facts.identity, "dev:zram0:251:0");
	assert_true(facts.is_virtual);
}

/* B41: hints are facts, the LBA is the limit. */
static void hints(void **state)
{
	(void)state;
	fake_nvme();
	fake_attribute(FAKE_NVME, "queue/physical_block_size", "262144");
	fake_attribute(FAKE_NVME, "queue/minimum_io_size", "65536");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_int_equal(facts.physical_bytes, 262144);
	assert_int_equal(facts.io_min_bytes, 65536);
	assert_int_equal(facts.lba_bytes, 512);
	assert_int_equal(facts.refusal_count, 0);
}

static void no_capacity(void **state)
{
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	fake_nvme();
	fake_attribute(FAKE_NVME, "size", "0");
	assert_true(fake_facts("nvme0n1", 259, 0, &facts, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(err.text, "capacity of 0"));
	/* more than an offset can say is no size either, and nothing overflows */
	err = (struct pts_err)PTS_ERR_INIT;
	fake_attribute(FAKE_NVME, "size", "18446744073709551615");
	assert_true(fake_facts("nvme0n1", 259, 0, &facts, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_DEVICE);
}

/* Discard is offered where the device has it; "auto" falls to none, and a name is refused. */
static void purge_offers(void **state)
{
	const struct purge_method *method;
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	fake_nvme();
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_int_equal(purge_choose(&facts, NULL, &method, &err), 0);
	assert_string_equal(method->name, "discard");
	assert_false(method->is_pts_purge);
	fake_attribute(FAKE_NVME, "queue/discard_max_bytes", "0");
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_int_equal(purge_choose(&facts, "auto", &method, &err), 0);
	assert_string_equal(method->name, "none");
	assert_true(purge_choose(&facts, "discard", &method, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_MISSING);
	err = (struct pts_err)PTS_ERR_INIT;
	assert_true(purge_choose(&facts, "dicsard", &method, &err) < 0);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_non_null(strstr(err.text, "discard, zeroes, none"));
}

struct listed {
	char text[8192];
};

static void list_fact(void *ctx, const char *key, const char *value)
{
	struct listed *listed = ctx;
	size_t used = strlen(listed->text);

	assert_non_null(value);
	assert_true(value[0] != '\0');
	snprintf(listed->text + used, sizeof(listed->text) - used, "%s=%s\n", key, value);
}

static void every_fact(void **state)
{
	static struct listed listed;

	(void)state;
	fake_nvme();
	fake_facts_good("nvme0n1", 259, 0, &facts);
	device_facts_each(&facts, list_fact, &listed);
	assert_non_null(strstr(listed.text, "capacity_bytes=960197124096\n"));
	assert_non_null(strstr(listed.text, "wwid=eui.0025385b91b00001\n"));
	assert_non_null(strstr(listed.text, "link_state=downgraded\n"));
	assert_non_null(strstr(listed.text, "link_limit_mb_per_s=3938.4615\n"));
	assert_non_null(strstr(listed.text, "namespace_count=1\n"));
	assert_non_null(strstr(listed.text, "numa_node=1\n"));
}

static void host(void **state)
{
	static struct listed listed;

	(void)state;
	fake_text("/proc/cpuinfo", "processor\t: 0\nmodel name\t: ACME CPU @ 2.0GHz\n"
				   "flags\t\t: fpu hypervisor lm\n");
	fake_text("/proc/meminfo", "MemFree:  1 kB\nMemTotal:       16384 kB\n");
	fake_text("/etc/os-release", "NAME=\"x\"\nPRETTY_NAME=\"ACME Linux 12\"\n");
	fake_text("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
	fake_text("/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI");
	fake_text("/sys/devices/system/cpu/vulnerabilities/mds", "Vulnerable");
	fake_text("/sys/class/dmi/id/board_name", "X1\001");
	device_host_each(list_fact, &listed);
	assert_non_null(strstr(listed.text, "cpu=ACME CPU @ 2.0GHz\n"));
	assert_non_null(strstr(listed.text, "memory_bytes=16777216\n"));
	assert_non_null(strstr(listed.text, "os=ACME Linux 12\n"));
	assert_non_null(strstr(listed.text, "clocksource=tsc\n"));
	assert_non_null(strstr(listed.text, "virtualization=virtual machine\n"));
	assert_non_null(strstr(listed.text, "mitigations=1 mitigated, 1 vulnerable\n"));
	assert_non_null(strstr(listed.text, "board=X1\\x01\n"));
	assert_non_null(strstr(listed.text, "kernel=Linux "));
}

/* The identify cases that sysfs can show; the formats in the others are no text of sysfs. */
static void identify_cases(void **state)
{
	json_t *all = json_load_file(PTS_FIXTURES "/identify.json", 0, NULL), *one;
	unsigned tried = 0;
	size_t i;

	(void)state;
	fake_nvme();
	json_array_foreach(json_object_get(all, "cases"), i, one)
	{
		json_t *fields = json_object_get(one, "fields");
		const char *model = json_string_value(json_object_get(one, "expected_model"));
		const char *serial = json_string_value(json_object_get(fields, "sn"));

		if (!model)
			continue;
		tried++;
		fake_text("/sys/block/nvme0n1/device/model",
			  json_string_value(json_object_get(fields, "mn")));
		fake_text("/sys/block/nvme0n1/device/serial", serial ? serial : "S1");
		fake_facts_good("nvme0n1", 259, 0, &facts);
		assert_string_equal(facts.model, model);
		assert_string_equal(facts.serial, serial ? serial : "S1");
	}
	assert_int_equal(tried, 2);
	json_decref(all);
}

/* Odd bytes are shown, never passed on; blanks at the ends go, inner ones stay. */
static void odd_bytes(void **state)
{
	static const char model[] = "  A\xff"
				    "B\tC `id` \xc3\xa9  \n";

	(void)state;
	fake_nvme();
	fake_bytes("/sys/block/nvme0n1/device/model", model, sizeof(model) - 1);
	fake_bytes("/sys/block/nvme0n1/device/serial", "S\0\0\0\n", 5);
	fake_facts_good("nvme0n1", 259, 0, &facts);
	assert_string_equal(facts.model, "A\\xffB\\x09C `id` \xc3\xa9");
	assert_string_equal(facts.serial, "S");
}

#define FAKED(test) cmocka_unit_test_setup_teardown(test, fake_begin, fake_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKED(nvme),
		FAKED(nvme_numbers_differ),
		FAKED(two_namespaces),
		FAKED(nvme_over_tcp),
		FAKED(sata),
		FAKED(serial_page),
		FAKED(usb),
		FAKED(virtual_disks),
		FAKED(nameless),
		FAKED(hints),
		FAKED(no_capacity),
		FAKED(purge_offers),
		FAKED(every_fact),
		FAKED(host),
		FAKED(identify_cases),
		FAKED(odd_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
