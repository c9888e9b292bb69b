/* The files of specs/: all of them sound in both modes, sourced, and no key may be misspelt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_text.h"
#include "spec.h"

static const char *const tests_of_the_standard[] = {"iops", "tp",  "lat", "wsat",
						    "hir",  "xsr", "cbw", "dirth"};
static const char *const workloads[] = {"workloads/jesd219-enterprise", "workloads/oltp",
					"workloads/vmfleet-curve"};

static char *path_of(const char *name)
{
	struct pts_buf path = {0};

	pts_buf_printf(&path, "%s/specs/%s.yaml", PTS_SOURCE, name);
	return pts_buf_take(&path);
}

static void print_fault(void *ctx, const char *line)
{
	(void)ctx;
	print_error("%s\n", line);
}

static struct spec *read_spec(const char *name, enum spec_mode mode, const char *key,
			      const char *value)
{
	struct spec_override set = {key, value};
	struct spec_options options = {.mode = mode,
				       .overrides = &set,
				       .override_count = key != NULL,
				       .fault = print_fault};
	struct pts_err err = PTS_ERR_INIT;
	char *path = path_of(name);
	struct spec *spec;

	assert_int_equal(spec_read_file(path, &options, &spec, &err), 0);
	free(path);
	return spec;
}

static void check_sources(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->citation_count; i++) {
		const struct spec_citation *cite = &spec->citations[i];

		assert_non_null(cite->source.clause);
		assert_int_not_equal(cite->source.basis, SPEC_BASIS_NONE);
		assert_true(strlen(cite->path) > 3 && strlen(cite->value) > 0);
		assert_true(cite->where.line > 0);
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(cite->path, spec->citations[j].path);
	}
	for (unsigned i = 0; i < spec->param_count; i++) {
		const struct spec_param *param = &spec->params[i];

		assert_non_null(param->source.clause);
		assert_int_not_equal(param->source.basis, SPEC_BASIS_NONE);
		assert_false(param->overridden);
		assert_string_equal(param->value, param->standard);
		assert_true(strlen(param->help) > 0 || strcmp(param->name, "write_cache") == 0);
	}
}

static void every_test_is_sound_and_sourced(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tests_of_the_standard) / sizeof(char *); i++) {
		for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
			struct spec *spec =
				read_spec(tests_of_the_standard[i], mode, NULL, NULL);

			assert_string_equal(spec->name, tests_of_the_standard[i]);
			assert_string_equal(spec->standard, "SNIA SSS PTS 2.0.2");
			assert_string_equal(spec->revision, mode == SPEC_CLIENT
								    ? "PTS-C 2.0.2"
								    : "PTS-E 2.0.2");
			assert_int_equal(spec->write_cache_enabled, mode == SPEC_CLIENT);
			assert_true(spec->has_write_cache && spec->citation_count >= 15);
			assert_true(spec->step_count >= 3 && spec->page_count >= 3);
			assert_int_equal(spec->label_count, 0);
			check_sources(spec);
			spec_free(spec);
		}
	}
}

static void workloads_are_sound_and_labelled(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(workloads) / sizeof(char *); i++) {
		for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
			struct spec *spec = read_spec(workloads[i], mode, NULL, NULL);

			assert_null(spec->standard);
			assert_string_equal(spec->labels[0], "not a PTS test");
			assert_int_equal(spec->citation_count, 0);
			spec_free(spec);
		}
	}
}

static void check_reports_each_fault_once(void **state)
{
	struct pts_err err = PTS_ERR_INIT;
	char *path = path_of("iops");

	(void)state;
	assert_int_equal(spec_check_file(path, print_fault, NULL, &err), 0);
	free(path);
	assert_int_equal(spec_check_file("/nonexistent/x.yaml", NULL, NULL, &err), -2);
	assert_int_equal(err.exit, PTS_EXIT_USAGE);
	assert_string_equal(err.text,
			    "can't read '/nonexistent/x.yaml': No such file or directory");
}

static void optional_workloads_are_a_parameter(void **state)
{
	static const char *const names[] = {"write_intensive", "oltp", "video_on_demand",
					    "meta_data", "composite"};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct spec *spec = read_spec("wsat", SPEC_ENTERPRISE, "workload", names[i]);

		assert_string_equal(spec->steps[1].work.name, names[i]);
		assert_int_equal(spec->params[2].overridden, i > 0);
		spec_free(spec);
	}
}

/* --- no key may be misspelt --- */

struct said {
	const char *key, *mutant;
	bool named, near, any; /* the very name, some name, a fault */
};

static void look_for(void *ctx, const char *line)
{
	struct said *said = ctx;
	char meant[2][96];

	/* a renamed parameter shows where it is used: the mutant is the nearest name then */
	snprintf(meant[0], sizeof(meant[0]), "did you mean '%s'?", said->key);
	snprintf(meant[1], sizeof(meant[1]), "did you mean '%s'?", said->mutant);
	said->any = true;
	said->near |= strstr(line, "did you mean '") != NULL;
	said->named |= strstr(line, meant[0]) || strstr(line, meant[1]);
}

