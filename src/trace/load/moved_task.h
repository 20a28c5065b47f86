/* src/trace/load/moved_task.h: explicit tasks that go on on another thread of their team. Inside of the room only.
 *
 * A location cannot tell on its own whether a task that it suspended was elsewhere before it goes on. So a process is loaded as if
 * no task moved; where one did (hd_moved_tasks_find), its locations are decoded once more, and of each turn of a moved
 * task they keep what it leaves and what it leaves open. When all are there, the turns are put together in the order
 * of their begin (hd_moved_tasks_join). Definition: docs/metrics.md#moved-tasks.
 *
 *   thread 0   ──[switch·[ A   leaves off]──────────────────         turn: opens A
 *   thread 1   ──────────────────[goes on   [ B ]  A ]·complete]──    turn: level 0 is A's path, left; level 1 is TASKS
 *
 * Uses: base. MT: one thread per process. Ranks: local. Memory until the process is joined: per turn 64 bytes, per level and open
 * region 56; before, 20 bytes for each task that may have moved (one that does not begin with a region of a task's role, or that
 * does not complete where it began).
 */
#ifndef HD_MOVED_TASK_H
#define HD_MOVED_TASK_H

#include "finding.h"
#include "loader.h"
#include "table.h"

typedef struct hd_task_key {
    uint32_t comm, instance; /* of the team; HD_NONE: no team that is defined */
    uint32_t creator, generation;
} hd_task_key;

typedef struct hd_stray { /* a task that may have moved */
    hd_task_key key;
    bool        begun;     /* here, for what this location sees */
    bool        completed; /* here */
} hd_stray;

typedef struct hd_task_level { /* a part of a turn with the same inherited regions */
    uint32_t place;            /* node that stands for the innermost of them */
    uint32_t region;           /* that is left at the end; HD_NONE: the turn ends */
    hd_time  end;
    uint32_t path;             /* hd_task_paths, once joined */
    uint32_t stub;             /* node that has the place's time where no region is inherited: path is 0 */
} hd_task_level;

typedef struct hd_open_region { /* when a turn ends */
    uint32_t node;
    hd_time  enter;
} hd_open_region;

typedef struct hd_task_turn {
    uint32_t task;         /* index in hd_moved_tasks */
    uint32_t stub;         /* node whose region is known once joined */
    uint32_t first_region; /* entered first in this turn; HD_NONE */
    bool     completed;    /* the task's last one */
    hd_time  begin, end;
    hd_span  in_regions[2]; /* that were entered in this turn; [1]: outside of the period */
    size_t   first_level, n_levels; /* n_levels >= 1 */
    size_t   first_open, n_open;    /* outermost first */
} hd_task_turn;

typedef struct hd_turns { /* of a location; only when it is decoded once more */
    hd_task_turn   *turns;
    hd_task_level  *levels; /* by place, ascending */
    hd_open_region *open;
    size_t          n_turns, capacity_turns, n_levels, capacity_levels, n_open, capacity_open;
} hd_turns;

typedef struct hd_moved_tasks {
    hd_task_key *keys; /* [n] ascending */
    size_t       n;
} hd_moved_tasks;

/* The call paths of moved tasks, as chains of regions below TASKS, which is number 0. */
typedef struct hd_task_paths {
    hd_call_path *nodes; /* [n] */
    size_t        n, capacity;
    hd_table      children; /* (node << 32 | region) -> node */
} hd_task_paths;

struct hd_location_join;

/* From the strays of all locations of a process. moved: out, empty at first; the caller's, hd_moved_tasks_fini() it. */
void     hd_moved_tasks_find(const struct hd_location_join *joins, uint32_t n_locations, hd_moved_tasks *moved);
void     hd_moved_tasks_fini(hd_moved_tasks *moved);
uint32_t hd_moved_tasks_index(const hd_moved_tasks *moved, hd_task_key key); /* HD_NONE: it did not move */

/* Puts the turns together: paths of all levels, stubs and their time, what the patterns of threads are told of tasks and taskwaits;
 * leaves without an enter are findings. paths: out, empty at first; the caller's, hd_task_paths_fini() it. */
void hd_moved_tasks_join(hd_loaded_process *process, struct hd_location_join *joins, const hd_defs *defs, hd_task_paths *paths,
                         hd_findings *findings);
void hd_task_paths_fini(hd_task_paths *paths);

#endif
