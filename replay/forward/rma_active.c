/* replay/forward/rma_active.c: epochs of active target synchronization. Begin and end of an epoch send notifications
 * with their times; the last one that a call receives decides how long it waited. */
#include "rma_active.h"

#include "comm_members.h"
#include "ideal_clock.h"
#include "p2p.h"
#include "rma_passive.h"

void
hd_rma_begin_access(hd_rma_window *window, const hd_vproc *vproc)
{
    window->in_access   = true;
    window->epoch++;
    window->start       = vproc->cursor.call;
    window->start_until = vproc->op.time > vproc->op.begin ? vproc->op.time : vproc->cursor.call.leave;
    window->start_order = vproc->order;
    window->n_accesses  = 0;
    window->n_accessed  = 0;
}

/* In the open access epoch. i: index of its target. */
static void
note_in_epoch(const hd_vproc *vproc, hd_rma_window *window, uint32_t i)
{
    const hd_call *call   = &vproc->cursor.call;
    hd_rma_target *target = &window->targets[i];

    if (target->epoch != window->epoch) {
        target->epoch  = window->epoch;
        target->left   = 0;
        target->posted = UINT64_MAX;
        window->n_accessed++;
    }
    target->left = hd_time_max(target->left, call->leave);
    HD_PUSH(window->accesses, window->n_accesses, window->capacity_accesses,
            ((hd_rma_access){ call->enter, vproc->op.time, call->leave, i, call->call_path, vproc->order }));
}

void
hd_rma_note_access(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window)
{
    hd_rma_target *target = hd_rma_target_of(rh, worker, vproc, window, vproc->op.root);
    const hd_call *call   = &vproc->cursor.call;
    uint32_t       i      = window->last_target;

    if (target->fence_order == 0)
        HD_PUSH(window->fenced, window->n_fenced, window->capacity_fenced, i);
    if (target->fence_order == 0 || call->leave >= target->fence_left) {
        target->fence_entered   = call->enter;
        target->fence_left      = call->leave;
        target->fence_order     = vproc->order;
        target->fence_call_path = call->call_path;
    }
    if (window->in_access)
        note_in_epoch(vproc, window, i);
    if (window->n_locks > 0 && hd_rma_is_locked(window, vproc->op.root))
        hd_rma_passive_call(rh, worker, vproc, window, true);
}

/* A target of the access epoch, NULL: it was not accessed. */
static hd_rma_target *
accessed(hd_rma_window *window, uint32_t rank)
{
    uint32_t i = hd_table_get(&window->index, rank);

    return i != HD_NONE && window->targets[i].epoch == window->epoch ? &window->targets[i] : NULL;
}

static hd_rma_window *
window_of_pair(hd_vproc *vproc)
{
    return hd_rma_window_of(vproc, vproc->location->log.channels[vproc->op.channel].home);
}

void
hd_rma_notify(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_channel *channel = &vproc->location->log.channels[vproc->op.channel];
    const hd_call    *call    = &vproc->cursor.call;
    hd_message        message = { .enter = call->enter, .leave = call->leave, .call_path = call->call_path,
                                  .thread = vproc->thread, .order = vproc->order, .ideal = vproc->ideal.enter };

    if (vproc->op.operation == HD_RMA_NO_NOTIFY)
        message.order = 0;
    else if (channel->tag == HD_TAG_COMPLETE) {
        hd_rma_window *window = window_of_pair(vproc);
        hd_rma_target *target = accessed(window, channel->peer_rank);

        message.time       = target != NULL ? target->left : 0;
        message.bytes      = target != NULL;
        message.done_leave = window->start.leave;
    }
    if (!hd_p2p_put(rh, worker, vproc, &message))
        hd_vproc_finding(rh, vproc, HD_FINDING_UNMATCHED_EPOCH, call->call_path, channel->peer, channel->comm, HD_NONE,
                         call->enter);
}

