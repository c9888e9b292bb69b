/* Progress of a run. The live line fits the terminal's width and is written over itself. */
#include "cli_progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pts_text.h"
#include "pts_units.h"

int cli_progress_init(struct cli_progress *progress, const struct cli_args *args,
		      struct pts_err *err)
{
	static const char *const names[] = {"auto", "plain", "json", "none"};
	const char *text = cli_value(args, "progress");

	*progress = (struct cli_progress){.kind = CLI_PROGRESS_NONE};
	if (!text)
		text = args->quiet ? "none" : "auto";
	if (!strcmp(text, "auto"))
		progress->kind = isatty(STDERR_FILENO) ? CLI_PROGRESS_LIVE : CLI_PROGRESS_PLAIN;
	else if (!strcmp(text, "plain"))
		progress->kind = CLI_PROGRESS_PLAIN;
	else if (!strcmp(text, "json"))
		progress->kind = CLI_PROGRESS_JSON;
	else if (strcmp(text, "none") != 0) {
		const char *near = pts_nearest(text, names, 4);

		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--progress is auto, plain, json or none, not '%s'%s%s%s", text,
				near ? " (" : "", near ? near : "", near ? "?)" : "");
	}
	return 0;
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->live_shown)
		fputs("\r\033[K", stderr);
	progress->live_shown = false;
}

static unsigned width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col
										: 80;
}

/* UTF-8 does not occur here but in names of phases: cut at a byte that begins a character. */
static void cut(char *text, unsigned columns)
{
	size_t length = strlen(text);

	if (length <= columns)
		return;
	length = columns;
	while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	text[length] = '\0';
}

static void remember(struct cli_progress *progress, const struct run_event *event)
{
	size_t used = 0;

	progress->steady[0] = '\0';
	for (unsigned i = 0; i < event->track_count && used < sizeof(progress->steady) - 40;
	     i++) {
		const struct run_track_state *track = &event->tracks[i];

		if (track->valid)
			used += (size_t)snprintf(
				progress->steady + used, sizeof(progress->steady) - used,
				"%s%.1f/%.1f%%%s", i ? " " : "", track->range_pct,
				track->slope_pct, track->steady ? "*" : "");
	}
}

static void live(struct cli_progress *progress, const struct run_event *event)
{
	char line[512], iops[40], left[48];

	pts_number_text(event->iops, 0, iops, sizeof(iops));
	pts_duration_human(event->left_likely_ns, left, sizeof(left));
	if (event->round)
		snprintf(line, sizeof(line),
			 "%s round %u/%u  cell %u/%u  %s  %s IOPS  %s%s%sleft %s", event->phase,
			 event->round, event->max_rounds, event->cell + 1, event->cell_count,
			 event->cell_label, iops, progress->steady[0] ? "range/slope " : "",
			 progress->steady, progress->steady[0] ? "  " : "", left);
	else
		snprintf(line, sizeof(line), "%s  %.0f%%  %s  %.0f MB/s  left %s", event->phase,
			 event->done_share * 100, event->cell_label ? event->cell_label : "",
			 event->mb_per_s, left);
	cut(line, width() - 1);
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
	progress->live_shown = true;
}

static void round_end(const struct run_event *event)
{
	fprintf(stderr, "%s round %u of at most %u done", event->phase, event->round,
		event->max_rounds);
	for (unsigned i = 0; i < event->track_count; i++) {
		const struct run_track_state *track = &event->tracks[i];
		char average[40];

		if (!track->valid)
			continue;
		pts_number_text(track->average, 1, average, sizeof(average));
		fprintf(stderr, "%s %s: average %s, range %.2f %%, slope %.2f %%%s",
			i ? ";" : ":", track->name, average, track->range_pct, track->slope_pct,
			track->steady ? ", steady" : "");
	}
	fputc('\n', stderr);
}

