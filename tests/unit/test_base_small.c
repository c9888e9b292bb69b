/* Error object, log sink, arena, hashes, seeds and clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pts_arena.h"
#include "pts_clock.h"
#include "pts_err.h"
#include "pts_hash.h"
#include "pts_log.h"

static void first_message_wins(void **state)
{
	struct pts_err err = PTS_ERR_INIT;

	(void)state;
	assert_int_equal(pts_fail(&err, PTS_EXIT_SAFETY, EBUSY, "'%s' is mounted", "/dev/x"),
			 -EBUSY);
	assert_int_equal(pts_fail(&err, PTS_EXIT_BUG, ENOENT, "second"), -ENOENT);
	assert_int_equal(err.exit, PTS_EXIT_SAFETY);
	assert_int_equal(err.error, EBUSY);
	assert_string_equal(err.text, "'/dev/x' is mounted");
	pts_err_prefix(&err, "run %d", 3);
	assert_string_equal(err.text, "run 3: '/dev/x' is mounted");
	pts_err_clear(&err);
	assert_string_equal(err.text, "");
	pts_err_prefix(&err, "nothing");
	assert_string_equal(err.text, "");
	assert_int_equal(pts_fail(NULL, PTS_EXIT_BUG, 0, "x"), -EIO);
	pts_err_prefix(NULL, "x");
	pts_err_clear(NULL);
}

static void a_message_is_one_line(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	char longer[2 * PTS_ERR_TEXT_MAX];

	(void)state;
	pts_fail(&err, PTS_EXIT_SPEC, 0, "%s",
		 "a\nb\x1b[2J\x7f"
		 "c\xc3\x9f");
	assert_string_equal(err.text, "a b [2J c\xc3\x9f");
	pts_err_clear(&err);
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	pts_fail(&err, PTS_EXIT_SPEC, 0, "%s", longer);
	assert_int_equal(strlen(err.text), PTS_ERR_TEXT_MAX - 1);
	pts_err_prefix(&err, "where");
	assert_int_equal(strlen(err.text), PTS_ERR_TEXT_MAX - 1);
	assert_int_equal(strncmp(err.text, "where: xxx", 10), 0);
	pts_err_prefix(&err, "%s", longer);
	assert_int_equal(strlen(err.text), PTS_ERR_TEXT_MAX - 1);
	assert_string_equal(pts_errno_text(EBUSY), "Device or resource busy");
	assert_string_equal(pts_errno_text(-EBUSY), "Device or resource busy");
	assert_string_equal(pts_errno_text(99999), "Unknown error");
}

static void count_log(void *ctx, enum pts_log_level level, const char *text)
{
	unsigned *counts = ctx;

	counts[level]++;
	assert_string_equal(text, "hello 7");
}

static void log_goes_where_it_is_sent(void **state)
{
	unsigned counts[4] = {0};

	(void)state;
	pts_log(PTS_LOG_ERROR, "nobody %d", 1);
	pts_log_set(count_log, counts, PTS_LOG_WARN);
	for (int level = PTS_LOG_ERROR; level <= PTS_LOG_DEBUG; level++)
		pts_log(level, "hello %d", 7);
	pts_log_set(NULL, NULL, PTS_LOG_DEBUG);
	pts_log(PTS_LOG_ERROR, "nobody");
	assert_int_equal(counts[PTS_LOG_ERROR], 1);
	assert_int_equal(counts[PTS_LOG_WARN], 1);
	assert_int_equal(counts[PTS_LOG_INFO], 0);
}

static void arena_is_zeroed_aligned_and_apart(void **state)
{
	struct pts_arena *arena = pts_arena_new();
	unsigned char *blocks[300];

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		blocks[i] = pts_arena_alloc(arena, i * 97 % 40000);
		assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
		for (unsigned b = 0; b < i * 97 % 40000; b++)
			assert_int_equal(blocks[i][b], 0);
		memset(blocks[i], (int)(i % 255 + 1), i * 97 % 40000);
	}
	for (unsigned i = 0; i < 300; i++)
		for (unsigned b = 0; b < i * 97 % 40000; b++)
			assert_int_equal(blocks[i][b], i % 255 + 1);
	assert_string_equal(pts_arena_strndup(arena, "abcdef", 3), "abc");
	assert_string_equal(pts_arena_printf(arena, "%s-%d", "x", 5), "x-5");
	assert_non_null(pts_arena_alloc(arena, 0));
	pts_arena_free(arena);
	pts_arena_free(NULL);
}

static void sha256_of_known_texts(void **state)
{
	char text[PTS_SHA256_TEXT];

	(void)state;
	/* FIPS 180-4 examples */
	pts_sha256_text("", 0, text);
	assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb924"
				  "27ae41e4649b934ca495991b7852b855");
	pts_sha256_text("abc", 3, text);
	assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223"
				  "b00361a396177a9cb410ff61f20015ad");
}

