/* Model drives from specs/drives for the device room. */
#ifndef CLI_SIM_H
#define CLI_SIM_H

/* From then on "sim:MODEL" is a device. */
void cli_sim_init(void);

#endif
