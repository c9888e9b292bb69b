/*
 * From what is known of a drive to how fast it does a cell: the cell itself, the same load
 * elsewhere, else worked out from the nearest loads. Knows nothing of bounds and of time.
 */
#include <math.h>
#include <string.h>

#include "plan_internal.h"

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

const struct plan_known_step *plan_known_step(const struct plan_assume *assume,
					      const struct plan_step *step)
{
	for (unsigned i = 0; assume && i < assume->step_count; i++)
		if (same(assume->steps[i].test, step->test) &&
		    same(assume->steps[i].phase, step->phase))
			return &assume->steps[i];
	return NULL;
}

/* A load at a chosen point has its threads and queue depth, and so its label, from the run: what
 * was measured in that phase is it, if it was one load. */
static bool is_cell(const struct plan_known *known, const struct plan_step *step,
		    const struct plan_cell *cell)
{
	return same(known->test, step->test) && same(known->phase, step->phase) &&
	       (same(known->label, cell->label) || (cell->point && step->cell_count == 1));
}

static struct plan_rate rate_of(const struct plan_known *known, enum plan_rate_from from)
{
	return (struct plan_rate){
		.likely = known->write_mb_per_s,
		.from = from,
		.after_ns = known->after_ns,
	};
}

/* The mean over all phases that had this load. */
static bool same_load(const struct plan_assume *assume, const struct plan_cell *cell,
		      struct plan_rate *ret_rate)
{
	struct plan_known mean = {0};
	double after_ns = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < assume->known_count; i++) {
		const struct plan_known *known = &assume->known[i];

		if (!same(known->label, cell->label))
			continue;
		mean.write_mb_per_s += known->write_mb_per_s;
		after_ns += (double)known->after_ns;
		count++;
	}
	if (!count)
		return false;
	mean.write_mb_per_s /= count;
	mean.after_ns = (uint64_t)(after_ns / count);
	*ret_rate = rate_of(&mean, PLAN_RATE_LOAD);
	return true;
}

/* One kind of I/O whose time is wanted. */
struct wanted {
	bool random, write;
	uint64_t block_bytes;
	unsigned outstanding;
};

/* How far a known load is from the wanted one; less than 0: it says nothing about it. */
static double distance(const struct plan_known *known, const struct wanted *wanted)
{
	unsigned outstanding = known->threads * known->queue_depth;
	double far;

	if (!known->block_bytes || known->read_pct != (wanted->write ? 0u : 100u) ||
	    !(known->mb_per_s > 0) || (known->random_share >= 0.5) != wanted->random)
		return -1;
	/* the size says more than the queue: a doubled size weighs as much as a queue of 8 */
	far = 3 * fabs(log2((double)wanted->block_bytes / (double)known->block_bytes));
	if (outstanding)
		far += fabs(log2((double)wanted->outstanding / outstanding));
	return far;
}

static const struct plan_known *nearest(const struct plan_assume *assume,
					const struct wanted *wanted)
{
	const struct plan_known *best = NULL;
	double least = 0;

	for (unsigned i = 0; i < assume->known_count; i++) {
		double far = distance(&assume->known[i], wanted);

		if (far >= 0 && (!best || far < least)) {
			best = &assume->known[i];
			least = far;
		}
	}
	return best;
}

/*
 * Seconds of one I/O when nothing else runs beside its like; 0: not known. A smaller block than
 * the known one takes as long as it (a command, a page); a larger one, and any sequential one,
 * takes longer by its bytes.
 */
static double seconds_of(const struct plan_assume *assume, struct wanted wanted)
{
	const struct plan_known *known = nearest(assume, &wanted);
	double bytes;

	if (!known) {
		wanted.random = !wanted.random;
		known = nearest(assume, &wanted);
	}
	if (!known)
		return 0;
	bytes = (double)wanted.block_bytes;
	if (known->random_share >= 0.5 && bytes < (double)known->block_bytes)
		bytes = (double)known->block_bytes;
	return bytes / (known->mb_per_s * 1e6);
}

