/*
 * How tall and wide the parts of a page are, and where a page that is too tall is cut, so that
 * every writer counts the same pages. Must not know file formats.
 */
#include "report_layout_internal.h"

#include <math.h>
#include <string.h>

#include "report_style_internal.h"

double layout_header_height(const struct report_header *header, double width)
{
	double value_width = width / HEADER_COLUMNS - LAYOUT_LABEL - 8;
	unsigned most = 0;

	for (unsigned c = 0; c < HEADER_COLUMNS; c++) {
		unsigned lines = 1;

		for (unsigned i = 0; i < header->columns[c].count; i++) {
			unsigned wrapped = style_lines(header->columns[c].pairs[i].value, false,
						       style_points(SIZE_HEADER), value_width);

			lines += wrapped < LAYOUT_PAIR_LINES ? wrapped : LAYOUT_PAIR_LINES;
		}
		most = lines > most ? lines : most;
	}
	return LAYOUT_TOP + most * style_line(SIZE_HEADER) + 8;
}

const struct report_header *layout_header(const struct report_model *model,
					  const struct report_page *page)
{
	return page->test != NULL ? &page->test->header : &model->header;
}

struct layout_area layout_content(const struct report_model *model,
				  const struct report_page *page)
{
	const struct style_paper *paper = style_paper(model->letter);
	double width = paper->width - 2 * paper->margin;

	return (struct layout_area){
		.left = paper->margin,
		.right = paper->width - paper->margin,
		.top = paper->height - paper->margin -
		       layout_header_height(layout_header(model, page), width) - LAYOUT_GAP,
		.bottom = paper->margin + LAYOUT_FOOTER,
	};
}

const char *layout_column_title(struct pts_arena *arena, const struct report_column *column)
{
	if (column->unit[0] == '\0' || strstr(column->title, column->unit) != NULL)
		return column->title;
	return pts_arena_printf(arena, "%s (%s)", column->title, column->unit);
}

enum style_size layout_size(const struct report_table *table)
{
	return table->is_large ? SIZE_HEADING : SIZE_TABLE;
}

double layout_pad(const struct report_table *table)
{
	return table->is_large ? 2 * LAYOUT_PAD_Y : LAYOUT_PAD_Y;
}

double layout_title(const struct report_block *block)
{
	return block->text != NULL ? style_line(SIZE_HEADING) + 2 : 0;
}

static double title_width(const struct report_table *table, const struct report_column *column)
{
	double width = style_text_width(column->title, true, style_points(layout_size(table)));

	if (column->unit[0] != '\0' && table->corner == NULL &&
	    strstr(column->title, column->unit) == NULL)
		width += style_text_width(" ()", true, style_points(layout_size(table))) +
			 style_text_width(column->unit, true, style_points(layout_size(table)));
	return width;
}

static double natural_width(const struct report_table *table, unsigned column)
{
	double widest = table->is_pairs ? 0 : title_width(table, &table->columns[column]);

	for (unsigned r = 0; r < table->row_count; r++) {
		const struct report_cell *cell =
			&table->cells[(size_t)r * table->column_count + column];
		bool bold = (table->first_is_head && column == 0) || cell->tone != TONE_PLAIN;

		widest = fmax(widest, style_text_width(cell->text, bold,
						       style_points(layout_size(table))));
	}
	return widest * 1.03 + 2 * LAYOUT_PAD_X;
}

/*
 * Columns that need less than their share keep what they need; the others divide the rest by
 * weight. What is over is spread by weight too.
 */
static void divide(const struct report_table *table, double width, double *widths)
{
	bool settled[LAYOUT_COLUMNS] = {false};
	double natural[LAYOUT_COLUMNS];
	double rest = width, weights = 0, sum = 0, narrow = 0;
	bool again = true;

	for (unsigned c = 0; c < table->column_count; c++) {
		natural[c] = natural_width(table, c);
		sum += natural[c];
		weights += table->columns[c].weight + 1e-6;
	}
	if (sum <= width) {
		for (unsigned c = 0; c < table->column_count; c++)
			widths[c] = natural[c] +
				    (width - sum) * (table->columns[c].weight + 1e-6) / weights;
		return;
	}
	/* short columns are left alone: half a word looks worse than a long text on more lines */
	for (unsigned c = 0; c < table->column_count; c++) {
		if (natural[c] > width / 8 || narrow + natural[c] > width / 2)
			continue;
		widths[c] = natural[c];
		narrow += natural[c];
		settled[c] = true;
		rest -= natural[c];
		weights -= table->columns[c].weight + 1e-6;
	}
	while (again) {
		again = false;
		for (unsigned c = 0; c < table->column_count; c++) {
			double weight = table->columns[c].weight + 1e-6;

			if (settled[c])
				continue;
			widths[c] = rest * weight / weights;
			if (natural[c] <= widths[c]) {
				widths[c] = natural[c];
				settled[c] = again = true;
				rest -= natural[c];
				weights -= weight;
			}
		}
	}
}

