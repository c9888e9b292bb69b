/*
 * The key table, second part: steps, axes, steady state and pages. No constant of a standard
 * may stand here.
 */
#include "spec_internal.h"
#include "spec_rows_internal.h"

const char *const spec_step_words[] = {"purge",  "load",  "rounds", "idle", "cycle",
				       "choose", "curve", "search", NULL};
const char *const spec_page_words[] = {
	"convergence", "window",   "matrix_table", "matrix_lines", "matrix_columns",
	"cell_bars",   "timeline", "histogram",    "recovery",     NULL};
static const char *const gap_words[] = {"step", "test", NULL};
static const char *const unsteady_words[] = {"stop", "continue", NULL};
static const char *const first_words[] = {"load", "sample", NULL};
static const char *const scale_words[] = {"linear", "log2", "log10", NULL};
static const char *const time_words[] = {"time", "written", "fills", NULL};
static const char *const x_words[] = {"rw_mix",  "block_size", "threads",  "queue_depth",
				      "iops",    "mb_per_s",   "lat_mean", "lat_p99999",
				      "lat_max", "cpu_system", NULL};

#define STEP(field) offsetof(struct spec_step_row, s.field)
#define OWN(field)  offsetof(struct spec_step_row, field)
#define PAGE(field) offsetof(struct spec_page, field)
#define STEP_NAME(ctx, def)                                                                    \
	ROW(ctx, "name", STEP(name), SPEC_TYPE_NAME, (def) ? 0 : REQUIRED, 0, 0, NULL, def,    \
	    "the phase in store and report; unique", )
#define Y(ctx, flag) PART(ctx, "y", LIST, flag, "metric, or a list of them, on the left axis")
#define Y2(ctx, flag)                                                                          \
	PART(ctx, "y2", LIST, flag, "metric, or a list of them, on the right axis")
#define ONE_STEP(ctx)                                                                          \
	NAME(ctx, "step", struct spec_page, step, REQUIRED, "the step that it shows")
#define AXIS(ctx, key, field, flag, text)                                                      \
	WORD(ctx, key, PAGE(field), spec_axis_words, NULL, flag, text)
#define SCALE(ctx, key, field)                                                                 \
	WORD(ctx, key, PAGE(field), scale_words, "linear", 0, "scale of the axis")
#define WHERE(ctx) PART(ctx, "where", BLOCK, 0, "only cells with these axis values")

