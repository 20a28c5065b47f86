/* src/trace/log/record_log.c: times and call paths of the records of a location, packed. */
#include "record_log.h"

void
hd_record_log_clear(hd_record_log *log)
{
    hd_record_times_fini(&log->times);
    hd_bytes_fini(&log->nodes);
    log->last_node = HD_NONE;
}

void
hd_record_log_put(hd_record_log *log, hd_time time, uint32_t node)
{
    hd_record_times_put(&log->times, hd_time_max(time, log->times.last));
    hd_bytes_put_number(&log->nodes, hd_zigzag((int32_t)(node - log->last_node)));
    log->last_node = node;
}

void
hd_record_log_cursor_init(hd_record_log_cursor *cursor, const hd_record_log *log)
{
    *cursor = (hd_record_log_cursor){ .times.times = &log->times, .log = log, .at = log->nodes.data, .node = HD_NONE };
}

bool
hd_record_log_next(hd_record_log_cursor *cursor, hd_time *time, uint32_t *node)
{
    if (cursor->times.position == cursor->log->times.n)
        return false;
    *time        = hd_record_times_at(&cursor->times, cursor->times.position + 1);
    cursor->node = cursor->node + (uint32_t)hd_unzigzag(hd_bytes_get_number(&cursor->at));
    *node        = cursor->node;
    return true;
}
