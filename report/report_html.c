/*
 * The report as one self-contained HTML5 file: inline SVG and CSS (screen and print), no script,
 * nothing from the network. All text is escaped by escape_html().
 */
#include <string.h>

#include "report_escape_internal.h"
#include "report_style_internal.h"
#include "report_write_internal.h"

/* Everything but what style knows: fonts and colours come in as variables. */
static const char sheet[] =
	"*{box-sizing:border-box}\n"
	"body{margin:0;background:#e4e8ec;color:var(--ink);font:14px/1.45 var(--font)}\n"
	"main{max-width:1180px;margin:0 auto;padding:24px 16px}\n"
	"section,nav{background:#fff;margin:0 0 24px;padding:22px 26px 14px;"
	"box-shadow:0 1px 4px rgba(0,0,0,.18)}\n"
	"nav h1{font-size:24px;margin:0 0 2px}nav p{margin:0 0 12px;color:var(--muted)}\n"
	"nav ol{columns:2;column-gap:40px;margin:0 0 8px;padding-left:26px}\n"
	"nav a{color:inherit;text-decoration:none}nav a:hover{text-decoration:underline}\n"
	"nav li{padding:1px 0;break-inside:avoid}\n"
	".head{border-bottom:1.5px solid var(--muted);font-size:11px;line-height:1.35}\n"
	".bar{display:grid;grid-template-columns:1fr auto 1fr;align-items:start;gap:12px}\n"
	".bar b{font-size:13px}.bar span{color:var(--muted)}\n"
	".bar .name{font-size:19px;font-weight:700}.bar .right{text-align:right}\n"
	".flags{display:flex;justify-content:flex-end;gap:6px;margin:5px 0;flex-wrap:wrap}\n"
	".flag{padding:2px 9px;font-weight:700;font-size:11px}\n"
	"dl{margin:0}.top{display:grid;grid-template-columns:repeat(6,1fr);"
	"border-top:1px solid var(--rule);padding:4px 0}\n"
	".top div{padding:0 4px;overflow-wrap:anywhere}.top "
	"dt{color:var(--muted);font-size:10px}"
	".top dd{margin:0;font-weight:600}\n"
	".cols{display:grid;grid-template-columns:repeat(4,1fr);border-top:1px solid "
	"var(--rule)}\n"
	".cols>div{padding:0 6px 5px;border-left:1px solid var(--rule)}"
	".cols>div:first-child{border-left:0}\n"
	".cols h3{margin:0 -6px 3px;padding:2px 6px;font-size:11px;background:var(--shade)}\n"
	".cols dl div{display:grid;grid-template-columns:92px 1fr;gap:4px}\n"
	".cols dt{color:var(--muted)}.cols dd{margin:0;overflow-wrap:anywhere}\n"
	"h2{font-size:20px;margin:14px 0 10px}h4{font-size:14px;margin:14px 0 4px}\n"
	".banner{margin:8px 0;padding:8px 12px;border-left:4px solid;font-weight:600}\n"
	".note{margin:5px 0;font-size:12px;color:var(--muted)}\n"
	"table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-"
	"nums}\n"
	"th,td{padding:4px 8px;text-align:left;vertical-align:top;border-bottom:1px solid "
	"var(--grid);"
	"overflow-wrap:break-word}\n"
	"thead th{background:var(--shade);border-bottom:1.5px solid var(--muted);"
	"overflow-wrap:normal}\n"
	"th.corner{text-align:center;font-weight:400;color:var(--muted);border-bottom:0}\n"
	"td.n,th.n{text-align:right;white-space:nowrap}td.na{color:var(--muted)}\n"
	"table.large{font-size:16px}table.large td,table.large th{padding:8px 10px}\n"
	"table.pairs th{width:22%;font-weight:400;color:var(--muted)}\n"
	"svg{width:100%;height:auto;display:block}.empty{padding:80px 0;text-align:center;"
	"color:var(--muted)}\n"
	".beside{display:grid;grid-template-columns:minmax(0,55fr) minmax(0,45fr);gap:18px}\n"
	".beside h4:first-child{margin-top:0}.beside table{font-size:12px}"
	".beside th,.beside td{padding:4px 5px}"
	".beside th[scope=row]{white-space:nowrap}\n"
	".foot{display:flex;justify-content:space-between;gap:20px;margin-top:12px;padding-top:"
	"5px;"
	"border-top:1px solid var(--rule);font-size:11px;color:var(--muted)}\n"
	"@media print{body{background:#fff;font-size:11px}main{max-width:none;padding:0}\n"
	"section,nav{box-shadow:none;margin:0;padding:0;break-after:page;zoom:.92}\n"
	"section:last-child{break-after:auto}\n"
	"tr,svg,.banner{break-inside:avoid}thead{display:table-header-group}\n"
	".head,.cols h3{font-size:8.6px}.top dt{font-size:8px}.flag{font-size:9px}"
	".bar b{font-size:10px}.bar .name{font-size:14px}h2{font-size:14px;margin:8px 0 5px}\n"
	"table{font-size:9.6px}table.large{font-size:11.5px}"
	"th,td{padding:1.5px 5px}table.large td,table.large th{padding:4px "
	"8px}.note,.foot{font-size:8.6px}"
	".cols dl div{grid-template-columns:70px 1fr}\n"
	"svg{max-height:80mm}.beside svg{max-height:76mm}.beside table{font-size:9px}\n"
	"*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

