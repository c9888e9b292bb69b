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

static void tell(struct verify *verify, const char *line)
{
	verify->counts.differences++;
	if (verify->difference)
		verify->difference(verify->ctx, line);
}

static void differs(struct verify *verify, const char *where, const char *column,
		    const char *stored, const char *computed)
{
	char line[768];

	snprintf(line, sizeof(line), "%.200s: %.80s is %.200s, recomputed %.200s", where,
		 column, stored, computed);
	tell(verify, line);
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
	snprintf(line, sizeof(line), "%.200s: %.280s", where, what);
	tell(verify, line);
}

static int check_fact(void *ctx, const char *key, const char *value)
{
	struct verify *verify = ctx;
	char number[32];

	if (!strcmp(key, "identity"))
		verify_text(verify, "run", "identity (device_before)", verify->run->identity,
			    value);
	snprintf(number, sizeof(number), "%" PRIu64,
		 !strcmp(key, "lba_bytes") ? verify->run->lba_bytes
					   : verify->run->capacity_bytes);
	if (!strcmp(key, "capacity_bytes") || !strcmp(key, "lba_bytes"))
		verify_text(verify, "fact device_before", key, value, number);
	return 0;
}

static int count_resume(void *ctx, const struct store_event *event)
{
	struct verify *verify = ctx;

	if (!strcmp(event->kind, "resumed"))
		verify->resumes++;
	return 0;
}

static int check_run(struct verify *verify)
{
	const struct store_run *run;
	char hash[PTS_SHA256_TEXT];
	int rc = store_get_run(verify->store, &verify->run, verify->err);

	if (rc)
		return rc;
	run = verify->run;
	pts_sha256_text(run->plan_text, strlen(run->plan_text), hash);
	verify_text(verify, "run", "plan_sha256", run->plan_sha256, hash);
	verify_that(verify,
		    !run->ended_wall_ns || run->clock_is_virtual ||
			    run->ended_wall_ns >= run->started_wall_ns,
		    "run", "ended_wall_ns is before started_wall_ns");
	rc = store_each_event(verify->store, count_resume, verify, verify->err);
	return rc ? rc
		  : store_each_fact(verify->store, "device_before", check_fact, verify,
				    verify->err);
}

/* Rows that belong to no other row are a difference, not the end of the look. */
static void check_references(struct verify *verify)
{
	struct pts_err err = PTS_ERR_INIT;

	verify->counts.checked++;
	if (store_check_references(verify->store, &err))
		tell(verify, err.text);
}

/* The code that the run ended with follows from its verdicts. */
static void check_exit(struct verify *verify)
{
	const struct store_run *run = verify->run;

	if (run->state != STORE_DONE)
		return;
	verify_that(verify, verify->steps_ended, "run", "it is done, a step has no end");
	verify_u64(verify, "run", "exit_code", (uint64_t)run->exit_code,
		   verify->all_steady ? PTS_EXIT_GOOD : PTS_EXIT_VERDICT);
	verify_that(verify, run->ended_wall_ns != 0, "run", "it is done without an end");
}

int verify_store(struct store *store, void (*difference)(void *ctx, const char *line),
		 void *ctx, struct verify_counts *ret_counts, struct pts_err *err)
{
	struct verify verify = {
		.store = store,
		.difference = difference,
		.ctx = ctx,
		.err = err,
		.all_steady = true,
		.steps_ended = true,
	};
	int rc = check_run(&verify);

	if (!rc)
		rc = verify_plan_open(&verify);
	if (!rc)
		rc = verify_cells(&verify);
	if (!rc)
		rc = verify_steps(&verify);
	if (!rc) {
		check_references(&verify);
		check_exit(&verify);
	}
	json_decref(verify.plan);
	*ret_counts = verify.counts;
	return rc;
}
