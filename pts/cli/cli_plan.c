/*
 * Makes the plan that `plan` shows and `run` follows, so that the dry run cannot lie. Decides
 * nothing about the device: its refusals are shown by one and obeyed by the other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_assume.h"
#include "cli_plan.h"
#include "pts_text.h"
#include "run.h"

#define NAMES_MOST 256

static void say_fault(void *ctx, const char *line)
{
	struct cli_planned *planned = ctx;

	planned->faults_said++;
	fprintf(stderr, "pts: %s\n", line);
}

static int take_overrides(const struct cli_args *args, struct cli_planned *planned,
			  struct pts_err *err)
{
	const char *text;

	planned->overrides = calloc(args->value_count + 1, sizeof(*planned->overrides));
	if (!planned->overrides)
		abort();
	for (unsigned i = 0; (text = cli_nth(args, "set", i)); i++) {
		const char *equals = strchr(text, '=');

		if (!equals || equals == text)
			return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
					"--set '%s': write KEY=VALUE, as cell_time=2s", text);
		planned->overrides[planned->override_count++] = (struct spec_override){
			.key = strndup(text, (size_t)(equals - text)),
			.value = equals + 1,
		};
	}
	return 0;
}

/* With several specs an override need not fit each of them, but one. */
static int check_override(const struct cli_planned *planned, const char *key,
			  struct pts_err *err)
{
	const char *names[NAMES_MOST], *meant;
	size_t count = 0;

	for (unsigned s = 0; s < planned->spec_count; s++)
		for (unsigned p = 0; p < planned->specs[s]->param_count; p++) {
			const char *name = planned->specs[s]->params[p].name;

			if (!strcmp(name, key))
				return 0;
			if (count < NAMES_MOST)
				names[count++] = name;
		}
	meant = pts_nearest(key, names, count);
	return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			"--set %s: none of the specs has such a parameter%s%s%s", key,
			meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static int read_specs(const struct cli_args *args, struct cli_planned *planned,
		      struct pts_err *err)
{
	struct spec_options options = {
		.overrides = planned->overrides,
		.override_count = planned->override_count,
		.lenient_overrides = args->word_count > 1,
		.fault = say_fault,
		.fault_ctx = planned,
	};
	const char *mode;
	int rc = cli_need(args, "mode", &mode, err);

	if (rc)
		return rc;
	if (spec_mode_parse(mode, &options.mode))
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--mode '%s': there are enterprise and client", mode);
	planned->specs = calloc(args->word_count, sizeof(struct spec *));
	if (!planned->specs)
		abort();
	for (unsigned i = 0; !rc && i < args->word_count; i++) {
		char *path = NULL;

		rc = spec_find(args->words[i], &path, err);
		if (!rc)
			rc = spec_read_file(path, &options, &planned->specs[i], err);
		if (!rc)
			planned->spec_count++;
		free(path);
	}
	for (unsigned i = 0; !rc && options.lenient_overrides && i < planned->override_count;
	     i++)
		rc = check_override(planned, planned->overrides[i].key, err);
	return rc;
}

char *cli_existing_folder(const char *path)
{
	char *folder = strdup(path), *slash;
	struct stat st;

	if (!folder)
		abort();
	while (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode)) {
		slash = strrchr(folder, '/');
		if (!slash || slash == folder) {
			/* a relative name of one part, or the root */
			free(folder);
			folder = strdup(slash ? "/" : ".");
			break;
		}
		*slash = '\0';
	}
	return folder;
}

static int read_facts(const struct cli_args *args, struct cli_planned *planned,
		      struct pts_err *err)
{
	const char *out = cli_value(args, "out"), *path;
	char *folder = out ? cli_existing_folder(out) : NULL;
	int rc;

	planned->facts = calloc(1, sizeof(*planned->facts));
	if (!planned->facts)
		abort();
	rc = cli_need(args, "device", &path, err);
	if (!rc)
		rc = device_facts_read(path, folder, planned->facts, err);
	free(folder);
	return rc;
}

int cli_plan_make(const struct cli_args *args, struct cli_planned *ret_planned,
		  struct pts_err *err)
{
	struct cli_assume assume = {0};
	int rc;

	*ret_planned = (struct cli_planned){0};
	rc = take_overrides(args, ret_planned, err);
	if (!rc)
		rc = cli_assume_read(args, &assume, err);
	if (!rc)
		rc = read_specs(args, ret_planned, err);
	if (!rc)
		rc = read_facts(args, ret_planned, err);
	if (!rc)
		cli_assume_model(&assume);
	if (!rc)
		rc = run_plan_device(ret_planned->facts, cli_value(args, "purge"),
				     &ret_planned->device, err);
	if (!rc)
		rc = plan_make((const struct spec *const *)ret_planned->specs,
			       ret_planned->spec_count, &ret_planned->device, &assume.assume,
			       &ret_planned->plan, err);
	cli_assume_release(&assume);
	if (rc && ret_planned->faults_said)
		err->text[0] = '\0'; /* it stands on stderr, with all the others */
	return rc;
}

void cli_plan_release(struct cli_planned *planned)
{
	plan_free(planned->plan);
	for (unsigned i = 0; i < planned->spec_count; i++)
		spec_free(planned->specs[i]);
	free(planned->specs);
	for (unsigned i = 0; i < planned->override_count; i++)
		free((void *)planned->overrides[i].key);
	free(planned->overrides);
	free(planned->facts);
	*planned = (struct cli_planned){0};
}

void cli_device_line(const struct device_facts *facts, char *text, size_t room)
{
	char capacity[64];

	pts_capacity_human(facts->capacity_bytes, capacity, sizeof(capacity));
	snprintf(text, room, "%s%s%s%s%s, %s, %s",
		 facts->model[0] ? facts->model : facts->transport,
		 facts->serial[0] ? ", serial " : "", facts->serial,
		 facts->backing[0] ? ", backed by " : "", facts->backing, capacity,
		 facts->path);
}
