/* replay/slice_cuts.h: where windows, or iterations, of a process begin, for what goes through its logs from slice to
 * slice.
 * Inside of the replay only. Uses: core. MT: any thread. Ranks: local.
 */
#ifndef HD_SLICE_CUTS_H
#define HD_SLICE_CUTS_H

#include "vproc.h"

typedef struct hd_slice_cut { /* a slice begins */
    hd_time  at;
    uint32_t slice;
} hd_slice_cut;

typedef struct hd_slice_cuts {
    hd_slice_cut *rows; /* [n] ascending, free() it; the first slice is 0 */
    uint32_t      n;
    size_t        capacity;
} hd_slice_cuts;

/* Where the windows, or iterations, of a process begin: of more than HD_MAX_WINDOWS iterations neighbours are one
 * slice. vproc: of a thread of it */
hd_slice_cuts hd_slice_cuts_of(const hd_replay_request *request, const hd_vproc *vproc, bool is_iterations);

/* The same of iterations, of which none are joined: hd_iterations_joined() of their slices is that of above. */
hd_slice_cuts hd_slice_cuts_of_each_iteration(const hd_replay_request *request, const hd_vproc *vproc);

/* How many slices there are: before, after and between iterations, too. */
uint32_t hd_slices_of_iterations(const hd_iterations *iterations);

/* [n_nodes] the place of each call path of a location, HD_NO_PLACE: it does not compute; free() them. */
uint8_t *hd_slice_places(const hd_vproc *vproc, const hd_path_fold *fold);

typedef struct hd_slice_walk { /* on the way through the slices */
    const hd_slice_cuts *cuts;
    uint32_t             next;  /* cut */
    uint32_t             slice; /* that is now */
} hd_slice_walk;

/* In the slice that this time is in. */
hd_slice_walk hd_slice_walk_at(const hd_slice_cuts *cuts, hd_time time);

static inline bool
hd_slice_walk_is_over(const hd_slice_walk *walk) /* the slice that is now is the last one */
{
    return walk->next == walk->cuts->n;
}

/* When the slice that is now began; 0: before all */
static inline hd_time
hd_slice_walk_begin(const hd_slice_walk *walk)
{
    return walk->next > 0 ? walk->cuts->rows[walk->next - 1].at : 0;
}

/* When the next slice begins; UINT64_MAX: never */
static inline hd_time
hd_slice_walk_next(const hd_slice_walk *walk)
{
    return !hd_slice_walk_is_over(walk) ? walk->cuts->rows[walk->next].at : UINT64_MAX;
}

static inline void
hd_slice_walk_pass(hd_slice_walk *walk) /* to the next slice, which is there */
{
    walk->slice = walk->cuts->rows[walk->next++].slice;
}

#endif
