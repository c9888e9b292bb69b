/*
 * The bytes of a file before YAML sees them: what no spec may hold and what would make the
 * parser slow or its places unclear. Knows nothing of YAML but its signs for anchors.
 */
#include <stdio.h>
#include <string.h>

#include "spec_internal.h"

struct scan {
	struct spec_reader *r;
	unsigned line, column; /* of the next character, from 1 */
	size_t line_bytes;
	unsigned anchors, faults;
};

/* Length of the UTF-8 character at text, 0 if it is none (RFC 3629: no overlong forms, no
 * surrogates, at most U+10FFFF). */
static size_t character(const unsigned char *text, size_t left, uint32_t *ret_code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = text[0] < 0x80   ? 1
			: text[0] < 0xc2 ? 0
			: text[0] < 0xe0 ? 2
			: text[0] < 0xf0 ? 3
			: text[0] < 0xf5 ? 4
					 : 0;
	uint32_t code;

	if (!length || length > left)
		return 0;
	code = length == 1 ? text[0] : text[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < least[length] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	*ret_code = code;
	return length;
}

/* Characters that YAML takes for line ends or refuses; the places would be unclear. */
static bool odd(uint32_t code)
{
	return (code < 0x20 && code != '\n' && code != '\r') || (code >= 0x7f && code < 0xa0) ||
	       code == 0x2028 || code == 0x2029 || code == 0xfeff || code == 0xfffe ||
	       code == 0xffff;
}

static void fault(struct scan *scan, const char *text)
{
	scan->faults++;
	spec_fault_place(scan->r, scan->line, scan->column, "%s", text);
}

static void judge(struct scan *scan, uint32_t code, bool crlf)
{
	char text[64];

	if (code == '\t') {
		fault(scan, "a tab: YAML is indented with blanks");
	} else if (code == '\0') {
		fault(scan, "a NUL byte: this is no text file");
	} else if (code == '\r' && !crlf) {
		fault(scan, "a carriage return alone: lines end with a newline");
	} else if (odd(code)) {
		snprintf(text, sizeof(text), "a control character (U+%04X)", (unsigned)code);
		fault(scan, text);
	} else if (code == '&' && ++scan->anchors == SPEC_ANCHORS_MOST) {
		fault(scan, "too many '&' in one file");
	}
	if (scan->line_bytes == SPEC_LINE_MOST)
		fault(scan, "the line is too long (4096 bytes at most)");
}

bool spec_scan(struct spec_reader *r, const char *text, size_t bytes)
{
	struct scan scan = {.r = r, .line = 1, .column = 1};
	const unsigned char *at = (const unsigned char *)text;
	uint32_t code = 0;
	size_t length;

	if (bytes > SPEC_FILE_MOST) {
		spec_fault_place(r, 1, 1, "the file is larger than 1 MiB");
		return false;
	}
	for (size_t i = 0; i < bytes && scan.faults < SPEC_FAULTS_SHOWN; i += length) {
		length = character(at + i, bytes - i, &code);
		if (!length) {
			fault(&scan, "bytes that are no valid UTF-8");
			return false;
		}
		if (!(i == 0 && code == 0xfeff)) /* a byte order mark may open the file */
			judge(&scan, code, i + 1 < bytes && at[i + 1] == '\n');
		scan.line_bytes += length;
		scan.column += i > 0 || code != 0xfeff;
		if (code == '\n') {
			scan.line++;
			scan.column = 1;
			scan.line_bytes = 0;
		}
	}
	return !scan.faults;
}
