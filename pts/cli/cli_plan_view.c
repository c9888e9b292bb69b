/* The plan for people. Every figure comes from the plan; nothing is computed that it lacks. */
#include <stdio.h>
#include <string.h>

#include "cli_out.h"
#include "cli_plan.h"
#include "pts_text.h"

static void heading(const char *text)
{
	printf("\n%s%s%s\n", cli_ink(stdout, CLI_BOLD), text, cli_ink(stdout, CLI_PLAIN));
}

static void heads(struct cli_table *table, const char *const *names)
{
	for (; *names; names++)
		cli_table_cell(table, "%s", *names);
}

static void print_header(const struct plan *plan, const struct device_facts *facts)
{
	char line[PATH_MAX + 1024], purge[160];

	cli_device_line(facts, line, sizeof(line));
	printf("%sPlan%s, mode %s\n", cli_ink(stdout, CLI_BOLD), cli_ink(stdout, CLI_PLAIN),
	       spec_mode_text(plan->mode));
	for (unsigned i = 0; i < plan->test_count; i++) {
		const struct spec *spec = plan->tests[i].spec;

		printf("Test:     %s, %s%s%s%s%s\n", spec->name, spec->title,
		       spec->revision ? ", " : "", spec->revision ? spec->revision : "",
		       spec->section ? ", section " : "", spec->section ? spec->section : "");
	}
	snprintf(purge, sizeof(purge), "%s%s", plan->device.purge_name,
		 plan->device.purge_is_pts ? "" : " (the standard does not count it)");
	printf("Device:   %s, blocks of %u bytes\nPurge:    %s\n", line, plan->device.lba_bytes,
	       purge);
}

static void print_params(const struct plan *plan)
{
	struct cli_table table = {.columns = 6};

	heading("Parameters (--set NAME=VALUE)");
	heads(&table, (const char *const[]){"NAME", "VALUE", "STANDARD", "CLAUSE", "BASIS",
					    "BINDING", NULL});
	for (unsigned t = 0; t < plan->test_count; t++) {
		const struct spec *spec = plan->tests[t].spec;

		for (unsigned i = 0; i < spec->param_count; i++) {
			const struct spec_param *param = &spec->params[i];
			const char *clause = param->source.clause;

			if (plan->test_count > 1)
				cli_table_cell(&table, "%s: %s", spec->name, param->name);
			else
				cli_table_cell(&table, "%s", param->name);
			cli_table_cell(&table, "%s%s", param->value,
				       param->overridden ? " (set)" : "");
			cli_table_cell(&table, "%s", param->standard);
			cli_table_cell(&table, "%s", clause && *clause ? clause : "-");
			cli_table_cell(&table, "%s", spec_basis_text(param->source.basis));
			cli_table_cell(&table, "%s", spec_binding_text(param->source.binding));
		}
	}
	cli_table_print(&table);
}

static void load_text(const struct plan_cell *cell, char *text, size_t room)
{
	char amount[64] = "", time[64] = "";

	if (!cell->applicable) {
		snprintf(text, room, "%s: not applicable", cell->label);
		return;
	}
	if (cell->amount_bytes)
		pts_capacity_human(cell->amount_bytes, amount, sizeof(amount));
	if (cell->duration_ns)
		pts_duration_text(cell->duration_ns, time, sizeof(time));
	snprintf(text, room, "%s, %s%s%s", cell->label, amount, *amount && *time ? " or " : "",
		 time);
}

static void add_rule(char *text, size_t room, const char *rule)
{
	size_t length = strlen(text);

	snprintf(text + length, room - length, "%s%s", length ? " or " : "", rule);
}

/* The parts of a sampled load, then what ends it: whichever comes first. */
static void sampled_text(const struct plan_step *step, char *text, size_t room)
{
	const struct spec_step *from = step->spec;
	char load[64], sample[64], rule[64], rules[192] = "";

	pts_duration_text(from->sample_load_ns, load, sizeof(load));
	pts_duration_text(from->sample_ns, sample, sizeof(sample));
	if (step->limit_bytes) {
		pts_capacity_human(step->limit_bytes, rule, sizeof(rule));
		add_rule(rules, sizeof(rules), rule);
	}
	if (step->limit_ns) {
		pts_duration_text(step->limit_ns, rule, sizeof(rule));
		add_rule(rules, sizeof(rules), rule);
	}
	if (step->track_count) {
		snprintf(rule, sizeof(rule), "%u samples steady", step->window);
		add_rule(rules, sizeof(rules), rule);
	}
	if (step->max_rounds) {
		snprintf(rule, sizeof(rule), "%u samples", step->max_rounds);
		add_rule(rules, sizeof(rules), rule);
	}
	snprintf(text, room, "%s, %s and %s of sample in turn; %s", step->cells[0].label, load,
		 sample, rules);
}

