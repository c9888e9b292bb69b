/*
 * The PDF as one gnuplot script (terminal pdfcairo): each page is a multiplot with a canvas of
 * labels, rules and shaded boxes for header, tables and notes, and the plots on it. Must not
 * know stores; all text is quoted by escape_gnuplot().
 */
#include <math.h>
#include <string.h>

#include "report_escape_internal.h"
#include "report_layout_internal.h"
#include "report_plot_internal.h"
#include "report_style_internal.h"
#include "report_write_internal.h"

struct canvas {
	struct pts_buf *buf;
	const struct report_model *model;
	const struct style_paper *paper;
	unsigned objects; /* so far on this page: labels, boxes and rules have numbers */
	/* the plot of the page, drawn after the canvas */
	const struct report_plot *plot;
	struct plot_frame frame;
};

enum align {
	ALIGN_LEFT,
	ALIGN_RIGHT,
	ALIGN_CENTER,
};

static void at(struct canvas *canvas, double x, double y)
{
	pts_buf_puts(canvas->buf, "screen ");
	plot_number(canvas->buf, x / canvas->paper->width);
	pts_buf_puts(canvas->buf, ",screen ");
	plot_number(canvas->buf, y / canvas->paper->height);
}

/* y is the middle of the line of text. */
static void label(struct canvas *canvas, double x, double y, enum align align, double points,
		  bool bold, const char *rgb, const char *text)
{
	static const char *const aligns[] = {"left", "right", "center"};

	if (text[0] == '\0')
		return;
	pts_buf_printf(canvas->buf, "set label %u ", ++canvas->objects);
	escape_gnuplot(canvas->buf, text);
	pts_buf_puts(canvas->buf, " at ");
	at(canvas, x, y);
	pts_buf_printf(canvas->buf, " %s noenhanced front font '%s%s,", aligns[align],
		       style_font(), bold ? ":Bold" : "");
	plot_number(canvas->buf, points);
	pts_buf_printf(canvas->buf, "' tc rgb '%s'\n", rgb);
}

static void box(struct canvas *canvas, double left, double bottom, double right, double top,
		const char *rgb)
{
	pts_buf_printf(canvas->buf, "set object %u rectangle from ", ++canvas->objects);
	at(canvas, left, bottom);
	pts_buf_puts(canvas->buf, " to ");
	at(canvas, right, top);
	pts_buf_printf(canvas->buf, " back fillcolor rgb '%s' fillstyle solid 1 noborder\n",
		       rgb);
}

static void rule(struct canvas *canvas, double x0, double y0, double x1, double y1,
		 const char *rgb, double width)
{
	pts_buf_printf(canvas->buf, "set arrow %u from ", ++canvas->objects);
	at(canvas, x0, y0);
	pts_buf_puts(canvas->buf, " to ");
	at(canvas, x1, y1);
	pts_buf_printf(canvas->buf, " nohead front lc rgb '%s' lw ", rgb);
	plot_number(canvas->buf, width);
	pts_buf_puts(canvas->buf, "\n");
}

static void clipped(const char *text, size_t bytes, bool ellipsis, struct pts_buf *out)
{
	while (bytes > 0 && text[bytes - 1] == ' ')
		bytes--;
	pts_buf_puts(out, "");
	pts_buf_add(out, text, bytes);
	if (ellipsis)
		pts_buf_puts(out, "\xE2\x80\xA6");
}

/* Wrapped text, top line first; returns the lines drawn. */
static unsigned paragraph(struct canvas *canvas, double x, double top, double width,
			  enum align align, enum style_size size, bool bold, const char *rgb,
			  const char *text, unsigned most)
{
	double line = style_line(size);
	unsigned lines = 0;

	do {
		size_t bytes = style_wrap(text, bold, style_points(size), width);
		bool cut = lines + 1 == most && text[bytes] != '\0';
		struct pts_buf part = {0};

		clipped(text, bytes, cut, &part);
		label(canvas,
		      align == ALIGN_RIGHT    ? x + width
		      : align == ALIGN_CENTER ? x + width / 2
					      : x,
		      top - line * (lines + 0.5), align, style_points(size), bold, rgb,
		      part.data);
		pts_buf_release(&part);
		text += bytes;
		lines++;
	} while (*text != '\0' && lines < most);
	return lines;
}

