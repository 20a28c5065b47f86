/* src/trace/decode/decoder.h: one location's events, in file order, become its profile and its op log. Inside of the room only.
 *
 * The OTF2 callbacks of events.c hand every record over once; nothing of a record is kept but what the op log needs. Uses: base.
 * Owner: the loading thread, one decoder per location; what later steps need stays in hd_location_join.
 * MT: one thread at a time. Ranks: local. Cost: O(1) per record, allocation only where something grows.
 */
#ifndef HD_DECODER_H
#define HD_DECODER_H

#include "clock_log.h"
#include "loader.h"
#include "map.h"
#include "moved_task.h"
#include "period.h"
#include "team_starts.h"

/* Numbers of the archive to indexes of the definitions; one per loading thread. */
typedef struct hd_refs {
    const uint32_t *refs; /* ascending or not */
    uint32_t        n;
    bool            dense; /* refs[i] == i */
    hd_table        table; /* else */
} hd_refs;

void hd_refs_init(hd_refs *refs, const uint32_t *numbers, uint32_t n);
void hd_refs_fini(hd_refs *refs);

static inline uint32_t
hd_refs_index(const hd_refs *refs, uint32_t number)
{
    if (HD_LIKELY(refs->dense))
        return number < refs->n ? number : HD_NONE;
    return hd_table_get(&refs->table, number);
}

typedef struct hd_ref_maps {
    hd_refs regions, comms, strings, windows, groups, contexts;
} hd_ref_maps;

void hd_ref_maps_init(hd_ref_maps *maps, const hd_defs *defs); /* defs: lives as long */
void hd_ref_maps_fini(hd_ref_maps *maps);

typedef enum hd_request_kind { HD_REQUEST_SEND, HD_REQUEST_RECV, HD_REQUEST_NBC } hd_request_kind;

/* Values of the map of requests: what was started, and its number (send, collective) or the enter of its call (receive). */
#define HD_REQUEST_VALUE(kind, value) ((uint64_t)(kind) << 62 | (uint64_t)(value))
#define HD_REQUEST_KIND(value) ((hd_request_kind)((value) >> 62))
#define HD_REQUEST_REST(value) ((value) & (UINT64_MAX >> 2))

typedef struct hd_orphan { /* the completion of a request that this location did not start */
    uint64_t        request;
    hd_request_kind kind;
    uint32_t        index;      /* send: unused; receive: in posted_elsewhere; collective: in nbcs, HD_NONE: of a handle */
    hd_completion   completion; /* send */
    hd_time         time;
} hd_orphan;

typedef struct hd_nested_team { /* a team that another thread than the first one forked began here */
    uint32_t comm, instance;
    uint32_t node;              /* the root of what happens in it, until the fork's place is known */
    uint32_t owner;             /* location */
} hd_nested_team;

typedef struct hd_location_join { /* what joining the locations of a process needs, dropped afterwards */
    hd_scratch *scratch;          /* of the arrays, but for nested */
    hd_map     requests;          /* started and not completed here */
    hd_orphan *orphans;
    size_t     n_orphans, capacity_orphans;
    hd_team_starts team_starts;   /* where this location forked its teams */
    hd_nested_team *nested;       /* [n_nested] */
    size_t     n_nested, capacity_nested;
    hd_stray  *strays;            /* [n_strays] tasks that may have moved, */
    size_t     n_strays, capacity_strays;
    hd_turns   turns;             /* and once it is known which: their turns */
    hd_findings findings;         /* of this location */
} hd_location_join;

typedef struct hd_open_records { /* of open calls that communicate */
    hd_bytes  pending;
    uint32_t *completed; /* non-blocking sends completed in them; with the highest bit set: an orphan's index */
    size_t    n_completed, capacity_completed;
} hd_open_records;

typedef struct hd_frame { /* an open region */
    hd_time  enter;
    uint32_t node, region;
    uint8_t  region_class, call;
    bool     has_points;      /* somebody may wait in it, or for it: among its records are others than completions of one-sided operations */
    bool     cut;             /* the period began in it */
    uint32_t n_records;
    size_t   first_byte;      /* of its records in `pending` */
    size_t   first_completed; /* of its send completions in `completed` */
    uint32_t generation;      /* MPI: the one that began with it */
    uint32_t counts;          /* MPI: index in open_counts, from 1 on; 0: none */
    hd_span  task_time;       /* compat: of the tasks that were completed in it */
    hd_span  away;            /* hd_decoder.away when it was entered */
} hd_frame;

