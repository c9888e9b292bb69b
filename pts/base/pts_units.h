/*
 * Quantities with units, as specs and options write them. Block sizes and capacities in powers
 * of two (KiB MiB GiB TiB) or ten (kB MB GB TB), "B" alone for bytes; times ns us ms s min h;
 * shares in %; multiples of the capacity ("2x capacity", "50% capacity"). A blank between number
 * and unit is allowed, a missing unit is an error, overflow is an error, fractions are exact or
 * an error ("0.5KiB" is 512 bytes, "0.3B" is refused).
 */
#ifndef PTS_UNITS_H
#define PTS_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* 0, -EINVAL (not this kind of quantity), -ERANGE (overflow or not a whole number of units) */
int pts_bytes_parse(const char *text, uint64_t *ret_bytes);
int pts_duration_parse(const char *text, uint64_t *ret_ns);
int pts_percent_parse(const char *text, double *ret_share);     /* "20%" -> 0.20, 0..100 % */
int pts_rw_mix_parse(const char *text, unsigned *ret_read_pct); /* "65/35" -> 65; sum is 100 */

enum pts_amount_kind {
	PTS_AMOUNT_NONE,
	PTS_AMOUNT_BYTES,
	PTS_AMOUNT_CAPACITY, /* of the user capacity */
};

/* The multiple is kept as an exact fraction: 2x -> 2/1, 50% -> 1/2, 37.5% -> 3/8. */
struct pts_amount {
	enum pts_amount_kind kind;
	uint64_t bytes;
	uint64_t numerator;
	uint64_t denominator;
};

int pts_amount_parse(const char *text, struct pts_amount *ret_amount);
/* Bytes of an amount on a drive, rounded down to whole lba_bytes. -ERANGE on overflow. */
int pts_amount_bytes(const struct pts_amount *amount, uint64_t capacity_bytes,
		     uint32_t lba_bytes, uint64_t *ret_bytes);

/*
 * Canonical text; parsing it again gives the same value (round trip). room >= 48 for all.
 * bytes: the largest binary unit that divides without a rest, "0.5KiB" for 512: "128KiB",
 * "480103981568B". duration: "60s", "30min", "1500ms". percent: "20%" (exact for
 * shares of 0 or from 0.00001 on). mix: "65/35".
 */
void pts_bytes_text(uint64_t bytes, char *text, size_t room);
void pts_duration_text(uint64_t ns, char *text, size_t room);
void pts_percent_text(double share, char *text, size_t room);
void pts_rw_mix_text(unsigned read_pct, char *text, size_t room);
void pts_amount_text(const struct pts_amount *amount, char *text, size_t room);

/* For people: decimal "1.92 TB", "23 h 20 min", never cut-off digits of a whole number. */
void pts_capacity_human(uint64_t bytes, char *text, size_t room);
void pts_duration_human(uint64_t ns, char *text, size_t room);

/* MB/s = 10^6 bytes a second (PTS 2.4.1); 0 elapsed gives NaN. */
double pts_mb_per_s(uint64_t bytes, uint64_t elapsed_ns);
double pts_per_s(uint64_t count, uint64_t elapsed_ns);

/* The kernel's block statistics count 512-byte sectors whatever the LBA size. */
uint64_t pts_sectors_bytes(uint64_t kernel_sectors);
/* SMART composite temperature: kelvin to Celsius; 0 K means "not reported": returns -ENODATA. */
int pts_kelvin_celsius(unsigned kelvin, int *ret_celsius);

#endif
