/*
 * Model drives by name: "sim:MODEL[,seed=N]". Makes the drive of this process, hands its facts
 * out like those of any device, and puts its clock in the place of the system's. It must not know
 * where models come from, nor what a test is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "pts_clock.h"
#include "pts_text.h"
#include "sim_drive.h"

#define PREFIX "sim:"

static device_sim_models_fn find_model;

/* The model drive of this process. */
static struct {
	char path[DEVICE_TEXT];
	uint64_t seed;
	struct sim_drive *drive;
} held;

void device_sim_models(device_sim_models_fn models)
{
	find_model = models;
}

bool device_sim_is(const char *path)
{
	return !strncmp(path, PREFIX, strlen(PREFIX));
}

/* "sim:NAME[,seed=N]" */
static int take_apart(const char *path, char name[DEVICE_TEXT], uint64_t *ret_seed,
		      struct pts_err *err)
{
	static const char key[] = "seed=";
	const char *text = path + strlen(PREFIX);
	size_t length = strcspn(text, ",");
	const char *option = text[length] ? text + length + 1 : NULL;

	*ret_seed = 1;
	if (!length || strlen(path) >= DEVICE_TEXT)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"'%.200s': a model drive is written sim:MODEL[,seed=N]", path);
	memcpy(name, text, length);
	name[length] = '\0';
	if (!option)
		return 0;
	if (strncmp(option, key, strlen(key)) != 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"'%s': unknown option '%s': a model drive is written "
				"sim:MODEL[,seed=N]",
				path, option);
	if (pts_u64_parse(option + strlen(key), ret_seed) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"'%s': the seed is no whole number below 2^64", path);
	return 0;
}

static int open_model(const char *path, struct pts_err *err)
{
	struct pts_clock_source clock;
	struct sim_model model;
	char name[DEVICE_TEXT];
	int rc = take_apart(path, name, &held.seed, err);

	if (!rc && !find_model)
		rc = pts_fail(err, PTS_EXIT_USAGE, ENODEV,
			      "'%s': this program knows no model drives", path);
	if (!rc)
		rc = find_model(name, &model, err);
	if (!rc)
		rc = sim_drive_open(&model, held.seed, &held.drive, err);
	if (rc)
		return rc;
	snprintf(held.path, sizeof(held.path), "%s", path);
	clock = sim_drive_clock(held.drive, pts_wall_ns());
	pts_clock_set(&clock);
	return 0;
}

static void fill(struct device_facts *facts)
{
	const struct sim_model *model = sim_drive_model(held.drive);

	snprintf(facts->path, sizeof(facts->path), "%s", held.path);
	snprintf(facts->real_path, sizeof(facts->real_path), "%s", held.path);
	facts->kind = DEVICE_SIM;
	facts->is_virtual = true;
	facts->numa_node = -1;
	snprintf(facts->transport, sizeof(facts->transport), "sim");
	snprintf(facts->model, sizeof(facts->model), "model drive %.60s", model->name);
	snprintf(facts->serial, sizeof(facts->serial), "sim:%.60s:%llu", model->name,
		 (unsigned long long)held.seed);
	snprintf(facts->identity, sizeof(facts->identity), "%s", facts->serial);
	for (char *at = facts->identity; *at; at++)
		if (*at == ' ')
			*at = '_';
	snprintf(facts->write_cache, sizeof(facts->write_cache), "%s",
		 model->write_cache && model->buffer_pages ? "write back" : "write through");
	facts->capacity_bytes = sim_drive_capacity(held.drive);
	facts->lba_bytes = model->lba_bytes;
	facts->physical_bytes = model->page_bytes;
}

int device_sim_facts(const char *path, struct device_facts *ret_facts, struct pts_err *err)
{
	int rc = held.drive ? 0 : open_model(path, err);

	if (rc)
		return rc;
	if (strcmp(path, held.path) != 0)
		return pts_fail(err, PTS_EXIT_USAGE, EBUSY,
				"'%s': there is '%s' already, and only one model drive can set "
				"the clock",
				path, held.path);
	fill(ret_facts);
	return device_sim_check(ret_facts, err);
}

struct sim_drive *device_sim_of(const struct device_facts *facts)
{
	return facts->kind == DEVICE_SIM ? held.drive : NULL;
}

int device_sim_check(const struct device_facts *facts, struct pts_err *err)
{
	if (sim_drive_capacity(held.drive))
		return 0;
	return pts_fail(err, PTS_EXIT_DEVICE, ENODEV,
			"'%s' has gone: it reports no capacity (the model says so)",
			facts->path);
}
