/* A synthetic IOPS run behind store.h's reading functions: see report_fake_store.h. */
#include "report_fake_store.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge_steady.h"

#define MIXES 7
#define SIZES 8
#define CELLS (MIXES * SIZES)

static const int mixes[MIXES] = {100, 95, 65, 50, 35, 5, 0};
static const uint64_t sizes[SIZES] = {1 << 20, 1 << 17, 1 << 16, 1 << 15,
				      1 << 14, 1 << 13, 1 << 12, 512};
static const struct {
	const char *name;
	int mix;
	uint64_t size;
} tracks[3] = {{"RND 4KiB 0/100", 0, 4096},
	       {"RND 64KiB 65/35", 65, 65536},
	       {"RND 1024KiB 100/0", 100, 1 << 20}};

struct store {
	struct fake_options options;
	struct store_run run;
	char *plan;
	int last_gap;
};

static const char *label(int cell, char *text, size_t room)
{
	uint64_t size = sizes[cell % SIZES];
	char bytes[32];

	if (size < 1024)
		snprintf(bytes, sizeof(bytes), "0.5KiB");
	else
		snprintf(bytes, sizeof(bytes), "%lluKiB", (unsigned long long)size / 1024);
	snprintf(text, room, "RND %s %d/%d T4Q32", bytes, mixes[cell / SIZES],
		 100 - mixes[cell / SIZES]);
	return text;
}

static int cell_of(int mix, uint64_t size)
{
	for (int i = 0; i < CELLS; i++) {
		if (mixes[i / SIZES] == mix && sizes[i % SIZES] == size)
			return i;
	}
	return -1;
}

static bool applicable(const struct store *store, int cell)
{
	return !store->options.lba_4096 || sizes[cell % SIZES] >= 4096;
}

/* A smooth model of a drive: harmonic mix of read and write rates, settling over rounds. */
static double value(const struct store *store, int round, int cell)
{
	double kib = (double)sizes[cell % SIZES] / 1024;
	double reads = mixes[cell / SIZES] / 100.0;
	double write_rate = 90000 / fmax(1, pow(kib / 4, 0.95)) * (kib < 4 ? 0.6 : 1);
	double read_rate = 620000 / fmax(1, pow(kib / 8, 0.98)) * (kib < 4 ? 0.9 : 1);
	double settled = 1 / (reads / read_rate + (1 - reads) / write_rate);
	double wobble = 1 + 0.011 * sin(2.1 * round + 0.7 * cell);
	double fresh = 1 + (1 - reads) * 1.6 * exp(-round / 0.9);

	if (store->options.all_zero)
		return 0;
	if (store->options.flat)
		return settled;
	if (store->options.unsteady)
		wobble *= round % 2 ? 1.22 : 0.85;
	return settled * wobble * fresh;
}

static json_t *cell_json(const struct store *store, int cell)
{
	char name[64];
	json_t *object = json_pack(
		"{s:i,s:s,s:b,s:i,s:I,s:i,s:i,s:I,s:i,s:s,s:[{s:f,s:i,s:I}]}", "index", cell,
		"label", label(cell, name, sizeof(name)), "applicable", applicable(store, cell),
		"read_pct", mixes[cell / SIZES], "block_bytes", (json_int_t)sizes[cell % SIZES],
		"threads", 4, "queue_depth", 32, "duration_ns", (json_int_t)60000000000,
		"amount_bytes", 0, "data_pattern", "random", "streams", "random_share", 1.0,
		"start_bytes", 0, "span_bytes", (json_int_t)1920383410176);

	if (!applicable(store, cell))
		json_object_set_new(object, "reason",
				    json_string("block smaller than one LBA (4096 B)"));
	return object;
}

