/* From --mode, --device, --set and specs to a plan. */
#include "cli_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static void print_fault(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

/* "cell_time=2s" -> key and value; the copy is split in place. */
static int split(char *text, struct spec_override *ret_override, struct pts_err *err)
{
	char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "--set takes KEY=VALUE, not '%s'",
				text);
	*equals = '\0';
	*ret_override = (struct spec_override){text, equals + 1};
	return 0;
}

static int read_specs(const struct cli_args *args, struct spec_options *options,
		      struct cli_plan *plan, struct pts_err *err)
{
	int rc = 0;

	if (args->word_count > CLI_SPECS_MAX)
		return pts_fail(err, PTS_EXIT_USAGE, E2BIG, "at most %d specs in one run",
				CLI_SPECS_MAX);
	options->lenient_overrides = args->word_count > 1;
	for (unsigned i = 0; i < args->word_count && !rc; i++) {
		rc = spec_find(args->words[i], &plan->paths[i], err);
		if (!rc)
			rc = spec_read_file(plan->paths[i], options, &plan->specs[i], err);
		if (!rc)
			plan->spec_count++;
	}
	return rc;
}

static int overridden_specs(const struct cli_args *args, struct cli_plan *plan,
			    struct pts_err *err)
{
	struct spec_override overrides[CLI_VALUES_MAX];
	struct spec_options options = {.overrides = overrides, .fault = print_fault};
	char *copies[CLI_VALUES_MAX];
	unsigned count = 0;
	const char *mode, *text;
	int rc = cli_need(args, "mode", &mode, err);

	if (!rc && spec_mode_parse(mode, &options.mode) < 0)
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			      "--mode is enterprise or client, not '%s'", mode);
	while (!rc && count < CLI_VALUES_MAX && (text = cli_nth(args, "set", count))) {
		copies[count] = strdup(text);
		if (!copies[count])
			abort();
		rc = split(copies[count], &overrides[count], err);
		count++;
	}
	options.override_count = count;
	if (!rc)
		rc = read_specs(args, &options, plan, err);
	while (count)
		free(copies[--count]);
	return rc;
}

/* "2000MB/s" */
static int assumed(const struct cli_args *args, struct plan_assume *ret_assume,
		   struct pts_err *err)
{
	const char *text = cli_value(args, "assume");
	size_t length = text ? strlen(text) : 0;
	uint64_t bytes = 0;
	char *copy;
	int rc;

	*ret_assume = (struct plan_assume){0};
	if (!text)
		return 0;
	copy = strndup(text, length > 2 ? length - 2 : 0);
	rc = length > 2 && copy && !strcmp(text + length - 2, "/s") &&
			     pts_bytes_parse(copy, &bytes) == 0 && bytes
		     ? 0
		     : pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--assume takes a rate such as 2000MB/s, not '%s'", text);
	if (!rc)
		ret_assume->seq_write_mb_per_s = (double)bytes / 1e6;
	free(copy);
	return rc;
}

int cli_plan_make(const struct cli_args *args, const char *store_dir, struct cli_plan *ret_plan,
		  struct pts_err *err)
{
	struct plan_device device;
	struct plan_assume assume;
	const char *path;
	int rc;

	memset(ret_plan, 0, sizeof(*ret_plan));
	rc = overridden_specs(args, ret_plan, err);
	if (!rc)
		rc = cli_need(args, "device", &path, err);
	if (!rc)
		rc = assumed(args, &assume, err);
	if (!rc)
		rc = device_facts_read(path, store_dir, &ret_plan->facts, err);
	if (!rc)
		rc = run_plan_device(&ret_plan->facts, cli_value(args, "purge"), &device, err);
	if (!rc)
		rc = plan_make((const struct spec *const *)ret_plan->specs,
			       ret_plan->spec_count, &device, &assume, &ret_plan->plan, err);
	return rc;
}

void cli_plan_release(struct cli_plan *plan)
{
	plan_free(plan->plan);
	for (unsigned i = 0; i < CLI_SPECS_MAX; i++) {
		spec_free(plan->specs[i]);
		free(plan->paths[i]);
	}
}
