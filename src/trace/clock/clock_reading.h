/* src/trace/clock/clock_reading.h: one location's records, in file order, become the points of its clock log
 * (clock_log.h). Inside of clock only.
 *
 * hd_clock_reading_at() is called with the time of each record, then the function of its kind. Findings are those of
 * loading, which notes them. Uses: log, record_time. Owner: the caller embeds it. MT: one thread at a time. Ranks:
 * local. Cost: O(1) per record, but for groups.
 */
#ifndef HD_CLOCK_READING_H
#define HD_CLOCK_READING_H

#include "channel_table.h"
#include "clock_join.h"
#include "clock_log.h"
#include "record_time.h"
#include "ref_map.h"

typedef struct hd_clock_access { /* the last one-sided operation on a target */
    uint32_t window, target;
    size_t   point;
} hd_clock_access;

typedef struct hd_clock_reading {
    const hd_defs     *defs;
    const hd_ref_maps *refs;
    hd_clock_log      *log;
    hd_scratch        *scratch;     /* of the log; NULL: the heap */
    bool               compat;      /* --compat=scout26: receives count as posted when they are received */
    hd_channel_table   channels;    /* of messages; the log gets them in the end */
    uint32_t          *next_posts;  /* [n_next_posts] by channel, of receives: the first post that is in order */
    size_t             n_next_posts, capacity_next_posts;
    hd_time            now;         /* of the last record */
    hd_plausible       plausible;
    bool               has_begun;   /* there was a record */
    hd_clock_requests  requests;
    uint32_t          *calls;       /* [n_calls] of MPI that are open: regions */
    size_t             n_calls, capacity_calls;
    size_t             begin;       /* point of the begin of the collective operation that is open; 0: none */
    size_t             world_begin; /* point of the enter of MPI_Init or MPI_Finalize; 0: none */
    size_t             epoch_begin; /* point of the enter of the call that ends an epoch of a window; 0: none */
    hd_clock_access   *accesses;    /* [n_accesses] since the last fence of their window */
    size_t             n_accesses, capacity_accesses;
    uint32_t          *taken;       /* [n_taken] channels of the notifications that the call takes */
    size_t             n_taken, capacity_taken;
} hd_clock_reading;

void hd_clock_reading_init(hd_clock_reading *reading, const hd_defs *defs, const hd_ref_maps *refs, uint32_t process);
/* Ends the log. The requests stay, for hd_clock_join(). */
void hd_clock_reading_finish(hd_clock_reading *reading);

/* The time of the next record, as loading takes it, too. */
void hd_clock_reading_at(hd_clock_reading *r, hd_time time);

/* Regions, teams; comm: index in the definitions, as everywhere here, HD_NONE: it is not there. */
void hd_clock_pass_region(hd_clock_reading *r, uint32_t region, bool is_enter);
/* A point that neither sends nor receives, until another record says what it is; or of threads. Returns its number.
 * is_same: of the same record as the point before. */
size_t hd_clock_add_point(hd_clock_reading *r, hd_clock_kind kind, uint32_t what, bool is_same);
/* A message that is sent. Returns its point. */
size_t hd_clock_pass_send(hd_clock_reading *r, uint32_t peer, uint32_t comm, uint32_t tag);
/* A receive is posted. */
void hd_clock_post_receive(hd_clock_reading *r, uint64_t request);
/* A message that is received. request: NULL of a blocking receive. */
void hd_clock_pass_receive(hd_clock_reading *r, uint32_t peer, uint32_t comm, uint32_t tag, const uint64_t *request);
/* A request that `point` started. */
void hd_clock_start_request(hd_clock_reading *r, uint64_t request, size_t point);
void hd_clock_complete_send(hd_clock_reading *r, uint64_t request);
void hd_clock_cancel(hd_clock_reading *r, uint64_t request);
void hd_clock_begin_collective(hd_clock_reading *r);
/* A collective operation ends that began at the point; 0: it is not known where it began, so nothing waits. kind:
 * blocking or not; what: without what the channel says. */
void hd_clock_end_collective(hd_clock_reading *r, size_t begin, hd_channel_kind kind, uint32_t comm,
                             const hd_clock_collective *what);
/* The same of MPI: what->operation decides whether any process waits in it. */
void hd_clock_end_blocking(hd_clock_reading *r, uint32_t comm, const hd_clock_collective *what);
void hd_clock_end_request(hd_clock_reading *r, uint32_t comm, uint64_t request, const hd_clock_collective *what);

/* The call of MPI that is open. */
static inline hd_call_group
hd_clock_call_of(const hd_clock_reading *r)
{
    return r->n_calls > 0 ? (hd_call_group)hd_defs_regions(r->defs)[r->calls[r->n_calls - 1]].call : HD_CALL_OTHER;
}

static inline uint32_t
hd_clock_comm_of(const hd_clock_reading *r, uint32_t ref)
{
    return hd_refs_index(&r->refs->comms, ref);
}

static inline uint32_t
hd_clock_window_of(const hd_clock_reading *r, uint32_t ref)
{
    return hd_ref_maps_window(r->refs, r->defs, ref);
}

#endif
