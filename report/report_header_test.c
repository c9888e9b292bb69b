/*
 * The header's columns about the test: preconditioning and stimulus, from the plan's steps and
 * what the store says of them. Must not know the platform or the drive.
 */
#include <inttypes.h>
#include <string.h>

#include "pts_text.h"
#include "report_header_internal.h"

#define STIMULI_SHOWN 5

static const char *block_text(struct report_model *model, const struct report_plan_cell *cell)
{
	return cell->block_bytes > 0 ? report_block_size(model, cell->block_bytes)
				     : "mixed sizes";
}

/* "RND write 4 KiB", "SEQ 65/35 128 KiB" */
static const char *load_text(struct report_model *model, const struct report_plan_cell *cell)
{
	const char *order = strncmp(cell->access, "seq", 3) == 0 ? "SEQ" : "RND";
	const char *what = cell->read_pct == 0     ? "write"
			   : cell->read_pct == 100 ? "read"
						   : report_mix(model, cell->read_pct);

	return report_text(model, "%s %s %s", order, what, block_text(model, cell));
}

static const char *toio_text(struct report_model *model, const struct report_plan_cell *cell)
{
	return report_text(model, "%u (TC %u x QD %u)", cell->threads * cell->queue_depth,
			   cell->threads, cell->queue_depth);
}

static const char *range_text(struct report_model *model, const struct report_plan_cell *cell)
{
	const struct store_run *run = model->data.run;
	char share[32];

	if (cell->span_bytes == 0 || run->capacity_bytes == 0)
		return NULL;
	pts_number_text(100.0 * (double)cell->span_bytes / (double)run->capacity_bytes, 1,
			share, sizeof(share));
	if (strlen(share) > 2 && strcmp(share + strlen(share) - 2, ".0") == 0)
		share[strlen(share) - 2] = '\0';
	return report_text(model, "%s %% of capacity from LBA %" PRIu64, share,
			   run->lba_bytes ? cell->start_bytes / run->lba_bytes : 0);
}

static const char *rounds_text(struct report_model *model, const struct report_step *loop)
{
	if (!loop->has_window)
		return report_text(model, "no window (%d rounds run)", loop->rounds_closed);
	return report_text(model, "%d-%d", loop->first_round, loop->last_round);
}

static bool is_load(const struct report_step *step)
{
	return strcmp(step->kind, "load") == 0 && step->cell_count > 0;
}

/* A load is preconditioning if rounds or cycles come after it: else it is the test itself. */
static const struct report_step *conditioning(const struct report_test *test)
{
	const struct report_step *load = NULL;

	for (unsigned i = 0; i < test->step_count; i++) {
		const struct report_step *step = test->steps[i];

		if (load == NULL && is_load(step))
			load = step;
		else if (load == NULL && step->cell_count > 0)
			return NULL;
		else if (load != NULL && (strcmp(step->kind, "rounds") == 0 ||
					  strcmp(step->kind, "cycle") == 0))
			return load;
	}
	return NULL;
}

static void setup_load(struct report_model *model, struct report_header *header,
		       const struct report_step *load)
{
	const struct report_plan_cell *cell = &load->cells[0];

	header_put(header, SETUP, "Data pattern", cell->data_pattern);
	header_put(header, SETUP, "Active range", range_text(model, cell));
	header_put(header, SETUP, "AR segments", "none (one span)");
	header_put(header, SETUP, "Pre-condition 1",
		   report_text(model, "%s: %s", load->phase, load_text(model, cell)));
	header_put(header, SETUP, "TOIO - TC/QD", toio_text(model, cell));
	if (load->is_sampled) {
		header_put(header, SETUP, "Samples",
			   report_text(model, "%s after %s of load, at most %u",
				       report_duration(model, load->sample_ns),
				       report_duration(model, load->sample_load_ns),
				       load->max_rounds));
		header_put(header, SETUP, "SS rounds", rounds_text(model, load));
	} else {
		header_put(header, SETUP, "Amount, time",
			   load->ended
				   ? report_text(model, "%s in %s",
						 report_capacity(model, load->bytes_written),
						 report_duration(model, load->elapsed_ns))
				   : "not completed");
	}
}

