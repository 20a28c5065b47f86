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

typedef struct call_times {
    hd_time enter, leave;
} call_times;

typedef struct thread_calls { /* MPI calls of a thread of the target */
    call_times *calls; /* [n] in the order in which they are left */
    size_t      n;
    size_t      at;    /* looked up last */
} thread_calls;

static thread_calls
read_calls(hd_scratch *scratch, const hd_oplog *log)
{
    thread_calls thread = { .calls = hd_scratch_realloc(scratch, NULL, log->n_calls, sizeof *thread.calls) };
    hd_call_walk walk   = hd_call_walk_of(log);

    while (thread.n < log->n_calls && hd_call_walk_next(&walk))
        thread.calls[thread.n++] = (call_times){ walk.enter, walk.leave };
    return thread;
}

/* To the first call that is not left before this time. Mostly it is not far: requests of an origin ascend, origins take
 * turns. */
static void
go_to(thread_calls *thread, hd_time time)
{
    const call_times *calls = thread->calls;
    size_t            low = thread->at, high = low, step = 1;

    while (high < thread->n && calls[high].leave < time) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    for (step = 1; low > 0 && calls[low - 1].leave >= time; step *= 2) {
        high = low - 1;
        low -= step < low ? step : low;
    }
    high = high < thread->n ? high : thread->n;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (calls[middle].leave < time)
            low = middle + 1;
        else
            high = middle;
    }
    thread->at = low;
}

/* When the target enters MPI; 0: it is there at that time; UINT64_MAX: never again. */
static hd_time
entered_after(thread_calls *threads, uint32_t n_threads, hd_time time)
{
    hd_time entered = UINT64_MAX;

    for (uint32_t t = 0; t < n_threads; t++) {
        thread_calls *thread = &threads[t];

        go_to(thread, time);
        if (thread->at < thread->n && thread->calls[thread->at].enter <= time)
            return 0;
        if (thread->at < thread->n)
            entered = hd_time_min(entered, thread->calls[thread->at].enter);
    }
    return entered;
}

static void
reply_to_requests(hd_replay_worker *rh, hd_worker *worker, const hd_loaded_process *process, const hd_rma_left *left)
{
    hd_scratch         *scratch = rh->replay->scratch;
    thread_calls       *threads = HD_NEW_ARRAY(thread_calls, process->n_locations);
    hd_progress_request request = { .target = process->process.v };
    const uint8_t      *at      = left->requests.data;

    for (uint32_t t = 0; t < process->n_locations; t++)
        threads[t] = read_calls(scratch, &process->locations[t].log);
    for (size_t i = 0; i < left->n_requests; i++) {
        hd_progress_request_next(&at, &request);
        request.entered = entered_after(threads, process->n_locations, request.enter);
        if (request.enter < request.entered && request.entered <= request.leave)
            hd_rma_send(rh, worker, HD_ITEM_PROGRESS_REPLY, request.origin, &request, sizeof request);
    }
    for (uint32_t t = 0; t < process->n_locations; t++)
        hd_scratch_free(scratch, threads[t].calls);
    free(threads);
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
