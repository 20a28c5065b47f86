#include "rma.h"

#include "backward.h"
#include "meeting.h"
#include "p2p.h"
#include "passive.h"

/* Notices are those of one call: the next begins with none. */
static void
forget_notices(hd_rma_window *window)
{
    window->last        = (hd_rma_partner){ .process = HD_NONE };
    window->last_access = window->last_start = 0;
    window->n_accessing = 0;
}

static hd_rma_window *
window_of(hd_agent *agent, uint32_t channel)
{
    if (agent->windows == NULL)
        agent->windows = HD_NEW_ARRAY(hd_rma_window *, agent->location->log.n_channels);
    if (agent->windows[channel] == NULL) {
        agent->windows[channel]       = HD_NEW(hd_rma_window);
        agent->windows[channel]->comm = agent->location->log.channels[channel].comm;
        forget_notices(agent->windows[channel]);
    }
    return agent->windows[channel];
}

void
hd_rma_fini(hd_agent *agent)
{
    for (size_t i = 0; agent->windows != NULL && i < agent->location->log.n_channels; i++) {
        hd_rma_window *window = agent->windows[i];

        if (window == NULL)
            continue;
        hd_table_fini(&window->index);
        free(window->targets);
        free(window->fenced);
        free(window->accesses);
        free(window->locks);
        free(window->hosts);
        free(window);
    }
    free(agent->windows);
    agent->windows = NULL;
}

static uint32_t
target_of(hd_rma_window *window, uint32_t rank)
{
    uint32_t i = hd_table_get(&window->index, rank);

    if (HD_UNLIKELY(i == HD_NONE)) {
        i = (uint32_t)window->n_targets;
        HD_PUSH(window->targets, window->n_targets, window->capacity_targets, ((hd_rma_target){ .rank = rank }));
        hd_table_add(&window->index, rank, i);
    }
    return i;
}

static void
out_of_place(hd_replay_host *rh, const hd_agent *agent, const hd_rma_window *window)
{
    hd_agent_finding(rh, agent, HD_FINDING_RMA_OUT_OF_PLACE, agent->cursor.call.call_path, HD_NONE, window->comm, HD_NONE,
                     agent->cursor.call.enter);
}

/* ---- waits as synchronisation points ---------------------------------------------------------------------------------------- */

void
hd_rma_mark_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_call *call, uint32_t order, hd_span offset, hd_span wait,
                 const hd_rma_partner *partner)
{
    hd_sync       sync  = { .enter = call->enter, .wait = wait, .call_path = call->call_path, .order = order, .peer = partner->process,
                            .pruned = hd_span_between(call->enter, hd_time_min(call->leave, partner->leave)) };
    hd_sync_group group = { .record = partner->order, .delayer = partner->process, .thread = partner->thread,
                            .offset = offset < (hd_span)HD_NONE ? (uint32_t)offset : HD_NONE };

    if (sync.pruned < offset + wait)
        hd_rma_mark_unexplained(rh, agent, call, wait); /* it was over before the other one could end it */
    else
        hd_sync_rma_wait(rh, host, agent, &sync, group, call->leave);
}

void
hd_rma_mark_unexplained(hd_replay_host *rh, hd_agent *agent, const hd_call *call, hd_span wait)
{
    if (rh->replay->request->delays)
        hd_charge_unattributed(rh, agent, HD_DELAY_RMA, hd_agent_call_path(agent, call->call_path), (double)wait);
}

/* For statistics. from: when it began to wait. */
static void
note_wait(hd_replay_host *rh, const hd_agent *agent, hd_metric metric, const hd_call *call, hd_time from, hd_span wait,
          const hd_rma_partner *partner)
{
    if (HD_UNLIKELY(rh->statistics != NULL))
        hd_agent_note(rh, agent,
                      &(hd_wait){ .metric = metric, .node = call->call_path, .enter = call->enter, .leave = call->leave, .from = from,
                                  .time = wait, .peer = partner->process, .peer_thread = partner->thread });
}

/* ---- fences ----------------------------------------------------------------------------------------------------------------- */

void
hd_rma_take_deposits(hd_replay_host *rh, hd_agent *agent, hd_rma_deposits *into)
{
    hd_rma_window *window = agent->windows != NULL ? agent->windows[agent->op.channel] : NULL;

    for (size_t i = 0; window != NULL && i < window->n_fenced; i++) {
        hd_rma_target *target  = &window->targets[window->fenced[i]];
        uint32_t       process = hd_rma_is_own(rh, window) ? agent->process_id : hd_comm_member(rh, window->comm, target->rank);

        if (process != HD_NONE)
            HD_PUSH(into->rows, into->n, into->capacity,
                    ((hd_rma_deposit){ process, agent->process_id, target->fence_left, agent->thread, target->fence_order }));
        target->fence_order = 0;
    }
    if (window != NULL)
        window->n_fenced = 0;
}

