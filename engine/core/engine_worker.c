/*
 * The parts of a worker's job that are not hot: the barrier, samples, the window's end, stops,
 * stalls, errors. It must not submit anything and must not block but at the barrier.
 */
#include "engine_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "pts_hash.h"

struct engine_worker *engine_worker_new(struct engine *engine, unsigned index)
{
	struct engine_worker *worker = NULL;

	if (posix_memalign((void **)&worker, ENGINE_CACHE_LINE, sizeof(*worker)))
		return NULL;
	memset(worker, 0, sizeof(*worker));
	worker->engine = engine;
	worker->index = index;
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		worker->tally[dir].hist = pts_hist_new();
	atomic_store(&worker->out.done, true);
	return worker;
}

void engine_worker_free(struct engine_worker *worker)
{
	if (!worker)
		return;
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		pts_hist_free(worker->tally[dir].hist);
	for (unsigned i = 0; i < ENGINE_SAMPLE_CHUNKS; i++)
		free(atomic_load(&worker->out.chunk[i]));
	engine_draw_release(&worker->draw);
	free(worker);
}

int engine_worker_open(struct engine_worker *worker, struct pts_err *err)
{
	const struct engine_config *config = &worker->engine->config;
	unsigned depth = config->queue_depth_max;

	worker->slot_bytes = (config->block_bytes_max + 4095) / 4096 * 4096;
	if (worker->engine->backend->no_data)
		worker->slot_bytes = 0;
	worker->pool_bytes = worker->slot_bytes ? worker->slot_bytes * depth : 4096;
	worker->slot = calloc(depth, sizeof(*worker->slot));
	worker->stamp = calloc(depth, sizeof(*worker->stamp));
	worker->free_slot = calloc(depth, sizeof(*worker->free_slot));
	worker->pool = mmap(NULL, worker->pool_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (worker->pool == MAP_FAILED)
		worker->pool = NULL;
	if (!worker->slot || !worker->stamp || !worker->free_slot || !worker->pool) {
		engine_worker_close(worker);
		return pts_fail(
			err, PTS_EXIT_MISSING, ENOMEM,
			"cannot allocate %zu MiB of I/O buffers for a worker: use fewer "
			"threads, a smaller queue depth or smaller blocks",
			worker->pool_bytes >> 20);
	}
	/* fewer, larger pages where there are any; it is no fault if there are none */
	(void)madvise(worker->pool, worker->pool_bytes, MADV_HUGEPAGE);
	memset(worker->pool, 0, worker->pool_bytes);
	return 0;
}

/* Buffers that a lost I/O may still write to stay mapped. */
void engine_worker_close(struct engine_worker *worker)
{
	free(worker->slot);
	free(worker->stamp);
	free(worker->free_slot);
	if (worker->pool && !worker->lost)
		munmap(worker->pool, worker->pool_bytes);
	worker->slot = NULL;
	worker->stamp = NULL;
	worker->free_slot = NULL;
	worker->pool = NULL;
}

/* ---- start ----------------------------------------------------------------------------- */

static uint64_t timeval_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * PTS_NS_PER_S + (uint64_t)time->tv_usec * 1000;
}

/* First call (sign -1) subtracts what was used before the job, the second adds the total. */
static void cpu_add(struct engine_worker *worker, int sign)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage) < 0)
		return;
	worker->user_ns += (uint64_t)sign * timeval_ns(&usage.ru_utime);
	worker->system_ns += (uint64_t)sign * timeval_ns(&usage.ru_stime);
}

/* The first write of a batch waits until the data of all are made: that must stay short beside
 * what a device needs. */
static unsigned own_batch(const struct engine_plan *plan)
{
	uint64_t batch = ENGINE_BATCH_BYTES / plan->block_bytes;

	if (!plan->has_writes || batch > ENGINE_BATCH)
		return ENGINE_BATCH;
	return batch ? (unsigned)batch : 1;
}

