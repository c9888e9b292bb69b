/*
 * Reads what --assume names and hands plain rates to the plan, which opens nothing. A run is a
 * folder or a file that begins as SQLite does, any other file is read as YAML.
 */
#include "cli_assume.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_sim.h"
#include "pts_arena.h"
#include "pts_units.h"
#include "sim_rates.h"
#include "spec_assume.h"

/* "seq_write=2000MB/s", or the rate alone */
static bool is_rate(const char *text, double *ret_mb_per_s)
{
	static const char key[] = "seq_write=";
	char amount[64];
	uint64_t bytes;
	size_t length;

	if (!strncmp(text, key, strlen(key)))
		text += strlen(key);
	length = strlen(text);
	if (length <= 2 || length >= sizeof(amount) || strcmp(text + length - 2, "/s") != 0)
		return false;
	snprintf(amount, sizeof(amount), "%.*s", (int)(length - 2), text);
	if (pts_bytes_parse(amount, &bytes) < 0 || !bytes)
		return false;
	*ret_mb_per_s = (double)bytes / 1e6;
	return true;
}

static bool is_run(const char *path, const struct stat *st)
{
	static const char magic[] = "SQLite format 3";
	char begin[sizeof(magic)] = "";
	FILE *file;

	if (S_ISDIR(st->st_mode))
		return true;
	file = S_ISREG(st->st_mode) ? fopen(path, "re") : NULL;
	if (!file)
		return false;
	if (fread(begin, 1, sizeof(magic) - 1, file) != sizeof(magic) - 1)
		begin[0] = '\0';
	fclose(file);
	return !memcmp(begin, magic, sizeof(magic) - 1);
}

static double speed_mb_per_s(const struct spec_speed *speed, uint64_t block_bytes)
{
	return speed->mb_per_s > 0 ? speed->mb_per_s : speed->iops * (double)block_bytes / 1e6;
}

static void add_pure(struct plan_known *list, unsigned *count, const struct spec_speed *speed,
		     bool random, bool write, uint64_t block_bytes)
{
	double mb_per_s = speed_mb_per_s(speed, block_bytes);

	if (!(mb_per_s > 0))
		return;
	list[(*count)++] = (struct plan_known){
		.random_share = random,
		.read_pct = write ? 0 : 100,
		.block_bytes = block_bytes,
		.mb_per_s = mb_per_s,
		.write_mb_per_s = write ? mb_per_s : 0,
	};
}

static int take_file(const char *path, struct cli_assume *assume, struct pts_err *err)
{
	struct spec_assume *file;
	struct plan_known *list;
	unsigned count = 0;
	int rc = spec_assume_read(path, &file, err);

	if (rc)
		return rc;
	list = PTS_ARENA_ARRAY(assume->arena, struct plan_known, file->cell_count + 4);
	add_pure(list, &count, &file->sequential_read, false, false,
		 file->sequential_block_bytes);
	add_pure(list, &count, &file->sequential_write, false, true,
		 file->sequential_block_bytes);
	add_pure(list, &count, &file->random_read, true, false, file->random_block_bytes);
	add_pure(list, &count, &file->random_write, true, true, file->random_block_bytes);
	for (unsigned i = 0; i < file->cell_count; i++) {
		const struct spec_assume_cell *cell = &file->cells[i];
		double mb_per_s = speed_mb_per_s(&cell->rate, cell->block_bytes);

		list[count++] = (struct plan_known){
			.random_share = cell->random_share,
			.read_pct = cell->read_pct,
			.block_bytes = cell->block_bytes,
			.threads = cell->threads,
			.queue_depth = cell->queue_depth,
			.mb_per_s = mb_per_s,
			.write_mb_per_s = mb_per_s * (100 - cell->read_pct) / 100,
		};
	}
	assume->assume = (struct plan_assume){
		.kind = "file",
		.source = pts_arena_strdup(assume->arena, path),
		.known = list,
		.known_count = count,
		.purge_ns = file->purge_ns,
		.rounds = file->rounds,
	};
	spec_assume_free(file);
	return 0;
}

static void take_model(const struct sim_model *model, struct cli_assume *assume)
{
	struct plan_known *list = PTS_ARENA_ARRAY(assume->arena, struct plan_known, SIM_RATES);
	struct sim_rate rates[SIM_RATES];

	sim_rates(model, rates);
	for (unsigned i = 0; i < SIM_RATES; i++)
		list[i] = (struct plan_known){
			.random_share = rates[i].random,
			.read_pct = rates[i].write ? 0 : 100,
			.block_bytes = rates[i].block_bytes,
			.threads = 1,
			.queue_depth = rates[i].outstanding,
			.mb_per_s = rates[i].mb_per_s,
			.write_mb_per_s = rates[i].write ? rates[i].mb_per_s : 0,
		};
	assume->assume = (struct plan_assume){
		.kind = "model",
		.source = pts_arena_strdup(assume->arena, model->name),
		.known = list,
		.known_count = SIM_RATES,
		.purge_ns = sim_rates_purge_ns(model),
	};
}

int cli_assume_read(const struct cli_args *args, struct cli_assume *ret_assume,
		    struct pts_err *err)
{
	const char *text = cli_value(args, "assume");
	struct stat st;

	*ret_assume = (struct cli_assume){.arena = pts_arena_new()};
	if (!text || is_rate(text, &ret_assume->assume.seq_write_mb_per_s))
		return 0;
	if (stat(text, &st) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"--assume '%s': %s; it takes a YAML file of speeds, a run, or "
				"seq_write=RATE, as seq_write=2000MB/s",
				text, pts_errno_text(errno));
	return is_run(text, &st) ? cli_assume_run(text, ret_assume, err)
				 : take_file(text, ret_assume, err);
}

void cli_assume_model(struct cli_assume *assume)
{
	const struct sim_model *model = cli_sim_model();

	if (!model || assume->assume.seq_write_mb_per_s > 0)
		return;
	if (!assume->assume.kind)
		take_model(model, assume);
	assume->assume.least_mb_per_s = sim_rates_least(model);
	assume->assume.most_mb_per_s = (double)model->bytes_per_s / 1e6;
}

void cli_assume_release(struct cli_assume *assume)
{
	if (assume->arena)
		pts_arena_free(assume->arena);
	*assume = (struct cli_assume){0};
}