static int
compare_deposits(const void *left, const void *right)
{
    const hd_rma_deposit *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->peer != b->peer)
        return a->peer < b->peer ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void
hd_rma_sort_deposits(hd_rma_deposits *deposits)
{
    if (deposits->n > 1)
        qsort(deposits->rows, deposits->n, sizeof *deposits->rows, compare_deposits);
}

/* The number of processes that this one had to do with; *last: whose operation on it was left last, of equals the lowest. */
static uint32_t
peers_of(const hd_rma_deposits *deposits, uint32_t process, const hd_rma_deposit **last)
{
    size_t   low = 0, high = deposits->n;
    uint32_t n = 0;

    *last = NULL;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (deposits->rows[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < deposits->n && deposits->rows[i].process == process; i++) {
        const hd_rma_deposit *deposit = &deposits->rows[i];

        n += i == low || deposit->peer != deposit[-1].peer;
        if (deposit->order != 0 && (*last == NULL || deposit->leave > (*last)->leave))
            *last = deposit;
    }
    return n;
}

/*   this one   ··[ fence ············ ]··      early fence = last - fence.enter
 *   origin     ·······[ put ]·[ fence ]··      docs/metrics.md#mpi_rma_early_fence
 *                |<-------->| last */
hd_rma_fence_waits
hd_rma_book_fence(hd_replay_host *rh, hd_host *host, const hd_rma_fence *fence, const hd_rma_deposits *deposits)
{
    hd_rma_fence_waits    waits      = { .peer = HD_NONE };
    hd_severities        *severities = &fence->agent->severities;
    uint32_t              node       = fence->call.call_path, n_peers;
    hd_span               waiting = fence->waiting, early = 0;
    const hd_rma_deposit *last;
    hd_rma_partner        partner;

    n_peers = peers_of(deposits, fence->agent->process_id, &last);
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
        hd_severity_add(severities, HD_METRIC_mpi_rma_wait_at_fence, node, waiting);
    if (early > 0)
        hd_severity_add(severities, HD_METRIC_mpi_rma_early_fence, node, early);
    if (n_peers < fence->n_processes)
        hd_severity_add(severities, HD_METRIC_mpi_rma_pairsync_unneeded_count, node, fence->n_processes - n_peers);
    if (fence->overlaps || early == 0)
        return waits;
    partner = (hd_rma_partner){ .leave = last->leave, .process = last->peer, .thread = last->thread, .order = last->order };
    hd_rma_mark_wait(rh, host, fence->agent, &fence->call, fence->order, 0, early, &partner);
    return waits;
}

/* ---- access and exposure epochs --------------------------------------------------------------------------------------------- */

static void
begin_access(hd_rma_window *window, const hd_agent *agent)
{
    window->in_access   = true;
    window->epoch++;
    window->start       = agent->cursor.call;
    window->start_until = agent->op.time > agent->op.begin ? agent->op.time : agent->cursor.call.leave;
    window->start_order = agent->order;
    window->n_accesses  = 0;
    window->n_accessed  = 0;
}

static void
note_access(hd_rma_window *window, hd_agent *agent)
{
    uint32_t       i      = target_of(window, agent->op.root);
    hd_rma_target *target = &window->targets[i];
    const hd_call *call   = &agent->cursor.call;

    if (target->fence_order == 0)
        HD_PUSH(window->fenced, window->n_fenced, window->capacity_fenced, i);
    if (target->fence_order == 0 || call->leave >= target->fence_left) {
        target->fence_left  = call->leave;
        target->fence_order = agent->order;
    }
    if (!window->in_access)
        return;
    if (target->epoch != window->epoch) {
        target->epoch  = window->epoch;
        target->left   = 0;
        target->posted = UINT64_MAX;
        window->n_accessed++;
    }
    target->left = hd_time_max(target->left, call->leave);
    HD_PUSH(window->accesses, window->n_accesses, window->capacity_accesses,
            ((hd_rma_access){ call->enter, agent->op.time, call->leave, i, call->call_path, agent->order }));
}

/* A target of the access epoch, NULL: it was not accessed. */
static hd_rma_target *
accessed(hd_rma_window *window, uint32_t rank)
{
    uint32_t i = hd_table_get(&window->index, rank);

    return i != HD_NONE && window->targets[i].epoch == window->epoch ? &window->targets[i] : NULL;
}

static hd_rma_window *
window_of_pair(hd_agent *agent)
{
    return window_of(agent, agent->location->log.channels[agent->op.channel].home);
}

static void
send_notice(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_channel *channel = &agent->location->log.channels[agent->op.channel];
    const hd_call    *call    = &agent->cursor.call;
    hd_message        message = { .enter = call->enter, .leave = call->leave, .thread = agent->thread, .order = agent->order };

    if (agent->op.operation == HD_RMA_NO_NOTICE)
        message.order = 0;
    else if (channel->tag == HD_TAG_COMPLETE) {
        hd_rma_window *window = window_of_pair(agent);
        hd_rma_target *target = accessed(window, channel->peer_rank);

        message.time       = target != NULL ? target->left : 0;
        message.bytes      = target != NULL;
        message.done_leave = window->start.leave;
    }
    if (!hd_p2p_put(rh, host, agent, &message))
        hd_agent_finding(rh, agent, HD_FINDING_UNMATCHED_EPOCH, call->call_path, channel->peer, channel->comm, HD_NONE, call->enter);
}

static void
take(hd_rma_window *window, const hd_channel *channel, const hd_message *message)
{
    hd_rma_target *target = channel->tag == HD_TAG_POST ? accessed(window, channel->peer_rank) : NULL;
    bool           is_first = window->last.process == HD_NONE;

    if (target != NULL)
        target->posted = message->enter;
    if (is_first || message->enter > window->last.enter || (message->enter == window->last.enter && channel->peer < window->last.process))
        window->last = (hd_rma_partner){ message->enter, message->leave, channel->peer, message->thread, message->order };
    window->last_access = hd_time_max(window->last_access, message->time);
    window->last_start  = hd_time_max(window->last_start, message->done_leave);
    window->n_accessing += message->bytes > 0;
}

static bool
take_notice(hd_replay_host *rh, hd_agent *agent)
{
    const hd_channel *channel = &agent->location->log.channels[agent->op.channel];
    hd_mail          *mail;
    const hd_message *message;

    if (!hd_p2p_take(rh, agent, &mail))
        return false;
    message = mail != NULL ? (const hd_message *)(const void *)mail->payload : NULL;
    if (agent->op.operation == HD_RMA_TAKE && (message == NULL || message->order == 0))
        hd_agent_finding(rh, agent, HD_FINDING_UNMATCHED_EPOCH, agent->cursor.call.call_path, channel->peer, channel->comm, HD_NONE,
                         agent->cursor.call.enter);
    else if (agent->op.operation == HD_RMA_TAKE)
        take(window_of_pair(agent), channel, message);
    if (mail != NULL)
        hd_mailbox_drop(&rh->mailbox, mail);
    return true;
}

static void
count_pairs(hd_agent *agent, uint32_t n, uint32_t n_used)
{
    hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_pairsync_count, agent->cursor.call.call_path, n);
    if (n > n_used)
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_pairsync_unneeded_count, agent->cursor.call.call_path, n - n_used);
}

