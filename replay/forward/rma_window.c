/* replay/forward/rma_window.c: windows of a location, made at their first use, and the booking of a wait at one, with
 * its synchronization point and its instance. */
#include "rma_window.h"

#include "comm_members.h"
#include "sync_notify.h"
#include "unattributed.h"

void
hd_rma_forget_notifications(hd_rma_window *window)
{
    window->last        = (hd_rma_partner){ .process = HD_NONE };
    window->last_access = window->last_start = 0;
    window->n_accessing = 0;
}

hd_rma_window *
hd_rma_window_new(hd_vproc *vproc, uint32_t channel)
{
    hd_rma_window *window = HD_NEW(hd_rma_window);

    if (vproc->rma->windows == NULL)
        vproc->rma->windows = HD_NEW_ARRAY(hd_rma_window *, vproc->location->log.n_channels);
    window->comm = vproc->location->log.channels[channel].comm;
    hd_rma_forget_notifications(window);
    vproc->rma->windows[channel] = window;
    return window;
}

void
hd_rma_start(hd_vproc *vproc)
{
    vproc->rma = HD_NEW(hd_rma_state);
}

void
hd_rma_fini(hd_vproc *vproc)
{
    if (vproc->rma == NULL)
        return;
    for (size_t i = 0; vproc->rma->windows != NULL && i < vproc->location->log.n_channels; i++) {
        hd_rma_window *window = vproc->rma->windows[i];

        if (window == NULL)
            continue;
        hd_table_fini(&window->index);
        free(window->targets);
        free(window->fenced);
        free(window->accesses);
        free(window->locks);
        free(window->workers);
        free(window);
    }
    free(vproc->rma->windows);
    free(vproc->rma);
    vproc->rma = NULL;
}

static hd_rma_target
new_target(hd_replay_worker *rh, const hd_worker *worker, const hd_vproc *vproc, const hd_rma_window *window,
           uint32_t rank)
{
    hd_rma_target target = { .rank = rank, .process = hd_rma_is_own(rh, window) ? vproc->process_id :
                                                      hd_comm_member(rh, window->comm, rank) };

    if (target.process != HD_NONE && hd_placement_worker(rh->replay->request->placement,
                                                         (hd_process){ target.process }) == hd_worker_number(worker))
        target.inbox = &hd_replay_vproc(rh->replay, target.process, 0)->rma->left;
    return target;
}

hd_rma_target *
hd_rma_target_find(hd_replay_worker *rh, const hd_worker *worker, const hd_vproc *vproc, hd_rma_window *window,
                   uint32_t rank)
{
    uint32_t i = hd_table_get(&window->index, rank);

    if (HD_UNLIKELY(i == HD_NONE)) {
        i = (uint32_t)window->n_targets;
        HD_PUSH(window->targets, window->n_targets, window->capacity_targets,
                new_target(rh, worker, vproc, window, rank));
        hd_table_add(&window->index, rank, i);
    }
    window->targets[window->last_target].next = i;
    window->last_target                       = i;
    return &window->targets[i];
}

void
hd_rma_out_of_place(hd_replay_worker *rh, const hd_vproc *vproc, const hd_rma_window *window)
{
    hd_vproc_finding(rh, vproc, HD_FINDING_RMA_OUT_OF_PLACE, vproc->cursor.call.call_path, HD_NONE, window->comm,
                     HD_NONE, vproc->cursor.call.enter);
}

void
hd_rma_mark_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_call *call, uint32_t order,
                 hd_span offset, hd_span wait, const hd_rma_partner *partner)
{
    hd_sync       sync  = { .enter = call->enter, .wait = wait, .call_path = call->call_path, .order = order,
                            .peer = partner->process,
                            .pruned = hd_span_between(call->enter, hd_time_min(call->leave, partner->leave)) };
    hd_sync_group group = { .record = partner->order, .delayer = partner->process, .thread = partner->thread,
                            .offset = offset < (hd_span)HD_NONE ? (uint32_t)offset : HD_NONE };
    hd_sync_call  other = { partner->enter, hd_time_min(call->leave, partner->leave), partner->call_path };

    if (sync.pruned < offset + wait)
        hd_rma_mark_unexplained(rh, vproc, call, wait); /* it was over before the other one could end it */
    else
        hd_sync_rma_wait(rh, worker, vproc, &sync, group, &other);
}

void
hd_rma_mark_unexplained(hd_replay_worker *rh, hd_vproc *vproc, const hd_call *call, hd_span wait)
{
    if (rh->replay->request->delays)
        hd_unattributed_wait(rh, vproc, HD_DELAY_RMA, hd_vproc_call_path(vproc, call->call_path), (double)wait);
}

void
hd_rma_note_wait(hd_replay_worker *rh, const hd_vproc *vproc, hd_metric metric, const hd_call *call, hd_time from,
                 hd_span wait, const hd_rma_partner *partner)
{
    if (HD_UNLIKELY(rh->statistics != NULL))
        hd_vproc_note(rh, vproc,
                      &(hd_wait){ .metric = metric, .node = call->call_path, .enter = call->enter, .leave = call->leave,
                                  .from = from,
                                  .time = wait, .peer = partner->process, .peer_thread = partner->thread });
}
