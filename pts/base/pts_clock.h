/*
 * The clock that measures and the clock that dates. All rooms take time from here, so that a
 * virtual clock (the model drive's) can stand behind it: no code outside asks which one it is,
 * except to mark dates as virtual.
 */
#ifndef PTS_CLOCK_H
#define PTS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTS_NS_PER_S 1000000000ull

struct pts_clock_source {
	uint64_t (*monotonic_ns)(void *ctx); /* never runs backwards */
	uint64_t (*wall_ns)(void *ctx);      /* nanoseconds since 1970-01-01 UTC */
	int (*sleep_until_ns)(void *ctx, uint64_t monotonic_ns); /* 0 or -EINTR */
	bool is_virtual;
	void *ctx;
};

/* NULL restores the system's CLOCK_MONOTONIC and CLOCK_REALTIME. Set before threads start. */
void pts_clock_set(const struct pts_clock_source *source);
bool pts_clock_is_virtual(void);

uint64_t pts_now_ns(void);
uint64_t pts_wall_ns(void);
/* The time of whoever looks on: CLOCK_MONOTONIC, whatever clock measures. Only for the pace of what
 * the host does beside the run, as a screen, a log, a snapshot; never stored. */
uint64_t pts_onlooker_ns(void);
int pts_sleep_until_ns(uint64_t monotonic_ns);

/* "2026-12-01T10:20:30Z" (RFC 3339, UTC). room >= 32. */
void pts_wall_text(uint64_t wall_ns, char *text, size_t room);

#endif
