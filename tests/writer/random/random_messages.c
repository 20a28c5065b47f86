/* tests/writer/random/random_messages.c: messages and requests of a random program; its rules are in
 * random_program.c. */
#include "random_program.h"

enum { ODD_TAG = 77 };

/* -----------------------------------------------------------------------------------------------------------
 * messages */

static bool
same_channel(const message *m, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag)
{
    return m->comm == comm && m->source == source && m->target == target && m->tag == tag;
}

/* The first message of the channel that no receive has been given; NO_MESSAGE if there is none. */
size_t
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

uint32_t
request_number(program *p, uint32_t process)
{
    return ++p->next_request[process];
}

/* A send that needs no receive to go on: standard and short, or buffered. */
void
send_eager(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag)
{
    uint64_t bytes = random_bytes(p);
    tw_op    op    = { .process = from, .op = chance(p, 30) ? TW_BSEND : TW_SEND, .enter = lane_of(p, from)->now,
                       .peer = rank_of(p, comm, from, to), .tag = tag, .bytes = bytes, .comm = comm };

    message_add(p, comm, from, to, tag, bytes, true);
    call_add(p, op, op.enter + 1 + below(p, 4));
}

void
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
    op     = (tw_op){ .process = from, .op = kind, .enter = lane_of(p, from)->now, .peer = rank_of(p, comm, from, to),
                      .tag = tag, .bytes = bytes, .comm = comm, .request = request_number(p, from) };
    number = message_add(p, comm, from, to, tag, bytes, kind != TW_ISSEND && chance(p, 70));
    p->messages[number].request = op.request;
    call_add(p, op, op.enter + 1 + below(p, 3));
    if (kind != TW_ISSEND && chance(p, 8)) { /* its completion is never asked for */
        p->messages[number].is_eager = true;
        plain_call(p, from, "MPI_Request_free");
        return;
    }
    request = (open_request){ .kind = SEND_REQUEST, .process = from, .number = op.request, .message = number };
    HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
}

void
irecv(program *p, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag)
{
    bool         is_persistent = chance(p, 20);
    tw_op        op;
    open_request request;
    size_t       first;

    if (is_persistent)
        plain_call(p, target, "MPI_Recv_init");
    op      = (tw_op){ .process = target, .op = is_persistent ? TW_START_RECV : TW_IRECV,
                       .enter = lane_of(p, target)->now,
                       .peer = rank_of(p, comm, target, source), .tag = tag, .comm = comm,
                       .request = request_number(p, target) };
    first   = channel_first(p, comm, source, target, tag);
    request = (open_request){ .kind = RECV_REQUEST, .process = target, .number = op.request, .message = first,
                              .comm = comm, .source = source, .tag = tag, .posted = op.enter };
    if (first != NO_MESSAGE) {
        p->messages[first].posted   = op.request;
        p->messages[first].received = op.enter;
    }
    HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
    call_add(p, op, op.enter + 1 + below(p, 3));
}

/* Probes until a message is there: one, or more of them, in vain. */
static void
probe_until(program *p, uint32_t process, hd_time ready)
{
    static const char *const probes[] = { "MPI_Iprobe", "MPI_Probe", "MPI_Improbe" };

    for (uint32_t i = 0; i < 3 && (i == 0 || lane_of(p, process)->now + 2 < ready); i++) {
        tw_op op = { .process = process, .op = TW_USER, .enter = lane_of(p, process)->now, .region = probes[i] };

        call_add(p, op, op.enter + 1);
        lane_of(p, process)->now += i;
    }
}

/* A blocking receive of a message that has been sent. */
static void
recv_message(program *p, size_t number)
{
    message *m = &p->messages[number];
    tw_op    op;

    if (number % 3 == 0)
        probe_until(p, m->target, m->sent + LATENCY);
    op = (tw_op){ .process = m->target, .op = TW_RECV, .enter = lane_of(p, m->target)->now,
                  .peer = rank_of(p, m->comm, m->target, m->source), .tag = m->tag, .bytes = m->bytes,
                  .comm = m->comm };
    m->is_received = true;
    m->received    = op.enter;
    op.leave       = hd_time_max(op.enter + 1, m->sent + LATENCY) + below(p, 4);
    op.record      = chance(p, 50) ? op.leave : 0;
    call_add(p, op, op.leave);
}

