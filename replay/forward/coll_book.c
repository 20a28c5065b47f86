/* replay/forward/coll_book.c: books a decided operation for each member: times, then severities and findings, then
 * synchronisation points.
 *
 *   rank 0   ──[ begin·········── end]──       until: the begin that the member waits for (barrier: the latest of all)
 *   rank 1   ────────[ begin·── end]────       waiting = min(until, end) - begin, if positive
 *   rank 2   ──────────────[ begin ── end]──   completion = end - max(earliest end, until)
 *              |<--------->| wait of rank 0    docs/metrics.md#barrier
 */
#include "coll_book.h"

#include "comm_members.h"
#include "sync_notify.h"
#include "unattributed.h"

static uint32_t
comm_of(const hd_coll_booking *booking)
{
    return booking->instance->head.comm->comm;
}

/* ---- synchronisation points -------------------------------------------------------------------------------------- */

/* A wait for one process, which is notified; other members of the operation do not synchronise by it. */
static void
mark_waited(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_sync *sync, hd_sync_group group)
{
    hd_syncs_add_group(vproc->syncs, sync, group);
    hd_sync_wait_for_root(rh, worker, vproc, sync->peer, group);
}

/* Index in the worker's lists of the processes that synchronise; each worker makes the list once for an operation. */
static uint32_t
keep_list(hd_replay_worker *rh, hd_coll_instance *instance)
{
    hd_process_list *list;

    if (instance->list != HD_NONE)
        return instance->list;
    list = hd_scratch_alloc(rh->replay->scratch, 1, sizeof *list + instance->n_steps * sizeof *list->processes);
    for (uint32_t i = 0; i < instance->n_steps; i++)
        list->processes[list->n++] = hd_comm_member(rh, instance->head.comm->comm, instance->steps[i].rank);
    instance->list = (uint32_t)rh->n_lists;
    HD_SCRATCH_PUSH(rh->replay->scratch, rh->lists, rh->n_lists, rh->capacity_lists, list);
    return instance->list;
}

/* Ticks from the enter of the call to the begin, at most HD_NONE. */
static uint32_t
begin_in_call(const hd_member *member)
{
    hd_span span = hd_span_between(member->enter, member->begin);

    return span < (hd_span)HD_NONE ? (uint32_t)span : HD_NONE;
}

static void
mark_member(const hd_coll_booking *booking)
{
    const hd_member    *member   = booking->member;
    hd_coll_instance   *instance = booking->instance;
    const hd_coll_rule *rule     = booking->rule;
    hd_sync       sync  = { .kind = HD_SYNC_COLL, .delay = (uint8_t)rule->delay, .enter = member->enter,
                            .wait = booking->waiting, .call_path = member->node, .order = member->order,
                            .peer = comm_of(booking),
                            .pruned = hd_span_between(member->enter, member->leave) - booking->completion };
    hd_sync_group group = { .number = instance->head.number, .list = HD_NONE,
                            .delayer = hd_coll_delayer_process(booking->rh, instance, member) };

    if (rule->lists_members && instance->has_second_round)
        group.list = keep_list(booking->rh, instance);
    if (booking->class == HD_COLL_NTO1)
        group.root = hd_comm_member(booking->rh, comm_of(booking), instance->value.min_root);
    if (rule->delay == HD_DELAY_RMA)
        group.offset = begin_in_call(member);
    hd_syncs_add_group(member->vproc->syncs, &sync, group);
    if (booking->class == HD_COLL_1TON && !member->is_root)
        hd_sync_wait_for_root(booking->rh, booking->worker, member->vproc, comm_of(booking), group);
}

/* Prefix reductions: a member may be waited for by members of higher ranks, and wait for one of a lower rank. */
static void
mark_scan(const hd_coll_booking *booking)
{
    hd_replay_worker *rh    = booking->rh;
    const hd_member *member = booking->member;
    hd_sync       sync  = { .kind = HD_SYNC_AWAITED, .delay = HD_DELAY_NONE, .enter = member->enter,
                            .call_path = member->node, .order = member->order, .peer = comm_of(booking),
                            .pruned = hd_span_between(member->enter, member->leave) };
    hd_sync_group group = { .number = booking->instance->head.number, .delayer = member->vproc->process_id,
                            .list = HD_NONE };

    if (!rh->replay->request->delays || rh->replay->compat || booking->instance->head.comm->is_inter)
        return;
    if (hd_coll_is_step(booking->instance, member))
        hd_syncs_add_group(member->vproc->syncs, &sync, group);
    if (booking->waiting <= 0)
        return;
    sync.kind     = HD_SYNC_WAITED;
    sync.delay    = HD_DELAY_SCAN;
    sync.wait     = booking->waiting;
    group.delayer = hd_coll_delayer_process(rh, booking->instance, member);
    mark_waited(rh, booking->worker, member->vproc, &sync, group);
}