static void tag(struct pts_buf *buf, const char *open, const char *text, const char *close)
{
	pts_buf_puts(buf, open);
	escape_html(buf, text);
	pts_buf_puts(buf, close);
}

static void style_element(struct pts_buf *buf, const struct report_model *model)
{
	pts_buf_printf(buf, "<style>\n@page{size:%s;margin:9mm}\n",
		       style_paper(model->letter)->css);
	pts_buf_printf(buf,
		       ":root{--ink:%s;--muted:%s;--rule:%s;--shade:%s;--grid:%s;--font:%s}\n",
		       style_ink(), style_muted(), style_rule(), style_shade(), style_grid(),
		       style_css_fonts());
	for (unsigned tone = TONE_PLAIN; tone <= TONE_BAD; tone++)
		pts_buf_printf(buf, ".t%u{color:%s}.f%u{background:%s;border-color:%s}\n", tone,
			       style_tone_ink(tone), tone, style_tone_fill(tone),
			       style_tone_ink(tone));
	pts_buf_puts(buf, sheet);
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

static void header(struct pts_buf *buf, const struct report_model *model,
		   const struct report_page *page)
{
	const struct report_header *head =
		page->test != NULL ? &page->test->header : &model->header;

	pts_buf_puts(buf, "<header class=\"head\"><div class=\"bar\">"
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

	pts_buf_printf(buf, "<%s class=\"t%u%s%s\"", head ? "th scope=\"row\"" : "td",
		       cell->tone, number ? " n" : "", cell->kind == CELL_MISSING ? " na" : "");
	if (cell->kind == CELL_MISSING && cell->reason != NULL)
		tag(buf, " title=\"", cell->reason, "\"");
	tag(buf, cell->tone != TONE_PLAIN ? "><b>" : ">", cell->text,
	    cell->tone != TONE_PLAIN ? "</b>" : "");
	pts_buf_puts(buf, head ? "</th>" : "</td>");
}

static void html_table(struct pts_buf *buf, const struct report_block *block)
{
	const struct report_table *table = block->table;

	if (block->text != NULL)
		tag(buf, "<h4>", block->text, "</h4>\n");
	pts_buf_puts(buf, table->is_pairs   ? "<table class=\"pairs\">"
			  : table->is_large ? "<table class=\"large\">"
					    : "<table>");
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
	pts_buf_puts(buf, "</tbody></table>\n");
}

static void plot(struct pts_buf *buf, const struct report_plot *drawn, const char *svg,
		 const char *title)
{
	if (svg == NULL) {
		tag(buf, "<p class=\"empty\">", drawn->cannot != NULL ? drawn->cannot : "",
		    "</p>\n");
		return;
	}
	tag(buf, "<figure style=\"margin:0\" role=\"img\" aria-label=\"", title, "\">");
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

static void section(struct pts_buf *buf, const struct report_model *model,
		    const struct report_page *page, const struct report_drawings *drawings,
		    unsigned *plots)
{
	const struct report_header *head =
		page->test != NULL ? &page->test->header : &model->header;
	const char *more = page->continued ? " (continued)" : "";

	tag(buf, "<section id=\"", page->id, "\">\n");
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

	tag(buf, "<nav>\n<h1>", model->title, "</h1>\n");
	tag(buf, "<p>", head->columns[1].pairs[1].value, " \xC2\xB7 ");
	tag(buf, "", head->columns[1].pairs[2].value, " \xC2\xB7 ");
	tag(buf, "", head->revision, "</p>\n<ol>\n");
	for (unsigned i = 0; i < model->page_count; i++) {
		const struct report_page *page = model->pages[i];

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
	style_element(buf, model);
	pts_buf_puts(buf, "</head>\n<body>\n<main>\n");
	contents(buf, model);
	for (unsigned i = 0; i < model->page_count; i++)
		section(buf, model, model->pages[i], drawings, &plots);
	pts_buf_puts(buf, "</main>\n</body>\n</html>\n");
}
