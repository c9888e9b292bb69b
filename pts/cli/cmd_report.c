/* pts report: writes the report of a run and says which files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "report.h"
#include "store.h"

static void take_file(void *ctx, const char *path)
{
	json_t *list = ctx;

	if (list)
		json_array_append_new(list, cli_json_text(path));
	else
		puts(path);
}

static int check_paper(const char *paper, struct pts_err *err)
{
	if (!paper || !strcmp(paper, "a4") || !strcmp(paper, "letter"))
		return 0;
	return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "--paper '%s': there are a4 and letter",
			paper);
}

int cmd_report(struct cli_args *args, struct pts_err *err)
{
	const char *format = cli_value(args, "format");
	struct report_options options = {.paper = cli_value(args, "paper")};
	json_t *files = cli_flag(args, "json") ? json_array() : NULL;
	struct store *store = NULL;
	char *path = NULL;
	int rc = cli_need(args, "out", &options.out_dir, err);

	if (!rc)
		rc = check_paper(options.paper, err);
	if (!rc)
		rc = report_formats_parse(format ? format : "html", &options.formats, err);
	if (!rc)
		rc = store_locate(args->words[0], &path, err);
	if (!rc)
		rc = store_open(path, STORE_READ, &store, err);
	if (!rc)
		rc = report_write(store, &options, take_file, files, err);
	if (!rc && files)
		cli_json_print(json_pack("{s:O}", "files", files));
	json_decref(files);
	store_close(store);
	free(path);
	return rc;
}
