/* Text helpers: a growing buffer, nearest name, locale-free numbers, escaping of odd bytes. */
#ifndef PTS_TEXT_H
#define PTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pts_buf {
	char *data; /* always NUL terminated once something was added, else NULL */
	size_t length;
	size_t room;
};

void pts_buf_add(struct pts_buf *buf, const void *data, size_t bytes);
void pts_buf_puts(struct pts_buf *buf, const char *text);
void pts_buf_printf(struct pts_buf *buf, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void pts_buf_release(struct pts_buf *buf);
/* Hands the string over to the caller (free() it); never NULL. */
char *pts_buf_take(struct pts_buf *buf);

/* The one of names[0..count) nearest to text, or NULL if none is near enough to be meant. */
const char *pts_nearest(const char *text, const char *const *names, size_t count);

/*
 * A double as the shortest decimal text that reads back to the same value ('.' as the mark,
 * whatever the locale; "nan" and "inf" never: returns false for them and writes "").
 * room >= 32.
 */
bool pts_double_text(double value, char *text, size_t room);

/* Decimal text to double, whole string, '.' as the mark, no hex, nan or inf. 0 or -EINVAL. */
int pts_double_parse(const char *text, double *ret_value);

/* Whole number in decimal, whole string. 0, -EINVAL or -ERANGE. */
int pts_u64_parse(const char *text, uint64_t *ret_value);

/* Thousands separators: 1234567.891 with 1 digit after the mark -> "1,234,567.9". room >= 40. */
void pts_number_text(double value, int digits, char *text, size_t room);

/* Copies with control characters and bytes that are no valid UTF-8 shown as \xNN, blanks at
 * both ends trimmed: what an identify field needs before anybody prints it. */
void pts_printable(const char *raw, size_t raw_bytes, char *text, size_t room);

/* Reads a whole file of at most most_bytes. 0 or -errno (-EFBIG); *ret_text is NUL terminated
 * and the caller's to free(). */
int pts_file_read(const char *path, size_t most_bytes, char **ret_text, size_t *ret_bytes);

/* Writes through a temporary name in the same folder, fsync and rename: whole or not at all. */
int pts_file_write(const char *path, const void *data, size_t bytes);

#endif
