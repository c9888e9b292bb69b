/*
 * The report as one self-contained HTML5 file: inline SVG and CSS (screen and print),
 * nothing from the network. It reads whole without its script. All text is escaped by escape_html().
 */
#include <string.h>

#include "report_escape_internal.h"
#include "report_style_internal.h"
#include "report_write_internal.h"

extern const char report_css[]; /* made by the build from report.css */

static void tag(struct pts_buf *buf, const char *open, const char *text, const char *close)
{
	pts_buf_puts(buf, open);
	escape_html(buf, text);
	pts_buf_puts(buf, close);
}

static void style_element(struct pts_buf *buf, const struct report_model *model)
{
	const struct style_paper *paper = style_paper(model->letter);

	pts_buf_printf(buf, "<style>\n@page{size:%s;margin:9mm}\n", paper->css);
	/* what is inside the margins, less a little for rounding */
	pts_buf_printf(buf, ":root{--sheet:calc(%dpt - 19mm)}\n", (int)paper->height);
	pts_buf_printf(buf,
		       ":root{--ink:%s;--muted:%s;--rule:%s;--shade:%s;--grid:%s;--font:%s}\n",
		       style_ink(), style_muted(), style_rule(), style_shade(), style_grid(),
		       style_css_fonts());
	for (unsigned tone = TONE_PLAIN; tone <= TONE_BAD; tone++)
		pts_buf_printf(buf, ".t%u{color:%s}.f%u{background:%s;border-color:%s}\n", tone,
			       style_tone_ink(tone), tone, style_tone_fill(tone),
			       style_tone_ink(tone));
	pts_buf_puts(buf, report_css);
	pts_buf_puts(buf, "</style>\n");
}

static void pairs(struct pts_buf *buf, const char *open, const struct report_pair *list,
		  unsigned count)
{
	pts_buf_puts(buf, open);
	for (unsigned i = 0; i < count; i++) {
		tag(buf, "<div><dt>", list[i].name, "</dt>");
		tag(buf, "<dd>", list[i].value, "</dd></div>");
	}
	pts_buf_puts(buf, "</dl>");
}

static void flag(struct pts_buf *buf, enum report_tone tone, const char *text)
{
	pts_buf_printf(buf, "<span class=\"flag t%u f%u\">", tone, tone);
	tag(buf, "", text, "</span>");
}

static const struct report_header *head_of(const struct report_model *model,
					   const struct report_page *page)
{
	return page->test != NULL ? &page->test->header : &model->header;
}

static void header(struct pts_buf *buf, const struct report_model *model,
		   const struct report_page *page)
{
	const struct report_header *head = head_of(model, page);
	bool same = page->number > 1 && head == head_of(model, model->pages[page->number - 2]);

	pts_buf_puts(buf, same ? "<header class=\"head same\">" : "<header class=\"head\">");
	pts_buf_puts(buf, "<div class=\"bar\">"
			  "<div><b>SNIA Solid State Storage</b><br><span>Performance Test "
			  "Specification</span></div>");
	tag(buf, "<div class=\"name\">", head->banner, "</div>");
	tag(buf, "<div class=\"right\"><b>", head->revision, "</b><br><span>");
	pts_buf_printf(buf, "page %u of %u</span></div></div><div class=\"flags\">",
		       page->number, model->page_count);
	for (unsigned i = 0; i < head->labels.count; i++)
		flag(buf, TONE_WARN, head->labels.items[i]);
	if (head->not_a_drive != NULL)
		flag(buf, TONE_BAD, head->not_a_drive);
	flag(buf, head->status_tone, head->status);
	pts_buf_puts(buf, "</div>");
	pairs(buf, "<dl class=\"top\">", head->top, head->top_count);
	pts_buf_puts(buf, "<div class=\"cols\">");
	for (unsigned c = 0; c < HEADER_COLUMNS; c++) {
		tag(buf, "<div><h3>", head->columns[c].title, "</h3>");
		pairs(buf, "<dl>", head->columns[c].pairs, head->columns[c].count);
		pts_buf_puts(buf, "</div>");
	}
	pts_buf_puts(buf, "</div></header>\n");
}