/*   origin   ··[ start ··]··[ put ··]··[ complete ··]     waiting = post.enter - begin of the call in which it happens
 *   target   ·························[ post ]·······     docs/metrics.md#mpi_rma_sync_late_post */
static void
book_late_post(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_rma_window *window)
{
    const hd_call *call  = &agent->cursor.call;
    hd_time        until = agent->op.time > agent->op.begin ? agent->op.time : call->leave, posted = window->last.enter;
    hd_span        wait;

    if (window->last.process == HD_NONE)
        return;
    if (call->enter < posted && posted < until) {
        wait = hd_span_between(call->enter, posted);
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_sync_late_post, call->call_path, wait);
        note_wait(rh, agent, HD_METRIC_mpi_rma_sync_late_post, call, call->enter, wait, &window->last);
        hd_rma_mark_wait(rh, host, agent, call, agent->order, 0, wait, &window->last);
        return;
    }
    if (window->start.enter < posted && posted < window->start_until) {
        wait = hd_span_between(window->start.enter, posted);
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_sync_late_post, window->start.call_path, wait);
        note_wait(rh, agent, HD_METRIC_mpi_rma_sync_late_post, &window->start, window->start.enter, wait, &window->last);
        hd_rma_mark_wait(rh, host, agent, &window->start, window->start_order, 0, wait, &window->last);
        return;
    }
    for (size_t i = window->n_accesses; i > 0; i--) {
        const hd_rma_access *a     = &window->accesses[i - 1];
        hd_call              inner = { .enter = a->enter, .leave = a->leave, .call_path = a->call_path };

        if (!(a->time < posted && posted < a->leave))
            continue;
        wait = hd_span_between(a->time, posted);
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_comm_late_post, a->call_path, wait);
        note_wait(rh, agent, HD_METRIC_mpi_rma_comm_late_post, &inner, a->time, wait, &window->last);
        hd_rma_mark_wait(rh, host, agent, &inner, a->order, hd_span_between(a->enter, a->time), wait, &window->last);
        return;
    }
}