static void begin_slots(struct engine_worker *worker)
{
	const struct engine *engine = worker->engine;
	const struct engine_plan *plan = &engine->plan;
	unsigned batch = engine->job->submit_batch;

	worker->depth = engine->depth;
	worker->batch = batch ? batch : own_batch(plan);
	worker->wait_most = batch ? batch : 1;
	worker->block_bytes = plan->flow[0].size_bytes[0];
	worker->free_count = worker->depth;
	for (unsigned i = 0; i < worker->depth; i++) {
		worker->free_slot[i] = worker->depth - 1 - i;
		worker->slot[i] = (struct engine_slot){
			.length_bytes = worker->block_bytes,
			.dir = ENGINE_READ,
		};
	}
}

static void begin_tallies(struct engine_worker *worker)
{
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++) {
		struct engine_tally *tally = &worker->tally[dir];

		/* engine_finish() left the histogram empty */
		*tally = (struct engine_tally){.hist = tally->hist};
	}
	worker->area = 0;
	worker->area_closed = 0;
	worker->inflight = 0;
	worker->drain_ios = 0;
	worker->note_count = 0;
	worker->fault = 0;
	worker->sample = 0;
	worker->user_ns = 0;
	worker->system_ns = 0;
}

void engine_worker_begin(struct engine_worker *worker)
{
	struct engine *engine = worker->engine;
	const struct engine_job *job = engine->job;
	uint64_t seed = pts_seed_derive(job->seed, 1, 0, 0, worker->index);
	int ret;

	worker->clock = engine->clock;
	worker->start_ticks = 0;
	worker->ending = false;
	worker->past = false;
	worker->timed_out = false;
	worker->cut = false;
	begin_tallies(worker);
	begin_slots(worker);
	cpu_add(worker, -1);
	worker->stall_ticks = engine_clock_span_ticks(
		&worker->clock, job->stall_limit_ns ? job->stall_limit_ns : 60 * PTS_NS_PER_S);
	engine_payload_init(&worker->payload, job->payload, job->compressible_share,
			    job->duplicate_share, seed);
	ret = engine_draw_init(&worker->draw, &engine->plan, worker->index, worker->carry);
	if (ret < 0)
		engine_worker_fault(worker, -ret, "preparing the job");
}

static uint64_t sample_end(const struct engine_worker *worker)
{
	uint64_t ns = worker->engine->job->sample_ns * (worker->sample + 1);

	return worker->start_ticks + engine_clock_span_ticks(&worker->clock, ns);
}

static void next_event(struct engine_worker *worker, uint64_t now)
{
	uint64_t event = now + engine_clock_span_ticks(&worker->clock, ENGINE_TICK_NS);

	if (event > worker->sample_ticks)
		event = worker->sample_ticks;
	if (event > worker->end_ticks)
		event = worker->end_ticks;
	worker->event_ticks = event;
}

static void barrier(struct engine *engine)
{
	unsigned number = engine->round;
	unsigned released;

	if (atomic_fetch_add(&engine->arrived, 1) + 1 == engine->job->threads) {
		atomic_store(&engine->released, number);
		engine_futex_wake(&engine->released);
		return;
	}
	while ((released = atomic_load(&engine->released)) != number)
		engine_futex_wait(&engine->released, released, PTS_NS_PER_S);
}

uint64_t engine_worker_release(struct engine_worker *worker)
{
	struct engine *engine = worker->engine;
	uint64_t none = 0;
	uint64_t now;

	barrier(engine);
	now = engine_clock_ticks(&worker->clock);
	if (atomic_compare_exchange_strong(&engine->start_ticks, &none, now))
		none = now;
	worker->start_ticks = none;
	worker->area_ticks = now;
	worker->done_ticks = now;
	worker->end_ticks = UINT64_MAX;
	if (engine->job->duration_ns)
		worker->end_ticks = none + engine_clock_span_ticks(&worker->clock,
								   engine->job->duration_ns);
	worker->sample_ticks = sample_end(worker);
	next_event(worker, now);
	return now;
}

