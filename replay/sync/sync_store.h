/* replay/sync/sync_store.h: synchronization points of a location, and its time per call path between them.
 *
 * The forward replay finds them (docs/metrics.md#synchronisation-points); when it is done each location's are
 * completed, put in order and joined with the time vectors of its interval log. From then on the backward replay needs
 * neither op log nor interval log.
 *
 *   collecting ──hd_sync_complete(), its messages──▶ complete ──hd_sync_build()──▶ built: read only, by index
 *
 * Points go, from the end on, as the backward replay passes them, where nobody reads them later.
 *
 * Inside of the replay only. Uses: trace. MT: the worker's thread. Ranks: local.
 * Memory: 11 to 17 bytes per point while collecting, 30 once built, 16 more in a collective or team, 4 per call path
 * between two of them, mostly (and at most as much again for the sums of many, 24 for each), 336 per location, 12 per
 * process that has a point in common with the delayer of a collective since the point in common with all members.
 */
#ifndef HD_SYNC_STORE_H
#define HD_SYNC_STORE_H

#include "delay.h"
#include "map.h"
#include "memory.h"
#include "record_run.h"
#include "sides.h"
#include "vector_run.h"

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
    HD_SYNC_AWAITED,  /* others waited for this in a prefix reduction, for its part of a non-blocking collective, or for
                       * a lock that is released now */
    HD_SYNC_WAITED,   /* such a wait: neither is a common point, and the wait counts in vectors of such waits alone */
    HD_SYNC_EDGE,     /* leave of a barrier in which the location ran tasks; --compat=scout26: a receive request that no
                       * process waited for */
    HD_SYNC_END,      /* of the location; always the last one */
} hd_sync_kind;

#define HD_SYNC_ALL HD_NONE /* peer: all processes */
#define HD_SYNC_NBC (UINT32_C(1) << 29) /* peer: of a non-blocking collective, beside the communicator */

typedef struct hd_sync {
    hd_time  enter;     /* of its call; of a parallel region: the fork */
    hd_span  wait;      /* waiting time in the call, >= 0 */
    hd_span  pruned;    /* what the call took, without its completion time */
    uint32_t order;     /* of its record in the op log, among those with the same enter */
    uint32_t call_path; /* of the location; once built, of the unified tree; not of BEGIN, END, JOIN, IDLE, AWAITED */
    uint32_t peer;      /* process; HD_SYNC_ALL; of a collective: the communicator; of teams: the instance of the team;
                         * of a lock: number of the release in the process */
    uint32_t partner;   /* order of the partner's record (SENT: of the one that posted the receive; 0: not known yet;
                         * HD_NONE: it has no point; not of SEND, REQUEST); of a collective or team, or of a wait at a
                         * window: index in groups; IDLE: number of idle threads */
    uint32_t previous;  /* built: the last one before it with the peer, with the delayer, or, of the delayer, with all
                         * members */
    uint16_t partner_thread; /* PARALLEL: how many teams it is in: the outer one goes first */
    uint8_t  kind;      /* hd_sync_kind */
    uint8_t  delay;     /* hd_delay of its waiting time; AWAITED: of a lock, else HD_DELAY_NONE */
} hd_sync;

#define HD_SYNC_GROUP 16 /* points whose enters are counted from one of them */
#define HD_SYNC_BLOCK 16 /* points that are in one piece of memory: small ones fill the gaps that logs leave */

enum { HD_SYNC_PATH_BITS = 18, HD_SYNC_THREAD_BITS = 6, HD_SYNC_PREVIOUS_BITS = 15 };

typedef struct hd_packed_sync { /* a built hd_sync; one with larger numbers is kept whole */
    uint32_t enter;          /* from the base of its group */
    uint32_t wait, pruned;   /* of one that is kept whole not 0 */
    uint32_t peer;
    uint32_t record;         /* SEND, REQUEST: order; else partner; of one that is kept whole: which */
    uint32_t call_path : HD_SYNC_PATH_BITS, partner_thread : HD_SYNC_THREAD_BITS, kind : 4, delay : 4;
    uint16_t vector;   /* where its vector begins, from that of the block */
    uint16_t previous : HD_SYNC_PREVIOUS_BITS, is_whole : 1; /* previous: how many points before it; 0: the first one */
} hd_packed_sync;

