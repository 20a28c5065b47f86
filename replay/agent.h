/* replay/agent.h: a location while it is replayed, and what its host keeps. Inside of the room only.
 * Uses: scheduler, profile. MT: the host's thread. Ranks: local.
 */
#ifndef HD_AGENT_H
#define HD_AGENT_H

#include "effect.h"
#include "instance_table.h"
#include "mailbox.h"
#include "map.h"
#include "replay.h"
#include "sync.h"
#include "time_vector.h"
#include "tree.h"
#include "turns.h"

typedef enum hd_item {
    HD_ITEM_ANNOUNCE,      /* hd_channel_count: so many sends will come */
    HD_ITEM_UNCLAIMED,     /* hd_channel_count: only so many receives are there */
    HD_ITEM_MESSAGE,       /* hd_message_item */
    HD_ITEM_LATE_RECEIVER, /* hd_late_receiver_item: the receiver found that a sender waited for it */
    HD_ITEM_SYNC_SEND,     /* hd_sync_item: a receive waited for this send */
    HD_ITEM_SYNC_REQUEST,  /* hd_sync_item: a send waited for this receive request */
    HD_ITEM_SYNC_LEAVE,    /* hd_sync_item: the leave of that request's call, for the send */
    HD_ITEM_SYNC_WAITER,   /* hd_sync_item: a process waited for this root */
    HD_ITEM_COLL_UP,       /* of reduction.h, with hd_coll_value and hd_coll_step: from a host below */
    HD_ITEM_COLL_DOWN,     /* the same, from the host above */
    HD_ITEM_COLL_WAITS,    /* coll_waits_item and instances: how long members waited, from a host below */
    HD_ITEM_DEPOSIT,       /* coll_deposit_item: what an origin did at a target before a fence */
    HD_ITEM_LOCK_EPOCH,    /* hd_lock_epoch, to the target */
    HD_ITEM_LOCK_HOLDER,   /* hd_lock_holder: who held the lock before, to the origin */
    HD_ITEM_PASSIVE_QUERY, /* hd_passive_query, to the target */
    HD_ITEM_PASSIVE_ANSWER, /* the same, back to the origin: it waited */
} hd_item;

typedef struct hd_channel_count {
    hd_channel_key key;
    uint32_t       n, unused;
} hd_channel_count;

typedef struct hd_message { /* what a receiver needs of a send */
    hd_time  enter, time;   /* of the call that starts the send; of its record */
    hd_time  leave;         /* of that call */
    uint64_t bytes;
    uint32_t thread, order; /* of the record: which one it is in its location's op log */
    hd_time  done_enter, done_leave; /* of the call that completes the send and can wait for the receiver */
    uint32_t done_call_path; /* HD_NONE: there is no such call */
    uint32_t done_call;      /* MPI_Waitall, MPI_Waitsome: its index in send_calls; HD_NONE: the call completes one send */
    uint32_t done_number;    /* of the completion in its location */
    uint32_t done_thread;
} hd_message;

typedef struct hd_message_item {
    hd_channel_key key;
    uint32_t       number, unused;
    hd_message     message;
} hd_message_item;

typedef struct hd_late_receiver_item {
    uint32_t process, thread, call_path, call, number, is_empty;
    hd_span  wait;
    hd_time  enter, leave;   /* of the call that waited */
    uint32_t receiver, receiver_thread, receiver_order, post; /* the receive, see hd_op */
} hd_late_receiver_item;

typedef struct hd_link { /* a channel of an agent while it is replayed */
    hd_box  *box;        /* of a receive, or of a send to a process of the same host; else NULL */
    uint32_t next;       /* number of its next operation, where no other thread shares the channel */
    uint32_t limit;      /* sends from this number on have no receive */
    uint32_t host;       /* of the receiver of sends */
} hd_link;

typedef struct hd_late_sender { /* one that waits to be known as in order or not (docs/metrics.md#wrong-order) */
    hd_time  sent;
    hd_span  wait;
    uint32_t call_path;
    uint32_t source;   /* process; with compat the rank in the communicator */
    bool     is_empty; /* a message of 0 bytes */
} hd_late_sender;

typedef struct hd_late_sender_call { /* of a pending Late Sender, for statistics */
    hd_time  enter, leave;
    uint32_t peer, peer_thread;
} hd_late_sender_call;

typedef struct hd_multi_message { /* to be told to the message patterns once it is known which of them was booked */
    uint64_t bytes;
    uint32_t peer, order;
} hd_multi_message;

typedef struct hd_late_receivers { /* of one call that completes several sends */
    hd_span  wait;                 /* the largest */
    uint32_t number : 30;          /* of its completion, the lowest among equals */
    uint32_t is_empty : 1;
    uint32_t suppressed : 1;       /* a receive of the same call waited for its sender */
    uint32_t receiver, receiver_thread, receiver_order, post; /* who made it wait */
} hd_late_receivers;