static json_t *rounds_json(const struct store *store)
{
	json_t *cells = json_array(), *list = json_array();

	for (int i = 0; i < CELLS; i++)
		json_array_append_new(cells, cell_json(store, i));
	for (int i = 0; i < 3; i++)
		json_array_append_new(list, json_pack("{s:s,s:s,s:i,s:i,s:I}", "name",
						      tracks[i].name, "metric", "iops", "cell",
						      cell_of(tracks[i].mix, tracks[i].size),
						      "read_pct", tracks[i].mix, "block_bytes",
						      (json_int_t)tracks[i].size));
	return json_pack("{s:i,s:s,s:s,s:s,s:o,s:i,s:i,s:f,s:f,s:o,s:b}", "index", 2, "test",
			 "iops", "phase", "rounds", "kind", "rounds", "cells", cells,
			 "max_rounds", 25, "window", 5, "range_share", 0.2, "slope_share", 0.1,
			 "tracks", list, "judgeable", 1);
}

static json_t *page_json(const char *kind, const char *title, const char *track, int table)
{
	json_t *page = json_pack("{s:s,s:s,s:s,s:b}", "kind", kind, "title", title, "step",
				 "rounds", "table", table);

	if (track != NULL)
		json_object_set_new(page, "track", json_string(track));
	return page;
}

static json_t *with(json_t *page, const char *key, const char *text)
{
	json_object_set_new(page, key, json_string(text));
	return page;
}

static json_t *pages_json(void)
{
	json_t *pages = json_array();
	json_t *page = page_json(
		"convergence", "IOPS Steady State Convergence Plot - All Block Sizes", NULL, 1);

	with(with(page, "y", "iops"), "series", "block_size");
	json_object_set_new(page, "where", json_pack("{s:i}", "rw_mix", 0));
	json_array_append_new(pages, page);
	json_array_append_new(pages, page_json("window", "IOPS Steady State Measurement Window",
					       tracks[0].name, 0));
	json_array_append_new(pages,
			      page_json("window",
					"IOPS Steady State Measurement Window - RND/4KiB RW0",
					tracks[0].name, 1));
	json_array_append_new(pages,
			      page_json("window",
					"IOPS Steady State Measurement Window - RND/64KiB RW65",
					tracks[1].name, 1));
	json_array_append_new(
		pages,
		page_json("window", "IOPS Steady State Measurement Window - RND/1024KiB RW100",
			  tracks[2].name, 1));
	page = page_json("matrix_table", "IOPS - All RW Mix & BS - Tabular Data", NULL, 1);
	json_array_append_new(pages, with(with(with(page, "y", "iops"), "rows", "block_size"),
					  "columns", "rw_mix"));
	page = page_json("matrix_lines", "IOPS - All RW Mix & BS - 2D Plot", NULL, 1);
	with(with(with(page, "x", "block_size"), "y", "iops"), "series", "rw_mix");
	json_array_append_new(pages, with(with(page, "x_scale", "log2"), "y_scale", "log10"));
	page = page_json("matrix_columns", "IOPS - All RW Mix & BS - 3D Columns", NULL, 1);
	json_array_append_new(
		pages, with(with(with(page, "x", "block_size"), "y", "iops"), "z", "rw_mix"));
	return pages;
}

static json_t *params_json(void)
{
	static const char *const rows[][6] = {
		{"fill_amount", "2x capacity", "2x capacity", "7.2", "confirmed", "fixed"},
		{"fill_block", "128KiB", "128KiB", "7.2", "confirmed", "fixed"},
		{"cell_time", "60s", "60s", "7.2", "confirmed", "fixed"},
		{"max_rounds", "25", "25", "7.2", "confirmed", "fixed"},
		{"on_unsteady", "stop", "stop", "7.2", "confirmed", "free"},
		{"data_pattern", "random", "random", "7.2", "confirmed", "fixed"},
		{"write_cache", "disabled", "disabled", "7.2", "confirmed", "fixed"},
		{"active_range", "100%", "100%", "7.2", "confirmed", "fixed"},
		{"threads", "4", "4", "7.2", "confirmed", "recommended"},
		{"queue_depth", "32", "32", "7.2", "confirmed", "recommended"},
	};
	json_t *params = json_array();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		json_array_append_new(
			params,
			json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:b}", "name", rows[i][0], "value",
				  rows[i][1], "standard", rows[i][2], "clause", rows[i][3],
				  "basis", rows[i][4], "binding", rows[i][5], "overridden", 0));
	return params;
}

