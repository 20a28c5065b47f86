/* src/trace/log/record_times.h: times of all records of a location, by their position in the event file.
 *
 * What is read with them has these times instead of those that were recorded. Positions count all records of the
 * location, from 1 on, also those that nobody decodes. Times do not descend.
 * Uses: base. Owner: the caller. MT: one thread at a time. Ranks: local. Memory: one to three bytes per record.
 */
#ifndef HD_RECORD_TIMES_H
#define HD_RECORD_TIMES_H

#include "bytes.h"
#include "types.h"

typedef struct hd_record_times {
    hd_bytes bytes; /* of each: the difference to the one before */
    hd_time  last;
    uint64_t n;
} hd_record_times;

/* Of the next record; not before the last one. */
void hd_record_times_put(hd_record_times *times, hd_time time);
void hd_record_times_fini(hd_record_times *times);

typedef struct hd_record_times_cursor {
    const hd_record_times *times; /* NULL: there are none */
    size_t                 at;    /* in the bytes */
    uint64_t               position;
    hd_time                time;
} hd_record_times_cursor;

/* Of the record at that position, which is not before the one that was asked for last; behind the last record: the
 * last time. Cost: O(records between). */
hd_time hd_record_times_at(hd_record_times_cursor *cursor, uint64_t position);

#endif
