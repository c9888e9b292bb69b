/* Runs of small specs on files of their own, and their stores read back. Must not write anywhere
 * but below its mkdtemp folder. */
#include "run_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pts_hash.h"
#include "verify.h"

#define OVERRIDES_MAX 8
#define FILLED_MAX    (64 * MIB) /* what is longer is sparse behind it */

const char small_spec[] =
	"title: Small\n"
	"parameters:\n"
	"  cell_time: {value: 50ms, help: time of a cell}\n"
	"  max_rounds: {value: 8, help: rounds at most}\n"
	"  on_unsteady: {value: stop, help: stop or continue}\n"
	"  range: {value: 100%, help: limit of the range}\n"
	"  second_block: {value: 4KiB, help: of the tracked cells}\n"
	"  fill_amount: {value: 1x capacity, help: of the fill}\n"
	"workloads:\n"
	"  fill:\n"
	"    access: sequential\n"
	"    rw_mix: 0/100\n"
	"    block_size: 64KiB\n"
	"    threads: 2\n"
	"    queue_depth: 2\n"
	"  matrix:\n"
	"    access: random\n"
	"    threads: 2\n"
	"    queue_depth: 2\n"
	"steps:\n"
	"  - purge:\n"
	"      name: purge\n"
	"  - load:\n"
	"      name: fill\n"
	"      workload: fill\n"
	"      until: {amount: $fill_amount}\n"
	"  - rounds:\n"
	"      name: loop\n"
	"      workload: matrix\n"
	"      axes:\n"
	"        - rw_mix: [100/0, 0/100]\n"
	"        - block_size: [64KiB, $second_block]\n"
	"      cell_time: $cell_time\n"
	"      max_rounds: $max_rounds\n"
	"      on_unsteady: $on_unsteady\n"
	"      histogram: true\n"
	"      steady:\n"
	"        window: 2\n"
	"        range: $range\n"
	"        slope: $range\n"
	"        track:\n"
	"          - {name: reads, metric: iops, rw_mix: 100/0, block_size: $second_block}\n"
	"          - {name: writes, metric: iops, rw_mix: 0/100, block_size: $second_block}\n";

static void on_event(void *ctx, const struct run_event *event)
{
	struct scene *scene = ctx;

	scene->events[event->kind]++;
	if ((event->kind == RUN_NOTE || event->kind == RUN_END) && event->text)
		snprintf(scene->last_note, sizeof(scene->last_note), "%s", event->text);
	if (scene->hook)
		scene->hook(scene, event);
}

static void fill_file(const char *path, uint64_t bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	unsigned char *data = malloc(MIB);

	assert_true(fd >= 0);
	assert_non_null(data);
	memset(data, 0xa5, MIB);
	for (uint64_t at = 0; at < bytes && at < FILLED_MAX; at += MIB) {
		uint64_t piece = bytes - at < MIB ? bytes - at : MIB;

		assert_int_equal(pwrite(fd, data, piece, (off_t)at), piece);
	}
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	free(data);
	close(fd);
}

