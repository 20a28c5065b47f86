/* replay/forward/rma_passive.c: passive target synchronization at the origin. It goes through lock epochs in its op log
 * a second time when the replies of the targets are there, because only these say which of its calls waited. */
#include "rma_passive.h"

#include "call_walk.h"
#include "comm_members.h"
#include "rma_messages.h"
#include "sort.h"

/* The workers of a window's processes. */
static void
find_workers(const hd_replay_worker *rh, hd_rma_window *window)
{
    const hd_placement *placement = rh->replay->request->placement;
    uint32_t            n         = hd_comm_size(rh, window->comm);
    hd_table            seen;

    hd_table_init(&seen);
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t process = hd_comm_member(rh, window->comm, rank);
        uint32_t home    = process != HD_NONE ? hd_placement_worker(placement, (hd_process){ process }) : HD_NONE;

        if (home == HD_NONE || hd_table_get(&seen, home) != HD_NONE)
            continue;
        hd_table_add(&seen, home, 0);
        HD_PUSH(window->workers, window->n_workers, window->capacity_workers, home);
    }
    hd_table_fini(&seen);
}

/* An epoch on all processes is left with each of their workers, once. */
static void
leave_epoch(hd_replay_worker *rh, hd_worker *worker, const hd_vproc *vproc, hd_rma_window *window,
            const hd_rma_lock *lock)
{
    hd_lock_epoch epoch = { .window = window->comm, .target = HD_NONE, .origin = vproc->process_id,
                            .thread = vproc->thread,
                            .lock_order = lock->order, .order = vproc->order, .rank = lock->target,
                            .is_exclusive = lock->is_exclusive && lock->target != HD_NONE,
                            .enter = lock->enter, .unlock = vproc->cursor.call.enter, .release = vproc->op.time,
                            .leave = vproc->cursor.call.leave, .call_path = vproc->cursor.call.call_path };

    if (lock->target != HD_NONE) {
        const hd_rma_target *target = hd_rma_target_of(rh, worker, vproc, window, lock->target);

        epoch.target = target->process;
        if (epoch.target != HD_NONE)
            hd_rma_leave_epoch(rh, worker, target, &epoch);
        return;
    }
    if (window->n_workers == 0)
        find_workers(rh, window);
    for (size_t i = 0; i < window->n_workers; i++)
        if (window->workers[i] == hd_worker_number(worker))
            hd_rma_deliver(rh, worker, HD_ITEM_LOCK_EPOCH, &epoch);
        else
            hd_worker_send(worker, window->workers[i], HD_ITEM_LOCK_EPOCH, &epoch, sizeof epoch, NULL, 0);
}

void
hd_rma_passive_call(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window, bool is_access)
{
    const hd_call       *call = &vproc->cursor.call;
    const hd_rma_target *target;
    hd_progress_request  request;

    if (vproc->op.root == HD_NONE)
        return;
    target = hd_rma_target_of(rh, worker, vproc, window, vproc->op.root);
    if (target->process == HD_NONE || target->process == vproc->process_id ||
        (vproc->rma->last_request.call == vproc->n_calls && vproc->rma->last_request.target == target->process))
        return;
    request = (hd_progress_request){ .target = target->process, .origin = vproc->process_id, .thread = vproc->thread,
                                     .call = vproc->n_calls, .call_path = call->call_path, .is_access = is_access,
                                     .enter = call->enter, .leave = call->leave, .entered = UINT64_MAX };
    vproc->rma->last_request.call   = request.call;
    vproc->rma->last_request.target = target->process;
    hd_rma_leave_request(rh, worker, target, &request);
}

/* Whether a lock epoch at the window may wait for another process, or the other way round. */
static inline bool
is_contended(const hd_replay_worker *rh, const hd_rma_window *window)
{
    return rh->replay->exclusive[window->comm - hd_first_window(rh->replay->defs)] && !hd_rma_is_own(rh, window);
}

