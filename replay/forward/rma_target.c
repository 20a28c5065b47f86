/* replay/forward/rma_target.c: passive target synchronization at the target. The order of lock epochs is known only
 * when all of them are there, so a target sorts its epochs by release once, at the end of the forward replay. Epochs
 * on all processes of a window are kept once per worker. */
#include "rma_target.h"

#include "call_walk.h"
#include "rma_messages.h"
#include "sort.h"

enum { PLACE_BITS = 40, LENGTH_BITS = 23, LONG = (1 << LENGTH_BITS) - 1 };

typedef struct left_epoch { /* a lock epoch; what is not here is read again where it is needed */
    hd_time  release;
    uint64_t place : PLACE_BITS; /* where it begins in the bytes that were left */
    uint64_t length : LENGTH_BITS, is_exclusive : 1; /* length: ticks from enter to release; LONG: or more */
} left_epoch;

typedef struct epoch_list {
    const uint8_t *data;   /* the bytes that were left */
    left_epoch    *epochs; /* [n] by release */
    size_t         n;
} epoch_list;

typedef struct one_epoch { /* of a list */
    const epoch_list *list;
    const left_epoch *epoch; /* NULL: none */
} one_epoch;

/* Those on all processes, by window, then by release. */
typedef struct shared_epochs {
    epoch_list list;
    size_t    *first;   /* [n_windows + 1] of each window */
    hd_span   *longest; /* [n_windows] from the enter of the lock call to the release */
} shared_epochs;

static inline uint64_t
release_of(const left_epoch *epoch)
{
    return epoch->release;
}

static inline uint32_t
window_of(const epoch_list *list, const left_epoch *epoch)
{
    const uint8_t *at = list->data + epoch->place;

    return (uint32_t)hd_bytes_get_number(&at);
}

static inline hd_lock_epoch
whole_epoch(one_epoch one)
{
    return hd_lock_epoch_of(one.list->data + one.epoch->place, one.epoch->release);
}

/* left: NULL: none. longest: [n_windows] it grows; NULL: not asked for */
static epoch_list
read_epochs(const hd_replay *replay, const hd_rma_left *left, hd_span *longest)
{
    epoch_list     list  = { .data = left != NULL ? left->epochs.data : NULL, .n = left != NULL ? left->n_epochs : 0 };
    const uint8_t *at    = list.data;
    hd_lock_epoch  epoch = { 0 };

    list.epochs = hd_scratch_realloc(replay->scratch, NULL, list.n, sizeof *list.epochs);
    for (size_t i = 0; i < list.n; i++) {
        uint64_t place = (uint64_t)(at - list.data), length;

        HD_ASSERT(place >> PLACE_BITS == 0);
        hd_lock_epoch_get(&at, epoch.release, &epoch);
        length         = epoch.release - epoch.enter;
        list.epochs[i] = (left_epoch){ .release = epoch.release, .place = place & ((UINT64_C(1) << PLACE_BITS) - 1),
                                       .length = (length < LONG ? length : LONG) & LONG,
                                       .is_exclusive = epoch.is_exclusive & 1 };
        if (longest != NULL) {
            hd_span *most = &longest[epoch.window - hd_first_window(replay->defs)];

            *most = (hd_span)length > *most ? (hd_span)length : *most;
        }
    }
    HD_SORT_BY_KEY(left_epoch, list.epochs, list.n, release_of);
    return list;
}