void layout_table(const struct report_table *table, double width,
		  struct layout_table *ret_layout)
{
	double widths[LAYOUT_COLUMNS];
	double lines = 1;

	divide(table, width, widths);
	ret_layout->left[0] = 0;
	for (unsigned c = 0; c < table->column_count; c++) {
		ret_layout->left[c + 1] = ret_layout->left[c] + widths[c];
		lines = fmax(lines,
			     ceil((title_width(table, &table->columns[c]) + 2 * LAYOUT_PAD_X) /
					  widths[c] -
				  0.05));
	}
	ret_layout->head_height =
		lines * style_line(layout_size(table)) + 2 * layout_pad(table);
	if (table->corner != NULL)
		ret_layout->head_height += style_line(layout_size(table)) + layout_pad(table);
	if (table->is_pairs)
		ret_layout->head_height = 0;
}

double layout_row_height(const struct report_table *table, const struct layout_table *layout,
			 unsigned row)
{
	unsigned lines = 1;

	for (unsigned c = 0; c < table->column_count; c++) {
		const struct report_cell *cell =
			&table->cells[(size_t)row * table->column_count + c];
		bool bold = (table->first_is_head && c == 0) || cell->tone != TONE_PLAIN;
		unsigned wrapped =
			style_lines(cell->text, bold, style_points(layout_size(table)),
				    layout->left[c + 1] - layout->left[c] - 2 * LAYOUT_PAD_X);

		lines = wrapped > lines ? wrapped : lines;
	}
	return lines * style_line(layout_size(table)) + 2 * layout_pad(table);
}

static double table_height(const struct report_block *block, double width)
{
	struct layout_table layout;
	double height;

	layout_table(block->table, width, &layout);
	height = layout.head_height + layout_title(block);
	for (unsigned r = 0; r < block->row_count; r++)
		height += layout_row_height(block->table, &layout, block->first_row + r);
	return height;
}

double layout_block_height(const struct report_block *block, double width)
{
	switch (block->kind) {
	case BLOCK_BANNER:
		return style_lines(block->text, true, style_points(SIZE_BODY), width - 16) *
			       style_line(SIZE_BODY) +
		       8;
	case BLOCK_HEADING:
		return style_line(SIZE_HEADING) + 2;
	case BLOCK_TEXT:
		return style_lines(block->text, false, style_points(SIZE_BODY), width) *
		       style_line(SIZE_BODY);
	case BLOCK_NOTE:
		return style_lines(block->text, false, style_points(SIZE_SMALL), width) *
		       style_line(SIZE_SMALL);
	case BLOCK_TABLE:
		return table_height(block, width);
	case BLOCK_PLOT:
		break;
	}
	return 0;
}

static struct report_page *page_copy(struct report_model *model, const struct report_page *page,
				     bool continued)
{
	struct report_page *copy = PTS_ARENA_NEW(model->arena, struct report_page);

	*copy = *page;
	copy->block_count = 0;
	copy->continued = continued;
	return copy;
}

struct flow {
	struct report_model *model;
	struct report_page **pages;
	unsigned count, room;
	struct report_page *page;
	double left; /* height that is still free */
};

static void flow_page(struct flow *flow, const struct report_page *from, bool continued)
{
	struct layout_area area = layout_content(flow->model, from);

	if (flow->count == flow->room) {
		struct report_page **bigger = PTS_ARENA_ARRAY(
			flow->model->arena, struct report_page *, flow->room * 2 + 16);

		for (unsigned i = 0; i < flow->count; i++)
			bigger[i] = flow->pages[i];
		flow->pages = bigger;
		flow->room = flow->room * 2 + 16;
	}
	flow->page = page_copy(flow->model, from, continued);
	if (continued)
		flow->page->id = report_text(flow->model, "%s-c%u", from->id, flow->count);
	flow->pages[flow->count++] = flow->page;
	flow->left = area.top - area.bottom - style_line(SIZE_TITLE) - LAYOUT_GAP;
}

