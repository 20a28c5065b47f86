/* src/report/efficiency/focus.h: efficiencies of a region of the program (docs/metrics.md#efficiencies-of-regions).
 *
 * Runtime is the longest time that a process spends in the region, own time; so times of regions do not add up to the
 * whole run. How long it would take if data took no time is not known. Uses: cube_reader, efficiency_list. MT: one
 * thread. Ranks: local. Grows with: locations.
 */
#ifndef HD_FOCUS_H
#define HD_FOCUS_H

#include "cube_reader.h"
#include "efficiency_list.h"

typedef struct hd_focus {
    uint32_t            path; /* one call path with all below it; HD_NONE: all those of a region */
    char               *name; /* free() it */
    hd_efficiency_entry entry; /* kind: HD_SLICE_REGION. Without bounds, ideal, and sums of parallel regions */
} hd_focus;

/* Regions by their names, all call paths of each together; n == 0: from the root down while one call path has 90 % of
 * the time, then those below it with at least 1 %. focuses: out, hd_focuses_free() them. resolution: ticks of a second.
 * threads: of the run. Errors: HD_EUSAGE, no such region; those of hd_cube_row(). */
hd_status hd_focuses_new(hd_cube *cube, const char *const *names, size_t n, const hd_efficiency_entry *run,
                         hd_focus **focuses, size_t *n_focuses);
void      hd_focuses_free(hd_focus *focuses, size_t n);

#endif
