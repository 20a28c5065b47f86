#include "ref_map.h"

void
hd_refs_init(hd_refs *refs, const uint32_t *numbers, uint32_t n)
{
    bool is_dense = true;

    *refs = (hd_refs){ .n_dense = 0 };
    for (uint32_t i = 0; i < n; i++)
        is_dense = is_dense && (numbers[i] == i || numbers[i] == HD_NONE);
    for (uint32_t i = 0; i < n; i++) {
        if (numbers[i] == HD_NONE)
            continue;
        if (is_dense)
            refs->n_dense = i + 1;
        else
            hd_table_add(&refs->table, numbers[i], i);
    }
}

void
hd_refs_fini(hd_refs *refs)
{
    hd_table_fini(&refs->table);
}

void
hd_ref_maps_init(hd_ref_maps *maps, const hd_defs *defs)
{
    hd_refs_init(&maps->regions, hd_defs_region_refs(defs), defs->n_regions);
    hd_refs_init(&maps->comms, hd_defs_comm_refs(defs), hd_first_window(defs));
    hd_refs_init(&maps->windows, hd_defs_comm_refs(defs) + hd_first_window(defs), defs->n_windows);
    hd_refs_init(&maps->groups, hd_defs_group_refs(defs), defs->n_groups);
    hd_refs_init(&maps->strings, hd_defs_string_refs(defs), defs->n_strings);
    hd_refs_init(&maps->contexts, hd_defs_context_refs(defs), defs->n_contexts);
    hd_refs_init(&maps->file_handles, hd_defs_file_handle_refs(defs), defs->n_file_handles);
    hd_refs_init(&maps->metric_sets, hd_defs_metric_set_refs(defs), defs->n_metric_sets);
}

void
hd_ref_maps_fini(hd_ref_maps *maps)
{
    hd_refs_fini(&maps->regions);
    hd_refs_fini(&maps->comms);
    hd_refs_fini(&maps->windows);
    hd_refs_fini(&maps->groups);
    hd_refs_fini(&maps->strings);
    hd_refs_fini(&maps->contexts);
    hd_refs_fini(&maps->file_handles);
    hd_refs_fini(&maps->metric_sets);
}
