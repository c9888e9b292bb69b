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

/* An option that would change nothing is refused. */
static int take_csv(const struct cli_args *args, struct report_options *options,
		    struct pts_err *err)
{
	static const char *const names[] = {"csv-separator", "csv-decimal", "csv-bom"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (cli_value(args, names[i]) && !(options->formats & REPORT_CSV))
			return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
					"--%s needs csv among the formats: --format csv",
					names[i]);
	}
	options->csv.bom = cli_flag(args, "csv-bom");
	return report_csv_parse(cli_value(args, "csv-separator"),
				cli_value(args, "csv-decimal"), &options->csv, err);
}

int cmd_report(struct cli_args *args, struct pts_err *err)
{
	const char *format = cli_value(args, "format");
	struct report_options options = {.paper = cli_value(args, "paper"),
					 .test = cli_value(args, "test")};
	json_t *files = cli_flag(args, "json") ? json_array() : NULL;
	struct store *store = NULL;
	char *path = NULL;
	int rc = cli_need(args, "out", &options.out_dir, err);

	if (!rc)
		rc = check_paper(options.paper, err);
	if (!rc)
		rc = report_formats_parse(format ? format : "html", &options.formats, err);
	if (!rc)
		rc = take_csv(args, &options, err);
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
