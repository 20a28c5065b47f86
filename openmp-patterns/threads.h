/* openmp-patterns/threads.h: what happens between the threads of one process: management and barriers of teams, locks,
 * idleness.
 *
 * Threads of one process live on one worker, so nothing here uses messages: the patterns are booked when the replay is
 * done with a process, from the thread logs of all its locations. Everything goes team by team (an instance: the k-th
 * time that a team begins on its members), so teams may be nested, grow and shrink. Definitions:
 * docs/metrics.md#threads. Uses: replay.
 * MT: the worker's thread of the process. Ranks: local.
 * Cost: linear in the logs, which are read twice. Memory while a process is booked: 40 bytes per team instance, 24 per
 * barrier of an instance, 16 to 32 per ownership of a lock.
 */
#ifndef HD_THREADS_H
#define HD_THREADS_H

#include "calltree.h"
#include "efficiency.h"
#include "pattern.h"

#define HD_IN_TASK (HD_NONE - 1) /* it belongs to the parallel region in which the task ran, where its stub stands */

/* Equal for all processes; read only while the replay runs. */
typedef struct hd_threads {
    const hd_defs     *defs;
    const uint32_t    *parallel_of; /* [tree->n] topmost OpenMP node of each call path; HD_NONE: serial, HD_IN_TASK: of
                                     * a task */
    uint32_t          *storage;
    const hd_calltree *tree;
    bool               compat;
    hd_efficiencies   *efficiencies; /* [threads of the replay] processes are added to that of their thread; NULL: not
                                      * wanted. The caller's, may be set */
    bool               has_idle; /* idleness is defined: OpenMP, and no POSIX threads */
} hd_threads;

/* tree: the unified call tree, kept. compat: the walk of scout 2.6 (D22). Ranks: local; equal arguments, equal
 * results. */
void hd_threads_init(hd_threads *threads, const hd_defs *defs, const hd_calltree *tree, bool compat);
void hd_threads_fini(hd_threads *threads);

/* For hd_replay_request: context is a hd_threads. */
extern const hd_process_patterns hd_thread_patterns;

#endif
