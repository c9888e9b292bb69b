/*
 * Store -> data: copies what a report needs out of the store's read functions. Must not know SQL,
 * pages or what the numbers mean.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_model_internal.h"

static const char *copied(struct report_model *model, const char *text)
{
	return text != NULL ? pts_arena_strdup(model->arena, text) : "";
}

void *report_room_for_one(struct report_model *model, void *items, size_t count, size_t size)
{
	void *bigger;

	if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
		return items;
	bigger = pts_arena_alloc(model->arena, (count < 16 ? 16 : count * 2) * size);
	if (count > 0)
		memcpy(bigger, items, count * size);
	return bigger;
}

static int take_test(void *ctx, const struct store_test *test)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;
	struct report_test *copy;

	data->tests = report_room_for_one(model, data->tests, data->test_count, sizeof(*copy));
	copy = &data->tests[data->test_count++];
	memset(copy, 0, sizeof(*copy));
	copy->name = copied(model, test->name);
	copy->title = copied(model, test->title);
	copy->standard = copied(model, test->standard);
	copy->revision = copied(model, test->revision);
	copy->section = copied(model, test->section);
	copy->mode = copied(model, test->mode);
	copy->spec_file = copied(model, test->spec_file);
	copy->spec_sha256 = copied(model, test->spec_sha256);
	copy->overrides_json = copied(model, test->overrides_json);
	copy->description = "";
	return 0;
}

struct fact_target {
	struct report_model *model;
	struct report_facts *facts;
};

static int take_fact(void *ctx, const char *key, const char *value)
{
	struct fact_target *target = ctx;
	struct report_facts *facts = target->facts;

	facts->items = report_room_for_one(target->model, facts->items, facts->count,
					   sizeof(*facts->items));
	facts->items[facts->count++] =
		(struct report_fact){copied(target->model, key), copied(target->model, value)};
	return 0;
}

static int take_step(void *ctx, const struct store_step_row *row)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;
	struct report_step *step;

	data->steps = report_room_for_one(model, data->steps, data->step_count, sizeof(*step));
	step = &data->steps[data->step_count++];
	memset(step, 0, sizeof(*step));
	step->index = row->plan.step;
	step->test = copied(model, row->plan.test);
	step->phase = copied(model, row->plan.phase);
	step->kind = copied(model, row->plan.kind);
	step->begun = row->begun;
	step->ended = row->ended;
	step->outcome = copied(model, row->outcome);
	step->rounds_closed = row->rounds_closed;
	step->elapsed_ns = row->elapsed_ns;
	step->bytes_written = row->bytes_written;
	step->max_gap_ns = row->max_gap_ns;
	step->judgeable = true;
	return 0;
}

static void take_errors(struct report_model *model, const struct store_cell *cell)
{
	struct report_data *data = &model->data;

	for (unsigned i = 0; i < cell->error_count; i++) {
		data->io_errors = report_room_for_one(
			model, data->io_errors, data->io_error_count, sizeof(*data->io_errors));
		data->io_errors[data->io_error_count++] = (struct store_io_error_row){
			cell->step, cell->round, cell->cell, cell->errors[i]};
	}
	data->errors_total += cell->total.errors;
}

static int take_cell(void *ctx, const struct store_cell *cell)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;
	const struct store_dir *total = &cell->total;

	data->cells =
		report_room_for_one(model, data->cells, data->cell_count, sizeof(*data->cells));
	data->cells[data->cell_count++] = (struct report_cell_row){
		.step = cell->step,
		.round = cell->round,
		.cell = cell->cell,
		.role = copied(model, cell->role),
		.label = copied(model, cell->label),
		.access = copied(model, cell->access),
		.reason = copied(model, cell->reason),
		.read_pct = cell->read_pct,
		.block_bytes = cell->block_bytes,
		.threads = cell->threads,
		.queue_depth = cell->queue_depth,
		.seed = cell->seed,
		.started_ns = cell->started_ns,
		.elapsed_ns = cell->elapsed_ns,
		.gap_ns = cell->gap_ns,
		.drain_ns = cell->drain_ns,
		.requested_ns = cell->requested_ns,
		.requested_bytes = cell->requested_bytes,
		.valid = cell->valid,
		.ios = total->ios,
		.bytes = total->bytes,
		.errors = total->errors,
		.iops = cell->valid ? total->iops : NAN,
		.mb_per_s = cell->valid ? total->mb_per_s : NAN,
		.lat_mean_ns = cell->valid ? total->lat_mean_ns : NAN,
		.cpu_system_pct = cell->valid ? cell->cpu_system_pct : NAN,
		.lat_p50_ns = total->lat_p50_ns,
		.lat_p99_ns = total->lat_p99_ns,
		.lat_p999_ns = total->lat_p999_ns,
		.lat_p9999_ns = total->lat_p9999_ns,
		.lat_p99999_ns = total->lat_p99999_ns,
		.lat_min_ns = total->lat_min_ns,
		.lat_max_ns = total->lat_max_ns,
		.read_iops = cell->dir[0].iops,
		.write_iops = cell->dir[1].iops,
		.read_ios = cell->dir[0].ios,
		.write_ios = cell->dir[1].ios,
		.write_bytes = cell->dir[1].bytes,
	};
	take_errors(model, cell);
	return 0;
}

static int take_steady(void *ctx, const struct store_steady *steady)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;
	struct store_steady *copy;

	data->steady =
		report_room_for_one(model, data->steady, data->steady_count, sizeof(*copy));
	copy = &data->steady[data->steady_count++];
	*copy = *steady;
	copy->track = copied(model, steady->track);
	copy->metric = copied(model, steady->metric);
	return 0;
}

static int take_round(void *ctx, const struct store_round_row *round)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;

	data->rounds = report_room_for_one(model, data->rounds, data->round_count,
					   sizeof(*data->rounds));
	data->rounds[data->round_count] = *round;
	data->rounds[data->round_count++].state = copied(model, round->state);
	return 0;
}

static int take_choice(void *ctx, const struct store_choice *choice)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;

	data->choices = report_room_for_one(model, data->choices, data->choice_count,
					    sizeof(*data->choices));
	data->choices[data->choice_count++] = (struct report_choice){
		.step = choice->step,
		.name = copied(model, choice->name),
		.rule = copied(model, choice->rule),
		.cell = choice->cell,
		.threads = choice->threads,
		.queue_depth = choice->queue_depth,
		.metric = copied(model, choice->metric),
		.value = choice->value,
		.lat_mean_ns = choice->lat_mean_ns,
		.first_round = choice->first_round,
		.last_round = choice->last_round,
	};
	return 0;
}

static int take_deviation(void *ctx, const struct store_deviation *deviation)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;

	data->deviations = report_room_for_one(model, data->deviations, data->deviation_count,
					       sizeof(*data->deviations));
	data->deviations[data->deviation_count++] = (struct store_deviation){
		copied(model, deviation->test),   copied(model, deviation->clause),
		copied(model, deviation->what),   copied(model, deviation->required),
		copied(model, deviation->actual), copied(model, deviation->reason),
	};
	return 0;
}

static int take_event(void *ctx, const struct store_event *event)
{
	struct report_model *model = ctx;
	struct report_data *data = &model->data;
	struct store_event *copy;

	data->events =
		report_room_for_one(model, data->events, data->event_count, sizeof(*copy));
	copy = &data->events[data->event_count++];
	*copy = *event;
	copy->level = copied(model, event->level);
	copy->kind = copied(model, event->kind);
	copy->text = copied(model, event->text);
	return 0;
}

static int query_facts(struct store *store, struct report_model *model, struct pts_err *err)
{
	static const char *const scopes[SCOPES] = {"device_before", "device_after",
						   "host_before", "host_after", "about"};
	int result = 0;

	for (unsigned i = 0; i < SCOPES && result == 0; i++) {
		struct fact_target target = {model, &model->data.facts[i]};

		result = store_each_fact(store, scopes[i], take_fact, &target, err);
	}
	return result;
}

static int by_number(const void *a, const void *b)
{
	const struct report_cell_row *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static int query_steps(struct store *store, struct report_model *model, struct pts_err *err)
{
	struct store_cell_filter filter = {.step = -1};
	struct report_data *data = &model->data;
	int result = store_each_step(store, take_step, model, err);

	for (unsigned i = 0; i < data->step_count && result == 0; i++) {
		result = store_each_round(store, data->steps[i].index, take_round, model, err);
		if (result == 0)
			result = store_each_steady(store, data->steps[i].index, take_steady,
						   model, err);
	}
	if (result == 0)
		result = store_each_cell(store, &filter, take_cell, model, err);
	if (result == 0)
		result = store_each_choice(store, -1, take_choice, model, err);
	/* the store has them as they were done; report_find_cell() wants them by number */
	if (result == 0 && data->cell_count > 0)
		qsort(data->cells, data->cell_count, sizeof(*data->cells), by_number);
	return result;
}