typedef struct hd_nbc_call { /* a call that completes non-blocking collectives: only the longest wait in it counts */
    hd_span   wait;          /* 0: none so far */
    hd_metric metric;        /* under which it is booked */
    uint32_t  number;        /* of the collective, the lowest among equals */
    uint32_t  n_open;        /* collectives that are not decided yet, and one while the call is being replayed */
    uint32_t  peer;          /* that was waited for */
    hd_time   leave;
    hd_sync   sync;          /* the wait as a point */
    hd_sync_group group;
    struct hd_agent *agent;
} hd_nbc_call;

typedef struct hd_rma_partner { /* who was waited for: the last one of several */
    hd_time  enter, leave;      /* of its call */
    uint32_t process, thread, order; /* of its record; process HD_NONE: nobody */
} hd_rma_partner;

typedef struct hd_lock_epoch { /* of a window, on one target */
    uint32_t window, target;   /* communicator; process */
    uint32_t origin, thread, lock_order, order; /* of the records that begin and end it */
    uint32_t rank, is_exclusive; /* rank: of the target */
    hd_time  enter, release, leave; /* of the lock call; of the record; of the unlock call */
} hd_lock_epoch;

typedef struct hd_lock_holder { /* the epoch before one that conflicts with it */
    uint32_t       origin, thread, lock_order, rank; /* whom it is for; rank: of the target */
    hd_time        release;
    hd_rma_partner holder;
} hd_lock_holder;

typedef struct hd_passive_query { /* a call on a locked target */
    uint32_t target, origin, thread;
    uint32_t call, call_path, is_access; /* call: its number in its location */
    hd_time  enter, leave;
    hd_time  entered; /* when the target entered MPI next; 0: it was there; UINT64_MAX: unknown */
} hd_passive_query;

typedef struct hd_passive hd_passive; /* passive.c */

typedef struct hd_rma_deposit { /* at a fence: what two processes did with each other since the one before */
    uint32_t process, peer;     /* a target, and an origin; or, with order == 0, an origin, and its target */
    hd_time  leave;             /* of the origin's last operation, */
    uint32_t thread, order;     /* and its record */
} hd_rma_deposit;

typedef struct hd_rma_deposits {
    hd_rma_deposit *rows; /* [n] */
    size_t          n, capacity;
} hd_rma_deposits;

typedef struct hd_rma_window hd_rma_window;
typedef struct hd_backward hd_backward;

typedef struct hd_agent {
    const hd_loaded_process  *process;
    hd_loaded_location       *location;
    uint32_t                  number; /* index in the rank's agents */
    uint32_t                  process_id, thread;
    hd_cursor                 cursor;
    hd_op                     op;        /* the one at hand */
    uint32_t                  op_number; /* of op in its channel */
    uint32_t                  order;     /* of op in the log: 1, 2, ... */
    bool                      has_op, in_call, started, given_up;
    hd_link                  *links;     /* [log.n_channels] */
    hd_table                  send_channels; /* hash -> channel; empty until a send without a receive is found */
    hd_severities             severities; /* call paths of the location */
    hd_costs                  costs;      /* call paths of the unified tree */
    hd_severities             answers;    /* costs that other locations told of, see backward.c */
    hd_syncs                  syncs;     /* synchronisation points found so far */
    hd_backward              *backward;  /* on its way back over them */
    hd_late_sender            worst;     /* of the MPI_Waitall at hand; wait == 0: none */
    hd_sync                   worst_sync; /* the same as a synchronisation point */
    hd_late_sender           *pending;   /* [n_pending] ascending by `sent`; with compat at most 100, in order of occurrence */
    size_t                    n_pending, capacity_pending;
    hd_late_sender_call      *pending_calls; /* [n_pending_calls] of the same ones; only for statistics */
    size_t                    n_pending_calls, capacity_pending_calls;
    hd_late_receivers        *late_receivers; /* [log.n_send_calls], NULL until the first */
    char                     *message_state; /* of the request's message patterns, one behind the other; NULL until the first message */
    hd_multi_message         *multi;     /* [n_multi] received in the call at hand, which completes several */
    size_t                    n_multi, capacity_multi;
    hd_nbc_call              *nbc_call; /* of the call at hand, NULL: none */
    const uint32_t           *map;       /* node of the process -> unified call path */
    uint32_t                  n_calls;   /* of the log, begun */
    hd_rma_window           **windows;   /* [log.n_channels] by the window's own channel, each NULL until its first use; NULL: none */
    struct {
        uint32_t call, target;
    }                         last_query; /* passive.h */
    hd_passive               *passive;   /* of a process's first thread: what was left for it as a target; NULL: nothing */
    hd_lock_holder           *holders;   /* [n_holders] what targets told at the end */
    size_t                    n_holders, capacity_holders;
    hd_passive_query         *answers_of_targets; /* [n_answers_of_targets] */
    size_t                    n_answers_of_targets, capacity_answers_of_targets;
} hd_agent;

typedef struct hd_open_send { /* of a call or request that was open at the end, and that has no receive */
    uint32_t process, thread, peer, comm, tag;
    bool     is_request;
} hd_open_send;

typedef struct hd_replay hd_replay;