static const struct spec_key_row rows[] = {
	NAME(WORK, "workload", struct spec_step_row, workload, REQUIRED,
	     "name of a workload, or $parameter"),
	NAME(WORK, "at", struct spec_step_row, s.at, STANDARD,
	     "threads and queue depth of this point of an earlier step 'choose'"),
	COUNT(WORK, "threads", struct spec_step_row, threads, STANDARD, 1, 1024, NULL,
	      "threads, where the workload does not say them"),
	COUNT(WORK, "queue_depth", struct spec_step_row, queue_depth, STANDARD, 1, 16384, NULL,
	      "outstanding I/Os of each thread, where the workload does not say them"),
	ROW(WORK, "rw_mix", OWN(read_pct), SPEC_TYPE_RW_MIX, STANDARD, 0, 0, SPEC_RANGE_RW_MIX,
	    NULL, "reads/writes, where the workload does not say them", ),
	ROW(WORK, "block_size", OWN(block_bytes), SPEC_TYPE_BYTES, STANDARD | SPEC_KEY_SECTORS,
	    512, BLOCK_MOST, BLOCK_RANGE, NULL,
	    "block size, where the workload does not say it", ),
	ROW(WORK, "histogram", STEP(keep_histogram), SPEC_TYPE_BOOL, 0, 0, 0, "true or false",
	    "false", "keep the whole distribution of the response times", ),

	ENUM(WORK, "on_gap", STEP(on_gap), gap_words, "step", STANDARD,
	     "after a stop: begin this step (of a loop the round) again, or the whole test"),

	STEP_NAME(PURGE, "purge"),

	STEP_NAME(LOAD, NULL),
	PART(LOAD, "until", BLOCK, REQUIRED, "what ends the load: the first that comes true"),
	PART(LOAD, "sampled", BLOCK, 0,
	     "groups of load and sample; a sample is a round's value"),
	TIME(LOAD, "record_every", struct spec_step_row, s.record_ns, STANDARD, NULL,
	     "time of one point of the plots (without it: 1s)"),
	COUNT(LOAD, "max_rounds", struct spec_step_row, s.max_rounds, STANDARD, 1, 1000000,
	      NULL, "samples after which the load ends without steady state"),
	ENUM(LOAD, "on_unsteady", STEP(on_unsteady), unsteady_words, "stop", STANDARD,
	     "after max_rounds: stop, or continue until steady"),

	ROW(UNTIL, "amount", offsetof(struct spec_stop_rules, amount), SPEC_TYPE_AMOUNT,
	    STANDARD, 0, 0, NULL, NULL, "so much is written", ),
	TIME(UNTIL, "time", struct spec_stop_rules, duration_ns, STANDARD, NULL,
	     "so much time has passed"),
	TIME(UNTIL, "latency", struct spec_stop_rules, latency_limit_ns, STANDARD, NULL,
	     "the mean latency of a record is above it"),
	PART(UNTIL, "steady", BLOCK, 0, "the samples are steady"),

	TIME(SAMPLED, "load", struct spec_step, sample_load_ns, REQUIRED | STANDARD, NULL,
	     "load between two samples"),
	TIME(SAMPLED, "sample", struct spec_step, sample_ns, REQUIRED | STANDARD, NULL,
	     "time of a sample"),
	WORD(SAMPLED, "first", SPEC_NO_PLACE, first_words, NULL, REQUIRED | STANDARD,
	     "which part of a group comes first"),

	STEP_NAME(ROUNDS, NULL),
	PART(ROUNDS, "axes", LIST, REQUIRED, "what is looped, the outer loop first"),
	TIME(ROUNDS, "cell_time", struct spec_step_row, s.cell_ns, REQUIRED | STANDARD, NULL,
	     "time of one cell"),
	COUNT(ROUNDS, "max_rounds", struct spec_step_row, s.max_rounds, REQUIRED | STANDARD, 1,
	      1000000, NULL, "rounds after which the loop may end without steady state"),
	ENUM(ROUNDS, "on_unsteady", STEP(on_unsteady), unsteady_words, "stop", STANDARD,
	     "after max_rounds: stop, or continue until steady"),
	PART(ROUNDS, "steady", BLOCK, REQUIRED, "when the loop ends"),
	PART(ROUNDS, "before_round", LIST, 0, "load steps before each round"),

	ROW(AXIS, "rw_mix", SPEC_NO_PLACE, SPEC_TYPE_RW_MIX, STANDARD, 0, 0, SPEC_RANGE_RW_MIX,
	    NULL, "reads/writes in %", ),
	PART(AXIS, "block_size", BYTES, STANDARD | SPEC_KEY_SECTORS, "block size"),
	ROW(AXIS, "threads", SPEC_NO_PLACE, SPEC_TYPE_COUNT, STANDARD, 1, 1024, "1 .. 1024",
	    NULL, "threads", ),
	PART(AXIS, "queue_depth", COUNT, STANDARD, "outstanding I/Os of each thread"),

	COUNT(STEADY, "window", struct spec_steady, window, REQUIRED | STANDARD, 2, 100, NULL,
	      "rounds that are looked at"),
	ROW(STEADY, "range", offsetof(struct spec_steady, range_share), SPEC_TYPE_SHARE,
	    REQUIRED | STANDARD, 1, SPEC_SHARE_WHOLE, "above 0% .. 100%", NULL,
	    "most that maximum and minimum differ, of the average", ),
	ROW(STEADY, "slope", offsetof(struct spec_steady, slope_share), SPEC_TYPE_SHARE,
	    REQUIRED | STANDARD, 1, SPEC_SHARE_WHOLE, "above 0% .. 100%", NULL,
	    "most that the fitted line rises or falls over the window, of the average", ),
	PART(STEADY, "track", LIST, REQUIRED, "the values that must be steady, all of them"),

	NAME(TRACK, "name", struct spec_track, name, REQUIRED, "name of the tracking variable"),
	ENUM(TRACK, "metric", offsetof(struct spec_track, metric), spec_metric_words, NULL,
	     REQUIRED | STANDARD, "what is tracked"),

	STEP_NAME(IDLE, NULL),
	TIME(IDLE, "time", struct spec_step_row, s.idle_ns, REQUIRED | STANDARD, NULL,
	     "how long nothing at all is issued"),

	STEP_NAME(CYCLE, NULL),
	TIME(CYCLE, "busy", struct spec_step_row, s.busy_ns, REQUIRED | STANDARD, NULL,
	     "time of the load"),
	TIME(CYCLE, "idle", struct spec_step_row, s.idle_ns, REQUIRED | STANDARD, NULL,
	     "time of the pause after it"),
	COUNT(CYCLE, "repeat", struct spec_step_row, s.repeat, REQUIRED | STANDARD, 1, 1000000,
	      NULL, "how often"),

	STEP_NAME(CHOOSE, NULL),
	NAME(CHOOSE, "from", struct spec_step_row, s.from, REQUIRED,
	     "the earlier step 'rounds' whose last window is looked at"),
	PART(CHOOSE, "points", LIST, REQUIRED, "the points, in the order of choosing"),
	NAME(POINT, "name", struct spec_point, name, REQUIRED, "name of the point; unique"),
	ENUM(POINT, "rule", offsetof(struct spec_point, rule), spec_rule_words, NULL,
	     REQUIRED | STANDARD,
	     "highest metric; the cell at axis values; nearest to the mean of two points"),
	ENUM(POINT, "metric", offsetof(struct spec_point, metric), spec_metric_words, NULL,
	     STANDARD, "of rules highest and nearest_mean"),
	TIME(POINT, "mean_latency_below", struct spec_point, latency_limit_ns, STANDARD, NULL,
	     "rule highest: only among cells below it"),
	PART(POINT, "between", LIST, STANDARD, "rule nearest_mean: two earlier points"),

	STEP_NAME(CURVE, NULL),
	PART(CURVE, "shares", LIST, REQUIRED | STANDARD,
	     "loads in % of the maximum, which is measured first; up to 1000%"),
	TIME(CURVE, "time", struct spec_step_row, s.cell_ns, REQUIRED | STANDARD, NULL,
	     "time of each point"),
	ROW(CURVE, "warmup", STEP(warmup_ns), SPEC_TYPE_TIME, 0, 0, DAYS, "0s .. 24h", "0s",
	    "load before each point, not measured", ),
	ROW(CURVE, "pause", STEP(idle_ns), SPEC_TYPE_TIME, 0, 0, DAYS, "0s .. 24h", "0s",
	    "idle before each point", ),

	STEP_NAME(SEARCH, NULL),
	ROW(SEARCH, "quantile", STEP(search_quantile), SPEC_TYPE_SHARE, REQUIRED, 1,
	    SPEC_SHARE_WHOLE, "above 0% .. 100%", NULL,
	    "quantile of the response times: 99%", ),
	TIME(SEARCH, "limit", struct spec_step_row, s.search_limit_ns, REQUIRED, NULL,
	     "the quantile must stay at or below it"),
	TIME(SEARCH, "time", struct spec_step_row, s.cell_ns, REQUIRED, NULL,
	     "time of each point"),
	ROW(SEARCH, "warmup", STEP(warmup_ns), SPEC_TYPE_TIME, 0, 0, DAYS, "0s .. 24h", "0s",
	    "load before each point, not measured", ),
	COUNT(SEARCH, "points", struct spec_step_row, s.search_points, 0, 2, 1000, "16",
	      "points that the search may take"),

	PART(FOR_EACH, "variable", NAME, REQUIRED,
	     "name of the variable: $name, {name} in texts"),
	PART(FOR_EACH, "values", LIST, REQUIRED, "its values, in order"),
	PART(FOR_EACH, "steps", LIST, 0, "steps done for each value"),
	PART(FOR_EACH, "pages", LIST, 0, "pages made for each value"),

	WORD(PAGE, "kind", PAGE(kind), spec_page_words, NULL, REQUIRED, "what the page shows"),
	NAME(PAGE, "title", struct spec_page, title, REQUIRED, "title of the page"),

	ONE_STEP(CONVERGENCE),
	Y(CONVERGENCE, REQUIRED),
	AXIS(CONVERGENCE, "series", series, 0, "a line for each value of this axis"),
	WHERE(CONVERGENCE),

	ONE_STEP(WINDOW),
	NAME(WINDOW, "track", struct spec_page, track, REQUIRED, "the tracking variable"),
	ROW(WINDOW, "table", PAGE(table), SPEC_TYPE_BOOL, 0, 0, 0, "true or false", "true",
	    "with the table of the steady-state determination", ),

	ONE_STEP(MATRIX_TABLE),
	Y(MATRIX_TABLE, REQUIRED),
	AXIS(MATRIX_TABLE, "rows", rows, 0, "axis of the rows"),
	AXIS(MATRIX_TABLE, "columns", columns, REQUIRED, "axis of the columns"),
	WHERE(MATRIX_TABLE),

	ONE_STEP(MATRIX_LINES),
	WORD(MATRIX_LINES, "x", PAGE(x), x_words, NULL, REQUIRED, "an axis or a metric"),
	Y(MATRIX_LINES, REQUIRED),
	AXIS(MATRIX_LINES, "series", series, 0, "a line for each value of this axis"),
	SCALE(MATRIX_LINES, "x_scale", x_scale),
	SCALE(MATRIX_LINES, "y_scale", y_scale),
	WHERE(MATRIX_LINES),

	ONE_STEP(MATRIX_COLUMNS),
	AXIS(MATRIX_COLUMNS, "x", x, REQUIRED, "axis from left to right"),
	AXIS(MATRIX_COLUMNS, "z", z, REQUIRED, "axis from front to back"),
	Y(MATRIX_COLUMNS, REQUIRED),
	WHERE(MATRIX_COLUMNS),

	ONE_STEP(CELL_BARS),
	Y(CELL_BARS, REQUIRED),
	Y2(CELL_BARS, 0),

	NAME(TIMELINE, "step", struct spec_page, step, 0, "the step that it shows"),
	PART(TIMELINE, "steps", LIST, 0, "or several steps, in order"),
	PART(TIMELINE, "group", NAME, 0, "or all steps of the for_each with this variable"),
	WORD(TIMELINE, "x", PAGE(x), time_words, NULL, REQUIRED,
	     "time, bytes written since the purge, or drive fills"),
	Y(TIMELINE, REQUIRED),
	Y2(TIMELINE, 0),
	SCALE(TIMELINE, "y_scale", y_scale),

	ONE_STEP(HISTOGRAM),
	ROW(HISTOGRAM, "confidence", PAGE(confidence), SPEC_TYPE_BOOL, 0, 0, 0, "true or false",
	    "false", "with cumulative % and the marks of 3, 4 and 5 nines", ),

	PART(RECOVERY, "steps", LIST, REQUIRED, "the steps in order; the last one recovers"),
	Y(RECOVERY, REQUIRED),
	Y2(RECOVERY, 0),
	ROW(RECOVERY, "level", PAGE(level_share), SPEC_TYPE_SHARE, REQUIRED | STANDARD, 1,
	    SPEC_SHARE_WHOLE, "above 0% .. 100%", NULL,
	    "recovered: the first point that reaches this share of the first step's mean", ),
};

const struct spec_key_part spec_step_part = {rows, sizeof(rows) / sizeof(rows[0])};