static void
book_points(const hd_coll_booking *booking)
{
    hd_replay_worker *rh      = booking->rh;
    const hd_member *member   = booking->member;
    hd_coll_class    c        = booking->class;
    bool             is_inter = booking->instance->head.comm->is_inter;

    if (!rh->replay->goes_back)
        return;
    if (c == HD_COLL_SCAN)
        mark_scan(booking);
    else if (!booking->wait.synchronises || (c >= HD_COLL_CREATE && hd_comm_size(rh, comm_of(booking)) <= 1))
        return;
    else if (!is_inter)
        mark_member(booking);
    else if (rh->replay->request->delays) /* each group waits for the other: there is no single delayer */
        hd_unattributed_wait(rh, member->vproc, booking->rule->delay, hd_vproc_call_path(member->vproc, member->node),
                             (double)booking->waiting);
}

/* ---- non-blocking operations ------------------------------------------------------------------------------------- */

void
hd_coll_put_back_nbc_call(hd_replay_worker *rh, hd_worker *worker, hd_nbc_call *call)
{
    if (--call->n_open > 0)
        return;
    if (call->wait > 0 && call->group.delayer != HD_NONE)
        mark_waited(rh, worker, call->vproc, &call->sync, call->group);
    else if (call->wait > 0 && rh->replay->request->delays)
        hd_unattributed_wait(rh, call->vproc, HD_DELAY_NBC, hd_vproc_call_path(call->vproc, call->sync.call_path),
                             (double)call->wait);
    if (HD_UNLIKELY(rh->statistics != NULL)) {
        hd_wait wait = { .metric = HD_METRIC_mpi_nbc_wait, .node = call->sync.call_path, .enter = call->sync.enter,
                         .leave = call->leave, .from = call->sync.enter, .time = call->wait, .peer = call->peer };

        hd_vproc_note(rh, call->vproc, &wait);
        wait.metric = call->metric;
        hd_vproc_note(rh, call->vproc, &wait);
    }
    hd_pool_put(&rh->coll->nbc_calls, call);
}

/* Of several collectives that one call completes, only the longest wait counts: it replaces a shorter one. */
static void
book_nbc_waiting(const hd_coll_booking *booking, const hd_sync *sync, hd_sync_group group, uint32_t peer)
{
    const hd_member *member     = booking->member;
    hd_severities   *severities = &member->vproc->severities;
    hd_nbc_call     *call       = member->nbc_call;
    hd_span          waiting    = booking->waiting;
    hd_metric        metric     = booking->rule->nbc_waiting;

    if (waiting <= 0 || waiting < call->wait || (waiting == call->wait && member->nbc_number >= call->number))
        return;
    if (call->wait > 0) {
        hd_severity_add(severities, HD_METRIC_mpi_nbc_wait, member->node, -call->wait);
        if (member->vproc->series != NULL)
            hd_wait_series_take_back(member->vproc->series,
                                     (hd_series_wait){ HD_METRIC_mpi_nbc_wait, member->vproc->thread, member->node,
                                                       call->sync.enter, call->wait });
        hd_severity_add(severities, call->metric, member->node, -call->wait);
    }
    *call = (hd_nbc_call){ .wait = waiting, .metric = metric, .number = member->nbc_number, .n_open = call->n_open,
                           .peer = peer, .leave = member->leave, .sync = *sync, .group = group,
                           .vproc = member->vproc };
    hd_vproc_book_wait(member->vproc, HD_METRIC_mpi_nbc_wait, member->node, sync->enter, waiting);
    hd_severity_add(severities, metric, member->node, waiting);
}

/* The thread that started a non-blocking collective, which another one may complete. */
static hd_vproc *
started_by(const hd_replay_worker *rh, const hd_member *member)
{
    uint32_t thread = member->vproc->location->log.rare->nbcs[member->nbc_number].thread;

    return thread == HD_NONE ? member->vproc : hd_replay_vproc(rh->replay, member->vproc->process_id, thread);
}

