/* Bump allocator: blocks in a list, freed at once. */
#include "pts_arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 16384

struct block {
	struct block *next;
	size_t used, room;
	alignas(max_align_t) char data[];
};

struct pts_arena {
	struct block *first;
};

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

struct pts_arena *pts_arena_new(void)
{
	return must(calloc(1, sizeof(struct pts_arena)));
}

void pts_arena_free(struct pts_arena *arena)
{
	if (!arena)
		return;
	while (arena->first) {
		struct block *next = arena->first->next;

		free(arena->first);
		arena->first = next;
	}
	free(arena);
}

void *pts_arena_alloc(struct pts_arena *arena, size_t bytes)
{
	const size_t align = alignof(max_align_t);
	struct block *block = arena->first;
	char *memory;

	if (bytes > SIZE_MAX / 2)
		abort();
	bytes = (bytes + align - 1) / align * align;
	if (!block || block->room - block->used < bytes) {
		size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

		block = must(calloc(1, sizeof(*block) + room));
		block->room = room;
		block->next = arena->first;
		arena->first = block;
	}
	memory = block->data + block->used;
	block->used += bytes;
	return memory;
}

char *pts_arena_strndup(struct pts_arena *arena, const char *text, size_t bytes)
{
	char *copy = pts_arena_alloc(arena, bytes + 1);

	memcpy(copy, text, bytes);
	return copy;
}

char *pts_arena_strdup(struct pts_arena *arena, const char *text)
{
	return pts_arena_strndup(arena, text, strlen(text));
}

char *pts_arena_printf(struct pts_arena *arena, const char *fmt, ...)
{
	char *text = NULL, *copy;
	va_list args;
	int length;

	va_start(args, fmt);
	length = vasprintf(&text, fmt, args);
	va_end(args);
	if (length < 0)
		abort();
	copy = pts_arena_strndup(arena, text, (size_t)length);
	free(text);
	return copy;
}
