#include "passive.h"

#include "meeting.h"
#include "sort.h"

/* What was left for a target, or on a host for all: as numbers (bytes.h), differences to the one before where these are small. About 20 bytes
 * per epoch, 12 per call. Decoded when it is answered, one target at a time. */
struct hd_passive {
    hd_bytes         epochs, queries;
    size_t           n_epochs, n_queries;
    hd_lock_epoch    last_epoch;
    hd_passive_query last_query;
};

enum { EPOCH_NUMBERS = 9, QUERY_NUMBERS = 6 };

static void
put_epoch(hd_passive *passive, const hd_lock_epoch *epoch)
{
    const hd_lock_epoch *last = &passive->last_epoch;
    uint8_t             *at   = hd_bytes_room(&passive->epochs, EPOCH_NUMBERS * HD_NUMBER_BYTES_MAX);

    at = hd_bytes_write_number(at, epoch->window);
    at = hd_bytes_write_number(at, epoch->origin);
    at = hd_bytes_write_number(at, (uint64_t)epoch->thread << 1 | epoch->is_exclusive);
    at = hd_bytes_write_difference(at, epoch->lock_order, last->lock_order);
    at = hd_bytes_write_difference(at, epoch->order, epoch->lock_order);
    at = hd_bytes_write_number(at, (uint32_t)(epoch->rank + 1));
    at = hd_bytes_write_difference(at, epoch->enter, last->enter);
    at = hd_bytes_write_difference(at, epoch->release, epoch->enter);
    at = hd_bytes_write_difference(at, epoch->leave, epoch->release);
    passive->epochs.n   = (size_t)(at - passive->epochs.data);
    passive->last_epoch = *epoch;
    passive->n_epochs++;
}

static void
get_epoch(const uint8_t **at, const hd_lock_epoch *last, hd_lock_epoch *epoch)
{
    uint64_t thread;

    epoch->window       = (uint32_t)hd_bytes_get_number(at);
    epoch->origin       = (uint32_t)hd_bytes_get_number(at);
    thread              = hd_bytes_get_number(at);
    epoch->thread       = (uint32_t)(thread >> 1);
    epoch->is_exclusive = thread & 1;
    epoch->lock_order   = (uint32_t)hd_bytes_get_difference(at, last->lock_order);
    epoch->order        = (uint32_t)hd_bytes_get_difference(at, epoch->lock_order);
    epoch->rank         = (uint32_t)hd_bytes_get_number(at) - 1;
    epoch->enter        = hd_bytes_get_difference(at, last->enter);
    epoch->release      = hd_bytes_get_difference(at, epoch->enter);
    epoch->leave        = hd_bytes_get_difference(at, epoch->release);
}

static void
put_query(hd_passive *passive, const hd_passive_query *query)
{
    const hd_passive_query *last = &passive->last_query;
    uint8_t                *at   = hd_bytes_room(&passive->queries, QUERY_NUMBERS * HD_NUMBER_BYTES_MAX);

    at = hd_bytes_write_number(at, query->origin);
    at = hd_bytes_write_number(at, (uint64_t)query->thread << 1 | query->is_access);
    at = hd_bytes_write_difference(at, query->call, last->call);
    at = hd_bytes_write_number(at, query->call_path);
    at = hd_bytes_write_difference(at, query->enter, last->enter);
    at = hd_bytes_write_number(at, query->leave - query->enter);
    passive->queries.n  = (size_t)(at - passive->queries.data);
    passive->last_query = *query;
    passive->n_queries++;
}

static void
get_query(const uint8_t **at, const hd_passive_query *last, hd_passive_query *query)
{
    uint64_t thread;

    query->origin    = (uint32_t)hd_bytes_get_number(at);
    thread           = hd_bytes_get_number(at);
    query->thread    = (uint32_t)(thread >> 1);
    query->is_access = thread & 1;
    query->call      = (uint32_t)hd_bytes_get_difference(at, last->call);
    query->call_path = (uint32_t)hd_bytes_get_number(at);
    query->enter     = hd_bytes_get_difference(at, last->enter);
    query->leave     = query->enter + hd_bytes_get_number(at);
    query->entered   = UINT64_MAX;
}

