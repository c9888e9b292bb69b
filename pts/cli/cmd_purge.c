/* pts purge: the device room's purge with confirmation and progress, without a run. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli_commands.h"
#include "cli_confirm.h"
#include "cli_out.h"
#include "purge.h"

static int show_share(void *ctx, double share)
{
	bool live = *(bool *)ctx;

	if (live)
		fprintf(stderr, "\rpurge %5.1f %%\033[K", share * 100);
	return 0;
}

static void print_purged(struct cli_args *args, const struct device_facts *facts,
			 const struct purge_method *method, const char *evidence)
{
	if (cli_flag(args, "json"))
		cli_json_print(json_pack("{s:o, s:s, s:b, s:o}", "device",
					 cli_json_text(facts->path), "method", method->name,
					 "is_pts_purge", (int)method->is_pts_purge, "evidence",
					 cli_json_text(evidence)));
	else
		printf("%s: purged by %s: %s\n", facts->path, method->title, evidence);
}

static int purge_device(struct cli_args *args, const struct device_facts *facts,
			struct pts_err *err)
{
	bool live = isatty(STDERR_FILENO) && !args->quiet;
	const struct purge_method *method = NULL;
	struct device *device = NULL;
	char *identity = NULL, evidence[512] = "";
	int rc = purge_choose(facts, cli_value(args, "method"), &method, err);

	if (!rc)
		rc = cli_confirm(args, facts, NULL, &identity, err);
	if (!rc)
		rc = device_open_destroy(facts, identity, NULL, &device, err);
	if (!rc)
		rc = purge_run(device, method, show_share, &live, evidence, sizeof(evidence),
			       err);
	if (live && device)
		fputs("\r\033[K", stderr);
	device_close(device);
	free(identity);
	if (!rc)
		print_purged(args, facts, method, evidence);
	return rc;
}

int cmd_purge(struct cli_args *args, struct pts_err *err)
{
	struct device_facts *facts = calloc(1, sizeof(*facts));
	int rc;

	if (!facts)
		abort();
	rc = device_facts_read(args->words[0], NULL, facts, err);
	if (!rc)
		rc = purge_device(args, facts, err);
	free(facts);
	return rc;
}
