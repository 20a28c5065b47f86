/* replay/forward/rma_messages.h: the messages between origins and targets of passive target synchronization, and where
 * they are kept.
 *
 *   origin   ──HD_ITEM_LOCK_EPOCH, HD_ITEM_PROGRESS_REQUEST──▶ target: kept until the forward replay is over
 *            (hd_rma_left)
 *   target   ──HD_ITEM_LOCK_OWNER, HD_ITEM_PROGRESS_REPLY────▶ origin: kept until it books (hd_rma_state)
 *
 * Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_RMA_MESSAGES_H
#define HD_RMA_MESSAGES_H

#include "rma_window.h"

typedef struct hd_lock_epoch { /* of a window, on one target */
    uint32_t window, target;   /* communicator; process */
    uint32_t origin, thread, lock_order, order; /* of the records that begin and end it */
    uint32_t rank, is_exclusive; /* rank: of the target */
    hd_time  enter;            /* of the lock call */
    hd_time  unlock, release, leave; /* enter of the unlock call; of the record in it; its leave */
    uint32_t call_path, unused; /* of the unlock call, in its location */
} hd_lock_epoch;

typedef struct hd_lock_owner { /* the epoch before one that conflicts with it */
    uint32_t       origin, thread, lock_order, rank; /* whom it is for; rank: of the target */
    hd_time        release;
    hd_rma_partner owner;
} hd_lock_owner;

typedef struct hd_progress_request { /* a call on a locked target */
    uint32_t target, origin, thread;
    uint32_t call, call_path, is_access; /* call: its number in its location */
    hd_time  enter, leave;
    hd_time  entered; /* when the target entered MPI next; 0: it was there; UINT64_MAX: unknown */
} hd_progress_request;

/* What was left for a target, or on a worker for all: as numbers (bytes.h), times as differences. About 23 bytes per
 * epoch, 8 per call. Decoded when the target replies. */
typedef struct hd_rma_left {
    hd_bytes            epochs, requests;
    size_t              n_epochs, n_requests;
    hd_time             last_release; /* of the last epoch */
    hd_progress_request last_request; /* what the next one's numbers are differences to */
} hd_rma_left;

/* The next one, at *at; last_release: of the one before it, 0 for the first one. Does not set the target. */
void hd_lock_epoch_get(const uint8_t **at, hd_time last_release, hd_lock_epoch *epoch);
/* One whose release is known. */
hd_lock_epoch hd_lock_epoch_of(const uint8_t *at, hd_time release);
/* From the one before, zeros for the first one, to the next one, at *at. Sets neither target nor entered. */
void hd_progress_request_next(const uint8_t **at, hd_progress_request *request);
void hd_rma_left_drop(hd_rma_left **place); /* nothing if *place is NULL, which it is then */

void hd_rma_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data);
/* With the target's worker. */
void hd_rma_leave_epoch(hd_replay_worker *rh, hd_worker *worker, const hd_rma_target *target,
                        const hd_lock_epoch *epoch);
void hd_rma_leave_request(hd_replay_worker *rh, hd_worker *worker, const hd_rma_target *target,
                          const hd_progress_request *request);
/* To the worker of a process; at once where that is this one. */
static inline void
hd_rma_send(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, uint32_t process, const void *item, size_t bytes)
{
    uint32_t home = hd_placement_worker(rh->replay->request->placement, (hd_process){ process });

    if (home == hd_worker_number(worker))
        hd_rma_deliver(rh, worker, kind, item);
    else
        hd_worker_send(worker, home, kind, item, (uint32_t)bytes, NULL, 0);
}

#endif
