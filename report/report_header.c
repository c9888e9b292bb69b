/*
 * The header block that stands on every page (PTS section 5): dates, test, revision, platform,
 * device, set-up and test parameters. What no one recorded is "not recorded", never invented.
 */
#include <inttypes.h>
#include <string.h>

#include "pts_text.h"
#include "pts_units.h"
#include "report_model_internal.h"

enum header_column {
	PLATFORM,
	DEVICE,
	SETUP,
	TEST,
};

static void put(struct report_header *header, enum header_column column, const char *name,
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
	put(header, PLATFORM, "System", known(model, SCOPE_HOST_BEFORE, "system", "system"));
	put(header, PLATFORM, "Motherboard",
	    known(model, SCOPE_HOST_BEFORE, "motherboard", "board"));
	put(header, PLATFORM, "CPU", cpu);
	put(header, PLATFORM, "Memory", bytes_fact(model, SCOPE_HOST_BEFORE, "memory_bytes"));
	put(header, PLATFORM, "OS",
	    both(model, known(model, SCOPE_HOST_BEFORE, "os", "os"),
		 report_fact(data, SCOPE_HOST_BEFORE, "kernel")));
	put(header, PLATFORM, "HBA", known(model, SCOPE_HOST_BEFORE, "hba", "hba"));
	put(header, PLATFORM, "Test SW", report_text(model, "pts %s", data->run->tool_version));
	put(header, PLATFORM, "I/O engine", data->run->backend);
	put(header, PLATFORM, "Test ID",
	    report_text(model, "%.12s (plan)", data->run->plan_sha256));
	if (report_fact(data, SCOPE_ABOUT, "notes") != NULL)
		put(header, PLATFORM, "Notes", report_fact(data, SCOPE_ABOUT, "notes"));
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
	put(header, DEVICE, "Manufacturer",
	    known(model, SCOPE_DEVICE_BEFORE, "vendor", "vendor"));
	put(header, DEVICE, "Model", name != NULL ? name : "(no model)");
	put(header, DEVICE, "Serial", known(model, SCOPE_DEVICE_BEFORE, "serial", "serial"));
	put(header, DEVICE, "Firmware",
	    known(model, SCOPE_DEVICE_BEFORE, "firmware", "firmware"));
	put(header, DEVICE, "User capacity", report_capacity(model, data->run->capacity_bytes));
	put(header, DEVICE, "LBA size", report_text(model, "%u B", data->run->lba_bytes));
	put(header, DEVICE, "Interface", link_text(model));
	put(header, DEVICE, "Form factor",
	    known(model, SCOPE_DEVICE_BEFORE, "form_factor", "form_factor"));
	put(header, DEVICE, "Media type",
	    known(model, SCOPE_DEVICE_BEFORE, "nand_type", "media"));
	put(header, DEVICE, "Purge", purge_text(model));
	put(header, DEVICE, "Write cache", cache_text(model));
}

static const char *load_text(struct report_model *model, const char *access, int read_pct)
{
	const char *order = access == NULL                   ? ""
			    : strncmp(access, "seq", 3) == 0 ? "SEQ"
							     : "RND";

	if (read_pct == 0)
		return report_text(model, "%s write", order);
	if (read_pct == 100)
		return report_text(model, "%s read", order);
	return report_text(model, "%s %s", order, report_mix(model, read_pct));
}

static const char *toio_text(struct report_model *model, const struct report_plan_cell *cell)
{
	return report_text(model, "%u (TC %u x QD %u)", cell->threads * cell->queue_depth,
			   cell->threads, cell->queue_depth);
}

static const char *range_text(struct report_model *model, const struct report_plan_cell *cell)
{
	const struct store_run *run = model->data.run;
	char share[32];

	if (cell->span_bytes == 0 || run->capacity_bytes == 0)
		return NULL;
	pts_number_text(100.0 * (double)cell->span_bytes / (double)run->capacity_bytes, 1,
			share, sizeof(share));
	if (strlen(share) > 2 && strcmp(share + strlen(share) - 2, ".0") == 0)
		share[strlen(share) - 2] = '\0';
	return report_text(model, "%s %% of capacity from LBA %" PRIu64, share,
			   run->lba_bytes ? cell->start_bytes / run->lba_bytes : 0);
}

static const char *rounds_text(struct report_model *model, const struct report_test *test)
{
	const struct report_step *loop = test->loop;

	if (!loop->has_window)
		return report_text(model, "no window (%d rounds run)", loop->rounds_closed);
	return report_text(model, "%d-%d", loop->first_round, loop->last_round);
}

static const struct report_step *fill_step(const struct report_test *test)
{
	for (unsigned i = 0; i < test->step_count; i++) {
		if (strcmp(test->steps[i]->kind, "load") == 0 && test->steps[i]->cell_count > 0)
			return test->steps[i];
	}
	return NULL;
}