/* Each coordinate changes the seed, and neighbours share half of the bits, as chance would. */
static void seeds_differ_in_every_coordinate(void **state)
{
	uint64_t base = pts_seed_derive(1, 2, 3, 4, 0), seen[1000];
	unsigned bits = 0;

	(void)state;
	assert_true(base == pts_seed_derive(1, 2, 3, 4, 0));
	assert_true(base != pts_seed_derive(2, 2, 3, 4, 0));
	assert_true(base != pts_seed_derive(1, 3, 2, 4, 0));
	assert_true(base != pts_seed_derive(1, 2, 4, 3, 0));
	assert_true(base != pts_seed_derive(1, 2, 3, 0, 4));
	for (unsigned i = 0; i < 1000; i++) {
		seen[i] = pts_seed_derive(7, i / 100, i / 10 % 10, i % 10, 0);
		for (unsigned j = 0; j < i; j++)
			assert_true(seen[i] != seen[j]);
		if (i)
			bits += (unsigned)__builtin_popcountll(seen[i] ^ seen[i - 1]);
	}
	/* 999 x 64 fair bits: mean 31968, sigma 126; 6 sigma */
	assert_in_range(bits, 31968 - 760, 31968 + 760);
	assert_true(pts_seed_fresh() != pts_seed_fresh());
}

static uint64_t virtual_now_ns = 5;

static uint64_t virtual_ns(void *ctx)
{
	(void)ctx;
	return virtual_now_ns;
}

static int virtual_sleep(void *ctx, uint64_t until_ns)
{
	(void)ctx;
	virtual_now_ns = until_ns;
	return 0;
}

static void clock_can_be_replaced(void **state)
{
	const struct pts_clock_source source = {
		.monotonic_ns = virtual_ns,
		.wall_ns = virtual_ns,
		.sleep_until_ns = virtual_sleep,
		.is_virtual = true,
	};
	uint64_t first = pts_now_ns();
	char text[32];

	(void)state;
	assert_true(pts_now_ns() >= first);
	assert_false(pts_clock_is_virtual());
	pts_clock_set(&source);
	assert_true(pts_clock_is_virtual());
	assert_int_not_equal(pts_onlooker_ns(), pts_now_ns()); /* stays with the onlooker */
	assert_int_equal(pts_sleep_until_ns(77), 0);
	assert_int_equal(pts_now_ns(), 77);
	pts_clock_set(NULL);
	assert_false(pts_clock_is_virtual());
	assert_true(pts_now_ns() >= first);
	assert_int_equal(pts_sleep_until_ns(0), 0); /* long past: at once */
	pts_wall_text(1796120430ull * PTS_NS_PER_S, text, sizeof(text));
	assert_string_equal(text, "2026-12-01T10:20:30Z");
	pts_wall_text(951782399ull * PTS_NS_PER_S, text, sizeof(text));
	assert_string_equal(text, "2000-02-28T23:59:59Z");
	pts_wall_text(0, text, sizeof(text));
	assert_string_equal(text, "1970-01-01T00:00:00Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_message_wins),
		cmocka_unit_test(a_message_is_one_line),
		cmocka_unit_test(log_goes_where_it_is_sent),
		cmocka_unit_test(arena_is_zeroed_aligned_and_apart),
		cmocka_unit_test(sha256_of_known_texts),
		cmocka_unit_test(seeds_differ_in_every_coordinate),
		cmocka_unit_test(clock_can_be_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
