/* pts status: where a run stands, read from its store alone; a writer is not disturbed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "cli_out.h"
#include "cli_summary.h"
#include "pts_clock.h"
#include "pts_units.h"
#include "store.h"

/* The step that goes on, or would. */
struct standing {
	const char *state; /* also "cut": nobody writes, and nobody said why */
	long pid;
	bool found;
	int step, step_count;
	char test[128], phase[128];
	uint64_t cell_count;
	int rounds_closed, round, max_rounds; /* 0: outside loops */
	int cells_stored;                     /* of the round that is open, or of the phase */
	json_t *steps;
};

static const char *state_text(const struct store_run *run, int writer)
{
	switch (run->state) {
	case STORE_DONE:
		return "done";
	case STORE_FAILED:
		return "failed";
	case STORE_STOPPED:
		return "stopped";
	case STORE_RUNNING:
		break;
	}
	return writer == 0 ? "cut" : "running";
}

static json_t *step_json(const struct store_step_row *row)
{
	return json_pack("{s:i, s:o, s:o, s:o, s:b, s:b, s:o, s:i, s:i, s:o, s:o}", "step",
			 row->plan.step, "test", cli_json_text(row->plan.test), "phase",
			 cli_json_text(row->plan.phase), "kind", cli_json_text(row->plan.kind),
			 "begun", (int)row->begun, "ended", (int)row->ended, "outcome",
			 cli_json_text(row->outcome), "rounds_closed", row->rounds_closed,
			 "cells_stored", row->cells_stored, "max_gap_ns",
			 cli_json_u64(row->max_gap_ns), "bytes_written",
			 cli_json_u64(row->bytes_written));
}

/* One that was stopped, or ended by an error, is what a resume begins with. */
static bool is_over(const struct store_step_row *row)
{
	return row->ended && row->outcome && strcmp(row->outcome, "stopped") != 0 &&
	       strcmp(row->outcome, "failed") != 0;
}

static int take_step(void *ctx, const struct store_step_row *row)
{
	struct standing *at = ctx;

	json_array_append_new(at->steps, step_json(row));
	at->step_count++;
	/* the first that is not over; of a finished run the last one */
	if (!at->found) {
		at->found = !is_over(row);
		at->step = row->plan.step;
		snprintf(at->test, sizeof(at->test), "%s", row->plan.test);
		snprintf(at->phase, sizeof(at->phase), "%s", row->plan.phase);
		at->cell_count = row->plan.planned_cells;
		at->rounds_closed = row->rounds_closed;
		at->cells_stored = row->cells_stored;
	}
	return 0;
}

static int take_round(void *ctx, const struct store_round_row *row)
{
	struct standing *at = ctx;

	if (row->round > 0 && row->round >= at->round) {
		at->round = row->round;
		at->cells_stored = row->cells;
	}
	return 0;
}

static int max_rounds(const struct store_run *run, int step)
{
	json_t *plan = json_loads(run->plan_json, 0, NULL);
	const json_t *steps = json_object_get(plan, "steps");
	const json_t *one = json_array_get(steps, (size_t)step);
	int most = (int)json_integer_value(json_object_get(one, "max_rounds"));

	json_decref(plan);
	return most;
}

static int read_standing(struct store *store, const char *path, const struct store_run *run,
			 struct standing *at, struct pts_err *err)
{
	int rc;

	at->state = state_text(run, store_writer(path, &at->pid));
	at->steps = json_array();
	rc = store_each_step(store, take_step, at, err);
	if (!rc)
		rc = store_each_round(store, at->step, take_round, at, err);
	if (!rc && at->round)
		at->max_rounds = max_rounds(run, at->step);
	return rc;
}

static json_t *wall_json(uint64_t wall_ns)
{
	char text[32];

	if (!wall_ns)
		return json_null();
	pts_wall_text(wall_ns, text, sizeof(text));
	return json_string(text);
}

static void run_keys(json_t *root, const struct store_run *run)
{
	json_object_set_new(root, "exit_code",
			    run->exit_code < 0 ? json_null() : json_integer(run->exit_code));
	json_object_set_new(root, "reason", cli_json_text(run->stop_reason));
	json_object_set_new(root, "mode", cli_json_text(run->mode));
	json_object_set_new(root, "identity", cli_json_text(run->identity));
	json_object_set_new(root, "device", cli_json_text(run->device_path));
	json_object_set_new(root, "started", wall_json(run->started_wall_ns));
	json_object_set_new(root, "ended", wall_json(run->ended_wall_ns));
	json_object_set_new(root, "clock_is_virtual", json_boolean(run->clock_is_virtual));
}

