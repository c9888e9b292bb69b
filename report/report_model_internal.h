/*
 * The one model of pages, tables and plots that all writers share. Private to the report room.
 * Everything lives in one arena; strings are UTF-8 and unescaped (each writer escapes by its own
 * rule, report_escape_internal.h). A missing value is NaN with a reason, never 0.
 */
#ifndef REPORT_MODEL_INTERNAL_H
#define REPORT_MODEL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pts_arena.h"
#include "pts_err.h"
#include "report.h"

#define REPORT_UNKNOWN "not recorded"

enum report_tone {
	TONE_PLAIN,
	TONE_GOOD,
	TONE_WARN,
	TONE_BAD,
};

/* --- tables --- */
enum report_cell_kind {
	CELL_TEXT,
	CELL_NUMBER,  /* value holds it exactly, text as people read it */
	CELL_MISSING, /* text "n/a", reason says why */
};

struct report_cell {
	enum report_cell_kind kind;
	const char *text;
	double value;
	const char *reason;
	enum report_tone tone;
	const char *link; /* id of a page that the text leads to; NULL */
};

struct report_column {
	const char *key;   /* for JSON: "average_iops" */
	const char *title; /* for people: "Average" */
	const char *unit;  /* "" if none */
	bool is_number;    /* right aligned */
	double weight;     /* of the page's width; 0: as wide as its content */
};

struct report_table {
	const char *name; /* file stem: "iops-matrix" */
	const char *title;
	const char *corner; /* what stands over the columns of a matrix: "R/W mix"; NULL */
	const struct report_column *columns;
	unsigned column_count;
	struct report_cell *cells; /* row by row */
	unsigned row_count, row_room;
	bool is_pairs;      /* two columns, names and values: drawn without a head */
	bool first_is_head; /* the first column names the row */
	bool is_large;      /* the only thing on its page */
};

/* --- plots --- */
enum report_scale {
	SCALE_LINEAR,
	SCALE_LOG2,
	SCALE_LOG10,
};

struct report_tick {
	double at;
	const char *text;
};

#define REPORT_TICKS 80

struct report_axis {
	const char *label; /* with its unit */
	enum report_scale scale;
	double low, high; /* NaN until report_plot_prepare() */
	bool from_zero;
	bool is_upright; /* the names of its ticks */
	bool is_tight;   /* ends where the data end, not at a tick */
	bool is_clock;   /* minutes or hours: ticks at 15, 30, 60, not at 25 */
	struct report_tick ticks[REPORT_TICKS];
	unsigned tick_count; /* 0: report_plot_prepare() finds some */
};

enum report_role {
	ROLE_DATA,     /* one of several: colour, mark and dash by its rank */
	ROLE_MEASURED, /* the tracked values of a window */
	ROLE_AVERAGE,
	ROLE_BAND,   /* 110 % and 90 % of the average */
	ROLE_FIT,    /* least squares */
	ROLE_BARS,   /* filled bars that stand on the x axis */
	ROLE_SHARE,  /* a cumulative share */
	ROLE_SECOND, /* beside bars, on the right axis */
};

struct report_series {
	const char *name;
	enum report_role role;
	unsigned rank; /* among the data series */
	bool on_y2;    /* of the right axis */
	double *x, *y; /* NaN: a gap */
	double *x_end; /* ROLE_BARS: a bar goes from x to here */
	size_t count;
};

enum report_mark_kind {
	MARK_STRETCH, /* from ... to has a name: a step of several */
	MARK_SHADED,  /* the same, shaded: the steady window */
	MARK_LINE,    /* a value of x that has a name */
};

struct report_mark {
	enum report_mark_kind kind;
	double from, to;
	const char *text;
};

#define REPORT_MARKS 32

enum report_plot_kind {
	PLOT_LINES,
	PLOT_COLUMNS, /* 3D: x category, series = depth category, y = height */
};

