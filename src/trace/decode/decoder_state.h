/* src/trace/decode/decoder_state.h: what is known of a location while its events are decoded. Inside of decode only.
 *
 * Each part of the decoder (mpi_call.h, task.h, ...) has functions hd_decoder_...() on this one state; here are those
 * that all of them need. A part includes parts of rows below its own only:
 *
 *   event_callbacks
 *   decoder
 *   cluster_cut
 *   arrival · thread_team
 *   task · calling_context
 *   region_stack · rma_call · file_call
 *   mpi_call · omp_call · open_wait
 *   moment
 *   task_stub · file_use · marked_region · counter
 *   boundary · side
 *   decoder_state
 *   location_join · context_stack
 *   team_starts · task_turn
 *
 * Uses: defs, log. Owner: the loading thread, one decoder per location; what later steps need goes to
 * hd_loaded_location and hd_location_join. MT: one thread at a time. Ranks: local. Cost: O(1) per record, allocation
 * only where something grows.
 */
#ifndef HD_DECODER_STATE_H
#define HD_DECODER_STATE_H

#include "channel_table.h"
#include "clock_cursor.h"
#include "cluster_cuts.h"
#include "context_stack.h"
#include "location_join.h"
#include "near_map.h"
#include "record_time.h"
#include "record_times.h"
#include "ref_map.h"
#include "trace.h"

typedef struct hd_open_records { /* of open calls that communicate */
    hd_bytes  pending;   /* op log records */
    uint32_t *completed; /* [n_completed] non-blocking sends completed in them; with the highest bit set: an orphan's
                          * index */
    size_t    n_completed, capacity_completed;
} hd_open_records;

typedef struct hd_region_kind { /* what each enter and leave asks of a region */
    uint8_t region_class, call;
    uint8_t state;    /* of a thread in it (hd_state); 0: no state log is written */
    bool    is_plain; /* the user's, and nothing else is asked of it */
} hd_region_kind;

/* Of regions, [n] new. states, marks: of hd_load_request; NULL: none. */
hd_region_kind *hd_region_kinds_new(const hd_region *regions, uint32_t n, const uint8_t *states, const uint32_t *marks);

typedef struct hd_frame { /* an open region */
    hd_time  enter;
    uint32_t node, region;
    union {
        hd_region_kind kind;  /* of the region; each by its name: */
        struct {
            uint8_t region_class, call, state;
            bool    is_plain; /* and so far none of its records is of files */
        };
    };
    uint8_t  cut;             /* an interval began in it: HD_OUTSIDE; the window: HD_BEYOND, too */
    /* What follows has a value unless the region is plain. */
    bool     has_points;      /* another process may wait in it, or for it: not all its records are HD_RMA_COMPLETION */
    uint32_t n_records;
    size_t   first_byte;      /* of its records in `pending` */
    size_t   first_completed; /* of its send completions in `completed` */
    uint32_t generation;      /* MPI: the one that began with it */
    union {
        uint32_t counts;      /* MPI: index in open_counts, from 1 on; 0: none */
        uint32_t first_call;  /* HD_CALL_ITERATION: of hd_iteration */
    };
    uint32_t file_use;        /* HD_CALL_FILE: index in file_uses; HD_NONE: only calls inside of it are of files */
    uint32_t file_channel;    /* likewise: of the collective operation that it is, HD_NONE: none; and that */
    uint32_t file_operation;
    hd_span  inner_files;     /* likewise: time in calls made for files inside of it */
    hd_span  task_time;       /* compat: of the tasks that were completed in it */
    hd_span  suspended;            /* hd_stack.suspended when it was entered */
} hd_frame;

typedef struct hd_stack { /* the open regions of a task. Suspending or resuming a task moves it as a whole */
    hd_frame         *frames; /* [depth] the outermost one first */
    size_t            depth, capacity;
    uint32_t          current;   /* node; HD_NONE: none */
    hd_span           suspended; /* time in which the task did not run, since it began */
    hd_open_records   records;   /* of the calls in frames */
    hd_context_stack *contexts;  /* NULL: no records with calling contexts so far */
} hd_stack;

