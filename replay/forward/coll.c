/* replay/forward/coll.c: members and access notifications arrive, instances are decided. */
#include "coll.h"

#include "coll_book.h"
#include "comm_members.h"
#include "ideal_clock.h"

typedef struct coll_notification_item {
    uint32_t       comm, number;
    hd_rma_access_notification notification;
} coll_notification_item;

_Static_assert(sizeof(hd_coll_value) % 8 == 0 && sizeof(hd_coll_step) % 8 == 0 &&
               sizeof(coll_notification_item) % 8 == 0,
               "items are whole words");

/* ---- instances --------------------------------------------------------------------------------------------------- */

/* The number of access notifications that other workers send for members of this worker, from the combined value. */
static uint32_t
n_notifications_expected(const hd_worker *worker, const hd_coll_instance *instance)
{
    for (uint32_t i = 0; hd_coll_instance_class(instance) == HD_COLL_FENCE && i < instance->n_steps; i++)
        if (instance->steps[i].worker == hd_worker_number(worker))
            return (uint32_t)instance->steps[i].n_notifications;
    return 0;
}

static void
report_mixed(hd_replay_worker *rh, hd_worker *worker, const hd_coll_instance *instance)
{
    for (uint32_t i = 0; i < instance->n_members; i++) {
        const hd_member *member = &instance->members[i];

        hd_vproc_finding(rh, member->vproc, HD_FINDING_MIXED_COLLECTIVE, member->node, HD_NONE,
                         instance->head.comm->comm, HD_NONE, member->end);
        if (member->nbc_call != NULL)
            hd_coll_put_back_nbc_call(rh, worker, member->nbc_call);
    }
}

/* The instance is decided; its members of this worker are booked once all notifications are there. */
static void
book(hd_replay_worker *rh, hd_worker *worker, hd_coll_instance *instance)
{
    bool is_mixed = hd_coll_instance_is_mixed(instance);

    instance->is_decided = true;
    if (!is_mixed && instance->n_notifications < n_notifications_expected(worker, instance))
        return;
    hd_rma_sort_access_notifications(&instance->notifications);
    if (is_mixed)
        report_mixed(rh, worker, instance);
    else
        hd_coll_book(rh, worker, instance);
    hd_ideal_decided(worker, instance, is_mixed);
    hd_reduction_end(&rh->coll->reduction, &instance->head);
}

/* All members know now who begins last; the earliest end of those that synchronise is asked for. */
static void
start_second_round(hd_replay_worker *rh, hd_worker *worker, hd_coll_instance *instance)
{
    const hd_coll_rule *rule = hd_coll_rule_of(instance);
    const hd_reduction_tree      *tree = &instance->head.comm->tree;

    instance->has_second_round                     = true;
    instance->n_steps                              = 0;
    instance->value.earliest_end                   = UINT64_MAX;
    instance->head.n_missing[HD_COLL_SECOND_ROUND] = tree->n_children + 1; /* this worker contributes as one */
    for (uint32_t i = 0; i < instance->n_members; i++) {
        const hd_member *member = &instance->members[i];

        if (!rule->counts_in_second_round(instance, member))
            continue;
        instance->value.earliest_end = hd_time_min(instance->value.earliest_end, member->end);
        if (rule->lists_members)
            hd_coll_instance_add_synchronising(instance, member);
    }
    hd_reduction_contribute(&rh->coll->reduction, worker, &instance->head, HD_COLL_SECOND_ROUND);
}

static uint32_t
finish(void *context, hd_reduction_instance *head, uint32_t round)
{
    const hd_replay_worker *rh       = context;
    const hd_coll_instance *instance = (const hd_coll_instance *)head;
    const hd_coll_rule     *rule;

    if (head->comm->tree.parent != HD_NONE || round == HD_COLL_SECOND_ROUND || hd_coll_instance_is_mixed(instance))
        return HD_COLL_DECIDED;
    rule = hd_coll_rule_of(instance);
    if (rule->needs_second_round != NULL && rule->needs_second_round(rh->replay, instance))
        return HD_COLL_SECOND_ROUND;
    return HD_COLL_DECIDED;
}

