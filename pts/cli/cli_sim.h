/* Model drives from specs/drives for the device room. */
#ifndef CLI_SIM_H
#define CLI_SIM_H

#include "pts_err.h"
#include "sim_model.h"

/* From then on "sim:MODEL" is a device. */
void cli_sim_init(void);
/* For people. */
struct cli_sim_about {
	char title[256], description[4096];
};
/* The model in a file, without making a drive of it. */
int cli_sim_read(const char *path, struct cli_sim_about *ret_about, struct sim_model *ret_model,
		 struct pts_err *err);
/* The model that was read for the drive of this process; NULL: none. */
const struct sim_model *cli_sim_model(void);

#endif
