/* Checks of what callers hand to the engine. Internal to the engine. */
#ifndef ENGINE_CHECK_H
#define ENGINE_CHECK_H

#include <stdbool.h>

#include "engine.h"

struct engine_plan;

/* -EINVAL with PTS_EXIT_SPEC if a spec can be at fault, else PTS_EXIT_BUG. */
int engine_check_config(const struct engine_config *config, bool needs_fd, struct pts_err *err);
int engine_check_job(const struct engine_config *config, const struct engine_job *job,
		     struct pts_err *err);
/* What only the compiled job shows: positions and slices. */
int engine_check_plan(const struct engine_plan *plan, struct pts_err *err);

#endif
