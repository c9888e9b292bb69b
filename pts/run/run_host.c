/* What the host does meanwhile: its CPUs' time, from the kernel's own counters. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "pts_clock.h"
#include "run_internal.h"

/* proc(5): user nice system idle iowait irq softirq steal, in ticks of all CPUs together. */
void run_host_cpu(struct run_cpu *ret_cpu)
{
	uint64_t t[8] = {0};
	FILE *file = fopen("/proc/stat", "re");

	*ret_cpu = (struct run_cpu){0};
	if (!file)
		return;
	if (fscanf(file,
		   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) == 8) {
		ret_cpu->system = t[2] + t[5] + t[6];
		for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++)
			ret_cpu->all += t[i];
	}
	fclose(file);
}

double run_host_system_pct(const struct run_cpu *from, const struct run_cpu *to)
{
	if (pts_clock_is_virtual() || !from->all || to->all <= from->all ||
	    to->system < from->system)
		return NAN;
	return fmin(100, 100.0 * (double)(to->system - from->system) /
				 (double)(to->all - from->all));
}
