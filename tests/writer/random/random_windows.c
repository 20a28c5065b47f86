/* tests/writer/random/random_windows.c: what the processes of a random program do on windows.
 *
 * A window is in one phase after the other, each of several steps, with steps of other windows and messages in between:
 *
 *   idle ──▶ between fences ──▶ idle       operations on any process, more fences; half of these end after all have
 *                                          come
 *        ──▶ posts and starts ──▶ operations ──▶ completes and waits ──▶ idle      each process with a group of its own
 *        ──▶ locks ──▶ idle                one process, or all, exclusive or shared; barriers around this phase
 *
 * What a step waits for has happened in earlier steps: a lock is only asked for while no other one is in its way, so
 * epochs in each other's way follow each other in the order of their releases. Where an origin waits, at the start of
 * its epoch, in an operation, or at the end, is drawn for each epoch.
 *
 * Few programs have one error: an epoch without a post, or an unlock without a lock.
 */
#include "random_program.h"

/* -------------------------------------------------------------------------------------------------------------
 * calls */

static const comm_place *
place_of(const program *p, uint32_t number)
{
    return &p->comms[p->windows[number].comm];
}

/* A call of a member of a window, at its present time. */
static tw_op
window_op(program *p, uint32_t number, uint32_t member, tw_kind kind)
{
    uint32_t process = place_of(p, number)->processes[member];

    wander(p, process);
    return (tw_op){ .process = process, .op = kind, .enter = lane_of(p, process)->now, .window = number };
}

/* The processes that a row of a relation names. */
static void
group_set(const program *p, uint32_t number, const bool *is_in, tw_op *op)
{
    const comm_place *place = place_of(p, number);
    uint32_t         *group = HD_NEW_ARRAY(uint32_t, place->n);

    for (uint32_t i = 0; i < place->n; i++)
        if (is_in[i])
            group[op->n_group++] = place->processes[i];
    op->group = group;
}

static tw_kind
operation_draw(program *p, bool is_passive)
{
    static const tw_kind kinds[] = { TW_PUT, TW_PUT, TW_PUT, TW_GET, TW_GET, TW_ACCUMULATE, TW_GET_ACCUMULATE, TW_RPUT,
                                     TW_RGET };

    return kinds[below(p, is_passive ? 9 : 7)];
}

/* The request of an operation that has been left at that time: waited for at once, or some time later. */
static void
request_add(program *p, const tw_op *op, hd_time ready)
{
    open_request request = { .kind = COLL_REQUEST, .process = op->process, .number = op->request, .message = NO_MESSAGE,
                             .ready = ready };
    tw_op        wait    = { .process = op->process, .op = TW_WAIT, .request = op->request };

    request.is_done = chance(p, 50);
    if (request.is_done) {
        pass_time(p, op->process);
        wait.enter = lane_of(p, op->process)->now;
        call_add(p, wait, hd_time_max(wait.enter + 1, ready) + below(p, 4));
    }
    HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
}

/* An operation. ready: when the target lets it through, 0: it is not waited for. Returns when it is left. */
static hd_time
operation(program *p, uint32_t number, uint32_t member, uint32_t target, hd_time ready, bool is_passive)
{
    static const uint64_t sizes[] = { 1, 8, 64, 4096, 65537 };
    tw_op                 op      = window_op(p, number, member, operation_draw(p, is_passive));

    op.peer   = target;
    op.bytes  = sizes[below(p, 5)];
    op.leave  = hd_time_max(op.enter + 1, ready) + below(p, 3);
    op.record = op.enter + below(p, 2);
    if (op.op == TW_RPUT || op.op == TW_RGET)
        op.request = ++p->next_request[op.process];
    call_add(p, op, op.leave);
    if (op.request != 0)
        request_add(p, &op, hd_time_max(op.leave, p->windows[number].holds[member][target].granted) + LATENCY);
    return op.leave;
}

/* ------------------------------------------------------------------------------------------------------------
 * fences */

/* When a member may go on, if the others need not all have come: operations on it have been made, and those whom it
 * accessed had come to the fence before. */
static hd_time
fence_ready(const window_state *w, uint32_t member, uint32_t n, hd_time enter)
{
    hd_time ready = hd_time_max(enter, w->reached[member]);

    for (uint32_t i = 0; i < n; i++)
        if (w->accesses[member][i])
            ready = hd_time_max(ready, w->fenced[i]);
    return ready;
}

