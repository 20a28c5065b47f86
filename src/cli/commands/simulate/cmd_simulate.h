/* src/cli/commands/simulate/cmd_simulate.h: heddle simulate. Uses: options. */
#ifndef HD_CMD_SIMULATE_H
#define HD_CMD_SIMULATE_H

#include "options.h"

extern const hd_command hd_cmd_simulate; /* cmd_simulate.c */

#endif