static shared_epochs
read_shared(const hd_replay *replay, const hd_rma_left *left)
{
    uint32_t      n_windows = replay->defs->n_windows, first_window = hd_first_window(replay->defs);
    shared_epochs shared    = { .first = HD_NEW_ARRAY(size_t, n_windows + 2),
                                .longest = HD_NEW_ARRAY(hd_span, n_windows) };
    epoch_list    list      = read_epochs(replay, left, shared.longest);

    shared.list        = list;
    shared.list.epochs = hd_scratch_realloc(replay->scratch, NULL, list.n, sizeof *list.epochs);
    for (size_t i = 0; i < list.n; i++)
        shared.first[window_of(&list, &list.epochs[i]) - first_window + 2]++;
    for (uint32_t w = 1; w <= n_windows; w++)
        shared.first[w + 1] += shared.first[w];
    for (size_t i = 0; i < list.n; i++) /* first[w + 1] goes from the begin of window w to its end */
        shared.list.epochs[shared.first[window_of(&list, &list.epochs[i]) - first_window + 1]++] = list.epochs[i];
    hd_scratch_free(replay->scratch, list.epochs);
    return shared;
}

static void
drop_shared(hd_scratch *scratch, shared_epochs *shared)
{
    hd_scratch_free(scratch, shared->list.epochs);
    free(shared->first);
    free(shared->longest);
}

