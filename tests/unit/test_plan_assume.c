/* What is known of a drive moves the likely figures, each by the nearest thing that is known, and
 * never a bound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan_fixture.h"

#define SECOND     1000000000ull
#define LIST(list) .known = list, .known_count = sizeof(list) / sizeof((list)[0])

static struct plan_fixture make(const char *name, const char *sets,
				const struct plan_assume *assume)
{
	struct plan_device device = plan_fixture_drive(480103981056, 512);
	struct plan_fixture made = {.spec = plan_fixture_read(name, SPEC_ENTERPRISE, sets)};
	const struct spec *const specs[] = {made.spec};
	struct pts_err err = PTS_ERR_INIT;

	if (plan_make(specs, 1, &device, assume, &made.plan, &err))
		fail_msg("%s", err.text);
	return made;
}

static const struct plan_rate *rate_of(const struct plan_fixture *made, const char *phase,
				       const char *label)
{
	return &plan_fixture_cell(plan_fixture_step(made->plan, phase), label)->rate;
}

static void near(double value, double expected)
{
	if (fabs(value - expected) > 1e-9 * expected)
		fail_msg("%.12g instead of %.12g", value, expected);
}

static const struct plan_known measured[] = {
	{"iops", "WIPC", "SEQ 128KiB 0/100 T2Q32", 0, 0, 131072, 2, 32, 400, 400, 0},
	{"iops", "rounds", "RND 4KiB 0/100 T2Q32", 1, 0, 4096, 2, 32, 80, 80, 3 * SECOND},
	{"other", "rounds", "RND 8KiB 0/100 T2Q32", 1, 0, 8192, 2, 32, 90, 90, SECOND},
	{"other", "again", "RND 8KiB 0/100 T2Q32", 1, 0, 8192, 2, 32, 110, 110, 3 * SECOND},
	{"other", "rounds", "RND 4KiB 100/0 T2Q32", 1, 100, 4096, 2, 32, 320, 0, 0},
};

/* The cell itself, the same load elsewhere (the mean), the nearest load. */
static void the_nearest_knowledge_counts(void **state)
{
	const struct plan_assume assume = {.kind = "run", .source = "here", LIST(measured)};
	struct plan_fixture made = make("iops", "threads=2", &assume);
	const struct plan_rate *rate = rate_of(&made, "rounds", "RND 4KiB 0/100 T2Q32");

	(void)state;
	assert_int_equal(rate->from, PLAN_RATE_CELL);
	near(rate->likely, 80);
	assert_true(rate->after_ns > 0 && rate->after_ns <= rate->slack_ns);
	rate = rate_of(&made, "rounds", "RND 8KiB 0/100 T2Q32");
	assert_int_equal(rate->from, PLAN_RATE_LOAD);
	near(rate->likely, 100);
	/* as many IOPS as with 4 KiB */
	rate = rate_of(&made, "rounds", "RND 0.5KiB 0/100 T2Q32");
	assert_int_equal(rate->from, PLAN_RATE_DERIVED);
	near(rate->likely, 10);
	/* as many MB/s as with the nearest size */
	rate = rate_of(&made, "rounds", "RND 64KiB 0/100 T2Q32");
	near(rate->likely, 90);
	/* times add up: 0.65 * 4096 / 320 + 0.35 * 4096 / 80, of which 0.35 * 4096 are written */
	rate = rate_of(&made, "rounds", "RND 4KiB 65/35 T2Q32");
	assert_int_equal(rate->from, PLAN_RATE_DERIVED);
	near(rate->likely, 0.35 / (0.65 / 320 + 0.35 / 80));
	near(rate_of(&made, "rounds", "RND 4KiB 100/0 T2Q32")->likely + 1, 1);
	assert_string_equal(made.plan->rates.kind, "run");
	assert_string_equal(made.plan->rates.from, "here");
	plan_fixture_free(&made);
}

static void bounds_stay_where_they_are(void **state)
{
	struct plan_fixture known, unknown;

	(void)state;
	for (unsigned i = 0; i < PLAN_FIXTURE_SPECS; i++) {
		const struct plan_assume assume = {.kind = "file", LIST(measured), .rounds = 9};
		const struct plan_span *a, *b;

		known = make(plan_fixture_specs[i], NULL, &assume);
		unknown = make(plan_fixture_specs[i], NULL, NULL);
		a = &known.plan->span;
		b = &unknown.plan->span;
		assert_int_equal(a->earliest_ns, b->earliest_ns);
		assert_int_equal(a->latest_ns, b->latest_ns);
		assert_int_equal(a->least_bytes, b->least_bytes);
		assert_int_equal(a->most_bytes, b->most_bytes);
		assert_true(a->likely_bytes != b->likely_bytes);
		for (unsigned s = 0; s < known.plan->step_count; s++) {
			const struct plan_span *span = &known.plan->steps[s].span;

			assert_true(span->earliest_ns <= span->likely_ns);
			assert_true(span->likely_ns <= span->latest_ns);
			assert_true(span->likely_bytes <= span->most_bytes);
		}
		plan_fixture_free(&known);
		plan_fixture_free(&unknown);
	}
}

