/*
 * A store in memory behind store.h's reading functions, filled from tables of rows by the test.
 * For the report's tests of one page at a time.
 */
#ifndef REPORT_TABLE_STORE_H
#define REPORT_TABLE_STORE_H

#include <stdint.h>

#include "store.h"

struct table_store {
	const char *test, *title, *plan_json;
	uint64_t capacity_bytes;
	const struct store_step_row *steps;
	unsigned step_count;
	const struct store_cell *cells;
	unsigned cell_count;
	const struct store_round_row *rounds;
	unsigned round_count;
	const struct store_steady *steady;
	unsigned steady_count;
	const struct store_choice *choices;
	unsigned choice_count;
	struct store_run run; /* filled by table_store_open() */
};

/* The table as a store; it must live as long. */
struct store *table_store_open(struct table_store *table);

#endif
