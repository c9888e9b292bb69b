/*
 * Model drives by name: "sim:MODEL[,seed=N][,state=FILE]". Makes the drive of this process, hands
 * its facts out like those of any device, and puts its clock in the place of the system's. It must not know
 * where models come from, nor what a test is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "device_sim_state.h"
#include "pts_clock.h"
#include "pts_text.h"
#include "sim_drive.h"

#define PREFIX "sim:"

static device_sim_models_fn find_model;

#define FORM "sim:MODEL[,seed=N][,state=FILE]"

/* The model drive of this process. */
static struct {
	char given[PATH_MAX]; /* its path as it was given, and with the state's file in full */
	char path[PATH_MAX];
	uint64_t seed;
	struct sim_drive *drive;
	struct device_sim_state state;
} held = {.state.fd = -1};

void device_sim_models(device_sim_models_fn models)
{
	find_model = models;
}

bool device_sim_is(const char *path)
{
	return !strncmp(path, PREFIX, strlen(PREFIX));
}

struct parts {
	char name[PATH_MAX];
	bool has_seed;
	uint64_t seed;
	const char *state; /* NULL: none */
};

/* One option, and what comes behind it (NULL: nothing). The state's file is the rest of the text:
 * its name may hold a comma. */
static int take_option(const char *path, const char *option, struct parts *parts,
		       const char **ret_next, struct pts_err *err)
{
	size_t length = strcspn(option, ",");
	char text[32];

	*ret_next = option[length] ? option + length + 1 : NULL;
	if (!strncmp(option, "state=", strlen("state="))) {
		parts->state = option + strlen("state=");
		*ret_next = NULL;
		return 0;
	}
	if (strncmp(option, "seed=", strlen("seed=")) != 0 || parts->has_seed)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"'%s': unknown option '%s': a model drive is written " FORM,
				path, option);
	parts->has_seed = true;
	snprintf(text, sizeof(text), "%.*s", (int)(length - strlen("seed=")),
		 option + strlen("seed="));
	if (length - strlen("seed=") >= sizeof(text) || pts_u64_parse(text, &parts->seed) < 0)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"'%s': the seed is no whole number below 2^64", path);
	return 0;
}

static int take_apart(const char *path, struct parts *ret_parts, struct pts_err *err)
{
	const char *text = path + strlen(PREFIX);
	size_t length = strcspn(text, ",");
	const char *option = text[length] ? text + length + 1 : NULL;
	int rc = 0;

	*ret_parts = (struct parts){.seed = 1};
	if (!length || strlen(path) >= PATH_MAX)
		return pts_fail(err, PTS_EXIT_USAGE, EINVAL,
				"'%.200s': a model drive is written " FORM, path);
	memcpy(ret_parts->name, text, length);
	ret_parts->name[length] = '\0';
	while (option && !rc)
		rc = take_option(path, option, ret_parts, &option, err);
	return rc;
}

/* The path in full, by which another process in another folder finds the same drive. */
static int name_held(const char *path, const struct parts *parts, struct pts_err *err)
{
	size_t begin = parts->state ? (size_t)(parts->state - path) : strlen(path);

	snprintf(held.given, sizeof(held.given), "%s", path);
	if (begin + strlen(held.state.path) >= sizeof(held.path))
		return pts_fail(err, PTS_EXIT_USAGE, ENAMETOOLONG, "'%.200s...': too long",
				path);
	memcpy(held.path, path, begin);
	memcpy(held.path + begin, held.state.path, strlen(held.state.path) + 1);
	held.seed = parts->seed;
	return 0;
}

static int open_model(const char *path, struct pts_err *err)
{
	struct pts_clock_source clock;
	struct sim_drive *drive = NULL;
	struct sim_model model;
	struct parts parts;
	int rc = take_apart(path, &parts, err);

	if (!rc && !find_model)
		rc = pts_fail(err, PTS_EXIT_USAGE, ENODEV,
			      "'%s': this program knows no model drives", path);
	if (!rc)
		rc = find_model(parts.name, &model, err);
	if (!rc && parts.state)
		rc = device_sim_state_name(&held.state, parts.state, err);
	if (!rc)
		rc = name_held(path, &parts, err);
	if (!rc)
		rc = sim_drive_open(&model, parts.seed, &drive, err);
	if (!rc && parts.state)
		rc = device_sim_state_load(&held.state, drive, err);
	if (rc) {
		sim_drive_close(drive);
		return rc;
	}
	held.drive = drive;
	clock = sim_drive_clock(held.drive, pts_wall_ns());
	pts_clock_set(&clock);
	return 0;
}

static void tell_cache(struct device_facts *facts)
{
	snprintf(facts->write_cache, sizeof(facts->write_cache), "%s",
		 sim_drive_write_cache(held.drive) ? "write back" : "write through");
}

bool device_sim_has_buffer(void)
{
	return held.drive && sim_drive_model(held.drive)->buffer_pages;
}

int device_sim_set_write_cache(struct device_facts *facts, bool enabled, struct pts_err *err)
{
	int rc = sim_drive_set_write_cache(held.drive, enabled);

	tell_cache(facts);
	return rc ? pts_fail(err, PTS_EXIT_DEVICE, -rc,
			     "'%s' does not switch its write cache: %s", facts->path,
			     pts_errno_text(-rc))
		  : 0;
}

static void fill(struct device_facts *facts)
{
	const struct sim_model *model = sim_drive_model(held.drive);

	snprintf(facts->path, sizeof(facts->path), "%s", held.given);
	snprintf(facts->backing, sizeof(facts->backing), "%s", held.state.path);
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
	tell_cache(facts);
	facts->capacity_bytes = sim_drive_capacity(held.drive);
	facts->lba_bytes = model->lba_bytes;
	facts->physical_bytes = model->page_bytes;
}

int device_sim_facts(const char *path, struct device_facts *ret_facts, struct pts_err *err)
{
	int rc = held.drive ? 0 : open_model(path, err);

	if (rc)
		return rc;
	if (strcmp(path, held.given) != 0 && strcmp(path, held.path) != 0)
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

int device_sim_hold(struct pts_err *err)
{
	return held.state.path[0] ? device_sim_state_hold(&held.state, held.drive, err) : 0;
}

void device_sim_let_go(void)
{
	device_sim_state_let_go(&held.state);
}

int device_sim_keep(bool at_once, struct pts_err *err)
{
	return device_sim_state_keep(&held.state, held.drive, at_once, err);
}
