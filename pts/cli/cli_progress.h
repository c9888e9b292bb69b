/* Progress of a run: one live line on a terminal, plain lines, or JSON lines. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"
#include "run.h"

enum cli_progress_kind {
	CLI_PROGRESS_LIVE,
	CLI_PROGRESS_PLAIN,
	CLI_PROGRESS_JSON,
	CLI_PROGRESS_NONE,
};

struct cli_progress {
	enum cli_progress_kind kind;
	bool live_shown;  /* the cursor stands behind a live line */
	char steady[160]; /* range and slope of the last round, for the live line */
};

int cli_progress_init(struct cli_progress *progress, const struct cli_args *args,
		      struct pts_err *err);
void cli_progress_event(void *ctx, const struct run_event *event);
/* Ends a live line. */
void cli_progress_end(struct cli_progress *progress);

#endif