static hd_passive *
passive_of(const hd_replay *replay, hd_passive **place)
{
    if (*place == NULL) {
        *place                   = HD_NEW(hd_passive);
        (*place)->epochs.scratch = (*place)->queries.scratch = replay->scratch;
    }
    return *place;
}

static void
drop_passive(hd_passive **place)
{
    if (*place == NULL)
        return;
    hd_bytes_fini(&(*place)->epochs);
    hd_bytes_fini(&(*place)->queries);
    free(*place);
    *place = NULL;
}

/* To the host of a process; at once where that is this one. */
static void
tell(hd_replay_host *rh, hd_host *host, uint32_t kind, uint32_t process, const void *item, size_t bytes)
{
    uint32_t home = hd_placement_host(rh->replay->request->placement, (hd_process){ process });

    if (home == hd_host_number(host))
        hd_passive_deliver(rh, kind, item);
    else
        hd_host_send(host, home, kind, item, (uint32_t)bytes, NULL, 0);
}

/* The hosts of a window's processes. */
static void
find_hosts(const hd_replay_host *rh, hd_rma_window *window)
{
    const hd_placement *placement = rh->replay->request->placement;
    uint32_t            n         = hd_comm_size(rh, window->comm);
    hd_table            seen;

    hd_table_init(&seen);
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t process = hd_comm_member(rh, window->comm, rank);
        uint32_t home    = process != HD_NONE ? hd_placement_host(placement, (hd_process){ process }) : HD_NONE;

        if (home == HD_NONE || hd_table_get(&seen, home) != HD_NONE)
            continue;
        hd_table_add(&seen, home, 0);
        HD_PUSH(window->hosts, window->n_hosts, window->capacity_hosts, home);
    }
    hd_table_fini(&seen);
}

/* An epoch on all processes is left with each of their hosts, once. */
static void
leave_epoch(hd_replay_host *rh, hd_host *host, const hd_agent *agent, hd_rma_window *window, const hd_rma_lock *lock)
{
    hd_lock_epoch epoch = { .window = window->comm, .target = HD_NONE, .origin = agent->process_id, .thread = agent->thread,
                            .lock_order = lock->order, .order = agent->order, .rank = lock->target,
                            .is_exclusive = lock->is_exclusive && lock->target != HD_NONE,
                            .enter = lock->enter, .release = agent->op.time, .leave = agent->cursor.call.leave };

    if (lock->target != HD_NONE) {
        epoch.target = hd_comm_member(rh, window->comm, lock->target);
        if (epoch.target != HD_NONE)
            tell(rh, host, HD_ITEM_LOCK_EPOCH, epoch.target, &epoch, sizeof epoch);
        return;
    }
    if (window->n_hosts == 0)
        find_hosts(rh, window);
    for (size_t i = 0; i < window->n_hosts; i++)
        if (window->hosts[i] == hd_host_number(host))
            hd_passive_deliver(rh, HD_ITEM_LOCK_EPOCH, &epoch);
        else
            hd_host_send(host, window->hosts[i], HD_ITEM_LOCK_EPOCH, &epoch, sizeof epoch, NULL, 0);
}

bool
hd_passive_unlock(hd_replay_host *rh, hd_host *host, hd_agent *agent, hd_rma_window *window)
{
    uint32_t    target = agent->op.root;
    size_t      i      = window->n_locks;
    hd_rma_lock lock;

    while (i > 0 && window->locks[i - 1].target != target)
        i--;
    if (i == 0)
        return false;
    lock = window->locks[i - 1];
    memmove(&window->locks[i - 1], &window->locks[i], (window->n_locks - i) * sizeof lock);
    window->n_locks--;
    if (rh->replay->exclusive[window->comm - hd_first_window(rh->replay->defs)] && !hd_rma_is_own(rh, window)) /* somebody may wait */
        leave_epoch(rh, host, agent, window, &lock);
    return true;
}