/* A rate that no drive of the kind has is a mistake of the file, not a reason to leave the bounds. */
static void an_absurd_rate_is_held_by_the_bounds(void **state)
{
	static const struct plan_known fast[] = {
		{NULL, NULL, NULL, 0, 0, 131072, 0, 0, 1e9, 1e9, 0}};
	static const struct plan_known slow[] = {
		{NULL, NULL, NULL, 0, 0, 131072, 0, 0, 1e-9, 1e-9, 0}};
	const struct plan_assume quick = {.kind = "file", LIST(fast)};
	const struct plan_assume lame = {.kind = "file", LIST(slow)};
	struct plan_fixture made = make("iops", NULL, &quick);
	const struct plan_span *fill = &plan_fixture_step(made.plan, "WIPC")->span;

	(void)state;
	assert_true(fill->earliest_ns == fill->likely_ns && fill->earliest_ns > 0);
	plan_fixture_free(&made);
	made = make("iops", NULL, &lame);
	fill = &plan_fixture_step(made.plan, "WIPC")->span;
	assert_true(fill->likely_ns <= fill->latest_ns);
	assert_true(fill->likely_ns > fill->earliest_ns);
	plan_fixture_free(&made);
}

static void rounds_and_purges_are_those_of_the_run(void **state)
{
	struct plan_known_step steps[] = {
		{"iops", "purge", 0, false, 77 * SECOND},
		{"iops", "rounds", 11, true, 5 * SECOND},
	};
	struct plan_assume assume = {
		.kind = "run", LIST(measured), .steps = steps, .step_count = 2};
	struct plan_fixture made = make("iops", NULL, &assume);

	(void)state;
	assert_int_equal(plan_fixture_step(made.plan, "rounds")->likely_rounds, 11);
	assert_int_equal(plan_fixture_step(made.plan, "purge")->span.likely_ns, 77 * SECOND);
	plan_fixture_free(&made);
	/* not steady in so many rounds: it will take all that it may */
	steps[1].steady = false;
	assume.purge_name = "discard"; /* of another method: says nothing */
	made = make("iops", NULL, &assume);
	assert_int_equal(plan_fixture_step(made.plan, "rounds")->likely_rounds, 25);
	assert_true(plan_fixture_step(made.plan, "purge")->span.likely_ns != 77 * SECOND);
	plan_fixture_free(&made);
	/* more than may be, fewer than a window */
	steps[1] = (struct plan_known_step){"iops", "rounds", 99, true, 0};
	made = make("iops", NULL, &assume);
	assert_int_equal(plan_fixture_step(made.plan, "rounds")->likely_rounds, 25);
	plan_fixture_free(&made);
	steps[1].rounds = 1;
	made = make("iops", NULL, &assume);
	assert_int_equal(plan_fixture_step(made.plan, "rounds")->likely_rounds, 5);
	plan_fixture_free(&made);
}

/* Of the loads before them the slowest, of the rules of a sampled load the first counts. */
static void a_sampled_load_ends_as_it_did(void **state)
{
	static const struct plan_known known[] = {
		{"wsat", "saturation", "RND 4KiB 0/100 T4Q32", 1, 0, 4096, 4, 32, 50, 50, 0}};
	struct plan_known_step steps[] = {{"wsat", "saturation", 6, true, 0}};
	struct plan_assume assume = {
		.kind = "run", LIST(known), .steps = steps, .step_count = 1};
	struct plan_fixture made = make("wsat", NULL, &assume);
	const struct plan_span *span = &plan_fixture_step(made.plan, "saturation")->span;

	(void)state;
	assert_int_equal(span->likely_ns, 6 * 31 * 60 * SECOND);
	near((double)span->likely_bytes, 6 * 31 * 60 * 50e6);
	plan_fixture_free(&made);
	/* it ended by the clock, so that its samples end nothing */
	steps[0].steady = false;
	made = make("wsat", NULL, &assume);
	span = &plan_fixture_step(made.plan, "saturation")->span;
	assert_int_equal(span->likely_ns, 6 * 3600 * SECOND);
	plan_fixture_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_knowledge_counts),
		cmocka_unit_test(bounds_stay_where_they_are),
		cmocka_unit_test(an_absurd_rate_is_held_by_the_bounds),
		cmocka_unit_test(rounds_and_purges_are_those_of_the_run),
		cmocka_unit_test(a_sampled_load_ends_as_it_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
