/* Reading cells with their samples, histograms and errors, and the series for the judge. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store_internal.h"

struct reader {
	struct store *store;
	const struct store_cell_filter *filter;
	sqlite3_stmt *figures, *samples, *shares, *errors;
	struct store_share *items;
	size_t item_room;
	struct store_sample *seconds;
	size_t room;
	struct store_io_error *notes;
	size_t note_room;
	struct pts_err *err;
};

static unsigned __int128 wide_of(const char *text)
{
	unsigned __int128 value = 0;

	for (; text && *text >= '0' && *text <= '9'; text++)
		value = value * 10 + (unsigned)(*text - '0');
	return value;
}

static void read_figures(sqlite3_stmt *stmt, bool with_hist, struct store_dir *dir)
{
	dir->ios = sql_u64(stmt, 1);
	dir->bytes = sql_u64(stmt, 2);
	dir->submitted = sql_u64(stmt, 3);
	dir->errors = sql_u64(stmt, 4);
	dir->iops = sql_double(stmt, 5);
	dir->mb_per_s = sql_double(stmt, 6);
	dir->lat_mean_ns = sql_double(stmt, 7);
	dir->lat_sum_ns = wide_of(sql_text(stmt, 8));
	dir->lat_min_ns = sql_u64(stmt, 9);
	dir->lat_max_ns = sql_u64(stmt, 10);
	dir->lat_p50_ns = sql_u64(stmt, 11);
	dir->lat_p99_ns = sql_u64(stmt, 12);
	dir->lat_p999_ns = sql_u64(stmt, 13);
	dir->lat_p9999_ns = sql_u64(stmt, 14);
	dir->lat_p99999_ns = sql_u64(stmt, 15);
	if (with_hist && sqlite3_column_bytes(stmt, 16) > 0) {
		void *copy = malloc((size_t)sqlite3_column_bytes(stmt, 16));

		if (!copy)
			abort();
		dir->hist_bytes = (size_t)sqlite3_column_bytes(stmt, 16);
		memcpy(copy, sqlite3_column_blob(stmt, 16), dir->hist_bytes);
		dir->hist = copy; /* one_cell() frees it */
	}
} /* NOLINT(clang-analyzer-unix.Malloc): it lives on in dir */

static int cell_figures(struct reader *reader, int64_t id, struct store_cell *cell)
{
	sqlite3_stmt *stmt = reader->figures;
	int rc;

	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, id);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *dir = sql_text(stmt, 0);

		if (dir && !strcmp(dir, "read"))
			read_figures(stmt, reader->filter->with_hist, &cell->dir[0]);
		else if (dir && !strcmp(dir, "write"))
			read_figures(stmt, reader->filter->with_hist, &cell->dir[1]);
		else
			read_figures(stmt, false, &cell->total);
	}
	return rc == SQLITE_DONE ? 0 : sql_fail(reader->store, rc, reader->err);
}

static void read_sample(sqlite3_stmt *stmt, struct store_sample *s)
{
	*s = (struct store_sample){
		.second = (uint32_t)sql_u64(stmt, 0),
		.span_ns = sql_u64(stmt, 1),
		.ios = {sql_u64(stmt, 2), sql_u64(stmt, 6)},
		.bytes = {sql_u64(stmt, 3), sql_u64(stmt, 7)},
		.lat_sum_ns = {sql_u64(stmt, 4), sql_u64(stmt, 8)},
		.lat_max_ns = {sql_u64(stmt, 5), sql_u64(stmt, 9)},
	};
}

/* Room for one more row of an array that is used for every cell anew. */
static void *grown(void *rows, size_t count, size_t *room, size_t row_bytes)
{
	if (count < *room)
		return rows;
	*room = *room ? *room * 2 : 128;
	rows = realloc(rows, *room * row_bytes);
	if (!rows)
		abort();
	return rows;
}

