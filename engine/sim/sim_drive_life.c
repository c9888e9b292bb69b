/* The model drive's life: opening, closing, what it tells of itself, its clock. */
#include "sim_drive_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pts_hash.h"

/* ---- life ------------------------------------------------------------------------------ */

/* Lays the arrays out behind one another; each starts at a multiple of 64 bytes. */
static size_t lay_out(struct sim_drive *drive, unsigned char *memory)
{
	const struct sim_model *model = &drive->model;
	const struct {
		void **array;
		size_t bytes;
	} arrays[] = {
		{(void **)&drive->die, model->dies * sizeof(*drive->die)},
		{(void **)&drive->channel_busy, model->channels * sizeof(uint64_t)},
		{(void **)&drive->ring,
		 (size_t)drive->buffer_per_die * model->dies * sizeof(uint64_t)},
	};
	size_t at = 0;

	for (unsigned i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		if (memory)
			*arrays[i].array = memory + at;
		at += (arrays[i].bytes + 63) / 64 * 64;
	}
	return at;
}

static int allocate(struct sim_drive *drive)
{
	const struct sim_model *model = &drive->model;
	struct sim_ftl_config config = {
		.pages = (uint32_t)(model->capacity_bytes / model->page_bytes),
		.dies = model->dies,
		.pages_per_block = model->pages_per_block,
		.reserve_blocks = model->reserve_blocks,
	};

	config.blocks_per_die = sim_ftl_blocks(
		config.pages, config.dies, config.pages_per_block ? config.pages_per_block : 1,
		config.reserve_blocks, model->over_provision);
	drive->buffer_per_die =
		(uint32_t)(((uint64_t)model->buffer_pages + model->dies - 1) / model->dies);
	drive->memory_bytes = lay_out(drive, NULL);
	drive->memory = calloc(1, drive->memory_bytes);
	if (!drive->memory)
		return -ENOMEM;
	lay_out(drive, drive->memory);
	return sim_ftl_new(&config, &drive->ftl);
}

/* Its life before: filled, then written at random twice over. */
static void use(struct sim_drive *drive)
{
	const uint32_t pages = sim_ftl_config(drive->ftl)->pages;
	struct sim_ftl_work work;

	for (uint32_t page = 0; page < pages; page++)
		sim_ftl_write(drive->ftl, page, &work);
	for (uint64_t i = 0; i < 2 * (uint64_t)pages; i++)
		sim_ftl_write(drive->ftl,
			      (uint32_t)((pts_splitmix64(&drive->rng) >> 32) * pages >> 32),
			      &work);
}

void sim_drive_begin(struct sim_drive *drive)
{
	const struct sim_model *model = &drive->model;

	drive->page_shift = (unsigned)__builtin_ctz(model->page_bytes);
	drive->channel_page_ns = model->page_bytes * PTS_NS_PER_S / model->channel_bytes_per_s;
	drive->command_gap_ns = model->iops_limit ? PTS_NS_PER_S / model->iops_limit : 0;
	drive->rng = pts_seed_derive(drive->seed, 0, 0, 0, 0);
	drive->bad_bytes = model->bad_bytes;
	drive->now_ns = PTS_NS_PER_S;
	drive->idle_until = drive->now_ns;
	drive->work_until = drive->now_ns;
	drive->celsius = model->ambient_c;
	drive->celsius_most = model->ambient_c;
	drive->heat_at = drive->now_ns;
	drive->pace = 1;
	drive->read_ns = model->read_ns;
	drive->write_cache = model->write_cache;
	if (model->heat_ns)
		drive->heat_decay = exp(-(double)SIM_HEAT_STEP_NS / (double)model->heat_ns);
	if (model->arrives_used)
		use(drive);
}

int sim_drive_open(const struct sim_model *model, uint64_t seed, struct sim_drive **ret_drive,
		   struct pts_err *err)
{
	struct sim_drive *drive;
	int ret = sim_model_check(model, err);

	*ret_drive = NULL;
	if (ret < 0)
		return ret;
	drive = calloc(1, sizeof(*drive));
	if (!drive)
		return pts_fail(err, PTS_EXIT_MISSING, ENOMEM, "no memory for a model drive");
	/* as it is, padding too: the model's bytes tell one from another (sim_drive_header()) */
	memcpy(&drive->model, model, sizeof(*model));
	ret = allocate(drive);
	if (ret == -EINVAL)
		pts_fail(err, PTS_EXIT_SPEC, EINVAL,
			 "drive model '%s': its blocks (%u pages each, %u reserved on a die) "
			 "make no flash drive",
			 model->name, model->pages_per_block, model->reserve_blocks);
	else if (ret < 0)
		pts_fail(err, PTS_EXIT_MISSING, -ret, "no memory for a model drive");
	if (ret < 0) {
		sim_drive_close(drive);
		return ret;
	}
	drive->seed = seed;
	sim_drive_begin(drive);
	*ret_drive = drive;
	return 0;
}

