/* replay/forward/rma_fence.h: fences of windows: processes that wait in them for operations of others.
 *
 * An origin notifies the worker of each target of its accesses since the previous fence (coll.h).
 * Definitions: docs/metrics.md#one-sided. Inside of the replay only. Uses: core, sync. MT: the worker's thread. Ranks:
 * local. Memory: 40 bytes per notification under way.
 */
#ifndef HD_RMA_FENCE_H
#define HD_RMA_FENCE_H

#include "vproc.h"

typedef struct hd_rma_access_notification { /* at a fence: what two processes did with each other since the one
                                             * before */
    uint32_t process, peer;     /* a target, and an origin; or, with order == 0, an origin, and its target */
    hd_time  enter, leave;      /* of the call of the origin's last operation */
    uint32_t thread, order, call_path, unused; /* of that operation: its thread, record and call path there */
} hd_rma_access_notification;

typedef struct hd_rma_access_notifications {
    hd_rma_access_notification *rows; /* [n] */
    size_t                      n, capacity;
} hd_rma_access_notifications;


/* Takes the vproc's accesses at this window since the last fence; process: each target. */
void hd_rma_take_access_notifications(hd_vproc *vproc, hd_rma_access_notifications *into);

typedef struct hd_rma_fence { /* of one process */
    hd_vproc *vproc;
    hd_call   call;
    hd_time   end;      /* of its record */
    uint32_t  order, n_processes;
    hd_span   waiting;  /* if all overlap */
    bool      overlaps;
} hd_rma_fence;

typedef struct hd_rma_fence_waits { /* 0: none */
    hd_span  waiting, early;
    uint32_t peer, peer_thread; /* whose operation was the last one; HD_NONE: there was none */
} hd_rma_fence_waits;

/* By process and peer. */
void hd_rma_sort_access_notifications(hd_rma_access_notifications *notifications);
/* notifications: sorted. */
hd_rma_fence_waits hd_rma_book_fence(hd_replay_worker *rh, hd_worker *worker, const hd_rma_fence *fence,
                                     const hd_rma_access_notifications *notifications);

#endif
