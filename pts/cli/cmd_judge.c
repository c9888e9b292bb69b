/*
 * pts judge: series in, verdicts out. The rule's numbers come from the options, the store, or a
 * spec; none stands here.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "cli_out.h"
#include "cli_series.h"
#include "pts_text.h"
#include "pts_units.h"
#include "spec.h"

#define RULE_SPEC "iops" /* where the rule stands when no option says it */

struct judging {
	struct cli_series_list list;
	size_t file_count; /* of --series; 0: a store */
	struct judge_rule rule;
	char *source; /* "specs/iops.yaml", "options", "run.db" */
};

static int rule_of_spec(struct judge_rule *rule, char **ret_source, struct pts_err *err)
{
	struct spec_options options = {.mode = SPEC_ENTERPRISE};
	struct spec *spec = NULL;
	int rc = spec_find(RULE_SPEC, ret_source, err);

	if (!rc)
		rc = spec_read_file(*ret_source, &options, &spec, err);
	if (rc) {
		pts_err_prefix(err, "the rule is read from a spec (or give --window, --range "
				    "and --slope)");
		return rc;
	}
	rc = -ENOENT;
	for (unsigned i = 0; rc && i < spec->step_count; i++) {
		const struct spec_steady *steady = &spec->steps[i].steady;

		if (spec->steps[i].kind != SPEC_STEP_ROUNDS || !steady->window)
			continue;
		*rule = (struct judge_rule){.window = steady->window,
					    .range_share = steady->range_share,
					    .slope_share = steady->slope_share};
		rc = 0;
	}
	spec_free(spec);
	if (rc)
		pts_fail(err, PTS_EXIT_SPEC, ENOENT, "'%s' has no steady-state rule",
			 *ret_source);
	return rc;
}

static int rule_share(const struct cli_args *args, const char *name, double *share,
		      struct pts_err *err)
{
	const char *text = cli_value(args, name);

	if (text && pts_percent_parse(text, share))
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--%s '%s': a share in percent, as 20%%", name, text);
	return 0;
}

/* What the options say, over what is there. */
static int rule_of_options(const struct cli_args *args, struct judge_rule *rule,
			   struct pts_err *err)
{
	const char *text = cli_value(args, "window");
	uint64_t window;
	int rc;

	if (text && (pts_u64_parse(text, &window) || window < 2 || window > JUDGE_WINDOW_MAX))
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--window '%s': a whole number of rounds from 2 to %d", text,
				JUDGE_WINDOW_MAX);
	if (text)
		rule->window = (unsigned)window;
	rc = rule_share(args, "range", &rule->range_share, err);
	return rc ? rc : rule_share(args, "slope", &rule->slope_share, err);
}

static int read_files(const struct cli_args *args, struct judging *judging, struct pts_err *err)
{
	bool complete =
		cli_flag(args, "window") && cli_flag(args, "range") && cli_flag(args, "slope");
	const char *file;
	int rc = 0;

	if (!complete)
		rc = rule_of_spec(&judging->rule, &judging->source, err);
	if (!rc)
		rc = rule_of_options(args, &judging->rule, err);
	for (unsigned i = 0; !rc && (file = cli_nth(args, "series", i)); i++) {
		rc = cli_series_read_csv(file, &judging->list, err);
		judging->file_count++;
	}
	for (size_t i = 0; i < judging->list.count; i++)
		judging->list.all[i].rule = judging->rule;
	return rc;
}

static int read_store(const struct cli_args *args, struct judging *judging, struct pts_err *err)
{
	struct store *store = NULL;
	int rc = store_locate(args->words[0], &judging->source, err);

	if (!rc)
		rc = store_open(judging->source, STORE_READ, &store, err);
	if (!rc)
		rc = cli_series_read_store(store, &judging->list, err);
	if (!rc && judging->list.count)
		judging->rule = judging->list.all[0].rule;
	if (!rc)
		rc = rule_of_options(args, &judging->rule, err);
	for (size_t i = 0; !rc && i < judging->list.count; i++)
		rc = rule_of_options(args, &judging->list.all[i].rule, err);
	store_close(store);
	return rc;
}

