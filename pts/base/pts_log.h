/* Log sink: one function pointer that the CLI sets; nothing in the rooms prints by itself. */
#ifndef PTS_LOG_H
#define PTS_LOG_H

enum pts_log_level {
	PTS_LOG_ERROR,
	PTS_LOG_WARN,
	PTS_LOG_INFO,
	PTS_LOG_DEBUG,
};

typedef void (*pts_log_fn)(void *ctx, enum pts_log_level level, const char *text);

/* NULL restores silence. Not thread safe: set it before threads start. */
void pts_log_set(pts_log_fn fn, void *ctx, enum pts_log_level most);

void pts_log(enum pts_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
