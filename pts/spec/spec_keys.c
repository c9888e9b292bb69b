/*
 * The key table: every key of the language with its type, unit, range, default and help. The
 * reader, `pts spec keys` and the man page are fed by it. Limits here are the language's own;
 * no constant of a standard may stand here. (Steps and pages: spec_keys_steps.c.)
 */
#include <stdio.h>
#include <string.h>

#include "spec_internal.h"
#include "spec_rows_internal.h"

const char *const spec_rule_words[] = {"highest", "cell", "nearest_mean", NULL};
const char *const spec_metric_words[] = {"iops",    "mb_per_s",   "lat_mean", "lat_p99999",
					 "lat_max", "cpu_system", NULL};
const char *const spec_axis_words[] = {"rw_mix", "block_size", "threads", "queue_depth", NULL};
const char *const spec_basis_words[] = {"none", "confirmed", "implemented", "choice", NULL};
const char *const spec_binding_words[] = {"free", "recommended", "fixed", NULL};
static const char *const basis_words[] = {"confirmed", "implemented", "choice", NULL};
static const char *const cache_words[] = {"disabled", "enabled", NULL};
static const char *const pattern_words[] = {"random", "zero", NULL};
static const char *const arrival_words[] = {"closed_loop", "exponential", "constant", NULL};

const struct spec_context_row spec_context_rows[SPEC_CONTEXTS] = {
	[SPEC_IN_FILE] = {"file", SPEC_IN_FILE, false, "the file"},
	[SPEC_IN_MODE] = {"mode", SPEC_IN_MODE, false, "a mode"},
	[SPEC_IN_SOURCE] = {"source", SPEC_IN_SOURCE, true, "a source"},
	[SPEC_IN_VALUE] = {"value", SPEC_IN_VALUE, true, "a value with its source"},
	[SPEC_IN_PARAMETER] = {"parameter", SPEC_IN_VALUE, true, "a parameter"},
	[SPEC_IN_PATTERN] = {"pattern", SPEC_IN_PATTERN, true, "an access pattern"},
	[SPEC_IN_WORKLOAD] = {"workload", SPEC_IN_PATTERN, true, "a workload"},
	[SPEC_IN_STREAM] = {"stream", SPEC_IN_PATTERN, true, "a stream"},
	[SPEC_IN_SIZE] = {"size", SPEC_IN_SIZE, true, "a size"},
	[SPEC_IN_ZONE] = {"zone", SPEC_IN_ZONE, true, "a zone"},
	[SPEC_IN_REGION] = {"region", SPEC_IN_REGION, true, "a region"},
	[SPEC_IN_STEP] = {"step", SPEC_IN_STEP, true, "a step"},
	[SPEC_IN_WORK] = {"step.work", SPEC_IN_STEP, true, "a step with a workload"},
	[SPEC_IN_PURGE] = {"step.purge", SPEC_IN_STEP, true, "a step 'purge'"},
	[SPEC_IN_LOAD] = {"step.load", SPEC_IN_WORK, true, "a step 'load'"},
	[SPEC_IN_UNTIL] = {"until", SPEC_IN_UNTIL, true, "'until'"},
	[SPEC_IN_SAMPLED] = {"sampled", SPEC_IN_SAMPLED, true, "'sampled'"},
	[SPEC_IN_ROUNDS] = {"step.rounds", SPEC_IN_WORK, true, "a step 'rounds'"},
	[SPEC_IN_AXIS] = {"axis", SPEC_IN_AXIS, false, "an axis"},
	[SPEC_IN_STEADY] = {"steady", SPEC_IN_STEADY, true, "'steady'"},
	[SPEC_IN_TRACK] = {"track", SPEC_IN_AXIS, true, "a track"},
	[SPEC_IN_IDLE] = {"step.idle", SPEC_IN_STEP, true, "a step 'idle'"},
	[SPEC_IN_CYCLE] = {"step.cycle", SPEC_IN_WORK, true, "a step 'cycle'"},
	[SPEC_IN_CHOOSE] = {"step.choose", SPEC_IN_STEP, true, "a step 'choose'"},
	[SPEC_IN_POINT] = {"point", SPEC_IN_AXIS, true, "a point"},
	[SPEC_IN_CURVE] = {"step.curve", SPEC_IN_WORK, true, "a step 'curve'"},
	[SPEC_IN_SEARCH] = {"step.search", SPEC_IN_WORK, true, "a step 'search'"},
	[SPEC_IN_FOR_EACH] = {"for_each", SPEC_IN_FOR_EACH, false, "'for_each'"},
	[SPEC_IN_PAGE] = {"page", SPEC_IN_PAGE, false, "a page"},
	[SPEC_IN_CONVERGENCE] = {"page.convergence", SPEC_IN_PAGE, false,
				 "a page 'convergence'"},
	[SPEC_IN_WINDOW] = {"page.window", SPEC_IN_PAGE, false, "a page 'window'"},
	[SPEC_IN_MATRIX_TABLE] = {"page.matrix_table", SPEC_IN_PAGE, false,
				  "a page 'matrix_table'"},
	[SPEC_IN_MATRIX_LINES] = {"page.matrix_lines", SPEC_IN_PAGE, false,
				  "a page 'matrix_lines'"},
	[SPEC_IN_MATRIX_COLUMNS] = {"page.matrix_columns", SPEC_IN_PAGE, false,
				    "a page 'matrix_columns'"},
	[SPEC_IN_CELL_BARS] = {"page.cell_bars", SPEC_IN_PAGE, false, "a page 'cell_bars'"},
	[SPEC_IN_TIMELINE] = {"page.timeline", SPEC_IN_PAGE, false, "a page 'timeline'"},
	[SPEC_IN_HISTOGRAM] = {"page.histogram", SPEC_IN_PAGE, false, "a page 'histogram'"},
	[SPEC_IN_RECOVERY] = {"page.recovery", SPEC_IN_PAGE, false, "a page 'recovery'"},
	[SPEC_IN_ABOUT] = {"about", SPEC_IN_ABOUT, false, "an about file"},
	[SPEC_IN_ASSUME] = {"assume", SPEC_IN_ASSUME, false, "a file of assumptions"},
	[SPEC_IN_ASSUME_CELL] = {"assume.cell", SPEC_IN_ASSUME_CELL, false, "a cell"},
};

