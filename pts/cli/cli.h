/*
 * The command line: tables of commands and options that feed parsing, --help, completion and the
 * man page; terminal, progress, exit codes, confirmation. The only room that prints: results on
 * stdout, everything else on stderr. Must not know SQL, io_uring, gnuplot or statistics.
 */
#ifndef CLI_H
#define CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pts_err.h"

struct cli_option {
	const char *name;     /* without dashes */
	const char *argument; /* "FILE"; NULL: a flag */
	const char *help;
	bool many; /* may be given several times */
};

struct cli_args;

struct cli_command {
	const char *name;
	const char *synopsis; /* what follows the name */
	const char *help;     /* one line */
	const char *more;     /* a paragraph for --help and the man page; may be NULL */
	const struct cli_option *options; /* ends with a NULL name */
	unsigned least, most;             /* positional arguments */
	int (*run)(struct cli_args *args, struct pts_err *err);
};

/* The commands in the order of the help; ends with a NULL name. */
extern const struct cli_command cli_commands[];

#define CLI_VALUES_MAX 128

struct cli_args {
	const struct cli_command *command;
	struct {
		const struct cli_option *option;
		const char *value;
	} values[CLI_VALUES_MAX];
	unsigned value_count;
	const char *words[CLI_VALUES_MAX]; /* positional */
	unsigned word_count;
	const char *line; /* the whole command line, for the record */
	bool quiet;
};

/* The first value given, or NULL; flags give "". */
const char *cli_value(const struct cli_args *args, const char *name);
bool cli_flag(const struct cli_args *args, const char *name);
/* The n-th value of an option that may be given several times, or NULL. */
const char *cli_nth(const struct cli_args *args, const char *name, unsigned n);
int cli_count(const struct cli_args *args, const char *name, unsigned least, unsigned otherwise,
	      unsigned *ret_value, struct pts_err *err);
/* The value of an option that must be there: PTS_EXIT_USAGE names it. */
int cli_need(const struct cli_args *args, const char *name, const char **ret_value,
	     struct pts_err *err);

int cli_main(int argc, char **argv);

/* Options of every command; ends with a NULL name. */
extern const struct cli_option cli_common[];

/* cli_parse.c: "--name VALUE", "--name=VALUE", "--" ends the options. PTS_EXIT_USAGE */
int cli_parse(struct cli_args *args, int argc, char **argv, struct pts_err *err);
const struct cli_command *cli_command_find(const char *name, struct pts_err *err);
/* The command line as a shell would take it back; the caller's to free(). */
char *cli_line(int argc, char **argv);

/* cli_help.c */
void cli_help(FILE *to); /* `pts` alone goes to stderr */
void cli_help_command(const struct cli_command *command);
/* The COMMANDS part of pts(1), in man(7) macros. */
void cli_dump_man(void);
void cli_dump_man_keys(void); /* cmd_spec.c: the KEYS part of pts-spec(5) */
void cli_man_text(
	const char *text); /* to stdout, with what roff would take for its own escaped */
/* For the completion script: the commands; or of one, first "SYNOPSIS", then "--set KEY=VALUE" a
 * line (a flag has nothing behind its name). False: no such command. */
bool cli_dump_complete(const char *command);

/* cli_json.c: a number or null; numbers keep all their digits. */
json_t *cli_json_number(double value);
json_t *cli_json_text(const char *text); /* NULL and "" become null */
json_t *cli_json_u64(uint64_t value);
/* Prints and frees: indented, or as one line that is out at once. */
void cli_json_print(json_t *value);
void cli_json_line(json_t *value);

#endif
