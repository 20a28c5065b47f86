#include "passive.h"

#include "meeting.h"

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

static void
leave_epoch(hd_replay_host *rh, hd_host *host, const hd_agent *agent, const hd_rma_window *window, const hd_rma_lock *lock, uint32_t rank)
{
    hd_lock_epoch epoch = { .window = window->comm, .target = hd_comm_member(rh, window->comm, rank), .origin = agent->process_id,
                            .thread = agent->thread, .lock_order = lock->order, .order = agent->order, .rank = rank,
                            .is_exclusive = lock->is_exclusive, .enter = lock->enter, .release = agent->op.time,
                            .leave = agent->cursor.call.leave };

    if (epoch.target != HD_NONE)
        tell(rh, host, HD_ITEM_LOCK_EPOCH, epoch.target, &epoch, sizeof epoch);
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
    if (!rh->replay->exclusive[window->comm - hd_first_window(rh->replay->defs)] || hd_rma_is_own(rh, window)) /* nobody waits */
        return true;
    if (target != HD_NONE)
        leave_epoch(rh, host, agent, window, &lock, target);
    else
        for (uint32_t rank = 0; rank < hd_comm_size(rh, window->comm); rank++)
            leave_epoch(rh, host, agent, window, &lock, rank);
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
    hd_passive *passive = &rh->passive;

    switch (kind) {
    case HD_ITEM_LOCK_EPOCH:
        HD_SCRATCH_PUSH(scratch, passive->epochs, passive->n_epochs, passive->capacity_epochs, *(const hd_lock_epoch *)data);
        break;
    case HD_ITEM_PASSIVE_QUERY:
        HD_SCRATCH_PUSH(scratch, passive->queries, passive->n_queries, passive->capacity_queries, *(const hd_passive_query *)data);
        break;
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

static int
compare_epochs(const void *left, const void *right)
{
    const hd_lock_epoch *a = left, *b = right;

    HD_COMPARE(window);
    HD_COMPARE(target);
    HD_COMPARE(release);
    HD_COMPARE(origin);
    HD_COMPARE(thread);
    HD_COMPARE(order);
    return 0;
}

static int
compare_queries(const void *left, const void *right)
{
    const hd_passive_query *a = left, *b = right;

    HD_COMPARE(target);
    HD_COMPARE(enter);
    HD_COMPARE(origin);
    HD_COMPARE(thread);
    HD_COMPARE(call);
    return 0;
}

/* before: the predecessor, NULL: none. */
static void
answer_epoch(hd_replay_host *rh, hd_host *host, const hd_lock_epoch *epoch, const hd_lock_epoch *before)
{
    hd_lock_holder holder = { .origin = epoch->origin, .thread = epoch->thread, .lock_order = epoch->lock_order, .rank = epoch->rank };

    if (before == NULL || before->release < epoch->enter)
        return;
    holder.release = before->release;
    holder.holder  = (hd_rma_partner){ .leave = before->leave, .process = before->origin, .thread = before->thread, .order = before->order };
    tell(rh, host, HD_ITEM_LOCK_HOLDER, holder.origin, &holder, sizeof holder);
}

/*   releases on one target   S  S  X  S  S  X      X exclusive, S shared: an X comes after the one before it, an S after the last X;
 *                                 ◀─────┘  │      those of the same time are no predecessors of each other
 *                                       ◀──┘ */
static void
answer_epochs(hd_replay_host *rh, hd_host *host)
{
    const hd_lock_epoch *epochs = rh->passive.epochs, *latest = NULL, *latest_exclusive = NULL;
    size_t               n      = rh->passive.n_epochs, i_passed = 0; /* those before it are in latest and latest_exclusive */

    if (n > 1)
        qsort(rh->passive.epochs, n, sizeof *epochs, compare_epochs);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || epochs[i].window != epochs[i - 1].window || epochs[i].target != epochs[i - 1].target) {
            latest = latest_exclusive = NULL;
            i_passed = i;
        }
        for (; epochs[i_passed].release < epochs[i].release; i_passed++) {
            if (latest == NULL || epochs[i_passed].release > latest->release)
                latest = &epochs[i_passed];
            if (epochs[i_passed].is_exclusive && (latest_exclusive == NULL || epochs[i_passed].release > latest_exclusive->release))
                latest_exclusive = &epochs[i_passed];
        }
        answer_epoch(rh, host, &epochs[i], epochs[i].is_exclusive ? latest : latest_exclusive);
    }
}

