/* Reading series. A value is taken as its decimal text says, never rounded first. */
#include "cli_series.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pts_text.h"

#define FIELDS_MAX 64
#define FILE_MAX   (256u << 20)
#define ROUND_MOST 1000000

struct row {
	const char *fields[FIELDS_MAX];
	unsigned count;
};

struct reader {
	const char *path;
	char *at;
	unsigned line; /* of the row that was read last */
	unsigned next_line;
};

/* One field, unquoted in place; returns where the row goes on, NULL for an open quote. */
static char *field(struct reader *reader, char *at, const char **ret_text)
{
	char *out = at;

	*ret_text = out;
	if (*at != '"') {
		while (*at && *at != ',' && *at != '\n' && *at != '\r')
			at++;
		return at;
	}
	for (at++; *at; at++) {
		if (*at == '"' && at[1] != '"') {
			*out = '\0';
			return at + 1;
		}
		if (*at == '"')
			at++;
		if (*at == '\n')
			reader->next_line++;
		*out++ = *at;
	}
	return NULL;
}

/* 1: a row, 0: the end, -errno */
static int next_row(struct reader *reader, struct row *ret_row, struct pts_err *err)
{
	char *at = reader->at;

	ret_row->count = 0;
	if (!*at)
		return 0;
	reader->line = reader->next_line;
	for (;;) {
		const char *text;
		char *end = field(reader, at, &text), stop;

		if (!end)
			return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
					"%s:%u: a quote is not closed", reader->path,
					reader->line);
		stop = *end;
		if (stop && !strchr(",\r\n", stop))
			return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
					"%s:%u: text behind a closing quote", reader->path,
					reader->line);
		*end = '\0';
		if (ret_row->count < FIELDS_MAX)
			ret_row->fields[ret_row->count++] = text;
		at = stop ? end + 1 : end;
		if (stop == ',')
			continue;
		if (stop == '\r' && *at == '\n')
			at++;
		reader->next_line++;
		reader->at = at;
		return 1;
	}
}

static int column(const struct row *head, const char *name)
{
	for (unsigned i = 0; i < head->count; i++)
		if (!strcmp(head->fields[i], name))
			return (int)i;
	return -1;
}

static struct cli_series *series_of(struct cli_series_file *file, const char *name)
{
	/* rows of one series mostly follow one another */
	for (size_t i = file->count; i-- > 0;)
		if (!strcmp(file->series[i].name, name))
			return &file->series[i];
	file->series = realloc(file->series, (file->count + 1) * sizeof(*file->series));
	if (!file->series)
		abort();
	file->series[file->count] =
		(struct cli_series){.name = strdup(name), .first_round = -1};
	return &file->series[file->count++];
}

static void grow(struct cli_series *series, size_t count)
{
	series->values = realloc(series->values, count * sizeof(*series->values));
	if (!series->values)
		abort();
	while (series->count < count)
		series->values[series->count++] = NAN;
}

static int put(struct cli_series *series, uint64_t round, double value)
{
	size_t index;

	if (series->first_round < 0) {
		series->first_round = (double)round;
		grow(series, 1);
		series->values[0] = value;
		return 0;
	}
	if ((double)round < series->first_round) {
		size_t shift = (size_t)(series->first_round - (double)round);
		size_t old = series->count;

		grow(series, old + shift);
		memmove(series->values + shift, series->values, old * sizeof(double));
		for (size_t i = 0; i < shift; i++)
			series->values[i] = NAN;
		series->first_round = (double)round;
	}
	index = (size_t)((double)round - series->first_round);
	if (index >= series->count)
		grow(series, index + 1);
	else if (!isnan(series->values[index]))
		return -EEXIST;
	series->values[index] = value;
	return 0;
}

static int take(struct reader *reader, struct cli_series_file *file, const struct row *row,
		const int *columns, struct pts_err *err)
{
	const char *text[3];
	double value = NAN;
	uint64_t round;

	for (int i = 0; i < 3; i++) {
		if (columns[i] >= (int)row->count)
			return pts_fail(err, PTS_EXIT_SPEC, EINVAL, "%s:%u: only %u fields",
					reader->path, reader->line, row->count);
		text[i] = row->fields[columns[i]];
	}
	if (pts_u64_parse(text[1], &round) < 0 || round > ROUND_MOST)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:%u: '%s' is no round number (0 to %d)", reader->path,
				reader->line, text[1], ROUND_MOST);
	if (*text[2] && pts_double_parse(text[2], &value) < 0)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:%u: '%s' is no decimal number (empty: a failed round)",
				reader->path, reader->line, text[2]);
	if (put(series_of(file, text[0]), round, value) < 0)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s:%u: round %s of series '%s' is there already", reader->path,
				reader->line, text[1], text[0]);
	return 0;
}

static int read_rows(struct reader *reader, struct cli_series_file *file, struct pts_err *err)
{
	static const char *const names[3] = {"series", "round", "value"};
	int columns[3] = {-1, -1, -1}, rc;
	struct row row;

	rc = next_row(reader, &row, err);
	if (rc == 0)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL, "%s:1: the file is empty",
				reader->path);
	for (int i = 0; i < 3 && rc > 0; i++) {
		columns[i] = column(&row, names[i]);
		if (columns[i] < 0)
			rc = pts_fail(
				err, PTS_EXIT_SPEC, EINVAL,
				"%s:1: no column '%s' (series, round and value are needed)",
				reader->path, names[i]);
	}
	while (rc > 0 && (rc = next_row(reader, &row, err)) > 0) {
		int taken;

		if (row.count == 1 && !row.fields[0][0])
			continue; /* an empty line */
		taken = take(reader, file, &row, columns, err);
		if (taken < 0)
			return taken;
	}
	return rc;
}

int cli_series_read(const char *path, struct cli_series_file *ret_file, struct pts_err *err)
{
	struct reader reader = {.path = path, .next_line = 1};
	char *text;
	size_t bytes;
	int rc = pts_file_read(path, FILE_MAX, &text, &bytes);

	*ret_file = (struct cli_series_file){0};
	if (rc)
		return pts_fail(err, PTS_EXIT_USAGE, -rc, "cannot read '%s': %s", path,
				pts_errno_text(-rc));
	if (strlen(text) != bytes) {
		free(text);
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s: a NUL byte: this is no CSV file", path);
	}
	reader.at = strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
	rc = read_rows(&reader, ret_file, err);
	free(text);
	if (rc < 0)
		cli_series_release(ret_file);
	return rc;
}

void cli_series_release(struct cli_series_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		free(file->series[i].name);
		free(file->series[i].values);
	}
	free(file->series);
	*file = (struct cli_series_file){0};
}
