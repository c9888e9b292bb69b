/* What one cell gave, as JSON with the contract's keys and as a table. */
#include <stdio.h>
#include <stdlib.h>

#include "cli_out.h"
#include "cli_stimulus.h"
#include "pts_units.h"

#define UNMAPPED                                                                               \
	"no unmapped-read guard: reads of blocks that were never written are not noticed"

static void set_latency(json_t *object, const struct pts_hist *hist)
{
	static const struct {
		const char *key;
		double quantile;
	} points[] = {{"p50", 0.5},
		      {"p99", 0.99},
		      {"p999", 0.999},
		      {"p9999", 0.9999},
		      {"p99999", 0.99999}};
	json_t *lat = json_object();
	bool any = hist->count > 0;

	json_object_set_new(lat, "min", any ? cli_json_u64(hist->min) : json_null());
	json_object_set_new(lat, "mean", cli_json_number(pts_hist_mean(hist)));
	for (unsigned i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		json_object_set_new(
			lat, points[i].key,
			any ? cli_json_u64(pts_hist_quantile(hist, points[i].quantile))
			    : json_null());
	json_object_set_new(lat, "max", any ? cli_json_u64(hist->max) : json_null());
	json_object_set_new(object, "lat_ns", lat);
}

static json_t *json_counts(const struct engine_counts *counts, uint64_t elapsed_ns,
			   const struct pts_hist *hist)
{
	json_t *object = json_object();

	json_object_set_new(object, "ios", cli_json_u64(counts->ios));
	json_object_set_new(object, "bytes", cli_json_u64(counts->bytes));
	json_object_set_new(object, "submitted", cli_json_u64(counts->submitted));
	json_object_set_new(object, "errors", cli_json_u64(counts->errors));
	json_object_set_new(object, "iops",
			    cli_json_number(pts_per_s(counts->ios, elapsed_ns)));
	json_object_set_new(object, "mb_per_s",
			    cli_json_number(pts_mb_per_s(counts->bytes, elapsed_ns)));
	set_latency(object, hist);
	return object;
}

static void sum_up(const struct engine_result *result, struct engine_counts *ret_total,
		   struct pts_hist *ret_hist)
{
	for (int i = 0; i < ENGINE_DIRS; i++) {
		ret_total->ios += result->dir[i].ios;
		ret_total->bytes += result->dir[i].bytes;
		ret_total->submitted += result->dir[i].submitted;
		ret_total->errors += result->dir[i].errors;
		pts_hist_add(ret_hist, result->hist[i]);
	}
}

static json_t *json_degrades(const struct engine *engine)
{
	const struct engine_degrade *degrades;
	unsigned count = engine_degrades(engine, &degrades);
	json_t *list = json_array();
	char text[200];

	for (unsigned i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s: %s", degrades[i].capability,
			 degrades[i].reason);
		json_array_append_new(list, cli_json_text(text));
	}
	json_array_append_new(list, cli_json_text(UNMAPPED));
	return list;
}

/* The first errors, each with its place. */
static json_t *json_notes(const struct engine_result *result)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < result->error_count; i++) {
		const struct engine_error_note *note = &result->errors[i];

		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o, s:o, s:i, s:s, s:o}", "direction",
					note->dir == ENGINE_READ ? "read" : "write", "at_ns",
					cli_json_u64(note->at_ns), "offset_bytes",
					cli_json_u64(note->offset_bytes), "length_bytes",
					cli_json_u64(note->length_bytes), "errno", note->error,
					"text", pts_errno_text(note->error), "got_bytes",
					cli_json_u64(note->got_bytes)));
	}
	return list;
}

