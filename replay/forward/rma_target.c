/* replay/forward/rma_target.c: passive target synchronization at the target. The order of lock epochs is known only
 * when all of them are there, so a target sorts its epochs by release once, at the end of the forward replay. Epochs
 * on all processes of a window are kept once per worker. */
#include "rma_target.h"

#include "call_walk.h"
#include "rma_messages.h"
#include "sort.h"

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

/* Lock epochs, decoded. */
typedef struct epoch_list {
    hd_lock_epoch *epochs;   /* [n] */
    timed         *in_order; /* [n] of their releases */
    size_t         n;
} epoch_list;

/* Those on all processes, window by window. */
typedef struct shared_epochs {
    epoch_list list;
    size_t    *first;   /* [n_windows + 1] of each window, in list.in_order */
    hd_span   *longest; /* [n_windows] from the enter of the lock call to the release */
} shared_epochs;

/* passive: NULL: none */
static epoch_list
read_epochs(hd_scratch *scratch, const hd_rma_left *left)
{
    static const hd_lock_epoch first = { 0 };
    epoch_list                 list  = { .n = left != NULL ? left->n_epochs : 0 };
    const uint8_t             *at    = left != NULL ? left->epochs.data : NULL;

    list.epochs   = hd_scratch_realloc(scratch, NULL, list.n, sizeof *list.epochs);
    list.in_order = hd_scratch_realloc(scratch, NULL, list.n, sizeof *list.in_order);
    for (size_t i = 0; i < list.n; i++) {
        hd_lock_epoch_get(&at, i > 0 ? &list.epochs[i - 1] : &first, &list.epochs[i]);
        list.in_order[i] = (timed){ .time = list.epochs[i].release, .i = (uint32_t)i };
    }
    return list;
}

static void
drop_epochs(hd_scratch *scratch, epoch_list *list)
{
    hd_scratch_free(scratch, list->epochs);
    hd_scratch_free(scratch, list->in_order);
    *list = (epoch_list){ 0 };
}

static shared_epochs
read_shared(const hd_replay *replay, const hd_rma_left *left)
{
    uint32_t      n_windows = replay->defs->n_windows, first_window = hd_first_window(replay->defs);
    shared_epochs shared    = { .list = read_epochs(replay->scratch, left),
                                .first = HD_NEW_ARRAY(size_t, n_windows + 2),
                                .longest = HD_NEW_ARRAY(hd_span, n_windows) };

    for (size_t i = 0; i < shared.list.n; i++) {
        const hd_lock_epoch *epoch  = &shared.list.epochs[i];
        uint32_t             window = epoch->window - first_window;
        hd_span              span   = hd_span_between(epoch->enter, epoch->release);

        shared.first[window + 2]++;
        shared.longest[window] = span > shared.longest[window] ? span : shared.longest[window];
    }
    for (uint32_t w = 1; w <= n_windows; w++)
        shared.first[w + 1] += shared.first[w];
    for (size_t i = 0; i < shared.list.n; i++) { /* first[w + 1] goes from the begin of window w to its end */
        const hd_lock_epoch *epoch = &shared.list.epochs[i];

        shared.list.in_order[shared.first[epoch->window - first_window + 1]++] =
            (timed){ .time = epoch->release, .i = (uint32_t)i };
    }
    for (uint32_t w = 0; w < n_windows; w++)
        HD_SORT_NEARLY(timed, shared.list.in_order + shared.first[w], shared.first[w + 1] - shared.first[w],
                       compare_timed);
    return shared;
}

static void
drop_shared(hd_scratch *scratch, shared_epochs *shared)
{
    drop_epochs(scratch, &shared->list);
    free(shared->first);
    free(shared->longest);
}

typedef struct releases { /* of a window on a target, so far, of the target's own epochs */
    const hd_lock_epoch *latest, *latest_exclusive;
    uint32_t rank; /* of the target in the window */
    size_t   before, behind; /* in the order of the window's epochs on all processes, as far as they were gone through
                              * for reply_to_own() and reply_to_shared() */
} releases;

typedef struct replying { /* of a target */
    hd_replay_worker    *rh;
    hd_worker           *worker;
    releases            *windows; /* [n_windows] */
    uint32_t             first_window;
    epoch_list           own;
    const shared_epochs *shared;
} replying;

