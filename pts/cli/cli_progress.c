/*
 * How a run looks while it goes on. Everything but JSON lines goes to stderr. Must not know how
 * anything is measured: it shows what the events say.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"
#include "cli_out.h"
#include "cli_progress.h"
#include "pts_clock.h"
#include "pts_text.h"
#include "pts_units.h"

#define TRACKS_MOST     16
#define PLAIN_CELL_NS   (10 * PTS_NS_PER_S) /* plain: at most one cell line in this time */
#define PLAIN_UPDATE_NS (60 * PTS_NS_PER_S) /* plain: a long phase says that it lives */
#define LIVE_NS         (PTS_NS_PER_S / 20) /* live: no eye needs more */

struct cli_progress {
	enum cli_progress_how how;
	bool shown;                              /* the live line is on the screen */
	uint64_t plain_ns, live_ns;              /* of the last line, on the onlooker's clock */
	uint64_t left_likely_ns, left_latest_ns; /* as it was said last */
	struct run_event round;                  /* of the last closed round: its tracks */
	struct run_track_state tracks[TRACKS_MOST];
};

int cli_progress_parse(const char *text, enum cli_progress_how *ret_how, struct pts_err *err)
{
	const char *term = getenv("TERM");
	bool live = isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;

	if (!text || !strcmp(text, "auto"))
		*ret_how = live ? CLI_PROGRESS_LIVE : CLI_PROGRESS_PLAIN;
	else if (!strcmp(text, "plain"))
		*ret_how = CLI_PROGRESS_PLAIN;
	else if (!strcmp(text, "json"))
		*ret_how = CLI_PROGRESS_JSON;
	else if (!strcmp(text, "none"))
		*ret_how = CLI_PROGRESS_NONE;
	else
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--progress '%s': there are auto, plain, json and none", text);
	return 0;
}

struct cli_progress *cli_progress_new(enum cli_progress_how how)
{
	struct cli_progress *progress = calloc(1, sizeof(*progress));

	if (!progress)
		abort();
	progress->how = how;
	return progress;
}

void cli_metric_text(const char *metric, double value, char *text, size_t room)
{
	static const struct {
		const char *metric, *unit;
		double per;
		int digits;
	} units[] = {{"iops", "IOPS", 1, 1},
		     {"mb_per_s", "MB/s", 1, 2},
		     {"lat_mean", "us mean", 1e3, 2},
		     {"lat_p99999", "us 99.999 %", 1e3, 2},
		     {"lat_max", "us maximum", 1e3, 2},
		     {"cpu_system", "% system", 1, 2}};
	char number[64];

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].metric, metric) != 0)
			continue;
		pts_number_text(value / units[i].per, units[i].digits, number, sizeof(number));
		snprintf(text, room, "%s %s", number, units[i].unit);
		return;
	}
	pts_number_text(value, 3, number, sizeof(number));
	snprintf(text, room, "%s %s", number, metric);
}

