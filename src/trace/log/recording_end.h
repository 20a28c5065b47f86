/* src/trace/log/recording_end.h: what a location was doing when its recording ended.
 *
 * Of a call that is open then the archive has what was written before it: a send its partner, but a receive, a
 * completion and a collective operation neither partner nor communicator. Uses: base. Owner: the location. MT: as its
 * op log.
 * Ranks: local.
 */
#ifndef HD_RECORDING_END_H
#define HD_RECORDING_END_H

#include "types.h"

typedef enum hd_open_wait { /* of the innermost call */
    HD_OPEN_NONE,           /* it does not wait for another process, or has what it waited for */
    HD_OPEN_THREADS,        /* for threads of its own process */
    HD_OPEN_SEND,           /* in a blocking send, the last record */
    HD_OPEN_RECEIVE,        /* for a message */
    HD_OPEN_REQUESTS,       /* for some of the requests that are open */
    HD_OPEN_COLLECTIVE,     /* for the other members of some communicator of the process */
    HD_OPEN_WINDOW,         /* for the other members of some window of the process */
    HD_OPEN_INIT, HD_OPEN_FINALIZE,
    HD_OPEN_POSTS,          /* MPI_Win_start, MPI_Win_complete: for the exposures of the targets of an epoch */
    HD_OPEN_COMPLETES,      /* MPI_Win_wait: for the ends of the epochs of its origins */
    HD_OPEN_OTHER           /* for another process; no record says which */
} hd_open_wait;

/* Operations besides those of OTF2, for which members come in the same call: this + the region. */
#define HD_OPERATION_OF_REGION 256

typedef struct hd_recording_end {
    hd_time  time;      /* of the last record */
    hd_time  enter;     /* of the innermost call; where there is none: time */
    uint32_t node;      /* its call path; HD_NONE: there is none */
    uint32_t operation; /* HD_OPEN_COLLECTIVE, HD_OPEN_WINDOW: OTF2_CollectiveOp, or HD_OPERATION_OF_REGION + region */
    uint32_t window, group; /* HD_OPEN_POSTS, HD_OPEN_COMPLETES: communicator and group of the epoch, indexes in the
                             * definitions */
    bool     is_received;  /* HD_OPEN_POSTS, HD_OPEN_COMPLETES: notifications of the epoch's other side count as
                            * received, as the call has its record */
    uint8_t  wait;      /* hd_open_wait */
    bool     is_cut;    /* records are missing after it: it may have gone on */
} hd_recording_end;

/* The operation (OTF2_CollectiveOp) of an MPI call, named without its prefix; HD_NONE: the call is none of OTF2's. */
uint32_t hd_operation_of_call(const char *call);

/* Whether another member can leave such an operation only when all have entered it. */
bool hd_operation_needs_all(uint32_t operation);

#endif
