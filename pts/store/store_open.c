/* Opening and closing a store, for reading or to go on writing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pts_clock.h"
#include "pts_log.h"
#include "store_internal.h"

struct store *store_new(const char *path)
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
	struct pts_err ignored = PTS_ERR_INIT;

	if (!store)
		return;
	/* The writer leaves one file behind, whatever the state: a copy of it is the whole. */
	if (store->db && store->lock_fd >= 0 && !store->making)
		store_one_file(store, &ignored);
	sqlite3_close(store->db);
	if (store->lock_fd >= 0)
		close(store->lock_fd);
	pts_arena_free(store->arena);
	free(store->path);
	free(store);
}

/* A store may come from anywhere: its schema gets no say over what runs. */
int store_open_db(struct store *store, const char *path, int flags, struct pts_err *err)
{
	bool as_uri = strncmp(path, "file:", 5) == 0 && !(flags & SQLITE_OPEN_URI);
	char *plain = NULL;
	int rc;

	/* SQLite may be built to take any such name as a URI; a folder may have that name. */
	if (as_uri && asprintf(&plain, "./%s", path) < 0)
		abort();
	rc = sqlite3_open_v2(plain ? plain : path, &store->db, flags | SQLITE_OPEN_EXRESCODE,
			     NULL);
	free(plain);
	if (rc != SQLITE_OK)
		return sql_fail(store, rc, err);
	sqlite3_busy_timeout(store->db, 5000);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, 256 << 20);
	return sql_exec(store,
			"PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; "
			"PRAGMA mmap_size = 0",
			err);
}

static int note_remote(struct store *store, const char *name, struct pts_err *err)
{
	char text[200];
	const struct store_event event = {
		.at_ns = pts_now_ns(),
		.wall_ns = pts_wall_ns(),
		.step = -1,
		.round = -1,
		.cell = -1,
		.level = "warning",
		.kind = "degraded",
		.text = text,
	};

	snprintf(text, sizeof(text),
		 "store: on %s a rollback journal and an exclusive lock instead of WAL; "
		 "`pts status` can't read it while the run goes on",
		 name);
	return store_put_event(store, &event, err);
}

int store_writer_mode(struct store *store, struct pts_err *err)
{
	const char *remote = store_remote_name(store->path);
	int rc = sql_exec(store, "PRAGMA synchronous = FULL", err);

	if (rc)
		return rc;
	if (!remote)
		return sql_exec(store, "PRAGMA journal_mode = WAL", err);
	rc = sql_exec(store, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE",
		      err);
	return rc ? rc : note_remote(store, remote, err);
}

/* Bytes of path + suffix; 0 if it isn't there. */
static off_t companion_bytes(const char *path, const char *suffix)
{
	char *name = NULL;
	struct stat st;
	off_t bytes = 0;

	if (asprintf(&name, "%s%s", path, suffix) < 0)
		abort();
	if (stat(name, &st) == 0)
		bytes = st.st_size;
	free(name);
	return bytes;
}

/* Everything that makes a file of anywhere safe to read. */
static int check_file(struct store *store, bool quick, struct pts_err *err)
{
	int rc = store_check_schema(store, err);

	if (!rc)
		rc = store_check_integrity(store, quick, err);
	return rc ? rc : store_check_constraints(store, err);
}

/* "file:" URI of a path with every byte that means something there written as %XX. */
static char *immutable_uri(const char *path)
{
	char *uri = malloc(strlen(path) * 3 + 32), *at = uri;

	if (!uri)
		abort();
	at += sprintf(at, "file:");
	for (; *path; path++) {
		if (strchr("?#%", *path))
			at += sprintf(at, "%%%02X", (unsigned char)*path);
		else
			*at++ = *path;
	}
	sprintf(at, "?immutable=1");
	return uri;
}

/*
 * In a folder that can't be written SQLite can't make the shared memory of WAL, nor roll back a
 * journal. Without either file beside it the store is whole as it is and is read so; with one, the
 * newest transactions are in there and nobody may leave them out silently.
 */
