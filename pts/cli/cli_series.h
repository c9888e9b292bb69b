/* Series from CSV: columns series, round, value by name. */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include <stddef.h>

#include "pts_err.h"

struct cli_series {
	char *name;
	double first_round;
	double *values; /* consecutive rounds; NaN: a failed (empty or missing) round */
	size_t count;
};

struct cli_series_file {
	struct cli_series *series;
	size_t count;
};

/* RFC 4180 (quotes, CRLF), other columns ignored, values as decimal text. Faults as FILE:LINE
 * (PTS_EXIT_SPEC): no such column, no number, a round given twice. */
int cli_series_read(const char *path, struct cli_series_file *ret_file, struct pts_err *err);
void cli_series_release(struct cli_series_file *file);

#endif
