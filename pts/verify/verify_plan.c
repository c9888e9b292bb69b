/*
 * The stored plan (its JSON) against the run's row, the tests, the deviations and the cells: what
 * was to be done and what is said to have been done. Must not make a plan itself.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pts_hash.h"
#include "verify_internal.h"

const char *verify_json_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

int64_t verify_json_whole(const json_t *object, const char *key, int64_t fallback)
{
	const json_t *value = json_object_get(object, key);

	return json_is_integer(value) ? json_integer_value(value) : fallback;
}

double verify_json_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

bool verify_json_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

const json_t *verify_plan_step(const struct verify *verify, int step)
{
	const json_t *steps = json_object_get(verify->plan, "steps");

	return step < 0 ? NULL : json_array_get(steps, (size_t)step);
}

/* Loads before a round are numbered behind its cells. */
const json_t *verify_plan_cell(const struct verify *verify, int step, int cell)
{
	const json_t *planned = verify_plan_step(verify, step);
	const json_t *cells = json_object_get(planned, "cells");
	size_t count = json_array_size(cells), index = (size_t)cell;

	if (cell < 0)
		return NULL;
	return index < count
		       ? json_array_get(cells, index)
		       : json_array_get(json_object_get(planned, "before"), index - count);
}

/* A whole number that the plan may leave out (a 0 stands for NULL in the store). */
static void same_whole(struct verify *verify, const char *where, const char *column,
		       uint64_t stored, const json_t *object, const char *key)
{
	verify_u64(verify, where, column, stored, (uint64_t)verify_json_whole(object, key, 0));
}

static void same_text(struct verify *verify, const char *where, const char *column,
		      const char *stored, const json_t *object, const char *key)
{
	const char *planned = verify_json_text(object, key);

	verify_text(verify, where, column, stored, planned ? planned : "");
}

static void check_device(struct verify *verify)
{
	const json_t *device = json_object_get(verify->plan, "device");
	const struct store_run *run = verify->run;

	same_text(verify, "run", "mode", run->mode, verify->plan, "mode");
	same_text(verify, "run", "plan_sha256", run->plan_sha256, verify->plan, "plan_sha256");
	same_text(verify, "run", "identity", run->identity, device, "identity");
	same_whole(verify, "run", "capacity_bytes", run->capacity_bytes, device,
		   "capacity_bytes");
	same_whole(verify, "run", "lba_bytes", run->lba_bytes, device, "lba_bytes");
	same_text(verify, "run", "purge_method", run->purge_method, device, "purge");
	verify_u64(verify, "run", "purge_is_pts", run->purge_is_pts,
		   verify_json_true(device, "purge_is_pts"));
}

static bool same(const char *stored, const json_t *object, const char *key)
{
	const char *planned = verify_json_text(object, key);

	return !strcmp(stored ? stored : "", planned ? planned : "");
}

/* How often a deviation of the plan stands in the store. */
struct deviation_search {
	const json_t *planned;
	unsigned found, rows;
};

static int match_deviation(void *ctx, const struct store_deviation *row)
{
	struct deviation_search *search = ctx;
	const json_t *p = search->planned;

	search->rows++;
	if (same(row->test, p, "test") && same(row->clause, p, "clause") &&
	    same(row->what, p, "what") && same(row->required, p, "required") &&
	    same(row->actual, p, "actual") && same(row->reason, p, "reason"))
		search->found++;
	return 0;
}

static int check_deviations(struct verify *verify)
{
	const json_t *list = json_object_get(verify->plan, "deviations");
	struct deviation_search all = {0};
	int rc = store_each_deviation(verify->store, match_deviation, &all, verify->err);

	verify->deviations = all.rows;
	for (size_t i = 0; i < json_array_size(list) && !rc; i++) {
		struct deviation_search search = {.planned = json_array_get(list, i)};
		const char *what = verify_json_text(search.planned, "what");
		char where[160];

		rc = store_each_deviation(verify->store, match_deviation, &search, verify->err);
		snprintf(where, sizeof(where), "deviation '%.100s'", what ? what : "");
		verify_that(verify, rc || search.found, where,
			    "the plan has it, the store has lost or changed it");
	}
	return rc;
}

