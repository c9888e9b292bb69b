/* See json_schema.h. */
#include "json_schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct check {
	const json_t *root; /* of the schema */
	char where[512];
	char *text;
	size_t size;
};

static bool wrong(struct check *check, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static bool wrong(struct check *check, const char *fmt, ...)
{
	int used = snprintf(check->text, check->size, "%s: ", check->where);
	va_list args;

	va_start(args, fmt);
	vsnprintf(check->text + used, check->size - (size_t)used, fmt, args);
	va_end(args);
	return false;
}

static bool known_keywords(struct check *check, const json_t *schema)
{
	static const char *const known[] = {
		"$schema",    "title",    "$defs",
		"$ref",       "type",     "description",
		"properties", "required", "additionalProperties",
		"items",      "enum",     "const",
		"minimum",
	};
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)schema, key, value)
	{
		unsigned i = 0;

		while (i < sizeof(known) / sizeof(known[0]) && strcmp(known[i], key) != 0)
			i++;
		if (i == sizeof(known) / sizeof(known[0]))
			return wrong(check, "the schema's keyword '%s' is not known", key);
	}
	return true;
}

static bool is_type(const json_t *value, const char *type)
{
	return strcmp(type, "object") == 0    ? json_is_object(value)
	       : strcmp(type, "array") == 0   ? json_is_array(value)
	       : strcmp(type, "string") == 0  ? json_is_string(value)
	       : strcmp(type, "integer") == 0 ? json_is_integer(value)
	       : strcmp(type, "number") == 0  ? json_is_number(value)
	       : strcmp(type, "boolean") == 0
		       ? json_is_boolean(value)
		       : strcmp(type, "null") == 0 && json_is_null(value);
}

static bool check_type(struct check *check, const json_t *type, const json_t *value)
{
	size_t i;
	json_t *one;

	if (type == NULL || (json_is_string(type) && is_type(value, json_string_value(type))))
		return true;
	json_array_foreach((json_t *)type, i, one)
	{
		if (is_type(value, json_string_value(one)))
			return true;
	}
	return wrong(check, "is not of the type that the schema says");
}

static bool check_values(struct check *check, const json_t *schema, const json_t *value)
{
	const json_t *list = json_object_get(schema, "enum");
	const json_t *single = json_object_get(schema, "const");
	const json_t *least = json_object_get(schema, "minimum");
	bool found = list == NULL;
	size_t i;
	json_t *one;

	json_array_foreach((json_t *)list, i, one) found = found || json_equal(one, value);
	if (!found)
		return wrong(check, "is none of the values in the schema");
	if (single != NULL && !json_equal(single, value))
		return wrong(check, "is not the value in the schema");
	if (least != NULL && json_number_value(value) < json_number_value(least))
		return wrong(check, "is less than the schema's minimum");
	return true;
}

static bool check_value(struct check *check, const json_t *schema, const json_t *value);

/* One step deeper: a key or an index. */
static bool check_below(struct check *check, const json_t *schema, const json_t *value,
			const char *name)
{
	size_t length = strlen(check->where);
	bool good;

	snprintf(check->where + length, sizeof(check->where) - length, "/%.60s", name);
	good = check_value(check, schema, value);
	if (good)
		check->where[length] = '\0';
	return good;
}

static bool check_object(struct check *check, const json_t *schema, const json_t *value)
{
	const json_t *properties = json_object_get(schema, "properties");
	const json_t *more = json_object_get(schema, "additionalProperties");
	const char *key;
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(schema, "required"), i, one)
	{
		if (json_object_get(value, json_string_value(one)) == NULL)
			return wrong(check, "lacks '%s'", json_string_value(one));
	}
	json_object_foreach((json_t *)properties, key, one)
	{
		if (json_object_get(one, "description") == NULL)
			return wrong(check, "the schema does not describe '%s'", key);
	}
	json_object_foreach((json_t *)value, key, one)
	{
		const json_t *below = json_object_get(properties, key);

		if (below == NULL && json_is_object(more))
			below = more;
		if (below == NULL)
			return wrong(check, "'%s' is not in the schema", key);
		if (!check_below(check, below, one, key))
			return false;
	}
	return true;
}

static bool check_array(struct check *check, const json_t *schema, const json_t *value)
{
	const json_t *items = json_object_get(schema, "items");
	char name[24];
	json_t *one;
	size_t i;

	if (items == NULL)
		return wrong(check, "the schema does not say what the items are");
	json_array_foreach((json_t *)value, i, one)
	{
		snprintf(name, sizeof(name), "%zu", i);
		if (!check_below(check, items, one, name))
			return false;
	}
	return true;
}

