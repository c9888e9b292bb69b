/* gnuplot as a child process. Private to the report room. */
#ifndef GNUPLOT_INTERNAL_H
#define GNUPLOT_INTERNAL_H

#include <stddef.h>

#include "pts_err.h"

/* A private folder that a script may write its output into; gnuplot_folder_remove() takes it and
 * its files away (NULL is legal). */
int gnuplot_folder_make(char **ret_folder, struct pts_err *err);
void gnuplot_folder_remove(char *folder);

/*
 * Runs one gnuplot over the script, in folder, with its default settings (no ~/.gnuplot) and the
 * C locale. PTS_EXIT_MISSING if there is none (names the package), PTS_EXIT_BUG with gnuplot's
 * first complaint if it fails.
 */
int gnuplot_run(const char *folder, const char *script, size_t script_bytes,
		struct pts_err *err);

#endif
