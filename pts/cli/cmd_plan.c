/* pts plan: shows what a run would do. Opens the device for nothing. */
#include <stdio.h>
#include <stdlib.h>

#include "cli_commands.h"
#include "cli_plan.h"

int cmd_plan(struct cli_args *args, struct pts_err *err)
{
	struct pts_err cannot = PTS_ERR_INIT;
	struct cli_planned planned;
	int rc = cli_plan_make(args, &planned, err);
	char *text = NULL;

	if (!rc && cli_flag(args, "json"))
		puts(text = plan_json(planned.plan));
	else if (!rc && cli_flag(args, "text"))
		fputs(text = plan_text(planned.plan), stdout);
	else if (!rc)
		cli_plan_print(planned.plan, planned.facts);
	if (!rc && !args->quiet && plan_runnable(planned.plan, &cannot))
		fprintf(stderr, "pts: note: a run would be refused: %s\n", cannot.text);
	free(text);
	cli_plan_release(&planned);
	return rc;
}
