/*
 * The CHECK constraints of the schema, asked of a file's rows. SQLite drops them when it reads the
 * schema of a file that is opened for reading only, so that no integrity check looks at them
 * there; they are taken from our own schema text, which the file's equals word for word. Must not
 * look at what a row means.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store_internal.h"

static const char check_word[] = "CHECK(", table_word[] = "CREATE TABLE ";

/* Behind the text in quotes that begins here. */
static const char *past_quotes(const char *at)
{
	const char *end = strchr(at + 1, *at);

	return end ? end + 1 : at + strlen(at);
}

/* Behind a comment that begins here, or at. */
static const char *past_comment(const char *at)
{
	return strncmp(at, "--", 2) ? at : at + strcspn(at, "\n");
}

/* Behind the parenthesis that ends what begins here, the opening one being passed already. */
static const char *past_parenthesis(const char *at)
{
	for (unsigned depth = 1; *at && depth;) {
		const char *on = *at == '\'' ? past_quotes(at) : past_comment(at);

		if (on != at) {
			at = on;
			continue;
		}
		depth += *at == '(';
		depth -= *at == ')';
		at++;
	}
	return at;
}

/* The next constraint of the table whose definition ends at end; NULL: none. */
static const char *next_check(const char *at, const char *end, const char **ret_end)
{
	while (at < end) {
		const char *on = past_comment(at);

		if (on == at && !strncmp(at, check_word, strlen(check_word))) {
			at += strlen(check_word);
			*ret_end = past_parenthesis(at) - 1;
			return at;
		}
		at = on != at ? on : *at == '\'' ? past_quotes(at) : at + 1;
	}
	return NULL;
}

/*
 * "SELECT CASE WHEN NOT(a) THEN 'a' ... END AS broken FROM t WHERE broken IS NOT NULL": what a row
 * breaks. As in SQLite, an expression that is NULL breaks nothing. NULL without a constraint.
 */
static char *query_of(const char *name, int name_length, const char *at, const char *end)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	unsigned count = 0;
	const char *last;

	sqlite3_str_appendall(text, "SELECT CASE");
	while ((at = next_check(at, end, &last))) {
		char *what = strndup(at, (size_t)(last - at));

		if (!what)
			abort();
		sqlite3_str_appendf(text, " WHEN NOT(%s) THEN %Q", what, what);
		free(what);
		at = last;
		count++;
	}
	sqlite3_str_appendf(text, " END AS broken FROM %.*s WHERE broken IS NOT NULL LIMIT 1",
			    name_length, name);
	if (!count) {
		sqlite3_free(sqlite3_str_finish(text));
		return NULL;
	}
	return sqlite3_str_finish(text);
}

static int ask(struct store *store, const char *name, int name_length, const char *query,
	       struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, query, &stmt, err);

	if (rc)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_DONE)
		rc = 0;
	else if (rc == SQLITE_ROW)
		rc = pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
			      "'%s' is damaged: a row of '%.*s' breaks CHECK(%.120s)",
			      store->path, name_length, name, sql_text(stmt, 0));
	else
		rc = sql_fail(store, rc, err);
	sqlite3_finalize(stmt);
	return rc;
}

int store_check_constraints(struct store *store, struct pts_err *err)
{
	const char *at = store_schema;
	int rc = 0;

	while (!rc && (at = strstr(at, table_word))) {
		const char *name = at + strlen(table_word), *end;
		int length = (int)strcspn(name, "(");
		char *query;

		end = past_parenthesis(name + length + 1);
		query = query_of(name, length, name + length + 1, end);
		if (query)
			rc = ask(store, name, length, query, err);
		sqlite3_free(query);
		at = end;
	}
	return rc;
}
