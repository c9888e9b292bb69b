/* The list of what is known of a device, for people, JSON and the store. */
#include <stdio.h>
#include <string.h>

#include "device_internal.h"
#include "device_link.h"
#include "pts_text.h"

typedef void (*fact_fn)(void *ctx, const char *key, const char *value);

static void each_text(fact_fn fn, void *ctx, const char *key, const char *value)
{
	if (value[0])
		fn(ctx, key, value);
}

static void each_number(fact_fn fn, void *ctx, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	fn(ctx, key, text);
}

static void each_known(fact_fn fn, void *ctx, const char *key, uint64_t value)
{
	if (value)
		each_number(fn, ctx, key, value);
}

/* Names of files may hold any byte. */
static void each_path(fact_fn fn, void *ctx, const char *key, const char *path)
{
	char text[PATH_MAX];

	pts_printable(path, strlen(path), text, sizeof(text));
	each_text(fn, ctx, key, text);
}

static void each_link(fact_fn fn, void *ctx, const struct device_facts *facts)
{
	struct device_link link;
	char text[32];

	each_text(fn, ctx, "link_speed", facts->link_speed);
	each_text(fn, ctx, "link_width", facts->link_width);
	each_text(fn, ctx, "link_speed_max", facts->link_speed_max);
	each_text(fn, ctx, "link_width_max", facts->link_width_max);
	each_text(fn, ctx, "slot_speed_max", facts->slot_speed_max);
	each_text(fn, ctx, "slot_width_max", facts->slot_width_max);
	device_link_judge(facts, 0, 0, &link);
	if (link.state == DEVICE_LINK_UNKNOWN)
		return;
	fn(ctx, "link_state", device_link_state_text(link.state));
	snprintf(text, sizeof(text), "%.4f", link.limit_mb_per_s);
	fn(ctx, "link_limit_mb_per_s", text);
}

/* Flags are kept apart from sizes, so that each function fits a screen. */
static void each_flag(fact_fn fn, void *ctx, const struct device_facts *facts)
{
	each_number(fn, ctx, "read_only", facts->read_only);
	each_number(fn, ctx, "removable", facts->removable);
	each_number(fn, ctx, "rotational", facts->rotational);
	each_number(fn, ctx, "is_virtual", facts->is_virtual);
	each_number(fn, ctx, "io_poll", facts->io_poll);
}

void device_facts_each(const struct device_facts *facts,
		       void (*fn)(void *ctx, const char *key, const char *value), void *ctx)
{
	each_path(fn, ctx, "path", facts->path);
	each_path(fn, ctx, "real_path", facts->real_path);
	fn(ctx, "kind",
	   facts->kind == DEVICE_SIM    ? "sim"
	   : facts->kind == DEVICE_FILE ? "file"
					: "block");
	each_text(fn, ctx, "identity", facts->identity);
	each_text(fn, ctx, "model", facts->model);
	each_text(fn, ctx, "serial", facts->serial);
	each_text(fn, ctx, "firmware", facts->firmware);
	each_text(fn, ctx, "vendor", facts->vendor);
	each_text(fn, ctx, "wwid", facts->wwid);
	each_text(fn, ctx, "transport", facts->transport);
	each_text(fn, ctx, "driver", facts->driver);
	each_text(fn, ctx, "host_driver", facts->host_driver);
	each_path(fn, ctx, "backing", facts->backing);
	each_text(fn, ctx, "content", facts->content);
	each_text(fn, ctx, "eui", facts->eui);
	each_text(fn, ctx, "nguid", facts->nguid);
	each_known(fn, ctx, "nsid", facts->nsid);
	each_known(fn, ctx, "namespace_count", facts->namespace_count);
	each_known(fn, ctx, "controller_count", facts->controller_count);
	each_number(fn, ctx, "capacity_bytes", facts->capacity_bytes);
	each_number(fn, ctx, "lba_bytes", facts->lba_bytes);
	each_number(fn, ctx, "physical_bytes", facts->physical_bytes);
	each_number(fn, ctx, "io_min_bytes", facts->io_min_bytes);
	each_number(fn, ctx, "io_opt_bytes", facts->io_opt_bytes);
	each_number(fn, ctx, "metadata_bytes", facts->metadata_bytes);
	each_flag(fn, ctx, facts);
	each_text(fn, ctx, "scheduler", facts->scheduler);
	each_text(fn, ctx, "write_cache", facts->write_cache);
	each_number(fn, ctx, "nr_requests", facts->nr_requests);
	each_number(fn, ctx, "max_sectors_kb", facts->max_sectors_kb);
	each_number(fn, ctx, "max_hw_sectors_kb", facts->max_hw_sectors_kb);
	each_number(fn, ctx, "discard_max_bytes", facts->discard_max_bytes);
	if (facts->numa_node >= 0)
		each_number(fn, ctx, "numa_node", (uint64_t)facts->numa_node);
	each_link(fn, ctx, facts);
}
