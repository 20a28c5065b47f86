/* src/profile/iterations.h: the iterations of each process: instances of a region that is the body of a loop
 * (docs/metrics.md#iterations).
 *
 * Iteration i of a process is the i-th instance of the region on the first of its threads that enters it. Instances
 * inside of another one (recursion) are part of that. Processes may have different numbers of iterations.
 *
 * Time of a process has a slice: 0 before its first iteration, 1 to n the iterations, n + 1 after its last one, n + 2
 * between two iterations. A process without iterations has slice 0 only. So slices of a process add up to the run.
 * Reports have at most HD_MAX_WINDOWS slices of iterations: 2^shift neighbours are one.
 *
 * Uses: trace, calltree, analysis_comm. Owner: hd_iterations_fini(). MT: one thread at a time. Ranks: all have the same
 * numbers, bounds are local. Memory: 32 bytes per iteration and process, a bit per iteration and call path of an
 * interface, and 4 bytes per call path, until fini.
 */
#ifndef HD_ITERATIONS_H
#define HD_ITERATIONS_H

#include "analysis_comm.h"
#include "calltree.h"
#include "trace.h"

typedef enum hd_iterations_how {
    HD_ITERATIONS_NONE, HD_ITERATIONS_DYNAMIC, HD_ITERATIONS_OPTION, HD_ITERATIONS_FOUND
} hd_iterations_how;

typedef struct hd_process_iterations {
    const hd_iteration *rows; /* [n] ascending, leave <= enter of the next; those of the trace */
    uint32_t            n;
    uint32_t            location; /* of the process, whose these are */
} hd_process_iterations;

typedef struct hd_iterations {
    hd_iterations_how      how;
    uint32_t               region;      /* index in the definitions; HD_NONE: there are no iterations */
    uint32_t               call_path;   /* found ones: of the unified tree, they begin with it, or, */
    bool                   is_end;      /* end with it; else HD_NONE */
    uint32_t               n;           /* most of a process */
    uint32_t               n_processes; /* that have any */
    hd_process_iterations *of;          /* [processes of the trace] */
    uint64_t              *calls;       /* [n][n_words] a bit for each call path of an interface that an iteration has
                                         * on any process of this rank; NULL: not known */
    uint32_t               n_words;
    uint32_t               most_clusters; /* of hd_cluster_request */
    uint32_t              *places;      /* [tree] of call paths of interfaces among these bits; HD_NONE: of others */
} hd_iterations;

/* NULL: there are none. */
static inline bool
hd_has_iterations(const hd_iterations *iterations)
{
    return iterations != NULL && iterations->n > 0;
}

/* From the instances that were kept while loading; those of other regions are dropped. Of several regions that of the
 * longest time of all processes is taken, at equal ones the first. how: what the regions were chosen by. Adds findings
 * to the trace. Ranks: all, together. MT: main thread only. */
void hd_iterations_find(hd_analysis_comm *analysis_comm, hd_trace *trace, hd_iterations_how how,
                        hd_iterations *iterations);
void hd_iterations_fini(hd_iterations *iterations);

/* Makes room for which call paths each iteration has, none yet (iteration_calls.h). Nothing for more than
 * HD_CLUSTER_ITERATIONS. Ranks: local; n_words is the same on all. */
void hd_iterations_want_calls(hd_iterations *iterations, const hd_defs *defs, const hd_calltree *tree);

/* The slice of a time, of n iterations of the program. *hint: an iteration near it, and where to begin next time. */
uint32_t hd_iterations_slice(const hd_process_iterations *of_process, uint32_t n, hd_time time, uint32_t *hint);
/* When the slice ends, for a time in it; UINT64_MAX: it does not. hint: as the slice left it. */
hd_time  hd_iterations_slice_end(const hd_process_iterations *of_process, uint32_t n, uint32_t slice, uint32_t hint);
/* When it begins, likewise; 0: with the run. */
hd_time  hd_iterations_slice_begin(const hd_process_iterations *of_process, uint32_t n, uint32_t slice, uint32_t hint);

/* How many neighbours a slice of a report has, as a power of two. */
static inline uint32_t
hd_iterations_shift(uint32_t n, uint32_t most)
{
    uint32_t shift = 0;

    while (n > 0 && ((n - 1) >> shift) + 1 > most)
        shift++;
    return shift;
}

/* The slice of a report, of one of n iterations. */
static inline uint32_t
hd_iterations_joined(uint32_t n, uint32_t slice, uint32_t shift)
{
    if (slice == 0)
        return 0;
    return slice <= n ? 1 + ((slice - 1) >> shift) : ((n - 1) >> shift) + 1 + slice - n;
}

#endif
