/* The end of a run in its store, sealing it, and the way back to a running one. */
#include <errno.h>
#include <string.h>

#include "store_internal.h"

static const char *const states[] = {
	[STORE_RUNNING] = "running",
	[STORE_STOPPED] = "stopped",
	[STORE_FAILED] = "failed",
	[STORE_DONE] = "done",
};

/* Asks for one journal mode and looks at what SQLite made of it. */
static int leave_wal(struct store *store, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, "PRAGMA journal_mode = DELETE", &stmt, err);

	if (rc)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		rc = sql_text(stmt, 0) && !strcmp(sql_text(stmt, 0), "delete") ? 0
									       : SQLITE_BUSY;
	if (rc)
		rc = sql_fail(store, rc == SQLITE_DONE ? SQLITE_BUSY : rc, err);
	sqlite3_finalize(stmt);
	return rc;
}

int store_one_file(struct store *store, struct pts_err *err)
{
	int rc = sql_exec(store, "PRAGMA wal_checkpoint(TRUNCATE)", err);

	return rc ? rc : leave_wal(store, err);
}

/* A store is called done only if it is sound. */
static int check_before_seal(struct store *store, struct pts_err *err)
{
	int rc = store_check_integrity(store, false, err);

	return rc ? rc : store_check_references(store, err);
}

/*
 * Done is the last thing written, and into one file: whoever sees it sees a sealed store. Only if
 * another program keeps the file open it is written into the WAL; then `pts resume` seals.
 */
int store_end(struct store *store, enum store_state state, int exit_code, const char *reason,
	      uint64_t wall_ns, struct pts_err *err)
{
	struct pts_err why = PTS_ERR_INIT;
	int sealed = 0, rc = 0;

	if (state == STORE_DONE) {
		rc = check_before_seal(store, err);
		if (!rc)
			sealed = store_one_file(store, &why);
	}
	if (!rc)
		rc = sql_run(store, err,
			     "UPDATE run SET state = ?, exit_code = ?, stop_reason = ?, "
			     "ended_wall_ns = ?",
			     "titu", states[state], (int64_t)exit_code, reason, wall_ns);
	if (!rc && sealed)
		rc = pts_fail(err, PTS_EXIT_RESUMABLE, why.error,
			      "the run is done and all of it is stored, but the store could "
			      "not be sealed: %.500s; `pts resume` seals it",
			      why.text);
	return rc;
}

int store_reopen(struct store *store, struct pts_err *err)
{
	return sql_exec(
		store,
		"UPDATE run SET state = 'running', exit_code = NULL, stop_reason = NULL, "
		"ended_wall_ns = NULL",
		err);
}
