/*
 * Compares `pts judge --json` with verdicts that rational arithmetic computed elsewhere.
 *
 *   judge_oracle windows EXPECTED.csv JUDGED.json   every window of every series (ss-expected)
 *   judge_oracle last VERDICTS.csv JUDGED.json      the last window, and Y/N from round 5 on
 *   judge_oracle split MULTI.json DIR               tracks as CSV files, for --series --series
 *
 * A figure may differ by 1e-9 of itself (and of the average where it is a difference).
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 32
#define NEAR   1e-9

static unsigned checked, wrong;

/* One CSV line in place; quotes are taken off. */
static unsigned split_line(char *line, char *fields[FIELDS])
{
	unsigned count = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (count < FIELDS) {
		char *out = line;

		fields[count++] = out;
		if (*line == '"') {
			for (line++; *line && *line != '"'; line++)
				*out++ = *line;
			line += *line == '"';
		} else {
			line += strcspn(line, ",");
			out = line;
		}
		if (!*line) {
			*out = '\0';
			break;
		}
		line++;
		*out = '\0';
	}
	return count;
}

static int column(char *fields[FIELDS], unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(fields[i], name))
			return (int)i;
	fprintf(stderr, "no column '%s'\n", name);
	exit(2);
}

static void fail(const char *series, long round, const char *what, const char *expected,
		 double got)
{
	wrong++;
	printf("%s, round %ld, %s: expected %s, judged %.17g\n", series, round, what, expected,
	       got);
}

/* scale: what a rounding error of the figure is relative to, beside itself */
static void figure(const char *series, long round, const json_t *window, const char *key,
		   const char *expected, double scale)
{
	const json_t *value = json_object_get(window, key);
	double got = json_number_value(value), want = strtod(expected, NULL);

	checked++;
	if (!*expected || !strcmp(expected, "nan")) {
		if (!json_is_null(value))
			fail(series, round, key, "null", got);
		return;
	}
	if (!json_is_number(value) ||
	    fabs(got - want) > NEAR * (fabs(want) > scale ? fabs(want) : scale))
		fail(series, round, key, expected, json_is_number(value) ? got : NAN);
}

static void flag(const char *series, long round, const json_t *window, const char *key,
		 bool want)
{
	const json_t *value = json_object_get(window, key);

	checked++;
	if (!json_is_boolean(value) || json_is_true(value) != want)
		fail(series, round, key, want ? "true" : "false", json_is_true(value));
}

static const json_t *series_of(const json_t *root, const char *name)
{
	const json_t *list = json_object_get(root, "series"), *one;
	size_t index;

	json_array_foreach(list, index, one)
	{
		if (!strcmp(json_string_value(json_object_get(one, "series")), name))
			return one;
	}
	return NULL;
}

static const json_t *window_of(const json_t *series, long round)
{
	const json_t *one;
	size_t index;

	json_array_foreach(json_object_get(series, "rounds"), index, one)
	{
		if (json_integer_value(json_object_get(one, "round")) == round)
			return one;
	}
	return NULL;
}

static size_t window_count(const json_t *root)
{
	const json_t *one;
	size_t index, count = 0;

	json_array_foreach(json_object_get(root, "series"), index, one)
	{
		count += json_array_size(json_object_get(one, "rounds"));
	}
	return count;
}

static FILE *opened(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file) {
		perror(path);
		exit(2);
	}
	return file;
}

/* series,round,avg,range,range_pct,slope,intercept_round0,fit_range,fit_pct,range_ok,... */
static void compare_windows(FILE *csv, const json_t *root)
{
	static const struct {
		const char *column, *key;
	} figures[] = {{"avg", "average"},
		       {"range", "range"},
		       {"range_pct", "range_pct"},
		       {"slope", "slope"},
		       {"intercept_round0", "intercept"},
		       {"fit_range", "slope_excursion"},
		       {"fit_pct", "slope_excursion_pct"}};
	static const char *const flags[] = {"range_ok", "slope_ok", "steady", "boundary"};
	char line[4096], head_line[4096], *head[FIELDS], *fields[FIELDS];
	unsigned columns, rows = 0;

	if (!fgets(head_line, sizeof(head_line), csv))
		exit(2);
	columns = split_line(head_line, head);
	while (fgets(line, sizeof(line), csv)) {
		const json_t *window;
		double average;
		long round;

		split_line(line, fields);
		rows++;
		round = strtol(fields[column(head, columns, "round")], NULL, 10);
		window = window_of(series_of(root, fields[0]), round);
		if (!window) {
			fail(fields[0], round, "window", "one", NAN);
			continue;
		}
		average = fabs(strtod(fields[column(head, columns, "avg")], NULL));
		for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
			bool pct = strstr(figures[i].column, "pct") != NULL;

			figure(fields[0], round, window, figures[i].key,
			       fields[column(head, columns, figures[i].column)],
			       pct ? 1 : average);
		}
		for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
			flag(fields[0], round, window, flags[i],
			     !strcmp(fields[column(head, columns, flags[i])], "1"));
	}
	if (rows != window_count(root)) {
		wrong++;
		printf("%u windows are expected, %zu were judged\n", rows, window_count(root));
	}
}

