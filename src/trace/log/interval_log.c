#include "interval_log.h"

void
hd_interval_log_put(hd_interval_log *log, hd_time until, const hd_interval_entry *entries, size_t n_entries)
{
    hd_time from = log->n_intervals > 0 ? log->end : log->begin;
    hd_span rest = hd_span_between(from, until);
    size_t  room = 2 * (n_entries + 1) * HD_NUMBER_BYTES_MAX;
    bool    adds_up;
    uint8_t *at;

    for (size_t i = 0; i < n_entries; i++)
        rest -= entries[i].time;
    adds_up = rest == 0 && n_entries > 0;
    if (HD_UNLIKELY(log->bytes.capacity - log->bytes.n < room))
        hd_bytes_reserve(&log->bytes, room);
    at = hd_bytes_write_number(log->bytes.data + log->bytes.n, until - from);
    at = hd_bytes_write_number(at, (uint64_t)n_entries << 1 | adds_up);
    for (size_t i = 0; i < n_entries; i++) {
        at = hd_bytes_write_number(at, entries[i].node);
        if (i + 1 < n_entries || !adds_up)
            at = hd_bytes_write_number(at, hd_zigzag(entries[i].time));
    }
    log->bytes.n = (size_t)(at - log->bytes.data);
    log->end = until;
    log->n_intervals++;
}

void
hd_interval_log_fini(hd_interval_log *log)
{
    hd_bytes_fini(&log->bytes);
}

void
hd_interval_cursor_init(hd_interval_cursor *cursor, const hd_interval_log *log)
{
    *cursor = (hd_interval_cursor){ .at = log->bytes.data, .end = log->bytes.data + log->bytes.n, .until = log->begin };
}
