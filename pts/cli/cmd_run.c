/* run and resume: confirmation, signals, progress, and how it ended. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_commands.h"
#include "cli_plan.h"
#include "cli_progress.h"
#include "pts_text.h"
#include "pts_units.h"
#include "run.h"

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = run_request_stop};

	sigemptyset(&action.sa_mask);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	/* the terminal may go away while the run goes on into its store */
	signal(SIGPIPE, SIG_IGN);
}

/* On a terminal the identity is typed; anywhere else it must be given. */
static int confirm(const struct cli_plan *made, char *typed, size_t room, struct pts_err *err)
{
	const struct device_facts *facts = &made->facts;
	char size[48];

	if (facts->refusal_count)
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM, "refused: %s",
				facts->refusals[0].text);
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM,
				"refused: everything on '%s' would be destroyed; confirm with "
				"--destroy %s",
				facts->path, facts->identity);
	pts_capacity_human(facts->capacity_bytes, size, sizeof(size));
	fprintf(stderr,
		"This destroys EVERYTHING on\n  %s\n  %s %s, serial %s, %s\nType its identity "
		"(%s) to "
		"go on: ",
		facts->real_path, facts->vendor, facts->model[0] ? facts->model : "(no model)",
		facts->serial[0] ? facts->serial : "(none)", size, facts->identity);
	if (!fgets(typed, (int)room, stdin))
		typed[0] = '\0';
	typed[strcspn(typed, "\n")] = '\0';
	return 0;
}

static void say_end(const struct cli_args *args, const char *dir,
		    const struct run_outcome *outcome)
{
	if (args->quiet)
		return;
	switch (outcome->exit) {
	case PTS_EXIT_GOOD:
	case PTS_EXIT_VERDICT:
		if (outcome->tests_steady)
			fprintf(stderr, "steady state reached in %u of %u loops\n",
				outcome->tests_steady,
				outcome->tests_steady + outcome->tests_not_steady);
		if (outcome->tests_not_steady)
			fprintf(stderr, "STEADY STATE NOT REACHED in %u of %u loops\n",
				outcome->tests_not_steady,
				outcome->tests_steady + outcome->tests_not_steady);
		fprintf(stderr,
			"store: %s\nreport: pts report %s --format html,pdf --out %s/report\n",
			outcome->store_path, dir, dir);
		break;
	case PTS_EXIT_RESUMABLE:
		fprintf(stderr, "stopped; go on with: pts resume %s\n", dir);
		break;
	case PTS_EXIT_DEVICE:
		if (outcome->store_path && access(outcome->store_path, F_OK) == 0)
			fprintf(stderr, "after repair go on with: pts resume %s\n", dir);
		break;
	default:
		break;
	}
}

static int seed_of(const struct cli_args *args, uint64_t *ret_seed, struct pts_err *err)
{
	const char *text = cli_value(args, "seed");

	*ret_seed = 0;
	if (text && (pts_u64_parse(text, ret_seed) < 0 || !*ret_seed))
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--seed takes a whole number from 1 to 2^64-1, not '%s'", text);
	return 0;
}

static int options_of(const struct cli_args *args, struct run_options *options,
		      struct pts_err *err)
{
	const char *backend = cli_value(args, "backend");
	int rc = cli_need(args, "out", &options->out_dir, err);

	if (!rc)
		rc = seed_of(args, &options->master_seed, err);
	if (!rc && backend && strcmp(backend, "uring") != 0 && strcmp(backend, "psync") != 0)
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			      "--backend is uring or psync, not '%s'", backend);
	options->identity = cli_value(args, "destroy");
	options->purge_name = cli_value(args, "purge");
	options->about_path = cli_value(args, "about");
	options->backend = backend;
	options->command_line = args->line;
	options->pin = cli_flag(args, "pin");
	options->event = cli_progress_event;
	return rc;
}

int cmd_run(struct cli_args *args, struct pts_err *err)
{
	struct cli_progress progress;
	struct run_options options = {.event_ctx = &progress};
	struct run_outcome outcome = {.exit = PTS_EXIT_BUG};
	struct cli_plan made = {0};
	char typed[300];
	int rc = cli_progress_init(&progress, args, err);

	if (!rc)
		rc = options_of(args, &options, err);
	if (!rc)
		rc = cli_plan_make(args, NULL, &made, err);
	if (!rc && !options.identity) {
		rc = confirm(&made, typed, sizeof(typed), err);
		options.identity = typed;
	}
	if (!rc) {
		catch_signals();
		rc = run_start(made.plan, &made.facts, &options, &outcome, err);
		cli_progress_end(&progress);
		say_end(args, options.out_dir, &outcome);
	}
	run_outcome_release(&outcome);
	cli_plan_release(&made);
	return rc < 0 ? rc : (int)outcome.exit;
}

int cmd_resume(struct cli_args *args, struct pts_err *err)
{
	struct cli_progress progress;
	struct run_options options = {
		.event = cli_progress_event,
		.event_ctx = &progress,
		.command_line = args->line,
		.out_dir = args->words[0],
	};
	struct run_outcome outcome = {.exit = PTS_EXIT_BUG};
	int rc = cli_progress_init(&progress, args, err);

	if (!rc) {
		catch_signals();
		rc = run_resume(args->words[0], &options, &outcome, err);
		cli_progress_end(&progress);
		say_end(args, args->words[0], &outcome);
	}
	run_outcome_release(&outcome);
	return rc < 0 ? rc : (int)outcome.exit;
}
