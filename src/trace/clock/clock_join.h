/* src/trace/clock/clock_join.h: what the clock logs of a process's locations say of each other. Inside of clock only.
 * Uses: clock_log. MT: one thread per process. Ranks: local.
 */
#ifndef HD_CLOCK_JOIN_H
#define HD_CLOCK_JOIN_H

#include "clock_log.h"
#include "map.h"

typedef struct hd_clock_late_post { /* of a receive that this location did not post */
    uint64_t request;
    uint32_t post; /* its place in posts */
} hd_clock_late_post;

typedef struct hd_clock_requests { /* of a location */
    hd_scratch *scratch;   /* of posts; NULL: the heap */
    hd_map      open;      /* -> point of a send, or of the begin of a non-blocking collective */
    uint64_t   *cancelled; /* [n_cancelled] those of other threads */
    size_t      n_cancelled, capacity_cancelled;
    hd_time    *posts;     /* [n_posts] when receives were posted, in this order; the `number` of their points is the
                            * place in it until they are numbered */
    size_t      n_posts, capacity_posts;
    hd_map      posted;    /* receives that are not complete -> place in posts */
    hd_clock_late_post *late_posts; /* [n_late_posts] */
    size_t      n_late_posts, capacity_late_posts;
} hd_clock_requests;

void hd_clock_requests_fini(hd_clock_requests *requests);

/* Numbers the points, leaves out cancelled sends and later calls of MPI_Init and MPI_Finalize, and finds the team
 * instances of threads. requests: [process->n_locations] */
void hd_clock_join(hd_clock_process *process, const hd_defs *defs, hd_clock_requests *const *requests,
                   hd_scratch *scratch);

#endif
