/* Words of the language for its enums, and axis values in its own writing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "spec_internal.h"

static const char *const mode_words[SPEC_MODES] = {"enterprise", "client"};

static const char *word(const char *const *words, unsigned index, unsigned count)
{
	return index < count ? words[index] : "?";
}

const char *spec_mode_text(enum spec_mode mode)
{
	return word(mode_words, mode, SPEC_MODES);
}

int spec_mode_parse(const char *text, enum spec_mode *ret_mode)
{
	for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
		if (strcmp(text, mode_words[mode]) != 0)
			continue;
		*ret_mode = (enum spec_mode)mode;
		return 0;
	}
	return -EINVAL;
}

const char *spec_axis_text(enum spec_axis_kind kind)
{
	return word(spec_axis_words, kind, SPEC_AXES);
}

const char *spec_rule_text(enum spec_choose_rule rule)
{
	return word(spec_rule_words, rule, SPEC_NEAREST_MEAN + 1);
}

const char *spec_metric_text(enum spec_metric metric)
{
	return word(spec_metric_words, metric, SPEC_METRICS);
}

const char *spec_basis_text(enum spec_basis basis)
{
	return word(spec_basis_words, basis, SPEC_BASIS_CHOICE + 1);
}

const char *spec_binding_text(enum spec_binding binding)
{
	return word(spec_binding_words, binding, SPEC_BINDING_FIXED + 1);
}

const char *spec_step_text(enum spec_step_kind kind)
{
	return word(spec_step_words, kind, SPEC_STEP_KINDS);
}

void spec_axis_value_text(enum spec_axis_kind kind, uint64_t value, char *text, size_t room)
{
	if (kind == SPEC_AXIS_RW_MIX)
		pts_rw_mix_text((unsigned)value, text, room);
	else if (kind == SPEC_AXIS_BLOCK_SIZE)
		pts_bytes_text(value, text, room);
	else
		snprintf(text, room, "%llu", (unsigned long long)value);
}
