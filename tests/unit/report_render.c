/* See report_render.h. */
#include "report_render.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json_schema.h"
#include "pts_text.h"
#include "report_scratch.h"

int render_setup(void **state)
{
	(void)state;
	setenv("SOURCE_DATE_EPOCH", "1796140800", 1);
	scratch_make();
	return 0;
}

int render_teardown(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

int write_report(const struct fake_options *fake, unsigned formats, const char *folder,
		 struct pts_err *err)
{
	struct store *store = fake_store_new(fake);
	const struct report_options options = {.formats = formats,
					       .out_dir = scratch_path(folder)};
	int result = report_write(store, &options, NULL, NULL, err);

	fake_store_free(store);
	return result;
}

void written(const struct fake_options *fake, unsigned formats, const char *folder)
{
	struct pts_err err = PTS_ERR_INIT;

	if (write_report(fake, formats, folder, &err) != 0)
		fail_msg("%s", err.text);
}

void written_with(const struct fake_options *fake, struct report_options options,
		  const char *folder)
{
	struct store *store = fake_store_new(fake);
	struct pts_err err = PTS_ERR_INIT;

	options.out_dir = scratch_path(folder);
	if (report_write(store, &options, NULL, NULL, &err) != 0)
		fail_msg("%s", err.text);
	fake_store_free(store);
}

json_t *report_json_of(const char *folder)
{
	char name[64];
	char text[800] = "";
	json_error_t error;
	json_t *root;

	snprintf(name, sizeof(name), "%s/report.json", folder);
	root = json_load_file(scratch_path(name), JSON_REJECT_DUPLICATES, &error);
	if (root == NULL)
		fail_msg("report.json: %s", error.text);
	if (!report_json_check(REPORT_SCHEMA, root, text, sizeof(text)))
		fail_msg("report.json: %s", text);
	return root;
}

const json_t *table_of(const json_t *root, const char *name)
{
	const json_t *tables = json_object_get(root, "tables");
	size_t i;
	json_t *one;

	json_array_foreach((json_t *)tables, i, one)
	{
		if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0)
			return one;
	}
	fail_msg("no table '%s'", name);
	return NULL;
}

char *csv_field(const char *text, unsigned record, unsigned field)
{
	struct pts_buf out = {0};
	unsigned r = 0, f = 0;
	bool quoted = false;

	pts_buf_puts(&out, "");
	for (; *text != '\0'; text++) {
		bool here = r == record && f == field;

		if (quoted && text[0] == '"' && text[1] == '"') {
			if (here)
				pts_buf_puts(&out, "\"");
			text++;
		} else if (*text == '"') {
			quoted = !quoted;
		} else if (!quoted && *text == ',') {
			f++;
		} else if (!quoted && text[0] == '\r' && text[1] == '\n') {
			r++;
			f = 0;
			text++;
		} else if (here) {
			pts_buf_add(&out, text, 1);
		}
	}
	return pts_buf_take(&out);
}

void check_nesting(const char *html)
{
	static const char *const empty[] = {"!DOCTYPE", "meta", "br", "?xml"};
	char open[64][32];
	unsigned depth = 0;

	for (const char *at = strchr(html, '<'); at != NULL; at = strchr(at + 1, '<')) {
		bool close = at[1] == '/';
		const char *name = at + 1 + close;
		size_t length = strcspn(name, " \t\n>/");
		const char *end = strchr(at, '>');
		bool is_empty = end != NULL && end[-1] == '/';

		if (strncmp(at, "<!--", 4) == 0)
			continue;
		if (strncmp(at, "<script>", 8) == 0) { /* its text is no markup */
			at = strstr(at, "</script>");
			assert_non_null(at);
			continue;
		}
		assert_non_null(end);
		for (unsigned i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
			if (strlen(empty[i]) == length && strncmp(name, empty[i], length) == 0)
				is_empty = true;
		}
		if (is_empty)
			continue;
		assert_true(length < 32);
		if (close) {
			assert_true(depth > 0);
			depth--;
			if (strlen(open[depth]) != length ||
			    strncmp(open[depth], name, length) != 0)
				fail_msg("</%.*s> closes <%s>", (int)length, name, open[depth]);
		} else {
			assert_true(depth < 64);
			snprintf(open[depth++], 32, "%.*s", (int)length, name);
		}
	}
	assert_int_equal(depth, 0);
}

unsigned pdf_pages(const char *pdf, size_t bytes)
{
	unsigned pages = 0;

	for (size_t i = 0; i + 12 < bytes; i++)
		pages += memcmp(pdf + i, "/Type /Page ", 12) == 0;
	return pages;
}
