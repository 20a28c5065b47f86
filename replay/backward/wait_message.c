/* replay/backward/wait_message.c: makes the message of a wait: costs that the wait had further on, and the time vector
 * of the waiting side. The vector is sent instead of being asked for, as the delayer needs it exactly once. Between
 * locations of one worker it is not sent: the delayer makes it where it compares it. */
#include "wait_message.h"

#include "attribution.h"
#include "cause_slices.h"
#include "path.h"
#include "sync_counters.h"

/* Whether the critical path goes on at the delayer: it leaves this location then. */
static bool
takes_path(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    bool is_barrier = sync->kind == HD_SYNC_BARRIER;

    if (!vproc->backward->path.is_here || sync->kind == HD_SYNC_WAITED ||
        !(sync->wait > 0 || (is_barrier && rh->replay->compat)))
        return false;
    if (is_barrier && !rh->replay->compat && hd_sync_group_of(vproc->syncs, sync)->list != HD_NONE)
        return hd_path_book_behind(rh, vproc, point);
    hd_path_book(rh, vproc, point);
    return true;
}

/* What the wait cost others into back->wait_costs. False: it is no wait whose causes are wanted. */
static inline bool
find_costs(hd_replay_worker *rh, const hd_vproc *vproc, const hd_sync *sync)
{
    rh->backward->wait_costs.n = 0;
    if (!rh->replay->request->delays || (sync->wait <= 0 && sync->kind != HD_SYNC_BARRIER))
        return false;
    hd_attributions_wait_costs(rh, &vproc->backward->attributions, vproc, sync);
    return true;
}

/* Without its entries. */
static inline void
put_item(hd_wait_item *item, hd_replay_worker *rh, hd_vproc *vproc, const hd_sync *sync, uint32_t process, uint64_t key,
         bool on_path)
{
    hd_time enter = hd_sync_enter_of_call(vproc->syncs, sync);
    hd_time end   = hd_sync_wait_begin(vproc->syncs, sync) + (hd_time)sync->wait;

    *item = (hd_wait_item){ .key = key, .wait = hd_sync_time_wait(vproc->syncs, sync), .process = process,
                            .from = vproc->process_id, .from_thread = vproc->thread, .call_path = sync->call_path,
                            .n_effects = (uint32_t)rh->backward->wait_costs.n,
                            .slice = hd_victim_slice(rh->replay, vproc, end), .delay = sync->delay, .on_path = on_path,
                            .enter = enter,
                            .leave = sync->delay == HD_DELAY_RMA ? end : enter + (hd_time)sync->pruned };
}

static hd_backward_entry *
room_for(hd_backward_worker *back, size_t n)
{
    while (back->capacity_entries < n * sizeof(hd_backward_entry))
        back->entries = hd_grow(back->entries, back->capacity_entries, &back->capacity_entries, 1);
    return back->entries;
}

/* What counters counted since the last common synchronization point, behind the n entries, of which those of time begin
 * at `first`. Returns how many entries there are then. */
static __attribute__((noinline)) uint32_t
put_counted(hd_backward_worker *back, const hd_vproc *vproc, uint32_t point, uint32_t first, uint32_t n)
{
    uint32_t           n_each   = hd_backward_counted_entries(vproc->location->more->counted.n_counters), end = n;
    uint32_t           previous = hd_sync_at(vproc->syncs, point).previous;
    hd_backward_entry *entries  = room_for(back, n + (size_t)(n - first) * n_each);
    uint64_t           counted[HD_COMPARED_MAX];

    for (uint32_t i = first; i < n; i++) {
        entries[i].time.is_counted = hd_sync_counters_get(vproc, previous, point, entries[i].time.call_path, counted);
        if (entries[i].time.is_counted == 0)
            continue;
        memcpy(&entries[end], counted, n_each * sizeof *entries);
        end += n_each;
    }
    return end;
}

