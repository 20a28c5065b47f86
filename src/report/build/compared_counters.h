/* src/report/build/compared_counters.h: which counters of an archive root causes are compared by
 * (docs/metrics.md#work-or-speed). Uses: counter_patterns, counter_log. MT: any thread. Ranks: local, with the same
 * result on all.
 */
#ifndef HD_COMPARED_COUNTERS_H
#define HD_COMPARED_COUNTERS_H

#include "counter_log.h"
#include "defs.h"
#include "status.h"

/* names: separated by commas, at most HD_COMPARED_MAX, "none" for none; NULL: instructions, cycles, CPU time and the
 * misses of the last level, those that there are.
 * Errors: HD_EUSAGE: too many; the archive has no such counter; or it is no sum of whole numbers. */
hd_status hd_compared_counters_choose(const hd_defs *defs, const char *names, hd_compared_counters *compared);

#endif