static void table_head(struct pts_buf *buf, const struct report_table *table)
{
	pts_buf_puts(buf, "<thead>");
	if (table->corner != NULL) {
		pts_buf_printf(
			buf,
			"<tr><th class=\"corner\"></th><th class=\"corner\" colspan=\"%u\">",
			table->column_count - 1);
		tag(buf, "", table->corner, "</th></tr>");
	}
	pts_buf_puts(buf, "<tr>");
	for (unsigned c = 0; c < table->column_count; c++) {
		const struct report_column *column = &table->columns[c];

		tag(buf,
		    column->is_number ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">",
		    column->title, "");
		if (column->unit[0] != '\0' && table->corner == NULL &&
		    strstr(column->title, column->unit) == NULL)
			tag(buf, " (", column->unit, ")");
		pts_buf_puts(buf, "</th>");
	}
	pts_buf_puts(buf, "</tr></thead>\n");
}

static void table_cell(struct pts_buf *buf, const struct report_table *table, unsigned column,
		       const struct report_cell *cell)
{
	bool head = table->first_is_head && column == 0;
	bool number = table->columns[column].is_number && !table->is_pairs;
	char exact[40];

	pts_buf_printf(buf, "<%s class=\"t%u%s%s\"", head ? "th scope=\"row\"" : "td",
		       cell->tone, number ? " n" : "", cell->kind == CELL_MISSING ? " na" : "");
	if (cell->kind == CELL_NUMBER && pts_double_text(cell->value, exact, sizeof(exact)))
		pts_buf_printf(buf, " data-v=\"%s\"", exact);
	if (cell->kind == CELL_MISSING && cell->reason != NULL)
		tag(buf, " title=\"", cell->reason, "\"");
	pts_buf_puts(buf, cell->tone != TONE_PLAIN ? "><b>" : ">");
	if (cell->link != NULL)
		tag(buf, "<a href=\"#", cell->link, "\">");
	tag(buf, "", cell->text, cell->link != NULL ? "</a>" : "");
	pts_buf_puts(buf, cell->tone != TONE_PLAIN ? "</b>" : "");
	pts_buf_puts(buf, head ? "</th>" : "</td>");
}

static void html_table(struct pts_buf *buf, const struct report_block *block)
{
	const struct report_table *table = block->table;

	if (block->text != NULL)
		tag(buf, "<h4>", block->text, "</h4>\n");
	pts_buf_puts(buf, table->is_pairs   ? "<div class=\"wide\"><table class=\"pairs\""
			  : table->is_large ? "<div class=\"wide\"><table class=\"large\""
					    : "<div class=\"wide\"><table");
	if (!table->is_pairs && table->row_count > 1)
		tag(buf, " data-table=\"", table->name, "\"");
	pts_buf_puts(buf, ">");
	if (!table->is_pairs)
		table_head(buf, table);
	pts_buf_puts(buf, "<tbody>\n");
	for (unsigned r = block->first_row; r < block->first_row + block->row_count; r++) {
		pts_buf_puts(buf, "<tr>");
		for (unsigned c = 0; c < table->column_count; c++)
			table_cell(buf, table, c,
				   &table->cells[(size_t)r * table->column_count + c]);
		pts_buf_puts(buf, "</tr>\n");
	}
	pts_buf_puts(buf, "</tbody></table></div>\n");
}

static void plot(struct pts_buf *buf, const struct report_plot *drawn, const char *svg,
		 const char *title)
{
	if (svg == NULL) {
		tag(buf, "<p class=\"empty\">", drawn->cannot != NULL ? drawn->cannot : "",
		    "</p>\n");
		return;
	}
	tag(buf, "<figure role=\"img\" aria-label=\"", title, "\"");
	if (drawn->kind == PLOT_COLUMNS)
		report_html_columns(buf, drawn);
	pts_buf_puts(buf, ">");
	pts_buf_puts(buf, svg);
	pts_buf_puts(buf, "</figure>\n");
	if (drawn->note != NULL)
		tag(buf, "<p class=\"note\">", drawn->note, "</p>\n");
}

static void html_block(struct pts_buf *buf, const struct report_page *page,
		       const struct report_block *block, const char *svg)
{
	switch (block->kind) {
	case BLOCK_BANNER:
		pts_buf_printf(buf, "<p class=\"banner t%u f%u\">", block->tone, block->tone);
		tag(buf, "", block->text, "</p>\n");
		break;
	case BLOCK_HEADING:
		tag(buf, "<h4>", block->text, "</h4>\n");
		break;
	case BLOCK_TEXT:
		tag(buf, "<p>", block->text, "</p>\n");
		break;
	case BLOCK_NOTE:
		tag(buf, "<p class=\"note\">", block->text, "</p>\n");
		break;
	case BLOCK_TABLE:
		html_table(buf, block);
		break;
	case BLOCK_PLOT:
		plot(buf, block->plot, svg, page->title);
		break;
	}
}

