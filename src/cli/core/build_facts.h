/* src/cli/core/build_facts.h: what this program was built with. Uses: group. */
#ifndef HD_BUILD_FACTS_H
#define HD_BUILD_FACTS_H

#include <stdio.h>

/* "heddle X.Y.Z", then a line for each fact: its name, blanks, its value. The MPI library is the one that is there now,
 * the others those of the build.
 * MT: main thread only. Ranks: local, without a group too. Errors of writing stay with the stream. */
void hd_build_facts_print(FILE *out);

#endif
