/* Making, opening, sealing and closing a store. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pts_clock.h"
#include "store_internal.h"

static struct store *store_new(const char *path)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store)
		abort();
	store->path = strdup(path);
	store->lock_fd = -1;
	store->arena = pts_arena_new();
	return store;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	if (store->lock_fd >= 0)
		close(store->lock_fd);
	pts_arena_free(store->arena);
	free(store->path);
	free(store);
}

/* A store may come from anywhere: its schema gets no say over what runs. */
static int open_db(struct store *store, const char *path, int flags, struct pts_err *err)
{
	int rc = sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_EXRESCODE, NULL);

	if (rc != SQLITE_OK)
		return sql_fail(store, rc, err);
	sqlite3_busy_timeout(store->db, 5000);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, 256 << 20);
	return sql_exec(store, "PRAGMA foreign_keys = ON", err);
}

static int writer_pragmas(struct store *store, struct pts_err *err)
{
	const char *name;
	int rc;

	if (store_is_remote(store->path, &name))
		rc = sql_exec(store,
			      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE",
			      err);
	else
		rc = sql_exec(store, "PRAGMA journal_mode = WAL", err);
	return rc ? rc : sql_exec(store, "PRAGMA synchronous = FULL", err);
}

static int check_identity(struct store *store, struct pts_err *err)
{
	int64_t application, version;
	int rc = sql_number(store, "PRAGMA application_id", 0, 0, 0, &application, err);

	if (!rc)
		rc = sql_number(store, "PRAGMA user_version", 0, 0, 0, &version, err);
	if (rc)
		return rc;
	if (application != STORE_APPLICATION_ID)
		return pts_fail(err, PTS_EXIT_SPEC, EBADMSG, "'%s' is no store of pts",
				store->path);
	if (version != STORE_SCHEMA_VERSION)
		return pts_fail(err, PTS_EXIT_SPEC, ENOTSUP,
				"'%s' has schema version %lld, this program knows %d: use the "
				"version of pts that wrote it",
				store->path, (long long)version, STORE_SCHEMA_VERSION);
	return 0;
}

static int check_integrity(struct store *store, const char *pragma, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, pragma, &stmt, err);

	if (rc)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW && sql_text(stmt, 0) && !strcmp(sql_text(stmt, 0), "ok"))
		rc = 0;
	else if (rc == SQLITE_ROW)
		rc = pts_fail(err, PTS_EXIT_SPEC, EBADMSG, "'%s' is damaged: %s", store->path,
			      sql_text(stmt, 0) ? sql_text(stmt, 0) : "?");
	else
		rc = sql_fail(store, rc, err);
	sqlite3_finalize(stmt);
	return rc;
}

/* A sealed store, or a WAL that nobody can open for lack of rights, is read as it is. */
static int open_read(struct store *store, const char *path, struct pts_err *err)
{
	struct pts_err first = PTS_ERR_INIT;
	int rc = open_db(store, path, SQLITE_OPEN_READONLY, &first);
	char *uri = NULL;

	if (!rc)
		rc = check_identity(store, &first);
	if (!rc)
		return 0;
	if (first.exit == PTS_EXIT_USAGE && asprintf(&uri, "file:%s?immutable=1", path) > 0 &&
	    !strpbrk(path, "?#%")) {
		sqlite3_close(store->db);
		store->db = NULL;
		rc = open_db(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
		if (!rc)
			rc = check_identity(store, err);
	} else if (err && !err->text[0]) {
		*err = first;
	}
	free(uri);
	return rc;
}

static int open_resume(struct store *store, const char *path, struct pts_err *err)
{
	int rc = store_lock(path, &store->lock_fd, err);

	if (!rc)
		rc = open_db(store, path, SQLITE_OPEN_READWRITE, err);
	if (!rc)
		rc = check_identity(store, err);
	if (!rc)
		rc = check_integrity(store, "PRAGMA integrity_check(1)", err);
	return rc ? rc : writer_pragmas(store, err);
}

int store_open(const char *path, enum store_access access_kind, struct store **ret_store,
	       struct pts_err *err)
{
	struct store *store;
	int rc;

	*ret_store = NULL;
	if (access(path, F_OK) != 0)
		return pts_fail(err, PTS_EXIT_USAGE, errno, "no store at '%s': %s", path,
				pts_errno_text(errno));
	store = store_new(path);
	rc = access_kind == STORE_READ ? open_read(store, path, err)
				       : open_resume(store, path, err);
	if (rc) {
		store_close(store);
		return rc;
	}
	*ret_store = store;
	return 0;
}

int store_locate(const char *dir_or_file, char **ret_path, struct pts_err *err)
{
	struct stat st;
	char *path = NULL;

	if (stat(dir_or_file, &st) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, errno, "no run at '%s': %s", dir_or_file,
				pts_errno_text(errno));
	if (asprintf(&path, S_ISDIR(st.st_mode) ? "%s/run.db" : "%s", dir_or_file) < 0)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "out of memory");
	if (access(path, F_OK) != 0) {
		free(path);
		return pts_fail(err, PTS_EXIT_USAGE, ENOENT,
				"no run.db in '%s': not a run's folder", dir_or_file);
	}
	*ret_path = path;
	return 0;
}

