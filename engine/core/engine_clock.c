/*
 * The time stamp counter against pts_now_ns(): whether it may be trusted, how fast it runs. It
 * must not decide what a measurement means, and nothing here runs inside the hot loop.
 */
#include "engine_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_text.h"

#define PAIR_TRIES 9

static uint64_t ticks_now(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	return pts_now_ns();
#endif
}

/* Both clocks at one moment: of several readings the one with the least between them. */
static void read_pair(uint64_t *ret_ticks, uint64_t *ret_ns, uint64_t *ret_error_ticks)
{
	*ret_error_ticks = UINT64_MAX;
	for (unsigned i = 0; i < PAIR_TRIES; i++) {
		uint64_t before = ticks_now();
		uint64_t ns = pts_now_ns();
		uint64_t gap = ticks_now() - before;

		if (gap >= *ret_error_ticks)
			continue;
		*ret_error_ticks = gap;
		*ret_ticks = before + gap / 2;
		*ret_ns = ns;
	}
}

static bool file_holds(const char *path, const char *word)
{
	char *text = NULL;
	size_t bytes;
	bool found;

	if (pts_file_read(path, 1u << 24, &text, &bytes) < 0)
		return false;
	found = strstr(text, word) != NULL;
	free(text);
	return found;
}

/* NULL if the kernel itself keeps time by the TSC, which it does only while it is stable. */
static const char *tsc_fault(void)
{
#if defined(__x86_64__)
	static const char source[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char *text = NULL;
	size_t bytes;
	bool is_tsc;

	if (pts_clock_is_virtual())
		return "the clock is virtual";
	if (!file_holds("/proc/cpuinfo", " constant_tsc") ||
	    !file_holds("/proc/cpuinfo", " nonstop_tsc"))
		return "the CPU's TSC is not constant: CLOCK_MONOTONIC taken";
	if (pts_file_read(source, 4096, &text, &bytes) < 0)
		return "the kernel's clock source is unknown: CLOCK_MONOTONIC taken";
	is_tsc = strcmp(text, "tsc\n") == 0;
	free(text);
	return is_tsc ? NULL : "the kernel's clock source is not tsc: CLOCK_MONOTONIC taken";
#else
	return "no TSC on this architecture: CLOCK_MONOTONIC taken";
#endif
}

void engine_clock_init(struct engine_clock *clock, char *ret_reason, unsigned room)
{
	const char *fault = tsc_fault();
	uint64_t error_ticks;

	memset(clock, 0, sizeof(*clock));
	clock->ns_mult = 1ull << ENGINE_CLOCK_SHIFT;
	snprintf(ret_reason, room, "%s", fault ? fault : "");
	if (fault)
		return;
	clock->tsc = true;
	read_pair(&clock->base_ticks, &clock->base_ns, &error_ticks);
}

void engine_clock_calibrate(struct engine_clock *clock)
{
	uint64_t ticks = 0, ns = 0, error_ticks;

	if (!clock->tsc)
		return;
	read_pair(&ticks, &ns, &error_ticks);
	if (ticks <= clock->base_ticks || ns <= clock->base_ns)
		return;
	clock->ns_mult =
		(uint64_t)(((unsigned __int128)(ns - clock->base_ns) << ENGINE_CLOCK_SHIFT) /
			   (ticks - clock->base_ticks));
}

double engine_clock_drift(const struct engine_clock *clock)
{
	uint64_t ticks = 0, ns = 0, error_ticks;

	if (!clock->tsc)
		return 0;
	read_pair(&ticks, &ns, &error_ticks);
	if (ns <= clock->base_ns || ticks <= clock->base_ticks)
		return 1;
	return (double)engine_clock_span_ns(clock, ticks - clock->base_ticks) /
		       (double)(ns - clock->base_ns) -
	       1;
}

uint64_t engine_clock_span_ticks(const struct engine_clock *clock, uint64_t ns)
{
	unsigned __int128 ticks =
		((unsigned __int128)ns << ENGINE_CLOCK_SHIFT) / clock->ns_mult;

	return ticks > UINT64_MAX / 4 ? UINT64_MAX / 4 : (uint64_t)ticks;
}

uint64_t engine_clock_at_ns(const struct engine_clock *clock, uint64_t ticks)
{
	if (!clock->tsc)
		return ticks;
	if (ticks >= clock->base_ticks)
		return clock->base_ns + engine_clock_span_ns(clock, ticks - clock->base_ticks);
	return clock->base_ns - engine_clock_span_ns(clock, clock->base_ticks - ticks);
}
