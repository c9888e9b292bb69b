/*
 * Where a device sits: transport, drivers, the link that its data take, and what else hangs on
 * the same NVMe subsystem. Follows sysfs's links; never derives one name from another by cutting,
 * since controllers, subsystems and namespaces are numbered apart.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"

/* By the path that the kernel gives the device in sysfs; the first match counts. */
static const struct {
	const char *part, *transport;
	bool is_virtual;
} places[] = {
	{"/virtual/block/loop", "loop", true},
	{"/virtual/block/zram", "zram", true},
	{"/virtual/block/ram", "ram", true},
	{"/virtual/block/dm-", "device-mapper", true},
	{"/virtual/block/md", "md", true},
	{"/virtual/block/nbd", "nbd", true},
	{"/virtual/nvme-subsystem/", "nvme", false},
	{"/virtual/nvme-fabrics/", "nvme-fabrics", false},
	{"/virtual/", "virtual", true},
	{"/nvme/", "nvme", false},
	{"/usb", "usb", false},
	{"/virtio", "virtio", true},
	{"/vbd-", "xen", true},
	{"/ata", "sata", false},
	{"/end_device", "sas", false},
	{"/mmc_host/", "mmc", false},
};

struct controllers {
	const char *name;
	unsigned count;
	char chosen[PATH_MAX]; /* its place in sysfs: the first that is live, else the first */
	bool is_live;
};

static int see_controller(void *ctx, const char *entry)
{
	struct controllers *all = ctx;
	char state[32];
	bool is_live;

	if (strncmp(entry, "nvme", 4) != 0 ||
	    !sysfs_exists("/sys/block/%s/device/%s/transport", all->name, entry))
		return 0;
	sysfs_text(state, sizeof(state), "/sys/block/%s/device/%s/state", all->name, entry);
	is_live = !strcmp(state, "live");
	if (!all->count++ || (is_live && !all->is_live)) {
		sysfs_link(all->chosen, sizeof(all->chosen), "/sys/block/%s/device/%s",
			   all->name, entry);
		all->is_live = is_live;
	}
	return 0;
}

struct spaces {
	const char *subsystem;
	unsigned count;
};

static int see_namespace(void *ctx, const char *name)
{
	struct spaces *spaces = ctx;
	char subsystem[DEVICE_TEXT];

	if (strncmp(name, "nvme", 4) != 0 || sysfs_u32(0, "/sys/block/%s/hidden", name))
		return 0;
	sysfs_text(subsystem, sizeof(subsystem), "/sys/block/%s/device/subsysnqn", name);
	spaces->count += !strcmp(subsystem, spaces->subsystem);
	return 0;
}

/* The controller's place (of one, if there are several paths), and the subsystem's counts. */
static void nvme(struct device_facts *facts, const char *name, char place[PATH_MAX])
{
	struct controllers all = {.name = name};
	char subsystem[DEVICE_TEXT], transport[16];
	struct spaces spaces = {.subsystem = subsystem};

	if (sysfs_exists("/sys/block/%s/device/transport", name)) {
		sysfs_link(place, PATH_MAX, "/sys/block/%s/device", name);
		all.count = 1;
	} else {
		sysfs_each(see_controller, &all, "/sys/block/%s/device", name);
		if (all.count)
			memcpy(place, all.chosen, PATH_MAX);
	}
	facts->controller_count = all.count;
	if (sysfs_text(subsystem, sizeof(subsystem), "/sys/block/%s/device/subsysnqn", name) ==
		    0 &&
	    subsystem[0])
		sysfs_each(see_namespace, &spaces, "/sys/block");
	facts->namespace_count = spaces.count;
	facts->nsid = sysfs_u32(0, "/sys/block/%s/nsid", name);
	if (all.count && sysfs_text(transport, sizeof(transport), "%s/transport", place) == 0 &&
	    transport[0] && strcmp(transport, "pcie") != 0)
		snprintf(facts->transport, sizeof(facts->transport), "nvme-%s", transport);
}

/* One step up in sysfs; false at the top of the tree of devices. */
static bool up(char place[PATH_MAX])
{
	char *slash = strrchr(place, '/');

	if (!slash)
		return false;
	*slash = '\0';
	return strncmp(place, "/sys/devices/", 13) == 0;
}

static void base_name(char *text, size_t room, const char *path)
{
	const char *slash = strrchr(path, '/');

	snprintf(text, room, "%.*s", (int)room - 1, slash ? slash + 1 : path);
}

