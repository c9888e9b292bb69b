/*
 * Tables that stand on no page but in CSV and JSON: every cell, round and judged window, and the
 * points of each step that a page shows over time. Full precision, one row a record.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report_model_internal.h"

static void maybe_number(struct report_model *model, struct report_cell *cell, double value,
			 const char *reason)
{
	if (isfinite(value))
		cell_number(model, cell, value);
	else
		cell_missing(cell, reason != NULL && reason[0] != '\0' ? reason : "no value");
}

static const struct report_column cell_columns[] = {
	{"step", "step", "", true, 0},
	{"round", "round", "", true, 0},
	{"cell", "cell", "", true, 0},
	{"role", "role", "", false, 0},
	{"label", "label", "", false, 0},
	{"access", "access", "", false, 0},
	{"read_pct", "read_pct", "%", true, 0},
	{"block_bytes", "block_bytes", "B", true, 0},
	{"threads", "threads", "", true, 0},
	{"queue_depth", "queue_depth", "", true, 0},
	{"seed", "seed", "", false, 0},
	{"started_ns", "started_ns", "ns", true, 0},
	{"elapsed_ns", "elapsed_ns", "ns", true, 0},
	{"gap_ns", "gap_ns", "ns", true, 0},
	{"ios", "ios", "", true, 0},
	{"bytes", "bytes", "B", true, 0},
	{"iops", "iops", "IOPS", true, 0},
	{"read_iops", "read_iops", "IOPS", true, 0},
	{"write_iops", "write_iops", "IOPS", true, 0},
	{"mb_per_s", "mb_per_s", "MB/s", true, 0},
	{"lat_mean_ns", "lat_mean_ns", "ns", true, 0},
	{"lat_p50_ns", "lat_p50_ns", "ns", true, 0},
	{"lat_p99_ns", "lat_p99_ns", "ns", true, 0},
	{"lat_p99999_ns", "lat_p99999_ns", "ns", true, 0},
	{"lat_max_ns", "lat_max_ns", "ns", true, 0},
	{"cpu_system_pct", "cpu_system_pct", "%", true, 0},
	{"errors", "errors", "", true, 0},
	{"valid", "valid", "", false, 0},
	{"reason", "reason", "", false, 0},
};

static void cell_row(struct report_model *model, struct report_table *table,
		     const struct report_cell_row *cell)
{
	struct report_cell *row = report_row_add(model, table);
	const double counts[] = {(double)cell->block_bytes, cell->threads, cell->queue_depth};
	const double rates[] = {cell->iops,
				cell->read_iops,
				cell->write_iops,
				cell->mb_per_s,
				cell->lat_mean_ns,
				(double)cell->lat_p50_ns,
				(double)cell->lat_p99_ns,
				(double)cell->lat_p99999_ns,
				(double)cell->lat_max_ns,
				cell->cpu_system_pct};
	const uint64_t times[] = {cell->started_ns, cell->elapsed_ns, cell->gap_ns, cell->ios,
				  cell->bytes};

	cell_count(model, &row[0], (uint64_t)cell->step);
	if (cell->round > 0)
		cell_count(model, &row[1], (uint64_t)cell->round);
	cell_count(model, &row[2], (uint64_t)cell->cell);
	cell_text(&row[3], cell->role);
	cell_text(&row[4], cell->label);
	cell_text(&row[5], cell->access);
	if (cell->read_pct >= 0)
		cell_count(model, &row[6], (uint64_t)cell->read_pct);
	for (unsigned i = 0; i < 3; i++)
		cell_number(model, &row[7 + i], counts[i]);
	cell_text(&row[10], report_text(model, "%" PRIu64, cell->seed));
	for (unsigned i = 0; i < 5; i++)
		cell_count(model, &row[11 + i], times[i]);
	for (unsigned i = 0; i < 10; i++)
		maybe_number(model, &row[16 + i], cell->valid ? rates[i] : NAN, cell->reason);
	cell_count(model, &row[26], cell->errors);
	cell_text(&row[27], cell->valid ? "true" : "false");
	cell_text(&row[28], cell->reason);
}

static const struct report_column steady_columns[] = {
	{"step", "step", "", true, 0},
	{"track", "track", "", false, 0},
	{"metric", "metric", "", false, 0},
	{"first_round", "first_round", "", true, 0},
	{"last_round", "last_round", "", true, 0},
	{"average", "average", "", true, 0},
	{"minimum", "minimum", "", true, 0},
	{"maximum", "maximum", "", true, 0},
	{"range", "range", "", true, 0},
	{"range_pct", "range_pct", "%", true, 0},
	{"range_limit_pct", "range_limit_pct", "%", true, 0},
	{"slope", "slope", "", true, 0},
	{"intercept", "intercept", "", true, 0},
	{"slope_excursion", "slope_excursion", "", true, 0},
	{"slope_excursion_pct", "slope_excursion_pct", "%", true, 0},
	{"slope_limit_pct", "slope_limit_pct", "%", true, 0},
	{"r", "r", "", true, 0},
	{"boundary", "boundary", "", false, 0},
	{"steady", "steady", "", false, 0},
};

static void steady_row(struct report_model *model, struct report_table *table,
		       const struct store_steady *steady)
{
	struct report_cell *row = report_row_add(model, table);
	const double figures[] = {
		steady->average,
		steady->minimum,
		steady->maximum,
		steady->range,
		steady->range_pct,
		steady->range_limit * 100,
		steady->slope,
		steady->intercept,
		steady->slope_excursion,
		steady->slope_excursion_pct,
		steady->slope_limit * 100,
		steady->r,
	};

	cell_count(model, &row[0], (uint64_t)steady->step);
	cell_text(&row[1], steady->track);
	cell_text(&row[2], steady->metric);
	cell_count(model, &row[3], (uint64_t)steady->last_round - (uint64_t)steady->window + 1);
	cell_count(model, &row[4], (uint64_t)steady->last_round);
	for (unsigned i = 0; i < 12; i++)
		maybe_number(model, &row[5 + i], steady->valid ? figures[i] : NAN,
			     steady->valid ? "undefined for this window"
					   : "a round of the window has no value");
	cell_text(&row[17], steady->boundary ? "true" : "false");
	cell_text(&row[18], steady->steady ? "true" : "false");
}

static void round_row(struct report_model *model, struct report_table *table,
		      const struct store_round_row *round)
{
	struct report_cell *row = report_row_add(model, table);

	cell_count(model, &row[0], (uint64_t)round->step);
	cell_count(model, &row[1], (uint64_t)round->round);
	cell_text(&row[2], round->state);
	cell_count(model, &row[3], round->started_ns);
	cell_count(model, &row[4], round->elapsed_ns);
	cell_count(model, &row[5], (uint64_t)round->cells);
	cell_text(&row[6], round->after_gap ? "true" : "false");
}

static const struct report_column point_columns[] = {
	{"round", "round", "", true, 0},
	{"cell", "cell", "", true, 0},
	{"started_ns", "started_ns", "ns", true, 0},
	{"span_ns", "span_ns", "ns", true, 0},
	{"written_bytes", "written_bytes", "B", true, 0}, /* since the purge, at its end */
	{"iops", "iops", "IOPS", true, 0},
	{"mb_per_s", "mb_per_s", "MB/s", true, 0},
	{"lat_mean_ns", "lat_mean_ns", "ns", true, 0},
	{"lat_max_ns", "lat_max_ns", "ns", true, 0},
};