static void fill_setup(struct report_model *model, struct report_header *header,
		       const struct report_test *test)
{
	const struct report_step *fill = fill_step(test);
	const struct report_plan_cell *cell = fill != NULL ? &fill->cells[0] : NULL;
	const struct report_step *rounds = test->loop;

	header->columns[SETUP].title = "Set-up parameters";
	if (cell != NULL) {
		put(header, SETUP, "Data pattern", cell->data_pattern);
		put(header, SETUP, "Active range", range_text(model, cell));
		put(header, SETUP, "AR segments", "none (one span)");
		put(header, SETUP, "Pre-condition 1",
		    report_text(model, "%s: %s %s", fill->phase,
				load_text(model, cell->access, cell->read_pct),
				report_block_size(model, cell->block_bytes)));
		put(header, SETUP, "TOIO - TC/QD", toio_text(model, cell));
		put(header, SETUP, "Amount, time",
		    fill->ended ? report_text(model, "%s in %s",
					      report_capacity(model, fill->bytes_written),
					      report_duration(model, fill->elapsed_ns))
				: "not completed");
	} else {
		put(header, SETUP, "Pre-condition 1", "none");
	}
	if (rounds != NULL && rounds->cell_count > 0) {
		put(header, SETUP, "Pre-condition 2",
		    report_text(model, "the test loop, at most %u rounds", rounds->max_rounds));
		put(header, SETUP, "TOIO - TC/QD", toio_text(model, &rounds->cells[0]));
		put(header, SETUP, "SS rounds", rounds_text(model, test));
	}
	put(header, SETUP, "Master seed",
	    report_text(model, "%" PRIu64, model->data.run->master_seed));
}

/* "100/0 95/5 ..." or "1024 128 ... KiB" in the order in which the loop runs them. */
static const char *axis_values(struct report_model *model, const struct report_step *step,
			       bool mix)
{
	const char *text = "";
	int64_t seen[64];
	unsigned count = 0;

	for (unsigned i = 0; i < step->cell_count; i++) {
		const struct report_plan_cell *cell = &step->cells[i];
		int64_t value = mix ? cell->read_pct : (int64_t)cell->block_bytes;
		unsigned j = 0;

		while (j < count && seen[j] != value)
			j++;
		if (j < count || count == sizeof(seen) / sizeof(seen[0]))
			continue;
		seen[count++] = value;
		text = report_text(model, "%s%s%s", text, count > 1 ? ", " : "",
				   mix ? report_mix(model, cell->read_pct)
				       : report_block_tick(model, cell->block_bytes));
	}
	return mix ? text : report_text(model, "%s KiB", text);
}

static void fill_test(struct report_model *model, struct report_header *header,
		      const struct report_test *test)
{
	const struct report_step *rounds = test->loop;
	const struct report_plan_cell *cell;
	bool mix_outer;

	header->columns[TEST].title = "Test parameters";
	if (rounds == NULL || rounds->cell_count == 0) {
		put(header, TEST, "Stimulus", test->title);
		return;
	}
	cell = &rounds->cells[0];
	mix_outer = rounds->cell_count < 2 || rounds->cells[1].read_pct == cell->read_pct;
	put(header, TEST, "Data pattern", cell->data_pattern);
	put(header, TEST, "AR, amount",
	    cell->span_bytes ? report_capacity(model, cell->span_bytes) : NULL);
	put(header, TEST, "Test stimulus 1",
	    report_text(model, "%s matrix, %u cells",
			cell->access != NULL && strncmp(cell->access, "seq", 3) == 0 ? "SEQ"
										     : "RND",
			rounds->cell_count));
	put(header, TEST, mix_outer ? "R/W mix (outer)" : "Block size (outer)",
	    axis_values(model, rounds, mix_outer));
	put(header, TEST, mix_outer ? "Block size (inner)" : "R/W mix (inner)",
	    axis_values(model, rounds, !mix_outer));
	put(header, TEST, "TOIO - TC/QD", toio_text(model, cell));
	put(header, TEST, "Time of a cell", report_duration(model, cell->duration_ns));
	put(header, TEST, "Rounds run",
	    report_text(model, "%d (at most %u)", rounds->rounds_closed, rounds->max_rounds));
	put(header, TEST, "Steady state",
	    !rounds->judgeable    ? "can't be judged"
	    : !rounds->has_window ? "not evaluated: too few rounds"
	    : rounds->steady
		    ? report_text(model, "reached, rounds %s", rounds_text(model, test))
		    : "NOT reached");
}

static void fill_top(struct report_model *model, struct report_header *header)
{
	const struct store_run *run = model->data.run;

	put_top(header, "Test started", report_wall(model, run->started_wall_ns));
	put_top(header, "Test finished",
		run->ended_wall_ns ? report_wall(model, run->ended_wall_ns) : "not finished");
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
		fill_setup(model, header, test);
		fill_test(model, header, test);
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
		put(&model->header, SETUP, data->tests[i].title, data->tests[i].revision);
	model->header.columns[TEST].title = "Test parameters";
	put(&model->header, TEST, "See", "the pages of each test");
}
