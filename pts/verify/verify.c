/*
 * Recomputes a store from its raw rows. Reads only; knows no device and no engine, so that it
 * works on any store on any machine.
 */
#include "verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pts_hash.h"
#include "pts_text.h"
#include "verify_internal.h"

#define RELATIVE 1e-12

static void differs(struct verify *verify, const char *where, const char *column,
		    const char *stored, const char *computed)
{
	char line[512];

	snprintf(line, sizeof(line), "%s: %s is %s, recomputed %s", where, column, stored,
		 computed);
	verify->counts.differences++;
	if (verify->difference)
		verify->difference(verify->ctx, line);
}

void verify_double(struct verify *verify, const char *where, const char *column, double stored,
		   double computed)
{
	double most = fmax(fabs(stored), fabs(computed));
	char a[40], b[40];

	verify->counts.checked++;
	if (isnan(stored) && isnan(computed))
		return;
	if (fabs(stored - computed) <= most * RELATIVE)
		return;
	differs(verify, where, column, pts_double_text(stored, a, sizeof(a)) ? a : "missing",
		pts_double_text(computed, b, sizeof(b)) ? b : "missing");
}

void verify_u64(struct verify *verify, const char *where, const char *column, uint64_t stored,
		uint64_t computed)
{
	char a[32], b[32];

	verify->counts.checked++;
	if (stored == computed)
		return;
	snprintf(a, sizeof(a), "%" PRIu64, stored);
	snprintf(b, sizeof(b), "%" PRIu64, computed);
	differs(verify, where, column, a, b);
}

void verify_text(struct verify *verify, const char *where, const char *column,
		 const char *stored, const char *computed)
{
	verify->counts.checked++;
	if (strcmp(stored ? stored : "", computed) != 0)
		differs(verify, where, column, stored ? stored : "missing", computed);
}

void verify_that(struct verify *verify, bool holds, const char *where, const char *what)
{
	char line[512];

	verify->counts.checked++;
	if (holds)
		return;
	snprintf(line, sizeof(line), "%s: %s", where, what);
	verify->counts.differences++;
	if (verify->difference)
		verify->difference(verify->ctx, line);
}

static int check_test(void *ctx, const struct store_test *test)
{
	struct verify *verify = ctx;
	char hash[PTS_SHA256_TEXT], where[160];

	snprintf(where, sizeof(where), "test %.120s", test->name);
	pts_sha256_text(test->spec_text, strlen(test->spec_text), hash);
	verify_text(verify, where, "spec_sha256", test->spec_sha256, hash);
	return 0;
}

static int check_run(struct verify *verify)
{
	const struct store_run *run;
	char hash[PTS_SHA256_TEXT];
	int rc = store_get_run(verify->store, &run, verify->err);

	if (rc)
		return rc;
	pts_sha256_text(run->plan_text, strlen(run->plan_text), hash);
	verify_text(verify, "run", "plan_sha256", run->plan_sha256, hash);
	verify_that(verify, run->state != STORE_DONE || run->exit_code >= 0, "run",
		    "it is done without an exit code");
	return 0;
}

int verify_store(struct store *store, void (*difference)(void *ctx, const char *line),
		 void *ctx, struct verify_counts *ret_counts, struct pts_err *err)
{
	struct verify verify = {
		.store = store,
		.difference = difference,
		.ctx = ctx,
		.err = err,
	};
	int rc = check_run(&verify);

	if (!rc)
		rc = store_each_test(store, check_test, &verify, err);
	if (!rc)
		rc = verify_cells(&verify);
	if (!rc)
		rc = verify_steady(&verify);
	*ret_counts = verify.counts;
	return rc;
}
