/* tests/writer/random_program.c: tw_random SEED DIRECTORY [threads|rma] writes the archive of a random, legal program.
 *
 * The program is a sequence of steps, each of which concerns some processes; every process takes part in its steps in this
 * order, and a step needs nothing of later ones, so no deadlock is possible. Each process has its own virtual time. What a
 * step takes follows from simple rules: a message travels for some ticks, a synchronous send waits for its receive, a
 * collective for those that its class makes it wait for.
 *
 * Messages that were sent and not received yet wait in a list; a receive takes the first one of a channel (communicator,
 * source, destination, tag). Receives of one channel are completed in the order in which they were posted, and never before an
 * earlier one that is still open, so the order of the receive records is that of the sends, as MPI demands.
 *
 * With "threads" the processes have several, see random_threads.c, and some programs have no MPI. With "rma" they use windows,
 * see random_windows.c; few of these programs have an error, and all clocks are right.
 *
 * At the end all messages are received and all requests completed. Clocks may be measured (offset records that lead to the
 * right times) and on top of that be a little wrong, so that some messages seem to arrive before they are sent.
 */
#include "random_program.h"

#include <stdio.h>
#include <string.h>

#include "status.h"

enum { N_TAGS = 3, LATENCY = 4, ODD_TAG = 77 };

/* ------------------------------------------------------------------------------------------------------------ chance */

