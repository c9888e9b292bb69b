/*
 * What a run holds while it lives: the confirmed device, the engine, the results. The order is
 * the safety: guard and identity first, then the engine, and only then files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pts_clock.h"
#include "run_internal.h"

int run_plan_device(const struct device_facts *facts, const char *purge_name,
		    struct plan_device *ret_device, struct pts_err *err)
{
	const struct purge_method *purge;
	int rc = purge_choose(facts, purge_name, &purge, err);

	if (rc < 0)
		return rc;
	*ret_device = (struct plan_device){
		.path = facts->path,
		.identity = facts->identity,
		.kind = facts->kind == DEVICE_SIM    ? "sim"
			: facts->kind == DEVICE_FILE ? "file"
						     : "block",
		.transport = facts->transport,
		.capacity_bytes = facts->capacity_bytes,
		.lba_bytes = facts->lba_bytes,
		.write_cache = facts->write_cache,
		.can_set_write_cache = device_can_set_write_cache(facts),
		.purge_name = purge->name,
		.purge_is_pts = purge->is_pts_purge,
		.is_virtual = facts->is_virtual,
	};
	return 0;
}

static enum engine_backend_kind backend_kind(const char *name)
{
	return name && !strcmp(name, "psync") ? ENGINE_PSYNC : ENGINE_URING;
}

static int open_engine(struct run *run, struct pts_err *err)
{
	const struct plan *plan = run->plan;
	struct engine_config config = {
		.backend = backend_kind(run->backend),
		.fd = device_fd(run->device),
		.target_bytes = run->facts.capacity_bytes,
		.lba_bytes = run->facts.lba_bytes,
		.threads_max = plan->threads_max,
		.queue_depth_max = plan->queue_depth_max,
		.block_bytes_max = plan->block_bytes_max,
		.pin = run->options->pin,
	};

	config.sim = device_sim(run->device);
	if (config.sim)
		config.backend = ENGINE_SIM;
	return engine_open(&config, &run->engine, err);
}

int run_hold(struct run *run, const char *identity, const char *out_dir, struct pts_err *err)
{
	int rc = device_open_destroy(&run->facts, identity, out_dir, &run->device, err);

	if (!rc)
		rc = purge_choose(&run->facts, run->plan->device.purge_name, &run->purge, err);
	if (!rc)
		rc = open_engine(run, err);
	for (int i = 0; i < 2; i++)
		run->results[i] = engine_result_new();
	run->begun_ns = pts_now_ns();
	if (!rc)
		run_health_begin(run);
	if (!rc && run->plan->test_count)
		rc = run_cache_set(run, run->plan->tests[0].name, err);
	return rc;
}

void run_release(struct run *run)
{
	run_stop_forget();
	engine_close(run->engine);
	for (int i = 0; i < 2; i++)
		engine_result_free(run->results[i]);
	device_close(run->device);
	store_close(run->store);
}

struct fact_sink {
	struct run *run;
	char scope[32];
	struct pts_err *err;
	int rc;
};

static void put_fact(void *ctx, const char *key, const char *value)
{
	struct fact_sink *sink = ctx;

	if (!sink->rc)
		sink->rc = store_put_fact(sink->run->store, sink->scope, key, value, sink->err);
}

int run_facts(struct run *run, const char *when, struct pts_err *err)
{
	struct fact_sink sink = {.run = run, .err = err};

	snprintf(sink.scope, sizeof(sink.scope), "device_%s", when);
	device_facts_each(device_facts(run->device), put_fact, &sink);
	device_health_each(run->device, put_fact, &sink);
	snprintf(sink.scope, sizeof(sink.scope), "host_%s", when);
	device_host_each(put_fact, &sink);
	return sink.rc;
}

static void note_degrades(struct run *run)
{
	const struct engine_degrade *degrades;
	unsigned count = engine_degrades(run->engine, &degrades);

	for (unsigned i = 0; i < count; i++)
		run_note(run, -1, -1, -1, "warning", "degraded", "engine: %s: %s",
			 degrades[i].capability, degrades[i].reason);
}

static int end_store(struct run *run, enum store_state state, enum pts_exit code,
		     const char *reason, struct pts_err *err)
{
	struct run_event event = {.kind = RUN_END, .text = reason};
	int rc = store_end(run->store, state, code, reason, pts_wall_ns(), err);

	run_emit(run, &event);
	return rc;
}

static int end_stopped(struct run *run, struct run_outcome *outcome, struct pts_err *err)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "stopped by signal %d", run_stop_signal());
	run_note(run, -1, -1, -1, "warning", "stopped", "%s", reason);
	outcome->exit = PTS_EXIT_RESUMABLE;
	return end_store(run, STORE_STOPPED, PTS_EXIT_RESUMABLE, reason, err);
}

/* The error that broke the run stays the one that is told; the store keeps it too if it can. */
static int end_broken(struct run *run, struct run_outcome *outcome, const struct pts_err *err)
{
	struct pts_err second = PTS_ERR_INIT;

	outcome->exit = err->exit ? err->exit : PTS_EXIT_BUG;
	run_note(run, -1, -1, -1, "error", "broken", "%s", err->text);
	end_store(run, STORE_FAILED, outcome->exit, err->text, &second);
	return err->error ? -err->error : -EIO;
}

static int end_done(struct run *run, struct run_outcome *outcome, struct pts_err *err)
{
	int rc = run_facts(run, "after", err);

	outcome->tests_steady = run->tests_steady;
	outcome->tests_not_steady = run->tests_not_steady;
	outcome->exit = run->tests_not_steady ? PTS_EXIT_VERDICT : PTS_EXIT_GOOD;
	if (!rc)
		rc = end_store(
			run, STORE_DONE, outcome->exit,
			run->tests_not_steady ? "done, steady state not reached" : "done", err);
	if (rc)
		outcome->exit = err->exit;
	return rc;
}

int run_steps(struct run *run, unsigned first_step, int first_round,
	      struct run_outcome *ret_outcome, struct pts_err *err)
{
	enum run_flow flow = RUN_GO_ON;

	note_degrades(run);
	for (unsigned i = first_step; i < run->plan->step_count && flow == RUN_GO_ON; i++) {
		const struct plan_step *step = &run->plan->steps[i];

		if (run_cache_set(run, step->test, err) < 0)
			flow = RUN_BROKEN;
		else
			flow = run_step(run, step, i == first_step ? first_round : 1, err);
	}
	if (flow == RUN_STOPPED)
		return end_stopped(run, ret_outcome, err);
	if (flow == RUN_BROKEN)
		return end_broken(run, ret_outcome, err);
	return end_done(run, ret_outcome, err);
}

int run_finish(struct run *run, const char *dir, struct run_outcome *ret_outcome,
	       struct pts_err *err)
{
	const struct store_run *stored;
	int rc = store_get_run(run->store, &stored, err);

	if (!rc)
		rc = run_hold(run, stored->identity, dir, err);
	if (!rc)
		rc = store_reopen(run->store, err);
	if (rc)
		return rc;
	run_note(run, -1, -1, -1, "warning", "resumed",
		 "resumed: only the end of the run was missing");
	return end_done(run, ret_outcome, err);
}

void run_outcome_release(struct run_outcome *outcome)
{
	free((char *)outcome->store_path);
	outcome->store_path = NULL;
}
