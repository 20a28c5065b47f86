/* replay/simulate/sim_state.h: a location while it is simulated, and what its worker and its rank keep.
 *
 *   call         a call of the op log
 *   dependency   what a call waits for: the enter of another call (of a sender, a receiver, the root), or the latest
 *                enter of the members of a collective operation
 *   notice       the other end of a dependency: at the new enter of this call, tell that dependency
 *   member       the part of a location in a collective operation in which all wait for the latest, or of a thread in
 *                a barrier of its team or the end of the team
 *
 * The model (calls, dependencies, notices, members) is made once; after that the op logs are not needed any more. Each
 * pass computes new times for HD_SIM_LANES hypotheses from it. Inside of the component only.
 * Uses: scheduler, profile. MT: the worker's thread. Ranks: local.
 * Memory: 32 bytes per call, 48 per dependency, 16 per notice, 28 per member; while the model is made 176 per
 * message more, 88 less where both ends are on one worker, and until they are exchanged 72 per record of a collective
 * operation or one-sided communication.
 */
#ifndef HD_SIM_STATE_H
#define HD_SIM_STATE_H

#include "channel_queues.h"
#include "map.h"
#include "reduction.h"
#include "reduction_tree.h"
#include "release.h"
#include "sim_fit.h"
#include "sim_lanes.h"
#include "sim_network.h"
#include "sim_protocol.h"
#include "sim_tree.h"
#include "simulate_request.h"

typedef struct hd_sim_times { /* with the fits as they are */
    hd_span lane[HD_SIM_LANES]; /* of each hypothesis */
} hd_sim_times;

enum {                         /* flags of calls */
    HD_SIM_CALL_BARRIER  = 1,  /* it synchronises and moves no data */
    HD_SIM_CALL_RECEIVES = 2,  /* it completes receives */
    HD_SIM_CALL_NESTED   = 4,  /* it encloses the call before it */
    HD_SIM_CALL_KEPT     = 8,  /* something in it is not simulated */
    HD_SIM_CALL_MOVES    = 16, /* it sends or receives data, or completes that */
    HD_SIM_CALL_POLLED   = 32, /* it is a polled wait, from the first poll on */
    HD_SIM_CALL_ORDER    = 128, /* it may get messages in another order (sim_order.h) */
    HD_SIM_CALL_WORLD    = 256, /* MPI_Init, MPI_Finalize */
    HD_SIM_CALL_THREADS  = 512, /* of the log of threads: of no record in the op log */
    HD_SIM_CALL_POINT    = 1024, /* of them those that are no part of a region: fork, begin and end of a thread, join,
                                  * release of a lock */
    HD_SIM_CALL_WINDOW   = 2048, /* it begins or ends an access or lock epoch, or accesses a window */
    HD_SIM_CALL_STARTS   = 4096, /* the location has no time before it: it begins when its dependency says */
    HD_SIM_CALL_IDLE     = 8192  /* the thread has nothing to do until then: of itself it takes no time */
};

enum { HD_SIM_OPERATIONS = 64 }; /* OTF2's numbers of collective operations are below */

enum { HD_SIM_ADJACENT = 10000 }; /* parts of a second: less than one is between calls that count as one */

/* In place of a communicator: what the threads of a process do together (sim_team.h). */
#define HD_SIM_TEAM HD_NONE

typedef struct hd_sim_call {
    hd_time  enter, leave;
    uint32_t node;  /* call path of the location */
    uint32_t flags;
    uint32_t class; /* of its worker: how long it takes if it does not wait; only where it has dependencies */
    uint32_t n_dependencies; /* once they are linked */
} hd_sim_call;

