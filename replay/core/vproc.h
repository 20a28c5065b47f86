/* replay/core/vproc.h: a location while it is replayed (a vproc of the engine), and what its worker and its rank keep.
 *
 * What a pattern or a replay keeps has its own type, in its own header; here is only a pointer to it. Inside of the
 * replay only.
 * Uses: scheduler, profile. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_VPROC_H
#define HD_VPROC_H

#include "cause_table.h"
#include "instance_table.h"
#include "iterations.h"
#include "channel_queues.h"
#include "map.h"
#include "matrix.h"
#include "replay_request.h"
#include "sides.h"
#include "reduction_tree.h"
#include "release.h"
#include "work_table.h"

typedef enum hd_item {
    HD_ITEM_ANNOUNCE,      /* hd_channel_count (p2p.c): so many sends will come */
    HD_ITEM_UNCLAIMED,     /* hd_channel_count: only so many receives are there */
    HD_ITEM_MESSAGE,       /* hd_message_item (p2p.c) */
    HD_ITEM_SYNC_SEND,     /* hd_sync_item: a receive waited for this send */
    HD_ITEM_SYNC_REQUEST,  /* hd_sync_item: a send waited for this receive request */
    HD_ITEM_SYNC_LEAVE,    /* hd_sync_item: the leave of that request's call, for the send */
    HD_ITEM_SYNC_WAITER,   /* hd_sync_item: a process waited for this root */
    HD_ITEM_COLL_UP,       /* of reduction.h, with hd_coll_value and hd_coll_step: from a worker below */
    HD_ITEM_COLL_DOWN,     /* the same, from the worker above */
    HD_ITEM_COLL_WAITS,    /* coll_waits_item and instances: how long members waited, from a worker below */
    HD_ITEM_ACCESS_NOTIFICATION,       /* coll_notification_item: what an origin did at a target before a fence */
    HD_ITEM_LOCK_EPOCH,    /* hd_lock_epoch, to the target (rma_messages.h) */
    HD_ITEM_LOCK_OWNER,   /* hd_lock_owner: the previous owner of the lock, to the origin */
    HD_ITEM_PROGRESS_REQUEST, /* hd_progress_request, to the target */
    HD_ITEM_PROGRESS_REPLY, /* the same, back to the origin: it waited */
    HD_ITEM_IDEAL_UP, HD_ITEM_IDEAL_DOWN, /* of reduction.h, with hd_ideal_value (coll_instance.h) */
    HD_ITEM_PATTERN /* and those that follow: items of patterns, by row of their table (forward_pattern.h) */
} hd_item;

typedef struct hd_link { /* a channel of a vproc */
    union {
        hd_channel_queue        *queue;      /* of a receive, or of a send to a process of the same worker */
        uintptr_t                far_worker; /* of a send to another one: its number << 1 | 1; pointers are even */
        struct hd_reduction_comm *reduction;  /* of collectives, once one was replayed (coll.c) */
    };
    uint32_t next;       /* number of its next operation; not used if other threads share the channel */
    union {
        uint32_t limit;      /* sends from this number on have no receive */
        uint32_t matrix_row; /* of receives: among the rows of the location's senders, see message_matrix.c */
    };
} hd_link;

typedef struct hd_ideal_clock { /* ideal_clock.h */
    hd_time        now, enter;  /* after what was replayed of the call, at its enter */
    hd_time        last_leave;  /* of the call, as recorded */
    hd_time        init_left, finalize_entered; /* where has_init, has_finalize */
    hd_time        from, to;    /* of the interval that it is for, as recorded; 0 and UINT64_MAX: the run */
    hd_time        plain_until; /* calls that begin before are in it, and so is the one before; 0: none is */
    hd_time        at_end;      /* where it is at `to`; then to is UINT64_MAX. 0: not there yet */
    const uint8_t *others, *others_end; /* still to come of the op log's */
    uint64_t       next_others; /* number of the call, from 0 on, that the next of them is for; UINT64_MAX: none */
    uint32_t       i_nbc;       /* of the op log's: the next that may be started */
    bool           has_init, has_finalize;
    bool           waits;       /* in the collective operation that is replayed, which is not decided */
    bool           is_blocked, is_resumed; /* there; it is decided now */
} hd_ideal_clock;

#define HD_BACKWARD_BYTES 272

