#include "store_fixture.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "pts_hash.h"
#include "pts_text.h"

static char scratch[128];

int store_scratch_make(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(scratch, sizeof(scratch), "%.90s/pts-store.XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(scratch));
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int store_scratch_remove(void **state)
{
	(void)state;
	return nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

const char *store_scratch(const char *name)
{
	static char paths[16][256];
	char path[256];

	snprintf(path, sizeof(path), "%.120s/%.100s", scratch, name);
	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (!paths[i][0] || strncmp(paths[i], scratch, strlen(scratch)) != 0)
			strcpy(paths[i], path); /* free, or of a test before */
		if (!strcmp(paths[i], path))
			return paths[i];
	}
	fail_msg("more than 16 names in the scratch folder");
	return NULL;
}

/* The small loop of the command line's tests, with the histograms of its cells kept. */
static struct spec *small_spec(void)
{
	static const char before[] = "      on_unsteady: stop\n";
	struct pts_buf buf = {0};
	struct spec *spec;
	char *yaml, *at;
	size_t bytes;

	assert_int_equal(pts_file_read(PTS_FIXTURES "/cli-small.yaml", 1 << 20, &yaml, &bytes),
			 0);
	at = strstr(yaml, before);
	assert_non_null(at);
	pts_buf_add(&buf, yaml, (size_t)(at - yaml));
	pts_buf_puts(&buf, "      histogram: true\n");
	pts_buf_puts(&buf, at);
	spec = plan_fixture_text(buf.data);
	pts_buf_release(&buf);
	free(yaml);
	return spec;
}

/* {"cell_time":"2s"}, as a run stores what was overridden */
static char *overrides(const struct spec *spec)
{
	json_t *object = json_object();
	char *text;

	for (unsigned i = 0; i < spec->param_count; i++)
		if (spec->params[i].overridden)
			json_object_set_new(object, spec->params[i].name,
					    json_string(spec->params[i].value));
	text = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	return text;
}

struct store_source store_source_make(const char *name, enum spec_mode mode, uint32_t lba_bytes,
				      const char *sets)
{
	const struct plan_device device = plan_fixture_drive(64ull << 20, lba_bytes);
	struct store_source made = {0};
	struct spec *spec;

	spec = strcmp(name, "cli-small") ? plan_fixture_read(name, mode, sets) : small_spec();
	made.fixture = plan_fixture_make(spec, &device, 500);
	made.text = plan_text(made.fixture.plan);
	made.json = plan_json(made.fixture.plan);
	made.overrides = overrides(spec);
	made.source = (struct synth_source){
		.plan_text = made.text,
		.plan_json = made.json,
		.plan_sha256 = made.fixture.plan->sha256,
		.test = {.name = spec->name,
			 .title = spec->title,
			 .standard = spec->standard,
			 .revision = spec->revision,
			 .section = spec->section,
			 .mode = spec_mode_text(spec->mode),
			 .spec_file = spec->file,
			 .spec_text = spec->text,
			 .spec_sha256 = spec->sha256,
			 .overrides_json = made.overrides},
	};
	return made;
}

void store_source_free(struct store_source *source)
{
	free(source->text);
	free(source->json);
	free(source->overrides);
	plan_fixture_free(&source->fixture);
}

static sqlite3_stmt *first_row(const char *path, const char *statement, sqlite3 **ret_db,
			       bool *ret_row)
{
	sqlite3_stmt *stmt = NULL;
	const char *tail = statement;
	int rc = sqlite3_open(path, ret_db);

	*ret_row = false;
	while (rc == SQLITE_OK && *tail && !*ret_row) {
		sqlite3_finalize(stmt);
		stmt = NULL;
		rc = sqlite3_prepare_v2(*ret_db, tail, -1, &stmt, &tail);
		if (rc != SQLITE_OK || !stmt)
			break;
		rc = sqlite3_step(stmt);
		*ret_row = rc == SQLITE_ROW;
		rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
	}
	if (rc != SQLITE_OK)
		fail_msg("%s: %s", statement, sqlite3_errmsg(*ret_db));
	return stmt;
}

int64_t store_sql(const char *path, const char *statement, int64_t fallback)
{
	bool row;
	sqlite3 *db;
	sqlite3_stmt *stmt = first_row(path, statement, &db, &row);
	int64_t value = row ? sqlite3_column_int64(stmt, 0) : fallback;

	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

const char *store_sql_text(const char *path, const char *statement)
{
	static char text[1024];
	bool row;
	sqlite3 *db;
	sqlite3_stmt *stmt = first_row(path, statement, &db, &row);
	const char *value = row ? (const char *)sqlite3_column_text(stmt, 0) : NULL;

	snprintf(text, sizeof(text), "%s", value ? value : "");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return text;
}

void store_copy(const char *from, const char *to)
{
	char *data;
	size_t bytes;

	assert_int_equal(pts_file_read(from, 1u << 30, &data, &bytes), 0);
	assert_int_equal(pts_file_write(to, data, bytes), 0);
	free(data);
}