static char *plan_text(const struct store *store)
{
	json_t *fill = json_pack(
		"{s:i,s:s,s:s,s:s,s:[{s:i,s:s,s:b,s:i,s:i,s:i,s:i,s:i,s:I,s:s,s:[{s:f,s:i,s:I}]"
		"}]}",
		"index", 1, "test", "iops", "phase", "WIPC", "kind", "load", "cells", "index",
		0, "label", "SEQ 128KiB 0/100 T4Q32", "applicable", 1, "read_pct", 0,
		"block_bytes", 131072, "threads", 4, "queue_depth", 32, "duration_ns", 0,
		"amount_bytes", (json_int_t)3840766820352, "data_pattern", "random", "streams",
		"random_share", 0.0, "start_bytes", 0, "span_bytes", (json_int_t)1920383410176);
	json_t *purge = json_pack("{s:i,s:s,s:s,s:s}", "index", 0, "test", "iops", "phase",
				  "purge", "kind", "purge");
	json_t *root = json_pack("{s:[o,o,o],s:[{s:s,s:o,s:o}]}", "steps", purge, fill,
				 rounds_json(store), "tests", "name", "iops", "pages",
				 pages_json(), "params", params_json());
	char *text = json_dumps(root, 0);

	json_decref(root);
	return text;
}

struct store *fake_store_new(const struct fake_options *options)
{
	struct store *store = calloc(1, sizeof(*store));

	store->options = *options;
	store->plan =
		options->plan_json != NULL ? strdup(options->plan_json) : plan_text(store);
	store->run = (struct store_run){
		.tool_version = "0.1.0",
		.mode = "enterprise",
		.identity = "nvme:EX-000123",
		.device_path = "/dev/nvme1n1",
		.capacity_bytes = 1920383410176,
		.lba_bytes = options->lba_4096 ? 4096 : 512,
		.master_seed = 0x123456789ABCDEFull,
		.plan_text = "",
		.plan_json = store->plan,
		.plan_sha256 =
			"5b7c1f0e9a3d4c8b6f2e1d0c9b8a79685746352413021f0e9d8c7b6a59483726",
		.command_line =
			"pts run iops --mode enterprise --device /dev/nvme1n1 --destroy "
			"nvme:EX-000123 --out run",
		.backend = "uring",
		.started_wall_ns = 1796112000000000000ull,
		.ended_wall_ns = options->state == STORE_RUNNING ? 0 : 1796139000000000000ull,
		.purge_method = options->purge_is_pts ? "format" : "discard",
		.purge_is_pts = options->purge_is_pts,
		.exit_code = 0,
		.stop_reason =
			options->state == STORE_DONE ? "" : "write error at LBA 1234567: EIO",
		.state = options->state,
		.schema_version = 1,
	};
	return store;
}

void fake_store_free(struct store *store)
{
	if (store != NULL)
		free(store->plan);
	free(store);
}

int store_get_run(struct store *store, const struct store_run **ret_run, struct pts_err *err)
{
	(void)err;
	*ret_run = &store->run;
	return 0;
}

int store_each_test(struct store *store, int (*fn)(void *ctx, const struct store_test *test),
		    void *ctx, struct pts_err *err)
{
	struct store_test test = {
		.name = "iops",
		.title = "IOPS",
		.standard = "SNIA SSS PTS 2.0.2",
		.revision = "PTS-E 2.0.2",
		.section = "7",
		.mode = "enterprise",
		.spec_file = "specs/iops.yaml",
		.spec_text = "",
		.spec_sha256 =
			"9f3c0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7",
		.overrides_json = "{}",
	};

	(void)store;
	(void)err;
	return fn(ctx, &test);
}

