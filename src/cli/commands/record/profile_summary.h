/* src/cli/commands/record/profile_summary.h: what a profile shows, in some lines, when it is made.
 * Uses: cube_reader. MT: main thread only. Ranks: local. */
#ifndef HD_PROFILE_SUMMARY_H
#define HD_PROFILE_SUMMARY_H

#include <stdio.h>

#include "status.h"

/* Shares of MPI, OpenMP and computation, and the call paths with the most time. Errors: those of reading the report. */
hd_status hd_profile_summary_print(const char *path, FILE *out);

#endif
