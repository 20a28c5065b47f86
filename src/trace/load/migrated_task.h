/* src/trace/load/migrated_task.h: explicit tasks that go on on another thread of their team
 * (docs/metrics.md#moved-tasks). Inside of load only.
 *
 * When all locations of a process are decoded, hd_migrated_tasks_find() looks whether any task moved. If so, they are
 * decoded once more, and hd_migrated_tasks_join() puts the fragments that they note (decode/task_fragment.h) together
 * in the order of their begin.
 * Uses: decode. MT: one thread per process. Ranks: local.
 */
#ifndef HD_MIGRATED_TASK_H
#define HD_MIGRATED_TASK_H

#include "location_join.h"
#include "trace.h"

/* From the candidates of all locations of a process. moved: out, empty at first; the caller's, hd_migrated_tasks_fini()
 * it. */
void hd_migrated_tasks_find(const hd_location_join *joins, uint32_t n_locations, hd_migrated_tasks *moved);

/* The call paths of moved tasks, as chains of regions below TASKS, which is number 0. */
typedef struct hd_task_paths {
    hd_call_path *nodes; /* [n] */
    size_t        n, capacity;
    hd_table      children; /* (node << 32 | region) -> node */
} hd_task_paths;

/* Puts the fragments together: paths of all levels, stubs and their time, what the patterns of threads get of tasks
 * and taskwaits; leaves without an enter are findings. paths: out, empty at first; the caller's, hd_task_paths_fini()
 * it. */
void hd_migrated_tasks_join(hd_loaded_process *process, hd_location_join *joins, const hd_defs *defs,
                            hd_task_paths *paths, hd_findings *findings);
void hd_task_paths_fini(hd_task_paths *paths);

#endif
