/* A small sound spec, and a check of what the reader says when a piece of it is replaced. */
#ifndef TEST_SPEC_FAULTS_H
#define TEST_SPEC_FAULTS_H

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

struct fault_case {
	const char *title, *find, *replace, *faults; /* lines "LINE:COLUMN: text" */
};

static const char sound[] =
	"title: T\n"
	"parameters:\n"
	"  cell_time: {value: 60s, help: h}\n"
	"  max_rounds: 25\n"
	"workloads:\n"
	"  w:\n"
	"    access: random\n"
	"    threads: 1\n"
	"    queue_depth: 1\n"
	"steps:\n"
	"  - rounds:\n"
	"      name: rounds\n"
	"      workload: w\n"
	"      axes:\n"
	"        - rw_mix: [100/0, 0/100]\n"
	"        - block_size: [4KiB, 8KiB]\n"
	"      cell_time: $cell_time\n"
	"      max_rounds: $max_rounds\n"
	"      steady:\n"
	"        window: 5\n"
	"        range: 20%\n"
	"        slope: 10%\n"
	"        track:\n"
	"          - {name: a, metric: iops, rw_mix: 0/100, block_size: 4KiB}\n"
	"pages:\n"
	"  - kind: window\n"
	"    title: P\n"
	"    step: rounds\n"
	"    track: a\n";

static void collect(void *ctx, const char *line)
{
	pts_buf_printf(ctx, "%s\n", line);
}

/* Reads the text as "t.yaml" and returns its faults without that name; the caller's to free(). */
static char *faults_of(const char *text, size_t bytes, struct spec_options *options,
		       enum pts_exit *ret_exit)
{
	struct pts_err err = PTS_ERR_INIT;
	struct pts_buf said = {0}, bare = {0};
	struct spec *spec = NULL;
	int rc;

	options->fault = collect;
	options->fault_ctx = &said;
	rc = spec_read_text("t.yaml", text, bytes, options, &spec, &err);
	assert_int_equal(rc != 0, said.length > 0);
	assert_true((rc == 0) == (spec != NULL));
	if (rc) /* the error object holds the first fault */
		assert_memory_equal(said.data, err.text, strlen(err.text));
	*ret_exit = err.exit;
	for (char *line = said.data; line && *line; line = strchr(line, '\n') + 1) {
		size_t length = strcspn(line, "\n");

		if (strncmp(line, "t.yaml:", 7) == 0) {
			line += 7;
			length -= 7;
		}
		pts_buf_add(&bare, line, length + 1);
	}
	pts_buf_puts(&bare, "");
	pts_buf_release(&said);
	spec_free(spec);
	return pts_buf_take(&bare);
}

/* The sound text with one piece replaced; the caller's to free(). */
static inline char *replaced(const char *find, const char *replace)
{
	const char *at = strstr(sound, find);
	struct pts_buf text = {0};

	assert_non_null(at);
	pts_buf_add(&text, sound, (size_t)(at - sound));
	pts_buf_puts(&text, replace);
	pts_buf_puts(&text, at + strlen(find));
	return pts_buf_take(&text);
}

static inline void check_fault_cases(const struct fault_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct spec_options options = {.mode = SPEC_ENTERPRISE};
		char *text = replaced(cases[i].find, cases[i].replace), *faults;
		enum pts_exit exit;

		faults = faults_of(text, strlen(text), &options, &exit);
		if (strcmp(faults, cases[i].faults) != 0)
			print_error("case '%s':\n%s", cases[i].title, faults);
		assert_string_equal(faults, cases[i].faults);
		assert_int_equal(exit, PTS_EXIT_SPEC);
		free(faults);
		free(text);
	}
}

#endif
