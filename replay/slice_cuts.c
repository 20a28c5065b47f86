/* replay/slice_cuts.c: where windows and iterations begin. */
#include "slice_cuts.h"

static void
add_cut(hd_slice_cuts *to, hd_time at, uint32_t slice)
{
    if ((to->n == 0 ? 0 : to->rows[to->n - 1].slice) == slice)
        return;
    to->rows = to->n == to->capacity ? hd_grow(to->rows, to->n, &to->capacity, sizeof *to->rows) : to->rows;
    to->rows[to->n++] = (hd_slice_cut){ at, slice };
}

static hd_slice_cuts
cuts_of_windows(const hd_windows *windows)
{
    hd_slice_cuts of = { .n = 0 };

    for (uint32_t slice = 1; slice <= windows->n + 1; slice++)
        add_cut(&of, hd_windows_begin(windows, slice), slice);
    return of;
}

static hd_slice_cuts
cuts_of_iterations(const hd_process_iterations *own, uint32_t n, uint32_t shift)
{
    hd_slice_cuts of = { .n = 0 };

    for (uint32_t i = 0; i < own->n; i++) {
        add_cut(&of, own->rows[i].enter, hd_iterations_joined(n, i + 1, shift));
        if (i + 1 == own->n || own->rows[i + 1].enter > own->rows[i].leave)
            add_cut(&of, own->rows[i].leave, hd_iterations_joined(n, i + 1 == own->n ? n + 1 : n + 2, shift));
    }
    return of;
}

hd_slice_cuts
hd_slice_cuts_of(const hd_replay_request *request, const hd_vproc *vproc, bool is_iterations)
{
    if (!is_iterations)
        return cuts_of_windows(&request->windows);
    return cuts_of_iterations(&request->iterations->of[vproc->process - request->trace->processes],
                              request->iterations->n, hd_iterations_shift(request->iterations->n, HD_MAX_WINDOWS));
}

hd_slice_cuts
hd_slice_cuts_of_each_iteration(const hd_replay_request *request, const hd_vproc *vproc)
{
    return cuts_of_iterations(&request->iterations->of[vproc->process - request->trace->processes],
                              request->iterations->n, 0);
}

uint32_t
hd_slices_of_iterations(const hd_iterations *iterations)
{
    uint32_t n = iterations->n;

    return hd_iterations_joined(n, n + 2, hd_iterations_shift(n, HD_MAX_WINDOWS)) + 1;
}

uint8_t *
hd_slice_places(const hd_vproc *vproc, const hd_path_fold *fold)
{
    uint32_t n      = vproc->location->n_nodes;
    uint8_t *places = HD_NEW_UNSET(uint8_t, (size_t)n + 1);

    for (uint32_t node = 0; node < n; node++) {
        uint32_t path = hd_vproc_call_path_if_any(vproc, node);

        places[node] = path != HD_NONE ? fold->places[path] : HD_NO_PLACE;
    }
    return places;
}

hd_slice_walk
hd_slice_walk_at(const hd_slice_cuts *cuts, hd_time time)
{
    uint32_t low = 0, high = cuts->n; /* of the first cut behind the time */

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (cuts->rows[middle].at <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return (hd_slice_walk){ cuts, low, low > 0 ? cuts->rows[low - 1].slice : 0 };
}
