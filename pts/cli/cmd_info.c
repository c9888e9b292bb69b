/* pts info: the facts of a device and what stands in the way. Writes nothing, creates nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "cli_out.h"
#include "device.h"
#include "pts_text.h"
#include "pts_units.h"
#include "purge.h"

/* Names stay text also where they look like a number: a serial number "000123". */
static const char *const text_keys[] = {"path",   "real_path", "identity",  "model",
					"serial", "firmware",  "vendor",    "wwid",
					"driver", "backing",   "scheduler", NULL};
static const char *const flag_keys[] = {"read_only",  "removable", "rotational",
					"is_virtual", "io_poll",   NULL};

static bool is_among(const char *const *keys, const char *key)
{
	for (; *keys; keys++)
		if (!strcmp(*keys, key))
			return true;
	return false;
}

static void json_fact(void *ctx, const char *key, const char *value)
{
	json_t *root = ctx, *made;
	uint64_t number;

	if (is_among(flag_keys, key))
		made = json_boolean(strcmp(value, "0") != 0);
	else if (!is_among(text_keys, key) && !pts_u64_parse(value, &number))
		made = cli_json_u64(number);
	else
		made = cli_json_text(value);
	json_object_set_new(root, key, made);
}

static json_t *json_purges(const struct device_facts *facts)
{
	unsigned count;
	const struct purge_method *method = purge_methods(&count);
	json_t *list = json_array();

	for (unsigned i = 0; i < count; i++)
		if (method[i].possible(facts))
			json_array_append_new(list, json_string(method[i].name));
	return list;
}

static json_t *json_refusals(const struct device_facts *facts)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < facts->refusal_count; i++)
		json_array_append_new(list,
				      json_pack("{s:o, s:o}", "code",
						cli_json_text(facts->refusals[i].code), "text",
						cli_json_text(facts->refusals[i].text)));
	return list;
}

static void info_json(const struct device_facts *facts)
{
	json_t *root = json_object();

	device_facts_each(facts, json_fact, root);
	/* the contract's keys are there also where nothing is known */
	json_object_set_new(root, "identity", cli_json_text(facts->identity));
	json_object_set_new(root, "model", cli_json_text(facts->model));
	json_object_set_new(root, "serial", cli_json_text(facts->serial));
	json_object_set_new(root, "firmware", cli_json_text(facts->firmware));
	json_object_set_new(root, "capacity_bytes", cli_json_u64(facts->capacity_bytes));
	json_object_set_new(root, "lba_bytes", cli_json_u64(facts->lba_bytes));
	json_object_set_new(root, "metadata_bytes", cli_json_u64(facts->metadata_bytes));
	json_object_set_new(root, "transport", cli_json_text(facts->transport));
	json_object_set_new(root, "write_cache", cli_json_text(facts->write_cache));
	json_object_set_new(root, "purge_methods", json_purges(facts));
	json_object_set_new(root, "refusals", json_refusals(facts));
	cli_json_print(root);
}

static void table_fact(void *ctx, const char *key, const char *value)
{
	struct cli_table *table = ctx;

	cli_table_cell(table, "%s", key);
	cli_table_cell(table, "%s", value);
}

static void info_purges(const struct device_facts *facts)
{
	unsigned count;
	const struct purge_method *method = purge_methods(&count), *best = NULL;
	struct pts_err ignored = PTS_ERR_INIT;

	purge_choose(facts, NULL, &best, &ignored);
	printf("\nPurge methods:\n");
	for (unsigned i = 0; i < count; i++)
		if (method[i].possible(facts))
			printf("  %-9s %s%s\n", method[i].name, method[i].title,
			       &method[i] == best ? " [taken unless --purge says otherwise]"
						  : "");
}

static void info_human(const struct device_facts *facts)
{
	struct cli_table table = {.columns = 2};
	char capacity[64];

	pts_capacity_human(facts->capacity_bytes, capacity, sizeof(capacity));
	printf("%s%s%s: %s%s%s, %s (%llu bytes in blocks of %u)\n\n", cli_ink(stdout, CLI_BOLD),
	       facts->path, cli_ink(stdout, CLI_PLAIN), facts->model,
	       facts->model[0] ? ", " : "", facts->transport, capacity,
	       (unsigned long long)facts->capacity_bytes, facts->lba_bytes);
	cli_table_cell(&table, "FACT");
	cli_table_cell(&table, "VALUE");
	device_facts_each(facts, table_fact, &table);
	cli_table_print(&table);
	info_purges(facts);
	printf("\nTo destroy its data and test it: --destroy %s%s%s\n",
	       cli_ink(stdout, CLI_BOLD), facts->identity, cli_ink(stdout, CLI_PLAIN));
	if (!facts->refusal_count)
		printf("Nothing stands in the way.\n");
	for (unsigned i = 0; i < facts->refusal_count; i++)
		printf("%sRefused%s (%s): %s\n", cli_ink(stdout, CLI_BAD),
		       cli_ink(stdout, CLI_PLAIN), facts->refusals[i].code,
		       facts->refusals[i].text);
}

int cmd_info(struct cli_args *args, struct pts_err *err)
{
	struct device_facts *facts = calloc(1, sizeof(*facts));
	int rc;

	if (!facts)
		abort();
	rc = device_facts_read(args->words[0], NULL, facts, err);
	if (!rc && cli_flag(args, "json"))
		info_json(facts);
	else if (!rc)
		info_human(facts);
	free(facts);
	return rc;
}
