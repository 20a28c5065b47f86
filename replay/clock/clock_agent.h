/* replay/clock_agent.h: a location while its clock is looked at, and what its host keeps. Inside of the room only.
 * Uses: scheduler. MT: the host's thread. Ranks: local.
 */
#ifndef HD_CLOCK_AGENT_H
#define HD_CLOCK_AGENT_H

#include "clock.h"
#include "mailbox.h"
#include "map.h"
#include "tree.h"
#include "turns.h"

enum {
    HD_CLOCK_ITEM_ANNOUNCE, /* so many messages will come */
    HD_CLOCK_ITEM_MESSAGE,
    HD_CLOCK_ITEM_LIMIT,    /* a send must not be later */
    HD_CLOCK_ITEM_COUNT,    /* a process takes part in so many collectives */
    HD_CLOCK_ITEM_SHORT,    /* only so many have all their members */
    HD_CLOCK_ITEM_UP,       /* values of a collective, to the host above */
    HD_CLOCK_ITEM_DOWN      /* and the result, to the hosts below */
};

typedef struct hd_clock_event { /* something that was sent; time 0 and process HD_NONE: nothing */
    hd_time  corrected, time;
    uint32_t process, thread;
} hd_clock_event;

typedef struct hd_clock_meeting_state {
    hd_clock_event latest, latest_corrected; /* ends of the team, enters of the barrier */
    hd_clock_event fork;
    uint32_t       n_came;                   /* of n_before */
    uint32_t       waiting;                  /* agent, the first of a list through next_waiting; HD_NONE */
    hd_time        earliest_begin, earliest_after; /* of the team; the join, leaves: corrected */
} hd_clock_meeting_state;

typedef struct hd_clock_agent {
    const hd_clock_process *process;
    hd_clock_log           *log;
    hd_clock_meeting_state *meetings; /* of the process, [n_meetings] */
    hd_span                *limits;   /* [log->n] the farthest that a send may move; INT64_MAX: any */
    hd_box                **boxes;    /* [log->n_channels] of receives, and of sends to this host */
    uint32_t               *hosts;    /* [log->n_channels] of the receivers of sends */
    size_t                  at;       /* the next point */
    hd_time                 jump;     /* the last one, and how far it went */
    hd_span                 jumped;
    uint32_t                number, process_id, thread, next_waiting;
    bool                    is_parked, given_up;
    hd_clock_row            row;
} hd_clock_agent;

typedef struct hd_clock_coll hd_clock_coll; /* clock_coll.c: the collectives of a host */
typedef struct hd_clock_replay hd_clock_replay;

typedef struct hd_clock_host { /* one thread's */
    _Alignas(64) hd_clock_replay *replay;
    hd_mailbox      mailbox;
    hd_tree_scratch scratch;
    hd_clock_coll  *coll;
    hd_map          pairs_at;  /* sender, receiver and kind, hashed -> in pairs */
    hd_clock_pair  *pairs;     /* [n_pairs] */
    size_t          n_pairs, capacity_pairs;
    uint64_t        n_given_up;
} hd_clock_host;

struct hd_clock_replay {
    const hd_clock_request *request;
    const hd_defs          *defs;
    hd_clock_agent         *agents; /* [n_agents] all threads of a process one after the other */
    uint32_t                n_agents;
    hd_table                agent_of; /* process -> its first agent */
    hd_clock_host          *hosts;    /* [n_threads] */
    hd_span                 latency, latency_of_threads; /* [ticks] */
    bool                    is_check; /* corrected times are compared; nothing moves */
    hd_give_up              give_up;  /* who goes on without what it waits for */
};

static inline hd_clock_host *
hd_clock_host_of(hd_clock_replay *replay, const hd_host *host)
{
    return &replay->hosts[hd_host_thread(host)];
}

/* The corrected time of a point, once it was passed. */
static inline hd_time
hd_clock_corrected(const hd_clock_log *log, size_t i)
{
    return log->points[i].time + (hd_time)log->moves[i];
}

static inline hd_clock_event
hd_clock_later(hd_clock_event a, hd_clock_event b, bool corrected)
{
    hd_time ta = corrected ? a.corrected : a.time, tb = corrected ? b.corrected : b.time;

    if (a.process == HD_NONE || b.process == HD_NONE)
        return a.process == HD_NONE ? b : a;
    if (ta != tb)
        return ta > tb ? a : b;
    return a.process < b.process || (a.process == b.process && a.thread <= b.thread) ? a : b;
}

#define HD_CLOCK_NOTHING ((hd_clock_event){ .process = HD_NONE, .thread = HD_NONE })

/* What the point at hand must not be before. */
typedef struct hd_clock_bound {
    hd_clock_event corrected, time; /* the latest by either; process HD_NONE: nothing */
} hd_clock_bound;

/* How far the point at hand moves for what came before it alone, if it is at that time [ticks]. */
hd_span hd_clock_faded(const hd_clock_agent *agent, hd_time time);
/* What the point at hand is to others, at the time that it has now. */
hd_clock_event hd_clock_event_at(const hd_clock_replay *replay, const hd_clock_agent *agent);
/* Takes an agent out of a list of waiting ones, if it is in it. */
void hd_clock_stop_waiting(hd_clock_replay *replay, const hd_clock_agent *agent, uint32_t *waiting);
void hd_clock_limit(hd_clock_agent *agent, size_t point, hd_time latest); /* corrected */

#endif
