/* src/profile/wait_rows.c: rows of a process by wait state, place and slice, while they come. */
#include "wait_series.h"

#include <stdlib.h>

#include "bytes.h"
#include "sort.h"

/* A row is a word of 8 bytes, lowest first:
 *
 *   0 · metric, 9 bits · place, 8 · slice, 12 · ticks, 34
 *   1 · metric, 31 bits · place and slice, 32                 and the ticks in 8 bytes more, where they don't fit
 */
enum { METRIC_BITS = 9, PLACE_BITS = 32 - HD_SERIES_SLICE_BITS, SLICE_BITS = 12 };
enum {
    PLACE_SHIFT = 1 + METRIC_BITS,
    SLICE_SHIFT = PLACE_SHIFT + PLACE_BITS,
    TICKS_SHIFT = SLICE_SHIFT + SLICE_BITS,
    ROW_BYTES_MAX = 16
};

_Static_assert(HD_N_METRICS <= 1 << METRIC_BITS, "a row has nine bits for the metric");

static inline uint32_t
bits(uint64_t word, unsigned shift, unsigned n)
{
    return (uint32_t)(word >> shift) & ((1U << n) - 1);
}

static inline void
put(hd_wait_rows *rows, uint32_t metric, uint32_t key, int64_t ticks)
{
    uint32_t place = key >> HD_SERIES_SLICE_BITS, slice = bits(key, 0, HD_SERIES_SLICE_BITS);
    uint8_t  buffer[ROW_BYTES_MAX], *begin = hd_record_run_room(&rows->run, ROW_BYTES_MAX, buffer);

    rows->n++;
    if (HD_LIKELY(slice >> SLICE_BITS == 0 && (uint64_t)ticks >> (64 - TICKS_SHIFT) == 0)) {
        hd_bytes_write_fixed(begin, (uint64_t)ticks << TICKS_SHIFT | (uint64_t)slice << SLICE_SHIFT |
                                    (uint64_t)place << PLACE_SHIFT | (uint64_t)metric << 1);
        hd_record_run_put(&rows->run, begin, 8);
        return;
    }
    hd_bytes_write_fixed(begin, (uint64_t)key << 32 | (uint64_t)metric << 1 | 1);
    hd_bytes_write_fixed(begin + 8, (uint64_t)ticks);
    hd_record_run_put(&rows->run, begin, ROW_BYTES_MAX);
}

static inline void
get(const uint8_t **at, hd_severity *row)
{
    uint64_t word = hd_bytes_read_fixed(*at);

    *at += 8;
    if (HD_LIKELY((word & 1) == 0)) {
        row->metric    = bits(word, 1, METRIC_BITS);
        row->call_path = bits(word, PLACE_SHIFT, PLACE_BITS) << HD_SERIES_SLICE_BITS |
                         bits(word, SLICE_SHIFT, SLICE_BITS);
        row->value     = (int64_t)(word >> TICKS_SHIFT);
        return;
    }
    row->metric    = bits(word, 1, METRIC_BITS);
    row->call_path = (uint32_t)(word >> 32);
    row->value     = (int64_t)hd_bytes_read_fixed(*at);
    *at += 8;
}

hd_severity *
hd_wait_rows_take(hd_wait_rows *rows, size_t *n)
{
    hd_severity     *taken  = HD_NEW_UNSET(hd_severity, rows->n);
    hd_record_cursor cursor = hd_record_run_begin(&rows->run);

    for (uint32_t i = 0; i < rows->n; i++) {
        hd_record_cursor_next(&cursor);
        get(&cursor.at, &taken[i]);
    }
    *n = rows->n;
    hd_record_run_fini(&rows->run);
    rows->n = 0;
    return taken;
}

static inline uint64_t
key_of(const hd_severity *row)
{
    return (uint64_t)row->metric << 32 | row->call_path;
}

/* At most half of them are not the only ones of their sums from then on. */
static __attribute__((noinline)) void
join(hd_wait_rows *rows)
{
    size_t       n;
    hd_severity *all = hd_wait_rows_take(rows, &n);

    HD_SORT_BY_KEY(hd_severity, all, n, key_of);
    for (size_t i = 0; i < n;) {
        hd_severity sum = all[i++];

        for (; i < n && key_of(&all[i]) == key_of(&sum); i++)
            sum.value += all[i].value;
        put(rows, sum.metric, sum.call_path, sum.value);
    }
    free(all);
    rows->most = rows->n < HD_JOIN_WAITS / 2 ? HD_JOIN_WAITS : 2 * rows->n;
}

void
hd_wait_rows_put(hd_wait_rows *rows, uint32_t metric, uint32_t key, int64_t ticks)
{
    if (HD_UNLIKELY(rows->n >= HD_JOIN_WAITS && rows->n >= rows->most))
        join(rows);
    put(rows, metric, key, ticks);
}