void
hd_passive_call(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_rma_window *window, bool is_access)
{
    const hd_call   *call = &agent->cursor.call;
    bool             is_one = agent->op.root != HD_NONE && !hd_rma_is_own(rh, window);
    hd_passive_query query = { .target = is_one ? hd_comm_member(rh, window->comm, agent->op.root) : HD_NONE,
                               .origin = agent->process_id, .thread = agent->thread, .call = agent->n_calls, .call_path = call->call_path,
                               .is_access = is_access, .enter = call->enter, .leave = call->leave, .entered = UINT64_MAX };

    if (query.target == HD_NONE || query.target == agent->process_id ||
        (agent->last_query.call == query.call && agent->last_query.target == query.target))
        return;
    agent->last_query.call   = query.call;
    agent->last_query.target = query.target;
    tell(rh, host, HD_ITEM_PASSIVE_QUERY, query.target, &query, sizeof query);
}

void
hd_passive_deliver(hd_replay_host *rh, uint32_t kind, const void *data)
{
    hd_scratch *scratch = rh->replay->scratch;

    switch (kind) {
    case HD_ITEM_LOCK_EPOCH: {
        const hd_lock_epoch *epoch = data;

        put_epoch(passive_of(rh->replay, epoch->target == HD_NONE ? &rh->passive : &hd_replay_agent(rh->replay, epoch->target, 0)->passive),
                  epoch);
        break;
    }
    case HD_ITEM_PASSIVE_QUERY: {
        const hd_passive_query *query = data;

        put_query(passive_of(rh->replay, &hd_replay_agent(rh->replay, query->target, 0)->passive), query);
        break;
    }
    case HD_ITEM_LOCK_HOLDER: {
        const hd_lock_holder *holder = data;
        hd_agent             *agent  = hd_replay_agent(rh->replay, holder->origin, holder->thread);

        HD_SCRATCH_PUSH(scratch, agent->holders, agent->n_holders, agent->capacity_holders, *holder);
        break;
    }
    default: {
        const hd_passive_query *answer = data;
        hd_agent               *agent  = hd_replay_agent(rh->replay, answer->origin, answer->thread);

        HD_SCRATCH_PUSH(scratch, agent->answers_of_targets, agent->n_answers_of_targets, agent->capacity_answers_of_targets, *answer);
        break;
    }
    }
}

/* ---- targets ---------------------------------------------------------------------------------------------------------------- */

