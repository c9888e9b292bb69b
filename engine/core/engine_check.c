/*
 * Is this a job that the engine can run on this target? It must not change anything; every
 * refusal says what, where and what to do.
 */
#include "engine_check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "engine_draw.h"
#include "engine_worker.h"

#define SHARE_SLACK 1e-6

#define BUG(err, ...)  pts_fail(err, PTS_EXIT_BUG, EINVAL, __VA_ARGS__)
#define SPEC(err, ...) pts_fail(err, PTS_EXIT_SPEC, EINVAL, __VA_ARGS__)

static bool is_share(double value)
{
	return value >= 0 && value <= 1;
}

static bool sums_to_one(double sum)
{
	return fabs(sum - 1) <= SHARE_SLACK;
}

/* Buffers are pinned: more of them than the machine has starves all others before it fails. */
static int check_memory(const struct engine_config *config, struct pts_err *err)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	double have = pages > 0 ? (double)pages * (double)page_bytes : 0;
	double need =
		(double)config->block_bytes_max * config->queue_depth_max * config->threads_max;

	if (!have || need <= have / 2)
		return 0;
	return pts_fail(err, PTS_EXIT_MISSING, ENOMEM,
			"%u threads x queue depth %u x blocks of %" PRIu64
			" bytes take %.0f MiB of I/O buffers, more than half of this machine's "
			"memory: use fewer threads, a smaller queue depth or smaller blocks",
			config->threads_max, config->queue_depth_max, config->block_bytes_max,
			need / (1 << 20));
}

int engine_check_config(const struct engine_config *config, bool needs_fd, struct pts_err *err)
{
	uint32_t lba = config->lba_bytes;

	if (lba < 512 || (lba & (lba - 1)))
		return BUG(err, "engine: LBA of %" PRIu32 " bytes: not a power of two from 512",
			   lba);
	if (!config->target_bytes || config->target_bytes % lba ||
	    config->target_bytes > INT64_MAX)
		return BUG(err,
			   "engine: target of %" PRIu64 " bytes: not a whole number of LBAs",
			   config->target_bytes);
	if (!config->threads_max || config->threads_max > ENGINE_THREADS_MOST)
		return SPEC(err, "%u threads: the engine runs 1 to %d", config->threads_max,
			    ENGINE_THREADS_MOST);
	if (!config->queue_depth_max || config->queue_depth_max > ENGINE_DEPTH_MOST)
		return SPEC(err, "queue depth %u: the engine runs 1 to %d",
			    config->queue_depth_max, ENGINE_DEPTH_MOST);
	if (config->block_bytes_max < lba || config->block_bytes_max % lba ||
	    config->block_bytes_max > 1u << 30)
		return SPEC(err,
			    "block of %" PRIu64 " bytes: whole LBAs of %" PRIu32
			    " bytes up to 1 GiB are possible",
			    config->block_bytes_max, lba);
	if (needs_fd && fcntl(config->fd, F_GETFL) < 0)
		return BUG(err, "engine: the target's descriptor %d is not open", config->fd);
	return needs_fd ? check_memory(config, err) : 0;
}

static int check_sizes(const struct engine_config *config, const struct engine_stream *stream,
		       unsigned number, struct pts_err *err)
{
	double sum = 0;

	if (!stream->sizes || !stream->size_count || stream->size_count > ENGINE_SIZES_MAX)
		return BUG(err, "engine: stream %u has %u sizes (1 to %d)", number,
			   stream->size_count, ENGINE_SIZES_MAX);
	for (unsigned i = 0; i < stream->size_count; i++) {
		uint64_t bytes = stream->sizes[i].block_bytes;

		if (bytes < config->lba_bytes || bytes % config->lba_bytes)
			return SPEC(err,
				    "stream %u: a block of %" PRIu64
				    " bytes is no whole number of LBAs (%" PRIu32
				    " bytes): the device cannot run it",
				    number, bytes, config->lba_bytes);
		if (bytes > config->block_bytes_max)
			return BUG(err,
				   "engine: stream %u: block of %" PRIu64
				   " bytes, opened for at most %" PRIu64,
				   number, bytes, config->block_bytes_max);
		if (bytes > stream->span_bytes)
			return SPEC(err,
				    "stream %u: a block of %" PRIu64
				    " bytes is larger than its region of %" PRIu64 " bytes",
				    number, bytes, stream->span_bytes);
		if (!is_share(stream->sizes[i].share))
			return BUG(err, "engine: stream %u: a size's share is not in 0..1",
				   number);
		sum += stream->sizes[i].share;
	}
	if (!sums_to_one(sum))
		return BUG(err, "engine: stream %u: the shares of its sizes sum to %g", number,
			   sum);
	return 0;
}