static void
fence(program *p, uint32_t number)
{
    window_state *w           = &p->windows[number];
    uint32_t      n           = place_of(p, number)->n;
    bool          meets       = chance(p, 50);
    hd_time       latest      = 0, ready[MAX_PROCESSES];
    tw_op         ops[MAX_PROCESSES];

    for (uint32_t i = 0; i < n; i++) {
        ops[i] = window_op(p, number, i, TW_FENCE);
        latest = hd_time_max(latest, ops[i].enter);
    }
    for (uint32_t i = 0; i < n; i++)
        ready[i] = meets ? latest : fence_ready(w, i, n, ops[i].enter);
    for (uint32_t i = 0; i < n; i++) {
        ops[i].leave  = ready[i] + LATENCY + below(p, 4);
        ops[i].begin  = ops[i].enter + below(p, 2);
        ops[i].end    = ops[i].leave - below(p, 2);
        w->fenced[i]  = ops[i].enter;
        w->reached[i] = 0;
        memset(w->accesses[i], 0, sizeof w->accesses[i]);
        call_add(p, ops[i], ops[i].leave);
    }
}

static void
fenced_step(program *p, uint32_t number)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n, from = below(p, n), to = below(p, n);
    hd_time       ready;

    if (chance(p, 30)) {
        fence(p, number);
        if (chance(p, 40))
            w->phase = WINDOW_IDLE;
        return;
    }
    ready                 = chance(p, 30) ? w->fenced[to] + LATENCY : 0;
    w->reached[to]        = hd_time_max(w->reached[to], operation(p, number, from, to, ready, false));
    w->accesses[from][to] = true;
}

/* ---------------------------------------------------------------------------------------------- post, start, complete,
 * wait */

/* Who accesses whom in the next epochs, and where each origin waits for the posts. */
static void
epochs_draw(program *p, uint32_t number)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n;

    w->epochs = (epochs){ 0 };
    for (uint32_t o = 0; o < n; o++) {
        w->epochs.waits_at[o]  = (waits_at)below(p, 3);
        w->epochs.is_origin[o] = chance(p, 4);
        for (uint32_t t = 0; t < n; t++) {
            if (!chance(p, o == t ? 10 : 45))
                continue;
            w->epochs.access[o][t]  = w->epochs.exposure[t][o] = true;
            w->epochs.is_origin[o] = w->epochs.is_target[t] = true;
        }
    }
}

static hd_time
latest_post(const window_state *w, uint32_t origin, uint32_t n)
{
    hd_time latest = 0;

    for (uint32_t t = 0; t < n; t++)
        if (w->epochs.access[origin][t])
            latest = hd_time_max(latest, w->epochs.posted[t] + LATENCY);
    return latest;
}

static void
epoch_post(program *p, uint32_t number, uint32_t target)
{
    window_state *w  = &p->windows[number];
    tw_op         op = window_op(p, number, target, TW_WIN_POST);

    group_set(p, number, w->epochs.exposure[target], &op);
    w->epochs.posted[target] = op.enter;
    call_add(p, op, op.enter + 1 + below(p, 3));
}

static void
epoch_start(program *p, uint32_t number, uint32_t origin)
{
    window_state *w     = &p->windows[number];
    tw_op         op    = window_op(p, number, origin, TW_WIN_START);
    hd_time       ready = w->epochs.waits_at[origin] == AT_START ? latest_post(w, origin, place_of(p, number)->n) : 0;

    group_set(p, number, w->epochs.access[origin], &op);
    w->epochs.is_started[origin] = true;
    call_add(p, op, hd_time_max(op.enter + 1, ready) + below(p, 3));
}

/* Origins that do not wait at the start may come to it before the posts. */
static void
epochs_open(program *p, uint32_t number)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n;

    for (uint32_t i = 0; i < n; i++) {
        if (w->epochs.is_origin[i] && w->epochs.waits_at[i] != AT_START && chance(p, 40))
            epoch_start(p, number, i);
        if (w->epochs.is_target[i])
            epoch_post(p, number, i);
    }
    for (uint32_t i = 0; i < n; i++)
        if (w->epochs.is_origin[i] && !w->epochs.is_started[i])
            epoch_start(p, number, i);
    w->phase = WINDOW_ACCESSED;
}

static void
accessed_step(program *p, uint32_t number)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n, o = below(p, n), t = below(p, n);

    for (uint32_t k = 0; k < n * n && !w->epochs.access[o][t]; k++) {
        t = (t + 1) % n;
        o = t == 0 ? (o + 1) % n : o;
    }
    if (w->epochs.access[o][t])
        operation(p, number, o, t, w->epochs.waits_at[o] == AT_OPERATION ? w->epochs.posted[t] + LATENCY : 0, false);
    if (!w->epochs.access[o][t] || chance(p, 25))
        w->phase = WINDOW_CLOSING;
}

