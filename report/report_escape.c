/*
 * Escaping for HTML, CSV, Markdown, gnuplot and plain text. Must not know pages or tables: text in, text
 * out. A model name may hold anything that an identify field can hold, and we run as root.
 */
#include "report_escape_internal.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static unsigned sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xC2 && lead <= 0xDF)
		return 2;
	if (lead >= 0xE0 && lead <= 0xEF)
		return 3;
	if (lead >= 0xF0 && lead <= 0xF4)
		return 4;
	return 0;
}

int32_t escape_next(const char **text)
{
	static const int32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)*text;
	unsigned length = sequence_length(at[0]);
	int32_t code;
	unsigned i;

	if (at[0] == 0)
		return 0;
	*text += 1;
	if (length == 0)
		return -1;
	code = length == 1 ? at[0] : at[0] & (0xFF >> (length + 1));
	for (i = 1; i < length; i++) {
		if ((at[i] & 0xC0) != 0x80)
			return -1;
		code = code << 6 | (at[i] & 0x3F);
	}
	if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		return -1;
	*text += length - 1;
	return code;
}

/* Control characters (C0, DEL, C1), line separators and bidirectional overrides. */
static bool is_control(int32_t code)
{
	return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x2028 ||
	       code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

static void add_shown(struct pts_buf *buf, const char *from, const char *to)
{
	for (; from < to; from++)
		pts_buf_printf(buf, "\\x%02x", (unsigned char)*from);
}

void escape_plain(struct pts_buf *buf, const char *text, int keep_lines)
{
	const char *from = text;
	int32_t code;

	pts_buf_puts(buf, "");
	while ((code = escape_next(&text)) != 0) {
		if (code < 0 || (is_control(code) && !(keep_lines && code == '\n')))
			add_shown(buf, from, text);
		else
			pts_buf_add(buf, from, (size_t)(text - from));
		from = text;
	}
}

void escape_html(struct pts_buf *buf, const char *text)
{
	const char *from = text;
	int32_t code;

	pts_buf_puts(buf, "");
	while ((code = escape_next(&text)) != 0) {
		if (code == '&')
			pts_buf_puts(buf, "&amp;");
		else if (code == '<')
			pts_buf_puts(buf, "&lt;");
		else if (code == '>')
			pts_buf_puts(buf, "&gt;");
		else if (code == '"')
			pts_buf_puts(buf, "&quot;");
		else if (code == '\'')
			pts_buf_puts(buf, "&#39;");
		else if (code < 0 || (is_control(code) && code != '\n' && code != '\t'))
			add_shown(buf, from, text);
		else
			pts_buf_add(buf, from, (size_t)(text - from));
		from = text;
	}
}

/* What a spreadsheet takes for the start of a formula, the full-width forms included. */
static bool begins_formula(const char *text)
{
	int32_t code = escape_next(&text);

	return code == '=' || code == '+' || code == '-' || code == '@' || code == '\t' ||
	       code == '\r' || code == '\n' || code == 0xFF1D || code == 0xFF0B ||
	       code == 0xFF0D || code == 0xFF20;
}

static void csv_field(struct pts_buf *buf, const char *text, bool quote)
{
	const char *from = text;
	int32_t code;

	pts_buf_puts(buf, quote ? "\"" : "");
	pts_buf_puts(buf, begins_formula(text) ? "'" : "");
	while ((code = escape_next(&text)) != 0) {
		bool blank = code == '\t' || code == '\r' || code == '\n';

		if (code < 0 || (is_control(code) && !blank))
			add_shown(buf, from, text);
		else
			pts_buf_add(buf, from, (size_t)(text - from));
		if (code == '"')
			pts_buf_puts(buf, "\"");
		from = text;
	}
	pts_buf_puts(buf, quote ? "\"" : "");
}

void escape_csv(struct pts_buf *buf, const char *text)
{
	csv_field(buf, text,
		  strpbrk(text, ",;\t\"\r\n") != NULL || text[0] == ' ' ||
			  (text[0] != '\0' && text[strlen(text) - 1] == ' '));
}

void escape_csv_text(struct pts_buf *buf, const char *text)
{
	csv_field(buf, text, true);
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (unsigned char)c >= 0x80;
}

static bool starts_with(const char *text, const char *start)
{
	return strncasecmp(text, start, strlen(start)) == 0;
}

/*
 * The byte of the start that Markdown would take for the mark of a list or for a rule ("- ",
 * "12. ", "---"), or -1.
 */
static int list_mark(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	bool rule = text[0] == '-' && strspn(text, "- ") == strlen(text);

	if (strchr(digits > 0 ? ".)" : "+-", text[digits]) == NULL || text[digits] == '\0')
		return -1;
	if (rule || text[digits + 1] == ' ' || text[digits + 1] == '\0')
		return (int)digits;
	return -1;
}

/* Where a tracker would make a link, a mention or a reference, which no backslash prevents. */
static bool begins_link(const char *at)
{
	return at[0] == '@' || starts_with(at, "://") ||
	       (at[0] == '#' && at[1] >= '0' && at[1] <= '9');
}

void escape_markdown(struct pts_buf *buf, const char *text)
{
	static const char cut[] = "<!-- -->"; /* shows nothing, parts what stands around it */
	struct pts_buf plain = {0};
	const char *at, *start;
	int mark;

	escape_plain(&plain, text, 0);
	start = plain.data + strspn(plain.data, " ");
	mark = list_mark(start);
	pts_buf_puts(buf, "");
	for (at = start; *at != '\0'; at++) {
		bool inner = at > start && is_word(at[-1]) && is_word(at[1]);

		if (strchr("\\`*[]<>|~$&", *at) != NULL || (*at == '_' && !inner) ||
		    (*at == '#' && !begins_link(at)) || at - start == mark)
			pts_buf_puts(buf, "\\");
		pts_buf_add(buf, at, 1);
		if (begins_link(at) || (at >= start + 2 && *at == 'w' && at[1] == '.' &&
					starts_with(at - 2, "www")))
			pts_buf_puts(buf, cut);
	}
	pts_buf_release(&plain);
}

/* Wide characters of East Asia and pictures; marks that stand on the one before. */
static unsigned columns_of(int32_t code)
{
	static const int32_t wide[][2] = {
		{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF}, {0xAC00, 0xD7A3},
		{0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6},
		{0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD},
	};

	if (code >= 0x300 && code <= 0x36F)
		return 0;
	for (unsigned i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		if (code >= wide[i][0] && code <= wide[i][1])
			return 2;
	}
	return 1;
}

unsigned escape_columns(const char *text, size_t bytes)
{
	const char *end = text + bytes;
	unsigned count = 0;
	int32_t code;

	while (text < end && (code = escape_next(&text)) != 0)
		count += code < 0 ? 1 : columns_of(code);
	return count;
}

/*
 * Characters that the report's font (DejaVu Sans) surely has. gnuplot's PDF terminal draws the
 * "no glyph" box of any other one so large that it hides the page, so those are shown as U+XXXX.
 */
static bool has_glyph(int32_t code)
{
	static const int32_t ranges[][2] = {
		{0x20, 0x7E},     {0xA0, 0xAC},     {0xAE, 0x2E9},    {0x384, 0x38A},
		{0x38C, 0x38C},   {0x38E, 0x3A1},   {0x3A3, 0x482},   {0x48A, 0x525},
		{0x1E00, 0x1EFB}, {0x2010, 0x2027}, {0x2030, 0x205E}, {0x2070, 0x2071},
		{0x2074, 0x208E}, {0x20A0, 0x20B5}, {0x2100, 0x2109}, {0x210B, 0x2149},
		{0x2150, 0x2185}, {0x2190, 0x22FF},
	};

	for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (code >= ranges[i][0] && code <= ranges[i][1])
			return true;
	}
	return false;
}

/*
 * gnuplot 5.4 reads '' as a quote only after another character: at the start of a string, or
 * after another pair, it ends the string there and runs the rest of it as commands. Such a quote
 * is written as a typographic one.
 */
void escape_gnuplot(struct pts_buf *buf, const char *text)
{
	const char *from = text;
	bool may_double = false;
	int32_t code;

	pts_buf_puts(buf, "'");
	while ((code = escape_next(&text)) != 0) {
		if (code == '\'')
			pts_buf_puts(buf, may_double ? "''" : "\xE2\x80\x99");
		else if (code < 0 || is_control(code))
			add_shown(buf, from, text);
		else if (!has_glyph(code))
			pts_buf_printf(buf, "U+%04X", (unsigned)code);
		else
			pts_buf_add(buf, from, (size_t)(text - from));
		may_double = code != '\'' || !may_double;
		from = text;
	}
	pts_buf_puts(buf, "'");
}
