/* src/trace/log/record_log.h: when each record of a location was, and in which call path the location is after it.
 *
 * Written while the location is loaded (load/record_logs.h), for who computes other times of its records
 * (replay/simulate). Uses: base. Owner: the caller. MT: one thread at a time. Ranks: local. Memory: two to four bytes
 * per record.
 */
#ifndef HD_RECORD_LOG_H
#define HD_RECORD_LOG_H

#include "record_times.h"

typedef struct hd_record_log {
    hd_record_times times;
    hd_bytes        nodes;     /* of each record: the node of the location, HD_NONE: it is in no region; as the
                                * difference to that of the record before */
    uint32_t        last_node;
} hd_record_log;

void hd_record_log_clear(hd_record_log *log);
/* The next record. A time before that of the last one is taken for it. */
void hd_record_log_put(hd_record_log *log, hd_time time, uint32_t node);

typedef struct hd_record_log_cursor {
    hd_record_times_cursor times;
    const hd_record_log   *log;
    const uint8_t         *at; /* in the nodes */
    uint32_t               node;
} hd_record_log_cursor;

void hd_record_log_cursor_init(hd_record_log_cursor *cursor, const hd_record_log *log);
/* False: there is no further record. time: of the next one; node: after it. */
bool hd_record_log_next(hd_record_log_cursor *cursor, hd_time *time, uint32_t *node);

#endif
