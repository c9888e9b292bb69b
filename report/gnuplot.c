/*
 * gnuplot as a child process: one for all plots of a report. The script comes from a file of ours
 * in a private folder; the child gets the C locale, no user settings and no terminal. Must not
 * know what is drawn.
 */
#include "gnuplot_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pts_text.h"
#include "report.h"

const char *report_gnuplot(void)
{
	static char found[PATH_MAX];
	const char *path = getenv("PATH");
	struct stat info;

	if (path == NULL)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path != '\0') {
		int length = (int)strcspn(path, ":");

		snprintf(found, sizeof(found), "%.*s/gnuplot", length, path);
		if (length > 0 && found[0] == '/' && access(found, X_OK) == 0 &&
		    stat(found, &info) == 0 && S_ISREG(info.st_mode))
			return found;
		path += length;
		path += *path == ':';
	}
	return NULL;
}

int gnuplot_folder_make(char **ret_folder, struct pts_err *err)
{
	const char *base = getenv("TMPDIR");
	struct pts_buf name = {0};

	if (base == NULL || base[0] != '/')
		base = "/tmp";
	pts_buf_printf(&name, "%s/pts-report-XXXXXX", base);
	*ret_folder = pts_buf_take(&name);
	if (mkdtemp(*ret_folder) == NULL) {
		int error = errno;

		pts_fail(err, PTS_EXIT_MISSING, error, "cannot make a folder in '%s': %s", base,
			 pts_errno_text(error));
		free(*ret_folder);
		*ret_folder = NULL;
		return -error;
	}
	return 0;
}

void gnuplot_folder_remove(char *folder)
{
	DIR *dir = folder != NULL ? opendir(folder) : NULL;
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir != NULL)
		closedir(dir);
	if (folder != NULL)
		rmdir(folder);
	free(folder);
}

/* The child's whole environment: nothing of the caller's but where programs and fonts are. */
static void child_environment(const char *folder, struct pts_buf *lines, char **env,
			      size_t room)
{
	const char *keep[] = {"PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_CACHE_HOME",
			      "ASAN_OPTIONS"};
	size_t offsets[16];
	size_t count = 0;

	offsets[count++] = lines->length;
	pts_buf_printf(lines, "LC_ALL=C.UTF-8%c", 0);
	offsets[count++] = lines->length;
	pts_buf_printf(lines, "HOME=%s%c", getenv("HOME") ? getenv("HOME") : folder, 0);
	offsets[count++] = lines->length;
	pts_buf_printf(lines, "TZ=UTC%c", 0);
	for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); i++) {
		if (getenv(keep[i]) == NULL)
			continue;
		offsets[count++] = lines->length;
		pts_buf_printf(lines, "%s=%s%c", keep[i], getenv(keep[i]), 0);
	}
	for (size_t i = 0; i < count && i + 1 < room; i++)
		env[i] = lines->data + offsets[i];
	env[count] = NULL;
}

static int spawn(const char *program, const char *folder, pid_t *ret_pid)
{
	char *argv[] = {(char *)"gnuplot", (char *)"-d", (char *)"script.gp", NULL};
	posix_spawn_file_actions_t actions;
	struct pts_buf lines = {0};
	char *env[16];
	int error;

	child_environment(folder, &lines, env, 16);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, folder);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "complaints.txt",
					 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	error = posix_spawn(ret_pid, program, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	pts_buf_release(&lines);
	return error;
}

/* gnuplot's last line that says something: earlier ones repeat the script and point into it. */
static void complaint(const char *folder, char *ret_text, size_t room)
{
	struct pts_buf path = {0};
	char *text = NULL;
	char *save = NULL;
	size_t bytes;

	snprintf(ret_text, room, "it gave no reason");
	pts_buf_printf(&path, "%s/complaints.txt", folder);
	if (pts_file_read(path.data, 1 << 20, &text, &bytes) == 0) {
		for (char *line = strtok_r(text, "\n", &save); line != NULL;
		     line = strtok_r(NULL, "\n", &save)) {
			if (strspn(line, " ^\t") < strlen(line))
				snprintf(ret_text, room, "%.300s", line + strspn(line, " \t"));
		}
	}
	free(text);
	pts_buf_release(&path);
}

int gnuplot_run(const char *folder, const char *script, size_t script_bytes,
		struct pts_err *err)
{
	const char *program = report_gnuplot();
	struct pts_buf path = {0};
	char reason[320];
	int status = 0;
	pid_t pid;
	int error;

	if (program == NULL)
		return pts_fail(err, PTS_EXIT_MISSING, ENOENT,
				"gnuplot is missing, no plot can be drawn: apt-get install "
				"gnuplot-nox");
	pts_buf_printf(&path, "%s/script.gp", folder);
	error = -pts_file_write(path.data, script, script_bytes);
	pts_buf_release(&path);
	if (error != 0)
		return pts_fail(err, PTS_EXIT_MISSING, error, "cannot write into '%s': %s",
				folder, pts_errno_text(error));
	error = spawn(program, folder, &pid);
	if (error != 0)
		return pts_fail(err, PTS_EXIT_MISSING, error, "cannot start '%s': %s", program,
				pts_errno_text(error));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	complaint(folder, reason, sizeof(reason));
	return pts_fail(err, PTS_EXIT_BUG, EIO, "gnuplot failed (%s %d): %s",
			WIFSIGNALED(status) ? "signal" : "exit",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), reason);
}