static void header_columns(struct canvas *canvas, const struct report_header *header,
			   double left, double width, double top, double bottom)
{
	double column = width / HEADER_COLUMNS;
	double line = style_line(SIZE_HEADER);

	box(canvas, left, top - line - 2, left + width, top, style_shade());
	for (unsigned c = 0; c < HEADER_COLUMNS; c++) {
		double x = left + c * column + 4;
		double y = top - line - 4;

		label(canvas, x, top - line / 2 - 1, ALIGN_LEFT, style_points(SIZE_HEADER),
		      true, style_ink(), header->columns[c].title);
		if (c > 0)
			rule(canvas, x - 4, bottom, x - 4, top, style_rule(), 0.5);
		for (unsigned i = 0; i < header->columns[c].count; i++) {
			const struct report_pair *pair = &header->columns[c].pairs[i];

			paragraph(canvas, x, y, LAYOUT_LABEL, ALIGN_LEFT, SIZE_HEADER, false,
				  style_muted(), pair->name, 1);
			y -= line * paragraph(canvas, x + LAYOUT_LABEL, y,
					      column - LAYOUT_LABEL - 8, ALIGN_LEFT,
					      SIZE_HEADER, false, style_ink(), pair->value,
					      LAYOUT_PAIR_LINES);
		}
	}
}

static void header_top(struct canvas *canvas, const struct report_header *header, double left,
		       double right, double y)
{
	double step = (right - left) / (header->top_count > 0 ? header->top_count : 1);

	for (unsigned i = 0; i < header->top_count; i++) {
		double x = left + i * step;

		label(canvas, x + 4, y, ALIGN_LEFT, style_points(SIZE_SMALL) - 0.6, false,
		      style_muted(), header->top[i].name);
		paragraph(canvas, x + 4, y - 4, step - 8, ALIGN_LEFT, SIZE_HEADER, true,
			  style_ink(), header->top[i].value, 1);
	}
}

static double status_width(const char *text)
{
	return style_text_width(text, true, style_points(SIZE_HEADER)) + 12;
}

static double status_box(struct canvas *canvas, double right, double y, enum report_tone tone,
			 const char *text)
{
	double left = right - status_width(text);

	box(canvas, left, y - 6.5, right, y + 6.5, style_tone_fill(tone));
	label(canvas, (left + right) / 2, y, ALIGN_CENTER, style_points(SIZE_HEADER), true,
	      style_tone_ink(tone), text);
	return left - 5;
}

static void draw_header(struct canvas *canvas, const struct report_page *page)
{
	const struct report_header *header = layout_header(canvas->model, page);
	const struct style_paper *paper = canvas->paper;
	double left = paper->margin, right = paper->width - paper->margin;
	double top = paper->height - paper->margin;
	double bottom = top - layout_header_height(header, right - left);
	struct pts_buf text = {0};
	double free_right;

	label(canvas, left, top - 7, ALIGN_LEFT, style_points(SIZE_BODY), true, style_ink(),
	      "SNIA Solid State Storage");
	label(canvas, left, top - 18, ALIGN_LEFT, style_points(SIZE_HEADER), false,
	      style_muted(), "Performance Test Specification");
	label(canvas, (left + right) / 2, top - 9, ALIGN_CENTER, style_points(SIZE_TITLE) - 2,
	      true, style_ink(), header->banner);
	label(canvas, right, top - 7, ALIGN_RIGHT, style_points(SIZE_BODY), true, style_ink(),
	      header->revision);
	pts_buf_printf(&text, "page %u of %u", page->number, canvas->model->page_count);
	label(canvas, right, top - 18, ALIGN_RIGHT, style_points(SIZE_HEADER), false,
	      style_muted(), text.data);
	pts_buf_release(&text);
	free_right = status_box(canvas, right, top - 32, header->status_tone, header->status);
	if (header->not_a_drive != NULL)
		free_right =
			status_box(canvas, free_right, top - 32, TONE_BAD, header->not_a_drive);
	for (unsigned i = 0; i < header->labels.count; i++)
		free_right = status_box(canvas, free_right, top - 32, TONE_WARN,
					header->labels.items[i]);
	rule(canvas, left, top - 41, right, top - 41, style_rule(), 0.7);
	header_top(canvas, header, left, right, top - 47);
	header_columns(canvas, header, left, right - left, top - LAYOUT_TOP + 3, bottom);
	rule(canvas, left, bottom, right, bottom, style_muted(), 0.9);
}

