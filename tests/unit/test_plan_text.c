/*
 * The canonical text: golden files of all specs in both modes on 512 and 4096 byte LBAs
 * (tests/golden/plan; PTS_GOLDEN_UPDATE=1 writes them anew, for review as a diff), the same for
 * the same inputs, and different for everything that changes what is done.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "pts_text.h"

/* Odd on purpose: no multiple of 1 MiB, nor of the largest block. */
#define CAPACITY_512  250059350016
#define CAPACITY_4096 250059354112

static struct plan_device drive(uint32_t lba_bytes)
{
	return plan_fixture_drive(lba_bytes == 512 ? CAPACITY_512 : CAPACITY_4096, lba_bytes);
}

static char *text_of(const char *name, enum spec_mode mode, const char *sets,
		     const struct plan_device *device, char sha256[PTS_SHA256_TEXT])
{
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read(name, mode, sets), device, 0);
	char *text = plan_text(made.plan);

	if (sha256)
		strcpy(sha256, made.plan->sha256);
	plan_fixture_free(&made);
	return text;
}

static void check_golden(const char *name, enum spec_mode mode, uint32_t lba_bytes)
{
	const char *slash = strrchr(name, '/');
	struct plan_device device = drive(lba_bytes);
	char *text = text_of(name, mode, NULL, &device, NULL), *expected = NULL;
	char path[300];
	size_t bytes;

	snprintf(path, sizeof(path), "tests/golden/plan/%s-%s-%u.txt", slash ? slash + 1 : name,
		 spec_mode_text(mode), lba_bytes);
	if (getenv("PTS_GOLDEN_UPDATE"))
		assert_int_equal(pts_file_write(path, text, strlen(text)), 0);
	if (pts_file_read(path, 1 << 22, &expected, &bytes))
		fail_msg("no %s", path);
	if (strcmp(text, expected) != 0)
		fail_msg("the plan is not that of %s", path);
	free(text);
	free(expected);
}

static void plans_are_the_golden_ones(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PLAN_FIXTURE_SPECS; i++)
		for (int mode = 0; mode < SPEC_MODES; mode++)
			for (uint32_t lba = 512; lba <= 4096; lba *= 8)
				check_golden(plan_fixture_specs[i], (enum spec_mode)mode, lba);
}

/* Path, kernel's view of the cache, transport and estimates don't decide what is done. */
static void the_machine_leaves_no_trace(void **state)
{
	struct plan_device here = drive(512), there = drive(512);
	struct plan_fixture made;
	char one[PTS_SHA256_TEXT], *first, *second;

	(void)state;
	there.path = "/dev/other";
	there.transport = "sata";
	there.write_cache = "";
	first = text_of("iops", SPEC_CLIENT, NULL, &here, one);
	made = plan_fixture_make(plan_fixture_read("iops", SPEC_CLIENT, NULL), &there, 1234.5);
	second = plan_text(made.plan);
	assert_string_equal(first, second);
	assert_string_equal(one, made.plan->sha256);
	assert_null(strstr(first, "/dev/"));
	plan_fixture_free(&made);
	free(first);
	free(second);
}

static void the_hash_is_of_the_text(void **state)
{
	struct plan_device device = drive(4096);
	char said[PTS_SHA256_TEXT], hash[PTS_SHA256_TEXT];
	char *text = text_of("cbw", SPEC_CLIENT, NULL, &device, said);

	(void)state;
	pts_sha256_text(text, strlen(text), hash);
	assert_string_equal(said, hash);
	free(text);
}

static bool commas_set(void)
{
	static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};

	for (unsigned i = 0; i < sizeof(locales) / sizeof(locales[0]); i++)
		if (setlocale(LC_ALL, locales[i]))
			return localeconv()->decimal_point[0] == ',';
	return false;
}

static void a_locale_with_commas_changes_nothing(void **state)
{
	struct plan_device device = drive(512);
	char *before = text_of("cbw", SPEC_CLIENT, NULL, &device, NULL), *after;

	(void)state;
	if (!commas_set()) {
		free(before);
		print_message("no locale with a decimal comma is installed\n");
		skip();
	}
	after = text_of("cbw", SPEC_CLIENT, NULL, &device, NULL);
	setlocale(LC_ALL, "C");
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void another_drive_is_another_plan(void **state)
{
	struct plan_device device = drive(512), other = device;
	char one[PTS_SHA256_TEXT], two[PTS_SHA256_TEXT];

	(void)state;
	free(text_of("iops", SPEC_CLIENT, NULL, &device, one));
	other.identity = "SN-0002";
	free(text_of("iops", SPEC_CLIENT, NULL, &other, two));
	assert_string_not_equal(one, two);
	other = device;
	other.capacity_bytes += 512;
	free(text_of("iops", SPEC_CLIENT, NULL, &other, two));
	assert_string_not_equal(one, two);
	other = device;
	other.purge_name = "none";
	free(text_of("iops", SPEC_CLIENT, NULL, &other, two));
	assert_string_not_equal(one, two);
	free(text_of("iops", SPEC_ENTERPRISE, NULL, &device, two));
	assert_string_not_equal(one, two);
}

/* The text without its parameters: what is left must follow from them. */
static char *steps_of(const char *name, const char *sets)
{
	struct plan_device device = drive(512);
	char *text = text_of(name, SPEC_ENTERPRISE, sets, &device, NULL), *save = NULL;
	struct pts_buf buf = {0};

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "  param ", 8) != 0)
			pts_buf_printf(&buf, "%s\n", line);
	free(text);
	return pts_buf_take(&buf);
}