static uint64_t
random_next(program *p)
{
    uint64_t z = p->random += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint32_t
below(program *p, uint32_t n)
{
    HD_ASSERT(n > 0);
    return (uint32_t)(random_next(p) % n);
}

bool
chance(program *p, uint32_t percent)
{
    return below(p, 100) < percent;
}

static uint64_t
random_bytes(program *p)
{
    static const uint64_t sizes[] = { 0, 1, 8, 7, 64, 1000, 4096, 65537 };
    uint64_t              bytes   = sizes[below(p, 8)];

    return bytes == 0 ? TW_NOTHING : bytes;
}

void
pass_time(program *p, uint32_t process)
{
    lane_of(p, process)->now += 1 + below(p, chance(p, 20) ? 80 : 12);
}

/* ------------------------------------------------------------------------------------------------------------- calls */

size_t
call_add(program *p, tw_op op, hd_time leave)
{
    op.thread                   = p->acting[op.process];
    op.leave                    = leave;
    lane_of(p, op.process)->now = leave + 1;
    if (op.op >= TW_SEND || op.op == TW_INIT)
        p->mpi_time[op.process] = hd_time_max(p->mpi_time[op.process], leave + 1);
    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    return p->n_ops - 1;
}

void
plain_call(program *p, uint32_t process, const char *region)
{
    tw_op op = { .process = process, .op = TW_USER, .enter = lane_of(p, process)->now, .region = region };

    call_add(p, op, op.enter + 1 + below(p, 3));
}

static void
function_enter(program *p, uint32_t process)
{
    static const char *const functions[] = { "solve", "exchange", "compute", "setup", "work" };
    lane *l  = lane_of(p, process);
    tw_op op = { .process = process, .thread = p->acting[process], .op = TW_USER, .enter = l->now,
                 .region = functions[below(p, 5)] };

    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    l->opened[l->depth++] = p->n_ops - 1;
    l->now += 1;
}

static void
function_leave(program *p, uint32_t process)
{
    lane *l = lane_of(p, process);

    p->ops[l->opened[--l->depth]].leave = l->now;
    l->now += 1;
}

void
functions_leave(program *p, uint32_t process)
{
    while (lane_of(p, process)->depth > lane_of(p, process)->base)
        function_leave(p, process);
}

/* The trace buffer is full. */
static void
flush(program *p, uint32_t process)
{
    tw_op op = { .process = process, .op = TW_FLUSH, .enter = lane_of(p, process)->now };

    call_add(p, op, op.enter + 5 + below(p, 20));
}

void
wander(program *p, uint32_t process)
{
    if (chance(p, 1))
        flush(p, process);
    if (lane_of(p, process)->depth < DEEPEST_FUNCTION && chance(p, 30))
        function_enter(p, process);
    else if (lane_of(p, process)->depth > lane_of(p, process)->base && chance(p, 40))
        function_leave(p, process);
    else if (chance(p, 30))
        plain_call(p, process, !p->with_mpi || chance(p, 50) ? "work" : "MPI_Comm_rank");
    else if (p->n_lanes > 1 && chance(p, 8))
        threads_scene(p, process, false);
    pass_time(p, process);
}

/* ------------------------------------------------------------------------------------------------------ communicators */

static uint32_t
find(const uint32_t *processes, uint32_t n, uint32_t process)
{
    for (uint32_t i = 0; i < n; i++)
        if (processes[i] == process)
            return i;
    return HD_NONE;
}

/* The rank by which `from` calls `to` in a communicator. */
static uint32_t
rank_of(const program *p, uint32_t comm, uint32_t from, uint32_t to)
{
    const comm_place *place = &p->comms[comm];

    if (comm == TW_SELF)
        return 0;
    if (place->n_remote == 0)
        return find(place->processes, place->n, to);
    if (find(place->processes, place->n, from) != HD_NONE)
        return find(place->remote, place->n_remote, to);
    return find(place->processes, place->n, to);
}

/* A communicator and two processes that can talk in it; they may be the same one. */
static void
pair_draw(program *p, uint32_t *comm, uint32_t *from, uint32_t *to)
{
    const comm_place *place;

    *comm = chance(p, 50) ? TW_WORLD : below(p, p->n_comms);
    place = &p->comms[*comm];
    if (*comm == TW_SELF) {
        *from = *to = below(p, p->n_processes);
    } else if (place->n_remote > 0) {
        *from = place->processes[below(p, place->n)];
        *to   = place->remote[below(p, place->n_remote)];
        if (chance(p, 50)) {
            uint32_t swap = *from;

            *from = *to;
            *to   = swap;
        }
    } else {
        *from = place->processes[below(p, place->n)];
        *to   = place->processes[below(p, place->n)];
    }
}

/* All processes of a communicator, both groups. Returns how many. */
static uint32_t
members_of(const program *p, uint32_t comm, uint32_t members[MOST_PROCESSES])
{
    const comm_place *place = &p->comms[comm];
    uint32_t          n     = 0;

    for (uint32_t i = 0; i < place->n; i++)
        members[n++] = place->processes[i];
    for (uint32_t i = 0; i < place->n_remote; i++)
        members[n++] = place->remote[i];
    return n;
}

/* ----------------------------------------------------------------------------------------------------------- messages */

static bool
same_channel(const message *m, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag)
{
    return m->comm == comm && m->source == source && m->target == target && m->tag == tag;
}

/* The first message of the channel that no receive has been given; NO_MESSAGE if there is none. */
static size_t
channel_first(const program *p, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag)
{
    for (size_t i = 0; i < p->n_messages; i++)
        if (same_channel(&p->messages[i], comm, source, target, tag) && !p->messages[i].is_received &&
            p->messages[i].posted == 0)
            return i;
    return NO_MESSAGE;
}

/* Whether a receive of the channel is posted and not complete. */
static bool
channel_is_posted(const program *p, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag)
{
    for (size_t i = 0; i < p->n_requests; i++) {
        const open_request *r = &p->requests[i];

        if (r->kind == RECV_REQUEST && !r->is_done && r->process == target && r->comm == comm && r->source == source &&
            r->tag == tag)
            return true;
    }
    return false;
}

/* A message that has been sent goes to the first posted receive of its channel that has none. */
static void
message_offer(program *p, size_t number)
{
    message *m = &p->messages[number];

    for (size_t i = 0; i < p->n_requests; i++) {
        open_request *r = &p->requests[i];

        if (r->kind == RECV_REQUEST && !r->is_done && r->message == NO_MESSAGE &&
            same_channel(m, r->comm, r->source, r->process, r->tag)) {
            r->message  = number;
            m->posted   = r->number;
            m->received = r->posted;
            return;
        }
    }
}

static size_t
message_add(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes, bool is_eager)
{
    message m = { .comm = comm, .source = from, .target = to, .tag = tag, .bytes = bytes, .is_eager = is_eager,
                  .sent = lane_of(p, from)->now };

    HD_PUSH(p->messages, p->n_messages, p->messages_capacity, m);
    message_offer(p, p->n_messages - 1);
    return p->n_messages - 1;
}

static uint32_t
request_number(program *p, uint32_t process)
{
    return ++p->next_request[process];
}

/* A send that needs no receive to go on: standard and short, or buffered. */
static void
send_eager(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag)
{
    uint64_t bytes = random_bytes(p);
    tw_op    op    = { .process = from, .op = chance(p, 30) ? TW_BSEND : TW_SEND, .enter = lane_of(p, from)->now,
                       .peer = rank_of(p, comm, from, to), .tag = tag, .bytes = bytes, .comm = comm };

    message_add(p, comm, from, to, tag, bytes, true);
    call_add(p, op, op.enter + 1 + below(p, 4));
}

static void
isend(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag)
{
    static const tw_kind kinds[] = { TW_ISEND, TW_ISEND, TW_IBSEND, TW_ISSEND, TW_START_SEND };
    tw_kind              kind    = kinds[below(p, 5)];
    uint64_t             bytes   = random_bytes(p);
    tw_op                op;
    size_t               number;
    open_request         request;

    if (kind == TW_START_SEND)
        plain_call(p, from, "MPI_Send_init");
    op     = (tw_op){ .process = from, .op = kind, .enter = lane_of(p, from)->now, .peer = rank_of(p, comm, from, to), .tag = tag,
                      .bytes = bytes, .comm = comm, .request = request_number(p, from) };
    number = message_add(p, comm, from, to, tag, bytes, kind != TW_ISSEND && chance(p, 70));
    p->messages[number].request = op.request;
    call_add(p, op, op.enter + 1 + below(p, 3));
    if (kind != TW_ISSEND && chance(p, 8)) { /* nobody asks for its completion */
        p->messages[number].is_eager = true;
        plain_call(p, from, "MPI_Request_free");
        return;
    }
    request = (open_request){ .kind = SEND_REQUEST, .process = from, .number = op.request, .message = number };
    HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
}

static void
irecv(program *p, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag)
{
    bool         is_persistent = chance(p, 20);
    tw_op        op;
    open_request request;
    size_t       first;

    if (is_persistent)
        plain_call(p, target, "MPI_Recv_init");
    op      = (tw_op){ .process = target, .op = is_persistent ? TW_START_RECV : TW_IRECV, .enter = lane_of(p, target)->now,
                       .peer = rank_of(p, comm, target, source), .tag = tag, .comm = comm,
                       .request = request_number(p, target) };
    first   = channel_first(p, comm, source, target, tag);
    request = (open_request){ .kind = RECV_REQUEST, .process = target, .number = op.request, .message = first, .comm = comm,
                              .source = source, .tag = tag, .posted = op.enter };
    if (first != NO_MESSAGE) {
        p->messages[first].posted   = op.request;
        p->messages[first].received = op.enter;
    }
    HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
    call_add(p, op, op.enter + 1 + below(p, 3));
}

/* A blocking receive of a message that has been sent. */
static void
recv_message(program *p, size_t number)
{
    message *m  = &p->messages[number];
    tw_op    op = { .process = m->target, .op = TW_RECV, .enter = lane_of(p, m->target)->now,
                    .peer = rank_of(p, m->comm, m->target, m->source), .tag = m->tag, .bytes = m->bytes, .comm = m->comm };
    hd_time  arrival = m->sent + LATENCY;

    m->is_received = true;
    m->received    = op.enter;
    op.leave       = hd_time_max(op.enter + 1, arrival) + below(p, 4);
    op.record      = chance(p, 50) ? op.leave : 0;
    call_add(p, op, op.leave);
}

/* Any message that may be received now: first of its channel, and no receive posted there. As a wildcard would do. */
static bool
recv_any(program *p, uint32_t target)
{
    size_t   start = p->n_messages == 0 ? 0 : below(p, (uint32_t)p->n_messages);

    for (size_t k = 0; k < p->n_messages; k++) {
        size_t   i = (start + k) % p->n_messages;
        message *m = &p->messages[i];

        if (m->target == target && !m->is_received && m->posted == 0 &&
            channel_first(p, m->comm, m->source, m->target, m->tag) == i &&
            !channel_is_posted(p, m->comm, m->source, m->target, m->tag)) {
            recv_message(p, i);
            return true;
        }
    }
    return false;
}

/* Sender and receiver meet. Needs an empty channel. */
static void
send_synchronous(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag)
{
    uint64_t bytes = random_bytes(p);
    tw_op    send  = { .process = from, .op = chance(p, 60) ? TW_SSEND : TW_SEND, .peer = rank_of(p, comm, from, to),
                       .tag = tag, .bytes = bytes, .comm = comm };
    tw_op    recv  = { .process = to, .op = TW_RECV, .peer = rank_of(p, comm, to, from), .tag = tag, .bytes = bytes,
                       .comm = comm };
    hd_time  both;

    if (from == to || channel_first(p, comm, from, to, tag) != NO_MESSAGE || channel_is_posted(p, comm, from, to, tag))
        return;
    send.enter = lane_of(p, from)->now;
    recv.enter = lane_of(p, to)->now;
    both       = hd_time_max(send.enter, recv.enter) + LATENCY;
    call_add(p, send, both + below(p, 4));
    call_add(p, recv, both + below(p, 4));
}

/* Everybody of a communicator sends to the next and receives from the one before. */
static void
shift(program *p, uint32_t comm)
{
    const comm_place *place = &p->comms[comm];
    uint32_t          n     = place->n, tag = ODD_TAG;
    size_t            numbers[MOST_PROCESSES];

    if (comm == TW_SELF || place->n_remote > 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = message_add(p, comm, place->processes[i], place->processes[(i + 1) % n], tag, random_bytes(p), true);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t me     = place->processes[i];
        message *coming = &p->messages[numbers[(i + n - 1) % n]];
        message *going  = &p->messages[numbers[i]];
        tw_op    op     = { .process = me, .op = TW_SENDRECV, .enter = lane_of(p, me)->now, .peer = (i + 1) % n, .tag = tag,
                            .bytes = going->bytes, .comm = comm, .from = (i + n - 1) % n, .from_tag = tag,
                            .received = coming->bytes };

        if (chance(p, 20))
            op.region = "MPI_Sendrecv_replace";
        coming->is_received = true;
        call_add(p, op, hd_time_max(op.enter + 1, coming->sent + LATENCY) + below(p, 4));
    }
}

/* ----------------------------------------------------------------------------------------------------------- requests */

/* Whether an open receive of the same channel was posted before. */
static bool
has_earlier(const program *p, size_t number)
{
    const open_request *r = &p->requests[number];

    for (size_t i = 0; i < number; i++) {
        const open_request *other = &p->requests[i];

        if (other->kind == RECV_REQUEST && !other->is_done && other->process == r->process && other->comm == r->comm &&
            other->source == r->source && other->tag == r->tag)
            return true;
    }
    return false;
}

/* When a request can be complete at the earliest; false: not by what has happened so far. */
static bool
completion_time(const program *p, size_t number, hd_time *time)
{
    const open_request *r = &p->requests[number];
    const message      *m;

    if (r->kind == COLL_REQUEST) {
        *time = r->ready;
        return true;
    }
    if (r->message == NO_MESSAGE)
        return false;
    m = &p->messages[r->message];
    if (r->kind == RECV_REQUEST)
        *time = m->sent + LATENCY;
    else if (m->is_eager)
        *time = m->sent + 1;
    else if (m->is_received || m->posted != 0)
        *time = hd_time_max(m->sent, m->received) + LATENCY;
    else
        return false;
    return true;
}

static void
request_finish(program *p, size_t number)
{
    open_request *r = &p->requests[number];

    r->is_done = true;
    if (r->kind == RECV_REQUEST)
        p->messages[r->message].is_received = true;
}

/* The receive records carry what was sent, so the op of the post gets it. */
static void
post_fill(program *p, size_t number)
{
    const open_request *r = &p->requests[number];

    if (r->kind != RECV_REQUEST)
        return;
    for (size_t i = p->n_ops; i-- > 0;)
        if (p->ops[i].process == r->process && p->ops[i].request == r->number &&
            (p->ops[i].op == TW_IRECV || p->ops[i].op == TW_START_RECV)) {
            p->ops[i].bytes = p->messages[r->message].bytes;
            return;
        }
}

/* Unsuccessful tests until it is complete, then a successful one. */
static void
test_until(program *p, size_t number, hd_time ready)
{
    open_request *r    = &p->requests[number];
    tw_kind       kind = (tw_kind)(TW_TEST + below(p, 4));

    for (int i = 0; i < 3 && lane_of(p, r->process)->now + 2 < ready; i++) {
        tw_op op = { .process = r->process, .op = kind, .enter = lane_of(p, r->process)->now, .request = r->number,
                     .unsuccessful = true };

        call_add(p, op, op.enter + 1);
        lane_of(p, r->process)->now += below(p, 6);
    }
    lane_of(p, r->process)->now = hd_time_max(lane_of(p, r->process)->now, ready);
    post_fill(p, number);
    call_add(p, (tw_op){ .process = r->process, .op = kind, .enter = lane_of(p, r->process)->now, .request = r->number },
             lane_of(p, r->process)->now + 1 + below(p, 2));
    request_finish(p, number);
}

/* Completes open requests of a process: one, or several in one call. False: none can be. */
static bool
complete_some(program *p, uint32_t process, bool all)
{
    uint32_t *list = NULL;
    size_t    n = 0, capacity = 0;
    hd_time   ready = lane_of(p, process)->now + 1, last = 0;
    uint32_t  wanted = all ? 64 : chance(p, 50) ? 1 : 2 + below(p, 4);
    tw_kind   kind;
    tw_op     op;

    for (size_t i = 0; i < p->n_requests && n < wanted; i++) {
        open_request *r = &p->requests[i];

        if (r->is_done || r->process != process || !completion_time(p, i, &last))
            continue;
        if (r->kind == RECV_REQUEST && has_earlier(p, i))
            continue;
        if (!all && chance(p, 30))
            continue;
        if (wanted == 1 && chance(p, 35)) {
            test_until(p, i, last);
            return true;
        }
        ready = hd_time_max(ready, last);
        HD_PUSH(list, n, capacity, r->number);
        post_fill(p, i);
        request_finish(p, i); /* so that the next one of its channel may follow in the same call */
    }
    if (n == 0)
        return false;
    kind = n > 1 ? (chance(p, 70) ? TW_WAITALL : TW_WAITSOME) : chance(p, 70) ? TW_WAIT : TW_WAITANY;
    HD_PUSH(list, n, capacity, 0);
    op = (tw_op){ .process = process, .op = kind, .enter = lane_of(p, process)->now, .requests = list };
    call_add(p, op, ready + below(p, 4));
    return true;
}

/* A receive that nothing is ever sent for, or a send that nobody receives: cancelled. */
static void
cancel_one(program *p)
{
    uint32_t comm, from, to, request;
    bool     is_send = chance(p, 50);
    tw_op    op;

    pair_draw(p, &comm, &from, &to);
    request = request_number(p, from);
    op      = (tw_op){ .process = from, .op = is_send ? TW_ISSEND : TW_IRECV, .enter = lane_of(p, from)->now, .comm = comm,
                       .peer = rank_of(p, comm, from, to), .tag = 99, .bytes = random_bytes(p), .request = request };
    call_add(p, op, op.enter + 1 + below(p, 3));
    plain_call(p, from, "MPI_Cancel");
    call_add(p, (tw_op){ .process = from, .op = TW_WAIT, .enter = lane_of(p, from)->now, .request = request, .cancelled = true },
             lane_of(p, from)->now + 1 + below(p, 3));
}

/* -------------------------------------------------------------------------------------------------------- collectives */

typedef struct collective_step {
    uint32_t      comm, root; /* root: process, of the first group of an inter-communicator */
    uint32_t      members[MOST_PROCESSES], n;
    uint64_t      bytes;
    tw_collective operation;
    hd_time       enter[MOST_PROCESSES], ready[MOST_PROCESSES];
} collective_step;

static bool
is_in_first_group(const program *p, const collective_step *step, uint32_t process)
{
    return find(p->comms[step->comm].processes, p->comms[step->comm].n, process) != HD_NONE;
}

/* The root as the record of a member has it. */
static uint32_t
root_for(const program *p, const collective_step *step, uint32_t process)
{
    if (p->comms[step->comm].n_remote == 0)
        return step->comm == TW_SELF ? 0 : find(p->comms[step->comm].processes, p->comms[step->comm].n, step->root);
    if (process == step->root)
        return TW_ROOT_SELF;
    return is_in_first_group(p, step, process) ? TW_ROOT_THIS_GROUP : rank_of(p, step->comm, process, step->root);
}

/* When each member can leave, by the class of the operation. */
static void
collective_times(const program *p, collective_step *step)
{
    hd_time latest = 0, root = 0;
    bool    to_root = false, from_root = false, is_prefix;

    for (uint32_t i = 0; i < step->n; i++) {
        latest = hd_time_max(latest, step->enter[i]);
        if (step->members[i] == step->root)
            root = step->enter[i];
    }
    is_prefix = step->operation == TW_COLL_SCAN || step->operation == TW_COLL_EXSCAN;
    from_root = step->operation == TW_COLL_BCAST || step->operation == TW_COLL_SCATTER || step->operation == TW_COLL_SCATTERV;
    to_root   = step->operation == TW_COLL_GATHER || step->operation == TW_COLL_GATHERV || step->operation == TW_COLL_REDUCE;
    for (uint32_t i = 0; i < step->n; i++) {
        hd_time needed = latest;

        if (from_root)
            needed = root;
        if (to_root && step->members[i] != step->root)
            needed = 0;
        if (is_prefix) {
            needed = 0;
            for (uint32_t k = 0; k <= i; k++)
                needed = hd_time_max(needed, step->enter[k]);
        }
        if (p->comms[step->comm].n_remote > 0 && (from_root || to_root) && is_in_first_group(p, step, step->members[i]) &&
            step->members[i] != step->root)
            needed = 0; /* takes no part */
        step->ready[i] = hd_time_max(step->enter[i], needed) + LATENCY;
    }
}

static void
collective(program *p)
{
    collective_step step          = { .comm = chance(p, 50) ? TW_WORLD : below(p, p->n_comms) };
    bool            is_inter      = p->comms[step.comm].n_remote > 0;
    bool            is_non_block  = chance(p, 35);
    bool            is_one_silent = chance(p, 20);
    uint32_t        silent;

    step.operation = (tw_collective)below(p, TW_COLL_REDUCE_SCATTER_BLOCK + 1);
    if (is_inter && (step.operation == TW_COLL_SCAN || step.operation == TW_COLL_EXSCAN))
        step.operation = TW_COLL_ALLREDUCE;
    if (step.comm == TW_SELF) {
        step.members[0] = below(p, p->n_processes);
        step.n          = 1;
        step.root       = step.members[0];
    } else {
        step.n    = members_of(p, step.comm, step.members);
        step.root = p->comms[step.comm].processes[below(p, p->comms[step.comm].n)];
    }
    step.bytes = random_bytes(p);
    silent     = below(p, step.n);
    for (uint32_t i = 0; i < step.n; i++) {
        wander(p, step.members[i]);
        step.enter[i] = lane_of(p, step.members[i])->now;
    }
    collective_times(p, &step);
    for (uint32_t i = 0; i < step.n; i++) {
        uint32_t process = step.members[i];
        tw_op    op      = { .process = process, .enter = step.enter[i], .comm = step.comm, .bytes = step.bytes,
                             .root = root_for(p, &step, process) };

        if (is_one_silent && i == silent && (step.operation == TW_COLL_ALLGATHERV || step.operation == TW_COLL_GATHERV ||
                                             step.operation == TW_COLL_ALLTOALLV)) {
            op.sent     = TW_NOTHING;
            op.received = step.operation == TW_COLL_GATHERV ? 0 : 8;
        }
        if (is_non_block) {
            open_request request = { .kind = COLL_REQUEST, .process = process, .message = NO_MESSAGE, .ready = step.ready[i] };

            op.op          = (tw_kind)(TW_IBARRIER + step.operation);
            op.request     = request_number(p, process);
            request.number = op.request;
            call_add(p, op, op.enter + 1 + below(p, 3));
            if (chance(p, 50)) { /* at once; the others wait for it some time later */
                pass_time(p, process);
                request.is_done = true;
                op = (tw_op){ .process = process, .op = TW_WAIT, .enter = lane_of(p, process)->now, .request = request.number };
                call_add(p, op, hd_time_max(op.enter + 1, request.ready) + below(p, 4));
            }
            HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
            continue;
        }
        op.op    = (tw_kind)(TW_BARRIER + step.operation);
        op.leave = step.ready[i] + below(p, 5);
        op.begin = op.enter + below(p, 2);
        op.end   = op.leave - (op.leave > op.begin ? below(p, 2) : 0);
        call_add(p, op, op.leave);
    }
}

/* ------------------------------------------------------------------------------------------------------------ program */

void
random_step(program *p)
{
    uint32_t comm, from, to, tag = below(p, N_TAGS), kind = below(p, 20);

    caller_draw(p, kind > 2 && (kind < 8 || kind > 10)); /* plain sends and receives of several threads may overlap */
    pair_draw(p, &comm, &from, &to);
    wander(p, from);
    wander(p, to);
    switch (kind) {
    case 0:
    case 1:
    case 2:
        send_eager(p, comm, from, to, tag);
        break;
    case 3:
        send_synchronous(p, comm, from, to, tag);
        break;
    case 4:
    case 5:
        isend(p, comm, from, to, tag);
        break;
    case 6:
    case 7:
        /* Only if a message is there or will be sent at once: an open receive would hold up the end otherwise. */
        if (channel_first(p, comm, from, to, tag) == NO_MESSAGE) {
            irecv(p, comm, from, to, tag);
            if (chance(p, 30) && from != to)
                wander(p, from);
            if (chance(p, 60))
                send_eager(p, comm, from, to, tag);
            else
                isend(p, comm, from, to, tag);
        } else {
            irecv(p, comm, from, to, tag);
        }
        break;
    case 8:
    case 9:
    case 10:
        recv_any(p, to);
        break;
    case 11:
    case 12:
        complete_some(p, to, false);
        break;
    case 13:
        shift(p, comm);
        break;
    case 14:
        collective(p);
        break;
    case 15:
        cancel_one(p);
        break;
    default:
        collective(p);
        break;
    }
}

/* Receives what is under way and completes what is open: each round makes something complete. */
static void
drain(program *p)
{
    bool goes_on = true;

    while (goes_on) {
        goes_on = false;
        for (uint32_t i = 0; i < p->n_processes; i++) {
            pass_time(p, i);
            caller_waits(p, i);
            goes_on |= recv_any(p, i);
            goes_on |= complete_some(p, i, chance(p, 50));
        }
        /* complete_some() may pass over requests by chance. */
        for (size_t i = 0; i < p->n_requests; i++)
            goes_on |= !p->requests[i].is_done;
    }
}

static void
comms_draw(program *p, tw_comm *comms)
{
    uint32_t n = p->n_processes;

    p->n_comms = 2;
    for (uint32_t i = 0; i < n; i++)
        p->comms[TW_WORLD].processes[i] = i;
    p->comms[TW_WORLD].n = n;
    p->comms[TW_SELF].n  = 1;
    for (uint32_t k = below(p, 4); k > 0; k--) { /* sub-communicators, in any order of ranks */
        comm_place *place = &p->comms[p->n_comms++];

        for (uint32_t i = 0; i < n; i++)
            if (chance(p, 70))
                place->processes[place->n++] = i;
        if (place->n == 0)
            place->processes[place->n++] = below(p, n);
        for (uint32_t i = place->n; i > 1; i--) {
            uint32_t j = below(p, i), swap = place->processes[j];

            place->processes[j]     = place->processes[i - 1];
            place->processes[i - 1] = swap;
        }
    }
    if (chance(p, 40)) {
        comm_place *place = &p->comms[p->n_comms++];
        uint32_t    cut   = 1 + below(p, n - 1);

        for (uint32_t i = 0; i < n; i++) {
            if (i < cut)
                place->processes[place->n++] = i;
            else
                place->remote[place->n_remote++] = i;
        }
    }
    for (uint32_t i = 2; i < p->n_comms; i++)
        comms[i - 2] = (tw_comm){ .name      = NULL,
                                  .processes = p->comms[i].processes,
                                  .n         = p->comms[i].n,
                                  .remote    = p->comms[i].n_remote > 0 ? p->comms[i].remote : NULL,
                                  .n_remote  = p->comms[i].n_remote };
}

void
together(program *p, tw_kind kind, uint32_t comm, uint32_t window)
{
    uint32_t members[MOST_PROCESSES], n = members_of(p, comm, members);
    hd_time  latest = 0;

    for (uint32_t i = 0; i < n; i++) {
        pass_time(p, members[i]);
        caller_waits(p, members[i]);
        latest = hd_time_max(latest, lane_of(p, members[i])->now);
    }
    for (uint32_t i = 0; i < n; i++) {
        tw_op op = { .process = members[i], .op = kind, .enter = lane_of(p, members[i])->now, .comm = comm,
                     .window = window };

        if (p->comms[comm].n_remote > 0 && kind == TW_COMM_CREATE)
            op.region = "MPI_Intercomm_create";
        call_add(p, op, latest + LATENCY + below(p, 5));
    }
}

/* A program without MPI. */
static void
scenes_make(program *p)
{
    for (uint32_t i = 1 + below(p, 6); i > 0; i--) {
        wander(p, 0);
        threads_scene(p, 0, false);
    }
    functions_leave(p, 0);
}

static void
program_make(program *p)
{
    uint32_t n_steps = 15 + below(p, p->with_windows ? 160 : 100);

    together(p, TW_INIT, TW_WORLD, 0);
    for (uint32_t i = 2; i < p->n_comms; i++)
        together(p, TW_COMM_CREATE, i, 0);
    for (uint32_t i = 0; i < n_steps; i++) {
        if (p->n_lanes > 1 && chance(p, 10))
            threads_scene(p, below(p, p->n_processes), true);
        if (p->with_windows && chance(p, 65))
            window_step(p);
        else
            random_step(p);
    }
    windows_close(p);
    drain(p);
    windows_free(p);
    for (uint32_t i = 0; i < p->n_processes; i++)
        functions_leave(p, i);
    for (uint32_t i = 2; i < p->n_comms; i++)
        if (chance(p, 50))
            together(p, TW_COMM_FREE, i, 0);
    together(p, TW_FINALIZE, TW_WORLD, 0);
}

/* Times of a process that its clock shows too early or too late, although it was measured. */
static void
clocks_distort(program *p)
{
    hd_time error[MOST_PROCESSES];

    for (uint32_t i = 0; i < p->n_processes; i++)
        error[i] = below(p, 30);
    for (size_t i = 0; i < p->n_ops; i++) {
        tw_op  *op   = &p->ops[i];
        hd_time more = error[op->process];

        op->enter += more;
        op->leave += more;
        op->record += op->record == 0 ? 0 : more;
        op->begin += op->begin == 0 ? 0 : more;
        op->end += op->end == 0 ? 0 : more;
    }
}

static void
clocks_draw(program *p, tw_clock_offset offsets[][2], tw_clock *clocks)
{
    for (uint32_t i = 0; i < p->n_processes; i++) {
        int64_t  ahead = i == 0 ? 0 : (int64_t)below(p, 5000) - 2500;
        uint64_t start = (uint64_t)(3000 + ahead);
        int64_t  gain  = i == 0 ? 0 : (int64_t)below(p, 40); /* a clock that is fast: every right time can be hit */

        offsets[i][0] = (tw_clock_offset){ .time = start, .offset = -ahead };
        offsets[i][1] = (tw_clock_offset){ .time = start + 4000, .offset = -ahead - gain };
        clocks[i]     = (tw_clock){ .offsets = offsets[i], .n = 2 };
    }
}

/* The teams of the program, for the writer. */
static void
teams_list(const program *p, tw_team *teams)
{
    for (uint32_t i = 0; i < p->n_teams; i++)
        teams[i] = (tw_team){ .process = p->teams[i].process, .threads = p->teams[i].lanes, .n = p->teams[i].n };
}

static void
windows_list(const program *p, tw_window *windows)
{
    for (uint32_t i = 0; i < p->n_windows; i++)
        windows[i] = (tw_window){ .comm = p->windows[i].comm };
}

/* A time limit, which some processes do not come to, as they crash before, and others outlive. */
static void
stop_processes(program *p)
{
    uint32_t n     = p->n_lanes + p->n_devices;
    hd_time  limit = 0;

    for (size_t i = 0; i < p->n_ops; i++)
        limit = hd_time_max(limit, p->ops[i].leave);
    limit = 1 + below(p, (uint32_t)limit);
    for (uint32_t i = 0; i < p->n_processes; i++) {
        uint32_t kind = below(p, 10);
        hd_time  end  = kind < 6 ? limit : kind < 9 ? 1 + below(p, (uint32_t)limit) : UINT64_MAX;

        for (uint32_t k = 0; k < n; k++)
            p->ends[i * n + k] = hd_time_min(p->ends[i * n + k], end);
    }
}

static void
program_write(program *p, const char *directory)
{
    tw_options      options = { 0 };
    tw_comm         comms[MOST_COMMS];
    tw_team         teams[MOST_TEAMS];
    tw_window       windows[MOST_WINDOWS];
    tw_clock_offset offsets[MOST_PROCESSES][2];
    tw_clock        clocks[MOST_PROCESSES];

    if (p->with_mpi) {
        comms_draw(p, comms);
        if (p->with_windows)
            windows_draw(p);
        program_make(p);
        options.comms   = comms;
        options.n_comms = p->n_comms - 2;
    } else {
        scenes_make(p);
    }
    loose_ends(p);
    if (p->is_stopped)
        stop_processes(p);
    teams_list(p, teams);
    windows_list(p, windows);
    options.windows               = windows;
    options.n_windows             = p->n_windows;
    options.teams                 = teams;
    options.n_teams               = p->n_teams;
    options.ends                  = p->ends;
    options.archive.n_processes   = p->n_processes;
    options.archive.n_threads     = p->n_lanes;
    options.archive.n_devices     = p->n_devices;
    options.archive.with_mappings = chance(p, 50);
    if (!p->with_windows && chance(p, 50))
        clocks_distort(p);
    if (chance(p, 60)) {
        clocks_draw(p, offsets, clocks);
        options.clocks = clocks;
    }
    tw_write(p->ops, p->n_ops, &options, directory);
}

int
main(int argc, char **argv)
{
    program p    = { .n_lanes = 1, .with_mpi = true };
    bool    with_threads = argc >= 4 && strcmp(argv[3], "threads") == 0;

    p.with_windows = argc >= 4 && strcmp(argv[3], "rma") == 0;
    p.is_stopped   = argc >= 4 && strcmp(argv[argc - 1], "stopped") == 0;
    if (argc < 3 || argc != 3 + (with_threads || p.with_windows) + p.is_stopped) {
        fprintf(stderr, "usage: tw_random SEED DIRECTORY [threads|rma] [stopped]\n");
        return 2;
    }
    p.random = strtoull(argv[1], NULL, 10) * UINT64_C(0x2545F4914F6CDD1D) + 1;
    if (with_threads)
        threads_draw(&p);
    p.n_processes = p.with_mpi ? 2 + below(&p, with_threads ? 3 : MOST_PROCESSES - 1) : 1;
    program_write(&p, argv[2]);
    for (size_t i = 0; i < p.n_ops; i++) {
        free((void *)(uintptr_t)p.ops[i].requests);
        free((void *)(uintptr_t)p.ops[i].group);
    }
    free(p.ops);
    free(p.messages);
    free(p.requests);
    return 0;
}
