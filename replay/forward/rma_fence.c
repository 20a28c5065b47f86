/* replay/forward/rma_fence.c: fences. The access notifications of the origins, sorted by target, say which operation
 * at this process was the last one, and with how many processes it had to be synchronized. */
#include "rma_fence.h"

#include "rma_window.h"
#include "sort.h"

void
hd_rma_take_access_notifications(hd_vproc *vproc, hd_rma_access_notifications *into)
{
    hd_rma_window *window = vproc->rma->windows != NULL ? vproc->rma->windows[vproc->op.channel] : NULL;

    for (size_t i = 0; window != NULL && i < window->n_fenced; i++) {
        hd_rma_target *target = &window->targets[window->fenced[i]];

        if (target->process != HD_NONE)
            HD_PUSH(into->rows, into->n, into->capacity,
                    ((hd_rma_access_notification){ .process = target->process, .peer = vproc->process_id,
                                                   .enter = target->fence_entered, .leave = target->fence_left,
                                                   .thread = vproc->thread, .order = target->fence_order,
                                                   .call_path = target->fence_call_path }));
        target->fence_order = 0;
    }
    if (window != NULL)
        window->n_fenced = 0;
}

static uint64_t
key_of(const hd_rma_access_notification *notification)
{
    return (uint64_t)notification->process << 32 | notification->peer;
}

void
hd_rma_sort_access_notifications(hd_rma_access_notifications *notifications)
{
    HD_SORT_BY_KEY(hd_rma_access_notification, notifications->rows, notifications->n, key_of);
}

/* Whether the operation was left after the other one, of a peer that is not higher. Those of one peer come in any
 * order: of equals it is that of the lowest thread, and then the first. */
static bool
is_later(const hd_rma_access_notification *a, const hd_rma_access_notification *b)
{
    if (a->leave != b->leave || a->peer != b->peer)
        return a->leave > b->leave;
    return a->thread < b->thread || (a->thread == b->thread && a->order < b->order);
}

/* The number of processes that this one had to do with; *last: whose operation on it was left last, of equals the
 * lowest. */
static uint32_t
peers_of(const hd_rma_access_notifications *notifications, uint32_t process, const hd_rma_access_notification **last)
{
    size_t   low = 0, high = notifications->n;
    uint32_t n = 0;

    *last = NULL;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (notifications->rows[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < notifications->n && notifications->rows[i].process == process; i++) {
        const hd_rma_access_notification *notification = &notifications->rows[i];

        n += i == low || notification->peer != notification[-1].peer;
        if (notification->order != 0 && (*last == NULL || is_later(notification, *last)))
            *last = notification;
    }
    return n;
}

/*   this one   ··[ fence ············ ]··      early fence = last - fence.enter
 *   origin     ·······[ put ]·[ fence ]··      docs/metrics.md#mpi_rma_early_fence
 *                |<-------->| last */
hd_rma_fence_waits
hd_rma_book_fence(hd_replay_worker *rh, hd_worker *worker, const hd_rma_fence *fence,
                  const hd_rma_access_notifications *notifications)
{
    hd_rma_fence_waits                waits      = { .peer = HD_NONE };
    hd_severities                    *severities = &fence->vproc->severities;
    uint32_t                          node       = fence->call.call_path, n_peers;
    hd_span                           waiting = fence->waiting, early = 0;
    const hd_rma_access_notification *last;
    hd_rma_partner                    partner;

    n_peers = peers_of(notifications, fence->vproc->process_id, &last);
    if (last != NULL && last->leave > fence->call.enter && last->leave <= fence->end)
        early = hd_span_between(fence->call.enter, last->leave);
    if (!fence->overlaps)
        waiting = early;
    early = early < waiting ? early : waiting;
    waits.waiting = waiting;
    waits.early   = early;
    if (last != NULL) {
        waits.peer        = last->peer;
        waits.peer_thread = last->thread;
    }
    if (waiting > 0)
        hd_vproc_book_wait(fence->vproc, HD_METRIC_mpi_rma_wait_at_fence, node, fence->call.enter, waiting);
    if (early > 0)
        hd_severity_add(severities, HD_METRIC_mpi_rma_early_fence, node, early);
    if (n_peers < fence->n_processes)
        hd_severity_add(severities, HD_METRIC_mpi_rma_pairsync_unneeded_count, node, fence->n_processes - n_peers);
    if (fence->overlaps || early == 0)
        return waits;
    HD_ASSERT(last != NULL); /* early is until its leave */
    partner = (hd_rma_partner){ .enter = last->enter, .leave = last->leave, .process = last->peer,
                                .thread = last->thread, .order = last->order, .call_path = last->call_path };
    hd_rma_mark_wait(rh, worker, fence->vproc, &fence->call, fence->order, 0, early, &partner);
    return waits;
}
