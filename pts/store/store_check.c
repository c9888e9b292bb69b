/*
 * Is a file a store of ours? Its schema must be ours word for word (so that no view, trigger,
 * generated column or other type of a stranger's file ever runs or is met by a reader), and its
 * pages and constraints must hold. Must not read any row as data before that.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "store_internal.h"

static int check_version(struct store *store, struct pts_err *err)
{
	int64_t application, version;
	int rc = sql_number(store, "PRAGMA application_id", 0, 0, 0, &application, err);

	if (!rc)
		rc = sql_number(store, "PRAGMA user_version", 0, 0, 0, &version, err);
	if (rc)
		return rc;
	if (application != STORE_APPLICATION_ID)
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
				"'%s' is an SQLite file, but no store of pts", store->path);
	if (version != STORE_SCHEMA_VERSION)
		return pts_fail(err, PTS_EXIT_SPEC, ENOTSUP,
				"'%s' has schema version %lld, this program knows %d: use %s "
				"version of pts",
				store->path, (long long)version, STORE_SCHEMA_VERSION,
				version > STORE_SCHEMA_VERSION ? "a newer" : "the");
	return 0;
}

static const char schema_query[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema "
				   "WHERE substr(name, 1, 7) <> 'sqlite_' ORDER BY type, name";

static bool same_text(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
	const char *x = sql_text(a, column), *y = sql_text(b, column);

	return x && y && !strcmp(x, y);
}

/* Walks both lists of objects side by side. */
static int compare(struct store *store, sqlite3_stmt *ours, sqlite3_stmt *theirs,
		   struct pts_err *err)
{
	for (;;) {
		int a = sqlite3_step(ours), b = sqlite3_step(theirs);
		const char *name;

		if (a == SQLITE_DONE && b == SQLITE_DONE)
			return 0;
		if (b != SQLITE_ROW && b != SQLITE_DONE)
			return sql_fail(store, b, err);
		if (a == SQLITE_ROW && b == SQLITE_ROW && same_text(ours, theirs, 0) &&
		    same_text(ours, theirs, 1) && same_text(ours, theirs, 2) &&
		    same_text(ours, theirs, 3))
			continue;
		name = sql_text(b == SQLITE_ROW ? theirs : ours, 1);
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
				"'%s' is not as pts made it: its schema differs at '%.100s'",
				store->path, name ? name : "?");
	}
}

int store_check_schema(struct store *store, struct pts_err *err)
{
	struct store model = {.path = store->path, .lock_fd = -1};
	sqlite3_stmt *ours = NULL, *theirs = NULL;
	int rc = check_version(store, err);

	if (rc)
		return rc;
	if (sqlite3_open_v2(":memory:", &model.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		rc = pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	if (!rc)
		rc = sql_exec(&model, store_schema, err);
	if (!rc)
		rc = sql_prepare(&model, schema_query, &ours, err);
	if (!rc)
		rc = sql_prepare(store, schema_query, &theirs, err);
	if (!rc)
		rc = compare(store, ours, theirs, err);
	sqlite3_finalize(ours);
	sqlite3_finalize(theirs);
	sqlite3_close(model.db);
	return rc;
}

int store_check_integrity(struct store *store, bool quick, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store,
			     quick ? "PRAGMA quick_check(1)" : "PRAGMA integrity_check(1)",
			     &stmt, err);

	if (rc)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW && sql_text(stmt, 0) && !strcmp(sql_text(stmt, 0), "ok"))
		rc = 0;
	else if (rc == SQLITE_ROW)
		rc = pts_fail(err, PTS_EXIT_SPEC, EBADMSG, "'%s' is damaged: %.200s",
			      store->path, sql_text(stmt, 0) ? sql_text(stmt, 0) : "?");
	else
		rc = sql_fail(store, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, err);
	sqlite3_finalize(stmt);
	return rc;
}

int store_check_references(struct store *store, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, "PRAGMA foreign_key_check", &stmt, err);

	if (rc)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_DONE)
		rc = 0;
	else if (rc == SQLITE_ROW)
		rc = pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
			      "'%s' is damaged: a row of '%.40s' belongs to no row of '%.40s'",
			      store->path, sql_text(stmt, 0) ? sql_text(stmt, 0) : "?",
			      sql_text(stmt, 2) ? sql_text(stmt, 2) : "?");
	else
		rc = sql_fail(store, rc, err);
	sqlite3_finalize(stmt);
	return rc;
}
