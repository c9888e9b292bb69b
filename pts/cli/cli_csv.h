/* Comma separated values as RFC 4180 has them, strictly. Knows nothing of what is in them. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stddef.h>

#include "pts_err.h"

struct cli_csv_row {
	unsigned line; /* where it begins, from 1 */
	char **fields; /* without quotes; valid during the call */
	unsigned count;
};

/*
 * Calls row() for each record, the header too; a non-zero return ends with that value. A UTF-8
 * byte order mark, CRLF and empty lines are passed over. Faults are FILE:LINE: text
 * (PTS_EXIT_SPEC): an open quote, text behind a closing quote, a NUL byte.
 */
int cli_csv_parse(const char *file, const char *text, size_t bytes,
		  int (*row)(void *ctx, const struct cli_csv_row *row, struct pts_err *err),
		  void *ctx, struct pts_err *err);

#endif