typedef struct hd_sync_block {
    const uint8_t *vectors; /* that of its first point */
    uint32_t      *begins;  /* [of its points] of their vectors, where they are farther away than `vector` says; NULL:
                             * none is */
    hd_time        bases[HD_SYNC_BLOCK / HD_SYNC_GROUP]; /* of enters */
    hd_packed_sync points[];
} hd_sync_block;

static inline bool
hd_sync_is_lock(uint32_t kind, uint32_t delay)
{
    return (kind == HD_SYNC_AWAITED || kind == HD_SYNC_WAITED) &&
           (delay == HD_DELAY_OMP_LOCK || delay == HD_DELAY_PTHREAD_LOCK);
}

/* A receive in form: at a window a location waited for another one's call. */
static inline bool
hd_sync_is_rma_wait(uint32_t kind, uint32_t delay)
{
    return kind == HD_SYNC_RECV && delay == HD_DELAY_RMA;
}

typedef struct hd_sync_group { /* who else is at a point */
    union {
        uint32_t number; /* of the instance of a collective in its communicator; of a team or barrier in the process */
        uint32_t record; /* a wait at a window: the partner's record, of */
    };
    uint32_t delayer;    /* this process; else the process that the members of a collective waited for; barrier: thread;
                          * PARALLEL: thread that forked */
    union {
        uint32_t list;   /* of a collective in which not all synchronised: index in the worker's lists; else HD_NONE.
                          * Barrier of a team: 0 if tasks were run in it; --compat=scout26: ticks since the enter of its
                          * call; else HD_NONE */
        uint32_t thread; /* a wait at a window: of the delayer */
    };
    union {
        uint32_t root;   /* N-to-1: the root, a process; of teams: the number of threads */
        uint32_t offset; /* at windows: ticks from the enter of the call until the wait began, at most HD_NONE */
    };
} hd_sync_group;

typedef struct hd_sync_notification { /* of a receive request that a send waited for */
    hd_time  enter;     /* of the call that posted the receive */
    hd_time  leave;     /* of the other location's call */
    uint32_t peer, partner; /* process; index of the send among its points */
    uint32_t order;     /* of the receive */
    uint32_t post;      /* of the receive, see hd_op */
    uint16_t partner_thread;
    bool     is_taken;  /* its point is found */
} hd_sync_notification;

typedef struct hd_sync_leave { /* what the sender that waited learns of the call that posted the receive */
    hd_time  leave;            /* 0: not known */
    uint32_t order;            /* of its record */
    uint32_t unused;
} hd_sync_leave;

/* The completion time of a send that waited for its receiver, of which the call that posted the receive was left then.
 * With --compat=scout26 it is the negative of what it should be, where that is negative (D2). */
static inline void
hd_sync_add_leave(hd_sync *sync, hd_time leave, bool compat)
{
    if (compat == (leave > sync->enter + (hd_time)sync->pruned))
        sync->pruned += hd_span_between(sync->enter + (hd_time)sync->pruned, leave);
}

typedef struct hd_sync_intermediate { /* a process with a point in common with the delayer, after the one in common with
                                       * all members */
    uint32_t sync;                    /* the collective's */
    uint32_t process;
    uint32_t previous;                /* the common point */
} hd_sync_intermediate;

typedef struct hd_sync_waiter { /* a process that waited for the root of a collective */
    uint32_t comm, number;
    uint32_t process;
} hd_sync_waiter;

#define HD_SYNC_FAN_OUT 32 /* vectors that one on the level above sums up */
#define HD_SYNC_LEVELS 6

typedef struct hd_sync_sum { /* of the vectors of HD_SYNC_FAN_OUT^level points, without their waits */
    uint64_t begin;          /* in the bytes of its level, as in vector_run.h; with unified call paths */
    uint32_t n_bytes;
    enum { HD_SYNC_SUM_UNKNOWN, HD_SYNC_SUM_ASKED, HD_SYNC_SUM_MADE, HD_SYNC_SUM_USELESS } state; /* asked for once;
                                                                                                  * not shorter */
    double   waits;          /* their sum */
} hd_sync_sum;

typedef struct hd_sync_level {
    hd_bytes     bytes;
    hd_sync_sum *sums; /* sum i is of the points from i * HD_SYNC_FAN_OUT^level on; NULL: none was needed yet */
} hd_sync_level;

