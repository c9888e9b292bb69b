/*
 * Faults of a reading: collected with their places, each once, reported in the order of the
 * file and bounded. Must not decide what a fault is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec_internal.h"

void *spec_grow(struct spec_reader *r, void *array, unsigned count, unsigned *room, size_t size)
{
	void *grown;

	if (count < *room)
		return array;
	*room = *room ? *room * 2 : 8;
	grown = pts_arena_alloc(r->arena, *room * size);
	if (count)
		memcpy(grown, array, count * size);
	return grown;
}

struct spec_where spec_where_of(const struct spec_reader *r, const struct spec_node *node)
{
	return (struct spec_where){r->file, node->line, node->column};
}

const char *spec_quoted(struct spec_reader *r, const char *text)
{
	char shown[4 * 60 + 8];
	size_t length = strlen(text);

	pts_printable(text, length > 60 ? 60 : length, shown, sizeof(shown) - 4);
	return pts_arena_printf(r->arena, "'%s%s'", shown, length > 60 ? "..." : "");
}

const char *spec_meant(struct spec_reader *r, const char *nearest)
{
	return nearest ? pts_arena_printf(r->arena, ", did you mean '%s'?", nearest) : "";
}

static void add(struct spec_reader *r, unsigned line, unsigned column, const char *text)
{
	for (unsigned i = 0; i < r->fault_count; i++)
		if (strcmp(r->faults[i].text, text) == 0)
			return;
	r->fault_seen++;
	r->file_faults += line > 0;
	if (r->fault_count == SPEC_FAULTS_KEPT)
		return;
	r->faults = spec_grow(r, r->faults, r->fault_count, &r->fault_room,
			      sizeof(struct spec_fault));
	r->faults[r->fault_count] = (struct spec_fault){line, column, r->fault_count,
							pts_arena_strdup(r->arena, text)};
	r->fault_count++;
}

#define SAID_ROOM 600

static void add_at(struct spec_reader *r, unsigned line, unsigned column, const char *said,
		   const char *suffix)
{
	add(r, line, column,
	    spec_path(r, "%s:%u:%u: %s%s", r->file, line, column, said, suffix));
}

void spec_fault_place(struct spec_reader *r, unsigned line, unsigned column, const char *fmt,
		      ...)
{
	char said[SAID_ROOM];
	va_list args;

	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	add_at(r, line, column, said, "");
}

/* A fault behind an alias names both places: the value's own and the alias that led to it. */
static void add_node(struct spec_reader *r, const struct spec_node *node, const char *said)
{
	char suffix[80] = "";

	if (node->alias_line)
		snprintf(suffix, sizeof(suffix), " (used by the alias at %u:%u)",
			 node->alias_line, node->alias_column);
	add_at(r, node->line, node->column, said, suffix);
}

void spec_fault_node(struct spec_reader *r, const struct spec_node *node, const char *fmt, ...)
{
	char said[SAID_ROOM];
	va_list args;

	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	add_node(r, node, said);
}

static void add_set(struct spec_reader *r, const struct spec_override *set, const char *said)
{
	const char *given = spec_path(r, "%s=%s", set->key, set->value);
	size_t length = strlen(given);
	char shown[4 * 60 + 8];

	pts_printable(given, length > 60 ? 60 : length, shown, sizeof(shown));
	add(r, 0, 0, spec_path(r, "--set %s%s: %s", shown, length > 60 ? "..." : "", said));
}

void spec_fault_set(struct spec_reader *r, const struct spec_override *set, const char *fmt,
		    ...)
{
	char said[SAID_ROOM];
	va_list args;

	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	add_set(r, set, said);
}

void spec_fault_item(struct spec_reader *r, const struct spec_item *item, const char *fmt, ...)
{
	char said[SAID_ROOM];
	va_list args;

	va_start(args, fmt);
	vsnprintf(said, sizeof(said), fmt, args);
	va_end(args);
	if (item->param && item->param->set)
		add_set(r, item->param->set, said);
	else
		add_node(r, item->node, said);
}

static int by_place(const void *left, const void *right)
{
	const struct spec_fault *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

int spec_fault_report(struct spec_reader *r, struct pts_err *err)
{
	const struct spec_options *options = r->options;
	enum pts_exit exit = r->file_faults ? PTS_EXIT_SPEC : PTS_EXIT_USAGE;

	if (!r->fault_count)
		return 0;
	qsort(r->faults, r->fault_count, sizeof(struct spec_fault), by_place);
	for (unsigned i = 0; i < r->fault_count && options && options->fault; i++) {
		if (i == SPEC_FAULTS_SHOWN) {
			const char *more = pts_arena_printf(
				r->arena, "%s:%u:%u: and %u more faults from here on", r->file,
				r->faults[i].line, r->faults[i].column,
				r->fault_seen - SPEC_FAULTS_SHOWN);
			options->fault(options->fault_ctx, more);
			break;
		}
		options->fault(options->fault_ctx, r->faults[i].text);
	}
	return pts_fail(err, exit, EINVAL, "%s", r->faults[0].text);
}
