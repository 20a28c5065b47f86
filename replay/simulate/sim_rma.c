/* replay/simulate/sim_rma.c: notifications of epochs, lock epochs in the order of their releases, and targets that
 * enter MPI. */
#include "sim_rma.h"

#include <stdlib.h>

#include "comm_group.h"
#include "sim_messages.h"

enum { LEAST_LEFT = 2 }; /* calls that left before the target was there, and a tenth of all: none waits for it */

typedef struct sim_notification { /* that a call gets */
    uint32_t call, channel, number;
    uint32_t first; /* call that began the epoch; HD_NONE: of an exposure epoch */
    bool     is_none;
} sim_notification;

typedef struct sim_lock { /* of an open epoch */
    uint32_t channel, target, call; /* target: rank, HD_NONE: all */
    bool     is_exclusive;
} sim_lock;

typedef struct hd_sim_rma { /* of a location */
    hd_map            begun; /* channel of the window -> call that began the access epoch */
    sim_notification *notifications; /* [n_notifications] */
    sim_lock         *locks;         /* [n_locks] */
    size_t            n_notifications, capacity_notifications, n_locks, capacity_locks;
    hd_map            asked; /* target -> 1 + call that was sent there last */
} hd_sim_rma;

typedef struct hd_sim_lock_epoch {
    uint32_t window, target;    /* communicator; process */
    uint32_t origin, thread, lock_call, unlock_call, is_exclusive, unused;
    hd_time  enter, release;    /* of the call that ends it, and its record */
} hd_sim_lock_epoch;

typedef struct hd_sim_access { /* a call on a locked target */
    uint32_t target, origin, thread, call;
    hd_time  enter, leave;
    uint32_t target_thread, target_call; /* that the target entered next */
} hd_sim_access;

typedef struct sim_owner_item {
    uint32_t process, thread, lock_call, unlock_call; /* of the epoch that comes after it */
    uint32_t owner, owner_thread, owner_call, unused; /* that releases */
    hd_time  enter, release;
} sim_owner_item;

_Static_assert(sizeof(hd_sim_lock_epoch) % 8 == 0 && sizeof(hd_sim_access) % 8 == 0 &&
               sizeof(sim_owner_item) % 8 == 0, "items are whole words");

static const hd_comm_group *
group_of(const hd_defs *defs, uint32_t comm)
{
    return &hd_defs_groups(defs)[hd_defs_comms(defs)[comm].group_a];
}

static void
send(hd_sim_worker *sw, hd_worker *worker, uint32_t kind, uint32_t process, const void *item, uint32_t bytes)
{
    uint32_t home = hd_sim_home(sw->sim, process);

    if (home == hd_worker_number(worker))
        hd_sim_rma_deliver(sw, kind, item);
    else
        hd_worker_send(worker, home, kind, item, bytes, NULL, 0);
}

void
hd_sim_rma_prepare(hd_sim *sim)
{
    uint32_t first = hd_first_window(sim->defs);

    sim->exclusive = HD_NEW_ARRAY(uint64_t, sim->defs->n_windows);
    for (uint32_t i = 0; i < sim->n_locations; i++) {
        const hd_oplog *log = &sim->locations[i].location->log;

        for (size_t c = 0; c < log->n_channels; c++)
            if (log->channels[c].exclusive)
                sim->exclusive[log->channels[c].comm - first] = 1;
    }
    if (sim->defs->n_windows > 0)
        hd_analysis_comm_reduce(sim->request->analysis_comm, sim->exclusive, sim->defs->n_windows, HD_MAX);
}

/* ---- exchange ---------------------------------------------------------------------------------------------------- */

static hd_sim_rma *
rma_of(hd_sim_location *location)
{
    if (location->rma == NULL)
        location->rma = HD_NEW(hd_sim_rma);
    return location->rma;
}

static void
notify(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    const hd_op *op      = &record->op;
    bool        is_there = op->operation == HD_RMA_NOTIFY;
    hd_sim_send message  = { .enter = location->calls[record->call].enter, .thread = location->thread,
                             .call = is_there ? record->call : HD_NONE, .done_call = HD_NONE };

    hd_sim_send_on(sw, worker, location, op->channel, record->number, &message);
}

static void
receive(hd_sim_location *location, const hd_sim_record *record)
{
    const hd_op      *op      = &record->op;
    const hd_channel *channel = &location->location->log.channels[op->channel];
    hd_sim_rma       *rma     = rma_of(location);
    const uint64_t   *begun   = channel->tag == HD_TAG_POST ? hd_map_get(&rma->begun, channel->home) : NULL;

    HD_PUSH(rma->notifications, rma->n_notifications, rma->capacity_notifications,
            ((sim_notification){ .call = record->call, .channel = op->channel,
                                 .number = record->number,
                                 .first = begun != NULL ? (uint32_t)*begun : HD_NONE,
                                 .is_none = op->operation == HD_RMA_NO_RECEIVE }));
}

