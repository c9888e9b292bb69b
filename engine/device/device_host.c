/* Facts of the host: what a reader of the report needs to know of the machine. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "device_internal.h"
#include "pts_text.h"

typedef void (*fact_fn)(void *ctx, const char *key, const char *value);

static void from_file(fact_fn fn, void *ctx, const char *key, const char *path)
{
	char text[256];

	if (sysfs_text(text, sizeof(text), "%s", path) == 0 && text[0])
		fn(ctx, key, text);
}

/* The value behind the first "name<blanks>: value" or "NAME=value" of a file. */
static bool line_value(const char *path, const char *name, char *text, size_t room)
{
	char at[PATH_MAX], line[4096];
	bool found = false;
	FILE *file;

	snprintf(at, sizeof(at), "%s%s", device_root(), path);
	file = fopen(at, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		size_t length = strlen(name);
		char *value = line + length;

		if (strncmp(line, name, length) != 0)
			continue;
		value += strspn(value, " \t");
		if (*value != ':' && *value != '=')
			continue;
		value++;
		value += strspn(value, " \t\"");
		value[strcspn(value, "\"\n")] = '\0';
		pts_printable(value, strlen(value), text, room);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

static void memory(fact_fn fn, void *ctx)
{
	unsigned long long kib;
	char text[128], bytes[32];

	if (!line_value("/proc/meminfo", "MemTotal", text, sizeof(text)) ||
	    sscanf(text, "%llu", &kib) != 1)
		return;
	snprintf(bytes, sizeof(bytes), "%llu", kib * 1024);
	fn(ctx, "memory_bytes", bytes);
}

static void system_names(fact_fn fn, void *ctx)
{
	char vendor[128], product[128], both[260];

	sysfs_text(vendor, sizeof(vendor), "/sys/class/dmi/id/sys_vendor");
	sysfs_text(product, sizeof(product), "/sys/class/dmi/id/product_name");
	snprintf(both, sizeof(both), "%s%s%s", vendor, vendor[0] && product[0] ? " " : "",
		 product);
	if (both[0])
		fn(ctx, "system", both);
	sysfs_text(vendor, sizeof(vendor), "/sys/class/dmi/id/board_vendor");
	sysfs_text(product, sizeof(product), "/sys/class/dmi/id/board_name");
	snprintf(both, sizeof(both), "%s%s%s", vendor, vendor[0] && product[0] ? " " : "",
		 product);
	if (both[0])
		fn(ctx, "board", both);
	from_file(fn, ctx, "bios", "/sys/class/dmi/id/bios_version");
}

struct flaws {
	unsigned mitigated, vulnerable;
};

static int see_flaw(void *ctx, const char *name)
{
	struct flaws *flaws = ctx;
	char text[256];

	sysfs_text(text, sizeof(text), "/sys/devices/system/cpu/vulnerabilities/%s", name);
	flaws->mitigated += !strncmp(text, "Mitigation", 10);
	flaws->vulnerable += !strncmp(text, "Vulnerable", 10);
	return 0;
}

/* What slows system calls and interrupts: the same drive gives fewer IOPS behind them. */
static void mitigations(fact_fn fn, void *ctx)
{
	struct flaws flaws = {0, 0};
	char text[64];

	if (!sysfs_exists("/sys/devices/system/cpu/vulnerabilities"))
		return;
	sysfs_each(see_flaw, &flaws, "/sys/devices/system/cpu/vulnerabilities");
	snprintf(text, sizeof(text), "%u mitigated, %u vulnerable", flaws.mitigated,
		 flaws.vulnerable);
	fn(ctx, "mitigations", text);
}

/* By the flag that every hypervisor sets for its guests, and its name where it gives one. */
static void virtualization(fact_fn fn, void *ctx)
{
	char flags[4096], type[64];

	sysfs_text(type, sizeof(type), "/sys/hypervisor/type");
	if (type[0])
		fn(ctx, "virtualization", type);
	else if (line_value("/proc/cpuinfo", "flags", flags, sizeof(flags)) &&
		 strstr(flags, " hypervisor"))
		fn(ctx, "virtualization", "virtual machine");
}

void device_host_each(void (*fn)(void *ctx, const char *key, const char *value), void *ctx)
{
	struct utsname names;
	char text[256];

	if (uname(&names) == 0) {
		char kernel[200];

		snprintf(kernel, sizeof(kernel), "%.64s %.64s", names.sysname, names.release);
		fn(ctx, "kernel", kernel);
		fn(ctx, "machine", names.machine);
		fn(ctx, "hostname", names.nodename);
	}
	if (line_value("/etc/os-release", "PRETTY_NAME", text, sizeof(text)))
		fn(ctx, "os", text);
	if (line_value("/proc/cpuinfo", "model name", text, sizeof(text)))
		fn(ctx, "cpu", text);
	snprintf(text, sizeof(text), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	fn(ctx, "cpu_count", text);
	memory(fn, ctx);
	system_names(fn, ctx);
	virtualization(fn, ctx);
	mitigations(fn, ctx);
	from_file(fn, ctx, "clocksource",
		  "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	from_file(fn, ctx, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	from_file(fn, ctx, "smt", "/sys/devices/system/cpu/smt/control");
	from_file(fn, ctx, "idle_driver", "/sys/devices/system/cpu/cpuidle/current_driver");
	from_file(fn, ctx, "aspm", "/sys/module/pcie_aspm/parameters/policy");
	from_file(fn, ctx, "io_uring_disabled", "/proc/sys/kernel/io_uring_disabled");
}