typedef enum hd_level_kind {
    HD_LEVEL_SAMPLED, /* a region that is open, and was recorded as the caller of another one, or by a sample */
    HD_LEVEL_CALLED,  /* one that was recorded as called */
    HD_LEVEL_INSIDE,  /* no region of its own: inside of the one that is open */
    HD_LEVEL_AROUND   /* none here: around the task */
} hd_level_kind;

typedef struct hd_context_level {
    uint32_t      context; /* index in the definitions; its parent's is the one of the level before */
    hd_level_kind kind;
    size_t        open;    /* regions that are open then, with it */
} hd_context_level;

typedef struct hd_context_stack { /* the calling context that was recorded last, of a task */
    hd_context_level *levels; /* [n] the outermost one first */
    size_t            n, capacity;
    bool              is_partial; /* more of it may have been there: regions were closed without a record of them */
} hd_context_stack;

/* A task of OpenMP that is not running; the implicit one too. Each has a stack of its own (docs/metrics.md#tasks). */
typedef struct hd_task {
    hd_frame *frames; /* [depth] */
    size_t    depth, capacity_frames;
    hd_bytes  pending;   /* of the calls in frames, likewise: */
    uint32_t *completed; /* [n_completed] */
    size_t    n_completed, capacity_completed;
    uint32_t  current;
    uint32_t  stub;       /* node that stands for the task in the implicit task's tree; HD_NONE: it has entered nothing yet */
    uint32_t  from;       /* node at which the implicit task left off */
    hd_time   resumed;    /* while it runs */
    hd_span   executed[2];   /* until it left off last; [1]: outside of the period */
    hd_span   in_regions[2]; /* the part of it in the task's own regions */
    hd_span   unplaced[2];   /* not in its regions, while there is no stub yet */
    hd_time   left;       /* when it left off */
    hd_span   away;       /* time in which it did not run, since it began */
    bool      begun;      /* here: the region that it entered first is a task's, and it left none that it had not entered */
    uint32_t  moved;      /* index in the moved tasks, HD_NONE; then: */
    size_t    turn;       /* its last one, in join->turns */
    hd_open_records records; /* only where it was suspended inside of such a call */
    hd_context_stack *contexts;
} hd_task;

typedef struct hd_touched { /* a node got time */
    uint32_t node, generation;
    hd_span  time; /* that it had before; compat: that it got */
} hd_touched;

#define HD_TOUCHED_MAX 512 /* from here on the list is looked through for nodes that it has several times */

typedef struct hd_absence { /* of a task from its innermost open barrier, while other tasks ran */
    const hd_task *task;    /* NULL: the implicit one */
    hd_away        away;
} hd_absence;

typedef struct hd_open_fork {
    hd_time  time;
    uint32_t node;      /* HD_NONE: outside of all regions */
    bool     has_begun; /* the team, on this location */
} hd_open_fork;

typedef struct hd_task_team { /* explicit tasks of a team that are not completed */
    uint32_t comm, instance;  /* instance: of those that are there */
    hd_map   tasks;           /* creating thread << 32 | generation -> hd_task * */
} hd_task_team;

typedef struct hd_rma_calls { /* of windows; zeros: none yet */
    hd_map    members;       /* window, group and direction of notices -> first of the group's in channels */
    uint32_t *channels;      /* [n_channels] */
    size_t    n_channels, capacity_channels;
    hd_map    epochs;        /* channel of the window -> groups of the open access epoch (+ 1) and, << 32, of the exposure epoch (+ 1) */
    hd_map    open;          /* matching number -> channel of the window << 32 | target, of operations in lock epochs until they are complete */
    uint32_t  home, home_ref; /* channel of the window that was used last, and its number in the archive */
    bool      has_home;
    uint32_t  ended_home, ended_group; /* of the epoch that was ended last, */
    hd_time   ended_in;      /* by the call with this enter */
    hd_map    locks;         /* channel of the window << 32 | target (HD_NONE: all) of lock epochs that are open */
    uint32_t  last_channel, last_target; /* of the completions in the call at hand, once */
    hd_time   last_enter;    /* it has */
} hd_rma_calls;