static void rounds_text(const struct plan_step *step, char *text, size_t room)
{
	char time[64], range[32], slope[32];

	pts_duration_text(step->cell_count ? step->cells[0].duration_ns : 0, time,
			  sizeof(time));
	pts_percent_text(step->range_share, range, sizeof(range));
	pts_percent_text(step->slope_share, slope, sizeof(slope));
	snprintf(text, room,
		 "%u cells of %s a round, %s %u rounds; window %u, range <= %s, slope <= %s",
		 step->cell_count, time,
		 step->on_unsteady == SPEC_CONTINUE ? "a note after" : "at most",
		 step->max_rounds, step->window, range, slope);
}

static void step_text(const struct plan_step *step, const struct plan *plan, char *text,
		      size_t room)
{
	char busy[64], idle[64];

	*text = '\0';
	pts_duration_text(step->spec->busy_ns, busy, sizeof(busy));
	pts_duration_text(step->idle_ns, idle, sizeof(idle));
	if (step->kind == SPEC_STEP_PURGE)
		snprintf(text, room, "%s", plan->device.purge_name);
	else if (step->kind == SPEC_STEP_ROUNDS)
		rounds_text(step, text, room);
	else if (step->kind == SPEC_STEP_IDLE)
		snprintf(text, room, "idle %s", idle);
	else if (step->kind == SPEC_STEP_CYCLE)
		snprintf(text, room, "%u times: load %s, idle %s", step->spec->repeat, busy,
			 idle);
	else if (step->loops && step->cells[0].applicable)
		sampled_text(step, text, room);
	else if (step->cell_count)
		load_text(&step->cells[0], text, room);
}

static void print_steps(const struct plan *plan)
{
	struct cli_table table = {.columns = 8};

	heading("Steps");
	heads(&table, (const char *const[]){">#", "TEST", "PHASE", "KIND", "WHAT", ">LIKELY",
					    ">LATEST", ">WRITES", NULL});
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];
		char what[256], likely[64], latest[64], bytes[64];

		step_text(step, plan, what, sizeof(what));
		pts_duration_human(step->span.likely_ns, likely, sizeof(likely));
		pts_duration_human(step->span.latest_ns, latest, sizeof(latest));
		pts_capacity_human(step->span.likely_bytes, bytes, sizeof(bytes));
		cli_table_cell(&table, "%u", step->index);
		cli_table_cell(&table, "%s", step->test);
		cli_table_cell(&table, "%s", step->phase);
		cli_table_cell(&table, "%s", spec_step_text(step->kind));
		cli_table_cell(&table, "%s", *what ? what : "-");
		cli_table_cell(&table, "%s", likely);
		cli_table_cell(&table, "%s", latest);
		cli_table_cell(&table, "%s", bytes);
	}
	cli_table_print(&table);
}

static void print_cells(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];

		for (unsigned t = 0; t < step->track_count; t++)
			printf("Tracked in '%s': %s (%s)%s\n", step->phase,
			       step->tracks[t].name, spec_metric_text(step->tracks[t].metric),
			       step->tracks[t].cell < 0 ? ": can't run on this device, the "
							  "test can't be judged"
							: "");
		for (unsigned c = 0; c < step->cell_count; c++)
			if (!step->cells[c].applicable)
				printf("Not applicable in '%s': %s: %s\n", step->phase,
				       step->cells[c].label, step->cells[c].reason);
	}
}

static void print_time(const char *name, uint64_t ns)
{
	char human[64], exact[64];

	pts_duration_human(ns, human, sizeof(human));
	pts_number_text((double)ns / 1e9, 1, exact, sizeof(exact));
	printf("  %-9s %s (%s s)\n", name, human, exact);
}

