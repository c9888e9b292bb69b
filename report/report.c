/*
 * The reports of one store: makes the model once and hands it to each writer asked for. Files
 * appear whole or not at all. Must not know what is on a page.
 */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pts_clock.h"
#include "report_write_internal.h"

static const struct {
	const char *name;
	enum report_format format;
} formats[] = {
	{"html", REPORT_HTML}, {"pdf", REPORT_PDF},   {"csv", REPORT_CSV},
	{"json", REPORT_JSON}, {"text", REPORT_TEXT}, {"md", REPORT_MARKDOWN},
};

int report_formats_parse(const char *text, unsigned *ret_formats, struct pts_err *err)
{
	const char *at = text;

	*ret_formats = 0;
	while (*at != '\0') {
		size_t length = strcspn(at, ",");
		unsigned found = 0;

		for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
			if (strlen(formats[i].name) == length &&
			    strncmp(at, formats[i].name, length) == 0)
				found = formats[i].format;
		}
		if (found == 0)
			return pts_fail(
				err, PTS_EXIT_USAGE, EINVAL,
				"unknown report format '%.*s': use html, pdf, csv, json, "
				"text or md, separated by commas",
				(int)length, at);
		*ret_formats |= found;
		at += length;
		at += *at == ',';
	}
	if (*ret_formats == 0)
		return pts_fail(
			err, PTS_EXIT_USAGE, EINVAL,
			"no report format: use html, pdf, csv, json, text or md, separated by "
			"commas");
	return 0;
}

/* The one "now" of a report, fixed by SOURCE_DATE_EPOCH for reproducible files. */
static uint64_t report_date(void)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;

	if (epoch != NULL && pts_u64_parse(epoch, &seconds) == 0 &&
	    seconds < UINT64_MAX / PTS_NS_PER_S)
		return seconds * PTS_NS_PER_S;
	return pts_wall_ns();
}

int report_model_make(struct store *store, const struct report_options *options,
		      struct report_model **ret_model, struct pts_err *err)
{
	struct pts_arena *arena = pts_arena_new();
	struct report_model *model = PTS_ARENA_NEW(arena, struct report_model);
	int result;

	model->arena = arena;
	model->report_wall_ns = report_date();
	model->letter = options->paper != NULL && strcmp(options->paper, "letter") == 0;
	result = report_query(store, model, err);
	if (result == 0 && options->test != NULL)
		result = report_select(model, options->test, err);
	if (result == 0)
		result = report_plan_read(model, err);
	if (result == 0)
		result = report_points_query(store, model, err);
	if (result == 0)
		result = report_hist_query(store, model, err);
	if (result != 0) {
		report_model_free(model);
		return result;
	}
	report_verdicts(model);
	report_headers(model);
	report_pages(model);
	report_paginate(model);
	report_contents_number(model);
	*ret_model = model;
	return 0;
}

void report_model_free(struct report_model *model)
{
	if (model != NULL)
		pts_arena_free(model->arena);
}

struct output {
	const char *dir;
	void (*wrote)(void *ctx, const char *path);
	void *ctx;
};

static int make_folder(const char *path, struct pts_err *err)
{
	char *part = strdup(path);
	int result = 0;

	for (char *at = part + 1; result == 0; at++) {
		bool end = *at == '\0';

		if (*at != '/' && !end)
			continue;
		*at = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			result = -errno;
		if (end)
			break;
		*at = '/';
	}
	free(part);
	if (result != 0)
		return pts_fail(err, PTS_EXIT_USAGE, -result, "cannot make the folder '%s': %s",
				path, pts_errno_text(-result));
	return 0;
}

static int put_file(const struct output *output, const char *name, const void *data,
		    size_t bytes, struct pts_err *err)
{
	struct pts_buf path = {0};
	int result;

	pts_buf_printf(&path, "%s/%s", output->dir, name);
	result = pts_file_write(path.data, data, bytes);
	if (result != 0)
		pts_fail(err, PTS_EXIT_MISSING, -result, "cannot write '%s': %s", path.data,
			 pts_errno_text(-result));
	else if (output->wrote != NULL)
		output->wrote(output->ctx, path.data);
	pts_buf_release(&path);
	return result;
}

static int put_buf(const struct output *output, const char *name, struct pts_buf *buf,
		   struct pts_err *err)
{
	int result =
		put_file(output, name, buf->data != NULL ? buf->data : "", buf->length, err);

	pts_buf_release(buf);
	return result;
}

static int write_tables(const struct output *output, const struct report_model *model,
			const struct report_csv *options, struct pts_err *err)
{
	struct pts_buf folder = {0};
	int result;

	pts_buf_printf(&folder, "%s/tables", output->dir);
	result = make_folder(folder.data, err);
	pts_buf_release(&folder);
	for (unsigned i = 0; i < model->table_count && result == 0; i++) {
		struct pts_buf name = {0}, csv = {0};

		pts_buf_printf(&name, "tables/%s.csv", model->tables[i]->name);
		report_csv(&csv, model->tables[i], options);
		result = put_buf(output, name.data, &csv, err);
		pts_buf_release(&name);
	}
	return result;
}

static int write_all(const struct output *output, const struct report_model *model,
		     const struct report_options *options,
		     const struct report_drawings *drawings, struct pts_err *err)
{
	unsigned wanted = options->formats;
	struct pts_buf buf = {0};
	int result = 0;

	if (wanted & REPORT_HTML) {
		report_html(&buf, model, drawings);
		result = put_buf(output, "report.html", &buf, err);
	}
	if (result == 0 && (wanted & REPORT_PDF))
		result =
			put_file(output, "report.pdf", drawings->pdf, drawings->pdf_bytes, err);
	if (result == 0 && (wanted & REPORT_CSV))
		result = write_tables(output, model, &options->csv, err);
	if (result == 0 && (wanted & REPORT_JSON)) {
		result = report_json(&buf, model, err);
		if (result == 0)
			result = put_buf(output, "report.json", &buf, err);
	}
	if (result == 0 && (wanted & REPORT_TEXT)) {
		report_plain_text(&buf, model);
		result = put_buf(output, "report.txt", &buf, err);
	}
	if (result == 0 && (wanted & REPORT_MARKDOWN)) {
		report_markdown(&buf, model);
		result = put_buf(output, "report.md", &buf, err);
	}
	return result;
}

int report_write(struct store *store, const struct report_options *options,
		 void (*wrote)(void *ctx, const char *path), void *ctx, struct pts_err *err)
{
	struct output output = {options->out_dir, wrote, ctx};
	struct report_drawings drawings = {0};
	struct report_model *model = NULL;
	int result;

	if (options->paper != NULL && strcmp(options->paper, "a4") != 0 &&
	    strcmp(options->paper, "letter") != 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"unknown paper '%s': use a4 or letter", options->paper);
	result = report_model_make(store, options, &model, err);
	if (result == 0)
		result = report_draw(model, options->formats, &drawings, err);
	if (result == 0)
		result = make_folder(options->out_dir, err);
	if (result == 0)
		result = write_all(&output, model, options, &drawings, err);
	report_drawings_release(&drawings);
	report_model_free(model);
	return result;
}