static void draw_footer(struct canvas *canvas, const struct report_page *page)
{
	const struct report_header *header = layout_header(canvas->model, page);
	const struct style_paper *paper = canvas->paper;
	double left = paper->margin, right = paper->width - paper->margin;
	struct pts_buf text = {0};
	double y = paper->margin + 3;

	rule(canvas, left, y + 7, right, y + 7, style_rule(), 0.5);
	pts_buf_printf(&text, "%s \xC2\xB7 %s", header->columns[1].pairs[1].value,
		       header->columns[1].pairs[2].value);
	paragraph(canvas, left, y + 5, (right - left) * 0.4, ALIGN_LEFT, SIZE_SMALL, false,
		  style_muted(), text.data, 1);
	pts_buf_release(&text);
	pts_buf_printf(&text, "%s%s", page->title, page->continued ? " (continued)" : "");
	label(canvas, right, y, ALIGN_RIGHT, style_points(SIZE_SMALL), false, style_muted(),
	      text.data);
	pts_buf_release(&text);
}

static void draw_row(struct canvas *canvas, const struct report_table *table,
		     const struct layout_table *layout, unsigned row, double left, double top)
{
	for (unsigned c = 0; c < table->column_count; c++) {
		const struct report_cell *cell =
			&table->cells[(size_t)row * table->column_count + c];
		bool head = table->first_is_head && c == 0;
		bool right = table->columns[c].is_number && !table->is_pairs;
		const char *rgb = cell->kind == CELL_MISSING ? style_muted()
				  : head && table->is_pairs  ? style_muted()
							     : style_tone_ink(cell->tone);

		paragraph(canvas, left + layout->left[c] + LAYOUT_PAD_X,
			  top - layout_pad(table),
			  layout->left[c + 1] - layout->left[c] - 2 * LAYOUT_PAD_X,
			  right ? ALIGN_RIGHT : ALIGN_LEFT, layout_size(table),
			  (head && !table->is_pairs) || cell->tone != TONE_PLAIN, rgb,
			  cell->text, 1000);
	}
}

static void draw_head(struct canvas *canvas, const struct report_table *table,
		      const struct layout_table *layout, double left, double top)
{
	double corner =
		table->corner != NULL ? style_line(layout_size(table)) + layout_pad(table) : 0;
	double right = left + layout->left[table->column_count];

	box(canvas, left, top - layout->head_height, right, top, style_shade());
	if (table->corner != NULL)
		label(canvas, (left + layout->left[1] + right) / 2,
		      top - layout_pad(table) - style_line(layout_size(table)) / 2,
		      ALIGN_CENTER, style_points(layout_size(table)), false, style_muted(),
		      table->corner);
	for (unsigned c = 0; c < table->column_count; c++) {
		const struct report_column *column = &table->columns[c];
		const char *title = table->corner != NULL
					    ? column->title
					    : layout_column_title(canvas->model->arena, column);

		paragraph(canvas, left + layout->left[c] + LAYOUT_PAD_X,
			  top - corner - layout_pad(table),
			  layout->left[c + 1] - layout->left[c] - 2 * LAYOUT_PAD_X,
			  column->is_number ? ALIGN_RIGHT : ALIGN_LEFT, layout_size(table),
			  true, style_ink(), title, 4);
	}
}

