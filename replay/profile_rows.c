/* replay/profile_rows.c: packed are time (zigzag) and visits of each call path; then, of each call path with counts,
 * the call path, a bit for each count that is not 0, and these. */
#include "profile_rows.h"

#include "bytes.h"

enum { COUNTS_BYTES_MAX = 5 + 5 + HD_N_COUNTS * HD_NUMBER_BYTES_MAX };

static uint8_t *
pack_counts(uint8_t *at, const hd_counts *counts)
{
    uint32_t bits = 0;

    for (uint32_t c = 0; c < HD_N_COUNTS; c++)
        bits |= (uint32_t)(counts->values[c] != 0) << c;
    at = hd_bytes_write_number(at, counts->node);
    at = hd_bytes_write_number(at, bits);
    for (; bits != 0; bits &= bits - 1)
        at = hd_bytes_write_number(at, counts->values[__builtin_ctz(bits)]);
    return at;
}

void
hd_profile_rows_pack(hd_vproc *vproc, bool keeps)
{
    const hd_loaded_location *location = vproc->location;
    size_t   most   = 2 * (size_t)location->n_nodes * HD_NUMBER_BYTES_MAX + location->n_counts * COUNTS_BYTES_MAX;
    uint8_t *packed = HD_NEW_UNSET(uint8_t, most), *at = packed;

    for (uint32_t i = 0; i < location->n_nodes; i++) {
        at = hd_bytes_write_number(at, hd_zigzag(location->nodes[i].time));
        at = hd_bytes_write_number(at, location->nodes[i].visits);
    }
    for (size_t i = 0; i < location->n_counts; i++)
        at = pack_counts(at, &location->counts[i]);
    vproc->profile = hd_pack(packed, (size_t)(at - packed), 1);
    if (!keeps && location->more->threads.bytes.n == 0) /* patterns of threads need what is above a call path */
        hd_loaded_location_drop_paths(vproc->location);
}

static size_t
take_counts(const uint8_t **at, hd_severity *rows)
{
    static const uint32_t metrics[HD_N_COUNTS] = {
        [HD_COUNT_SENDS_EMPTY] = HD_METRIC_syncs_send,     [HD_COUNT_SENDS_FULL] = HD_METRIC_comms_send,
        [HD_COUNT_SENT_BYTES] = HD_METRIC_bytes_sent,      [HD_COUNT_COLL_EMPTY] = HD_METRIC_syncs_coll,
        [HD_COUNT_COLL_EXCHANGE] = HD_METRIC_comms_cxch,   [HD_COUNT_COLL_SOURCE] = HD_METRIC_comms_csrc,
        [HD_COUNT_COLL_DESTINATION] = HD_METRIC_comms_cdst, [HD_COUNT_COLL_OUT_BYTES] = HD_METRIC_bytes_cout,
        [HD_COUNT_COLL_IN_BYTES] = HD_METRIC_bytes_cin,    [HD_COUNT_PUT_BYTES] = HD_METRIC_bytes_put,
        [HD_COUNT_GOT_BYTES] = HD_METRIC_bytes_get,
    };
    uint32_t node = (uint32_t)hd_bytes_get_number(at), bits = (uint32_t)hd_bytes_get_number(at);
    size_t   n    = 0;

    for (; bits != 0; bits &= bits - 1)
        rows[n++] = (hd_severity){ .call_path = node, .metric = metrics[__builtin_ctz(bits)],
                                   .value = (int64_t)hd_bytes_get_number(at) };
    return n;
}

/* Nothing is looked up for it: in programs with many call paths it is most of all there is. */
hd_severity *
hd_profile_rows_take(hd_vproc *vproc, size_t *n_out)
{
    const hd_loaded_location *location = vproc->location;
    hd_severity   *rows = HD_NEW_UNSET(hd_severity, 2 * (size_t)location->n_nodes + HD_N_COUNTS * location->n_counts);
    const uint8_t *at   = vproc->profile;
    size_t         n    = 0;

    for (uint32_t i = 0; i < location->n_nodes; i++) {
        int64_t  time   = hd_unzigzag(hd_bytes_get_number(&at));
        uint64_t visits = hd_bytes_get_number(&at);

        if (time != 0)
            rows[n++] = (hd_severity){ .call_path = i, .metric = HD_METRIC_time, .value = time };
        if (visits != 0)
            rows[n++] = (hd_severity){ .call_path = i, .metric = HD_METRIC_visits, .value = (int64_t)visits };
    }
    for (size_t i = 0; i < location->n_counts; i++)
        n += take_counts(&at, &rows[n]);
    free(vproc->profile);
    vproc->profile = NULL;
    *n_out         = n;
    return rows;
}