/* The PCI function above: its driver, node and (for NVMe, whose own it is) link. */
static void pci_function(struct device_facts *facts, char place[PATH_MAX])
{
	char real[PATH_MAX], node[32];

	while (!(sysfs_exists("%s/class", place) && sysfs_exists("%s/vendor", place)))
		if (!up(place))
			return;
	sysfs_link(real, sizeof(real), "%s/driver", place);
	base_name(facts->host_driver, sizeof(facts->host_driver), real);
	if (sysfs_text(node, sizeof(node), "%s/numa_node", place) == 0 && node[0])
		facts->numa_node = (int)strtol(node, NULL, 10);
	if (strcmp(facts->transport, "nvme") != 0)
		return;
	sysfs_text(facts->link_speed, sizeof(facts->link_speed), "%s/current_link_speed",
		   place);
	sysfs_text(facts->link_width, sizeof(facts->link_width), "%s/current_link_width",
		   place);
	sysfs_text(facts->link_speed_max, sizeof(facts->link_speed_max), "%s/max_link_speed",
		   place);
	sysfs_text(facts->link_width_max, sizeof(facts->link_width_max), "%s/max_link_width",
		   place);
	if (!up(place))
		return;
	sysfs_text(facts->slot_speed_max, sizeof(facts->slot_speed_max), "%s/max_link_speed",
		   place);
	sysfs_text(facts->slot_width_max, sizeof(facts->slot_width_max), "%s/max_link_width",
		   place);
}

/* ".../ata3/host2/...": the port's link is ata3/link3/ata_link/link3. */
static void sata_link(struct device_facts *facts, const char *real)
{
	const char *port = strstr(real, "/ata");
	char place[PATH_MAX];
	int number;

	if (!port || sscanf(port, "/ata%d/", &number) != 1)
		return;
	if (snprintf(place, sizeof(place), "%.*s/ata%d/link%d/ata_link/link%d",
		     (int)(port - real), real, number, number, number) >= (int)sizeof(place))
		return;
	sysfs_text(facts->link_speed, sizeof(facts->link_speed), "%s/sata_spd", place);
	sysfs_text(facts->link_speed_max, sizeof(facts->link_speed_max), "%s/hw_sata_spd_limit",
		   place);
	if (facts->link_speed[0])
		snprintf(facts->link_width, sizeof(facts->link_width), "1");
	if (facts->link_speed_max[0])
		snprintf(facts->link_width_max, sizeof(facts->link_width_max), "1");
}

/* The USB device above: its own serial number and the speed of the bus (in Mbit/s). */
static void usb_device(struct device_facts *facts, const char *real)
{
	char place[PATH_MAX], speed[32];

	snprintf(place, sizeof(place), "%s", real);
	while (!sysfs_exists("%s/bDeviceClass", place))
		if (!up(place))
			return;
	sysfs_text(facts->usb_serial, sizeof(facts->usb_serial), "%s/serial", place);
	if (sysfs_text(speed, sizeof(speed), "%s/speed", place) == 0 && speed[0])
		snprintf(facts->link_speed, sizeof(facts->link_speed), "%s Mbit/s", speed);
}

void device_place(struct device_facts *facts, const char *name)
{
	char real[PATH_MAX], place[PATH_MAX];

	facts->numa_node = -1;
	snprintf(facts->transport, sizeof(facts->transport), "unknown");
	sysfs_link(real, sizeof(real), "/sys/block/%s", name);
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strstr(real, places[i].part)) {
			snprintf(facts->transport, sizeof(facts->transport), "%s",
				 places[i].transport);
			facts->is_virtual = places[i].is_virtual;
			break;
		}
	memcpy(place, real, sizeof(place));
	if (!strncmp(facts->transport, "nvme", 4))
		nvme(facts, name, place);
	if (place[0])
		pci_function(facts, place);
	if (!strcmp(facts->transport, "sata"))
		sata_link(facts, real);
	if (!strcmp(facts->transport, "usb"))
		usb_device(facts, real);
	sysfs_link(place, sizeof(place), "/sys/block/%s/device/driver", name);
	base_name(facts->driver, sizeof(facts->driver), place);
	if (!facts->driver[0] && !strncmp(facts->transport, "nvme", 4))
		memcpy(facts->driver, facts->host_driver, sizeof(facts->driver));
}
