/* The program: finds the command, runs it, prints its error, gives the exit code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_out.h"
#include "cli_sim.h"
#include "pts_log.h"
#include "pts_text.h"

static void print_log(void *ctx, enum pts_log_level level, const char *text)
{
	(void)ctx;
	(void)level;
	cli_say(stderr, "pts: %s\n", text);
}

/* Words that are no commands: help, version, and what completion and man page are made from. */
static bool special(int argc, char **argv, int *ret_exit)
{
	const char *first = argc > 1 ? argv[1] : "";

	*ret_exit = PTS_EXIT_GOOD;
	if (argc < 2) {
		cli_help(stderr);
		*ret_exit = PTS_EXIT_USAGE;
	} else if (!strcmp(first, "--help") || !strcmp(first, "-h") ||
		   (!strcmp(first, "help") && argc == 2)) {
		cli_help(stdout);
	} else if (!strcmp(first, "--version")) {
		puts("pts " PTS_VERSION);
	} else if (!strcmp(first, "__man")) {
		if (argc > 2 && !strcmp(argv[2], "keys"))
			cli_dump_man_keys();
		else
			cli_dump_man();
	} else if (!strcmp(first, "__complete")) {
		if (!cli_dump_complete(argc > 2 ? argv[2] : NULL))
			*ret_exit = PTS_EXIT_USAGE;
	} else {
		return false;
	}
	return true;
}

/* A result that did not arrive must not look like success. A reader that has gone away is another
 * thing: most commands end by SIGPIPE, and a run has its result in the store. */
static int flushed(int exit)
{
	int failed = fflush(stdout) != 0 ? errno : ferror(stdout) ? EIO : 0;

	if (!failed || failed == EPIPE || exit != PTS_EXIT_GOOD)
		return exit;
	fprintf(stderr, "pts: cannot write to standard output: %s\n", pts_errno_text(failed));
	return PTS_EXIT_DEVICE;
}

static int finish(int rc, const struct pts_err *err)
{
	if (err->text[0]) {
		fflush(stdout);
		fprintf(stderr, "%spts:%s ", cli_ink(stderr, CLI_BAD),
			cli_ink(stderr, CLI_PLAIN));
		cli_say(stderr, "%s\n", err->text);
	}
	if (rc >= 0)
		return flushed(rc);
	if (!err->text[0] && !err->exit)
		fprintf(stderr, "pts: failed without a message: a bug of ours\n");
	return err->exit ? (int)err->exit : PTS_EXIT_BUG;
}

/* `pts help run` and `pts run --help` are the same. */
static int help_of(const char *name)
{
	struct pts_err err = PTS_ERR_INIT;
	const struct cli_command *command = cli_command_find(name, &err);

	if (!command)
		return finish(-1, &err);
	cli_help_command(command);
	return finish(0, &err);
}

int cli_main(int argc, char **argv)
{
	struct pts_err err = PTS_ERR_INIT;
	struct cli_args args = {0};
	char *line;
	int rc;

	if (special(argc, argv, &rc))
		return finish(rc, &err);
	if (!strcmp(argv[1], "help"))
		return help_of(argv[2]);
	args.command = cli_command_find(argv[1], &err);
	if (!args.command)
		return finish(-1, &err);
	rc = cli_parse(&args, argc - 2, argv + 2, &err);
	if (rc < 0)
		return finish(rc, &err);
	if (cli_flag(&args, "help")) {
		cli_help_command(args.command);
		return finish(0, &err);
	}
	args.quiet = cli_flag(&args, "quiet");
	cli_out_init(cli_flag(&args, "no-color"));
	if (!args.quiet)
		pts_log_set(print_log, NULL, PTS_LOG_WARN);
	cli_sim_init();
	args.line = line = cli_line(argc, argv);
	rc = args.command->run(&args, &err);
	free(line);
	return finish(rc, &err);
}

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