static unsigned screen_width(void)
{
	struct winsize size;

	/* asked for each line, so that a resized window is right at the next one */
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

static void clear_line(struct cli_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}

static void draw_line(struct cli_progress *progress, const struct run_event *event)
{
	uint64_t now_ns = pts_onlooker_ns();
	char *line;

	/* the cells of a virtual drive end hundreds of times a second */
	if (event->kind == RUN_PROGRESS && now_ns - progress->live_ns < LIVE_NS)
		return;
	progress->live_ns = now_ns;
	line = cli_progress_line(event, &progress->round, screen_width());
	fputs("\r", stderr);
	cli_put(stderr, line);
	fputs("\033[K", stderr);
	fflush(stderr);
	progress->shown = true;
	free(line);
}

static void stamp(const struct cli_progress *progress)
{
	char wall[32];

	if (progress->how != CLI_PROGRESS_PLAIN)
		return;
	pts_wall_text(pts_wall_ns(), wall, sizeof(wall));
	cli_say(stderr, "%s%s ", pts_clock_is_virtual() ? "virtual " : "", wall);
}

/* "at most 3 h" for people */
static void left_text(const struct run_event *event, char *text, size_t room)
{
	char likely[64], latest[64];

	pts_duration_human(event->left_likely_ns, likely, sizeof(likely));
	pts_duration_human(event->left_latest_ns, latest, sizeof(latest));
	snprintf(text, room, "%s left, at most %s", likely, latest);
}

static bool any_window(const struct run_event *event)
{
	for (unsigned i = 0; i < event->track_count; i++)
		if (event->tracks[i].valid)
			return true;
	return false;
}

static void say_tracks(const struct cli_progress *progress, const struct run_event *event)
{
	for (unsigned i = 0; i < event->track_count; i++) {
		const struct run_track_state *track = &event->tracks[i];

		stamp(progress);
		cli_say(stderr, "%s %s:   %s: ", event->test, event->phase, track->name);
		if (track->valid)
			cli_say(stderr, "range %.2f %%, slope %.2f %%: %s\n", track->range_pct,
				track->slope_pct, track->steady ? "steady" : "not steady");
		else
			fputs("a round of the window failed\n", stderr);
	}
}

static void say_round(const struct cli_progress *progress, const struct run_event *event)
{
	char left[160];

	left_text(event, left, sizeof(left));
	stamp(progress);
	if (event->kind == RUN_ROUND_BEGIN) {
		char most[32] = "";

		if (event->max_rounds)
			snprintf(most, sizeof(most), " of at most %u", event->max_rounds);
		cli_say(stderr, "%s %s: round %u%s begins (%s)\n", event->test, event->phase,
			event->round, most, left);
		return;
	}
	cli_say(stderr, "%s %s: round %u is closed%s\n", event->test, event->phase,
		event->round, any_window(event) ? "" : ", no full window yet");
	if (any_window(event))
		say_tracks(progress, event);
}

static void say_step(const struct cli_progress *progress, const struct run_event *event)
{
	char left[160];

	left_text(event, left, sizeof(left));
	stamp(progress);
	if (event->kind == RUN_STEP_BEGIN)
		cli_say(stderr, "%s %s: step %u of %u begins (%s)\n", event->test, event->phase,
			event->step + 1, event->step_count, left);
	else
		cli_say(stderr, "%s %s: %s\n", event->test, event->phase,
			event->text ? event->text : "done");
}

/* Cells and progress, thinned out: a log of three days stays readable. */
static void say_cell(struct cli_progress *progress, const struct run_event *event)
{
	bool end = event->kind == RUN_CELL_END;
	uint64_t now_ns = pts_onlooker_ns();
	char iops[64], mb[64], left[160];

	if (now_ns - progress->plain_ns < (end ? PLAIN_CELL_NS : PLAIN_UPDATE_NS))
		return;
	progress->plain_ns = now_ns;
	pts_number_text(event->iops, 0, iops, sizeof(iops));
	pts_number_text(event->mb_per_s, 1, mb, sizeof(mb));
	left_text(event, left, sizeof(left));
	stamp(progress);
	cli_say(stderr, "%s%s%s: ", event->test ? event->test : "", event->test ? " " : "",
		event->phase);
	if (event->brief)
		cli_say(stderr, "round %u of %u, ", event->round, event->max_rounds);
	else if (event->cell_count > 1)
		cli_say(stderr, "cell %u of %u, ", event->cell + 1, event->cell_count);
	cli_say(stderr, "%s: %s IOPS, %s MB/s", event->cell_label ? event->cell_label : "",
		iops, mb);
	if (end)
		fputc('\n', stderr);
	else
		cli_say(stderr, ", %.1f %% of the %s (%s)\n", event->done_share * 100,
			event->round ? "round" : "phase", left);
}

static void say_text(const struct cli_progress *progress, const char *what, const char *text)
{
	stamp(progress);
	cli_say(stderr, "%s%s\n", what, text ? text : "");
}

static void show_plain(struct cli_progress *progress, const struct run_event *event)
{
	switch (event->kind) {
	case RUN_BEGIN:
		say_text(progress, "run: ", event->text);
		break;
	case RUN_STEP_BEGIN:
	case RUN_STEP_END:
		say_step(progress, event);
		break;
	case RUN_ROUND_BEGIN:
	case RUN_ROUND_END:
		if (!event->brief)
			say_round(progress, event);
		break;
	case RUN_PROGRESS:
	case RUN_CELL_END:
		say_cell(progress, event);
		break;
	case RUN_NOTE:
		say_text(progress, "note: ", event->text);
		break;
	case RUN_END:
		say_text(progress, "end: ", event->text);
		break;
	case RUN_CELL_BEGIN:
		break;
	}
	fflush(stderr);
}

/* What stays on the screen above the live line. */
static bool is_lasting(const struct run_event *event)
{
	return event->kind == RUN_BEGIN || event->kind == RUN_STEP_BEGIN ||
	       event->kind == RUN_STEP_END || (event->kind == RUN_ROUND_END && !event->brief) ||
	       event->kind == RUN_NOTE || event->kind == RUN_END;
}

static void show_live(struct cli_progress *progress, const struct run_event *event)
{
	if (is_lasting(event)) {
		clear_line(progress);
		show_plain(progress, event);
	}
	if (event->kind == RUN_PROGRESS || event->kind == RUN_CELL_BEGIN ||
	    event->kind == RUN_CELL_END)
		draw_line(progress, event);
}

static json_t *json_tracks(const struct run_event *event)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < event->track_count; i++) {
		const struct run_track_state *track = &event->tracks[i];
		double none = NAN;

		json_array_append_new(
			list, json_pack("{s:o, s:b, s:o, s:o, s:o, s:b}", "name",
					cli_json_text(track->name), "valid", (int)track->valid,
					"average",
					cli_json_number(track->valid ? track->average : none),
					"range_pct",
					cli_json_number(track->valid ? track->range_pct : none),
					"slope_excursion_pct",
					cli_json_number(track->valid ? track->slope_pct : none),
					"steady", (int)track->steady));
	}
	return list;
}