/* The current call is one of a lock epoch on that rank. */
static void
ask_target(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    const hd_op         *op    = &record->op;
    const hd_defs       *defs  = sw->sim->defs;
    const hd_comm_group *group = group_of(defs, location->location->log.channels[op->channel].comm);
    hd_sim_rma          *rma   = rma_of(location);
    const hd_sim_call   *call  = &location->calls[record->call];
    hd_sim_access        access = { .origin = location->process_id, .thread = location->thread,
                                    .call = record->call, .enter = call->enter, .leave = call->leave };
    uint64_t            *asked;
    bool                 is_new;

    if (op->root == HD_NONE || group->self)
        return;
    access.target = hd_comm_group_member(defs, group, op->root);
    if (access.target == HD_NONE || access.target == location->process_id)
        return;
    asked = hd_map_add(&rma->asked, access.target, &is_new);
    if (!is_new && *asked == access.call + UINT64_C(1))
        return;
    *asked = access.call + UINT64_C(1);
    send(sw, worker, HD_SIM_ITEM_ACCESS, access.target, &access, sizeof access);
}

static bool
is_locked(const hd_sim_rma *rma, const hd_op *op)
{
    for (size_t i = 0; i < rma->n_locks; i++)
        if (rma->locks[i].channel == op->channel && (rma->locks[i].target == op->root ||
                                                     rma->locks[i].target == HD_NONE))
            return true;
    return false;
}

/* An epoch on all processes is sent to each of them. */
static void
end_lock(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record,
         const sim_lock *lock)
{
    const hd_op         *op     = &record->op;
    const hd_defs       *defs   = sw->sim->defs;
    uint32_t             window = location->location->log.channels[op->channel].comm;
    const hd_comm_group *group  = group_of(defs, window);
    uint32_t             first  = lock->target == HD_NONE ? 0 : lock->target;
    uint32_t             last   = lock->target == HD_NONE ? group->n : lock->target + 1;
    hd_sim_lock_epoch    epoch  = { .window = window, .origin = location->process_id, .thread = location->thread,
                                    .lock_call = lock->call, .unlock_call = record->call,
                                    .is_exclusive = lock->is_exclusive && lock->target != HD_NONE,
                                    .enter = location->calls[record->call].enter, .release = op->time };

    if (group->self || sw->sim->exclusive[window - hd_first_window(defs)] == 0)
        return;
    for (uint32_t rank = first; rank < last; rank++) {
        epoch.target = hd_comm_group_member(defs, group, rank);
        if (epoch.target != HD_NONE)
            send(sw, worker, HD_SIM_ITEM_LOCK_EPOCH, epoch.target, &epoch, sizeof epoch);
    }
}

static void
unlock(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    const hd_op *op = &record->op;
    hd_sim_rma *rma = rma_of(location);
    size_t      i   = rma->n_locks;

    while (i > 0 && !(rma->locks[i - 1].channel == op->channel && rma->locks[i - 1].target == op->root))
        i--;
    if (i == 0)
        return;
    end_lock(sw, worker, location, record, &rma->locks[i - 1]);
    memmove(&rma->locks[i - 1], &rma->locks[i], (rma->n_locks - i) * sizeof *rma->locks);
    rma->n_locks--;
    ask_target(sw, worker, location, record);
}

void
hd_sim_rma_found(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    const hd_op *op = &record->op;
    hd_sim_rma *rma = rma_of(location);
    bool        is_new;

    switch ((hd_rma)op->operation) {
    case HD_RMA_NOTIFY:
    case HD_RMA_NO_NOTIFY:
        notify(sw, worker, location, record);
        break;
    case HD_RMA_RECEIVE:
    case HD_RMA_NO_RECEIVE:
        receive(location, record);
        break;
    case HD_RMA_START:
        *hd_map_add(&rma->begun, op->channel, &is_new) = record->call;
        break;
    case HD_RMA_LOCK:
        HD_PUSH(rma->locks, rma->n_locks, rma->capacity_locks,
                ((sim_lock){ op->channel, op->root, record->call, op->number != 0 }));
        ask_target(sw, worker, location, record);
        break;
    case HD_RMA_UNLOCK:
        unlock(sw, worker, location, record);
        break;
    case HD_RMA_ACCESS:
        if (is_locked(rma, op))
            ask_target(sw, worker, location, record);
        break;
    case HD_RMA_COMPLETION:
        ask_target(sw, worker, location, record);
        break;
    case HD_RMA_POST:
    case HD_RMA_COMPLETE:
    case HD_RMA_WAIT:
    case HD_RMA_TEST:
        break;
    }
}

/* ---- owners of locks, with the origin that comes after them ------------------------------------------------------ */

