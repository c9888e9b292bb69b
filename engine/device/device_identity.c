/*
 * Who a device is, in a text without blanks that stays the same for the same thing; that text is
 * what --destroy wants and what a resumed run looks for.
 *
 *   SERIAL            a drive, by its serial number
 *   SERIAL/WWID       a drive whose serial number is on another disk of this host too (several
 *                     namespaces or units of one drive, careless makers)
 *   wwid:WWID         a drive without a serial number
 *   loop:FILE:INODE   a loop device, by the file behind it
 *   file:FILE:INODE   a regular file
 *   dm:UUID, md:UUID  a mapped device or an array
 *   dev:NAME:MAJ:MIN  what has nothing better
 *
 * Blanks become '_'; a long file name becomes the head of its SHA-256. Inode and name, and not
 * the number of the file system's device, since that number changes with the next boot.
 */
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device_internal.h"
#include "pts_hash.h"
#include "pts_text.h"

#define IDENTITY_PATH_MAX 160 /* a longer one nobody types */

/* Disks of hypervisors and clouds that look like drives: their numbers are a service's. */
static const char *const virtual_models[] = {
	"QEMU",
	"VBOX",
	"VMware",
	"Virtual Disk",
	"Virtual disk",
	"VIRTUAL-DISK",
	"Amazon Elastic Block Store",
	"PersistentDisk",
	"nvme_card-pd",
	"MSFT NVMe Accelerator",
};

/* SCSI unit serial number, VPD page 80h: a head of 4 bytes with the length, then the text. */
static void scsi_serial(char *text, size_t room, const char *name)
{
	unsigned char page[512];
	size_t bytes, length;

	if (sysfs_raw(page, sizeof(page), &bytes, "/sys/block/%s/device/vpd_pg80", name) < 0 ||
	    bytes < 4 || page[1] != 0x80)
		return;
	length = (size_t)page[2] << 8 | page[3];
	pts_printable((char *)page + 4, length < bytes - 4 ? length : bytes - 4, text, room);
}

/* Text of an ATA IDENTIFY: two characters a word, the first one in the high byte. */
static void ata_text(char *text, size_t room, const unsigned char *identify, unsigned word,
		     unsigned words)
{
	char raw[64];

	for (unsigned i = 0; i < words; i++) {
		raw[2 * i] = (char)identify[2 * (word + i) + 1];
		raw[2 * i + 1] = (char)identify[2 * (word + i)];
	}
	pts_printable(raw, 2 * (size_t)words, text, room);
}

/* ATA information, VPD page 89h: the whole IDENTIFY from byte 60. The model of the SCSI inquiry
 * is cut to 16 characters, the revision to 4. */
static void ata_names(struct device_facts *facts, const char *name)
{
	unsigned char page[1024];
	size_t bytes;

	if (sysfs_raw(page, sizeof(page), &bytes, "/sys/block/%s/device/vpd_pg89", name) < 0 ||
	    bytes < 60 + 512 || page[1] != 0x89)
		return;
	ata_text(facts->serial, sizeof(facts->serial), page + 60, 10, 10);
	ata_text(facts->firmware, sizeof(facts->firmware), page + 60, 23, 4);
	ata_text(facts->model, sizeof(facts->model), page + 60, 27, 20);
}

static void serial_of(char *text, size_t room, const char *name)
{
	sysfs_text(text, room, "/sys/block/%s/device/serial", name);
	if (!text[0])
		sysfs_text(text, room, "/sys/block/%s/serial", name);
	if (!text[0])
		scsi_serial(text, room, name);
}

static void wwid_of(char *text, size_t room, const char *name)
{
	sysfs_text(text, room, "/sys/block/%s/wwid", name);
	if (!text[0])
		sysfs_text(text, room, "/sys/block/%s/device/wwid", name);
}

/* The first of some files of the device that says something. */
static void first_of(char *text, size_t room, const char *name, const char *const *files)
{
	for (text[0] = '\0'; *files && !text[0]; files++)
		sysfs_text(text, room, "/sys/block/%s/%s", name, *files);
}

void device_names_read(struct device_facts *facts, const char *name)
{
	static const char *const models[] = {"device/model", "device/name", NULL};
	static const char *const firmwares[] = {"device/firmware_rev", "device/rev",
						"device/fwrev", NULL};

	ata_names(facts, name);
	if (!facts->model[0])
		first_of(facts->model, sizeof(facts->model), name, models);
	if (!facts->firmware[0])
		first_of(facts->firmware, sizeof(facts->firmware), name, firmwares);
	if (!facts->serial[0])
		serial_of(facts->serial, sizeof(facts->serial), name);
	if (!facts->serial[0])
		memcpy(facts->serial, facts->usb_serial, sizeof(facts->serial));
	sysfs_text(facts->vendor, sizeof(facts->vendor), "/sys/block/%s/device/vendor", name);
	wwid_of(facts->wwid, sizeof(facts->wwid), name);
	sysfs_text(facts->eui, sizeof(facts->eui), "/sys/block/%s/eui", name);
	sysfs_text(facts->nguid, sizeof(facts->nguid), "/sys/block/%s/nguid", name);
}

