/* replay/forward/rma_window.h: a window as a location uses it, and what all kinds of waits at windows have in common.
 * Inside of the replay only. Uses: core, sync. Owner: the vproc. MT: the worker's thread. Ranks: local.
 * Memory: 88 bytes per target of a window that a location uses, 40 per operation of an open access epoch; at most 1 per
 * call where windows are locked exclusively; 4 per worker, once a location ends a lock epoch on all processes.
 */
#ifndef HD_RMA_WINDOW_H
#define HD_RMA_WINDOW_H

#include "vproc.h"

typedef struct hd_rma_partner { /* who was waited for: the last one of several */
    hd_time  enter, leave;      /* of its call */
    uint32_t process, thread, order; /* of its record; process HD_NONE: none */
    uint32_t call_path;         /* of its call, in its location */
} hd_rma_partner;

typedef struct hd_rma_lock { /* an open lock epoch */
    uint32_t target;         /* rank, HD_NONE: all */
    bool     is_exclusive;
    uint32_t order;          /* of its record */
    hd_time  enter;          /* of its call */
} hd_rma_lock;

typedef struct hd_rma_access { /* an operation of the open access epoch */
    hd_time  enter, time, leave;
    uint32_t target;           /* index in the window's targets */
    uint32_t call_path, order;
} hd_rma_access;

typedef struct hd_rma_target { /* that a location has accessed or locked */
    uint32_t rank;
    uint32_t process;          /* HD_NONE: the archive does not have it */
    struct hd_rma_left **inbox; /* what was left for it (rma_messages.h); NULL: it is on another worker */
    uint32_t epoch;            /* the last access epoch in which it was accessed */
    hd_time  left;             /* leave of the last operation in that epoch */
    hd_time  posted;           /* enter of the MPI_Win_post of that epoch; UINT64_MAX: unknown */
    hd_time  fence_entered, fence_left; /* enter and leave of the last operation since the last fence */
    uint32_t fence_order;      /* record of that operation; 0: none */
    uint32_t fence_call_path;  /* of it */
    uint32_t next;             /* index of the target that was used last after this one */
} hd_rma_target;

typedef struct hd_rma_window { /* as a location uses it */
    uint32_t       comm;
    hd_table       index;      /* rank -> index in targets */
    hd_rma_target *targets;    /* [n_targets] */
    size_t         n_targets, capacity_targets;
    uint32_t       last_target; /* index of the one used last */
    uint32_t      *fenced;     /* [n_fenced] targets accessed since the last fence */
    size_t         n_fenced, capacity_fenced;
    uint32_t       epoch;      /* number of the open access epoch, or the last one; from 1 */
    bool           in_access, in_exposure;
    hd_call        start;      /* call that began the access epoch */
    hd_time        start_until; /* until when that call may have waited */
    uint32_t       start_order, n_accessed; /* record of that call; targets accessed in the epoch */
    hd_rma_access *accesses;   /* [n_accesses] of the open access epoch */
    size_t         n_accesses, capacity_accesses;
    hd_rma_partner last;       /* the last of the notifications received so far in the current call */
    hd_time        last_access, last_start; /* latest times in those of MPI_Win_complete */
    uint32_t       n_accessing;
    hd_rma_lock   *locks;      /* [n_locks] */
    size_t         n_locks, capacity_locks;
    uint32_t      *workers;    /* [n_workers] of its processes, once they are asked for */
    size_t         n_workers, capacity_workers;
} hd_rma_window;

#define HD_CALLS_TO_PLACE 64 /* at least so many calls are passed over at once */

typedef struct hd_lock_place { /* behind a call that begins a lock epoch, in the op log */
    const uint8_t *at, *own, *states; /* of the next call */
    hd_time        leave;             /* of this one */
    uint32_t       order, n_calls;    /* records and calls up to here */
} hd_lock_place;

