#include "synth_store.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include "pts_hash.h"
#include "pts_hist.h"
#include "pts_units.h"
#include "synth_internal.h"

#define NS_PER_S     1000000000ull
#define WALL_ZERO_NS 1796112000000000000ull
#define MASTER_SEED  0xfeedfacecafebeefull
#define ERRORS       3
struct synth {
	const struct synth_options *options;
	const char *path;
	struct store *store;
	json_t *plan;
	uint64_t now_ns, last_completion_ns; /* the synthetic clock */
	uint64_t step_bytes, random;
	unsigned attempt;
	bool all_steady;
	struct pts_hist *hist[STORE_DIRS], *both;
};

void synth_good(int rc, const struct pts_err *err)
{
	if (rc)
		fail_msg("synthetic store: %s", err->text);
}

int64_t synth_whole(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

const char *synth_text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

static bool is_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static uint64_t draw(struct synth *synth, uint64_t below)
{
	return pts_splitmix64(&synth->random) % below;
}

/* {"cell_time": "1s"}: what the plan's first test was overridden with. The caller's to free(). */
static char *overrides_json(const json_t *plan)
{
	const json_t *test = json_array_get(json_object_get(plan, "tests"), 0);
	const json_t *params = json_object_get(test, "params");
	json_t *object = json_object();
	char *json;

	for (size_t i = 0; i < json_array_size(params); i++) {
		const json_t *param = json_array_get(params, i);

		if (is_true(param, "overridden"))
			json_object_set_new(object, synth_text(param, "name"),
					    json_string(synth_text(param, "value")));
	}
	json = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	return json;
}

static void create(struct synth *synth)
{
	char *overrides = overrides_json(synth->plan);
	struct store_test test = synth->options->source.test;
	const struct synth_source *source = &synth->options->source;
	const json_t *device = json_object_get(synth->plan, "device");
	const json_t *steps = json_object_get(synth->plan, "steps");
	const json_t *list = json_object_get(synth->plan, "deviations");
	struct store_step *rows = calloc(json_array_size(steps) + 1, sizeof(*rows));
	struct store_deviation *deviations =
		calloc(json_array_size(list) + 1, sizeof(*deviations));
	const char *model = synth->options->model;
	char capacity[32], lba[32];
	const struct store_fact facts[] = {
		{"device_before", "model", model ? model : "Example 1T92"},
		{"device_before", "transport", synth_text(device, "transport")},
		{"device_before", "identity", synth_text(device, "identity")},
		{"device_before", "capacity_bytes", capacity},
		{"device_before", "lba_bytes", lba},
		{"host_before", "kernel", "6.1.0"},
		{"about", "operator", "\xc3\x85sa \"Q\" O'Neill, <lab> & \\co"},
	};
	const struct store_run run = {
		.tool_version = "test",
		.mode = synth_text(synth->plan, "mode"),
		.identity = synth_text(device, "identity"),
		.device_path = synth_text(device, "path"),
		.capacity_bytes = (uint64_t)synth_whole(device, "capacity_bytes"),
		.lba_bytes = (uint32_t)synth_whole(device, "lba_bytes"),
		.master_seed = MASTER_SEED,
		.plan_text = source->plan_text,
		.plan_json = source->plan_json,
		.plan_sha256 = source->plan_sha256,
		.command_line = "pts run",
		.backend = "uring",
		.started_wall_ns = WALL_ZERO_NS,
		.purge_method = synth_text(device, "purge"),
		.purge_is_pts = is_true(device, "purge_is_pts"),
		.exit_code = -1,
	};
	struct pts_err err = PTS_ERR_INIT;

	if (!test.overrides_json)
		test.overrides_json = overrides;
	snprintf(capacity, sizeof(capacity), "%lld",
		 (long long)synth_whole(device, "capacity_bytes"));
	snprintf(lba, sizeof(lba), "%lld", (long long)synth_whole(device, "lba_bytes"));
	for (size_t i = 0; i < json_array_size(steps); i++) {
		const json_t *step = json_array_get(steps, i);

		rows[i] = (struct store_step){
			.step = (int)i,
			.test = synth_text(step, "test"),
			.phase = synth_text(step, "phase"),
			.kind = synth_text(step, "kind"),
			.loops = is_true(step, "loops"),
			.planned_cells = json_array_size(json_object_get(step, "cells")),
			.planned_before = json_array_size(json_object_get(step, "before")),
		};
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *from = json_array_get(list, i);

		deviations[i] = (struct store_deviation){
			synth_text(from, "test"),   synth_text(from, "clause"),
			synth_text(from, "what"),   synth_text(from, "required"),
			synth_text(from, "actual"), synth_text(from, "reason")};
	}
	synth_good(store_create(synth->path, &run, &test, 1, rows,
				(unsigned)json_array_size(steps), deviations,
				(unsigned)json_array_size(list), facts,
				sizeof(facts) / sizeof(facts[0]), &synth->store, &err),
		   &err);
	free(overrides);
	free(rows);
	free(deviations);
}

/* count latencies around mean_ns, with a long tail, as a few hundred different values. */
static void fill_hist(struct synth *synth, struct pts_hist *hist, uint64_t count,
		      uint64_t mean_ns)
{
	unsigned points =
		synth->options->hist_points ? (unsigned)synth->options->hist_points : 300;
	uint64_t left = count;

	pts_hist_reset(hist);
	for (unsigned i = 0; left; i++) {
		/* rarer and later: each tenth of the points is about twice as slow */
		double stretch = 0.4 + 0.5 * exp2(10.0 * i / points);
		uint64_t share = left / (points / 12 + 1) + 1;
		uint64_t value = (uint64_t)((double)mean_ns * stretch) + draw(synth, 97);

		share = i + 1 >= points || share > left ? left : share;
		hist->bucket[pts_hist_index(value)] += share;
		hist->count += share;
		hist->sum += (unsigned __int128)value * share;
		hist->min = value < hist->min ? value : hist->min;
		hist->max = value > hist->max ? value : hist->max;
		left -= share;
	}
}

static void latency(const struct pts_hist *hist, struct store_dir *dir)
{
	dir->lat_mean_ns = pts_hist_mean(hist);
	dir->lat_sum_ns = hist->sum;
	if (!hist->count)
		return;
	dir->lat_min_ns = hist->min;
	dir->lat_max_ns = hist->max;
	dir->lat_p50_ns = pts_hist_quantile(hist, 0.5);
	dir->lat_p99_ns = pts_hist_quantile(hist, 0.99);
	dir->lat_p999_ns = pts_hist_quantile(hist, 0.999);
	dir->lat_p9999_ns = pts_hist_quantile(hist, 0.9999);
	dir->lat_p99999_ns = pts_hist_quantile(hist, 0.99999);
}

static void rates(struct store_dir *dir, const struct store_cell *cell)
{
	dir->iops = cell->valid ? pts_per_s(dir->ios, cell->elapsed_ns) : NAN;
	dir->mb_per_s = cell->valid ? pts_mb_per_s(dir->bytes, cell->elapsed_ns) : NAN;
	if (!cell->valid)
		dir->lat_mean_ns = NAN;
}

static void fill_dirs(struct synth *synth, struct store_cell *cell, uint64_t ios,
		      uint64_t block_bytes, bool keep_histogram)
{
	uint64_t reads = (uint64_t)llround((double)ios * cell->read_pct / 100);
	uint64_t counts[STORE_DIRS] = {reads, ios - reads};
	unsigned outstanding = cell->threads * cell->queue_depth;
	struct store_dir *total = &cell->total;

	pts_hist_reset(synth->both);
	for (int d = 0; d < STORE_DIRS; d++) {
		struct store_dir *dir = &cell->dir[d];
		void *blob = NULL;

		dir->ios = counts[d];
		dir->bytes = counts[d] * block_bytes;
		dir->submitted = counts[d] + dir->errors;
		if (d == (cell->read_pct ? 0 : 1))
			dir->submitted += cell->drain_ios;
		fill_hist(synth, synth->hist[d], counts[d],
			  ios ? cell->elapsed_ns * outstanding / ios : 0);
		latency(synth->hist[d], dir);
		pts_hist_add(synth->both, synth->hist[d]);
		if (keep_histogram && counts[d]) {
			assert_int_equal(
				pts_hist_encode(synth->hist[d], &blob, &dir->hist_bytes), 0);
			dir->hist = blob;
		}
		total->ios += dir->ios;
		total->bytes += dir->bytes;
		total->submitted += dir->submitted;
		total->errors += dir->errors;
		rates(dir, cell);
	}
	latency(synth->both, total);
	rates(total, cell);
}

/* Seconds that add up to the cell: equal parts, what is left over in the first one. */
static struct store_sample *fill_samples(struct store_cell *cell)
{
	size_t count = (size_t)((cell->elapsed_ns + NS_PER_S - 1) / NS_PER_S);
	struct store_sample *rows = calloc(count + 1, sizeof(*rows));

	for (size_t i = 0; i < count; i++) {
		uint64_t left_ns = cell->elapsed_ns - i * NS_PER_S;

		rows[i].second = (uint32_t)i;
		rows[i].span_ns = left_ns < NS_PER_S ? left_ns : NS_PER_S;
		for (int d = 0; d < STORE_DIRS; d++) {
			const struct store_dir *dir = &cell->dir[d];
			uint64_t sum = (uint64_t)dir->lat_sum_ns;

			rows[i].ios[d] = dir->ios / count + (i ? 0 : dir->ios % count);
			rows[i].bytes[d] = dir->bytes / count + (i ? 0 : dir->bytes % count);
			rows[i].lat_sum_ns[d] = sum / count + (i ? 0 : sum % count);
			rows[i].lat_max_ns[d] = dir->lat_max_ns - (i ? dir->lat_max_ns / 3 : 0);
		}
	}
	cell->samples = rows;
	cell->sample_count = count;
	return rows;
}

static uint64_t block_of(const json_t *planned)
{
	const json_t *stream = json_array_get(json_object_get(planned, "streams"), 0);
	const json_t *size = json_array_get(json_object_get(stream, "sizes"), 0);

	return synth_whole(planned, "block_bytes")
		       ? (uint64_t)synth_whole(planned, "block_bytes")
		       : (uint64_t)synth_whole(size, "block_bytes");
}

/* High while fresh out of the box, then about the same; or up and down for ever. */
static double shape(const struct synth *synth, const struct synth_place *place, int window)
{
	int steady = synth->options->steady_round;

	if (!place->round)
		return 1;
	if (!steady)
		return place->round % 2 ? 1 : 6;
	if (place->round <= steady - window)
		return 6;
	return 1 + 0.004 * (place->round % 3);
}

static double value_of(struct synth *synth, const struct synth_place *place,
		       const json_t *planned, int window)
{
	uint64_t block = block_of(planned);

	if (synth->options->iops)
		return synth->options->iops(synth->options->ctx, place,
					    (int)synth_whole(planned, "read_pct"), block);
	return 3e8 / (double)(block + 3000) *
	       (1 + (double)synth_whole(planned, "read_pct") / 40) *
	       shape(synth, place, window);
}

static struct store_cell planned_row(const struct synth_place *place, const json_t *planned)
{
	return (struct store_cell){
		.step = place->step,
		.round = place->round,
		.cell = place->cell,
		.role = synth_text(planned, "role"),
		.label = synth_text(planned, "label"),
		.access = "random",
		.read_pct = (int)synth_whole(planned, "read_pct"),
		.block_bytes = (uint64_t)synth_whole(planned, "block_bytes"),
		.threads = (unsigned)synth_whole(planned, "threads"),
		.queue_depth = (unsigned)synth_whole(planned, "queue_depth"),
		.requested_ns = (uint64_t)synth_whole(planned, "duration_ns"),
		.requested_bytes = (uint64_t)synth_whole(planned, "amount_bytes"),
	};
}

static void tell(const struct synth *synth, const struct synth_place *place)
{
	if (synth->options->committed)
		synth->options->committed(synth->options->ctx, place);
}

static void put_skipped(struct synth *synth, const struct synth_place *place,
			const json_t *planned)
{
	struct store_cell cell = planned_row(place, planned);
	struct pts_err err = PTS_ERR_INIT;

	cell.reason = synth_text(planned, "reason");
	cell.dir[0].iops = cell.dir[0].mb_per_s = cell.dir[0].lat_mean_ns = NAN;
	cell.dir[1] = cell.total = cell.dir[0];
	synth_good(store_put_cell(synth->store, &cell, &err), &err);
	tell(synth, place);
}

static bool same_place(const struct synth_place *a, const struct synth_place *b)
{
	return a->round && a->step == b->step && a->round == b->round && a->cell == b->cell;
}

/* Times of a cell on the synthetic clock, after a gap of a millisecond or so. */
static void place_in_time(struct synth *synth, struct store_cell *cell, uint64_t elapsed_ns)
{
	cell->gap_ns = synth->last_completion_ns ? 900000 + draw(synth, 300000) : 0;
	cell->started_ns = synth->last_completion_ns ? synth->last_completion_ns + cell->gap_ns
						     : synth->now_ns + 5000;
	cell->elapsed_ns = elapsed_ns;
	cell->drain_ns = 50000 + draw(synth, 100000);
	cell->started_wall_ns = WALL_ZERO_NS + cell->started_ns;
	synth->last_completion_ns = cell->started_ns + elapsed_ns + cell->drain_ns;
	synth->now_ns = synth->last_completion_ns;
}

static void fail_cell(struct store_cell *cell, struct store_io_error *notes)
{
	int dir = cell->read_pct ? 0 : 1;

	cell->valid = false;
	cell->reason = "I/O errors";
	cell->dir[dir].errors = ERRORS;
	for (unsigned i = 0; i < ERRORS; i++)
		notes[i] = (struct store_io_error){
			.at_ns = cell->started_ns + 1000 * i,
			.offset_bytes = 4096ull * (i + 7),
			.length_bytes = 4096,
			.got_bytes = 512 * i,
			.error = EIO,
			.is_write = dir,
		};
	cell->errors = notes;
	cell->error_count = ERRORS;
}

static void put_measured(struct synth *synth, const struct synth_place *place,
			 const json_t *planned, int window)
{
	struct store_cell cell = planned_row(place, planned);
	struct store_io_error notes[ERRORS];
	struct store_sample *samples;
	uint64_t block = block_of(planned), elapsed_ns = cell.requested_ns, ios;
	double iops = value_of(synth, place, planned, window);
	struct pts_err err = PTS_ERR_INIT;

	if (!elapsed_ns) /* by amount: at 500 MB/s */
		elapsed_ns = cell.requested_bytes * 2;
	ios = cell.requested_ns
		      ? (uint64_t)((isnan(iops) ? 0 : iops) * (double)elapsed_ns / 1e9)
		      : cell.requested_bytes / block;
	place_in_time(synth, &cell, elapsed_ns);
	cell.valid = ios > 0;
	cell.reason = ios ? NULL : "no I/O completed inside the cell's time";
	cell.seed = pts_seed_derive(MASTER_SEED, (uint64_t)place->step, (uint64_t)place->round,
				    (uint64_t)place->cell, synth->attempt);
	cell.drain_ios = cell.threads * cell.queue_depth;
	cell.user_ns = elapsed_ns / 11;
	cell.system_ns = elapsed_ns / 7;
	if (same_place(&synth->options->failed, place))
		fail_cell(&cell, notes);
	fill_dirs(synth, &cell, ios, block, is_true(planned, "keep_histogram"));
	/* what was outstanding at the end: half a latency each */
	cell.inflight_ns =
		ios ? (uint64_t)(cell.total.lat_sum_ns / ios) * cell.drain_ios / 2 : 0;
	cell.outstanding_mean = (1 + synth->options->outstanding_off) *
				(double)(cell.total.lat_sum_ns + cell.inflight_ns) /
				(double)elapsed_ns;
	samples = fill_samples(&cell);
	synth->step_bytes += cell.dir[1].bytes;
	synth_good(store_put_cell(synth->store, &cell, &err), &err);
	for (int d = 0; d < STORE_DIRS; d++)
		free((void *)cell.dir[d].hist);
	free(samples);
	tell(synth, place);
}

static bool close_round(struct synth *synth, const json_t *step, int round, uint64_t begun_ns)
{
	const json_t *tracks = json_object_get(step, "tracks");
	struct store_steady rows[16];
	const struct synth_place place = {(int)synth_whole(step, "index"), round, -1};
	bool steady = is_true(step, "judgeable") && json_array_size(tracks);
	struct pts_err err = PTS_ERR_INIT;
	unsigned count = 0;

	for (size_t i = 0; i < json_array_size(tracks) && i < 16; i++)
		if (synth_whole(json_array_get(tracks, i), "cell") >= 0)
			synth_judge(synth->store, step, json_array_get(tracks, i), round, rows,
				    &count, &steady);
	synth_good(store_close_round(synth->store, place.step, round,
				     synth->now_ns + 2000 - begun_ns, rows, count, &err),
		   &err);
	tell(synth, &place);
	return steady;
}

static void put_event(struct synth *synth, int step, const char *kind, const char *what)
{
	const struct store_event event = {
		synth->now_ns, WALL_ZERO_NS + synth->now_ns, step, -1, -1, "warning", kind,
		what};
	struct pts_err err = PTS_ERR_INIT;

	synth_good(store_put_event(synth->store, &event, &err), &err);
}

/* The power fails; an hour later the run goes on at the cut round. */
static void resume(struct synth *synth, int step, int round)
{
	const struct store_deviation deviation = {
		"", "", "unbroken run", "no gap", "a gap of 1 h", "resumed after a stop"};
	struct pts_err err = PTS_ERR_INIT;

	store_close(synth->store);
	synth->now_ns += 3600 * NS_PER_S;
	synth->last_completion_ns = 0;
	synth_good(store_open(synth->path, STORE_RESUME, &synth->store, &err), &err);
	synth_good(store_reopen(synth->store, &err), &err);
	synth_good(store_put_deviation(synth->store, &deviation, &err), &err);
	put_event(synth, step, "resumed", "resumed: a gap of 1 h");
	synth_good(store_cut_round(synth->store, step, round, "cut before a resume", &err),
		   &err);
	if (round > 1)
		synth_good(store_mark_fresh(synth->store, step, round, &err), &err);
	synth_good(store_step_begin(synth->store, step, synth->now_ns, &err), &err);
	synth->attempt = 1;
}

/* False if the power failed in it. */
static bool put_cells(struct synth *synth, const json_t *step, int round)
{
	const json_t *cells = json_object_get(step, "cells");
	struct synth_place place = {(int)synth_whole(step, "index"), round, 0};
	const struct synth_place *cut = &synth->options->cut;
	int window = (int)synth_whole(step, "window");

	synth->last_completion_ns = 0;
	for (; place.cell < (int)json_array_size(cells); place.cell++) {
		const json_t *planned = json_array_get(cells, (size_t)place.cell);

		if (is_true(planned, "applicable"))
			put_measured(synth, &place, planned, window);
		if (same_place(cut, &place) && !synth->attempt)
			return false;
	}
	for (place.cell = 0; place.cell < (int)json_array_size(cells); place.cell++) {
		const json_t *planned = json_array_get(cells, (size_t)place.cell);

		if (!is_true(planned, "applicable"))
			put_skipped(synth, &place, planned);
	}
	return true;
}

static const char *put_rounds(struct synth *synth, const json_t *step)
{
	int most = synth->options->rounds_most ? synth->options->rounds_most
					       : (int)synth_whole(step, "max_rounds");

	for (int round = 1; round <= most; round++) {
		uint64_t begun_ns = synth->now_ns;

		if (!put_cells(synth, step, round)) {
			resume(synth, (int)synth_whole(step, "index"), round);
			begun_ns = synth->now_ns;
			put_cells(synth, step, round);
		}
		if (close_round(synth, step, round, begun_ns))
			return "steady";
	}
	return is_true(step, "judgeable") ? "not steady" : "not judged";
}

static void put_step(struct synth *synth, const json_t *step)
{
	const char *kind = synth_text(step, "kind"), *outcome = "done";
	int index = (int)synth_whole(step, "index");
	uint64_t begun_ns = synth->now_ns;
	struct pts_err err = PTS_ERR_INIT;

	synth->step_bytes = 0;
	synth->last_completion_ns = 0;
	synth_good(store_step_begin(synth->store, index, begun_ns, &err), &err);
	if (!strcmp(kind, "purge"))
		synth_good(
			store_set_purge(
				synth->store,
				synth_text(json_object_get(synth->plan, "device"), "purge"),
				is_true(json_object_get(synth->plan, "device"), "purge_is_pts"),
				"64 samples read as zeroes", &err),
			&err);
	else if (!strcmp(kind, "load"))
		put_cells(synth, step, 0);
	else if (!strcmp(kind, "rounds"))
		outcome = put_rounds(synth, step);
	synth->now_ns += 100000;
	synth->all_steady = synth->all_steady &&
			    (strcmp(kind, "rounds") != 0 || !strcmp(outcome, "steady"));
	if (synth->options->state != STORE_RUNNING || strcmp(kind, "rounds") != 0)
		synth_good(store_step_end(synth->store, index, synth->now_ns - begun_ns,
					  synth->step_bytes, outcome, &err),
			   &err);
}

void synth_store(const char *path, const struct synth_options *options)
{
	struct synth synth = {.options = options,
			      .path = path,
			      .now_ns = 5 * NS_PER_S,
			      .random = 42,
			      .all_steady = true};
	struct pts_err err = PTS_ERR_INIT;
	json_error_t error;
	const json_t *steps;

	synth.plan = json_loads(options->source.plan_json, 0, &error);
	if (!synth.plan)
		fail_msg("plan_json: %s", error.text);
	synth.hist[0] = pts_hist_new();
	synth.hist[1] = pts_hist_new();
	synth.both = pts_hist_new();
	create(&synth);
	put_event(&synth, -1, "degraded", "uring: registered buffers: not permitted");
	steps = json_object_get(synth.plan, "steps");
	for (size_t i = 0; i < json_array_size(steps); i++)
		put_step(&synth, json_array_get(steps, i));
	synth_good(store_put_fact(synth.store, "device_after", "model", "Example 1T92", &err),
		   &err);
	if (options->state != STORE_RUNNING)
		synth_good(store_end(synth.store, options->state,
				     options->state == STORE_DONE ? !synth.all_steady : 75,
				     options->state == STORE_DONE ? "done"
								  : "stopped by signal 15",
				     WALL_ZERO_NS + synth.now_ns, &err),
			   &err);
	store_close(synth.store);
	json_decref(synth.plan);
	for (int i = 0; i < STORE_DIRS; i++)
		pts_hist_free(synth.hist[i]);
	pts_hist_free(synth.both);
}