typedef struct releases { /* of a window on a target, so far, of the target's own epochs */
    one_epoch latest, latest_exclusive;
    size_t before, behind; /* in the order of the window's epochs on all processes, as far as they were gone through
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

/* One of both, or both, are the target's own. */
static void
reply_to_epoch(const replying *a, one_epoch to, one_epoch previous)
{
    hd_lock_epoch epoch, before;
    hd_lock_owner owner;

    if (previous.epoch == NULL ||
        (to.epoch->length < LONG && previous.epoch->release < to.epoch->release - to.epoch->length))
        return;
    epoch = whole_epoch(to);
    if (previous.epoch->release < epoch.enter)
        return;
    before = whole_epoch(previous);
    owner  = (hd_lock_owner){ .origin = epoch.origin, .thread = epoch.thread, .lock_order = epoch.lock_order,
                              .rank = epoch.rank != HD_NONE ? epoch.rank : before.rank, .release = before.release,
                              .owner = { .enter = before.unlock, .leave = before.leave, .process = before.origin,
                                         .thread = before.thread, .order = before.order,
                                         .call_path = before.call_path } };
    hd_rma_send(a->rh, a->worker, HD_ITEM_LOCK_OWNER, owner.origin, &owner, sizeof owner);
}

static bool
is_lower(one_epoch one, one_epoch other)
{
    hd_lock_epoch a = whole_epoch(one), b = whole_epoch(other);

    if (a.origin != b.origin)
        return a.origin < b.origin;
    return a.thread != b.thread ? a.thread < b.thread : a.order < b.order;
}

/* Of equals that of the lowest process. */
static void
keep_latest(one_epoch *latest, one_epoch one)
{
    if (one.epoch == NULL)
        return;
    if (latest->epoch == NULL || one.epoch->release > latest->epoch->release ||
        (one.epoch->release == latest->epoch->release && is_lower(one, *latest)))
        *latest = one;
}

/* Where the window's epochs on all processes are not released before this time any more: at `low`, which is set to it,
 * or later, and mostly not far. */
static size_t
find_release(const replying *a, uint32_t window, hd_time time, size_t *low)
{
    const left_epoch *epochs = a->shared->list.epochs;
    size_t            step = 1, high = *low, end = a->shared->first[window + 1];

    while (high < end && epochs[high].release < time) {
        *low  = high + 1;
        high += step;
        step *= 2;
    }
    high = high < end ? high : end;
    while (*low < high) {
        size_t middle = (*low + high) / 2;

        if (epochs[middle].release < time)
            *low = middle + 1;
        else
            high = middle;
    }
    return *low;
}

static one_epoch
shared_before(const replying *a, uint32_t window, hd_time time)
{
    const left_epoch *epochs = a->shared->list.epochs;
    size_t            i      = find_release(a, window, time, &a->windows[window].before), end = i;
    one_epoch         latest = { 0 };

    for (; i > a->shared->first[window] && epochs[i - 1].release == epochs[end - 1].release; i--)
        keep_latest(&latest, (one_epoch){ &a->shared->list, &epochs[i - 1] });
    return latest;
}

/* Epochs on all processes that are released after an exclusive one, and not after `until`, when the next one is, come
 * after it; those that wait for it began before it was over, so they are not far. */
static void
reply_to_shared(const replying *a, uint32_t window, one_epoch exclusive, hd_time until)
{
    hd_time last = exclusive.epoch->release + (hd_time)a->shared->longest[window];

    for (size_t i = find_release(a, window, exclusive.epoch->release + 1, &a->windows[window].behind);
         i < a->shared->first[window + 1]; i++) {
        const left_epoch *epoch = &a->shared->list.epochs[i];

        if (epoch->release > until || epoch->release > last)
            break;
        reply_to_epoch(a, (one_epoch){ &a->shared->list, epoch }, exclusive);
    }
}

/*   releases on one target   S  S  X  S  S  X      X exclusive, S shared: an X comes after the one before it, an S
 *                                                  after the last X;
 *                                 ◀─────┘  │      those of the same time are no predecessors of each other: of these
 *                                       ◀──┘      the one of the lowest process stands for all */
static void
reply_to_own(const replying *a, const left_epoch *epoch)
{
    uint32_t  window = window_of(&a->own, epoch) - a->first_window;
    one_epoch before = a->windows[window].latest_exclusive;

    if (epoch->is_exclusive) {
        before = a->windows[window].latest;
        keep_latest(&before, shared_before(a, window, epoch->release));
    }
    reply_to_epoch(a, (one_epoch){ &a->own, epoch }, before);
}

static void
pass_release(const replying *a, const left_epoch *epoch)
{
    uint32_t  window = window_of(&a->own, epoch) - a->first_window;
    one_epoch one    = { &a->own, epoch };
    releases *of     = &a->windows[window];

    keep_latest(&of->latest, one);
    if (!epoch->is_exclusive)
        return;
    if (of->latest_exclusive.epoch != NULL && of->latest_exclusive.epoch->release < epoch->release)
        reply_to_shared(a, window, of->latest_exclusive, epoch->release);
    keep_latest(&of->latest_exclusive, one);
}

static void
reply_to_epochs(hd_replay_worker *rh, hd_worker *worker, const hd_rma_left *left, const shared_epochs *shared)
{
    const hd_defs *defs = rh->replay->defs;
    replying       a    = { .rh = rh, .worker = worker, .windows = HD_NEW_ARRAY(releases, defs->n_windows),
                            .first_window = hd_first_window(defs), .own = read_epochs(rh->replay, left, NULL),
                            .shared = shared };
    const left_epoch *epochs = a.own.epochs;

    for (uint32_t w = 0; w < defs->n_windows; w++)
        a.windows[w].before = a.windows[w].behind = shared->first[w];
    for (size_t i = 0, end; i < a.own.n; i = end) {
        for (end = i; end < a.own.n && epochs[end].release == epochs[i].release; end++)
            reply_to_own(&a, &epochs[end]);
        for (size_t j = i; j < end; j++)
            pass_release(&a, &epochs[j]);
    }
    for (uint32_t w = 0; w < defs->n_windows; w++)
        if (a.windows[w].latest_exclusive.epoch != NULL)
            reply_to_shared(&a, w, a.windows[w].latest_exclusive, UINT64_MAX);
    hd_scratch_free(rh->replay->scratch, a.own.epochs);
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

    for (size_t i = 0; i < n; i++) {
        hd_rma_left *left = targets[i]->rma->left;

        if (left == NULL || left->n_epochs == 0)
            continue;
        reply_to_epochs(rh, worker, left, &shared);
        hd_bytes_fini(&left->epochs);
    }
    drop_shared(rh->replay->scratch, &shared);
    hd_rma_left_drop(&rh->rma_left);
    for (size_t i = 0; i < n; i++) {
        hd_rma_left *left = targets[i]->rma->left;

        if (left != NULL && left->n_requests > 0)
            reply_to_requests(rh, worker, targets[i]->process, left);
        hd_rma_left_drop(&targets[i]->rma->left);
    }
}
