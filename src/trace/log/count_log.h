/* src/trace/log/count_log.h: what a location counted when: visits of call paths, messages, collective operations,
 * accesses to windows. Sums over it are the counts of the location's profile.
 *
 * Variable-length numbers (bytes.h), for each: call path << 3 | hd_counted · time - time of the one before (zigzag); of
 * messages their bytes; of collective operations and accesses both bytes. The time is the enter of the call, of a task
 * its completion. Times mostly ascend.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location; the forward replay adds receives on
 * the location's own. Ranks: local. Grows with: 3 to 5 bytes for a visit, 5 to 8 for a message.
 */
#ifndef HD_COUNT_LOG_H
#define HD_COUNT_LOG_H

#include "bytes.h"
#include "types.h"

typedef enum hd_counted {
    HD_COUNTED_VISIT,
    HD_COUNTED_VISIT_BACK, /* a visit that was counted there is another call path's */
    HD_COUNTED_SEND,       /* values: bytes */
    HD_COUNTED_RECEIVE,    /* bytes */
    HD_COUNTED_COLLECTIVE, /* bytes out, in */
    HD_COUNTED_ACCESS      /* bytes put, got */
} hd_counted;

enum { HD_COUNTED_BITS = 3 };

typedef struct hd_count_log {
    hd_bytes bytes;
    hd_time  last;
    bool     is_wanted;
} hd_count_log;

typedef struct hd_count_entry { /* an entry */
    hd_counted what;
    uint32_t   node;      /* of the location */
    hd_time    time;
    uint64_t   values[2]; /* those that it has */
} hd_count_entry;

static inline uint32_t
hd_counted_values(hd_counted what)
{
    return what < HD_COUNTED_SEND ? 0 : what < HD_COUNTED_COLLECTIVE ? 1 : 2;
}

static inline void
hd_count_log_put(hd_count_log *log, const hd_count_entry *count)
{
    uint8_t *begin = hd_bytes_room(&log->bytes, 4 * HD_NUMBER_BYTES_MAX), *at = begin;

    at = hd_bytes_write_number(at, (uint64_t)count->node << HD_COUNTED_BITS | count->what);
    at = hd_bytes_write_difference(at, count->time, log->last);
    for (uint32_t i = 0; i < hd_counted_values(count->what); i++)
        at = hd_bytes_write_number(at, count->values[i]);
    log->bytes.n += (size_t)(at - begin);
    log->last = count->time;
}

typedef struct hd_count_cursor {
    const uint8_t *at, *end;
    hd_count_entry count; /* that was read last; all 0 at first */
} hd_count_cursor;

static inline hd_count_cursor
hd_count_log_begin(const hd_count_log *log)
{
    return (hd_count_cursor){ .at = log->bytes.data, .end = log->bytes.data + log->bytes.n };
}

/* Reads the next one; false: there is none. */
static inline bool
hd_count_cursor_next(hd_count_cursor *cursor)
{
    hd_count_entry *count = &cursor->count;
    uint64_t        head;

    if (cursor->at == cursor->end)
        return false;
    head        = hd_bytes_get_number(&cursor->at);
    count->what = (hd_counted)(head & ((1U << HD_COUNTED_BITS) - 1));
    count->node = (uint32_t)(head >> HD_COUNTED_BITS);
    count->time = hd_bytes_get_difference(&cursor->at, count->time);
    for (uint32_t i = 0; i < hd_counted_values(count->what); i++)
        count->values[i] = hd_bytes_get_number(&cursor->at);
    return true;
}

#endif
