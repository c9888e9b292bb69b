/* The table of commands and their options: the one place that names them. */
#include "cli_commands.h"

#define END                                                                                    \
	{                                                                                      \
		NULL, NULL, NULL, false                                                        \
	}
#define JSON                                                                                   \
	{                                                                                      \
		"json", NULL, "machine-readable result on stdout", false                       \
	}
#define MODE                                                                                   \
	{                                                                                      \
		"mode", "enterprise|client", "which values of the spec", false                 \
	}
#define SET                                                                                    \
	{                                                                                      \
		"set", "KEY=VALUE",                                                            \
			"override a parameter of the spec; a deviation if the standard fixes " \
			"it",                                                                  \
			true                                                                   \
	}
#define PURGE                                                                                  \
	{                                                                                      \
		"purge", "METHOD",                                                             \
			"auto, model, discard, zeroes or none; default: the best there is",    \
			false                                                                  \
	}
#define ASSUME                                                                                 \
	{                                                                                      \
		"assume", "FILE|RUN",                                                          \
			"what the likely time and bytes rest on: a YAML file of speeds, an "   \
			"earlier run, or seq_write=RATE for all writes",                       \
			false                                                                  \
	}
#define PIN                                                                                    \
	{                                                                                      \
		"pin", NULL, "pin each worker to a CPU", false                                 \
	}
#define PROGRESS                                                                               \
	{                                                                                      \
		"progress", "auto|plain|json|none",                                            \
			"auto: one live line on a terminal, else plain; json: a line an "      \
			"event on "                                                            \
			"stdout",                                                              \
			false                                                                  \
	}

const struct cli_option cli_common[] = {
	{"help", NULL, "show this help", false},
	{"quiet", NULL, "only results and errors", false},
	{"no-color", NULL, "no colours (also: NO_COLOR in the environment)", false},
	END,
};

static const struct cli_option only_json[] = {JSON, END};

static const struct cli_option list_options[] = {
	{"drives", NULL, "the model drives for --device sim:NAME instead", false},
	JSON,
	END,
};

static const struct cli_option plan_options[] = {
	MODE,
	{"device", "DEV", "block device, regular file or sim:MODEL[,seed=N][,state=FILE]",
	 false},
	SET,
	PURGE,
	ASSUME,
	{"text", NULL, "the plan's canonical text, whose SHA-256 the store keeps", false},
	JSON,
	END,
};

static const struct cli_option run_options_table[] = {
	MODE,
	{"device", "DEV", "device under test: EVERYTHING ON IT IS DESTROYED", false},
	{"destroy", "IDENTITY", "confirms the destruction: the identity that `pts info` shows",
	 false},
	{"out", "DIR", "folder of the run (made); DIR/run.db is the store", false},
	SET,
	PURGE,
	ASSUME,
	{"about", "FILE",
	 "YAML file with header fields no machine knows: operator, sponsor ...", false},
	{"seed", "N", "master seed (default: a fresh one, recorded)", false},
	{"backend", "uring|psync", "how I/O is issued", false},
	PIN,
	PROGRESS,
	JSON,
	END,
};

static const struct cli_option resume_options[] = {PIN, PROGRESS, JSON, END};

static const struct cli_option judge_options[] = {
	{"series", "FILE.csv", "series to judge: columns series, round, value", true},
	{"window", "N", "rounds of the window", false},
	{"range", "SHARE", "largest max - min, such as 20%", false},
	{"slope", "SHARE", "largest excursion of the fitted line, such as 10%", false},
	JSON,
	END,
};

static const struct cli_option report_options[] = {
	{"format", "LIST", "html,pdf,csv,json,text,md (default: html)", false},
	{"out", "DIR", "folder for the report (made)", false},
	{"test", "NAME", "only this one of the run's tests; default: all", false},
	{"paper", "a4|letter", "of the PDF; default: a4", false},
	{"csv-separator", "comma|semicolon|tab",
	 "of the CSV files; default: comma, or semicolon with a decimal comma", false},
	{"csv-decimal", "point|comma", "decimal sign of the CSV files; default: point", false},
	{"csv-bom", NULL, "byte order mark in the CSV files, by which Excel knows UTF-8",
	 false},
	JSON,
	END,
};