typedef struct hd_sync_run { /* of collected points, see sync_store.c */
    hd_record_run run;
    hd_time       last_enter; /* of the point that was collected last */
    uint32_t      last_order;
    uint32_t      n;          /* points, of which the run has none any more once they are decoded */
} hd_sync_run;

typedef struct hd_sync_waits { /* the waits at points in one call path */
    hd_span  all, outside;      /* outside: of the main window */
    uint32_t call_path;
} hd_sync_waits;

typedef struct hd_counted_node { /* a node of the location with points in its counter log */
    uint32_t call_path;           /* of the unified tree */
    uint32_t node;
    uint32_t hint;                /* of hd_counter_log_add() */
} hd_counted_node;

typedef struct hd_syncs_rare { /* what most locations do not have */
    hd_sync_waiter       *waiters; /* [n_waiters] */
    size_t                n_waiters, capacity_waiters;
    struct hd_time_move  *moves;   /* [n_moves] see pattern.h */
    size_t                n_moves, capacity_moves;
    hd_counted_node      *counted; /* [n_counted] ascending; built: where there is a counter log */
    size_t                n_counted;
    hd_sync_intermediate *intermediates; /* [n_intermediates] built: ascending by sync, then by previous */
    size_t                n_intermediates, capacity_intermediates;
} hd_syncs_rare;

typedef struct hd_syncs { /* of a location */
    hd_scratch           *scratch; /* the trace's: all arrays are there */
    hd_sync              *points;  /* [n] while they are built; lent by the room */
    size_t                n, n_groups;
    hd_sync_group        *groups;  /* [n_groups] of collectives and teams, once they are decoded */
    hd_sync_leave        *leaves;  /* [n_sent] NULL: none is known */
    const hd_syncs_rare  *rare;    /* not NULL; changed through hd_syncs_rare_of() */
    uint32_t              process; /* of the location */
    uint32_t              n_sent;  /* points of kind SENT collected whose partner is not known yet */
    bool                  is_decoded;
    union {
        struct { /* until they are decoded */
            hd_sync_run          own, notified; /* points that this location found itself, and those that others
                                                 * found */
            struct hd_sync_notifications *notifications; /* of others about points that hd_sync_complete() finds, see
                                                          * sync_store.c; NULL: none has come */
        };
        struct { /* from then on */
            hd_sync_block  **blocks;   /* [n_blocks] built; see hd_sync_at(). Those at the end go first */
            size_t           n_blocks;
            hd_sync         *wholes;   /* [n_wholes] in order */
            size_t           n_wholes;
            hd_vector_run    vectors;  /* built: time per call path from each point to the next, see
                                        * hd_sync_vector_at() */
            const uint32_t  *call_paths;     /* unified ones of those in vectors; NULL: they are unified */
            hd_sync_level   *levels;   /* [n_levels] from 1 on; NULL: too few points. They grow as sums are needed, see
                                        * sync_time.c */
            uint32_t         n_levels;
            const hd_scout_clock *clock; /* of vectors, NULL: they are in ticks */
            hd_sync_waits   *waits;    /* [n_waits] critical_path.c: of all points, also of those that are gone */
            uint32_t         n_waits;
            uint32_t         n_readers; /* messages of the backward replay that have come and tell points of this
                                         * location instead of their times */
            bool             has_barrier; /* some point is a barrier */
            const hd_sides  *sides;    /* NULL: there is no interval */
            const hd_analysis_intervals *intervals; /* of the process, where there are sides */
        };
    };
} hd_syncs;

typedef struct hd_process_list {
    uint32_t n;
    uint32_t processes[];
} hd_process_list;

typedef struct hd_sync_room { /* of a worker, for the points of one location after the other: pages that the system
                              * has cleared are used again */
    hd_sync  *points, *notified; /* [capacity_points], [capacity_notified] */
    uint32_t *places;            /* [capacity_places] */
    size_t    capacity_points, capacity_notified, capacity_places;
} hd_sync_room;

void hd_sync_room_fini(hd_sync_room *room, hd_scratch *scratch);

/* Collects a point. Of kind SENT without a partner: its number among them is n_sent - 1 then. */
void hd_syncs_add(hd_syncs *syncs, const hd_sync *sync);
void hd_syncs_add_notified(hd_syncs *syncs, const hd_sync *sync); /* of kind SEND, REQUEST, EDGE */
void hd_syncs_add_notification(hd_syncs *syncs, const hd_sync_notification *notification);
/* What was collected: own points in the order of collecting, in points[] before room for the notified ones; the
 * collection is gone then. Returns the notified ones, [n_notified], in the order of their records; NULL: there are
 * none. Both are lent by the room. take_notifications: [n_notifications], in the scratch. */