void header_setup(struct report_model *model, struct report_header *header,
		  const struct report_test *test)
{
	const struct report_step *load = conditioning(test);
	const struct report_step *loop = test->loop;

	header->columns[SETUP].title = "Set-up parameters";
	if (load != NULL)
		setup_load(model, header, load);
	else
		header_put(header, SETUP, "Pre-condition 1", "none");
	if (loop != NULL && !loop->is_sampled && loop->cell_count > 0) {
		header_put(header, SETUP, "Pre-condition 2",
			   report_text(model, "the test loop, at most %u rounds",
				       loop->max_rounds));
		header_put(header, SETUP, "TOIO - TC/QD", toio_text(model, &loop->cells[0]));
		header_put(header, SETUP, "SS rounds", rounds_text(model, loop));
	}
	header_put(header, SETUP, "Master seed",
		   report_text(model, "%" PRIu64, model->data.run->master_seed));
}

enum axis {
	MIX,
	BLOCK,
	THREADS,
	DEPTH,
	AXES,
};

static int64_t axis_of(const struct report_plan_cell *cell, enum axis axis)
{
	const int64_t values[AXES] = {cell->read_pct, (int64_t)cell->block_bytes, cell->threads,
				      cell->queue_depth};

	return values[axis];
}

static const char *axis_value(struct report_model *model, const struct report_plan_cell *cell,
			      enum axis axis)
{
	if (axis == MIX)
		return report_mix(model, cell->read_pct);
	if (axis == BLOCK)
		return cell->block_bytes > 0 ? report_block_tick(model, cell->block_bytes)
					     : "mixed";
	return report_text(model, "%" PRId64, axis_of(cell, axis));
}

/* "100/0, 95/5 ..." or "1024, 128 ... KiB" in the order in which the loop runs them. */
static const char *axis_values(struct report_model *model, const struct report_step *step,
			       enum axis axis)
{
	const char *text = "";
	int64_t seen[64];
	unsigned count = 0;

	for (unsigned i = 0; i < step->cell_count; i++) {
		const struct report_plan_cell *cell = &step->cells[i];
		unsigned j = 0;

		while (j < count && seen[j] != axis_of(cell, axis))
			j++;
		if (j < count || count == sizeof(seen) / sizeof(seen[0]))
			continue;
		seen[count++] = axis_of(cell, axis);
		text = report_text(model, "%s%s%s", text, count > 1 ? ", " : "",
				   axis_value(model, cell, axis));
	}
	return axis == BLOCK && step->cells[0].block_bytes > 0
		       ? report_text(model, "%s KiB", text)
		       : text;
}

/* Cells in a row that have the first one's value: few for an inner loop, many for an outer one. */
static unsigned stride(const struct report_step *step, enum axis axis)
{
	unsigned count = 1;

	while (count < step->cell_count &&
	       axis_of(&step->cells[count], axis) == axis_of(&step->cells[0], axis))
		count++;
	return count;
}

/* The loop's axes from the outer one to the inner one, then what stays the same. */
static void put_axes(struct report_model *model, struct report_header *header,
		     const struct report_step *loop)
{
	static const char *const names[AXES] = {"R/W mix", "Block size", "TC", "QD"};
	bool done[AXES] = {false};

	for (unsigned k = 0; k < AXES; k++) {
		enum axis next = AXES;

		for (unsigned a = 0; a < AXES; a++) {
			if (!done[a] && stride(loop, a) < loop->cell_count &&
			    (next == AXES || stride(loop, a) > stride(loop, next)))
				next = a;
		}
		if (next == AXES)
			break;
		done[next] = true;
		header_put(header, TEST,
			   report_text(model, "%s (%s)", names[next],
				       stride(loop, next) > 1 ? "outer" : "inner"),
			   axis_values(model, loop, next));
	}
	for (unsigned a = MIX; a <= BLOCK; a++) {
		if (!done[a])
			header_put(header, TEST, names[a], axis_values(model, loop, a));
	}
	if (!done[THREADS] && !done[DEPTH])
		header_put(header, TEST, "TOIO - TC/QD", toio_text(model, &loop->cells[0]));
}