/* The plot at the left, tables at its right, everything else around them. */
static void blocks(struct pts_buf *buf, const struct report_page *page,
		   const struct report_drawings *drawings, unsigned *plots)
{
	bool open = false;

	for (unsigned b = 0; b < page->block_count; b++) {
		const struct report_block *block = &page->blocks[b];
		const char *svg = NULL;
		bool is_plot = block->kind == BLOCK_PLOT;

		if (is_plot)
			svg = drawings->svg[(*plots)++];
		if (page->beside && is_plot)
			pts_buf_puts(buf, "<div class=\"beside\"><div>");
		if (open && block->kind != BLOCK_TABLE) {
			pts_buf_puts(buf, "</div></div>\n");
			open = false;
		}
		html_block(buf, page, block, svg);
		if (page->beside && is_plot) {
			pts_buf_puts(buf, "</div><div>\n");
			open = true;
		}
	}
	if (open)
		pts_buf_puts(buf, "</div></div>\n");
}

/* The plot is as high as the sheet lets it; beside a table it is as high as it is. */
static bool plot_fills(const struct report_page *page)
{
	for (unsigned b = 0; b < page->block_count; b++) {
		const struct report_block *block = &page->blocks[b];

		if (block->kind == BLOCK_PLOT && block->plot->cannot == NULL)
			return !page->beside;
	}
	return false;
}

static void section(struct pts_buf *buf, const struct report_model *model,
		    const struct report_page *page, const struct report_drawings *drawings,
		    unsigned *plots)
{
	const struct report_header *head = head_of(model, page);
	const char *more = page->continued ? " (continued)" : "";

	tag(buf, "<section id=\"", page->id, "\"");
	pts_buf_puts(buf, plot_fills(page) ? " class=\"plotted\">\n" : ">\n");
	header(buf, model, page);
	tag(buf, "<h2>", page->title, more);
	pts_buf_puts(buf, "</h2>\n");
	blocks(buf, page, drawings, plots);
	tag(buf, "<div class=\"foot\"><span>", head->columns[1].pairs[1].value, " \xC2\xB7 ");
	tag(buf, "", head->columns[1].pairs[2].value, "</span>");
	tag(buf, "<span>", page->title, more);
	pts_buf_puts(buf, "</span></div>\n</section>\n");
}

static void contents(struct pts_buf *buf, const struct report_model *model)
{
	const struct report_header *head = &model->header;
	const struct report_test *last = NULL;

	tag(buf, "<nav>\n<h1>", model->title, "</h1>\n");
	tag(buf, "<p>", head->columns[1].pairs[1].value, " \xC2\xB7 ");
	tag(buf, "", head->columns[1].pairs[2].value, " \xC2\xB7 ");
	tag(buf, "", head->revision, "</p>\n<ol>\n");
	for (unsigned i = 0; i < model->page_count; i++) {
		const struct report_page *page = model->pages[i];

		if (model->data.test_count > 1 && page->test != last) {
			tag(buf, "</ol>\n<h3>",
			    page->test != NULL ? page->test->title : "The run", "</h3>\n");
			pts_buf_printf(buf, "<ol start=\"%u\">\n", page->number);
		}
		last = page->test;
		tag(buf, "<li><a href=\"#", page->id, "\">");
		tag(buf, "", page->title, page->continued ? " (continued)" : "");
		pts_buf_puts(buf, "</a></li>\n");
	}
	pts_buf_puts(buf, "</ol>\n</nav>\n");
}

void report_html(struct pts_buf *buf, const struct report_model *model,
		 const struct report_drawings *drawings)
{
	unsigned plots = 0;

	pts_buf_puts(buf,
		     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta name=\"viewport\" content=\"width=device-width\">\n");
	tag(buf, "<title>", model->title, "");
	tag(buf, ": ", model->header.columns[1].pairs[1].value, "</title>\n");
	report_html_policy(buf);
	style_element(buf, model);
	pts_buf_puts(buf, "</head>\n<body>\n<main>\n");
	contents(buf, model);
	for (unsigned i = 0; i < model->page_count; i++)
		section(buf, model, model->pages[i], drawings, &plots);
	pts_buf_puts(buf, "</main>\n");
	report_html_script(buf);
	pts_buf_puts(buf, "</body>\n</html>\n");
}
