/*
 * One SQL statement on a run's store, for shell tests on machines without the sqlite3 shell:
 * storeq [-w] FILE STATEMENT prints the rows with tabs between columns and NULL for NULL. It
 * opens read only; -w is for tests that damage a store of their own.
 */
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

static void print_blob(const unsigned char *bytes, int count)
{
	for (int i = 0; i < count; i++)
		printf("%02x", bytes[i]);
}

static void print_column(sqlite3_stmt *stmt, int column)
{
	if (column)
		putchar('\t');
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_NULL:
		fputs("NULL", stdout);
		break;
	case SQLITE_FLOAT:
		printf("%.17g", sqlite3_column_double(stmt, column));
		break;
	case SQLITE_BLOB:
		print_blob(sqlite3_column_blob(stmt, column),
			   sqlite3_column_bytes(stmt, column));
		break;
	default:
		fputs((const char *)sqlite3_column_text(stmt, column), stdout);
		break;
	}
}

static int print_rows(sqlite3 *db, const char *statement)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db, statement, -1, &stmt, NULL);

	while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++)
			print_column(stmt, i);
		putchar('\n');
		rc = SQLITE_OK;
	}
	sqlite3_finalize(stmt);
	return rc;
}

int main(int argc, char **argv)
{
	int writes = argc == 4 && !strcmp(argv[1], "-w");
	sqlite3 *db = NULL;
	int rc;

	if (argc != 3 + writes) {
		fprintf(stderr, "usage: storeq [-w] FILE STATEMENT\n");
		return 2;
	}
	rc = sqlite3_open_v2(argv[1 + writes], &db,
			     writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(db, 5000);
		rc = print_rows(db, argv[2 + writes]);
	}
	if (rc != SQLITE_DONE)
		fprintf(stderr, "storeq: %s: %s\n", argv[1 + writes], sqlite3_errmsg(db));
	sqlite3_close(db);
	return rc == SQLITE_DONE ? 0 : 1;
}
