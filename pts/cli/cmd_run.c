/*
 * pts run, pts resume: confirmation before, events while, verdicts after. The order of work is
 * the run room's; here is only who is asked, what is shown and what the shell gets.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_commands.h"
#include "cli_confirm.h"
#include "cli_plan.h"
#include "cli_progress.h"
#include "cli_summary.h"
#include "pts_text.h"
#include "run.h"

static void stop_handler(int signal_number)
{
	run_request_stop(signal_number);
}

static void watch_signals(void)
{
	struct sigaction stop = {.sa_handler = stop_handler, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigemptyset(&stop.sa_mask);
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGHUP, &stop, NULL);
	/* whoever read our output may go away: three days of work don't end for that */
	sigaction(SIGPIPE, &ignore, NULL);
}

/* How the command reports: what of stdout is JSON, and how progress looks. */
struct manner {
	bool json; /* the result is one JSON object */
	bool quiet;
	bool forgets; /* a model drive without a file goes with the program: no resume finds it */
	enum cli_progress_how progress;
};

static int choose_manner(const struct cli_args *args, struct manner *ret_manner,
			 struct pts_err *err)
{
	const char *how = cli_value(args, "progress");

	if (!how && args->quiet)
		how = "none";
	ret_manner->quiet = args->quiet;
	ret_manner->json = cli_flag(args, "json") || (how && !strcmp(how, "json"));
	return cli_progress_parse(how, &ret_manner->progress, err);
}

static json_t *result_json(const struct run_outcome *outcome,
			   const struct cli_verdicts *verdicts)
{
	return json_pack("{s:s, s:i, s:i, s:i, s:o, s:o}", "event", "result", "exit_code",
			 (int)outcome->exit, "tests_steady", (int)outcome->tests_steady,
			 "tests_not_steady", (int)outcome->tests_not_steady, "store",
			 cli_json_text(outcome->store_path), "tracks",
			 cli_verdicts_json(verdicts));
}

static void print_result(const struct manner *manner, const struct run_outcome *outcome,
			 const char *dir, const struct cli_verdicts *verdicts)
{
	bool whole = outcome->exit == PTS_EXIT_GOOD || outcome->exit == PTS_EXIT_VERDICT;

	if (manner->progress == CLI_PROGRESS_JSON) {
		cli_json_line(result_json(outcome, verdicts));
		return;
	}
	if (manner->json) {
		cli_json_print(result_json(outcome, verdicts));
		return;
	}
	cli_verdicts_print(verdicts);
	if (whole)
		printf("Steady state: %s\n", outcome->tests_not_steady ? "NOT REACHED"
					     : outcome->tests_steady
						     ? "reached"
						     : "not what ended these tests");
	printf("Store: %s\n", outcome->store_path);
	if (whole && !manner->quiet)
		fprintf(stderr,
			"Next: pts verify %s; pts report %s --format html,pdf --out "
			"%s/report\n",
			dir, dir, dir);
}

/* What the store says in the end; it is read back, not remembered. */
static int conclude(const struct manner *manner, const struct run_outcome *outcome,
		    const char *dir, struct pts_err *err)
{
	struct cli_verdicts verdicts = {0};
	struct store *store = NULL;
	int rc = store_open(outcome->store_path, STORE_READ, &store, err);

	if (!rc)
		rc = cli_verdicts_read(store, &verdicts, err);
	if (!rc)
		print_result(manner, outcome, dir, &verdicts);
	cli_verdicts_release(&verdicts);
	store_close(store);
	return rc;
}