/* Any message that may be received now: first of its channel that no posted receive has. As a wildcard would do. */
bool
recv_any(program *p, uint32_t target)
{
    size_t   start = p->n_messages == 0 ? 0 : below(p, (uint32_t)p->n_messages);

    for (size_t k = 0; k < p->n_messages; k++) {
        size_t   i = (start + k) % p->n_messages;
        message *m = &p->messages[i];

        if (m->target == target && !m->is_received && m->posted == 0 &&
            channel_first(p, m->comm, m->source, m->target, m->tag) == i &&
            (!channel_is_posted(p, m->comm, m->source, m->target, m->tag) || chance(p, 50))) {
            recv_message(p, i);
            return true;
        }
    }
    return false;
}

/* Sender and receiver meet. Needs an empty channel. */
void
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
void
shift(program *p, uint32_t comm)
{
    const comm_place *place = &p->comms[comm];
    uint32_t          n     = place->n, tag = ODD_TAG;
    size_t            numbers[MAX_PROCESSES];

    if (comm == TW_SELF || place->n_remote > 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = message_add(p, comm, place->processes[i], place->processes[(i + 1) % n], tag, random_bytes(p),
                                 true);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t me     = place->processes[i];
        message *coming = &p->messages[numbers[(i + n - 1) % n]];
        message *going  = &p->messages[numbers[i]];
        tw_op    op     = { .process = me, .op = TW_SENDRECV, .enter = lane_of(p, me)->now, .peer = (i + 1) % n,
                            .tag = tag, .bytes = going->bytes, .comm = comm, .from = (i + n - 1) % n, .from_tag = tag,
                            .received = coming->bytes };

        if (chance(p, 20))
            op.region = "MPI_Sendrecv_replace";
        coming->is_received = true;
        call_add(p, op, hd_time_max(op.enter + 1, coming->sent + LATENCY) + below(p, 4));
    }
}

/* -----------------------------------------------------------------------------------------------------------
 * requests */

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
    call_add(p, (tw_op){ .process = r->process, .op = kind, .enter = lane_of(p, r->process)->now,
                         .request = r->number },
             lane_of(p, r->process)->now + 1 + below(p, 2));
    request_finish(p, number);
}

static void
reverse(uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t first = list[i];

        list[i]         = list[n - 1 - i];
        list[n - 1 - i] = first;
    }
}

/* Completes open requests of a process, not always in the order in which they were started: one, or several in one
 * call. False: none can be. */
bool
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
        if (r->kind == RECV_REQUEST && has_earlier(p, i) && chance(p, 50))
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
    if (n > 1 && chance(p, 30))
        reverse(list, n);
    kind = n > 1 ? (chance(p, 70) ? TW_WAITALL : TW_WAITSOME) : chance(p, 70) ? TW_WAIT : TW_WAITANY;
    HD_PUSH(list, n, capacity, 0);
    op = (tw_op){ .process = process, .op = kind, .enter = lane_of(p, process)->now, .requests = list };
    call_add(p, op, ready + below(p, 4));
    return true;
}

/* A receive that nothing is ever sent for, or a send that is never received: cancelled. */
void
cancel_one(program *p)
{
    uint32_t comm, from, to, request;
    bool     is_send = chance(p, 50);
    tw_op    op;

    pair_draw(p, &comm, &from, &to);
    request = request_number(p, from);
    op      = (tw_op){ .process = from, .op = is_send ? TW_ISSEND : TW_IRECV, .enter = lane_of(p, from)->now,
                       .comm = comm,
                       .peer = rank_of(p, comm, from, to), .tag = 99, .bytes = random_bytes(p), .request = request };
    call_add(p, op, op.enter + 1 + below(p, 3));
    plain_call(p, from, "MPI_Cancel");
    call_add(p, (tw_op){ .process = from, .op = TW_WAIT, .enter = lane_of(p, from)->now, .request = request,
                         .cancelled = true },
             lane_of(p, from)->now + 1 + below(p, 3));
}
