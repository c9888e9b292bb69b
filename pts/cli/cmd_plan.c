/* plan: what a run would do, for people or as JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "cli_commands.h"
#include "cli_plan.h"
#include "pts_text.h"

static void print_params(const struct spec *spec)
{
	printf("\nparameters (--set NAME=VALUE):\n");
	for (unsigned i = 0; i < spec->param_count; i++) {
		const struct spec_param *param = &spec->params[i];

		printf("  %-16s %-14s", param->name, param->value);
		if (param->overridden)
			printf(" instead of %-10s", param->standard);
		if (param->source.clause)
			printf(" clause %s, %s, %s", param->source.clause,
			       spec_basis_text(param->source.basis),
			       spec_binding_text(param->source.binding));
		putchar('\n');
	}
}

static void print_span(const struct plan_span *span)
{
	char early[48], late[48];

	pts_duration_human(span->earliest_ns, early, sizeof(early));
	pts_duration_human(span->latest_ns, late, sizeof(late));
	if (span->earliest_ns == span->latest_ns)
		printf("%s", early);
	else
		printf("%s to %s", early, late);
}

static void print_bytes(const struct plan_step *step)
{
	char text[48];

	if (!step->span.most_bytes)
		return;
	pts_capacity_human(step->span.likely_bytes, text, sizeof(text));
	printf(step->span.least_bytes == step->span.most_bytes ? ", writes %s"
							       : ", writes about %s",
	       text);
}

static void print_rounds(const struct plan_step *step)
{
	char range[24], slope[24];

	pts_percent_text(step->range_share, range, sizeof(range));
	pts_percent_text(step->slope_share, slope, sizeof(slope));
	printf("      %u to %u rounds, until over a window of %u: range <= %s, slope excursion "
	       "<= "
	       "%s of the average, for\n",
	       step->window, step->max_rounds, step->window, range, slope);
	for (unsigned t = 0; t < step->track_count; t++)
		printf("        %s%s\n", step->tracks[t].name,
		       step->tracks[t].cell < 0
			       ? " (CAN'T RUN on this device: the test can't be judged)"
			       : "");
}

static void print_step(const struct plan_step *step)
{
	unsigned runnable = 0;

	for (unsigned i = 0; i < step->cell_count; i++)
		runnable += step->cells[i].applicable;
	printf("  %2u  %-22s %-8s ", step->index, step->phase, spec_step_text(step->kind));
	print_span(&step->span);
	print_bytes(step);
	putchar('\n');
	if (step->cell_count == 1)
		printf("      %s%s%s\n", step->cells[0].label,
		       step->cells[0].applicable ? "" : ": not applicable: ",
		       step->cells[0].applicable ? "" : step->cells[0].reason);
	else if (step->cell_count)
		printf("      %u cells a round, %u not applicable\n", runnable,
		       step->cell_count - runnable);
	if (step->kind == SPEC_STEP_ROUNDS)
		print_rounds(step);
}

static void print_total(const struct plan *plan)
{
	char early[48], likely[48], late[48], bytes[48], fills[40];

	pts_duration_human(plan->span.earliest_ns, early, sizeof(early));
	pts_duration_human(plan->span.likely_ns, likely, sizeof(likely));
	pts_duration_human(plan->span.latest_ns, late, sizeof(late));
	pts_capacity_human(plan->span.likely_bytes, bytes, sizeof(bytes));
	pts_number_text((double)plan->span.likely_bytes / (double)plan->device.capacity_bytes,
			1, fills, sizeof(fills));
	printf("\ntotal: earliest %s, likely %s, latest %s; writes about %s (%s drive fills)\n",
	       early, likely, late, bytes, fills);
	for (unsigned i = 0; i < plan->step_count; i++)
		if (plan->steps[i].kind == SPEC_STEP_ROUNDS &&
		    plan->steps[i].on_unsteady == SPEC_CONTINUE)
			printf("       '%s' goes on until it is steady: there is no latest "
			       "end\n",
			       plan->steps[i].phase);
}

static void print_deviations(const struct plan *plan)
{
	if (!plan->deviation_count) {
		printf("\nno deviation from the standard is known before the run\n");
		return;
	}
	printf("\ndeviations from the standard (the report will say NOT COMPLIANT):\n");
	for (unsigned i = 0; i < plan->deviation_count; i++) {
		const struct plan_deviation *deviation = &plan->deviations[i];

		printf("  %s: %s%s%s: %s instead of %s (%s)\n", deviation->test,
		       deviation->what, deviation->clause[0] ? ", clause " : "",
		       deviation->clause, deviation->actual, deviation->required,
		       deviation->reason);
	}
}

static void print_plan(const struct cli_plan *made)
{
	const struct plan *plan = made->plan;
	char size[48];

	pts_capacity_human(plan->device.capacity_bytes, size, sizeof(size));
	printf("device: %s, %s, %s in LBAs of %u bytes, identity %s\n", plan->device.path,
	       made->facts.model[0] ? made->facts.model : plan->device.transport, size,
	       plan->device.lba_bytes, plan->device.identity);
	for (unsigned i = 0; i < made->facts.refusal_count; i++)
		printf("REFUSED: %s\n", made->facts.refusals[i].text);
	for (unsigned t = 0; t < plan->test_count; t++) {
		const struct plan_test *test = &plan->tests[t];

		printf("\ntest %s: %s, %s\n", test->name, test->spec->title,
		       test->spec->revision ? test->spec->revision : "outside the standard");
		print_params(test->spec);
		printf("\nsteps:\n");
		for (unsigned i = 0; i < test->step_count; i++)
			print_step(&plan->steps[test->first_step + i]);
	}
	print_total(plan);
	print_deviations(plan);
	printf("\nA run destroys everything on %s.\n", plan->device.path);
}

int cmd_plan(struct cli_args *args, struct pts_err *err)
{
	struct cli_plan made;
	int rc = cli_plan_make(args, NULL, &made, err);
	char *text = NULL;

	if (!rc && cli_flag(args, "json"))
		puts(text = plan_json(made.plan));
	else if (!rc && cli_flag(args, "text"))
		fputs(text = plan_text(made.plan), stdout);
	else if (!rc)
		print_plan(&made);
	free(text);
	cli_plan_release(&made);
	return rc;
}
