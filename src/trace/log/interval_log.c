#include "interval_log.h"

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
