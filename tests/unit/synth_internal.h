/* What the two files of the synthetic runs share. */
#ifndef SYNTH_INTERNAL_H
#define SYNTH_INTERNAL_H

#include <jansson.h>

#include "synth_store.h"

void synth_good(int rc, const struct pts_err *err);
int64_t synth_whole(const json_t *object, const char *key);
const char *synth_text(const json_t *object, const char *key); /* never NULL */

/* Adds a row to rows[*count] if the window of a track is whole; clears *steady if it is not. */
void synth_judge(struct store *store, const json_t *step, const json_t *track, int round,
		 struct store_steady *rows, unsigned *count, bool *steady);

#endif
