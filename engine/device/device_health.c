/*
 * What a drive's own log says of its health. Model drives have one; the logs of real drives are
 * read by the files of their command sets. It must not judge.
 */
#include <errno.h>
#include <stdio.h>

#include "device.h"
#include "sim_drive.h"

int device_health_read(const struct device *device, struct device_health *ret_health)
{
	struct sim_health health;

	if (device_facts(device)->kind != DEVICE_SIM)
		return -ENOTSUP;
	health = sim_drive_health(device_sim(device));
	*ret_health = (struct device_health){
		.celsius = health.celsius,
		.celsius_most = health.celsius_most,
		.throttle_events = health.throttle_events,
		.throttled_ns = health.throttled_ns,
		.used_pct = health.used_pct,
		.erases = health.erases,
		.host_bytes = health.host_bytes,
		.flash_bytes = health.flash_bytes,
	};
	return 0;
}

static void each_real(void (*fn)(void *ctx, const char *key, const char *value), void *ctx,
		      const char *key, int digits, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*f", digits, value);
	fn(ctx, key, text);
}

void device_health_each(const struct device *device,
			void (*fn)(void *ctx, const char *key, const char *value), void *ctx)
{
	struct device_health health;

	if (device_health_read(device, &health) < 0)
		return;
	each_real(fn, ctx, "temperature_celsius", 1, health.celsius);
	each_real(fn, ctx, "temperature_most_celsius", 1, health.celsius_most);
	each_real(fn, ctx, "throttle_events", 0, (double)health.throttle_events);
	each_real(fn, ctx, "throttled_s", 1, (double)health.throttled_ns / 1e9);
	if (health.used_pct >= 0)
		each_real(fn, ctx, "percentage_used", 2, health.used_pct);
	each_real(fn, ctx, "erase_cycles_mean", 2, health.erases);
	each_real(fn, ctx, "host_written_bytes", 0, (double)health.host_bytes);
	each_real(fn, ctx, "flash_written_bytes", 0, (double)health.flash_bytes);
}