typedef struct hd_sim_dependency {
    hd_time  time;    /* recorded: the enter that the call depends on */
    uint64_t bytes;
    uint32_t call;    /* that waits */
    uint32_t message; /* sim_roles.h; 0: none */
    uint32_t process; /* whose call; HD_NONE: an operation */
    union {
        uint32_t thread; /* the same; collective: communicator * 2 + non-blocking; of threads: HD_SIM_TEAM */
        uint32_t class;  /* once they are linked: of its worker, from there to the leave of the call */
    };
    union {
        uint32_t from;    /* which call; number of the operation */
        uint32_t arrived; /* in a pass: where its new times are (sim_arrival.h); HD_NONE: not yet */
    };
    uint32_t n_members;             /* of collectives, and of teams; else 0 */
    uint32_t comm;                  /* the same */
    uint16_t operation;             /* the same */
    uint8_t  kind;                  /* hd_sim_kind */
    bool     is_same_node : 1;
    bool     is_relay : 1; /* the later of the enter of `from` and of what that depends on */
    bool     is_leave : 1; /* the leave of `from`, not its enter */
    bool     is_synchronous : 1; /* rendezvous: of MPI_Ssend, MPI_Issend */
    bool     is_extra : 1; /* it counts only where a hypothesis says so: of an eager send on its receiver */
} hd_sim_dependency;

_Static_assert(sizeof(hd_sim_dependency) == 48, "no gaps: there may be many");

typedef enum hd_sim_what { /* of the call that others depend on */
    HD_SIM_ENTER, HD_SIM_RELAY, HD_SIM_LEAVE
} hd_sim_what;

typedef struct hd_sim_notice {
    uint32_t call;
    uint32_t process;     /* whose dependency; HD_NONE: of a location of this worker */
    uint32_t thread_what; /* its thread, of this worker the location << 2 | hd_sim_what */
    uint32_t dependency;
} hd_sim_notice;

typedef struct hd_sim_member {
    uint32_t call; /* whose enter counts */
    uint32_t comm, number;
    uint32_t waiter;     /* vproc with the dependency; HD_NONE: it does not wait */
    uint32_t dependency;
    uint8_t  side;
    bool     is_nbc, contributes;
} hd_sim_member;

typedef struct hd_sim_team_size {
    uint32_t n_members, n_contribute;
} hd_sim_team_size;

typedef struct hd_sim_polled { /* a call that is a polled wait (hd_polled_wait) */
    hd_time  until;              /* enter of the last call in it: the boundary in the interval log */
    hd_span  gaps;               /* computation in it, which is none */
    uint32_t call, node;         /* node: call path of the gaps */
    uint32_t n_polls, unused;
} hd_sim_polled;

typedef struct hd_sim_post { /* of a receive */
    hd_time  enter;
    uint32_t call;
} hd_sim_post;

typedef struct hd_sim_receive {
    hd_time  begin; /* of the op */
    uint32_t call, channel, post, number;
    uint32_t post_call, post_thread; /* HD_NONE: not known */
} hd_sim_receive;

typedef struct hd_sim_sent { /* a send of the op log, which is not cancelled */
    uint64_t bytes;
    uint32_t call, channel;
    uint32_t number;  /* in the channel */
    uint32_t request; /* its position in completions; HD_NONE: it is blocking */
} hd_sim_sent;

typedef struct hd_sim_source { /* of the messages of a channel: the channel of their sender */
    const struct hd_sim_location *sender; /* NULL: they are exchanged */
    uint32_t                      channel;
    bool                          is_known;
} hd_sim_source;

typedef struct hd_sim_record { /* another record of the op log that concerns several locations */
    hd_op    op;
    uint32_t call, number; /* number: in its channel, if it has one */
} hd_sim_record;

typedef struct hd_sim_send { /* what a receiver learns of a send */
    hd_time  enter;
    uint64_t bytes;
    hd_time  done_enter, done_leave; /* of the call that completes it and can wait for the receiver */
    uint32_t thread, call;
    uint32_t done_thread, done_call; /* HD_NONE: there is none */
    uint32_t path;                   /* unified call path of the call that sends */
    uint8_t  mode;                   /* hd_sim_mode */
    bool     is_pure;                /* that call completes sends only */
} hd_sim_send;

