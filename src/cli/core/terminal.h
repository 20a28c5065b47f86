/* src/cli/core/terminal.h: what standard output looks like, and the summary of a report on it.
 * Uses: report. MT: main thread only. Ranks: local.
 */
#ifndef HD_TERMINAL_H
#define HD_TERMINAL_H

#include <stdio.h>

#include "status.h"
#include "summary_options.h"

/* Whether a stream is a terminal that lines can be drawn on again: not a dumb one, and not one of a launcher, whose
 * output may well end in a file. */
bool hd_terminal_moves(FILE *out);

/* Width and colours of standard output. width: what the user asks for; 0: COLUMNS of the environment, else that of the
 * terminal, else unknown. Colours: on a terminal, and elsewhere with CLICOLOR_FORCE; never with NO_COLOR. */
hd_summary_options hd_terminal_look(uint32_t width);

/* Columns of help: those of standard output, 40 to 96 of them; 96 where they are unknown. */
int hd_terminal_help_width(void);

/* Prints the summary of a report on standard output. options: zeros become their defaults; has_colour is that of the
 * terminal, and so is the width if it is 0. Errors: those of reading a report. */
hd_status hd_summary_show(const char *report, const hd_summary_options *options);

#endif