static void
reply_to_epoch(const replying *a, const hd_lock_epoch *epoch, const hd_lock_epoch *before)
{
    hd_lock_owner owner = { .origin = epoch->origin, .thread = epoch->thread, .lock_order = epoch->lock_order,
                              .rank = a->windows[epoch->window - a->first_window].rank };

    if (before == NULL || before->release < epoch->enter)
        return;
    owner.release = before->release;
    owner.owner   = (hd_rma_partner){ .enter = before->unlock, .leave = before->leave, .process = before->origin,
                                      .thread = before->thread, .order = before->order,
                                      .call_path = before->call_path };
    hd_rma_send(a->rh, a->worker, HD_ITEM_LOCK_OWNER, owner.origin, &owner, sizeof owner);
}

/* Of equals that of the lowest process. */
static void
keep_latest(const hd_lock_epoch **latest, const hd_lock_epoch *epoch)
{
    const hd_lock_epoch *old = *latest;

    if (epoch == NULL || (old != NULL && epoch->release < old->release))
        return;
    if (old == NULL || epoch->release > old->release || epoch->origin < old->origin ||
        (epoch->origin == old->origin &&
         (epoch->thread < old->thread || (epoch->thread == old->thread && epoch->order < old->order))))
        *latest = epoch;
}

/* Where the window's epochs on all processes are not released before this time any more: at `low`, which is set to it,
 * or later, and mostly not far. */
static size_t
find_release(const replying *a, uint32_t window, hd_time time, size_t *low)
{
    const timed *in_order = a->shared->list.in_order;
    size_t       step = 1, high = *low, end = a->shared->first[window + 1];

    while (high < end && in_order[high].time < time) {
        *low  = high + 1;
        high += step;
        step *= 2;
    }
    high = high < end ? high : end;
    while (*low < high) {
        size_t middle = (*low + high) / 2;

        if (in_order[middle].time < time)
            *low = middle + 1;
        else
            high = middle;
    }
    return *low;
}

static const hd_lock_epoch *
shared_before(const replying *a, uint32_t window, hd_time time)
{
    const timed         *in_order = a->shared->list.in_order;
    size_t               i        = find_release(a, window, time, &a->windows[window].before), end = i;
    const hd_lock_epoch *latest   = NULL;

    for (; i > a->shared->first[window] && in_order[i - 1].time == in_order[end - 1].time; i--)
        keep_latest(&latest, &a->shared->list.epochs[in_order[i - 1].i]);
    return latest;
}

/* Epochs on all processes that are released after an exclusive one, and not after `until`, when the next one is, come
 * after it; those that wait for it began before it was over, so they are not far. */
static void
reply_to_shared(const replying *a, uint32_t window, const hd_lock_epoch *exclusive, hd_time until)
{
    hd_time last = exclusive->release + (hd_time)a->shared->longest[window];

    for (size_t i = find_release(a, window, exclusive->release + 1, &a->windows[window].behind);
         i < a->shared->first[window + 1]; i++) {
        const timed *epoch = &a->shared->list.in_order[i];

        if (epoch->time > until || epoch->time > last)
            break;
        reply_to_epoch(a, &a->shared->list.epochs[epoch->i], exclusive);
    }
}

/*   releases on one target   S  S  X  S  S  X      X exclusive, S shared: an X comes after the one before it, an S
 *                                                  after the last X;
 *                                 ◀─────┘  │      those of the same time are no predecessors of each other: of these
 *                                       ◀──┘      the one of the lowest process stands for all */
static void
reply_to_own(const replying *a, const hd_lock_epoch *epoch)
{
    uint32_t             window = epoch->window - a->first_window;
    const hd_lock_epoch *before = a->windows[window].latest_exclusive;

    if (epoch->is_exclusive) {
        before = a->windows[window].latest;
        keep_latest(&before, shared_before(a, window, epoch->release));
    }
    reply_to_epoch(a, epoch, before);
}

static void
pass_release(const replying *a, const hd_lock_epoch *epoch)
{
    uint32_t  window = epoch->window - a->first_window;
    releases *of     = &a->windows[window];

    keep_latest(&of->latest, epoch);
    if (!epoch->is_exclusive)
        return;
    if (of->latest_exclusive != NULL && of->latest_exclusive->release < epoch->release)
        reply_to_shared(a, window, of->latest_exclusive, epoch->release);
    keep_latest(&of->latest_exclusive, epoch);
}

