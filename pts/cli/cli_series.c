/* Series from CSV, judged window by window. The arithmetic is the judge room's alone. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_csv.h"
#include "cli_series.h"
#include "pts_text.h"

#define FILE_MOST   (256u << 20)
#define ROUNDS_MOST 1000000u

enum column { SERIES, ROUND, VALUE, COLUMNS };
static const char *const column_names[COLUMNS] = {"series", "round", "value"};

struct point {
	unsigned round, line;
	double value;
};

/* A series while its file is read. */
struct gathering {
	char *name;
	struct point *points;
	size_t count, room;
};

struct reading {
	const char *file;
	bool has_header;
	unsigned column[COLUMNS], field_count;
	struct gathering *all;
	size_t count, last;
};

static int header(struct reading *reading, const struct cli_csv_row *row, struct pts_err *err)
{
	for (int c = 0; c < COLUMNS; c++) {
		unsigned at = 0;

		while (at < row->count && strcmp(row->fields[at], column_names[c]) != 0)
			at++;
		if (at == row->count)
			return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
					"%s:%u: the header has no column '%s': comma separated "
					"columns series, round and value are needed",
					reading->file, row->line, column_names[c]);
		reading->column[c] = at;
	}
	reading->field_count = row->count;
	reading->has_header = true;
	return 0;
}

static struct gathering *series_named(struct reading *reading, const char *name)
{
	struct gathering *found = NULL;

	if (reading->count && !strcmp(reading->all[reading->last].name, name))
		return &reading->all[reading->last];
	for (size_t i = 0; i < reading->count && !found; i++)
		if (!strcmp(reading->all[i].name, name)) {
			found = &reading->all[i];
			reading->last = i;
		}
	if (found)
		return found;
	reading->all = realloc(reading->all, (reading->count + 1) * sizeof(*reading->all));
	if (!reading->all)
		abort();
	reading->last = reading->count++;
	reading->all[reading->last] = (struct gathering){.name = strdup(name)};
	if (!reading->all[reading->last].name)
		abort();
	return &reading->all[reading->last];
}

static void add_point(struct gathering *series, const struct point *point)
{
	if (series->count == series->room) {
		series->room = series->room ? series->room * 2 : 32;
		series->points = realloc(series->points, series->room * sizeof(*point));
		if (!series->points)
			abort();
	}
	series->points[series->count++] = *point;
}

static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return text + strspn(text, " \t");
}

static int data(struct reading *reading, const struct cli_csv_row *row, struct pts_err *err)
{
	struct point point = {.line = row->line, .value = NAN};
	char *round, *value;
	uint64_t number;

	if (row->count != reading->field_count)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:%u: %u fields where the header has %u", reading->file,
				row->line, row->count, reading->field_count);
	round = trimmed(row->fields[reading->column[ROUND]]);
	value = trimmed(row->fields[reading->column[VALUE]]);
	if (pts_u64_parse(round, &number) || number > ROUNDS_MOST)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:%u: round '%.40s' is no whole number from 0 to %u",
				reading->file, row->line, round, ROUNDS_MOST);
	if (*value && pts_double_parse(value, &point.value))
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:%u: value '%.40s' is no decimal number (empty: a failed "
				"round)",
				reading->file, row->line, value);
	point.round = (unsigned)number;
	add_point(series_named(reading, row->fields[reading->column[SERIES]]), &point);
	return 0;
}

static int take_row(void *ctx, const struct cli_csv_row *row, struct pts_err *err)
{
	struct reading *reading = ctx;

	return reading->has_header ? data(reading, row, err) : header(reading, row, err);
}

