/*
 * Resume on a model drive: only one that is kept in a file is still there, it must be the one
 * that the run left, and its clock goes on behind everything that the run has recorded.
 */
#include <errno.h>
#include <string.h>

#include "pts_clock.h"
#include "run_internal.h"

/* What the store tells of time; of the last step that was begun too. */
struct moments {
	uint64_t kept_ns; /* the drive was kept then or later */
	uint64_t last_ns;
	int rounds_step; /* the last step begun, if it loops over rounds; -1: it does not */
};

static void later(uint64_t *moment_ns, uint64_t ns)
{
	if (ns > *moment_ns)
		*moment_ns = ns;
}

static uint64_t end_of(const struct store_cell *cell)
{
	return cell->started_ns + cell->elapsed_ns + cell->drain_ns;
}

static int any_cell(void *ctx, const struct store_cell *cell)
{
	struct moments *moments = ctx;

	later(&moments->last_ns, end_of(cell));
	return 0;
}

static int closed_cell(void *ctx, const struct store_cell *cell)
{
	struct moments *moments = ctx;

	later(&moments->kept_ns, end_of(cell));
	return 0;
}

static int any_step(void *ctx, const struct store_step_row *step)
{
	struct moments *moments = ctx;

	if (!step->begun)
		return 0;
	later(&moments->kept_ns, step->started_ns);
	moments->rounds_step = !strcmp(step->plan.kind, spec_step_text(SPEC_STEP_ROUNDS))
				       ? step->plan.step
				       : -1;
	return 0;
}

/*
 * The drive is kept before a step is closed in the store, and each round of a loop over rounds:
 * one that is younger than those has not seen the run. What it may lack is done again, but for
 * short rounds of other loops.
 */
static int look(struct run *run, struct moments *ret_moments, struct pts_err *err)
{
	struct store_cell_filter filter = {.step = -1, .with_cut = true};
	int rc = store_each_cell(run->store, &filter, any_cell, ret_moments, err);

	if (!rc)
		rc = store_each_step(run->store, any_step, ret_moments, err);
	filter.step = ret_moments->rounds_step;
	filter.with_cut = false;
	if (!rc && filter.step >= 0)
		rc = store_each_cell(run->store, &filter, closed_cell, ret_moments, err);
	later(&ret_moments->last_ns, ret_moments->kept_ns);
	return rc;
}

int run_resume_model(struct run *run, const struct store_run *stored, const char *dir,
		     struct pts_err *err)
{
	struct device_facts *facts = &run->facts;
	struct moments moments = {.rounds_step = -1};
	int rc = device_facts_read(stored->device_path, dir, facts, err);

	if (rc)
		return rc;
	if (!facts->backing[0])
		return pts_fail(err, PTS_EXIT_SAFETY, ENODEV,
				"'%s' was a model drive without a file, which lives no longer "
				"than the process that runs it: begin a new run, with "
				"--device %s,state=FILE if it shall be resumable",
				stored->identity, stored->device_path);
	rc = look(run, &moments, err);
	if (rc)
		return rc;
	if (strcmp(facts->identity, stored->identity) != 0 || pts_now_ns() < moments.kept_ns)
		return pts_fail(err, PTS_EXIT_SAFETY, ENODEV,
				"the model drive in '%s' has not seen this run: it is fresh or "
				"an older copy; nothing was written: bring back the file that "
				"the run left, or begin a new run",
				facts->backing);
	while (pts_now_ns() < moments.last_ns)
		pts_sleep_until_ns(moments.last_ns);
	return 0;
}
