/* Specs, facts and a plan from the options: what `pts plan` and `pts run` share. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli.h"
#include "device.h"
#include "plan.h"
#include "spec.h"

#define CLI_SPECS_MAX 16

struct cli_plan {
	struct spec *specs[CLI_SPECS_MAX];
	unsigned spec_count;
	char *paths[CLI_SPECS_MAX];
	struct device_facts facts;
	struct plan *plan;
};

/* store_dir: where the run's files will go, for the guard; may be NULL. */
int cli_plan_make(const struct cli_args *args, const char *store_dir, struct cli_plan *ret_plan,
		  struct pts_err *err);
void cli_plan_release(struct cli_plan *plan);

#endif