static int cell_samples(struct reader *reader, int64_t id, struct store_cell *cell)
{
	sqlite3_stmt *stmt = reader->samples;
	int rc;

	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, id);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		reader->seconds = grown(reader->seconds, cell->sample_count, &reader->room,
					sizeof(*reader->seconds));
		read_sample(stmt, &reader->seconds[cell->sample_count++]);
	}
	cell->samples = reader->seconds;
	return rc == SQLITE_DONE ? 0 : sql_fail(reader->store, rc, reader->err);
}

/* The words of the schema: a row's text lives only until the next row. */
static const char *part_of(const char *text)
{
	static const char *const parts[] = {"size", "stream", "zone"};

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (text && !strcmp(text, parts[i]))
			return parts[i];
	return "";
}

static int cell_shares(struct reader *reader, int64_t id, struct store_cell *cell)
{
	sqlite3_stmt *stmt = reader->shares;
	int rc;

	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, id);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		reader->items = grown(reader->items, cell->share_count, &reader->item_room,
				      sizeof(*reader->items));
		reader->items[cell->share_count++] = (struct store_share){
			.part = part_of(sql_text(stmt, 0)),
			.stream = (unsigned)sql_int(stmt, 1, 0),
			.item = (unsigned)sql_int(stmt, 2, 0),
			.submitted = sql_u64(stmt, 3),
		};
	}
	cell->shares = reader->items;
	return rc == SQLITE_DONE ? 0 : sql_fail(reader->store, rc, reader->err);
}

static void read_error(sqlite3_stmt *stmt, struct store_io_error *note)
{
	const char *dir = sql_text(stmt, 1);

	*note = (struct store_io_error){
		.at_ns = sql_u64(stmt, 0),
		.is_write = dir && !strcmp(dir, "write"),
		.offset_bytes = sql_u64(stmt, 2),
		.length_bytes = (uint32_t)sql_u64(stmt, 3),
		.got_bytes = (uint32_t)sql_u64(stmt, 4),
		.error = sql_int(stmt, 5, 0),
	};
}

static int cell_errors(struct reader *reader, int64_t id, struct store_cell *cell)
{
	sqlite3_stmt *stmt = reader->errors;
	int rc;

	sqlite3_reset(stmt);
	sqlite3_bind_int64(stmt, 1, id);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		reader->notes = grown(reader->notes, cell->error_count, &reader->note_room,
				      sizeof(*reader->notes));
		read_error(stmt, &reader->notes[cell->error_count++]);
	}
	cell->errors = reader->notes;
	return rc == SQLITE_DONE ? 0 : sql_fail(reader->store, rc, reader->err);
}

static void read_cell(sqlite3_stmt *stmt, struct store_cell *cell)
{
	*cell = (struct store_cell){
		.step = sql_int(stmt, 1, 0),
		.round = sql_int(stmt, 2, 0),
		.cell = sql_int(stmt, 3, 0),
		.label = sql_text(stmt, 4),
		.access = sql_text(stmt, 5),
		.read_pct = sql_int(stmt, 6, -1),
		.block_bytes = sql_u64(stmt, 7),
		.threads = (unsigned)sql_int(stmt, 8, 0),
		.queue_depth = (unsigned)sql_int(stmt, 9, 0),
		.seed = sql_text_u64(stmt, 10),
		.valid = sql_int(stmt, 11, 0),
		.reason = sql_text(stmt, 12),
		.started_ns = sql_u64(stmt, 13),
		.elapsed_ns = sql_u64(stmt, 14),
		.started_wall_ns = sql_u64(stmt, 15),
		.gap_ns = sql_u64(stmt, 16),
		.drain_ns = sql_u64(stmt, 17),
		.drain_ios = sql_u64(stmt, 18),
		.requested_ns = sql_u64(stmt, 19),
		.requested_bytes = sql_u64(stmt, 20),
		.outstanding_mean = sql_double(stmt, 21),
		.inflight_ns = sql_u64(stmt, 22),
		.user_ns = sql_u64(stmt, 23),
		.system_ns = sql_u64(stmt, 24),
		.sha256 = sql_text(stmt, 25),
		.role = sql_text(stmt, 26),
		.cpu_system_pct = sql_double(stmt, 27),
		.is_void = sql_int(stmt, 28, 0),
	};
}