typedef struct hd_decoder {
    const hd_defs        *defs;
    const hd_region      *regions;
    const hd_ref_maps    *refs;
    hd_findings          *findings;
    hd_loaded_location   *out;
    hd_location_join     *join;
    const hd_team_starts *first_starts; /* of the process's first location, which may be decoded at the same time */
    uint32_t              process, thread;
    bool                  compat; /* --compat=scout26: the time of tasks is counted twice */
    const hd_moved_tasks *moved;  /* of the process; NULL: not known yet */
    hd_frame             *frames; /* [depth] of the task that runs */
    size_t                depth, capacity_frames;
    bool                  is_closing; /* what is open, since the recording ends */
    uint32_t              current; /* node, HD_NONE: none */
    hd_task               implicit; /* while an explicit task runs */
    hd_task              *task;     /* the explicit task that runs; its frames, records and current node are here. NULL: none */
    hd_task_team         *task_teams; /* [n_task_teams] */
    size_t                n_task_teams, capacity_task_teams, last_task_team; /* looked up last */
    hd_span               away;     /* of the task that runs: time in which it did not */
    hd_absence           *absences; /* [n_absences] from barriers that are open */
    size_t                n_absences, capacity_absences;
    hd_away              *aways;    /* [capacity_aways] scratch */
    size_t                capacity_aways;
    bool                  needs_stub; /* the task has entered nothing yet that it can be called by */
    hd_open_fork         *forks; /* [n_forks] that are not joined */
    size_t                n_forks, capacity_forks;
    uint32_t             *team_places; /* [n_teams] that this location is in: the current node before each, HD_NONE: none */
    size_t                n_teams, capacity_teams;
    hd_time               now, charged; /* last record; up to where time is charged */
    hd_clock_cursor       clock;        /* corrects times before they get here; then what is behind `plausible` is found there */
    hd_time               plausible;    /* times behind it are damage */
    hd_time               latest;       /* times behind it are damage, or in another part of the run */
    const hd_period      *period;       /* what counts; NULL: all */
    bool                  is_paired;    /* every node is followed by its twin outside of the period: there is one */
    uint32_t              outside;      /* HD_OUTSIDE while `now` is outside of it, else 0 */
    hd_time               border;       /* the next one of it, UINT64_MAX: none */
    hd_counts            *open_counts;  /* [n_open_counts] of calls that the period may hold yet; node HD_NONE: free */
    size_t                n_open_counts, capacity_open_counts, capacity_open_calls;
    uint32_t              generation;   /* from 1 */
#define HD_NO_INTERVALS 0               /* as all nodes have it: no time is noted */
    hd_touched           *touched;      /* [n_touched] since the last boundary */
    struct {                            /* compat: tasks were switched, see boundary.c */
        bool     is_open;
        hd_time  time;                  /* of the enter or leave before */
        size_t   i_touched, depth;      /* what was booked since; of the task that runs now */
        uint32_t generation;
    }                     switched;
    hd_time               booked_from;  /* compat: what was booked last */
    size_t                n_touched, capacity_touched, compact_at;
    hd_interval_entry    *entries;      /* [capacity_entries] scratch */
    size_t                capacity_entries;
    hd_table              children;     /* (node << 32 | region) -> node */
    size_t                capacity_nodes;
    hd_table              counts_of;    /* node -> index in counts */
    size_t                capacity_counts;
    uint32_t              last_counts;  /* index in counts used last */
    hd_table              channel_of;
    size_t                capacity_channels;
    hd_open_records       records; /* of the task that runs */
    hd_context_stack     *contexts; /* likewise; NULL: no records with calling contexts so far */
    uint32_t             *way;      /* [HD_CONTEXT_DEPTH_MAX] scratch; NULL: likewise */
    size_t                capacity_completions, capacity_send_calls, capacity_nbcs, capacity_posted;
    uint32_t              n_completions;
    hd_time               last_leave;
    hd_time               coll_begin;
    bool                  has_coll_begin;
    struct {
        hd_time start, stop;
        bool    open; /* its frame is the innermost one */
    } flush;
    bool                  has_flush;
    hd_map                posts;          /* request -> number of the receive among those posted at its time, but for the first one */
    hd_time               posted_at;      /* n_posted receives so far */
    uint32_t              n_posted;
    hd_map                team_instances; /* team -> instances begun here */
    hd_map                own_ranks;      /* communicator -> side << 32 | rank of this process */
    hd_rma_calls          rma;
    bool                  keeps_calls;    /* in the op log those without records, too: others may wait for the next MPI call */
} hd_decoder;

typedef struct hd_message_record {
    hd_time  time;
    uint32_t peer, comm_ref, tag;
    uint64_t bytes;
} hd_message_record;

