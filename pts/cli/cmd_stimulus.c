/* stimulus: one cell without plan, rounds or store, for benches and checks. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_commands.h"
#include "cli_confirm.h"
#include "cli_stimulus.h"
#include "pts_hash.h"
#include "pts_text.h"
#include "pts_units.h"

#define DEFAULT_BLOCK_BYTES 4096
#define NIL_TARGET_BYTES    (1ull << 40)

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
	char *identity = NULL;
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
	if (!rc && writes)
		rc = cli_confirm(args, &s->facts, NULL, &identity, err);
	if (!rc)
		rc = writes ? device_open_destroy(&s->facts, identity, NULL, &s->device, err)
			    : device_open_read(&s->facts, &s->device, err);
	free(identity);
	if (rc)
		return rc;
	s->config.fd = device_fd(s->device);
	s->config.sim = device_sim(s->device);
	if (s->config.sim)
		s->config.backend = ENGINE_SIM;
	s->config.target_bytes = s->facts.capacity_bytes;
	s->config.lba_bytes = s->facts.lba_bytes;
	return 0;
}

static int measure(struct cli_args *args, struct stimulus *s, struct pts_err *err)
{
	struct engine_result *result = engine_result_new();
	struct engine_progress progress = {0};
	struct engine *engine = NULL;
	int rc = engine_open(&s->config, &engine, err);

	if (!rc)
		rc = engine_start(engine, &s->job, err);
	if (rc && err->exit == PTS_EXIT_SPEC)
		err->exit = PTS_EXIT_USAGE; /* the load came from the command line */
	if (!rc) {
		running = engine;
		signal(SIGINT, stop);
		signal(SIGTERM, stop);
		while (!progress.done)
			engine_poll(engine, 1000000000, &progress);
		rc = engine_finish(engine, result, err);
		/* what was measured is shown, also when an error ended it or somebody did */
		if (cli_flag(args, "json"))
			stimulus_print_json(s, engine, result);
		else
			stimulus_print_text(s, engine, result);
		running = NULL;
		if (s->device && (!rc || rc == -ECANCELED) && device_keep(s->device, true, err))
			rc = -EIO;
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
