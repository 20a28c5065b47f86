/* src/trace/decode/task_fragment.h: what a location keeps of tasks that other threads of their team go on with
 * (docs/metrics.md#moved-tasks).
 *
 * A location cannot tell on its own whether a task that it suspended was elsewhere before it goes on. So a process is
 * decoded as if no task moved, and each location notes its candidates: tasks that may have moved. Where some did, all
 * its locations are decoded once more, and of each fragment of a moved task they keep what it leaves and what it leaves
 * open (load/migrated_task.h puts the fragments together):
 *
 *   thread 0   ──[switch·[ A   leaves off]──────────────────         fragment: opens A
 *   thread 1   ──────────────────[goes on   [ B ]  A ]·complete]──    fragment: level 0 is A's path, left; level 1 is
 *                                                                     TASKS
 *
 * Uses: base. Owner: hd_location_join. MT: the loading thread. Ranks: local. Memory until the process is joined: per
 * fragment 64 bytes, per level and open region 56; per candidate 20.
 */
#ifndef HD_TASK_FRAGMENT_H
#define HD_TASK_FRAGMENT_H

#include "analysis_interval.h"
#include "types.h"

typedef struct hd_task_key {
    uint32_t comm, instance; /* of the team; HD_NONE: no team that is defined */
    uint32_t creator, generation;
} hd_task_key;

int hd_task_key_compare(const hd_task_key *a, const hd_task_key *b); /* as qsort() has it */

typedef struct hd_migrant_candidate { /* a task that does not begin with a region of a task's role, or does not complete
                                       * where it began */
    hd_task_key key;
    bool        begun;     /* here, for what this location sees */
    bool        completed; /* here */
} hd_migrant_candidate;

typedef struct hd_task_level { /* a part of a fragment with the same inherited regions */
    uint32_t place;            /* node that stands for the innermost of them */
    uint32_t region;           /* that is left at the end; HD_NONE: the fragment ends */
    hd_time  end;
    uint32_t path;             /* in hd_task_paths, set when the fragments are put together */
    uint32_t stub;             /* node that has the place's time where no region is inherited: path is 0 */
} hd_task_level;

typedef struct hd_open_region { /* when a fragment ends */
    uint32_t node;
    hd_time  enter;
} hd_open_region;

typedef struct hd_task_fragment {
    uint32_t task;         /* index in hd_migrated_tasks */
    uint32_t stub;         /* node whose region is known when the fragments are put together */
    uint32_t first_region; /* entered first in this fragment; HD_NONE */
    bool     completed;    /* the task's last fragment */
    hd_time  begin, end;
    hd_span  in_regions[HD_N_SIDES]; /* time in regions that were entered in this fragment, by side */
    size_t   first_level, n_levels; /* n_levels >= 1 */
    size_t   first_open, n_open;    /* outermost first */
} hd_task_fragment;

typedef struct hd_task_fragments { /* of a location that is decoded once more; else none */
    hd_task_fragment *fragments;
    hd_task_level    *levels; /* by place, ascending */
    hd_open_region   *open;
    size_t            n_fragments, capacity_fragments, n_levels, capacity_levels, n_open, capacity_open;
} hd_task_fragments;

typedef struct hd_migrated_tasks { /* of a process */
    hd_task_key *keys; /* [n] ascending */
    size_t       n;
} hd_migrated_tasks;

uint32_t hd_migrated_tasks_index(const hd_migrated_tasks *moved, hd_task_key key); /* HD_NONE: it did not move */
void     hd_migrated_tasks_fini(hd_migrated_tasks *moved);

#endif
