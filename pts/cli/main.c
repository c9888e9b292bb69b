/* The program: finds the command, runs it, prints its error, gives the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "pts_log.h"
#include "pts_text.h"

static void print_log(void *ctx, enum pts_log_level level, const char *text)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pts: %s\n", text);
}

static char *whole_line(int argc, char **argv)
{
	struct pts_buf buf = {0};

	for (int i = 0; i < argc; i++)
		pts_buf_printf(&buf, "%s%s", i ? " " : "", argv[i]);
	return pts_buf_take(&buf);
}

/* Words that are no commands: help, version, and what completion and man page are made from. */
static bool special(int argc, char **argv)
{
	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		cli_help();
	else if (!strcmp(argv[1], "--version"))
		puts("pts " PTS_VERSION);
	else if (!strcmp(argv[1], "__man"))
		cli_dump_man();
	else if (!strcmp(argv[1], "__complete"))
		cli_dump_complete(argc > 2 ? argv[2] : NULL);
	else
		return false;
	return true;
}

static int finish(int rc, const struct pts_err *err)
{
	if (err->text[0])
		fprintf(stderr, "pts: %s\n", err->text);
	if (fflush(stdout) != 0 && rc >= 0) {
		fprintf(stderr, "pts: cannot write to stdout\n");
		return PTS_EXIT_DEVICE;
	}
	if (rc >= 0)
		return rc;
	return err->exit ? (int)err->exit : PTS_EXIT_BUG;
}

int cli_main(int argc, char **argv)
{
	struct pts_err err = PTS_ERR_INIT;
	struct cli_args args = {0};
	char *line;
	int rc;

	if (special(argc, argv))
		return argc < 2 ? PTS_EXIT_USAGE : PTS_EXIT_GOOD;
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
	args.color =
		isatty(STDERR_FILENO) && !getenv("NO_COLOR") && !cli_flag(&args, "no-color");
	if (!args.quiet)
		pts_log_set(print_log, NULL, PTS_LOG_WARN);
	args.line = line = whole_line(argc, argv);
	rc = args.command->run(&args, &err);
	free(line);
	return finish(rc, &err);
}

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
