/* schemacheck SCHEMA FILE: whether a report.json is what its schema says; else says where not. */
#include <jansson.h>
#include <stdio.h>

#include "json_schema.h"

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root;
	char text[800] = "";
	bool good;

	if (argc != 3)
		return fprintf(stderr, "usage: schemacheck SCHEMA FILE\n"), 2;
	root = json_load_file(argv[2], JSON_REJECT_DUPLICATES, &error);
	if (!root)
		return printf("%s: %s\n", argv[2], error.text), 1;
	good = report_json_check(argv[1], root, text, sizeof(text));
	if (!good)
		printf("%s: %s\n", argv[2], text);
	json_decref(root);
	return good ? 0 : 1;
}