static void
epoch_complete(program *p, uint32_t number, uint32_t origin)
{
    window_state *w  = &p->windows[number];
    tw_op         op = window_op(p, number, origin, TW_WIN_COMPLETE);

    group_set(p, number, w->epochs.access[origin], &op);
    w->epochs.completed[origin]    = op.enter;
    w->epochs.is_complete[origin] = true;
    call_add(p, op, hd_time_max(op.enter + 1, latest_post(w, origin, place_of(p, number)->n)) + below(p, 4));
}

/* A wait, or tests until one says that all origins are done. */
static void
epoch_wait(program *p, uint32_t number, uint32_t target, hd_time ready)
{
    window_state *w  = &p->windows[number];
    tw_op         op = window_op(p, number, target, TW_WIN_WAIT);
    lane         *l  = lane_of(p, op.process);

    group_set(p, number, w->epochs.exposure[target], &op);
    w->epochs.is_waited[target] = true;
    if (chance(p, 60)) {
        call_add(p, op, hd_time_max(op.enter + 1, ready) + below(p, 4));
        return;
    }
    op.op = TW_WIN_TEST;
    for (int i = 0; i < 3 && l->now + 2 < ready; i++) {
        tw_op test = op;

        test.enter        = l->now;
        test.unsuccessful = true;
        test.n_group      = 0;
        group_set(p, number, w->epochs.exposure[target], &test);
        call_add(p, test, test.enter + 1);
        l->now += below(p, 6);
    }
    l->now   = hd_time_max(l->now, ready);
    op.enter = l->now;
    call_add(p, op, op.enter + 1 + below(p, 2));
}

/* Whether all origins of a target have completed their epochs; when it knows that. */
static bool
is_done(const window_state *w, uint32_t target, uint32_t n, hd_time *ready)
{
    *ready = 0;
    for (uint32_t o = 0; o < n; o++) {
        if (w->epochs.exposure[target][o] && !w->epochs.is_complete[o])
            return false;
        if (w->epochs.exposure[target][o])
            *ready = hd_time_max(*ready, w->epochs.completed[o] + LATENCY);
    }
    return true;
}

static void
closing_step(program *p, uint32_t number)
{
    window_state *w      = &p->windows[number];
    uint32_t      n      = place_of(p, number)->n;
    bool          is_all = true;
    hd_time       ready;

    for (uint32_t i = 0; i < n; i++) {
        if (w->epochs.is_origin[i] && !w->epochs.is_complete[i] && chance(p, 70))
            epoch_complete(p, number, i);
        if (w->epochs.is_target[i] && !w->epochs.is_waited[i] && is_done(w, i, n, &ready) && chance(p, 70))
            epoch_wait(p, number, i, ready);
        is_all &= (!w->epochs.is_origin[i] || w->epochs.is_complete[i]) &&
            (!w->epochs.is_target[i] || w->epochs.is_waited[i]);
    }
    if (is_all)
        w->phase = WINDOW_IDLE;
}

/* -------------------------------------------------------------------------------------------------------------
 * locks */

static bool
holds_any(const window_state *w, uint32_t member, uint32_t n)
{
    for (uint32_t t = 0; t < n; t++)
        if (w->holds[member][t].is_held)
            return true;
    return false;
}

/* Whether no lock of the target is held that is in the way of another one. */
static bool
is_free(const window_state *w, uint32_t target, uint32_t n, bool exclusive)
{
    for (uint32_t o = 0; o < n; o++)
        if (w->holds[o][target].is_held && (exclusive || w->holds[o][target].exclusive))
            return false;
    return true;
}

/* When the lock is had, by what was released before. */
static hd_time
grant_time(const window_state *w, uint32_t target, bool exclusive)
{
    hd_time last = w->released[target][1];

    if (exclusive)
        last = hd_time_max(last, w->released[target][0]);
    return last == 0 ? 0 : last + LATENCY;
}

