/* How the plan's JSON writes values: a key for every fact, null for what is not there. */
#ifndef PLAN_JSON_INTERNAL_H
#define PLAN_JSON_INTERNAL_H

#include <jansson.h>
#include <math.h>

#include "plan_internal.h"

static inline json_t *plan_text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static inline void plan_set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value ? value : json_null());
}

static inline void plan_set_text(json_t *object, const char *key, const char *text)
{
	plan_set(object, key, plan_text_or_null(text));
}

static inline void plan_set_count(json_t *object, const char *key, uint64_t value)
{
	plan_set(object, key,
		 value <= INT64_MAX ? json_integer((json_int_t)value)
				    : json_real((double)value));
}

static inline void plan_set_number(json_t *object, const char *key, double value)
{
	plan_set(object, key, isfinite(value) ? json_real(value) : json_null());
}

static inline void plan_set_bool(json_t *object, const char *key, bool value)
{
	plan_set(object, key, json_boolean(value));
}

static inline void plan_set_source(json_t *object, const struct spec_source *source)
{
	plan_set_text(object, "clause", source->clause);
	plan_set_text(object, "basis", spec_basis_text(source->basis));
	plan_set_text(object, "binding", spec_binding_text(source->binding));
	plan_set_text(object, "note", source->note);
}

static inline void plan_set_ns(json_t *object, const char *key, uint64_t ns)
{
	plan_set_number(object, key, (double)ns / 1e9);
}

/* plan_json_steps.c */
json_t *plan_json_step(const struct plan_step *step, uint32_t lba_bytes);
json_t *plan_json_seconds(const struct plan_span *span);
json_t *plan_json_bytes(const struct plan_span *span);

#endif
