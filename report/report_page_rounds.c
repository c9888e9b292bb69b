/*
 * Pages about rounds: the convergence plot and the measurement window with its determination
 * table (PTS 2.1.24, sections 5 and 7.3). Shows stored judgements; computes none.
 */
#include <math.h>
#include <string.h>

#include "pts_text.h"
#include "report_model_internal.h"

static int last_round(const struct report_data *data, const struct report_step *step)
{
	int last = 0;

	for (unsigned i = 0; i < data->round_count; i++) {
		if (data->rounds[i].step == step->index && data->rounds[i].round > last &&
		    strcmp(data->rounds[i].state, "valid") == 0)
			last = data->rounds[i].round;
	}
	return last;
}

/* One cell over all rounds: NaN where it has no value. */
static void cell_series(struct report_model *model, const struct report_step *step,
			const struct report_plan_cell *cell, const char *metric, int rounds,
			struct report_series *series)
{
	double factor = report_metric_scale(metric);

	series->x = PTS_ARENA_ARRAY(model->arena, double, (size_t)rounds);
	series->y = PTS_ARENA_ARRAY(model->arena, double, (size_t)rounds);
	series->count = (size_t)rounds;
	for (int i = 0; i < rounds; i++) {
		const struct report_cell_row *row =
			report_find_cell(&model->data, step->index, i + 1,
					 report_judged_cell(step, cell->index));

		series->x[i] = i + 1;
		series->y[i] = report_metric(row, metric) * factor;
	}
}

static const char *series_name(struct report_model *model, const struct report_spec_page *spec,
			       const struct report_plan_cell *cell)
{
	if (spec->series != NULL && strcmp(spec->series, "rw_mix") == 0)
		return report_mix(model, cell->read_pct);
	if (spec->series != NULL && strcmp(spec->series, "block_size") == 0)
		return report_block_size(model, cell->block_bytes);
	if (spec->series != NULL && strcmp(spec->series, "queue_depth") == 0)
		return report_text(model, "%u", cell->queue_depth);
	if (spec->series != NULL && strcmp(spec->series, "threads") == 0)
		return report_text(model, "%u", cell->threads);
	return cell->label;
}

static const char *series_title(const struct report_spec_page *spec,
				const struct report_step *step)
{
	if (spec->series == NULL)
		return step->is_sampled ? "Sample of" : "Cell";
	return strcmp(spec->series, "rw_mix") == 0        ? "R/W mix"
	       : strcmp(spec->series, "queue_depth") == 0 ? "Queue depth"
	       : strcmp(spec->series, "threads") == 0     ? "Threads"
							  : "Block size";
}

static double series_key(const struct report_spec_page *spec,
			 const struct report_plan_cell *cell)
{
	if (spec->series != NULL && strcmp(spec->series, "queue_depth") == 0)
		return cell->queue_depth;
	if (spec->series != NULL && strcmp(spec->series, "threads") == 0)
		return cell->threads;
	return (double)cell->block_bytes;
}

static void sort_series(struct report_series *series, const double *keys, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		for (unsigned j = i; j > 0 && keys[j - 1] > keys[j]; j--) {
			struct report_series other = series[j];
			double *swap = (double *)keys;
			double key = swap[j];

			series[j] = series[j - 1];
			series[j - 1] = other;
			swap[j] = swap[j - 1];
			swap[j - 1] = key;
		}
	}
}

static void convergence_table(struct report_model *model, struct report_plot *plot,
			      const char *title, const char *name, const char *unit)
{
	struct report_column *columns =
		PTS_ARENA_ARRAY(model->arena, struct report_column, plot->series_count + 1);
	struct report_table *table;

	columns[0] = (struct report_column){"round", "Round", "", true, 0};
	for (unsigned i = 0; i < plot->series_count; i++)
		columns[i + 1] =
			(struct report_column){report_slug(model, plot->series[i].name),
					       plot->series[i].name, unit, true, 0};
	table = report_table_new(model, name, title, columns, plot->series_count + 1);
	table->first_is_head = true;
	plot->data = table;
	for (size_t r = 0; plot->series_count > 0 && r < plot->series[0].count; r++) {
		struct report_cell *row = report_row_add(model, table);

		cell_count(model, &row[0], (uint64_t)plot->series[0].x[r]);
		for (unsigned i = 0; i < plot->series_count; i++)
			cell_number(model, &row[i + 1], plot->series[i].y[r]);
	}
}

static void add_missing_note(struct report_model *model, struct report_page *page,
			     const struct report_plan_cell *cell)
{
	report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
			 report_text(model, "%s: n/a, %s.", cell->label, cell->reason));
}

