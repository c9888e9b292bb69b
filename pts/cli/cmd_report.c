/* report: writes the report of a run. */
#include <stdio.h>
#include <stdlib.h>

#include "cli_commands.h"
#include "report.h"
#include "store.h"

static void wrote(void *ctx, const char *path)
{
	const struct cli_args *args = ctx;

	if (!args->quiet)
		puts(path);
}

int cmd_report(struct cli_args *args, struct pts_err *err)
{
	const char *format = cli_value(args, "format");
	struct report_options options = {.paper = cli_value(args, "paper")};
	struct store *store = NULL;
	char *path = NULL;
	int rc = cli_need(args, "out", &options.out_dir, err);

	if (!rc)
		rc = report_formats_parse(format ? format : "html", &options.formats, err);
	if (!rc)
		rc = store_locate(args->words[0], &path, err);
	if (!rc)
		rc = store_open(path, STORE_READ, &store, err);
	if (!rc)
		rc = report_write(store, &options, wrote, args, err);
	store_close(store);
	free(path);
	return rc;
}
