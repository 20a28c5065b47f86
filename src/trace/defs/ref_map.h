/* src/trace/defs/ref_map.h: numbers of the archive to indexes of the definitions.
 *
 * Records of events name regions, communicators, ... by the numbers that the archive gave them; the definitions have
 * them by index (defs.h).
 * Uses: base. Owner: the caller embeds it. MT: one thread at a time. Ranks: local. Memory: none where numbers are the
 * indexes.
 */
#ifndef HD_REF_MAP_H
#define HD_REF_MAP_H

#include "defs.h"
#include "table.h"

typedef struct hd_refs {  /* of the definitions of one kind */
    uint32_t n_dense; /* numbers below it are the indexes; 0 unless all are */
    hd_table table;   /* of all numbers if they are not: number -> index */
} hd_refs;

/* numbers: [n] the number of each; HD_NONE: it has none. */
void hd_refs_init(hd_refs *refs, const uint32_t *numbers, uint32_t n);
void hd_refs_fini(hd_refs *refs);

/* HD_NONE: no definition has the number. */
static inline uint32_t
hd_refs_index(const hd_refs *refs, uint32_t number)
{
    return HD_LIKELY(number < refs->n_dense) ? number : hd_table_get(&refs->table, number);
}

typedef struct hd_ref_maps { /* one of each loading thread */
    hd_refs regions, comms, strings, groups, contexts, file_handles, metric_sets;
    hd_refs windows; /* index counted from hd_first_window() on */
} hd_ref_maps;

void hd_ref_maps_init(hd_ref_maps *maps, const hd_defs *defs);
void hd_ref_maps_fini(hd_ref_maps *maps);

/* Index of a window among the communicators; HD_NONE: no definition has the number. */
static inline uint32_t
hd_ref_maps_window(const hd_ref_maps *maps, const hd_defs *defs, uint32_t number)
{
    uint32_t window = hd_refs_index(&maps->windows, number);

    return window != HD_NONE ? hd_first_window(defs) + window : HD_NONE;
}

#endif