static void draw_table(struct canvas *canvas, const struct report_block *block, double left,
		       double right, double top)
{
	const struct report_table *table = block->table;
	struct layout_table layout;

	layout_table(table, right - left, &layout);
	if (block->text != NULL)
		label(canvas, left, top - style_line(SIZE_HEADING) / 2, ALIGN_LEFT,
		      style_points(SIZE_HEADING) - 1, true, style_ink(), block->text);
	top -= layout_title(block);
	if (!table->is_pairs)
		draw_head(canvas, table, &layout, left, top);
	top -= layout.head_height;
	rule(canvas, left, top, right, top, style_muted(), 0.7);
	for (unsigned r = 0; r < block->row_count; r++) {
		double height = layout_row_height(table, &layout, block->first_row + r);

		draw_row(canvas, table, &layout, block->first_row + r, left, top);
		top -= height;
		rule(canvas, left, top, right, top, style_grid(), 0.5);
	}
}

static void draw_block(struct canvas *canvas, const struct report_block *block, double left,
		       double right, double top)
{
	double height = layout_block_height(block, right - left);

	switch (block->kind) {
	case BLOCK_BANNER:
		box(canvas, left, top - height, right, top, style_tone_fill(block->tone));
		box(canvas, left, top - height, left + 3, top, style_tone_ink(block->tone));
		paragraph(canvas, left + 10, top - 4, right - left - 16, ALIGN_LEFT, SIZE_BODY,
			  true, style_tone_ink(block->tone), block->text, 1000);
		break;
	case BLOCK_HEADING:
		label(canvas, left, top - height / 2, ALIGN_LEFT, style_points(SIZE_HEADING),
		      true, style_ink(), block->text);
		break;
	case BLOCK_TEXT:
		paragraph(canvas, left, top, right - left, ALIGN_LEFT, SIZE_BODY, false,
			  style_ink(), block->text, 1000);
		break;
	case BLOCK_NOTE:
		paragraph(canvas, left, top, right - left, ALIGN_LEFT, SIZE_SMALL, false,
			  style_tone_ink(block->tone), block->text, 1000);
		break;
	case BLOCK_TABLE:
		draw_table(canvas, block, left, right, top);
		break;
	case BLOCK_PLOT:
		break;
	}
}

static void place_plot(struct canvas *canvas, const struct report_plot *plot, double left,
		       double right, double top, double bottom)
{
	if (plot->note != NULL)
		bottom += style_line(SIZE_SMALL) + 3;
	if (plot->cannot != NULL) {
		label(canvas, (left + right) / 2, (top + bottom) / 2, ALIGN_CENTER,
		      style_points(SIZE_HEADING), false, style_muted(), plot->cannot);
		return;
	}
	if (plot->note != NULL)
		label(canvas, left, bottom - style_line(SIZE_SMALL) / 2, ALIGN_LEFT,
		      style_points(SIZE_SMALL), false, style_muted(), plot->note);
	canvas->plot = plot;
	canvas->frame = (struct plot_frame){
		canvas->paper->width, canvas->paper->height, left, right, bottom, top, 8.5};
}

/* Banners at the top, notes (and tables below the plot) at the bottom, the plot (and tables beside
 * it) in between. */
static void draw_plot_page(struct canvas *canvas, const struct report_page *page,
			   struct layout_area area)
{
	double width = area.right - area.left;
	double split = page->beside ? area.left + width * LAYOUT_BESIDE : area.right;
	double side = area.top;