/* What several streams of one workload share, and what a workload of one stream says itself. */
#define STREAM(name, field, ...)                                                               \
	ROW(PATTERN, name, offsetof(struct spec_stream, field), __VA_ARGS__)
#define WORKLOAD(name, field, ...)                                                             \
	ROW(WORKLOAD, name, offsetof(struct spec_workload, field), __VA_ARGS__)

static const struct spec_key_row rows[] = {
	TEXT(FILE, "title", struct spec, title, REQUIRED, "title of the test in reports"),
	TEXT(FILE, "standard", struct spec, standard, 0,
	     "the standard that the file follows; then each value that it fixes needs a "
	     "source"),
	TEXT(FILE, "section", struct spec, section, 0, "section of the standard"),
	TEXT(FILE, "description", struct spec, description, 0, "what the test does"),
	PART(FILE, "labels", LIST, 0, "texts stamped on every report, as 'not a PTS test'"),
	PART(FILE, "modes", BLOCK, 0, "what differs between enterprise and client"),
	PART(FILE, "parameters", BLOCK, 0, "named values; $name uses one, --set changes one"),
	PART(FILE, "workloads", BLOCK, 0, "named access patterns"),
	PART(FILE, "steps", LIST, REQUIRED, "what is done, in order"),
	PART(FILE, "pages", LIST, 0, "pages of the report, in order"),

	TEXT(MODE, "revision", struct spec, revision, 0,
	     "revision of the standard: PTS-E 2.0.2"),
	ENUM(MODE, "write_cache", 0, cache_words, NULL, STANDARD,
	     "volatile write cache of the drive: set before the test and recorded"),

	PART(SOURCE, "clause", TEXT, 0, "clause of the standard"),
	WORD(SOURCE, "basis", 0, basis_words, NULL, 0,
	     "how sure we are that the standard says so; wanted beside a clause"),
	WORD(SOURCE, "binding", 0, spec_binding_words, "fixed", 0,
	     "fixed: another value is a deviation; recommended: it is noted; free: operator's "
	     "choice"),
	PART(SOURCE, "note", TEXT, 0, "a remark for the audit"),

	PART(VALUE, "value", TEXT, REQUIRED, "the value, as it would stand without its source"),
	PART(PARAMETER, "help", TEXT, 0, "one line on the parameter"),

	{CTX(PATTERN), .name = "access", .type = SPEC_TYPE_ACCESS,
	 .flags = SPEC_KEY_REQUIRED | SPEC_KEY_STANDARD,
	 .offset = offsetof(struct spec_stream, random_share),
	 .range = "random, sequential or 70% random", .help = "random and sequential share"},
	PART(PATTERN, "rw_mix", RW_MIX, STANDARD, "reads/writes in % of the I/Os"),
	PART(PATTERN, "block_size", BYTES, STANDARD | SPEC_KEY_SECTORS,
	     "one size for every I/O"),
	PART(PATTERN, "sizes", LIST, 0, "several sizes with shares, instead of block_size"),
	PART(PATTERN, "read_sizes", LIST, 0, "sizes of the reads; with write_sizes"),
	PART(PATTERN, "write_sizes", LIST, 0, "sizes of the writes; with read_sizes"),
	PART(PATTERN, "zones", LIST, 0,
	     "spans with shares of the accesses, from the first LBA on"),
	STREAM("align", align_bytes, SPEC_TYPE_BYTES, SPEC_KEY_SECTORS, 512, 1ull << 30,
	       "512B .. 1GiB", NULL,
	       "offsets are multiples of it (without it: of the block size)"),
	PART(PATTERN, "region", BLOCK, 0, "part of the active range (without it: all of it)"),
	STREAM("read_hit", read_hit_share, SPEC_TYPE_SHARE, 0, 0, SPEC_SHARE_WHOLE,
	       "0% .. 100%", "0%",
	       "share of the reads that go to a block accessed a moment ago"),
	STREAM("think_time", think_ns, SPEC_TYPE_TIME, 0, 0, HOUR, "0s .. 1h", "0s",
	       "pause between a completion and the next I/O of the slot"),
	STREAM("rate", rate_iops, SPEC_TYPE_RATE, 0, 1, 1000000000, "1 IOPS .. 10^9 IOPS", NULL,
	       "open loop: I/Os a second, whatever completes (without it: closed loop)"),
	STREAM("arrivals", arrivals, SPEC_TYPE_ENUM, 0, 0, 0, NULL, "closed_loop",
	       "spacing of an open loop (rate, curve, search)", .words = arrival_words),

	COUNT(WORKLOAD, "threads", struct spec_workload, threads, STANDARD, 1, 1024, NULL,
	      "threads, each with its own queue"),
	COUNT(WORKLOAD, "queue_depth", struct spec_workload, queue_depth, STANDARD, 1, 16384,
	      NULL, "outstanding I/Os of each thread"),
	WORKLOAD("active_range", active_range_share, SPEC_TYPE_SHARE, SPEC_KEY_STANDARD, 1,
		 SPEC_SHARE_WHOLE, "above 0% .. 100%", "100%",
		 "part of the user capacity that is touched, from LBA 0"),
	WORKLOAD("data_pattern", data_pattern, SPEC_TYPE_WORD, SPEC_KEY_STANDARD, 0, 0, NULL,
		 "random", "payload of every write", .words = pattern_words),
	WORKLOAD("compressible", compressible_share, SPEC_TYPE_SHARE, 0, 0, SPEC_SHARE_WHOLE,
		 "0% .. 100%", "0%", "part of each block that is zeroes"),
	WORKLOAD("duplicate", duplicate_share, SPEC_TYPE_SHARE, 0, 0, SPEC_SHARE_WHOLE,
		 "0% .. 100%", "0%", "share of the writes that repeat an earlier block"),
	COUNT(WORKLOAD, "segments", struct spec_workload, segments, 0, 2, 1048576, NULL,
	      "spread the touched part over so many equal segments; with segment_share"),
	WORKLOAD("segment_share", segment_share, SPEC_TYPE_SHARE, 0, 1, SPEC_SHARE_WHOLE,
		 "above 0% .. 100%", NULL, "part of the active range that the segments cover"),
	WORKLOAD("carry_position", carry_position, SPEC_TYPE_BOOL, SPEC_KEY_STANDARD, 0, 0,
		 "true or false", "false", "sequential streams resume where they ended"),
	PART(WORKLOAD, "streams", LIST, 0, "several concurrent streams, instead of one"),

	NAME(STREAM, "name", struct spec_stream, name, REQUIRED, "name of the stream"),
	PART(STREAM, "weight", EXACT, 0,
	     "share of the I/Os; the weights of a workload are 100 % together"),
	COUNT(STREAM, "threads", struct spec_stream, threads, 0, 1, 1024, NULL,
	      "threads of this stream alone (without it: the workload's)"),
	COUNT(STREAM, "queue_depth", struct spec_stream, queue_depth, 0, 1, 16384, NULL,
	      "outstanding I/Os of each of its threads"),

	ROW(SIZE, "size", 0, SPEC_TYPE_BYTES,
	    SPEC_KEY_REQUIRED | SPEC_KEY_STANDARD | SPEC_KEY_SECTORS, 512, BLOCK_MOST,
	    BLOCK_RANGE, NULL, "block size"),
	ROW(SIZE, "share", sizeof(uint64_t), SPEC_TYPE_EXACT,
	    SPEC_KEY_REQUIRED | SPEC_KEY_STANDARD, 1, SPEC_SHARE_WHOLE, "above 0% .. 100%",
	    NULL, "share of the I/Os; the shares are 100 % together"),
	ROW(ZONE, "span", 0, SPEC_TYPE_EXACT, SPEC_KEY_REQUIRED | SPEC_KEY_STANDARD, 1,
	    SPEC_SHARE_WHOLE, "above 0% .. 100%", NULL, "part of the LBAs; 100 % together"),
	ROW(ZONE, "access", sizeof(uint64_t), SPEC_TYPE_EXACT,
	    SPEC_KEY_REQUIRED | SPEC_KEY_STANDARD, 0, SPEC_SHARE_WHOLE, "0% .. 100%", NULL,
	    "share of the accesses; 100 % together"),
	ROW(REGION, "start", 0, SPEC_TYPE_EXACT, 0, 0, SPEC_SHARE_WHOLE, "0% .. 100%", "0%",
	    "where it begins, of the active range"),
	ROW(REGION, "share", sizeof(uint64_t), SPEC_TYPE_EXACT, SPEC_KEY_REQUIRED, 1,
	    SPEC_SHARE_WHOLE, "above 0% .. 100%", NULL, "how long it is, of the active range"),

	ABOUT("operator", "who runs the test"),
	ABOUT("organisation", "the lab"),
	ABOUT("address", "place of testing"),
	ABOUT("sponsor", "who asked for the test"),
	ABOUT("auditor", "who audits it"),
	ABOUT("report_id", "number of the report"),
	ABOUT("test_id", "the lab's number of this test"),
	ABOUT("manufacturer", "maker of the drive, where the drive does not say it"),
	ABOUT("model", "model as sold"),
	ABOUT("form_factor", "2.5 inch U.2, M.2 2280, E1.S ..."),
	ABOUT("nand_type", "TLC, QLC ..."),
	ABOUT("features", "other features of the drive"),
	ABOUT("received", "date on which the drive was received"),
	ABOUT("condition", "condition of the drive as received"),
	ABOUT("system", "test system: maker and model"),
	ABOUT("motherboard", "its motherboard"),
	ABOUT("hba", "adapter between system and drive"),
	ABOUT("slot", "slot or bay of the drive"),
	ABOUT("peripherals", "other parts that matter"),
	ABOUT("ambient", "ambient temperature and air flow"),
	ABOUT("notes", "anything else, as paragraphs"),

	ASSUME("sequential_read", sequential_read, "speed of large sequential reads"),
	ASSUME("sequential_write", sequential_write, "speed of large sequential writes"),
	ASSUME("random_read", random_read, "speed of small random reads"),
	ASSUME("random_write", random_write, "speed of small random writes, in steady state"),
	ROW(ASSUME, "sequential_block", offsetof(struct spec_assume, sequential_block_bytes),
	    SPEC_TYPE_BYTES, SPEC_KEY_SECTORS, 512, BLOCK_MOST, BLOCK_RANGE, "128KiB",
	    "block size of the sequential speeds"),
	ROW(ASSUME, "random_block", offsetof(struct spec_assume, random_block_bytes),
	    SPEC_TYPE_BYTES, SPEC_KEY_SECTORS, 512, BLOCK_MOST, BLOCK_RANGE, "4KiB",
	    "block size of the random speeds"),
	TIME(ASSUME, "purge_time", struct spec_assume, purge_ns, 0, NULL, "time of a purge"),
	COUNT(ASSUME, "rounds", struct spec_assume, rounds, 0, 1, 1000000, NULL,
	      "rounds until steady state"),
	PART(ASSUME, "cells", LIST, 0, "loads that are known more exactly"),
	ROW(ASSUME_CELL, "access", offsetof(struct spec_assume_cell, random_share),
	    SPEC_TYPE_ACCESS, REQUIRED, 0, 0, "random, sequential or as 70% random", NULL,
	    "random or sequential"),
	ROW(ASSUME_CELL, "rw_mix", offsetof(struct spec_assume_cell, read_pct),
	    SPEC_TYPE_RW_MIX, REQUIRED, 0, 0, SPEC_RANGE_RW_MIX, NULL,
	    "reads/writes, % of the I/Os"),
	ROW(ASSUME_CELL, "block_size", offsetof(struct spec_assume_cell, block_bytes),
	    SPEC_TYPE_BYTES, REQUIRED | SPEC_KEY_SECTORS, 512, BLOCK_MOST, BLOCK_RANGE, NULL,
	    "block size"),
	COUNT(ASSUME_CELL, "threads", struct spec_assume_cell, threads, 0, 1, 1024, NULL,
	      "threads; without it any"),
	COUNT(ASSUME_CELL, "queue_depth", struct spec_assume_cell, queue_depth, 0, 1, 16384,
	      NULL, "outstanding I/Os of each thread; without it any"),
	ROW(ASSUME_CELL, "rate", offsetof(struct spec_assume_cell, rate), SPEC_TYPE_SPEED,
	    REQUIRED, 0, 0, SPEED_RANGE, NULL, "speed of this load, reads and writes together"),
};

