/* See report_scratch.h. */
#include "report_scratch.h"

#include <ftw.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pts_text.h"

static char folder[] = "/tmp/pts-report-test-XXXXXX";

const char *scratch_make(void)
{
	strcpy(strrchr(folder, '-'), "-XXXXXX");
	assert_non_null(mkdtemp(folder));
	return folder;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
	(void)info;
	(void)type;
	(void)where;
	return remove(path);
}

void scratch_remove(void)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

char *scratch_read(const char *name, size_t *ret_bytes)
{
	size_t bytes = 0;
	char *text = NULL;

	assert_int_equal(pts_file_read(scratch_path(name), 64 << 20, &text, &bytes), 0);
	if (ret_bytes != NULL)
		*ret_bytes = bytes;
	return text;
}

bool scratch_exists(const char *name)
{
	return access(scratch_path(name), F_OK) == 0;
}

unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;

	for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part))
		count++;
	return count;
}
