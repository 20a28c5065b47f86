/* src/trace/clock/clock_join.h: what the clock logs of a process's locations say of each other. Inside of clock only.
 * Uses: clock_log. MT: one thread per process. Ranks: local.
 */
#ifndef HD_CLOCK_JOIN_H
#define HD_CLOCK_JOIN_H

#include "clock_log.h"
#include "map.h"

typedef struct hd_clock_foreign { /* a receive that this location did not post */
    uint64_t request;
    size_t   point;
    uint32_t thread; /* that posted it; HD_NONE: none did */
    uint32_t post;   /* there */
} hd_clock_foreign;

typedef struct hd_clock_requests { /* of a location */
    hd_map            open;      /* -> point of a send, or of the begin of a non-blocking collective */
    uint64_t         *cancelled; /* [n_cancelled] those of other threads */
    size_t            n_cancelled, capacity_cancelled;
    uint32_t          n_posts;   /* of receives; until the points are numbered, `number` of a receive's point is its
                                  * place among them, from 0 */
    hd_map            posted;    /* receives that are not complete -> post */
    hd_clock_foreign *foreign;   /* [n_foreign] in the order of their points */
    size_t            n_foreign, capacity_foreign;
} hd_clock_requests;

/* Numbers the points, leaves out cancelled sends and later calls of MPI_Init and MPI_Finalize, and finds the team
 * instances of threads. requests: [process->n_locations] */
void hd_clock_join(hd_clock_process *process, const hd_defs *defs, hd_clock_requests *const *requests,
                   hd_scratch *scratch);

#endif
