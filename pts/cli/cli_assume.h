/* What the estimates of a plan rest on: --assume, or the numbers of a model drive. */
#ifndef CLI_ASSUME_H
#define CLI_ASSUME_H

#include "cli.h"
#include "plan.h"

struct cli_assume {
	struct plan_assume assume; /* for plan_make() */
	struct pts_arena *arena;
};

/*
 * --assume FILE (spec_assume.h), RUN (a folder or store) or seq_write=RATE; without it nothing is
 * known. Release it whatever is returned.
 */
int cli_assume_read(const struct cli_args *args, struct cli_assume *ret_assume,
		    struct pts_err *err);
/* If the device of this process is a model drive: its numbers, where nothing else was named, and
 * its bounds. After the device's facts were read. */
void cli_assume_model(struct cli_assume *assume);
void cli_assume_release(struct cli_assume *assume);

/* cli_assume_run.c: what a store measured. */
int cli_assume_run(const char *path, struct cli_assume *assume, struct pts_err *err);

#endif