/* The lock of some targets in one call. */
static void
lock_take(program *p, uint32_t number, uint32_t member, uint32_t first, uint32_t n_targets, tw_op op)
{
    window_state *w       = &p->windows[number];
    bool          is_lazy = chance(p, 50);
    hd_time       granted = 0;

    for (uint32_t t = first; t < first + n_targets; t++)
        granted = hd_time_max(granted, grant_time(w, t, op.exclusive));
    for (uint32_t t = first; t < first + n_targets; t++)
        w->holds[member][t] = (held_lock){ .is_held = true, .exclusive = op.exclusive, .granted = granted,
                                           .waits_in_operation = is_lazy && chance(p, 50) };
    call_add(p, op, hd_time_max(op.enter + 1, is_lazy ? 0 : granted) + below(p, 3));
    if (is_lazy) { /* so that the release is stamped after the lock was had */
        uint32_t t = first + below(p, n_targets);

        operation(p, number, member, t, w->holds[member][t].waits_in_operation ? granted : 0, true);
        w->holds[member][t].n_open++;
    }
}

static void
lock_one(program *p, uint32_t number, uint32_t member)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n, target = chance(p, 50) ? 0 : below(p, n); /* one that many want */
    bool          exclusive = chance(p, 60);
    tw_op         op;

    if (w->holds_all[member] || w->holds[member][target].is_held || !is_free(w, target, n, exclusive))
        return;
    op           = window_op(p, number, member, TW_WIN_LOCK);
    op.peer      = target;
    op.exclusive = exclusive;
    lock_take(p, number, member, target, 1, op);
}

static void
lock_all(program *p, uint32_t number, uint32_t member)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n;

    if (holds_any(w, member, n))
        return;
    for (uint32_t t = 0; t < n; t++)
        if (!is_free(w, t, n, false))
            return;
    w->holds_all[member] = true;
    lock_take(p, number, member, 0, n, window_op(p, number, member, TW_WIN_LOCK_ALL));
}

/* The end of operations on some targets; is_release: and of their locks. */
static void
targets_finish(program *p, uint32_t number, uint32_t member, uint32_t first, uint32_t n_targets, tw_kind kind,
               bool is_release)
{
    window_state *w      = &p->windows[number];
    tw_op         op     = window_op(p, number, member, kind);
    hd_time       ready  = op.enter + 1, leave;
    uint32_t      n_open = 0;

    for (uint32_t t = first; t < first + n_targets; t++) {
        if (w->holds[member][t].n_open > 0)
            ready = hd_time_max(ready, w->holds[member][t].granted + LATENCY);
        n_open += w->holds[member][t].n_open;
    }
    op.peer = first;
    leave   = ready + below(p, 4);
    call_add(p, op, leave);
    for (uint32_t t = first; t < first + n_targets; t++) {
        held_lock *held = &w->holds[member][t];
        hd_time   *last = &w->released[t][held->exclusive];

        if (kind != TW_WIN_FLUSH_LOCAL)
            held->n_open = 0;
        if (!is_release || !held->is_held)
            continue;
        *last = hd_time_max(*last, n_open > 0 ? leave : op.enter);
        *held = (held_lock){ 0 };
    }
}

static void
unlock_one(program *p, uint32_t number, uint32_t member)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n, target = below(p, n);

    if (w->holds_all[member]) {
        targets_finish(p, number, member, 0, n, TW_WIN_UNLOCK_ALL, true);
        w->holds_all[member] = false;
        return;
    }
    while (!w->holds[member][target].is_held)
        target = (target + 1) % n;
    targets_finish(p, number, member, target, 1, TW_WIN_UNLOCK, true);
}

static void
flush_some(program *p, uint32_t number, uint32_t member, uint32_t target)
{
    switch (below(p, 4)) {
    case 0:
        targets_finish(p, number, member, 0, place_of(p, number)->n, TW_WIN_FLUSH_ALL, false);
        break;
    case 1:
        targets_finish(p, number, member, target, 1, TW_WIN_FLUSH_LOCAL, false);
        break;
    default:
        targets_finish(p, number, member, target, 1, TW_WIN_FLUSH, false);
        break;
    }
}

/* Something of a process that holds a lock. */
static void
held_step(program *p, uint32_t number, uint32_t member)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n, target = below(p, n), kind = below(p, 10);
    held_lock    *held;

    while (!w->holds[member][target].is_held)
        target = (target + 1) % n;
    held = &w->holds[member][target];
    if (kind < 4) {
        operation(p, number, member, target, held->waits_in_operation ? held->granted : 0, true);
        held->n_open++;
    } else if (kind < 6) {
        flush_some(p, number, member, target);
    } else if (kind < 7) {
        lock_one(p, number, member);
    } else {
        unlock_one(p, number, member);
    }
}

