/*
 * Stamps for the hot loop, in ticks: of the time stamp counter where the kernel itself trusts it
 * (half the price of clock_gettime), else of pts_now_ns(). Internal to the engine.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "pts_clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define ENGINE_CLOCK_SHIFT 32

struct engine_clock {
	bool tsc;
	uint64_t base_ticks; /* one moment in both clocks */
	uint64_t base_ns;
	uint64_t ns_mult; /* ns = ticks * ns_mult >> ENGINE_CLOCK_SHIFT */
};

/* Chooses the clock; *ret_reason (room >= 96) says why it is not the TSC, "" if it is. */
void engine_clock_init(struct engine_clock *clock, char *ret_reason, unsigned room);
/* Measures the TSC's rate over the time since init; at least some milliseconds must have passed.
 * Called again between jobs: the longer the baseline, the better. */
void engine_clock_calibrate(struct engine_clock *clock);
/* How far the two clocks have drifted apart since the last calibration, as a share. */
double engine_clock_drift(const struct engine_clock *clock);

static inline uint64_t engine_clock_ticks(const struct engine_clock *clock)
{
#if defined(__x86_64__)
	if (__builtin_expect(clock->tsc, 1))
		return __rdtsc();
#endif
	(void)clock;
	return pts_now_ns();
}

/* A span; ns_mult is 2^32 for the slow clock. */
static inline uint64_t engine_clock_span_ns(const struct engine_clock *clock, uint64_t ticks)
{
	return (uint64_t)(((unsigned __int128)ticks * clock->ns_mult) >> ENGINE_CLOCK_SHIFT);
}

uint64_t engine_clock_span_ticks(const struct engine_clock *clock, uint64_t ns);
uint64_t engine_clock_at_ns(const struct engine_clock *clock, uint64_t ticks);

#endif