static void put_steady(struct report_model *model, struct report_header *header,
		       const struct report_step *loop)
{
	header_put(header, TEST, "Rounds run",
		   loop->max_rounds > 0 ? report_text(model, "%d (at most %u)",
						      loop->rounds_closed, loop->max_rounds)
					: report_text(model, "%d", loop->rounds_closed));
	header_put(header, TEST, "Steady state",
		   !loop->judgeable ? "can't be judged"
		   : strcmp(loop->outcome, "amount") == 0
			   ? "NOT reached: the amount was written first"
		   : strcmp(loop->outcome, "time") == 0 ? "NOT reached: the time was over first"
		   : !loop->has_window                  ? "not evaluated: too few rounds"
		   : loop->steady
			   ? report_text(model, "reached, rounds %s", rounds_text(model, loop))
			   : "NOT reached");
}

static void test_loop(struct report_model *model, struct report_header *header,
		      const struct report_step *loop)
{
	const struct report_plan_cell *cell = &loop->cells[0];

	header_put(header, TEST, "Data pattern", cell->data_pattern);
	header_put(header, TEST, "AR, amount",
		   cell->span_bytes ? report_capacity(model, cell->span_bytes) : NULL);
	header_put(header, TEST, "Test stimulus 1",
		   report_text(model, "%s matrix, %u cells",
			       strncmp(cell->access, "seq", 3) == 0 ? "SEQ" : "RND",
			       loop->cell_count));
	put_axes(model, header, loop);
	header_put(header, TEST, "Time of a cell", report_duration(model, cell->duration_ns));
	put_steady(model, header, loop);
}

static const char *stimulus_text(struct report_model *model, const struct report_step *step)
{
	const char *load = load_text(model, &step->cells[0]);

	if (strcmp(step->kind, "cycle") == 0)
		return report_text(model, "%s: %s, %u x (%s + %s of pause)", step->phase, load,
				   step->repeat, report_duration(model, step->busy_ns),
				   report_duration(model, step->idle_ns));
	return report_text(model, "%s: %s, %s", step->phase, load,
			   step->ended ? report_duration(model, step->elapsed_ns)
				       : "not completed");
}

/* A test without a matrix: its loads and cycles in their order. */
static void test_stimuli(struct report_model *model, struct report_header *header,
			 const struct report_test *test)
{
	const struct report_step *skip = conditioning(test);
	unsigned count = 0;

	for (unsigned i = 0; i < test->step_count; i++) {
		const struct report_step *step = test->steps[i];

		if (step == skip || step->cell_count == 0)
			continue;
		if (count == 0) {
			header_put(header, TEST, "Data pattern", step->cells[0].data_pattern);
			header_put(header, TEST, "Active range",
				   range_text(model, &step->cells[0]));
			header_put(header, TEST, "TOIO - TC/QD",
				   toio_text(model, &step->cells[0]));
		}
		if (++count <= STIMULI_SHOWN)
			header_put(header, TEST, report_text(model, "Stimulus %u", count),
				   stimulus_text(model, step));
	}
	if (count > STIMULI_SHOWN)
		header_put(header, TEST, "Further",
			   report_text(model, "%u more: see Set-up and method",
				       count - STIMULI_SHOWN));
	if (test->loop != NULL && test->loop != skip)
		put_steady(model, header, test->loop);
}

void header_test(struct report_model *model, struct report_header *header,
		 const struct report_test *test)
{
	const struct report_step *loop = test->loop;

	header->columns[TEST].title = "Test parameters";
	if (loop != NULL && !loop->is_sampled && loop->cell_count > 0)
		test_loop(model, header, loop);
	else
		test_stimuli(model, header, test);
	if (header->columns[TEST].count == 0)
		header_put(header, TEST, "Stimulus", test->title);
}
