/* replay/sync/sync_notify.h: a synchronization point that the forward replay finds, and the notification of the other
 * side.
 *
 *   receive that waited   ──HD_ITEM_SYNC_SEND─────▶ location of the send
 *   send that waited      ──HD_ITEM_SYNC_REQUEST──▶ location of the receive ──HD_ITEM_SYNC_LEAVE, from
 *                         sync_complete.h, if its call is not known──▶ back
 *   wait at a window      ──HD_ITEM_SYNC_SEND─────▶ location of the call that ended it
 *   member of a collective──HD_ITEM_SYNC_WAITER───▶ location of the root that it waited for
 *
 * Inside of the replay only. Uses: core. Owner: the vprocs keep the points. MT: the worker's thread. Ranks: local.
 * Errors: none.
 */
#ifndef HD_SYNC_NOTIFY_H
#define HD_SYNC_NOTIFY_H

#include "vproc.h"
#include "sync_store.h"

typedef struct hd_sync_item {
    uint32_t process, thread; /* whom it is for */
    uint32_t order;           /* of the record there */
    uint32_t peer, peer_thread, peer_order; /* HD_ITEM_SYNC_WAITER: process, -, number of the instance;
                                             * HD_ITEM_SYNC_REQUEST: the last one is the post of the receive */
    uint32_t index, comm;     /* index: number of the SENT point on the sender's location */
    uint32_t call_path;       /* SEND, REQUEST: of the call there, entered at `enter`; REQUEST: HD_NONE: not known */
    uint32_t unused;
    hd_time  enter, leave;
} hd_sync_item;

typedef struct hd_sync_call { /* of the other side */
    hd_time  enter, leave;
    uint32_t call_path; /* HD_NONE: the call is not known, which may be that of a receive */
} hd_sync_call;

/* While the forward replay runs: a point, and the notification of the other side. Nothing if no backward replay
 * follows.
 *   late sender    of the receive; peer, partner, partner_thread: the send; call: that starts it
 *   late receiver  of the send's completion; peer, partner, partner_thread: the receive; call: that posted it, known if
 *                  partner is its record; post: see hd_op
 *   rma wait       at a window, for the call of group's record: call, left no later than the one that waits
 *   wait for root  of a member that waits for the root group.delayer */
void hd_sync_late_sender(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync,
                         const hd_sync_call *call);
void hd_sync_late_receiver(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync,
                           const hd_sync_call *call, uint32_t post);
void hd_sync_rma_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync,
                      hd_sync_group group, const hd_sync_call *call);
void hd_sync_wait_for_root(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, uint32_t comm,
                           hd_sync_group group);
void hd_sync_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data);
/* An item of one of these kinds to the worker of its process; at once where that is this one. */
void hd_sync_notify(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const hd_sync_item *item);

#endif
