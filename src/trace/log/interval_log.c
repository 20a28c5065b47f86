#include "interval_log.h"

void
hd_interval_log_put_long(hd_interval_log *log, uint64_t span, uint64_t n)
{
    uint64_t both[2] = { span, n };
    uint32_t word    = 1;
    uint8_t *at      = log->boundaries.data + log->boundaries.n;

    memcpy(at, &word, sizeof word);
    memcpy(at + sizeof word, both, sizeof both);
    log->boundaries.n += sizeof word + sizeof both;
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
