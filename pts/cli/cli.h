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
	bool color;       /* stderr is a terminal that wants it */
	bool quiet;
};

/* The last value given, or NULL; flags give "". */
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

/* cli_parse.c */
int cli_parse(struct cli_args *args, int argc, char **argv, struct pts_err *err);
const struct cli_command *cli_command_find(const char *name, struct pts_err *err);
void cli_help(void);
void cli_help_command(const struct cli_command *command);
void cli_dump_man(void);
void cli_dump_complete(const char *command);

/* cli_json.c: a number or null; numbers keep all their digits. */
json_t *cli_json_number(double value);
json_t *cli_json_text(const char *text);
json_t *cli_json_u64(uint64_t value);
/* Prints and frees. */
void cli_json_print(json_t *value);

#endif