static int one_cell(struct reader *reader, sqlite3_stmt *stmt,
		    int (*fn)(void *ctx, const struct store_cell *cell), void *ctx)
{
	int64_t id = sqlite3_column_int64(stmt, 0);
	struct store_cell cell;
	int rc;

	read_cell(stmt, &cell);
	rc = cell_figures(reader, id, &cell);
	if (!rc && reader->filter->with_samples)
		rc = cell_samples(reader, id, &cell);
	if (!rc && reader->filter->with_samples)
		rc = cell_shares(reader, id, &cell);
	if (!rc)
		rc = cell_errors(reader, id, &cell);
	if (!rc)
		rc = fn(ctx, &cell);
	for (int i = 0; i < STORE_DIRS; i++)
		free((void *)cell.dir[i].hist);
	return rc;
}

static int reader_open(struct reader *reader, struct pts_err *err)
{
	int rc = sql_prepare(reader->store,
			     "SELECT dir, ios, bytes, submitted, errors, iops, mb_per_s, "
			     "lat_mean_ns, lat_sum_ns, lat_min_ns, lat_max_ns, lat_p50_ns, "
			     "lat_p99_ns, lat_p999_ns, lat_p9999_ns, lat_p99999_ns, hist "
			     "FROM figure WHERE cell_id = ?",
			     &reader->figures, err);

	if (!rc)
		rc = sql_prepare(
			reader->store,
			"SELECT second, span_ns, read_ios, read_bytes, read_lat_sum_ns, "
			"read_lat_max_ns, write_ios, write_bytes, write_lat_sum_ns, "
			"write_lat_max_ns FROM sample WHERE cell_id = ? ORDER BY second",
			&reader->samples, err);
	if (!rc)
		rc = sql_prepare(reader->store,
				 "SELECT part, stream, item, submitted FROM share "
				 "WHERE cell_id = ? ORDER BY part, stream, item",
				 &reader->shares, err);
	if (!rc)
		rc = sql_prepare(
			reader->store,
			"SELECT at_ns, dir, offset_bytes, length_bytes, got_bytes, errno "
			"FROM io_error WHERE cell_id = ? ORDER BY id",
			&reader->errors, err);
	return rc;
}

static void reader_close(struct reader *reader)
{
	sqlite3_finalize(reader->figures);
	sqlite3_finalize(reader->samples);
	sqlite3_finalize(reader->shares);
	sqlite3_finalize(reader->errors);
	free(reader->items);
	free(reader->seconds);
	free(reader->notes);
}

int store_each_cell(struct store *store, const struct store_cell_filter *filter,
		    int (*fn)(void *ctx, const struct store_cell *cell), void *ctx,
		    struct pts_err *err)
{
	struct reader reader = {.store = store, .filter = filter, .err = err};
	sqlite3_stmt *stmt = NULL;
	int rc = reader_open(&reader, err), row = SQLITE_DONE;