static void
settle(void *context, hd_worker *worker, hd_reduction_instance *head, uint32_t round)
{
    if (round == HD_COLL_SECOND_ROUND)
        start_second_round(context, worker, (hd_coll_instance *)head);
    else
        book(context, worker, (hd_coll_instance *)head);
}

static const hd_reduction_kind reduction_kind = {
    .item_up        = HD_ITEM_COLL_UP,
    .item_down      = HD_ITEM_COLL_DOWN,
    .instance_bytes = sizeof(hd_coll_instance),
    .member_bytes   = sizeof(hd_member),
    .value_bytes    = sizeof(hd_coll_value),
    .step_bytes     = sizeof(hd_coll_step),
    .begin          = hd_coll_instance_begin,
    .free           = hd_coll_instance_free,
    .payload        = hd_coll_instance_payload,
    .combine        = hd_coll_instance_combine,
    .replace        = hd_coll_instance_replace,
    .finish         = finish,
    .settle         = settle,
};

static inline hd_coll_instance *
instance_of(hd_replay_worker *rh, hd_reduction_comm *comm, uint32_t number)
{
    return (hd_coll_instance *)hd_reduction_instance_of(&rh->coll->reduction, comm, number);
}

/* ---- notifications ----------------------------------------------------------------------------------------------- */

static void
put_notification(hd_coll_instance *instance, const hd_rma_access_notification *notification)
{
    HD_PUSH(instance->notifications.rows, instance->notifications.n, instance->notifications.capacity, *notification);
}

/* What a process did at the window since the fence before is left with the workers of its targets; a worker learns from
 * the combined value how many notifications there are for it. A window's creation and end are no fences: nothing can be
 * left then. */
static void
notify_targets(hd_replay_worker *rh, hd_worker *worker, hd_coll_instance *instance, hd_vproc *vproc, hd_coll_class c)
{
    const hd_placement *placement = rh->replay->request->placement;
    hd_rma_access_notifications    *mine      = &rh->coll->notifications;

    mine->n = 0;
    hd_rma_take_access_notifications(vproc, mine);
    for (size_t i = 0; i < mine->n && c == HD_COLL_FENCE; i++) {
        coll_notification_item item = { .comm = instance->head.comm->comm, .number = instance->head.number,
                                   .notification = mine->rows[i] };
        uint32_t          home = hd_placement_worker(placement, (hd_process){ item.notification.process });

        put_notification(instance, &(hd_rma_access_notification){ .process = item.notification.peer,
                                                                  .peer = item.notification.process });
        if (home == hd_worker_number(worker))
            put_notification(instance, &item.notification);
        else {
            hd_coll_instance_count_notification(instance, home);
            hd_worker_send(worker, home, HD_ITEM_ACCESS_NOTIFICATION, &item, sizeof item, NULL, 0);
        }
    }
}