/* For find_contention(). */
static void
note_place(const hd_replay_worker *rh, const hd_vproc *vproc)
{
    hd_rma_state    *rma    = vproc->rma;
    const hd_cursor *cursor = &vproc->cursor;

    if (rma->n_places > 0 && vproc->n_calls < rma->places[rma->n_places - 1].n_calls + HD_CALLS_TO_PLACE)
        return;
    HD_SCRATCH_PUSH(rh->replay->scratch, rma->places, rma->n_places, rma->capacity_places,
                    ((hd_lock_place){ .at = cursor->next, .own = cursor->heads.own, .states = cursor->heads.states,
                                      .leave = cursor->call.leave, .order = vproc->order + cursor->n_left,
                                      .n_calls = vproc->n_calls }));
}

void
hd_rma_passive_lock(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window)
{
    if (is_contended(rh, window))
        note_place(rh, vproc);
    HD_PUSH(window->locks, window->n_locks, window->capacity_locks,
            ((hd_rma_lock){ vproc->op.root, vproc->op.number != 0, vproc->order, vproc->cursor.call.enter }));
    hd_rma_passive_call(rh, worker, vproc, window, false);
}

void
hd_rma_passive_unlock(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, hd_rma_window *window)
{
    uint32_t    target = vproc->op.root;
    size_t      i      = window->n_locks;
    hd_rma_lock lock;

    while (i > 0 && window->locks[i - 1].target != target)
        i--;
    if (i == 0) {
        hd_rma_out_of_place(rh, vproc, window);
        return;
    }
    lock = window->locks[i - 1];
    memmove(&window->locks[i - 1], &window->locks[i], (window->n_locks - i) * sizeof lock);
    window->n_locks--;
    if (is_contended(rh, window))
        leave_epoch(rh, worker, vproc, window, &lock);
    hd_rma_passive_call(rh, worker, vproc, window, false);
}

#define HD_COMPARE(field)                                                                                              \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1

/* Of an epoch on all processes the latest release counts, of equals that of the lowest rank: it is the first one
 * then. */
static int
compare_owners(const void *left, const void *right)
{
    const hd_lock_owner *a = left, *b = right;

    HD_COMPARE(lock_order);
    if (a->release != b->release)
        return a->release > b->release ? -1 : 1;
    HD_COMPARE(rank);
    return 0;
}

#undef HD_COMPARE

typedef struct open_epoch { /* that another process's release let go on */
    const hd_lock_owner *owner;
    uint32_t channel, target;
    hd_call  call;      /* of the last event of the epoch before the release */
    hd_time  time;      /* of the same event */
    uint32_t order, i_call; /* record of the same event, or the next one; number of its call */
    bool     is_access;
} open_epoch;

typedef struct contention { /* a location's lock epochs, gone through once more */
    hd_replay_worker *rh;
    hd_worker      *worker;
    hd_vproc       *vproc;
    hd_cursor       cursor;
    hd_op           op;
    uint32_t        order, i_call;
    size_t          i_place; /* of the places of its lock epochs: the next one that was not looked at */
    open_epoch     *open; /* [n_open] */
    size_t          n_open, capacity_open;
    uint32_t       *booked; /* [n_booked] numbers of the calls that waited, in the order in which epochs end */
    size_t          n_booked, capacity_booked;
} contention;

/* The enter of the current call, and its record, are events of the epoch. */
static void
pass_event(const contention *c, open_epoch *epoch, hd_time time, bool is_access)
{
    /* an earlier record of the same call */
    bool is_known = epoch->i_call == c->i_call && epoch->time > c->cursor.call.enter;

    if (c->cursor.call.enter <= epoch->owner->release && !(is_known && time > epoch->owner->release)) {
        epoch->call      = c->cursor.call;
        epoch->time      = time <= epoch->owner->release ? time : c->cursor.call.enter;
        epoch->order     = c->order;
        epoch->i_call    = c->i_call;
        epoch->is_access = is_access;
    }
}

/*   holder   ··[ ············ unlock ]··              waiting = min(release, leave) - time of the event
 *   origin   ······[ event ··········]··              docs/metrics.md#rma-lock-contention */