typedef struct hd_collective_record {
    hd_time  time;
    uint32_t operation, comm_ref, root;
    uint64_t sent, received;
} hd_collective_record;

typedef struct hd_access_record { /* of one-sided communication */
    uint32_t window_ref, target; /* rank */
    uint64_t put, got;           /* bytes */
    uint64_t matching;           /* its number, which its completions have, too */
} hd_access_record;

void hd_decoder_init(hd_decoder *decoder);
void hd_decoder_finish(hd_decoder *decoder); /* closes what is open, fills *out, frees the rest */

void hd_decoder_finding(hd_decoder *decoder, hd_finding_kind kind, uint32_t peer, uint32_t comm, uint32_t tag);
hd_time hd_decoder_wrong_time(hd_decoder *decoder, hd_time time); /* what stands in its place */
hd_time hd_plausible_length(const hd_defs *defs); /* how long a recording can be that says of itself how long it is */
/* The time of a record behind one at `now`, or of the first one: as it is, or, where it cannot be, now. *wrong: why, or HD_N_FINDINGS.
 * *plausible: times behind it are damage; hd_plausible_length() until there is a first record. */
hd_time hd_right_time(hd_time *plausible, hd_time now, bool is_first, hd_time time, hd_finding_kind *wrong);
/* The corrected time of a record, where clocks are corrected (clock.log is set), before any other function is called for it. */
hd_time hd_decoder_clock(hd_decoder *decoder, hd_time time, bool is_point);
void hd_decoder_flush_due(hd_decoder *decoder, hd_time time, bool is_border); /* of the period; else of a record */
uint32_t hd_decoder_child_slow(hd_decoder *decoder, uint32_t node, uint32_t region);
uint32_t hd_decoder_place(hd_decoder *decoder, uint32_t parent); /* a new node whose region is known when the process is joined */
uint32_t hd_decoder_program_node(hd_decoder *decoder); /* HD_NONE: there is none */
void     hd_decoder_close_all(hd_decoder *decoder);
void     hd_decoder_end_calls(hd_decoder *decoder); /* of the task that runs, which does not go on here */
void hd_decoder_note_end(hd_decoder *decoder); /* recording_end.h; before what is open is closed */
void hd_decoder_leave_other(hd_decoder *decoder, uint32_t region);
void hd_decoder_leave_mpi(hd_decoder *decoder, hd_frame *frame);
void hd_decoder_frames_grow(hd_decoder *decoder);

void hd_decoder_flush(hd_decoder *decoder, hd_time start, hd_time stop);
/* Records whose time hd_decoder_at() was called with: it is `now`. */
void hd_decoder_send(hd_decoder *decoder, const hd_message_record *record, const uint64_t *request);
void hd_decoder_send_complete(hd_decoder *decoder, uint64_t request);
void hd_decoder_receive_request(hd_decoder *decoder, uint64_t request);
void hd_decoder_receive(hd_decoder *decoder, const hd_message_record *record, const uint64_t *request);
void hd_decoder_cancelled(hd_decoder *decoder, uint64_t request);
void hd_decoder_collective(hd_decoder *decoder, const hd_collective_record *record);
void hd_decoder_nbc_request(hd_decoder *decoder, uint64_t request);
void hd_decoder_nbc_complete(hd_decoder *decoder, const hd_collective_record *record, uint64_t request);
/* The call of the record at hand, NULL (a finding) where it is not inside of one. */
hd_frame *hd_decoder_call_of(hd_decoder *decoder);
uint64_t *hd_decoder_counts_of(hd_decoder *decoder, hd_frame *frame); /* [HD_N_COUNTERS] until the next one is asked for */
/* The channel; HD_NONE (a finding) where communicator or peer do not exist. comm: index in the definitions */
uint32_t hd_decoder_channel(hd_decoder *decoder, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag);
/* Into the op log, before the call is left: a record, then its numbers. */
void hd_decoder_put_record(hd_decoder *decoder, hd_frame *frame, uint8_t head);
void hd_decoder_put_number(hd_decoder *decoder, uint64_t value);
/* A whole one of a collective operation, counted in its channel. */
void hd_decoder_put_collective(hd_decoder *decoder, hd_frame *frame, uint32_t channel, uint32_t operation, hd_time begin,
                               const hd_collective_record *record);
