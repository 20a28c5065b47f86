/* src/profile/call_sites.c: unifies where call paths are called: what several processes say is combined. */
#include "call_sites.h"

#include "memory.h"
#include "table.h"

/* Ranks that know nothing have no bytes. */
static void
merge_sites(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    uint32_t       *into = (uint32_t *)(void *)lower->data;
    const uint32_t *from = (const uint32_t *)(const void *)upper->data;

    (void)context;
    if (lower->n == 0)
        hd_bytes_put(lower, upper->data, upper->n);
    else
        for (size_t i = 0; i < upper->n / sizeof *from; i++)
            into[i] = hd_site_of_both(into[i], from[i]);
}

uint32_t *
hd_call_sites_unify(hd_analysis_comm *analysis_comm, const hd_process_sites *processes, size_t n_processes,
                    uint32_t n_paths)
{
    hd_bytes  folded = { 0 };
    uint32_t *all    = NULL;

    for (size_t p = 0; p < n_processes; p++) {
        if (processes[p].sites == NULL)
            continue;
        if (all == NULL)
            all = HD_NEW_ARRAY(uint32_t, n_paths);
        for (uint32_t i = 0; i < processes[p].n; i++)
            all[processes[p].map[i]] = hd_site_of_both(all[processes[p].map[i]], processes[p].sites[i]);
    }
    if (all != NULL)
        hd_bytes_put(&folded, all, n_paths * sizeof *all);
    free(all);
    hd_analysis_comm_fold(analysis_comm, &folded, merge_sites, NULL);
    if (hd_analysis_comm_rank(analysis_comm).v == 0 && folded.n > 0)
        return (uint32_t *)(void *)folded.data;
    hd_bytes_fini(&folded);
    return NULL;
}

static uint64_t
pair_of(uint32_t around, uint32_t region)
{
    return (uint64_t)around << 32 | region;
}

uint32_t *
hd_call_sites_add_defined(uint32_t *sites, const hd_defs *defs, const hd_calltree *tree)
{
    const hd_context *contexts = hd_defs_contexts(defs);
    uint32_t         *known    = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_contexts + 1); /* of a pair of regions */
    hd_table          pairs; /* -> index in known */

    hd_table_init(&pairs);
    for (uint32_t i = 0; i < defs->n_contexts; i++) {
        uint32_t around = contexts[i].parent, pair, site;

        if (around == HD_NONE || contexts[i].depth == 0)
            continue;
        pair = hd_table_get(&pairs, pair_of(contexts[around].region, contexts[i].region));
        site = contexts[around].site != 0 ? contexts[around].site : HD_SITE_SEVERAL;
        if (pair == HD_NONE)
            hd_table_add(&pairs, pair_of(contexts[around].region, contexts[i].region), pair = i);
        known[pair] = hd_site_of_both(known[pair], site);
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t parent = tree->nodes[i].parent, pair;

        if (parent == HD_NONE || (sites != NULL && sites[i] != 0))
            continue;
        pair = hd_table_get(&pairs, pair_of(tree->nodes[parent].region, tree->nodes[i].region));
        if (pair == HD_NONE)
            continue;
        if (sites == NULL)
            sites = HD_NEW_ARRAY(uint32_t, tree->n);
        sites[i] = known[pair];
    }
    hd_table_fini(&pairs);
    free(known);
    return sites;
}
