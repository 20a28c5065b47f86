/* replay/clock/clock_vproc.h: a location while its clock is compared and corrected, and what its worker keeps.
 *
 * A location is passed event by event; an event is an hd_clock_point of its log. Where a receive would be earlier than
 * its send, the location jumps: the event's correction (log->moves) gets as large as needed, and fades over the events
 * after it. Inside of the replay only. Uses: scheduler. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_CLOCK_VPROC_H
#define HD_CLOCK_VPROC_H

#include "clock.h"
#include "channel_queues.h"
#include "map.h"
#include "reduction_tree.h"
#include "release.h"

enum {
    HD_CLOCK_ITEM_ANNOUNCE,   /* so many messages will come */
    HD_CLOCK_ITEM_MESSAGE,
    HD_CLOCK_ITEM_LIMIT,      /* a send must not be later */
    HD_CLOCK_ITEM_COUNT,      /* a process takes part in so many collectives */
    HD_CLOCK_ITEM_INCOMPLETE, /* only so many have all their members */
    HD_CLOCK_ITEM_UP,         /* values of a collective, to the worker above */
    HD_CLOCK_ITEM_DOWN        /* the result, to the workers below */
};

typedef struct hd_clock_stamp { /* the timestamp of an event, as others need it; process HD_NONE: of no event */
    hd_time  corrected, time;   /* time: as recorded */
    uint32_t process, thread;
} hd_clock_stamp;

#define HD_CLOCK_NO_STAMP ((hd_clock_stamp){ .process = HD_NONE, .thread = HD_NONE })

typedef struct hd_clock_bound {      /* what an event must not be earlier than */
    hd_clock_stamp corrected, time;  /* the latest stamp by its corrected time, and by its recorded time */
} hd_clock_bound;

#define HD_CLOCK_NO_BOUND ((hd_clock_bound){ HD_CLOCK_NO_STAMP, HD_CLOCK_NO_STAMP })

typedef struct hd_clock_team_sync { /* threads of a process synchronise: an instance of a team, or of a barrier */
    hd_clock_stamp latest, latest_corrected; /* by recorded, corrected time: end of the team, enter of the barrier */
    hd_clock_stamp fork;
    uint32_t       n_arrived;                /* of hd_clock_team_instance.n_before */
    uint32_t       waiting;                  /* list of vprocs, see hd_clock_wait() */
    hd_time        earliest_begin;           /* corrected; of the team */
    hd_time        earliest_leave;           /* corrected; the join of the team, or leaves of the barrier */
} hd_clock_team_sync;

typedef struct hd_clock_vproc {
    const hd_clock_process *process;
    hd_clock_log           *log;
    hd_clock_team_sync     *team_syncs; /* [process->n_team_instances] shared by the vprocs of a process */
    hd_span                *limits;   /* [log->n] the largest correction that an event may have; INT64_MAX: any */
    hd_channel_queue      **queues;   /* [log->n_channels] of receives, and of sends to this worker */
    uint32_t               *workers;  /* [log->n_channels] of the receivers of sends */
    size_t                  at;       /* the next event */
    hd_time                 jump;     /* recorded time of the last jump */
    hd_span                 jumped;   /* the correction there */
    uint32_t                number, process_id, thread;
    uint32_t                next_waiting; /* see hd_clock_wait() */
    bool                    is_blocked, released;
    hd_clock_row            row;
} hd_clock_vproc;

typedef struct hd_clock_coll hd_clock_coll; /* clock_coll.c: the collectives of a worker */
typedef struct hd_clock_replay hd_clock_replay;

typedef struct hd_clock_worker { /* one thread's */
    _Alignas(64) hd_clock_replay *replay;
    hd_channel_queues         channel_queues;
    hd_reduction_tree_scratch scratch;
    hd_clock_coll            *coll;
    hd_map                    pairs_at; /* sender, receiver and kind, hashed -> in pairs */
    hd_clock_pair            *pairs;    /* [n_pairs] */
    size_t                    n_pairs, capacity_pairs;
    uint64_t                  n_released;
} hd_clock_worker;

struct hd_clock_replay {
    const hd_clock_request *request;
    const hd_defs          *defs;
    hd_clock_vproc         *vprocs; /* [n_vprocs] all threads of a process one after the other */
    uint32_t                n_vprocs;
    hd_table                vproc_of; /* process -> its first vproc */
    hd_clock_worker        *workers;  /* [n_threads] */
    hd_span                 latency, latency_of_threads; /* [ticks] */
    bool                    is_check; /* corrected times are compared, and not changed */
    hd_release              release;  /* who goes on without what it waits for */
};

static inline hd_clock_worker *
hd_clock_worker_of(hd_clock_replay *replay, const hd_worker *worker)
{
    return &replay->workers[hd_worker_thread(worker)];
}

/* The corrected time of an event that was passed. */
static inline hd_time
hd_clock_corrected(const hd_clock_log *log, size_t i)
{
    return log->points[i].time + (hd_time)log->moves[i];
}

/* The later one, by corrected or by recorded time; among equals that of the lowest process, then thread. */
static inline hd_clock_stamp
hd_clock_later(hd_clock_stamp a, hd_clock_stamp b, bool corrected)
{
    hd_time ta = corrected ? a.corrected : a.time, tb = corrected ? b.corrected : b.time;

    if (a.process == HD_NONE || b.process == HD_NONE)
        return a.process == HD_NONE ? b : a;
    if (ta != tb)
        return ta > tb ? a : b;
    return a.process < b.process || (a.process == b.process && a.thread <= b.thread) ? a : b;
}

/* The stamp of the vproc's next event, with the correction that it has so far. */
hd_clock_stamp hd_clock_stamp_at(const hd_clock_replay *replay, const hd_clock_vproc *vproc);

/* Whether the stamp is of the vproc's own location. */
bool hd_clock_is_own(const hd_clock_vproc *vproc, const hd_clock_stamp *stamp);

/* The clock condition for the vproc's next event: counts it, and a violation; jumps where that is needed. */
void hd_clock_apply(hd_clock_worker *ch, hd_clock_vproc *vproc, const hd_clock_bound *bound);

/* The vproc's next event gets its correction and is passed. */
void hd_clock_pass(const hd_clock_replay *replay, hd_clock_vproc *vproc);

/* An event that was passed must not be later than `latest`, a corrected time. */
void hd_clock_limit(hd_clock_vproc *vproc, size_t event, hd_time latest);

/* Lists of vprocs that wait, through next_waiting; HD_NONE: empty. A vproc is in one list at a time. */
void hd_clock_wait(hd_clock_vproc *vproc, uint32_t *waiting);
void hd_clock_wake_waiting(hd_clock_replay *replay, hd_worker *worker, uint32_t *waiting); /* empties the list */
/* Takes a vproc out of a list, if it is in it. */
void hd_clock_stop_waiting(hd_clock_replay *replay, const hd_clock_vproc *vproc, uint32_t *waiting);

#endif
