/* A folder of its own for a test, with its files read back; for the report's tests. */
#ifndef REPORT_SCRATCH_H
#define REPORT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a new folder; the path lives until scratch_remove(). */
const char *scratch_make(void);
void scratch_remove(void);
/* FOLDER/name; valid until the next call. */
const char *scratch_path(const char *name);
/* The whole file (free() it), NUL terminated; fails the test if it is not there. */
char *scratch_read(const char *name, size_t *ret_bytes);
bool scratch_exists(const char *name);
unsigned count_of(const char *text, const char *part);

#endif
