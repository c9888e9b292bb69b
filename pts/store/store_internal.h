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
	bool making;             /* not under its name yet: nothing to resume */
	struct pts_arena *arena; /* what readers hand out */
	struct store_run *run;   /* what was read last; NULL: nothing yet */
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

/* store_open.c */
struct store *store_new(const char *path);
int store_open_db(struct store *store, const char *path, int flags, struct pts_err *err);
/* WAL and full syncs for the writer; on a network file system a rollback journal instead, which
 * becomes an event of the run. */
int store_writer_mode(struct store *store, struct pts_err *err);

/* store_check.c: is it ours, of this version, with exactly our schema? */
int store_check_schema(struct store *store, struct pts_err *err);
int store_check_integrity(struct store *store, bool quick, struct pts_err *err);
/* store_constraints.c: -EBADMSG (PTS_EXIT_SPEC) naming a CHECK that a row breaks. After the schema
 * was found to be ours. */
int store_check_constraints(struct store *store, struct pts_err *err);

/* store_end.c: from WAL to a single file; -EBUSY (with the process's number) while another
 * program has it open. */
int store_one_file(struct store *store, struct pts_err *err);

/* store_lock.c */
int store_lock(const char *path, int *ret_fd, struct pts_err *err);
/* The process that holds SQLite's locks on the store; 0 if none is seen. */
long store_locked_by(const char *path);
/* Name of a file system that can't carry WAL; NULL: WAL works there. */
const char *store_remote_name(const char *path);

#endif
