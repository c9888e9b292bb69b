/*
 * Asks before anything is destroyed: for the identity, never for a yes. It can only refuse: what
 * it lets through is checked again by the device room on the opened device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_confirm.h"
#include "cli_out.h"
#include "cli_plan.h"
#include "pts_text.h"

static int wrong_identity(const struct device_facts *facts, const char *given,
			  struct pts_err *err)
{
	char shown[DEVICE_TEXT];

	pts_printable(given, strlen(given), shown, sizeof(shown));
	return pts_fail(err, PTS_EXIT_SAFETY, EPERM,
			"'%s' is not the identity of '%s': it is '%s' (see `pts info %s`); "
			"nothing was written",
			shown, facts->path, facts->identity, facts->path);
}

/* What a test costs: time and wear. */
static void say_test(const struct plan *plan, const struct plan_test *test)
{
	char likely[64], latest[64], bytes[64], most[64], fills[64];

	pts_duration_human(test->span.likely_ns, likely, sizeof(likely));
	pts_duration_human(test->span.latest_ns, latest, sizeof(latest));
	pts_capacity_human(test->span.likely_bytes, bytes, sizeof(bytes));
	pts_capacity_human(test->span.most_bytes, most, sizeof(most));
	pts_number_text((double)test->span.likely_bytes / (double)plan->device.capacity_bytes,
			1, fills, sizeof(fills));
	fprintf(stderr,
		"  %s: likely %s (at most %s), writes likely %s = %s drive fills "
		"(at most %s)\n",
		test->name, likely, latest, bytes, fills, most);
}

static int ask(const struct cli_args *args, const struct device_facts *facts,
	       const struct plan *plan, char **ret_identity, struct pts_err *err)
{
	char line[PATH_MAX + 1024], *typed = NULL;
	size_t room = 0;
	ssize_t length;

	cli_device_line(facts, line, sizeof(line));
	fprintf(stderr, "%spts %s destroys ALL DATA on:%s\n  %s\n", cli_ink(stderr, CLI_BAD),
		args->command->name, cli_ink(stderr, CLI_PLAIN), line);
	for (unsigned i = 0; plan && i < plan->test_count; i++)
		say_test(plan, &plan->tests[i]);
	fprintf(stderr, "Type its identity (%s) to go on, anything else to leave it alone: ",
		facts->identity);
	fflush(stderr);
	length = getline(&typed, &room, stdin);
	while (length > 0 && strchr("\r\n", typed[length - 1]))
		typed[--length] = '\0';
	if (length <= 0) {
		free(typed);
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM,
				"nothing was typed: '%s' is left alone", facts->path);
	}
	*ret_identity = typed;
	return 0;
}

int cli_confirm(const struct cli_args *args, const struct device_facts *facts,
		const struct plan *plan, char **ret_identity, struct pts_err *err)
{
	const char *given = cli_value(args, "destroy");
	char *identity = NULL;
	int rc = 0;

	*ret_identity = NULL;
	if (facts->refusal_count)
		return pts_fail(err, PTS_EXIT_SAFETY, EBUSY, "%s", facts->refusals[0].text);
	if (given)
		identity = strdup(given);
	else if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		rc = ask(args, facts, plan, &identity, err);
	else
		return pts_fail(err, PTS_EXIT_SAFETY, EPERM,
				"this destroys all data on '%s': confirm with --destroy %s",
				facts->path, facts->identity);
	if (rc)
		return rc;
	if (!identity)
		abort();
	if (strcmp(identity, facts->identity) != 0) {
		rc = wrong_identity(facts, identity, err);
		free(identity);
		return rc;
	}
	*ret_identity = identity;
	return 0;
}
