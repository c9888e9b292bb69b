/* What the tests of store and verify share: a scratch folder, plans of the tree's specs as sources
 * of synthetic stores, and SQL on a store from outside. Failures are cmocka's. */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include <sqlite3.h>

#include "plan_fixture.h"
#include "synth_store.h"

/* A folder of its own for each test, removed with all in it. For setup and teardown. */
int store_scratch_make(void **state);
int store_scratch_remove(void **state);
/* Path in it; lives until the test ends. */
const char *store_scratch(const char *name);

struct store_source {
	struct plan_fixture fixture;
	struct synth_source source;
	char *text, *json, *overrides;
};

/* "iops" (a file of specs/) or "cli-small" (of tests/fixtures/); sets as plan_fixture_read. */
struct store_source store_source_make(const char *name, enum spec_mode mode, uint32_t lba_bytes,
				      const char *sets);
void store_source_free(struct store_source *source);

/* A statement on a file, with SQLite as anybody else has it; returns the first column of the
 * first row, or fallback. Must succeed. */
int64_t store_sql(const char *path, const char *statement, int64_t fallback);
/* The same as text into a static buffer; "" without a row or for NULL. */
const char *store_sql_text(const char *path, const char *statement);
void store_copy(const char *from, const char *to);

#endif