#define HD_COMPARE(field)                                                                                                        \
    if (a->field != b->field)                                                                                                    \
    return a->field < b->field ? -1 : 1

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
read_epochs(hd_scratch *scratch, const hd_passive *passive)
{
    static const hd_lock_epoch first = { 0 };
    epoch_list                 list  = { .n = passive != NULL ? passive->n_epochs : 0 };
    const uint8_t             *at    = passive != NULL ? passive->epochs.data : NULL;

    list.epochs   = hd_scratch_alloc(scratch, list.n, sizeof *list.epochs);
    list.in_order = hd_scratch_alloc(scratch, list.n, sizeof *list.in_order);
    for (size_t i = 0; i < list.n; i++) {
        get_epoch(&at, i > 0 ? &list.epochs[i - 1] : &first, &list.epochs[i]);
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
read_shared(const hd_replay *replay, const hd_passive *passive)
{
    uint32_t      n_windows = replay->defs->n_windows, first_window = hd_first_window(replay->defs);
    shared_epochs shared    = { .list = read_epochs(replay->scratch, passive), .first = HD_NEW_ARRAY(size_t, n_windows + 2),
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

        shared.list.in_order[shared.first[epoch->window - first_window + 1]++] = (timed){ .time = epoch->release, .i = (uint32_t)i };
    }
    for (uint32_t w = 0; w < n_windows; w++)
        HD_SORT_NEARLY(timed, shared.list.in_order + shared.first[w], shared.first[w + 1] - shared.first[w], compare_timed);
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
} releases;

typedef struct answering { /* of a target */
    hd_replay_host      *rh;
    hd_host             *host;
    releases            *windows; /* [n_windows] */
    uint32_t             first_window;
    epoch_list           own;
    const shared_epochs *shared;
} answering;

static void
answer_epoch(const answering *a, const hd_lock_epoch *epoch, const hd_lock_epoch *before)
{
    hd_lock_holder holder = { .origin = epoch->origin, .thread = epoch->thread, .lock_order = epoch->lock_order,
                              .rank = a->windows[epoch->window - a->first_window].rank };

    if (before == NULL || before->release < epoch->enter)
        return;
    holder.release = before->release;
    holder.holder  = (hd_rma_partner){ .leave = before->leave, .process = before->origin, .thread = before->thread, .order = before->order };
    tell(a->rh, a->host, HD_ITEM_LOCK_HOLDER, holder.origin, &holder, sizeof holder);
}

/* Of equals that of the lowest process. */
static void
keep_latest(const hd_lock_epoch **latest, const hd_lock_epoch *epoch)
{
    const hd_lock_epoch *old = *latest;

    if (epoch == NULL || (old != NULL && epoch->release < old->release))
        return;
    if (old == NULL || epoch->release > old->release || epoch->origin < old->origin ||
        (epoch->origin == old->origin && (epoch->thread < old->thread || (epoch->thread == old->thread && epoch->order < old->order))))
        *latest = epoch;
}

/* Where the window's epochs on all processes are not released before this time any more. */
static size_t
find_release(const answering *a, uint32_t window, hd_time time)
{
    size_t low = a->shared->first[window], high = a->shared->first[window + 1];

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (a->shared->list.in_order[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const hd_lock_epoch *
shared_before(const answering *a, uint32_t window, hd_time time)
{
    const timed         *in_order = a->shared->list.in_order;
    size_t               i        = find_release(a, window, time), end = i;
    const hd_lock_epoch *latest   = NULL;

    for (; i > a->shared->first[window] && in_order[i - 1].time == in_order[end - 1].time; i--)
        keep_latest(&latest, &a->shared->list.epochs[in_order[i - 1].i]);
    return latest;
}

/* Epochs on all processes that are released after an exclusive one, and not after `until`, when the next one is, come after it; those that
 * wait for it began before it was over, so they are not far. */
static void
answer_shared(const answering *a, uint32_t window, const hd_lock_epoch *exclusive, hd_time until)
{
    hd_time last = exclusive->release + (hd_time)a->shared->longest[window];

    for (size_t i = find_release(a, window, exclusive->release + 1); i < a->shared->first[window + 1]; i++) {
        const timed *epoch = &a->shared->list.in_order[i];

        if (epoch->time > until || epoch->time > last)
            break;
        answer_epoch(a, &a->shared->list.epochs[epoch->i], exclusive);
    }
}

/*   releases on one target   S  S  X  S  S  X      X exclusive, S shared: an X comes after the one before it, an S after the last X;
 *                                 ◀─────┘  │      those of the same time are no predecessors of each other: of these
 *                                       ◀──┘      the one of the lowest process stands for all */
static void
answer_own(const answering *a, const hd_lock_epoch *epoch)
{
    uint32_t             window = epoch->window - a->first_window;
    const hd_lock_epoch *before = a->windows[window].latest_exclusive;

    if (epoch->is_exclusive) {
        before = a->windows[window].latest;
        keep_latest(&before, shared_before(a, window, epoch->release));
    }
    answer_epoch(a, epoch, before);
}

static void
pass_release(const answering *a, const hd_lock_epoch *epoch)
{
    uint32_t  window = epoch->window - a->first_window;
    releases *of     = &a->windows[window];

    keep_latest(&of->latest, epoch);
    if (!epoch->is_exclusive)
        return;
    if (of->latest_exclusive != NULL && of->latest_exclusive->release < epoch->release)
        answer_shared(a, window, of->latest_exclusive, epoch->release);
    keep_latest(&of->latest_exclusive, epoch);
}

static void
answer_epochs(hd_replay_host *rh, hd_host *host, const hd_passive *passive, const shared_epochs *shared)
{
    const hd_defs *defs = rh->replay->defs;
    answering      a    = { .rh = rh, .host = host, .windows = HD_NEW_ARRAY(releases, defs->n_windows), .first_window = hd_first_window(defs),
                            .own = read_epochs(rh->replay->scratch, passive), .shared = shared };

    for (size_t i = 0; i < a.own.n; i++)
        a.windows[a.own.epochs[i].window - a.first_window].rank = a.own.epochs[i].rank;
    HD_SORT_NEARLY(timed, a.own.in_order, a.own.n, compare_timed);
    for (size_t i = 0, end; i < a.own.n; i = end) {
        for (end = i; end < a.own.n && a.own.in_order[end].time == a.own.in_order[i].time; end++)
            answer_own(&a, &a.own.epochs[a.own.in_order[end].i]);
        for (size_t j = i; j < end; j++)
            pass_release(&a, &a.own.epochs[a.own.in_order[j].i]);
    }
    for (uint32_t w = 0; w < defs->n_windows; w++)
        if (a.windows[w].latest_exclusive != NULL)
            answer_shared(&a, w, a.windows[w].latest_exclusive, UINT64_MAX);
    drop_epochs(rh->replay->scratch, &a.own);
    free(a.windows);
}

/* The MPI calls of one thread of the target. entered: 0, it was in one; else when it entered the next. */
static void
look_up_calls(const hd_oplog *log, hd_passive_query *queries, const timed *in_order, size_t n)
{
    hd_cursor cursor;
    bool      has_call;

    hd_cursor_init(&cursor, log);
    has_call = hd_cursor_call(&cursor);
    for (size_t i = 0; i < n && has_call; i++) {
        hd_passive_query *query = &queries[in_order[i].i];

        while (has_call && cursor.call.leave < query->enter) {
            hd_cursor_skip(&cursor);
            has_call = hd_cursor_call(&cursor);
        }
        if (has_call && cursor.call.enter <= query->enter)
            query->entered = 0;
        else if (has_call)
            query->entered = hd_time_min(query->entered, cursor.call.enter);
    }
}

static void
answer_queries(hd_replay_host *rh, hd_host *host, const hd_loaded_process *process, const hd_passive *passive)
{
    static const hd_passive_query first = { 0 };
    size_t                        n       = passive->n_queries;
    hd_scratch                   *scratch = rh->replay->scratch;
    hd_passive_query             *queries  = hd_scratch_alloc(scratch, n, sizeof *queries);
    timed                        *in_order = hd_scratch_alloc(scratch, n, sizeof *in_order);
    const uint8_t                *at       = passive->queries.data;

    for (size_t i = 0; i < n; i++) {
        get_query(&at, i > 0 ? &queries[i - 1] : &first, &queries[i]);
        in_order[i] = (timed){ .time = queries[i].enter, .i = (uint32_t)i };
    }
    HD_SORT_NEARLY(timed, in_order, n, compare_timed);
    for (uint32_t t = 0; t < process->n_locations; t++)
        look_up_calls(&process->locations[t].log, queries, in_order, n);
    for (size_t i = 0; i < n; i++)
        if (queries[i].enter < queries[i].entered && queries[i].entered <= queries[i].leave) {
            queries[i].target = process->process.v;
            tell(rh, host, HD_ITEM_PASSIVE_ANSWER, queries[i].origin, &queries[i], sizeof *queries);
        }
    hd_scratch_free(scratch, queries);
    hd_scratch_free(scratch, in_order);
}

void
hd_passive_answer(hd_replay_host *rh, hd_host *host, hd_agent *const *targets, size_t n)
{
    shared_epochs shared = read_shared(rh->replay, rh->passive);

    drop_passive(&rh->passive);
    for (size_t i = 0; i < n; i++) {
        hd_passive *passive = targets[i]->passive;

        if (passive != NULL && passive->n_epochs > 0)
            answer_epochs(rh, host, passive, &shared);
        if (passive != NULL && passive->n_queries > 0)
            answer_queries(rh, host, targets[i]->process, passive);
        drop_passive(&targets[i]->passive);
    }
    drop_shared(rh->replay->scratch, &shared);
}

/* ---- origins ---------------------------------------------------------------------------------------------------------------- */

/* Of an epoch on all processes the latest release counts, of equals that of the lowest rank: it is the first one then. */
static int
compare_holders(const void *left, const void *right)
{
    const hd_lock_holder *a = left, *b = right;

    HD_COMPARE(lock_order);
    if (a->release != b->release)
        return a->release > b->release ? -1 : 1;
    HD_COMPARE(rank);
    return 0;
}

#undef HD_COMPARE

typedef struct open_epoch { /* that somebody else's release let go on */
    const hd_lock_holder *holder;
    uint32_t channel, target;
    hd_call  call;      /* of its last event before the release, */
    hd_time  time;      /* its time, */
    uint32_t order, i_call; /* its record, or the next one; number of the call */
    bool     is_access;
} open_epoch;

typedef struct contention { /* a location's lock epochs, gone through once more */
    hd_replay_host *rh;
    hd_host        *host;
    hd_agent       *agent;
    hd_cursor       cursor;
    hd_op           op;
    uint32_t        order, i_call;
    open_epoch     *open; /* [n_open] */
    size_t          n_open, capacity_open;
    uint32_t       *booked; /* [n_booked] numbers of the calls that waited, in the order in which epochs end */
    size_t          n_booked, capacity_booked;
} contention;

/* The enter of the call at hand, and its record, are events of the epoch. */
static void
pass_event(const contention *c, open_epoch *epoch, hd_time time, bool is_access)
{
    bool is_known = epoch->i_call == c->i_call && epoch->time > c->cursor.call.enter; /* an earlier record of the same call */

    if (c->cursor.call.enter <= epoch->holder->release && !(is_known && time > epoch->holder->release)) {
        epoch->call      = c->cursor.call;
        epoch->time      = time <= epoch->holder->release ? time : c->cursor.call.enter;
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
    hd_time until = hd_time_min(epoch->holder->release, epoch->call.leave);
    hd_span wait  = until > epoch->time ? hd_span_between(epoch->time, until) : 0;

    if (wait == 0)
        return;
    hd_severity_add(&c->agent->severities,
                    epoch->is_access ? HD_METRIC_mpi_rma_comm_lock_competition : HD_METRIC_mpi_rma_sync_lock_competition,
                    epoch->call.call_path, wait);
    if (HD_UNLIKELY(c->rh->statistics != NULL))
        hd_agent_note(c->rh, c->agent,
                      &(hd_wait){ .metric = epoch->is_access ? HD_METRIC_mpi_rma_comm_lock_competition
                                                             : HD_METRIC_mpi_rma_sync_lock_competition,
                                  .node = epoch->call.call_path, .enter = epoch->call.enter, .leave = epoch->call.leave,
                                  .from = epoch->time, .time = wait, .peer = epoch->holder->holder.process,
                                  .peer_thread = epoch->holder->holder.thread });
    HD_PUSH(c->booked, c->n_booked, c->capacity_booked, epoch->i_call);
    if (until == epoch->holder->release)
        hd_rma_mark_wait(c->rh, c->host, c->agent, &epoch->call, epoch->order, hd_span_between(epoch->call.enter, epoch->time), wait,
                         &epoch->holder->holder);
    else
        hd_rma_mark_unexplained(c->rh, c->agent, &epoch->call, wait);
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
pass_op(contention *c, const hd_lock_holder *holder)
{
    if (c->op.operation == HD_RMA_LOCK && holder != NULL && holder->lock_order == c->order) {
        HD_PUSH(c->open, c->n_open, c->capacity_open,
                ((open_epoch){ .holder = holder, .channel = c->op.channel, .target = c->op.root }));
        pass_event(c, &c->open[c->n_open - 1], c->op.time, false);
    } else if (c->op.operation == HD_RMA_ACCESS) {
        for (size_t i = 0; i < c->n_open; i++)
            if (c->open[i].channel == c->op.channel &&
                (c->open[i].target == c->op.root || (c->open[i].target == HD_NONE && c->open[i].holder->rank == c->op.root)))
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

static void
find_contention(contention *c)
{
    hd_lock_holder *holders = c->agent->holders;
    size_t          n       = c->agent->n_holders, i = 0;

    if (n == 0)
        return;
    qsort(holders, n, sizeof *holders, compare_holders);
    hd_cursor_init(&c->cursor, &c->agent->location->log);
    while ((i < n || c->n_open > 0) && hd_cursor_call(&c->cursor)) {
        c->i_call++;
        if (c->n_open == 0 && holders[i].lock_order > c->order + c->cursor.n_left) {
            c->order += c->cursor.n_left;
            hd_cursor_skip(&c->cursor);
            continue;
        }
        while (c->cursor.n_left > 0) {
            hd_cursor_op(&c->cursor, &c->op);
            c->order++;
            while (i < n && holders[i].lock_order < c->order)
                i++;
            if (c->op.kind == HD_OP_RMA)
                pass_op(c, i < n ? &holders[i] : NULL);
        }
    }
    if (c->n_booked > 1)
        qsort(c->booked, c->n_booked, sizeof *c->booked, compare_numbers);
}

static void
note_progress(hd_replay_host *rh, const hd_agent *agent, const hd_passive_query *longest, uint32_t target)
{
    hd_agent_note(rh, agent,
                  &(hd_wait){ .metric = longest->is_access ? HD_METRIC_mpi_rma_comm_wait_for_progress
                                                           : HD_METRIC_mpi_rma_sync_wait_for_progress,
                              .node = longest->call_path, .enter = longest->enter, .leave = longest->leave, .from = longest->enter,
                              .time = hd_span_between(longest->enter, longest->entered), .peer = target });
}

/*   target   ···(computes)·····[ any MPI call ]··     waiting = its enter - call.enter
 *   origin   ··[ call ··········· ]·············      docs/metrics.md#mpi_rma_sync_wait_for_progress */
static void
book_progress(hd_replay_host *rh, hd_agent *agent, const uint32_t *booked, size_t n_booked)
{
    const hd_passive_query *answers  = agent->answers_of_targets;
    size_t                  n        = agent->n_answers_of_targets, end;
    timed                  *in_order = HD_NEW_UNSET(timed, n);

    for (size_t i = 0; i < n; i++)
        in_order[i] = (timed){ .time = answers[i].call, .i = (uint32_t)i };
    HD_SORT_NEARLY(timed, in_order, n, compare_timed);
    for (size_t i = 0; i < n; i = end) {
        const hd_passive_query *longest = &answers[in_order[i].i];
        uint32_t                target  = HD_NONE;

        for (end = i + 1; end < n && in_order[end].time == in_order[i].time; end++)
            if (answers[in_order[end].i].entered > longest->entered ||
                (answers[in_order[end].i].entered == longest->entered && answers[in_order[end].i].is_access))
                longest = &answers[in_order[end].i];
        for (size_t j = i; j < end; j++) { /* of equals the lowest: they come in any order */
            const hd_passive_query *answer = &answers[in_order[j].i];

            if (answer->entered == longest->entered && answer->is_access == longest->is_access && answer->target < target)
                target = answer->target;
        }
        if (n_booked > 0 && bsearch(&longest->call, booked, n_booked, sizeof *booked, compare_numbers) != NULL)
            continue;
        hd_severity_add(&agent->severities,
                        longest->is_access ? HD_METRIC_mpi_rma_comm_wait_for_progress : HD_METRIC_mpi_rma_sync_wait_for_progress,
                        longest->call_path, hd_span_between(longest->enter, longest->entered));
        if (HD_UNLIKELY(rh->statistics != NULL))
            note_progress(rh, agent, longest, target);
    }
    free(in_order);
}

void
hd_passive_book(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    contention c = { .rh = rh, .host = host, .agent = agent };

    find_contention(&c);
    book_progress(rh, agent, c.booked, c.n_booked);
    free(c.open);
    free(c.booked);
    hd_scratch_free(rh->replay->scratch, agent->holders);
    hd_scratch_free(rh->replay->scratch, agent->answers_of_targets);
    agent->holders            = NULL;
    agent->answers_of_targets = NULL;
    agent->n_holders = agent->capacity_holders = agent->n_answers_of_targets = agent->capacity_answers_of_targets = 0;
}

_Static_assert(sizeof(hd_lock_epoch) % 8 == 0 && sizeof(hd_passive_query) % 8 == 0 && sizeof(hd_lock_holder) % 8 == 0,
               "items are whole words");