/* Rows of a table from block->first_row on that fit into height. */
static unsigned rows_that_fit(const struct report_block *block, double width, double height)
{
	struct layout_table layout;
	unsigned rows = 0;

	layout_table(block->table, width, &layout);
	height -= layout.head_height + layout_title(block);
	while (rows < block->row_count) {
		height -= layout_row_height(block->table, &layout, block->first_row + rows);
		if (height < 0)
			break;
		rows++;
	}
	return rows;
}

static void flow_table(struct flow *flow, const struct report_page *from,
		       struct report_block block, double width)
{
	while (block.row_count > 0) {
		unsigned fit = rows_that_fit(&block, width, flow->left);
		struct report_block part = block;

		if (fit < block.row_count && fit < 3 && flow->page->block_count > 0) {
			flow_page(flow, from, true);
			continue;
		}
		part.row_count = fit > 0 ? fit : 1;
		flow->page->blocks[flow->page->block_count++] = part;
		flow->left -= layout_block_height(&part, width) + LAYOUT_GAP;
		block.first_row += part.row_count;
		block.row_count -= part.row_count;
		if (block.row_count > 0)
			flow_page(flow, from, true);
	}
}

static void flow_blocks(struct flow *flow, const struct report_page *from)
{
	struct layout_area area = layout_content(flow->model, from);
	double width = area.right - area.left;

	flow_page(flow, from, false);
	for (unsigned i = 0; i < from->block_count; i++) {
		const struct report_block *block = &from->blocks[i];
		double height = layout_block_height(block, width);

		if (block->kind == BLOCK_TABLE) {
			flow_table(flow, from, *block, width);
			continue;
		}
		if (height > flow->left && flow->page->block_count > 0)
			flow_page(flow, from, true);
		flow->page->blocks[flow->page->block_count++] = *block;
		flow->left -= height + LAYOUT_GAP;
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

#define PLOT_SHARE 0.55 /* of a page: tables below a plot leave it as much */

/* A plot takes what its page has left; tables beside or below it that don't fit go to the next
 * page. */
static void flow_plot(struct flow *flow, const struct report_page *from)
{
	struct layout_area area = layout_content(flow->model, from);
	double width = area.right - area.left;
	double side = from->beside ? width * (1 - LAYOUT_BESIDE) - 10 : width;
	struct report_page rest = *from;
	double least;

	flow_page(flow, from, false);
	least = from->beside ? -LAYOUT_GAP : flow->left * PLOT_SHARE;
	rest.block_count = 0;
	for (unsigned i = 0; i < from->block_count; i++) {
		if (from->blocks[i].kind == BLOCK_NOTE || from->blocks[i].kind == BLOCK_TEXT)
			flow->left -= layout_block_height(&from->blocks[i], width) + LAYOUT_GAP;
	}
	for (unsigned i = 0; i < from->block_count; i++) {
		const struct report_block *block = &from->blocks[i];

		if (block->kind == BLOCK_TABLE) {
			flow->left -= layout_block_height(block, side) + LAYOUT_GAP;
			if (flow->left < least) {
				rest.blocks[rest.block_count++] = *block;
				continue;
			}
		}
		flow->page->blocks[flow->page->block_count++] = *block;
	}
	rest.beside = false;
	if (rest.block_count == 0)
		return;
	flow_page(flow, &rest, true);
	for (unsigned i = 0; i < rest.block_count; i++)
		flow_table(flow, &rest, rest.blocks[i], width);
}

void report_paginate(struct report_model *model)
{
	struct flow flow = {.model = model};

	for (unsigned i = 0; i < model->page_count; i++) {
		struct report_page *page = model->pages[i];

		if (has_plot(page)) {
			flow_plot(&flow, page);
		} else {
			flow_blocks(&flow, page);
		}
	}
	model->pages = flow.pages;
	model->page_count = flow.count;
	model->page_room = flow.room;
	for (unsigned i = 0; i < model->page_count; i++)
		model->pages[i]->number = i + 1;
}
