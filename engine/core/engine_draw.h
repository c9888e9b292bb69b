/*
 * Which I/O comes next: a job compiled to integer thresholds (struct engine_plan, shared and
 * read only while the job runs) and each thread's place in it (struct engine_draw). Internal to
 * the engine; touches no disk and no clock, so that tests draw without a device.
 */
#ifndef ENGINE_DRAW_H
#define ENGINE_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

#define ENGINE_STREAMS_MAX 16
#define ENGINE_SIZES_MAX   64
#define ENGINE_ZONES_MAX   64
#define ENGINE_UNLIMITED   UINT64_MAX

/* A share as a threshold for 63 random bits: 0 never, ENGINE_ALWAYS always, both exactly. */
#define ENGINE_ALWAYS (1ull << 63)
uint64_t engine_threshold(double share);

/* xoshiro256++ (D. Blackman and S. Vigna, public domain): 64 good bits, period 2^256 - 1. */
struct engine_rng {
	uint64_t s[4];
};

void engine_rng_seed(struct engine_rng *rng, uint64_t seed);

static inline uint64_t engine_rng_next(struct engine_rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t sum = s[0] + s[3];
	uint64_t word = ((sum << 23) | (sum >> 41)) + s[0];
	uint64_t shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return word;
}

/* Uniform in [0, count): high word of the product, bias at most count / 2^64. */
static inline uint64_t engine_rng_below(struct engine_rng *rng, uint64_t count)
{
	return (uint64_t)(((unsigned __int128)engine_rng_next(rng) * count) >> 64);
}

static inline bool engine_rng_hits(struct engine_rng *rng, uint64_t threshold)
{
	return (engine_rng_next(rng) >> 1) < threshold;
}

/* The aligned positions of one size in one zone: first_bytes + k * step_bytes. */
struct engine_place {
	uint64_t first_bytes;
	uint64_t step_bytes;
	uint64_t positions;
};

/* A stream, compiled. Thresholds are cumulative, the last one is ENGINE_ALWAYS. */
struct engine_flow {
	uint64_t below; /* over the streams' weights */
	uint64_t random_below;
	uint64_t read_below;
	unsigned size_count;
	unsigned zone_count; /* at least 1 */
	bool zoned;          /* its zones are the job's, counted */
	unsigned size_base;  /* of its first counter in the flattened arrays */
	unsigned zone_base;
	uint64_t size_below[ENGINE_SIZES_MAX];
	uint32_t size_bytes[ENGINE_SIZES_MAX];
	uint64_t zone_below[ENGINE_ZONES_MAX];
	struct engine_place *place; /* [size * zone_count + zone] */
	uint64_t start_bytes;
	uint64_t span_bytes;
	uint64_t block_bytes; /* what slices are cut by: the largest size */
};

/* The hot loop is specialised for what most cells are. */
enum engine_path {
	ENGINE_PATH_READ,    /* one size, random, one region, reads only */
	ENGINE_PATH_FIXED,   /* the same with writes among them */
	ENGINE_PATH_GENERAL, /* everything */
};

/* All that the fixed paths need to know. */
struct engine_fixed {
	struct engine_place place;
	uint64_t read_below;
	uint32_t length_bytes;
};

struct engine_plan {
	enum engine_path path;
	struct engine_fixed fixed;
	bool exact; /* one sequential stream: an amount covers the region exactly */
	bool has_random;
	bool has_writes;
	bool carry;
	unsigned threads;
	unsigned flow_count;
	unsigned size_total;
	unsigned zone_total;  /* of the streams that have zones */
	uint64_t block_bytes; /* the largest size of all streams */
	uint32_t lba_bytes;
	uint64_t seed;
	uint64_t ios;           /* 0: no limit */
	uint64_t amount_bytes;  /* rounded up to whole LBAs; 0: no limit */
	bool amount_is_written; /* only writes count for it */
	struct engine_flow flow[ENGINE_STREAMS_MAX];
	struct engine_place *places; /* owns every flow's */
};

