/* src/cli/core/completion.h: completion of command lines for shells, made from the tables of options.
 *
 * What a value is follows from its words in the table: "block|cyclic" are words to choose from; REPORT.cubex, FILE.html
 * are files of that ending; ARCHIVE is an .otf2 file, REPORT a .cubex file, FILE and PATH any file, DIR a folder. Of
 * operands, A and what follows it are reports too, and COMMAND is a subcommand. Anything else (N, BYTES) is not
 * completed.
 * Uses: options. MT: main thread only. Ranks: local. Errors of writing stay with the stream.
 */
#ifndef HD_COMPLETION_H
#define HD_COMPLETION_H

#include "options.h"

#define HD_SHELLS "bash|zsh|fish"
typedef enum hd_shell { HD_SHELL_BASH, HD_SHELL_ZSH, HD_SHELL_FISH } hd_shell; /* in the order of HD_SHELLS */

/* A file for the shell to load. commands: [n], all subcommands. */
void hd_completion_print(const hd_command *const *commands, size_t n, hd_shell shell, FILE *out);

#endif
