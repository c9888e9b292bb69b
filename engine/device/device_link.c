/* The drive's link: its limit, and what a rate above it means. Arithmetic only. */
#include <stdio.h>
#include <string.h>

#include "device_link.h"
#include "pts_text.h"

/* The number that opens the text; what follows it goes to *ret_unit. */
static double leading_number(const char *text, const char **ret_unit)
{
	size_t length = strspn(text, "0123456789.");
	char number[16];
	double value;

	*ret_unit = text + length;
	if (!length || length >= sizeof(number))
		return 0;
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	return pts_double_parse(number, &value) == 0 ? value : 0;
}

double device_link_limit(const char *speed, const char *width)
{
	const char *unit, *rest;
	double rate = leading_number(speed, &unit); /* 10^9 transfers a second and lane */
	double lanes = leading_number(width, &rest);
	double code;

	/* 255 lanes is how the kernel says "not known" */
	if (rate <= 0 || lanes < 1 || lanes > 32 || *rest)
		return 0;
	if (!strncmp(unit, " Gbps", 5))
		code = 8.0 / 10.0;
	else if (strncmp(unit, " GT/s", 5) != 0)
		return 0;
	else if (rate < 8)
		code = 8.0 / 10.0;
	else
		code = rate < 64 ? 128.0 / 130.0 : 1.0;
	return rate * 1e3 * code * lanes / 8.0;
}

const char *device_link_state_text(enum device_link_state state)
{
	static const char *const texts[] = {"unknown", "ok", "downgraded", "impossible"};

	return texts[state];
}

static void impossible(struct device_link *link, const char *what, double measured)
{
	link->state = DEVICE_LINK_IMPOSSIBLE;
	snprintf(link->text, sizeof(link->text),
		 "%s of %.1f MB/s are above the link's limit of %.1f MB/s: the data did not "
		 "come "
		 "from or go to the drive (unwritten blocks, a cache of the host)",
		 what, measured, link->limit_mb_per_s);
}

/* What drive and slot can do together: the lower speed on the fewer lanes. */
static double possible_mb_per_s(const struct device_facts *facts)
{
	const char *rest, *speed = facts->link_speed_max, *width = facts->link_width_max;

	if (leading_number(facts->slot_speed_max, &rest) < leading_number(speed, &rest))
		speed = facts->slot_speed_max;
	if (leading_number(facts->slot_width_max, &rest) < leading_number(width, &rest))
		width = facts->slot_width_max;
	return device_link_limit(speed, width);
}

static void downgraded(struct device_link *link, const struct device_facts *facts)
{
	double possible = possible_mb_per_s(facts); /* 0: the slot is not known */

	link->state = DEVICE_LINK_DOWNGRADED;
	link->is_slot_the_limit = possible > 0 && link->limit_mb_per_s >= possible;
	snprintf(link->text, sizeof(link->text),
		 "the link runs at %s x%s, the drive can do %s x%s: %s", facts->link_speed,
		 facts->link_width, facts->link_speed_max, facts->link_width_max,
		 link->is_slot_the_limit ? "the slot can't do more, take another one"
					 : "reseat it, look at slot, adapter and riser");
}

void device_link_judge(const struct device_facts *facts, double read_mb_per_s,
		       double write_mb_per_s, struct device_link *ret_link)
{
	struct device_link *link = ret_link;

	*link = (struct device_link){
		.limit_mb_per_s = device_link_limit(facts->link_speed, facts->link_width),
		.best_mb_per_s =
			device_link_limit(facts->link_speed_max, facts->link_width_max),
	};
	if (link->limit_mb_per_s <= 0)
		return;
	link->state = DEVICE_LINK_OK;
	if (read_mb_per_s > link->limit_mb_per_s)
		impossible(link, "reads", read_mb_per_s);
	else if (write_mb_per_s > link->limit_mb_per_s)
		impossible(link, "writes", write_mb_per_s);
	else if (link->limit_mb_per_s < link->best_mb_per_s)
		downgraded(link, facts);
}
