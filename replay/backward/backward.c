/* replay/backward/backward.c: the functions that the engine calls in the backward replay: runs a vproc from its last
 * point to its first, delivers messages, and releases a vproc that is blocked in a circle. */
#include "backward.h"

#include "attribution.h"
#include "delay_slices.h"
#include "excess_costs.h"
#include "pass_point.h"
#include "wait_message.h"

#define SCOUT_VECTOR_LIMIT 128 /* of elements (D23) */

enum { BYTES_AHEAD = 256, POINTS_AHEAD = 8 }; /* with far more they are gone again where there are thousands of
                                                * locations */

/* Vectors and points that are read soon go to the cache: processors do not expect arrays to be read from their end, by
 * many locations in turn. Inlined, as GCC drops calls of what only fetches. */
static inline __attribute__((always_inline)) void
fetch_ahead(const hd_syncs *syncs, size_t at)
{
    uintptr_t vector = (uintptr_t)hd_sync_vector_at(syncs, at); /* no harm is done where it leaves the array */

    __builtin_prefetch((const void *)(vector - BYTES_AHEAD));
    __builtin_prefetch((const void *)(vector - BYTES_AHEAD - 64));
    if (HD_LIKELY(at > POINTS_AHEAD))
        __builtin_prefetch(hd_packed_sync_at(syncs, at - POINTS_AHEAD));
}

/* Those behind the next one, or behind where the critical path came in, if it is here. Other locations of the worker
 * may still read some: then it is tried again later. */
static inline void
drop_passed(hd_vproc *vproc)
{
    const hd_backward *backward = vproc->backward;
    const hd_path     *path     = &backward->path;

    if (backward->drops_points && vproc->syncs->n_readers == 0) /* the path may begin before the last points */
        hd_syncs_drop_behind(vproc->syncs, path->is_here && path->end > backward->at ? path->end : backward->at);
}

hd_run
hd_backward_run(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    hd_replay      *replay   = context;
    hd_replay_worker *rh     = hd_replay_worker_of(replay, worker);
    hd_vproc       *vproc    = &replay->vprocs[number];
    hd_backward    *backward = vproc->backward;
    hd_time         end      = replay->defs->first_time + replay->defs->length;

    drop_passed(vproc);
    while (backward->at > 0) {
        hd_sync sync;
        hd_time time = end - hd_time_min(hd_sync_enter_at(vproc->syncs, backward->at - 1), end);

        if (time > until && !backward->is_waiting) {
            *now = time;
            return HD_RUN_YIELD;
        }
        fetch_ahead(vproc->syncs, backward->at - 1);
        sync = hd_sync_at(vproc->syncs, backward->at - 1);
        if (!hd_pass_point(rh, worker, vproc, (uint32_t)backward->at - 1, &sync))
            return HD_RUN_BLOCKED;
        backward->at--;
    }
    return HD_RUN_DONE;
}

void
hd_backward_deliver(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    const hd_wait_item *item = data;

    (void)bytes;
    if (kind == HD_ITEM_WAIT)
        hd_wait_deliver(hd_replay_worker_of(context, worker), worker, item, (const hd_backward_entry *)(item + 1));
    else
        hd_attribution_book_reply(context, data, (const double *)((const hd_reply_item *)data + 1));
}

void
hd_backward_worker_init(hd_replay_worker *rh)
{
    const hd_replay  *replay = rh->replay;
    uint32_t          n      = replay->sides.n;
    hd_backward_worker *back = hd_alloc_apart(1, sizeof *back);

    rh->backward = back;
    back->unit    = replay->compat ? replay->clock.resolution : 1;
    back->limit   = replay->compat ? SCOUT_VECTOR_LIMIT : 0;
    hd_time_vector_init(&back->own, n);
    hd_time_vector_init(&back->other, n);
    hd_time_vector_init(&back->waits, n);
    back->excess       = HD_NEW_UNSET(double, n);
    back->excess_paths = HD_NEW_UNSET(uint32_t, n);
    back->parts        = HD_NEW_UNSET(double, n);
    if (replay->request->compares_work)
        back->counted = HD_NEW_ARRAY(uint32_t, n);
    if (replay->compat)
        hd_time_vector_init(&back->whole, n);
    hd_work_table_init(&rh->work);
    hd_backward_messages_worker_init(rh);
    hd_pool_init(&back->shares, sizeof(hd_effect_share));
    rh->notes_delays = rh->delay_parts != NULL || replay->request->found_delays != NULL;
}

void
hd_backward_worker_end(hd_replay_worker *rh)
{
    hd_backward_messages_worker_fini(rh);
    hd_pool_fini(&rh->backward->shares);
    hd_effect_costs_fini(&rh->backward->wait_costs);
    hd_effect_costs_fini(&rh->backward->scales);
    free(rh->backward->excess);
    free(rh->backward->excess_paths);
    free(rh->backward->parts);
    hd_excess_costs_end(rh);
    hd_delay_slices_worker_fini(rh);
}

void
hd_backward_worker_fini(hd_replay_worker *rh)
{
    if (rh->backward == NULL)
        return;
    hd_time_vector_fini(&rh->backward->own);
    hd_time_vector_fini(&rh->backward->other);
    hd_time_vector_fini(&rh->backward->whole);
    hd_time_vector_fini(&rh->backward->waits);
    free(rh->backward->entries);
    free(rh->backward->sorted);
    free(rh->backward->counted);
    free(rh->backward->teams.rows);
    free(rh->backward->stretches);
    free(rh->backward);
    rh->backward = NULL;
}

/* At its end there is nothing to pass. Threads read points again in barriers, and those of workers, times on sides and
 * times of scout 2.6 are added up at the end (critical_path.c). */
void
hd_backward_start(hd_replay_worker *rh, hd_vproc *vproc)
{
    _Static_assert(sizeof *vproc->backward <= HD_BACKWARD_BYTES, "it is in the vproc");
    memset(vproc->room, 0, sizeof vproc->room);
    vproc->backward                  = (hd_backward *)(void *)vproc->room;
    vproc->backward->at              = vproc->syncs->n - 1;
    vproc->backward->n_intermediates = vproc->syncs->rare->n_intermediates;
    vproc->backward->drops_points    = vproc->process->n_locations == 1 && !vproc->syncs->has_barrier &&
                                       vproc->syncs->sides == NULL && !rh->replay->compat;
}

bool
hd_backward_waits(const hd_vproc *vproc, hd_time *time)
{
    if (vproc->backward->at == 0)
        return false;
    *time = hd_sync_enter_at(vproc->syncs, vproc->backward->at - 1);
    return true;
}

void
hd_backward_release(hd_worker *worker, hd_vproc *vproc)
{
    hd_backward_messages_release(vproc);
    hd_worker_wake(worker, vproc->number);
}

void
hd_backward_fini(hd_replay_worker *rh, hd_vproc *vproc)
{
    hd_backward *backward = vproc->backward;
    hd_severity *replies;
    size_t       n;

    if (backward == NULL)
        return;
    hd_excess_costs_take(rh, vproc);
    replies = hd_severities_take(&vproc->replies, NULL, &n);
    for (size_t i = 0; i < n; i++)
        hd_cost_add(&vproc->costs, (hd_metric)replies[i].metric, replies[i].call_path,
                    (double)replies[i].value / rh->replay->fraction);
    free(replies);
    hd_severities_fini(&vproc->replies);
    hd_backward_messages_fini(rh, vproc);
    hd_attributions_fini(&backward->attributions);
    free(backward->path.more_ends);
    free(backward->waiting.messages);
    vproc->backward = NULL;
}