/* Both of them, one after the other, into back->entries. Returns how many there are. */
static uint32_t
put_entries(hd_backward_worker *back)
{
    const hd_time_vector *own     = &back->own;
    const double         *spans   = own->spans;
    const uint32_t       *touched = own->touched, *end = touched + own->n;
    size_t                n_costs = back->wait_costs.n;
    hd_backward_entry    *entries = room_for(back, own->n + n_costs), *entry = entries + n_costs;

    if (n_costs > 0)
        memcpy(entries, back->wait_costs.rows, n_costs * sizeof *entries);
    for (; touched < end; touched++) {
        uint32_t call_path = *touched;
        double   span      = spans[call_path];

        if (span > 0)
            (entry++)->time = (hd_time_entry){ .call_path = call_path, .span = span };
    }
    return (uint32_t)(entry - entries);
}

void
hd_wait_deliver(hd_replay_worker *rh, hd_worker *worker, const hd_wait_item *item, const hd_backward_entry *entries)
{
    uint32_t             n       = hd_backward_message_n_entries(item);
    hd_backward_message *message = hd_backward_messages_add(rh, worker, item->process, item->key, n);

    if (HD_LIKELY(message != NULL)) {
        message->item = *item;
        if (n > 0)
            memcpy(message->entries, entries, n * sizeof *entries);
    } else if (rh->replay->request->delays)
        hd_leave_unattributed(rh, worker, item, &entries->cost);
}

/* To the own worker: the delayer makes the vector where it compares it. point: 0: none is wanted */
static void
send_here(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync,
          uint32_t process, uint64_t key, bool on_path)
{
    const hd_effect_costs *costs   = &rh->backward->wait_costs;
    hd_backward_message   *message = hd_backward_messages_add(rh, worker, process, key, (uint32_t)costs->n);
    hd_wait_item           late;

    hd_worker_count_item(worker);
    if (HD_UNLIKELY(message == NULL)) {
        put_item(&late, rh, vproc, sync, process, key, on_path);
        if (rh->replay->request->delays)
            hd_leave_unattributed(rh, worker, &late, costs->rows);
        return;
    }
    put_item(&message->item, rh, vproc, sync, process, key, on_path);
    message->item.point   = point;
    message->item.waiting = vproc->number;
    vproc->syncs->n_readers += point > 0;
    if (costs->n > 0)
        memcpy(message->entries, costs->rows, costs->n * sizeof *costs->rows);
}

void
hd_wait_send(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync,
             uint32_t process, uint64_t key)
{
    hd_backward_worker *back       = rh->backward;
    uint32_t            n, home = hd_placement_worker(rh->replay->request->placement, (hd_process){ process });
    bool                is_here    = home == hd_worker_number(worker);
    bool                on_path    = takes_path(rh, vproc, point, sync);
    bool                has_causes = find_costs(rh, vproc, sync);
    hd_wait_item        item;

    if (HD_LIKELY(is_here && back->counted == NULL)) {
        send_here(rh, worker, vproc, has_causes ? point : 0, sync, process, key, on_path);
        return;
    }
    put_item(&item, rh, vproc, sync, process, key, on_path);
    back->own.n = 0;
    if (has_causes) /* the time per call path since the last common synchronization point */
        hd_sync_time_pruned(&back->own, vproc->syncs, sync->previous, point,
                            hd_attribution_rules(rh, sync->kind == HD_SYNC_WAITED));
    n      = put_entries(back);
    item.n = n - item.n_effects;
    if (HD_UNLIKELY(vproc->syncs->rare->n_counted > 0 && rh->replay->request->delays && item.n > 0)) {
        n              = put_counted(back, vproc, point, item.n_effects, n);
        item.n_counted = n - item.n_effects - item.n;
    }
    if (is_here) {
        hd_worker_count_item(worker);
        hd_wait_deliver(rh, worker, &item, back->entries);
    } else
        hd_worker_send(worker, home, HD_ITEM_WAIT, &item, sizeof item, back->entries,
                       (uint32_t)(n * sizeof(hd_backward_entry)));
}

void
hd_wait_keep(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, const hd_sync *sync)
{
    hd_wait_item item = { .wait = hd_sync_time_wait(vproc->syncs, sync), .from = vproc->process_id,
                          .from_thread = vproc->thread, .call_path = sync->call_path, .delay = sync->delay };

    if (!rh->replay->request->delays)
        return;
    hd_attributions_wait_costs(rh, &vproc->backward->attributions, vproc, sync);
    item.n_effects = (uint32_t)rh->backward->wait_costs.n;
    hd_leave_unattributed(rh, worker, &item, rh->backward->wait_costs.rows);
}