	if (!rc)
		rc = sql_prepare(
			store,
			"SELECT c.id, r.step, r.round, c.cell, c.label, c.access, c.read_pct, "
			"c.block_bytes, c.threads, c.queue_depth, c.seed, c.valid, c.reason, "
			"c.started_ns, c.elapsed_ns, c.started_wall_ns, c.gap_ns, c.drain_ns, "
			"c.drain_ios, c.requested_ns, c.requested_bytes, c.outstanding_mean, "
			"c.inflight_ns, c.user_ns, c.system_ns, c.sha256, c.role, "
			"c.cpu_system_pct, r.state = 'void' FROM cell c JOIN round r ON r.id = "
			"c.round_id "
			"WHERE (?1 < 0 OR r.step = ?1) AND (?2 = 0 OR r.round = ?2) "
			"AND (?3 OR r.state = 'valid') "
			"ORDER BY r.step, ifnull(r.round, 0), r.attempt, "
			"c.role <> 'before', c.cell",
			&stmt, err);
	if (!rc)
		rc = sql_bind(store, stmt, err, "iii", (int64_t)filter->step,
			      (int64_t)filter->round, (int64_t)filter->with_cut);
	while (!rc && (row = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = one_cell(&reader, stmt, fn, ctx);
	if (!rc && row != SQLITE_DONE)
		rc = sql_fail(store, row, err);
	sqlite3_finalize(stmt);
	reader_close(&reader);
	return rc;
}

/* Metrics that can be tracked, and their columns of figure. */
static const char *const series_text[][2] = {
	{"iops", "f.iops"},
	{"mb_per_s", "f.mb_per_s"},
	{"lat_mean", "f.lat_mean_ns"},
	{"lat_mean_ns", "f.lat_mean_ns"},
	{"lat_p99999", "f.lat_p99999_ns"},
	{"lat_p99999_ns", "f.lat_p99999_ns"},
	{"lat_max", "f.lat_max_ns"},
	{"lat_max_ns", "f.lat_max_ns"},
	{"cpu_system", "c.cpu_system_pct"},
};

static const char *series_column(const char *metric)
{
	for (unsigned i = 0; i < sizeof(series_text) / sizeof(series_text[0]); i++)
		if (!strcmp(series_text[i][0], metric))
			return series_text[i][1];
	return NULL;
}

static int series_prepare(struct store *store, const char *metric, sqlite3_stmt **ret_stmt,
			  struct pts_err *err)
{
	const char *column = series_column(metric);
	char *text;
	int rc;

	if (!column)
		return pts_fail(err, PTS_EXIT_BUG, EINVAL, "no series of '%s' is stored",
				metric);
	text = sqlite3_mprintf(
		"SELECT r.round, iif(c.valid, %s, NULL) FROM round r "
		"LEFT JOIN cell c ON c.round_id = r.id AND c.cell = ?2 "
		"LEFT JOIN figure f ON f.cell_id = c.id AND f.dir = 'total' "
		"WHERE r.step = ?1 AND r.round >= ifnull((SELECT max(first_round) FROM fresh "
		"WHERE step = ?1), 1) "
		/* the open round too: it is judged before it is closed */
		"AND r.state IN ('open', 'valid') ORDER BY r.round",
		column);
	rc = sql_prepare(store, text ? text : "", ret_stmt, err);
	sqlite3_free(text);
	return rc;
}

int store_series(struct store *store, int step, int cell, const char *metric, double *values,
		 size_t room, size_t *ret_count, int *ret_first_round, struct pts_err *err)
{
	sqlite3_stmt *stmt = NULL;
	size_t count = 0;
	int row, rc = series_prepare(store, metric, &stmt, err);

	*ret_count = 0;
	*ret_first_round = 0;
	if (rc)
		return rc;
	sqlite3_bind_int64(stmt, 1, step);
	sqlite3_bind_int64(stmt, 2, cell);
	while (!rc && (row = sqlite3_step(stmt)) != SQLITE_DONE) {
		int round = sql_int(stmt, 0, 0);

		if (row != SQLITE_ROW) {
			rc = sql_fail(store, row, err);
		} else if (count == room) {
			rc = pts_fail(err, PTS_EXIT_BUG, ERANGE,
				      "step %d has more rounds than the %zu asked for", step,
				      room);
		} else if (count && round != *ret_first_round + (int)count) {
			rc = pts_fail(err, PTS_EXIT_SPEC, EBADMSG,
				      "'%s' is damaged: round %d of step %d follows round %d",
				      store->path, round, step,
				      *ret_first_round + (int)count - 1);
		} else {
			*ret_first_round = count ? *ret_first_round : round;
			values[count++] = sql_double(stmt, 1);
		}
	}
	sqlite3_finalize(stmt);
	*ret_count = rc ? 0 : count;
	return rc;
}
