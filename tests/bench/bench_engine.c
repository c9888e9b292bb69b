/*
 * Drives the engine alone, without the suite around it: for counting instructions and comparing
 * with other load generators. Prints one line of figures.
 *
 *   bench_engine -f FILE [-B uring|psync|nil] [-b bytes] [-q depth] [-t threads] [-r read%]
 *                [-n ios | -s seconds] [-k batch] [-a seq]
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"

struct options {
	const char *path;
	enum engine_backend_kind backend;
	uint64_t block_bytes;
	unsigned depth;
	unsigned threads;
	double read_share;
	double random_share;
	uint64_t ios;
	double seconds;
	unsigned batch;
};

static int fail(const struct pts_err *err)
{
	fprintf(stderr, "bench_engine: %s\n", err->text);
	return (int)err->exit;
}

static enum engine_backend_kind backend_of(const char *name)
{
	if (strcmp(name, "nil") == 0)
		return ENGINE_NIL;
	return strcmp(name, "psync") == 0 ? ENGINE_PSYNC : ENGINE_URING;
}

static void parse(int argc, char **argv, struct options *options)
{
	int c;

	while ((c = getopt(argc, argv, "f:B:b:q:t:r:n:s:k:a:")) != -1) {
		switch (c) {
		case 'f':
			options->path = optarg;
			break;
		case 'B':
			options->backend = backend_of(optarg);
			break;
		case 'b':
			options->block_bytes = strtoull(optarg, NULL, 10);
			break;
		case 'q':
			options->depth = (unsigned)atoi(optarg);
			break;
		case 't':
			options->threads = (unsigned)atoi(optarg);
			break;
		case 'r':
			options->read_share = atof(optarg) / 100;
			break;
		case 'n':
			options->ios = strtoull(optarg, NULL, 10);
			break;
		case 's':
			options->seconds = atof(optarg);
			break;
		case 'k':
			options->batch = (unsigned)atoi(optarg);
			break;
		case 'a':
			options->random_share = strcmp(optarg, "seq") != 0;
			break;
		default:
			exit(2);
		}
	}
}

static uint64_t target_bytes(int fd)
{
	struct stat st;
	uint64_t bytes = 0;

	if (fstat(fd, &st) < 0)
		return 0;
	if (S_ISREG(st.st_mode))
		return (uint64_t)st.st_size;
	return ioctl(fd, BLKGETSIZE64, &bytes) < 0 ? 0 : bytes;
}

static void print(const struct engine *engine, const struct engine_result *result)
{
	const struct engine_degrade *degrade;
	unsigned degrades = engine_degrades(engine, &degrade);
	struct pts_hist *hist = pts_hist_new();
	double seconds = (double)result->elapsed_ns / 1e9;

	pts_hist_add(hist, result->hist[ENGINE_READ]);
	pts_hist_add(hist, result->hist[ENGINE_WRITE]);
	printf("iops=%.0f ios=%" PRIu64 " elapsed=%.6f mean_us=%.3f p99_us=%.3f max_us=%.3f "
	       "outstanding=%.2f little=%.2f usr_ns=%.1f sys_ns=%.1f drain=%" PRIu64
	       " clock_errors=%" PRIu64 "\n",
	       (double)hist->count / seconds, hist->count, seconds, pts_hist_mean(hist) / 1e3,
	       (double)pts_hist_quantile(hist, 0.99) / 1e3, (double)hist->max / 1e3,
	       result->outstanding_mean,
	       pts_hist_mean(hist) * (double)hist->count / (double)result->elapsed_ns,
	       (double)result->user_ns / (double)hist->count,
	       (double)result->system_ns / (double)hist->count, result->drain_ios,
	       result->clock_errors);
	for (unsigned i = 0; i < degrades; i++)
		printf("degraded: %s (%s)\n", degrade[i].capability, degrade[i].reason);
	pts_hist_free(hist);
}

int main(int argc, char **argv)
{
	struct options options = {.backend = ENGINE_URING,
				  .block_bytes = 4096,
				  .depth = 32,
				  .threads = 1,
				  .read_share = 1,
				  .random_share = 1,
				  .seconds = 2};
	struct engine_result *result = engine_result_new();
	struct pts_err err = PTS_ERR_INIT;
	struct engine_config config = {.fd = -1, .lba_bytes = 512};
	struct engine *engine;
	int ret;

	parse(argc, argv, &options);
	config.target_bytes = 1ull << 30;
	if (options.path) {
		config.fd = open(options.path, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (config.fd < 0) {
			perror(options.path);
			return 2;
		}
		config.target_bytes = target_bytes(config.fd);
	}
	config.backend = options.backend;
	config.threads_max = options.threads;
	config.queue_depth_max = options.depth;
	config.block_bytes_max = options.block_bytes;

	struct engine_size size = {options.block_bytes, 1};
	struct engine_stream stream = {
		.weight = 1,
		.random_share = options.random_share,
		.read_share = options.read_share,
		.sizes = &size,
		.size_count = 1,
		.span_bytes = config.target_bytes,
	};
	struct engine_job job = {
		.streams = &stream,
		.stream_count = 1,
		.threads = options.threads,
		.queue_depth = options.depth,
		.duration_ns = options.ios ? 0 : (uint64_t)(options.seconds * 1e9),
		.ios = options.ios,
		.seed = 42,
		.submit_batch = options.batch,
	};

	if (engine_open(&config, &engine, &err) < 0)
		return fail(&err);
	ret = engine_start(engine, &job, &err);
	if (!ret)
		ret = engine_finish(engine, result, &err);
	print(engine, result);
	engine_close(engine);
	engine_result_free(result);
	return ret < 0 ? fail(&err) : 0;
}