/* ---- samples --------------------------------------------------------------------------- */

static uint64_t tally_bytes(const struct engine_worker *worker,
			    const struct engine_tally *tally)
{
	if (worker->engine->plan.path == ENGINE_PATH_GENERAL)
		return tally->bytes;
	return engine_tally_ios(tally) * worker->block_bytes;
}

static void publish_progress(struct engine_worker *worker)
{
	uint64_t ios = 0;
	uint64_t bytes = 0;

	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++) {
		ios += engine_tally_ios(&worker->tally[dir]);
		bytes += tally_bytes(worker, &worker->tally[dir]);
	}
	atomic_store_explicit(&worker->out.ios, ios, memory_order_relaxed);
	atomic_store_explicit(&worker->out.bytes, bytes, memory_order_relaxed);
}

static struct engine_sample *sample_place(struct engine_worker *worker)
{
	unsigned chunk = worker->sample / ENGINE_SAMPLE_CHUNK;
	struct engine_sample *samples;

	if (chunk >= ENGINE_SAMPLE_CHUNKS)
		return NULL;
	samples = atomic_load_explicit(&worker->out.chunk[chunk], memory_order_relaxed);
	if (!samples) {
		samples = calloc(ENGINE_SAMPLE_CHUNK, sizeof(*samples));
		atomic_store_explicit(&worker->out.chunk[chunk], samples, memory_order_relaxed);
	}
	return samples ? &samples[worker->sample % ENGINE_SAMPLE_CHUNK] : NULL;
}

static void sample_dir(struct engine_worker *worker, struct engine_sample *sample, unsigned dir)
{
	struct engine_tally *tally = &worker->tally[dir];
	uint64_t ios = engine_tally_ios(tally);
	uint64_t sum = (uint64_t)tally->hist->sum;

	tally->bytes = tally_bytes(worker, tally);
	sample->ios[dir] = ios - tally->ios_before;
	sample->bytes[dir] = tally->bytes - tally->bytes_before;
	sample->lat_sum_ns[dir] = sum - tally->sum_before;
	sample->lat_max_ns[dir] = tally->max_ns;
	tally->ios_before = ios;
	tally->bytes_before = tally->bytes;
	tally->sum_before = sum;
	if (tally->hist->max < tally->max_ns)
		tally->hist->max = tally->max_ns;
	tally->max_ns = 0;
}

static void publish_sample(struct engine_worker *worker)
{
	struct engine_sample *sample = sample_place(worker);

	if (!sample) {
		engine_worker_fault(worker, ENOMEM, "keeping samples");
		return;
	}
	*sample = (struct engine_sample){.second = worker->sample};
	for (unsigned dir = 0; dir < ENGINE_DIRS; dir++)
		sample_dir(worker, sample, dir);
	worker->sample++;
	worker->sample_ticks = sample_end(worker);
	atomic_store_explicit(&worker->out.samples, worker->sample, memory_order_release);
	engine_wake(worker->engine);
}

/* ---- events ---------------------------------------------------------------------------- */

/*
 * What is outstanding when the window closes at a moment not after now: its time inside the window
 * belongs to the area and to no latency; what the area holds of the time behind it is taken out.
 */
static void close_area(struct engine_worker *worker, uint64_t at, uint64_t now)
{
	worker->area_closed = worker->area;
	worker->inflight = 0;
	for (unsigned i = 0; i < worker->free_count; i++)
		worker->stamp[worker->free_slot[i]] = UINT64_MAX; /* written anew when used */
	for (unsigned i = 0; i < worker->depth; i++) {
		uint64_t stamp = worker->stamp[i];

		if (stamp < at)
			worker->inflight += at - stamp;
		if (stamp < now)
			worker->area_closed -= now - (stamp > at ? stamp : at);
	}
}

static void close_window(struct engine_worker *worker, uint64_t at, uint64_t now)
{
	worker->closed_ticks = at;
	close_area(worker, at, now);
	worker->past = true;
	worker->ending = true;
	publish_sample(worker);
}