hd_sync *hd_syncs_decode(hd_syncs *syncs, hd_sync_room *room, size_t *n_own, size_t *n_notified);
hd_sync_notification *hd_syncs_take_notifications(hd_syncs *syncs, size_t *n_notifications);
/* A point of a collective or team. */
void hd_syncs_add_group(hd_syncs *syncs, const hd_sync *sync, hd_sync_group group);
void      hd_syncs_drop_behind(hd_syncs *syncs, size_t i); /* built: blocks behind that of point i: nobody will ask for
                                                            * their points. n stays */
hd_syncs_rare *hd_syncs_rare_of(hd_syncs *syncs); /* its own, made if it has none yet */
hd_syncs *hd_syncs_new(hd_scratch *scratch, uint32_t process); /* process: of the location */
void      hd_syncs_drop(hd_syncs *syncs); /* all points and what belongs to them */
void      hd_syncs_free(hd_syncs *syncs);

static inline const hd_packed_sync *
hd_packed_sync_at(const hd_syncs *syncs, size_t i)
{
    return &syncs->blocks[i / HD_SYNC_BLOCK]->points[i % HD_SYNC_BLOCK];
}

static inline uint32_t
hd_sync_kind_at(const hd_syncs *syncs, size_t i)
{
    return hd_packed_sync_at(syncs, i)->kind;
}

static inline uint32_t
hd_sync_peer_at(const hd_syncs *syncs, size_t i)
{
    return hd_packed_sync_at(syncs, i)->peer; /* of one that is kept whole, too */
}

static inline hd_time
hd_sync_enter_at(const hd_syncs *syncs, size_t i)
{
    const hd_sync_block  *block  = syncs->blocks[i / HD_SYNC_BLOCK];
    const hd_packed_sync *packed = &block->points[i % HD_SYNC_BLOCK];

    return HD_UNLIKELY(packed->is_whole) ? syncs->wholes[packed->record].enter :
                                           block->bases[i % HD_SYNC_BLOCK / HD_SYNC_GROUP] + packed->enter;
}

static inline uint32_t
hd_sync_previous_at(const hd_syncs *syncs, size_t i)
{
    const hd_packed_sync *packed = hd_packed_sync_at(syncs, i);

    return HD_UNLIKELY(packed->is_whole) ? syncs->wholes[packed->record].previous :
           packed->previous > 0          ? (uint32_t)i - packed->previous :
                                           0;
}

/* The enter of the end is not kept. */
static inline hd_sync
hd_sync_at(const hd_syncs *syncs, size_t i)
{
    const hd_sync_block  *block  = syncs->blocks[i / HD_SYNC_BLOCK];
    const hd_packed_sync *packed = &block->points[i % HD_SYNC_BLOCK];

    if (HD_UNLIKELY(packed->is_whole))
        return syncs->wholes[packed->record];
    return (hd_sync){ .enter = block->bases[i % HD_SYNC_BLOCK / HD_SYNC_GROUP] + packed->enter, .wait = packed->wait,
                      .pruned = packed->pruned, .order = packed->record, .call_path = packed->call_path,
                      .peer = packed->peer, .partner = packed->record,
                      .previous = packed->previous > 0 ? (uint32_t)i - packed->previous : 0,
                      .partner_thread = packed->partner_thread, .kind = packed->kind, .delay = packed->delay };
}

/* Where the vector of point i begins, which ends where that of the next one does; i == n: the end. */
static inline const uint8_t *
hd_sync_vector_at(const hd_syncs *syncs, size_t i)
{
    const hd_sync_block *block;

    if (i >= syncs->n)
        return syncs->vectors.bytes.data + syncs->vectors.bytes.n;
    block = syncs->blocks[i / HD_SYNC_BLOCK];
    return block->vectors + (HD_UNLIKELY(block->begins != NULL) ? block->begins[i % HD_SYNC_BLOCK] :
                                                                  block->points[i % HD_SYNC_BLOCK].vector);
}

static inline const hd_sync_group *
hd_sync_group_of(const hd_syncs *syncs, const hd_sync *sync)
{
    return &syncs->groups[sync->partner];
}

#endif
