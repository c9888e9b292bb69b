/* The commands' entry points. Each returns an exit code >= 0, or -errno with *err set. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli.h"

int cmd_list(struct cli_args *args, struct pts_err *err);
int cmd_check(struct cli_args *args, struct pts_err *err);
int cmd_spec(struct cli_args *args, struct pts_err *err);
int cmd_info(struct cli_args *args, struct pts_err *err);
int cmd_plan(struct cli_args *args, struct pts_err *err);
int cmd_run(struct cli_args *args, struct pts_err *err);
int cmd_resume(struct cli_args *args, struct pts_err *err);
int cmd_status(struct cli_args *args, struct pts_err *err);
int cmd_judge(struct cli_args *args, struct pts_err *err);
int cmd_verify(struct cli_args *args, struct pts_err *err);
int cmd_report(struct cli_args *args, struct pts_err *err);
int cmd_stimulus(struct cli_args *args, struct pts_err *err);
int cmd_purge(struct cli_args *args, struct pts_err *err);

#endif