/* The first call at windows among those that was left after that time; HD_NONE: none. */
static uint32_t
call_that_waits(const hd_sim_location *location, uint32_t first, uint32_t last, hd_time time)
{
    for (uint32_t call = first; call <= last; call++)
        if ((location->calls[call].flags & HD_SIM_CALL_WINDOW) != 0 && location->calls[call].leave >= time)
            return call;
    return HD_NONE;
}

static void
find_waiter(hd_sim_worker *sw, const sim_owner_item *item)
{
    hd_sim_location *location = hd_sim_location_of(sw->sim, item->process, item->thread);
    uint32_t         call     = call_that_waits(location, item->lock_call, item->unlock_call, item->release);

    if (call != HD_NONE)
        hd_sim_add_dependency(location, &(hd_sim_dependency){
            .kind = HD_SIM_WINDOW_LOCK, .call = call, .time = item->enter, .process = item->owner,
            .thread = item->owner_thread, .from = item->owner_call,
            .is_same_node = hd_sim_is_same_node(sw->sim, item->process, item->owner) });
}

void
hd_sim_rma_deliver(hd_sim_worker *sw, uint32_t kind, const void *data)
{
    if (kind == HD_SIM_ITEM_LOCK_EPOCH)
        HD_PUSH(sw->lock_epochs, sw->n_lock_epochs, sw->capacity_lock_epochs, *(const hd_sim_lock_epoch *)data);
    else if (kind == HD_SIM_ITEM_ACCESS)
        HD_PUSH(sw->accesses, sw->n_accesses, sw->capacity_accesses, *(const hd_sim_access *)data);
    else
        find_waiter(sw, data);
}

/* ---- match ------------------------------------------------------------------------------------------------------- */

/* A post that comes after the call which ends the epoch was not waited for. */
static void
match_notification(hd_sim_worker *sw, hd_sim_location *location, const sim_notification *notification,
                   const hd_sim_send *message)
{
    const hd_channel *channel = &location->location->log.channels[notification->channel];
    uint32_t          call    = notification->call;

    if (channel->tag == HD_TAG_POST) {
        for (uint32_t i = notification->first; i < notification->call; i++)
            if ((location->calls[i].flags & HD_SIM_CALL_WINDOW) != 0 && location->calls[i].enter < message->enter &&
                location->calls[i].leave >= message->enter) {
                call = i;
                break;
            }
        if (location->calls[call].leave < message->enter)
            return;
    }
    hd_sim_add_dependency(location, &(hd_sim_dependency){
        .kind = HD_SIM_EPOCH, .call = call, .time = message->enter, .process = channel->peer,
        .thread = message->thread, .from = message->call,
        .is_same_node = hd_sim_is_same_node(sw->sim, channel->peer, location->process_id) });
}

void
hd_sim_rma_match(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    hd_sim_rma *rma = location->rma;

    (void)worker;
    for (size_t i = 0; rma != NULL && i < rma->n_notifications; i++) {
        const sim_notification *notification = &rma->notifications[i];
        const hd_sim_send      *message =
            hd_sim_send_take(sw, location, notification->channel, notification->number);

        if (message != NULL && message->call != HD_NONE && !notification->is_none)
            match_notification(sw, location, notification, message);
        else if (!notification->is_none) {
            location->calls[notification->call].flags |= HD_SIM_CALL_KEPT;
            sw->counts.n_unmatched++;
        }
    }
    if (rma == NULL)
        return;
    hd_map_fini(&rma->begun);
    hd_map_fini(&rma->asked);
    free(rma->notifications);
    free(rma->locks);
    free(rma);
    location->rma = NULL;
}

/* Whether a thread of the target is in a call then. If none is, the next call of any goes to the access; its
 * target_call is HD_NONE if there is none. */
static bool
is_in_call(const hd_sim *sim, hd_sim_access *access)
{
    hd_sim_location *first = hd_sim_location_of(sim, access->target, 0);
    hd_time          next  = UINT64_MAX;

    access->target_call = HD_NONE;
    for (uint32_t t = 0; t < first->process->n_locations; t++) {
        uint32_t call = hd_sim_call_after(&first[t], access->enter);

        if (call == HD_NONE)
            continue;
        if (first[t].calls[call].enter <= access->enter)
            return true;
        if (first[t].calls[call].enter < next) {
            next                  = first[t].calls[call].enter;
            access->target_thread = t;
            access->target_call   = call;
        }
    }
    return false;
}

void
hd_sim_rma_look_up(hd_sim_worker *sw)
{
    size_t n = 0;

    for (size_t i = 0; i < sw->n_accesses; i++) {
        hd_sim_access access = sw->accesses[i];
        bool          same   = hd_sim_is_same_node(sw->sim, access.origin, access.target);

        if (is_in_call(sw->sim, &access) || access.target_call == HD_NONE)
            continue;
        sw->n_absent[same][0]++;
        if (access.leave < hd_sim_location_of(sw->sim, access.target, access.target_thread)
                               ->calls[access.target_call].enter)
            sw->n_absent[same][1]++;
        else
            sw->accesses[n++] = access;
    }
    sw->n_accesses = n;
}

