/* Writing: steps, cells, rounds, judgements, events. One cell = one transaction. */
#include <errno.h>
#include <stdio.h>

#include "store_internal.h"

int store_put_fact(struct store *store, const char *scope, const char *key, const char *value,
		   struct pts_err *err)
{
	return sql_run(store, err, "INSERT OR REPLACE INTO fact VALUES(?,?,?)", "ttt", scope,
		       key, value);
}

int store_put_deviation(struct store *store, const struct store_deviation *deviation,
			struct pts_err *err)
{
	return sql_run(store, err,
		       "INSERT INTO deviation(test, clause, what, required, actual, reason) "
		       "VALUES(?,?,?,?,?,?)",
		       "tttttt", deviation->test, deviation->clause, deviation->what,
		       deviation->required, deviation->actual, deviation->reason);
}

int store_void_steps(struct store *store, int first_step, int last_step, struct pts_err *err)
{
	static const char *const statements[] = {
		"UPDATE round SET state = 'void', reason = 'the test is done again' "
		"WHERE step BETWEEN ? AND ?",
		"DELETE FROM steady WHERE step BETWEEN ? AND ?",
		"DELETE FROM choice WHERE step BETWEEN ? AND ?",
		"DELETE FROM fresh WHERE step BETWEEN ? AND ?",
		"UPDATE step SET outcome = NULL, started_ns = NULL, elapsed_ns = NULL, "
		"bytes_written = NULL WHERE step BETWEEN ? AND ?",
	};
	int rc = sql_begin(store, err);

	if (rc)
		return rc;
	for (unsigned i = 0; i < sizeof(statements) / sizeof(statements[0]) && !rc; i++)
		rc = sql_run(store, err, statements[i], "ii", (int64_t)first_step,
			     (int64_t)last_step);
	return sql_end(store, rc, err);
}

int store_put_choice(struct store *store, const struct store_choice *choice,
		     struct pts_err *err)
{
	bool found = choice->cell >= 0;

	return sql_run(
		store, err, "INSERT OR REPLACE INTO choice VALUES(?,?,?,?,?,?,?,?,?,?,?)",
		"ittnnntddii", (int64_t)choice->step, choice->name, choice->rule, choice->cell,
		found ? (int)choice->threads : -1, found ? (int)choice->queue_depth : -1,
		choice->metric, choice->value, choice->lat_mean_ns,
		(int64_t)choice->first_round, (int64_t)choice->last_round);
}

int store_put_event(struct store *store, const struct store_event *event, struct pts_err *err)
{
	return sql_run(
		store, err,
		"INSERT INTO event(at_ns, wall_ns, step, round, cell, level, kind, text) "
		"VALUES(?,?,?,?,?,?,?,?)",
		"uunnnttt", event->at_ns, event->wall_ns, event->step, event->round,
		event->cell, event->level, event->kind, event->text);
}

int store_set_purge(struct store *store, const char *method, bool is_pts, const char *evidence,
		    struct pts_err *err)
{
	return sql_run(store, err,
		       "UPDATE run SET purge_method = ?, purge_is_pts = ?, purge_evidence = ?",
		       "tit", method, (int64_t)is_pts, evidence);
}

/* A loop goes on where it was; anything else begins anew, and what it left counts no more. */
int store_step_begin(struct store *store, int step, uint64_t now_ns, struct pts_err *err)
{
	int rc = sql_begin(store, err);

	if (rc)
		return rc;
	rc = sql_run(store, err,
		     "UPDATE round SET state = 'cut', reason = 'done again' "
		     "WHERE step = ? AND round IS NULL AND state <> 'void'",
		     "i", (int64_t)step);
	if (!rc)
		rc = sql_run(store, err,
			     "UPDATE step SET attempt = attempt + 1, outcome = NULL, "
			     "started_ns = iif(loops, ifnull(started_ns, ?2), ?2), "
			     "elapsed_ns = iif(loops, elapsed_ns, NULL), "
			     "bytes_written = iif(loops, bytes_written, NULL) "
			     "WHERE step = ?1",
			     "iu", (int64_t)step, now_ns);
	return sql_end(store, rc, err);
}

