/* replay/sync.h: synchronisation points: the moments at which a location met others, and its time per call path between them.
 *
 * The forward replay finds them (docs/metrics.md#synchronisation-points); when it is done each location's are completed, put in order
 * and joined with the time vectors of its interval log. From then on the backward replay needs neither op log nor interval log.
 *
 *   collecting ──hd_sync_complete(), twice with mail between──▶ complete ──hd_sync_build()──▶ built: read only, by index
 *
 * Inside of the room only. Uses: trace. MT: the host's thread. Ranks: local.
 * Memory: 64 bytes per synchronisation point, 12 per call path between two of them, 8 per process that the delayer of a
 * collective met since the members met last.
 */
#ifndef HD_SYNC_H
#define HD_SYNC_H

#include "map.h"
#include "memory.h"
#include "replay.h"

typedef enum hd_sync_kind {
    HD_SYNC_BEGIN,    /* of the location: with all */
    HD_SYNC_INIT,     /* MPI_Init: with all */
    HD_SYNC_RECV,     /* a receive that waited for its sender */
    HD_SYNC_SEND,     /* the send that it waited for */
    HD_SYNC_SENT,     /* completion of a send that waited for its receiver */
    HD_SYNC_REQUEST,  /* the receive request that it waited for */
    HD_SYNC_COLL,     /* a collective operation in which the process synchronised */
    HD_SYNC_FINALIZE, /* MPI_Finalize: with all */
    HD_SYNC_JOIN,     /* of the threads of a team */
    HD_SYNC_IDLE,     /* end of a time in which other threads had nothing to do */
    HD_SYNC_PARALLEL, /* enter of a parallel region */
    HD_SYNC_BARRIER,  /* of a team */
    HD_SYNC_EDGE,     /* --compat=scout26: a receive request that nobody waited for */
    HD_SYNC_END,      /* of the location; always the last one */
} hd_sync_kind;

typedef enum hd_delay { /* kinds of wait states that have causes */
    HD_DELAY_LATE_SENDER, HD_DELAY_LATE_RECEIVER, HD_DELAY_BARRIER, HD_DELAY_N2N, HD_DELAY_12N, HD_DELAY_N21,
    HD_DELAY_OMP_BARRIER, HD_DELAY_OMP_IDLE,
    HD_N_DELAYS,
    HD_DELAY_NONE = HD_N_DELAYS
} hd_delay;

#define HD_SYNC_ALL HD_NONE /* peer: all processes */

typedef struct hd_sync {
    hd_time  enter;     /* of its call; of a parallel region: the fork */
    hd_span  wait;      /* waiting time in the call, >= 0 */
    hd_span  pruned;    /* what the call took, without its completion time */
    uint32_t order;     /* of its record in the op log, among those with the same enter */
    uint32_t call_path; /* of the location; once built, of the unified tree */
    uint32_t peer;      /* process; HD_SYNC_ALL; of a collective: the communicator; of teams: the instance of the team */
    uint32_t partner;   /* order of the partner's record; number of a collective or barrier; IDLE: number of idle threads */
    uint32_t partner_thread; /* N-to-1: the root, a process; of teams: the number of threads that meet */
    uint32_t delayer;   /* process that the members of a collective waited for; barrier: thread; PARALLEL: thread that forked */
    uint32_t previous;  /* built: the last one before it with the peer, with the delayer, or, of the delayer, with all members */
    uint32_t list;      /* of a collective in which not all synchronised: index in the host's lists; else HD_NONE */
    uint8_t  kind;      /* hd_sync_kind */
    uint8_t  delay;     /* hd_delay of its waiting time */
    uint16_t unused;
} hd_sync;

typedef struct hd_sync_intermediate { /* a process that the delayer met after it had met all members */
    uint32_t sync;                    /* the collective's */
    uint32_t process;
    uint32_t previous;                /* where they met */
} hd_sync_intermediate;

typedef struct hd_sync_waiter { /* a process that waited for the root of a collective */
    uint32_t comm, number;
    uint32_t process;
} hd_sync_waiter;

typedef struct hd_syncs { /* of a location */
    hd_sync              *points;  /* [n] */
    size_t                n, capacity;
    hd_sync              *told;    /* [n_told] points that other locations told of: sends, then requests */
    size_t                n_told, capacity_told;
    uint64_t             *first;   /* [n] built: first entry of the vector from each point to the next; [n - 1]: the end of all */
    uint32_t             *paths;   /* [first[n - 1]] unified call paths */
    hd_span              *spans;   /* [first[n - 1]] */
    hd_sync_intermediate *intermediates; /* [n_intermediates] ascending by sync, then by previous */
    size_t                n_intermediates, capacity_intermediates;
    hd_sync_waiter    *waiters; /* [n_waiters] */
    size_t                n_waiters, capacity_waiters;
    hd_time_move         *moves;   /* [n_moves] */
    size_t                n_moves, capacity_moves;
} hd_syncs;

typedef struct hd_process_list {
    uint32_t n;
    uint32_t processes[];
} hd_process_list;

typedef struct hd_sync_item {
    uint32_t process, thread; /* whom it is for */
    uint32_t order;           /* of the record there; HD_ITEM_SYNC_LEAVE: index among its points */
    uint32_t peer, peer_thread, peer_order; /* HD_ITEM_SYNC_WAITER: process, -, number of the instance */
    uint32_t index, comm;
    hd_time  enter, leave;
} hd_sync_item;

struct hd_agent;
struct hd_replay_host;

static inline void
hd_syncs_add(hd_syncs *syncs, const hd_sync *sync)
{
    HD_PUSH(syncs->points, syncs->n, syncs->capacity, *sync);
}

void hd_syncs_fini(hd_syncs *syncs);

/* While the forward replay runs: a point, and the news for the other side. Nothing if no backward replay follows.
 *   late sender    of the receive; peer, partner, partner_thread: the send
 *   late receiver  of the send's completion; peer, partner, partner_thread: the receive
 *   waiter         of a member that waits for the root `delayer` */
void hd_sync_late_sender(struct hd_replay_host *rh, hd_host *host, struct hd_agent *agent, const hd_sync *sync);
void hd_sync_late_receiver(struct hd_replay_host *rh, hd_host *host, struct hd_agent *agent, const hd_sync *sync);
void hd_sync_wait_for_root(struct hd_replay_host *rh, hd_host *host, const struct hd_agent *agent, const hd_sync *sync);
void hd_sync_deliver(struct hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data);

/* What other locations told is completed from the op log; tells senders about the leave of requests. */
void hd_sync_complete(struct hd_replay_host *rh, hd_host *host, struct hd_agent *agent);
/* Takes what the patterns of threads found: agents of the process, the first one first. */
void hd_sync_add_team(struct hd_agent *agents, const hd_team_points *points);
/* Puts all points in order, finds where each met its peer before, and makes the vectors. */
void hd_sync_build(struct hd_replay_host *rh, struct hd_agent *agent);
/* Those who waited for this root in this collective. */
const hd_sync_waiter *hd_sync_waiters(const hd_syncs *syncs, const hd_sync *sync, size_t *n);

#endif