void report_convergence_page(struct report_model *model, const struct report_test *test,
			     const struct report_spec_page *spec)
{
	const struct report_step *step = report_step_named(test, spec->step);
	const char *metric = spec->y != NULL ? spec->y : "iops";
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	struct report_plot *plot = PTS_ARENA_NEW(model->arena, struct report_plot);
	double *keys = PTS_ARENA_ARRAY(model->arena, double, step->cell_count + 1);
	int rounds = last_round(&model->data, step);

	plot->name = page->id;
	plot->x = (struct report_axis){.label = "Round", .low = 1, .high = rounds};
	plot->y = (struct report_axis){.label = report_metric_label(model, metric),
				       .low = NAN,
				       .high = NAN,
				       .from_zero = true};
	plot->series_title = series_title(spec, step);
	plot->series =
		PTS_ARENA_ARRAY(model->arena, struct report_series, step->cell_count + 1);
	report_block_plot(page, plot);
	for (unsigned i = 0; i < step->cell_count; i++) {
		const struct report_plan_cell *cell = &step->cells[i];
		struct report_series *series = &plot->series[plot->series_count];

		/* of a pair of load and sample only the sample is a point */
		if (!report_where_matches(spec, cell) || (step->is_sampled && i > 0))
			continue;
		if (!cell->applicable) {
			add_missing_note(model, page, cell);
			continue;
		}
		series->name = series_name(model, spec, cell);
		keys[plot->series_count++] = series_key(spec, cell);
		cell_series(model, step, cell, metric, rounds, series);
	}
	sort_series(plot->series, keys, plot->series_count);
	for (unsigned i = 0; i < plot->series_count; i++)
		plot->series[i].rank = i;
	if (rounds == 0)
		plot->cannot = "No round was completed.";
	report_plot_prepare(model, plot);
	convergence_table(model, plot, spec->title,
			  report_text(model, "%s %s", test->name, spec->kind),
			  report_metric_unit(metric));
}

static struct report_series *line(struct report_model *model, struct report_plot *plot,
				  const char *name, enum report_role role, size_t count)
{
	struct report_series *series = &plot->series[plot->series_count++];

	*series = (struct report_series){.name = name, .role = role, .count = count};
	series->x = PTS_ARENA_ARRAY(model->arena, double, count);
	series->y = PTS_ARENA_ARRAY(model->arena, double, count);
	return series;
}

static void level(struct report_model *model, struct report_plot *plot, const char *name,
		  enum report_role role, const struct report_step *loop, double slope,
		  double intercept)
{
	struct report_series *series = line(model, plot, name, role, 2);

	series->x[0] = loop->first_round;
	series->x[1] = loop->last_round;
	for (unsigned i = 0; i < 2; i++)
		series->y[i] = slope * series->x[i] + intercept;
}

static const char *share_text(struct report_model *model, double share)
{
	return report_text(model, "%s %%", report_number(model, round(share * 1e6) / 1e4));
}

/* The window's plot: measured, average, half the allowed range above and below it (110 % and
 * 90 % in the PTS), least squares. */
static struct report_plot *window_plot(struct report_model *model,
				       const struct report_step *loop,
				       const struct report_track *track,
				       const struct store_steady *steady, const char *name)
{
	struct report_plot *plot = PTS_ARENA_NEW(model->arena, struct report_plot);
	double factor = report_metric_scale(track->metric);
	size_t count = (size_t)loop->last_round - (size_t)loop->first_round + 1;
	struct report_series *measured;

	plot->name = name;
	plot->series_title = track->name;
	plot->series = PTS_ARENA_ARRAY(model->arena, struct report_series, 8);
	plot->x = (struct report_axis){
		.label = "Round", .low = loop->first_round, .high = loop->last_round};
	plot->y = (struct report_axis){
		.label = report_metric_label(model, track->metric), .low = NAN, .high = NAN};
	if (steady != NULL && steady->valid) {
		double average = steady->average * factor;
		double half = steady->range_limit / 2;

		level(model, plot, "Average", ROLE_AVERAGE, loop, 0, average);
		level(model, plot, share_text(model, 1 + half), ROLE_BAND, loop, 0,
		      (1 + half) * average);
		level(model, plot, share_text(model, 1 - half), ROLE_BAND, loop, 0,
		      (1 - half) * average);
		level(model, plot, "Fit", ROLE_FIT, loop, steady->slope * factor,
		      steady->intercept * factor);
	}
	measured = line(model, plot, "Measured", ROLE_MEASURED, count);
	for (size_t i = 0; i < count; i++) {
		const struct report_cell_row *row =
			report_find_cell(&model->data, loop->index, loop->first_round + (int)i,
					 report_judged_cell(loop, track->cell));

		measured->x[i] = loop->first_round + (int)i;
		measured->y[i] = report_metric(row, track->metric) * factor;
	}
	return plot;
}

static void quantity(struct report_model *model, struct report_table *table, const char *name,
		     double value, double percent, const char *within)
{
	struct report_cell *row = report_row_add(model, table);

	cell_text(&row[0], name);
	cell_number(model, &row[1], value);
	if (isfinite(percent))
		cell_number(model, &row[2], percent);
	if (within == NULL)
		return;
	cell_text(&row[3], within);
	row[1].tone = row[3].tone = strcmp(within, "yes") == 0 ? TONE_GOOD : TONE_BAD;
}

