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
 *   enter and leave of an iteration, on its thread, and, where they are wanted, of each region
 *   enter and leave of an OpenMP parallel region, enter of an OpenMP barrier, leave of one in which the location ran
 *   tasks enter of a call that acquires a lock, and the release of one; not with --compat=scout26 fork and join, on the
 *   location that forks end of the location; a second one at the same time where something was booked after the first
 * The first interval begins where the location enters its first region. If that is a boundary, the interval is empty,
 * so that every boundary is the end of an interval. The intervals of a location add up to nodes[].time as the decoder
 * leaves it. Time that is booked later than it passed (stubs of tasks) is in the interval in which it is booked. With
 * --compat=scout26 an interval has its pieces of time in the order in which they passed, a node maybe several times,
 * and tasks are where scout's time vectors have them, see boundary.c.
 *
 * Two runs of bytes, so that the entries of consecutive intervals are one piece, and intervals are passed over without
 * reading them:
 *
 *   boundaries   a word of 32 bits: 0, 8 bits half the bytes of the interval's entries, 23 bits boundary - boundary
 *                before; where that is too little: 1, and both as 64 bits
 *   bytes        entries: node of the location and time, not 0, as path_time.h writes them
 *
 * In real archives an interval has two to four entries, mostly of 4 bytes each.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location, then read only. Ranks: local.
 */
#ifndef HD_INTERVAL_LOG_H
#define HD_INTERVAL_LOG_H

#include "bytes.h"
#include "path_time.h"
#include "status.h"
#include "types.h"

#define HD_BOUNDARY_BYTES_MAX 20

typedef struct hd_interval_log {
    hd_bytes bytes, boundaries;
    hd_time  end, begin; /* of the last and the first interval */
    uint64_t n_intervals;
} hd_interval_log;

/* Where the next interval's entries are to be written; there is room for so many. */
static inline uint8_t *
hd_interval_log_room(hd_interval_log *log, size_t n_entries)
{
    return hd_bytes_room(&log->bytes, n_entries * HD_PATH_TIME_BYTES_MAX + 1);
}

/* Whether there is room for so many bytes of them, and for the interval's boundary. */
static inline bool
hd_interval_log_has_room(const hd_interval_log *log, size_t n_bytes)
{
    return log->bytes.capacity - log->bytes.n > n_bytes &&
           log->boundaries.capacity - log->boundaries.n >= HD_BOUNDARY_BYTES_MAX;
}

void hd_interval_log_put_long(hd_interval_log *log, uint64_t span, uint64_t n); /* where there is room */

/* Their end: the interval goes from `from`, the end of the one before, to `until`. There is room. */
static inline void
hd_interval_log_put(hd_interval_log *log, hd_time from, hd_time until, const uint8_t *end_of_entries)
{
    size_t   end  = (size_t)(end_of_entries - log->bytes.data), n = end - log->bytes.n;
    uint64_t span = until - from;
    uint32_t word = (uint32_t)span << 9 | (uint32_t)n;

    log->bytes.n = end;
    log->end     = until;
    log->n_intervals++;
    if (HD_UNLIKELY((span >> 23 | n >> 9) != 0)) {
        hd_interval_log_put_long(log, span, n);
        return;
    }
    memcpy(log->boundaries.data + log->boundaries.n, &word, sizeof word);
    log->boundaries.n += sizeof word;
}

/* Their end. The first interval begins at log->begin, which the caller has set. */
static inline void
hd_interval_log_close(hd_interval_log *log, hd_time until, const uint8_t *end_of_entries)
{
    hd_bytes_room(&log->boundaries, HD_BOUNDARY_BYTES_MAX);
    hd_interval_log_put(log, log->n_intervals > 0 ? log->end : log->begin, until, end_of_entries);
}

void hd_interval_log_fini(hd_interval_log *log); /* what is empty then has its begin and end still */

typedef struct hd_interval_cursor {
    const uint8_t *at, *end;            /* of the boundaries */
    const uint8_t *entry, *entries_end; /* of the interval, still to be taken */
    hd_time        from, until;
} hd_interval_cursor;

void hd_interval_cursor_init(hd_interval_cursor *cursor, const hd_interval_log *log);

static inline bool
hd_interval_cursor_has_entry(const hd_interval_cursor *cursor)
{
    return cursor->entry < cursor->entries_end;
}

/* Next entry. A node is in an interval once at most, nodes are in no order; not so with compat, see above. */
static inline void
hd_interval_cursor_entry(hd_interval_cursor *cursor, uint32_t *node, hd_span *time)
{
    uint64_t bits;

    HD_ASSERT(hd_interval_cursor_has_entry(cursor));
    hd_path_time_read(&cursor->entry, node, &bits);
    *time = (hd_span)bits;
}

/* Next interval; false at the end. Entries that were not taken are passed over. */
static inline bool
hd_interval_cursor_next(hd_interval_cursor *cursor)
{
    uint64_t both[2];
    uint32_t word;

    cursor->entry = cursor->entries_end;
    if (cursor->at == cursor->end)
        return false;
    memcpy(&word, cursor->at, sizeof word);
    cursor->at += sizeof word;
    both[0] = word >> 9;
    both[1] = word & 0x1FF;
    if (HD_UNLIKELY((word & 1) != 0)) {
        memcpy(both, cursor->at, sizeof both);
        cursor->at += sizeof both;
    }
    cursor->from = cursor->until;
    cursor->until += both[0];
    cursor->entries_end += both[1];
    return true;
}

#endif
