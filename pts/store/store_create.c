/*
 * Making a store. Everything that must be on disk before the first write to a device goes into one
 * transaction under a temporary name; the real name appears only when that is committed, and never
 * in the place of a file that is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pts_hash.h"
#include "store_internal.h"

static int sync_folder(const char *path, struct pts_err *err)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int rc = 0;

	free(copy);
	/* EINVAL: a file system that has no fsync of folders */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		rc = pts_fail(err, PTS_EXIT_USAGE, errno, "cannot sync the folder of '%s': %s",
			      path, pts_errno_text(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

static int insert_run(struct store *store, const struct store_run *run, struct pts_err *err)
{
	const char *json = run->plan_json ? run->plan_json : "";
	char hash[PTS_SHA256_TEXT];

	pts_sha256_text(json, strlen(json), hash);
	return sql_run(
		store, err,
		"INSERT INTO run(id, tool_version, mode, identity, device_path, "
		"capacity_bytes, lba_bytes, master_seed, plan_text, plan_json, plan_sha256, "
		"plan_json_sha256, command_line, backend, started_wall_ns, clock_is_virtual, "
		"purge_method, purge_is_pts, state) "
		"VALUES(1,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'running')",
		"ttttuisttttttuiti", run->tool_version, run->mode, run->identity,
		run->device_path, run->capacity_bytes, (int64_t)run->lba_bytes,
		run->master_seed, run->plan_text, json, run->plan_sha256, hash,
		run->command_line, run->backend, run->started_wall_ns,
		(int64_t)run->clock_is_virtual, run->purge_method, (int64_t)run->purge_is_pts);
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
			     "INSERT INTO step(step, test, phase, kind, loops, "
			     "planned_cells, planned_before) VALUES(?,?,?,?,?,?,?)",
			     "itttiuu", (int64_t)steps[i].step, steps[i].test, steps[i].phase,
			     steps[i].kind, (int64_t)steps[i].loops, steps[i].planned_cells,
			     steps[i].planned_before);
	return rc;
}

/* What the first transaction holds. */
struct content {
	const struct store_run *run;
	const struct store_test *tests;
	const struct store_step *steps;
	const struct store_deviation *deviations;
	const struct store_fact *facts;
	unsigned test_count, step_count, deviation_count, fact_count;
};

static int insert_all(struct store *store, const struct content *content, struct pts_err *err)
{
	char pragmas[120];
	int rc = sql_exec(store, store_schema, err);

	if (!rc)
		rc = insert_run(store, content->run, err);
	if (!rc)
		rc = insert_tests(store, content->tests, content->test_count, err);
	if (!rc)
		rc = insert_steps(store, content->steps, content->step_count, err);
	for (unsigned i = 0; i < content->deviation_count && !rc; i++)
		rc = store_put_deviation(store, &content->deviations[i], err);
	for (unsigned i = 0; i < content->fact_count && !rc; i++)
		rc = store_put_fact(store, content->facts[i].scope, content->facts[i].key,
				    content->facts[i].value, err);
	snprintf(pragmas, sizeof(pragmas),
		 "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID,
		 STORE_SCHEMA_VERSION);
	return rc ? rc : sql_exec(store, pragmas, err);
}

/* Under its temporary name, in one file: the rename moves the whole of it. */
static int fill(struct store *store, const char *temporary, const struct content *content,
		struct pts_err *err)
{
	int rc = store_open_db(store, temporary, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			       err);

	if (!rc)
		rc = sql_exec(store, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL",
			      err);
	if (!rc)
		rc = sql_begin(store, err);
	if (!rc)
		rc = sql_end(store, insert_all(store, content, err), err);
	sqlite3_close(store->db);
	store->db = NULL;
	return rc;
}

/* From the temporary name to the real one, never over a file that is there. */
static int publish(const char *temporary, const char *path, struct pts_err *err)
{
	if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return sync_folder(path, err);
	/* A file system without RENAME_NOREPLACE: link() does not replace either. */
	if (errno == EINVAL && link(temporary, path) == 0) {
		unlink(temporary);
		return sync_folder(path, err);
	}
	if (errno == EEXIST)
		return pts_fail(err, PTS_EXIT_USAGE, EEXIST,
				"'%s' is there already: go on with `pts resume`", path);
	return pts_fail(err, PTS_EXIT_USAGE, errno, "cannot make '%s': %s", path,
			pts_errno_text(errno));
}

/* What a process that died left behind; only with the folder's lock held. */
static void remove_temporary(const char *temporary)
{
	char *journal = NULL;

	unlink(temporary);
	if (asprintf(&journal, "%s-journal", temporary) < 0)
		abort();
	unlink(journal);
	free(journal);
}

static int make(struct store *store, const char *path, const struct content *content,
		struct pts_err *err)
{
	char *temporary = NULL;
	int rc;

	if (access(path, F_OK) == 0)
		return pts_fail(err, PTS_EXIT_USAGE, EEXIST,
				"'%s' is there already: go on with `pts resume`", path);
	if (asprintf(&temporary, "%s.new", path) < 0)
		abort();
	remove_temporary(temporary);
	rc = fill(store, temporary, content, err);
	if (!rc)
		rc = publish(temporary, path, err);
	if (rc) {
		remove_temporary(temporary);
		free(temporary);
		return rc;
	}
	free(temporary);
	rc = store_open_db(store, path, SQLITE_OPEN_READWRITE, err);
	if (!rc)
		rc = store_writer_mode(store, err);
	if (rc) { /* nothing was measured: no store is better than one that can't be written */
		sqlite3_close(store->db);
		store->db = NULL;
		unlink(path);
	}
	return rc;
}

int store_create(const char *path, const struct store_run *run, const struct store_test *tests,
		 unsigned test_count, const struct store_step *steps, unsigned step_count,
		 const struct store_deviation *deviations, unsigned deviation_count,
		 const struct store_fact *facts, unsigned fact_count, struct store **ret_store,
		 struct pts_err *err)
{
	const struct content content = {
		run,        tests,      steps,           deviations, facts,
		test_count, step_count, deviation_count, fact_count,
	};
	struct store *store = store_new(path);
	int rc = store_lock(path, &store->lock_fd, err);

	*ret_store = NULL;
	store->making = true;
	if (!rc)
		rc = make(store, path, &content, err);
	if (rc) {
		store_close(store);
		return rc;
	}
	store->making = false;
	*ret_store = store;
	return 0;
}