static void
unlock_everything(program *p, uint32_t number)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n;

    for (uint32_t o = 0; o < n; o++)
        while (holds_any(w, o, n))
            unlock_one(p, number, o);
    together(p, TW_BARRIER, w->comm, 0);
    w->phase = WINDOW_IDLE;
}

static void
locked_step(program *p, uint32_t number)
{
    window_state *w = &p->windows[number];
    uint32_t      n = place_of(p, number)->n, member = below(p, n);

    if (chance(p, 4))
        unlock_everything(p, number);
    else if (holds_any(w, member, n))
        held_step(p, number, member);
    else if (chance(p, 20))
        lock_all(p, number, member);
    else
        lock_one(p, number, member);
}

/* -----------------------------------------------------------------------------------------------------------
 * windows */

/* What a correct program would not do. */
static void
error_make(program *p, uint32_t number)
{
    uint32_t n = place_of(p, number)->n, member = below(p, n), target = below(p, n);
    bool     is_target[MAX_PROCESSES] = { false };
    tw_op    op;

    p->n_errors_left--;
    if (chance(p, 50)) {
        op      = window_op(p, number, member, TW_WIN_UNLOCK);
        op.peer = target;
        call_add(p, op, op.enter + 1 + below(p, 3));
        return;
    }
    is_target[target] = true;
    op = window_op(p, number, member, TW_WIN_START);
    group_set(p, number, is_target, &op);
    call_add(p, op, op.enter + 1 + below(p, 3));
    if (chance(p, 50))
        operation(p, number, member, target, 0, false);
    op = window_op(p, number, member, TW_WIN_COMPLETE);
    group_set(p, number, is_target, &op);
    call_add(p, op, op.enter + 1 + below(p, 3));
}

static void
idle_step(program *p, uint32_t number)
{
    window_state *w    = &p->windows[number];
    uint32_t      kind = below(p, 100);

    if (p->n_errors_left > 0 && chance(p, 40)) {
        error_make(p, number);
    } else if (kind < 30) {
        fence(p, number);
        w->phase = WINDOW_FENCED;
    } else if (kind < 65) {
        epochs_draw(p, number);
        epochs_open(p, number);
    } else if (kind < 97) {
        together(p, TW_BARRIER, w->comm, 0);
        w->phase = WINDOW_LOCKED;
    } else {
        together(p, TW_WIN_FREE, w->comm, number);
        w->phase = WINDOW_FREED;
    }
}

void
window_step(program *p)
{
    uint32_t number = below(p, p->n_windows);

    switch (p->windows[number].phase) {
    case WINDOW_MISSING:
        together(p, chance(p, 50) ? TW_WIN_CREATE : TW_WIN_ALLOCATE, p->windows[number].comm, number);
        p->windows[number].phase = WINDOW_IDLE;
        break;
    case WINDOW_IDLE:
        idle_step(p, number);
        break;
    case WINDOW_FENCED:
        fenced_step(p, number);
        break;
    case WINDOW_ACCESSED:
        accessed_step(p, number);
        break;
    case WINDOW_CLOSING:
        closing_step(p, number);
        break;
    case WINDOW_LOCKED:
        locked_step(p, number);
        break;
    case WINDOW_FREED:
        break;
    }
}

void
windows_draw(program *p)
{
    p->n_windows     = 1 + below(p, MAX_WINDOWS);
    p->n_errors_left = chance(p, 6) ? 1 : 0;
    for (uint32_t i = 0; i < p->n_windows; i++) {
        window_state *w = &p->windows[i];

        w->comm = chance(p, 50) ? TW_WORLD : below(p, p->n_comms);
        if (w->comm == TW_SELF || p->comms[w->comm].n_remote > 0)
            w->comm = TW_WORLD;
    }
}

void
windows_close(program *p)
{
    for (uint32_t i = 0; i < p->n_windows; i++) {
        window_state *w = &p->windows[i];

        if (w->phase == WINDOW_FENCED)
            fence(p, i);
        if (w->phase == WINDOW_LOCKED)
            unlock_everything(p, i);
        if (w->phase == WINDOW_ACCESSED)
            w->phase = WINDOW_CLOSING;
        while (w->phase == WINDOW_CLOSING)
            closing_step(p, i);
    }
}

void
windows_free(program *p)
{
    for (uint32_t i = 0; i < p->n_windows; i++)
        if (p->windows[i].phase != WINDOW_MISSING && p->windows[i].phase != WINDOW_FREED)
            together(p, TW_WIN_FREE, p->windows[i].comm, i);
}