/* Of both directions the one that is known stands for the other. */
static double either(const struct plan_assume *assume, struct wanted wanted)
{
	double seconds = seconds_of(assume, wanted);

	if (seconds > 0)
		return seconds;
	wanted.write = !wanted.write;
	return seconds_of(assume, wanted);
}

/* Sums over the I/Os of a cell, each by its share. */
struct mean_io {
	double seconds, bytes, written;
};

static void add_io(const struct plan_assume *assume, const struct plan_stream *stream,
		   struct wanted wanted, double share, struct mean_io *sum)
{
	double random_share = stream->random_share;

	if (!(share > 0))
		return;
	wanted.random = true;
	if (random_share > 0)
		sum->seconds += share * random_share * either(assume, wanted);
	wanted.random = false;
	if (random_share < 1)
		sum->seconds += share * (1 - random_share) * either(assume, wanted);
	sum->bytes += share * (double)wanted.block_bytes;
	if (wanted.write)
		sum->written += share * (double)wanted.block_bytes;
}

static void add_stream(const struct plan_assume *assume, const struct plan_cell *cell,
		       const struct plan_stream *stream, struct mean_io *sum)
{
	for (int write = 0; write < 2; write++) {
		int sizes = write && stream->sizes[1] ? 1 : 0;
		double share = stream->weight *
			       (write ? 100 - stream->read_pct : stream->read_pct) / 100;

		for (unsigned i = 0; i < stream->size_count[sizes]; i++) {
			const struct plan_size *size = &stream->sizes[sizes][i];
			struct wanted wanted = {
				.write = write,
				.block_bytes = size->block_bytes,
				.outstanding = cell->threads * cell->queue_depth,
			};

			if (!wanted.outstanding)
				wanted.outstanding = 1;
			add_io(assume, stream, wanted, share * size->share, sum);
		}
	}
}

/* Reads and writes share the drive: their times add up. */
static bool derived(const struct plan_assume *assume, const struct plan_cell *cell,
		    struct plan_rate *ret_rate)
{
	struct mean_io sum = {0};
	double outstanding = (double)cell->threads * cell->queue_depth;

	for (unsigned i = 0; i < cell->stream_count; i++)
		add_stream(assume, cell, &cell->streams[i], &sum);
	if (!(sum.seconds > 0))
		return false;
	*ret_rate = (struct plan_rate){
		.likely = sum.written / sum.seconds / 1e6,
		.from = PLAN_RATE_DERIVED,
		.after_ns = (uint64_t)(outstanding * sum.seconds * 1e9),
	};
	return true;
}

bool plan_known_rate(const struct plan_assume *assume, const struct plan_step *step,
		     const struct plan_cell *cell, struct plan_rate *ret_rate)
{
	for (unsigned i = 0; i < assume->known_count; i++)
		if (is_cell(&assume->known[i], step, cell)) {
			*ret_rate = rate_of(&assume->known[i], PLAN_RATE_CELL);
			return true;
		}
	return same_load(assume, cell, ret_rate) || derived(assume, cell, ret_rate);
}

double plan_mean_block(const struct plan_cell *cell, bool writes_only)
{
	double bytes = 0, ios = 0;

	for (unsigned i = 0; i < cell->stream_count; i++) {
		const struct plan_stream *stream = &cell->streams[i];

		for (int write = writes_only; write < 2; write++) {
			int sizes = write && stream->sizes[1] ? 1 : 0;
			double share = stream->weight *
				       (write ? 100 - stream->read_pct : stream->read_pct) /
				       100;

			ios += share;
			for (unsigned s = 0; s < stream->size_count[sizes]; s++)
				bytes += share * stream->sizes[sizes][s].share *
					 (double)stream->sizes[sizes][s].block_bytes;
		}
	}
	return ios > 0 ? bytes / ios : 0;
}
