/* What a store says of its verdicts: for the end of a run and for `pts status`. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <jansson.h>

#include "pts_err.h"
#include "store.h"

/* One row a track: its last judged window. */
struct cli_verdict {
	int step;
	char test[128], phase[128], track[128], metric[32];
	int last_round;
	bool valid, steady, boundary;
	double average, range_pct, slope_excursion_pct;
};

struct cli_verdicts {
	struct cli_verdict *rows;
	size_t count;
};

int cli_verdicts_read(struct store *store, struct cli_verdicts *ret_verdicts,
		      struct pts_err *err);
void cli_verdicts_release(struct cli_verdicts *verdicts);
void cli_verdicts_print(const struct cli_verdicts *verdicts); /* to stdout */
json_t *cli_verdicts_json(const struct cli_verdicts *verdicts);

#endif
