/* From the command line to a plan: the one path that `plan` and `run` share. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include <limits.h>

#include "cli.h"
#include "device.h"
#include "plan.h"
#include "spec.h"

struct cli_planned {
	struct spec **specs;
	unsigned spec_count;
	struct spec_override *overrides;
	unsigned override_count;
	struct device_facts *facts;
	struct plan_device device;
	struct plan *plan;
	unsigned faults_said; /* lines of spec faults that are on stderr already */
};

/*
 * Reads the specs, the device's facts and makes the plan. Each fault of a spec is a line on stderr;
 * *err then keeps the exit code without a text of its own. Release it whatever is returned.
 */
int cli_plan_make(const struct cli_args *args, struct cli_planned *ret_planned,
		  struct pts_err *err);
void cli_plan_release(struct cli_planned *planned);

/* "Samsung X, serial 123, 1.92 TB, /dev/nvme0n1": what a person must recognise. room >= 1024 */
void cli_device_line(const struct device_facts *facts, char *text, size_t room);

/* The nearest folder above path (or itself) that exists; the caller's to free(). */
char *cli_existing_folder(const char *path);

/* cli_plan_view.c: the plan for people, on stdout. */
void cli_plan_print(const struct plan *plan, const struct device_facts *facts);

#endif
