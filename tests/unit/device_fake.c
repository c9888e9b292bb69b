/* Builds trees as sysfs has them. Touches nothing outside the folder that it made. */
#include "device_fake.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char root[PATH_MAX];

const char *fake_root(void)
{
	return root;
}

char *fake_path(char room[PATH_MAX], const char *path)
{
	assert_true(snprintf(room, PATH_MAX, "%s%s", root, path) < PATH_MAX);
	return room;
}

static void make_folders(char *path)
{
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0755);
		*at = '/';
	}
}

void fake_bytes(const char *path, const void *data, size_t bytes)
{
	char at[PATH_MAX];
	FILE *file;

	make_folders(fake_path(at, path));
	unlink(at); /* ext4 writes a file that is cut and filled anew to the disk at once */
	file = fopen(at, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, bytes, file), bytes);
	assert_int_equal(fclose(file), 0);
}

void fake_text(const char *path, const char *text)
{
	char line[2048];

	snprintf(line, sizeof(line), "%s\n", text);
	fake_bytes(path, line, strlen(line));
}

void fake_link(const char *path, const char *target)
{
	char at[PATH_MAX], to[PATH_MAX];

	make_folders(fake_path(at, path));
	make_folders(fake_path(to, target));
	mkdir(to, 0755);
	unlink(at);
	assert_int_equal(symlink(to, at), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

void fake_remove(const char *path)
{
	char at[PATH_MAX];

	nftw(fake_path(at, path), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int fake_begin(void **state)
{
	const char *folder = getenv("TMPDIR");

	(void)state;
	snprintf(root, sizeof(root), "%s/pts-device-XXXXXX", folder ? folder : "/tmp");
	if (!mkdtemp(root))
		return -1;
	device_root_set(root);
	fake_bytes("/proc/self/mountinfo", "", 0);
	fake_text("/proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority");
	return 0;
}

int fake_end(void **state)
{
	(void)state;
	device_root_set(NULL);
	fake_remove("");
	return 0;
}

void fake_attribute(const char *place, const char *name, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place, name);
	fake_text(path, text);
}

static void fake_number(const char *place, const char *number)
{
	char path[PATH_MAX];

	fake_attribute(place, "dev", number);
	snprintf(path, sizeof(path), "/sys/dev/block/%s", number);
	fake_link(path, place);
	snprintf(path, sizeof(path), "/sys/class/block/%s", strrchr(place, '/') + 1);
	fake_link(path, place);
}

void fake_disk(const char *place, const char *number, uint64_t sectors, unsigned lba_bytes)
{
	char text[PATH_MAX];

	fake_number(place, number);
	snprintf(text, sizeof(text), "/sys/block/%s", strrchr(place, '/') + 1);
	fake_link(text, place);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)sectors);
	fake_attribute(place, "size", text);
	snprintf(text, sizeof(text), "%u", lba_bytes);
	fake_attribute(place, "queue/logical_block_size", text);
	fake_attribute(place, "queue/zoned", "none");
	fake_attribute(place, "queue/scheduler", "none [mq-deadline] kyber");
	fake_attribute(place, "queue/write_cache", "write back");
	fake_attribute(place, "queue/discard_max_bytes", "2199023255040");
	fake_attribute(place, "hidden", "0");
	fake_attribute(place, "ro", "0");
}

void fake_partition(const char *place, unsigned index, const char *number)
{
	const char *disk = strrchr(place, '/') + 1;
	char path[PATH_MAX], text[16];

	snprintf(path, sizeof(path), "%s/%s%s%u", place, disk, strchr(disk, 'n') ? "p" : "",
		 index);
	fake_number(path, number);
	snprintf(text, sizeof(text), "%u", index);
	fake_attribute(path, "partition", text);
}

int fake_facts(const char *name, unsigned a, unsigned b, struct device_facts *ret_facts,
	       struct pts_err *err)
{
	struct stat st = {.st_mode = S_IFBLK | 0660, .st_rdev = makedev(a, b)};
	char path[64];

	snprintf(path, sizeof(path), "/dev/%s", name);
	return device_facts_fill(path, name, &st, NULL, ret_facts, err);
}

void fake_facts_good(const char *name, unsigned a, unsigned b, struct device_facts *ret_facts)
{
	struct pts_err err = PTS_ERR_INIT;

	if (fake_facts(name, a, b, ret_facts, &err))
		fail_msg("%s: %s", name, err.text);
}

const char *refusal_text(const struct device_facts *facts, const char *code)
{
	for (unsigned i = 0; i < facts->refusal_count; i++)
		if (!strcmp(facts->refusals[i].code, code))
			return facts->refusals[i].text;
	return NULL;
}

static void pci_function(const char *place, const char *driver, const char *speed,
			 const char *width, const char *most_speed, const char *most_width)
{
	char link[PATH_MAX], to[128];

	fake_attribute(place, "class", "0x010802");
	fake_attribute(place, "vendor", "0x144d");
	fake_attribute(place, "numa_node", "1");
	fake_attribute(place, "current_link_speed", speed);
	fake_attribute(place, "current_link_width", width);
	fake_attribute(place, "max_link_speed", most_speed);
	fake_attribute(place, "max_link_width", most_width);
	snprintf(link, sizeof(link), "%s/driver", place);
	snprintf(to, sizeof(to), "/sys/bus/pci/drivers/%s", driver);
	fake_link(link, to);
}

static void nvme_names(const char *place, const char *serial)
{
	fake_attribute(place, "model", "ACME: SSD 2 960G                        ");
	fake_attribute(place, "serial", serial);
	fake_attribute(place, "firmware_rev", "GDC5602Q");
	fake_attribute(place, "subsysnqn", "nqn.2014.08.org:acme:S4N1");
}

void fake_nvme(void)
{
	static const char *const slot = "/sys/devices/pci0000:00/0000:00:01.0";
	static const char *const function = "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0";
	char place[PATH_MAX];

	snprintf(place, sizeof(place), "%s/nvme/nvme0", function);
	pci_function(slot, "pcieport", "8.0 GT/s PCIe", "4", "8.0 GT/s PCIe", "16");
	pci_function(function, "nvme", "8.0 GT/s PCIe", "4", "16.0 GT/s PCIe", "4");
	nvme_names(place, "S4N1NX0T 12345      ");
	fake_attribute(place, "transport", "pcie");
	fake_attribute(place, "state", "live");
	fake_disk(FAKE_NVME, "259:0", 1875385008, 512);
	fake_link(FAKE_NVME "/device", place);
	fake_attribute(FAKE_NVME, "wwid", "eui.0025385b91b00001");
	fake_attribute(FAKE_NVME, "eui", "00 25 38 5b 91 b0 00 01");
	fake_attribute(FAKE_NVME, "nsid", "1");
}

/* Controllers 0 and 7 lead to subsystem 3: its head is nvme3n1, its paths are hidden disks. */
void fake_nvme_two_paths(void)
{
	static const char *const functions[] = {
		"/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0",
		"/sys/devices/pci0000:80/0000:80:01.0/0000:81:00.0",
	};
	static const unsigned numbers[] = {0, 7};
	char place[256], text[512], link[512 + 8];

	nvme_names(FAKE_HEADS, "S4N1NX0T 12345");
	fake_disk(FAKE_HEADS "/nvme3n1", "259:3", 1875385008, 4096);
	fake_link(FAKE_HEADS "/nvme3n1/device", FAKE_HEADS);
	fake_attribute(FAKE_HEADS "/nvme3n1", "wwid", "eui.0025385b91b00001");
	fake_attribute(FAKE_HEADS "/nvme3n1", "nsid", "1");
	for (unsigned i = 0; i < 2; i++) {
		snprintf(place, sizeof(place), "%s/nvme/nvme%u", functions[i], numbers[i]);
		pci_function(functions[i], "nvme", i ? "16.0 GT/s PCIe" : "Unknown", "4",
			     "16.0 GT/s PCIe", "4");
		nvme_names(place, "S4N1NX0T 12345");
		fake_attribute(place, "transport", "pcie");
		fake_attribute(place, "state", i ? "live" : "resetting");
		snprintf(text, sizeof(text), FAKE_HEADS "/nvme%u", numbers[i]);
		fake_link(text, place);
		snprintf(text, sizeof(text), "%s/nvme3c%un1", place, numbers[i]);
		fake_disk(text, i ? "259:8" : "259:7", 1875385008, 4096);
		fake_attribute(text, "hidden", "1");
		snprintf(link, sizeof(link), "%s/device", text);
		fake_link(link, place);
	}
}

void fake_sata(void)
{
	static const char *const port = "/sys/devices/pci0000:00/0000:00:17.0/ata3";
	char place[PATH_MAX];

	pci_function("/sys/devices/pci0000:00/0000:00:17.0", "ahci", "Unknown", "0", "Unknown",
		     "255");
	snprintf(place, sizeof(place), "%s/link3/ata_link/link3", port);
	fake_attribute(place, "sata_spd", "3.0 Gbps");
	fake_attribute(place, "hw_sata_spd_limit", "6.0 Gbps");
	fake_disk(FAKE_SATA, "8:0", 937703088, 512);
	fake_link(FAKE_SATA "/device",
		  "/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0");
	fake_link(FAKE_SATA "/device/driver", "/sys/bus/scsi/drivers/sd");
	fake_attribute(FAKE_SATA, "device/model", "Samsung SSD 870 ");
	fake_attribute(FAKE_SATA, "device/vendor", "ATA     ");
	fake_attribute(FAKE_SATA, "device/rev", "1B6Q");
	fake_attribute(FAKE_SATA, "device/wwid", "naa.5002538f70000001");
	fake_partition(FAKE_SATA, 1, "8:1");
	fake_partition(FAKE_SATA, 2, "8:2");
}
