/* src/profile/call_sites.c: unifies where call paths are called: what several processes say is combined. */
#include "call_sites.h"

#include "defs.h"
#include "memory.h"

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
