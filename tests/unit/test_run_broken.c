/* A device that fails in the middle: the run ends with exit 5, keeps what it has, and goes on after
 * repair. B11, B53, B58. */
#include "run_fixture.h"

#include <string.h>
#include <unistd.h>

#define CELLS 4
#define BYTES (2 * MIB)

/* Long enough for a read in each cell, however busy the machine is. */
static const char *const overrides[] = {"range=0.000001%", "cell_time=120ms", "max_rounds=3",
					NULL};

/* The device loses its upper part: reads there come back short. It stays like that: later writes
 * would make a file whole again, which no drive does. */
static void hook_shrink(struct scene *scene, const struct run_event *event)
{
	if (hook_is_here(scene, event) || scene->acted)
		assert_int_equal(truncate(scene->file, 4096), 0);
}

struct io {
	unsigned errors, cells_with_errors, zero_rates;
	bool notes_have_offsets;
};

static int see_cell(void *ctx, const struct store_cell *cell)
{
	struct io *io = ctx;

	io->errors += (unsigned)cell->total.errors;
	io->cells_with_errors += cell->total.errors > 0;
	/* never a 0 in a table: no figure at all */
	io->zero_rates += !cell->valid && cell->total.iops >= 0;
	for (unsigned i = 0; i < cell->error_count; i++)
		io->notes_have_offsets =
			io->notes_have_offsets ||
			(cell->errors[i].error && cell->errors[i].length_bytes);
	if (cell->total.errors)
		assert_true(!cell->valid && cell->reason && cell->reason[0]);
	return 0;
}

static void look(struct scene *scene, struct io *ret_io)
{
	const struct store_cell_filter filter = {.step = -1, .with_cut = true};
	struct store *store;

	*ret_io = (struct io){0};
	pts_err_clear(&scene->err);
	if (store_open(scene->outcome.store_path, STORE_READ, &store, &scene->err) < 0)
		fail_msg("%s", scene->err.text);
	assert_int_equal(store_each_cell(store, &filter, see_cell, ret_io, &scene->err), 0);
	store_close(store);
}

static void shrink_and_repair(const char *backend, enum run_event_kind kind, unsigned round,
			      unsigned cell)
{
	struct scene scene;
	struct told told;
	struct io io;

	scene_begin(&scene, BYTES, overrides);
	scene.options.backend = backend;
	scene.hook = hook_shrink;
	scene.at_kind = kind;
	scene.at_round = round;
	scene.at_cell = cell;
	assert_true(scene_run(&scene) < 0);
	print_message("%s: %s\n", backend, scene.err.text);
	assert_int_equal(scene.err.exit, PTS_EXIT_DEVICE);
	assert_int_equal(scene.outcome.exit, PTS_EXIT_DEVICE);
	scene_told(&scene, &told);
	assert_int_equal(told.state, STORE_FAILED);
	assert_int_equal(told.exit_code, PTS_EXIT_DEVICE);
	assert_int_equal(told.broken, 1);
	assert_string_equal(told.outcome[2], "failed");
	assert_int_equal(told.valid_rounds, 1);
	assert_int_equal(told.cells, CELLS);
	assert_int_equal(told.verify_differences, 0);
	look(&scene, &io);
	assert_true(io.errors > 0 && io.notes_have_offsets);
	assert_int_equal(io.cells_with_errors, 1);
	assert_int_equal(io.zero_rates, 0);
	/* repaired */
	scene.hook = NULL;
	assert_int_equal(truncate(scene.file, BYTES), 0);
	if (scene_resume(&scene) < 0)
		fail_msg("%s", scene.err.text);
	scene_told(&scene, &told);
	assert_int_equal(told.state, STORE_DONE);
	assert_int_equal(told.valid_rounds, 3);
	assert_int_equal(told.cells, 3 * CELLS);
	assert_int_equal(told.cut_rounds, 1);
	assert_true(told.windows_whole);
	assert_int_equal(told.verify_differences, 0);
	scene_end(&scene);
}

static void reads_come_back_short(void **state)
{
	(void)state;
	shrink_and_repair("psync", RUN_CELL_BEGIN, 2, 1);
	shrink_and_repair("uring", RUN_CELL_BEGIN, 2, 1);
	shrink_and_repair("psync", RUN_ROUND_END, 1, 0);
	shrink_and_repair("uring", RUN_ROUND_END, 1, 0);
}

/* It shrinks while nothing is read from it: looked at after the round all the same. */
static void the_size_is_looked_at_each_round(void **state)
{
	struct scene scene;
	struct told told;

	(void)state;
	scene_begin(&scene, BYTES, overrides);
	/* behind the last reading of round 2; writes make the file longer again, but not whole */
	scene.hook = hook_shrink;
	scene.at_kind = RUN_CELL_END;
	scene.at_round = 2;
	scene.at_cell = 3;
	assert_true(scene_run(&scene) < 0);
	assert_int_equal(scene.err.exit, PTS_EXIT_DEVICE);
	assert_non_null(strstr(scene.err.text, "capacity"));
	scene_told(&scene, &told);
	assert_int_equal(told.state, STORE_FAILED);
	assert_int_equal(told.valid_rounds, 1);
	assert_int_equal(told.cut_rounds, 1);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_come_back_short),
		cmocka_unit_test(the_size_is_looked_at_each_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