static void
book_contention(contention *c, const open_epoch *epoch)
{
    hd_time until = hd_time_min(epoch->owner->release, epoch->call.leave);
    hd_span wait  = until > epoch->time ? hd_span_between(epoch->time, until) : 0;

    if (wait == 0)
        return;
    hd_vproc_book_wait(c->vproc,
                       epoch->is_access ? HD_METRIC_mpi_rma_comm_lock_competition :
                       HD_METRIC_mpi_rma_sync_lock_competition,
                       epoch->call.call_path, epoch->time, wait);
    if (HD_UNLIKELY(c->rh->statistics != NULL))
        hd_vproc_note(c->rh, c->vproc,
                      &(hd_wait){ .metric = epoch->is_access ? HD_METRIC_mpi_rma_comm_lock_competition :
                                            HD_METRIC_mpi_rma_sync_lock_competition,
                                  .node = epoch->call.call_path, .enter = epoch->call.enter, .leave = epoch->call.leave,
                                  .from = epoch->time, .time = wait, .peer = epoch->owner->owner.process,
                                  .peer_thread = epoch->owner->owner.thread });
    HD_PUSH(c->booked, c->n_booked, c->capacity_booked, epoch->i_call);
    if (until == epoch->owner->release)
        hd_rma_mark_wait(c->rh, c->worker, c->vproc, &epoch->call, epoch->order,
                         hd_span_between(epoch->call.enter, epoch->time), wait,
                         &epoch->owner->owner);
    else
        hd_rma_mark_unexplained(c->rh, c->vproc, &epoch->call, wait);
}

static void
end_epoch(contention *c)
{
    size_t i = c->n_open;

    while (i > 0 && !(c->open[i - 1].channel == c->op.channel && c->open[i - 1].target == c->op.root))
        i--;
    if (i == 0)
        return;
    pass_event(c, &c->open[i - 1], c->cursor.call.enter, false);
    book_contention(c, &c->open[i - 1]);
    c->open[i - 1] = c->open[--c->n_open];
}

static void
pass_op(contention *c, const hd_lock_owner *owner)
{
    if (c->op.operation == HD_RMA_LOCK && owner != NULL && owner->lock_order == c->order) {
        HD_PUSH(c->open, c->n_open, c->capacity_open,
                ((open_epoch){ .owner = owner, .channel = c->op.channel, .target = c->op.root }));
        pass_event(c, &c->open[c->n_open - 1], c->op.time, false);
    } else if (c->op.operation == HD_RMA_ACCESS) {
        for (size_t i = 0; i < c->n_open; i++)
            if (c->open[i].channel == c->op.channel &&
                (c->open[i].target == c->op.root ||
                 (c->open[i].target == HD_NONE && c->open[i].owner->rank == c->op.root)))
                pass_event(c, &c->open[i], c->op.time, true);
    } else if (c->op.operation == HD_RMA_UNLOCK)
        end_epoch(c);
}

static int
compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* The remaining records of the current call. owners: [n] of epochs that begin with the current record or later. Returns
 * how many of them begin before the next one. */
static size_t
pass_records(contention *c, const hd_lock_owner *owners, size_t n)
{
    size_t i = 0;

    while (c->cursor.n_left > 0) {
        hd_cursor_op(&c->cursor, &c->op);
        c->order++;
        while (i < n && owners[i].lock_order < c->order)
            i++;
        if (c->op.kind == HD_OP_RMA)
            pass_op(c, i < n ? &owners[i] : NULL);
    }
    return i;
}

/* To the last place before the begin of the next epoch, if that is farther on. */
static void
go_to_place(contention *c, hd_call_walk *walk, const hd_lock_owner *next)
{
    const hd_rma_state  *rma = c->vproc->rma;
    const hd_lock_place *place;

    if (c->i_place == rma->n_places || rma->places[c->i_place].order >= next->lock_order)
        return;
    while (c->i_place < rma->n_places && rma->places[c->i_place].order < next->lock_order)
        c->i_place++;
    place = &rma->places[c->i_place - 1];
    if (place->n_calls <= c->i_call)
        return;
    c->order    = place->order;
    c->i_call   = place->n_calls;
    walk->at    = place->at;
    walk->heads = (hd_call_heads){ c->vproc->location->log.heads + place->n_calls, place->own, place->states };
    walk->leave = place->leave;
}