static void
take(hd_rma_window *window, const hd_channel *channel, const hd_message *message)
{
    hd_rma_target *target = channel->tag == HD_TAG_POST ? accessed(window, channel->peer_rank) : NULL;
    bool           is_first = window->last.process == HD_NONE;

    if (target != NULL)
        target->posted = message->enter;
    if (is_first || message->enter > window->last.enter ||
        (message->enter == window->last.enter && channel->peer < window->last.process))
        window->last = (hd_rma_partner){ message->enter, message->leave, channel->peer, message->thread,
                                         message->order, message->call_path };
    window->last_access = hd_time_max(window->last_access, message->time);
    window->last_start  = hd_time_max(window->last_start, message->done_leave);
    window->n_accessing += message->bytes > 0;
}

bool
hd_rma_receive_notification(hd_replay_worker *rh, hd_vproc *vproc)
{
    const hd_channel *channel = &vproc->location->log.channels[vproc->op.channel];
    hd_queued_message *queued;
    const hd_message *message;

    if (!hd_p2p_take(rh, vproc, &queued))
        return false;
    message = queued != NULL ? (const hd_message *)(const void *)queued->payload : NULL;
    if (vproc->op.operation == HD_RMA_RECEIVE && (message == NULL || message->order == 0))
        hd_vproc_finding(rh, vproc, HD_FINDING_UNMATCHED_EPOCH, vproc->cursor.call.call_path, channel->peer,
                         channel->comm, HD_NONE, vproc->cursor.call.enter);
    else if (vproc->op.operation == HD_RMA_RECEIVE) {
        hd_ideal_receive(vproc, message->ideal);
        take(window_of_pair(vproc), channel, message);
    }
    if (queued != NULL)
        hd_channel_queues_drop(&rh->channel_queues, queued);
    return true;
}

static void
count_pairs(hd_vproc *vproc, uint32_t n, uint32_t n_used)
{
    hd_severity_add(&vproc->severities, HD_METRIC_mpi_rma_pairsync_count, vproc->cursor.call.call_path, n);
    if (n > n_used)
        hd_severity_add(&vproc->severities, HD_METRIC_mpi_rma_pairsync_unneeded_count, vproc->cursor.call.call_path,
                        n - n_used);
}

/*   origin   ··[ start ··]··[ put ··]··[ complete ··]     waiting = post.enter - begin of the call in which it happens
 *   target   ·························[ post ]·······     docs/metrics.md#mpi_rma_sync_late_post */
static void
book_late_post(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_rma_window *window)
{
    const hd_call *call  = &vproc->cursor.call;
    hd_time        until = vproc->op.time > vproc->op.begin ? vproc->op.time : call->leave, posted = window->last.enter;
    hd_span        wait;

    if (window->last.process == HD_NONE)
        return;
    if (call->enter < posted && posted < until) {
        wait = hd_span_between(call->enter, posted);
        hd_vproc_book_wait(vproc, HD_METRIC_mpi_rma_sync_late_post, call->call_path, call->enter, wait);
        hd_rma_note_wait(rh, vproc, HD_METRIC_mpi_rma_sync_late_post, call, call->enter, wait, &window->last);
        hd_rma_mark_wait(rh, worker, vproc, call, vproc->order, 0, wait, &window->last);
        return;
    }
    if (window->start.enter < posted && posted < window->start_until) {
        wait = hd_span_between(window->start.enter, posted);
        hd_vproc_book_wait(vproc, HD_METRIC_mpi_rma_sync_late_post, window->start.call_path, window->start.enter,
                           wait);
        hd_rma_note_wait(rh, vproc, HD_METRIC_mpi_rma_sync_late_post, &window->start, window->start.enter, wait,
                         &window->last);
        hd_rma_mark_wait(rh, worker, vproc, &window->start, window->start_order, 0, wait, &window->last);
        return;
    }
    for (size_t i = window->n_accesses; i > 0; i--) {
        const hd_rma_access *a     = &window->accesses[i - 1];
        hd_call              inner = { .enter = a->enter, .leave = a->leave, .call_path = a->call_path };

        if (!(a->time < posted && posted < a->leave))
            continue;
        wait = hd_span_between(a->time, posted);
        hd_vproc_book_wait(vproc, HD_METRIC_mpi_rma_comm_late_post, a->call_path, a->time, wait);
        hd_rma_note_wait(rh, vproc, HD_METRIC_mpi_rma_comm_late_post, &inner, a->time, wait, &window->last);
        hd_rma_mark_wait(rh, worker, vproc, &inner, a->order, hd_span_between(a->enter, a->time), wait, &window->last);
        return;
    }
}

