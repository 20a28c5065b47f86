#include "sync_counters.h"

#include <stdlib.h>

static int
compare_counted(const void *left, const void *right)
{
    const hd_counted_node *a = left, *b = right;

    if (a->call_path != b->call_path)
        return a->call_path < b->call_path ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

void
hd_sync_counters_make(hd_vproc *vproc)
{
    const hd_loaded_location *location = vproc->location;
    const hd_counter_log     *counted  = &location->more->counted;
    hd_syncs_rare            *rare;
    size_t                    capacity = 0;

    if (counted->first == NULL)
        return;
    rare = hd_syncs_rare_of(vproc->syncs);
    for (uint32_t i = 0; i < location->n_nodes; i++)
        if (hd_counter_log_has(counted, i) && (location->map == NULL || location->map[i] != HD_NONE))
            HD_PUSH(rare->counted, rare->n_counted, capacity,
                    ((hd_counted_node){ .call_path = hd_vproc_call_path(vproc, i), .node = i }));
    if (rare->n_counted > 1)
        qsort(rare->counted, rare->n_counted, sizeof *rare->counted, compare_counted);
}

bool
hd_sync_counters_get(const hd_vproc *vproc, uint32_t from, uint32_t to, uint32_t call_path, uint64_t *counted)
{
    const hd_syncs *syncs = vproc->syncs;
    bool            is_all = from == HD_NONE || hd_sync_kind_at(syncs, from) == HD_SYNC_BEGIN;
    hd_time         begin  = is_all ? 0 : hd_sync_enter_at(syncs, from);
    size_t          low = 0, high = syncs->rare->n_counted;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (syncs->rare->counted[middle].call_path < call_path)
            low = middle + 1;
        else
            high = middle;
    }
    memset(counted, 0, HD_COMPARED_MAX * sizeof *counted);
    if (low == syncs->rare->n_counted || syncs->rare->counted[low].call_path != call_path)
        return false;
    for (; low < syncs->rare->n_counted && syncs->rare->counted[low].call_path == call_path; low++)
        hd_counter_log_add(&vproc->location->more->counted, syncs->rare->counted[low].node, begin,
                           hd_sync_enter_at(syncs, to), &syncs->rare->counted[low].hint, counted);
    return true;
}