/* A resume plans again with the stored overrides: they are what the plan says was overridden. */
static void check_overrides(struct verify *verify, const char *where,
			    const struct store_test *test, const json_t *planned)
{
	const json_t *params = json_object_get(planned, "params");
	json_t *stored = json_loads(test->overrides_json ? test->overrides_json : "", 0, NULL);
	json_t *expected = json_object();

	for (size_t i = 0; i < json_array_size(params); i++) {
		const json_t *param = json_array_get(params, i);
		const char *name = verify_json_text(param, "name");

		if (name && verify_json_true(param, "overridden"))
			json_object_set(expected, name, json_object_get(param, "value"));
	}
	verify_that(verify, json_equal(stored, expected), where,
		    "overrides_json is not what the plan says was overridden");
	json_decref(stored);
	json_decref(expected);
}

static int check_test(void *ctx, const struct store_test *test)
{
	struct verify *verify = ctx;
	const json_t *tests = json_object_get(verify->plan, "tests"), *planned = NULL;
	char hash[PTS_SHA256_TEXT], where[160];

	snprintf(where, sizeof(where), "test %.120s", test->name);
	pts_sha256_text(test->spec_text, strlen(test->spec_text), hash);
	verify_text(verify, where, "spec_sha256", test->spec_sha256, hash);
	for (size_t i = 0; i < json_array_size(tests) && !planned; i++)
		if (same(test->name, json_array_get(tests, i), "name"))
			planned = json_array_get(tests, i);
	if (!verify->plan)
		return 0;
	verify_that(verify, planned != NULL, where, "the plan has no such test");
	if (!planned)
		return 0;
	same_text(verify, where, "spec_sha256 of the plan", test->spec_sha256, planned,
		  "spec_sha256");
	same_text(verify, where, "title", test->title, planned, "title");
	same_text(verify, where, "standard", test->standard, planned, "standard");
	same_text(verify, where, "revision", test->revision, planned, "revision");
	same_text(verify, where, "section", test->section, planned, "section");
	same_text(verify, where, "mode", test->mode, verify->plan, "mode");
	check_overrides(verify, where, test, planned);
	return 0;
}

int verify_plan_open(struct verify *verify)
{
	const char *text = verify->run->plan_json ? verify->run->plan_json : "";
	char hash[PTS_SHA256_TEXT];
	int rc;

	pts_sha256_text(text, strlen(text), hash);
	verify_text(verify, "run", "plan_json_sha256", verify->run->plan_json_sha256, hash);
	verify->plan = json_loads(text, 0, NULL);
	verify_that(verify, json_is_object(verify->plan), "run", "plan_json can't be read");
	rc = store_each_test(verify->store, check_test, verify, verify->err);
	if (rc || !json_is_object(verify->plan))
		return rc;
	check_device(verify);
	return check_deviations(verify);
}

/* The attempt of a cell (how often the run had been resumed) enters its seed; which one it was is
 * not stored, so any of them is right. */
static void check_seed(struct verify *verify, const char *where, const struct store_cell *cell)
{
	bool found = false;

	for (unsigned attempt = 0; attempt <= verify->resumes && !found; attempt++)
		found = cell->seed ==
			pts_seed_derive(verify->run->master_seed, (uint64_t)cell->step,
					(uint64_t)cell->round, (uint64_t)cell->cell, attempt);
	verify_that(verify, found, where, "seed does not follow from the master seed");
}

void verify_cell_plan(struct verify *verify, const char *where, const struct store_cell *cell)
{
	const json_t *planned = verify_plan_cell(verify, cell->step, cell->cell);

	if (cell->elapsed_ns)
		check_seed(verify, where, cell);
	if (!verify->plan)
		return;
	verify_that(verify, planned != NULL, where, "the plan has no such cell");
	if (!planned)
		return;
	same_text(verify, where, "role", cell->role, planned, "role");
	same_text(verify, where, "label", cell->label, planned, "label");
	if (cell->read_pct >= 0)
		same_whole(verify, where, "read_pct", (uint64_t)cell->read_pct, planned,
			   "read_pct");
	same_whole(verify, where, "block_bytes", cell->block_bytes, planned, "block_bytes");
	if (verify_json_text(planned, "point")) {
		verify_point(verify, where, cell, verify_json_text(planned, "point"));
	} else {
		same_whole(verify, where, "threads", cell->threads, planned, "threads");
		same_whole(verify, where, "queue_depth", cell->queue_depth, planned,
			   "queue_depth");
	}
	verify_that(verify, verify_json_true(planned, "applicable") || !cell->elapsed_ns, where,
		    "it was measured, although the plan says that the device can't run it");
	for (int d = 0; d < STORE_DIRS; d++)
		if (cell->dir[d].ios)
			verify_that(verify,
				    (cell->dir[d].hist_bytes != 0) ==
					    verify_json_true(planned, "keep_histogram"),
				    where, "its histogram is not as the plan says");
}