static bool check_value(struct check *check, const json_t *schema, const json_t *value)
{
	const char *reference = json_string_value(json_object_get(schema, "$ref"));

	if (!known_keywords(check, schema))
		return false;
	if (reference != NULL) {
		const json_t *found = json_object_get(json_object_get(check->root, "$defs"),
						      strrchr(reference, '/') + 1);

		if (found == NULL)
			return wrong(check, "the schema lacks '%s'", reference);
		return check_value(check, found, value);
	}
	if (!check_type(check, json_object_get(schema, "type"), value) ||
	    !check_values(check, schema, value))
		return false;
	if (json_is_object(value))
		return check_object(check, schema, value);
	if (json_is_array(value))
		return check_array(check, schema, value);
	return true;
}

bool json_schema_check(const json_t *schema, const json_t *value, char *ret_text, size_t size)
{
	struct check check = {.root = schema, .text = ret_text, .size = size};

	return check_value(&check, schema, value);
}

static bool check_row(struct check *check, const json_t *columns, const json_t *row)
{
	const json_t *missing = json_object_get(row, "missing_reason");
	size_t i, gaps = 0;
	json_t *column;

	if (json_object_size(row) != json_array_size(columns) + (missing != NULL))
		return wrong(check, "a row has other keys than the columns");
	json_array_foreach((json_t *)columns, i, column)
	{
		const char *key = json_string_value(json_object_get(column, "key"));
		const json_t *value = json_object_get(row, key);

		if (value == NULL)
			return wrong(check, "a row lacks '%s'", key);
		if (!json_is_null(value))
			continue;
		gaps++;
		if (json_object_get(missing, key) == NULL)
			return wrong(check, "'%s' is null without a reason", key);
	}
	if (missing != NULL && json_object_size(missing) != gaps)
		return wrong(check, "a reason for a value that is there");
	return true;
}

static bool check_tables(struct check *check, const json_t *root, json_t *names)
{
	size_t i, r;
	json_t *table, *row;

	json_array_foreach(json_object_get(root, "tables"), i, table)
	{
		const char *name = json_string_value(json_object_get(table, "name"));

		snprintf(check->where, sizeof(check->where), "table '%s'", name);
		if (json_object_get(names, name) != NULL)
			return wrong(check, "stands twice");
		json_object_set_new(names, name, json_true());
		json_array_foreach(json_object_get(table, "rows"), r, row)
		{
			if (!check_row(check, json_object_get(table, "columns"), row))
				return false;
		}
	}
	return true;
}

static bool check_series(struct check *check, const json_t *series)
{
	size_t count = json_array_size(json_object_get(series, "x"));
	const json_t *ends = json_object_get(series, "x_end");

	if (json_array_size(json_object_get(series, "y")) != count ||
	    (ends != NULL && json_array_size(ends) != count))
		return wrong(check, "a series has not as many y as x");
	return true;
}

static bool check_page(struct check *check, const json_t *page, const json_t *tables)
{
	size_t i, s;
	json_t *one, *series;

	snprintf(check->where, sizeof(check->where), "page '%s'",
		 json_string_value(json_object_get(page, "id")));
	json_array_foreach(json_object_get(page, "tables"), i, one)
	{
		if (json_object_get(tables, json_string_value(one)) == NULL)
			return wrong(check, "there is no table '%s'", json_string_value(one));
	}
	json_array_foreach(json_object_get(page, "plots"), i, one)
	{
		json_array_foreach(json_object_get(one, "series"), s, series)
		{
			if (!check_series(check, series))
				return false;
		}
	}
	return true;
}

bool report_json_check(const char *schema_file, const json_t *root, char *ret_text, size_t size)
{
	struct check check = {.text = ret_text, .size = size};
	json_error_t error;
	json_t *schema = json_load_file(schema_file, JSON_REJECT_DUPLICATES, &error);
	json_t *names, *page;
	bool good;
	size_t i;

	if (schema == NULL)
		return wrong(&check, "%s: %s", schema_file, error.text);
	names = json_object();
	good = json_schema_check(schema, root, ret_text, size) &&
	       check_tables(&check, root, names);
	json_array_foreach(json_object_get(root, "pages"), i, page) good =
		good && check_page(&check, page, names);
	json_decref(names);
	json_decref(schema);
	return good;
}