typedef struct hd_sim_candidate { /* a send that may wait for its receiver, with the receiver */
    uint64_t bytes;
    hd_time  done_leave;  /* of the call that completes it */
    hd_time  post_enter;  /* of the call that posts the receive */
    hd_time  there_enter; /* since when, or from when on, the receiver is in MPI; UINT64_MAX: not known */
    uint32_t post_thread, post_call, there_call;
    uint32_t process, thread;        /* the sender */
    uint32_t done_thread, done_call; /* the same */
    uint32_t path, tag;
    uint8_t  mode; /* hd_sim_mode */
} hd_sim_candidate;

typedef struct hd_sim_location {
    const hd_loaded_process  *process;
    const hd_loaded_location *location;
    const uint32_t           *map; /* node of the process -> unified call path */
    uint32_t                  number, process_id, thread;
    bool                      is_thread; /* no stream of a device: those keep their times, and nobody waits for them */

    hd_sim_call       *calls; /* [n_calls] */
    hd_sim_dependency *dependencies; /* [n_dependencies] by call, once they are linked */
    hd_sim_notice     *notices; /* [n_notices] by call, the same */
    hd_sim_member     *members; /* [n_members] by call, the same */
    hd_sim_polled     *polled; /* [n_polled] by call */
    size_t             n_calls, capacity_calls, n_dependencies, capacity_dependencies, n_notices, capacity_notices,
        n_members, capacity_members, n_polled, capacity_polled;

    hd_sim_team_size  *team_sizes; /* [n_teams] of the first location of a process: of what its threads do together */
    uint32_t           n_teams;
    struct hd_sim_roles *roles;             /* sim_roles.h; NULL: none, or nobody asks */
    uint32_t            *n_message_records; /* [n_calls] UINT32_MAX: the call has other records; NULL: nobody asks */

    /* While the model is made. */
    struct hd_sim_thread_call *thread_calls; /* [n_thread_calls] sim_threads.h */
    uint32_t         *op_calls;              /* [n_op_calls] those of the op log */
    size_t            n_thread_calls, capacity_thread_calls, n_op_calls;
    uint32_t         *call_of_send_call; /* [log.n_send_calls] */
    uint32_t         *next;              /* [log.n_channels] number of the next operation */
    hd_sim_sent      *sent;              /* [n_sent] until they are exchanged */
    hd_sim_sent      *own_sent;          /* those that are not, by channel and number (sim_messages.c) */
    uint32_t         *first_sent;        /* [log.n_channels] where those of a channel are; HD_NONE: there are none */
    hd_sim_source    *sources;           /* [log.n_channels] */
    hd_sim_record    *others;            /* [n_others] the same */
    hd_channel_queue **queues;           /* [log.n_channels] of sends and receives; NULL: not looked for yet */
    hd_sim_post      *posts;             /* [n_posts] */
    hd_sim_receive   *receives;          /* [n_receives] */
    hd_sim_candidate *candidates;        /* [n_candidates] */
    uint32_t         *periods;           /* [n_calls] the first of adjacent calls; NULL: nobody asked */
    size_t            n_sent, capacity_sent, n_others, capacity_others, i_sent, i_other;
    size_t            n_posts, capacity_posts, n_receives, capacity_receives, n_candidates, capacity_candidates;
    struct hd_sim_rma *rma;              /* sim_rma.c, NULL: none yet */
    hd_cursor         cursor;
    size_t            i_after;       /* in op_calls: what hd_sim_call_after() found last */
    size_t            i_post;        /* in posts: what was found last */

    /* While it is passed. */
    hd_interval_cursor    intervals;
    struct hd_sim_piece_cursor *piece_cursors; /* [n_piece_cursors] changed pieces of the lanes */
    size_t                n_piece_cursors;
    uint64_t              i_piece;  /* of the next piece; counted where there are cursors */
    struct hd_sim_change *changes;  /* [n_changes] sim_change.h */
    uint32_t             *change_of; /* [nodes of the location] in changes, HD_NONE; NULL: nothing changes */
    uint8_t              *dropped;   /* [the same] lanes in which barriers there are left out; NULL: none */
    uint8_t              *overlapped; /* [the same] lanes in which calls there wait together; NULL: none */
    hd_span              *pending;    /* in those: until when calls before would have waited */
    hd_span              *pending_latest; /* and the latest time that they depend on */
    hd_span              *cut_sums;   /* [the same] time between two calls where what is long is cut; NULL: none */
    uint32_t             *cut_nodes;  /* [n_cut_nodes] with such time */
    size_t                n_cut_nodes, capacity_cut_nodes;
    bool                 *in_mpi;    /* [the same] in MPI, or below; NULL: that is not asked for */
    uint8_t               zero;      /* lanes in which MPI takes no time but waiting */
    hd_span               covered;   /* in those: time in calls of MPI of the log that stands in intervals to come */
    uint64_t             *rests;     /* [n_rests] what is left of a tick, of each change; below its denominator */
    uint32_t              n_changes, n_rests;
    bool                  is_summed; /* pieces of time may be summed before they change (sim_change.c) */
    bool                  is_alike;  /* the same, and all that change do so alike */
    size_t                i_call, i_dependency, i_notice, i_member, i_polled;
    const hd_sim_polled  *gap;       /* of the call that is entered, NULL: it has none */
    hd_span               gap_left;  /* of its gaps */
    hd_span              *now, *enter; /* end of the call before; enter of the call */
    uint32_t              n_current, n_missing; /* dependencies of that; of them those that have not arrived */
    hd_time               last_leave; /* recorded */
    bool                  has_relay;  /* a notice of the call tells what that depends on */
    bool                  has_interval, has_entered, is_blocked, is_released, is_done;
    hd_sim_times         *times; /* [2 * n_calls] new enters and leaves, by hd_sim_column(); NULL: not wanted */
    const hd_record_log  *records;       /* NULL: new times of records are not wanted */
    hd_record_times      *moved_records; /* [HD_SIM_LANES] after a pass; the result takes them */
    hd_span              *init_left, *finalize_entered, *end; /* of the location, as all before in one array of the
                                                               * lanes of the pass, from `now` on */
    bool                  has_init_left, has_finalize_entered;

    /* sim_order.h */
    uint32_t             *order_of;  /* [nodes of the location] in orders, HD_NONE; NULL: no call may */
    struct hd_sim_order  *orders;    /* [n_orders] */
    uint8_t              *reordered; /* [n_calls] lanes in which the call gets another message first */
    size_t                n_orders;
} hd_sim_location;