struct report_plot {
	const char *name;
	enum report_plot_kind kind;
	struct report_axis x, y, z;
	struct report_axis y2; /* at the right, if has_y2 */
	bool has_y2;
	struct report_mark marks[REPORT_MARKS];
	unsigned mark_count;
	const char *series_title;
	struct report_series *series;
	unsigned series_count;
	const char *cannot;              /* why it is not drawn; NULL: it can be */
	const char *note;                /* what the drawing leaves out; NULL */
	const struct report_table *data; /* the same as a table, for text; NULL */
};

/* --- pages --- */
enum report_block_kind {
	BLOCK_BANNER,
	BLOCK_HEADING,
	BLOCK_TEXT,
	BLOCK_NOTE, /* a footnote */
	BLOCK_TABLE,
	BLOCK_PLOT,
};

struct report_block {
	enum report_block_kind kind;
	enum report_tone tone;
	const char *text;
	const struct report_table *table;
	unsigned first_row, row_count; /* of the table, after pagination */
	struct report_plot *plot;
};

#define REPORT_BLOCKS 64

struct report_test;

struct report_page {
	const char *id; /* unique: "iops-matrix-table" */
	const char *title;
	const char *kind;
	const struct report_test *test; /* NULL: the whole run */
	struct report_block blocks[REPORT_BLOCKS];
	unsigned block_count;
	unsigned number; /* from 1 */
	unsigned of_test_number, of_test_count;
	bool continued;
	bool beside; /* the plot stands at the left, the rest at its right; else tables below it */
};

struct report_pair {
	const char *name, *value;
	enum report_tone tone;
};

struct report_reasons {
	const char **items;
	unsigned count;
};

#define HEADER_COLUMNS 4
#define HEADER_PAIRS   12

struct report_header {
	const char *banner; /* "IOPS Test - Report Page" */
	const char *revision;
	struct report_pair top[8];
	unsigned top_count;
	struct {
		const char *title;
		struct report_pair pairs[HEADER_PAIRS];
		unsigned count;
	} columns[HEADER_COLUMNS];
	const char *status; /* "NOT COMPLIANT: 3 deviations" */
	enum report_tone status_tone;
	const char *not_a_drive; /* NULL for a drive */
	struct report_reasons labels;
};

/* --- what a store and its plan say --- */
struct report_fact {
	const char *key, *value;
};

struct report_facts {
	struct report_fact *items;
	unsigned count;
};

enum report_scope {
	SCOPE_DEVICE_BEFORE,
	SCOPE_DEVICE_AFTER,
	SCOPE_HOST_BEFORE,
	SCOPE_HOST_AFTER,
	SCOPE_ABOUT,
	SCOPES,
};

struct report_param {
	const char *name, *value, *standard, *clause, *basis, *binding, *help;
	bool overridden;
};

struct report_citation {
	const char *path, *value, *clause, *basis, *binding;
};

struct report_track {
	const char *name, *metric;
	int cell; /* -1: that cell can't run */
	int read_pct;
	uint64_t block_bytes;
};

struct report_plan_cell {
	int index;
	const char *label, *access, *reason, *data_pattern;
	bool applicable;
	int read_pct;
	uint64_t block_bytes;
	unsigned threads, queue_depth;
	uint64_t duration_ns, amount_bytes, start_bytes, span_bytes;
};

struct report_step {
	int index;
	const char *test, *phase, *kind;
	struct report_plan_cell *cells;
	unsigned cell_count;
	unsigned max_rounds, window;
	double range_share, slope_share;
	struct report_track *tracks;
	unsigned track_count;
	bool judgeable;
	bool is_sampled; /* rounds are pairs of load and sample */
	bool sample_first;
	uint64_t sample_ns; /* of such a pair, and the load */
	uint64_t sample_load_ns;
	uint64_t busy_ns, idle_ns; /* of a cycle */
	unsigned repeat;
	uint64_t record_ns;    /* span of a point over time; 0: a second */
	unsigned before_count; /* loads before each round: cells numbered behind the matrix */
	/* from the store */
	bool wants_points;
	struct report_point *points; /* in their order; only if wanted */
	size_t point_count;
	struct report_hist *hist; /* NULL: no page asks for it */
	bool begun, ended;
	const char *outcome; /* of a loop: "steady", "not steady", "amount", "time" */
	int rounds_closed;
	uint64_t elapsed_ns, bytes_written, max_gap_ns;
	/* verdict of a loop */
	bool is_loop; /* its rounds are judged */
	bool has_window;
	int first_round, last_round; /* the measurement window */
	bool judged, steady;
};