static void print_json(const struct standing *at, const struct store_run *run,
		       const struct cli_verdicts *verdicts)
{
	json_t *root = json_object();

	json_object_set_new(root, "state", cli_json_text(at->state));
	json_object_set_new(root, "pid", at->pid ? json_integer(at->pid) : json_null());
	run_keys(root, run);
	json_object_set_new(root, "step", json_integer(at->step));
	json_object_set_new(root, "step_count", json_integer(at->step_count));
	json_object_set_new(root, "test", cli_json_text(at->test));
	json_object_set_new(root, "phase", cli_json_text(at->phase));
	json_object_set_new(root, "round", at->round ? json_integer(at->round) : json_null());
	json_object_set_new(root, "max_rounds",
			    at->max_rounds ? json_integer(at->max_rounds) : json_null());
	json_object_set_new(root, "rounds_closed", json_integer(at->rounds_closed));
	json_object_set_new(root, "cell", json_integer(at->cells_stored));
	json_object_set_new(root, "cell_count", cli_json_u64(at->cell_count));
	json_object_set_new(root, "steady", cli_verdicts_json(verdicts));
	json_object_set(root, "steps", at->steps);
	cli_json_print(root);
}

static void print_place(const struct standing *at)
{
	cli_say(stdout, "Phase:  %s %s, step %d of %d", at->test, at->phase, at->step + 1,
		at->step_count);
	if (at->round)
		cli_say(stdout, ", round %d", at->round);
	if (at->round && at->max_rounds)
		cli_say(stdout, " of at most %d", at->max_rounds);
	if (at->round)
		cli_say(stdout, " (%d closed)", at->rounds_closed);
	if (at->cell_count)
		cli_say(stdout, ", %d of %llu cells stored", at->cells_stored,
			(unsigned long long)at->cell_count);
	putchar('\n');
}

static void print_text(const char *dir, const struct standing *at, const struct store_run *run,
		       const struct cli_verdicts *verdicts)
{
	char started[32], elapsed[64];
	uint64_t end_ns = run->ended_wall_ns ? run->ended_wall_ns : pts_wall_ns();

	pts_wall_text(run->started_wall_ns, started, sizeof(started));
	if (run->stop_reason && !strncmp(run->stop_reason, at->state, strlen(at->state)))
		cli_say(stdout, "State:  %s\n", run->stop_reason);
	else
		cli_say(stdout, "State:  %s%s%s\n", at->state, run->stop_reason ? ", " : "",
			run->stop_reason ? run->stop_reason : "");
	if (at->pid)
		cli_say(stdout, "By:     process %ld\n", at->pid);
	cli_say(stdout, "Device: %s (%s), %s\n", run->device_path, run->identity, run->mode);
	cli_say(stdout, "Since:  %s", started);
	if (run->clock_is_virtual)
		cli_say(stdout, " by its virtual clock");
	/* how far that clock has come only the end says */
	if (end_ns > run->started_wall_ns && (run->ended_wall_ns || !run->clock_is_virtual)) {
		pts_duration_human(end_ns - run->started_wall_ns, elapsed, sizeof(elapsed));
		cli_say(stdout, ", %s", elapsed);
	}
	putchar('\n');
	print_place(at);
	cli_verdicts_print(verdicts);
	if (run->clock_is_virtual && !strstr(run->device_path, ",state="))
		return; /* it forgets with the program: no resume can find it */
	if (!strcmp(at->state, "cut") || !strcmp(at->state, "stopped") ||
	    !strcmp(at->state, "failed"))
		cli_say(stdout, "Go on with: pts resume %s\n", dir);
}

int cmd_status(struct cli_args *args, struct pts_err *err)
{
	const struct store_run *run = NULL;
	struct cli_verdicts verdicts = {0};
	struct standing at = {.found = false};
	struct store *store = NULL;
	char *path = NULL;
	int rc = store_locate(args->words[0], &path, err);

	if (!rc)
		rc = store_open(path, STORE_READ, &store, err);
	if (!rc)
		rc = store_get_run(store, &run, err);
	if (!rc)
		rc = read_standing(store, path, run, &at, err);
	if (!rc)
		rc = cli_verdicts_read(store, &verdicts, err);
	if (!rc && cli_flag(args, "json"))
		print_json(&at, run, &verdicts);
	else if (!rc)
		print_text(args->words[0], &at, run, &verdicts);
	json_decref(at.steps);
	cli_verdicts_release(&verdicts);
	store_close(store);
	free(path);
	return rc;
}