void
hd_sim_rma_learn(hd_sim *sim)
{
    uint64_t n[2][2] = { { 0 } };

    for (uint32_t t = 0; t < hd_placement_n_threads(sim->request->placement); t++)
        for (int same = 0; same < 2; same++)
            for (int i = 0; i < 2; i++)
                n[same][i] += sim->workers[t].n_absent[same][i];
    hd_analysis_comm_reduce(sim->request->analysis_comm, &n[0][0], 4, HD_SUM);
    for (int same = 0; same < 2; same++)
        sim->needs_target[same] = !(n[same][1] >= LEAST_LEFT && 10 * n[same][1] >= n[same][0]);
}

/* ---- settle ------------------------------------------------------------------------------------------------------ */

#define COMPARE(field)                                                                                                 \
    if (a->field != b->field)                                                                                          \
        return a->field < b->field ? -1 : 1

static int
compare_epochs(const void *a_, const void *b_)
{
    const hd_sim_lock_epoch *a = a_, *b = b_;

    COMPARE(window);
    COMPARE(target);
    COMPARE(release);
    COMPARE(origin);
    COMPARE(thread);
    COMPARE(unlock_call);
    return 0;
}

static void
settle_epoch(hd_sim_worker *sw, hd_worker *worker, const hd_sim_lock_epoch *epoch, const hd_sim_lock_epoch *before)
{
    sim_owner_item item = { .process = epoch->origin, .thread = epoch->thread, .lock_call = epoch->lock_call,
                            .unlock_call = epoch->unlock_call };

    if (before == NULL || (before->origin == epoch->origin && before->thread == epoch->thread))
        return;
    item.owner        = before->origin;
    item.owner_thread = before->thread;
    item.owner_call   = before->unlock_call;
    item.enter        = before->enter;
    item.release      = before->release;
    send(sw, worker, HD_SIM_ITEM_OWNER, epoch->origin, &item, sizeof item);
}

/* An exclusive epoch comes after the one that was released before it, a shared one after the exclusive one before.
 * Those that were released at the same time are no owners for each other. */
static void
settle_epochs(hd_sim_worker *sw, hd_worker *worker)
{
    const hd_sim_lock_epoch *epochs = sw->lock_epochs, *latest = NULL, *exclusive = NULL;

    if (sw->n_lock_epochs > 0)
        qsort(sw->lock_epochs, sw->n_lock_epochs, sizeof *sw->lock_epochs, compare_epochs);
    for (size_t i = 0, end; i < sw->n_lock_epochs; i = end) {
        if (i == 0 || epochs[i].window != epochs[i - 1].window || epochs[i].target != epochs[i - 1].target)
            latest = exclusive = NULL;
        for (end = i; end < sw->n_lock_epochs && epochs[end].window == epochs[i].window &&
                      epochs[end].target == epochs[i].target && epochs[end].release == epochs[i].release; end++)
            settle_epoch(sw, worker, &epochs[end], epochs[end].is_exclusive ? latest : exclusive);
        latest = &epochs[i];
        for (size_t k = i; k < end; k++)
            if (epochs[k].is_exclusive && (exclusive == NULL || exclusive->release < epochs[k].release))
                exclusive = &epochs[k];
    }
}

static void
settle_accesses(hd_sim_worker *sw, hd_worker *worker)
{
    for (size_t i = 0; i < sw->n_accesses; i++) {
        const hd_sim_access   *access = &sw->accesses[i];
        const hd_sim_location *target = hd_sim_location_of(sw->sim, access->target, access->target_thread);
        bool                   same   = hd_sim_is_same_node(sw->sim, access->origin, access->target);
        hd_sim_dependency_item item   = {
            .process = access->origin, .thread = access->thread,
            .dependency = { .kind = HD_SIM_ACCESS, .call = access->call, .process = access->target,
                            .time = target->calls[access->target_call].enter, .thread = access->target_thread,
                            .from = access->target_call, .is_same_node = same } };

        if (sw->sim->needs_target[same])
            hd_sim_dependency_send(sw, worker, &item);
    }
}

void
hd_sim_rma_settle(hd_sim_worker *sw, hd_worker *worker)
{
    settle_epochs(sw, worker);
    settle_accesses(sw, worker);
    free(sw->lock_epochs);
    free(sw->accesses);
    sw->lock_epochs   = NULL;
    sw->accesses      = NULL;
    sw->n_lock_epochs = sw->capacity_lock_epochs = sw->n_accesses = sw->capacity_accesses = 0;
}