	for (unsigned i = 0; i < page->block_count; i++) {
		const struct report_block *block = &page->blocks[i];
		double height = layout_block_height(block, split - area.left) + LAYOUT_GAP / 2;

		if (block->kind == BLOCK_BANNER) {
			draw_block(canvas, block, area.left, split, area.top);
			area.top -= height;
		}
	}
	for (unsigned i = page->block_count; i-- > 0;) {
		const struct report_block *block = &page->blocks[i];

		if (block->kind != BLOCK_NOTE && block->kind != BLOCK_TEXT &&
		    (block->kind != BLOCK_TABLE || page->beside))
			continue;
		area.bottom += layout_block_height(block, width);
		area.bottom += block->kind == BLOCK_TABLE ? LAYOUT_GAP : 0;
		draw_block(canvas, block, area.left, area.right, area.bottom);
	}
	for (unsigned i = 0; i < page->block_count; i++) {
		const struct report_block *block = &page->blocks[i];

		if (block->kind == BLOCK_PLOT)
			place_plot(canvas, block->plot, area.left, split, area.top,
				   area.bottom + 4);
		if (block->kind != BLOCK_TABLE || !page->beside)
			continue;
		draw_block(canvas, block, split + 10, area.right, side);
		side -= layout_block_height(block, area.right - split - 10) + LAYOUT_GAP;
	}
}

static bool has_plot(const struct report_page *page)
{
	for (unsigned i = 0; i < page->block_count; i++) {
		if (page->blocks[i].kind == BLOCK_PLOT)
			return true;
	}
	return false;
}

static void draw_body(struct canvas *canvas, const struct report_page *page)
{
	struct layout_area area = layout_content(canvas->model, page);
	struct pts_buf title = {0};

	pts_buf_printf(&title, "%s%s", page->title, page->continued ? " (continued)" : "");
	label(canvas, area.left, area.top - style_line(SIZE_TITLE) / 2, ALIGN_LEFT,
	      style_points(SIZE_TITLE) - 2, true, style_ink(), title.data);
	pts_buf_release(&title);
	area.top -= style_line(SIZE_TITLE) + 3;
	if (has_plot(page)) {
		draw_plot_page(canvas, page, area);
		return;
	}
	for (unsigned i = 0; i < page->block_count; i++) {
		const struct report_block *block = &page->blocks[i];

		draw_block(canvas, block, area.left, area.right, area.top);
		area.top -= layout_block_height(block, area.right - area.left) + LAYOUT_GAP;
	}
}

static void draw_page(struct canvas *canvas, const struct report_page *page)
{
	canvas->objects = 0;
	canvas->plot = NULL;
	pts_buf_puts(canvas->buf,
		     "reset\nset encoding utf8\nset multiplot\n"
		     "unset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\n"
		     "set lmargin at screen 0\nset rmargin at screen 1\n"
		     "set bmargin at screen 0\nset tmargin at screen 1\n");
	draw_header(canvas, page);
	draw_body(canvas, page);
	draw_footer(canvas, page);
	pts_buf_puts(canvas->buf, "plot -1 notitle\n");
	if (canvas->plot != NULL)
		plot_script(canvas->buf, canvas->plot, &canvas->frame);
	pts_buf_puts(canvas->buf, "unset multiplot\n");
}

void report_pdf_script(struct pts_buf *buf, const struct report_model *model, const char *file)
{
	struct canvas canvas = {
		.buf = buf, .model = model, .paper = style_paper(model->letter)};

	/* fontscale 0.75: the terminal counts font sizes in units of 1/96 inch, pages in 1/72 */
	pts_buf_printf(buf,
		       "set terminal pdfcairo noenhanced color rounded fontscale 0.75 font "
		       "'%s,8.5' size ",
		       style_plot_font());
	plot_number(buf, canvas.paper->width / 72);
	pts_buf_puts(buf, "in,");
	plot_number(buf, canvas.paper->height / 72);
	pts_buf_puts(buf, "in\nset output ");
	escape_gnuplot(buf, file);
	pts_buf_puts(buf, "\n");
	for (unsigned i = 0; i < model->page_count; i++)
		draw_page(&canvas, model->pages[i]);
	pts_buf_puts(buf, "unset output\n");
}
