/* src/trace/decoder.h: one location's events, in file order, become its profile and its op log. Inside of the room only.
 *
 * The OTF2 callbacks of events.c hand every record over once; nothing of a record is kept but what the op log needs. Uses: base.
 * Owner: the loading thread, one decoder per location; what later steps need stays in hd_location_join.
 * MT: one thread at a time. Ranks: local. Cost: O(1) per record, allocation only where something grows.
 */
#ifndef HD_DECODER_H
#define HD_DECODER_H

#include "loader.h"
#include "map.h"

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
    hd_refs regions, comms, strings;
} hd_ref_maps;

typedef enum hd_request_kind { HD_REQUEST_SEND, HD_REQUEST_RECV, HD_REQUEST_NBC } hd_request_kind;

/* Values of the map of requests: what was started, and its number (send, collective) or the enter of its call (receive). */
#define HD_REQUEST_VALUE(kind, value) ((uint64_t)(kind) << 62 | (uint64_t)(value))
#define HD_REQUEST_KIND(value) ((hd_request_kind)((value) >> 62))
#define HD_REQUEST_REST(value) ((value) & (UINT64_MAX >> 2))

typedef struct hd_orphan { /* the completion of a request that this location did not start */
    uint64_t        request;
    hd_request_kind kind;
    uint32_t        index;      /* send: unused; receive: in posted_elsewhere; collective: in nbcs */
    hd_completion   completion; /* send */
    hd_time         time;
} hd_orphan;

typedef struct hd_nested_team { /* a team that another thread than the first one forked began here */
    uint64_t team;              /* communicator << 32 | instance */
    uint32_t node;              /* the root of what happens in it, until the fork's place is known */
    uint32_t owner;             /* location */
} hd_nested_team;

typedef struct hd_location_join { /* what joining the locations of a process needs, dropped afterwards */
    hd_map     requests;          /* started and not completed here */
    hd_orphan *orphans;
    size_t     n_orphans, capacity_orphans;
    hd_map     team_starts;       /* communicator << 32 | instance -> node where it was forked, of threads but the first */
    hd_nested_team *nested;       /* [n_nested] */
    size_t     n_nested, capacity_nested;
} hd_location_join;

typedef struct hd_frame { /* an open region */
    hd_time  enter;
    uint32_t node, region;
    uint8_t  region_class, call;
    uint32_t n_records;
    size_t   first_byte;      /* of its records in `pending` */
    size_t   first_completed; /* of its send completions in `completed` */
    hd_span  task_time;       /* of the tasks that were completed in it */
    hd_span  away;            /* hd_decoder.away when it was entered */
} hd_frame;

/* A task of OpenMP that is not running; the implicit one too. Each has a stack of its own (docs/metrics.md#tasks). */
typedef struct hd_task {
    hd_frame *frames; /* [depth] */
    size_t    depth, capacity_frames;
    uint32_t  current;
    uint32_t  stub;       /* node that stands for the task in the implicit task's tree; HD_NONE: it has entered nothing yet */
    uint32_t  from;       /* node at which the implicit task left off */
    hd_time   resumed;    /* while it runs */
    hd_span   executed;   /* until it left off last */
    hd_span   in_regions; /* the part of it in the task's own regions */
    hd_span   unplaced;   /* not in its regions, while there is no stub yet */
    hd_time   left;       /* when it left off */
    hd_span   away;       /* time in which it did not run, since it began */
} hd_task;

