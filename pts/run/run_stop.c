/*
 * The wish to stop: set from a signal handler, looked at between and inside cells. Must do
 * nothing that is not async-signal-safe.
 */
#include <signal.h>
#include <stddef.h>

#include "run_internal.h"

static volatile sig_atomic_t stop_signal;
static struct engine *volatile watched_engine;

void run_request_stop(int signal_number)
{
	struct engine *engine = watched_engine;

	stop_signal = signal_number ? signal_number : SIGTERM;
	if (engine)
		engine_stop(engine);
}

bool run_stop_wanted(void)
{
	return stop_signal != 0;
}

int run_stop_signal(void)
{
	return stop_signal;
}

void run_stop_watch(struct engine *engine)
{
	watched_engine = engine;
}

void run_stop_forget(void)
{
	watched_engine = NULL;
	stop_signal = 0;
}
