/* Shows a run's events: a live line on a terminal, plain lines, JSON lines, or nothing. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "pts_err.h"
#include "run.h"

enum cli_progress_how {
	CLI_PROGRESS_NONE,
	CLI_PROGRESS_LIVE,
	CLI_PROGRESS_PLAIN,
	CLI_PROGRESS_JSON,
};

/* "auto" (or NULL) looks at stderr: live on a terminal that can move its cursor. PTS_EXIT_USAGE */
int cli_progress_parse(const char *text, enum cli_progress_how *ret_how, struct pts_err *err);

struct cli_progress;

struct cli_progress *cli_progress_new(enum cli_progress_how how);
void cli_progress_free(struct cli_progress *progress); /* clears the live line */
/* For run_options.event with the progress as its ctx. */
void cli_progress_event(void *ctx, const struct run_event *event);

/* The live line for a width in columns, most important parts kept; the caller's to free(). */
char *cli_progress_line(const struct run_event *event, const struct run_event *last_round,
			unsigned width);

/* "12,345 IOPS", "81.2 MB/s", "93.4 us": a tracked value with its metric's unit. */
void cli_metric_text(const char *metric, double value, char *text, size_t room);

#endif
