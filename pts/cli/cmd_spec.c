/* list, check, spec keys */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "spec.h"

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

int cmd_list(struct cli_args *args, struct pts_err *err)
{
	json_t *list = cli_flag(args, "json") ? json_array() : NULL;
	int rc = spec_each(list_one, list, err);

	if (list && !rc)
		cli_json_print(json_incref(list));
	json_decref(list);
	return rc;
}

static void print_fault(void *ctx, const char *line)
{
	(void)ctx;
	puts(line);
}

int cmd_check(struct cli_args *args, struct pts_err *err)
{
	int code = PTS_EXIT_GOOD;

	for (unsigned i = 0; i < args->word_count; i++) {
		struct pts_err one = PTS_ERR_INIT;
		char *path = NULL;
		int rc = spec_find(args->words[i], &path, err);

		if (rc)
			return rc;
		rc = spec_check_file(path, print_fault, NULL, &one);
		if (rc && one.exit != PTS_EXIT_SPEC) {
			*err = one;
			free(path);
			return rc;
		}
		if (rc)
			code = PTS_EXIT_SPEC;
		else if (!args->quiet)
			printf("%s: good (enterprise and client)\n", path);
		free(path);
	}
	return code;
}

static void print_key(const struct spec_key *key)
{
	printf("%-18s %-18s %-14s %-9s %-22s %-10s %s\n", key->context, key->name, key->type,
	       key->required ? "required" : "", key->range ? key->range : "",
	       key->standard ? key->standard : "", key->help);
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
		printf("%-18s %-18s %-14s %-9s %-22s %-10s %s\n", "where", "key", "type", "",
		       "range", "default", "meaning");
	for (unsigned i = 0; i < count; i++) {
		if (list)
			json_array_append_new(list, json_key(&keys[i]));
		else
			print_key(&keys[i]);
	}
	if (list)
		cli_json_print(list);
	return PTS_EXIT_GOOD;
}
