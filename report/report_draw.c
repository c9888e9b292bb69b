/*
 * Draws all plots of a report with one gnuplot: SVG for HTML, the whole PDF. Makes the SVG fit to
 * stand beside others in one document. Must not know stores.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot_internal.h"
#include "pts_clock.h"
#include "report_escape_internal.h"
#include "report_plot_internal.h"
#include "report_style_internal.h"
#include "report_write_internal.h"

#define SVG_WIDTH  1000
#define SVG_HEIGHT 470
#define SVG_BESIDE 640 /* width of a plot with a table beside it */
#define FILE_MAX   (64u << 20)

static void svg_script(struct pts_buf *buf, const struct report_plot *plot, bool beside,
		       unsigned number)
{
	int width = beside ? SVG_BESIDE : SVG_WIDTH;
	struct plot_frame frame = {width, SVG_HEIGHT, 0, width, 0, SVG_HEIGHT, 12.5};

	pts_buf_printf(
		buf, "set terminal svg size %d,%d dynamic noenhanced rounded font '%s,12.5'\n",
		width, SVG_HEIGHT, style_plot_font());
	pts_buf_printf(buf, "set output 'plot%u.svg'\n", number);
	plot_script(buf, plot, &frame);
	pts_buf_puts(buf, "unset output\n");
}

/* Attribute values that name or refer to an id, as gnuplot's SVG terminal writes them. */
static size_t id_prefix_at(const char *text)
{
	static const char *const marks[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#"};

	for (unsigned i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (strncmp(text, marks[i], strlen(marks[i])) == 0)
			return strlen(marks[i]);
	}
	return 0;
}

/*
 * From "<svg" on, without gnuplot's title and description, each id and reference prefixed by the
 * page: gnuplot gives the same ids to every file.
 */
static char *svg_adopt(const char *svg, const char *prefix)
{
	struct pts_buf out = {0};
	bool in_tag = false;
	const char *end;

	svg = strstr(svg, "<svg");
	pts_buf_puts(&out, "");
	while (svg != NULL && *svg != '\0') {
		size_t mark = in_tag ? id_prefix_at(svg) : 0;

		if (strncmp(svg, "<title>", 7) == 0 &&
		    (end = strstr(svg, "</title>")) != NULL) {
			svg = end + 8;
			continue;
		}
		if (strncmp(svg, "<desc>", 6) == 0 && (end = strstr(svg, "</desc>")) != NULL) {
			svg = end + 7;
			continue;
		}
		in_tag = *svg == '<' || (in_tag && *svg != '>');
		pts_buf_add(&out, svg, mark > 0 ? mark : 1);
		if (mark > 0)
			pts_buf_printf(&out, "%s-", prefix);
		svg += mark > 0 ? mark : 1;
	}
	return pts_buf_take(&out);
}

static struct report_plot *next_plot(const struct report_model *model, unsigned *page,
				     unsigned *block, const struct report_page **ret_page)
{
	for (; *page < model->page_count; (*page)++, *block = 0) {
		const struct report_page *at = model->pages[*page];

		while (*block < at->block_count) {
			const struct report_block *now = &at->blocks[(*block)++];

			if (now->kind == BLOCK_PLOT) {
				*ret_page = at;
				return now->plot;
			}
		}
	}
	return NULL;
}

static void whole_script(struct pts_buf *script, const struct report_model *model,
			 unsigned formats, unsigned *ret_plots)
{
	const struct report_page *page;
	const struct report_plot *plot;
	unsigned p = 0, b = 0, number = 0;

	pts_buf_puts(script, "set encoding utf8\n");
	while ((plot = next_plot(model, &p, &b, &page)) != NULL) {
		if (plot->cannot == NULL && (formats & REPORT_HTML))
			svg_script(script, plot, page->beside, number);
		number++;
	}
	if (formats & REPORT_PDF)
		report_pdf_script(script, model, "report.pdf");
	*ret_plots = number;
}

static int read_drawing(const char *folder, const char *name, char **ret_text,
			size_t *ret_bytes, struct pts_err *err)
{
	struct pts_buf path = {0};
	int result;

	pts_buf_printf(&path, "%s/%s", folder, name);
	result = pts_file_read(path.data, FILE_MAX, ret_text, ret_bytes);
	pts_buf_release(&path);
	if (result != 0)
		return pts_fail(err, PTS_EXIT_MISSING, -result, "gnuplot made no '%s': %s",
				name, pts_errno_text(-result));
	return 0;
}

static int collect_svg(const struct report_model *model, const char *folder,
		       struct report_drawings *drawings, struct pts_err *err)
{
	const struct report_page *page;
	const struct report_plot *plot;
	unsigned p = 0, b = 0, number = 0;
	int result = 0;

	while (result == 0 && (plot = next_plot(model, &p, &b, &page)) != NULL) {
		char name[32];
		char *raw = NULL;
		size_t bytes;

		snprintf(name, sizeof(name), "plot%u.svg", number);
		if (plot->cannot == NULL)
			result = read_drawing(folder, name, &raw, &bytes, err);
		if (raw != NULL)
			drawings->svg[number] = svg_adopt(raw, page->id);
		free(raw);
		number++;
	}
	return result;
}

/*
 * cairo dates a PDF with the time of writing; the report has one date, so that the same store
 * gives the same bytes. "/CreationDate (D:20261201102030Z)" keeps its length.
 */
static void set_pdf_date(const struct report_model *model, char *pdf, size_t bytes)
{
	static const char mark[] = "/CreationDate (D:";
	char *at = memmem(pdf, bytes, mark, sizeof(mark) - 1);
	char date[40];
	size_t digits = 0;

	pts_wall_text(model->report_wall_ns, date, sizeof(date));
	if (at == NULL || (size_t)(pdf + bytes - at) < sizeof(mark) + 14)
		return;
	at += sizeof(mark) - 1;
	for (const char *from = date; *from != '\0' && digits < 14; from++) {
		if (*from >= '0' && *from <= '9')
			at[digits++] = *from;
	}
}

int report_draw(const struct report_model *model, unsigned formats,
		struct report_drawings *ret_drawings, struct pts_err *err)
{
	struct pts_buf script = {0};
	char *folder = NULL;
	unsigned plots = 0;
	int result;

	memset(ret_drawings, 0, sizeof(*ret_drawings));
	if ((formats & (REPORT_HTML | REPORT_PDF)) == 0)
		return 0;
	whole_script(&script, model, formats, &plots);
	ret_drawings->count = plots;
	ret_drawings->svg = calloc(plots + 1, sizeof(char *));
	result = gnuplot_folder_make(&folder, err);
	if (result == 0)
		result = gnuplot_run(folder, script.data, script.length, err);
	if (result == 0 && (formats & REPORT_HTML))
		result = collect_svg(model, folder, ret_drawings, err);
	if (result == 0 && (formats & REPORT_PDF))
		result = read_drawing(folder, "report.pdf", &ret_drawings->pdf,
				      &ret_drawings->pdf_bytes, err);
	if (ret_drawings->pdf != NULL)
		set_pdf_date(model, ret_drawings->pdf, ret_drawings->pdf_bytes);
	gnuplot_folder_remove(folder);
	pts_buf_release(&script);
	if (result != 0)
		report_drawings_release(ret_drawings);
	return result;
}

void report_drawings_release(struct report_drawings *drawings)
{
	for (unsigned i = 0; drawings->svg != NULL && i < drawings->count; i++)
		free(drawings->svg[i]);
	free(drawings->svg);
	free(drawings->pdf);
	memset(drawings, 0, sizeof(*drawings));
}
