/*
 * Samples of a store -> points over time, for the steps that a page shows so. Finer samples are
 * summed up to the span that the spec asks for. Must not know pages or plots.
 */
#include <math.h>
#include <string.h>

#include "report_model_internal.h"

struct target {
	struct report_model *model;
	struct report_step *step;
};

bool report_shows_points(const struct report_spec_page *page)
{
	return strcmp(page->kind, "timeline") == 0 || strcmp(page->kind, "recovery") == 0;
}

struct report_step *report_point_step(const struct report_test *test, const char *name,
				      bool *ret_before)
{
	*ret_before = false;
	for (unsigned i = 0; i < test->step_count; i++) {
		if (strcmp(test->steps[i]->phase, name) == 0)
			return test->steps[i];
	}
	*ret_before = true;
	for (unsigned i = 0; i < test->step_count; i++) {
		if (test->steps[i]->before_count > 0)
			return test->steps[i];
	}
	return NULL;
}

bool report_is_before(const struct report_step *step, int cell)
{
	return step->before_count > 0 && cell >= (int)step->cell_count;
}

static struct report_point *add_point(struct target *target, const struct store_cell *cell)
{
	struct report_step *step = target->step;
	struct report_point *point;

	step->points = report_room_for_one(target->model, step->points, step->point_count,
					   sizeof(*step->points));
	point = &step->points[step->point_count++];
	*point = (struct report_point){.round = cell->round, .cell = cell->cell};
	return point;
}

/* A cell without samples is one point. */
static void add_whole(struct target *target, const struct store_cell *cell)
{
	struct report_point *point;

	if (cell->elapsed_ns == 0)
		return;
	point = add_point(target, cell);
	point->at_ns = cell->started_ns;
	point->span_ns = cell->elapsed_ns;
	point->ios = cell->total.ios;
	point->bytes = cell->total.bytes;
	point->written_bytes = cell->dir[1].bytes;
	point->lat_sum_ns = (double)cell->total.lat_sum_ns;
	point->lat_max_ns = cell->total.lat_max_ns;
}

static void add_sample(struct report_point *point, const struct store_sample *sample)
{
	point->span_ns += sample->span_ns;
	point->written_bytes += sample->bytes[1];
	for (unsigned d = 0; d < STORE_DIRS; d++) {
		point->ios += sample->ios[d];
		point->bytes += sample->bytes[d];
		point->lat_sum_ns += (double)sample->lat_sum_ns[d];
		if (sample->lat_max_ns[d] > point->lat_max_ns)
			point->lat_max_ns = sample->lat_max_ns[d];
	}
}

/*
 * A new point begins when the last one is full. The rest at the end of a cell is a point of its
 * own only if it is long enough for a rate to mean something: a tenth of a span.
 */
static int take_samples(void *ctx, const struct store_cell *cell)
{
	struct target *target = ctx;
	uint64_t span_ns = target->step->record_ns;
	struct report_point *point = NULL;
	uint64_t at_ns = cell->started_ns;
	uint64_t whole_ns = 0, left_ns = 0;

	if (cell->sample_count == 0) {
		add_whole(target, cell);
		return 0;
	}
	for (size_t i = 0; i < cell->sample_count; i++)
		left_ns += cell->samples[i].span_ns;
	for (size_t i = 0; i < cell->sample_count; i++) {
		whole_ns = whole_ns > cell->samples[i].span_ns ? whole_ns
							       : cell->samples[i].span_ns;
		if (point == NULL ||
		    (point->span_ns + cell->samples[i].span_ns / 2 >= span_ns &&
		     left_ns * 10 >= (span_ns > whole_ns ? span_ns : whole_ns))) {
			point = add_point(target, cell);
			point->at_ns = at_ns;
		}
		add_sample(point, &cell->samples[i]);
		at_ns += cell->samples[i].span_ns;
		left_ns -= cell->samples[i].span_ns;
	}
	return 0;
}

static void mark_wanted(const struct report_test *test)
{
	bool before;

	for (unsigned p = 0; p < test->page_count; p++) {
		const struct report_spec_page *page = &test->pages[p];

		for (unsigned i = 0; report_shows_points(page) && i < page->step_count; i++) {
			struct report_step *step =
				report_point_step(test, page->steps[i], &before);

			if (step != NULL)
				step->wants_points = true;
		}
	}
}

int report_points_query(struct store *store, struct report_model *model, struct pts_err *err)
{
	struct report_data *data = &model->data;
	int result = 0;

	for (unsigned i = 0; i < data->test_count; i++)
		mark_wanted(&data->tests[i]);
	for (unsigned i = 0; i < data->step_count && result == 0; i++) {
		struct store_cell_filter filter = {.step = data->steps[i].index,
						   .with_samples = true};
		struct target target = {model, &data->steps[i]};

		if (data->steps[i].wants_points)
			result = store_each_cell(store, &filter, take_samples, &target, err);
	}
	return result;
}

uint64_t report_written_before(const struct report_data *data, const struct report_test *test,
			       const struct report_step *step)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < test->step_count && test->steps[i] != step; i++) {
		if (strcmp(test->steps[i]->kind, "purge") == 0)
			bytes = 0;
		for (size_t c = 0; c < data->cell_count; c++) {
			if (data->cells[c].step == test->steps[i]->index)
				bytes += data->cells[c].write_bytes;
		}
	}
	return bytes;
}

double report_point_metric(const struct report_point *point, const char *metric)
{
	if (strcmp(metric, "iops") == 0 && point->span_ns > 0)
		return (double)point->ios * 1e9 / (double)point->span_ns;
	if (strcmp(metric, "mb_per_s") == 0 && point->span_ns > 0)
		return (double)point->bytes * 1e3 / (double)point->span_ns;
	if (strcmp(metric, "lat_mean") == 0 && point->ios > 0)
		return point->lat_sum_ns / (double)point->ios;
	if (strcmp(metric, "lat_max") == 0 && point->ios > 0)
		return (double)point->lat_max_ns;
	return NAN;
}
