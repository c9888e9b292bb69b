/*
 * What the data amount to: measurement window, steady or not, compliant or why not. Reads the
 * stored judgements; computes no statistics of its own (judge and `pts verify` do).
 */
#include <math.h>
#include <string.h>

#include "report_model_internal.h"

static void why_not(struct report_model *model, struct report_test *test, const char *text)
{
	struct report_reasons *why = &test->why_not;
	const char **more = PTS_ARENA_ARRAY(model->arena, const char *, why->count + 1);

	for (unsigned i = 0; i < why->count; i++)
		more[i] = why->items[i];
	more[why->count++] = text;
	why->items = more;
	test->compliant = false;
}

const char *report_no_window(struct report_model *model, const struct report_step *loop)
{
	return report_text(model,
			   "No measurement window: %d of at least %u rounds were completed.",
			   loop->rounds_closed, loop->window);
}

static int last_judged_round(const struct report_data *data, const struct report_step *step)
{
	int last = 0;

	for (unsigned i = 0; i < data->steady_count; i++) {
		if (data->steady[i].step == step->index && data->steady[i].last_round > last)
			last = data->steady[i].last_round;
	}
	return last;
}

static int last_valid_round(const struct report_data *data, const struct report_step *step)
{
	int last = 0;

	for (unsigned i = 0; i < data->round_count; i++) {
		const struct store_round_row *round = &data->rounds[i];

		if (round->step == step->index && strcmp(round->state, "valid") == 0 &&
		    round->round > last)
			last = round->round;
	}
	return last;
}

/* Valid rounds of one after another that end at last, none of them before a resume's gap. */
static int unbroken_rounds(const struct report_data *data, const struct report_step *step,
			   int last)
{
	int count = 0;
	bool found = true;

	while (found && last - count > 0) {
		found = false;
		for (unsigned i = 0; i < data->round_count; i++) {
			const struct store_round_row *round = &data->rounds[i];

			if (round->step != step->index || round->round != last - count ||
			    strcmp(round->state, "valid") != 0)
				continue;
			count++;
			if (round->after_gap)
				return count;
			found = true;
			break;
		}
	}
	return count;
}

/*
 * The window is x-(window-1)..x with x the last round judged (PTS 2.1.13). A loop whose tracked
 * cell can't run has no judgements, but its last rounds still make a window for the tables.
 */
static void find_window(const struct report_data *data, struct report_step *loop)
{
	unsigned window = loop->window;
	int last = last_judged_round(data, loop);

	loop->judged = loop->judgeable && last > 0;
	for (unsigned i = 0; last > 0 && i < data->steady_count; i++) {
		if (data->steady[i].step == loop->index && data->steady[i].last_round == last)
			window = (unsigned)data->steady[i].window;
	}
	if (last == 0)
		last = last_valid_round(data, loop);
	if (window == 0 || unbroken_rounds(data, loop, last) < (int)window)
		return;
	loop->has_window = true;
	loop->last_round = last;
	loop->first_round = last - (int)window + 1;
	loop->steady = loop->judged && loop->track_count > 0;
	for (unsigned i = 0; i < loop->track_count; i++) {
		const struct store_steady *row =
			report_steady(data, loop->index, loop->tracks[i].name, last);

		if (row == NULL || !row->valid || !row->steady)
			loop->steady = false;
	}
}

/* The plan records some of these facts as deviations too; they are told once. */
static bool is_recorded(const struct report_model *model, const struct report_test *test,
			const char *what)
{
	for (unsigned i = 0; i < model->data.deviation_count; i++) {
		const struct store_deviation *row = &model->data.deviations[i];

		if (strcmp(row->what, what) == 0 &&
		    (row->test[0] == '\0' || strcmp(row->test, test->name) == 0))
			return true;
	}
	return false;
}

static void check_run(struct report_model *model, struct report_test *test)
{
	const struct store_run *run = model->data.run;
	static const char *const states[] = {
		[STORE_RUNNING] = "the run has not ended",
		[STORE_STOPPED] = "the run was stopped before its end",
		[STORE_FAILED] = "an error ended the run",
	};

	if (run->state != STORE_DONE)
		why_not(model, test,
			run->stop_reason != NULL && run->stop_reason[0] != '\0'
				? report_text(model, "%s: %s", states[run->state],
					      run->stop_reason)
				: states[run->state]);
	if (report_not_a_drive(model) != NULL && !is_recorded(model, test, "device under test"))
		why_not(model, test,
			report_text(model, "the target is not a drive (%s)",
				    report_not_a_drive(model)));
	if (run->clock_is_virtual)
		why_not(model, test, "times are those of a virtual clock");
}

