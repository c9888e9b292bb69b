/* The CSV reader: what is written by RFC 4180 comes back; random bytes do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli_csv.h"
#include "pts_hash.h"
#include "pts_text.h"

#define FIELDS_MOST 6
#define ROWS_MOST   8

struct table {
	char *cells[ROWS_MOST][FIELDS_MOST];
	unsigned fields[ROWS_MOST], rows;
};

static int take(void *ctx, const struct cli_csv_row *row, struct pts_err *err)
{
	struct table *table = ctx;

	(void)err;
	assert_true(table->rows < ROWS_MOST);
	for (unsigned i = 0; i < row->count; i++) {
		assert_true(i < FIELDS_MOST);
		table->cells[table->rows][i] = strdup(row->fields[i]);
	}
	table->fields[table->rows++] = row->count;
	return 0;
}

static void release(struct table *table)
{
	for (unsigned r = 0; r < table->rows; r++)
		for (unsigned i = 0; i < table->fields[r]; i++)
			free(table->cells[r][i]);
}

static int ignore(void *ctx, const struct cli_csv_row *row, struct pts_err *err)
{
	size_t *bytes = ctx;

	(void)err;
	for (unsigned i = 0; i < row->count; i++)
		*bytes += strlen(row->fields[i]);
	return 0;
}

static void random_cell(uint64_t *seed, char *text)
{
	static const char letters[] = "ab,\"\n 1.5\xc3\xa9";
	unsigned length = (unsigned)(pts_splitmix64(seed) % 6);

	for (unsigned i = 0; i < length; i++)
		text[i] = letters[pts_splitmix64(seed) % (sizeof(letters) - 1)];
	text[length] = '\0';
}

static void write_cell(struct pts_buf *buf, const char *text, bool always)
{
	if (!always && !strpbrk(text, ",\"\r\n")) {
		pts_buf_puts(buf, text);
		return;
	}
	pts_buf_puts(buf, "\"");
	for (; *text; text++) {
		if (*text == '"')
			pts_buf_puts(buf, "\"");
		pts_buf_add(buf, text, 1);
	}
	pts_buf_puts(buf, "\"");
}

/* One random table, written and read back. */
static void one_table(uint64_t seed)
{
	unsigned rows = 1 + (unsigned)(pts_splitmix64(&seed) % ROWS_MOST);
	unsigned fields = 2 + (unsigned)(pts_splitmix64(&seed) % (FIELDS_MOST - 1));
	const char *end = pts_splitmix64(&seed) % 2 ? "\r\n" : "\n";
	bool last_end = pts_splitmix64(&seed) % 2, mark = pts_splitmix64(&seed) % 2;
	char cells[ROWS_MOST][FIELDS_MOST][16];
	struct pts_err err = PTS_ERR_INIT;
	struct table table = {.rows = 0};
	struct pts_buf buf = {0};

	pts_buf_puts(&buf, mark ? "\xef\xbb\xbf" : "");
	for (unsigned r = 0; r < rows; r++) {
		for (unsigned i = 0; i < fields; i++) {
			random_cell(&seed, cells[r][i]);
			pts_buf_puts(&buf, i ? "," : "");
			write_cell(&buf, cells[r][i], pts_splitmix64(&seed) % 2);
		}
		pts_buf_puts(&buf, r + 1 < rows || last_end ? end : "");
	}
	assert_int_equal(cli_csv_parse("t", buf.data, buf.length, take, &table, &err), 0);
	assert_int_equal(table.rows, rows);
	for (unsigned r = 0; r < rows; r++) {
		assert_int_equal(table.fields[r], fields);
		for (unsigned i = 0; i < fields; i++)
			assert_string_equal(table.cells[r][i], cells[r][i]);
	}
	release(&table);
	pts_buf_release(&buf);
}

static void what_is_written_comes_back(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 3000; seed++)
		one_table(seed);
}

static void random_bytes_do_no_harm(void **state)
{
	static const char letters[] = "\",\r\na1 ";

	(void)state;
	for (uint64_t seed = 1; seed < 20000; seed++) {
		uint64_t at = seed;
		size_t length = pts_splitmix64(&at) % 24, got = 0;
		char *text = malloc(length ? length : 1); /* exact: a read beyond it is seen */
		struct pts_err err = PTS_ERR_INIT;

		for (size_t i = 0; i < length; i++)
			text[i] = letters[pts_splitmix64(&at) % (sizeof(letters) - 1)];
		if (cli_csv_parse("t", text, length, ignore, &got, &err))
			assert_int_equal(strncmp(err.text, "t:", 2), 0);
		assert_true(got <= length);
		free(text);
	}
}

static void lines_are_counted(void **state)
{
	static const char text[] = "a,b\n\"x\ny\",2\r\n\n3,\"\n";
	struct pts_err err = PTS_ERR_INIT;
	size_t got = 0;

	(void)state;
	assert_int_not_equal(cli_csv_parse("f", text, strlen(text), ignore, &got, &err), 0);
	assert_non_null(strstr(err.text, "f:5: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_comes_back),
		cmocka_unit_test(random_bytes_do_no_harm),
		cmocka_unit_test(lines_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
