/* src/cli/commands/record/cmd_record.h: the subcommand. Uses: options. */
#ifndef HD_CMD_RECORD_H
#define HD_CMD_RECORD_H

#include "options.h"

extern const hd_command hd_cmd_record; /* cmd_record.c */

#endif