typedef struct hd_vproc { /* a location; changed by its worker's thread alone */
    const hd_loaded_process  *process;
    hd_loaded_location       *location;
    const uint32_t           *map;         /* node of the process -> unified call path */
    uint32_t                  number;      /* index in the rank's vprocs */
    uint32_t                  process_id, thread;

    union { /* one replay after the other */
        struct { /* the op log */
            hd_cursor         cursor;      /* cursor.call: the call that is replayed */
            hd_op             op;          /* the operation of that call that is replayed */
            uint32_t          op_number;   /* of op in its channel; HD_NONE: not known yet */
            uint32_t          order;       /* of op in the log: 1, 2, ... */
            uint32_t          n_calls;     /* of the log, begun */
            bool              has_op, in_call; /* where it was left off: op, the call are not over */
            bool              started;
            bool              released;    /* op goes on without what it waits for */
            bool              wants_leave; /* a pattern is notified when the call is left (forward_pattern.h) */
            hd_ideal_clock    ideal;
            hd_link          *links;       /* [log.n_channels] */
            struct hd_recent_posts *posts; /* recent_posts.h; NULL: none is needed */
            hd_table          send_channels; /* hash -> channel; empty until a send without a receive is found
                                              * (p2p.c) */
        };
        struct {
            _Alignas(8) uint8_t room[HD_BACKWARD_BYTES]; /* of backward */
            hd_costs          costs;         /* call paths of the unified tree */
            hd_costs          startup_costs; /* the part of them that is outside of the main window */
        };
    };

    /* What is booked. */
    hd_severities             severities;  /* call paths of the location */
    hd_wait_series           *series;      /* of the process; NULL: none is wanted */
    hd_severities             replies;     /* costs in replies of other locations (unattributed.h); call paths of the
                                            * unified tree */

    /* What patterns and replays keep for the location, each in its own type. */
    char                     *states;      /* of the rows of the table of patterns, one after the other:
                                            * forward_pattern.h; NULL after the forward replay */
    struct hd_nbc_call       *nbc_call;    /* coll_instance.h: of the call that is replayed; NULL: it completes no
                                            * non-blocking collective */
    struct hd_rma_state      *rma;         /* rma_window.h; NULL: the archive has no windows, or the forward replay is
                                            * over */
    struct hd_syncs          *syncs;       /* sync_store.h: synchronization points */
    union {
        uint8_t              *profile;  /* until the forward replay is over: of the location, packed; profile_rows.h */
        struct hd_backward   *backward; /* then: backward_vproc.h, in room; NULL outside of the backward replay */
    };
} hd_vproc;

typedef struct hd_replay hd_replay;

/* Whether visits, messages and bytes are wanted over time: the trace has count logs then. The same on all ranks. */
bool hd_replay_counts_over_time(const hd_replay *replay);

typedef struct hd_replay_worker { /* one replay thread; changed by it alone while the engine runs */
    _Alignas(64) hd_replay *replay;
    hd_channel_queues         channel_queues; /* messages of the application that are under way */
    hd_reduction_tree_scratch scratch;
    hd_findings               findings;
    hd_instance_table        *statistics;                  /* NULL: not wanted */
    hd_cause_table            causes, pairs;               /* who made whom wait: call paths, processes */
    hd_cause_table            slices;                      /* when: slice of the delay, kind and slice of the wait */
    struct hd_slice_costs    *slice_costs[HD_N_DELAYS];    /* by slice of the wait: see cause_slices.c */
    struct hd_slice_parts    *slice_parts;                 /* see there; NULL: no delay was in several slices yet */
    struct hd_delay_parts    *delay_parts;                 /* delay_slices.h; NULL: delay costs are not wanted over
                                                            * time */
    bool                      notes_delays;                /* over time, or for simulations */
    double                    cause_fraction;              /* replay->cause_fraction */
    hd_matrix                 matrix;                      /* communication matrix (message_matrix.h) */
    hd_work_table             work;                        /* of delays, where counters are compared */
    hd_map                    sorted_members;              /* communicator -> uint32_t *, ascending (comm_members.h) */
    uint64_t                 *member_bits;                 /* [n_comms][member_words] comm_members.h; NULL: not made */
    uint32_t                  member_words;
    uint64_t                  n_received, n_collectives;   /* operations whose waiting time was determined */
    uint64_t                  n_calls;                     /* replayed, and not added to n_done of the request yet */

    /* What patterns and replays keep for the worker, each in its own type. */
    struct hd_unfinished      *unfinished; /* unfinished.h; NULL: nothing was noted */
    struct hd_coll_worker     *coll;       /* coll_instance.h; NULL once the forward replay is over */
    struct hd_rma_left        *rma_left;   /* rma_messages.h: epochs on all processes of a window; NULL: none */
    struct hd_process_list   **lists;      /* [n_lists] sync_store.h: who synchronised, of collectives in which not all
                                          * did */
    size_t                     n_lists, capacity_lists;
    uint32_t                 **node_maps;  /* [n_node_maps] sync_vectors.c: nodes of locations -> unified call paths,
                                            * that of `mapped` last */
    size_t                     n_node_maps, capacity_node_maps;
    const hd_vproc            *mapped;
    struct hd_sync_marks      *marks;    /* sync_previous.h; NULL outside of it */
    struct hd_backward_worker *backward; /* backward_vproc.h; NULL: no backward replay has begun */
} hd_replay_worker;