static int check_zones(const struct engine_stream *stream, unsigned number, struct pts_err *err)
{
	double span = 0;
	double access = 0;

	if (stream->zone_count > ENGINE_ZONES_MAX || (stream->zone_count && !stream->zones))
		return BUG(err, "engine: stream %u has %u zones (0 to %d)", number,
			   stream->zone_count, ENGINE_ZONES_MAX);
	for (unsigned i = 0; i < stream->zone_count; i++) {
		if (!is_share(stream->zones[i].span_share) ||
		    !is_share(stream->zones[i].access_share))
			return BUG(err, "engine: stream %u: a zone's share is not in 0..1",
				   number);
		span += stream->zones[i].span_share;
		access += stream->zones[i].access_share;
	}
	if (stream->zone_count && (!sums_to_one(span) || !sums_to_one(access)))
		return BUG(err,
			   "engine: stream %u: its zones sum to %g of the span, %g of the "
			   "accesses",
			   number, span, access);
	return 0;
}

static int check_region(const struct engine_config *config, const struct engine_stream *stream,
			unsigned number, struct pts_err *err)
{
	if (stream->start_bytes % config->lba_bytes || stream->span_bytes % config->lba_bytes ||
	    stream->align_bytes % config->lba_bytes)
		return BUG(err,
			   "engine: stream %u: region or alignment is no whole number of LBAs",
			   number);
	if (!stream->span_bytes || stream->start_bytes > config->target_bytes ||
	    stream->span_bytes > config->target_bytes - stream->start_bytes)
		return BUG(err,
			   "engine: stream %u: region %" PRIu64 "+%" PRIu64
			   " lies beyond the target's %" PRIu64 " bytes",
			   number, stream->start_bytes, stream->span_bytes,
			   config->target_bytes);
	return 0;
}

static int check_stream(const struct engine_config *config, const struct engine_stream *stream,
			unsigned number, struct pts_err *err)
{
	int ret;

	if (!is_share(stream->weight) || !is_share(stream->random_share) ||
	    !is_share(stream->read_share))
		return BUG(err, "engine: stream %u: a share is not in 0..1", number);
	ret = check_region(config, stream, number, err);
	if (!ret)
		ret = check_sizes(config, stream, number, err);
	if (!ret)
		ret = check_zones(stream, number, err);
	if (!ret && stream->read_share < 1 && config->fd >= 0 &&
	    (fcntl(config->fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return BUG(err, "engine: stream %u writes, the target is open for reading only",
			   number);
	return ret;
}

static int check_limits(const struct engine_config *config, const struct engine_job *job,
			struct pts_err *err)
{
	if (!job->threads || job->threads > config->threads_max)
		return BUG(err, "engine: %u threads, opened for %u", job->threads,
			   config->threads_max);
	if (!job->queue_depth || job->queue_depth > config->queue_depth_max)
		return BUG(err, "engine: queue depth %u, opened for %u", job->queue_depth,
			   config->queue_depth_max);
	if (!job->duration_ns && !job->ios && !job->amount_bytes)
		return BUG(err, "engine: a job without an end");
	if (job->duration_ns > INT64_MAX / 4 || job->amount_bytes > INT64_MAX)
		return SPEC(err, "the cell's time or amount is too large");
	if (!is_share(job->compressible_share))
		return BUG(err, "engine: the compressible share is not in 0..1");
	if (!is_share(job->duplicate_share))
		return BUG(err, "engine: the duplicate share is not in 0..1");
	if (!job->streams || !job->stream_count || job->stream_count > ENGINE_STREAMS_MAX)
		return BUG(err, "engine: %u streams (1 to %d)", job->stream_count,
			   ENGINE_STREAMS_MAX);
	return 0;
}

int engine_check_job(const struct engine_config *config, const struct engine_job *job,
		     struct pts_err *err)
{
	double weight = 0;
	int ret = check_limits(config, job, err);

	for (unsigned i = 0; !ret && i < job->stream_count; i++) {
		ret = check_stream(config, &job->streams[i], i, err);
		weight += job->streams[i].weight;
	}
	if (!ret && !sums_to_one(weight))
		return BUG(err, "engine: the streams' weights sum to %g", weight);
	return ret;
}

static int check_flow(const struct engine_plan *plan, const struct engine_flow *flow,
		      unsigned number, struct pts_err *err)
{
	uint64_t blocks = flow->span_bytes / flow->block_bytes;

	if (flow->random_below != ENGINE_ALWAYS && blocks < plan->threads)
		return SPEC(err,
			    "stream %u: %" PRIu64 " whole blocks of %" PRIu64
			    " bytes cannot be shared out to %u sequential threads: use fewer "
			    "threads",
			    number, blocks, flow->block_bytes, plan->threads);
	for (unsigned i = 0; flow->random_below && i < flow->size_count * flow->zone_count; i++)
		if (!flow->place[i].positions)
			return SPEC(err,
				    "stream %u: no aligned block of %" PRIu32
				    " bytes begins in zone %u: the region of %" PRIu64
				    " bytes is too small for it",
				    number, flow->size_bytes[i / flow->zone_count],
				    i % flow->zone_count, flow->span_bytes);
	return 0;
}

int engine_check_plan(const struct engine_plan *plan, struct pts_err *err)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < plan->flow_count; i++)
		ret = check_flow(plan, &plan->flow[i], i, err);
	return ret;
}