/* Where others wait for the member, that is where it started the operation. */
static void
mark_nbc_awaited(const hd_coll_booking *booking)
{
    const hd_member        *member   = booking->member;
    const hd_coll_instance *instance = booking->instance;
    hd_sync       awaited = { .kind = HD_SYNC_AWAITED, .delay = HD_DELAY_NONE, .enter = member->begin,
                              .peer = comm_of(booking) | HD_SYNC_NBC };
    hd_sync_group group   = { .number = instance->head.number, .delayer = member->vproc->process_id, .list = HD_NONE };
    bool          is_awaited;

    if (booking->rule->delayer == HD_COLL_LATEST_BELOW)
        is_awaited = hd_coll_is_step(instance, member);
    else
        is_awaited = hd_coll_delayer_rank(instance, member) == member->rank;
    if (is_awaited)
        hd_syncs_add_group(started_by(booking->rh, member)->syncs, &awaited, group);
}

/* The member started the operation at `begin`, and completes it in the call from `enter` to `leave`. */
static void
book_nbc_member(const hd_coll_booking *booking)
{
    hd_replay_worker       *rh       = booking->rh;
    const hd_member        *member   = booking->member;
    const hd_coll_instance *instance = booking->instance;
    hd_sync       sync  = { .kind = HD_SYNC_WAITED, .delay = HD_DELAY_NBC, .enter = member->enter,
                            .call_path = member->node, .order = member->order,
                            .peer = comm_of(booking) | HD_SYNC_NBC, .wait = booking->waiting,
                            .pruned = hd_span_between(member->enter, member->leave) };
    hd_sync_group group = { .number = instance->head.number, .delayer = HD_NONE, .list = HD_NONE };
    uint32_t      peer  = HD_NONE;

    if (HD_UNLIKELY(rh->statistics != NULL) && booking->waiting > 0)
        peer = hd_coll_delayer_process(rh, instance, member);
    if (rh->replay->request->delays && !instance->head.comm->is_inter) {
        mark_nbc_awaited(booking);
        if (booking->waiting > 0)
            group.delayer = hd_coll_delayer_process(rh, instance, member);
    }
    book_nbc_waiting(booking, &sync, group, peer);
    hd_coll_put_back_nbc_call(rh, booking->worker, member->nbc_call);
}

/* ---- fences ------------------------------------------------------------------------------------------------------ */

static void
book_fence(const hd_coll_booking *booking)
{
    const hd_member *member = booking->member;
    hd_rma_fence fence = { .vproc = member->vproc,
                           .call  = { .enter = member->enter, .leave = member->leave, .call_path = member->node },
                           .end = member->end, .order = member->order,
                           .n_processes = hd_comm_size(booking->rh, comm_of(booking)),
                           .waiting = booking->waiting, .overlaps = booking->wait.synchronises };
    hd_rma_fence_waits waits = hd_rma_book_fence(booking->rh, booking->worker, &fence,
                                                 &booking->instance->notifications);

    if (HD_UNLIKELY(booking->rh->statistics != NULL))
        hd_coll_stats_fence(booking, &waits);
}

void
hd_coll_book_fence_alone(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_rma_fence       fence = { .vproc = vproc, .call = vproc->cursor.call, .end = vproc->op.time,
                                 .order = vproc->order, .n_processes = 1, .overlaps = true };
    hd_rma_access_notifications   *notifications = &rh->coll->notifications;
    hd_rma_fence_waits waits;

    notifications->n = 0;
    hd_rma_take_access_notifications(vproc, notifications);
    waits = hd_rma_book_fence(rh, worker, &fence, notifications);
    if (HD_UNLIKELY(rh->statistics != NULL) && waits.waiting > 0) { /* it waits for itself: its clock is wrong */
        hd_wait wait = { .metric = HD_METRIC_mpi_rma_wait_at_fence, .node = fence.call.call_path,
                         .enter = fence.call.enter, .leave = fence.call.leave, .from = fence.call.enter,
                         .time = waits.waiting, .peer = waits.peer, .peer_thread = waits.peer_thread };

        hd_vproc_note(rh, vproc, &wait);
        wait.metric = HD_METRIC_mpi_rma_early_fence;
        wait.time   = waits.early;
        hd_vproc_note(rh, vproc, &wait);
    }
}

/* ---- a member ---------------------------------------------------------------------------------------------------- */

