/* Parsing by the tables of commands and options. Names are never abbreviated. Prints nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "pts_text.h"

#define NAMES_MAX 64

static const struct cli_option *in_table(const struct cli_option *table, const char *name,
					 size_t length)
{
	for (; table && table->name; table++)
		if (strlen(table->name) == length && !strncmp(table->name, name, length))
			return table;
	return NULL;
}

static unsigned names_of(const struct cli_option *table, const char **names, unsigned count)
{
	for (; table && table->name && count < NAMES_MAX; table++)
		names[count++] = table->name;
	return count;
}

static int unknown_option(const struct cli_command *command, const char *name, size_t length,
			  struct pts_err *err)
{
	const char *names[NAMES_MAX], *near;
	char text[64];
	unsigned count = names_of(command->options, names, 0);

	count = names_of(cli_common, names, count);
	pts_printable(name, length, text, sizeof(text));
	near = pts_nearest(text, names, count);
	return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			"unknown option '--%s' of `pts %s`%s%s%s%s", text, command->name,
			near ? ", did you mean '--" : "", near ? near : "", near ? "'?" : "",
			near ? "" : ": see --help");
}

static int keep(struct cli_args *args, const struct cli_option *option, const char *value,
		struct pts_err *err)
{
	for (unsigned i = 0; i < args->value_count; i++)
		if (args->values[i].option == option && !option->many && option->argument)
			return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "'--%s' is given twice",
					option->name);
	if (args->value_count == CLI_VALUES_MAX)
		return pts_fail(err, PTS_EXIT_USAGE, E2BIG, "too many options");
	args->values[args->value_count].option = option;
	args->values[args->value_count++].value = value;
	return 0;
}

/* "--name", "--name VALUE" or "--name=VALUE"; *used says how many words it took. */
static int option_word(struct cli_args *args, char **word, int left, int *used,
		       struct pts_err *err)
{
	const char *name = word[0] + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct cli_option *option = in_table(args->command->options, name, length);

	if (!option)
		option = in_table(cli_common, name, length);
	if (!option)
		return unknown_option(args->command, name, length, err);
	*used = 1;
	if (!option->argument && equals)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "'--%s' takes no value",
				option->name);
	if (!option->argument)
		return keep(args, option, "", err);
	if (equals)
		return keep(args, option, equals + 1, err);
	if (left < 2)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "'--%s' needs a value: %s",
				option->name, option->argument);
	*used = 2;
	return keep(args, option, word[1], err);
}

static int check_words(const struct cli_args *args, struct pts_err *err)
{
	const struct cli_command *command = args->command;

	if (args->word_count < command->least)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "usage: pts %s %s", command->name,
				command->synopsis);
	if (args->word_count > command->most)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "unexpected argument '%s'",
				args->words[command->most]);
	return 0;
}

int cli_parse(struct cli_args *args, int argc, char **argv, struct pts_err *err)
{
	bool only_words = false;
	int rc = 0;

	for (int i = 0; i < argc && !rc;) {
		int used = 1;

		if (!only_words && !strcmp(argv[i], "--"))
			only_words = true;
		else if (!only_words && !strcmp(argv[i], "-h"))
			rc = keep(args, in_table(cli_common, "help", 4), "", err);
		else if (!only_words && argv[i][0] == '-' && argv[i][1] == '-')
			rc = option_word(args, &argv[i], argc - i, &used, err);
		else if (!only_words && argv[i][0] == '-' && argv[i][1])
			rc = pts_fail(
				err, PTS_EXIT_USAGE, EINVAL,
				"unknown option '%s' of `pts %s`: options are written --name",
				argv[i], args->command->name);
		else if (args->word_count == CLI_VALUES_MAX)
			rc = pts_fail(err, PTS_EXIT_USAGE, E2BIG, "more than %d arguments",
				      CLI_VALUES_MAX);
		else
			args->words[args->word_count++] = argv[i];
		i += used;
	}
	if (!rc && !cli_flag(args, "help"))
		rc = check_words(args, err);
	return rc;
}

const struct cli_command *cli_command_find(const char *name, struct pts_err *err)
{
	const char *names[NAMES_MAX], *near;
	unsigned count = 0;

	for (const struct cli_command *command = cli_commands; command->name; command++) {
		if (!strcmp(command->name, name))
			return command;
		names[count++] = command->name;
	}
	near = pts_nearest(name, names, count);
	pts_fail(err, PTS_EXIT_USAGE, EINVAL, "unknown command '%s'%s%s%s%s", name,
		 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "",
		 near ? "" : ": see `pts --help`");
	return NULL;
}

const char *cli_nth(const struct cli_args *args, const char *name, unsigned n)
{
	for (unsigned i = 0; i < args->value_count; i++)
		if (!strcmp(args->values[i].option->name, name) && n-- == 0)
			return args->values[i].value;
	return NULL;
}

const char *cli_value(const struct cli_args *args, const char *name)
{
	return cli_nth(args, name, 0);
}

bool cli_flag(const struct cli_args *args, const char *name)
{
	return cli_value(args, name) != NULL;
}

int cli_need(const struct cli_args *args, const char *name, const char **ret_value,
	     struct pts_err *err)
{
	*ret_value = cli_value(args, name);
	if (*ret_value && **ret_value)
		return 0;
	return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "`pts %s` needs --%s", args->command->name,
			name);
}

int cli_count(const struct cli_args *args, const char *name, unsigned least, unsigned otherwise,
	      unsigned *ret_value, struct pts_err *err)
{
	const char *text = cli_value(args, name);
	uint64_t value;

	*ret_value = otherwise;
	if (!text)
		return 0;
	if (pts_u64_parse(text, &value) < 0 || value < least || value > UINT32_MAX)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--%s takes a whole number from %u on, not '%s'", name, least,
				text);
	*ret_value = (unsigned)value;
	return 0;
}

static void quote(struct pts_buf *line, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%+=:,./_-";

	if (*word && strspn(word, plain) == strlen(word)) {
		pts_buf_puts(line, word);
		return;
	}
	pts_buf_puts(line, "'");
	for (; *word; word++) {
		if (*word == '\'')
			pts_buf_puts(line, "'\\''");
		else
			pts_buf_add(line, word, 1);
	}
	pts_buf_puts(line, "'");
}

char *cli_line(int argc, char **argv)
{
	struct pts_buf line = {0};

	for (int i = 0; i < argc; i++) {
		if (i)
			pts_buf_puts(&line, " ");
		quote(&line, argv[i]);
	}
	return pts_buf_take(&line);
}
