/*
 * What a key of specs/drives/NAME.yaml means for the model drive: the one place that knows both.
 * It must not decide anything a file does not say.
 */
#include "cli_sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "sim_model.h"
#include "spec_drive.h"

struct file {
	struct sim_model model;
	struct cli_sim_about about;
	uint64_t lba_bytes, page_bytes, slc_bytes;
};

#define KEY(name, type, member, required)                                                      \
	{                                                                                      \
		name, SPEC_DRIVE_##type, offsetof(struct file, member), required,              \
			sizeof(((struct file *)0)->member)                                     \
	}

/* Rates are a size a second: "channel_per_s: 400MB". */
static const struct spec_drive_key keys[] = {
	KEY("title", TEXT, about.title, true),
	KEY("description", TEXT, about.description, false),
	KEY("capacity", BYTES, model.capacity_bytes, true),
	KEY("lba", BYTES, lba_bytes, true),
	KEY("page", BYTES, page_bytes, true),
	KEY("pages_per_block", COUNT, model.pages_per_block, true),
	KEY("dies", COUNT, model.dies, true),
	KEY("channels", COUNT, model.channels, true),
	KEY("over_provisioning", SHARE, model.over_provision, true),
	KEY("reserve_blocks", COUNT, model.reserve_blocks, false),
	KEY("read_time", TIME, model.read_ns, true),
	KEY("program_time", TIME, model.program_ns, true),
	KEY("erase_time", TIME, model.erase_ns, true),
	KEY("suspend_time", TIME, model.suspend_ns, false),
	KEY("channel_per_s", BYTES, model.channel_bytes_per_s, true),
	KEY("buffer_pages", COUNT, model.buffer_pages, false),
	KEY("write_cache", BOOL, model.write_cache, false),
	KEY("slc_cache", BYTES, slc_bytes, false),
	KEY("slc_program_time", TIME, model.slc_program_ns, false),
	KEY("compression", BOOL, model.compress, false),
	KEY("deduplication", BOOL, model.deduplicate, false),
	KEY("idle_after", TIME, model.idle_after_ns, false),
	KEY("idle_free_blocks", COUNT, model.idle_free_blocks, false),
	KEY("idle_valid", SHARE, model.idle_valid_share, false),
	KEY("refresh_every", TIME, model.refresh_every_ns, false),
	KEY("refresh_time", TIME, model.refresh_ns, false),
	KEY("refresh_share", SHARE, model.refresh_share, false),
	KEY("command_time", TIME, model.command_ns, true),
	KEY("iops_limit", COUNT, model.iops_limit, false),
	KEY("interface_per_s", BYTES, model.bytes_per_s, true),
	KEY("noise", SHARE, model.noise_share, false),
	KEY("tail_share", SHARE, model.tail_share, false),
	KEY("tail_time", TIME, model.tail_ns, false),
	KEY("ambient_celsius", NUMBER, model.ambient_c, false),
	KEY("rise_celsius", NUMBER, model.rise_c, false),
	KEY("heat_time", TIME, model.heat_ns, false),
	KEY("throttle_on_celsius", NUMBER, model.throttle_on_c, false),
	KEY("throttle_off_celsius", NUMBER, model.throttle_off_c, false),
	KEY("throttle_factor", NUMBER, model.throttle_factor, false),
	KEY("endurance", COUNT, model.endurance, false),
	KEY("worn_read_time", TIME, model.worn_read_ns, false),
	KEY("dies_at", TIME, model.dies_at_ns, false),
	KEY("stuck_at", TIME, model.stuck_at_ns, false),
	KEY("bad_offset", BYTES, model.bad_bytes, false),
	KEY("real_capacity", BYTES, model.real_bytes, false),
	KEY("arrives_used", BOOL, model.arrives_used, false),
	KEY("purge_lies", BOOL, model.purge_lies, false),
};

/* "enterprise-small", or the file name without folder and ending. */
static void name_of(const char *path, char *name, size_t room)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	snprintf(name, room, "%.*s", (int)strcspn(base, "."), base);
}

/* What the numbers of a file are in the model; sizes that must fit 32 bits. */
static int convert(const char *path, struct file *file, struct pts_err *err)
{
	struct sim_model *model = &file->model;

	if (file->lba_bytes > 1u << 30 || file->page_bytes > 1u << 30)
		return pts_fail(err, PTS_EXIT_SPEC, EINVAL,
				"%s: an LBA or a page of more than 1 GiB", path);
	model->lba_bytes = (uint32_t)file->lba_bytes;
	model->page_bytes = (uint32_t)file->page_bytes;
	model->slc_pages = file->page_bytes ? file->slc_bytes / file->page_bytes : 0;
	name_of(path, model->name, sizeof(model->name));
	return sim_model_check(model, err);
}

/* One model drive at most sets the clock of a process. */
static struct sim_model model_read;
static bool has_model;

const struct sim_model *cli_sim_model(void)
{
	return has_model ? &model_read : NULL;
}

static struct file *read_file(const char *path, struct pts_err *err)
{
	struct file *file = calloc(1, sizeof(*file));
	int rc;

	if (!file)
		abort();
	sim_model_init(&file->model);
	rc = spec_drive_read(path, keys, sizeof(keys) / sizeof(keys[0]), file, err);
	if (!rc)
		rc = convert(path, file, err);
	if (!rc)
		return file;
	free(file);
	return NULL;
}

static int read_model(const char *name, struct sim_model *ret_model, struct pts_err *err)
{
	struct file *file = NULL;
	char *path = NULL;

	sim_model_init(ret_model);
	if (spec_drive_find(name, &path, err) == 0)
		file = read_file(path, err);
	free(path);
	has_model = file != NULL;
	if (!file)
		return err->error ? -err->error : -EINVAL;
	/* as it is, padding too: its bytes tell one model from another */
	memcpy(ret_model, &file->model, sizeof(*ret_model));
	model_read = file->model;
	free(file);
	return 0;
}

int cli_sim_read(const char *path, struct cli_sim_about *ret_about, struct sim_model *ret_model,
		 struct pts_err *err)
{
	struct file *file = read_file(path, err);

	if (!file)
		return err->error ? -err->error : -EINVAL;
	*ret_about = file->about;
	*ret_model = file->model;
	free(file);
	return 0;
}

void cli_sim_init(void)
{
	device_sim_models(read_model);
}
