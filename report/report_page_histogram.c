/*
 * The histogram page: how many I/Os took how long (log over log), with the confidence levels
 * ART, 99.9 %, 99.99 %, 99.999 % and MRT as lines and as a table. Must not know stored blobs.
 */
#include <math.h>
#include <string.h>

#include "pts_clock.h"
#include "report_model_internal.h"

#define MS   1e6 /* ns */
#define BOTH 2

static const struct {
	const char *key, *name;
} levels[LEVELS] = {
	{"p50", "50 % (median)"}, {"p90", "90 %"},       {"p99", "99 %"},
	{"p99_9", "99.9 %"},      {"p99_99", "99.99 %"}, {"p99_999", "99.999 %"},
};

/* A quantile says nothing before one I/O lies beyond it. */
static bool is_known(const struct report_times *times, enum report_level level)
{
	return (double)times->count * (1 - report_level_quantile(level)) >= 1 - 1e-9;
}

static void time_cell(struct report_model *model, struct report_cell *cell,
		      const struct report_times *times, double ns)
{
	if (times->count == 0)
		cell_missing(cell, "no I/O completed");
	else
		cell_number(model, cell, ns / MS);
}

static void level_cell(struct report_model *model, struct report_cell *cell,
		       const struct report_times *times, enum report_level level)
{
	if (times->count > 0 && !is_known(times, level))
		cell_missing(cell, "too few I/Os: not one of them lies beyond this level");
	else
		time_cell(model, cell, times, (double)times->level_ns[level]);
}

static struct report_cell *named_row(struct report_model *model, struct report_table *table,
				     const char *name)
{
	struct report_cell *row = report_row_add(model, table);

	cell_text(&row[0], name);
	return row;
}

/* Reads and writes have columns of their own where there are both. */
static unsigned columns_of(const struct report_hist *hist, unsigned which[3])
{
	which[0] = BOTH;
	which[1] = 0;
	which[2] = 1;
	return hist->dir[0].count > 0 && hist->dir[1].count > 0 ? 3 : 1;
}

static void level_table(struct report_model *model, struct report_page *page,
			const struct report_hist *hist)
{
	static const struct report_column columns[] = {
		{"level", "Confidence level", "", false, 1.2},
		{"all_ms", "All I/Os", "ms", true, 1},
		{"reads_ms", "Reads", "ms", true, 1},
		{"writes_ms", "Writes", "ms", true, 1},
	};
	unsigned which[3], count = columns_of(hist, which);
	struct report_table *table =
		report_table_new(model, report_text(model, "%s levels", page->id),
				 "Response times (ms)", columns, count + 1);
	struct report_cell *row;

	table->first_is_head = true;
	row = named_row(model, table, "Minimum");
	for (unsigned c = 0; c < count; c++)
		time_cell(model, &row[c + 1], &hist->dir[which[c]],
			  (double)hist->dir[which[c]].min_ns);
	row = named_row(model, table, "ART (mean)");
	for (unsigned c = 0; c < count; c++)
		time_cell(model, &row[c + 1], &hist->dir[which[c]],
			  hist->dir[which[c]].mean_ns);
	for (unsigned i = 0; i < LEVELS; i++) {
		row = named_row(model, table, levels[i].name);
		for (unsigned c = 0; c < count; c++)
			level_cell(model, &row[c + 1], &hist->dir[which[c]], i);
	}
	row = named_row(model, table, "MRT (maximum)");
	for (unsigned c = 0; c < count; c++)
		time_cell(model, &row[c + 1], &hist->dir[which[c]],
			  (double)hist->dir[which[c]].max_ns);
	row = named_row(model, table, "Number of I/Os");
	for (unsigned c = 0; c < count; c++)
		cell_count(model, &row[c + 1], hist->dir[which[c]].count);
	report_block_table(page, table);
	report_footnotes(model, page, table);
}

#define BARS_MOST 160 /* of a plot, as long as no bar is wider than 1/40 of a decade */

/* Which bins are drawn, and how many of them as one bar. */
struct bars {
	const struct report_hist *hist;
	unsigned first, last, together;
};

static struct bars bars_of(const struct report_hist *hist)
{
	struct bars bars = {hist, 0, HIST_BINS - 1, 1};

