/* src/trace/log/interval_log.h: how long a location was in each of its call paths, between the moments that others can
 * wait for.
 *
 *   begin        MPI_Send       MPI_Recv        end
 *   │············[ ]············[ ]·············│      an interval: exclusive times from one boundary to the next
 *   └────────────┴──────────────┴───────────────┘
 *
 * Boundaries, at most one at a time and ascending:
 *   enter of every call in the op log; what passes inside of the call belongs to the interval after it. A call that
 *   encloses
 *     another boundary has none of its own: a reader takes the first boundary that is not earlier
 *   enter and leave of an OpenMP parallel region, enter of an OpenMP barrier, leave of one in which the location ran
 *   tasks enter of a call that acquires a lock, and the release of one; not with --compat=scout26 fork and join, on the
 *   location that forks end of the location; a second one at the same time where something was booked after the first
 * The first interval begins where the location enters its first region. If that is a boundary, the interval is empty,
 * so that every boundary is the end of an interval. The intervals of a location add up to nodes[].time as the decoder
 * leaves it. Time that is booked later than it passed (stubs of tasks) is in the interval in which it is booked. With
 * --compat=scout26 an interval has its pieces of time in the order in which they passed, a node maybe several times,
 * and tasks are where scout's time vectors have them, see boundary.c.
 *
 * A run of bytes:
 *
 *   interval   boundary - boundary before · number of entries << 1 | they add up to that
 *   entry      node of the location · time, not 0 (zigzag); the last one's is left out where they add up
 *
 * In real archives 7 to 14 bytes with two to four entries, so a call that communicates takes 18 to 26 in both logs.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location, then read only. Ranks: local.
 */
#ifndef HD_INTERVAL_LOG_H
#define HD_INTERVAL_LOG_H

#include "bytes.h"
#include "status.h"
#include "types.h"

typedef struct hd_interval_entry {
    uint32_t node;
    hd_span  time;
} hd_interval_entry;

typedef struct hd_interval_log {
    hd_bytes bytes;
    hd_time  begin, end; /* of the first and the last interval */
    uint64_t n_intervals;
} hd_interval_log;

/* The interval from the end of the one before to `until`. The first one begins at log->begin, which the caller has
 * set. */
void hd_interval_log_put(hd_interval_log *log, hd_time until, const hd_interval_entry *entries, size_t n_entries);

void hd_interval_log_fini(hd_interval_log *log); /* what is empty then has its begin and end still */

typedef struct hd_interval_cursor {
    const uint8_t *at, *end;
    hd_time        from, until;
    uint32_t       n_entries;
    uint32_t       n_left;  /* of them, still to be taken */
    bool           adds_up;
    hd_span        rest;    /* of the interval, without the entries taken */
} hd_interval_cursor;

void hd_interval_cursor_init(hd_interval_cursor *cursor, const hd_interval_log *log);
/* Next entry, at most n_entries times. A node is in an interval once at most, nodes are in no order; not so with
 * compat, see above. */
static inline void
hd_interval_cursor_entry(hd_interval_cursor *cursor, uint32_t *node, hd_span *time)
{
    HD_ASSERT(cursor->n_left > 0);
    cursor->n_left--;
    *node = (uint32_t)hd_bytes_get_number(&cursor->at);
    *time = cursor->n_left == 0 && cursor->adds_up ? cursor->rest : hd_unzigzag(hd_bytes_get_number(&cursor->at));
    cursor->rest -= *time;
}

/* Next interval; false at the end. Entries that were not taken are passed over. */
static inline bool
hd_interval_cursor_next(hd_interval_cursor *cursor)
{
    uint64_t shape;

    while (cursor->n_left > 0)
        hd_interval_cursor_entry(cursor, &(uint32_t){ 0 }, &(hd_span){ 0 });
    if (cursor->at == cursor->end)
        return false;
    cursor->from = cursor->until;
    cursor->until += hd_bytes_get_number(&cursor->at);
    shape             = hd_bytes_get_number(&cursor->at);
    cursor->adds_up   = (shape & 1) != 0;
    cursor->n_entries = (uint32_t)(shape >> 1);
    cursor->n_left    = cursor->n_entries;
    cursor->rest      = hd_span_between(cursor->from, cursor->until);
    return true;
}

#endif