/* rma_call.c */
void hd_decoder_rma_collective(hd_decoder *decoder, const hd_collective_record *record); /* comm_ref: of the window */
void hd_decoder_rma_group(hd_decoder *decoder, uint32_t window_ref, uint32_t group_ref, bool is_done);
void hd_decoder_rma_access(hd_decoder *decoder, const hd_access_record *record);
void hd_decoder_rma_complete(hd_decoder *decoder, uint32_t window_ref, uint64_t matching, bool is_remote);
void hd_decoder_rma_lock(hd_decoder *decoder, uint32_t window_ref, uint32_t target, bool is_exclusive);
void hd_decoder_rma_unlock(hd_decoder *decoder, uint32_t window_ref, uint32_t target);
/* calling_context.c. Now: a call is entered, or else it is a sample; a call is left; the innermost regions that samples entered are left
 * (decoder->contexts is there). */
void hd_decoder_context(hd_decoder *decoder, uint32_t context_ref, uint32_t unwind_distance, bool is_call);
void hd_decoder_context_leave(hd_decoder *decoder, uint32_t context_ref);
void hd_decoder_contexts_close(hd_decoder *decoder);
/* Regions from that depth on are open no longer. Whether a sample entered the first one of them. */
bool hd_decoder_contexts_forget(hd_decoder *decoder, size_t depth);
void hd_decoder_contexts_free(hd_context_stack *stack); /* NULL is fine */
void hd_decoder_fork(hd_decoder *decoder);
void hd_decoder_team_begin(hd_decoder *decoder, uint32_t comm_ref);
void hd_decoder_team_end(hd_decoder *decoder);
void hd_decoder_thread_begin(hd_decoder *decoder);
void hd_decoder_join_team(hd_decoder *decoder);
void hd_decoder_leave_omp(hd_decoder *decoder, const hd_frame *frame);
void hd_decoder_acquire(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order);
void hd_decoder_release(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order);
/* boundary.c. Time must be charged up to the boundary. */
void hd_decoder_book_first(hd_decoder *decoder, uint32_t node, hd_span span);
void hd_decoder_enter_other(hd_decoder *decoder, hd_frame *frame); /* of a region that is not the user's */
void hd_decoder_boundary(hd_decoder *decoder, hd_time time);
/* Compat: around a switch of tasks. */
void    hd_decoder_switch_begin(hd_decoder *decoder);
void    hd_decoder_switch_end(hd_decoder *decoder);
void    hd_decoder_switch_settle(hd_decoder *decoder); /* once a region was entered or left behind it; before time is charged */
/* Now, as a lock is released; call: before it, as it has acquired one. */
void hd_decoder_boundary_of_lock(hd_decoder *decoder, const hd_frame *call);
void hd_decoder_boundary_before(hd_decoder *decoder, const hd_frame *call); /* at the enter of an MPI call that is left now */
/* Compat: scout cuts at the enter or leave before a record of an MPI call, or before the end of MPI_Init, MPI_Finalize or a barrier. Where
 * regions are inside (the user's function of a reduction, tasks) it is not the call's enter: that is no boundary then, and points look for
 * the next one. _at_leave() returns the time of the cut. */
void    hd_decoder_boundary_inside(hd_decoder *decoder, const hd_frame *call);
hd_time hd_decoder_boundary_at_leave(hd_decoder *decoder, const hd_frame *call);
void hd_decoder_compact(hd_decoder *decoder); /* when an MPI call is left */
void hd_decoder_boundaries_finish(hd_decoder *decoder);
/* The twin of a node on the side of the period where `now` is. Places of other trees and HD_NONE stay. */
static inline uint32_t
hd_decoder_here(const hd_decoder *decoder, uint32_t node)
{
    return decoder->is_paired && node != HD_NONE ? (node & ~HD_OUTSIDE) | decoder->outside : node;
}

/* The one inside. */
static inline uint32_t
hd_decoder_inner(const hd_decoder *decoder, uint32_t node)
{
    return decoder->is_paired && node != HD_NONE ? node & ~HD_OUTSIDE : node;
}