static void plain(const struct run_event *event)
{
	char left[48];

	pts_duration_human(event->left_likely_ns, left, sizeof(left));
	switch (event->kind) {
	case RUN_STEP_BEGIN:
		fprintf(stderr, "step %u of %u: %s %s (likely %s left)\n", event->step + 1,
			event->step_count, event->test, event->phase, left);
		break;
	case RUN_STEP_END:
		fprintf(stderr, "step %u of %u: %s %s: %s\n", event->step + 1,
			event->step_count, event->test, event->phase, event->text);
		break;
	case RUN_ROUND_END:
		round_end(event);
		break;
	case RUN_NOTE:
	case RUN_END:
		fprintf(stderr, "%s\n", event->text);
		break;
	default:
		break;
	}
}

static const char *const kinds[] = {
	[RUN_BEGIN] = "begin",
	[RUN_STEP_BEGIN] = "step_begin",
	[RUN_STEP_END] = "step_end",
	[RUN_ROUND_BEGIN] = "round_begin",
	[RUN_CELL_BEGIN] = "cell_begin",
	[RUN_PROGRESS] = "progress",
	[RUN_CELL_END] = "cell_end",
	[RUN_ROUND_END] = "round_end",
	[RUN_NOTE] = "note",
	[RUN_END] = "end",
};

static json_t *json_tracks(const struct run_event *event)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < event->track_count; i++) {
		const struct run_track_state *track = &event->tracks[i];
		json_t *object = json_object();

		json_object_set_new(object, "track", cli_json_text(track->name));
		json_object_set_new(object, "average",
				    track->valid ? cli_json_number(track->average)
						 : json_null());
		json_object_set_new(object, "range_pct",
				    track->valid ? cli_json_number(track->range_pct)
						 : json_null());
		json_object_set_new(object, "slope_excursion_pct",
				    track->valid ? cli_json_number(track->slope_pct)
						 : json_null());
		json_object_set_new(object, "steady", json_boolean(track->steady));
		json_array_append_new(list, object);
	}
	return list;
}

static void json_line(const struct run_event *event)
{
	json_t *object = json_object();

	json_object_set_new(object, "event", cli_json_text(kinds[event->kind]));
	json_object_set_new(object, "text", cli_json_text(event->text));
	json_object_set_new(object, "test", cli_json_text(event->test));
	json_object_set_new(object, "phase", cli_json_text(event->phase));
	json_object_set_new(object, "step", cli_json_u64(event->step));
	json_object_set_new(object, "round",
			    event->round ? cli_json_u64(event->round) : json_null());
	json_object_set_new(object, "cell", cli_json_u64(event->cell));
	json_object_set_new(object, "label", cli_json_text(event->cell_label));
	json_object_set_new(object, "iops", cli_json_number(event->iops));
	json_object_set_new(object, "mb_per_s", cli_json_number(event->mb_per_s));
	json_object_set_new(object, "done_pct", cli_json_number(event->done_share * 100));
	json_object_set_new(object, "left_likely_s",
			    cli_json_number((double)event->left_likely_ns / 1e9));
	json_object_set_new(object, "left_latest_s",
			    cli_json_number((double)event->left_latest_ns / 1e9));
	if (event->track_count)
		json_object_set_new(object, "tracks", json_tracks(event));
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
	putchar('\n');
	fflush(stdout);
	json_decref(object);
}

void cli_progress_event(void *ctx, const struct run_event *event)
{
	struct cli_progress *progress = ctx;

	if (event->kind == RUN_ROUND_END)
		remember(progress, event);
	switch (progress->kind) {
	case CLI_PROGRESS_JSON:
		json_line(event);
		break;
	case CLI_PROGRESS_LIVE:
		if (event->kind == RUN_PROGRESS) {
			live(progress, event);
			break;
		}
		cli_progress_end(progress);
		plain(event);
		break;
	case CLI_PROGRESS_PLAIN:
		plain(event);
		break;
	case CLI_PROGRESS_NONE:
		break;
	}
}