static int open_as_it_is(struct store *store, const char *path, struct pts_err *err)
{
	static const char *const suffixes[] = {"-wal", "-journal"};
	char *uri;
	int rc;

	for (unsigned i = 0; i < 2; i++)
		if (companion_bytes(path, suffixes[i]))
			return pts_fail(err, PTS_EXIT_USAGE, EROFS,
					"'%s' has its newest changes in '%s%s', which can't be "
					"used in this folder: copy both into one that can be "
					"written",
					path, path, suffixes[i]);
	uri = immutable_uri(path);
	sqlite3_close(store->db);
	store->db = NULL;
	rc = store_open_db(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
	free(uri);
	return rc ? rc : check_file(store, true, err);
}

static int open_read(struct store *store, const char *path, struct pts_err *err)
{
	struct pts_err first = PTS_ERR_INIT;
	int rc = store_open_db(store, path, SQLITE_OPEN_READONLY, &first);

	if (!rc)
		rc = check_file(store, true, &first);
	if (rc && first.exit == PTS_EXIT_USAGE)
		return open_as_it_is(store, path, err);
	if (rc && err && !err->text[0])
		*err = first;
	return rc;
}

/* A store in WAL mode that nobody writes and that was never closed has its -wal beside it, unless
 * somebody copied the one without the other. */
static int note_lost_wal(struct store *store, bool writing, struct pts_err *err)
{
	char text[PTS_ERR_TEXT_MAX];
	const struct store_event event = {
		.at_ns = pts_now_ns(),
		.wall_ns = pts_wall_ns(),
		.step = -1,
		.round = -1,
		.cell = -1,
		.level = "warning",
		.kind = "wal-missing",
		.text = text,
	};

	snprintf(
		text, sizeof(text),
		"'%.600s-wal' is missing: if the store was copied without it, its newest cells "
		"stayed behind; copy both files",
		store->path);
	pts_log(PTS_LOG_WARN, "%s", text);
	return writing ? store_put_event(store, &event, err) : 0;
}

static int look_for_wal(struct store *store, bool writing, struct pts_err *err)
{
	const struct store_run *run;
	int rc = store_get_run(store, &run, err);

	/* Any other state is the last thing that was written: what is before it is there too. */
	if (rc || run->state != STORE_RUNNING)
		return rc;
	return note_lost_wal(store, writing, err);
}

static int is_wal(struct store *store, bool *ret_wal, struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, "PRAGMA journal_mode", &stmt, err);

	if (rc)
		return rc;
	*ret_wal = sqlite3_step(stmt) == SQLITE_ROW && sql_text(stmt, 0) &&
		   !strcmp(sql_text(stmt, 0), "wal");
	sqlite3_finalize(stmt);
	return 0;
}

static int open_resume(struct store *store, const char *path, bool *ret_wal,
		       struct pts_err *err)
{
	const struct store_run *run;
	int rc = store_lock(path, &store->lock_fd, err);

	if (!rc)
		rc = store_open_db(store, path, SQLITE_OPEN_READWRITE, err);
	if (!rc)
		rc = check_file(store, false, err);
	if (!rc)
		rc = store_check_references(store, err);
	if (!rc)
		rc = is_wal(store, ret_wal, err);
	if (!rc)
		rc = store_get_run(store, &run, err);
	if (rc)
		return rc;
	/* Done: nothing is written any more; sealed now if the end could not do it. */
	return run->state == STORE_DONE ? store_one_file(store, err)
					: store_writer_mode(store, err);
}

int store_open(const char *path, enum store_access access_kind, struct store **ret_store,
	       struct pts_err *err)
{
	bool writing = access_kind == STORE_RESUME, wal = false, no_wal_file;
	struct store *store;
	struct stat st;
	long pid;
	int rc;

	*ret_store = NULL;
	if (stat(path, &st) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, errno, "no store at '%s': %s", path,
				pts_errno_text(errno));
	if (!S_ISREG(st.st_mode))
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL, "'%s' is no regular file", path);
	no_wal_file = !companion_bytes(path, "-wal") && store_writer(path, &pid) == 0;
	store = store_new(path);
	if (writing)
		rc = open_resume(store, path, &wal, err);
	else
		rc = open_read(store, path, err);
	if (!rc && !writing)
		rc = is_wal(store, &wal, err);
	if (!rc && wal && no_wal_file)
		rc = look_for_wal(store, writing, err);
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
