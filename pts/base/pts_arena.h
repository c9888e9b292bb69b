/* Bump allocator: everything a spec or a plan owns is freed at once. Zeroed memory, never NULL
 * (out of memory aborts: these objects are small and made before anything is at stake). */
#ifndef PTS_ARENA_H
#define PTS_ARENA_H

#include <stddef.h>

struct pts_arena;

struct pts_arena *pts_arena_new(void);
void pts_arena_free(struct pts_arena *arena); /* NULL is legal */
void *pts_arena_alloc(struct pts_arena *arena, size_t bytes);
char *pts_arena_strdup(struct pts_arena *arena, const char *text);
char *pts_arena_strndup(struct pts_arena *arena, const char *text, size_t bytes);
char *pts_arena_printf(struct pts_arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define PTS_ARENA_NEW(arena, type) ((type *)pts_arena_alloc(arena, sizeof(type)))
#define PTS_ARENA_ARRAY(arena, type, count)                                                    \
	((type *)pts_arena_alloc(arena, sizeof(type) * (count)))

#endif
