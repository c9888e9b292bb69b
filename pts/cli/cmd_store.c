/* status, verify: what a store says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "pts_clock.h"
#include "pts_text.h"
#include "store.h"
#include "verify.h"

static const char *const states[] = {
	[STORE_RUNNING] = "running",
	[STORE_STOPPED] = "stopped",
	[STORE_FAILED] = "failed",
	[STORE_DONE] = "done",
};

static int open_store(const char *word, struct store **ret_store, struct pts_err *err)
{
	char *path = NULL;
	int rc = store_locate(word, &path, err);

	if (!rc)
		rc = store_open(path, STORE_READ, ret_store, err);
	free(path);
	return rc;
}

struct status {
	json_t *steps, *tracks; /* NULL: text */
	char phase[128];
	int rounds_closed, cells_stored;
	uint64_t planned_cells;
};

static int status_step(void *ctx, const struct store_step_row *row)
{
	struct status *status = ctx;
	json_t *object;

	if (row->begun && !row->ended) {
		snprintf(status->phase, sizeof(status->phase), "%s", row->plan.phase);
		status->rounds_closed = row->rounds_closed;
		status->cells_stored = row->cells_stored;
		status->planned_cells = row->plan.planned_cells;
	}
	if (!status->steps) {
		printf("  %2d  %-8s %-20s %-12s", row->plan.step, row->plan.test,
		       row->plan.phase,
		       row->outcome ? row->outcome
		       : row->begun ? "running"
				    : "to do");
		if (!strcmp(row->plan.kind, "rounds"))
			printf(" %d rounds closed", row->rounds_closed);
		putchar('\n');
		return 0;
	}
	object = json_object();
	json_object_set_new(object, "step", json_integer(row->plan.step));
	json_object_set_new(object, "test", cli_json_text(row->plan.test));
	json_object_set_new(object, "phase", cli_json_text(row->plan.phase));
	json_object_set_new(object, "kind", cli_json_text(row->plan.kind));
	json_object_set_new(object, "begun", json_boolean(row->begun));
	json_object_set_new(object, "outcome", cli_json_text(row->outcome));
	json_object_set_new(object, "rounds_closed", json_integer(row->rounds_closed));
	json_object_set_new(object, "cells_stored", json_integer(row->cells_stored));
	json_object_set_new(object, "max_gap_ns", cli_json_u64(row->max_gap_ns));
	json_array_append_new(status->steps, object);
	return 0;
}

static int status_track(void *ctx, const struct store_steady *row)
{
	struct status *status = ctx;
	json_t *object;

	if (!status->tracks) {
		printf("  %-24s rounds %d-%d  range %.2f %%  slope %.2f %%  %s\n", row->track,
		       row->last_round - row->window + 1, row->last_round, row->range_pct,
		       row->slope_excursion_pct, row->steady ? "steady" : "not steady");
		return 0;
	}
	object = json_object();
	json_object_set_new(object, "step", json_integer(row->step));
	json_object_set_new(object, "track", cli_json_text(row->track));
	json_object_set_new(object, "last_round", json_integer(row->last_round));
	json_object_set_new(object, "average", cli_json_number(row->average));
	json_object_set_new(object, "range_pct", cli_json_number(row->range_pct));
	json_object_set_new(object, "slope_excursion_pct",
			    cli_json_number(row->slope_excursion_pct));
	json_object_set_new(object, "steady", json_boolean(row->steady));
	json_array_append_new(status->tracks, object);
	return 0;
}

static void status_json(const struct store_run *run, struct status *status)
{
	json_t *root = json_object();

	json_object_set_new(root, "state", cli_json_text(states[run->state]));
	json_object_set_new(root, "exit_code",
			    run->exit_code < 0 ? json_null() : json_integer(run->exit_code));
	json_object_set_new(root, "reason", cli_json_text(run->stop_reason));
	json_object_set_new(root, "mode", cli_json_text(run->mode));
	json_object_set_new(root, "identity", cli_json_text(run->identity));
	json_object_set_new(root, "device", cli_json_text(run->device_path));
	json_object_set_new(root, "phase",
			    cli_json_text(status->phase[0] ? status->phase : NULL));
	json_object_set_new(root, "rounds_closed", json_integer(status->rounds_closed));
	json_object_set_new(root, "cells_stored", json_integer(status->cells_stored));
	json_object_set_new(root, "steps", status->steps);
	json_object_set_new(root, "steady", status->tracks);
	cli_json_print(root);
}

int cmd_status(struct cli_args *args, struct pts_err *err)
{
	const struct store_run *run;
	struct store *store = NULL;
	struct status status = {0};
	bool json = cli_flag(args, "json");
	int rc = open_store(args->words[0], &store, err);

	if (!rc)
		rc = store_get_run(store, &run, err);
	if (!rc && json) {
		status.steps = json_array();
		status.tracks = json_array();
	} else if (!rc) {
		printf("%s: %s%s%s\n  device %s (%s), %s\n", args->words[0], states[run->state],
		       run->stop_reason ? ", " : "", run->stop_reason ? run->stop_reason : "",
		       run->device_path, run->identity, run->mode);
	}
	if (!rc)
		rc = store_each_step(store, status_step, &status, err);
	if (!rc)
		rc = store_each_steady(store, -1, status_track, &status, err);
	if (!rc && json)
		status_json(run, &status);
	store_close(store);
	return rc;
}

static void print_difference(void *ctx, const char *line)
{
	json_t *list = ctx;

	if (list)
		json_array_append_new(list, cli_json_text(line));
	else
		puts(line);
}

int cmd_verify(struct cli_args *args, struct pts_err *err)
{
	json_t *list = cli_flag(args, "json") ? json_array() : NULL;
	struct verify_counts counts = {0};
	struct store *store = NULL;
	int rc = open_store(args->words[0], &store, err);

	if (!rc)
		rc = verify_store(store, print_difference, list, &counts, err);
	store_close(store);
	if (rc) {
		json_decref(list);
		return rc;
	}
	if (list) {
		json_t *root = json_object();

		json_object_set_new(root, "checked", cli_json_u64(counts.checked));
		json_object_set_new(root, "differences", cli_json_u64(counts.differences));
		json_object_set_new(root, "lines", list);
		cli_json_print(root);
	} else {
		printf("%llu figures recomputed, %llu differ\n",
		       (unsigned long long)counts.checked,
		       (unsigned long long)counts.differences);
	}
	return counts.differences ? PTS_EXIT_VERDICT : PTS_EXIT_GOOD;
}