typedef struct hd_task { /* a task of OpenMP (docs/metrics.md#tasks) */
    hd_stack  stack;      /* while it does not run */
    uint32_t  stub;       /* node that stands for the task in the implicit task's tree; HD_NONE: it has entered nothing
                           * yet */
    uint32_t  from;       /* node at which the implicit task left off */
    hd_time   resumed;    /* when it began to run last */
    hd_span   executed[HD_N_SIDES];   /* until it left off last, on each side of the analysis interval */
    hd_span   in_regions[HD_N_SIDES]; /* the part of `executed` in the task's own regions */
    hd_span   unplaced[HD_N_SIDES];   /* time outside of its regions while there is no stub yet */
    size_t    first_part, last_part; /* hd_decoder.i_part when it began, and when it left off last */
    hd_time   left;       /* when it left off; 0: never */
    bool      begun;      /* here: the region that it entered first is a task's, and it left none that it had not
                           * entered */
    uint32_t  moved;      /* index in the moved tasks; HD_NONE: it did not move */
    size_t    fragment;       /* of a moved task: its last one, in join->fragments */
} hd_task;

typedef struct hd_open_mark { /* of regions with a mark */
    uint32_t depth;    /* of them that are open */
    size_t   instance; /* the outermost one */
} hd_open_mark;

typedef struct hd_touched { /* a node got time */
    uint32_t node;
    hd_span  time; /* that it had before; compat: that it got. Between the others, so that these are not put together
                    * before they are written */
    uint32_t generation;
} hd_touched;

#define HD_TOUCHED_MAX 512 /* from here on the list is looked through for nodes that it has several times */

typedef struct hd_task_suspension { /* of a task in its innermost open barrier, while other tasks ran */
    const hd_task *task;            /* NULL: the implicit one */
    hd_suspension  interval;
} hd_task_suspension;

typedef struct hd_open_fork {
    hd_time  time;
    uint32_t node;      /* HD_NONE: outside of all regions */
    bool     has_begun; /* the team, on this location */
    size_t   depth;     /* of the regions that were open */
} hd_open_fork;

typedef struct hd_task_team { /* explicit tasks of a team that are not completed */
    uint32_t comm, instance;  /* instance: of those that are there */
    hd_map   tasks;           /* creating thread << 32 | generation -> hd_task * */
} hd_task_team;

typedef struct hd_open_epochs { /* of a window: their groups; HD_NONE: none */
    uint32_t access, exposure;
} hd_open_epochs;

typedef struct hd_rma_calls { /* one-sided communication */
    hd_map    members;       /* window, group and direction of notifications -> first of the group's in channels */
    uint32_t *channels;      /* [n_channels] */
    size_t    n_channels, capacity_channels;
    hd_open_epochs *epochs;  /* [n_epochs] by channel of the window */
    size_t    n_epochs, capacity_epochs;
    hd_near_map open;        /* matching number -> channel of the window << 32 | target, of operations in lock epochs
                              * until they are complete */
    uint32_t  home, home_ref; /* channel of the window that was used last, and its number in the archive */
    bool      has_home;
    uint32_t  ended_home, ended_group; /* of the epoch that was ended last */
    hd_time   ended_in;      /* enter of the call that ended it */
    hd_map    locks;         /* channel of the window << 32 | target (HD_NONE: all) of lock epochs that are open */
    uint32_t  last_channel, last_target; /* of the last completion that was put into the op log */
    hd_time   last_enter;    /* of its call */
} hd_rma_calls;

typedef struct hd_file_op { /* a read or write that is not complete */
    uint64_t matching;      /* its number, unique for the handle */
    uint32_t handle;        /* index in the definitions */
    uint32_t use;           /* index in file_uses */
    uint32_t next;          /* with the same key, from 1 on; 0: none. A free one: the next free one */
    bool     is_write, is_flush;
    bool     takes_time;    /* until it is complete; non-blocking ones: until it was issued */
    hd_time  begin;
} hd_file_op;

typedef struct hd_file_calls { /* operations on files */
    hd_table    uses;       /* node << 32 | file -> index in file_uses */
    uint32_t    last_use;   /* index in file_uses used last */
    size_t      capacity_uses;
    hd_map      open;       /* handle and number -> the last one in ops with that key, from 1 on */
    hd_file_op *ops;        /* [n_ops] */
    size_t      n_ops, capacity_ops;
    uint32_t    free_op;    /* from 1 on; 0: none */
} hd_file_calls;

typedef struct hd_counter_values { /* of counters that are recorded with enters and leaves */
    uint64_t *last;                /* [counters of the definitions] the last values, as their types say; NULL: none is
                                    * read */
    bool     *is_known;            /* [likewise] there was one */
    struct {                       /* a record that only sums are in, all of one type, one after the other */
        uint64_t  record;          /* the last one: number of its set in the archive << 32 | values; 0: it was none
                                    * such, or the last values of its counters are not known */
        uint64_t  types;           /* that of its values in OTF2, in each byte */
        uint32_t  first;           /* of its counters */
        uint64_t *last, *rows;     /* of the first one: its last value, and its place in the row of call path 0 */
        size_t    stride;          /* between rows */
    } plain;
} hd_counter_values;