static int sync_folder(const char *path, struct pts_err *err)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int rc = 0;

	free(copy);
	if (fd < 0 || fsync(fd) < 0)
		rc = pts_fail(err, PTS_EXIT_USAGE, errno, "cannot sync the folder of '%s': %s",
			      path, pts_errno_text(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

static int insert_run(struct store *store, const struct store_run *run, struct pts_err *err)
{
	return sql_run(
		store, err,
		"INSERT INTO run VALUES(1,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,NULL,NULL,"
		"NULL,'running')",
		"ttttuisttttt"
		"uiti",
		run->tool_version, run->mode, run->identity, run->device_path,
		run->capacity_bytes, (int64_t)run->lba_bytes, run->master_seed, run->plan_text,
		run->plan_json, run->plan_sha256, run->command_line, run->backend,
		run->started_wall_ns, (int64_t)run->clock_is_virtual, run->purge_method,
		(int64_t)run->purge_is_pts);
}

static int insert_tests(struct store *store, const struct store_test *tests, unsigned count,
			struct pts_err *err)
{
	int rc = 0;

	for (unsigned i = 0; i < count && !rc; i++)
		rc = sql_run(store, err, "INSERT INTO test VALUES(?,?,?,?,?,?,?,?,?,?,?)",
			     "itttttttttt", (int64_t)i, tests[i].name, tests[i].title,
			     tests[i].standard, tests[i].revision, tests[i].section,
			     tests[i].mode, tests[i].spec_file, tests[i].spec_text,
			     tests[i].spec_sha256,
			     tests[i].overrides_json ? tests[i].overrides_json : "{}");
	return rc;
}

static int insert_steps(struct store *store, const struct store_step *steps, unsigned count,
			struct pts_err *err)
{
	int rc = 0;

	for (unsigned i = 0; i < count && !rc; i++)
		rc = sql_run(store, err,
			     "INSERT INTO step(step, test, phase, kind, planned_cells) "
			     "VALUES(?,?,?,?,?)",
			     "itttu", (int64_t)steps[i].step, steps[i].test, steps[i].phase,
			     steps[i].kind, steps[i].planned_cells);
	return rc;
}

/* Under its temporary name: no WAL yet, so that the rename moves the whole of it. */
static int fill(struct store *store, const struct store_run *run,
		const struct store_test *tests, unsigned test_count,
		const struct store_step *steps, unsigned step_count,
		const struct store_deviation *deviations, unsigned deviation_count,
		const struct store_fact *facts, unsigned fact_count, struct pts_err *err)
{
	int rc =
		sql_exec(store, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL", err);

	if (!rc)
		rc = sql_begin(store, err);
	if (rc)
		return rc;
	rc = sql_exec(store, store_schema, err);
	if (!rc)
		rc = insert_run(store, run, err);
	if (!rc)
		rc = insert_tests(store, tests, test_count, err);
	if (!rc)
		rc = insert_steps(store, steps, step_count, err);
	for (unsigned i = 0; i < deviation_count && !rc; i++)
		rc = store_put_deviation(store, &deviations[i], err);
	for (unsigned i = 0; i < fact_count && !rc; i++)
		rc = store_put_fact(store, facts[i].scope, facts[i].key, facts[i].value, err);
	if (!rc)
		rc = sql_exec(store,
			      "PRAGMA application_id = 1347703634; PRAGMA user_version = 1",
			      err);
	return sql_end(store, rc, err);
}

_Static_assert(STORE_APPLICATION_ID == 1347703634, "the pragma above holds the same number");
_Static_assert(STORE_SCHEMA_VERSION == 1, "the pragma above holds the same number");

/* From the temporary name to the real one, never over a file that is there. */
static int publish(const char *temporary, const char *path, struct pts_err *err)
{
	if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return sync_folder(path, err);
	if (errno == EINVAL && access(path, F_OK) != 0 && link(temporary, path) == 0) {
		unlink(temporary);
		return sync_folder(path, err);
	}
	return pts_fail(err, PTS_EXIT_USAGE, errno,
			"cannot make '%s': %s (a run that is there goes on with `pts resume`)",
			path, pts_errno_text(errno));
}

int store_create(const char *path, const struct store_run *run, const struct store_test *tests,
		 unsigned test_count, const struct store_step *steps, unsigned step_count,
		 const struct store_deviation *deviations, unsigned deviation_count,
		 const struct store_fact *facts, unsigned fact_count, struct store **ret_store,
		 struct pts_err *err)
{
	struct store *store = store_new(path);
	char *temporary = NULL;
	int rc = store_lock(path, &store->lock_fd, err);

	*ret_store = NULL;
	if (!rc && access(path, F_OK) == 0)
		rc = pts_fail(err, PTS_EXIT_USAGE, EEXIST,
			      "'%s' is there already: go on with `pts resume`", path);
	if (!rc && asprintf(&temporary, "%s.new", path) < 0)
		abort();
	if (!rc) {
		unlink(temporary); /* of a process that died: we hold the folder's lock */
		rc = open_db(store, temporary, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
		if (!rc)
			rc = fill(store, run, tests, test_count, steps, step_count, deviations,
				  deviation_count, facts, fact_count, err);
		sqlite3_close(store->db);
		store->db = NULL;
		if (!rc)
			rc = publish(temporary, path, err);
		if (rc)
			unlink(temporary);
	}
	if (!rc)
		rc = open_db(store, path, SQLITE_OPEN_READWRITE, err);
	if (!rc)
		rc = writer_pragmas(store, err);
	free(temporary);
	if (rc) {
		store_close(store);
		return rc;
	}
	*ret_store = store;
	return 0;
}

static const char *const states[] = {"running", "stopped", "failed", "done"};

static int seal(struct store *store, struct pts_err *err)
{
	int rc = sql_exec(store, "PRAGMA wal_checkpoint(TRUNCATE)", err);

	if (!rc)
		rc = check_integrity(store, "PRAGMA integrity_check(1)", err);
	if (!rc)
		rc = sql_exec(store, "PRAGMA journal_mode = DELETE", err);
	return rc;
}

int store_end(struct store *store, enum store_state state, int exit_code, const char *reason,
	      uint64_t wall_ns, struct pts_err *err)
{
	int rc = sql_run(store, err,
			 "UPDATE run SET state = ?, exit_code = ?, stop_reason = ?, "
			 "ended_wall_ns = ?",
			 "titu", states[state], (int64_t)exit_code, reason, wall_ns);

	store->run = NULL;
	if (!rc && state == STORE_DONE)
		rc = seal(store, err);
	return rc;
}

int store_reopen(struct store *store, struct pts_err *err)
{
	store->run = NULL;
	return sql_exec(
		store,
		"UPDATE run SET state = 'running', exit_code = NULL, stop_reason = NULL, "
		"ended_wall_ns = NULL",
		err);
}