void stimulus_print_json(const struct stimulus *s, const struct engine *engine,
			 const struct engine_result *result)
{
	struct engine_counts total = {0};
	struct pts_hist *hist = pts_hist_new();
	json_t *root = json_object();

	sum_up(result, &total, hist);
	json_object_set_new(root, "ios", cli_json_u64(total.ios));
	json_object_set_new(root, "bytes", cli_json_u64(total.bytes));
	json_object_set_new(root, "iops",
			    cli_json_number(pts_per_s(total.ios, result->elapsed_ns)));
	json_object_set_new(root, "mb_per_s",
			    cli_json_number(pts_mb_per_s(total.bytes, result->elapsed_ns)));
	json_object_set_new(root, "elapsed_ns", cli_json_u64(result->elapsed_ns));
	set_latency(root, hist);
	json_object_set_new(root, "read",
			    json_counts(&result->dir[ENGINE_READ], result->elapsed_ns,
					result->hist[ENGINE_READ]));
	json_object_set_new(root, "write",
			    json_counts(&result->dir[ENGINE_WRITE], result->elapsed_ns,
					result->hist[ENGINE_WRITE]));
	json_object_set_new(root, "total", json_counts(&total, result->elapsed_ns, hist));
	json_object_set_new(root, "errors", cli_json_u64(total.errors));
	json_object_set_new(root, "drain_ns", cli_json_u64(result->drain_ns));
	json_object_set_new(root, "drain_ios", cli_json_u64(result->drain_ios));
	json_object_set_new(root, "inflight_ns", cli_json_u64(result->inflight_ns));
	json_object_set_new(root, "outstanding_mean",
			    cli_json_number(result->outstanding_mean));
	json_object_set_new(root, "user_ns", cli_json_u64(result->user_ns));
	json_object_set_new(root, "system_ns", cli_json_u64(result->system_ns));
	json_object_set_new(root, "seed", cli_json_u64(s->job.seed));
	json_object_set_new(root, "backend", cli_json_text(engine_backend_name(engine)));
	json_object_set_new(root, "threads", cli_json_u64(s->job.threads));
	json_object_set_new(root, "queue_depth", cli_json_u64(s->job.queue_depth));
	json_object_set_new(root, "block_bytes", cli_json_u64(s->size.block_bytes));
	json_object_set_new(root, "clock_errors", cli_json_u64(result->clock_errors));
	json_object_set_new(root, "error_notes", json_notes(result));
	json_object_set_new(root, "degraded", json_degrades(engine));
	cli_json_print(root);
	pts_hist_free(hist);
}

static void row(struct cli_table *table, const char *name, const struct engine_counts *counts,
		const struct pts_hist *hist, uint64_t elapsed_ns)
{
	static const double quantiles[] = {0.5, 0.99, 0.99999};

	cli_table_cell(table, "%s", name);
	cli_table_number(table, (double)counts->ios, 0);
	cli_table_number(table, pts_per_s(counts->ios, elapsed_ns), 1);
	cli_table_number(table, pts_mb_per_s(counts->bytes, elapsed_ns), 2);
	cli_table_number(table, pts_hist_mean(hist) / 1e3, 2);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		cli_table_number(table,
				 hist->count
					 ? (double)pts_hist_quantile(hist, quantiles[i]) / 1e3
					 : pts_hist_mean(hist),
				 2);
	cli_table_number(table, hist->count ? (double)hist->max / 1e3 : pts_hist_mean(hist), 2);
	cli_table_number(table, (double)counts->errors, 0);
}

void stimulus_print_text(const struct stimulus *s, const struct engine *engine,
			 const struct engine_result *result)
{
	static const char *const heads[] = {"",         ">IOS",    ">IOPS",   ">MB/s",
					    ">MEAN us", ">P50 us", ">P99 us", ">P99.999 us",
					    ">MAX us",  ">ERRORS"};
	static const char *const names[ENGINE_DIRS] = {"read", "write"};
	struct cli_table table = {.columns = 10};
	struct engine_counts total = {0};
	struct pts_hist *hist = pts_hist_new();
	const struct engine_degrade *degrades;
	unsigned count = engine_degrades(engine, &degrades);
	char time[48];

	sum_up(result, &total, hist);
	pts_duration_human(result->elapsed_ns, time, sizeof(time));
	printf("%s, %u threads, queue depth %u, %s\n", engine_backend_name(engine),
	       s->job.threads, s->job.queue_depth, time);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		cli_table_cell(&table, "%s", heads[i]);
	for (int i = 0; i < ENGINE_DIRS; i++)
		if (result->dir[i].submitted)
			row(&table, names[i], &result->dir[i], result->hist[i],
			    result->elapsed_ns);
	row(&table, "total", &total, hist, result->elapsed_ns);
	cli_table_print(&table);
	for (unsigned i = 0; i < count; i++)
		printf("degraded: %s: %s\n", degrades[i].capability, degrades[i].reason);
	printf("degraded: %s\n", UNMAPPED);
	pts_hist_free(hist);
}
