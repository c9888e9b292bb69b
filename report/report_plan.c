/*
 * The plan's JSON (as stored with the run) -> what each test's steps, tracks, parameters and
 * report pages are. A plan of another version may lack members: what is missing stays empty and
 * the report says so. Must not know the plan room.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report_model_internal.h"

static const char *text_of(struct report_model *model, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_string(value))
		return pts_arena_strdup(model->arena, json_string_value(value));
	if (json_is_integer(value))
		return report_text(model, "%lld", (long long)json_integer_value(value));
	return NULL;
}

static const char *text_or_empty(struct report_model *model, const json_t *object,
				 const char *key)
{
	const char *value = text_of(model, object, key);

	return value != NULL ? value : "";
}

static double number_of(const json_t *object, const char *key, double otherwise)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* Stores come from elsewhere too: a number that no run can have is as good as none. */
static int int_of(const json_t *object, const char *key, int otherwise)
{
	double value = number_of(object, key, otherwise);

	return value >= -1 && value <= 1e6 ? (int)value : otherwise;
}

static unsigned small_of(const json_t *object, const char *key)
{
	int value = int_of(object, key, 0);

	return value > 0 ? (unsigned)value : 0;
}

static uint64_t count_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_integer(value) && json_integer_value(value) > 0)
		return (uint64_t)json_integer_value(value);
	return json_is_real(value) && json_real_value(value) > 0 &&
			       json_real_value(value) < 1e18
		       ? (uint64_t)json_real_value(value)
		       : 0;
}

static uint64_t seconds_of(const json_t *object, const char *key)
{
	double seconds = number_of(object, key, 0);

	return seconds > 0 && seconds < 1e9 ? (uint64_t)llround(seconds * 1e9) : 0;
}

static bool truth_of(const json_t *object, const char *key, bool otherwise)
{
	const json_t *value = json_object_get(object, key);

	return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

static void read_cell(struct report_model *model, const json_t *source,
		      struct report_plan_cell *cell)
{
	const json_t *stream = json_array_get(json_object_get(source, "streams"), 0);
	double random = number_of(stream, "random_share", 1);

	*cell = (struct report_plan_cell){
		.index = int_of(source, "index", 0),
		.label = text_or_empty(model, source, "label"),
		.access = random >= 1   ? "random"
			  : random <= 0 ? "sequential"
					: "mixed",
		.reason = text_or_empty(model, source, "reason"),
		.data_pattern = text_of(model, source, "data_pattern"),
		.applicable = truth_of(source, "applicable", true),
		.read_pct = int_of(source, "read_pct", 0),
		.block_bytes = count_of(source, "block_bytes"),
		.threads = small_of(source, "threads"),
		.queue_depth = small_of(source, "queue_depth"),
		.duration_ns = count_of(source, "duration_ns"),
		.amount_bytes = count_of(source, "amount_bytes"),
		.start_bytes = count_of(stream, "start_bytes"),
		.span_bytes = count_of(stream, "span_bytes"),
	};
	if (!cell->applicable && cell->reason[0] == '\0')
		cell->reason = "it can't run on this device";
}

static void read_track(struct report_model *model, const json_t *source,
		       struct report_track *track)
{
	*track = (struct report_track){
		.name = text_or_empty(model, source, "name"),
		.metric = text_or_empty(model, source, "metric"),
		.cell = int_of(source, "cell", -1),
		.read_pct = int_of(source, "read_pct", -1),
		.block_bytes = count_of(source, "block_bytes"),
	};
}

static void read_step(struct report_model *model, const json_t *source,
		      struct report_step *step)
{
	const json_t *cells = json_object_get(source, "cells");
	const json_t *tracks = json_object_get(source, "tracks");

	step->cells = PTS_ARENA_ARRAY(model->arena, struct report_plan_cell,
				      json_array_size(cells) + 1);
	for (size_t i = 0; i < json_array_size(cells); i++)
		read_cell(model, json_array_get(cells, i), &step->cells[step->cell_count++]);
	step->tracks =
		PTS_ARENA_ARRAY(model->arena, struct report_track, json_array_size(tracks) + 1);
	for (size_t i = 0; i < json_array_size(tracks); i++)
		read_track(model, json_array_get(tracks, i),
			   &step->tracks[step->track_count++]);
	step->before_count = (unsigned)json_array_size(json_object_get(source, "before"));
	step->max_rounds = small_of(source, "max_rounds");
	step->window = small_of(source, "window");
	step->range_share = number_of(source, "range_share", NAN);
	step->slope_share = number_of(source, "slope_share", NAN);
	step->sample_ns = seconds_of(source, "sample_s");
	step->sample_load_ns = seconds_of(source, "sample_load_s");
	step->record_ns = seconds_of(source, "record_s");
	step->busy_ns = seconds_of(source, "busy_s");
	step->idle_ns = seconds_of(source, "idle_s");
	step->repeat = small_of(source, "repeat");
	step->sample_first = truth_of(source, "sample_first", false);
	step->is_sampled = step->sample_ns > 0;
	step->judgeable = truth_of(source, "judgeable", true);
	for (unsigned i = 0; i < step->track_count; i++) {
		if (step->tracks[i].cell < 0)
			step->judgeable = false;
	}
}

static void read_where(struct report_model *model, const json_t *source,
		       struct report_spec_page *page)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)source, key, value)
	{
		struct report_where *where = &page->where[page->where_count];

		if (page->where_count == 4)
			return;
		where->axis = pts_arena_strdup(model->arena, key);
		where->value = (uint64_t)json_number_value(value);
		page->where_count++;
	}
}

