/* replay/profile_rows.c: a packed profile is the number of its rows, then call path, metric and value of each. */
#include "profile_rows.h"

#include "bytes.h"

/* Nothing is looked up for it: in programs with many call paths it is most of all there is. */
static hd_severity *
list(const hd_loaded_location *location, size_t *n_out)
{
    static const uint32_t counter_metrics[HD_N_COUNTS] = {
        [HD_COUNT_SENDS_EMPTY] = HD_METRIC_syncs_send,     [HD_COUNT_SENDS_FULL] = HD_METRIC_comms_send,
        [HD_COUNT_SENT_BYTES] = HD_METRIC_bytes_sent,      [HD_COUNT_COLL_EMPTY] = HD_METRIC_syncs_coll,
        [HD_COUNT_COLL_EXCHANGE] = HD_METRIC_comms_cxch,   [HD_COUNT_COLL_SOURCE] = HD_METRIC_comms_csrc,
        [HD_COUNT_COLL_DESTINATION] = HD_METRIC_comms_cdst, [HD_COUNT_COLL_OUT_BYTES] = HD_METRIC_bytes_cout,
        [HD_COUNT_COLL_IN_BYTES] = HD_METRIC_bytes_cin,    [HD_COUNT_PUT_BYTES] = HD_METRIC_bytes_put,
        [HD_COUNT_GOT_BYTES] = HD_METRIC_bytes_get,
    };
    hd_severity *rows = HD_NEW_UNSET(hd_severity, 2 * (size_t)location->n_nodes + HD_N_COUNTS * location->n_counts);
    size_t       n    = 0;

    for (uint32_t i = 0; i < location->n_nodes; i++) {
        const hd_path_node *node = &location->nodes[i];

        if (node->time != 0)
            rows[n++] = (hd_severity){ .call_path = i, .metric = HD_METRIC_time, .value = node->time };
        if (node->visits != 0)
            rows[n++] = (hd_severity){ .call_path = i, .metric = HD_METRIC_visits, .value = (int64_t)node->visits };
    }
    for (size_t i = 0; i < location->n_counts; i++)
        for (uint32_t c = 0; c < HD_N_COUNTS; c++)
            if (location->counts[i].values[c] != 0)
                rows[n++] = (hd_severity){ .call_path = location->counts[i].node, .metric = counter_metrics[c],
                                           .value = (int64_t)location->counts[i].values[c] };
    *n_out = n;
    return rows;
}

void
hd_profile_rows_pack(hd_vproc *vproc)
{
    hd_bytes     packed = { .data = NULL };
    hd_severity *rows;
    size_t       n;

    if (vproc->location->threads.bytes.n > 0)
        return;
    rows = list(vproc->location, &n);
    hd_bytes_put_number(&packed, n);
    for (size_t i = 0; i < n; i++) {
        hd_bytes_put_number(&packed, rows[i].call_path);
        hd_bytes_put_number(&packed, rows[i].metric);
        hd_bytes_put_number(&packed, hd_zigzag(rows[i].value));
    }
    free(rows);
    hd_bytes_pack(&packed);
    vproc->profile = packed.data;
    hd_loaded_location_drop_paths(vproc->location);
}

hd_severity *
hd_profile_rows_take(hd_vproc *vproc, size_t *n)
{
    const uint8_t *at = vproc->profile;
    hd_severity   *rows;

    if (at == NULL)
        return list(vproc->location, n);
    *n   = hd_bytes_get_number(&at);
    rows = HD_NEW_UNSET(hd_severity, *n);
    for (size_t i = 0; i < *n; i++) {
        rows[i].call_path = (uint32_t)hd_bytes_get_number(&at);
        rows[i].metric    = (uint32_t)hd_bytes_get_number(&at);
        rows[i].value     = hd_unzigzag(hd_bytes_get_number(&at));
    }
    free(vproc->profile);
    vproc->profile = NULL;
    return rows;
}
