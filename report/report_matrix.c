/* See report_matrix_internal.h. Must not know pages' layout or plots. */
#include "report_matrix_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool matrix_is_axis(const char *name)
{
	return strcmp(name, "rw_mix") == 0 || strcmp(name, "block_size") == 0 ||
	       strcmp(name, "threads") == 0 || strcmp(name, "queue_depth") == 0;
}

uint64_t matrix_axis_value(const struct report_plan_cell *cell, const char *name)
{
	if (strcmp(name, "rw_mix") == 0)
		return (uint64_t)cell->read_pct;
	if (strcmp(name, "threads") == 0)
		return cell->threads;
	if (strcmp(name, "queue_depth") == 0)
		return cell->queue_depth;
	return cell->block_bytes;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void matrix_axis_fill(struct matrix_axis *axis, const char *name,
		      const struct report_step *step, const struct report_spec_page *spec)
{
	axis->name = name;
	axis->count = 0;
	for (unsigned i = 0; i < step->cell_count; i++) {
		uint64_t value = matrix_axis_value(&step->cells[i], name);
		unsigned j = 0;

		if (!report_where_matches(spec, &step->cells[i]))
			continue;
		while (j < axis->count && axis->values[j] != value)
			j++;
		if (j == axis->count && axis->count < AXIS_VALUES)
			axis->values[axis->count++] = value;
	}
	qsort(axis->values, axis->count, sizeof(axis->values[0]), ascending);
}

const char *matrix_axis_title(const char *name)
{
	return strcmp(name, "rw_mix") == 0        ? "R/W mix"
	       : strcmp(name, "threads") == 0     ? "Threads"
	       : strcmp(name, "queue_depth") == 0 ? "Queue depth"
						  : "Block size (KiB)";
}

const char *matrix_axis_text(struct report_model *model, const struct matrix_axis *axis,
			     unsigned i)
{
	if (strcmp(axis->name, "rw_mix") == 0)
		return report_mix(model, (int)axis->values[i]);
	if (strcmp(axis->name, "block_size") == 0)
		return report_block_tick(model, axis->values[i]);
	return report_text(model, "%llu", (unsigned long long)axis->values[i]);
}

double matrix_axis_number(const struct matrix_axis *axis, unsigned i)
{
	return strcmp(axis->name, "block_size") == 0 ? (double)axis->values[i] / 1024
						     : (double)axis->values[i];
}

const struct report_plan_cell *matrix_find(const struct report_step *loop,
					   const struct report_spec_page *spec,
					   const struct matrix_axis *rows, unsigned r,
					   const struct matrix_axis *columns, unsigned c)
{
	for (unsigned i = 0; i < loop->cell_count; i++) {
		const struct report_plan_cell *cell = &loop->cells[i];

		if (matrix_axis_value(cell, rows->name) == rows->values[r] &&
		    matrix_axis_value(cell, columns->name) == columns->values[c] &&
		    report_where_matches(spec, cell))
			return cell;
	}
	return NULL;
}

void matrix_fill_cell(struct report_model *model, const struct report_step *loop,
		      const struct report_plan_cell *cell, const char *metric,
		      struct report_cell *out)
{
	const char *reason = "not in the test's matrix";
	double value = NAN;

	if (cell != NULL)
		value = report_window_mean(model, loop, cell, metric, &reason);
	if (isfinite(value))
		cell_number(model, out, value * report_metric_scale(metric));
	else
		cell_missing(out, reason);
}

const char *matrix_mean_note(struct report_model *model, const struct report_step *loop,
			     const char *metric)
{
	if (!loop->has_window)
		return report_no_window(model, loop);
	return report_text(
		model, "%s: mean over the window rounds %d-%d.%s",
		report_metric_label(model, metric), loop->first_round, loop->last_round,
		strcmp(metric, "iops") == 0 ? " IOPS of a mixed cell = reads/s + writes/s."
					    : "");
}