static unsigned read_metrics(struct report_model *model, const json_t *list, const char *one,
			     const char *ret_metrics[REPORT_METRICS])
{
	unsigned count = 0;

	for (size_t i = 0; i < json_array_size(list) && count < REPORT_METRICS; i++) {
		const char *metric = json_string_value(json_array_get(list, i));

		if (metric != NULL)
			ret_metrics[count++] = pts_arena_strdup(model->arena, metric);
	}
	if (count == 0 && one != NULL)
		ret_metrics[count++] = one;
	return count;
}

static void read_page_steps(struct report_model *model, const json_t *list,
			    struct report_spec_page *page)
{
	page->steps = PTS_ARENA_ARRAY(model->arena, const char *, json_array_size(list) + 1);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *step = json_string_value(json_array_get(list, i));

		if (step != NULL)
			page->steps[page->step_count++] = pts_arena_strdup(model->arena, step);
	}
	if (page->step_count == 0 && page->step != NULL)
		page->steps[page->step_count++] = page->step;
}

static void read_page(struct report_model *model, const json_t *source,
		      struct report_spec_page *page)
{
	*page = (struct report_spec_page){
		.kind = text_or_empty(model, source, "kind"),
		.title = text_or_empty(model, source, "title"),
		.step = text_of(model, source, "step"),
		.track = text_of(model, source, "track"),
		.x = text_of(model, source, "x"),
		.y = text_of(model, source, "y"),
		.z = text_of(model, source, "z"),
		.series = text_of(model, source, "series"),
		.rows = text_of(model, source, "rows"),
		.columns = text_of(model, source, "columns"),
		.x_scale = text_of(model, source, "x_scale"),
		.y_scale = text_of(model, source, "y_scale"),
		.table = truth_of(source, "table", true),
		.confidence = truth_of(source, "confidence", false),
		.level_share = number_of(source, "level_pct", NAN) / 100,
	};
	page->y_count = read_metrics(model, json_object_get(source, "ys"), page->y, page->ys);
	page->y2_count = read_metrics(model, json_object_get(source, "y2s"),
				      text_of(model, source, "y2"), page->y2s);
	read_page_steps(model, json_object_get(source, "steps"), page);
	read_where(model, json_object_get(source, "where"), page);
}

static void read_param(struct report_model *model, const json_t *source,
		       struct report_param *param)
{
	*param = (struct report_param){
		.name = text_or_empty(model, source, "name"),
		.value = text_or_empty(model, source, "value"),
		.standard = text_or_empty(model, source, "standard"),
		.clause = text_or_empty(model, source, "clause"),
		.basis = text_or_empty(model, source, "basis"),
		.binding = text_or_empty(model, source, "binding"),
		.help = text_or_empty(model, source, "help"),
		.overridden = truth_of(source, "overridden", false),
	};
}

