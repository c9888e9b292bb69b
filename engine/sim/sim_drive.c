/*
 * The model drive's time: who waits for what. It must not know workers, jobs or real time, and it
 * must not allocate while I/Os are served.
 */
#include "sim_drive_internal.h"

#include <errno.h>
#include <math.h>

#include "pts_hash.h"

#define NEVER UINT64_MAX

/* ---- small services -------------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Uniform in [0, 1). */
static double draw(struct sim_drive *drive)
{
	return (double)(pts_splitmix64(&drive->rng) >> 11) * 0x1p-53;
}

/* The time of a die operation, with noise, heat and refresh. */
static uint64_t die_time(struct sim_drive *drive, uint64_t ns)
{
	double factor = drive->pace;

	if (drive->model.noise_share > 0)
		factor *= 1 + drive->model.noise_share * (2 * draw(drive) - 1);
	else if (drive->pace == 1)
		return ns;
	return (uint64_t)((double)ns * factor + 0.5);
}

static uint64_t transfer_ns(const struct sim_drive *drive, uint64_t bytes)
{
	return bytes * PTS_NS_PER_S / drive->model.bytes_per_s;
}

static bool is_dead(const struct sim_drive *drive)
{
	return drive->model.dies_at_ns && drive->now_ns >= drive->model.dies_at_ns;
}

/* ---- events: a binary heap, ties in order of submission ---------------------------------- */

static bool before(const struct sim_event *a, const struct sim_event *b)
{
	return a->at_ns < b->at_ns || (a->at_ns == b->at_ns && a->order < b->order);
}

static void event_add(struct sim_drive *drive, struct sim_event event)
{
	uint32_t at = drive->events++;

	while (at) {
		uint32_t up = (at - 1) / 2;

		if (!before(&event, &drive->heap[up]))
			break;
		drive->heap[at] = drive->heap[up];
		at = up;
	}
	drive->heap[at] = event;
}

/* Puts event in the place of the first one. */
static void event_sink(struct sim_drive *drive, struct sim_event event)
{
	uint32_t at = 0, count = drive->events;

	for (;;) {
		uint32_t down = 2 * at + 1;

		if (down >= count)
			break;
		if (down + 1 < count && before(&drive->heap[down + 1], &drive->heap[down]))
			down++;
		if (!before(&drive->heap[down], &event))
			break;
		drive->heap[at] = drive->heap[down];
		at = down;
	}
	drive->heap[at] = event;
}

static void event_drop(struct sim_drive *drive)
{
	drive->events--;
	if (drive->events)
		event_sink(drive, drive->heap[drive->events]);
}

/* ---- heat ------------------------------------------------------------------------------ */

static void heat_step(struct sim_drive *drive, uint64_t span_ns, double busy, double decay)
{
	const struct sim_model *model = &drive->model;
	double target = model->ambient_c + model->rise_c * busy;

	drive->celsius = target + (drive->celsius - target) * decay;
	if (drive->celsius > drive->celsius_most)
		drive->celsius_most = drive->celsius;
	drive->heat_at += span_ns;
	if (drive->throttled)
		drive->throttled_ns += span_ns;
	if (drive->celsius >= model->throttle_on_c && !drive->throttled) {
		drive->throttled = true;
		drive->throttle_events++;
	} else if (drive->celsius <= model->throttle_off_c) {
		drive->throttled = false;
	}
}

static void heat_update(struct sim_drive *drive)
{
	uint64_t span_ns = drive->now_ns - drive->heat_at;
	double busy;

	if (!drive->model.heat_ns || span_ns < SIM_HEAT_STEP_NS)
		return;
	busy = (double)drive->heat_busy / ((double)span_ns * drive->model.dies);
	busy = busy < 1 ? busy : 1;
	if (drive->throttled)
		busy /= drive->model.throttle_factor; /* the same work in more time */
	drive->heat_busy = 0;
	/* in small steps while it throttles: the end of it has a time */
	do {
		heat_step(drive, SIM_HEAT_STEP_NS, busy, drive->heat_decay);
		span_ns -= SIM_HEAT_STEP_NS;
	} while (drive->throttled && span_ns >= SIM_HEAT_STEP_NS);
	if (span_ns >= SIM_HEAT_STEP_NS)
		heat_step(drive, span_ns, busy,
			  exp(-(double)span_ns / (double)drive->model.heat_ns));
}

