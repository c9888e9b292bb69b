/* The clock: the system's, or what pts_clock_set() put in its place. */
#include "pts_clock.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

static uint64_t read_clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * PTS_NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t system_monotonic_ns(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t system_wall_ns(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_REALTIME);
}

static int system_sleep_until_ns(void *ctx, uint64_t monotonic_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(monotonic_ns / PTS_NS_PER_S),
		.tv_nsec = (long)(monotonic_ns % PTS_NS_PER_S),
	};

	(void)ctx;
	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static const struct pts_clock_source system_source = {
	.monotonic_ns = system_monotonic_ns,
	.wall_ns = system_wall_ns,
	.sleep_until_ns = system_sleep_until_ns,
};

static struct pts_clock_source current = {
	.monotonic_ns = system_monotonic_ns,
	.wall_ns = system_wall_ns,
	.sleep_until_ns = system_sleep_until_ns,
};

void pts_clock_set(const struct pts_clock_source *source)
{
	current = source ? *source : system_source;
}

bool pts_clock_is_virtual(void)
{
	return current.is_virtual;
}

uint64_t pts_now_ns(void)
{
	return current.monotonic_ns(current.ctx);
}

uint64_t pts_wall_ns(void)
{
	return current.wall_ns(current.ctx);
}

uint64_t pts_onlooker_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int pts_sleep_until_ns(uint64_t monotonic_ns)
{
	return current.sleep_until_ns(current.ctx, monotonic_ns);
}

void pts_wall_text(uint64_t wall_ns, char *text, size_t room)
{
	time_t seconds = (time_t)(wall_ns / PTS_NS_PER_S);
	struct tm utc = {0};

	gmtime_r(&seconds, &utc);
	snprintf(text, room, "%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900,
		 utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}
