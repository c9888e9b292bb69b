/* Text helpers: growing buffer, nearest name, odd bytes, whole files. */
#include "pts_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void buf_room(struct pts_buf *buf, size_t more)
{
	size_t room = buf->room ? buf->room : 256;

	if (more > SIZE_MAX / 4 || buf->length > SIZE_MAX / 4)
		abort();
	while (room < buf->length + more + 1)
		room *= 2;
	if (room == buf->room)
		return;
	buf->data = realloc(buf->data, room);
	if (!buf->data)
		abort();
	buf->room = room;
}

void pts_buf_add(struct pts_buf *buf, const void *data, size_t bytes)
{
	buf_room(buf, bytes);
	if (bytes)
		memcpy(buf->data + buf->length, data, bytes);
	buf->length += bytes;
	buf->data[buf->length] = '\0';
}

void pts_buf_puts(struct pts_buf *buf, const char *text)
{
	pts_buf_add(buf, text, strlen(text));
}

void pts_buf_printf(struct pts_buf *buf, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, fmt);
	length = vasprintf(&text, fmt, args);
	va_end(args);
	if (length < 0)
		abort();
	pts_buf_add(buf, text, (size_t)length);
	free(text);
}

void pts_buf_release(struct pts_buf *buf)
{
	free(buf->data);
	*buf = (struct pts_buf){0};
}

char *pts_buf_take(struct pts_buf *buf)
{
	char *text;

	pts_buf_add(buf, "", 0);
	text = buf->data;
	*buf = (struct pts_buf){0};
	return text;
}

/* Edit distance with transpositions (optimal string alignment), bounded by the row's size. */
static unsigned distance(const char *a, const char *b)
{
	enum { MOST = 64 };
	unsigned rows[3][MOST + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];
	size_t la = strlen(a), lb = strlen(b);

	if (la > MOST || lb > MOST)
		return UINT_MAX;
	for (size_t j = 0; j <= lb; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *spare = before;

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);

			if (above[j] + 1 < best)
				best = above[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			row[j] = best;
		}
		before = above;
		above = row;
		row = spare;
	}
	return above[lb];
}

const char *pts_nearest(const char *text, const char *const *names, size_t count)
{
	/* Up to a third of the word may be wrong, at least one letter. */
	unsigned best = (unsigned)strlen(text) / 3 + 2;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		unsigned d = distance(text, names[i]);

		if (d < best) {
			best = d;
			nearest = names[i];
		}
	}
	return nearest;
}

/* Length of a valid UTF-8 sequence at text (no overlong forms, no surrogates), 0 if none. */
static size_t utf8_length(const unsigned char *text, size_t room)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = text[0] < 0x80   ? 1
			: text[0] < 0xc0 ? 0
			: text[0] < 0xe0 ? 2
			: text[0] < 0xf0 ? 3
			: text[0] < 0xf8 ? 4
					 : 0;
	uint32_t code = text[0];

	if (length < 2)
		return length;
	if (length > room)
		return 0;
	code &= 0xffu >> (length + 1);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fu);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	/* C1 control characters are as bad as C0 ones */
	return code < 0xa0 ? 0 : length;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\0';
}

void pts_printable(const char *raw, size_t raw_bytes, char *text, size_t room)
{
	size_t used = 0;

	while (raw_bytes && is_blank(raw[raw_bytes - 1]))
		raw_bytes--;
	while (raw_bytes && is_blank(*raw)) {
		raw++;
		raw_bytes--;
	}
	while (raw_bytes) {
		size_t length = utf8_length((const unsigned char *)raw, raw_bytes);
		bool plain = length && (unsigned char)*raw >= 0x20 && *raw != 0x7f;
		size_t step = plain ? length : 1;

		if (used + (plain ? length : 4) + 1 > room)
			break;
		if (plain)
			memcpy(text + used, raw, length);
		else
			snprintf(text + used, 5, "\\x%02x", (unsigned char)*raw);
		used += plain ? length : 4;
		raw += step;
		raw_bytes -= step;
	}
	text[used] = '\0';
}

static int read_all(int fd, size_t most_bytes, struct pts_buf *buf)
{
	char chunk[65536];

	for (;;) {
		ssize_t got = read(fd, chunk, sizeof(chunk));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return 0;
		if (buf->length + (size_t)got > most_bytes)
			return -EFBIG;
		pts_buf_add(buf, chunk, (size_t)got);
	}
}

int pts_file_read(const char *path, size_t most_bytes, char **ret_text, size_t *ret_bytes)
{
	struct pts_buf buf = {0};
	int fd, rc;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = read_all(fd, most_bytes, &buf);
	close(fd);
	if (rc < 0) {
		pts_buf_release(&buf);
		return rc;
	}
	*ret_bytes = buf.length;
	*ret_text = pts_buf_take(&buf);
	return 0;
}

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes) {
		ssize_t put = write(fd, data, bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		data += put;
		bytes -= (size_t)put;
	}
	return 0;
}

int pts_file_write(const char *path, const void *data, size_t bytes)
{
	mode_t mask = umask(0);
	char *temporary = NULL;
	int fd, rc;

	umask(mask);
	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		rc = -errno;
		free(temporary);
		return rc;
	}
	rc = write_all(fd, data, bytes);
	if (!rc && (fchmod(fd, 0666 & ~mask) < 0 || fsync(fd) < 0))
		rc = -errno;
	if (close(fd) < 0 && !rc)
		rc = -errno;
	if (!rc && rename(temporary, path) < 0)
		rc = -errno;
	if (rc)
		unlink(temporary);
	free(temporary);
	return rc;
}
