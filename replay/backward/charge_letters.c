#include "charge_letters.h"

#include "charge.h"
#include "path.h"

/* scout 2.6 passes on what comes from a process from the next point on at which the delayer met another one (D3). */
static uint32_t
until_next(const hd_sync_intermediate *found, size_t n, uint32_t previous)
{
    for (size_t i = 0; i < n; i++)
        if (found[i].previous > previous)
            return found[i].previous - 1;
    return HD_NONE;
}

/* Where the delayer met a process before: those that it met after it had met all stand with the point. */
void
hd_charge_find_previous(hd_agent *agent, uint32_t point, hd_letters *all, bool compat)
{
    hd_backward                *backward = agent->backward;
    const hd_sync_intermediate *found    = agent->syncs->intermediates + backward->n_intermediates;
    size_t                      n        = 0;
    hd_map                      places   = { 0 };
    bool                        is_new;

    while (backward->n_intermediates > 0 && found[-1].sync == point) {
        found--;
        backward->n_intermediates--;
        n++;
    }
    for (size_t i = 0; i < n; i++)
        *hd_map_add(&places, found[i].process, &is_new) = found[i].previous;
    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        const uint64_t *place = n > 0 ? hd_map_get(&places, letter->item.from) : NULL;

        letter->previous = place != NULL ? (uint32_t)*place : agent->syncs->points[point].previous;
        letter->until    = place == NULL || !compat ? letter->previous : until_next(found, n, letter->previous);
    }
    hd_map_fini(&places);
}

static int
compare_letters(const void *left, const void *right)
{
    const hd_letter *const *a = left, *const *b = right;

    if ((*a)->previous != (*b)->previous)
        return (*a)->previous < (*b)->previous ? -1 : 1;
    if ((*a)->item.from != (*b)->item.from)
        return (*a)->item.from < (*b)->item.from ? -1 : 1;
    return (*a)->item.from_thread < (*b)->item.from_thread ? -1 : (*a)->item.from_thread > (*b)->item.from_thread;
}

/* Of rh->backward->own, from where the delayer met some members, scout 2.6 takes the call paths only in which it also
 * has something since it met all of them; two points in one call can make a difference. make: the latter is not in
 * rh->backward->whole yet. */
static void
leave_out_others(hd_replay_host *rh, const hd_agent *agent, uint32_t point, bool make)
{
    if (make)
        hd_sync_time_pruned(&rh->backward->whole, agent->syncs, agent->syncs->points[point].previous, point,
                            hd_charge_rules(rh, false));
    for (size_t i = 0; i < rh->backward->own.n; i++)
        if (hd_time_vector_get(&rh->backward->whole, rh->backward->own.touched[i]) <= 0)
            rh->backward->own.spans[rh->backward->own.touched[i]] = 0;
}

void
hd_charge_letters(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const hd_letters *all)
{
    hd_letter **sorted   = HD_NEW_ARRAY(hd_letter *, all->n);
    uint32_t    n        = 0;
    double      waits    = 0;
    bool        extended = agent->syncs->points[point].kind == HD_SYNC_AWAITED;
    bool        is_made  = false; /* rh->backward->whole */
    bool        on_path  = false;

    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        on_path |= letter->item.on_path != 0;
        if (letter->item.wait > 0 && rh->replay->request->delays)
            sorted[n++] = letter;
    }
    if (on_path)
        hd_path_enter_at(agent, point, hd_sync_wait_begin(agent->syncs, &agent->syncs->points[point]));
    if (n > 1)
        qsort(sorted, n, sizeof(hd_letter *), compare_letters);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i]->previous != sorted[i - 1]->previous) {
            if (i > 0 && sorted[i - 1]->until != HD_NONE)
                hd_charge_put_in_force(rh, &agent->backward->charges, &rh->backward->scales, extended, sorted[i - 1]->until);
            rh->backward->scales.n = 0;
            waits = hd_sync_time_pruned(&rh->backward->own, agent->syncs, sorted[i]->previous, point,
                                        hd_charge_rules(rh, extended));
            if (rh->replay->compat && sorted[i]->previous != agent->syncs->points[point].previous) {
                leave_out_others(rh, agent, point, !is_made);
                is_made = true;
            }
        }
        hd_charge_wait(rh, host, agent, sorted[i], waits, sorted[i]->previous);
    }
    if (n > 0 && sorted[n - 1]->until != HD_NONE)
        hd_charge_put_in_force(rh, &agent->backward->charges, &rh->backward->scales, extended, sorted[n - 1]->until);
    free(sorted);
}
