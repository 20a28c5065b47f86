/* src/trace/decode/team_starts.h: where a location forked the teams of which it is thread 0: one node per instance.
 * Inside of trace only.
 *
 * The locations of a process are decoded at the same time, and the call paths of a team begin where its thread 0 forked
 * it. So those of the first location can be read while it is still being decoded: instances are appended and never
 * move.
 * Uses: base. MT: one thread appends, any thread reads. Ranks: local. Cost: O(teams of the location), no lock.
 * Memory: 4 bytes per instance.
 */
#ifndef HD_TEAM_STARTS_H
#define HD_TEAM_STARTS_H

#include <stdatomic.h>

#include "scratch.h"
#include "types.h"

#define HD_START_UNKNOWN (HD_NONE - 1) /* a team that began without a fork before it, or that is not there */

typedef struct hd_start_list hd_start_list;

typedef struct hd_team_starts { /* zeros, but for the scratch: nothing yet */
    hd_scratch              *scratch;
    _Atomic(hd_start_list *) lists;    /* one per team; release in hd_team_starts_add() pairs with acquire in
                                        * find_list() */
    _Atomic bool             complete; /* nothing is appended any more; release, acquire */
} hd_team_starts;

/* Appends the next instance of a team. node: of the location; HD_NONE: outside of all regions; or HD_START_UNKNOWN. */
void hd_team_starts_add(hd_team_starts *starts, uint32_t comm, uint32_t node);
void hd_team_starts_complete(hd_team_starts *starts);
void hd_team_starts_fini(hd_team_starts *starts);

/* The node of an instance, as soon as it is known or the list is complete: the thread that appends must be at it. */
uint32_t hd_team_starts_wait(const hd_team_starts *starts, uint32_t comm, uint32_t instance);

#endif