typedef struct hd_sim_lane { /* what a hypothesis changes of terms (sim_terms.h) */
    const hd_change *network, *eager, *place; /* NULL: nothing */
} hd_sim_lane;

typedef struct hd_sim hd_sim;

typedef struct hd_sim_worker {
    _Alignas(64) hd_sim      *sim;
    hd_channel_queues         queues;     /* sends that were exchanged, until their receives are matched */
    hd_map                    channels;   /* hash -> location << 32 | channel whose sends are not exchanged */
    hd_reduction              collectives; /* with recorded times (sim_collectives.h), then with new ones
                                            * (sim_latest.h) */
    hd_reduction_tree_scratch scratch;
    hd_sim_evidence           evidence;
    hd_sim_tree               tree;
    struct hd_sim_rooted     *rooted; /* [n_rooted] sim_collectives.c, until trees are settled */
    struct hd_sim_step       *steps;  /* [n_steps] their members */
    size_t                    n_rooted, capacity_rooted, n_steps, capacity_steps;
    struct hd_sim_nbc_part   *nbc_parts;   /* [n_nbc_parts] sim_nbc.c, until they are settled */
    size_t                    n_nbc_parts, capacity_nbc_parts;
    uint64_t                  nbc_seen[HD_SIM_OPERATIONS][2]; /* waits that show it; of them those left before */
    struct hd_sim_lock_epoch *lock_epochs; /* [n_lock_epochs] sim_rma.c: of targets here, until they are settled */
    struct hd_sim_access     *accesses;    /* [n_accesses] the same */
    size_t                    n_lock_epochs, capacity_lock_epochs, n_accesses, capacity_accesses;
    uint64_t                  n_absent[2][2]; /* on one node or not: calls whose target was not in MPI; of them those
                                               * left before it was */
    hd_sim_classes            classes;
    hd_span                 **arrived; /* [n_arrived / HD_SIM_CHUNK] each of so many new times; the number of the next
                                        * unused one stands in those that are */
    uint32_t                  n_arrived, unused;
    hd_map                    teams; /* location << 32 | number -> struct of sim_team.c, of the pool */
    hd_pool                   team_pool, waiter_pool;
    hd_span                  *region_time; /* [defs->n_regions][1 + lanes] in calls: recorded, then simulated */
    hd_span                  *path_wait;   /* [tree->n][1 + lanes] waiting in calls, the same */
    hd_sim_counts             counts;
    uint64_t                  n_calls; /* passed, and not added to n_done of the request yet */
    uint64_t                  n_moved[HD_SIM_LANES], n_dropped; /* of the pass */
    uint64_t                  n_reordered[HD_SIM_LANES]; /* calls */
    uint64_t                 *n_directed; /* [tree->n] sim_order.h, until they are summed */
} hd_sim_worker;

