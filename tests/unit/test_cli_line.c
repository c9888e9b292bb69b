/* The live line: what it holds, what goes first on a narrow terminal, never wider than it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli_out.h"
#include "cli_progress.h"

static const struct run_track_state tracks[] = {
	{.name = "a", .valid = true, .range_pct = 12.34, .slope_pct = 5.55, .steady = true},
	{.name = "b", .valid = false},
	{.name = "c", .valid = true, .range_pct = 101.26, .slope_pct = 0.04},
};
static const struct run_event last_round = {
	.kind = RUN_ROUND_END, .tracks = tracks, .track_count = 3};
static const struct run_event none = {.kind = RUN_BEGIN};

static struct run_event cell_event(void)
{
	return (struct run_event){
		.kind = RUN_PROGRESS,
		.test = "iops",
		.phase = "rounds",
		.round = 3,
		.max_rounds = 25,
		.cell = 16,
		.cell_count = 56,
		.cell_label = "RND 64KiB 65/35 T4Q32",
		.iops = 123456.4,
		.mb_per_s = 8090.86,
		.left_likely_ns = 7800000000000ull,
		.left_latest_ns = 84000000000000ull,
	};
}

static char *line_of(const struct run_event *event, unsigned width)
{
	return cli_progress_line(event, &last_round, width);
}

static void holds_everything_on_a_wide_terminal(void **state)
{
	struct run_event event = cell_event();
	char *line = line_of(&event, 300);

	(void)state;
	assert_string_equal(line, "iops rounds  round 3/25  cell 17/56  RND 64KiB 65/35 T4Q32  "
				  "123,456 IOPS  8,090.9 MB/s  range 12.3 - 101.3 % "
				  "slope 5.5 - 0.0 %  2 h 10 min left  at most 23 h 20 min");
	free(line);
}

static void is_never_wider_than_the_terminal(void **state)
{
	struct run_event event = cell_event();

	(void)state;
	event.phase = "Pr\xc3\xbc"
		      "fphase";
	for (unsigned width = 1; width < 300; width++) {
		char *line = line_of(&event, width);
		size_t length = strlen(line);

		assert_true(cli_columns(line) <= (width > 1 ? width - 1 : 1));
		/* not cut inside a character */
		if (length)
			assert_int_not_equal((unsigned char)line[length - 1], 0xc3);
		free(line);
	}
}

/* The less there is room, the less of the dispensable is there, in the stated order. */
static void drops_the_least_important_first(void **state)
{
	static const char *const order[] = {"MB/s", "at most", "RND",  "cell",       "range",
					    "left", "round 3", "IOPS", "iops rounds"};
	struct run_event event = cell_event();

	(void)state;
	for (unsigned width = 300; width > 12; width--) {
		char *line = line_of(&event, width);
		bool there = false;

		for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
			bool found = strstr(line, order[i]) != NULL;

			if (there && !found)
				fail_msg("'%s' is missing before something less important: %s",
					 order[i], line);
			there = there || found;
		}
		assert_true(there);
		free(line);
	}
}

static void shows_a_share_where_there_are_no_rounds(void **state)
{
	struct run_event event = cell_event();
	char *line;

	(void)state;
	event.phase = "WIPC";
	event.max_rounds = 0;
	event.round = 0;
	event.cell_count = 1;
	event.done_share = 0.4237;
	line = cli_progress_line(&event, &none, 200);
	assert_non_null(strstr(line, "42.4 %"));
	assert_null(strstr(line, "round"));
	assert_null(strstr(line, "range"));
	free(line);
}

static void bears_the_most_tracks_that_there_can_be(void **state)
{
	struct run_track_state many[16];
	struct run_event round = {.kind = RUN_ROUND_END, .tracks = many, .track_count = 16};
	struct run_event event = cell_event();
	char *line;

	(void)state;
	for (int i = 0; i < 16; i++)
		many[i] = (struct run_track_state){
			.valid = true, .range_pct = 1e12, .slope_pct = 1e12};
	line = cli_progress_line(&event, &round, 2000);
	assert_true(strlen(line) < 2000);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_everything_on_a_wide_terminal),
		cmocka_unit_test(is_never_wider_than_the_terminal),
		cmocka_unit_test(drops_the_least_important_first),
		cmocka_unit_test(shows_a_share_where_there_are_no_rounds),
		cmocka_unit_test(bears_the_most_tracks_that_there_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