static int by_round(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Bytes that are no UTF-8 would be no JSON. */
static char *printable(const char *name)
{
	size_t length = strlen(name), room = length * 4 + 1;
	char *text = malloc(room);

	if (!text)
		abort();
	pts_printable(name, length, text, room);
	return text;
}

/* One value a round, from the first to the last that is named. */
static int densify(const struct reading *reading, struct gathering *from,
		   struct cli_series *ret_series, struct pts_err *err)
{
	unsigned first, last;

	qsort(from->points, from->count, sizeof(*from->points), by_round);
	for (size_t i = 1; i < from->count; i++)
		if (from->points[i].round == from->points[i - 1].round)
			return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
					"%s:%u: round %u of series '%.80s' is there already, "
					"in line %u",
					reading->file, from->points[i].line,
					from->points[i].round, from->name,
					from->points[i - 1].line);
	first = from->points[0].round;
	last = from->points[from->count - 1].round;
	*ret_series = (struct cli_series){
		.name = printable(from->name),
		.step = -1,
		.first_round = first,
		.count = last - first + 1,
	};
	ret_series->values = calloc(ret_series->count, sizeof(double));
	ret_series->fresh = calloc(ret_series->count, sizeof(bool));
	if (!ret_series->values || !ret_series->fresh)
		abort();
	for (size_t i = 0; i < ret_series->count; i++)
		ret_series->values[i] = NAN;
	for (size_t i = 0; i < from->count; i++)
		ret_series->values[from->points[i].round - first] = from->points[i].value;
	return 0;
}

static int keep_all(struct reading *reading, struct cli_series_list *list, struct pts_err *err)
{
	size_t have = list->count;

	if (!reading->has_header || !reading->count)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL, "%s:1: no rounds in this file",
				reading->file);
	list->all = realloc(list->all, (have + reading->count) * sizeof(*list->all));
	if (!list->all)
		abort();
	for (size_t i = 0; i < reading->count; i++) {
		int rc = densify(reading, &reading->all[i], &list->all[list->count], err);

		if (rc)
			return rc;
		list->count++;
	}
	return 0;
}

int cli_series_read_csv(const char *file, struct cli_series_list *list, struct pts_err *err)
{
	struct reading reading = {.file = file};
	char *text = NULL;
	size_t bytes = 0;
	int rc = pts_file_read(file, FILE_MOST, &text, &bytes);

	if (rc)
		return pts_fail(err, PTS_EXIT_USAGE, -rc, "cannot read '%s': %s", file,
				pts_errno_text(-rc));
	rc = cli_csv_parse(file, text, bytes, take_row, &reading, err);
	if (!rc)
		rc = keep_all(&reading, list, err);
	for (size_t i = 0; i < reading.count; i++) {
		free(reading.all[i].name);
		free(reading.all[i].points);
	}
	free(reading.all);
	free(text);
	return rc;
}

static void judge_one(struct cli_series *series)
{
	unsigned window = series->rule.window;

	series->windows = calloc(series->count, sizeof(*series->windows));
	series->has_window = calloc(series->count, sizeof(*series->has_window));
	if (!series->windows || !series->has_window)
		abort();
	for (size_t last = 0; last < series->count; last++) {
		bool across = last + 1 < window;

		/* a fresh round may be the first of a window, not a later one */
		for (size_t i = across ? 0 : last + 2 - window; !across && i <= last; i++)
			across = series->fresh[i];
		series->has_window[last] =
			!across && judge_series_at(series->values, series->count, last,
						   series->first_round, &series->rule,
						   &series->windows[last]) == 0;
	}
}

void cli_series_judge(struct cli_series_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		judge_one(&list->all[i]);
}

static bool steady_at(const struct cli_series *series, size_t round)
{
	size_t at = round - series->first_round;

	return round >= series->first_round && at < series->count && series->has_window[at] &&
	       series->windows[at].steady;
}

unsigned cli_series_first_steady(const struct cli_series *series, bool *ret_found)
{
	for (size_t i = 0; i < series->count; i++)
		if (steady_at(series, series->first_round + i)) {
			*ret_found = true;
			return (unsigned)(series->first_round + i);
		}
	*ret_found = false;
	return 0;
}

unsigned cli_series_all_steady(const struct cli_series_list *list, size_t from, size_t count,
			       bool *ret_found)
{
	const struct cli_series *first = &list->all[from];

	*ret_found = false;
	for (size_t i = 0; i < first->count && !*ret_found; i++) {
		size_t round = first->first_round + i, steady = 0;

		while (steady < count && steady_at(&list->all[from + steady], round))
			steady++;
		*ret_found = steady == count;
		if (*ret_found)
			return (unsigned)round;
	}
	return 0;
}

void cli_series_release(struct cli_series_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct cli_series *series = &list->all[i];

		free(series->name);
		free(series->test);
		free(series->phase);
		free(series->metric);
		free(series->values);
		free(series->fresh);
		free(series->windows);
		free(series->has_window);
	}
	free(list->all);
	*list = (struct cli_series_list){0};
}
