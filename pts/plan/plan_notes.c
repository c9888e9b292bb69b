/* Notes: another value than a recommended one, what estimates rest on, what a device is too small
 * for. No deviation from the standard stands here. */
#include <math.h>
#include <string.h>

#include "plan_internal.h"
#include "pts_text.h"

/* Below this a drive's or its host's caches may hold all of it. */
#define SMALL_BYTES (1ull << 30)

static void note(struct plan_builder *builder, struct plan_note note)
{
	struct plan *plan = builder->plan;

	plan->notes = plan_grow(plan->arena, plan->notes, plan->note_count, &builder->note_room,
				sizeof(*plan->notes));
	if (!note.clause)
		note.clause = "";
	plan->notes[plan->note_count++] = note;
}

static void recommended(struct plan_builder *builder, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->param_count; i++) {
		const struct spec_param *param = &spec->params[i];

		if (!param->overridden || param->source.binding != SPEC_BINDING_RECOMMENDED)
			continue;
		note(builder,
		     (struct plan_note){
			     .test = spec->name,
			     .kind = "recommended",
			     .clause = param->source.clause,
			     .what = param->name,
			     .text = pts_arena_printf(
				     builder->plan->arena,
				     "%s instead of the recommended %s (--set %s=%s)",
				     param->value, param->standard, param->name, param->value),
		     });
	}
}

static bool seen_before(const struct plan_cell *cells, unsigned index)
{
	for (unsigned i = 0; i < index; i++)
		if (!cells[i].applicable && !strcmp(cells[i].reason, cells[index].reason))
			return true;
	return false;
}

/* One note for each reason why cells can't run: the standard's matrix has columns that a drive may
 * not be able to run (0.5 KiB on LBAs of 4 KiB). They keep their place, with the reason. */
static void cells(struct plan_builder *builder, const struct plan_test *test,
		  const struct plan_step *step, const char *what, const struct plan_cell *list,
		  unsigned total)
{
	struct pts_arena *arena = builder->plan->arena;

	for (unsigned first = 0; first < total; first++) {
		unsigned count = 0;

		if (list[first].applicable || seen_before(list, first))
			continue;
		for (unsigned i = first; i < total; i++)
			count += !list[i].applicable &&
				 !strcmp(list[i].reason, list[first].reason);
		note(builder,
		     (struct plan_note){
			     .test = test->name,
			     .kind = "not_applicable",
			     .clause = step->spec->source.clause,
			     .what = pts_arena_printf(arena, "%s of '%s'", what, step->phase),
			     .text = pts_arena_printf(arena, "%u of %u not applicable: %s",
						      count, total, list[first].reason),
		     });
	}
}

static void inapplicable(struct plan_builder *builder, const struct plan_test *test)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		const struct plan_step *step = &builder->plan->steps[test->first_step + i];

		cells(builder, test, step, "cells", step->cells, step->cell_count);
		cells(builder, test, step, "loads before each round", step->before,
		      step->before_count);
	}
}

static void small(struct plan_builder *builder)
{
	uint64_t bytes = builder->plan->device.capacity_bytes;

	if (bytes >= SMALL_BYTES)
		return;
	note(builder,
	     (struct plan_note){
		     .test = "",
		     .kind = "device",
		     .what = "capacity",
		     .text = pts_arena_printf(
			     builder->plan->arena,
			     "%llu bytes are less than 1 GiB: a cache may hold all of it, so "
			     "that figures say little about the medium",
			     (unsigned long long)bytes),
	     });
}

/* Small rates of a model drive have many digits, and a bound must not be rounded up. */
static void rate_text(double mb_per_s, char text[40])
{
	pts_number_text(mb_per_s < 10 ? floor(mb_per_s * 100) / 100 : mb_per_s,
			mb_per_s < 10 ? 2 : 0, text, 40);
}

/* The rate that every bound rests on, or the one that was given for all. */
static const char *bounds_text(struct pts_arena *arena, const struct plan_rates *rates)
{
	char least[40], likely[40], most[40];

	rate_text(rates->least, least);
	rate_text(rates->likely, likely);
	rate_text(rates->most, most);
	if (!strcmp(rates->kind, "given"))
		return pts_arena_printf(arena,
					"writes are taken to run at %s MB/s (given), which "
					"makes bounds of it",
					likely);
	if (!strcmp(rates->kind, "bounds"))
		return pts_arena_printf(arena,
					"large writes are taken to run at %s MB/s, at least %s "
					"and at most %s (bounds for %s drives)",
					likely, least, most, rates->source);
	return pts_arena_printf(arena,
				"for the bounds, at least %s and at most %s MB/s (%s drives)",
				least, most, rates->source);
}

static const char *likely_text(struct pts_arena *arena, const struct plan_rates *rates)
{
	static const char *const what[][2] = {
		{"run", "what the run measured"},
		{"file", "the speeds of the file"},
		{"model", "the numbers of the model"},
	};

	for (unsigned i = 0; i < sizeof(what) / sizeof(what[0]); i++)
		if (!strcmp(rates->kind, what[i][0]))
			return pts_arena_printf(arena, "they rest on %s %s", what[i][1],
						rates->from);
	if (!strcmp(rates->kind, "given"))
		return "they rest on the given rate";
	return "they are a guess; --assume RUN or FILE makes better ones";
}

static void estimates(struct plan_builder *builder)
{
	const struct plan_rates *rates = &builder->plan->rates;
	struct pts_arena *arena = builder->plan->arena;

	note(builder, (struct plan_note){
			      .test = "",
			      .kind = "estimate",
			      .what = "write rate",
			      .text = bounds_text(arena, rates),
		      });
	note(builder, (struct plan_note){
			      .test = "",
			      .kind = "estimate",
			      .what = "likely figures",
			      .text = likely_text(arena, rates),
		      });
	note(builder,
	     (struct plan_note){
		     .test = "",
		     .kind = "estimate",
		     .what = "rounds",
		     .text = pts_arena_printf(
			     arena,
			     "a loop ends at the earliest with its window, at the latest with "
			     "its last allowed round; where nothing better is known, likely %u "
			     "rounds after the window",
			     PLAN_LIKELY_ROUNDS_MORE),
	     });
}

void plan_notes(struct plan_builder *builder)
{
	struct plan *plan = builder->plan;

	for (unsigned i = 0; i < plan->test_count; i++)
		recommended(builder, plan->tests[i].spec);
	for (unsigned i = 0; i < plan->test_count; i++)
		inapplicable(builder, &plan->tests[i]);
	small(builder);
	estimates(builder);
}