	while (bars.first < bars.last && hist->bin[bars.first] == 0)
		bars.first++;
	while (bars.last > bars.first && hist->bin[bars.last] == 0)
		bars.last--;
	while (bars.together < HIST_BINS_DECADE / 40 &&
	       (bars.last - bars.first) / bars.together >= BARS_MOST)
		bars.together *= 2;
	bars.first -= bars.first % bars.together;
	return bars;
}

static double bar_low(unsigned bin)
{
	return report_bin_low_ns(bin) / MS;
}

static uint64_t bar_count(const struct bars *bars, unsigned at)
{
	uint64_t count = 0;

	for (unsigned i = at; i < at + bars->together && i < HIST_BINS; i++)
		count += bars->hist->bin[i];
	return count;
}

/* Every bar as a row, for CSV: what the plot shows and the cumulative share. */
static void bin_table(struct report_model *model, const struct report_page *page,
		      const struct bars *bars)
{
	static const struct report_column columns[] = {
		{"from_ms", "from_ms", "ms", true, 0},
		{"to_ms", "to_ms", "ms", true, 0},
		{"ios", "ios", "", true, 0},
		{"cumulative_pct", "cumulative_pct", "%", true, 0},
	};
	struct report_table *table =
		report_table_new(model, report_text(model, "%s bins", page->id),
				 report_text(model, "%s, bins", page->title), columns, 4);
	uint64_t sum = 0;

	for (unsigned i = bars->first; i <= bars->last; i += bars->together) {
		uint64_t count = bar_count(bars, i);
		struct report_cell *row;

		if (count == 0)
			continue;
		sum += count;
		row = report_row_add(model, table);
		cell_number(model, &row[0], bar_low(i));
		cell_number(model, &row[1], bar_low(i + bars->together));
		cell_count(model, &row[2], count);
		cell_number(model, &row[3],
			    100.0 * (double)sum / (double)bars->hist->dir[BOTH].count);
	}
}

static void add_bars(struct report_model *model, struct report_plot *plot,
		     const struct bars *bars)
{
	struct report_series *series = &plot->series[plot->series_count++];
	unsigned most = (bars->last - bars->first) / bars->together + 1;

	*series = (struct report_series){.name = "Number of I/Os", .role = ROLE_BARS};
	series->x = PTS_ARENA_ARRAY(model->arena, double, most);
	series->y = PTS_ARENA_ARRAY(model->arena, double, most);
	series->x_end = PTS_ARENA_ARRAY(model->arena, double, most);
	for (unsigned i = bars->first; i <= bars->last; i += bars->together) {
		if (bar_count(bars, i) == 0)
			continue;
		series->x[series->count] = bar_low(i);
		series->x_end[series->count] = bar_low(i + bars->together);
		series->y[series->count++] = (double)bar_count(bars, i);
	}
}

static void add_share(struct report_model *model, struct report_plot *plot,
		      const struct bars *bars)
{
	struct report_series *share = &plot->series[plot->series_count++];
	unsigned most = (bars->last - bars->first) / bars->together + 2;
	uint64_t sum = 0;

	*share = (struct report_series){
		.name = "Cumulative share", .role = ROLE_SHARE, .on_y2 = true};
	share->x = PTS_ARENA_ARRAY(model->arena, double, most);
	share->y = PTS_ARENA_ARRAY(model->arena, double, most);
	share->x[share->count] = bar_low(bars->first);
	share->y[share->count++] = 0;
	for (unsigned i = bars->first; i <= bars->last; i += bars->together) {
		sum += bar_count(bars, i);
		share->x[share->count] = bar_low(i + bars->together);
		share->y[share->count++] =
			100.0 * (double)sum / (double)bars->hist->dir[BOTH].count;
	}
	plot->has_y2 = true;
	plot->y2 = (struct report_axis){.label = "Cumulative share of the I/Os (%)",
					.low = NAN,
					.high = NAN,
					.from_zero = true,
					.is_tight = true};
}

static void add_line(struct report_model *model, struct report_plot *plot, const char *name,
		     double ns)
{
	plot->marks[plot->mark_count++] = (struct report_mark){
		.kind = MARK_LINE,
		.from = ns / MS,
		.to = ns / MS,
		.text = report_text(model, "%s %s ms", name, report_number(model, ns / MS))};
}

