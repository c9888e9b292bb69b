/* From a model's numbers to its likely rates. Opens no drive, moves no clock. */
#include "sim_rates.h"

#include "sim_ftl.h"

static double lower(double a, double b)
{
	return a < b ? a : b;
}

/* Time of a die for one page that the host writes: its transfer and program, the pages that
 * cleaning moves for it, and its part of the erases. */
static double write_page_ns(const struct sim_model *model, bool random)
{
	double wa =
		random ? sim_ftl_greedy_wa(1 + model->over_provision, model->pages_per_block)
		       : 1;

	return wa * ((double)model->program_ns +
		     (double)model->page_bytes * 1e9 / (double)model->channel_bytes_per_s +
		     (double)model->erase_ns / model->pages_per_block) +
	       (wa - 1) * (double)model->read_ns;
}

/*
 * The dies that have something to do, by how many pages are asked for at once. Reads fall on dies
 * at random: n customers in a balanced closed network of d stations keep n d / (n + d - 1) busy.
 * Writes go to the dies in turn.
 */
static double busy_dies(const struct sim_model *model, bool write, double pages)
{
	double dies = model->dies;

	return write ? lower(dies, pages) : pages * dies / (pages + dies - 1);
}

static double rate(const struct sim_model *model, const struct sim_rate *of)
{
	double pages = (double)of->block_bytes / model->page_bytes;
	double page_ns = of->write ? write_page_ns(model, of->random) : (double)model->read_ns;
	double busy = busy_dies(model, of->write, pages * of->outstanding);
	double bytes_per_s = busy * model->page_bytes * 1e9 / page_ns;
	double each_ns = (double)model->command_ns +
			 (double)of->block_bytes * 1e9 / (double)model->bytes_per_s +
			 (double)of->block_bytes * 1e9 / bytes_per_s * of->outstanding;

	/* a write of a cached drive is done before it is programmed, but soon the cache is full */
	bytes_per_s =
		lower(bytes_per_s, (double)of->block_bytes * of->outstanding * 1e9 / each_ns);
	bytes_per_s = lower(bytes_per_s,
			    (double)model->channels * (double)model->channel_bytes_per_s);
	bytes_per_s = lower(bytes_per_s, (double)model->bytes_per_s);
	if (model->iops_limit)
		bytes_per_s =
			lower(bytes_per_s, (double)model->iops_limit * (double)of->block_bytes);
	return bytes_per_s / 1e6;
}

void sim_rates(const struct sim_model *model, struct sim_rate ret_rates[SIM_RATES])
{
	static const uint32_t outstanding[] = {1, 32, 128};
	unsigned count = 0;

	for (int kind = 0; kind < 4; kind++)
		for (unsigned pages = 1; pages <= 32; pages *= 32)
			for (unsigned i = 0; i < 3; i++) {
				struct sim_rate *one = &ret_rates[count++];

				*one = (struct sim_rate){
					.random = kind & 1,
					.write = kind & 2,
					.block_bytes = (uint64_t)pages * model->page_bytes,
					.outstanding = outstanding[i],
				};
				one->mb_per_s = rate(model, one);
			}
}

double sim_rates_least(const struct sim_model *model)
{
	struct sim_rate one = {
		.random = true,
		.write = true,
		.block_bytes = model->page_bytes,
		.outstanding = 1,
	};

	return rate(model, &one) / model->throttle_factor / 4;
}

uint64_t sim_rates_purge_ns(const struct sim_model *model)
{
	uint32_t pages = (uint32_t)(model->capacity_bytes / model->page_bytes);

	return model->erase_ns * sim_ftl_blocks(pages, model->dies, model->pages_per_block,
						model->reserve_blocks, model->over_provision);
}
