#include "wait_rows.h"

#include <stdlib.h>

#include "sort.h"

_Static_assert(HD_N_METRICS <= 1 << HD_WAIT_METRIC_BITS, "a row has nine bits for the metric");

hd_severity *
hd_wait_rows_copy(hd_wait_rows *rows, size_t *n)
{
    hd_severity     *taken  = HD_NEW_UNSET(hd_severity, hd_record_run_bytes(&rows->run) / 8), *row = taken;
    hd_record_cursor cursor = hd_record_run_begin(&rows->run);

    for (; cursor.chunk != NULL; hd_record_cursor_next_chunk(&cursor))
        for (const uint8_t *at = cursor.at, *end = cursor.end; at < end; row++) {
            uint64_t word = hd_bytes_read_fixed(at);
            uint32_t low  = (uint32_t)word & ((1U << HD_WAIT_METRIC_SHIFT) - 1);

            row->call_path = (low >> HD_WAIT_SLICE_BITS) << HD_SERIES_SLICE_BITS |
                             (low & ((1U << HD_WAIT_SLICE_BITS) - 1));
            row->metric    = (uint32_t)word << (32 - HD_WAIT_TICKS_SHIFT) >> (32 - HD_WAIT_METRIC_BITS);
            row->value     = (int64_t)(word >> HD_WAIT_TICKS_SHIFT);
            at += 8;
            if (HD_UNLIKELY(row->value == (int64_t)HD_WAIT_WHOLE)) {
                row->call_path = (uint32_t)hd_bytes_read_fixed(at);
                row->value     = (int64_t)hd_bytes_read_fixed(at + 8);
                at += 16;
            }
        }
    *n = (size_t)(row - taken);
    return taken;
}

hd_severity *
hd_wait_rows_take(hd_wait_rows *rows, size_t *n)
{
    hd_severity *taken = hd_wait_rows_copy(rows, n);

    hd_record_run_fini(&rows->run);
    return taken;
}

static inline uint64_t
key_of(const hd_severity *row)
{
    return (uint64_t)row->metric << 32 | row->call_path;
}

#ifndef __clang__ /* the analyzer takes the two buffers of the sort for one */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wanalyzer-use-after-free"
#endif

/* At most half of the room is taken by rows that are not the only ones of their sums. */
static void
join(hd_wait_rows *rows)
{
    size_t       n, most = rows->most;
    hd_severity *all = hd_wait_rows_take(rows, &n);

    rows->most = SIZE_MAX;
    HD_SORT_BY_KEY(hd_severity, all, n, key_of);
    for (size_t i = 0; i < n;) {
        hd_severity sum = all[i++];

        for (; i < n && key_of(&all[i]) == key_of(&sum); i++)
            sum.value += all[i].value;
        hd_wait_rows_put(rows, sum.metric, sum.call_path, sum.value);
    }
    free(all);
    rows->most = 2 * hd_record_run_bytes(&rows->run);
    rows->most = most < rows->most ? rows->most : most;
}

#ifndef __clang__
#pragma GCC diagnostic pop
#endif

void
hd_wait_rows_put_slow(hd_wait_rows *rows, uint32_t metric, uint32_t key, int64_t ticks)
{
    uint8_t row[24];

    if (rows->most == 0)
        rows->most = HD_WAITS_MOST;
    if (hd_record_run_bytes(&rows->run) >= rows->most)
        join(rows);
    hd_bytes_write_fixed(row, HD_WAIT_WHOLE << HD_WAIT_TICKS_SHIFT | metric << HD_WAIT_METRIC_SHIFT);
    hd_bytes_write_fixed(row + 8, key);
    hd_bytes_write_fixed(row + 16, (uint64_t)ticks);
    hd_record_run_put_slow(&rows->run, row, sizeof row);
}
