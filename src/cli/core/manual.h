/* src/cli/core/manual.h: the manual pages, made from the tables of options.
 *
 * Pages are troff with man macros; mandoc and groff have nothing to say against them. Uses: options.
 * MT: main thread only. Ranks: local. Errors of writing stay with the stream.
 */
#ifndef HD_MANUAL_H
#define HD_MANUAL_H

#include "options.h"

/* heddle(1): what there is, and in which page. */
void hd_manual_program(const hd_command *const *commands, size_t n, FILE *out);

/* heddle-NAME(1): one subcommand with its options. */
void hd_manual_command(const hd_command *command, FILE *out);

#endif