typedef struct hd_rma_state { /* of a location */
    hd_rma_window          **windows; /* [log.n_channels] by the window's own channel, each NULL until its first use;
                                       * NULL: none */
    struct {
        uint32_t call, target;
    }                        last_request; /* the last one that left, see rma_passive.c */
    hd_lock_place              *places; /* [n_places] HD_CALLS_TO_PLACE calls apart or more */
    size_t                      n_places, capacity_places;
    struct hd_rma_left         *left;      /* of a process's first thread: what was left for it as a target, see
                                       * rma_messages.h; NULL: nothing */
    struct hd_lock_owner       *owners;    /* [n_owners] lock owners in replies of targets */
    size_t                      n_owners, capacity_owners;
    struct hd_progress_request *replies; /* [n_replies] their replies to progress requests */
    size_t                      n_replies, capacity_replies;
} hd_rma_state;

void hd_rma_start(hd_vproc *vproc);
void hd_rma_fini(hd_vproc *vproc); /* nothing if it was not started */

/* The window of this channel of the location, made at its first use. */
hd_rma_window *hd_rma_window_new(hd_vproc *vproc, uint32_t channel);
static inline hd_rma_window *
hd_rma_window_of(hd_vproc *vproc, uint32_t channel)
{
    hd_rma_window **windows = vproc->rma->windows;

    return HD_LIKELY(windows != NULL && windows[channel] != NULL) ? windows[channel] :
           hd_rma_window_new(vproc, channel);
}
/* A target of the location, made at its first use; until another one is made. */
hd_rma_target *hd_rma_target_find(hd_replay_worker *rh, const hd_worker *worker, const hd_vproc *vproc,
                                  hd_rma_window *window, uint32_t rank);
static inline hd_rma_target *
hd_rma_target_of(hd_replay_worker *rh, const hd_worker *worker, const hd_vproc *vproc, hd_rma_window *window,
                 uint32_t rank)
{
    uint32_t last = window->last_target, next;

    if (HD_UNLIKELY(window->n_targets == 0))
        return hd_rma_target_find(rh, worker, vproc, window, rank);
    if (window->targets[last].rank == rank)
        return &window->targets[last];
    next = window->targets[last].next;
    if (HD_UNLIKELY(window->targets[next].rank != rank))
        return hd_rma_target_find(rh, worker, vproc, window, rank);
    window->last_target = next;
    return &window->targets[next];
}
/* Notifications are those of one call: the next one begins with none. */
void hd_rma_forget_notifications(hd_rma_window *window);
/* The current call ends an epoch that was not begun. */
void hd_rma_out_of_place(hd_replay_worker *rh, const hd_vproc *vproc, const hd_rma_window *window);

/* A wait that the partner's call ended. It began `offset` after the enter of the call. */
void hd_rma_mark_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_call *call, uint32_t order,
                      hd_span offset, hd_span wait, const hd_rma_partner *partner);
/* One that ended for another reason. */
void hd_rma_mark_unexplained(hd_replay_worker *rh, hd_vproc *vproc, const hd_call *call, hd_span wait);

/* A wait for the statistics of instances. from: when it began. */
void hd_rma_note_wait(hd_replay_worker *rh, const hd_vproc *vproc, hd_metric metric, const hd_call *call, hd_time from,
                      hd_span wait, const hd_rma_partner *partner);

/* A window that each process has for itself. */
static inline bool
hd_rma_is_own(const hd_replay_worker *rh, const hd_rma_window *window)
{
    const hd_defs *defs = rh->replay->defs;

    return hd_defs_groups(defs)[hd_defs_comms(defs)[window->comm].group_a].self;
}

static inline bool
hd_rma_is_locked(const hd_rma_window *window, uint32_t target)
{
    for (size_t i = 0; i < window->n_locks; i++)
        if (window->locks[i].target == target || window->locks[i].target == HD_NONE)
            return true;
    return false;
}

#endif
