/* replay/forward/rma_fence.c: fences. The access notifications of the origins, sorted by target, say which operation
 * at this process was the last one, and with how many processes it had to be synchronized. */
#include "rma_fence.h"

#include "comm_members.h"
#include "rma_window.h"

void
hd_rma_take_access_notifications(hd_replay_worker *rh, hd_vproc *vproc, hd_rma_access_notifications *into)
{
    hd_rma_window *window = vproc->rma->windows != NULL ? vproc->rma->windows[vproc->op.channel] : NULL;

    for (size_t i = 0; window != NULL && i < window->n_fenced; i++) {
        hd_rma_target *target  = &window->targets[window->fenced[i]];
        uint32_t       process = hd_rma_is_own(rh, window) ? vproc->process_id :
                                 hd_comm_member(rh, window->comm, target->rank);

        if (process != HD_NONE)
            HD_PUSH(into->rows, into->n, into->capacity,
                    ((hd_rma_access_notification){ process, vproc->process_id, target->fence_left, vproc->thread,
                                                   target->fence_order }));
        target->fence_order = 0;
    }
    if (window != NULL)
        window->n_fenced = 0;
}

static int
compare_notifications(const void *left, const void *right)
{
    const hd_rma_access_notification *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->peer != b->peer)
        return a->peer < b->peer ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void
hd_rma_sort_access_notifications(hd_rma_access_notifications *notifications)
{
    if (notifications->n > 1)
        qsort(notifications->rows, notifications->n, sizeof *notifications->rows, compare_notifications);
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
        if (notification->order != 0 && (*last == NULL || notification->leave > (*last)->leave))
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
    partner = (hd_rma_partner){ .leave = last->leave, .process = last->peer, .thread = last->thread,
                                .order = last->order };
    hd_rma_mark_wait(rh, worker, fence->vproc, &fence->call, fence->order, 0, early, &partner);
    return waits;
}