/* What heat and refresh make of the dies' times until the next look. */
static void pace_update(struct sim_drive *drive)
{
	const struct sim_model *model = &drive->model;

	heat_update(drive);
	drive->pace = drive->throttled ? model->throttle_factor : 1;
	if (model->refresh_every_ns && drive->now_ns % model->refresh_every_ns >=
					       model->refresh_every_ns - model->refresh_ns)
		drive->pace /= 1 - model->refresh_share;
}

/* ---- while nothing is to do ------------------------------------------------------------ */

/* Empties the SLC cache; all dies together. The time that is left. */
static uint64_t idle_fold(struct sim_drive *drive, uint64_t budget_ns)
{
	uint64_t page_ns = drive->model.read_ns + drive->model.program_ns;
	uint64_t pages = budget_ns * drive->model.dies / page_ns;

	if (pages > drive->slc_used)
		pages = drive->slc_used;
	drive->slc_used -= pages;
	drive->heat_busy += pages * page_ns;
	return budget_ns - pages * page_ns / drive->model.dies;
}

static uint64_t clean_ns(const struct sim_model *model, const struct sim_ftl_work *work)
{
	return work->moved * (model->read_ns + model->program_ns) +
	       work->erased * model->erase_ns;
}

/* One die; what was begun in time is finished, late if it must be. */
static void idle_clean(struct sim_drive *drive, uint32_t index, uint64_t from, uint64_t to)
{
	const struct sim_model *model = &drive->model;
	uint32_t valid_most = (uint32_t)(model->idle_valid_share * model->pages_per_block);
	struct sim_die *die = &drive->die[index];
	struct sim_ftl_work work;
	uint64_t at = from;

	while (at < to && sim_ftl_free_blocks(drive->ftl, index) < model->idle_free_blocks &&
	       sim_ftl_clean(drive->ftl, index, valid_most, &work)) {
		at += clean_ns(model, &work);
		drive->heat_busy += clean_ns(model, &work);
	}
	if (at > to)
		die->write_busy = later(die->write_busy, at);
}

/* Called when time has passed and before the next I/O: does what the idle time was good for. */
static void idle_work(struct sim_drive *drive)
{
	uint64_t from =
		later(drive->work_until + drive->model.idle_after_ns, drive->idle_until);
	uint64_t left;

	if (drive->events || from >= drive->now_ns)
		return;
	left = drive->slc_used ? idle_fold(drive, drive->now_ns - from) : drive->now_ns - from;
	for (uint32_t i = 0; left && i < drive->model.dies; i++)
		idle_clean(drive, i, drive->now_ns - left, drive->now_ns);
	drive->idle_until = drive->now_ns;
}

/* ---- reads ----------------------------------------------------------------------------- */

/* When a die has read a page that was asked for at the time at. */
static uint64_t die_read(struct sim_drive *drive, uint32_t index, uint64_t at)
{
	struct sim_die *die = &drive->die[index];
	uint64_t cost = die_time(drive, drive->read_ns);
	uint64_t start = at;

	if (die->write_busy > at) {
		uint64_t rest = (die->write_busy - at) % drive->model.program_ns;

		if (drive->model.suspend_ns && rest > drive->model.suspend_ns)
			rest = drive->model.suspend_ns;
		start += rest;
		die->write_busy += cost;
	}
	die->read_busy = later(start, die->read_busy) + cost;
	drive->heat_busy += cost;
	return die->read_busy;
}

/* The dies' part of a read; pages that hold data are left to the channels. */
static uint64_t read_dies(struct sim_drive *drive, struct sim_pending *io,
			  uint64_t offset_bytes, uint64_t at)
{
	uint32_t page = (uint32_t)(offset_bytes >> drive->page_shift);
	uint32_t last = (uint32_t)((offset_bytes + io->length_bytes - 1) >> drive->page_shift);
	uint32_t index = page % drive->model.dies;
	uint64_t end = at;

	for (; page <= last; page++) {
		if (sim_ftl_mapped(drive->ftl, page)) {
			end = later(end, die_read(drive, index, at));
			if (!io->pages++)
				io->die = index;
		}
		if (++index == drive->model.dies)
			index = 0;
	}
	drive->work_until = later(drive->work_until, end);
	return end;
}

/* From the dies to the host, when the dies are done; pages of one I/O share the channels evenly. */
static uint64_t read_transfer(struct sim_drive *drive, const struct sim_pending *io)
{
	uint32_t channels = drive->model.channels;
	uint32_t index = io->die % channels;
	uint32_t used = io->pages < channels ? io->pages : channels;
	uint64_t end = drive->now_ns;

	for (uint32_t i = 0; i < used; i++) {
		uint64_t pages = io->pages / channels + (i < io->pages % channels);
		uint64_t *busy = &drive->channel_busy[index];

		*busy = later(*busy, drive->now_ns) + pages * drive->channel_page_ns;
		end = later(end, *busy);
		index = index + 1 < channels ? index + 1 : 0;
	}
	drive->read_busy = later(drive->read_busy, end) + transfer_ns(drive, io->length_bytes);
	return drive->read_busy;
}

