/* Model drives from specs/drives for the device room. */
#ifndef CLI_SIM_H
#define CLI_SIM_H

#include "sim_model.h"

/* From then on "sim:MODEL" is a device. */
void cli_sim_init(void);
/* The model that was read for the drive of this process; NULL: none. */
const struct sim_model *cli_sim_model(void);

#endif
