/* The judgement of a synthetic round, as a run makes it: from what is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "judge_steady.h"
#include "synth_internal.h"

void synth_judge(struct store *store, const json_t *step, const json_t *track, int round,
		 struct store_steady *rows, unsigned *count, bool *steady)
{
	const struct judge_rule rule = {
		(unsigned)synth_whole(step, "window"),
		json_number_value(json_object_get(step, "range_share")),
		json_number_value(json_object_get(step, "slope_share"))};
	double *values = calloc((size_t)round, sizeof(*values));
	struct pts_err err = PTS_ERR_INIT;
	struct judge_window w;
	size_t value_count = 0;
	int first;

	synth_good(store_series(store, (int)synth_whole(step, "index"),
				(int)synth_whole(track, "cell"), synth_text(track, "metric"),
				values, (size_t)round, &value_count, &first, &err),
		   &err);
	if (value_count < rule.window) {
		*steady = false;
		free(values);
		return;
	}
	assert_int_equal(
		judge_series_at(values, value_count, value_count - 1, first, &rule, &w), 0);
	*steady = *steady && w.steady;
	rows[(*count)++] = (struct store_steady){
		.step = (int)synth_whole(step, "index"),
		.track = synth_text(track, "name"),
		.last_round = round,
		.window = (int)rule.window,
		.metric = synth_text(track, "metric"),
		.read_pct = (int)synth_whole(track, "read_pct"),
		.block_bytes = (uint64_t)synth_whole(track, "block_bytes"),
		.valid = w.valid,
		.average = w.average,
		.minimum = w.minimum,
		.maximum = w.maximum,
		.range = w.range,
		.range_pct = w.range_pct,
		.slope = w.slope,
		.intercept = w.intercept,
		.slope_excursion = w.slope_excursion,
		.slope_excursion_pct = w.slope_excursion_pct,
		.r = w.r,
		.range_limit = rule.range_share,
		.slope_limit = rule.slope_share,
		.range_ok = w.range_ok,
		.slope_ok = w.slope_ok,
		.boundary = w.boundary,
		.steady = w.steady,
	};
	free(values);
}