void hd_decoder_pass_borders(hd_decoder *decoder, hd_time time); /* of the period, up to there */
/* task.c. number: creating thread << 32 | generation; generation 0: the implicit task */
void hd_decoder_task_switch(hd_decoder *decoder, uint32_t comm_ref, uint64_t number);
void hd_decoder_task_complete(hd_decoder *decoder, uint32_t comm_ref, uint64_t number);
void hd_decoder_task_leave(hd_decoder *decoder, uint32_t region); /* of a moved task; entered in an earlier turn */
void hd_decoder_take_aways(hd_decoder *decoder, hd_thread_op *barrier); /* out: its aways, valid until the next call */
void hd_decoder_tasks_drop(hd_decoder *decoder);                  /* what is not completed here is over */
void hd_decoder_task_stub(hd_decoder *decoder, uint32_t region);
void hd_decoder_charge_task(hd_decoder *decoder, hd_span span);
void hd_decoder_tasks_pass_border(hd_decoder *decoder, void (*pass)(hd_decoder *decoder, hd_frame *frames, size_t n));
void hd_decoder_tasks_finish(hd_decoder *decoder);

#define HD_TIME_LAST ((hd_time)INT64_MAX / 2) /* later times cannot be; sums and differences of valid ones are no overflow */

/* The time of the next record: never before the one before it, pending flushes done. */
static inline hd_time
hd_decoder_at(hd_decoder *decoder, hd_time time)
{
    if (HD_UNLIKELY(time - decoder->now > decoder->latest - decoder->now)) /* earlier, or later than can be */
        time = hd_decoder_wrong_time(decoder, time);
    if (HD_UNLIKELY(decoder->has_flush))
        hd_decoder_flush_due(decoder, time, false);
    decoder->now = time;
    return time;
}

/* All that changes nodes[].time, so that it gets into the interval log. */
static inline void
hd_decoder_book(hd_decoder *decoder, uint32_t node, hd_span span)
{
    hd_path_node *n = &decoder->out->nodes[node];

    if (HD_LIKELY(n->generation == decoder->generation))
        n->time += span;
    else
        hd_decoder_book_first(decoder, node, span);
}

static inline void
hd_decoder_charge(hd_decoder *decoder, hd_time time)
{
    if (HD_LIKELY(decoder->depth > 0))
        hd_decoder_book(decoder, decoder->current, hd_span_between(decoder->charged, time));
    if (HD_UNLIKELY(decoder->task != NULL))
        hd_decoder_charge_task(decoder, hd_span_between(decoder->charged, time));
    decoder->charged = time;
}

static inline uint32_t
hd_decoder_child(hd_decoder *decoder, uint32_t node, uint32_t region)
{
    if (HD_LIKELY(node != HD_NONE)) {
        uint32_t last = decoder->out->nodes[node].last_child;

        if (last != HD_NONE && decoder->out->nodes[last].region == region)
            return last;
    }
    return hd_decoder_child_slow(decoder, node, region);
}

static inline void
hd_decoder_enter(hd_decoder *decoder, hd_time time, uint32_t region)
{
    hd_frame *frame;

    hd_decoder_charge(decoder, time);
    if (HD_UNLIKELY(decoder->needs_stub))
        hd_decoder_task_stub(decoder, region);
    decoder->current = hd_decoder_child(decoder, decoder->current, region);
    decoder->out->nodes[decoder->current].visits++;
    if (HD_UNLIKELY(decoder->depth == decoder->capacity_frames))
        hd_decoder_frames_grow(decoder);
    frame         = &decoder->frames[decoder->depth++];
    frame->enter           = time;
    frame->node            = decoder->current;
    frame->region          = region;
    frame->region_class    = decoder->regions[region].region_class;
    frame->call            = decoder->regions[region].call;
    frame->n_records       = 0;
    frame->has_points      = false;
    frame->cut             = false;
    frame->first_byte      = decoder->records.pending.n;
    frame->first_completed = decoder->records.n_completed;
    frame->task_time       = 0;
    frame->away            = decoder->away;
    if (frame->region_class != HD_CLASS_USER)
        hd_decoder_enter_other(decoder, frame);
}

static inline void
hd_decoder_leave(hd_decoder *decoder, hd_time time, uint32_t region)
{
    hd_frame *frame;

    hd_decoder_charge(decoder, time);
    if (HD_UNLIKELY(decoder->depth == 0 || decoder->frames[decoder->depth - 1].region != region)) {
        hd_decoder_leave_other(decoder, region);
        return;
    }
    frame = &decoder->frames[decoder->depth - 1];
    if (frame->region_class == HD_CLASS_MPI)
        hd_decoder_leave_mpi(decoder, frame);
    else if (HD_UNLIKELY(frame->call != HD_CALL_OTHER))
        hd_decoder_leave_omp(decoder, frame);
    decoder->depth--;
    decoder->current = decoder->out->nodes[frame->node].parent;
}

#endif
