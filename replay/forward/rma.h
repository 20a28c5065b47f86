/* replay/rma.h: one-sided communication: epochs of windows, and who waits in them.
 *
 *   fences and the like   collectives on the window, see coll.h. An origin leaves what it did at each target since the fence before with the
 *                         target's host: a deposit. Combined values say how many deposits each host has to wait for.
 *   post, start, complete, wait
 *                         notices of the op log travel as messages do (p2p.h): who completes or waits takes those of its group
 *   locks, progress       passive.h
 *
 * Definitions: docs/metrics.md#one-sided. Inside of the room only. Uses: scheduler, profile. Owner: the agent. MT: the host's thread.
 * Ranks: local. Errors: none; epochs without a counterpart, or not begun, are findings.
 * Memory: 56 bytes per target of a window that a location uses, 40 per operation of an open access epoch, 24 per deposit under way;
 * 4 per host, once a location ends a lock epoch on all processes. Cost: O(1) per operation and notice; in lock epochs O(locks held).
 */
#ifndef HD_RMA_H
#define HD_RMA_H

#include "agent.h"

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

typedef struct hd_rma_target { /* that a location has accessed */
    uint32_t rank;
    uint32_t epoch;            /* access epoch in which it was accessed last; then */
    hd_time  left;             /* leave of the last operation in it; */
    hd_time  posted;           /* enter of its MPI_Win_post; UINT64_MAX: unknown */
    hd_time  fence_left;       /* leave of the last operation since the last fence, */
    uint32_t fence_order;      /* and its record; 0: none */
} hd_rma_target;

struct hd_rma_window { /* as a location uses it */
    uint32_t       comm;
    hd_table       index;      /* rank -> index in targets */
    hd_rma_target *targets;    /* [n_targets] */
    size_t         n_targets, capacity_targets;
    uint32_t      *fenced;     /* [n_fenced] targets accessed since the last fence */
    size_t         n_fenced, capacity_fenced;
    uint32_t       epoch;      /* number of the open access epoch, or the last one; from 1 */
    bool           in_access, in_exposure;
    hd_call        start;      /* its call, */
    hd_time        start_until; /* until when it may have waited, */
    uint32_t       start_order, n_accessed; /* its record; targets accessed */
    hd_rma_access *accesses;   /* [n_accesses] of the open access epoch */
    size_t         n_accesses, capacity_accesses;
    hd_rma_partner last;       /* notices taken so far in the call at hand: */
    hd_time        last_access, last_start; /* of completes */
    uint32_t       n_accessing;
    hd_rma_lock   *locks;      /* [n_locks] */
    size_t         n_locks, capacity_locks;
    uint32_t      *hosts;      /* [n_hosts] of its processes, once they are asked for */
    size_t         n_hosts, capacity_hosts;
};

/* The agent's operation at hand; false: it has to wait for a notice. */
bool hd_rma_op(hd_replay_host *rh, hd_host *host, hd_agent *agent);
void hd_rma_fini(hd_agent *agent);

/* The agent's deposits at this window since the last fence, which it forgets; process: each target. */
void hd_rma_take_deposits(hd_replay_host *rh, hd_agent *agent, hd_rma_deposits *into);

typedef struct hd_rma_fence { /* of one process */
    hd_agent *agent;
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

void hd_rma_sort_deposits(hd_rma_deposits *deposits);
/* deposits: sorted. */
hd_rma_fence_waits hd_rma_book_fence(hd_replay_host *rh, hd_host *host, const hd_rma_fence *fence, const hd_rma_deposits *deposits);

/* A wait that the partner's call ended. It began `offset` after the enter of the call. */
void hd_rma_mark_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_call *call, uint32_t order, hd_span offset, hd_span wait,
                      const hd_rma_partner *partner);
/* One that ended for another reason. */
void hd_rma_mark_unexplained(hd_replay_host *rh, hd_agent *agent, const hd_call *call, hd_span wait);

/* A window that each process has for itself. */
static inline bool
hd_rma_is_own(const hd_replay_host *rh, const hd_rma_window *window)
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
