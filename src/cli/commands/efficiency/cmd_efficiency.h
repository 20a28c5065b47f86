/* src/cli/commands/efficiency/cmd_efficiency.h: heddle efficiency. Uses: options. */
#ifndef HD_CMD_EFFICIENCY_H
#define HD_CMD_EFFICIENCY_H

#include "options.h"

extern const hd_command hd_cmd_efficiency; /* cmd_efficiency.c */

#endif
