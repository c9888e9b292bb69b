/* See engine_fixture.h. */
#include "engine_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_loop.h"

int fixture_file(uint64_t bytes)
{
	const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/pts-engine-XXXXXX", folder ? folder : "/tmp");
	fd = mkostemp(path, O_CLOEXEC);
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT);
	return fd;
}

unsigned char *fixture_read(int fd, uint64_t bytes)
{
	unsigned char *data = malloc(bytes);
	int flags = fcntl(fd, F_GETFL);
	uint64_t at = 0;

	assert_non_null(data);
	fcntl(fd, F_SETFL, flags & ~O_DIRECT);
	while (at < bytes) {
		ssize_t got = pread(fd, data + at, bytes - at, (off_t)at);

		assert_true(got > 0);
		at += (uint64_t)got;
	}
	fcntl(fd, F_SETFL, flags);
	return data;
}

void fixture_job_init(struct fixture_job *fixture, uint64_t span_bytes, uint64_t block_bytes)
{
	*fixture = (struct fixture_job){0};
	fixture->size = (struct engine_size){block_bytes, 1};
	fixture->stream = (struct engine_stream){
		.weight = 1,
		.random_share = 1,
		.read_share = 1,
		.sizes = &fixture->size,
		.size_count = 1,
		.span_bytes = span_bytes,
	};
	fixture->job = (struct engine_job){
		.streams = &fixture->stream,
		.stream_count = 1,
		.threads = 1,
		.queue_depth = 8,
		.seed = 0x5eed,
		.stall_limit_ns = 20 * PTS_NS_PER_S,
	};
}

struct engine_config fixture_config(enum engine_backend_kind backend, int fd, uint64_t bytes)
{
	return (struct engine_config){
		.backend = backend,
		.fd = fd,
		.target_bytes = bytes,
		.lba_bytes = 512,
		.threads_max = 4,
		.queue_depth_max = 32,
		.block_bytes_max = 128 * KIB,
	};
}

struct engine *fixture_open(const struct engine_config *config)
{
	struct pts_err err = PTS_ERR_INIT;
	struct engine *engine;

	if (engine_open(config, &engine, &err) < 0)
		fail_msg("engine_open: %s", err.text);
	return engine;
}

int fixture_run(struct engine *engine, const struct engine_job *job,
		struct engine_result *result, struct pts_err *err)
{
	int ret = engine_start(engine, job, err);

	return ret < 0 ? ret : engine_finish(engine, result, err);
}

void fixture_run_well(struct engine *engine, const struct engine_job *job,
		      struct engine_result *result)
{
	struct pts_err err = PTS_ERR_INIT;

	if (fixture_run(engine, job, result, &err) < 0)
		fail_msg("job: %s", err.text);
}

/* ---- the test's device ----------------------------------------------------------------- */

struct fixture_answer (*fixture_device)(struct engine_worker *worker,
					const struct engine_slot *slot);

struct pending {
	unsigned index;
	struct fixture_answer answer;
};

struct device {
	unsigned made;  /* prepared, not yet submitted */
	unsigned out;   /* submitted, after the prepared ones below */
	unsigned ready; /* of those, moved to the front */
	unsigned prepared[512];
	struct pending pending[512];
};

static struct engine_feed device_feed(struct engine_worker *worker)
{
	return (struct engine_feed){.entries = worker->port};
}

static void device_prepare(struct engine_worker *worker, struct engine_feed *feed,
			   unsigned index, enum engine_path path)
{
	struct device *device = feed->entries;

	(void)worker;
	(void)path;
	device->prepared[device->made++] = index;
}

static void device_sort(struct device *device)
{
	uint64_t now = pts_now_ns();

	for (unsigned i = device->ready; i < device->out; i++) {
		struct pending swap = device->pending[device->ready];

		if (device->pending[i].answer.due_ns > now)
			continue;
		device->pending[device->ready++] = device->pending[i];
		device->pending[i] = swap;
	}
}

static int device_commit(struct engine_worker *worker, const struct engine_feed *feed,
			 unsigned made, unsigned want)
{
	struct device *device = feed->entries;
	uint64_t until = pts_now_ns() + ENGINE_TICK_NS;

	for (unsigned i = 0; i < device->made; i++) {
		unsigned index = device->prepared[i];

		device->pending[device->out++] =
			(struct pending){index, fixture_device(worker, &worker->slot[index])};
	}
	if (made != device->made)
		abort();
	device->made = 0;
	for (unsigned i = 0; i < device->out; i++)
		if (device->pending[i].answer.result == FIXTURE_BROKEN)
			return -ENXIO;
	device_sort(device);
	while (device->ready < want && pts_now_ns() < until) {
		pts_sleep_until_ns(pts_now_ns() + MS / 10);
		device_sort(device);
	}
	return 0;
}

static struct engine_harvest device_harvest(struct engine_worker *worker)
{
	const struct device *device = worker->port;

	return (struct engine_harvest){.entries = device->pending, .count = device->ready};
}

static unsigned device_done(struct engine_worker *worker, const struct engine_harvest *harvest,
			    unsigned i, int *ret_result)
{
	const struct pending *pending = harvest->entries;

	(void)worker;
	*ret_result = pending[i].answer.result;
	return pending[i].index;
}

static void device_taken(struct engine_worker *worker, const struct engine_harvest *harvest)
{
	struct device *device = worker->port;

	memmove(device->pending, device->pending + harvest->count,
		(device->out - harvest->count) * sizeof(device->pending[0]));
	device->out -= harvest->count;
	device->ready -= harvest->count;
}

static void device_job(struct engine_worker *worker)
{
	static const struct engine_ops ops = {
		.feed = device_feed,
		.prepare = device_prepare,
		.commit = device_commit,
		.harvest = device_harvest,
		.done = device_done,
		.taken = device_taken,
	};

	engine_loop(worker, &ops);
}

static int device_open(struct engine_worker *worker, struct pts_err *err)
{
	(void)err;
	worker->port = calloc(1, sizeof(struct device));
	return worker->port ? 0 : -ENOMEM;
}

static void device_close(struct engine_worker *worker)
{
	free(worker->port);
	worker->port = NULL;
}

static const struct engine_port device_port = {
	.open = device_open,
	.job = device_job,
	.close = device_close,
};

const struct engine_backend fixture_backend = {
	.name = "test device",
	.open = engine_threads_open,
	.close = engine_threads_close,
	.start = engine_threads_start,
	.wait = engine_threads_wait,
	.port = &device_port,
};

struct engine *fixture_open_device(unsigned threads, unsigned depth, uint64_t bytes,
				   struct fixture_answer (*device)(struct engine_worker *,
								   const struct engine_slot *))
{
	struct engine_config config = fixture_config(ENGINE_NIL, -1, bytes);
	struct pts_err err = PTS_ERR_INIT;
	struct engine *engine;

	fixture_device = device;
	config.threads_max = threads;
	config.queue_depth_max = depth;
	config.sample_ns = 50 * MS;
	if (engine_open_backend(&config, &fixture_backend, &engine, &err) < 0)
		fail_msg("engine_open_backend: %s", err.text);
	return engine;
}
