/*
 * The header block that stands on every page (PTS section 5): dates, test, revision, platform,
 * device, set-up and test parameters. What no one recorded is "not recorded", never invented.
 */
#include <inttypes.h>
#include <string.h>

#include "pts_text.h"
#include "pts_units.h"
#include "report_header_internal.h"

void header_put(struct report_header *header, enum header_column column, const char *name,
		const char *value)
{
	unsigned *count = &header->columns[column].count;

	if (*count < HEADER_PAIRS)
		header->columns[column].pairs[(*count)++] = (struct report_pair){
			name, value != NULL && value[0] != '\0' ? value : REPORT_UNKNOWN,
			TONE_PLAIN};
}

static void put_top(struct report_header *header, const char *name, const char *value)
{
	if (header->top_count < sizeof(header->top) / sizeof(header->top[0]))
		header->top[header->top_count++] = (struct report_pair){
			name, value != NULL && value[0] != '\0' ? value : REPORT_UNKNOWN,
			TONE_PLAIN};
}

/* What the operator wrote (--about) goes before what the machine found. */
static const char *known(const struct report_model *model, enum report_scope scope,
			 const char *about_key, const char *key)
{
	const char *value = report_fact(&model->data, SCOPE_ABOUT, about_key);

	if (value == NULL || value[0] == '\0')
		value = report_fact(&model->data, scope, key);
	return value != NULL && value[0] != '\0' ? value : NULL;
}

/* "a, b", or the one that is known, or NULL. */
static const char *both(struct report_model *model, const char *a, const char *b)
{
	if (a == NULL || a[0] == '\0')
		return b;
	if (b == NULL || b[0] == '\0' || strcmp(a, b) == 0)
		return a;
	return report_text(model, "%s, %s", a, b);
}

static const char *bytes_fact(struct report_model *model, enum report_scope scope,
			      const char *key)
{
	const char *value = report_fact(&model->data, scope, key);
	uint64_t bytes;
	char text[64];

	if (value == NULL || pts_u64_parse(value, &bytes) != 0 || bytes == 0)
		return value;
	if (scope == SCOPE_HOST_BEFORE) {
		pts_number_text((double)bytes / (1 << 30), 1, text, sizeof(text));
		return report_text(model, "%s GiB", text);
	}
	return report_capacity(model, bytes);
}

static void fill_platform(struct report_model *model, struct report_header *header)
{
	const struct report_data *data = &model->data;
	const char *cpus = report_fact(data, SCOPE_HOST_BEFORE, "cpu_count");
	const char *cpu = known(model, SCOPE_HOST_BEFORE, "cpu", "cpu");

	header->columns[PLATFORM].title = "Test platform";
	if (cpu != NULL && cpus != NULL)
		cpu = report_text(model, "%s (%s CPUs)", cpu, cpus);
	header_put(header, PLATFORM, "System",
		   known(model, SCOPE_HOST_BEFORE, "system", "system"));
	header_put(header, PLATFORM, "Motherboard",
		   known(model, SCOPE_HOST_BEFORE, "motherboard", "board"));
	header_put(header, PLATFORM, "CPU", cpu);
	header_put(header, PLATFORM, "Memory",
		   bytes_fact(model, SCOPE_HOST_BEFORE, "memory_bytes"));
	header_put(header, PLATFORM, "OS",
		   both(model, known(model, SCOPE_HOST_BEFORE, "os", "os"),
			report_fact(data, SCOPE_HOST_BEFORE, "kernel")));
	header_put(header, PLATFORM, "HBA", known(model, SCOPE_HOST_BEFORE, "hba", "hba"));
	header_put(header, PLATFORM, "Test SW",
		   report_text(model, "pts %s", data->run->tool_version));
	header_put(header, PLATFORM, "I/O engine", data->run->backend);
	header_put(header, PLATFORM, "Test ID",
		   report_text(model, "%.12s (plan)", data->run->plan_sha256));
	if (report_fact(data, SCOPE_ABOUT, "notes") != NULL)
		header_put(header, PLATFORM, "Notes", report_fact(data, SCOPE_ABOUT, "notes"));
}

static const char *link_text(struct report_model *model)
{
	const struct report_data *data = &model->data;
	const char *transport = report_fact(data, SCOPE_DEVICE_BEFORE, "transport");
	const char *speed = report_fact(data, SCOPE_DEVICE_BEFORE, "link_speed");
	const char *width = report_fact(data, SCOPE_DEVICE_BEFORE, "link_width");
	const char *most = report_fact(data, SCOPE_DEVICE_BEFORE, "link_speed_max");
	const char *most_width = report_fact(data, SCOPE_DEVICE_BEFORE, "link_width_max");

	if (transport == NULL || speed == NULL || speed[0] == '\0')
		return transport;
	return report_text(model, "%s, %s x%s (max %s x%s)", transport, speed,
			   width && width[0] ? width : "?", most && most[0] ? most : "?",
			   most_width && most_width[0] ? most_width : "?");
}

