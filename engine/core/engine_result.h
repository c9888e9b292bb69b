/* Puts the workers' figures together. Internal to the engine. */
#ifndef ENGINE_RESULT_H
#define ENGINE_RESULT_H

#include "engine.h"

struct engine_worker;

/* After the end of the job; a hung worker's unpublished figures are left out. Empties the
 * workers' histograms. 0 or -ENOMEM. */
int engine_result_collect(struct engine *engine, struct engine_result *result);
/* Sample number second, added over the workers; its span is that of a whole one. */
void engine_result_sample(const struct engine *engine, unsigned second,
			  struct engine_sample *ret_sample);

#endif