static bool direct_in(const char *folder)
{
	int fd = open(folder, O_RDWR | O_TMPFILE | O_DIRECT | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Memory where it can do direct I/O: a busy disk would leave short cells without an I/O. */
static void make_folder(struct scene *scene)
{
	const char *where = direct_in("/dev/shm") ? "/dev/shm" : "/tmp";

	if (!direct_in(where)) {
		printf("skipped: no direct I/O in /dev/shm and /tmp\n");
		exit(77);
	}
	snprintf(scene->folder, sizeof(scene->folder), "%s/pts-run-XXXXXX", where);
	assert_non_null(mkdtemp(scene->folder));
}

static void read_spec(struct scene *scene, const char *const *overrides)
{
	struct spec_override list[OVERRIDES_MAX];
	char keys[OVERRIDES_MAX][64];
	struct spec_options options = {.mode = SPEC_ENTERPRISE, .overrides = list};

	for (; overrides && *overrides; overrides++) {
		unsigned at = options.override_count++;
		const char *equals = strchr(*overrides, '=');

		assert_true(at < OVERRIDES_MAX && equals);
		snprintf(keys[at], sizeof(keys[at]), "%.*s", (int)(equals - *overrides),
			 *overrides);
		list[at] = (struct spec_override){keys[at], equals + 1};
	}
	if (spec_read_text("small.yaml", small_spec, strlen(small_spec), &options, &scene->spec,
			   &scene->err) < 0)
		fail_msg("%s", scene->err.text);
}

static void make_plan(struct scene *scene)
{
	const struct spec *specs[1] = {scene->spec};
	struct plan_device device;

	if (device_facts_read(scene->file, scene->folder, &scene->facts, &scene->err) < 0 ||
	    run_plan_device(&scene->facts, NULL, &device, &scene->err) < 0 ||
	    plan_make(specs, 1, &device, NULL, &scene->plan, &scene->err) < 0)
		fail_msg("%s", scene->err.text);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

/* A test that fails leaves its function at once: the folder goes with the program. */
static char folder_now[64];

static void remove_folder(void)
{
	if (folder_now[0])
		nftw(folder_now, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	folder_now[0] = '\0';
}

void scene_begin(struct scene *scene, uint64_t bytes, const char *const *overrides)
{
	static bool registered;

	if (!registered)
		assert_int_equal(atexit(remove_folder), 0);
	registered = true;
	remove_folder();
	*scene = (struct scene){.acted = false};
	make_folder(scene);
	memcpy(folder_now, scene->folder, sizeof(folder_now));
	snprintf(scene->file, sizeof(scene->file), "%s/device", scene->folder);
	snprintf(scene->out, sizeof(scene->out), "%s/out", scene->folder);
	snprintf(scene->about, sizeof(scene->about), "%s/about.yaml", scene->folder);
	fill_file(scene->file, bytes);
	read_spec(scene, overrides);
	make_plan(scene);
	scene->options = (struct run_options){
		.out_dir = scene->out,
		.identity = scene->facts.identity,
		.command_line = "a test",
		.event = on_event,
		.event_ctx = scene,
	};
}

void scene_end(struct scene *scene)
{
	plan_free(scene->plan);
	spec_free(scene->spec);
	run_outcome_release(&scene->outcome);
	remove_folder();
}

int scene_run(struct scene *scene)
{
	pts_err_clear(&scene->err);
	run_outcome_release(&scene->outcome);
	return run_start(scene->plan, &scene->facts, &scene->options, &scene->outcome,
			 &scene->err);
}

int scene_resume(struct scene *scene)
{
	pts_err_clear(&scene->err);
	run_outcome_release(&scene->outcome);
	return run_resume(scene->out, &scene->options, &scene->outcome, &scene->err);
}

int scene_fork(struct scene *scene, int (*go)(struct scene *scene))
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		go(scene);
		_exit((int)scene->outcome.exit);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

bool hook_is_here(struct scene *scene, const struct run_event *event)
{
	if (scene->acted || event->kind != scene->at_kind || event->round != scene->at_round ||
	    event->cell != scene->at_cell)
		return false;
	scene->acted = true;
	return true;
}

void hook_stop(struct scene *scene, const struct run_event *event)
{
	if (hook_is_here(scene, event))
		run_request_stop(SIGINT);
}

void hook_kill(struct scene *scene, const struct run_event *event)
{
	if (hook_is_here(scene, event))
		kill(getpid(), SIGKILL);
}

/* ---- the store ------------------------------------------------------------------------- */

struct reading {
	struct told *told;
	uint64_t seeds[512];
	unsigned seed_count;
	int fresh[16];
	unsigned fresh_count;
	unsigned *facts;
};

static int see_round(void *ctx, const struct store_round_row *row)
{
	struct reading *reading = ctx;

	if (!row->round)
		return 0;
	reading->told->valid_rounds += !strcmp(row->state, "valid");
	reading->told->cut_rounds += !strcmp(row->state, "cut");
	if (row->after_gap && !strcmp(row->state, "valid")) {
		reading->told->fresh_rounds++;
		reading->fresh[reading->fresh_count++] = row->round;
	}
	return 0;
}

static int see_cell(void *ctx, const struct store_cell *cell)
{
	struct reading *reading = ctx;
	struct told *told = reading->told;

	told->invalid_cells += !cell->valid;
	if (!cell->round) {
		told->loads++;
		told->load_bytes += cell->total.bytes;
		return 0;
	}
	told->cells++;
	if (cell->gap_ns > told->max_gap_ns)
		told->max_gap_ns = cell->gap_ns;
	told->first_gaps += cell->cell == 0 && cell->gap_ns;
	told->no_gaps += cell->cell > 0 && cell->valid && !cell->gap_ns;
	for (unsigned i = 0; i < reading->seed_count; i++)
		told->same_seeds += reading->seeds[i] == cell->seed && cell->valid;
	if (cell->valid)
		reading->seeds[reading->seed_count++] = cell->seed;
	return 0;
}

static int see_steady(void *ctx, const struct store_steady *row)
{
	struct reading *reading = ctx;
	int first = row->last_round - row->window + 1;

	reading->told->steady_rows++;
	reading->told->last_steady_first = first;
	for (unsigned i = 0; i < reading->fresh_count; i++)
		if (first < reading->fresh[i] && row->last_round >= reading->fresh[i])
			reading->told->windows_whole = false;
	return 0;
}

static int see_step(void *ctx, const struct store_step_row *row)
{
	struct reading *reading = ctx;

	assert_true(row->plan.step < 8);
	snprintf(reading->told->outcome[row->plan.step], 32, "%s",
		 row->outcome ? row->outcome : "");
	return 0;
}

static int see_deviation(void *ctx, const struct store_deviation *row)
{
	struct reading *reading = ctx;

	reading->told->deviations++;
	reading->told->gap_deviations += !strcmp(row->what, "unbroken run");
	return 0;
}

static int see_event(void *ctx, const struct store_event *row)
{
	struct told *told = ((struct reading *)ctx)->told;

	told->stopped += !strcmp(row->kind, "stopped");
	told->resumed += !strcmp(row->kind, "resumed");
	told->foreign += !strcmp(row->kind, "foreign-io");
	told->degraded += !strcmp(row->kind, "degraded");
	told->purges += !strcmp(row->kind, "purge");
	told->broken += !strcmp(row->kind, "broken");
	return 0;
}

static int see_fact(void *ctx, const char *key, const char *value)
{
	(void)value;
	assert_true(key[0]);
	(*((struct reading *)ctx)->facts)++;
	return 0;
}

static void see_facts(struct store *store, struct reading *reading)
{
	static const char *const scopes[] = {"device_before", "device_after", "host_before",
					     "host_after", "about"};
	struct pts_err err = PTS_ERR_INIT;

	for (unsigned i = 0; i < 5; i++) {
		reading->facts = i < 4 ? &reading->told->facts[i] : &reading->told->about;
		assert_int_equal(store_each_fact(store, scopes[i], see_fact, reading, &err), 0);
	}
}

static void see_difference(void *ctx, const char *line)
{
	(void)ctx;
	print_message("verify: %s\n", line);
}

static void see_all(struct store *store, struct reading *reading, struct pts_err *err)
{
	const struct store_cell_filter filter = {.step = -1};
	struct verify_counts counts;

	assert_int_equal(store_each_step(store, see_step, reading, err), 0);
	assert_int_equal(store_each_round(store, -1, see_round, reading, err), 0);
	assert_int_equal(store_each_cell(store, &filter, see_cell, reading, err), 0);
	assert_int_equal(store_each_steady(store, -1, see_steady, reading, err), 0);
	assert_int_equal(store_each_deviation(store, see_deviation, reading, err), 0);
	assert_int_equal(store_each_event(store, see_event, reading, err), 0);
	see_facts(store, reading);
	assert_int_equal(verify_store(store, see_difference, NULL, &counts, err), 0);
	reading->told->verify_checked = counts.checked;
	reading->told->verify_differences = counts.differences;
}

void scene_told(struct scene *scene, struct told *ret_told)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	struct pts_err err = PTS_ERR_INIT;
	const struct store_run *row;
	struct store *store;
	char *path;

	assert_non_null(reading);
	*ret_told = (struct told){.windows_whole = true};
	reading->told = ret_told;
	if (store_locate(scene->out, &path, &err) < 0 ||
	    store_open(path, STORE_READ, &store, &err) < 0 ||
	    store_get_run(store, &row, &err) < 0)
		fail_msg("%s", err.text);
	ret_told->state = row->state;
	ret_told->exit_code = row->exit_code;
	snprintf(ret_told->backend, sizeof(ret_told->backend), "%s", row->backend);
	assert_string_equal(row->identity, scene->facts.identity);
	see_all(store, reading, &err);
	store_close(store);
	free(path);
	free(reading);
}

bool scene_has_store(const struct scene *scene)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/run.db", scene->out);
	return access(path, F_OK) == 0;
}

int entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int count = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return count;
}