/* Compiles a job that engine_check_job() has passed. 0 or -ENOMEM. */
int engine_plan_init(struct engine_plan *plan, const struct engine_job *job,
		     uint32_t lba_bytes);
void engine_plan_release(struct engine_plan *plan);

/* Bounds of a zone in bytes from the region's start, rounded down to an LBA. */
uint64_t engine_zone_bound(const struct engine_zone *zones, unsigned zone, uint64_t span_bytes,
			   uint32_t lba_bytes);
void engine_place_init(struct engine_place *place, uint64_t region_start, uint64_t region_end,
		       uint64_t low, uint64_t high, uint64_t length, uint64_t align);

/* A thread's slice of a sequential stream and where it is in it. */
struct engine_cursor {
	uint64_t begin_bytes;
	uint64_t end_bytes;
	uint64_t at_bytes;
};

/* What a cursor leaves behind for the next job (carry_position). */
struct engine_carry {
	uint64_t start_bytes;
	uint64_t span_bytes;
	uint64_t at_bytes;
	uint64_t block_bytes;
	unsigned threads; /* 0: nothing kept */
};

struct engine_io {
	uint64_t offset_bytes;
	uint32_t length_bytes;
	enum engine_dir dir;
};

struct engine_draw {
	struct engine_rng rng;
	const struct engine_plan *plan;
	uint64_t ios_left;
	uint64_t bytes_left;
	uint64_t ios_share; /* ios_left at the start */
	struct engine_cursor cursor[ENGINE_STREAMS_MAX];
	uint64_t submitted[ENGINE_DIRS];
	uint64_t stream_submitted[ENGINE_STREAMS_MAX];
	uint64_t *size_submitted; /* [plan->size_total], owned */
	uint64_t *zone_submitted; /* [plan->zone_total], owned */
	size_t counters_room;
};

/* Readies a thread's draw: seed, share of the limits, slices; zeroed before its first use.
 * carry: ENGINE_STREAMS_MAX entries. 0 or -ENOMEM. */
int engine_draw_init(struct engine_draw *draw, const struct engine_plan *plan, unsigned thread,
		     const struct engine_carry *carry);
void engine_draw_release(struct engine_draw *draw);
/* Keeps the sequential positions for the next job. */
void engine_draw_carry(const struct engine_draw *draw, struct engine_carry *carry);
/* In the fast paths only totals are counted while drawing; spreads them over the counters. */
void engine_draw_settle(struct engine_draw *draw);

/* The next I/O, or false when this thread's share of the limits is used up. */
bool engine_draw_general(struct engine_draw *draw, struct engine_io *ret_io);

/* One I/O of the fixed paths: no limit is looked at and nothing but the generator changes, so that
 * a loop can keep it all in registers. */
static inline __attribute__((always_inline)) void
engine_draw_fixed(struct engine_rng *rng, const struct engine_fixed *fixed,
		  enum engine_path path, struct engine_io *ret_io)
{
	ret_io->dir = ENGINE_READ;
	if (path == ENGINE_PATH_FIXED &&
	    (fixed->read_below == 0 || !engine_rng_hits(rng, fixed->read_below)))
		ret_io->dir = ENGINE_WRITE;
	ret_io->length_bytes = fixed->length_bytes;
	ret_io->offset_bytes =
		fixed->place.first_bytes +
		engine_rng_below(rng, fixed->place.positions) * fixed->place.step_bytes;
}

static inline bool engine_draw_next(struct engine_draw *draw, enum engine_path path,
				    struct engine_io *ret_io)
{
	if (path == ENGINE_PATH_GENERAL)
		return engine_draw_general(draw, ret_io);
	if (!draw->ios_left)
		return false;
	draw->ios_left--;
	engine_draw_fixed(&draw->rng, &draw->plan->fixed, path, ret_io);
	draw->submitted[ret_io->dir]++;
	return true;
}

#endif
