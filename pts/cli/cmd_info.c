/* info: facts of a device, the text that --destroy wants, and what the guard says. */
#include <stdio.h>

#include "cli_commands.h"
#include "device.h"
#include "pts_units.h"
#include "purge.h"

static void add_fact(void *ctx, const char *key, const char *value)
{
	json_object_set_new(ctx, key, cli_json_text(value));
}

/* The contract's keys, with numbers as numbers; whatever else is known stands in facts{}. */
static void print_json(const struct device_facts *facts)
{
	json_t *root = json_object(), *all = json_object();
	json_t *refusals = json_array(), *purges = json_array();
	unsigned count;
	const struct purge_method *method = purge_methods(&count);

	json_object_set_new(root, "path", cli_json_text(facts->path));
	json_object_set_new(root, "kind",
			    cli_json_text(facts->kind == DEVICE_FILE ? "file" : "block"));
	json_object_set_new(root, "identity", cli_json_text(facts->identity));
	json_object_set_new(root, "model", cli_json_text(facts->model));
	json_object_set_new(root, "serial", cli_json_text(facts->serial));
	json_object_set_new(root, "firmware", cli_json_text(facts->firmware));
	json_object_set_new(root, "capacity_bytes", cli_json_u64(facts->capacity_bytes));
	json_object_set_new(root, "lba_bytes", cli_json_u64(facts->lba_bytes));
	json_object_set_new(root, "metadata_bytes", cli_json_u64(facts->metadata_bytes));
	json_object_set_new(root, "transport", cli_json_text(facts->transport));
	json_object_set_new(root, "write_cache", cli_json_text(facts->write_cache));
	for (unsigned i = 0; i < count; i++)
		if (method[i].possible(facts))
			json_array_append_new(purges, cli_json_text(method[i].name));
	json_object_set_new(root, "purge_methods", purges);
	for (unsigned i = 0; i < facts->refusal_count; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "code", cli_json_text(facts->refusals[i].code));
		json_object_set_new(one, "text", cli_json_text(facts->refusals[i].text));
		json_array_append_new(refusals, one);
	}
	json_object_set_new(root, "refusals", refusals);
	device_facts_each(facts, add_fact, all);
	json_object_set_new(root, "facts", all);
	cli_json_print(root);
}

static void print_fact(void *ctx, const char *key, const char *value)
{
	(void)ctx;
	printf("  %-20s %s\n", key, value);
}

static void print_text(const struct device_facts *facts)
{
	unsigned count;
	const struct purge_method *method = purge_methods(&count);
	char size[48];

	pts_capacity_human(facts->capacity_bytes, size, sizeof(size));
	printf("%s: %s, %s in LBAs of %u bytes\n", facts->path,
	       facts->model[0] ? facts->model : "(no model)", size, facts->lba_bytes);
	device_facts_each(facts, print_fact, NULL);
	printf("\npurge methods:\n");
	for (unsigned i = 0; i < count; i++)
		if (method[i].possible(facts))
			printf("  %-20s %s\n", method[i].name, method[i].title);
	if (facts->refusal_count) {
		printf("\nNOT TO BE WRITTEN:\n");
		for (unsigned i = 0; i < facts->refusal_count; i++)
			printf("  %-20s %s\n", facts->refusals[i].code,
			       facts->refusals[i].text);
	} else {
		printf("\nTo destroy everything on it: --destroy %s\n", facts->identity);
	}
}

int cmd_info(struct cli_args *args, struct pts_err *err)
{
	struct device_facts facts;
	int rc = device_facts_read(args->words[0], NULL, &facts, err);

	if (rc)
		return rc;
	if (cli_flag(args, "json"))
		print_json(&facts);
	else
		print_text(&facts);
	return PTS_EXIT_GOOD;
}