int store_each_fact(struct store *store, const char *scope,
		    int (*fn)(void *ctx, const char *key, const char *value), void *ctx,
		    struct pts_err *err)
{
	const char *model =
		store->options.model != NULL ? store->options.model : "PTS Example 1T92";
	const char *transport =
		store->options.transport != NULL ? store->options.transport : "nvme";
	const char *device[][2] = {
		{"kind", "block"},
		{"vendor", "Example"},
		{"model", model},
		{"serial", "000123"},
		{"firmware", "1E5"},
		{"transport", transport},
		{"write_cache", "write through"},
		{"link_speed", "16.0 GT/s PCIe"},
		{"link_width", "4"},
		{"link_speed_max", "16.0 GT/s PCIe"},
		{"link_width_max", "4"},
	};
	const char *host[][2] = {
		{"system", "Example 2U server"},
		{"board", "X1-Example"},
		{"cpu", "Example CPU 16-core 3.0 GHz"},
		{"cpu_count", "32"},
		{"memory_bytes", "68719476736"},
		{"os", "Debian GNU/Linux 12"},
		{"kernel", "6.1.0"},
	};
	bool is_device = strncmp(scope, "device", 6) == 0;
	size_t count =
		is_device ? sizeof(device) / sizeof(device[0]) : sizeof(host) / sizeof(host[0]);
	int result = 0;

	(void)err;
	if (strcmp(scope, "about") == 0)
		return fn(ctx, "operator", "A. Operator");
	for (size_t i = 0; i < count && result == 0; i++)
		result = is_device ? fn(ctx, device[i][0], device[i][1])
				   : fn(ctx, host[i][0], host[i][1]);
	return result;
}

int store_each_step(struct store *store,
		    int (*fn)(void *ctx, const struct store_step_row *step), void *ctx,
		    struct pts_err *err)
{
	static const char *const phases[3] = {"purge", "WIPC", "rounds"};
	static const char *const kinds[3] = {"purge", "load", "rounds"};
	int result = 0;

	(void)err;
	for (int i = 0; i < 3 && result == 0; i++) {
		struct store_step_row row = {
			.plan = {.step = i,
				 .test = "iops",
				 .phase = phases[i],
				 .kind = kinds[i]},
			.begun = true,
			.ended = i < 2 || store->options.state == STORE_DONE,
			.elapsed_ns = i == 1 ? 2140000000000 : 25000000000ull * (i + 1),
			.bytes_written = i == 1 ? 3840766820352 : 0,
			.outcome = i < 2                     ? "done"
				   : store->options.unsteady ? "not steady"
							     : "steady",
			.rounds_closed = i == 2 ? store->options.rounds : 0,
			.max_gap_ns = i == 2 ? 1840000 : 0,
		};

		result = fn(ctx, &row);
	}
	return result;
}

int store_each_round(struct store *store, int step,
		     int (*fn)(void *ctx, const struct store_round_row *round), void *ctx,
		     struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (int i = 1; step == 2 && i <= store->options.rounds && result == 0; i++) {
		struct store_round_row row = {.step = step,
					      .round = i,
					      .state = "valid",
					      .elapsed_ns = 3361000000000,
					      .cells = CELLS};

		result = fn(ctx, &row);
	}
	return result;
}

static struct store_cell make_cell(const struct store *store, int round, int cell, char *name,
				   size_t room)
{
	bool failed = round == store->options.rounds && cell == store->options.failed_cell;
	double iops = value(store, round, cell);
	double bytes = iops * (double)sizes[cell % SIZES];
	struct store_cell out = {
		.step = 2,
		.round = round,
		.cell = cell,
		.role = "cell",
		.label = label(cell, name, room),
		.access = "random",
		.read_pct = mixes[cell / SIZES],
		.block_bytes = sizes[cell % SIZES],
		.threads = 4,
		.queue_depth = 32,
		.seed = 0xFEDCBA9876543210ull + (unsigned)cell,
		.valid = applicable(store, cell) && !failed,
		.reason = failed ? "no I/O completed" : "",
		.elapsed_ns = 60000000000,
		.gap_ns = cell > 0 ? 1200000 : 0,
		.total = {.ios = (uint64_t)(iops * 60),
			  .bytes = (uint64_t)(bytes * 60),
			  .iops = iops,
			  .mb_per_s = bytes / 1e6,
			  .lat_mean_ns = 128e9 / fmax(iops, 1),
			  .lat_max_ns = (uint64_t)(1280e9 / fmax(iops, 1))},
	};

	if (!applicable(store, cell))
		out.reason = "block smaller than one LBA (4096 B)";
	if (!out.valid)
		out.total =
			(struct store_dir){.iops = NAN, .mb_per_s = NAN, .lat_mean_ns = NAN};
	return out;
}

