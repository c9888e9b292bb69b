/* What the files of verify share: the sink of differences. */
#ifndef VERIFY_INTERNAL_H
#define VERIFY_INTERNAL_H

#include <stdbool.h>

#include "verify.h"

struct verify {
	struct store *store;
	void (*difference)(void *ctx, const char *line);
	void *ctx;
	struct verify_counts counts;
	struct pts_err *err;
};

/* where: "step 2 round 3 cell 4"; NaN equals NaN (both missing). Equal within 1e-12 relative: the
 * stored doubles went through the same arithmetic, a text file between them would not bend more. */
void verify_double(struct verify *verify, const char *where, const char *column, double stored,
		   double computed);
void verify_u64(struct verify *verify, const char *where, const char *column, uint64_t stored,
		uint64_t computed);
void verify_text(struct verify *verify, const char *where, const char *column,
		 const char *stored, const char *computed);
void verify_that(struct verify *verify, bool holds, const char *where, const char *what);

int verify_cells(struct verify *verify);
int verify_steady(struct verify *verify);

#endif