/* What happened in a span of a step, summed over reads and writes. */
struct report_point {
	int round, cell;
	uint64_t at_ns, span_ns; /* of the run's clock */
	uint64_t ios, bytes, written_bytes;
	double lat_sum_ns;
	uint64_t lat_max_ns;
};

/* The response times of one direction, or both, of a step. */
enum report_level {
	LEVEL_50,
	LEVEL_90,
	LEVEL_99,
	LEVEL_999,
	LEVEL_9999,
	LEVEL_99999,
	LEVELS,
};

#define HIST_BINS_DECADE 320 /* steps of 0.7 %; a page draws as many together as it must */
#define HIST_BINS        (12 * HIST_BINS_DECADE)

struct report_times {
	uint64_t count, min_ns, max_ns;
	double mean_ns; /* exact: sum / count */
	uint64_t level_ns[LEVELS];
};

struct report_hist {
	struct report_times dir[3]; /* reads, writes, both */
	uint64_t bin[HIST_BINS];    /* of both: bin i begins at 10^(i / HIST_BINS_DECADE) ns */
	const char *cannot;         /* NULL; or why there is none */
};

struct report_where {
	const char *axis; /* "rw_mix" */
	uint64_t value;
};

#define REPORT_METRICS 8

struct report_spec_page {
	const char *kind, *title, *step, *track, *x, *y, *z, *series, *rows, *columns, *x_scale,
		*y_scale;
	const char **steps; /* all of them; steps[0] is step */
	unsigned step_count;
	const char *ys[REPORT_METRICS], *y2s[REPORT_METRICS];
	unsigned y_count, y2_count;
	bool table, confidence;
	double level_share; /* recovery: of the mean of the first step */
	struct report_where where[4];
	unsigned where_count;
};

struct report_test {
	const char *name, *title, *standard, *revision, *section, *mode, *spec_file,
		*spec_sha256, *overrides_json, *description;
	struct report_param *params;
	unsigned param_count;
	struct report_citation *citations;
	unsigned citation_count;
	struct report_spec_page *pages;
	unsigned page_count;
	struct report_reasons labels; /* stamped on every page: "burst, not PTS" */
	struct report_step **steps;   /* those of this test */
	unsigned step_count;
	/* verdicts */
	struct report_step *loop; /* the main one of its loops, NULL: none */
	bool judged, steady;      /* all loops */
	bool compliant;
	struct report_reasons why_not;
	unsigned own_reasons; /* the first ones, which are no recorded deviations */
	struct report_header header;
};

struct report_cell_row {
	int step, round, cell;
	const char *role, *label, *access, *reason;
	int read_pct;
	uint64_t block_bytes;
	unsigned threads, queue_depth;
	uint64_t seed, started_ns, elapsed_ns, gap_ns, drain_ns, requested_ns, requested_bytes;
	bool valid;
	uint64_t ios, bytes, errors;
	double iops, mb_per_s, lat_mean_ns, cpu_system_pct;
	uint64_t lat_p50_ns, lat_p99_ns, lat_p999_ns, lat_p9999_ns, lat_p99999_ns, lat_min_ns,
		lat_max_ns;
	double read_iops, write_iops;
	uint64_t read_ios, write_ios, write_bytes;
};

struct report_choice {
	int step;
	const char *name, *rule;
	int cell; /* -1: none fits */
	unsigned threads, queue_depth;
	const char *metric;
	double value, lat_mean_ns;
	int first_round, last_round;
};

struct report_data {
	const struct store_run *run;
	struct report_facts facts[SCOPES];
	struct report_step *steps;
	unsigned step_count;
	struct report_test *tests;
	unsigned test_count;
	struct report_cell_row *cells; /* of valid rounds, by step, round, cell */
	size_t cell_count;
	struct store_steady *steady;
	unsigned steady_count;
	struct store_round_row *rounds;
	unsigned round_count;
	struct report_choice *choices;
	unsigned choice_count;
	struct store_deviation *deviations;
	unsigned deviation_count;
	struct store_event *events;
	unsigned event_count;
	struct store_io_error_row *io_errors;
	unsigned io_error_count;
	uint64_t errors_total;
};

