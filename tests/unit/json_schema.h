/* A small checker of JSON against a JSON Schema, and of what no schema can say of report.json. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Whether value is what schema describes; else ret_text says where and why ("/run/state: ...").
 * Knows type, properties, required, additionalProperties, items, enum, const, minimum and $ref into
 * $defs. Any other keyword is a fault of the schema, and so is a property without a description:
 * nothing is passed over in silence.
 */
bool json_schema_check(const json_t *schema, const json_t *value, char *ret_text, size_t size);

/* A report.json: as the schema has it, and rows have the columns' keys, each null its reason, series
 * as many x as y, pages only tables that are there, names stand once. schema_file is read. */
bool report_json_check(const char *schema_file, const json_t *root, char *ret_text,
		       size_t size);

#endif
