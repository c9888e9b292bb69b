/*
 * The drive's write cache, as each test asks: switched after guard and identity, before
 * anything is written. What the drive can't do stands in the plan as a deviation.
 */
#include <stdio.h>
#include <string.h>

#include "run_internal.h"

#define NAME(enabled) ((enabled) ? "write back" : "write through")

/* What a test asks; NULL: nothing. */
static const struct spec *wish_of(const struct plan *plan, const char *test)
{
	for (unsigned i = 0; i < plan->test_count; i++)
		if (!strcmp(plan->tests[i].name, test))
			return plan->tests[i].spec->has_write_cache ? plan->tests[i].spec
								    : NULL;
	return NULL;
}

int run_cache_set(struct run *run, const char *test, struct pts_err *err)
{
	const struct device_facts *facts = device_facts(run->device);
	const struct spec *wish = wish_of(run->plan, test);
	int rc;

	if (!run->cache_found[0])
		snprintf(run->cache_found, sizeof(run->cache_found), "%s", facts->write_cache);
	if (!wish || !device_can_set_write_cache(facts) ||
	    !strcmp(facts->write_cache, NAME(wish->write_cache_enabled)))
		return 0;
	rc = device_set_write_cache(run->device, wish->write_cache_enabled, err);
	if (!rc && run->store)
		run_note(run, -1, -1, -1, "info", "write-cache", "write cache: %s, as %s asks",
			 NAME(wish->write_cache_enabled), test);
	return rc;
}
