/*
 * The report of one test of a run: takes out of the data what belongs to the others. What is
 * about the whole run stays. Must not know pages.
 */
#include <errno.h>
#include <string.h>

#include "pts_text.h"
#include "report_model_internal.h"

static int unknown_test(const struct report_model *model, const char *name, struct pts_err *err)
{
	const struct report_data *data = &model->data;
	const char **names = PTS_ARENA_ARRAY(model->arena, const char *, data->test_count + 1);
	const char *nearest;

	for (unsigned i = 0; i < data->test_count; i++)
		names[i] = data->tests[i].name;
	nearest = pts_nearest(name, names, data->test_count);
	if (nearest != NULL)
		return pts_fail(err, PTS_EXIT_USAGE, ENOENT,
				"the run has no test '%s', did you mean '%s'?", name, nearest);
	return pts_fail(err, PTS_EXIT_USAGE, ENOENT, "the run has no test '%s', but '%s'%s",
			name, data->test_count > 0 ? names[0] : "",
			data->test_count > 1 ? " and others" : "");
}

static bool belongs(const struct report_data *data, int step, const char *name)
{
	for (unsigned i = 0; i < data->step_count; i++) {
		if (data->steps[i].index == step)
			return strcmp(data->steps[i].test, name) == 0;
	}
	return step < 0; /* of no step: of the whole run */
}

/* Keeps the items of a list that keep() is true for. */
#define KEEP(list, count, condition)                                                           \
	do {                                                                                   \
		size_t kept = 0;                                                               \
                                                                                               \
		for (size_t i = 0; i < (count); i++) {                                         \
			if (condition)                                                         \
				(list)[kept++] = (list)[i];                                    \
		}                                                                              \
		(count) = (__typeof__(count))kept;                                             \
	} while (0)

static void keep_rows(struct report_data *data, const char *name)
{
	data->errors_total = 0;
	KEEP(data->cells, data->cell_count, belongs(data, data->cells[i].step, name));
	for (size_t i = 0; i < data->cell_count; i++)
		data->errors_total += data->cells[i].errors;
	KEEP(data->steady, data->steady_count, belongs(data, data->steady[i].step, name));
	KEEP(data->rounds, data->round_count, belongs(data, data->rounds[i].step, name));
	KEEP(data->events, data->event_count, belongs(data, data->events[i].step, name));
	KEEP(data->io_errors, data->io_error_count,
	     belongs(data, data->io_errors[i].step, name));
	KEEP(data->choices, data->choice_count, belongs(data, data->choices[i].step, name));
	KEEP(data->deviations, data->deviation_count,
	     data->deviations[i].test[0] == '\0' ||
		     strcmp(data->deviations[i].test, name) == 0);
}

int report_select(struct report_model *model, const char *name, struct pts_err *err)
{
	struct report_data *data = &model->data;
	bool found = false;

	for (unsigned i = 0; i < data->test_count; i++)
		found = found || strcmp(data->tests[i].name, name) == 0;
	if (!found)
		return unknown_test(model, name, err);
	keep_rows(data, name);
	KEEP(data->steps, data->step_count, strcmp(data->steps[i].test, name) == 0);
	KEEP(data->tests, data->test_count, strcmp(data->tests[i].name, name) == 0);
	return 0;
}
