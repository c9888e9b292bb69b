/* What the device room's tests on real loop devices share. */
#ifndef DEVICE_LOOP_H
#define DEVICE_LOOP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "device.h"
#include "pts_hash.h"

#define MIB   (1ull << 20)
#define BYTES (8 * MIB)
#define OLD   0xA5

/* A loop device that goes with its last descriptor, so that nothing is left by a failed test. */
struct loop {
	int fd; /* keeps it; plain, so that others may open exclusively */
	char path[32];
};

extern char folder[PATH_MAX];     /* of the group's files */
extern struct device_facts facts; /* of the device looked at last */
extern struct pts_err err;

/* Group set-up and tear-down; can_loop() prints the reason if there are no loop devices. */
int begin(void **state);
int end(void **state);
int can_loop(void);

void file_path(char path[PATH_MAX], const char *name);
int file_make(const char *name, uint64_t bytes);
bool loop_try(int fd, uint32_t sector_bytes, uint32_t flags, struct loop *ret_loop);
struct loop loop_over(int fd, uint32_t sector_bytes);
void loop_drop(struct loop *loop);
void sha(int fd, char sum[PTS_SHA256_TEXT]);

void read_facts(const char *path);
const char *refusal(const char *code); /* its text; NULL: not refused by that */
/* Refused by that code, and not to be opened even with the right identity. */
void refused(const char *path, const char *code);
struct device *opened(const char *path);

#endif