struct hd_replay { /* of a rank; constant while the engine runs */
    const hd_replay_request *request;
    const hd_defs           *defs;
    hd_scratch              *scratch;   /* the trace's: for what grows with its length */
    bool                     compat;    /* --compat=scout26 */
    bool                     goes_back; /* delays or the critical path are wanted */
    bool                     has_cause_slices; /* cause_slices.h: there are slices for it */
    bool                     path_times; /* the critical path is wanted over time: interval logs stay until it is
                                          * found */
    bool                     has_ideal; /* ideal clocks are wanted, and the replay has not given up (ideal_clock.h);
                                         * changes between runs of the engine */
    double                   fraction;  /* sums that come in any order are counted in 1 / fraction of a tick */
    double                   cause_fraction; /* those in tables for all locations, in 1 / cause_fraction of a tick */
    hd_scout_clock           clock;     /* with compat */
    hd_sides                 sides;     /* of the analysis interval; n_inside is HD_NONE if there is none */
    struct hd_pattern_hooks *hooks;     /* forward_pattern.h; NULL after the forward replay */
    uint64_t                *exclusive; /* [defs->n_windows] 1: some locks of the window are; NULL: there are no
                                         * windows */
    struct hd_delay_slices  *delay_slices; /* delay_slices.h; NULL: not wanted */
    hd_wait_series          *series;    /* [n_vprocs] of processes, at their first vproc; NULL: none are wanted */
    hd_vproc                *vprocs;    /* [n_vprocs] all threads of a process one after the other */
    uint32_t                 n_vprocs;
    hd_table                 vproc_of;  /* process -> its first vproc */
    hd_replay_worker        *workers;   /* [n_threads] */
    hd_release               release;   /* who waits in vain, while the engine is not running */
};

static inline hd_replay_worker *
hd_replay_worker_of(hd_replay *replay, const hd_worker *worker)
{
    return &replay->workers[hd_worker_thread(worker)];
}

static inline hd_vproc *
hd_replay_vproc(const hd_replay *replay, uint32_t process, uint32_t thread)
{
    return &replay->vprocs[hd_table_get(&replay->vproc_of, process) + thread];
}

/* Whether a call path of a location is one outside of the analysis interval. */
static inline bool
hd_node_is_outside(const hd_replay *replay, uint32_t node)
{
    return hd_sides_has(&replay->sides) && (node & HD_OUTSIDE) != 0;
}

/* Unified number of a call path of the vproc's location. */
static inline uint32_t
hd_vproc_call_path(const hd_vproc *vproc, uint32_t node)
{
    return vproc->map[vproc->location->map != NULL ? vproc->location->map[node] : node];
}

/* The same; HD_NONE: that call path of the location has none. */
static inline uint32_t
hd_vproc_call_path_if_any(const hd_vproc *vproc, uint32_t node)
{
    return vproc->location->map != NULL && vproc->location->map[node] == HD_NONE ? HD_NONE :
                                                                                  hd_vproc_call_path(vproc, node);
}

typedef struct hd_wait { /* an instance of a wait state with one process */
    hd_metric metric;
    uint32_t  node;              /* call path of the location */
    hd_time   enter, leave;      /* of its call */
    hd_time   from;              /* begin of the wait */
    hd_span   time;              /* length of the wait; 0: there is none */
    uint32_t  peer, peer_thread; /* that was waited for; peer HD_NONE: unknown */
} hd_wait;

/* Books waiting time at a call path of the location, from a time on. */
static inline void
hd_vproc_book_wait(hd_vproc *vproc, hd_metric metric, uint32_t node, hd_time from, hd_span wait)
{
    hd_severity_add(&vproc->severities, metric, node, wait);
    if (vproc->series != NULL)
        hd_wait_series_add(vproc->series, (hd_series_wait){ metric, vproc->thread, node, from, wait });
}

/* The vprocs of a worker, on its thread. */
void hd_each_vproc(hd_replay *replay, hd_worker *worker,
                   void (*visit)(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc));
/* The processes of a worker, on its thread: at the first vproc of each. */
void hd_each_process(hd_replay *replay, hd_worker *worker,
                     void (*visit)(void *context, hd_worker *worker, hd_vproc *vprocs), void *context);

/* Which vproc is released at quiescence, into replay->release; see hd_release_choose(). MT: main thread only. Ranks:
 * all, together. */
bool hd_replay_choose(hd_replay *replay, hd_blocked_at *blocked_at, bool latest, uint32_t round);

hd_instance hd_vproc_instance(const hd_vproc *vproc, const hd_wait *wait);
/* Adds an instance to the statistics, which are wanted. */
void hd_vproc_note(hd_replay_worker *rh, const hd_vproc *vproc, const hd_wait *wait);

/* A finding: the vproc has something of a peer before the peer gave it, by so many ticks. */
void hd_vproc_clock_finding(hd_replay_worker *rh, const hd_vproc *vproc, hd_finding_kind kind, uint32_t call_path,
                            uint32_t peer, uint32_t comm, hd_time time, hd_span by);
/* A finding at a call path of the location. */
void hd_vproc_finding(hd_replay_worker *worker, const hd_vproc *vproc, hd_finding_kind kind, uint32_t call_path,
                      uint32_t peer, uint32_t comm, uint32_t tag, hd_time time);

#endif
