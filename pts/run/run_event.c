/* Events of a run, the notes that also go into the store, and the time that is left. */
#include <stdarg.h>
#include <stdio.h>

#include "pts_clock.h"
#include "run_internal.h"

void run_emit(const struct run *run, struct run_event *event)
{
	event->step_count = run->plan ? run->plan->step_count : 0;
	if (run->options->event)
		run->options->event(run->options->event_ctx, event);
}

void run_note(struct run *run, int step, int round, int cell, const char *level,
	      const char *kind, const char *fmt, ...)
{
	char text[PTS_ERR_TEXT_MAX];
	struct store_event row = {
		.at_ns = pts_now_ns(),
		.wall_ns = pts_wall_ns(),
		.step = step,
		.round = round,
		.cell = cell,
		.level = level,
		.kind = kind,
		.text = text,
	};
	struct run_event event = {.kind = RUN_NOTE, .text = text};
	struct pts_err ignored = PTS_ERR_INIT;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* A store that can't take a note can't take the next cell either: that one reports it. */
	if (run->store)
		store_put_event(run->store, &row, &ignored);
	run_emit(run, &event);
}

static uint64_t less(uint64_t from, uint64_t what)
{
	return from > what ? from - what : 0;
}

static uint64_t cells_ns(const struct plan_cell *cells, unsigned count)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++)
		if (cells[i].applicable)
			sum += cells[i].duration_ns;
	return sum;
}

uint64_t run_round_ns(const struct plan_step *step)
{
	return cells_ns(step->before, step->before_count) +
	       cells_ns(step->cells, step->cell_count) +
	       (step->kind == SPEC_STEP_CYCLE ? step->idle_ns : 0);
}

double run_round_share(const struct plan_step *step, const struct plan_cell *cell, double share)
{
	uint64_t whole_ns = run_round_ns(step), past_ns;

	if (!whole_ns || !cell->duration_ns)
		return (cell->index + share) / step->cell_count;
	if (cell->role == PLAN_BEFORE)
		past_ns = cells_ns(step->before, cell->index - step->cell_count);
	else
		past_ns = cells_ns(step->before, step->before_count) +
			  cells_ns(step->cells, cell->index);
	return ((double)past_ns + share * (double)cell->duration_ns) / (double)whole_ns;
}

void run_left(const struct run *run, const struct plan_step *step, int round, double done_share,
	      uint64_t step_elapsed_ns, struct run_event *ret_event)
{
	uint64_t likely = 0, latest = 0;

	for (unsigned i = step->index + 1; i < run->plan->step_count; i++) {
		likely += run->plan->steps[i].span.likely_ns;
		latest += run->plan->steps[i].span.latest_ns;
	}
	if (step->loops) {
		uint64_t one_ns = run_round_ns(step);
		uint64_t past_ns = one_ns * (uint64_t)(round > 0 ? round - 1 : 0) +
				   (uint64_t)((double)one_ns * done_share);

		likely += less(step->span.likely_ns, past_ns);
		latest += less(step->span.latest_ns, past_ns);
	} else if (done_share > 0.02) {
		/* A fill goes on at the rate that it has shown so far. */
		double whole_ns = (double)step_elapsed_ns / done_share;

		likely += (uint64_t)(whole_ns * (1 - done_share));
		latest += (uint64_t)(whole_ns * (1 - done_share));
	} else {
		likely += less(step->span.likely_ns, step_elapsed_ns);
		latest += less(step->span.latest_ns, step_elapsed_ns);
	}
	ret_event->left_likely_ns = likely;
	ret_event->left_latest_ns = latest > likely ? latest : likely;
}