static void point_table(struct report_model *model, const struct report_test *test,
			const struct report_step *step)
{
	static const char *const metrics[] = {"iops", "mb_per_s", "lat_mean", "lat_max"};
	uint64_t written = report_written_before(&model->data, test, step);
	struct report_table *table = report_table_new(
		model, report_text(model, "%s %s points", test->name, step->phase),
		report_text(model, "%s over time", step->phase), point_columns,
		sizeof(point_columns) / sizeof(point_columns[0]));

	for (size_t i = 0; i < step->point_count; i++) {
		const struct report_point *point = &step->points[i];
		struct report_cell *row = report_row_add(model, table);

		written += point->written_bytes;
		if (point->round > 0)
			cell_count(model, &row[0], (uint64_t)point->round);
		cell_count(model, &row[1], (uint64_t)point->cell);
		cell_count(model, &row[2], point->at_ns);
		cell_count(model, &row[3], point->span_ns);
		cell_count(model, &row[4], written);
		for (unsigned m = 0; m < 4; m++)
			maybe_number(model, &row[5 + m], report_point_metric(point, metrics[m]),
				     "no I/O completed");
	}
}

static void point_tables(struct report_model *model)
{
	for (unsigned t = 0; t < model->data.test_count; t++) {
		const struct report_test *test = &model->data.tests[t];

		for (unsigned s = 0; s < test->step_count; s++) {
			if (test->steps[s]->point_count > 0)
				point_table(model, test, test->steps[s]);
		}
	}
}

void report_extra_tables(struct report_model *model)
{
	static const struct report_column round_columns[] = {
		{"step", "step", "", true, 0},
		{"round", "round", "", true, 0},
		{"state", "state", "", false, 0},
		{"started_ns", "started_ns", "ns", true, 0},
		{"elapsed_ns", "elapsed_ns", "ns", true, 0},
		{"cells", "cells", "", true, 0},
		{"after_gap", "after_gap", "", false, 0},
	};
	const struct report_data *data = &model->data;
	struct report_table *cells =
		report_table_new(model, "cells", "Cells", cell_columns,
				 sizeof(cell_columns) / sizeof(cell_columns[0]));
	struct report_table *steady =
		report_table_new(model, "steady", "Judged windows", steady_columns,
				 sizeof(steady_columns) / sizeof(steady_columns[0]));
	struct report_table *rounds =
		report_table_new(model, "rounds", "Rounds", round_columns, 7);

	for (size_t i = 0; i < data->cell_count; i++)
		cell_row(model, cells, &data->cells[i]);
	for (unsigned i = 0; i < data->steady_count; i++)
		steady_row(model, steady, &data->steady[i]);
	for (unsigned i = 0; i < data->round_count; i++)
		round_row(model, rounds, &data->rounds[i]);
	point_tables(model);
}