static struct report_cell *statement(struct report_model *model, struct report_table *table,
				     const char *name, const char *value)
{
	struct report_cell *row = report_row_add(model, table);

	cell_text(&row[0], name);
	cell_text(&row[1], value);
	return row;
}

static const char *fit_text(struct report_model *model, double slope, double intercept)
{
	return report_text(model, "%s * R %s %s", report_number(model, slope),
			   intercept < 0 ? "-" : "+", report_number(model, fabs(intercept)));
}

static void verdict_row(struct report_model *model, struct report_table *table, bool steady,
			const char *text)
{
	statement(model, table, "Verdict", text)[1].tone = steady ? TONE_GOOD : TONE_BAD;
}

static void determination_rows(struct report_model *model, struct report_table *table,
			       const struct store_steady *row)
{
	double factor = report_metric_scale(row->metric);
	double average = fabs(row->average) * factor;

	quantity(model, table, "Average", row->average * factor, NAN, NULL);
	quantity(model, table, "Allowed data excursion", row->range_limit * average,
		 row->range_limit * 100, NULL);
	quantity(model, table, "Measured data excursion", row->range * factor, row->range_pct,
		 row->range_ok ? "yes" : "NO");
	quantity(model, table, "Allowed slope excursion", row->slope_limit * average,
		 row->slope_limit * 100, NULL);
	quantity(model, table, "Measured slope excursion", row->slope_excursion * factor,
		 row->slope_excursion_pct, row->slope_ok ? "yes" : "NO");
	statement(model, table, "Least-squares fit",
		  fit_text(model, row->slope * factor, row->intercept * factor));
	quantity(model, table, "Correlation r", row->r, NAN, NULL);
	if (!isfinite(row->r))
		cell_missing(
			&table->cells[(size_t)(table->row_count - 1) * table->column_count + 1],
			"a flat window has no correlation");
	statement(model, table, "Exactly at a limit",
		  row->boundary ? "yes: equality passes" : "no")[1]
		.tone = row->boundary ? TONE_WARN : TONE_PLAIN;
	verdict_row(model, table, row->steady, row->steady ? "STEADY" : "NOT STEADY");
}

static void determination(struct report_model *model, struct report_page *page,
			  const struct report_test *test, const struct report_step *loop,
			  const struct report_track *track, const struct store_steady *steady,
			  const struct report_series *measured)
{
	const struct report_column columns[] = {
		{"quantity", "Quantity", "", false, 2},
		{"value", "Value", report_metric_unit(track->metric), true, 1.8},
		{"percent_of_average", "% of avg.", "%", true, 0.9},
		{"within", "Within", "", false, 0.6},
	};
	double average =
		steady != NULL ? steady->average * report_metric_scale(track->metric) : NAN;
	struct report_table *table = report_table_new(
		model, report_text(model, "%s window %s", test->name, track->name),
		report_text(model, "Steady state determination, %s", track->name), columns, 4);

	table->first_is_head = true;
	statement(model, table, "Measurement window",
		  report_text(model, "rounds %d-%d", loop->first_round, loop->last_round));
	for (size_t i = 0; i < measured->count; i++)
		quantity(model, table,
			 report_text(model, "Measured, round %.0f", measured->x[i]),
			 measured->y[i], measured->y[i] / average * 100, NULL);
	if (steady != NULL && steady->valid)
		determination_rows(model, table, steady);
	else
		verdict_row(model, table, false, "NOT STEADY: a round has no value");
	report_block_table(page, table);
}

static const struct report_track *track_of(const struct report_step *loop, const char *name)
{
	for (unsigned i = 0; i < loop->track_count; i++) {
		if (name == NULL || strcmp(loop->tracks[i].name, name) == 0)
			return &loop->tracks[i];
	}
	return NULL;
}

void report_window_page(struct report_model *model, const struct report_test *test,
			const struct report_spec_page *spec)
{
	const struct report_step *loop = report_step_named(test, spec->step);
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	const struct report_track *track = track_of(loop, spec->track);
	const struct store_steady *steady;
	struct report_plot *plot;

	if (track == NULL || track->cell < 0) {
		report_block_add(
			page, BLOCK_NOTE, TONE_WARN,
			report_text(model,
				    "%s can't run on this device: the test can't be judged.",
				    spec->track != NULL ? spec->track : "The cell"));
		return;
	}
	if (!loop->has_window) {
		report_block_add(page, BLOCK_NOTE, TONE_WARN, report_no_window(model, loop));
		return;
	}
	steady = report_steady(&model->data, loop->index, track->name, loop->last_round);
	plot = window_plot(model, loop, track, steady, page->id);
	plot->y.from_zero = !spec->table;
	report_plot_prepare(model, plot);
	report_block_plot(page, plot);
	if (!spec->table)
		return;
	page->beside = true;
	determination(model, page, test, loop, track, steady,
		      &plot->series[plot->series_count - 1]);
}
