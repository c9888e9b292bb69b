/* judge: series from CSV, or the stored rounds of a run, under the same or another rule. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "cli_series.h"
#include "judge_steady.h"
#include "pts_text.h"
#include "pts_units.h"
#include "spec.h"
#include "store.h"

/* A series by name with its judgements; what both sources of series become. */
struct judged {
	const char *name;
	double first_round;
	const double *values;
	size_t count;
};

struct judge_output {
	json_t *list; /* NULL: text */
	struct judge_rule rule;
	const double *tracks[64];
	size_t track_count, common_count;
	double common_first;
	bool one_grid; /* all series cover the same rounds */
};

static int share_option(const struct cli_args *args, const char *name, double *share,
			struct pts_err *err)
{
	const char *text = cli_value(args, name);

	if (text && pts_percent_parse(text, share) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--%s takes a share such as 20%%, not '%s'", name, text);
	return 0;
}

static int rule_options(const struct cli_args *args, struct judge_rule *rule,
			struct pts_err *err)
{
	int rc = cli_count(args, "window", 2, rule->window, &rule->window, err);

	if (!rc && rule->window > JUDGE_WINDOW_MAX)
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL, "--window is at most %d rounds",
			      JUDGE_WINDOW_MAX);
	if (!rc)
		rc = share_option(args, "range", &rule->range_share, err);
	if (!rc)
		rc = share_option(args, "slope", &rule->slope_share, err);
	return rc;
}

/* The rule's numbers stand in the spec, not here: the first loop of the iops spec. */
static int rule_of_spec(struct judge_rule *rule, struct pts_err *err)
{
	struct spec_options options = {.mode = SPEC_ENTERPRISE};
	struct spec *spec = NULL;
	char *path = NULL;
	int rc = spec_find("iops", &path, err);

	if (!rc)
		rc = spec_read_file(path, &options, &spec, err);
	for (unsigned i = 0; !rc && i < spec->step_count; i++) {
		const struct spec_steady *steady = &spec->steps[i].steady;

		if (spec->steps[i].kind != SPEC_STEP_ROUNDS)
			continue;
		*rule = (struct judge_rule){steady->window, steady->range_share,
					    steady->slope_share};
		break;
	}
	spec_free(spec);
	free(path);
	return rc;
}

static json_t *json_window(double round, const struct judge_window *window)
{
	json_t *object = json_object();

	json_object_set_new(object, "round", json_integer((json_int_t)round));
	json_object_set_new(object, "average", cli_json_number(window->average));
	json_object_set_new(object, "minimum", cli_json_number(window->minimum));
	json_object_set_new(object, "maximum", cli_json_number(window->maximum));
	json_object_set_new(object, "range", cli_json_number(window->range));
	json_object_set_new(object, "range_pct", cli_json_number(window->range_pct));
	json_object_set_new(object, "slope", cli_json_number(window->slope));
	json_object_set_new(object, "intercept", cli_json_number(window->intercept));
	json_object_set_new(object, "slope_excursion",
			    cli_json_number(window->slope_excursion));
	json_object_set_new(object, "slope_excursion_pct",
			    cli_json_number(window->slope_excursion_pct));
	json_object_set_new(object, "r", cli_json_number(window->r));
	json_object_set_new(object, "range_ok", json_boolean(window->range_ok));
	json_object_set_new(object, "slope_ok", json_boolean(window->slope_ok));
	json_object_set_new(object, "steady", json_boolean(window->steady));
	json_object_set_new(object, "boundary", json_boolean(window->boundary));
	return object;
}

static void print_window(double round, const struct judge_window *window)
{
	char average[40];

	if (!window->valid) {
		printf("  round %3.0f  a round of the window failed: not steady\n", round);
		return;
	}
	pts_number_text(window->average, fabs(window->average) < 100 ? 4 : 1, average,
			sizeof(average));
	printf("  round %3.0f  average %14s  range %8.3f %%  slope %8.3f %%  %s%s\n", round,
	       average, window->range_pct, window->slope_excursion_pct,
	       window->steady ? "steady" : "not steady",
	       window->boundary ? " (a limit is met exactly)" : "");
}

static void judge_one(struct judge_output *output, const struct judged *series)
{
	json_t *rounds = json_array(), *object;
	double first_steady = -1;

	if (!output->list)
		printf("%s\n", series->name);
	for (size_t last = 0; last < series->count; last++) {
		double round = series->first_round + (double)last;
		struct judge_window window;

		if (judge_series_at(series->values, series->count, last, series->first_round,
				    &output->rule, &window) < 0)
			continue;
		if (window.steady && first_steady < 0)
			first_steady = round;
		if (output->list)
			json_array_append_new(rounds, json_window(round, &window));
		else
			print_window(round, &window);
	}
	if (!output->list) {
		json_decref(rounds);
		return;
	}
	object = json_object();
	json_object_set_new(object, "series", cli_json_text(series->name));
	json_object_set_new(object, "first_steady_round",
			    first_steady < 0 ? json_null()
					     : json_integer((json_int_t)first_steady));
	json_object_set_new(object, "rounds", rounds);
	json_array_append_new(output->list, object);
}

/* For the round at which all tracks of one test are steady together. */
static void remember(struct judge_output *output, const struct judged *series)
{
	if (output->track_count == 0) {
		output->common_first = series->first_round;
		output->common_count = series->count;
		output->one_grid = true;
	}
	if (series->first_round > output->common_first ||
	    series->first_round < output->common_first)
		output->one_grid = false;
	if (series->count < output->common_count)
		output->common_count = series->count;
	if (output->track_count < 64)
		output->tracks[output->track_count++] = series->values;
}

