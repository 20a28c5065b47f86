/* replay/result_rows.c: packed is each row as the difference to the call path before · metric · value (zigzag). */
#include "result_rows.h"

#include "bytes.h"

static uint8_t *
pack(uint8_t *at, const hd_severity *rows, size_t n)
{
    uint32_t call_path = 0;

    for (size_t i = 0; i < n; i++) {
        at        = hd_bytes_write_number(at, rows[i].call_path - call_path);
        at        = hd_bytes_write_number(at, rows[i].metric);
        at        = hd_bytes_write_number(at, hd_zigzag(rows[i].value));
        call_path = rows[i].call_path;
    }
    return at;
}

static hd_severity *
unpack(const uint8_t **at, size_t n)
{
    hd_severity *rows      = HD_NEW_UNSET(hd_severity, n);
    uint32_t     call_path = 0;

    for (size_t i = 0; i < n; i++) {
        call_path += (uint32_t)hd_bytes_get_number(at);
        rows[i].call_path = call_path;
        rows[i].metric    = (uint32_t)hd_bytes_get_number(at);
        rows[i].value     = hd_unzigzag(hd_bytes_get_number(at));
    }
    return rows;
}

void
hd_result_rows_pack(hd_location_result *result)
{
    size_t   most   = (result->n + result->n_startup) * (2 * 5 + HD_NUMBER_BYTES_MAX);
    uint8_t *packed = HD_NEW_UNSET(uint8_t, most), *at;

    at = pack(packed, result->entries, result->n);
    at = pack(at, result->startup, result->n_startup);
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
