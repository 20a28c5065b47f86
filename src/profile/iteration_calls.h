/* src/profile/iteration_calls.h: which call paths each iteration has, put in while a location is replayed.
 *
 * A call that communicates belongs to the iteration in which it begins, on the thread that has the iterations. Calls
 * may come in any order; it is quickest if they ascend. Uses: iterations, trace. Owner: hd_iteration_calls_free(). MT:
 * one thread at a time; several locations at the same time. Ranks: local. Memory: 8 bytes per call path of the
 * location.
 */
#ifndef HD_ITERATION_CALLS_H
#define HD_ITERATION_CALLS_H

#include "iterations.h"

typedef struct hd_iteration_path {
    uint32_t place;  /* among the bits; HD_NONE: none */
    uint32_t put_at; /* n_moves when it was put in last */
} hd_iteration_path;

typedef struct hd_iteration_calls { /* of a location */
    const hd_iterations         *iterations;
    const hd_process_iterations *of;
    uint64_t                    *bits;        /* of the iteration that is now; NULL: none is */
    hd_time                      from, until; /* of what is now */
    uint32_t                     hint;        /* of hd_iterations_slice() */
    uint32_t                     n_moves;     /* how often something else was now */
    hd_iteration_path            paths[];     /* [call paths of the location] */
} hd_iteration_calls;

/* NULL: nothing is wanted of this location: it has no iterations, or their calls are not wanted. map: call path of the
 * process -> of the tree. */
hd_iteration_calls *hd_iteration_calls_new(const hd_iterations *iterations, const hd_process_iterations *of,
                                           const hd_loaded_process *process, uint32_t thread, const uint32_t *map);
void                hd_iteration_calls_free(hd_iteration_calls *calls);

/* What is at the time is now. */
void hd_iteration_calls_move(hd_iteration_calls *calls, hd_time time);

/* Puts in a call path that was not since the last move. */
void hd_iteration_calls_put_path(hd_iteration_calls *calls, hd_iteration_path *path);

/* The call that is entered then, at a call path of the location. */
static inline void
hd_iteration_calls_put(hd_iteration_calls *calls, hd_time enter, uint32_t call_path)
{
    if (HD_UNLIKELY(enter < calls->from || enter >= calls->until))
        hd_iteration_calls_move(calls, enter);
    if (HD_UNLIKELY(calls->paths[call_path].put_at != calls->n_moves))
        hd_iteration_calls_put_path(calls, &calls->paths[call_path]);
}

#endif