typedef enum hd_sim_variant { /* of a pass */
    HD_SIM_PLAIN,
    HD_SIM_ORDER /* calls whose messages came in another order wait for nobody */
} hd_sim_variant;

enum { HD_SIM_LONG_FACTOR = 4 };

struct hd_sim { /* of a rank; constant while the engine runs */
    const hd_simulate_request *request;
    const hd_defs             *defs;
    hd_sim_location           *locations; /* [n_locations] all threads of a process one after the other */
    uint32_t                   n_locations;
    uint32_t                  *first_of; /* [defs->n_processes] its first location; HD_NONE: of another rank */
    hd_sim_worker             *workers;     /* [n_threads] */
    hd_release                 release;
    uint8_t                   *modes; /* [defs->n_regions] hd_sim_mode */
    hd_sim_protocol            protocol;
    hd_sim_learned             learned;
    hd_sim_fits                fits;
    uint64_t                  *exclusive; /* [defs->n_windows] 1: some locks are */
    bool                       needs_target[2]; /* on one node or not: calls on locked targets wait until these are in
                                                 * MPI */
    bool                       needs_calls[HD_SIM_OPERATIONS]; /* non-blocking ones go on in calls of MPI only */
    hd_sim_lines               lines;
    bool                      *is_directed; /* [tree->n] sim_order.h */
    const hd_hypothesis       *hypotheses; /* [n_lanes] of the pass */
    uint32_t                   n_lanes;  /* hypotheses of the pass */
    uint32_t                   n_computed; /* the same; 1 where only the recorded run is asked for */
    uint32_t                   n_fits;   /* variants of the fits in it: HD_SIM_N_FITS, or 1: as they are */
    uint32_t                   width;    /* n_computed * n_fits */
    hd_sim_variant             variant;
    hd_sim_lane                lanes[HD_SIM_LANES];
    uint8_t                    changed_lanes; /* bits of those in which terms of calls change */
    bool                       wants_roles;
    uint64_t                   least_limit; /* of the hypotheses "eager": larger messages get extra dependencies */
    uint64_t                   limit;       /* of the pass, in which those above it count; UINT64_MAX: there is none */
    size_t                     first;       /* hypothesis of the pass */
    hd_engine                 *engine;
};

