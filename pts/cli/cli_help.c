/* Help, the commands of pts(1), and what completion asks: all made from the tables. */
#include <string.h>

#include "cli.h"

#define WIDTH      80
#define HELP_START 30

/* Words of text, wrapped; the cursor stands at column indent. */
static void wrap(FILE *to, const char *text, int indent)
{
	int at = indent;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (at > indent && at + 1 + length > WIDTH) {
			fprintf(to, "\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			fputc(' ', to);
			at++;
		}
		fprintf(to, "%.*s", length, text);
		at += length;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', to);
}

void cli_help(FILE *to)
{
	fputs("pts: SNIA SSS PTS tests of solid state drives\n\n"
	      "usage: pts COMMAND ...\n\n",
	      to);
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		fprintf(to, "  %-10s ", command->name);
		wrap(to, command->help, 13);
	}
	fputs("\n`pts COMMAND --help` lists the options, `pts --version` says which this is.\n"
	      "Results go to stdout, the rest to stderr.\n\n"
	      "exit status: 0 good, 1 a verdict is bad, 2 usage, 3 refused for safety,\n"
	      "4 spec or input invalid, 5 device or I/O error, 6 something is missing,\n"
	      "7 stopped by a guard, 70 a bug, 75 stopped and resumable; see pts(1)\n",
	      to);
}

static void help_options(const struct cli_option *table)
{
	for (; table && table->name; table++) {
		int length = printf("  --%s%s%s", table->name, table->argument ? " " : "",
				    table->argument ? table->argument : "");
		char text[512];

		if (length >= HELP_START)
			printf("\n%*s", HELP_START, "");
		else
			printf("%*s", HELP_START - length, "");
		snprintf(text, sizeof(text), "%s%s", table->help,
			 table->many ? " (may be repeated)" : "");
		wrap(stdout, text, HELP_START);
	}
}

void cli_help_command(const struct cli_command *command)
{
	printf("usage: pts %s %s\n\n", command->name, command->synopsis);
	wrap(stdout, command->help, 0);
	if (command->more) {
		putchar('\n');
		wrap(stdout, command->more, 0);
	}
	puts("\noptions:");
	help_options(command->options);
	help_options(cli_common);
}

void cli_man_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '`')
			fputs("\\(ga", stdout);
		else
			putchar(*text);
	}
}

static void man_options(const struct cli_option *table)
{
	for (; table && table->name; table++) {
		fputs(".TP\n\\fB\\-\\-", stdout);
		cli_man_text(table->name);
		fputs("\\fR", stdout);
		if (table->argument) {
			fputs(" \\fI", stdout);
			cli_man_text(table->argument);
			fputs("\\fR", stdout);
		}
		putchar('\n');
		cli_man_text(table->help);
		puts(table->many ? " (may be repeated)" : "");
	}
}

void cli_dump_man(void)
{
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		fputs(".SS pts ", stdout);
		cli_man_text(command->name);
		putchar(' ');
		cli_man_text(command->synopsis);
		fputs("\n", stdout);
		cli_man_text(command->help);
		puts(".");
		if (command->more) {
			puts(".PP");
			cli_man_text(command->more);
			putchar('\n');
		}
		man_options(command->options);
	}
	puts(".SS Options of every command");
	man_options(cli_common);
}

static void complete_options(const struct cli_option *table)
{
	for (; table && table->name; table++)
		printf("--%s%s%s\n", table->name, table->argument ? " " : "",
		       table->argument ? table->argument : "");
}

bool cli_dump_complete(const char *name)
{
	for (const struct cli_command *command = cli_commands; command->name; command++) {
		if (!name) {
			puts(command->name);
		} else if (!strcmp(command->name, name)) {
			puts(command->synopsis);
			complete_options(command->options);
			complete_options(cli_common);
			return true;
		}
	}
	return !name;
}