static void
book_init_or_finalize(const hd_coll_booking *booking)
{
    const hd_member *member  = booking->member;
    bool             is_init = booking->instance->value.min_operation == HD_OPERATION_INIT;
    hd_sync sync = { .kind = is_init ? HD_SYNC_INIT : HD_SYNC_FINALIZE, .delay = HD_DELAY_NONE, .enter = member->begin,
                     .call_path = member->node, .wait = is_init ? 0 : booking->waiting,
                     .pruned = hd_span_between(member->begin, member->end) - booking->completion, .peer = HD_SYNC_ALL,
                     .order = member->order };

    if (booking->rh->replay->goes_back)
        hd_syncs_add(member->vproc->syncs, &sync);
    if (is_init && booking->completion > 0)
        hd_severity_add(&member->vproc->severities, HD_METRIC_mpi_init_completion, member->node, booking->completion);
    if (!is_init && booking->waiting > 0)
        hd_vproc_book_wait(member->vproc, HD_METRIC_mpi_finalize_wait, member->node, member->begin, booking->waiting);
}

/* A member that ends before the begin it waits for. */
static void
check_clocks(const hd_coll_booking *booking)
{
    const hd_member    *member = booking->member;
    const hd_coll_wait *wait   = &booking->wait;

    if (wait->synchronises && wait->until > member->end)
        hd_vproc_clock_finding(booking->rh, member->vproc, HD_FINDING_CLOCK_COLLECTIVE, member->node,
                               hd_coll_delayer_process(booking->rh, booking->instance, member), comm_of(booking),
                               member->end, hd_span_between(member->end, wait->until));
}

static void
book_times(const hd_coll_booking *booking)
{
    hd_severities *severities = &booking->member->vproc->severities;
    hd_metric      completion = booking->rule->completion;

    if (booking->waiting > 0)
        hd_vproc_book_wait(booking->member->vproc, booking->rule->waiting, booking->member->node,
                           booking->member->begin, booking->waiting);
    if (booking->completion > 0 && completion != HD_N_METRICS)
        hd_severity_add(severities, completion, booking->member->node, booking->completion);
}

/* Sets waiting and completion; see the drawing above. */
static void
measure(hd_coll_booking *booking)
{
    const hd_member    *member = booking->member;
    const hd_coll_wait *wait   = &booking->wait;
    hd_time             until  = hd_time_min(wait->until, member->end), first;
    hd_time             from   = member->nbc_call != NULL ? member->enter : member->begin;

    booking->waiting = booking->completion = 0;
    if (!wait->synchronises)
        return;
    if (until > from && !(member->nbc_call != NULL && member->is_test))
        booking->waiting = hd_span_between(from, until);
    /* With wrong clocks the other group of an inter-communicator can be through before this member begins. */
    first = hd_time_max(hd_time_max(wait->first_end, until), member->begin);
    if (wait->first_end != UINT64_MAX && member->end > first)
        booking->completion = hd_span_between(first, member->end);
}

static inline void
book_member(hd_coll_booking *booking)
{
    booking->rh->n_collectives++;
    booking->wait = booking->rule->wait(booking->rh->replay, booking->instance, booking->member);
    measure(booking);
    if (booking->member->nbc_call != NULL) {
        book_nbc_member(booking);
        return;
    }
    if (HD_UNLIKELY(booking->rh->statistics != NULL) && booking->class != HD_COLL_FENCE)
        hd_coll_stats_member(booking);
    if (booking->instance->value.min_operation >= HD_OPERATION_INIT) {
        book_init_or_finalize(booking);
        return;
    }
    check_clocks(booking);
    if (booking->class == HD_COLL_FENCE)
        book_fence(booking);
    else
        book_times(booking);
    book_points(booking);
}

void
hd_coll_book(hd_replay_worker *rh, hd_worker *worker, hd_coll_instance *instance)
{
    hd_coll_booking booking = { .rh = rh, .worker = worker, .instance = instance, .rule = hd_coll_rule_of(instance),
                                .class = hd_coll_instance_class(instance) };

    if (HD_UNLIKELY(rh->statistics != NULL))
        hd_coll_stats_begin(rh);
    for (uint32_t i = 0; i < instance->n_members; i++) {
        booking.member = &instance->members[i];
        if (!booking.member->is_absent)
            book_member(&booking);
    }
    if (HD_UNLIKELY(rh->statistics != NULL) && !instance->head.comm->is_nbc)
        hd_coll_stats_end(rh, worker, instance);
}