static void compare_letters(const char *name, const json_t *series, const char *letters,
			    const char *first)
{
	const json_t *got = json_object_get(series, "first_steady_round");
	long first_got = json_is_integer(got) ? (long)json_integer_value(got) : 0;

	checked++;
	if (first_got != strtol(first, NULL, 10))
		fail(name, 0, "first_steady_round", first, (double)first_got);
	for (size_t i = 0; letters[i]; i++) {
		const json_t *window = window_of(series, (long)i + 5);

		if (window)
			flag(name, (long)i + 5, window, "steady", letters[i] == 'Y');
		else
			fail(name, (long)i + 5, "window", "one", NAN);
	}
}

static void compare_last(FILE *csv, const json_t *root)
{
	static const struct {
		const char *column, *key;
	} figures[] = {{"average", "average"},
		       {"range", "range"},
		       {"slope_per_round", "slope"},
		       {"intercept", "intercept"},
		       {"fit_excursion", "slope_excursion"}};
	char line[4096], head_line[4096], *head[FIELDS], *fields[FIELDS];
	unsigned columns;

	if (!fgets(head_line, sizeof(head_line), csv))
		exit(2);
	columns = split_line(head_line, head);
	while (fgets(line, sizeof(line), csv)) {
		const char *name, *window_text;
		const json_t *series, *window;
		double average;
		long round;

		split_line(line, fields);
		name = fields[column(head, columns, "case_id")];
		series = series_of(root, name);
		window_text = fields[column(head, columns, "last_window")];
		if (!strchr(window_text, '-'))
			continue; /* fewer rounds than a window */
		round = strtol(strchr(window_text, '-') + 1, NULL, 10);
		window = window_of(series, round);
		if (!window) {
			fail(name, round, "window", "one", NAN);
			continue;
		}
		average = fabs(strtod(fields[column(head, columns, "average")], NULL));
		for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
			figure(name, round, window, figures[i].key,
			       fields[column(head, columns, figures[i].column)], average);
		figure(name, round, window, "r", fields[column(head, columns, "correlation_r")],
		       1);
		flag(name, round, window, "steady",
		     !strcmp(fields[column(head, columns, "last_window_steady")], "True"));
		compare_letters(name, series,
				fields[column(head, columns, "steady_by_round_from_5")],
				fields[column(head, columns, "first_steady_round")]);
	}
}

static void write_track(const char *dir, const char *id, size_t number, const char *name,
			const json_t *values)
{
	const json_t *value;
	char path[4096];
	size_t index;
	FILE *csv;

	snprintf(path, sizeof(path), "%s/%s.%zu.csv", dir, id, number);
	csv = opened(path, "w");
	fprintf(csv, "series,round,value\n");
	json_array_foreach(values, index, value)
	{
		fprintf(csv, "%s,%zu,%s\n", name, index + 1,
			json_is_string(value) ? json_string_value(value) : "");
	}
	fclose(csv);
}

static void split_cases(const json_t *root, const char *dir)
{
	const json_t *one;
	size_t index;

	json_array_foreach(json_object_get(root, "cases"), index, one)
	{
		const char *id = json_string_value(json_object_get(one, "id")), *name;
		const json_t *expected = json_object_get(json_object_get(one, "expected"),
							 "all_steady_same_round");
		json_t *tracks = json_object_get(one, "tracked"), *values;
		size_t number = 0;

		json_object_foreach(tracks, name, values)
		{
			write_track(dir, id, number++, name, values);
		}
		if (json_is_integer(expected))
			printf("%s %lld\n", id, (long long)json_integer_value(expected));
		else
			printf("%s null\n", id);
	}
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root;
	FILE *csv;

	if (argc != 4)
		return 2;
	root = json_load_file(argv[strcmp(argv[1], "split") ? 3 : 2], JSON_REJECT_DUPLICATES,
			      &error);
	if (!root) {
		fprintf(stderr, "%s: line %d: %s\n", argv[3], error.line, error.text);
		return 2;
	}
	if (!strcmp(argv[1], "split")) {
		split_cases(root, argv[3]);
		json_decref(root);
		return 0;
	}
	csv = opened(argv[2], "r");
	if (!strcmp(argv[1], "windows"))
		compare_windows(csv, root);
	else
		compare_last(csv, root);
	fclose(csv);
	json_decref(root);
	printf("%u figures and verdicts compared, %u wrong\n", checked, wrong);
	return wrong || !checked;
}
