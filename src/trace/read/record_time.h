/* src/trace/read/record_time.h: the time that a record gets where the one it has cannot be.
 *
 * All who read events go by the same rule, so that a damaged time is the same time to all of them. Uses: defs. MT: any
 * thread. Ranks: local.
 */
#ifndef HD_RECORD_TIME_H
#define HD_RECORD_TIME_H

#include "defs.h"
#include "finding.h"

/* Later times cannot be. Sums and differences of valid times do not overflow. */
#define HD_TIME_LAST ((hd_time)INT64_MAX / 2)

/* When a recording that says of itself when it begins, and how long it is, is over in any case; HD_TIME_LAST: it does
 * not say. */
typedef struct hd_plausible {
    hd_time latest;
    hd_time length; /* from its begin until then */
} hd_plausible;

hd_plausible hd_plausible_times(const hd_defs *defs);

/* The time of a record: as it is, or, where that cannot be, the time of the record before.
 *   plausible  later times are damage; the caller starts with hd_plausible_times(), the first record may move the
 *              latest
 *   now        of the record before; 0 for the first one
 *   wrong      out: why the record does not get its own time; HD_N_FINDINGS where it does */
hd_time hd_right_time(hd_plausible *plausible, hd_time now, bool is_first, hd_time time, hd_finding_kind *wrong);

#endif
