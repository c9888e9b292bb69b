#include "plan_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pts_text.h"

const char *const plan_fixture_specs[PLAN_FIXTURE_SPECS] = {
	"iops",
	"tp",
	"lat",
	"wsat",
	"hir",
	"xsr",
	"cbw",
	"dirth",
	"workloads/jesd219-enterprise",
	"workloads/oltp",
	"workloads/vmfleet-curve",
};

struct plan_device plan_fixture_drive(uint64_t capacity_bytes, uint32_t lba_bytes)
{
	return (struct plan_device){
		.path = "/dev/drive",
		.identity = "SN-0001",
		.kind = "block",
		.transport = "nvme",
		.capacity_bytes = capacity_bytes,
		.lba_bytes = lba_bytes,
		.can_set_write_cache = true,
		.write_cache = "write back",
		.purge_name = "format",
		.purge_is_pts = true,
	};
}

/* Texts of overrides live as long as the program, as the words of a command line do. */
static char *kept[4096];
static unsigned kept_count;

static void release_kept(void)
{
	while (kept_count)
		free(kept[--kept_count]);
}

static char *keep(const char *text)
{
	assert_true(kept_count < sizeof(kept) / sizeof(kept[0]));
	if (!kept_count)
		atexit(release_kept);
	return kept[kept_count++] = strdup(text);
}

static unsigned split(char *sets, struct spec_override *ret_overrides, unsigned room)
{
	unsigned count = 0;
	char *save = NULL;

	for (char *set = strtok_r(sets, ";", &save); set; set = strtok_r(NULL, ";", &save)) {
		char *equal = strchr(set, '=');

		assert_non_null(equal);
		assert_true(count < room);
		*equal = '\0';
		ret_overrides[count++] = (struct spec_override){set, equal + 1};
	}
	return count;
}

struct spec *plan_fixture_try(const char *name, enum spec_mode mode, const char *sets)
{
	struct spec_override overrides[8];
	struct pts_err err = PTS_ERR_INIT;
	struct spec_options options = {
		.mode = mode,
		.overrides = overrides,
		.override_count = sets ? split(keep(sets), overrides, 8) : 0,
	};
	struct spec *spec = NULL;
	char path[200];

	snprintf(path, sizeof(path), "specs/%s.yaml", name);
	if (spec_read_file(path, &options, &spec, &err))
		spec = NULL;
	return spec;
}

struct spec *plan_fixture_read(const char *name, enum spec_mode mode, const char *sets)
{
	struct spec *spec = plan_fixture_try(name, mode, sets);

	if (!spec)
		fail_msg("specs/%s.yaml with '%s' is refused", name, sets ? sets : "");
	return spec;
}

struct spec *plan_fixture_text(const char *yaml)
{
	struct spec_options options = {.mode = SPEC_ENTERPRISE};
	struct pts_err err = PTS_ERR_INIT;
	struct spec *spec = NULL;

	if (spec_read_text("made.yaml", yaml, strlen(yaml), &options, &spec, &err))
		fail_msg("%s\n%s", err.text, yaml);
	return spec;
}

struct plan_fixture plan_fixture_make(struct spec *spec, const struct plan_device *device,
				      double mb_per_s)
{
	struct plan_assume assume = {.seq_write_mb_per_s = mb_per_s};
	const struct spec *const specs[] = {spec};
	struct plan_fixture fixture = {.spec = spec};
	struct pts_err err = PTS_ERR_INIT;

	if (plan_make(specs, 1, device, &assume, &fixture.plan, &err))
		fail_msg("%s", err.text);
	return fixture;
}

struct pts_err plan_fixture_refused(struct spec *spec, const struct plan_device *device,
				    int expected_rc)
{
	const struct spec *const specs[] = {spec};
	struct pts_err err = PTS_ERR_INIT;
	struct plan *plan = (struct plan *)&err; /* must be reset */

	assert_int_equal(plan_make(specs, 1, device, NULL, &plan, &err), expected_rc);
	assert_null(plan);
	assert_true(err.text[0] != '\0');
	assert_null(strchr(err.text, '\n'));
	spec_free(spec);
	return err;
}

void plan_fixture_free(struct plan_fixture *fixture)
{
	plan_free(fixture->plan);
	spec_free(fixture->spec);
}

const struct plan_step *plan_fixture_step(const struct plan *plan, const char *phase)
{
	for (unsigned i = 0; i < plan->step_count; i++)
		if (!strcmp(plan->steps[i].phase, phase))
			return &plan->steps[i];
	fail_msg("no step '%s'", phase);
	return NULL;
}

const struct plan_cell *plan_fixture_cell(const struct plan_step *step, const char *label)
{
	for (unsigned i = 0; i < step->cell_count; i++)
		if (!strcmp(step->cells[i].label, label))
			return &step->cells[i];
	fail_msg("no cell '%s' in '%s'", label, step->phase);
	return NULL;
}

unsigned plan_fixture_deviations(const struct plan *plan, const char *what)
{
	unsigned count = 0;

	for (unsigned i = 0; i < plan->deviation_count; i++)
		count += !strcmp(plan->deviations[i].what, what);
	return count;
}