/* ---- writes ---------------------------------------------------------------------------- */

/* Blocks were erased: reads of worn flash take longer. */
static void wear_update(struct sim_drive *drive)
{
	const struct sim_model *model = &drive->model;
	double share = sim_drive_worn(drive);

	drive->read_ns = model->read_ns + (uint64_t)((double)model->worn_read_ns * share);
}

static uint64_t program_cost(struct sim_drive *drive, struct sim_die *die, uint32_t page,
			     bool partial)
{
	const struct sim_model *model = &drive->model;
	bool slc = drive->slc_used < model->slc_pages;
	uint64_t cost = die_time(drive, slc ? model->slc_program_ns : model->program_ns);
	struct sim_ftl_work work;
	uint64_t pay;

	if (partial && sim_ftl_mapped(drive->ftl, page))
		cost += die_time(drive, drive->read_ns);
	sim_ftl_write(drive->ftl, page, &work);
	drive->slc_used += slc;
	if (work.erased) {
		uint32_t pages = model->pages_per_block - work.moved % model->pages_per_block;

		die->debt_ns += clean_ns(model, &work);
		die->pay_ns = (die->debt_ns + pages - 1) / pages;
		if (model->worn_read_ns)
			wear_update(drive);
	}
	pay = die->pay_ns < die->debt_ns ? die->pay_ns : die->debt_ns;
	die->debt_ns -= pay;
	if (drive->pace != 1)
		pay = (uint64_t)((double)pay * drive->pace);
	return cost + pay + drive->channel_page_ns;
}

/* A page that is at the drive at the time at; when the write of it is done for the host. */
static uint64_t write_page(struct sim_drive *drive, uint32_t page, uint32_t index, bool partial,
			   uint64_t at)
{
	struct sim_die *die = &drive->die[index];
	uint64_t *room = NULL;
	uint64_t cost;

	if (drive->buffer_per_die) {
		room = &drive->ring[(uint64_t)index * drive->buffer_per_die + die->ring_at];
		die->ring_at = die->ring_at + 1 < drive->buffer_per_die ? die->ring_at + 1 : 0;
		at = later(at, *room);
	}
	cost = program_cost(drive, die, page, partial);
	die->write_busy = later(later(at, die->write_busy), die->read_busy) + cost;
	drive->heat_busy += cost;
	drive->work_until = later(drive->work_until, die->write_busy);
	if (room)
		*room = die->write_busy;
	return room && drive->write_cache ? at : die->write_busy;
}

/* The share of a write's pages that take flash of their own. The data of a page that shares are
 * a part of what others hold, and the map's work is in the command's time. */
static double taken_share(const struct sim_model *model, const struct sim_io *io)
{
	double share = 1;

	if (model->compress)
		share *= 1 - io->compressible;
	if (model->deduplicate)
		share *= 1 - io->duplicate;
	return share;
}

static uint64_t write_io(struct sim_drive *drive, const struct sim_io *io, uint64_t at)
{
	uint64_t end_bytes = io->offset_bytes + io->length_bytes;
	uint32_t first = (uint32_t)(io->offset_bytes >> drive->page_shift);
	uint32_t last = (uint32_t)((end_bytes - 1) >> drive->page_shift);
	uint32_t index = first % drive->model.dies;
	uint64_t mask = drive->model.page_bytes - 1;
	double share = taken_share(&drive->model, io);
	uint64_t done = at;

	for (uint32_t page = first; page <= last; page++) {
		bool partial = (page == first && (io->offset_bytes & mask)) ||
			       (page == last && (end_bytes & mask));

		if (share < 1 && draw(drive) >= share)
			sim_ftl_write_shared(drive->ftl, page);
		else
			done = later(done, write_page(drive, page, index, partial, at));
		if (++index == drive->model.dies)
			index = 0;
	}
	if (drive->bad_bytes >= io->offset_bytes && drive->bad_bytes < end_bytes)
		drive->bad_bytes = NEVER;
	return done;
}

/* ---- commands -------------------------------------------------------------------------- */

