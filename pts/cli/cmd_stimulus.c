/* stimulus: one cell without plan, rounds or store, for benches and checks. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "device.h"
#include "engine.h"
#include "pts_hash.h"
#include "pts_text.h"
#include "pts_units.h"

#define DEFAULT_BLOCK_BYTES 4096
#define NIL_TARGET_BYTES    (1ull << 40)

struct stimulus {
	struct device_facts facts;
	struct device *device;
	struct engine_config config;
	struct engine_size size;
	struct engine_stream stream;
	struct engine_job job;
};

static struct engine *volatile running;

static void stop(int signal_number)
{
	(void)signal_number;
	if (running)
		engine_stop(running); /* NOLINT(bugprone-signal-handler): made for it */
}

static int backend_of(const struct cli_args *args, enum engine_backend_kind *ret_kind,
		      struct pts_err *err)
{
	static const char *const names[] = {"uring", "psync", "nil"};
	const char *text = cli_value(args, "backend");

	*ret_kind = ENGINE_URING;
	for (int i = 0; text && i < 3; i++)
		if (!strcmp(names[i], text)) {
			*ret_kind = (enum engine_backend_kind)i;
			return 0;
		}
	return text ? pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			       "--backend is uring, psync or nil, not '%s'", text)
		    : 0;
}

static int parse_u64(const struct cli_args *args, const char *name, uint64_t *value,
		     struct pts_err *err)
{
	const char *text = cli_value(args, name);

