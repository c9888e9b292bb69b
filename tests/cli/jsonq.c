/*
 * jsonq FILE PATH: prints one value of a JSON file ("-" is stdin), so that shell tests need no
 * other program. PATH is keys and indexes with dots ("series.0.rounds.2.steady"); "#" behind it
 * prints how many elements there are. A file that is no strict JSON, holds a key twice, or lacks
 * the path ends with 1.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *step(const json_t *at, const char *name)
{
	if (json_is_array(at))
		return json_array_get(at, strtoul(name, NULL, 10));
	return json_object_get(at, name);
}

static int print(const json_t *value)
{
	if (json_is_string(value))
		puts(json_string_value(value));
	else if (json_is_integer(value))
		printf("%lld\n", (long long)json_integer_value(value));
	else if (json_is_real(value))
		printf("%.17g\n", json_real_value(value));
	else if (json_is_boolean(value))
		puts(json_is_true(value) ? "true" : "false");
	else if (json_is_null(value))
		puts("null");
	else
		json_dumpf(value, stdout, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	return 0;
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root;
	const json_t *at;
	char *path, *name;
	bool count;
	int rc = 1;

	if (argc != 3)
		return 2;
	root = strcmp(argv[1], "-") ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error)
				    : json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		fprintf(stderr, "jsonq: %s:%d: %s\n", argv[1], error.line, error.text);
		return 1;
	}
	path = argv[2];
	count = *path && path[strlen(path) - 1] == '#';
	if (count)
		path[strlen(path) - 1] = '\0';
	at = root;
	for (name = strtok(path, "."); name && at; name = strtok(NULL, "."))
		at = step(at, name);
	if (!at)
		fprintf(stderr, "jsonq: no such value\n");
	else if (count)
		rc = printf("%zu\n",
			    json_is_array(at) ? json_array_size(at) : json_object_size(at)) < 0;
	else
		rc = print(at);
	json_decref(root);
	return rc;
}