/* What cells wrote is counted from their rows: also a process that was killed wrote them. */
int store_step_end(struct store *store, int step, uint64_t elapsed_ns, uint64_t bytes_written,
		   const char *outcome, struct pts_err *err)
{
	return sql_run(store, err,
		       "UPDATE step SET elapsed_ns = ifnull(elapsed_ns, 0) + ?2, "
		       "bytes_written = ifnull((SELECT sum(f.bytes) FROM round r "
		       "JOIN cell c ON c.round_id = r.id "
		       "JOIN figure f ON f.cell_id = c.id AND f.dir = 'write' "
		       "WHERE r.step = ?1 AND r.state <> 'void' "
		       "AND (r.round IS NOT NULL OR r.state = 'valid')), ?3), "
		       "outcome = ?4 WHERE step = ?1",
		       "iuut", (int64_t)step, elapsed_ns, bytes_written, outcome);
}

/* The open pass of (step, round), made if there is none. round 0 is outside loops: no closing
 * transaction follows, so its row is valid at once. */
static int round_row(struct store *store, const struct store_cell *cell, int64_t *ret_id,
		     struct pts_err *err)
{
	int rc = sql_number(store,
			    "SELECT id FROM round WHERE step = ? AND ifnull(round, 0) = ? "
			    "AND (state = 'open' OR (round IS NULL AND state = 'valid')) "
			    "ORDER BY attempt DESC LIMIT 1",
			    cell->step, cell->round, 0, ret_id, err);

	if (rc || *ret_id)
		return rc;
	rc = sql_run(store, err,
		     "INSERT INTO round(step, round, attempt, state, started_ns) "
		     "SELECT ?1, nullif(?2, 0), 1 + count(*), iif(?2, 'open', 'valid'), "
		     "iif(?2, ?3, NULL) "
		     "FROM round WHERE step = ?1 AND ifnull(round, 0) = ?2",
		     "iiu", (int64_t)cell->step, (int64_t)cell->round, cell->started_ns);
	*ret_id = sqlite3_last_insert_rowid(store->db);
	return rc;
}

static int put_figures(struct store *store, int64_t id, const char *name,
		       const struct store_dir *dir, struct pts_err *err)
{
	/* No completion, no latency: NULL, never 0. */
	const char *types = dir->ios ? "ituuuudddwuuuuuuub" : "ituuuudddwnnnnnnnb";
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store,
			     "INSERT INTO figure VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
			     &stmt, err);

	if (rc)
		return rc;
	if (dir->ios)
		rc = sql_bind(store, stmt, err, types, id, name, dir->ios, dir->bytes,
			      dir->submitted, dir->errors, dir->iops, dir->mb_per_s,
			      dir->lat_mean_ns, &dir->lat_sum_ns, dir->lat_min_ns,
			      dir->lat_max_ns, dir->lat_p50_ns, dir->lat_p99_ns,
			      dir->lat_p999_ns, dir->lat_p9999_ns, dir->lat_p99999_ns,
			      dir->hist, dir->hist_bytes);
	else
		rc = sql_bind(store, stmt, err, types, id, name, dir->ios, dir->bytes,
			      dir->submitted, dir->errors, dir->iops, dir->mb_per_s,
			      dir->lat_mean_ns, &dir->lat_sum_ns, -1, -1, -1, -1, -1, -1, -1,
			      (const void *)NULL, (size_t)0);
	if (!rc)
		rc = sql_step(store, stmt, err);
	sqlite3_finalize(stmt);
	return rc;
}

