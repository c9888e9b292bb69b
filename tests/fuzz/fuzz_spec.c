/*
 * The spec reader against arbitrary bytes. With libFuzzer this is its target; with a plain
 * compiler main() replays the files it is given and, with --mutate N, N deterministic mutations
 * of them. Nothing may crash, leak or hang; whatever is refused must say where.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pts_hash.h"
#include "pts_text.h"
#include "spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void note(void *ctx, const char *line)
{
	if (strncmp(line, "fuzz.yaml:", 10) != 0 && strncmp(line, "--set ", 6) != 0)
		abort(); /* a fault without its place */
	++*(unsigned *)ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct spec_override set = {"cell_time", "7s"};

	for (unsigned mode = 0; mode < SPEC_MODES; mode++) {
		unsigned faults = 0;
		struct spec_options options = {.mode = mode,
					       .overrides = &set,
					       .override_count = 1,
					       .lenient_overrides = true,
					       .fault = note,
					       .fault_ctx = &faults};
		struct pts_err err = PTS_ERR_INIT;
		struct spec *spec;
		int rc = spec_read_text("fuzz.yaml", (const char *)data, size, &options, &spec,
					&err);

		if ((rc == 0) != (faults == 0) || (rc == 0) != (spec != NULL) || faults > 21)
			abort();
		spec_free(spec);
	}
	return 0;
}

#ifndef PTS_LIBFUZZER
struct corpus {
	char *text[256];
	size_t bytes[256];
	unsigned count;
};

static void add_path(struct corpus *corpus, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir) {
		if (corpus->count < 256 &&
		    pts_file_read(path, 4 << 20, &corpus->text[corpus->count],
				  &corpus->bytes[corpus->count]) == 0)
			corpus->count++;
		return;
	}
	while ((entry = readdir(dir))) {
		struct pts_buf below = {0};
		struct stat st;

		pts_buf_printf(&below, "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.' && stat(below.data, &st) == 0)
			add_path(corpus, below.data);
		pts_buf_release(&below);
	}
	closedir(dir);
}

static uint64_t below(uint64_t *state, uint64_t bound)
{
	return bound ? pts_splitmix64(state) % bound : 0;
}

/* One to four edits: a byte, a piece removed, a piece from another file, a word of the language,
 * or another small letter, which leaves the YAML sound. */
static void mutate(const struct corpus *corpus, uint64_t *state)
{
	static const char *const words[] = {
		"{",         "}",  "[",    "]",    "*a",    "&a ", "$",  "value: ", "- ",
		"\n",        "  ", ": ",   "100%", "0",     "\t",  "\"", "'",       "|\n",
		"for_each:", "{{", "\xff", "!!x ", "---\n", "? ",  "# "};
	unsigned from = (unsigned)below(state, corpus->count);
	struct pts_buf text = {0};

	pts_buf_add(&text, corpus->text[from], corpus->bytes[from]);
	for (uint64_t edits = 1 + below(state, 4); edits; edits--) {
		size_t at = below(state, text.length + 1), end = text.length, cut = at;
		unsigned kind = (unsigned)below(state, 8), other;
		struct pts_buf next = {0};

		pts_buf_add(&next, text.data, at);
		if (kind == 0) {
			char byte = (char)pts_splitmix64(state);

			pts_buf_add(&next, &byte, 1);
			cut = at + 1;
		} else if (kind == 1) {
			cut = at + below(state, 80);
		} else if (kind == 2) {
			size_t start, length;

			other = (unsigned)below(state, corpus->count);
			start = below(state, corpus->bytes[other]);
			length = below(state, 400);
			if (length > corpus->bytes[other] - start)
				length = corpus->bytes[other] - start;
			pts_buf_add(&next, corpus->text[other] + start, length);
		} else if (kind >= 5) {
			char letter = (char)('a' + below(state, 26));

			while (at < end && (text.data[at] < 'a' || text.data[at] > 'z'))
				pts_buf_add(&next, text.data + at++, 1);
			if (at < end)
				pts_buf_add(&next, &letter, 1);
			cut = at + 1;
		} else {
			pts_buf_puts(&next,
				     words[below(state, sizeof(words) / sizeof(words[0]))]);
			cut = at + below(state, 3);
		}
		if (cut < end)
			pts_buf_add(&next, text.data + cut, end - cut);
		pts_buf_release(&text);
		text = next;
	}
	LLVMFuzzerTestOneInput((const uint8_t *)(text.data ? text.data : ""), text.length);
	pts_buf_release(&text);
}

int main(int argc, char **argv)
{
	struct corpus corpus = {0};
	unsigned long mutations = 0;
	uint64_t state = 20260801;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--mutate") == 0 && i + 1 < argc)
			mutations = strtoul(argv[++i], NULL, 10);
		else
			add_path(&corpus, argv[i]);
	}
	if (!corpus.count) {
		fprintf(stderr, "usage: fuzz_spec [--mutate N] FILE|FOLDER...\n");
		return 2;
	}
	for (unsigned i = 0; i < corpus.count; i++)
		LLVMFuzzerTestOneInput((const uint8_t *)corpus.text[i], corpus.bytes[i]);
	for (unsigned long i = 0; i < mutations; i++)
		mutate(&corpus, &state);
	printf("%u files, %lu mutations\n", corpus.count, mutations);
	for (unsigned i = 0; i < corpus.count; i++)
		free(corpus.text[i]);
	return 0;
}
#endif