static void is_virtual(struct device_facts *facts)
{
	for (unsigned i = 0; i < sizeof(virtual_models) / sizeof(virtual_models[0]); i++)
		if (strstr(facts->model, virtual_models[i]) ||
		    strstr(facts->vendor, virtual_models[i]))
			facts->is_virtual = true;
}

struct twins {
	const struct device_facts *facts;
	const char *name;
};

/* Non-zero for another disk with the same serial number that is another thing by its WWID. */
static int see_twin(void *ctx, const char *name)
{
	const struct twins *twins = ctx;
	char serial[DEVICE_TEXT], wwid[DEVICE_TEXT];

	if (!strcmp(name, twins->name) || sysfs_u32(0, "/sys/block/%s/hidden", name))
		return 0;
	serial_of(serial, sizeof(serial), name);
	if (strcmp(serial, twins->facts->serial) != 0)
		return 0;
	wwid_of(wwid, sizeof(wwid), name);
	return strcmp(wwid, twins->facts->wwid) != 0;
}

static void identify_drive(struct device_facts *facts, const char *name)
{
	struct twins twins = {facts, name};

	if (facts->wwid[0] && sysfs_each(see_twin, &twins, "/sys/block"))
		snprintf(facts->identity, sizeof(facts->identity), "%.120s/%.130s",
			 facts->serial, facts->wwid);
	else
		snprintf(facts->identity, sizeof(facts->identity), "%s", facts->serial);
}

static void identify_file(struct device_facts *facts, const char *kind, const char *path,
			  ino_t inode)
{
	char text[DEVICE_TEXT], sum[PTS_SHA256_TEXT], number[32];

	/* no inode is 0: without the rights to ask it is not known, and is said so */
	if (inode)
		snprintf(number, sizeof(number), "%llu", (unsigned long long)inode);
	else
		snprintf(number, sizeof(number), "?");
	pts_printable(path, strlen(path), text, sizeof(text));
	if (strlen(text) > IDENTITY_PATH_MAX) {
		pts_sha256_text(path, strlen(path), sum);
		snprintf(text, sizeof(text), "sha256-%.16s", sum);
	}
	snprintf(facts->identity, sizeof(facts->identity), "%s:%.200s:%s", kind, text, number);
}

/* Asks the loop device itself: a path may be deleted, or hidden by a mount or a namespace. */
static bool ask_loop(const char *name, struct loop_backing *ret_backing)
{
	struct loop_info64 info;
	char node[DEVICE_NAME + 8], held[DEVICE_NAME] = "";
	struct stat st;
	bool known;
	int fd;

	if (device_root()[0])
		return false;
	snprintf(node, sizeof(node), "/dev/%s", name);
	fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	known = fstat(fd, &st) == 0 && S_ISBLK(st.st_mode);
	if (known)
		device_name_of(st.st_rdev, held);
	known = known && !strcmp(held, name) && ioctl(fd, LOOP_GET_STATUS64, &info) == 0;
	close(fd);
	/* device numbers are packed here as the C library packs them; for a regular file the
	 * kernel says the file system's number twice */
	if (known)
		*ret_backing = (struct loop_backing){
			(dev_t)info.lo_device, (ino_t)info.lo_inode,
			info.lo_rdevice != info.lo_device ? (dev_t)info.lo_rdevice : 0};
	return known;
}

bool device_loop_backing(const char *name, struct loop_backing *ret_backing)
{
	char path[PATH_MAX];
	struct stat st;

	if (sysfs_path(path, "/sys/block/%s/loop/backing_file", name) < 0)
		return false;
	if (ask_loop(name, ret_backing))
		return true;
	if (stat(path, &st) < 0)
		return false;
	*ret_backing = (struct loop_backing){st.st_dev, st.st_ino,
					     S_ISBLK(st.st_mode) ? st.st_rdev : 0};
	return true;
}

static void identify_nameless(struct device_facts *facts, const char *name,
			      const struct stat *st)
{
	struct loop_backing backing = {0};
	char uuid[DEVICE_TEXT];

	if (facts->wwid[0])
		snprintf(facts->identity, sizeof(facts->identity), "wwid:%.240s", facts->wwid);
	else if (facts->backing[0]) {
		device_loop_backing(name, &backing);
		identify_file(facts, "loop", facts->backing, backing.inode);
	} else if (sysfs_text(uuid, sizeof(uuid), "/sys/block/%s/dm/uuid", name) == 0 &&
		   uuid[0])
		snprintf(facts->identity, sizeof(facts->identity), "dm:%.240s", uuid);
	else if (sysfs_text(uuid, sizeof(uuid), "/sys/block/%s/md/uuid", name) == 0 && uuid[0])
		snprintf(facts->identity, sizeof(facts->identity), "md:%.240s", uuid);
	else
		snprintf(facts->identity, sizeof(facts->identity), "dev:%s:%u:%u", name,
			 major(st->st_rdev), minor(st->st_rdev));
}

void device_identify(struct device_facts *facts, const char *name, const struct stat *st)
{
	if (facts->kind == DEVICE_FILE) {
		identify_file(facts, "file", facts->real_path, st->st_ino);
	} else {
		device_names_read(facts, name);
		is_virtual(facts);
		if (facts->serial[0])
			identify_drive(facts, name);
		else
			identify_nameless(facts, name, st);
	}
	for (char *at = facts->identity; *at; at++)
		if (*at == ' ')
			*at = '_';
}
