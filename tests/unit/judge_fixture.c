/* CSV files as rows of text. Must not judge anything. */
#include "judge_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pts_text.h"

/* Cuts one field off *at in place, quotes undone (RFC 4180); true if another one follows. */
static bool field(char **at, char **ret_field)
{
	char *from = *at, *to = *at, end;
	bool quoted = *from == '"';

	*ret_field = to;
	from += quoted;
	while (*from && (quoted || (*from != ',' && *from != '\n' && *from != '\r'))) {
		if (quoted && *from == '"' && *++from != '"') {
			quoted = false;
			continue;
		}
		*to++ = *from++;
	}
	if (*from == '\r')
		from++;
	end = *from;
	*at = end ? from + 1 : from;
	*to = '\0';
	return end == ',';
}

static void line(char **at, char **columns)
{
	size_t count = 0;

	while (count < CSV_COLUMNS && field(at, &columns[count]))
		count++;
	assert_true(count < CSV_COLUMNS);
}

void csv_read(struct csv *csv, const char *path)
{
	size_t bytes, lines = 0;
	char *at;

	*csv = (struct csv){0};
	if (pts_file_read(path, 16 << 20, &csv->text, &bytes) < 0)
		fail_msg("cannot read '%s'", path);
	for (at = csv->text; *at; at++)
		lines += *at == '\n';
	csv->rows = calloc(lines + 1, sizeof(*csv->rows));
	assert_non_null(csv->rows);
	at = csv->text;
	line(&at, csv->header);
	while (*at)
		line(&at, csv->rows[csv->row_count++]);
}

void csv_release(struct csv *csv)
{
	free(csv->rows);
	free(csv->text);
}

const char *csv_at(const struct csv *csv, size_t row, const char *column)
{
	for (size_t i = 0; i < CSV_COLUMNS && csv->header[i]; i++)
		if (!strcmp(csv->header[i], column))
			return csv->rows[row][i] ? csv->rows[row][i] : "";
	fail_msg("no column '%s'", column);
	return "";
}

double csv_number(const struct csv *csv, size_t row, const char *column)
{
	const char *text = csv_at(csv, row, column);
	double value = NAN;

	if (*text && pts_double_parse(text, &value) < 0)
		fail_msg("'%s' is no number", text);
	return value;
}

bool csv_true(const struct csv *csv, size_t row, const char *column)
{
	const char *text = csv_at(csv, row, column);

	return !strcmp(text, "True") || !strcmp(text, "1") || !strcmp(text, "Y");
}

size_t numbers_of(const char *text, double *ret_values, size_t room)
{
	size_t count = 0;

	while (*text) {
		char one[64];
		size_t length = strcspn(text, " ");

		assert_true(count < room && length < sizeof(one));
		memcpy(one, text, length);
		one[length] = '\0';
		assert_int_equal(pts_double_parse(one, &ret_values[count++]), 0);
		text += length + strspn(text + length, " ");
	}
	return count;
}

void expect_figure(const char *name, const char *figure, double got, double want, double size)
{
	double room = 1e-9 * fmax(fabs(want), size);

	if (!(fabs(got - want) <= room))
		fail_msg("%s: %s is %.17g, expected %.17g", name, figure, got, want);
}
