/*
 * What the engine does when the kernel, a container or a limit refuses a part of io_uring: B50,
 * B52. The refusals are made in child processes: seccomp filters, a limit without privileges.
 */
#include "engine_fixture.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_uring_internal.h"

struct report {
	int ret;
	struct pts_err err;
	unsigned degrades;
	struct engine_degrade degrade[ENGINE_DEGRADES];
	uint64_t ios;
};

/* Opens an engine on fd, runs a mixed job, says how it went. */
static void try_engine(int fd, struct report *report)
{
	struct engine_config config = fixture_config(ENGINE_URING, fd, MIB);
	const struct engine_degrade *degrade;
	struct engine_result *result;
	struct fixture_job fixture;
	struct engine *engine;

	memset(report, 0, sizeof(*report));
	report->ret = engine_open(&config, &engine, &report->err);
	if (report->ret < 0)
		return;
	fixture_job_init(&fixture, MIB, 4096);
	fixture.stream.read_share = 0.5;
	fixture.job.threads = 2;
	fixture.job.ios = 500;
	result = engine_result_new();
	report->ret = fixture_run(engine, &fixture.job, result, &report->err);
	report->ios = result->dir[0].ios + result->dir[1].ios;
	report->degrades = engine_degrades(engine, &degrade);
	memcpy(report->degrade, degrade, sizeof(report->degrade));
	engine_result_free(result);
	engine_close(engine);
}

static bool degraded(const struct report *report, const char *capability, const char *reason)
{
	for (unsigned i = 0; i < report->degrades; i++)
		if (strcmp(report->degrade[i].capability, capability) == 0)
			return strstr(report->degrade[i].reason, reason) != NULL;
	return false;
}

/* Runs try_engine() in a child that has prepared itself; false if it could not. */
static bool in_child(bool (*prepare)(void *), void *arg, struct report *report)
{
	int fd = fixture_file(MIB);
	int pipes[2];
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(pipes), 0);
	child = fork();
	if (!child) {
		if (!prepare(arg))
			_exit(1);
		try_engine(fd, report);
		_exit(write(pipes[1], report, sizeof(*report)) != sizeof(*report));
	}
	close(pipes[1]);
	got = read(pipes[0], report, sizeof(*report));
	close(pipes[0]);
	waitpid(child, NULL, 0);
	close(fd);
	return got == sizeof(*report);
}

struct denial {
	unsigned number; /* of the system call */
	int argument;    /* its second argument must be this, -1: any */
	unsigned error;
};

static bool deny(void *arg)
{
	const struct denial *denial = arg;
	struct sock_filter any[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, denial->number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | denial->error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_filter one[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, denial->number, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)denial->argument, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | denial->error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = denial->argument < 0 ? 4 : 6,
		.filter = denial->argument < 0 ? any : one,
	};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool without_privileges(void *arg)
{
	struct rlimit limit = {64 * KIB, 64 * KIB};

	(void)arg;
	return setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && setresgid(65534, 65534, 65534) == 0 &&
	       setresuid(65534, 65534, 65534) == 0;
}

static bool nothing(void *arg)
{
	(void)arg;
	return true;
}

static void here_it_works(void **state)
{
	struct report report;

	(void)state;
	assert_true(in_child(nothing, NULL, &report));
	if (report.ret == -EPERM || report.ret == -ENOSYS)
		skip();
	assert_int_equal(report.ret, 0);
	assert_int_equal(report.ios, 500);
}

/* Three causes, three texts, all with what to do. */
static void no_ring_at_all(void **state)
{
	static const struct {
		unsigned error;
		const char *advice;
	} cases[] = {
		{EPERM, "kernel.io_uring_disabled"},
		{ENOSYS, "CONFIG_IO_URING"},
		{ENOMEM, "memlock"},
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct denial denial = {SYS_io_uring_setup, -1, cases[i].error};
		struct report report;

		if (!in_child(deny, &denial, &report))
			skip();
		print_message("%s\n", report.err.text);
		assert_int_equal(report.ret, -(int)cases[i].error);
		assert_int_equal(report.err.exit, PTS_EXIT_MISSING);
		assert_non_null(strstr(report.err.text, pts_errno_text((int)cases[i].error)));
		assert_non_null(strstr(report.err.text, cases[i].advice));
	}
}

static void capabilities_are_stepped_down(void **state)
{
	static const struct {
		int opcode;
		const char *capability;
	} cases[] = {
		{IORING_REGISTER_BUFFERS, "registered buffers"},
		{IORING_REGISTER_FILES, "registered file"},
		{IORING_REGISTER_RING_FDS, "registered ring"},
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct denial denial = {SYS_io_uring_register, cases[i].opcode, EPERM};
		struct report report;

		if (!in_child(deny, &denial, &report))
			skip();
		assert_int_equal(report.ret, 0);
		assert_int_equal(report.ios, 500);
		assert_true(degraded(&report, cases[i].capability, pts_errno_text(EPERM)));
	}
}

static void a_small_memlock_limit(void **state)
{
	struct report report;

	(void)state;
	if (geteuid() != 0 || !in_child(without_privileges, NULL, &report))
		skip();
	if (report.ret == -EPERM)
		skip(); /* io_uring is for privileged users only here */
	assert_int_equal(report.ret, 0);
	assert_int_equal(report.ios, 500);
	assert_true(degraded(&report, "registered buffers", "memlock"));
}

/* ---- older kernels ----------------------------------------------------------------------- */

static unsigned known_flags;

static int older_kernel(unsigned entries, struct io_uring *ring, struct io_uring_params *params)
{
	if (params->flags & ~known_flags)
		return -EINVAL;
	return io_uring_queue_init_params(entries, ring, params);
}

static void the_ladder_of_older_kernels(void **state)
{
	static const struct {
		unsigned flags;
		const char *lost[3];
	} kernels[] = {
		{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,
		 {"deferred task work"}},
		{IORING_SETUP_COOP_TASKRUN, {"deferred task work", "single issuer"}},
		{0, {"deferred task work", "single issuer", "cooperative task work"}},
	};
	int fd = fixture_file(MIB);
	struct report report;

	(void)state;
	try_engine(fd, &report);
	if (report.ret == -EPERM || report.ret == -ENOSYS)
		skip();
	for (unsigned i = 0; i < 3; i++) {
		known_flags = kernels[i].flags;
		engine_uring_queue_init = older_kernel;
		try_engine(fd, &report);
		engine_uring_queue_init = io_uring_queue_init_params;
		assert_int_equal(report.ret, 0);
		assert_int_equal(report.ios, 500);
		for (unsigned j = 0; j < 3 && kernels[i].lost[j]; j++)
			assert_true(degraded(&report, kernels[i].lost[j], "too old"));
	}
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(here_it_works),
		cmocka_unit_test(no_ring_at_all),
		cmocka_unit_test(capabilities_are_stepped_down),
		cmocka_unit_test(a_small_memlock_limit),
		cmocka_unit_test(the_ladder_of_older_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
