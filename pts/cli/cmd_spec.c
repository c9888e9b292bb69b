/* list, check, spec keys */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "cli_out.h"
#include "cli_sim.h"
#include "spec.h"
#include "spec_drive.h"

static void list_one(void *ctx, const char *name, const char *path)
{
	json_t *list = ctx;
	struct pts_err err = PTS_ERR_INIT;
	struct spec_options options = {.mode = SPEC_ENTERPRISE};
	struct spec *spec = NULL;
	int rc = spec_read_file(path, &options, &spec, &err);

	if (list) {
		json_t *object = json_object();

		json_object_set_new(object, "name", cli_json_text(name));
		json_object_set_new(object, "path", cli_json_text(path));
		json_object_set_new(object, "title", cli_json_text(spec ? spec->title : NULL));
		json_object_set_new(object, "standard",
				    cli_json_text(spec ? spec->standard : NULL));
		json_object_set_new(object, "section",
				    cli_json_text(spec ? spec->section : NULL));
		json_object_set_new(object, "fault", cli_json_text(rc ? err.text : NULL));
		json_array_append_new(list, object);
	} else if (rc) {
		printf("%-28s FAULTY: %s\n", name, err.text);
	} else {
		printf("%-28s %s%s%s\n", name, spec->title,
		       spec->standard ? ", section " : " (outside the standard)",
		       spec->section ? spec->section : "");
	}
	spec_free(spec);
}

static void list_drive(void *ctx, const char *name, const char *path)
{
	json_t *list = ctx, *object;
	struct pts_err err = PTS_ERR_INIT;
	struct cli_sim_about about;
	struct sim_model model;
	int rc = cli_sim_read(path, &about, &model, &err);

	if (!list) {
		printf("sim:%-24s %s%s\n", name, rc ? "FAULTY: " : "",
		       rc ? err.text : about.title);
		return;
	}
	object = json_object();
	json_object_set_new(object, "name", cli_json_text(name));
	json_object_set_new(object, "path", cli_json_text(path));
	json_object_set_new(object, "title", cli_json_text(rc ? NULL : about.title));
	json_object_set_new(object, "description",
			    cli_json_text(rc ? NULL : about.description));
	json_object_set_new(object, "capacity_bytes",
			    rc ? json_null() : json_integer((json_int_t)model.capacity_bytes));
	json_object_set_new(object, "lba_bytes",
			    rc ? json_null() : json_integer(model.lba_bytes));
	json_object_set_new(object, "fault", cli_json_text(rc ? err.text : NULL));
	json_array_append_new(list, object);
}

int cmd_list(struct cli_args *args, struct pts_err *err)
{
	json_t *list = cli_flag(args, "json") ? json_array() : NULL;
	int rc = cli_flag(args, "drives") ? spec_drive_each(list_drive, list, err)
					  : spec_each(list_one, list, err);

	if (list && !rc)
		cli_json_print(json_incref(list));
	json_decref(list);
	return rc;
}

struct checking {
	json_t *faults; /* NULL: text */
	unsigned count;
};

static void take_fault(void *ctx, const char *line)
{
	struct checking *checking = ctx;

	checking->count++;
	if (checking->faults)
		json_array_append_new(checking->faults, cli_json_text(line));
	else
		puts(line);
}

/* An exit code: 0, PTS_EXIT_SPEC; -errno with *err set for what is no fault of a spec. */
static int check_one(const char *path, bool quiet, json_t *list, struct pts_err *err)
{
	struct checking checking = {.faults = list ? json_array() : NULL};
	struct pts_err first = PTS_ERR_INIT;
	int rc = spec_check_file(path, take_fault, &checking, &first);

	if (rc && !checking.count) {
		*err = first;
		json_decref(checking.faults);
		return rc;
	}
	if (list)
		json_array_append_new(list,
				      json_pack("{s:o, s:b, s:o}", "file", cli_json_text(path),
						"valid", rc == 0, "faults", checking.faults));
	else if (!rc && !quiet)
		printf("%s: valid (%s, %s)\n", path, spec_mode_text(SPEC_ENTERPRISE),
		       spec_mode_text(SPEC_CLIENT));
	return rc ? PTS_EXIT_SPEC : PTS_EXIT_GOOD;
}

