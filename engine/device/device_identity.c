/*
 * Who a device is. A drive is its serial number (behind several namespaces also the namespace's
 * EUI or NGUID): that is what --destroy wants. What has no serial number has another text that
 * stays the same for the same thing: a loop device or a file the file system and inode of the
 * file behind it, anything else its kernel name and number. No blanks in it.
 */
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "device_internal.h"
#include "pts_text.h"

struct namespaces {
	const char *stem; /* "nvme0n" */
	unsigned count;
};

static int count_namespace(void *ctx, const char *name)
{
	struct namespaces *spaces = ctx;

	if (!strncmp(name, spaces->stem, strlen(spaces->stem)) && !strchr(name, 'c'))
		spaces->count++;
	return 0;
}

/* More than one namespace of the same controller or subsystem number. */
static bool shares_drive(const char *name)
{
	const char *n = strncmp(name, "nvme", 4) ? NULL : strchr(name + 4, 'n');
	struct namespaces spaces = {0};
	char stem[64];

	if (!n)
		return false;
	snprintf(stem, sizeof(stem), "%.*s", (int)(n - name) + 1, name);
	spaces.stem = stem;
	sysfs_each(count_namespace, &spaces, "/sys/block");
	return spaces.count > 1;
}

static void no_blanks(char *text)
{
	for (; *text; text++)
		if (*text == ' ')
			*text = '_';
}

/* SCSI unit serial number page 80h: 4 bytes head, then the text. */
static void scsi_serial(struct device_facts *facts, const char *name)
{
	char page[256];
	size_t bytes;

	if (sysfs_raw(page, sizeof(page), &bytes, "/sys/block/%s/device/vpd_pg80", name) == 0 &&
	    bytes > 4)
		pts_printable(page + 4, bytes - 4, facts->serial, sizeof(facts->serial));
}

static void read_names(struct device_facts *facts, const char *name)
{
	sysfs_text(facts->model, sizeof(facts->model), "/sys/block/%s/device/model", name);
	sysfs_text(facts->vendor, sizeof(facts->vendor), "/sys/block/%s/device/vendor", name);
	sysfs_text(facts->serial, sizeof(facts->serial), "/sys/block/%s/device/serial", name);
	if (!facts->serial[0])
		sysfs_text(facts->serial, sizeof(facts->serial), "/sys/block/%s/serial", name);
	if (!facts->serial[0])
		scsi_serial(facts, name);
	sysfs_text(facts->firmware, sizeof(facts->firmware),
		   "/sys/block/%s/device/firmware_rev", name);
	if (!facts->firmware[0])
		sysfs_text(facts->firmware, sizeof(facts->firmware), "/sys/block/%s/device/rev",
			   name);
	sysfs_text(facts->wwid, sizeof(facts->wwid), "/sys/block/%s/wwid", name);
	if (!facts->wwid[0])
		sysfs_text(facts->wwid, sizeof(facts->wwid), "/sys/block/%s/device/wwid", name);
}

static void identify_drive(struct device_facts *facts, const char *name)
{
	if (shares_drive(name) && facts->wwid[0])
		snprintf(facts->identity, sizeof(facts->identity), "%.120s/%.120s",
			 facts->serial, facts->wwid);
	else
		snprintf(facts->identity, sizeof(facts->identity), "%s", facts->serial);
	no_blanks(facts->identity);
}

static void identify_file(struct device_facts *facts, const char *kind, const struct stat *st)
{
	snprintf(facts->identity, sizeof(facts->identity), "%s:%x:%x:%llu", kind,
		 major(st->st_dev), minor(st->st_dev), (unsigned long long)st->st_ino);
}

void device_identify(struct device_facts *facts, const char *name, const struct stat *st)
{
	struct stat backing;

	if (facts->kind == DEVICE_FILE) {
		identify_file(facts, "file", st);
		return;
	}
	read_names(facts, name);
	if (facts->serial[0])
		identify_drive(facts, name);
	else if (facts->backing[0] && stat(facts->backing, &backing) == 0)
		identify_file(facts, "loop", &backing);
	else
		snprintf(facts->identity, sizeof(facts->identity), "dev:%s:%u:%u", name,
			 major(st->st_rdev), minor(st->st_rdev));
}
