/* pts verify: every figure of a store recomputed and compared. */
#include <stdio.h>
#include <stdlib.h>

#include "cli_commands.h"
#include "cli_out.h"
#include "store.h"
#include "verify.h"

static void take_difference(void *ctx, const char *line)
{
	json_t *list = ctx;

	if (list)
		json_array_append_new(list, cli_json_text(line));
	else
		cli_say(stdout, "%s\n", line);
}

static void print_result(const char *path, const struct verify_counts *counts, json_t *lines)
{
	if (lines)
		cli_json_print(json_pack("{s:o, s:o, s:o, s:O}", "store", cli_json_text(path),
					 "checked", cli_json_u64(counts->checked),
					 "differences", cli_json_u64(counts->differences),
					 "lines", lines));
	else
		printf("%s: %llu figures recomputed, %llu differ\n", path,
		       (unsigned long long)counts->checked,
		       (unsigned long long)counts->differences);
}

int cmd_verify(struct cli_args *args, struct pts_err *err)
{
	json_t *lines = cli_flag(args, "json") ? json_array() : NULL;
	struct verify_counts counts = {0};
	struct store *store = NULL;
	char *path = NULL;
	int rc = store_locate(args->words[0], &path, err);

	if (!rc)
		rc = store_open(path, STORE_READ, &store, err);
	if (!rc)
		rc = verify_store(store, take_difference, lines, &counts, err);
	if (!rc) {
		print_result(path, &counts, lines);
		rc = counts.differences ? PTS_EXIT_VERDICT : PTS_EXIT_GOOD;
	}
	json_decref(lines);
	store_close(store);
	free(path);
	return rc;
}