static int put_samples(struct store *store, int64_t id, const struct store_cell *cell,
		       struct pts_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sql_prepare(store, "INSERT INTO sample VALUES(?,?,?,?,?,?,?,?,?,?,?)", &stmt,
			     err);

	if (rc)
		return rc;
	for (size_t i = 0; i < cell->sample_count && !rc; i++) {
		const struct store_sample *s = &cell->samples[i];

		if (i && s->second <= s[-1].second)
			rc = pts_fail(err, PTS_EXIT_BUG, EINVAL,
				      "samples of '%s' are not in order", cell->label);
		if (!rc)
			rc = sql_bind(store, stmt, err, "iiuuuuuuuuu", id, (int64_t)s->second,
				      s->span_ns, s->ios[0], s->bytes[0], s->lat_sum_ns[0],
				      s->lat_max_ns[0], s->ios[1], s->bytes[1],
				      s->lat_sum_ns[1], s->lat_max_ns[1]);
		if (!rc)
			rc = sql_step(store, stmt, err);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int put_shares(struct store *store, int64_t id, const struct store_cell *cell,
		      struct pts_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < cell->share_count && !rc; i++) {
		const struct store_share *share = &cell->shares[i];

		rc = sql_run(store, err, "INSERT INTO share VALUES(?,?,?,?,?)", "itiiu", id,
			     share->part, (int64_t)share->stream, (int64_t)share->item,
			     share->submitted);
	}
	return rc;
}

static int put_errors(struct store *store, int64_t id, const struct store_cell *cell,
		      struct pts_err *err)
{
	int rc = 0;

	for (unsigned i = 0; i < cell->error_count && !rc; i++) {
		const struct store_io_error *e = &cell->errors[i];

		rc = sql_run(store, err,
			     "INSERT INTO io_error(cell_id, at_ns, dir, offset_bytes, "
			     "length_bytes, got_bytes, errno) VALUES(?,?,?,?,?,?,?)",
			     "iutuiii", id, e->at_ns, e->is_write ? "write" : "read",
			     e->offset_bytes, (int64_t)e->length_bytes, (int64_t)e->got_bytes,
			     (int64_t)e->error);
	}
	return rc;
}

static int put_cell_row(struct store *store, const struct store_cell *cell, int64_t round_id,
			struct pts_err *err)
{
	char digest[STORE_DIGEST_TEXT];

	store_cell_digest(cell, digest);
	return sql_run(
		store, err,
		"INSERT INTO cell(round_id, cell, role, label, access, read_pct, block_bytes, "
		"threads, queue_depth, seed, valid, reason, started_ns, elapsed_ns, "
		"started_wall_ns, gap_ns, drain_ns, drain_ios, requested_ns, "
		"requested_bytes, outstanding_mean, inflight_ns, user_ns, system_ns, "
		"cpu_system_pct, sha256) "
		"VALUES(?,?,?,?,?,?,nullif(?,0),?,?,?,?,?,nullif(?,0),nullif(?,0),"
		"nullif(?,0),?,?,?,nullif(?,0),nullif(?,0),?,?,?,?,?,?)",
		"iitttnuiisituuuuuuuuduuudt", round_id, (int64_t)cell->cell, cell->role,
		cell->label, cell->access, cell->read_pct, cell->block_bytes,
		(int64_t)cell->threads, (int64_t)cell->queue_depth, cell->seed,
		(int64_t)cell->valid, cell->reason, cell->started_ns, cell->elapsed_ns,
		cell->started_wall_ns, cell->gap_ns, cell->drain_ns, cell->drain_ios,
		cell->requested_ns, cell->requested_bytes, cell->outstanding_mean,
		cell->inflight_ns, cell->user_ns, cell->system_ns, cell->cpu_system_pct,
		digest);
}

int store_put_cell(struct store *store, const struct store_cell *cell, struct pts_err *err)
{
	int64_t round_id = 0, id = 0;
	int rc = sql_begin(store, err);

	if (rc)
		return rc;
	rc = round_row(store, cell, &round_id, err);
	if (!rc)
		rc = put_cell_row(store, cell, round_id, err);
	id = sqlite3_last_insert_rowid(store->db);
	if (!rc)
		rc = put_figures(store, id, "read", &cell->dir[0], err);
	if (!rc)
		rc = put_figures(store, id, "write", &cell->dir[1], err);
	if (!rc)
		rc = put_figures(store, id, "total", &cell->total, err);
	if (!rc)
		rc = put_samples(store, id, cell, err);
	if (!rc)
		rc = put_shares(store, id, cell, err);
	if (!rc)
		rc = put_errors(store, id, cell, err);
	return sql_end(store, rc, err);
}

static int put_steady(struct store *store, const struct store_steady *s, struct pts_err *err)
{
	return sql_run(store, err,
		       "INSERT OR REPLACE INTO steady VALUES"
		       "(?,?,?,?,?,?,nullif(?,0),?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		       "itiitnuidddddddddd"
		       "ddiiii",
		       (int64_t)s->step, s->track, (int64_t)s->last_round, (int64_t)s->window,
		       s->metric, s->read_pct, s->block_bytes, (int64_t)s->valid, s->average,
		       s->minimum, s->maximum, s->range, s->range_pct, s->slope, s->intercept,
		       s->slope_excursion, s->slope_excursion_pct, s->r, s->range_limit,
		       s->slope_limit, (int64_t)s->range_ok, (int64_t)s->slope_ok,
		       (int64_t)s->boundary, (int64_t)s->steady);
}

/* A round with a hole is no round, whoever closes it; only a limit may leave its end away. */
static int check_whole(struct store *store, int step, int round, bool in_part,
		       struct pts_err *err)
{
	int64_t missing;
	int rc = sql_number(
		store,
		"SELECT s.planned_cells + s.planned_before - count(c.id) FROM step s "
		"JOIN round r ON r.step = s.step AND r.round = ?2 AND r.state = 'valid' "
		"LEFT JOIN cell c ON c.round_id = r.id WHERE s.step = ?1",
		step, round, 0, &missing, err);

	if (!rc && (missing < 0 || (missing && !in_part)))
		rc = pts_fail(err, PTS_EXIT_BUG, EINVAL,
			      "round %d of step %d can't be closed: %lld cells %s", round, step,
			      (long long)(missing > 0 ? missing : -missing),
			      missing > 0 ? "are missing" : "are too many");
	return rc;
}

static int close_round(struct store *store, int step, int round, uint64_t elapsed_ns,
		       bool in_part, const struct store_steady *steady, unsigned steady_count,
		       struct pts_err *err)
{
	int rc = sql_begin(store, err);

	if (rc)
		return rc;
	rc = sql_run(store, err,
		     "UPDATE round SET state = 'valid', elapsed_ns = ?3 "
		     "WHERE step = ?1 AND round = ?2 AND state = 'open'",
		     "iiu", (int64_t)step, (int64_t)round, elapsed_ns);
	if (!rc && sqlite3_changes(store->db) != 1)
		rc = pts_fail(err, PTS_EXIT_BUG, EINVAL, "round %d of step %d is not open",
			      round, step);
	if (!rc)
		rc = check_whole(store, step, round, in_part, err);
	for (unsigned i = 0; i < steady_count && !rc; i++)
		rc = put_steady(store, &steady[i], err);
	return sql_end(store, rc, err);
}

int store_close_round(struct store *store, int step, int round, uint64_t elapsed_ns,
		      const struct store_steady *steady, unsigned steady_count,
		      struct pts_err *err)
{
	return close_round(store, step, round, elapsed_ns, false, steady, steady_count, err);
}

int store_close_part(struct store *store, int step, int round, uint64_t elapsed_ns,
		     struct pts_err *err)
{
	return close_round(store, step, round, elapsed_ns, true, NULL, 0, err);
}

int store_cut_round(struct store *store, int step, int round, const char *reason,
		    struct pts_err *err)
{
	return sql_run(store, err,
		       "UPDATE round SET state = 'cut', reason = ?3 "
		       "WHERE step = ?1 AND (?2 = 0 OR round = ?2) AND state = 'open'",
		       "iit", (int64_t)step, (int64_t)round, reason);
}

int store_mark_fresh(struct store *store, int step, int first_round, struct pts_err *err)
{
	return sql_run(store, err, "INSERT OR IGNORE INTO fresh VALUES(?,?)", "ii",
		       (int64_t)step, (int64_t)first_round);
}