typedef struct hd_decoder {
    const hd_defs        *defs;
    const hd_region      *regions;
    const hd_ref_maps    *refs;
    hd_findings          *findings;
    hd_loaded_location   *out;
    hd_location_join     *join;
    const hd_path_node   *base_nodes; /* of the process's first location; NULL while that one is loaded */
    hd_map               *team_starts; /* (team << 32 | instance) -> node of the first location at the fork */
    uint32_t              process, thread;
    bool                  compat; /* --compat=scout26: the time of tasks is counted twice */
    hd_frame             *frames; /* [depth] of the task that runs */
    size_t                depth, capacity_frames;
    bool                  is_closing; /* what is open, since the recording ends */
    uint32_t              current; /* node, HD_NONE: none */
    hd_task               implicit; /* while an explicit task runs */
    hd_task              *task;     /* the explicit task that runs; its frames and current node are those above. NULL: none */
    hd_map                tasks;    /* its number -> hd_task *, explicit ones that are not completed */
    hd_span               away;     /* of the task that runs: time in which it did not */
    bool                  needs_stub; /* the task has entered nothing yet that it can be called by */
    bool                  has_fork;  /* a team was forked that did not begin yet: */
    uint32_t              fork_node; /* HD_NONE: outside of all regions */
    hd_time               fork_time;
    uint32_t              n_teams; /* that this location is in */
    uint64_t              own_teams; /* bit 0: the innermost of them was forked here, bit 1: the next one, ... */
    hd_time               now, charged; /* last record; up to where time is charged */
    hd_table              children;     /* (node << 32 | region) -> node */
    size_t                capacity_nodes;
    hd_table              counts_of;    /* node -> index in counts */
    size_t                capacity_counts;
    uint32_t              last_counts;  /* index in counts used last */
    hd_table              channel_of;
    size_t                capacity_channels;
    hd_bytes              pending; /* records of open calls */
    uint32_t             *completed; /* non-blocking sends completed in open calls; HD_NONE: the next orphan */
    size_t                n_completed, capacity_completed;
    size_t                capacity_completions, capacity_send_calls, capacity_nbcs, capacity_posted;
    uint32_t              n_completions;
    hd_time               last_leave;
    hd_time               coll_begin;
    bool                  has_coll_begin;
    struct {
        hd_time start, stop;
        size_t  depth; /* of its frame, once it is open */
        bool    open;
    } flush;
    bool                  has_flush;
    hd_map                team_instances; /* team -> instances begun here */
    hd_map                own_ranks;      /* communicator -> side << 32 | rank of this process */
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

void hd_decoder_init(hd_decoder *decoder);
void hd_decoder_finish(hd_decoder *decoder); /* closes what is open, fills *out, frees the rest */

void hd_decoder_finding(hd_decoder *decoder, hd_finding_kind kind, uint32_t peer, uint32_t comm, uint32_t tag);
void hd_decoder_backwards(hd_decoder *decoder);
void hd_decoder_flush_due(hd_decoder *decoder, hd_time time);
uint32_t hd_decoder_child_slow(hd_decoder *decoder, uint32_t node, uint32_t region);
uint32_t hd_decoder_program_node(hd_decoder *decoder); /* HD_NONE: there is none */
void     hd_decoder_close_all(hd_decoder *decoder);
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
void hd_decoder_fork(hd_decoder *decoder);
void hd_decoder_team_begin(hd_decoder *decoder, uint32_t comm_ref);
void hd_decoder_team_end(hd_decoder *decoder);
void hd_decoder_thread_begin(hd_decoder *decoder);
void hd_decoder_join_team(hd_decoder *decoder);
void hd_decoder_leave_omp(hd_decoder *decoder, const hd_frame *frame);
void hd_decoder_acquire(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order);
void hd_decoder_release(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order);
/* task.c. number: creating thread << 32 | generation; generation 0: the implicit task */
void hd_decoder_task_switch(hd_decoder *decoder, uint64_t number);
void hd_decoder_task_complete(hd_decoder *decoder, uint64_t number);
void hd_decoder_task_stub(hd_decoder *decoder, uint32_t region);
void hd_decoder_charge_task(hd_decoder *decoder, hd_span span);
void hd_decoder_tasks_finish(hd_decoder *decoder);

#define HD_TIME_LAST ((hd_time)INT64_MAX / 2) /* later times are damage; sums and differences of valid ones are no overflow */

/* The time of the next record: never before the one before it, pending flushes done. */
static inline hd_time
hd_decoder_at(hd_decoder *decoder, hd_time time)
{
    if (HD_UNLIKELY(time - decoder->now > HD_TIME_LAST - decoder->now)) { /* earlier, or later than can be */
        hd_decoder_backwards(decoder);
        time = decoder->now;
    }
    if (HD_UNLIKELY(decoder->has_flush))
        hd_decoder_flush_due(decoder, time);
    decoder->now = time;
    return time;
}

static inline void
hd_decoder_charge(hd_decoder *decoder, hd_time time)
{
    if (HD_LIKELY(decoder->depth > 0))
        decoder->out->nodes[decoder->current].time += hd_span_between(decoder->charged, time);
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
    frame->first_byte      = decoder->pending.n;
    frame->first_completed = decoder->n_completed;
    frame->task_time       = 0;
    frame->away            = decoder->away;
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
