/* Statements with typed arguments, and sentences for what SQLite says. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pts_text.h"
#include "store_internal.h"

/* Full: make room. What is committed stays; SQLite has rolled the rest back by itself. */
static int fail_full(const struct store *store, const char *path, struct pts_err *err)
{
	if (store->making)
		return pts_fail(err, PTS_EXIT_USAGE, ENOSPC,
				"cannot make '%s': the file system is full", path);
	return pts_fail(err, PTS_EXIT_RESUMABLE, ENOSPC,
			"'%s': the file system is full; nothing committed is lost: make room "
			"and go on with `pts resume`",
			path);
}

static int fail_locked(const char *path, struct pts_err *err)
{
	long pid = store_locked_by(path);

	if (pid)
		return pts_fail(err, PTS_EXIT_RESUMABLE, EBUSY,
				"'%s' is locked by process %ld: end what it does with the file",
				path, pid);
	return pts_fail(err, PTS_EXIT_RESUMABLE, EBUSY, "'%s' is locked by another program",
			path);
}

static int fail_io(const struct store *store, const char *path, struct pts_err *err)
{
	int error = sqlite3_system_errno(store->db);

	if (error == ENOSPC || error == EDQUOT)
		return fail_full(store, path, err);
	return pts_fail(err, PTS_EXIT_RESUMABLE, error ? error : EIO,
			"'%s': the file system reports an error: %s (%s)", path,
			sqlite3_errmsg(store->db), pts_errno_text(error ? error : EIO));
}

int sql_fail(struct store *store, int rc, struct pts_err *err)
{
	const char *path = store->path ? store->path : "(new store)";
	const char *text = store->db ? sqlite3_errmsg(store->db) : "out of memory";

	switch (rc & 0xff) {
	case SQLITE_FULL:
		return fail_full(store, path, err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return fail_locked(path, err);
	case SQLITE_READONLY:
		return pts_fail(err, PTS_EXIT_USAGE, EROFS, "'%s' can't be written: %s", path,
				text);
	case SQLITE_IOERR:
		return fail_io(store, path, err);
	case SQLITE_CANTOPEN:
		return pts_fail(err, PTS_EXIT_USAGE, EACCES, "cannot open '%s': %s", path,
				text);
	case SQLITE_NOTADB:
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
				"'%s' is no store of pts: it is no SQLite file", path);
	case SQLITE_CORRUPT:
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG, "'%s' is damaged: %s", path, text);
	case SQLITE_NOMEM:
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	case SQLITE_CONSTRAINT: /* the schema refused what a caller wanted to write */
		return pts_fail(err, PTS_EXIT_BUG, EINVAL, "'%s' refuses a row: %s", path,
				text);
	default:
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG, "'%s': %s", path, text);
	}
}

int sql_prepare(struct store *store, const char *text, sqlite3_stmt **ret_stmt,
		struct pts_err *err)
{
	int rc = sqlite3_prepare_v2(store->db, text, -1, ret_stmt, NULL);

	return rc == SQLITE_OK ? 0 : sql_fail(store, rc, err);
}

static void wide_text(unsigned __int128 value, char *text, size_t room)
{
	size_t at = room;

	text[--at] = '\0';
	do {
		text[--at] = (char)('0' + (int)(value % 10));
		value /= 10;
	} while (value);
	memmove(text, text + at, room - at);
}

static int bind_u64(sqlite3_stmt *stmt, int column, uint64_t value)
{
	return value > INT64_MAX ? SQLITE_TOOBIG
				 : sqlite3_bind_int64(stmt, column, (int64_t)value);
}

static int bind_digits(sqlite3_stmt *stmt, int column, unsigned __int128 value)
{
	char text[48];

	wide_text(value, text, sizeof(text));
	return sqlite3_bind_text(stmt, column, text, -1, SQLITE_TRANSIENT);
}