static const struct cli_option stimulus_options[] = {
	{"device", "DEV", "block device, regular file or sim:MODEL[,seed=N][,state=FILE]",
	 false},
	{"access", "random|sequential", "default: random", false},
	{"rw-mix", "R/W", "such as 65/35; default: 100/0", false},
	{"block-size", "SIZE", "default: 4KiB", false},
	{"threads", "N", "default: 1", false},
	{"queue-depth", "N", "outstanding I/Os per thread; default: 1", false},
	{"duration", "TIME", "such as 5s", false},
	{"ios", "N", "total over the threads", false},
	{"amount", "SIZE", "bytes in total, such as 1GiB", false},
	{"seed", "N", "default: a fresh one", false},
	{"backend", "uring|psync|nil", "nil needs no device", false},
	{"batch", "N", "I/Os submitted together; 1: each alone, as for response times", false},
	{"destroy", "IDENTITY", "needed as soon as anything is written", false},
	PIN,
	JSON,
	END,
};

static const struct cli_option purge_options[] = {
	{"destroy", "IDENTITY", "confirms the destruction: the identity that `pts info` shows",
	 false},
	{"method", "auto|discard|zeroes", "default: the best there is", false},
	JSON,
	END,
};

const struct cli_command cli_commands[] = {
	{"list", "[--drives] [--json]", "tests and workloads that are there", NULL,
	 list_options, 0, 0, cmd_list},
	{"check", "SPEC...", "check specs in both modes",
	 "Each fault is one line FILE:LINE:COL: text on stdout. Exit status 4 if there is one.",
	 only_json, 1, CLI_VALUES_MAX, cmd_check},
	{"spec", "keys [--json]", "the keys of the spec language", NULL, only_json, 1, 1,
	 cmd_spec},
	{"info", "DEV [--json]",
	 "facts of a device, what --destroy wants, what speaks against it", NULL, only_json, 1,
	 1, cmd_info},
	{"plan", "SPEC... --mode M --device DEV", "what a run would do: steps, time, bytes",
	 "Nothing is opened for writing. The same code makes the plan of `pts run`.",
	 plan_options, 1, CLI_VALUES_MAX, cmd_plan},
	{"run", "SPEC... --mode M --device DEV --destroy IDENTITY --out DIR",
	 "run tests; DESTROYS everything on the device",
	 "The device is written only after the guard passed and its identity was confirmed, on "
	 "a "
	 "terminal by typing it. Ctrl-C ends cleanly (75): `pts resume DIR` goes on.",
	 run_options_table, 1, CLI_VALUES_MAX, cmd_run},
	{"resume", "DIR", "go on after a stop",
	 "The drive is found by its stored identity. A cut round is done again and no window "
	 "reaches "
	 "across the gap; a cut purge or fill is done again from its beginning.",
	 resume_options, 1, 1, cmd_resume},
	{"status", "DIR [--json]", "where a run stands, also while it runs", NULL, only_json, 1,
	 1, cmd_status},
	{"judge", "DIR | --series FILE.csv...", "judge stored rounds or series again",
	 "Changes nothing. The rule is the one of the stored steps, or of the iops spec for "
	 "series, "
	 "unless options say otherwise. Findings do not change the exit status.",
	 judge_options, 0, 1, cmd_judge},
	{"verify", "DIR [--json]", "recompute everything from the raw rounds",
	 "Exit status 1 if a figure differs; each difference is one line.", only_json, 1, 1,
	 cmd_verify},
	{"report", "DIR --format LIST --out DIR2", "write the report", NULL, report_options, 1,
	 1, cmd_report},
	{"stimulus", "--device DEV ...", "one cell, for benches and checks",
	 "No steady state, no store, and reads of blocks that were never written are not "
	 "noticed.",
	 stimulus_options, 0, 0, cmd_stimulus},
	{"purge", "DEV --destroy IDENTITY", "purge a device; DESTROYS everything on it",
	 "The same methods and the same proof as the purge of a run.", purge_options, 1, 1,
	 cmd_purge},
	{NULL, NULL, NULL, NULL, NULL, 0, 0, NULL},
};