typedef struct hd_polls { /* tests and probes without a record one after the other, so far (polled_wait.h) */
    hd_time  begin, last_leave;
    hd_span  gaps, region_time; /* region_time: of the region around them, until the last one was entered */
    hd_span  last_length;       /* of the last one */
    uint32_t node;              /* of the region around them */
    uint32_t n, n_short;        /* n_short: gaps */
    uint32_t n_logged;
    bool     is_probe;          /* the last one */
    bool     has_sent;          /* the test that is open completed a send */
} hd_polls;

typedef struct hd_beside_node {
    uint32_t sibling; /* of the same parent, entered after it last; itself: none */
    uint32_t counts;  /* index in the location's counts; HD_NONE: none */
} hd_beside_node;

/* What the decoders of several locations, one after the other, work with. hd_decoder_room_fini() it. */
typedef struct hd_decoder_room {
    hd_table        children;
    hd_beside_node *beside;
    hd_path_node   *nodes;
    hd_frame       *frames;
    hd_touched     *touched;
    size_t          capacity_beside, capacity_nodes, capacity_frames, capacity_touched;
} hd_decoder_room;

void hd_decoder_room_fini(hd_decoder_room *room);

typedef struct hd_decoder {
    /* Given */
    const hd_defs              *defs;
    const hd_region            *regions;
    const hd_region_kind       *kinds;             /* [defs->n_regions] of the regions, states and marks */
    const hd_ref_maps          *refs;
    hd_findings                *findings;
    hd_loaded_location         *out;
    hd_location_more            more;        /* of out, once all is read */
    hd_location_join           *join;
    const hd_team_starts       *first_starts;      /* of the process's first location, which may be decoded at the same
                                                    * time */
    const hd_migrated_tasks    *moved;             /* of the process; NULL: not known yet */
    const hd_analysis_intervals *analysis_intervals; /* what counts; NULL: all */
    uint32_t                    process, thread;
    bool                        finds_main_window; /* borders are where MPI_Init and MPI_Finalize are left */
    bool                        compat;      /* --compat=scout26: the time of tasks is counted twice */
    bool                        keeps_moments; /* writes HD_THREAD_MOMENT, and boundaries there; not with compat */
    const uint32_t             *marks;       /* [defs->n_regions] of hd_load_request; NULL: none */
    bool                        keeps_states; /* writes a state log */
    union {
        uint32_t                is_special;   /* 0: none of these; asked for each enter and leave */
        struct {
            bool                is_state_new; /* thread_state.h: since the record before */
            bool                is_in_task;   /* an explicit one runs */
            bool                cuts_all;     /* of hd_load_request */
            bool                unused;
        };
    };
    hd_region_kind              usual;        /* of plain regions in which the state stays the log's last one; state:
                                               * HD_N_STATES: there are none */
    bool                        keeps_calls; /* in the op log those without records, too: others may wait for the next
                                              * MPI call */
    bool                        bounds_calls; /* those, too, have a boundary at their enter */

    /* arrival.h: times */
    hd_time               now;          /* of the last record */
    hd_plausible          plausible;
    hd_time               latest;       /* later times are damage, in another part of the run, or after the start of
                                         * a flush */
    hd_clock_cursor       clock;        /* corrects times before they get here; then `plausible` is for times before
                                         * that */
    hd_record_times_cursor times;       /* stand for them then, and the same */
    hd_time               passed;       /* of the last record that is not decoded, where the observer asks for it */
    uint32_t              side_bits;    /* of the sides in numbers of nodes: each stands once for each side; 0: one
                                         * side */
    uint32_t              side;         /* of `now`: HD_SIDE_... */
    bool                  is_window_over;
    size_t                i_part;       /* of the intervals: the one that `now` is in, or the next one */
    hd_time               border;       /* records at it or later are on the next side; UINT64_MAX: there is none */
    hd_time               border_time;  /* where time is divided there, border or one tick earlier */
    struct {
        hd_time start, stop;
        bool    open; /* its frame is the innermost one */
    } flush;                            /* of the trace buffer, while has_flush */
    bool                  has_flush;

    /* region_stack.h */
    hd_stack              stack;        /* of the task that runs */
    hd_time               booked_until;      /* up to where time is booked */
    bool                  is_closing;   /* what is open is closed since the recording ends */
    hd_table              children;     /* (node << 32 | region) -> node */
    hd_path_node         *nodes;        /* out->nodes */
    size_t                capacity_nodes;
    hd_decoder_room      *room;         /* NULL: it has its own */
    hd_beside_node       *beside;       /* [n_beside] by node */
    size_t                n_beside, capacity_beside;
    uint32_t             *way;          /* [HD_CONTEXT_DEPTH_MAX] of calling_context.h; NULL: no records with calling
                                         * contexts so far */

    /* task.h */
    hd_task               implicit;     /* while an explicit task runs */
    hd_task              *task;         /* the explicit task that runs; NULL: none */
    hd_task_team         *task_teams;   /* [n_task_teams] */
    size_t                n_task_teams, capacity_task_teams;
    size_t                last_task_team; /* looked up last */
    bool                  needs_stub;   /* the task has entered nothing yet that it can be called by */

    /* thread_team.h and omp_call.h */
    hd_open_fork       *forks; /* [n_forks] that are not joined */
    size_t              n_forks, capacity_forks;
    size_t              n_parallel; /* parallel regions of OpenMP that are open */
    uint32_t           *team_places; /* [n_teams] that this location is in: the current node before each, HD_NONE:
                                         * none */
    size_t              n_teams, capacity_teams;
    hd_map              team_instances;   /* team -> instances begun here */
    hd_task_suspension *task_suspensions; /* [n_task_suspensions] in barriers that are open */
    size_t              n_task_suspensions, capacity_task_suspensions;
    hd_suspension      *suspensions; /* [capacity_suspensions] of hd_decoder_take_suspensions() */
    size_t              capacity_suspensions;

    /* marked_region.h */
    hd_open_mark         *open_marks;   /* [n_open_marks] by mark */
    size_t                n_open_marks, capacity_open_marks;

    /* boundary.h */
    uint32_t              generation;   /* from 1 */
#define HD_NO_INTERVALS 0               /* the generation of all nodes: no time is noted */
    hd_touched           *touched, *touched_end; /* since the last boundary */
    size_t                capacity_touched, compact_at;
    uint64_t              plain;        /* generation of the whole list after a boundary at the enter of a call, where
                                         * neither compat nor counters ask for more; HD_NOT_PLAIN: none */
#define HD_NOT_PLAIN UINT64_MAX
    hd_touched           *quick_end;    /* up to here they are put in without further ado; NULL: with compat, or before
                                         * the first one */
    struct {                            /* compat: tasks were switched */
        bool     is_open;
        hd_time  time;                  /* of the enter or leave before */
        size_t   i_touched;             /* what was booked since */
        size_t   depth;                 /* of the task that runs now */
        uint32_t generation;
    }                     switched;
    hd_time               booked_from;  /* compat: what was booked last */

    /* mpi_call.h and rma_call.h */
    hd_channel_table      channels;     /* the op log's, which gets them in the end */
    size_t                capacity_counts;
    hd_counts            *open_counts;  /* [n_open_counts] of calls that the interval may hold yet; node HD_NONE:
                                         * free */
    size_t                n_open_counts, capacity_open_counts, capacity_open_calls;
    hd_send_call         *send_calls;   /* [n_send_calls of the op log], which gets them packed in the end */
    size_t                capacity_heads, capacity_completions, capacity_send_calls, capacity_nbcs, capacity_posted;
    uint32_t              n_completions;
    hd_time               last_leave;   /* of the calls in the op log, */
    size_t                last_states;  /* and the bytes of the state log then */
    hd_time               last_empty;   /* when the last one that took no time was entered */
    struct {                            /* time in MPI: from the enter of an outermost call to its leave */
        uint32_t depth;                 /* calls that are open */
        hd_time  since;                 /* enter of the outermost of them */
        hd_span  before;                /* in those that were left */
        hd_span  at_last_leave;         /* until last_leave */
        size_t   n_calls;               /* of the op log, at the last entry of its others */
    }                     in_mpi;
    hd_time               coll_begin;   /* of a collective operation, while has_coll_begin */
    bool                  has_coll_begin;
    hd_near_map           requests;     /* started and not completed; what is left goes to the join */
    hd_map                posts;        /* request -> number of the receive among those posted at its time, but for the
                                         * first one */
    hd_time               posted_at;    /* of the last n_posted receives */
    uint32_t              n_posted;
    hd_time              *next_posts;   /* [n_next_posts] by channel, of receives: the earliest time at which one may be
                                         * posted that is in order; 0: any */
    size_t                n_next_posts, capacity_next_posts;
    hd_rma_calls          rma;

    /* polled_wait.h */
    hd_polls              polls;
    hd_span               short_gap;    /* 1 ms [ticks] */
    size_t                capacity_polled;

    /* file_use.h and file_call.h */
    hd_file_calls         files;

    /* cluster_cut.h */
    struct {
        const hd_cluster_cuts *cuts;
        const hd_process_cuts *own; /* given; NULL: nothing is cut */
        size_t                 next;    /* of its pieces: the one that is now, or the next one */
        hd_time                from, until; /* until: what is now, or what is between two */
        uint32_t               cluster; /* that is now; HD_NONE: none */
        uint32_t               anchor;  /* node of the way; HD_NONE: not known yet */
    }                     cut;

    /* counter.h */
    hd_counter_values     counters;
    const hd_compared_counters *compared; /* NULL: no counter log is written */
    size_t                capacity_counter_nodes, capacity_levels, capacity_level_values;
    bool                  keeps_level_values;
    hd_table              levels_of;    /* counter -> index in levels */
} hd_decoder;

