/* The live line: as much as fits the terminal, the most important first. Prints nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_out.h"
#include "cli_progress.h"
#include "pts_text.h"
#include "pts_units.h"

#define PART_ROOM 192

enum part { PHASE, ROUND, CELL, LABEL, IOPS, MB, TRACKS, LEFT, LATEST, PARTS };

struct line {
	char part[PARTS][PART_ROOM];
};

/* What goes first when the terminal is narrow. */
static const enum part dispensable[] = {MB, LATEST, LABEL, CELL, TRACKS, LEFT, ROUND, IOPS};

static void fill_place(struct line *line, const struct run_event *event)
{
	snprintf(line->part[PHASE], PART_ROOM, "%s%s%s", event->test ? event->test : "",
		 event->test ? " " : "", event->phase ? event->phase : "");
	if (event->max_rounds)
		snprintf(line->part[ROUND], PART_ROOM, "round %u/%u", event->round,
			 event->max_rounds);
	else if (event->round)
		snprintf(line->part[ROUND], PART_ROOM, "round %u", event->round);
	if (event->cell_count > 1)
		snprintf(line->part[CELL], PART_ROOM, "cell %u/%u", event->cell + 1,
			 event->cell_count);
	else if (!event->round)
		snprintf(line->part[ROUND], PART_ROOM, "%.1f %%", event->done_share * 100);
	snprintf(line->part[LABEL], PART_ROOM, "%s",
		 event->cell_label ? event->cell_label : "");
}

static void fill_rates(struct line *line, const struct run_event *event)
{
	char number[64];

	if (event->kind == RUN_CELL_BEGIN)
		return;
	pts_number_text(event->iops, 0, number, sizeof(number));
	snprintf(line->part[IOPS], PART_ROOM, "%s IOPS", number);
	pts_number_text(event->mb_per_s, 1, number, sizeof(number));
	snprintf(line->part[MB], PART_ROOM, "%s MB/s", number);
}

/* "range 12.3 4.0 0.8 % slope 5.1 2.2 0.1 %": in the order of the tracks */
static void fill_tracks(struct line *line, const struct run_event *round)
{
	char *text = line->part[TRACKS];
	size_t used = 0;

	for (int slope = 0; slope < 2 && round->track_count; slope++) {
		used += (size_t)snprintf(text + used, PART_ROOM - used, "%s",
					 slope ? " slope" : "range");
		for (unsigned i = 0; i < round->track_count && used < PART_ROOM; i++) {
			const struct run_track_state *track = &round->tracks[i];

			if (track->valid)
				used += (size_t)snprintf(text + used, PART_ROOM - used, " %.1f",
							 slope ? track->slope_pct
							       : track->range_pct);
			else
				used += (size_t)snprintf(text + used, PART_ROOM - used, " -");
		}
		if (used < PART_ROOM)
			used += (size_t)snprintf(text + used, PART_ROOM - used, " %%");
		if (used >= PART_ROOM)
			break;
	}
}

static void fill_left(struct line *line, const struct run_event *event)
{
	char human[64];

	if (!event->left_latest_ns)
		return;
	pts_duration_human(event->left_likely_ns, human, sizeof(human));
	snprintf(line->part[LEFT], PART_ROOM, "%s left", human);
	pts_duration_human(event->left_latest_ns, human, sizeof(human));
	snprintf(line->part[LATEST], PART_ROOM, "at most %s", human);
}

static size_t line_columns(const struct line *line)
{
	size_t columns = 0;

	for (int i = 0; i < PARTS; i++)
		if (line->part[i][0])
			columns += cli_columns(line->part[i]) + 2;
	return columns ? columns - 2 : 0;
}

/* Cuts at a character, never inside one. */
static void cut(char *text, size_t columns)
{
	for (; *text; text++) {
		if (((unsigned char)*text & 0xc0) == 0x80)
			continue;
		if (columns-- == 0) {
			*text = '\0';
			return;
		}
	}
}

char *cli_progress_line(const struct run_event *event, const struct run_event *last_round,
			unsigned width)
{
	struct line *line = calloc(1, sizeof(*line));
	struct pts_buf buf = {0};
	/* the last column stays free: some terminals wrap as soon as it is written */
	size_t most = width > 1 ? width - 1 : 1;
	char *text;

	if (!line)
		abort();
	fill_place(line, event);
	fill_rates(line, event);
	fill_tracks(line, last_round);
	fill_left(line, event);
	for (size_t i = 0;
	     i < sizeof(dispensable) / sizeof(dispensable[0]) && line_columns(line) > most; i++)
		line->part[dispensable[i]][0] = '\0';
	for (int i = 0; i < PARTS; i++)
		if (line->part[i][0])
			pts_buf_printf(&buf, "%s%s", buf.length ? "  " : "", line->part[i]);
	free(line);
	text = pts_buf_take(&buf);
	cut(text, most);
	return text;
}
