/* See report_table_store.h. */
#include "report_table_store.h"

#include <stddef.h>
#include <string.h>

struct store *table_store_open(struct table_store *table)
{
	table->run = (struct store_run){
		.tool_version = "0.1.0",
		.mode = "enterprise",
		.identity = "nvme:EX-000123",
		.device_path = "/dev/nvme1n1",
		.capacity_bytes = table->capacity_bytes,
		.lba_bytes = 512,
		.plan_text = "",
		.plan_json = table->plan_json,
		.plan_sha256 = "",
		.command_line = "",
		.backend = "uring",
		.started_wall_ns = 1796112000000000000ull,
		.ended_wall_ns = 1796139000000000000ull,
		.purge_method = "format",
		.purge_is_pts = true,
		.state = STORE_DONE,
		.schema_version = 1,
	};
	return (struct store *)table;
}

static struct table_store *of(struct store *store)
{
	return (struct table_store *)store;
}

int store_get_run(struct store *store, const struct store_run **ret_run, struct pts_err *err)
{
	(void)err;
	*ret_run = &of(store)->run;
	return 0;
}

int store_each_test(struct store *store, int (*fn)(void *ctx, const struct store_test *test),
		    void *ctx, struct pts_err *err)
{
	struct store_test test = {
		.name = of(store)->test,
		.title = of(store)->title,
		.standard = "SNIA SSS PTS 2.0.2",
		.revision = "PTS-E 2.0.2",
		.section = "10",
		.mode = "enterprise",
		.spec_text = "",
		.spec_sha256 = "",
		.overrides_json = "{}",
	};

	(void)err;
	return fn(ctx, &test);
}

int store_each_fact(struct store *store, const char *scope,
		    int (*fn)(void *ctx, const char *key, const char *value), void *ctx,
		    struct pts_err *err)
{
	(void)store;
	(void)err;
	return strcmp(scope, "device_before") == 0 ? fn(ctx, "model", "PTS Example") : 0;
}

int store_each_step(struct store *store,
		    int (*fn)(void *ctx, const struct store_step_row *step), void *ctx,
		    struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < of(store)->step_count && result == 0; i++)
		result = fn(ctx, &of(store)->steps[i]);
	return result;
}

int store_each_round(struct store *store, int step,
		     int (*fn)(void *ctx, const struct store_round_row *round), void *ctx,
		     struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < of(store)->round_count && result == 0; i++) {
		if (of(store)->rounds[i].step == step)
			result = fn(ctx, &of(store)->rounds[i]);
	}
	return result;
}

int store_each_cell(struct store *store, const struct store_cell_filter *filter,
		    int (*fn)(void *ctx, const struct store_cell *cell), void *ctx,
		    struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < of(store)->cell_count && result == 0; i++) {
		struct store_cell cell = of(store)->cells[i];

		if (!filter->with_samples)
			cell.sample_count = 0;
		if (!filter->with_hist)
			cell.dir[0].hist = cell.dir[1].hist = NULL;
		if (filter->step < 0 || filter->step == cell.step)
			result = fn(ctx, &cell);
	}
	return result;
}

int store_each_steady(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_steady *steady), void *ctx,
		      struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < of(store)->steady_count && result == 0; i++) {
		if (of(store)->steady[i].step == step)
			result = fn(ctx, &of(store)->steady[i]);
	}
	return result;
}

int store_each_choice(struct store *store, int step,
		      int (*fn)(void *ctx, const struct store_choice *choice), void *ctx,
		      struct pts_err *err)
{
	int result = 0;

	(void)err;
	for (unsigned i = 0; i < of(store)->choice_count && result == 0; i++) {
		if (step < 0 || of(store)->choices[i].step == step)
			result = fn(ctx, &of(store)->choices[i]);
	}
	return result;
}

int store_each_deviation(struct store *store,
			 int (*fn)(void *ctx, const struct store_deviation *deviation),
			 void *ctx, struct pts_err *err)
{
	(void)store;
	(void)fn;
	(void)ctx;
	(void)err;
	return 0;
}

int store_each_event(struct store *store, int (*fn)(void *ctx, const struct store_event *event),
		     void *ctx, struct pts_err *err)
{
	(void)store;
	(void)fn;
	(void)ctx;
	(void)err;
	return 0;
}