/* The MPI calls of one thread of the target: queries [n] ascending by enter. entered: 0, it was in one; else when it entered the next. */
static void
look_up_calls(const hd_oplog *log, hd_passive_query *queries, size_t n)
{
    hd_cursor cursor;
    hd_op     op;
    bool      has_call;

    hd_cursor_init(&cursor, log);
    has_call = hd_cursor_call(&cursor);
    for (size_t i = 0; i < n && has_call; i++) {
        while (has_call && cursor.call.leave < queries[i].enter) {
            while (cursor.n_left > 0)
                hd_cursor_op(&cursor, &op);
            has_call = hd_cursor_call(&cursor);
        }
        if (has_call && cursor.call.enter <= queries[i].enter)
            queries[i].entered = 0;
        else if (has_call)
            queries[i].entered = hd_time_min(queries[i].entered, cursor.call.enter);
    }
}

static void
answer_queries(hd_replay_host *rh, hd_host *host)
{
    hd_passive_query *queries = rh->passive.queries;
    size_t            n       = rh->passive.n_queries, end;

    if (n > 1)
        qsort(queries, n, sizeof *queries, compare_queries);
    for (size_t i = 0; i < n; i = end) {
        const hd_loaded_process *process = hd_replay_agent(rh->replay, queries[i].target, 0)->process;

        for (end = i; end < n && queries[end].target == queries[i].target; end++)
            ;
        for (uint32_t t = 0; t < process->n_locations; t++)
            look_up_calls(&process->locations[t].log, queries + i, end - i);
    }
    for (size_t i = 0; i < n; i++)
        if (queries[i].enter < queries[i].entered && queries[i].entered <= queries[i].leave)
            tell(rh, host, HD_ITEM_PASSIVE_ANSWER, queries[i].origin, &queries[i], sizeof *queries);
}

void
hd_passive_answer(hd_replay_host *rh, hd_host *host)
{
    answer_epochs(rh, host);
    answer_queries(rh, host);
    hd_scratch_free(rh->replay->scratch, rh->passive.epochs);
    hd_scratch_free(rh->replay->scratch, rh->passive.queries);
    rh->passive = (hd_passive){ 0 };
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

/* The longest of a call comes first. */
static int
compare_answers(const void *left, const void *right)
{
    const hd_passive_query *a = left, *b = right;

    HD_COMPARE(call);
    if (a->entered != b->entered)
        return a->entered > b->entered ? -1 : 1;
    HD_COMPARE(target);
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
    if (c->cursor.call.enter <= epoch->holder->release) {
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

/*   target   ···(computes)·····[ any MPI call ]··     waiting = its enter - call.enter
 *   origin   ··[ call ··········· ]·············      docs/metrics.md#mpi_rma_sync_wait_for_progress */
static void
book_progress(hd_agent *agent, const uint32_t *booked, size_t n_booked)
{
    hd_passive_query *answers = agent->answers_of_targets;
    size_t            n       = agent->n_answers_of_targets;

    if (n > 1)
        qsort(answers, n, sizeof *answers, compare_answers);
    for (size_t i = 0; i < n; i++) {
        if ((i > 0 && answers[i].call == answers[i - 1].call) ||
            (n_booked > 0 && bsearch(&answers[i].call, booked, n_booked, sizeof *booked, compare_numbers) != NULL))
            continue;
        hd_severity_add(&agent->severities,
                        answers[i].is_access ? HD_METRIC_mpi_rma_comm_wait_for_progress : HD_METRIC_mpi_rma_sync_wait_for_progress,
                        answers[i].call_path, hd_span_between(answers[i].enter, answers[i].entered));
    }
}

void
hd_passive_book(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    contention c = { .rh = rh, .host = host, .agent = agent };

    find_contention(&c);
    book_progress(agent, c.booked, c.n_booked);
    free(c.open);
    free(c.booked);
    hd_scratch_free(rh->replay->scratch, agent->holders);
    hd_scratch_free(rh->replay->scratch, agent->answers_of_targets);
    agent->holders            = NULL;
    agent->answers_of_targets = NULL;
    agent->n_holders = agent->n_answers_of_targets = 0;
}

_Static_assert(sizeof(hd_lock_epoch) % 8 == 0 && sizeof(hd_passive_query) % 8 == 0 && sizeof(hd_lock_holder) % 8 == 0,
               "items are whole words");
