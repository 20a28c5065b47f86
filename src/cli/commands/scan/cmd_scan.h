/* src/cli/commands/scan/cmd_scan.h: the subcommand. Uses: options. */
#ifndef HD_CMD_SCAN_H
#define HD_CMD_SCAN_H

#include "options.h"

extern const hd_command hd_cmd_scan; /* cmd_scan.c */

#endif
