/* replay/sync/team_syncs.h: the latest point of each instance of a team, of one location after the other.
 *
 * Instances of a process are counted from 0, so there is an array by instance; whose a row is stands in it, so it is
 * not cleared. Grows with: the largest instance. Inside of the replay only. Uses: memory. MT: the worker's thread.
 * Ranks: local. Memory: 8 bytes per instance of the process that has most.
 */
#ifndef HD_TEAM_SYNCS_H
#define HD_TEAM_SYNCS_H

#include "memory.h"

typedef struct hd_latest_in_team {
    uint32_t location; /* number of whose it is, from 1 */
    uint32_t sync;
} hd_latest_in_team;

typedef struct hd_team_syncs {
    hd_latest_in_team *rows; /* [n] by instance; one of zeros is empty: free(rows) */
    size_t             n;
} hd_team_syncs;

/* The point of this location and instance; 0, the begin, if none was put there. Valid until the next call. */
static inline uint32_t *
hd_team_syncs_place(hd_team_syncs *all, uint32_t location, uint32_t instance)
{
    hd_latest_in_team *row;
    size_t             n = all->n;

    while (HD_UNLIKELY(instance >= all->n)) {
        all->rows = hd_grow(all->rows, all->n, &all->n, sizeof *all->rows);
        memset(all->rows + n, 0, (all->n - n) * sizeof *all->rows);
        n = all->n;
    }
    row = &all->rows[instance];
    if (row->location != location)
        *row = (hd_latest_in_team){ .location = location };
    return &row->sync;
}

#endif