int store_each_cell(struct store *store, const struct store_cell_filter *filter,
		    int (*fn)(void *ctx, const struct store_cell *cell), void *ctx,
		    struct pts_err *err)
{
	static const struct store_io_error error = {.at_ns = 31000000000,
						    .offset_bytes = 632098816,
						    .length_bytes = 4096,
						    .error = 5};
	int result = 0;

	(void)filter;
	(void)err;
	for (int round = 1; round <= store->options.rounds; round++) {
		for (int i = 0; i < CELLS && result == 0; i++) {
			char name[64];
			struct store_cell cell = make_cell(store, round, i, name, sizeof(name));

			if (round == 1 && i == 6 && store->options.events > 0) {
				cell.total.errors = 1;
				cell.errors = &error;
				cell.error_count = 1;
			}
			result = fn(ctx, &cell);
		}
	}
	return result;
}

int store_each_steady(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_steady *steady), void *ctx,
		      struct pts_err *err)
{
	const struct judge_rule rule = {5, 0.2, 0.1};
	int result = 0;

	(void)err;
	for (int last = 5; step == 2 && last <= store->options.rounds; last++) {
		for (int t = 0; t < 3 && result == 0; t++) {
			int cell = cell_of(tracks[t].mix, tracks[t].size);
			struct judge_window w;
			double x[5], y[5];

			for (int i = 0; i < 5; i++) {
				char name[64];

				x[i] = last - 4 + i;
				y[i] = make_cell(store, last - 4 + i, cell, name, 64)
					       .total.iops;
			}
			judge_window(x, y, 5, &rule, &w);
			struct store_steady row = {
				.step = 2,
				.track = tracks[t].name,
				.last_round = last,
				.window = 5,
				.metric = "iops",
				.read_pct = tracks[t].mix,
				.block_bytes = tracks[t].size,
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
				.range_limit = 0.2,
				.slope_limit = 0.1,
				.range_ok = w.range_ok,
				.slope_ok = w.slope_ok,
				.boundary = w.boundary,
				.steady = w.steady,
			};

			result = fn(ctx, &row);
		}
	}
	return result;
}

int store_each_choice(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_choice *choice), void *ctx,
		      struct pts_err *err)
{
	(void)store;
	(void)step;
	(void)fn;
	(void)ctx;
	(void)err;
	return 0;
}

int store_each_deviation(struct store *store,
			 int (*fn)(void *ctx, const struct store_deviation *deviation),
			 void *ctx, struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < store->options.deviations && result == 0; i++) {
		static const struct store_deviation rows[3] = {
			{"iops", "3.2", "purge", "a purge of the PTS", "discard",
			 "the device has no purge of the PTS"},
			{"iops", "7.2", "cell_time", "60s", "2s", "--set cell_time=2s"},
			{"iops", "7.2", "max_rounds", "25", "7", "--set max_rounds=7"},
		};

		result = fn(ctx, &rows[i % 3]);
	}
	return result;
}

int store_each_event(struct store *store, int (*fn)(void *ctx, const struct store_event *event),
		     void *ctx, struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < store->options.events && result == 0; i++) {
		struct store_event events[3] = {
			{0, 1796112000000000000ull, 0, -1, -1, "info", "purge",
			 "format: 64 samples read back as zeroes"},
			{0, 1796112100000000000ull, 2, 1, 6, "warning", "degraded",
			 "registered buffers: ENOMEM: raise the memlock limit (ulimit -l)"},
			{0, 1796113100000000000ull, 2, 1, 6, "error", "io",
			 "1 I/O error in RND 4KiB 100/0 T4Q32"},
		};

		result = fn(ctx, &events[i % 3]);
	}
	return result;
}
