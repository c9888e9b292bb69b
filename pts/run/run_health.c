/*
 * What the drive's health log says while a run goes on. Nobody looks inside a step but between
 * rounds: a look is a command, and would be a pause between two cells.
 */
#include <stdio.h>

#include "run_internal.h"

void run_health_begin(struct run *run)
{
	if (device_health_read(run->device, &run->health) < 0)
		run->health = (struct device_health){0};
}

/* Heat bends the numbers, and they do not show it by themselves: a drive can be steady and hot. */
void run_health_look(struct run *run, const struct plan_step *step, int round)
{
	const struct device_health before = run->health;
	struct device_health now;
	char where[32] = "";

	if (device_health_read(run->device, &now) < 0)
		return;
	run->health = now;
	if (now.throttled_ns == before.throttled_ns)
		return;
	if (round)
		snprintf(where, sizeof(where), ", round %d", round);
	run_note(run, (int)step->index, round ? round : -1, -1, "warning", "throttle",
		 "%s%s: the drive throttled itself for heat, %.0f s in all (it began %llu "
		 "times, "
		 "and is at %.0f degrees Celsius now): what was measured then is not its full "
		 "speed",
		 step->phase, where, (double)(now.throttled_ns - before.throttled_ns) / 1e9,
		 (unsigned long long)(now.throttle_events - before.throttle_events),
		 now.celsius);
}