/* Whether calls may cross borders of intervals. */
static inline bool
hd_decoder_cuts_calls(const hd_decoder *decoder)
{
    return HD_UNLIKELY(decoder->side_bits != 0) && !decoder->finds_main_window;
}

/* A finding at the time and the place of the decoder. */
void hd_decoder_finding(hd_decoder *decoder, hd_finding_kind kind, uint32_t peer, uint32_t comm, uint32_t tag);
void hd_decoder_plain_finding(hd_decoder *decoder, hd_finding_kind kind);

/* The number of a node on a side. */
static inline uint32_t
hd_decoder_on_side(const hd_decoder *decoder, uint32_t node, uint32_t side)
{
    return (node & ~decoder->side_bits) | hd_side_bits[side];
}

/* That on the side where `now` is. Places of other trees and HD_NONE stay. */
static inline uint32_t
hd_decoder_here(const hd_decoder *decoder, uint32_t node)
{
    return decoder->side_bits != 0 && node != HD_NONE ? hd_decoder_on_side(decoder, node, decoder->side) : node;
}

/* That inside. */
static inline uint32_t
hd_decoder_inner(const hd_decoder *decoder, uint32_t node)
{
    return node != HD_NONE ? node & ~decoder->side_bits : node;
}

uint32_t hd_decoder_child_slow(hd_decoder *decoder, uint32_t node, uint32_t region);