static void read_citation(struct report_model *model, const json_t *source,
			  struct report_citation *citation)
{
	*citation = (struct report_citation){
		.path = text_or_empty(model, source, "path"),
		.value = text_or_empty(model, source, "value"),
		.clause = text_or_empty(model, source, "clause"),
		.basis = text_or_empty(model, source, "basis"),
		.binding = text_or_empty(model, source, "binding"),
	};
}

static void read_labels(struct report_model *model, const json_t *list,
			struct report_reasons *labels)
{
	labels->items = PTS_ARENA_ARRAY(model->arena, const char *, json_array_size(list) + 1);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *label = json_string_value(json_array_get(list, i));

		if (label != NULL)
			labels->items[labels->count++] = pts_arena_strdup(model->arena, label);
	}
}

static void read_test(struct report_model *model, const json_t *source,
		      struct report_test *test)
{
	const json_t *params = json_object_get(source, "params");
	const json_t *pages = json_object_get(source, "pages");
	const json_t *citations = json_object_get(source, "citations");

	read_labels(model, json_object_get(source, "labels"), &test->labels);
	test->description = text_or_empty(model, source, "description");
	test->params =
		PTS_ARENA_ARRAY(model->arena, struct report_param, json_array_size(params) + 1);
	for (size_t i = 0; i < json_array_size(params); i++)
		read_param(model, json_array_get(params, i),
			   &test->params[test->param_count++]);
	test->pages = PTS_ARENA_ARRAY(model->arena, struct report_spec_page,
				      json_array_size(pages) + 1);
	for (size_t i = 0; i < json_array_size(pages); i++)
		read_page(model, json_array_get(pages, i), &test->pages[test->page_count++]);
	test->citations = PTS_ARENA_ARRAY(model->arena, struct report_citation,
					  json_array_size(citations) + 1);
	for (size_t i = 0; i < json_array_size(citations); i++)
		read_citation(model, json_array_get(citations, i),
			      &test->citations[test->citation_count++]);
}

static void link_steps(struct report_model *model)
{
	struct report_data *data = &model->data;

	for (unsigned t = 0; t < data->test_count; t++) {
		struct report_test *test = &data->tests[t];

		test->steps = PTS_ARENA_ARRAY(model->arena, struct report_step *,
					      data->step_count + 1);
		for (unsigned s = 0; s < data->step_count; s++) {
			if (strcmp(data->steps[s].test, test->name) == 0)
				test->steps[test->step_count++] = &data->steps[s];
		}
	}
}

static struct report_test *test_named(struct report_data *data, const char *name)
{
	for (unsigned i = 0; name != NULL && i < data->test_count; i++) {
		if (strcmp(data->tests[i].name, name) == 0)
			return &data->tests[i];
	}
	return NULL;
}

int report_plan_read(struct report_model *model, struct pts_err *err)
{
	struct report_data *data = &model->data;
	const char *plan = data->run->plan_json;
	json_error_t error;
	json_t *root = json_loads(plan != NULL ? plan : "", 0, &error);
	const json_t *steps, *tests;

	if (!json_is_object(root)) {
		json_decref(root);
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
				"the store's plan is no JSON object (line %d: %s)", error.line,
				error.text);
	}
	steps = json_object_get(root, "steps");
	for (size_t i = 0; i < json_array_size(steps); i++) {
		const json_t *source = json_array_get(steps, i);
		int index = int_of(source, "index", (int)i);

		for (unsigned s = 0; s < data->step_count; s++) {
			if (data->steps[s].index == index)
				read_step(model, source, &data->steps[s]);
		}
	}
	tests = json_object_get(root, "tests");
	for (size_t i = 0; i < json_array_size(tests); i++) {
		const json_t *source = json_array_get(tests, i);
		struct report_test *test =
			test_named(data, json_string_value(json_object_get(source, "name")));

		if (test != NULL)
			read_test(model, source, test);
	}
	link_steps(model);
	json_decref(root);
	return 0;
}
