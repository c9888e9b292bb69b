/* The file of "sim:MODEL,state=FILE". Internal to the device room. */
#ifndef DEVICE_SIM_STATE_H
#define DEVICE_SIM_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "pts_err.h"

struct sim_drive;

struct device_sim_state {
	char path[PATH_MAX]; /* absolute; "": there is none */
	bool exists;         /* file says which one */
	struct stat file;    /* what was read or written last */
	int fd;              /* of it, with the lock; -1: not held */
	uint64_t kept_ns;    /* the drive's time in it; 0: not written by this process */
	uint64_t next_ns;    /* host time from which keeping is cheap again */
};

/* For file as it was given; PTS_EXIT_USAGE if its folder is not there. Opens nothing. */
int device_sim_state_name(struct device_sim_state *state, const char *file,
			  struct pts_err *err);
/* Takes the file's drive over and powers it on; leaves a fresh drive if there is no file. Makes
 * nothing. PTS_EXIT_SAFETY for a file that is damaged, of another drive, or none of ours. */
int device_sim_state_load(struct device_sim_state *state, struct sim_drive *drive,
			  struct pts_err *err);
/* Before anything is written to the drive: locks the file, makes it if there is none.
 * PTS_EXIT_SAFETY if another process holds it, or has changed it since it was loaded. */
int device_sim_state_hold(struct device_sim_state *state, const struct sim_drive *drive,
			  struct pts_err *err);
void device_sim_state_let_go(struct device_sim_state *state);
/* Puts the drive into the held file, durably; nothing if it is not held or is the same. Without
 * at_once only as often as it takes no more than a twentieth of the time. */
int device_sim_state_keep(struct device_sim_state *state, const struct sim_drive *drive,
			  bool at_once, struct pts_err *err);

#endif
