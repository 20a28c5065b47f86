#include "interval_log.h"

void
hd_interval_log_close(hd_interval_log *log, hd_time until, const uint8_t *end_of_entries)
{
    hd_time  from = log->n_intervals > 0 ? log->end : log->begin;
    size_t   n    = (size_t)(end_of_entries - log->bytes.data);
    uint8_t *at   = hd_bytes_room(&log->boundaries, 2 * HD_NUMBER_BYTES_MAX);

    at = hd_bytes_write_number(at, until - from);
    at = hd_bytes_write_number(at, n - log->bytes.n);
    log->boundaries.n = (size_t)(at - log->boundaries.data);
    log->bytes.n      = n;
    log->end          = until;
    log->n_intervals++;
}

void
hd_interval_log_fini(hd_interval_log *log)
{
    hd_bytes_fini(&log->bytes);
    hd_bytes_fini(&log->boundaries);
}

void
hd_interval_cursor_init(hd_interval_cursor *cursor, const hd_interval_log *log)
{
    *cursor = (hd_interval_cursor){ .at = log->boundaries.data, .end = log->boundaries.data + log->boundaries.n,
                                    .entry = log->bytes.data, .entries_end = log->bytes.data, .until = log->begin };
}