/* Each operation whose own target posts only while it is under way. */
static void
book_early_transfers(hd_replay_worker *rh, hd_vproc *vproc, const hd_rma_window *window)
{
    for (size_t i = 0; i < window->n_accesses; i++) {
        const hd_rma_access *a      = &window->accesses[i];
        const hd_rma_target *target = &window->targets[a->target];
        hd_call              call   = { .enter = a->enter, .leave = a->leave, .call_path = a->call_path };

        if (!(a->enter < target->posted && target->posted < a->leave))
            continue;
        hd_severity_add(&vproc->severities, HD_METRIC_mpi_rma_earlytransfer, a->call_path,
                        hd_span_between(a->enter, target->posted));
        hd_rma_note_wait(rh, vproc, HD_METRIC_mpi_rma_earlytransfer, &call, a->enter,
                         hd_span_between(a->enter, target->posted),
                         &(hd_rma_partner){ .process = target->process });
    }
}

void
hd_rma_end_access(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window)
{
    if (!window->in_access) {
        hd_rma_out_of_place(rh, vproc, window);
        return;
    }
    book_late_post(rh, worker, vproc, window);
    book_early_transfers(rh, vproc, window);
    count_pairs(vproc, vproc->op.number, window->n_accessed);
    window->in_access  = false;
    window->n_accesses = 0;
    hd_rma_forget_notifications(window);
}

/*   target   ··[ wait ················ ]··            early wait = complete.enter - wait.enter
 *   origin   ·····[ put ]·····[ complete ]··          late complete = complete.enter - put.leave
 *                       |<--->|                       docs/metrics.md#mpi_rma_early_wait */
static void
book_early_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_rma_window *window)
{
    const hd_call *call  = &vproc->cursor.call;
    hd_time        until = hd_time_min(window->last.enter, call->leave), from;
    hd_span        wait;

    if (window->last.process == HD_NONE || until <= call->enter)
        return;
    wait = hd_span_between(call->enter, until);
    from = hd_time_max(window->n_accessing > 0 ? window->last_access : window->last_start, call->enter);
    hd_vproc_book_wait(vproc, HD_METRIC_mpi_rma_early_wait, call->call_path, call->enter, wait);
    hd_rma_note_wait(rh, vproc, HD_METRIC_mpi_rma_early_wait, call, call->enter, wait, &window->last);
    if (until > from) {
        hd_severity_add(&vproc->severities, HD_METRIC_mpi_rma_late_complete, call->call_path,
                        hd_span_between(from, until));
        hd_rma_note_wait(rh, vproc, HD_METRIC_mpi_rma_late_complete, call, from, hd_span_between(from, until),
                         &window->last);
    }
    if (until == window->last.enter)
        hd_rma_mark_wait(rh, worker, vproc, call, vproc->order, 0, wait, &window->last);
    else
        hd_rma_mark_unexplained(rh, vproc, call, wait);
}

void
hd_rma_end_exposure(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window)
{
    if (!window->in_exposure) {
        hd_rma_out_of_place(rh, vproc, window);
        return;
    }
    if (vproc->op.operation == HD_RMA_WAIT)
        book_early_wait(rh, worker, vproc, window);
    count_pairs(vproc, vproc->op.number, window->n_accessing);
    window->in_exposure = false;
    hd_rma_forget_notifications(window);
}
