/* May this device be destroyed? */
#ifndef CLI_CONFIRM_H
#define CLI_CONFIRM_H

#include "cli.h"
#include "device.h"
#include "plan.h"

/*
 * The identity to hand to the device room, the caller's to free(): what --destroy says, or what
 * is typed on a terminal after the device, and what of the plan wears it, were shown (NULL: there
 * is no plan). PTS_EXIT_SAFETY if the guard refuses, if the
 * identity is not the device's, or if there is nobody to ask.
 */
int cli_confirm(const struct cli_args *args, const struct device_facts *facts,
		const struct plan *plan, char **ret_identity, struct pts_err *err);

#endif
