/* Short writing for the rows of the key table; only its two files include it. */
#ifndef SPEC_ROWS_INTERNAL_H
#define SPEC_ROWS_INTERNAL_H

#include "spec_assume.h"
#include "spec_internal.h"

#define SECOND      1000000000ull
#define HOUR        (3600 * SECOND)
#define DAYS        (24 * HOUR)
#define BLOCK_MOST  (64ull << 20)
#define BLOCK_RANGE "512B .. 64MiB, multiples of 512B"
#define TIME_RANGE  "1ms .. 30 days"
#define REQUIRED    SPEC_KEY_REQUIRED
#define STANDARD    SPEC_KEY_STANDARD

#define CTX(ctx) .context = SPEC_IN_##ctx
/* ROW(context, key, offset, type, flags, least, most, range, default, help, ...) */
#define ROW(ctx, key, at, kind, flag, low, high, span, def, text, ...)                         \
	{                                                                                      \
		CTX(ctx), .name = key, .type = kind, .flags = flag, .offset = at,              \
			  .least = low, .most = high, .range = span, .standard = def,          \
			  .help = text, __VA_ARGS__                                            \
	}
#define TEXT(ctx, key, type, field, flag, text)                                                \
	ROW(ctx, key, offsetof(type, field), SPEC_TYPE_TEXT, flag, 0, 0, NULL, NULL, text, )
#define NAME(ctx, key, type, field, flag, text)                                                \
	ROW(ctx, key, offsetof(type, field), SPEC_TYPE_NAME, flag, 0, 0, NULL, NULL, text, )
#define COUNT(ctx, key, type, field, flag, low, high, def, text)                               \
	ROW(ctx, key, offsetof(type, field), SPEC_TYPE_COUNT, flag, low, high,                 \
	    #low " .. " #high, def, text, )
#define TIME(ctx, key, type, field, flag, def, text)                                           \
	ROW(ctx, key, offsetof(type, field), SPEC_TYPE_TIME, flag, SECOND / 1000, 30 * DAYS,   \
	    TIME_RANGE, def, text, )
#define ENUM(ctx, key, at, list, def, flag, text)                                              \
	ROW(ctx, key, at, SPEC_TYPE_ENUM, flag, 0, 0, NULL, def, text, .words = list)
#define WORD(ctx, key, at, list, def, flag, text)                                              \
	ROW(ctx, key, at, SPEC_TYPE_WORD, flag, 0, 0, NULL, def, text, .words = list)
/* A key that its reader fetches by itself: no place in a struct. */
#define PART(ctx, key, kind, flag, text)                                                       \
	ROW(ctx, key, SPEC_NO_PLACE, SPEC_TYPE_##kind, (flag), SPEC_LEAST_##kind,              \
	    SPEC_MOST_##kind, SPEC_RANGE_##kind, NULL, text, )
#define ABOUT(key, text) PART(ABOUT, key, TEXT, 0, text)
#define SPEED_RANGE      "above 0"
#define ASSUME(key, field, text)                                                               \
	ROW(ASSUME, key, offsetof(struct spec_assume, field), SPEC_TYPE_SPEED, 0, 0, 0,        \
	    SPEED_RANGE, NULL, text, )

#define SPEC_LEAST_TEXT   0
#define SPEC_MOST_TEXT    0
#define SPEC_RANGE_TEXT   NULL
#define SPEC_LEAST_NAME   0
#define SPEC_MOST_NAME    0
#define SPEC_RANGE_NAME   NULL
#define SPEC_LEAST_BLOCK  0
#define SPEC_MOST_BLOCK   0
#define SPEC_RANGE_BLOCK  NULL
#define SPEC_LEAST_LIST   0
#define SPEC_MOST_LIST    0
#define SPEC_RANGE_LIST   NULL
#define SPEC_LEAST_RW_MIX 0
#define SPEC_MOST_RW_MIX  0
#define SPEC_RANGE_RW_MIX "100/0 .. 0/100, sum 100"
#define SPEC_LEAST_BYTES  512
#define SPEC_MOST_BYTES   BLOCK_MOST
#define SPEC_RANGE_BYTES  BLOCK_RANGE
#define SPEC_LEAST_EXACT  1
#define SPEC_MOST_EXACT   SPEC_SHARE_WHOLE
#define SPEC_RANGE_EXACT  "above 0% .. 100%"
#define SPEC_LEAST_COUNT  1
#define SPEC_MOST_COUNT   65536
#define SPEC_RANGE_COUNT  "1 .. 65536"

extern const struct spec_key_part spec_step_part;

#endif
