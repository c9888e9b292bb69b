/*
 * The real chain: specs/iops.yaml -> plan -> a store on disk -> report. What the report reads of
 * the plan's JSON and of SQLite is what those rooms write.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "json_schema.h"
#include "judge_steady.h"
#include "plan.h"
#include "report.h"
#include "report_scratch.h"
#include "spec.h"
#include "store.h"

#define ROUNDS 6

static struct spec *spec;
static struct plan *plan;
static struct store *store;
static char *json;

static void good(int result, const struct pts_err *err)
{
	if (result != 0)
		fail_msg("%s", err->text);
}

static void make_plan(enum spec_mode mode, uint32_t lba_bytes)
{
	const struct spec_options options = {.mode = mode};
	const struct plan_device device = {
		.path = "/dev/loop7",
		.identity = "loop7:268435456",
		.kind = "block",
		.transport = "loop",
		.capacity_bytes = 256u << 20,
		.lba_bytes = lba_bytes,
		.write_cache = "write back",
		.purge_name = "discard",
		.is_virtual = true,
	};
	const struct plan_assume assume = {0};
	struct pts_err err = PTS_ERR_INIT;

	good(spec_read_file(PTS_SOURCE "/specs/iops.yaml", &options, &spec, &err), &err);
	good(plan_make((const struct spec *const *)&spec, 1, &device, &assume, &plan, &err),
	     &err);
	json = plan_json(plan);
}

static void make_store(void)
{
	const struct store_fact facts[] = {
		{"device_before", "kind", "block"},
		{"device_before", "transport", "loop"},
		{"device_before", "model", "Real_Chain`id`"},
		{"device_before", "is_virtual", "1"},
		{"host_before", "kernel", "6.1.0"},
	};
	const struct store_run run = {
		.tool_version = "test",
		.mode = spec_mode_text(spec->mode),
		.identity = "loop7:268435456",
		.device_path = "/dev/loop7",
		.capacity_bytes = plan->device.capacity_bytes,
		.lba_bytes = plan->device.lba_bytes,
		.master_seed = 42,
		.plan_text = "",
		.plan_json = json,
		.plan_sha256 = plan->sha256,
		.command_line = "pts run",
		.backend = "uring",
		.started_wall_ns = 1796112000000000000,
		.exit_code = -1,
	};
	const struct store_test test = {
		.name = spec->name,
		.title = spec->title,
		.standard = spec->standard,
		.revision = spec->revision,
		.section = spec->section,
		.mode = spec_mode_text(spec->mode),
		.spec_file = "specs/iops.yaml",
		.spec_text = spec->text,
		.spec_sha256 = spec->sha256,
		.overrides_json = "{}",
	};
	struct store_step steps[8];
	struct store_deviation deviations[8];
	struct pts_err err = PTS_ERR_INIT;

	assert_true(plan->step_count <= 8 && plan->deviation_count <= 8);
	for (unsigned i = 0; i < plan->step_count; i++)
		steps[i] = (struct store_step){
			.step = (int)i,
			.test = plan->steps[i].test,
			.phase = plan->steps[i].phase,
			.kind = spec_step_text(plan->steps[i].kind),
			.loops = plan->steps[i].loops,
			.planned_cells = plan->steps[i].cell_count,
		};
	for (unsigned i = 0; i < plan->deviation_count; i++) {
		const struct plan_deviation *from = &plan->deviations[i];

		deviations[i] =
			(struct store_deviation){from->test,     from->clause, from->what,
						 from->required, from->actual, from->reason};
	}
	good(store_create(scratch_path("run.db"), &run, &test, 1, steps, plan->step_count,
			  deviations, plan->deviation_count, facts,
			  sizeof(facts) / sizeof(facts[0]), &store, &err),
	     &err);
}

static double iops_of(int round, const struct plan_cell *cell)
{
	return 1e9 / (double)(cell->block_bytes + 4096) * (1 + cell->read_pct / 50.0) *
	       (1 + 0.004 * (round % 3));
}

static void put_cell(int step, int round, const struct plan_cell *cell)
{
	double iops = iops_of(round, cell);
	struct store_cell row = {
		.step = step,
		.round = round,
		.cell = (int)cell->index,
		.role = plan_role_text(cell->role),
		.label = cell->label,
		.access = "random",
		.read_pct = (int)cell->read_pct,
		.block_bytes = cell->block_bytes,
		.threads = cell->threads,
		.queue_depth = cell->queue_depth,
		.seed = 7,
		.valid = cell->applicable,
		.reason = cell->reason,
		.elapsed_ns = cell->duration_ns,
		.gap_ns = 1000000,
		.total = {.ios = (uint64_t)(iops * 60),
			  .iops = iops,
			  .mb_per_s = iops * (double)cell->block_bytes / 1e6,
			  .lat_mean_ns = 1e9 / iops},
	};
	struct pts_err err = PTS_ERR_INIT;

	if (!cell->applicable)
		row.total =
			(struct store_dir){.iops = NAN, .mb_per_s = NAN, .lat_mean_ns = NAN};
	good(store_put_cell(store, &row, &err), &err);
}

static unsigned judged(const struct plan_step *step, int round, struct store_steady *rows)
{
	const struct judge_rule rule = {step->window, step->range_share, step->slope_share};
	unsigned count = 0;

	for (unsigned t = 0; round >= (int)step->window && t < step->track_count; t++) {
		const struct plan_track *track = &step->tracks[t];
		double x[16], y[16];
		struct judge_window w;

		for (unsigned i = 0; i < step->window; i++) {
			x[i] = round - (int)step->window + 1 + (int)i;
			y[i] = iops_of((int)x[i], &step->cells[track->cell]);
		}
		assert_int_equal(judge_window(x, y, step->window, &rule, &w), 0);
		rows[count++] = (struct store_steady){
			.step = (int)step->index,
			.track = track->name,
			.last_round = round,
			.window = (int)step->window,
			.metric = "iops",
			.read_pct = (int)track->read_pct,
			.block_bytes = track->block_bytes,
			.valid = true,
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
	}
	return count;
}

static void fill_store(void)
{
	struct pts_err err = PTS_ERR_INIT;

	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];

		good(store_step_begin(store, (int)i, 1000, &err), &err);
		for (int round = 1; step->kind == SPEC_STEP_ROUNDS && round <= ROUNDS;
		     round++) {
			struct store_steady rows[8];

			for (unsigned c = 0; c < step->cell_count; c++)
				put_cell((int)i, round, &step->cells[c]);
			good(store_close_round(store, (int)i, round, 1, rows,
					       judged(step, round, rows), &err),
			     &err);
		}
		good(store_step_end(store, (int)i, 5000000000, 123, "done", &err), &err);
	}
	good(store_set_purge(store, "discard", false, "16 samples read as zeroes", &err), &err);
	good(store_end(store, STORE_DONE, 0, "", 1796113000000000000, &err), &err);
	store_close(store);
	good(store_open(scratch_path("run.db"), STORE_READ, &store, &err), &err);
}

static void write_all(void)
{
	char out[300];
	const struct report_options options = {
		.formats = REPORT_HTML | REPORT_PDF | REPORT_CSV | REPORT_JSON | REPORT_TEXT,
		.out_dir = out,
	};
	struct pts_err err = PTS_ERR_INIT;

	snprintf(out, sizeof(out), "%s", scratch_path("out"));
	good(report_write(store, &options, NULL, NULL, &err), &err);
}

static int setup(void **state)
{
	(void)state;
	setenv("SOURCE_DATE_EPOCH", "1796140800", 1);
	scratch_make();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	store_close(store);
	plan_free(plan);
	spec_free(spec);
	free(json);
	scratch_remove();
	return 0;
}

static void check_matrix(const json_t *root)
{
	const struct plan_step *step = NULL;
	const json_t *tables = json_object_get(root, "tables");
	unsigned checked = 0;

	for (unsigned i = 0; i < plan->step_count; i++)
		step = plan->steps[i].kind == SPEC_STEP_ROUNDS ? &plan->steps[i] : step;
	assert_non_null(step);
	for (size_t t = 0; t < json_array_size(tables); t++) {
		const json_t *table = json_array_get(tables, t);
		const json_t *rows = json_object_get(table, "rows");

		if (strcmp(json_string_value(json_object_get(table, "name")),
			   "iops-matrix-iops") != 0)
			continue;
		assert_int_equal(json_array_size(rows), 8);
		for (unsigned c = 0; c < step->cell_count; c++) {
			const struct plan_cell *cell = &step->cells[c];
			double sum = 0, kib = (double)cell->block_bytes / 1024;
			const json_t *value = NULL;
			char key[32];

			snprintf(key, sizeof(key), "rw_mix_%u-%u", cell->read_pct,
				 100 - cell->read_pct);
			for (size_t r = 0; r < 8; r++) {
				const json_t *row = json_array_get(rows, r);

				if (json_number_value(json_object_get(row, "block_size")) ==
				    kib)
					value = json_object_get(row, key);
			}
			for (int round = 2; round <= ROUNDS; round++)
				sum += iops_of(round, cell);
			assert_non_null(value);
			checked++;
			if (cell->applicable)
				assert_true(fabs(json_number_value(value) - sum / 5) <
					    1e-9 * sum);
			else
				assert_true(json_is_null(value));
		}
	}
	assert_int_equal(checked, 56);
}

static void test_chain(uint32_t lba_bytes, enum spec_mode mode, const char *revision)
{
	json_error_t error;
	char wrong[800] = "";
	json_t *root;
	char *text;

	make_plan(mode, lba_bytes);
	make_store();
	fill_store();
	write_all();
	root = json_load_file(scratch_path("out/report.json"), 0, &error);
	assert_non_null(root);
	if (!report_json_check(PTS_SOURCE "/report/report.schema.json", root, wrong,
			       sizeof(wrong)))
		fail_msg("report.json: %s", wrong);
	check_matrix(root);
	text = scratch_read("out/report.txt", NULL);
	assert_non_null(strstr(text, revision));
	assert_non_null(strstr(text, "steady state was reached"));
	assert_non_null(strstr(text, "rounds 2-6"));
	assert_non_null(strstr(text, "NOT A DRIVE"));
	assert_non_null(strstr(text, "Real_Chain`id`"));
	assert_non_null(strstr(text, "16 samples read as zeroes"));
	assert_non_null(strstr(text, "2x capacity"));
	assert_null(strstr(text, "draws no pages of kind"));
	assert_true(scratch_exists("out/report.pdf"));
	assert_true(scratch_exists("out/report.html"));
	json_decref(root);
	free(text);
}

static void test_enterprise(void **state)
{
	(void)state;
	test_chain(512, SPEC_ENTERPRISE, "PTS-E 2.0.2");
}

static void test_client_4096(void **state)
{
	(void)state;
	test_chain(4096, SPEC_CLIENT, "PTS-C 2.0.2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_enterprise, setup, teardown),
		cmocka_unit_test_setup_teardown(test_client_4096, setup, teardown),
	};

	if (report_gnuplot() == NULL) {
		print_message("skipped: gnuplot is not installed (gnuplot-nox)\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