static json_t *common_round(const struct judge_output *output)
{
	long index = -1;

	if (output->one_grid)
		index = judge_first_common(output->tracks, output->track_count,
					   output->common_count, &output->rule);
	return index < 0 ? json_null()
			 : json_integer((json_int_t)output->common_first + (json_int_t)index);
}

static void finish(struct judge_output *output, bool with_common)
{
	json_t *root, *rule, *round = with_common ? common_round(output) : NULL;

	if (!output->list) {
		if (round && json_is_integer(round))
			printf("all series steady at round %lld\n",
			       (long long)json_integer_value(round));
		else if (round)
			printf("no round at which all series are steady\n");
		json_decref(round);
		return;
	}
	root = json_object();
	rule = json_object();
	json_object_set_new(rule, "window", json_integer(output->rule.window));
	json_object_set_new(rule, "range_pct", cli_json_number(output->rule.range_share * 100));
	json_object_set_new(rule, "slope_pct", cli_json_number(output->rule.slope_share * 100));
	json_object_set_new(root, "rule", rule);
	json_object_set_new(root, "series", output->list);
	if (round)
		json_object_set_new(root, "all_steady_round", round);
	cli_json_print(root);
}

static int judge_files(struct cli_args *args, struct judge_output *output, struct pts_err *err)
{
	struct cli_series_file files[CLI_VALUES_MAX] = {0};
	unsigned count = 0;
	const char *path;
	int rc = rule_of_spec(&output->rule, err);

	if (!rc)
		rc = rule_options(args, &output->rule, err);
	while (!rc && count < CLI_VALUES_MAX && (path = cli_nth(args, "series", count))) {
		rc = cli_series_read(path, &files[count], err);
		count += !rc;
	}
	for (unsigned f = 0; f < count && !rc; f++)
		for (size_t s = 0; s < files[f].count; s++) {
			const struct cli_series *from = &files[f].series[s];
			struct judged series = {from->name, from->first_round, from->values,
						from->count};

			judge_one(output, &series);
			remember(output, &series);
		}
	if (!rc)
		finish(output, count > 1);
	while (count)
		cli_series_release(&files[--count]);
	return rc;
}

/* The tracks that a run judged, with the rule of their rows. */
struct stored_track {
	char *name, *metric;
	int step, read_pct;
	uint64_t block_bytes;
	struct judge_rule rule;
};

struct stored {
	struct stored_track tracks[64];
	unsigned count;
};

static int add_track(void *ctx, const struct store_steady *row)
{
	struct stored *stored = ctx;

	for (unsigned i = 0; i < stored->count; i++)
		if (stored->tracks[i].step == row->step &&
		    !strcmp(stored->tracks[i].name, row->track))
			return 0;
	if (stored->count == 64)
		return 0;
	stored->tracks[stored->count++] = (struct stored_track){
		.name = strdup(row->track),
		.metric = strdup(row->metric),
		.step = row->step,
		.read_pct = row->read_pct,
		.block_bytes = row->block_bytes,
		.rule = {(unsigned)row->window, row->range_limit, row->slope_limit},
	};
	return 0;
}

struct cell_search {
	const struct stored_track *track;
	int cell;
};

static int match_cell(void *ctx, const struct store_cell *cell)
{
	struct cell_search *search = ctx;

	if (search->cell < 0 && cell->round > 0 && cell->read_pct == search->track->read_pct &&
	    cell->block_bytes == search->track->block_bytes)
		search->cell = cell->cell;
	return 0;
}

static int judge_track(struct store *store, const struct stored_track *track,
		       struct judge_output *output, struct pts_err *err)
{
	struct store_cell_filter filter = {.step = track->step};
	struct cell_search search = {track, -1};
	struct judged series = {.name = track->name};
	double *values = calloc(65536, sizeof(*values));
	int first_round = 1;
	int rc = store_each_cell(store, &filter, match_cell, &search, err);

	if (!values)
		abort();
	if (!rc)
		rc = store_series(store, track->step, search.cell, track->metric, values, 65536,
				  &series.count, &first_round, err);
	series.first_round = first_round;
	series.values = values;
	if (!rc) {
		judge_one(output, &series);
		remember(output, &series);
	} else {
		free(values);
	}
	return rc;
}

static int judge_run(struct cli_args *args, struct judge_output *output, struct pts_err *err)
{
	struct stored stored = {.count = 0};
	struct store *store = NULL;
	char *path = NULL;
	int rc = store_locate(args->words[0], &path, err);

	if (!rc)
		rc = store_open(path, STORE_READ, &store, err);
	if (!rc)
		rc = store_each_steady(store, -1, add_track, &stored, err);
	for (unsigned i = 0; i < stored.count && !rc; i++) {
		output->rule = stored.tracks[i].rule;
		rc = rule_options(args, &output->rule, err);
		if (!rc)
			rc = judge_track(store, &stored.tracks[i], output, err);
	}
	if (!rc && !stored.count && !output->list)
		printf("no round of this run was judged\n");
	if (!rc)
		finish(output, stored.count > 1);
	for (unsigned i = 0; i < stored.count; i++) {
		free(stored.tracks[i].name);
		free(stored.tracks[i].metric);
	}
	for (size_t i = 0; i < output->track_count; i++)
		free((double *)output->tracks[i]);
	store_close(store);
	free(path);
	return rc;
}

int cmd_judge(struct cli_args *args, struct pts_err *err)
{
	struct judge_output output = {.list = cli_flag(args, "json") ? json_array() : NULL};
	bool files = cli_flag(args, "series");
	int rc;

	if (files == (args->word_count == 1)) {
		json_decref(output.list);
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"usage: pts judge DIR, or pts judge --series FILE.csv");
	}
	rc = files ? judge_files(args, &output, err) : judge_run(args, &output, err);
	if (rc)
		json_decref(output.list);
	return rc;
}
