/* src/profile/loop/loop.h: the loop of a program, found in its calls that communicate: an MPI call path with which each
 * iteration begins or ends (docs/metrics.md#found-iterations).
 *
 * Candidates are call paths that all processes visit equally often, k times. An iteration is from one call of it to the
 * next. On few processes it is looked at what the iterations hold: most must hold the same call paths. Of candidates
 * whose iterations cover nearly the same part of the run that with the fewest iterations is the outer loop.
 *
 * Uses: profile, trace. MT: main thread only. Ranks: all, together; the result is the same on all, for any number of
 * them. Memory while it looks: 20 bytes for each call of at most two processes, HD_LOOP_MAX_CALLS (loop_calls.h)
 * of each, 9 for each of these of the call path that is looked at, and 96 per call path. Cost: the heads of these calls
 * are read once, their records as far as they matter, and they are gone through once for each candidate that is looked
 * at (few); the heads of those of all processes (oplog.h) once for each loop that is tried,
 * until one of them does not have it.
 */
#ifndef HD_LOOP_H
#define HD_LOOP_H

#include "calltree.h"
#include "iterations.h"

typedef struct hd_loop_request {
    hd_analysis_comm  *analysis_comm;
    hd_trace          *trace;
    uint32_t *const   *maps; /* [processes of the trace] call path of the process -> of the tree */
    const hd_calltree *tree;
    hd_time            from, to; /* of the run, or its main window */
} hd_loop_request;

typedef struct hd_loop {
    uint32_t call_path; /* of the tree; HD_NONE: there is no loop */
    uint32_t n;         /* iterations of each process */
    double   cover;     /* part of the window that they are, 0 to 1 */
    bool     ends;      /* each iteration ends with the call; otherwise it begins with it */
} hd_loop;

/* The first location of each process has its iterations then, as if their region had been marked while loading; the
 * last one ends before the first call that is like none before (of those that end with the call the first one begins
 * behind the last call that is like none after it), and hd_iterations_find() goes on. */
hd_loop hd_loop_find(const hd_loop_request *request);

#endif