struct store_io_error_row {
	int step, round, cell;
	struct store_io_error error;
};

struct report_model {
	struct pts_arena *arena;
	struct report_data data;
	uint64_t report_wall_ns;     /* the only "now" of a report; SOURCE_DATE_EPOCH holds */
	const char *title;           /* of the report */
	struct report_header header; /* of pages about the whole run */
	struct report_page **pages;
	unsigned page_count, page_room;
	struct report_table **tables; /* every one, also those on no page: for CSV */
	unsigned table_count, table_room;
	bool letter;
};

/* report_query.c: everything of a store but histograms and samples. */
int report_query(struct store *store, struct report_model *model, struct pts_err *err);
/* report_select.c: leaves only what belongs to one test, before the plan is read. */
int report_select(struct report_model *model, const char *name, struct pts_err *err);
/* report_plan.c: the plan's JSON into data->tests and data->steps (already there by name). */
int report_plan_read(struct report_model *model, struct pts_err *err);
/* report_points.c: the samples of the steps that a page shows over time. */
int report_points_query(struct store *store, struct report_model *model, struct pts_err *err);
/* Does the page kind show steps over time? */
bool report_shows_points(const struct report_spec_page *page);
/* A step that a page names: itself, or the loop before whose rounds that load is done (then
 * *ret_before). NULL: neither. */
struct report_step *report_point_step(const struct report_test *test, const char *name,
				      bool *ret_before);
bool report_is_before(const struct report_step *step, int cell);
/* Bytes that a test wrote since its purge, up to the begin of a step. */
uint64_t report_written_before(const struct report_data *data, const struct report_test *test,
			       const struct report_step *step);
/* A metric of a point as it is stored (ns); NaN: not recorded over time. */
double report_point_metric(const struct report_point *point, const char *metric);
/* report_hist.c: the response times of the steps that a page shows as a histogram. */
int report_hist_query(struct store *store, struct report_model *model, struct pts_err *err);
/* 0.999 */
double report_level_quantile(enum report_level level);
double report_bin_low_ns(unsigned bin);
/* items with room for one more than count: doubled in the arena when it is full. */
void *report_room_for_one(struct report_model *model, void *items, size_t count, size_t size);
const char *report_fact(const struct report_data *data, enum report_scope scope,
			const char *key);
const struct report_cell_row *report_find_cell(const struct report_data *data, int step,
					       int round, int cell);
/* Mean of a metric over the window rounds of a loop; NaN with a reason if a round has no value. */
double report_window_mean(const struct report_model *model, const struct report_step *loop,
			  const struct report_plan_cell *cell, const char *metric,
			  const char **ret_reason);
/* Is a cell among those that the page's `where` keeps? */
bool report_where_matches(const struct report_spec_page *spec,
			  const struct report_plan_cell *cell);
/* The cell of a round that is judged: of a sampled loop the sample, whatever the track says. */
int report_judged_cell(const struct report_step *loop, int cell);
/* The step of that name; NULL: none. */
const struct report_step *report_step_named(const struct report_test *test, const char *phase);
double report_metric(const struct report_cell_row *row, const char *metric);
const struct store_steady *report_steady(const struct report_data *data, int step,
					 const char *track, int last_round);

/* report_verdict.c: windows, steady yes or no, compliant or why not. */
void report_verdicts(struct report_model *model);
const char *report_not_a_drive(const struct report_model *model);

/* report_header.c */
void report_headers(struct report_model *model);

/* report_pages.c and its like: data -> pages. */
void report_pages(struct report_model *model);
/* report_headline.c: tables of the summary page. */
void report_result_table(struct report_model *model, struct report_page *page);
void report_headline_table(struct report_model *model, struct report_page *page);
void report_summary_page(struct report_model *model);
/* "Nth loop: why it has no window" in one sentence. */
const char *report_no_window(struct report_model *model, const struct report_step *loop);
/* report_contents.c: the page, its rows when all pages are there, their numbers when they are laid
 * out. */
