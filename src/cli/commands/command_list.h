/* src/cli/commands/command_list.h: finds a subcommand by its name. Uses: options. MT: any thread. Ranks: local. */
#ifndef HD_COMMAND_LIST_H
#define HD_COMMAND_LIST_H

#include "options.h"

/* All subcommands, in the order of the overview; constant. */
const hd_command *const *hd_commands(size_t *n);

/* NULL: there is none of that name. */
const hd_command *hd_command_find(const char *name);

/* Words the error that there is no such subcommand, with the closest one; returns HD_EUSAGE. */
hd_status hd_command_fail(const char *name);

/* The overview: a line for each subcommand. */
void hd_commands_print(FILE *out);

#endif