static void
find_contention(contention *c)
{
    hd_lock_owner *owners = c->vproc->rma->owners;
    size_t         n      = c->vproc->rma->n_owners, i = 0;
    hd_call_walk   walk   = hd_call_walk_of(&c->vproc->location->log);

    if (n == 0)
        return;
    qsort(owners, n, sizeof *owners, compare_owners);
    hd_cursor_init(&c->cursor, &c->vproc->location->log);
    while ((i < n || c->n_open > 0) && hd_call_walk_next(&walk)) {
        c->i_call++;
        if (c->n_open == 0 && owners[i].lock_order > c->order + walk.n_records) {
            c->order += walk.n_records;
            go_to_place(c, &walk, &owners[i]);
            continue;
        }
        hd_call_walk_open(&walk, &c->cursor);
        i += pass_records(c, owners + i, n - i);
    }
    if (c->n_booked > 1)
        qsort(c->booked, c->n_booked, sizeof *c->booked, compare_numbers);
}

typedef struct timed { /* stands for an element of an array; time: or a number */
    hd_time  time;
    uint32_t i, unused;
} timed;

static int
compare_timed(const void *left, const void *right)
{
    const timed *a = left, *b = right;

    return a->time < b->time ? -1 : a->time > b->time;
}

static void
note_progress(hd_replay_worker *rh, const hd_vproc *vproc, const hd_progress_request *longest, uint32_t target)
{
    hd_vproc_note(rh, vproc,
                  &(hd_wait){ .metric = longest->is_access ? HD_METRIC_mpi_rma_comm_wait_for_progress :
                                        HD_METRIC_mpi_rma_sync_wait_for_progress,
                              .node = longest->call_path, .enter = longest->enter, .leave = longest->leave,
                              .from = longest->enter,
                              .time = hd_span_between(longest->enter, longest->entered), .peer = target });
}

/*   target   ···(computes)·····[ any MPI call ]··     waiting = its enter - call.enter
 *   origin   ··[ call ··········· ]·············      docs/metrics.md#mpi_rma_sync_wait_for_progress */
static void
book_progress(hd_replay_worker *rh, hd_vproc *vproc, const uint32_t *booked, size_t n_booked)
{
    const hd_progress_request *replies  = vproc->rma->replies;
    size_t                  n        = vproc->rma->n_replies, end;
    timed                  *in_order = HD_NEW_UNSET(timed, n);

    for (size_t i = 0; i < n; i++)
        in_order[i] = (timed){ .time = replies[i].call, .i = (uint32_t)i };
    HD_SORT_NEARLY(timed, in_order, n, compare_timed);
    for (size_t i = 0; i < n; i = end) {
        const hd_progress_request *longest = &replies[in_order[i].i];
        uint32_t                target  = HD_NONE;

        for (end = i + 1; end < n && in_order[end].time == in_order[i].time; end++)
            if (replies[in_order[end].i].entered > longest->entered ||
                (replies[in_order[end].i].entered == longest->entered && replies[in_order[end].i].is_access))
                longest = &replies[in_order[end].i];
        for (size_t j = i; j < end; j++) { /* of equals the lowest: they come in any order */
            const hd_progress_request *reply = &replies[in_order[j].i];

            if (reply->entered == longest->entered && reply->is_access == longest->is_access && reply->target < target)
                target = reply->target;
        }
        if (n_booked > 0 && bsearch(&longest->call, booked, n_booked, sizeof *booked, compare_numbers) != NULL)
            continue;
        hd_vproc_book_wait(vproc,
                           longest->is_access ? HD_METRIC_mpi_rma_comm_wait_for_progress :
                           HD_METRIC_mpi_rma_sync_wait_for_progress,
                           longest->call_path, longest->enter, hd_span_between(longest->enter, longest->entered));
        if (HD_UNLIKELY(rh->statistics != NULL))
            note_progress(rh, vproc, longest, target);
    }
    free(in_order);
}

void
hd_rma_passive_book(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    contention c = { .rh = rh, .worker = worker, .vproc = vproc };

    find_contention(&c);
    book_progress(rh, vproc, c.booked, c.n_booked);
    free(c.open);
    free(c.booked);
    hd_scratch_free(rh->replay->scratch, vproc->rma->owners);
    hd_scratch_free(rh->replay->scratch, vproc->rma->replies);
    hd_scratch_free(rh->replay->scratch, vproc->rma->places);
}