/* What pages take from parameters: it stands in the plan's JSON, not among the steps. */
static double levels_of(const struct spec *spec)
{
	double sum = 0;

	for (unsigned i = 0; i < spec->page_count; i++)
		sum += spec->pages[i].level_share;
	return sum;
}

static bool differs_with(const char *name, const struct spec *from,
			 const struct spec_param *param, const char *value, const char *plain,
			 bool *ret_tried)
{
	struct spec *spec;
	char set[200], *steps;
	bool differs;

	snprintf(set, sizeof(set), "%s=%s", param->name, value);
	spec = plan_fixture_try(name, SPEC_ENTERPRISE, set);
	if (!spec)
		return false;
	for (unsigned i = 0; i < spec->param_count; i++)
		if (!strcmp(spec->params[i].name, param->name))
			*ret_tried = *ret_tried || spec->params[i].overridden;
	differs = levels_of(spec) != levels_of(from);
	spec_free(spec);
	steps = steps_of(name, set);
	differs = differs || strcmp(steps, plain) != 0;
	free(steps);
	return differs;
}

/* A parameter that could be changed without changing the steps would be printed, but not done. */
static void every_parameter_changes_what_is_done(void **state)
{
	static const char *const values[] = {
		"7",       "7s",       "3x capacity", "64KiB", "50%",        "50/50",
		"zero",    "continue", "enabled",     "false", "16KiB",      "7s,9s",
		"10%,20%", "oltp",     "oltp_2",      "3ms",   "write_cache"};

	(void)state;
	for (unsigned n = 0; n < PLAN_FIXTURE_SPECS; n++) {
		const char *name = plan_fixture_specs[n];
		struct spec *spec = plan_fixture_read(name, SPEC_ENTERPRISE, NULL);
		char *plain = steps_of(name, NULL);

		for (unsigned p = 0; p < spec->param_count; p++) {
			bool differs = false, tried = false;

			for (unsigned v = 0; v < sizeof(values) / sizeof(values[0]) && !differs;
			     v++)
				differs = differs_with(name, spec, &spec->params[p], values[v],
						       plain, &tried);
			if (!tried || !differs)
				fail_msg("%s: --set %s %s", name, spec->params[p].name,
					 tried ? "changes no step"
					       : "takes none of the values");
		}
		free(plain);
		spec_free(spec);
	}
}

static void odd_texts_are_quoted(void **state)
{
	struct plan_device device = drive(512);
	char *text;

	(void)state;
	device.identity = "A\"B\\C capacity=1B";
	text = text_of("iops", SPEC_CLIENT, NULL, &device, NULL);
	assert_non_null(strstr(text, "identity=\"A\\\"B\\\\C capacity=1B\" capacity=250059"));
	free(text);
}

static void labels_are_canonical(void **state)
{
	struct plan_device device = drive(512);
	struct plan_fixture made =
		plan_fixture_make(plan_fixture_read("tp", SPEC_ENTERPRISE, NULL), &device, 0);

	(void)state;
	assert_string_equal(plan_fixture_step(made.plan, "WIPC 128KiB")->cells[0].label,
			    "SEQ 128KiB 0/100 T1Q32");
	assert_string_equal(plan_fixture_step(made.plan, "rounds 1024KiB")->cells[0].label,
			    "SEQ 1024KiB 100/0 T1Q32");
	assert_string_equal(plan_fixture_step(made.plan, "rounds 1024KiB")->tracks[0].name,
			    "SEQ 1024KiB 0/100");
	assert_int_equal(plan_fixture_step(made.plan, "rounds 1024KiB")->tracks[0].cell, 1);
	plan_fixture_free(&made);
	made = plan_fixture_make(plan_fixture_read("dirth", SPEC_ENTERPRISE, NULL), &device, 0);
	assert_string_equal(plan_fixture_step(made.plan, "histogram mid")->cells[0].label,
			    "RND 8KiB 65/35 at mid");
	assert_string_equal(plan_fixture_step(made.plan, "histogram mid")->cells[0].point,
			    "mid");
	plan_fixture_free(&made);
}

/* Where a response time is the result, the engine must not batch (LAT, histograms, points that
 * are chosen by latency); where IOPS are, it may. */
static void response_times_are_marked(void **state)
{
	static const struct {
		const char *spec, *phase;
		bool response_time;
	} cases[] = {
		{"lat", "rounds", true},         {"lat", "histogram", true},
		{"lat", "WIPC", false},          {"iops", "rounds", false},
		{"iops", "WIPC", false},         {"tp", "rounds 128KiB", false},
		{"wsat", "saturation", false},   {"wsat", "histogram", true},
		{"cbw", "demand", true},         {"cbw", "histogram max", true},
		{"cbw", "pre-write max", false},
	};
	struct plan_device device = drive(512);

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct plan_fixture made = plan_fixture_make(
			plan_fixture_read(cases[i].spec, SPEC_ENTERPRISE, NULL), &device, 0);
		const struct plan_step *step = plan_fixture_step(made.plan, cases[i].phase);

		for (unsigned c = 0; c < step->cell_count; c++)
			assert_int_equal(step->cells[c].response_time, cases[i].response_time);
		plan_fixture_free(&made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_are_the_golden_ones),
		cmocka_unit_test(the_machine_leaves_no_trace),
		cmocka_unit_test(the_hash_is_of_the_text),
		cmocka_unit_test(a_locale_with_commas_changes_nothing),
		cmocka_unit_test(another_drive_is_another_plan),
		cmocka_unit_test(every_parameter_changes_what_is_done),
		cmocka_unit_test(odd_texts_are_quoted),
		cmocka_unit_test(labels_are_canonical),
		cmocka_unit_test(response_times_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
