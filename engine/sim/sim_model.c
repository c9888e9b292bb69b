/* The numbers of a model drive: defaults and sanity. It must not know where they come from. */
#include "sim_model.h"

#include <errno.h>
#include <string.h>

#include "sim_ftl.h"

void sim_model_init(struct sim_model *model)
{
	memset(model, 0, sizeof(*model));
	model->write_cache = true;
	model->reserve_blocks = 2;
	model->throttle_factor = 1;
	model->bad_bytes = UINT64_MAX;
}

static bool is_power(uint64_t value)
{
	return value && !(value & (value - 1));
}

static bool is_share(double value)
{
	return value >= 0 && value <= 1;
}

static const char *geometry_fault(const struct sim_model *model)
{
	if (!is_power(model->lba_bytes) || model->lba_bytes < 512)
		return "the LBA size is not a power of two from 512";
	if (!is_power(model->page_bytes) || model->page_bytes < model->lba_bytes)
		return "the page size is not a power of two of at least an LBA";
	if (!model->capacity_bytes || model->capacity_bytes % model->page_bytes ||
	    model->capacity_bytes / model->page_bytes >= SIM_FTL_NONE)
		return "the capacity is not a whole number of pages below 2^32";
	if (!model->dies || !model->channels || model->channels > model->dies)
		return "there must be at least one channel, and a die on each";
	if (!(model->over_provision > 0 && model->over_provision < 100))
		return "the over-provisioning must be more than 0";
	return NULL;
}

static const char *time_fault(const struct sim_model *model)
{
	if (!model->read_ns || !model->program_ns || !model->erase_ns)
		return "read, program and erase times must be more than 0";
	if (!model->channel_bytes_per_s || !model->bytes_per_s)
		return "channel and interface need a speed";
	if (model->slc_pages && !model->slc_program_ns)
		return "an SLC cache needs its program time";
	if (!(model->noise_share >= 0 && model->noise_share < 1))
		return "the noise must be a share below 1";
	if (model->refresh_every_ns &&
	    !(model->refresh_ns && model->refresh_ns < model->refresh_every_ns &&
	      model->refresh_share > 0 && model->refresh_share < 1))
		return "the refresh must be shorter than what lies between two, and leave the "
		       "dies some of their time";
	if (model->worn_read_ns && !model->endurance)
		return "a read time that grows with wear needs an endurance";
	if (!is_share(model->tail_share) || !is_share(model->idle_valid_share))
		return "a share lies outside 0 to 1";
	if (!(model->throttle_factor >= 1))
		return "the throttle factor must be 1 or more";
	if (model->heat_ns && !(model->throttle_on_c > model->throttle_off_c))
		return "throttling must begin above the temperature at which it ends";
	return NULL;
}

static const char *fault_fault(const struct sim_model *model)
{
	if (model->bad_bytes != UINT64_MAX &&
	    (model->bad_bytes % model->lba_bytes || model->bad_bytes >= model->capacity_bytes))
		return "the medium error is not at an LBA of the drive";
	if (model->real_bytes > model->capacity_bytes)
		return "the real capacity is beyond the one it tells";
	return NULL;
}

int sim_model_check(const struct sim_model *model, struct pts_err *err)
{
	const char *fault = geometry_fault(model);

	if (!fault)
		fault = time_fault(model);
	if (!fault)
		fault = fault_fault(model);
	if (!fault)
		return 0;
	return pts_fail(err, PTS_EXIT_SPEC, EINVAL, "drive model '%s': %s", model->name, fault);
}