/* A load that another of its rules may end need not get steady (PTS section 10). */
static bool ended_otherwise(const struct report_step *loop)
{
	return strcmp(loop->outcome, "amount") == 0 || strcmp(loop->outcome, "time") == 0;
}

static void check_cells(struct report_model *model, struct report_test *test,
			const struct report_step *loop)
{
	const char *reason;

	for (unsigned i = 0; i < loop->cell_count && !loop->is_sampled; i++) {
		if (!loop->cells[i].applicable)
			continue;
		report_window_mean(model, loop, &loop->cells[i], "iops", &reason);
		if (reason != NULL)
			why_not(model, test,
				report_text(model, "%s has no result: %s", loop->cells[i].label,
					    reason));
	}
}

static void check_loop(struct report_model *model, struct report_test *test,
		       const struct report_step *loop)
{
	if (!loop->judgeable && is_recorded(model, test, "tracking variable"))
		return;
	if (!loop->judgeable)
		why_not(model, test,
			"a tracking variable can't be measured on this device, so steady state "
			"can't be judged");
	else if (loop->has_window)
		check_cells(model, test, loop);
	else if (!ended_otherwise(loop))
		why_not(model, test,
			report_text(model, "%sno measurement window: %d of at least %u rounds",
				    loop == test->loop
					    ? ""
					    : report_text(model, "%s: ", loop->phase),
				    loop->rounds_closed, loop->window));
}

static void check_deviations(struct report_model *model, struct report_test *test)
{
	const struct report_data *data = &model->data;

	for (unsigned i = 0; i < data->deviation_count; i++) {
		const struct store_deviation *row = &data->deviations[i];

		if (row->test[0] != '\0' && strcmp(row->test, test->name) != 0)
			continue;
		why_not(model, test,
			report_text(model, "%s: required %s, actual %s", row->what,
				    row->required[0] ? row->required : "-",
				    row->actual[0] ? row->actual : "-"));
	}
}

const char *report_not_a_drive(const struct report_model *model)
{
	static const char *const not_drives[] = {"loop", "file", "zram", "ram", "sim", "null"};
	const char *kind = report_fact(&model->data, SCOPE_DEVICE_BEFORE, "kind");
	const char *is_virtual = report_fact(&model->data, SCOPE_DEVICE_BEFORE, "is_virtual");
	const char *transport = report_fact(&model->data, SCOPE_DEVICE_BEFORE, "transport");

	if (kind != NULL && strcmp(kind, "file") == 0)
		return "a regular file";
	for (unsigned i = 0; transport != NULL && i < sizeof(not_drives) / sizeof(*not_drives);
	     i++) {
		if (strcmp(transport, not_drives[i]) == 0)
			return i == 0 ? "a loop device over a file" : not_drives[i];
	}
	if (is_virtual != NULL && strcmp(is_virtual, "1") == 0)
		return "a virtual device";
	return NULL;
}

static bool is_loop(const struct report_step *step)
{
	return strcmp(step->kind, "rounds") == 0 || step->track_count > 0 || step->is_sampled;
}

/* The main loop is the matrix; of a test without one, the first load that is judged. */
static void find_loops(struct report_test *test)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		struct report_step *step = test->steps[i];

		step->is_loop = is_loop(step);
		if (step->is_loop &&
		    (test->loop == NULL ||
		     (strcmp(step->kind, "rounds") == 0 && test->loop->is_sampled)))
			test->loop = step;
	}
}

void report_verdicts(struct report_model *model)
{
	struct report_data *data = &model->data;

	for (unsigned i = 0; i < data->test_count; i++) {
		struct report_test *test = &data->tests[i];

		test->compliant = true;
		find_loops(test);
		test->judged = test->steady = test->loop != NULL;
		for (unsigned j = 0; j < test->step_count; j++) {
			if (!test->steps[j]->is_loop)
				continue;
			find_window(data, test->steps[j]);
			test->judged = test->judged && test->steps[j]->judged;
			test->steady = test->steady && test->steps[j]->steady;
		}
		check_run(model, test);
		for (unsigned j = 0; j < test->step_count; j++) {
			if (test->steps[j]->is_loop)
				check_loop(model, test, test->steps[j]);
		}
		test->own_reasons = test->why_not.count;
		check_deviations(model, test);
	}
}