void engine_worker_event(struct engine_worker *worker, uint64_t now)
{
	bool end = atomic_load_explicit(&worker->engine->end, memory_order_relaxed) != 0;
	uint64_t close = now > worker->end_ticks ? worker->end_ticks : now;

	atomic_store_explicit(&worker->out.beat_ticks, now, memory_order_relaxed);
	if (!worker->past) {
		while (worker->sample_ticks < close && !worker->fault)
			publish_sample(worker);
		worker->timed_out = now > worker->end_ticks;
		worker->cut = end && !worker->timed_out;
		if (worker->timed_out || end)
			close_window(worker, close, now);
		publish_progress(worker);
	}
	next_event(worker, now);
	if (worker->past)
		worker->event_ticks =
			now + engine_clock_span_ticks(&worker->clock, ENGINE_TICK_NS);
}

bool engine_worker_alive(struct engine_worker *worker, uint64_t now)
{
	bool waits = worker->free_count != worker->depth;

	if (waits && now > worker->done_ticks &&
	    now - worker->done_ticks > worker->stall_ticks) {
		worker->lost = true;
		engine_end_job(worker->engine, ENGINE_END_STALL);
	}
	return !worker->lost;
}

static void note_error(struct engine_worker *worker, unsigned index, int result, uint64_t now)
{
	const struct engine_slot *slot = &worker->slot[index];

	if (worker->note_count == ENGINE_ERROR_NOTES)
		return;
	worker->note[worker->note_count++] = (struct engine_error_note){
		.at_ns = now < worker->start_ticks
				 ? 0
				 : engine_clock_span_ns(&worker->clock,
							now - worker->start_ticks),
		.offset_bytes = slot->offset_bytes,
		.length_bytes = slot->length_bytes,
		.error = result < 0 ? -result : EIO,
		.got_bytes = result < 0 ? 0 : (uint32_t)result,
		.dir = (enum engine_dir)slot->dir,
	};
}

void engine_worker_error(struct engine_worker *worker, unsigned slot, int result, uint64_t now)
{
	struct engine *engine = worker->engine;

	worker->tally[worker->slot[slot].dir].errors++;
	note_error(worker, slot, result, now);
	if (atomic_fetch_add(&engine->errors, 1) + 1 > engine->job->errors_max)
		engine_end_job(engine, ENGINE_END_ERRORS);
}

void engine_worker_backwards(struct engine_worker *worker, unsigned slot)
{
	worker->tally[worker->slot[slot].dir].unclocked++;
}

void engine_worker_drained(struct engine_worker *worker, unsigned slot, int result,
			   uint64_t now)
{
	if (result == (int)worker->slot[slot].length_bytes)
		worker->drain_ios++;
	else
		engine_worker_error(worker, slot, result, now);
}

void engine_worker_fault(struct engine_worker *worker, int error, const char *what)
{
	if (!worker->fault) {
		worker->fault = error;
		worker->fault_what = what;
	}
	worker->ending = true;
	engine_end_job(worker->engine, ENGINE_END_FAULT);
}

void engine_worker_finish(struct engine_worker *worker)
{
	uint64_t now = engine_clock_ticks(&worker->clock);

	if (!worker->past) {
		bool cut = worker->lost || worker->fault;
		uint64_t at = cut ? now : worker->done_ticks;
		unsigned out = worker->depth - worker->free_count;

		worker->area += (uint64_t)out * (now - worker->area_ticks);
		while (worker->sample_ticks < at && !worker->fault)
			publish_sample(worker);
		close_window(worker, at > worker->end_ticks ? worker->end_ticks : at, now);
	}
	publish_progress(worker);
	engine_draw_settle(&worker->draw);
	engine_draw_carry(&worker->draw, worker->carry);
	cpu_add(worker, 1);
	atomic_store_explicit(&worker->out.done, true, memory_order_release);
	engine_wake(worker->engine);
}
