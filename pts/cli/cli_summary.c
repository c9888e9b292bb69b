/* Reads verdicts as they are stored; judges nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_out.h"
#include "cli_progress.h"
#include "cli_summary.h"

struct reading {
	struct cli_verdicts *verdicts;
	const struct store_step *step;
	struct store *store;
	struct pts_err *err;
};

static struct cli_verdict *row_of(struct cli_verdicts *verdicts, int step, const char *track)
{
	for (size_t i = 0; i < verdicts->count; i++)
		if (verdicts->rows[i].step == step && !strcmp(verdicts->rows[i].track, track))
			return &verdicts->rows[i];
	verdicts->rows =
		realloc(verdicts->rows, (verdicts->count + 1) * sizeof(*verdicts->rows));
	if (!verdicts->rows)
		abort();
	verdicts->rows[verdicts->count] = (struct cli_verdict){.step = step};
	return &verdicts->rows[verdicts->count++];
}

static int take_steady(void *ctx, const struct store_steady *steady)
{
	struct reading *reading = ctx;
	struct cli_verdict *row = row_of(reading->verdicts, steady->step, steady->track);

	if (row->last_round > steady->last_round)
		return 0;
	snprintf(row->test, sizeof(row->test), "%s", reading->step->test);
	snprintf(row->phase, sizeof(row->phase), "%s", reading->step->phase);
	snprintf(row->track, sizeof(row->track), "%s", steady->track);
	snprintf(row->metric, sizeof(row->metric), "%s", steady->metric);
	row->last_round = steady->last_round;
	row->valid = steady->valid;
	row->steady = steady->steady;
	row->boundary = steady->boundary;
	row->average = steady->average;
	row->range_pct = steady->range_pct;
	row->slope_excursion_pct = steady->slope_excursion_pct;
	return 0;
}

static int take_step(void *ctx, const struct store_step_row *step)
{
	struct reading *reading = ctx;

	reading->step = &step->plan;
	return store_each_steady(reading->store, step->plan.step, take_steady, reading,
				 reading->err);
}

int cli_verdicts_read(struct store *store, struct cli_verdicts *ret_verdicts,
		      struct pts_err *err)
{
	struct reading reading = {.verdicts = ret_verdicts, .store = store, .err = err};

	*ret_verdicts = (struct cli_verdicts){0};
	return store_each_step(store, take_step, &reading, err);
}

void cli_verdicts_release(struct cli_verdicts *verdicts)
{
	free(verdicts->rows);
	*verdicts = (struct cli_verdicts){0};
}

static const char *verdict_text(const struct cli_verdict *row)
{
	if (!row->valid)
		return "not judged";
	if (row->steady)
		return row->boundary ? "steady, at the limit" : "steady";
	return "not steady";
}

void cli_verdicts_print(const struct cli_verdicts *verdicts)
{
	static const char *const heads[] = {"TEST",   "PHASE",    "TRACK",    "VERDICT",
					    ">ROUND", ">AVERAGE", ">RANGE %", ">SLOPE %"};
	struct cli_table table = {.columns = 8};

	if (!verdicts->count)
		return;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		cli_table_cell(&table, "%s", heads[i]);
	for (size_t i = 0; i < verdicts->count; i++) {
		const struct cli_verdict *row = &verdicts->rows[i];
		char average[80] = "-";

		if (row->valid)
			cli_metric_text(row->metric, row->average, average, sizeof(average));
		cli_table_cell(&table, "%s", row->test);
		cli_table_cell(&table, "%s", row->phase);
		cli_table_cell(&table, "%s", row->track);
		cli_table_cell(&table, "%s", verdict_text(row));
		cli_table_cell(&table, "%d", row->last_round);
		cli_table_cell(&table, "%s", average);
		cli_table_number(&table, row->valid ? row->range_pct : NAN, 3);
		cli_table_number(&table, row->valid ? row->slope_excursion_pct : NAN, 3);
	}
	cli_table_print(&table);
}

json_t *cli_verdicts_json(const struct cli_verdicts *verdicts)
{
	json_t *list = json_array();

	for (size_t i = 0; i < verdicts->count; i++) {
		const struct cli_verdict *row = &verdicts->rows[i];
		double none = NAN;

		json_array_append_new(
			list,
			json_pack("{s:i, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:b, s:b}",
				  "step", row->step, "test", cli_json_text(row->test), "phase",
				  cli_json_text(row->phase), "track", cli_json_text(row->track),
				  "metric", cli_json_text(row->metric), "last_round",
				  row->last_round, "average",
				  cli_json_number(row->valid ? row->average : none),
				  "range_pct",
				  cli_json_number(row->valid ? row->range_pct : none),
				  "slope_excursion_pct",
				  cli_json_number(row->valid ? row->slope_excursion_pct : none),
				  "steady", (int)row->steady, "boundary", (int)row->boundary));
	}
	return list;
}