/* When the command processor is through with it. */
static uint64_t command(struct sim_drive *drive)
{
	const struct sim_model *model = &drive->model;
	uint64_t start = later(drive->now_ns, drive->command_busy);
	uint64_t gap_ns = drive->command_gap_ns;

	if (drive->throttled)
		gap_ns = (uint64_t)((double)gap_ns * model->throttle_factor);
	drive->command_busy = start + gap_ns;
	start += model->command_ns;
	if (model->tail_share > 0 && draw(drive) < model->tail_share)
		start += model->tail_ns;
	return start;
}

/* What this I/O will complete with, whatever the time. */
static int result_of(struct sim_drive *drive, const struct sim_io *io)
{
	const struct sim_model *model = &drive->model;
	uint64_t end_bytes = io->offset_bytes + io->length_bytes;

	if (is_dead(drive))
		return io->write ? -ENOSPC : 0;
	if (model->real_bytes && end_bytes > model->real_bytes)
		return -EIO;
	if (io->write && model->endurance && sim_drive_worn(drive) >= 1)
		return -EIO;
	if (!io->write && drive->bad_bytes >= io->offset_bytes && drive->bad_bytes < end_bytes)
		return -ENODATA;
	return (int)io->length_bytes;
}

void sim_drive_submit(struct sim_drive *drive, const struct sim_io *io)
{
	uint32_t slot = drive->free_slot[--drive->free_count];
	struct sim_pending *pending = &drive->pending[slot];
	struct sim_event event = {.order = drive->submitted++ << SIM_SLOT_BITS | slot};

	pace_update(drive);
	idle_work(drive);
	*pending = (struct sim_pending){
		.tag = io->tag,
		.length_bytes = io->length_bytes,
		.result = result_of(drive, io),
	};
	event.at_ns = command(drive);
	if (drive->model.stuck_at_ns && drive->now_ns >= drive->model.stuck_at_ns &&
	    !drive->stuck_done) {
		drive->stuck_done = true;
		event.at_ns = NEVER;
	} else if (pending->result != (int)io->length_bytes) {
		/* an I/O that fails gets no further */
	} else if (io->write) {
		drive->write_busy = later(event.at_ns, drive->write_busy) +
				    transfer_ns(drive, io->length_bytes);
		event.at_ns = write_io(drive, io, drive->write_busy);
	} else {
		event.at_ns = read_dies(drive, pending, io->offset_bytes, event.at_ns);
		pending->flash = true;
	}
	event_add(drive, event);
}

bool sim_drive_run(struct sim_drive *drive, uint64_t until_ns, struct sim_done *ret_done)
{
	while (drive->events && drive->heap[0].at_ns <= until_ns &&
	       drive->heap[0].at_ns != NEVER) {
		struct sim_event event = drive->heap[0];
		uint32_t slot = (uint32_t)(event.order & ((1u << SIM_SLOT_BITS) - 1));
		struct sim_pending *pending = &drive->pending[slot];

		drive->now_ns = later(drive->now_ns, event.at_ns);
		if (pending->flash) {
			pending->flash = false;
			event.at_ns = read_transfer(drive, pending);
			event_sink(drive, event);
			continue;
		}
		event_drop(drive);
		drive->free_slot[drive->free_count++] = slot;
		drive->work_until = later(drive->work_until, drive->now_ns);
		*ret_done = (struct sim_done){pending->tag, pending->result};
		return true;
	}
	drive->now_ns = later(drive->now_ns, until_ns);
	return false;
}

void sim_drive_deallocate(struct sim_drive *drive, uint64_t offset_bytes, uint64_t bytes)
{
	uint64_t end = (offset_bytes + bytes) >> drive->page_shift;
	uint64_t page = (offset_bytes + drive->model.page_bytes - 1) >> drive->page_shift;

	for (; page < end; page++)
		sim_ftl_trim(drive->ftl, (uint32_t)page);
}

void sim_drive_purge(struct sim_drive *drive)
{
	uint64_t blocks = sim_ftl_config(drive->ftl)->blocks_per_die;
	uint64_t end = later(drive->now_ns, drive->work_until) + blocks * drive->model.erase_ns;
	struct sim_done done;

	while (sim_drive_run(drive, end, &done))
		;
	drive->work_until = later(drive->work_until, end);
	if (drive->model.purge_lies) {
		sim_ftl_forget(drive->ftl);
		return;
	}
	sim_ftl_reset(drive->ftl);
	drive->slc_used = 0;
	for (uint32_t i = 0; i < drive->model.dies; i++) {
		drive->die[i].debt_ns = 0;
		drive->die[i].pay_ns = 0;
	}
}
