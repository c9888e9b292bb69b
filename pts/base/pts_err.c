/* The error object. Must not print: only the CLI does. */
#include "pts_err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One line: a message that quotes hostile bytes must not break the terminal or a log. */
static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = ' ';
}

int pts_fail(struct pts_err *err, enum pts_exit exit, int error, const char *fmt, ...)
{
	va_list args;

	if (err && !err->text[0]) {
		err->exit = exit;
		err->error = error;
		va_start(args, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, args);
		va_end(args);
		one_line(err->text);
	}
	return error ? -error : -EIO;
}

void pts_err_prefix(struct pts_err *err, const char *fmt, ...)
{
	char before[PTS_ERR_TEXT_MAX];
	size_t used, kept;
	va_list args;

	if (!err || !err->text[0])
		return;
	va_start(args, fmt);
	vsnprintf(before, sizeof(before) - 2, fmt, args);
	va_end(args);
	used = strlen(before);
	memcpy(before + used, ": ", 3);
	used += 2;
	kept = strlen(err->text);
	/* What does not fit is lost at the end: the prefix says where, that comes first. */
	if (kept > sizeof(err->text) - 1 - used)
		kept = sizeof(err->text) - 1 - used;
	memmove(err->text + used, err->text, kept);
	memcpy(err->text, before, used);
	err->text[used + kept] = '\0';
	one_line(err->text);
}

void pts_err_clear(struct pts_err *err)
{
	if (err)
		*err = (struct pts_err)PTS_ERR_INIT;
}

const char *pts_errno_text(int error)
{
	const char *text = strerrordesc_np(error < 0 ? -error : error);

	return text ? text : "Unknown error";
}
