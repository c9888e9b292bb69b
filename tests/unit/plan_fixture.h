/* What the plan's tests share: specs of the tree or from text, a drive, a plan. Failures are
 * cmocka's. Everything made is released by plan_fixture_free(). */
#ifndef PLAN_FIXTURE_H
#define PLAN_FIXTURE_H

#include "plan.h"

struct plan_fixture {
	struct spec *spec;
	struct plan *plan;
};

#define PLAN_FIXTURE_SPECS 11
extern const char *const plan_fixture_specs[PLAN_FIXTURE_SPECS]; /* "iops", "workloads/oltp" */

/* A drive from which nothing deviates: purged by its own command, cache can be set. */
struct plan_device plan_fixture_drive(uint64_t capacity_bytes, uint32_t lba_bytes);

/* sets: "cell_time=2s;threads=2" or NULL. */
struct spec *plan_fixture_read(const char *name, enum spec_mode mode, const char *sets);
/* NULL if the reader refuses the overrides. */
struct spec *plan_fixture_try(const char *name, enum spec_mode mode, const char *sets);
struct spec *plan_fixture_text(const char *yaml);

/* Takes the spec over. mb_per_s 0: no assumption. */
struct plan_fixture plan_fixture_make(struct spec *spec, const struct plan_device *device,
				      double mb_per_s);
/* The same for a plan that must be refused: returns the error. */
struct pts_err plan_fixture_refused(struct spec *spec, const struct plan_device *device,
				    int expected_rc);
void plan_fixture_free(struct plan_fixture *fixture);

const struct plan_step *plan_fixture_step(const struct plan *plan, const char *phase);
const struct plan_cell *plan_fixture_cell(const struct plan_step *step, const char *label);
/* Deviations whose "what" is this. */
unsigned plan_fixture_deviations(const struct plan *plan, const char *what);

#endif
