/* One cell of `pts stimulus`: what is asked, and how its result is shown. */
#ifndef CLI_STIMULUS_H
#define CLI_STIMULUS_H

#include "cli.h"
#include "device.h"
#include "engine.h"

struct stimulus {
	struct device_facts facts;
	struct device *device; /* NULL with the backend nil */
	struct engine_config config;
	struct engine_size size;
	struct engine_stream stream;
	struct engine_job job;
};

void stimulus_print_json(const struct stimulus *s, const struct engine *engine,
			 const struct engine_result *result);
void stimulus_print_text(const struct stimulus *s, const struct engine *engine,
			 const struct engine_result *result);

#endif