static void
receive_notification(hd_replay_worker *rh, hd_worker *worker, const coll_notification_item *item)
{
    hd_reduction_comm *comm     = hd_reduction_comm_of(&rh->coll->reduction, item->comm, false);
    hd_coll_instance  *instance = instance_of(rh, comm, item->number);

    put_notification(instance, &item->notification);
    instance->n_notifications++;
    if (instance->is_decided)
        book(rh, worker, instance);
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void
report_twice(hd_replay_worker *rh, hd_vproc *vproc, const hd_reduction_comm *comm)
{
    hd_vproc_finding(rh, vproc, HD_FINDING_MIXED_COLLECTIVE, vproc->cursor.call.call_path, HD_NONE,
                     comm->comm < rh->replay->defs->n_comms ? comm->comm : HD_NONE, HD_NONE, vproc->op.time);
    vproc->ideal.waits = false;
}

/* The place of one more member. NULL (a finding): a process is not twice in one instance, as its numbers ascend. */
static inline hd_member *
next_member(hd_replay_worker *rh, hd_coll_instance *instance, hd_vproc *vproc)
{
    if (HD_LIKELY(instance->n_members < instance->head.comm->tree.n_members))
        return &instance->members[instance->n_members++];
    report_twice(rh, vproc, instance->head.comm);
    return NULL;
}

/* Contributes the member that was put into the instance. op: its record, c: the class of that. */
static void
add_member(hd_replay_worker *rh, hd_worker *worker, hd_coll_instance *instance, const hd_member *member,
           const hd_op *op, hd_coll_class c)
{
    hd_coll_instance_add(instance, member, op, c);
    if (HD_UNLIKELY(c >= HD_COLL_CREATE && c <= HD_COLL_FENCE))
        notify_targets(rh, worker, instance, member->vproc, c);
    hd_reduction_contribute(&rh->coll->reduction, worker, &instance->head, 0);
}

/* MPI_Init and MPI_Finalize are instance 0 of communicators of their own. */
static void
world_member(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t operation, const hd_op *times,
             bool is_absent)
{
    const hd_defs     *defs   = rh->replay->defs;
    hd_op              op     = { .operation = operation };
    hd_member          member = { .vproc = vproc, .rank = vproc->process_id, .is_absent = is_absent };
    hd_reduction_comm *comm;
    hd_coll_instance  *instance;
    hd_member         *place;

    if (vproc->process_id >= defs->n_mpi_processes)
        return;
    if (!is_absent && !(operation == HD_OPERATION_INIT ? vproc->location->has_init : vproc->location->has_finalize))
        return; /* another thread of the process was earlier */
    if (!is_absent) {
        member.order = vproc->order;
        member.node  = vproc->cursor.call.call_path;
        member.begin = times->begin;
        member.end   = times->time;
    }
    comm     = hd_reduction_comm_of(&rh->coll->reduction, defs->n_comms + (operation == HD_OPERATION_FINALIZE), false);
    instance = instance_of(rh, comm, 0);
    place    = next_member(rh, instance, vproc);
    if (place == NULL)
        return;
    *place = member;
    if (!is_absent)
        hd_ideal_may_wait(rh->replay, vproc, HD_COLL_BARRIER, member.role);
    add_member(rh, worker, instance, place, &op, HD_COLL_BARRIER);
}

void
hd_coll_without_init(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    world_member(rh, worker, vproc, HD_OPERATION_INIT, NULL, true);
}

static hd_nbc_call *
nbc_call_of(hd_replay_worker *rh, hd_vproc *vproc)
{
    if (vproc->nbc_call == NULL) {
        vproc->nbc_call  = hd_pool_take(&rh->coll->nbc_calls);
        *vproc->nbc_call = (hd_nbc_call){ .n_open = 1 };
    }
    vproc->nbc_call->n_open++;
    return vproc->nbc_call;
}

/* The number of the vproc's operation in its communicator. */
static uint32_t
number_of(hd_vproc *vproc, const hd_channel *channel)
{
    if (vproc->op.kind == HD_OP_NBC)
        return vproc->location->log.rare->nbcs[vproc->op.number].number;
    if (channel->has_numbers)
        return hd_cursor_number(&vproc->cursor);
    return vproc->links[vproc->op.channel].next++;
}

static inline void
set_member(hd_replay_worker *rh, hd_vproc *vproc, const hd_channel *channel, bool is_inter, hd_member *member)
{
    const hd_op   *op   = &vproc->op;
    const hd_call *call = &vproc->cursor.call;

    *member = (hd_member){ .begin = op->begin, .end = op->time, .enter = call->enter, .leave = call->leave,
                           .vproc = vproc, .order = vproc->order, .node = call->call_path, .rank = channel->peer_rank,
                           .side = (uint8_t)channel->peer, .sends = op->sent > 0, .receives = op->received > 0,
                           .is_root = op->root == (is_inter ? HD_COLL_ROOT_SELF : channel->peer_rank),
                           .is_test = call->group == HD_CALL_TEST };
    if (HD_UNLIKELY(op->operation >= HD_OPERATION_SHMEM_BARRIER && op->operation <= HD_OPERATION_SHMEM_EXCHANGE))
        member->end = member->leave; /* as it begins with the enter */
    if (HD_UNLIKELY(op->kind == HD_OP_NBC)) {
        member->nbc_call   = nbc_call_of(rh, vproc);
        member->nbc_number = op->number;
    }
}

static bool
is_self(const hd_replay_worker *rh, uint32_t comm)
{
    return hd_defs_groups(rh->replay->defs)[hd_defs_comms(rh->replay->defs)[comm].group_a].self;
}

void
hd_coll_member(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    const hd_op      *op = &vproc->op;
    hd_coll_class     c  = hd_coll_class_of(op->operation);
    const hd_channel *channel;
    hd_link          *link;
    hd_coll_instance *instance;
    hd_member        *member;
    uint32_t          number;

    if (op->kind == HD_OP_INIT || op->kind == HD_OP_FINALIZE) {
        world_member(rh, worker, vproc, op->kind == HD_OP_INIT ? HD_OPERATION_INIT : HD_OPERATION_FINALIZE, op, false);
        return;
    }
    if (op->kind == HD_OP_NBC && rh->replay->compat)
        return;
    channel = &vproc->location->log.channels[op->channel];
    link    = &vproc->links[op->channel];
    number  = number_of(vproc, channel);
    if (HD_UNLIKELY(c == HD_COLL_FENCE))
        hd_severity_add(&vproc->severities, HD_METRIC_mpi_rma_pairsync_count, vproc->cursor.call.call_path,
                        hd_comm_size(rh, channel->comm));
    if (c == HD_COLL_NONE || (c == HD_COLL_SHMEM_1TON && op->root == HD_NONE)) /* Score-P need not know the root */
        return;
    if (HD_UNLIKELY(link->reduction == NULL)) {
        if (is_self(rh, channel->comm)) {
            if (c == HD_COLL_FENCE)
                hd_coll_book_fence_alone(rh, worker, vproc);
            return;
        }
        link->reduction = hd_reduction_comm_of(&rh->coll->reduction, channel->comm, op->kind == HD_OP_NBC);
    }
    instance = instance_of(rh, link->reduction, number);
    member   = next_member(rh, instance, vproc);
    if (HD_UNLIKELY(member == NULL))
        return;
    set_member(rh, vproc, channel, link->reduction->is_inter, member);
    if (HD_LIKELY(op->kind == HD_OP_COLL))
        hd_ideal_may_wait(rh->replay, vproc, c, member->role);
    add_member(rh, worker, instance, member, op, c);
}

void
hd_coll_leave(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_coll_put_back_nbc_call(rh, worker, vproc->nbc_call);
    vproc->nbc_call = NULL;
}

/* ---- a worker ---------------------------------------------------------------------------------------------------- */

void
hd_coll_init(hd_replay_worker *rh, hd_worker *worker)
{
    rh->coll = HD_NEW(hd_coll_worker);
    rh->coll->reduction = (hd_reduction){ .kind = &reduction_kind, .context = rh, .defs = rh->replay->defs,
                                          .placement = rh->replay->request->placement, .scratch = &rh->scratch,
                                          .worker = hd_worker_number(worker) };
    hd_reduction_init(&rh->coll->reduction);
    hd_pool_init(&rh->coll->nbc_calls, sizeof(hd_nbc_call));
    hd_ideal_init(rh, worker);
    hd_coll_stats_init(rh->coll);
}

void
hd_coll_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data)
{
    if (kind == HD_ITEM_ACCESS_NOTIFICATION)
        receive_notification(rh, worker, data);
    else if (kind == HD_ITEM_COLL_WAITS)
        hd_coll_stats_deliver(rh, worker, data);
    else
        hd_reduction_deliver(&rh->coll->reduction, worker, kind, data);
}

static void
report_unmatched(void *context, hd_reduction_instance *head)
{
    hd_replay_worker       *rh       = context;
    const hd_coll_instance *instance = (const hd_coll_instance *)head;
    uint32_t                comm     = head->comm->comm;

    for (uint32_t i = 0; i < instance->n_members; i++) {
        const hd_member *member = &instance->members[i];

        if (!member->is_absent)
            hd_vproc_finding(rh, member->vproc, HD_FINDING_UNMATCHED_COLLECTIVE, member->node, HD_NONE,
                             comm < rh->replay->defs->n_comms ? comm : HD_NONE, HD_NONE, member->end);
    }
}

void
hd_coll_finish(hd_replay_worker *rh)
{
    hd_coll_worker *coll = rh->coll;

    hd_reduction_each_open(&coll->reduction, report_unmatched);
    hd_reduction_fini(&coll->reduction);
    hd_ideal_fini(rh);
    hd_coll_stats_fini(coll);
    hd_pool_fini(&coll->nbc_calls);
    free(coll->notifications.rows);
    free(coll);
    rh->coll = NULL;
}