typedef struct hd_replay_host { /* one thread's */
    _Alignas(64) hd_replay *replay;
    hd_mailbox      mailbox;
    hd_tree_scratch scratch;
    hd_findings     findings;
    hd_open_send   *open_sends;  /* [n_open_sends] */
    uint32_t       *has_mail;    /* [n_has_mail] processes for which there are messages that they did not receive */
    size_t          n_open_sends, capacity_open_sends, n_has_mail, capacity_has_mail;
    struct hd_coll_host *coll;   /* collective operations, coll_stats.h; NULL once the forward replay is over */
    hd_process_list **lists;     /* [n_lists] who synchronised, of collectives in which not all did */
    size_t          n_lists, capacity_lists;
    hd_time_vector  own, other, whole, waits; /* worked with by the backward replay; whole, waits: --compat=scout26 */
    double          unit;        /* ticks of the unit of vectors */
    uint32_t        limit;       /* of elements in a vector, see sync_time.h; 0: none */
    hd_pool         letters, mail; /* of the backward replay */
    hd_pool         charges;     /* hd_effect_charge */
    void           *entries;     /* [capacity_entries] bytes on their way */
    size_t          capacity_entries;
    hd_effect_costs wait_costs, scales; /* worked with, as these: */
    hd_time_entry  *excess;      /* [n_excess] */
    size_t          n_excess, capacity_excess;
    double          cause_fraction; /* replay->cause_fraction */
    hd_cause_table  causes, pairs; /* who made whom wait: call paths, processes */
    hd_map          sorted_members; /* communicator -> uint32_t *, ascending */
    uint32_t       *unmet;       /* [n_processes] marks, while points are put in order (sync_build.c) */
    uint32_t        last_mark;
    size_t          freed_bytes, kept_bytes; /* since gaps were given back; of points and vectors */
    uint64_t        n_received, n_collectives;
    hd_passive     *passive;     /* epochs on all processes of a window; NULL: none */
    hd_instance_table *statistics; /* NULL: not wanted */
} hd_replay_host;

struct hd_replay {
    const hd_replay_request *request;
    const hd_defs           *defs;
    hd_scratch              *scratch;  /* the trace's: for what grows with its length */
    bool                     compat;
    double                   fraction; /* sums that come in any order are counted in 1 / fraction of a tick */
    double                   cause_fraction; /* likewise, of tables for all locations */
    hd_scout_clock           clock;    /* compat */
    hd_sides                 sides;    /* of the period; n_inside is HD_NONE where there is none */
    size_t                   message_state_bytes; /* of a location: of all message patterns together */
    uint64_t                *exclusive; /* [defs->n_windows] 1: some locks of the window are */
    bool                     goes_back; /* delays or the critical path are wanted */
    hd_agent                *agents; /* [n_agents], all threads of a process one after the other */
    uint32_t                 n_agents;
    hd_table                 agent_of; /* process -> its first agent */
    hd_replay_host          *hosts;    /* [n_threads] */
    hd_give_up               give_up;  /* who waits in vain, while the engine is not running */
};

static inline hd_replay_host *
hd_replay_host_of(hd_replay *replay, const hd_host *host)
{
    return &replay->hosts[hd_host_thread(host)];
}

static inline hd_agent *
hd_replay_agent(const hd_replay *replay, uint32_t process, uint32_t thread)
{
    return &replay->agents[hd_table_get(&replay->agent_of, process) + thread];
}

/* Whether a call path of a location is one outside of the period. */
static inline bool
hd_node_is_outside(const hd_replay *replay, uint32_t node)
{
    return replay->sides.period != NULL && (node & HD_OUTSIDE) != 0;
}

/* Unified number of a call path of the agent's location. */
static inline uint32_t
hd_agent_call_path(const hd_agent *agent, uint32_t node)
{
    return agent->map[agent->location->map != NULL ? agent->location->map[node] : node];
}

typedef struct hd_wait { /* an instance of a wait state with one process */
    hd_metric metric;
    uint32_t  node;              /* call path of the location */
    hd_time   enter, leave;      /* of its call */
    hd_time   from;              /* when it began to wait, */
    hd_span   time;              /* for how long; 0: it is none */
    uint32_t  peer, peer_thread; /* that was waited for; peer HD_NONE: nobody knows */
} hd_wait;

hd_instance hd_agent_instance(const hd_agent *agent, const hd_wait *wait);
/* Adds an instance to the statistics, which are wanted. */
void hd_agent_note(hd_replay_host *rh, const hd_agent *agent, const hd_wait *wait);

/* Something that the agent has of a peer before the peer gave it: by how much. */
void hd_agent_clock_finding(hd_replay_host *rh, const hd_agent *agent, hd_finding_kind kind, uint32_t call_path, uint32_t peer, uint32_t comm,
                            hd_time time, hd_span by);
/* A finding at the agent's call at hand. */
void hd_agent_finding(hd_replay_host *host, const hd_agent *agent, hd_finding_kind kind, uint32_t call_path, uint32_t peer,
                      uint32_t comm, uint32_t tag, hd_time time);

#endif
