/* Log sink. Must not print by itself. */
#include "pts_log.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static pts_log_fn sink;
static void *sink_ctx;
static enum pts_log_level sink_most;

void pts_log_set(pts_log_fn fn, void *ctx, enum pts_log_level most)
{
	sink = fn;
	sink_ctx = ctx;
	sink_most = most;
}

void pts_log(enum pts_log_level level, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	if (!sink || level > sink_most)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sink(sink_ctx, level, text);
}