static void json_places(json_t *object, const struct run_event *event)
{
	json_object_set_new(object, "test", cli_json_text(event->test));
	json_object_set_new(object, "phase", cli_json_text(event->phase));
	json_object_set_new(object, "step", json_integer(event->step));
	json_object_set_new(object, "step_count", json_integer(event->step_count));
	if (event->max_rounds) {
		json_object_set_new(object, "round", json_integer(event->round));
		json_object_set_new(object, "max_rounds", json_integer(event->max_rounds));
	}
	json_object_set_new(object, "left_likely_s",
			    json_real((double)event->left_likely_ns / 1e9));
	json_object_set_new(object, "left_latest_s",
			    json_real((double)event->left_latest_ns / 1e9));
}

static void json_cell(json_t *object, const struct run_event *event)
{
	json_object_set_new(object, "cell", json_integer(event->cell));
	json_object_set_new(object, "cell_count", json_integer(event->cell_count));
	json_object_set_new(object, "label", cli_json_text(event->cell_label));
	if (event->kind == RUN_CELL_BEGIN)
		return;
	json_object_set_new(object, "iops", cli_json_number(event->iops));
	json_object_set_new(object, "mb_per_s", cli_json_number(event->mb_per_s));
	json_object_set_new(object, "done_share", cli_json_number(event->done_share));
}

static void show_json(const struct run_event *event)
{
	static const char *const names[] = {
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
	json_t *object = json_pack("{s:s}", "event", names[event->kind]);

	if (event->test)
		json_places(object, event);
	if (event->cell_label)
		json_cell(object, event);
	if (event->kind == RUN_ROUND_END)
		json_object_set_new(object, "tracks", json_tracks(event));
	if (event->text)
		json_object_set_new(object, "text", cli_json_text(event->text));
	cli_json_line(object);
}

static void keep_round(struct cli_progress *progress, const struct run_event *event)
{
	unsigned count = event->track_count < TRACKS_MOST ? event->track_count : TRACKS_MOST;

	if (event->kind == RUN_STEP_BEGIN)
		progress->round = (struct run_event){0};
	if (event->kind != RUN_ROUND_END || !count)
		return;
	memcpy(progress->tracks, event->tracks, count * sizeof(*event->tracks));
	progress->round = *event;
	progress->round.tracks = progress->tracks;
	progress->round.track_count = count;
}

/* Not every event says how much is left; the line always does. */
static void carry_left(struct cli_progress *progress, struct run_event *event)
{
	if (event->left_latest_ns || event->kind == RUN_PROGRESS) {
		progress->left_likely_ns = event->left_likely_ns;
		progress->left_latest_ns = event->left_latest_ns;
	}
	event->left_likely_ns = progress->left_likely_ns;
	event->left_latest_ns = progress->left_latest_ns;
}

void cli_progress_event(void *ctx, const struct run_event *event)
{
	struct cli_progress *progress = ctx;
	struct run_event told = *event;

	keep_round(progress, event);
	carry_left(progress, &told);
	if (progress->how == CLI_PROGRESS_LIVE)
		show_live(progress, &told);
	else if (progress->how == CLI_PROGRESS_PLAIN)
		show_plain(progress, &told);
	else if (progress->how == CLI_PROGRESS_JSON)
		show_json(&told);
}

void cli_progress_free(struct cli_progress *progress)
{
	if (!progress)
		return;
	clear_line(progress);
	fflush(stderr);
	free(progress);
}