static int bind_one(sqlite3_stmt *stmt, int column, char type, va_list *args)
{
	const void *data;
	double number;
	int whole;

	switch (type) {
	case 'i':
		return sqlite3_bind_int64(stmt, column, va_arg(*args, int64_t));
	case 'u':
		return bind_u64(stmt, column, va_arg(*args, uint64_t));
	case 's':
		return bind_digits(stmt, column, va_arg(*args, uint64_t));
	case 'w':
		return bind_digits(stmt, column, *va_arg(*args, const unsigned __int128 *));
	case 'n':
		whole = va_arg(*args, int);
		return whole < 0 ? sqlite3_bind_null(stmt, column)
				 : sqlite3_bind_int(stmt, column, whole);
	case 't':
		return sqlite3_bind_text(stmt, column, va_arg(*args, const char *), -1,
					 SQLITE_TRANSIENT);
	case 'd':
		number = va_arg(*args, double);
		return isfinite(number) ? sqlite3_bind_double(stmt, column, number)
					: sqlite3_bind_null(stmt, column);
	case 'b':
		data = va_arg(*args, const void *);
		return sqlite3_bind_blob64(stmt, column, data, va_arg(*args, size_t),
					   SQLITE_TRANSIENT);
	default:
		return SQLITE_MISUSE;
	}
}

static int bind_all(struct store *store, sqlite3_stmt *stmt, struct pts_err *err,
		    const char *types, va_list *args)
{
	for (int i = 0; types[i]; i++) {
		int rc = bind_one(stmt, i + 1, types[i], args);

		if (rc == SQLITE_TOOBIG)
			return pts_fail(err, PTS_EXIT_BUG, ERANGE,
					"a count above 2^63 can't be stored (argument %d)",
					i + 1);
		if (rc != SQLITE_OK)
			return sql_fail(store, rc, err);
	}
	return 0;
}

int sql_bind(struct store *store, sqlite3_stmt *stmt, struct pts_err *err, const char *types,
	     ...)
{
	va_list args;
	int rc;

	va_start(args, types);
	rc = bind_all(store, stmt, err, types, &args);
	va_end(args);
	return rc;
}

int sql_step(struct store *store, sqlite3_stmt *stmt, struct pts_err *err)
{
	int rc;

	do
		rc = sqlite3_step(stmt);
	while (rc == SQLITE_ROW);
	if (rc != SQLITE_DONE) {
		rc = sql_fail(store, rc, err);
		sqlite3_reset(stmt);
		return rc;
	}
	sqlite3_reset(stmt);
	return 0;
}

int sql_run(struct store *store, struct pts_err *err, const char *text, const char *types, ...)
{
	sqlite3_stmt *stmt;
	va_list args;
	int rc = sql_prepare(store, text, &stmt, err);

	if (rc)
		return rc;
	va_start(args, types);
	rc = bind_all(store, stmt, err, types, &args);
	va_end(args);
	if (!rc)
		rc = sql_step(store, stmt, err);
	sqlite3_finalize(stmt);
	return rc;
}

int sql_exec(struct store *store, const char *text, struct pts_err *err)
{
	int rc = sqlite3_exec(store->db, text, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : sql_fail(store, rc, err);
}

int sql_number(struct store *store, const char *text, int64_t a, int64_t b, int64_t fallback,
	       int64_t *ret_value, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, text, &stmt, err);

	if (rc)
		return rc;
	*ret_value = fallback;
	if (sqlite3_bind_parameter_count(stmt) > 0)
		sqlite3_bind_int64(stmt, 1, a);
	if (sqlite3_bind_parameter_count(stmt) > 1)
		sqlite3_bind_int64(stmt, 2, b);
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		*ret_value = sqlite3_column_int64(stmt, 0);
	rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : sql_fail(store, rc, err);
	sqlite3_finalize(stmt);
	return rc;
}

int sql_begin(struct store *store, struct pts_err *err)
{
	return sql_exec(store, "BEGIN IMMEDIATE", err);
}

int sql_end(struct store *store, int rc, struct pts_err *err)
{
	if (!rc)
		rc = sql_exec(store, "COMMIT", err);
	/* On a full disk SQLite has rolled back by itself: a second ROLLBACK would only fail. */
	if (rc && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

const char *sql_text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column);
}

double sql_double(sqlite3_stmt *stmt, int column)
{
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(stmt, column);
}

uint64_t sql_u64(sqlite3_stmt *stmt, int column)
{
	return (uint64_t)sqlite3_column_int64(stmt, column);
}

uint64_t sql_text_u64(sqlite3_stmt *stmt, int column)
{
	const char *text = sql_text(stmt, column);
	uint64_t value = 0;

	if (text && pts_u64_parse(text, &value) < 0)
		value = 0;
	return value;
}

int sql_int(sqlite3_stmt *stmt, int column, int fallback)
{
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return fallback;
	return sqlite3_column_int(stmt, column);
}
