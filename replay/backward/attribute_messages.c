/* replay/backward/attribute_messages.c: the waits of all messages at one point, grouped by the interval that they go
 * back to. The messages are sorted by interval and sender, so the time vector of an interval is made once, and the
 * result does not depend on the order of arrival. */
#include "attribute_messages.h"

#include "attribution.h"
#include "path.h"
#include "sort.h"

/* scout 2.6 passes on waits of a process only from the delayer's next common synchronization point with another one on
 * (D3). */
static uint32_t
until_next(const hd_sync_intermediate *found, size_t n, uint32_t previous)
{
    for (size_t i = 0; i < n; i++)
        if (found[i].previous > previous)
            return found[i].previous - 1;
    return HD_NONE;
}

enum { FEW = 8 }; /* are looked through */

/* What is found with a process; NULL: nothing. places: of all, by process, if there are more than a few. */
static inline const hd_sync_intermediate *
found_with(const hd_sync_intermediate *found, size_t n, const hd_map *places, uint32_t process)
{
    const uint64_t *place;

    if (n > FEW) {
        place = hd_map_get(places, process);
        return place != NULL ? &found[*place] : NULL;
    }
    for (size_t i = n; i > 0; i--)
        if (found[i - 1].process == process)
            return &found[i - 1];
    return NULL;
}

/* The delayer's last common synchronization point with each process: that with all members stands in the point, later
 * ones with some of them are its intermediates. */
void
hd_attribution_find_previous(hd_vproc *vproc, uint32_t point, hd_backward_messages *all, bool compat)
{
    hd_backward                *backward = vproc->backward;
    const hd_sync_intermediate *found    = vproc->syncs->rare->intermediates + backward->n_intermediates;
    uint32_t                    previous = hd_sync_previous_at(vproc->syncs, point);
    size_t                      n        = 0;
    hd_map                      places   = { 0 };
    bool                        is_new;

    while (backward->n_intermediates > 0 && found[-1].sync == point) {
        found--;
        backward->n_intermediates--;
        n++;
    }
    for (size_t i = 0; i < n && n > FEW; i++)
        *hd_map_add(&places, found[i].process, &is_new) = i;
    for (hd_backward_message *message = all->first; message != NULL; message = message->next) {
        const hd_sync_intermediate *with = found_with(found, n, &places, message->item.from);

        message->previous = with != NULL ? with->previous : previous;
        message->until    = with == NULL || !compat ? message->previous : until_next(found, n, message->previous);
    }
    if (n > FEW)
        hd_map_fini(&places);
}

typedef hd_backward_message *message_place;

static inline uint64_t
sender_of(const message_place *message)
{
    return (uint64_t)(*message)->item.from << 32 | (*message)->item.from_thread;
}

static inline uint64_t
previous_of(const message_place *message)
{
    return (*message)->previous;
}

/* Of rh->backward->own, which begins at a point in common with some members, scout 2.6 takes the call paths only in
 * which the delayer also has time since the point in common with all of them; two points in one call can make a
 * difference. make: the latter is not in rh->backward->whole yet. */
static void
leave_out_others(hd_replay_worker *rh, const hd_vproc *vproc, uint32_t point, bool make)
{
    if (make)
        hd_sync_time_pruned(&rh->backward->whole, vproc->syncs, hd_sync_at(vproc->syncs, point).previous, point,
                            hd_attribution_rules(rh, false));
    for (size_t i = 0; i < rh->backward->own.n; i++)
        if (hd_time_vector_get(&rh->backward->whole, rh->backward->own.touched[i]) <= 0)
            rh->backward->own.spans[rh->backward->own.touched[i]] = 0;
}

void
hd_attribute_messages(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point,
                      const hd_sync *sync, const hd_backward_messages *all)
{
    hd_backward_worker   *back     = rh->backward;
    uint32_t              first    = all->n, n;
    double                waits    = 0;
    bool                  extended = sync->kind == HD_SYNC_AWAITED;
    bool                  is_made  = false; /* rh->backward->whole */
    bool                  on_path  = false;
    hd_backward_message **sorted;

    while (back->capacity_sorted < all->n)
        back->sorted = hd_grow(back->sorted, back->capacity_sorted, &back->capacity_sorted, sizeof *back->sorted);
    for (hd_backward_message *message = all->first; message != NULL; message = message->next) {
        on_path |= message->item.on_path != 0;
        if (message->item.wait > 0 && rh->replay->request->delays)
            back->sorted[--first] = message; /* the last one that came is the first of the list */
    }
    sorted = back->sorted + first;
    n      = all->n - first;
    if (on_path)
        hd_path_enter_at(vproc, point, hd_sync_wait_begin(vproc->syncs, sync));
    if (n > 1) {
        HD_SORT_BY_KEY(message_place, sorted, n, sender_of);
        HD_SORT_BY_KEY(message_place, sorted, n, previous_of);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i]->previous != sorted[i - 1]->previous) {
            if (i > 0 && sorted[i - 1]->until != HD_NONE)
                hd_attributions_put_in_force(rh, &vproc->backward->attributions, &rh->backward->scales, extended,
                                             sorted[i - 1]->until);
            rh->backward->scales.n = 0;
            waits = hd_sync_time_pruned(&rh->backward->own, vproc->syncs, sorted[i]->previous, point,
                                        hd_attribution_rules(rh, extended));
            if (rh->replay->compat && sorted[i]->previous != sync->previous) {
                leave_out_others(rh, vproc, point, !is_made);
                is_made = true;
            }
        }
        hd_attribute_wait(rh, worker, vproc, sorted[i], waits, sorted[i]->previous, point);
    }
    if (n > 0 && sorted[n - 1]->until != HD_NONE)
        hd_attributions_put_in_force(rh, &vproc->backward->attributions, &rh->backward->scales, extended,
                                     sorted[n - 1]->until);
}