/* The one end of run and resume. */
static int finish(int rc, const struct manner *manner, const struct run_outcome *outcome,
		  const char *dir, struct pts_err *err)
{
	bool stored = outcome->store_path && access(outcome->store_path, F_OK) == 0;

	if (!rc && outcome->store_path)
		rc = conclude(manner, outcome, dir, err);
	if (manner->forgets && (rc ? stored : outcome->exit == PTS_EXIT_RESUMABLE))
		fprintf(stderr,
			"pts: what was measured is kept; a model drive without state=FILE goes "
			"with the program, so begin a new run to go on\n");
	else if (rc && err->exit == PTS_EXIT_DEVICE && stored)
		fprintf(stderr,
			"pts: what was measured is kept; after repair go on with: "
			"pts resume %s\n",
			dir);
	else if (!rc && outcome->exit == PTS_EXIT_RESUMABLE)
		fprintf(stderr, "pts: stopped; go on with: pts resume %s\n", dir);
	return rc ? rc : (int)outcome->exit;
}

static int seed_of(const struct cli_args *args, uint64_t *ret_seed, struct pts_err *err)
{
	const char *text = cli_value(args, "seed");

	*ret_seed = 0;
	if (text && (pts_u64_parse(text, ret_seed) || !*ret_seed))
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--seed '%s': a whole number from 1 to 18446744073709551615",
				text);
	return 0;
}

static int take_options(const struct cli_args *args, struct run_options *ret_options,
			struct pts_err *err)
{
	const char *backend = cli_value(args, "backend");
	int rc;

	*ret_options = (struct run_options){
		.purge_name = cli_value(args, "purge"),
		.backend = backend,
		.command_line = args->line,
		.about_path = cli_value(args, "about"),
		.pin = cli_flag(args, "pin"),
		.event = cli_progress_event,
	};
	rc = cli_need(args, "out", &ret_options->out_dir, err);
	if (!rc && backend && strcmp(backend, "uring") != 0 && strcmp(backend, "psync") != 0)
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			      "--backend '%s': a run can use uring or psync", backend);
	return rc ? rc : seed_of(args, &ret_options->master_seed, err);
}

static int run_planned(struct cli_args *args, const struct cli_planned *planned,
		       struct run_options *options, const struct manner *manner,
		       struct pts_err *err)
{
	struct run_outcome outcome = {.exit = PTS_EXIT_BUG};
	struct manner own = *manner;
	char *identity = NULL;
	int rc = plan_runnable(planned->plan, err);

	own.forgets = planned->facts->kind == DEVICE_SIM && !planned->facts->backing[0];
	if (!rc)
		rc = cli_confirm(args, planned->facts, planned->plan, &identity, err);
	if (rc)
		return rc;
	options->identity = identity;
	options->event_ctx = cli_progress_new(manner->progress);
	watch_signals();
	rc = run_start(planned->plan, planned->facts, options, &outcome, err);
	cli_progress_free(options->event_ctx);
	rc = finish(rc, &own, &outcome, options->out_dir, err);
	run_outcome_release(&outcome);
	free(identity);
	return rc;
}

int cmd_run(struct cli_args *args, struct pts_err *err)
{
	struct cli_planned planned = {0};
	struct run_options options;
	struct manner manner = {0};
	int rc = choose_manner(args, &manner, err);

	if (!rc)
		rc = take_options(args, &options, err);
	if (!rc)
		rc = cli_plan_make(args, &planned, err);
	if (!rc)
		rc = run_planned(args, &planned, &options, &manner, err);
	cli_plan_release(&planned);
	return rc;
}

int cmd_resume(struct cli_args *args, struct pts_err *err)
{
	const char *dir = args->words[0];
	struct run_options options = {
		.out_dir = dir,
		.command_line = args->line,
		.pin = cli_flag(args, "pin"),
		.event = cli_progress_event,
	};
	struct run_outcome outcome = {.exit = PTS_EXIT_BUG};
	struct manner manner = {0};
	int rc = choose_manner(args, &manner, err);

	if (rc)
		return rc;
	options.event_ctx = cli_progress_new(manner.progress);
	watch_signals();
	rc = run_resume(dir, &options, &outcome, err);
	cli_progress_free(options.event_ctx);
	rc = finish(rc, &manner, &outcome, dir, err);
	run_outcome_release(&outcome);
	return rc;
}