typedef enum hd_sim_item { /* items of the engine */
    HD_SIM_ITEM_SEND,         /* hd_sim_send_item: to the receiver's worker */
    HD_SIM_ITEM_DEPENDENCY,   /* hd_sim_dependency_item: to the sender's worker */
    HD_SIM_ITEM_NOTICE,       /* hd_sim_notice_item: to the worker of the call that others depend on */
    HD_SIM_ITEM_TIMES,        /* hd_sim_times_item: new times for a dependency */
    HD_SIM_ITEM_LOCK_EPOCH, HD_SIM_ITEM_ACCESS, HD_SIM_ITEM_OWNER, /* sim_rma.c: to the target, and back */
    HD_SIM_ITEM_UP, HD_SIM_ITEM_DOWN /* of reduction.h */
} hd_sim_item;

static inline hd_sim_worker *
hd_sim_worker_of(hd_sim *sim, const hd_worker *worker)
{
    return &sim->workers[hd_worker_thread(worker)];
}

static inline hd_sim_location *
hd_sim_location_of(const hd_sim *sim, uint32_t process, uint32_t thread)
{
    return &sim->locations[sim->first_of[process] + thread];
}

static inline uint32_t
hd_sim_home(const hd_sim *sim, uint32_t process)
{
    return hd_placement_worker(sim->request->placement, (hd_process){ process });
}

static inline bool
hd_sim_is_same_node(const hd_sim *sim, uint32_t a, uint32_t b)
{
    return hd_defs_processes(sim->defs)[a].node == hd_defs_processes(sim->defs)[b].node;
}

static inline uint32_t
hd_sim_region(const hd_sim_location *location, const hd_sim_call *call)
{
    return location->location->nodes[call->node].region;
}

/* Where the new times of a lane of the pass are among those of all calls. */
static inline uint32_t
hd_sim_column(const hd_sim *sim, uint32_t lane)
{
    return lane + (sim->request->wants_times ? (uint32_t)sim->first : 0); /* of 8 hypotheses at most */
}

/* Whether any lane of the pass may wait for it. */
static inline bool
hd_sim_is_needed(const hd_sim *sim, const hd_sim_dependency *dependency)
{
    return !dependency->is_extra || dependency->bytes > sim->limit;
}

/* Unified call path of a node of the location, HD_NONE: it is none. */
static inline uint32_t
hd_sim_path_of(const hd_sim_location *location, uint32_t node)
{
    const hd_loaded_location *loaded = location->location;

    if (loaded->nodes[node].region == HD_NONE)
        return HD_NONE;
    if (loaded->map != NULL && loaded->map[node] == HD_NONE)
        return HD_NONE;
    return location->map[loaded->map != NULL ? loaded->map[node] : node];
}

/* The place of one more, to be written. */
static inline hd_sim_dependency *
hd_sim_new_dependency(hd_sim_location *location)
{
    if (HD_UNLIKELY(location->n_dependencies == location->capacity_dependencies))
        location->dependencies = hd_grow(location->dependencies, location->n_dependencies,
                                         &location->capacity_dependencies, sizeof *location->dependencies);
    return &location->dependencies[location->n_dependencies++];
}

static inline void
hd_sim_add_dependency(hd_sim_location *location, const hd_sim_dependency *dependency)
{
    *hd_sim_new_dependency(location) = *dependency;
}

/* The locations of a worker, on its thread. */
void hd_sim_each_location(hd_sim *sim, hd_worker *worker,
                          void (*visit)(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location));

/* The call of a location with that enter; HD_NONE: there is none. */
uint32_t hd_sim_call_entered(const hd_sim_location *location, hd_time enter);

/* Adds to the times of a hypothesis, in all variants of the fits. */
static inline void
hd_sim_add(const hd_sim *sim, hd_span *times, uint32_t hypothesis, hd_span time)
{
    for (uint32_t k = hypothesis; k < sim->width; k += sim->n_lanes)
        times[k] += time;
}

#endif
