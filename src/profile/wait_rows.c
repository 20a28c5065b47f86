#include "wait_rows.h"

#include <stdlib.h>

#include "sort.h"

_Static_assert(HD_N_METRICS <= 1 << HD_WAIT_METRIC_BITS, "a row has nine bits for the metric");

void
hd_wait_rows_fini(hd_wait_rows *rows)
{
    hd_record_run_fini(&rows->run);
}

/* The rows [n], free() them; none are left. */
static hd_severity *
take(hd_wait_rows *rows, size_t *n)
{
    hd_severity     *taken  = HD_NEW_UNSET(hd_severity, hd_record_run_bytes(&rows->run) / 8), *row = taken;
    hd_record_cursor cursor = hd_wait_rows_begin(rows);

    while (hd_wait_rows_next(&cursor, row))
        row++;
    *n = (size_t)(row - taken);
    hd_wait_rows_fini(rows);
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
    hd_severity *all = take(rows, &n);

    rows->most = SIZE_MAX;
    HD_SORT_BY_KEY(hd_severity, all, n, key_of);
    for (size_t i = 0; i < n;) {
        hd_severity sum = all[i++];

        for (; i < n && key_of(&all[i]) == key_of(&sum); i++)
            sum.value += all[i].value;
        hd_wait_rows_put(rows, hd_wait_row_kind(sum.metric, hd_series_place(&sum)), hd_series_slice(&sum), sum.value);
    }
    free(all);
    rows->most = 2 * hd_record_run_bytes(&rows->run);
    rows->most = most < rows->most ? rows->most : most;
}

#ifndef __clang__
#pragma GCC diagnostic pop
#endif

void
hd_wait_rows_put_slow(hd_wait_rows *rows, uint32_t kind, uint32_t slice, int64_t ticks)
{
    uint8_t row[24];

    if (rows->most == 0)
        rows->most = HD_WAITS_MOST;
    if (hd_record_run_bytes(&rows->run) >= rows->most)
        join(rows);
    hd_record_run_make_room(&rows->run, 8);
    if (hd_wait_rows_put_plain(rows, kind, slice, ticks))
        return;
    hd_bytes_write_fixed(row, HD_WAIT_WHOLE << HD_WAIT_TICKS_SHIFT | hd_wait_row_metric(kind) << HD_WAIT_METRIC_SHIFT);
    hd_bytes_write_fixed(row + 8, hd_wait_row_place(kind) << HD_SERIES_SLICE_BITS | slice);
    hd_bytes_write_fixed(row + 16, (uint64_t)ticks);
    hd_record_run_put_slow(&rows->run, row, sizeof row);
}
