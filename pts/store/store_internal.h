/* What the files of the store share. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <sqlite3.h>

#include "pts_arena.h"
#include "store.h"

#define STORE_APPLICATION_ID 0x50545352 /* "PTSR" */
#define STORE_SCHEMA_VERSION 1

struct store {
	sqlite3 *db;
	char *path;
	int lock_fd;             /* of the folder, with the writer's lock; -1: none */
	struct pts_arena *arena; /* what readers hand out */
	struct store_run *run;   /* NULL: not read yet */
};

extern const char store_schema[];

/*
 * store_sql.c: one statement with typed arguments. types: i int64_t, u uint64_t (refused above
 * INT64_MAX), n int or NULL below 0, t text or NULL, d double or NULL if not finite, b blob
 * (const void *, size_t; NULL blob is NULL), w unsigned __int128 * as decimal text, s uint64_t as
 * decimal text. SQLITE_FULL, BUSY, IOERR, READONLY each get their own sentence.
 */
int sql_prepare(struct store *store, const char *text, sqlite3_stmt **ret_stmt,
		struct pts_err *err);
int sql_bind(struct store *store, sqlite3_stmt *stmt, struct pts_err *err, const char *types,
	     ...);
/* Binds, runs to the end, resets. */
int sql_step(struct store *store, sqlite3_stmt *stmt, struct pts_err *err);
int sql_run(struct store *store, struct pts_err *err, const char *text, const char *types, ...);
int sql_exec(struct store *store, const char *text, struct pts_err *err);
int sql_fail(struct store *store, int rc, struct pts_err *err);
/* One number of one row; fallback if there is none. */
int sql_number(struct store *store, const char *text, int64_t a, int64_t b, int64_t fallback,
	       int64_t *ret_value, struct pts_err *err);
int sql_begin(struct store *store, struct pts_err *err);
/* Commits if rc is 0, else rolls back; returns rc or the commit's error. */
int sql_end(struct store *store, int rc, struct pts_err *err);

/* Columns: NULL is NULL, NaN, 0. Text lives until the statement goes on. */
const char *sql_text(sqlite3_stmt *stmt, int column);
double sql_double(sqlite3_stmt *stmt, int column);
uint64_t sql_u64(sqlite3_stmt *stmt, int column);
uint64_t sql_text_u64(sqlite3_stmt *stmt, int column);
int sql_int(sqlite3_stmt *stmt, int column, int fallback);

/* store_lock.c */
int store_lock(const char *path, int *ret_fd, struct pts_err *err);
bool store_is_remote(const char *path, const char **ret_name);

#endif