static bool is_key(const char *text, const char *at, size_t *ret_length)
{
	const char *before = at;

	*ret_length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
	if (!*ret_length || at[*ret_length] != ':' || !strchr(" \n", at[*ret_length + 1]))
		return false;
	while (before > text && before[-1] == ' ')
		before--;
	return before == text || strchr("\n{,-", before[-1]);
}

/* strict: the very key is named; else another may be as near (step and steps, group1 and group2) */
static void misspell(char *text, size_t bytes, char *at, size_t length, bool strict)
{
	char key[64], mutant[64], kept = at[length - 1];
	struct said said = {.key = key, .mutant = mutant};
	struct spec_options options = {.fault = look_for, .fault_ctx = &said};
	struct pts_err err = PTS_ERR_INIT;
	struct spec *spec;
	unsigned taken = 0;

	snprintf(key, sizeof(key), "%.*s", (int)length, at);
	at[length - 1] = 'q';
	snprintf(mutant, sizeof(mutant), "%.*s", (int)length, at);
	for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
		options.mode = mode;
		taken += spec_read_text("iops.yaml", text, bytes, &options, &spec, &err) == 0;
		spec_free(spec);
	}
	if (taken == SPEC_MODES)
		print_error("'%s' was taken\n", mutant);
	else if (length > 2 && !(strict ? said.named : said.near))
		print_error("'%s': %s\n", mutant, err.text);
	assert_in_range(taken, 0, 1);
	assert_true(length < 3 ? said.any : strict ? said.named : said.near);
	at[length - 1] = kept;
}

/* Workloads that only --set chooses have names of their own, no keys of the language. */
static bool is_choice(const char *at, size_t length)
{
	static const char *const names[] = {"oltp",      "video_on_demand", "meta_data",
					    "composite", "oltp_2",          "oltp_1"};

	for (size_t i = 0; i < sizeof(names) / sizeof(char *); i++)
		if (strlen(names[i]) == length && strncmp(at, names[i], length) == 0)
			return true;
	return false;
}

static unsigned misspell_all(const char *name)
{
	char *path = path_of(name), *text;
	unsigned keys = 0;
	size_t bytes, length;

	assert_int_equal(pts_file_read(path, 1 << 20, &text, &bytes), 0);
	for (char *at = text; *at; at++) {
		if (*at == '#' || strncmp(at, "description: >", 14) == 0)
			at += *at == '#' ? strcspn(at, "\n")
					 : (size_t)(strstr(at, "\n\n") - at);
		if ((at == text || strchr(" \n{", at[-1])) && is_key(text, at, &length) &&
		    !is_choice(at, length)) {
			misspell(text, bytes, at, length, strcmp(name, "iops") == 0);
			keys++;
		}
	}
	free(text);
	free(path);
	return keys;
}

static void no_key_may_be_misspelt(void **state)
{
	(void)state;
	assert_true(misspell_all("iops") > 150);
	for (size_t i = 1; i < sizeof(tests_of_the_standard) / sizeof(char *); i++)
		assert_true(misspell_all(tests_of_the_standard[i]) > 100);
	for (size_t i = 0; i < sizeof(workloads) / sizeof(char *); i++)
		assert_true(misspell_all(workloads[i]) > 50);
}

/* --- no value that the standard fixes goes without its source --- */

static void count_unsourced(void *ctx, const char *line)
{
	*(unsigned *)ctx += strstr(line, "this value wants a clause and a basis") != NULL ||
			    strstr(line, "this step wants a clause and a basis") != NULL;
}

static void strip_sources(const char *name)
{
	char *path = path_of(name), *text, *at;
	unsigned stripped = 0;
	size_t bytes;

	assert_int_equal(pts_file_read(path, 1 << 20, &text, &bytes), 0);
	for (at = text; (at = strstr(at, ", clause: \"")); at++) {
		const char *basis = strstr(at, ", basis: ");
		size_t length = (size_t)(basis + 9 - at) + strcspn(basis + 9, ",}");
		unsigned unsourced = 0;
		struct spec_options options = {.fault = count_unsourced,
					       .fault_ctx = &unsourced};
		struct pts_err err = PTS_ERR_INIT;
		struct pts_buf bare = {0};
		struct spec *spec = NULL;

		pts_buf_add(&bare, text, (size_t)(at - text));
		pts_buf_puts(&bare, at + length);
		for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
			options.mode = mode;
			spec_read_text(name, bare.data, bare.length, &options, &spec, &err);
			spec_free(spec);
		}
		if (!unsourced && !strstr(at - 60, "note: equality"))
			print_error("%s: nothing misses the source at %.60s\n", name, at - 30);
		/* a value inside a sourced block keeps the block's source */
		assert_true(unsourced || strstr(at, "note: equality"));
		stripped++;
		pts_buf_release(&bare);
	}
	assert_true(stripped > 3);
	free(text);
	free(path);
}

static void a_value_without_its_source_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tests_of_the_standard) / sizeof(char *); i++)
		strip_sources(tests_of_the_standard[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_test_is_sound_and_sourced),
		cmocka_unit_test(workloads_are_sound_and_labelled),
		cmocka_unit_test(check_reports_each_fault_once),
		cmocka_unit_test(optional_workloads_are_a_parameter),
		cmocka_unit_test(no_key_may_be_misspelt),
		cmocka_unit_test(a_value_without_its_source_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