static void add_lines(struct report_model *model, struct report_plot *plot,
		      const struct report_times *times)
{
	static const enum report_level drawn[] = {LEVEL_999, LEVEL_9999, LEVEL_99999};
	bool mean_done = false;

	/* from left to right: the mean of a long tail may lie beyond a quantile */
	for (unsigned i = 0; i < 3; i++) {
		if (!is_known(times, drawn[i]))
			continue;
		if (!mean_done && times->mean_ns <= (double)times->level_ns[drawn[i]]) {
			add_line(model, plot, "ART", times->mean_ns);
			mean_done = true;
		}
		add_line(model, plot, levels[drawn[i]].name, (double)times->level_ns[drawn[i]]);
	}
	if (!mean_done)
		add_line(model, plot, "ART", times->mean_ns);
	add_line(model, plot, "MRT", (double)times->max_ns);
}

static struct report_plot *draw(struct report_model *model, const struct bars *bars,
				const char *name, bool with_share)
{
	struct report_plot *plot = PTS_ARENA_NEW(model->arena, struct report_plot);
	double decades;

	plot->name = name;
	plot->series = PTS_ARENA_ARRAY(model->arena, struct report_series, 2);
	plot->x = (struct report_axis){
		.label = "Response time (ms)", .scale = SCALE_LOG10, .is_tight = true};
	plot->y = (struct report_axis){
		.label = "Number of I/Os", .scale = SCALE_LOG10, .low = NAN, .high = NAN};
	plot->cannot = bars->hist->cannot;
	if (plot->cannot != NULL)
		return plot;
	add_bars(model, plot, bars);
	if (with_share)
		add_share(model, plot, bars);
	add_lines(model, plot, &bars->hist->dir[BOTH]);
	/* at least a fifth of a decade; room for the name of the last line at the right */
	plot->x.low = bar_low(bars->first) / 1.02;
	plot->x.high = bar_low(bars->last + bars->together);
	decades = fmax(log10(plot->x.high / plot->x.low), 0.2);
	plot->x.high = plot->x.low * pow(10, decades * 1.42);
	return plot;
}

/* Threads and queue depth, if the label does not tell them (a load at a chosen point). */
static const char *load_text(struct report_model *model, const struct report_cell_row *cell)
{
	const char *text = report_text(model, " T%uQ%u", cell->threads, cell->queue_depth);

	return strstr(cell->label, text + 1) == NULL ? text : "";
}

static void facts_note(struct report_model *model, struct report_page *page,
		       const struct report_step *step)
{
	const struct report_data *data = &model->data;

	for (size_t i = 0; i < data->cell_count; i++) {
		const struct report_cell_row *cell = &data->cells[i];

		if (cell->step != step->index || !cell->valid)
			continue;
		report_block_add(page, BLOCK_NOTE, TONE_PLAIN,
				 report_text(model, "%s%s for %s: %s IOPS, %s MB/s.",
					     cell->label, load_text(model, cell),
					     report_duration(model, cell->elapsed_ns),
					     report_number(model, cell->iops),
					     report_number(model, cell->mb_per_s)));
		return;
	}
}

void report_histogram_page(struct report_model *model, const struct report_test *test,
			   const struct report_spec_page *spec)
{
	struct report_page *page = report_page_add(model, spec->kind, spec->title, test);
	const struct report_step *step = report_step_named(test, spec->step);
	struct report_plot *plot;
	struct bars bars;

	if (step == NULL || step->hist == NULL) {
		report_block_add(page, BLOCK_NOTE, TONE_WARN,
				 "The step of this page is not in the plan.");
		return;
	}
	bars = bars_of(step->hist);
	plot = draw(model, &bars, page->id, spec->confidence);
	report_plot_prepare(model, plot);
	/* the lowest bar is one too; room for the names of the lines over the bars */
	plot->y.low *= 0.5;
	plot->y.high *= pow(plot->y.high, 0.35);
	report_block_plot(page, plot);
	if (plot->cannot != NULL)
		return;
	page->beside = true;
	level_table(model, page, step->hist);
	bin_table(model, page, &bars);
	facts_note(model, page, step);
	report_block_add(
		page, BLOCK_NOTE, TONE_PLAIN,
		report_text(model,
			    "Every completion is counted. A level is the time that so many of "
			    "the I/Os took at most, within 0.025 %%; mean, minimum and maximum "
			    "are exact. Bars are 1/%u of a decade wide; both axes of the bars "
			    "are logarithmic.",
			    HIST_BINS_DECADE / bars.together));
}