static void
reply_to_epochs(hd_replay_worker *rh, hd_worker *worker, const hd_rma_left *left, const shared_epochs *shared)
{
    const hd_defs *defs = rh->replay->defs;
    replying      a    = { .rh = rh, .worker = worker, .windows = HD_NEW_ARRAY(releases, defs->n_windows),
                           .first_window = hd_first_window(defs),
                            .own = read_epochs(rh->replay->scratch, left), .shared = shared };

    for (uint32_t w = 0; w < defs->n_windows; w++)
        a.windows[w].before = a.windows[w].behind = shared->first[w];
    for (size_t i = 0; i < a.own.n; i++)
        a.windows[a.own.epochs[i].window - a.first_window].rank = a.own.epochs[i].rank;
    HD_SORT_NEARLY(timed, a.own.in_order, a.own.n, compare_timed);
    for (size_t i = 0, end; i < a.own.n; i = end) {
        for (end = i; end < a.own.n && a.own.in_order[end].time == a.own.in_order[i].time; end++)
            reply_to_own(&a, &a.own.epochs[a.own.in_order[end].i]);
        for (size_t j = i; j < end; j++)
            pass_release(&a, &a.own.epochs[a.own.in_order[j].i]);
    }
    for (uint32_t w = 0; w < defs->n_windows; w++)
        if (a.windows[w].latest_exclusive != NULL)
            reply_to_shared(&a, w, a.windows[w].latest_exclusive, UINT64_MAX);
    drop_epochs(rh->replay->scratch, &a.own);
    free(a.windows);
}

/* The MPI calls of one thread of the target. entered: 0, it was in one; else when it entered the next. */
static void
look_up_calls(const hd_oplog *log, hd_progress_request *requests, const timed *in_order, size_t n)
{
    hd_call_walk walk     = hd_call_walk_of(log);
    bool         has_call = hd_call_walk_next(&walk);

    for (size_t i = 0; i < n && has_call; i++) {
        hd_progress_request *request = &requests[in_order[i].i];

        while (has_call && walk.leave < request->enter)
            has_call = hd_call_walk_next(&walk);
        if (has_call && walk.enter <= request->enter)
            request->entered = 0;
        else if (has_call)
            request->entered = hd_time_min(request->entered, walk.enter);
    }
}

static void
reply_to_requests(hd_replay_worker *rh, hd_worker *worker, const hd_loaded_process *process, const hd_rma_left *left)
{
    static const hd_progress_request first = { 0 };
    size_t                        n       = left->n_requests;
    hd_scratch                   *scratch = rh->replay->scratch;
    hd_progress_request             *requests  = hd_scratch_realloc(scratch, NULL, n, sizeof *requests);
    timed                        *in_order = hd_scratch_realloc(scratch, NULL, n, sizeof *in_order);
    const uint8_t                *at       = left->requests.data;

    for (size_t i = 0; i < n; i++) {
        hd_progress_request_get(&at, i > 0 ? &requests[i - 1] : &first, &requests[i]);
        in_order[i] = (timed){ .time = requests[i].enter, .i = (uint32_t)i };
    }
    HD_SORT_NEARLY(timed, in_order, n, compare_timed);
    for (uint32_t t = 0; t < process->n_locations; t++)
        look_up_calls(&process->locations[t].log, requests, in_order, n);
    for (size_t i = 0; i < n; i++)
        if (requests[i].enter < requests[i].entered && requests[i].entered <= requests[i].leave) {
            requests[i].target = process->process.v;
            hd_rma_send(rh, worker, HD_ITEM_PROGRESS_REPLY, requests[i].origin, &requests[i], sizeof *requests);
        }
    hd_scratch_free(scratch, requests);
    hd_scratch_free(scratch, in_order);
}

void
hd_rma_target_reply(hd_replay_worker *rh, hd_worker *worker, hd_vproc *const *targets, size_t n)
{
    shared_epochs shared = read_shared(rh->replay, rh->rma_left);

    hd_rma_left_drop(&rh->rma_left);
    for (size_t i = 0; i < n; i++) {
        hd_rma_left *left = targets[i]->rma->left;

        if (left != NULL && left->n_epochs > 0)
            reply_to_epochs(rh, worker, left, &shared);
        if (left != NULL && left->n_requests > 0)
            reply_to_requests(rh, worker, targets[i]->process, left);
        hd_rma_left_drop(&targets[i]->rma->left);
    }
    drop_shared(rh->replay->scratch, &shared);
}
