/* The four columns of the header block; private to the files that fill them. */
#ifndef REPORT_HEADER_INTERNAL_H
#define REPORT_HEADER_INTERNAL_H

#include "report_model_internal.h"

enum header_column {
	PLATFORM,
	DEVICE,
	SETUP,
	TEST,
};

/* A value that is NULL or empty is "not recorded". What has no room is left out. */
void header_put(struct report_header *header, enum header_column column, const char *name,
		const char *value);
/* The set-up column: how the drive was brought to where the test begins. */
void header_setup(struct report_model *model, struct report_header *header,
		  const struct report_test *test);
/* The test column: what was done to it, and whether steady state was reached. */
void header_test(struct report_model *model, struct report_header *header,
		 const struct report_test *test);

#endif
