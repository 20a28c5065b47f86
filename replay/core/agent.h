/* replay/core/agent.h: a location while it is replayed (an agent of the engine), and what its host and its rank keep.
 *
 * What a pattern or a replay keeps has its own type, in its own header; here is only a pointer to it. Inside of the
 * replay only.
 * Uses: scheduler, profile. MT: the host's thread. Ranks: local.
 */
#ifndef HD_AGENT_H
#define HD_AGENT_H

#include "cause_table.h"
#include "instance_table.h"
#include "mailbox.h"
#include "map.h"
#include "replay_request.h"
#include "sides.h"
#include "tree.h"
#include "turns.h"

typedef enum hd_item {
    HD_ITEM_ANNOUNCE,      /* hd_channel_count (p2p.c): so many sends will come */
    HD_ITEM_UNCLAIMED,     /* hd_channel_count: only so many receives are there */
    HD_ITEM_MESSAGE,       /* hd_message_item (p2p.c) */
    HD_ITEM_SYNC_SEND,     /* hd_sync_item: a receive waited for this send */
    HD_ITEM_SYNC_REQUEST,  /* hd_sync_item: a send waited for this receive request */
    HD_ITEM_SYNC_LEAVE,    /* hd_sync_item: the leave of that request's call, for the send */
    HD_ITEM_SYNC_WAITER,   /* hd_sync_item: a process waited for this root */
    HD_ITEM_COLL_UP,       /* of reduction.h, with hd_coll_value and hd_coll_step: from a host below */
    HD_ITEM_COLL_DOWN,     /* the same, from the host above */
    HD_ITEM_COLL_WAITS,    /* coll_waits_item and instances: how long members waited, from a host below */
    HD_ITEM_DEPOSIT,       /* coll_deposit_item: what an origin did at a target before a fence */
    HD_ITEM_LOCK_EPOCH,    /* hd_lock_epoch, to the target (rma_mail.h) */
    HD_ITEM_LOCK_HOLDER,   /* hd_lock_holder: who held the lock before, to the origin */
    HD_ITEM_PROGRESS_QUERY, /* hd_progress_query, to the target */
    HD_ITEM_PROGRESS_ANSWER, /* the same, back to the origin: it waited */
    HD_ITEM_PATTERN /* and those that follow: items of patterns, by row of their table (forward_pattern.h) */
} hd_item;

typedef struct hd_link { /* a channel of an agent */
    hd_box  *box;        /* of a receive, or of a send to a process of the same host; else NULL */
    uint32_t next;       /* number of its next operation; not used if other threads share the channel */
    uint32_t limit;      /* sends from this number on have no receive */
    uint32_t host;       /* of the receiver of sends */
} hd_link;

typedef struct hd_agent { /* a location; changed by its host's thread alone */
    const hd_loaded_process  *process;
    hd_loaded_location       *location;
    const uint32_t           *map;         /* node of the process -> unified call path */
    uint32_t                  number;      /* index in the rank's agents */
    uint32_t                  process_id, thread;

    /* The op log. */
    hd_cursor                 cursor;      /* cursor.call: the call that is replayed */
    hd_op                     op;          /* the operation of that call that is replayed; valid if has_op */
    uint32_t                  op_number;   /* of op in its channel; HD_NONE: not known yet */
    uint32_t                  order;       /* of op in the log: 1, 2, ... */
    uint32_t                  n_calls;     /* of the log, begun */
    bool                      has_op, in_call, started;
    bool                      given_up;    /* op goes on without what it waits for */
    bool                      wants_leave; /* a pattern is to be told when the call is left (forward_pattern.h) */
    hd_link                  *links;       /* [log.n_channels] */
    hd_table                  send_channels; /* hash -> channel; empty until a send without a receive is found (p2p.c) */

    /* What is booked. */
    hd_severities             severities;  /* call paths of the location */
    hd_costs                  costs;       /* call paths of the unified tree */
    hd_severities             answers;     /* costs that other locations told of (unattributed.h); call paths of the unified tree */

    /* What patterns and replays keep for the location, each in its own type. */
    void                    **states;      /* [rows of the table of patterns] forward_pattern.h; NULL after the forward replay */
    struct hd_nbc_call       *nbc_call;    /* coll_instance.h: of the call that is replayed; NULL: it completes no non-blocking collective */
    struct hd_rma_state      *rma;         /* rma_window.h; NULL: the archive has no windows, or the forward replay is over */
    struct hd_syncs          *syncs;       /* sync_store.h: synchronization points */
    struct hd_backward       *backward;    /* backward_agent.h; NULL outside of the backward replay */
} hd_agent;