/* Each operation whose own target posts only while it is under way. */
static void
book_early_transfers(hd_replay_host *rh, hd_agent *agent, const hd_rma_window *window)
{
    for (size_t i = 0; i < window->n_accesses; i++) {
        const hd_rma_access *a      = &window->accesses[i];
        const hd_rma_target *target = &window->targets[a->target];
        hd_call              call   = { .enter = a->enter, .leave = a->leave, .call_path = a->call_path };

        if (!(a->enter < target->posted && target->posted < a->leave))
            continue;
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_earlytransfer, a->call_path, hd_span_between(a->enter, target->posted));
        note_wait(rh, agent, HD_METRIC_mpi_rma_earlytransfer, &call, a->enter, hd_span_between(a->enter, target->posted),
                  &(hd_rma_partner){ .process = hd_rma_is_own(rh, window) ? agent->process_id
                                                                          : hd_comm_member(rh, window->comm, target->rank) });
    }
}

static void
end_access(hd_replay_host *rh, hd_host *host, hd_agent *agent, hd_rma_window *window)
{
    if (!window->in_access) {
        out_of_place(rh, agent, window);
        return;
    }
    book_late_post(rh, host, agent, window);
    book_early_transfers(rh, agent, window);
    count_pairs(agent, agent->op.number, window->n_accessed);
    window->in_access  = false;
    window->n_accesses = 0;
    forget_notices(window);
}

/*   target   ··[ wait ················ ]··            early wait = complete.enter - wait.enter
 *   origin   ·····[ put ]·····[ complete ]··          late complete = complete.enter - put.leave
 *                       |<--->|                       docs/metrics.md#mpi_rma_early_wait */
static void
book_early_wait(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_rma_window *window)
{
    const hd_call *call  = &agent->cursor.call;
    hd_time        until = hd_time_min(window->last.enter, call->leave), from;
    hd_span        wait;

    if (window->last.process == HD_NONE || until <= call->enter)
        return;
    wait = hd_span_between(call->enter, until);
    from = hd_time_max(window->n_accessing > 0 ? window->last_access : window->last_start, call->enter);
    hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_early_wait, call->call_path, wait);
    note_wait(rh, agent, HD_METRIC_mpi_rma_early_wait, call, call->enter, wait, &window->last);
    if (until > from) {
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_late_complete, call->call_path, hd_span_between(from, until));
        note_wait(rh, agent, HD_METRIC_mpi_rma_late_complete, call, from, hd_span_between(from, until), &window->last);
    }
    if (until == window->last.enter)
        hd_rma_mark_wait(rh, host, agent, call, agent->order, 0, wait, &window->last);
    else
        hd_rma_mark_unexplained(rh, agent, call, wait);
}

static void
end_exposure(hd_replay_host *rh, hd_host *host, hd_agent *agent, hd_rma_window *window)
{
    if (!window->in_exposure) {
        out_of_place(rh, agent, window);
        return;
    }
    if (agent->op.operation == HD_RMA_WAIT)
        book_early_wait(rh, host, agent, window);
    count_pairs(agent, agent->op.number, window->n_accessing);
    window->in_exposure = false;
    forget_notices(window);
}

bool
hd_rma_op(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_rma_window *window;

    if (agent->op.operation == HD_RMA_NOTICE || agent->op.operation == HD_RMA_NO_NOTICE) {
        send_notice(rh, host, agent);
        return true;
    }
    if (agent->op.operation == HD_RMA_TAKE || agent->op.operation == HD_RMA_NO_TAKE)
        return take_notice(rh, agent);
    window = window_of(agent, agent->op.channel);
    switch ((hd_rma)agent->op.operation) {
    case HD_RMA_POST:
        window->in_exposure = true;
        break;
    case HD_RMA_START:
        begin_access(window, agent);
        break;
    case HD_RMA_COMPLETE:
        end_access(rh, host, agent, window);
        break;
    case HD_RMA_WAIT:
    case HD_RMA_TEST:
        end_exposure(rh, host, agent, window);
        break;
    case HD_RMA_ACCESS:
        note_access(window, agent);
        if (window->n_locks > 0 && hd_rma_is_locked(window, agent->op.root))
            hd_passive_call(rh, host, agent, window, true);
        break;
    case HD_RMA_LOCK:
        HD_PUSH(window->locks, window->n_locks, window->capacity_locks,
                ((hd_rma_lock){ agent->op.root, agent->op.number != 0, agent->order, agent->cursor.call.enter }));
        hd_passive_call(rh, host, agent, window, false);
        break;
    case HD_RMA_UNLOCK:
        if (hd_passive_unlock(rh, host, agent, window))
            hd_passive_call(rh, host, agent, window, false);
        else
            out_of_place(rh, agent, window);
        break;
    case HD_RMA_COMPLETION:
        hd_passive_call(rh, host, agent, window, false);
        break;
    default:
        break;
    }
    return true;
}