static json_t *json_rule(const struct judge_rule *rule)
{
	return json_pack("{s:i, s:o, s:o}", "window", (int)rule->window, "range_pct",
			 cli_json_number(rule->range_share * 100), "slope_pct",
			 cli_json_number(rule->slope_share * 100));
}

static json_t *json_round(unsigned round, const struct judge_window *window)
{
	const struct {
		const char *key;
		double value;
	} figures[] = {
		{"average", window->average},
		{"minimum", window->minimum},
		{"maximum", window->maximum},
		{"range", window->range},
		{"range_pct", window->range_pct},
		{"slope", window->slope},
		{"intercept", window->intercept},
		{"slope_excursion", window->slope_excursion},
		{"slope_excursion_pct", window->slope_excursion_pct},
		{"r", window->r},
	};
	json_t *object = json_object();
	bool valid = window->valid;
	/* A failed round, or an average of 0, of which nothing has a share: no figures. */
	bool figured = valid && isfinite(window->range_pct);

	json_object_set_new(object, "round", json_integer(round));
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		json_object_set_new(object, figures[i].key,
				    figured ? cli_json_number(figures[i].value) : json_null());
	json_object_set_new(object, "range_ok", json_boolean(valid && window->range_ok));
	json_object_set_new(object, "slope_ok", json_boolean(valid && window->slope_ok));
	json_object_set_new(object, "steady", json_boolean(valid && window->steady));
	json_object_set_new(object, "boundary", json_boolean(valid && window->boundary));
	return object;
}

static json_t *json_round_or_null(unsigned round, bool found)
{
	return found ? json_integer(round) : json_null();
}

static json_t *json_series(const struct cli_series *series)
{
	json_t *object = json_object(), *rounds = json_array();
	bool found;
	unsigned first = cli_series_first_steady(series, &found);

	json_object_set_new(object, "series", json_string(series->name));
	if (series->test) {
		json_object_set_new(object, "test", cli_json_text(series->test));
		json_object_set_new(object, "step", json_integer(series->step));
		json_object_set_new(object, "phase", cli_json_text(series->phase));
		json_object_set_new(object, "metric", cli_json_text(series->metric));
		json_object_set_new(object, "rule", json_rule(&series->rule));
	}
	json_object_set_new(object, "first_steady_round", json_round_or_null(first, found));
	for (size_t i = 0; i < series->count; i++)
		if (series->has_window[i])
			json_array_append_new(rounds,
					      json_round((unsigned)(series->first_round + i),
							 &series->windows[i]));
	json_object_set_new(object, "rounds", rounds);
	return object;
}

/* How many from `from` on belong to one test's step. */
static size_t same_step(const struct cli_series_list *list, size_t from)
{
	size_t count = 1;

	while (from + count < list->count &&
	       list->all[from + count].step == list->all[from].step)
		count++;
	return count;
}

static json_t *json_steps(const struct cli_series_list *list)
{
	json_t *steps = json_array();

	for (size_t at = 0, count; at < list->count; at += count) {
		bool found;
		unsigned round;

		count = same_step(list, at);
		round = cli_series_all_steady(list, at, count, &found);
		json_array_append_new(steps,
				      json_pack("{s:o, s:i, s:o}", "test",
						cli_json_text(list->all[at].test), "step",
						list->all[at].step, "all_steady_round",
						json_round_or_null(round, found)));
	}
	return steps;
}

/* Tracks of one test must be steady over the same rounds. */
static bool are_tracks(const struct judging *judging)
{
	if (judging->file_count)
		return judging->file_count > 1;
	return judging->list.count && same_step(&judging->list, 0) == judging->list.count;
}