int report_query(struct store *store, struct report_model *model, struct pts_err *err)
{
	int result = store_get_run(store, &model->data.run, err);

	if (result == 0)
		result = store_each_test(store, take_test, model, err);
	if (result == 0)
		result = query_facts(store, model, err);
	if (result == 0)
		result = query_steps(store, model, err);
	if (result == 0)
		result = store_each_deviation(store, take_deviation, model, err);
	if (result == 0)
		result = store_each_event(store, take_event, model, err);
	return result;
}

const char *report_fact(const struct report_data *data, enum report_scope scope,
			const char *key)
{
	const struct report_facts *facts = &data->facts[scope];

	for (unsigned i = 0; i < facts->count; i++) {
		if (strcmp(facts->items[i].key, key) == 0)
			return facts->items[i].value;
	}
	return NULL;
}

const struct report_cell_row *report_find_cell(const struct report_data *data, int step,
					       int round, int cell)
{
	size_t low = 0, high = data->cell_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct report_cell_row *row = &data->cells[middle];
		int order = row->step != step     ? row->step - step
			    : row->round != round ? row->round - round
						  : row->cell - cell;

		if (order == 0)
			return row;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct store_steady *report_steady(const struct report_data *data, int step,
					 const char *track, int last_round)
{
	for (unsigned i = 0; i < data->steady_count; i++) {
		const struct store_steady *row = &data->steady[i];

		if (row->step == step && row->last_round == last_round &&
		    strcmp(row->track, track) == 0)
			return row;
	}
	return NULL;
}

const struct report_step *report_step_named(const struct report_test *test, const char *phase)
{
	for (unsigned i = 0; phase != NULL && i < test->step_count; i++) {
		if (strcmp(test->steps[i]->phase, phase) == 0)
			return test->steps[i];
	}
	return NULL;
}

bool report_where_matches(const struct report_spec_page *spec,
			  const struct report_plan_cell *cell)
{
	for (unsigned i = 0; i < spec->where_count; i++) {
		const struct report_where *where = &spec->where[i];

		if (strcmp(where->axis, "rw_mix") == 0 && (int)where->value != cell->read_pct)
			return false;
		if (strcmp(where->axis, "block_size") == 0 && where->value != cell->block_bytes)
			return false;
		if (strcmp(where->axis, "threads") == 0 && where->value != cell->threads)
			return false;
		if (strcmp(where->axis, "queue_depth") == 0 &&
		    where->value != cell->queue_depth)
			return false;
	}
	return true;
}

int report_judged_cell(const struct report_step *loop, int cell)
{
	if (!loop->is_sampled)
		return cell;
	return loop->sample_first ? 0 : 1;
}

double report_metric(const struct report_cell_row *row, const char *metric)
{
	if (row == NULL || !row->valid)
		return NAN;
	if (metric == NULL || strcmp(metric, "iops") == 0)
		return row->iops;
	if (strcmp(metric, "mb_per_s") == 0)
		return row->mb_per_s;
	if (strncmp(metric, "lat_mean", 8) == 0)
		return row->lat_mean_ns;
	if (strncmp(metric, "lat_p99999", 10) == 0)
		return (double)row->lat_p99999_ns;
	if (strncmp(metric, "lat_max", 7) == 0)
		return (double)row->lat_max_ns;
	if (strcmp(metric, "cpu_system") == 0)
		return row->cpu_system_pct;
	return NAN;
}

static const char *value_missing(const struct report_cell_row *row, const char *metric)
{
	if (row != NULL && row->valid && strcmp(metric, "cpu_system") == 0)
		return "the host's CPU time is not known, as with a virtual drive";
	return "no value in a round";
}

double report_window_mean(const struct report_model *model, const struct report_step *loop,
			  const struct report_plan_cell *cell, const char *metric,
			  const char **ret_reason)
{
	const struct report_data *data = &model->data;
	double sum = 0;

	*ret_reason = NULL;
	if (!cell->applicable)
		*ret_reason = cell->reason;
	else if (!loop->has_window)
		*ret_reason = "no measurement window: too few rounds";
	for (int round = loop->first_round; *ret_reason == NULL && round <= loop->last_round;
	     round++) {
		const struct report_cell_row *row = report_find_cell(
			data, loop->index, round, report_judged_cell(loop, cell->index));
		double value = report_metric(row, metric);

		sum += value;
		if (!isfinite(value))
			*ret_reason = row != NULL && row->reason[0] != '\0'
					      ? row->reason
					      : value_missing(row, metric);
	}
	if (*ret_reason != NULL)
		return NAN;
	return sum / (loop->last_round - loop->first_round + 1);
}