static void print_amount(const char *name, uint64_t bytes, uint64_t capacity_bytes)
{
	char human[64], exact[64], fills[64];

	pts_capacity_human(bytes, human, sizeof(human));
	pts_number_text((double)bytes, 0, exact, sizeof(exact));
	pts_number_text((double)bytes / (double)capacity_bytes, 2, fills, sizeof(fills));
	printf("  %-9s %s (%s bytes, %s drive fills)\n", name, human, exact, fills);
}

static void print_tests(const struct plan *plan)
{
	struct cli_table table = {.columns = 7};

	if (plan->test_count < 2)
		return;
	heading("Tests");
	heads(&table, (const char *const[]){"TEST", ">EARLIEST", ">LIKELY", ">LATEST",
					    ">WRITES LIKELY", ">AT MOST", "TIME", NULL});
	for (unsigned i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i];
		const uint64_t times[] = {test->span.earliest_ns, test->span.likely_ns,
					  test->span.latest_ns};
		const uint64_t bytes[] = {test->span.likely_bytes, test->span.most_bytes};
		char text[64];

		cli_table_cell(&table, "%s", test->name);
		for (unsigned t = 0; t < 3; t++) {
			pts_duration_human(times[t], text, sizeof(text));
			cli_table_cell(&table, "%s", text);
		}
		for (unsigned b = 0; b < 2; b++) {
			pts_capacity_human(bytes[b], text, sizeof(text));
			cli_table_cell(&table, "%s", text);
		}
		cli_table_cell(&table, "%s", test->fixed_time ? "fixed" : "by the drive");
	}
	cli_table_print(&table);
}

/* What of the figures is a bound, what a guess, and on what both rest. */
static void print_basis(const struct plan *plan)
{
	heading("Bounds are earliest, latest, least and most; likely is a guess");
	for (unsigned i = 0; i < plan->note_count; i++)
		if (!strcmp(plan->notes[i].kind, "estimate"))
			printf("  %s: %s\n", plan->notes[i].what, plan->notes[i].text);
}

static void print_totals(const struct plan *plan)
{
	const struct plan_span *span = &plan->span;
	uint64_t capacity = plan->device.capacity_bytes;
	char slack[64];

	pts_duration_human(span->slack_ns, slack, sizeof(slack));
	heading("Time");
	print_time("earliest", span->earliest_ns);
	print_time("likely", span->likely_ns);
	print_time("latest", span->latest_ns);
	printf("  of latest, %s are for drains and gaps between cells\n", slack);
	for (unsigned i = 0; i < plan->step_count; i++)
		if (plan_step_is_open(&plan->steps[i]))
			printf("  '%s' goes on until it is steady: it has no latest end\n",
			       plan->steps[i].phase);
	heading("Written to the drive");
	print_amount("least", span->least_bytes, capacity);
	print_amount("likely", span->likely_bytes, capacity);
	print_amount("most", span->most_bytes, capacity);
}

static void print_deviations(const struct plan *plan)
{
	heading("Deviations from the standard");
	if (!plan->deviation_count)
		printf("  none\n");
	for (unsigned i = 0; i < plan->deviation_count; i++) {
		const struct plan_deviation *deviation = &plan->deviations[i];

		printf("  %s%s%s, %s: %s instead of %s (%s)\n", deviation->test,
		       *deviation->clause ? ", clause " : "", deviation->clause,
		       deviation->what, deviation->actual, deviation->required,
		       deviation->reason);
	}
}

void cli_plan_print(const struct plan *plan, const struct device_facts *facts)
{
	char line[PATH_MAX + 1024];

	print_header(plan, facts);
	print_params(plan);
	print_steps(plan);
	print_cells(plan);
	print_tests(plan);
	print_totals(plan);
	print_basis(plan);
	print_deviations(plan);
	cli_device_line(facts, line, sizeof(line));
	printf("\n%sA run destroys all data on%s %s\n", cli_ink(stdout, CLI_BAD),
	       cli_ink(stdout, CLI_PLAIN), line);
	printf("and wants to hear: --destroy %s\n", facts->identity);
	for (unsigned i = 0; i < facts->refusal_count; i++)
		printf("It would be refused today (%s): %s\n", facts->refusals[i].code,
		       facts->refusals[i].text);
}