typedef struct hd_replay hd_replay;

typedef struct hd_replay_host { /* one replay thread; changed by it alone while the engine runs */
    _Alignas(64) hd_replay *replay;
    hd_mailbox         mailbox;        /* messages of the application that are under way */
    hd_tree_scratch    scratch;
    hd_findings        findings;
    hd_instance_table *statistics;     /* NULL: not wanted */
    hd_cause_table     causes, pairs;  /* who made whom wait: call paths, processes */
    double             cause_fraction; /* replay->cause_fraction */
    hd_map             sorted_members; /* communicator -> uint32_t *, ascending (comm_members.h) */
    uint64_t           n_received, n_collectives; /* operations whose waiting time was determined */

    /* What patterns and replays keep for the host, each in its own type. */
    struct hd_unfinished    *unfinished; /* unfinished.h; NULL: nothing was noted */
    struct hd_coll_host     *coll;       /* coll_instance.h; NULL once the forward replay is over */
    struct hd_rma_left      *rma_left;   /* rma_mail.h: epochs on all processes of a window; NULL: none */
    struct hd_process_list **lists;      /* [n_lists] sync_store.h: who synchronised, of collectives in which not all did */
    size_t                   n_lists, capacity_lists;
    struct hd_sync_marks    *marks;      /* sync_previous.h; NULL outside of it */
    struct hd_backward_host *backward;   /* backward_agent.h; NULL: no backward replay has begun */
} hd_replay_host;

struct hd_replay { /* of a rank; constant while the engine runs */
    const hd_replay_request *request;
    const hd_defs           *defs;
    hd_scratch              *scratch;   /* the trace's: for what grows with its length */
    bool                     compat;    /* --compat=scout26 */
    bool                     goes_back; /* delays or the critical path are wanted */
    double                   fraction;  /* sums that come in any order are counted in 1 / fraction of a tick */
    double                   cause_fraction; /* those in tables for all locations, in 1 / cause_fraction of a tick */
    hd_scout_clock           clock;     /* with compat */
    hd_sides                 sides;     /* of the analysis interval; n_inside is HD_NONE if there is none */
    struct hd_pattern_hooks *hooks;     /* forward_pattern.h; NULL after the forward replay */
    uint64_t                *exclusive; /* [defs->n_windows] 1: some locks of the window are; NULL: there are no windows */
    hd_agent                *agents;    /* [n_agents] all threads of a process one after the other */
    uint32_t                 n_agents;
    hd_table                 agent_of;  /* process -> its first agent */
    hd_replay_host          *hosts;     /* [n_threads] */
    hd_give_up               give_up;   /* who waits in vain, while the engine is not running */
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

/* Whether a call path of a location is one outside of the analysis interval. */
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
    uint32_t  peer, peer_thread; /* that was waited for; peer HD_NONE: unknown */
} hd_wait;

/* The agents of a host, on its thread. */
void hd_each_agent(hd_replay *replay, hd_host *host, void (*visit)(hd_replay_host *rh, hd_host *host, hd_agent *agent));
/* The first agent, from this one on, of a process of the host; replay->n_agents: there is none any more. */
uint32_t hd_each_process(hd_replay *replay, hd_host *host, uint32_t agent);

/* Who gives up at quiescence, into replay->give_up; see hd_turns_choose(). MT: main thread only. Ranks: all,
 * together. */
bool hd_replay_choose(hd_replay *replay, hd_parked_at *parked_at, bool latest, uint32_t round);

hd_instance hd_agent_instance(const hd_agent *agent, const hd_wait *wait);
/* Adds an instance to the statistics, which are wanted. */
void hd_agent_note(hd_replay_host *rh, const hd_agent *agent, const hd_wait *wait);

/* A finding: the agent has something of a peer before the peer gave it, by so many ticks. */
void hd_agent_clock_finding(hd_replay_host *rh, const hd_agent *agent, hd_finding_kind kind, uint32_t call_path, uint32_t peer, uint32_t comm,
                            hd_time time, hd_span by);
/* A finding at a call path of the location. */
void hd_agent_finding(hd_replay_host *host, const hd_agent *agent, hd_finding_kind kind, uint32_t call_path, uint32_t peer,
                      uint32_t comm, uint32_t tag, hd_time time);

#endif