int cmd_check(struct cli_args *args, struct pts_err *err)
{
	json_t *list = cli_flag(args, "json") ? json_array() : NULL;
	int code = PTS_EXIT_GOOD, rc = 0;

	for (unsigned i = 0; i < args->word_count && rc >= 0; i++) {
		char *path = NULL;

		rc = spec_find(args->words[i], &path, err);
		if (!rc)
			rc = check_one(path, args->quiet, list, err);
		if (rc > 0)
			code = rc;
		free(path);
	}
	if (list && rc >= 0)
		cli_json_print(json_pack("{s:O}", "specs", list));
	json_decref(list);
	return rc < 0 ? rc : code;
}

static const char *shown(const char *text)
{
	return text && *text ? text : "-";
}

static void print_keys(const struct spec_key *keys, unsigned count)
{
	static const char *const heads[] = {"WHERE", "KEY",     "TYPE",
					    "RANGE", "DEFAULT", "MEANING"};
	struct cli_table table = {.columns = 6};

	for (unsigned i = 0; i < 6; i++)
		cli_table_cell(&table, "%s", heads[i]);
	for (unsigned i = 0; i < count; i++) {
		cli_table_cell(&table, "%s", keys[i].context);
		cli_table_cell(&table, "%s", keys[i].name);
		cli_table_cell(&table, "%s", shown(keys[i].type));
		cli_table_cell(&table, "%s", shown(keys[i].range));
		cli_table_cell(&table, "%s",
			       keys[i].required ? "required" : shown(keys[i].standard));
		cli_table_cell(&table, "%s", shown(keys[i].help));
	}
	cli_table_print(&table);
}

static json_t *json_key(const struct spec_key *key)
{
	json_t *object = json_object();

	json_object_set_new(object, "context", cli_json_text(key->context));
	json_object_set_new(object, "name", cli_json_text(key->name));
	json_object_set_new(object, "type", cli_json_text(key->type));
	json_object_set_new(object, "unit", cli_json_text(key->unit));
	json_object_set_new(object, "range", cli_json_text(key->range));
	json_object_set_new(object, "default", cli_json_text(key->standard));
	json_object_set_new(object, "required", json_boolean(key->required));
	json_object_set_new(object, "help", cli_json_text(key->help));
	return object;
}

int cmd_spec(struct cli_args *args, struct pts_err *err)
{
	unsigned count;
	const struct spec_key *keys = spec_keys(&count);
	json_t *list = cli_flag(args, "json") ? json_array() : NULL;

	if (strcmp(args->words[0], "keys") != 0) {
		json_decref(list);
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL, "usage: pts spec keys, not '%s'",
				args->words[0]);
	}
	if (!list)
		print_keys(keys, count);
	for (unsigned i = 0; list && i < count; i++)
		json_array_append_new(list, json_key(&keys[i]));
	if (list)
		cli_json_print(list);
	return PTS_EXIT_GOOD;
}

static void man_cell(const char *text, const char *end)
{
	cli_man_text(shown(text));
	fputs(end, stdout);
}

void cli_dump_man_keys(void)
{
	unsigned count;
	const struct spec_key *keys = spec_keys(&count);
	const char *context = "";

	for (unsigned i = 0; i < count; i++) {
		const struct spec_key *key = &keys[i];

		if (strcmp(context, key->context) != 0) {
			context = key->context;
			fputs(".SS ", stdout);
			man_cell(context, "\n");
		}
		fputs(".TP\n\\fB", stdout);
		man_cell(key->name, "\\fR (");
		man_cell(key->type, key->range && *key->range ? ": " : "");
		if (key->range && *key->range)
			man_cell(key->range, "");
		fputs(")", stdout);
		if (key->required)
			fputs(" required", stdout);
		else if (key->standard && *key->standard) {
			fputs(" default ", stdout);
			man_cell(key->standard, "");
		}
		putchar('\n');
		man_cell(key->help, ".\n");
	}
}
