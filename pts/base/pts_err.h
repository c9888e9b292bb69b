/*
 * The error object. It gets one message where the facts are; callers pass it through and only
 * the CLI prints it. A verdict (not steady, a claim failed) is not an error.
 */
#ifndef PTS_ERR_H
#define PTS_ERR_H

#include "pts_exit.h"

#define PTS_ERR_TEXT_MAX 1024

struct pts_err {
	enum pts_exit exit;          /* what the program will exit with */
	int error;                   /* errno value, 0 if none fits */
	char text[PTS_ERR_TEXT_MAX]; /* one line, no newline: what, where, what to do */
};

#define PTS_ERR_INIT                                                                           \
	{                                                                                      \
		.exit = PTS_EXIT_GOOD                                                          \
	}

/*
 * Sets *err (ignored if NULL; the first message wins, a second call does not overwrite it) and
 * returns -error, or -EIO if error is 0, so that `return pts_fail(err, ...)` reads well.
 */
int pts_fail(struct pts_err *err, enum pts_exit exit, int error, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Puts "text: " before the message that *err already holds (no effect on an empty one). */
void pts_err_prefix(struct pts_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void pts_err_clear(struct pts_err *err);

/* strerror in a fixed set of English texts, whatever the locale: "Device or resource busy". */
const char *pts_errno_text(int error);

#endif