static const char *purge_text(struct report_model *model)
{
	const struct store_run *run = model->data.run;

	if (run->purge_method == NULL || run->purge_method[0] == '\0')
		return NULL;
	return run->purge_is_pts
		       ? run->purge_method
		       : report_text(model, "%s (not a PTS purge)", run->purge_method);
}

static const char *cache_text(struct report_model *model)
{
	const char *cache = report_fact(&model->data, SCOPE_DEVICE_BEFORE, "write_cache");

	if (cache == NULL || cache[0] == '\0')
		return NULL;
	if (strcmp(cache, "write back") == 0)
		return "enabled (write back)";
	return strcmp(cache, "write through") == 0 ? "disabled (write through)" : cache;
}

static void fill_device(struct report_model *model, struct report_header *header)
{
	const struct report_data *data = &model->data;
	const char *name = known(model, SCOPE_DEVICE_BEFORE, "model", "model");

	header->columns[DEVICE].title = "Device under test";
	header_put(header, DEVICE, "Manufacturer",
		   known(model, SCOPE_DEVICE_BEFORE, "vendor", "vendor"));
	header_put(header, DEVICE, "Model", name != NULL ? name : "(no model)");
	header_put(header, DEVICE, "Serial",
		   known(model, SCOPE_DEVICE_BEFORE, "serial", "serial"));
	header_put(header, DEVICE, "Firmware",
		   known(model, SCOPE_DEVICE_BEFORE, "firmware", "firmware"));
	header_put(header, DEVICE, "User capacity",
		   report_capacity(model, data->run->capacity_bytes));
	header_put(header, DEVICE, "LBA size",
		   report_text(model, "%u B", data->run->lba_bytes));
	header_put(header, DEVICE, "Interface", link_text(model));
	header_put(header, DEVICE, "Form factor",
		   known(model, SCOPE_DEVICE_BEFORE, "form_factor", "form_factor"));
	header_put(header, DEVICE, "Media type",
		   known(model, SCOPE_DEVICE_BEFORE, "nand_type", "media"));
	header_put(header, DEVICE, "Purge", purge_text(model));
	header_put(header, DEVICE, "Write cache", cache_text(model));
}

/* A date of the run, by the clock that it had: a model drive's may be ahead of the report's. */
static const char *run_date(struct report_model *model, uint64_t wall_ns)
{
	const char *date = report_wall(model, wall_ns);

	return wall_ns && model->data.run->clock_is_virtual
		       ? report_text(model, "virtual %s", date)
		       : date;
}

static void fill_top(struct report_model *model, struct report_header *header)
{
	const struct store_run *run = model->data.run;

	put_top(header, "Test started", run_date(model, run->started_wall_ns));
	put_top(header, "Test finished",
		run->ended_wall_ns ? run_date(model, run->ended_wall_ns) : "not finished");
	put_top(header, "Report date", report_wall(model, model->report_wall_ns));
	put_top(header, "Tested by", report_fact(&model->data, SCOPE_ABOUT, "operator"));
	put_top(header, "Test sponsor", report_fact(&model->data, SCOPE_ABOUT, "sponsor"));
	put_top(header, "Auditor", report_fact(&model->data, SCOPE_ABOUT, "auditor"));
}

static void fill_header(struct report_model *model, struct report_header *header,
			const struct report_test *test)
{
	const char *drive = report_not_a_drive(model);
	bool compliant = true;

	fill_top(model, header);
	fill_platform(model, header);
	fill_device(model, header);
	if (drive != NULL)
		header->not_a_drive = report_text(model, "NOT A DRIVE: %s", drive);
	if (test != NULL) {
		header_setup(model, header, test);
		header_test(model, header, test);
		header->banner = report_text(model, "%s Test - Report Page", test->title);
		header->revision = test->revision;
		header->labels = test->labels;
		compliant = test->compliant;
	} else {
		for (unsigned i = 0; i < model->data.test_count; i++)
			compliant = compliant && model->data.tests[i].compliant;
	}
	header->status = compliant ? "COMPLIANT" : "NOT COMPLIANT";
	header->status_tone = compliant ? TONE_GOOD : TONE_BAD;
}

void report_headers(struct report_model *model)
{
	struct report_data *data = &model->data;

	for (unsigned i = 0; i < data->test_count; i++)
		fill_header(model, &data->tests[i].header, &data->tests[i]);
	/* pages about the whole run: with one test its parameters are the run's */
	fill_header(model, &model->header, data->test_count == 1 ? &data->tests[0] : NULL);
	model->title = data->test_count == 1
			       ? report_text(model, "%s Test Report", data->tests[0].title)
			       : "Solid State Storage Performance Test Report";
	if (data->test_count == 1)
		return;
	model->header.banner = "Solid State Storage Performance Test - Report Page";
	model->header.revision = data->test_count > 0 ? data->tests[0].revision : "";
	model->header.columns[SETUP].title = "Tests";
	for (unsigned i = 0; i < data->test_count; i++)
		header_put(&model->header, SETUP, data->tests[i].name,
			   report_text(model, "%s, %s", data->tests[i].title,
				       data->tests[i].revision));
	model->header.columns[TEST].title = "Test parameters";
	header_put(&model->header, TEST, "See", "the pages of each test");
}