static void print_json(const struct judging *judging)
{
	json_t *root = json_object(), *rule = json_rule(&judging->rule), *all = json_array();

	json_object_set_new(rule, "source", cli_json_text(judging->source));
	json_object_set_new(root, "rule", rule);
	for (size_t i = 0; i < judging->list.count; i++)
		json_array_append_new(all, json_series(&judging->list.all[i]));
	json_object_set_new(root, "series", all);
	if (!judging->file_count)
		json_object_set_new(root, "steps", json_steps(&judging->list));
	if (are_tracks(judging)) {
		bool found;
		unsigned round =
			cli_series_all_steady(&judging->list, 0, judging->list.count, &found);

		json_object_set_new(root, "all_steady_round", json_round_or_null(round, found));
	}
	cli_json_print(root);
}

static void print_windows(const struct cli_series *series)
{
	static const char *const heads[] = {">ROUND",     ">AVERAGE", ">RANGE %", ">SLOPE",
					    ">INTERCEPT", ">FIT %",   ">R",       "VERDICT"};
	struct cli_table table = {.columns = 8};

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		cli_table_cell(&table, "%s", heads[i]);
	for (size_t i = 0; i < series->count; i++) {
		const struct judge_window *window = &series->windows[i];
		double none = NAN;
		bool valid = window->valid;

		if (!series->has_window[i])
			continue;
		cli_table_cell(&table, "%u", (unsigned)(series->first_round + i));
		cli_table_number(&table, valid ? window->average : none, 3);
		cli_table_number(&table, valid ? window->range_pct : none, 4);
		cli_table_number(&table, valid ? window->slope : none, 4);
		cli_table_number(&table, valid ? window->intercept : none, 3);
		cli_table_number(&table, valid ? window->slope_excursion_pct : none, 4);
		cli_table_number(&table, valid ? window->r : none, 4);
		cli_table_cell(&table, "%s%s",
			       !valid           ? "a round failed"
			       : window->steady ? "steady"
						: "not steady",
			       valid && window->boundary ? ", at a limit" : "");
	}
	cli_table_print(&table);
}

static void print_human(const struct judging *judging)
{
	char range[32], slope[32];
	bool found;
	unsigned round;

	pts_percent_text(judging->rule.range_share, range, sizeof(range));
	pts_percent_text(judging->rule.slope_share, slope, sizeof(slope));
	printf("Rule: window %u rounds, range <= %s, slope <= %s of the average (%s)\n",
	       judging->rule.window, range, slope,
	       judging->source ? judging->source : "options");
	if (!judging->list.count)
		printf("No round was judged yet.\n");
	for (size_t i = 0; i < judging->list.count; i++) {
		const struct cli_series *series = &judging->list.all[i];

		round = cli_series_first_steady(series, &found);
		printf("\n%s", cli_ink(stdout, CLI_BOLD));
		cli_put(stdout, series->name);
		printf("%s: ", cli_ink(stdout, CLI_PLAIN));
		if (found)
			printf("first steady at round %u\n", round);
		else
			printf("never steady in %zu rounds\n", series->count);
		print_windows(series);
	}
	if (are_tracks(judging)) {
		round = cli_series_all_steady(&judging->list, 0, judging->list.count, &found);
		if (found)
			printf("\nAll steady over the same rounds first at round %u\n", round);
		else
			printf("\nNever all steady over the same rounds\n");
	}
}

int cmd_judge(struct cli_args *args, struct pts_err *err)
{
	struct judging judging = {0};
	bool files = cli_flag(args, "series");
	int rc;

	if (files == (args->word_count > 0))
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			      "judge: give either DIR or --series FILE.csv");
	else
		rc = files ? read_files(args, &judging, err) : read_store(args, &judging, err);
	if (!rc) {
		cli_series_judge(&judging.list);
		if (cli_flag(args, "json"))
			print_json(&judging);
		else
			print_human(&judging);
	}
	cli_series_release(&judging.list);
	free(judging.source);
	return rc;
}
