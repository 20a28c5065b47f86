/* src/profile/wait_rows.h: parts of sums by wait state, place and slice (wait_series.h), as they come; equal ones are
 * added up where there are many.
 *
 * Uses: base, severity. MT: one thread at a time. Ranks: local. Grows with: the sums, 8 bytes for each and up to 8 more
 * for parts.
 */
#ifndef HD_WAIT_ROWS_H
#define HD_WAIT_ROWS_H

#include "bytes.h"
#include "record_run.h"
#include "severity.h"

#define HD_SERIES_SLICE_BITS 24 /* of what stands for the call path of severities; above it is the place */

static inline uint32_t
hd_series_slice(const hd_severity *entry)
{
    return entry->call_path & ((UINT32_C(1) << HD_SERIES_SLICE_BITS) - 1);
}

static inline uint32_t
hd_series_place(const hd_severity *entry)
{
    return entry->call_path >> HD_SERIES_SLICE_BITS;
}

/* A row is a word of 8 bytes, lowest first:
 *
 *   slice, 12 bits · place, 8 · metric, 9 · ticks, 35
 *
 * If a number is too large, the ticks are HD_WAIT_WHOLE, and the place, above HD_SERIES_SLICE_BITS of the slice, and
 * the ticks follow, 8 bytes each. */
enum {
    HD_WAIT_SLICE_BITS   = 12,
    HD_WAIT_PLACE_BITS   = 32 - HD_SERIES_SLICE_BITS,
    HD_WAIT_METRIC_SHIFT = HD_WAIT_SLICE_BITS + HD_WAIT_PLACE_BITS,
    HD_WAIT_METRIC_BITS  = 9,
    HD_WAIT_TICKS_SHIFT  = HD_WAIT_METRIC_SHIFT + HD_WAIT_METRIC_BITS
};

#define HD_WAIT_WHOLE ((UINT64_C(1) << (64 - HD_WAIT_TICKS_SHIFT)) - 1)

typedef struct hd_wait_rows {
    hd_record_run run;
    size_t        most; /* bytes: then they are added up; 0: HD_WAITS_MOST */
} hd_wait_rows;

#define HD_WAITS_MOST 8192 /* of a thread */
#define HD_WAITS_MOST_SHARED 1024 /* of processes that share them, which are many */

/* A metric at a place. */
static inline uint32_t
hd_wait_row_kind(uint32_t metric, uint32_t place)
{
    return metric << HD_WAIT_PLACE_BITS | place;
}

static inline uint32_t
hd_wait_row_metric(uint32_t kind)
{
    return kind >> HD_WAIT_PLACE_BITS;
}

static inline uint32_t
hd_wait_row_place(uint32_t kind)
{
    return kind & ((1U << HD_WAIT_PLACE_BITS) - 1);
}

void hd_wait_rows_put_slow(hd_wait_rows *rows, uint32_t kind, uint32_t slice, int64_t ticks);

/* Where there is room for 8 bytes. false: a number is too large. */
static inline bool
hd_wait_rows_put_plain(hd_wait_rows *rows, uint32_t kind, uint32_t slice, int64_t ticks)
{
    if (HD_UNLIKELY((slice >> HD_WAIT_SLICE_BITS | (uint64_t)ticks >> (63 - HD_WAIT_TICKS_SHIFT)) != 0))
        return false;
    hd_bytes_write_fixed(rows->run.at, (uint64_t)ticks << HD_WAIT_TICKS_SHIFT | kind << HD_WAIT_SLICE_BITS | slice);
    rows->run.at += 8;
    return true;
}

/* kind: hd_wait_row_kind(); slice: fits in HD_SERIES_SLICE_BITS */
static inline void
hd_wait_rows_put(hd_wait_rows *rows, uint32_t kind, uint32_t slice, int64_t ticks)
{
    if (HD_UNLIKELY(rows->run.end - rows->run.at < 8) ||
        HD_UNLIKELY(!hd_wait_rows_put_plain(rows, kind, slice, ticks)))
        hd_wait_rows_put_slow(rows, kind, slice, ticks);
}

/* At the first row; nothing is put in until it is behind the last one. */
static inline hd_record_cursor
hd_wait_rows_begin(hd_wait_rows *rows)
{
    return hd_record_run_begin(&rows->run);
}

/* The next row, as it was put in: some may have the same metric, place and slice. false: there are no more. */
static inline __attribute__((always_inline)) bool
hd_wait_rows_next(hd_record_cursor *cursor, hd_severity *row)
{
    uint64_t word;
    uint32_t low;

    while (HD_UNLIKELY(cursor->at == cursor->end)) {
        if (cursor->chunk == NULL)
            return false;
        hd_record_cursor_next_chunk(cursor);
    }
    word           = hd_bytes_read_fixed(cursor->at);
    low            = (uint32_t)word & ((1U << HD_WAIT_METRIC_SHIFT) - 1);
    row->call_path = (low >> HD_WAIT_SLICE_BITS) << HD_SERIES_SLICE_BITS | (low & ((1U << HD_WAIT_SLICE_BITS) - 1));
    row->metric    = (uint32_t)word << (32 - HD_WAIT_TICKS_SHIFT) >> (32 - HD_WAIT_METRIC_BITS);
    row->value     = (int64_t)(word >> HD_WAIT_TICKS_SHIFT);
    cursor->at += 8;
    if (HD_UNLIKELY(row->value == (int64_t)HD_WAIT_WHOLE)) {
        row->call_path = (uint32_t)hd_bytes_read_fixed(cursor->at);
        row->value     = (int64_t)hd_bytes_read_fixed(cursor->at + 8);
        cursor->at += 16;
    }
    return true;
}

/* The next row, if its word says all. */
static inline __attribute__((always_inline)) bool
hd_wait_rows_next_plain(hd_record_cursor *cursor, uint32_t *kind, uint32_t *slice, int64_t *ticks)
{
    uint64_t word;

    if (cursor->at == cursor->end)
        return false;
    word   = hd_bytes_read_fixed(cursor->at);
    *kind  = (uint32_t)word << (32 - HD_WAIT_TICKS_SHIFT) >> (32 - HD_WAIT_TICKS_SHIFT + HD_WAIT_SLICE_BITS);
    *slice = (uint32_t)word & ((1U << HD_WAIT_SLICE_BITS) - 1);
    *ticks = (int64_t)(word >> HD_WAIT_TICKS_SHIFT);
    if (HD_UNLIKELY(*ticks == (int64_t)HD_WAIT_WHOLE))
        return false;
    cursor->at += 8;
    return true;
}

void hd_wait_rows_fini(hd_wait_rows *rows); /* none are left then */

#endif
