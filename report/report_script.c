/*
 * What report.html needs for its script: the script itself (report.js, built in), the policy that
 * lets this script run and no other, and the data of a plot that can be turned.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pts_hash.h"
#include "report_escape_internal.h"
#include "report_style_internal.h"
#include "report_write_internal.h"

extern const char report_js[]; /* made by the build */

static unsigned hex(char digit)
{
	return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a' + 10);
}

/* The SHA-256 of text in base64, as a policy wants it: 32 bytes are 43 characters and a '='. */
static void hash_base64(const char *text, char ret_text[45])
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char sum[PTS_SHA256_TEXT];
	unsigned bits = 0, count = 0, at = 0;

	pts_sha256_text(text, strlen(text), sum);
	for (unsigned i = 0; i < 64; i++) {
		bits = bits << 4 | hex(sum[i]);
		count += 4;
		if (count >= 6) {
			count -= 6;
			ret_text[at++] = digits[bits >> count & 63];
		}
	}
	ret_text[at++] = digits[bits << (6 - count) & 63];
	ret_text[at++] = '=';
	ret_text[at] = '\0';
}

/* Markup that got past the escaping could still neither run nor call anyone. */
void report_html_policy(struct pts_buf *buf)
{
	char hash[45];

	hash_base64(report_js, hash);
	pts_buf_printf(buf,
		       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
		       "'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'; base-uri "
		       "'none'; form-action 'none'\">\n",
		       hash);
}

void report_html_script(struct pts_buf *buf)
{
	pts_buf_puts(buf, "<script>");
	pts_buf_puts(buf, report_js);
	pts_buf_puts(buf, "</script>\n");
}

static json_t *text(const char *value)
{
	struct pts_buf plain = {0};
	json_t *string;

	escape_plain(&plain, value != NULL ? value : "", 0);
	string = json_string(plain.data);
	pts_buf_release(&plain);
	return string;
}

static json_t *names(const struct report_axis *axis)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < axis->tick_count; i++)
		json_array_append_new(list, text(axis->ticks[i].text));
	return list;
}

static json_t *heights(const struct report_axis *axis)
{
	json_t *object = json_object(), *ticks = json_array();

	for (unsigned i = 0; i < axis->tick_count; i++) {
		json_t *tick = json_array();

		if (axis->ticks[i].text[0] != '\0') {
			json_array_append_new(tick, json_real(axis->ticks[i].at));
			json_array_append_new(tick, text(axis->ticks[i].text));
			json_array_append(ticks, tick);
		}
		json_decref(tick);
	}
	json_object_set_new(object, "title", text(axis->label));
	json_object_set_new(object, "low", json_real(axis->low));
	json_object_set_new(object, "high", json_real(axis->high));
	json_object_set_new(object, "log", json_boolean(axis->scale != SCALE_LINEAR));
	json_object_set_new(object, "ticks", ticks);
	return object;
}

static void put_series(json_t *object, const struct report_plot *plot)
{
	json_t *colours = json_array(), *values = json_array();

	for (unsigned s = 0; s < plot->series_count; s++) {
		const struct report_series *series = &plot->series[s];
		json_t *row = json_array();

		for (size_t i = 0; i < series->count; i++)
			json_array_append_new(row, isfinite(series->y[i])
							   ? json_real(series->y[i])
							   : json_null());
		json_array_append_new(values, row);
		json_array_append_new(colours, text(style_series(plot, series).rgb));
	}
	json_object_set_new(object, "colours", colours);
	json_object_set_new(object, "values", values);
}

void report_html_columns(struct pts_buf *buf, const struct report_plot *plot)
{
	json_t *object = json_object();
	char *dump;

	json_object_set_new(object, "x", names(&plot->x));
	json_object_set_new(object, "z", names(&plot->z));
	json_object_set_new(object, "xTitle", text(plot->x.label));
	json_object_set_new(object, "zTitle", text(plot->z.label));
	json_object_set_new(object, "y", heights(&plot->y));
	json_object_set_new(object, "ink", text(style_ink()));
	json_object_set_new(object, "grid", text(style_grid()));
	json_object_set_new(object, "rule", text(style_rule()));
	put_series(object, plot);
	dump = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	pts_buf_puts(buf, " data-columns=\"");
	escape_html(buf, dump != NULL ? dump : "");
	pts_buf_puts(buf, "\"");
	free(dump);
}