void report_contents_page(struct report_model *model);
void report_contents_fill(struct report_model *model);
void report_contents_number(struct report_model *model);
/* The statement that steady state was not reached, at the head of every page of such a test. */
void report_unsteady_banners(struct report_model *model);
void report_setup_pages(struct report_model *model);
void report_deviation_page(struct report_model *model);
void report_event_page(struct report_model *model);
void report_extra_tables(struct report_model *model);
void report_window_page(struct report_model *model, const struct report_test *test,
			const struct report_spec_page *spec);
void report_matrix_table_page(struct report_model *model, const struct report_test *test,
			      const struct report_spec_page *spec);
void report_matrix_plot_page(struct report_model *model, const struct report_test *test,
			     const struct report_spec_page *spec);
void report_recovery_page(struct report_model *model, const struct report_test *test,
			  const struct report_spec_page *spec);
void report_cell_bars_page(struct report_model *model, const struct report_test *test,
			   const struct report_spec_page *spec);
void report_histogram_page(struct report_model *model, const struct report_test *test,
			   const struct report_spec_page *spec);
/* report_choices.c: a page for each step that chose points. */
void report_choice_pages(struct report_model *model, const struct report_test *test);
void report_timeline_page(struct report_model *model, const struct report_test *test,
			  const struct report_spec_page *spec);
void report_convergence_page(struct report_model *model, const struct report_test *test,
			     const struct report_spec_page *spec);

/* report_model.c: building blocks. */
struct report_page *report_page_add(struct report_model *model, const char *kind,
				    const char *title, const struct report_test *test);
struct report_block *report_block_add(struct report_page *page, enum report_block_kind kind,
				      enum report_tone tone, const char *text);
void report_block_table(struct report_page *page, const struct report_table *table);
void report_block_plot(struct report_page *page, struct report_plot *plot);
struct report_table *report_table_new(struct report_model *model, const char *name,
				      const char *title, const struct report_column *columns,
				      unsigned column_count);
/* The cells of a new row, all empty text. */
struct report_cell *report_row_add(struct report_model *model, struct report_table *table);
const char *report_text(struct report_model *model, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *report_slug(struct report_model *model, const char *text);
/* Numbers the reasons of a table's missing cells and lists them as notes of the page. */
void report_footnotes(struct report_model *model, struct report_page *page,
		      struct report_table *table);
void cell_text(struct report_cell *cell, const char *text);
void cell_number(struct report_model *model, struct report_cell *cell, double value);
void cell_count(struct report_model *model, struct report_cell *cell, uint64_t value);
void cell_shown(struct report_cell *cell, double value, const char *text);
void cell_missing(struct report_cell *cell, const char *reason);
/* Five significant digits, thousands separated, whole digits never cut off. */
const char *report_number(struct report_model *model, double value);
const char *report_block_size(struct report_model *model, uint64_t bytes); /* "4 KiB" */
const char *report_block_tick(struct report_model *model, uint64_t bytes); /* "0.5" (KiB) */
const char *report_mix(struct report_model *model, int read_pct);          /* "65/35" */
const char *report_wall(struct report_model *model, uint64_t wall_ns);
const char *report_duration(struct report_model *model, uint64_t ns);
const char *report_capacity(struct report_model *model, uint64_t bytes);
const char *
report_metric_title(const char *metric); /* "IOPS", "MB/s", "Average response time" */
const char *report_metric_unit(const char *metric); /* "IOPS", "MB/s", "ms" */
const char *report_metric_label(struct report_model *model, const char *metric);
double report_metric_scale(const char *metric); /* stored value x scale = shown value */

/* report_layout.c: splits pages that are too tall and numbers them all. */
void report_paginate(struct report_model *model);

/* report_plot_data.c: ranges, ticks, log guards, decimation; sets cannot and note. */
void report_plot_prepare(struct report_model *model, struct report_plot *plot);

/* Makes the whole model. */
int report_model_make(struct store *store, const struct report_options *options,
		      struct report_model **ret_model, struct pts_err *err);
void report_model_free(struct report_model *model);

#endif