enum {
	OWN_ROWS = sizeof(rows) / sizeof(rows[0]),
	ROWS_MOST = 256,
};

static const struct spec_key_row *row_at(unsigned index)
{
	if (index < OWN_ROWS)
		return &rows[index];
	index -= OWN_ROWS;
	return index < spec_step_part.count ? &spec_step_part.rows[index] : NULL;
}

const struct spec_key_row *spec_key_next(enum spec_context context,
					 const struct spec_key_row *after)
{
	bool passed = !after;
	const struct spec_key_row *row;

	for (unsigned i = 0; (row = row_at(i)); i++) {
		if (passed && row->context == context)
			return row;
		if (row == after)
			passed = true;
	}
	return NULL;
}

static const struct spec_key_row *own_row(enum spec_context context, const char *name)
{
	for (const struct spec_key_row *row = spec_key_next(context, NULL); row;
	     row = spec_key_next(context, row))
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

const struct spec_key_row *spec_key_row(enum spec_context context, const char *name)
{
	const struct spec_key_row *row = own_row(context, name);

	while (!row && spec_context_rows[context].parent != context) {
		context = spec_context_rows[context].parent;
		row = own_row(context, name);
	}
	return row;
}

const char *spec_key_nearest(enum spec_context context, const char *name)
{
	const char *names[128];
	size_t count = 0;
	bool sourced = spec_context_rows[context].sourced;

	for (;;) {
		for (const struct spec_key_row *row = spec_key_next(context, NULL);
		     row && count < 128; row = spec_key_next(context, row))
			names[count++] = row->name;
		if (spec_context_rows[context].parent == context)
			break;
		context = spec_context_rows[context].parent;
	}
	for (const struct spec_key_row *row = spec_key_next(SPEC_IN_SOURCE, NULL);
	     sourced && row && count < 128; row = spec_key_next(SPEC_IN_SOURCE, row))
		names[count++] = row->name;
	return pts_nearest(name, names, count);
}

static const char *unit_of(enum spec_type type)
{
	switch (type) {
	case SPEC_TYPE_BYTES:
		return "B KiB MiB GiB TiB kB MB GB TB";
	case SPEC_TYPE_TIME:
		return "ns us ms s min h";
	case SPEC_TYPE_SHARE:
	case SPEC_TYPE_EXACT:
		return "%";
	case SPEC_TYPE_AMOUNT:
		return "x capacity, % capacity, or bytes";
	case SPEC_TYPE_RATE:
		return "IOPS";
	case SPEC_TYPE_SPEED:
		return "IOPS, MB/s, GB/s";
	default:
		return "";
	}
}

static const char *const type_names[SPEC_TYPES] = {
	[SPEC_TYPE_TEXT] = "text",      [SPEC_TYPE_NAME] = "name",
	[SPEC_TYPE_BOOL] = "boolean",   [SPEC_TYPE_COUNT] = "count",
	[SPEC_TYPE_BYTES] = "size",     [SPEC_TYPE_TIME] = "time",
	[SPEC_TYPE_SHARE] = "share",    [SPEC_TYPE_EXACT] = "share",
	[SPEC_TYPE_RW_MIX] = "R/W mix", [SPEC_TYPE_AMOUNT] = "amount",
	[SPEC_TYPE_ACCESS] = "access",  [SPEC_TYPE_RATE] = "rate",
	[SPEC_TYPE_ENUM] = "word",      [SPEC_TYPE_WORD] = "word",
	[SPEC_TYPE_BLOCK] = "block",    [SPEC_TYPE_LIST] = "list",
	[SPEC_TYPE_SPEED] = "speed",
};

/* "random | zero" of a row's words; the texts live as long as the program. */
static const char *range_of(const struct spec_key_row *row)
{
	static char texts[64][160];
	static const struct spec_key_row *made[64];
	unsigned slot = 0;

	if (!row->words)
		return row->range ? row->range : "";
	while (slot < 63 && made[slot] && made[slot] != row)
		slot++;
	if (made[slot] == row)
		return texts[slot];
	made[slot] = row;
	texts[slot][0] = '\0';
	for (const char *const *word = row->words; *word; word++) {
		size_t used = strlen(texts[slot]);

		snprintf(texts[slot] + used, sizeof(texts[slot]) - used, "%s%s",
			 used ? " | " : "", *word);
	}
	return texts[slot];
}

const struct spec_key *spec_keys(unsigned *ret_count)
{
	static struct spec_key keys[ROWS_MOST];
	const struct spec_key_row *row;
	unsigned count = 0;

	for (; count < ROWS_MOST && (row = row_at(count)); count++) {
		keys[count] = (struct spec_key){
			.context = spec_context_rows[row->context].name,
			.name = row->name,
			.type = type_names[row->type],
			.unit = unit_of(row->type),
			.range = range_of(row),
			.standard = row->standard ? row->standard : "",
			.required = row->flags & SPEC_KEY_REQUIRED,
			.help = row->help,
		};
	}
	*ret_count = count;
	return keys;
}
