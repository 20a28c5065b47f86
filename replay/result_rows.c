/* replay/result_rows.c: packed is a row as 16 bits, in the byte order of the machine, and the lowest bytes of its
 * value, without those that only repeat its sign:
 *
 *   9 bits metric · 3 bits how many bytes are left out · 4 bits call path - that of the row before, or FAR: 4 bytes
 *                                                         follow
 */
#include "result_rows.h"

#include "bytes.h"

enum { METRIC_BITS = 9, LEFT_OUT_BITS = 3, FAR = 15, ROW_BYTES_MAX = 2 + 4 + 8 };

_Static_assert(HD_N_METRICS <= 1 << METRIC_BITS, "a head has room for the metric");

static uint8_t *
pack(uint8_t *at, const hd_severity *rows, size_t n)
{
    uint32_t call_path = 0;

    for (const hd_severity *row = rows, *end = rows + n; row < end; row++) {
        uint64_t size     = (uint64_t)(row->value < 0 ? ~row->value : row->value);
        uint64_t bits     = size << 1 | 1; /* the sign is one of those that stay */
        uint32_t left_out = (uint32_t)__builtin_clzll(bits) / 8, step = row->call_path - call_path;
        uint16_t head     = (uint16_t)(row->metric | left_out << METRIC_BITS |
                                       (step < FAR ? step : FAR) << (METRIC_BITS + LEFT_OUT_BITS));

        memcpy(at, &head, sizeof head);
        at += sizeof head;
        if (HD_UNLIKELY(step >= FAR)) {
            memcpy(at, &step, sizeof step);
            at += sizeof step;
        }
        hd_bytes_write_fixed(at, (uint64_t)row->value);
        at += sizeof bits - left_out;
        call_path = row->call_path;
    }
    return at;
}

static hd_severity *
unpack(const uint8_t **from, size_t n)
{
    hd_severity   *rows      = HD_NEW_UNSET(hd_severity, n);
    uint32_t       call_path = 0;
    const uint8_t *at        = *from;

    for (hd_severity *row = rows, *end = rows + n; row < end; row++) {
        uint16_t head;
        uint32_t step, left_out;

        memcpy(&head, at, sizeof head);
        at += sizeof head;
        step     = head >> (METRIC_BITS + LEFT_OUT_BITS);
        left_out = head >> METRIC_BITS & ((1U << LEFT_OUT_BITS) - 1);
        if (HD_UNLIKELY(step == FAR)) {
            memcpy(&step, at, sizeof step);
            at += sizeof step;
        }
        call_path += step;
        row->call_path = call_path;
        row->metric    = head & ((1U << METRIC_BITS) - 1);
        row->value     = (int64_t)(hd_bytes_read_fixed(at) << 8 * left_out) >> 8 * left_out;
        at += sizeof row->value - left_out;
    }
    *from = at;
    return rows;
}

void
hd_result_rows_pack(hd_location_result *result)
{
    size_t   most   = (result->n + result->n_startup) * ROW_BYTES_MAX + sizeof(uint64_t);
    uint8_t *packed = HD_NEW_UNSET(uint8_t, most), *at;

    at = pack(packed, result->entries, result->n);
    at = pack(at, result->startup, result->n_startup) + sizeof(uint64_t); /* values are read as eight bytes */
    free(result->entries);
    free(result->startup);
    result->startup = NULL;
    result->packed  = hd_pack(packed, (size_t)(at - packed), 1);
}

void
hd_result_rows_unpack(hd_location_result *result)
{
    uint8_t       *packed = result->packed;
    const uint8_t *at     = packed;

    result->entries = unpack(&at, result->n);
    result->startup = unpack(&at, result->n_startup);
    free(packed);
}
