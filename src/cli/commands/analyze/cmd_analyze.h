/* src/cli/commands/analyze/cmd_analyze.h: the subcommand heddle analyze. Uses: options. */
#ifndef HD_CMD_ANALYZE_H
#define HD_CMD_ANALYZE_H

#include "options.h"

extern const hd_command hd_cmd_analyze;

#endif
