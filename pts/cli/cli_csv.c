/* RFC 4180 reader. Must not guess: another separator or a broken quote is a fault, with its line. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli_csv.h"

struct csv {
	const char *file, *at, *end;
	unsigned line;
	char *store; /* fields of the row, each NUL terminated */
	size_t used;
	char **fields;
	unsigned count, room;
	bool quoted; /* some field of the row was */
};

static int fault(const struct csv *csv, unsigned line, const char *text, struct pts_err *err)
{
	return pts_fail(err, PTS_EXIT_SPEC, EINVAL, "%s:%u: %s", csv->file, line, text);
}

static void open_field(struct csv *csv)
{
	if (csv->count == csv->room) {
		csv->room = csv->room ? csv->room * 2 : 16;
		csv->fields = realloc(csv->fields, csv->room * sizeof(*csv->fields));
		if (!csv->fields)
			abort();
	}
	csv->fields[csv->count++] = csv->store + csv->used;
}

static bool at_end_of_line(const struct csv *csv)
{
	return csv->at == csv->end || *csv->at == '\n' ||
	       (*csv->at == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n');
}

static int quoted_field(struct csv *csv, struct pts_err *err)
{
	unsigned opened = csv->line;

	csv->quoted = true;
	for (csv->at++; csv->at < csv->end; csv->at++) {
		if (*csv->at == '"') {
			if (csv->at + 1 == csv->end || csv->at[1] != '"') {
				csv->at++;
				if (!at_end_of_line(csv) && *csv->at != ',')
					return fault(csv, csv->line,
						     "text behind a closing quote", err);
				return 0;
			}
			csv->at++;
		}
		csv->line += *csv->at == '\n';
		csv->store[csv->used++] = *csv->at;
	}
	return fault(csv, opened, "a quote is opened here and never closed", err);
}

static int plain_field(struct csv *csv, struct pts_err *err)
{
	for (; !at_end_of_line(csv) && *csv->at != ','; csv->at++) {
		if (*csv->at == '"')
			return fault(csv, csv->line, "a quote inside an unquoted field", err);
		csv->store[csv->used++] = *csv->at;
	}
	return 0;
}

static int read_row(struct csv *csv, struct pts_err *err)
{
	csv->used = 0;
	csv->count = 0;
	csv->quoted = false;
	for (;;) {
		int rc;

		open_field(csv);
		rc = csv->at < csv->end && *csv->at == '"' ? quoted_field(csv, err)
							   : plain_field(csv, err);
		if (rc)
			return rc;
		csv->store[csv->used++] = '\0';
		if (at_end_of_line(csv))
			return 0;
		csv->at++; /* the comma */
	}
}

static void pass_line_end(struct csv *csv)
{
	if (csv->at < csv->end && *csv->at == '\r')
		csv->at++;
	if (csv->at < csv->end) {
		csv->at++;
		csv->line++;
	}
}

int cli_csv_parse(const char *file, const char *text, size_t bytes,
		  int (*row)(void *ctx, const struct cli_csv_row *row, struct pts_err *err),
		  void *ctx, struct pts_err *err)
{
	struct csv csv = {.file = file, .at = text, .end = text + bytes, .line = 1};
	int rc = 0;

	if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		csv.at += 3;
	if (memchr(text, '\0', bytes))
		return fault(&csv, 1, "a NUL byte: this is no text file", err);
	csv.store = malloc(bytes + 2);
	if (!csv.store)
		abort();
	while (!rc && csv.at < csv.end) {
		struct cli_csv_row found = {.line = csv.line};

		rc = read_row(&csv, err);
		pass_line_end(&csv);
		found.fields = csv.fields;
		found.count = csv.count;
		if (!rc && (csv.count > 1 || csv.quoted || csv.fields[0][0]))
			rc = row(ctx, &found, err);
	}
	free(csv.store);
	free(csv.fields);
	return rc;
}
