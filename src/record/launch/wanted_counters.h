/* src/record/launch/wanted_counters.h: whether this node can count what is wanted.
 * Uses: counter_names, base. MT: main thread only. Ranks: local. */
#ifndef HD_WANTED_COUNTERS_H
#define HD_WANTED_COUNTERS_H

#include "status.h"

/* names: with commas between. Counts with them for a moment. Errors: HD_EUSAGE, there is no such counter, or one is
 * named twice, or there are too many; the kernel forbids it; the processor, or the virtual machine, has none. */
hd_status hd_wanted_counters_check(const char *names);

#endif