/* The node of a region below a node (HD_NONE: it is a root), which is made if it is new. */
static inline uint32_t
hd_decoder_child(hd_decoder *decoder, uint32_t node, uint32_t region)
{
    hd_path_node *nodes = decoder->nodes;

    if (HD_LIKELY(node != HD_NONE)) {
        uint32_t last = nodes[node].last_child, next;

        if (HD_LIKELY(last != HD_NONE)) {
            if (nodes[last].region == region)
                return last;
            next = decoder->beside[last].sibling;
            if (HD_LIKELY(nodes[next].region == region))
                return nodes[node].last_child = next;
        }
    }
    return hd_decoder_child_slow(decoder, node, region);
}

/* A new node whose region is known when the process is joined. */
uint32_t hd_decoder_place(hd_decoder *decoder, uint32_t parent);
/* The place in the process where a team was forked, as a node of this location without a region. base: node of the
 * process's first location, or HD_BASE_PROGRAM. */
uint32_t hd_decoder_base_node(hd_decoder *decoder, uint32_t base);
/* The node of the program itself, of which threads but the first have a place. HD_NONE: there is none. */
uint32_t hd_decoder_program_node(hd_decoder *decoder);

/* Into the count log. first, second: values of hd_count_entry; of a message its bytes and 0, of a visit 0. */
void hd_decoder_put_count(hd_decoder *decoder, hd_counted what, uint32_t node, hd_time time, uint64_t first,
                          uint64_t second);

/* The same, where it is asked for. */
static inline void
hd_decoder_count(hd_decoder *decoder, hd_counted what, uint32_t node, hd_time time, uint64_t first, uint64_t second)
{
    if (HD_UNLIKELY(decoder->cuts_all))
        hd_decoder_put_count(decoder, what, node, time, first, second);
}

#endif