	if (text && pts_u64_parse(text, value) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--%s takes a whole number, not '%s'", name, text);
	return 0;
}

static int load_options(const struct cli_args *args, struct stimulus *s, struct pts_err *err)
{
	const char *access = cli_value(args, "access"), *mix = cli_value(args, "rw-mix");
	const char *block = cli_value(args, "block-size");
	unsigned read_pct = 100;

	s->stream = (struct engine_stream){
		.weight = 1,
		.random_share = 1,
		.sizes = &s->size,
		.size_count = 1,
	};
	s->size = (struct engine_size){DEFAULT_BLOCK_BYTES, 1};
	if (access && !strcmp(access, "sequential"))
		s->stream.random_share = 0;
	else if (access && strcmp(access, "random") != 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--access is random or sequential, not '%s'", access);
	if (mix && pts_rw_mix_parse(mix, &read_pct) < 0)
		return pts_fail(
			err, PTS_EXIT_USAGE, EINVAL,
			"--rw-mix takes reads/writes that sum to 100, such as 65/35, not '%s'",
			mix);
	if (block && (pts_bytes_parse(block, &s->size.block_bytes) < 0 || !s->size.block_bytes))
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--block-size takes a size such as 4KiB, not '%s'", block);
	s->stream.read_share = read_pct / 100.0;
	return 0;
}

static int limit_options(const struct cli_args *args, struct stimulus *s, struct pts_err *err)
{
	const char *duration = cli_value(args, "duration"), *amount = cli_value(args, "amount");
	int rc;

	if (duration && pts_duration_parse(duration, &s->job.duration_ns) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--duration takes a time such as 5s, not '%s'", duration);
	if (amount && pts_bytes_parse(amount, &s->job.amount_bytes) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--amount takes a size such as 1GiB, not '%s'", amount);
	rc = parse_u64(args, "ios", &s->job.ios, err);
	if (!rc && !s->job.duration_ns && !s->job.amount_bytes && !s->job.ios)
		rc = pts_fail(err, PTS_EXIT_USAGE, EINVAL,
			      "give an end: --duration, --ios or --amount");
	return rc;
}

static int job_options(const struct cli_args *args, struct stimulus *s, struct pts_err *err)
{
	int rc = load_options(args, s, err);

	if (!rc)
		rc = limit_options(args, s, err);
	if (!rc)
		rc = cli_count(args, "threads", 1, 1, &s->job.threads, err);
	if (!rc)
		rc = cli_count(args, "queue-depth", 1, 1, &s->job.queue_depth, err);
	if (!rc)
		rc = cli_count(args, "batch", 1, 0, &s->job.submit_batch, err);
	s->job.seed = 0;
	if (!rc)
		rc = parse_u64(args, "seed", &s->job.seed, err);
	if (!s->job.seed)
		s->job.seed = pts_seed_fresh();
	s->job.streams = &s->stream;
	s->job.stream_count = 1;
	return rc;
}

static int open_target(const struct cli_args *args, struct stimulus *s, struct pts_err *err)
{
	bool writes = s->stream.read_share < 1;
	const char *path;
	int rc;

	s->config.fd = -1;
	s->config.target_bytes = NIL_TARGET_BYTES;
	s->config.lba_bytes = 512;
	if (s->config.backend == ENGINE_NIL)
		return 0;
	rc = cli_need(args, "device", &path, err);
	if (!rc)
		rc = device_facts_read(path, NULL, &s->facts, err);
	if (!rc)
		rc = writes ? device_open_destroy(&s->facts, cli_value(args, "destroy"), NULL,
						  &s->device, err)
			    : device_open_read(&s->facts, &s->device, err);
	if (rc)
		return rc;
	s->config.fd = device_fd(s->device);
	s->config.target_bytes = s->facts.capacity_bytes;
	s->config.lba_bytes = s->facts.lba_bytes;
	return 0;
}

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
	json_array_append_new(list,
			      cli_json_text("no unmapped-read guard: reads of blocks that were "
					    "never written are not noticed"));
	return list;
}

static void print_json(const struct stimulus *s, const struct engine *engine,
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
	json_object_set_new(root, "outstanding_mean",
			    cli_json_number(result->outstanding_mean));
	json_object_set_new(root, "user_ns", cli_json_u64(result->user_ns));
	json_object_set_new(root, "system_ns", cli_json_u64(result->system_ns));
	json_object_set_new(root, "seed", cli_json_u64(s->job.seed));
	json_object_set_new(root, "backend", cli_json_text(engine_backend_name(engine)));
	json_object_set_new(root, "degraded", json_degrades(engine));
	cli_json_print(root);
	pts_hist_free(hist);
}

static void print_text(const struct engine_result *result)
{
	static const char *const names[ENGINE_DIRS] = {"read", "write"};

	for (int i = 0; i < ENGINE_DIRS; i++) {
		const struct pts_hist *hist = result->hist[i];
		char iops[40];

		if (!result->dir[i].submitted)
			continue;
		pts_number_text(pts_per_s(result->dir[i].ios, result->elapsed_ns), 1, iops,
				sizeof(iops));
		printf("%-5s %s IOPS, %.2f MB/s, latency us: mean %.2f, p99 %.2f, max %.2f, "
		       "errors "
		       "%llu\n",
		       names[i], iops, pts_mb_per_s(result->dir[i].bytes, result->elapsed_ns),
		       pts_hist_mean(hist) / 1e3, (double)pts_hist_quantile(hist, 0.99) / 1e3,
		       (double)hist->max / 1e3, (unsigned long long)result->dir[i].errors);
	}
}

static int measure(struct cli_args *args, struct stimulus *s, struct pts_err *err)
{
	struct engine_result *result = engine_result_new();
	struct engine_progress progress = {0};
	struct engine *engine = NULL;
	int rc = engine_open(&s->config, &engine, err);

	if (!rc)
		rc = engine_start(engine, &s->job, err);
	if (!rc) {
		running = engine;
		signal(SIGINT, stop);
		signal(SIGTERM, stop);
		while (!progress.done)
			engine_poll(engine, 1000000000, &progress);
		rc = engine_finish(engine, result, err);
		/* what was measured is shown, also when an error ended it or somebody did */
		if (cli_flag(args, "json"))
			print_json(s, engine, result);
		else
			print_text(result);
		running = NULL;
		if (rc == -ECANCELED)
			rc = PTS_EXIT_RESUMABLE;
	}
	engine_close(engine);
	engine_result_free(result);
	return rc;
}

int cmd_stimulus(struct cli_args *args, struct pts_err *err)
{
	struct stimulus s = {0};
	int rc = backend_of(args, &s.config.backend, err);

	if (!rc)
		rc = job_options(args, &s, err);
	if (!rc)
		rc = open_target(args, &s, err);
	if (!rc) {
		s.stream.span_bytes =
			s.config.target_bytes - s.config.target_bytes % s.config.lba_bytes;
		s.config.threads_max = s.job.threads;
		s.config.queue_depth_max = s.job.queue_depth;
		s.config.block_bytes_max = s.size.block_bytes;
		s.config.pin = cli_flag(args, "pin");
		rc = measure(args, &s, err);
	}
	device_close(s.device);
	return rc;
}