void sim_drive_close(struct sim_drive *drive)
{
	if (!drive)
		return;
	sim_ftl_free(drive->ftl);
	free(drive->memory);
	free(drive->heap);
	free(drive->pending);
	free(drive->free_slot);
	free(drive);
}

int sim_drive_reserve(struct sim_drive *drive, uint32_t outstanding)
{
	if (drive->events)
		return -EBUSY;
	if (outstanding <= drive->slots)
		return 0;
	free(drive->heap);
	free(drive->pending);
	free(drive->free_slot);
	drive->heap = calloc(outstanding, sizeof(*drive->heap));
	drive->pending = calloc(outstanding, sizeof(*drive->pending));
	drive->free_slot = calloc(outstanding, sizeof(*drive->free_slot));
	drive->slots = 0;
	drive->free_count = 0;
	if (outstanding > SIM_OUTSTANDING_MOST || !drive->heap || !drive->pending ||
	    !drive->free_slot)
		return -ENOMEM;
	drive->slots = outstanding;
	sim_drive_forget(drive);
	return 0;
}

void sim_drive_forget(struct sim_drive *drive)
{
	drive->events = 0;
	drive->free_count = 0;
	while (drive->free_count < drive->slots) {
		drive->free_slot[drive->free_count] = drive->slots - 1 - drive->free_count;
		drive->free_count++;
	}
}

const struct sim_model *sim_drive_model(const struct sim_drive *drive)
{
	return &drive->model;
}

const struct sim_ftl *sim_drive_ftl(const struct sim_drive *drive)
{
	return drive->ftl;
}

uint64_t sim_drive_capacity(const struct sim_drive *drive)
{
	return drive->model.dies_at_ns && drive->now_ns >= drive->model.dies_at_ns
		       ? 0
		       : drive->model.capacity_bytes;
}

bool sim_drive_throttled(const struct sim_drive *drive)
{
	return drive->throttled;
}

double sim_drive_celsius(const struct sim_drive *drive)
{
	return drive->celsius;
}

bool sim_drive_holds(const struct sim_drive *drive, uint64_t offset_bytes)
{
	return sim_ftl_mapped(drive->ftl, (uint32_t)(offset_bytes >> drive->page_shift));
}

static double mean_erases(const struct sim_drive *drive)
{
	const struct sim_ftl_config *config = sim_ftl_config(drive->ftl);

	return (double)sim_ftl_counts(drive->ftl).erased /
	       ((double)config->dies * config->blocks_per_die);
}

double sim_drive_worn(const struct sim_drive *drive)
{
	return drive->model.endurance ? mean_erases(drive) / drive->model.endurance : 0;
}

struct sim_health sim_drive_health(const struct sim_drive *drive)
{
	struct sim_ftl_counts counts = sim_ftl_counts(drive->ftl);

	return (struct sim_health){
		.celsius = drive->celsius,
		.celsius_most = drive->celsius_most,
		.throttle_events = drive->throttle_events,
		.throttled_ns = drive->throttled_ns,
		.used_pct = drive->model.endurance ? 100 * sim_drive_worn(drive) : -1,
		.erases = mean_erases(drive),
		.host_bytes = counts.host * drive->model.page_bytes,
		.flash_bytes = counts.programmed * drive->model.page_bytes,
	};
}

int sim_drive_set_write_cache(struct sim_drive *drive, bool enabled)
{
	if (!drive->buffer_per_die)
		return -ENOTSUP;
	drive->write_cache = enabled;
	return 0;
}

bool sim_drive_write_cache(const struct sim_drive *drive)
{
	return drive->buffer_per_die && drive->write_cache;
}

uint64_t sim_drive_now_ns(const struct sim_drive *drive)
{
	return drive->now_ns;
}

/* ---- its clock ------------------------------------------------------------------------- */

static uint64_t clock_monotonic(void *ctx)
{
	const struct sim_drive *drive = ctx;

	return drive->now_ns;
}

static uint64_t clock_wall(void *ctx)
{
	const struct sim_drive *drive = ctx;

	return drive->wall_base_ns + drive->now_ns;
}

static int clock_sleep(void *ctx, uint64_t monotonic_ns)
{
	struct sim_drive *drive = ctx;

	/* completions stay for who waits for them: time passes around them */
	drive->now_ns = drive->now_ns > monotonic_ns ? drive->now_ns : monotonic_ns;
	return 0;
}

struct pts_clock_source sim_drive_clock(struct sim_drive *drive, uint64_t wall_ns)
{
	/* a drive that was restored may have dated later moments already: dates go on */
	if (drive->wall_base_ns + drive->now_ns < wall_ns)
		drive->wall_base_ns = wall_ns - drive->now_ns;
	return (struct pts_clock_source){
		.monotonic_ns = clock_monotonic,
		.wall_ns = clock_wall,
		.sleep_until_ns = clock_sleep,
		.is_virtual = true,
		.ctx = drive,
	};
}
