#include "situation.h"

#include <stdio.h>

#include "memory.h"
#include "rma_operations.h"

#define CALL_NAME(kind, name) name,
static const char *const names[TW_N_KINDS] = { TW_CALLS(CALL_NAME) };
#undef CALL_NAME

static const uint32_t root_of_none[] = {
    [TW_COLL_BARRIER] = 1,   [TW_COLL_ALLGATHER] = 1, [TW_COLL_ALLGATHERV] = 1,     [TW_COLL_ALLTOALL] = 1,
    [TW_COLL_ALLTOALLV] = 1, [TW_COLL_ALLTOALLW] = 1, [TW_COLL_ALLREDUCE] = 1,      [TW_COLL_REDUCE_SCATTER] = 1,
    [TW_COLL_SCAN] = 1,      [TW_COLL_EXSCAN] = 1,    [TW_COLL_REDUCE_SCATTER_BLOCK] = 1
};

typedef enum record_type {
    R_SEND,
    R_RECV,
    R_ISEND,
    R_ISEND_COMPLETE,
    R_IRECV_REQUEST,
    R_IRECV,
    R_TEST,
    R_CANCELLED,
    R_COLL_BEGIN,
    R_COLL_END,
    R_NBC_REQUEST,
    R_NBC_COMPLETE,
    R_COMM_CREATE,
    R_COMM_DESTROY,
    R_FLUSH,
    R_OFF,
    R_ON,
    R_FORK,
    R_JOIN,
    R_ACQUIRE,
    R_RELEASE,
    R_ACQUIRE_NEXT,
    R_THREAD_CREATE,
    R_THREAD_WAIT,
    R_TASK_CREATE,
    R_TASK_SWITCH,
    R_TASK_COMPLETE,
    R_WIN_CREATE, /* from here on: of windows */
    R_WIN_DESTROY,
    R_RMA_BEGIN,
    R_RMA_END,
    R_GROUP_SYNC,
    R_REQUEST_LOCK,
    R_ACQUIRE_LOCK,
    R_RELEASE_LOCK,
    R_OPERATION,
    R_COMPLETE_BLOCKING,
    R_COMPLETE_NON_BLOCKING,
    R_COMPLETE_REMOTE,
    R_WAIT_CHANGE
} record_type;

typedef struct record {
    hd_time      time;
    record_type  type;
    uint32_t     comm;
    const tw_op *op;       /* whose arguments it carries: for completions the call that started the request */
    uint64_t     matching; /* of operations on windows and their completions */
} record;

typedef struct records {
    record *rows;
    size_t  n, capacity;
} records;

/* The calls of one thread, sorted so that each call stands before those nested in it. */
typedef struct thread_ops {
    const tw_op      **ops;
    size_t             n, next;
    const tw_op       *all;
    size_t             n_all;
    const tw_options  *options;
    uint32_t           n_processes;
    const uint32_t    *teams; /* communicators: of all threads of each process, then those of the options */
    uint32_t           contingent;
    const tw_window   *windows; /* [n_windows] */
    const uint32_t    *window_numbers;
    uint32_t           n_windows;
    rma_operations    *operations;
    hd_time            last; /* that is recorded */
    tw_archive        *archive;
    tw_location       *location;
} thread_ops;

_Noreturn static void
fail_op(const tw_op *op, const char *what)
{
    fprintf(stderr, "situation: process %" PRIu32 ", %s from %" PRIu64 " to %" PRIu64 ": %s\n", op->process,
            op->region == NULL ? names[op->op] : op->region, op->enter, op->leave, what);
    exit(1);
}

static bool
is_moment(const tw_op *op)
{
    return op->op >= TW_ENTER && op->op <= TW_TASK_COMPLETE;
}

static hd_time
leave_of(const tw_op *op)
{
    return is_moment(op) ? op->enter : op->leave;
}

static bool
is_start(tw_kind kind)
{
    return (kind >= TW_ISEND && kind <= TW_START_SEND) || kind == TW_IRECV || kind == TW_START_RECV ||
           kind == TW_RPUT || kind == TW_RGET || (kind >= TW_IBARRIER && kind <= TW_IREDUCE_SCATTER_BLOCK);
}

static const tw_op *
start_of(const thread_ops *thread, const tw_op *completion, uint32_t request)
{
    const tw_op *best = NULL;

    for (size_t i = 0; i < thread->n_all; i++) {
        const tw_op *op = &thread->all[i];

        if (op->process == completion->process && is_start(op->op) && op->request == request &&
            op->enter <= completion->enter && (best == NULL || op->enter >= best->enter))
            best = op;
    }
    if (best == NULL)
        fail_op(completion, "completes a request that was not started");
    return best;
}

static void
row_add(records *list, record row)
{
    size_t i;

    HD_PUSH(list->rows, list->n, list->capacity, row);
    for (i = list->n - 1; i > 0 && list->rows[i - 1].time > row.time; i--) /* nearly sorted */
        list->rows[i] = list->rows[i - 1];
    list->rows[i] = row;
}

static void
record_add(records *list, hd_time time, record_type type, const tw_op *op, uint32_t comm)
{
    row_add(list, (record){ .time = time, .type = type, .op = op, .comm = comm });
}

static void
rma_record_add(records *list, hd_time time, record_type type, const tw_op *op, uint64_t matching)
{
    row_add(list, (record){ .time = time, .type = type, .op = op, .matching = matching });
}

static hd_time
time_or(hd_time given, hd_time otherwise)
{
    return given != 0 ? given : otherwise;
}

/* An operation on a window that has a request is complete at its origin. */
static void
rma_request_complete(records *list, const thread_ops *thread, const tw_op *op, const tw_op *start)
{
    rma_operation *operation = rma_operation_of_request(thread->operations, start->request);

    if (operation == NULL || operation->is_complete || op->unsuccessful)
        return;
    operation->is_complete = true;
    rma_record_add(list, time_or(op->record, op->leave), R_COMPLETE_NON_BLOCKING, start, operation->matching);
}

static void
completion_add(records *list, const thread_ops *thread, const tw_op *op, uint32_t request)
{
    const tw_op *start = start_of(thread, op, request);
    hd_time      time  = time_or(op->record, op->leave);

    if (start->op == TW_RPUT || start->op == TW_RGET)
        rma_request_complete(list, thread, op, start);
    else if (op->cancelled)
        record_add(list, time, R_CANCELLED, start, start->comm);
    else if (op->unsuccessful && start->op >= TW_IBARRIER)
        return; /* Score-P writes nothing then */
    else if (op->unsuccessful)
        record_add(list, time, R_TEST, start, start->comm);
    else if (start->op >= TW_IBARRIER)
        record_add(list, time, R_NBC_COMPLETE, start, start->comm);
    else if (start->op == TW_IRECV || start->op == TW_START_RECV)
        record_add(list, time, R_IRECV, start, start->comm);
    else
        record_add(list, time, R_ISEND_COMPLETE, start, start->comm);
}

static void
handle_records(records *list, const tw_op *op)
{
    record_add(list, time_or(op->begin, op->enter), R_COLL_BEGIN, op, op->comm);
    if (op->op == TW_INIT) {
        record_add(list, time_or(op->end, op->leave), R_COMM_CREATE, op, TW_WORLD);
        record_add(list, time_or(op->end, op->leave), R_COMM_CREATE, op, TW_SELF);
    } else if (op->op == TW_FINALIZE) {
        record_add(list, time_or(op->end, op->leave), R_COMM_DESTROY, op, TW_WORLD);
        record_add(list, time_or(op->end, op->leave), R_COMM_DESTROY, op, TW_SELF);
    } else {
        record_add(list, time_or(op->end, op->leave), op->op == TW_COMM_CREATE ? R_COMM_CREATE : R_COMM_DESTROY, op, op->comm);
    }
    record_add(list, time_or(op->end, op->leave), R_COLL_END, op, op->comm);
}

/* ------------------------------------------------------------------------------------------ one-sided communication */

static bool
is_of_windows(tw_kind kind)
{
    return kind >= TW_WIN_CREATE && kind <= TW_SHMEM_UNLOCK;
}

static const tw_window *
window_of(const thread_ops *thread, const tw_op *op)
{
    if (op->window >= thread->n_windows)
        fail_op(op, "a window that the options do not have");
    return &thread->windows[op->window];
}

/* What is known of operations after a call: that the origin may use its memory again, or that the target has them, too. At the
 * end of an epoch Score-P says the latter only of those that got something. */
typedef enum completeness { AT_ORIGIN, AT_TARGET, WITH_EPOCH } completeness;

/* The newest first, as Score-P does. */
static void
operations_complete(records *list, const thread_ops *thread, const tw_op *op, hd_time time, uint32_t target, completeness how)
{
    rma_operations *all = thread->operations;

    for (size_t i = all->n; i-- > 0;) {
        rma_operation *one = &all->rows[i];

        if (!rma_operation_is_of(one, op->window, target))
            continue;
        if (!one->is_complete)
            rma_record_add(list, time, R_COMPLETE_NON_BLOCKING, op, one->matching);
        if (how == AT_TARGET || (how == WITH_EPOCH && one->is_get))
            rma_record_add(list, time, R_COMPLETE_REMOTE, op, one->matching);
        one->is_complete = true;
    }
    if (how != AT_ORIGIN)
        rma_operations_drop(all, op->window, target);
}

/* The end of an epoch, with the record that says so. */
static void
epoch_end_records(records *list, const thread_ops *thread, const tw_op *op, record_type type, uint32_t target)
{
    bool    go_on = rma_operations_go_on(thread->operations, op->window, target);
    hd_time time  = time_or(op->record, go_on ? op->leave : op->enter);

    operations_complete(list, thread, op, time, target, type == R_RELEASE_LOCK ? AT_TARGET : WITH_EPOCH);
    rma_record_add(list, time, type, op, 0);
}

static void
rma_collective_records(records *list, const thread_ops *thread, const tw_op *op)
{
    hd_time         end = time_or(op->end, op->leave);
    rma_operations *all = thread->operations;

    rma_record_add(list, time_or(op->begin, op->enter), R_RMA_BEGIN, op, 0);
    if (op->op == TW_WIN_CREATE || op->op == TW_WIN_ALLOCATE)
        rma_record_add(list, end, R_WIN_CREATE, op, 0);
    else if (op->op == TW_WIN_FREE)
        rma_record_add(list, end, R_WIN_DESTROY, op, 0);
    else if (op->op == TW_FENCE)
        operations_complete(list, thread, op, end, TW_ALL_TARGETS, WITH_EPOCH);
    else if (op->op == TW_SHMEM_BARRIER && all->has_shmem_put) {
        rma_record_add(list, end, R_COMPLETE_REMOTE, op, all->shmem_matching++);
        all->has_shmem_put = false;
    }
    rma_record_add(list, end, R_RMA_END, op, 0);
}

static void
operation_records(records *list, const thread_ops *thread, const tw_op *op)
{
    bool     is_get  = op->op == TW_GET || op->op == TW_RGET || op->op == TW_GET_ACCUMULATE;
    uint32_t request = op->op == TW_RPUT || op->op == TW_RGET ? op->request : 0;

    rma_record_add(list, time_or(op->record, op->enter), R_OPERATION, op,
                   rma_operation_add(thread->operations, op->window, op->peer, is_get, request));
}

static void
shmem_operation_records(records *list, const thread_ops *thread, const tw_op *op)
{
    uint64_t matching = thread->operations->shmem_matching;

    thread->operations->has_shmem_put |= op->op == TW_SHMEM_PUT;
    rma_record_add(list, time_or(op->record, op->enter), R_OPERATION, op, matching);
    rma_record_add(list, op->leave, R_COMPLETE_BLOCKING, op, matching);
}

static void
rma_records_of(records *list, const thread_ops *thread, const tw_op *op)
{
    hd_time at_enter = time_or(op->record, op->enter), at_leave = time_or(op->record, op->leave);

    window_of(thread, op);
    switch (op->op) {
    case TW_WIN_POST:
    case TW_WIN_START:
    case TW_WIN_WAIT:
    case TW_WIN_TEST:
        rma_record_add(list, at_enter, R_GROUP_SYNC, op, 0);
        break;
    case TW_WIN_COMPLETE:
        epoch_end_records(list, thread, op, R_GROUP_SYNC, TW_ALL_TARGETS);
        break;
    case TW_WIN_LOCK:
    case TW_WIN_LOCK_ALL:
        rma_record_add(list, at_enter, R_REQUEST_LOCK, op, 0);
        break;
    case TW_WIN_UNLOCK:
        epoch_end_records(list, thread, op, R_RELEASE_LOCK, op->peer);
        break;
    case TW_WIN_UNLOCK_ALL:
        epoch_end_records(list, thread, op, R_RELEASE_LOCK, TW_ALL_TARGETS);
        break;
    case TW_WIN_FLUSH:
        operations_complete(list, thread, op, at_leave, op->peer, AT_TARGET);
        break;
    case TW_WIN_FLUSH_ALL:
        operations_complete(list, thread, op, at_leave, TW_ALL_TARGETS, AT_TARGET);
        break;
    case TW_WIN_FLUSH_LOCAL:
        operations_complete(list, thread, op, at_leave, op->peer, AT_ORIGIN);
        break;
    case TW_PUT:
    case TW_RPUT:
    case TW_GET:
    case TW_RGET:
    case TW_ACCUMULATE:
    case TW_GET_ACCUMULATE:
        operation_records(list, thread, op);
        break;
    case TW_SHMEM_PUT:
    case TW_SHMEM_GET:
        shmem_operation_records(list, thread, op);
        break;
    case TW_SHMEM_WAIT_UNTIL:
        rma_record_add(list, at_enter, R_WAIT_CHANGE, op, 0);
        break;
    case TW_SHMEM_LOCK:
        rma_record_add(list, at_enter, R_ACQUIRE_LOCK, op, 0);
        break;
    case TW_SHMEM_UNLOCK:
        rma_record_add(list, at_enter, R_RELEASE_LOCK, op, 0);
        break;
    default:
        rma_collective_records(list, thread, op);
        break;
    }
}

/* ----------------------------------------------------------------------------------------------------------- records */

/* The records inside a call, in the order of time. */
static void
records_of(records *list, const thread_ops *thread, const tw_op *op)
{
    list->n = 0;
    switch (op->op) {
    case TW_SEND:
    case TW_SSEND:
    case TW_BSEND:
    case TW_RSEND:
        record_add(list, time_or(op->record, op->enter), R_SEND, op, op->comm);
        break;
    case TW_RECV:
        record_add(list, time_or(op->record, op->leave), R_RECV, op, op->comm);
        break;
    case TW_SENDRECV:
        record_add(list, op->enter, R_SEND, op, op->comm);
        record_add(list, time_or(op->record, op->leave), R_RECV, op, op->comm);
        break;
    case TW_ISEND:
    case TW_ISSEND:
    case TW_IBSEND:
    case TW_IRSEND:
    case TW_START_SEND:
        record_add(list, time_or(op->record, op->enter), R_ISEND, op, op->comm);
        break;
    case TW_IRECV:
    case TW_START_RECV:
        record_add(list, time_or(op->record, op->enter), R_IRECV_REQUEST, op, op->comm);
        break;
    case TW_FLUSH:
        record_add(list, op->enter, R_FLUSH, op, op->comm);
        break;
    case TW_OFF:
        record_add(list, op->enter, R_OFF, op, op->comm);
        record_add(list, op->leave, R_ON, op, op->comm);
        break;
    case TW_FORK:
        record_add(list, op->enter, R_FORK, op, op->comm);
        record_add(list, op->leave, R_JOIN, op, op->comm);
        break;
    case TW_CRITICAL:
        record_add(list, time_or(op->record, op->enter), R_ACQUIRE, op, 0);
        record_add(list, op->leave, R_RELEASE, op, 0);
        break;
    case TW_SET_LOCK:
    case TW_MUTEX_LOCK:
        record_add(list, time_or(op->record, op->leave), R_ACQUIRE, op, 0);
        break;
    case TW_UNSET_LOCK:
    case TW_MUTEX_UNLOCK:
        record_add(list, time_or(op->record, op->enter), R_RELEASE, op, 0);
        break;
    case TW_COND_WAIT:
        record_add(list, op->enter, R_RELEASE, op, 0);
        record_add(list, time_or(op->record, op->leave), R_ACQUIRE_NEXT, op, 0);
        break;
    case TW_THREAD_CREATE:
        record_add(list, time_or(op->record, op->enter), R_THREAD_CREATE, op, 0);
        break;
    case TW_THREAD_JOIN:
        record_add(list, time_or(op->record, op->leave), R_THREAD_WAIT, op, 0);
        break;
    case TW_TASK_CREATE:
        record_add(list, op->enter, R_TASK_CREATE, op, 0);
        break;
    case TW_TASK_SWITCH:
        record_add(list, op->enter, R_TASK_SWITCH, op, 0);
        break;
    case TW_TASK_COMPLETE:
        record_add(list, op->enter, R_TASK_COMPLETE, op, 0);
        break;
    case TW_INIT:
    case TW_FINALIZE:
    case TW_COMM_CREATE:
    case TW_COMM_FREE:
        handle_records(list, op);
        break;
    default:
        break;
    }
    if (is_of_windows(op->op))
        rma_records_of(list, thread, op);
    if (op->op >= TW_WAIT && op->op <= TW_TESTSOME) {
        if (op->request != 0)
            completion_add(list, thread, op, op->request);
        for (const uint32_t *request = op->requests; request != NULL && *request != 0; request++)
            completion_add(list, thread, op, *request);
    }
    if (op->op >= TW_BARRIER && op->op <= TW_REDUCE_SCATTER_BLOCK) {
        record_add(list, time_or(op->begin, op->enter), R_COLL_BEGIN, op, op->comm);
        record_add(list, time_or(op->end, op->leave), R_COLL_END, op, op->comm);
    }
    if (op->op >= TW_IBARRIER)
        record_add(list, time_or(op->record, op->enter), R_NBC_REQUEST, op, op->comm);
    for (size_t i = 0; i < list->n; i++)
        if (list->rows[i].time < op->enter || list->rows[i].time > leave_of(op))
            fail_op(op, "a record outside of its call");
}

/* ------------------------------------------------------------------------------------------------- collective bytes */

static uint32_t
position(const uint32_t *processes, uint32_t n, uint32_t wanted)
{
    for (uint32_t i = 0; i < n; i++)
        if (processes[i] == wanted)
            return i;
    return HD_NONE;
}

/* The size of the group that the process talks to, and its own rank. */
static void
comm_place(const thread_ops *thread, const tw_op *op, uint32_t *size, uint32_t *rank)
{
    const tw_comm *comm;

    *rank = op->comm == TW_SELF ? 0 : op->process;
    *size = op->comm == TW_SELF ? 1 : thread->n_processes;
    if (op->comm < 2)
        return;
    if (thread->options == NULL || op->comm - 2 >= thread->options->n_comms)
        fail_op(op, "a communicator that the options do not have");
    comm  = &thread->options->comms[op->comm - 2];
    *size = comm->remote == NULL ? comm->n : comm->n_remote;
    *rank = position(comm->processes, comm->n, op->process);
    if (*rank == HD_NONE && comm->remote != NULL) {
        *rank = position(comm->remote, comm->n_remote, op->process);
        *size = comm->n;
    }
    if (*rank == HD_NONE)
        fail_op(op, "the process is not in the communicator");
}

static uint64_t
given_or(uint64_t given, uint64_t otherwise)
{
    return given == TW_NOTHING ? 0 : given != 0 ? given : otherwise;
}

/* What Score-P writes for a collective in which every process contributes .bytes. */
static void
payload(const thread_ops *thread, const tw_op *op, tw_collective operation, uint64_t *sent, uint64_t *received)
{
    uint64_t bytes = given_or(op->bytes, 8);
    uint32_t size, rank;
    bool     is_root, is_inter;
    uint64_t all;

    comm_place(thread, op, &size, &rank);
    all      = bytes * size;
    is_inter = op->comm >= 2 && thread->options->comms[op->comm - 2].remote != NULL;
    is_root  = op->root == TW_ROOT_SELF || (!is_inter && op->root == rank);
    switch (operation) {
    case TW_COLL_BCAST:
        *sent     = is_root ? all : 0;
        *received = is_root && is_inter ? 0 : bytes;
        break;
    case TW_COLL_SCATTER:
    case TW_COLL_SCATTERV:
        *sent     = is_root ? all : 0;
        *received = is_root && is_inter ? 0 : bytes;
        break;
    case TW_COLL_GATHER:
    case TW_COLL_GATHERV:
    case TW_COLL_REDUCE:
        *sent     = is_root && is_inter ? 0 : bytes;
        *received = is_root ? all : 0;
        break;
    case TW_COLL_SCAN:
        *sent     = (size - rank) * bytes;
        *received = (rank + 1) * bytes;
        break;
    case TW_COLL_EXSCAN:
        *sent     = (size - rank - 1) * bytes;
        *received = rank * bytes;
        break;
    case TW_COLL_BARRIER:
    case TW_COLL_CREATE_HANDLE:
    case TW_COLL_DESTROY_HANDLE:
        *sent = *received = 0;
        break;
    default:
        *sent = *received = all;
        break;
    }
    if (op->root == TW_ROOT_THIS_GROUP)
        *sent = *received = 0;
    *sent     = given_or(op->sent, *sent);
    *received = given_or(op->received, *received);
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static tw_collective
operation_of(const tw_op *op)
{
    if (op->op == TW_INIT || op->op == TW_COMM_CREATE)
        return TW_COLL_CREATE_HANDLE;
    if (op->op == TW_FINALIZE || op->op == TW_COMM_FREE)
        return TW_COLL_DESTROY_HANDLE;
    return (tw_collective)(op->op >= TW_IBARRIER ? op->op - TW_IBARRIER : op->op - TW_BARRIER);
}

static uint32_t
root_of(const tw_op *op, tw_collective operation)
{
    return operation >= TW_COLL_CREATE_HANDLE || root_of_none[operation] ? TW_ROOT_NONE : op->root;
}

static uint32_t
team_of(const thread_ops *thread, const tw_op *op)
{
    uint32_t n = thread->options == NULL ? 0 : thread->options->n_teams;

    if (op->team > n || (op->team > 0 && thread->options->teams[op->team - 1].process != op->process))
        fail_op(op, "a team that the options do not have, or of another process");
    return op->team == 0 ? thread->teams[op->process] : thread->teams[thread->n_processes + op->team - 1];
}

/* Whether MPI has allocated the memory of the window. */
static bool
is_allocated(const thread_ops *thread, uint32_t window)
{
    for (size_t i = 0; i < thread->n_all; i++)
        if (thread->all[i].op == TW_WIN_ALLOCATE && thread->all[i].window == window)
            return true;
    return false;
}

static tw_collective
rma_operation_of(const thread_ops *thread, const tw_op *op)
{
    if (op->op == TW_WIN_CREATE)
        return TW_COLL_CREATE_HANDLE;
    if (op->op == TW_WIN_ALLOCATE)
        return TW_COLL_CREATE_AND_ALLOCATE;
    if (op->op == TW_WIN_FREE)
        return is_allocated(thread, op->window) ? TW_COLL_DESTROY_AND_DEALLOCATE : TW_COLL_DESTROY_HANDLE;
    if (op->op == TW_SHMEM_BCAST)
        return TW_COLL_BCAST;
    return op->op == TW_SHMEM_REDUCE ? TW_COLL_ALLREDUCE : TW_COLL_BARRIER;
}

static void
rma_collective_write(const thread_ops *thread, const record *row, uint32_t window)
{
    const tw_op  *op        = row->op;
    tw_collective operation = rma_operation_of(thread, op);
    uint32_t      sync      = operation >= TW_COLL_CREATE_HANDLE ? TW_SYNC_PROCESS : TW_SYNC_BOTH;
    tw_op         place     = { .process = op->process, .comm = window_of(thread, op)->comm };
    uint64_t      bytes     = given_or(op->bytes, 8), sent = 0, received = 0;
    uint32_t      size, rank;

    comm_place(thread, &place, &size, &rank);
    if (operation == TW_COLL_BCAST || operation == TW_COLL_ALLREDUCE) {
        sent     = given_or(op->sent, bytes * (size - 1));
        received = given_or(op->received, operation == TW_COLL_BCAST ? bytes : bytes * (size - 1));
    }
    tw_rma_collective_end(thread->location, row->time, operation, sync, window,
                          operation == TW_COLL_BCAST ? op->root : TW_ROOT_NONE, sent, received);
}

static void
operation_write(const thread_ops *thread, const record *row, uint32_t window)
{
    const tw_op *op    = row->op;
    uint64_t     bytes = given_or(op->bytes, 8);

    switch (op->op) {
    case TW_GET:
    case TW_RGET:
    case TW_SHMEM_GET:
        tw_rma_get(thread->location, row->time, window, op->peer, bytes, row->matching);
        break;
    case TW_ACCUMULATE:
        tw_rma_atomic(thread->location, row->time, window, op->peer, TW_ATOMIC_ACCUMULATE, given_or(op->sent, bytes),
                      given_or(op->received, 0), row->matching);
        break;
    case TW_GET_ACCUMULATE:
        tw_rma_atomic(thread->location, row->time, window, op->peer, TW_ATOMIC_FETCH_AND_ACCUMULATE, given_or(op->sent, bytes),
                      given_or(op->received, bytes), row->matching);
        break;
    default:
        tw_rma_put(thread->location, row->time, window, op->peer, bytes, row->matching);
        break;
    }
}

static uint32_t
sync_level_of(const tw_op *op)
{
    if (op->op == TW_WIN_TEST && op->unsuccessful)
        return TW_SYNC_NONE;
    return op->op == TW_WIN_POST || op->op == TW_WIN_START ? TW_SYNC_PROCESS : TW_SYNC_BOTH;
}

static void
rma_record_write(const thread_ops *thread, const record *row)
{
    tw_location *location  = thread->location;
    const tw_op *op        = row->op;
    uint32_t     window    = thread->window_numbers[op->window];
    bool         has_one   = op->op == TW_WIN_LOCK || op->op == TW_WIN_UNLOCK;
    uint32_t     target    = has_one ? op->peer : TW_ALL_TARGETS;
    uint32_t     lock      = op->op == TW_SHMEM_LOCK || op->op == TW_SHMEM_UNLOCK ? op->lock : 0;

    switch (row->type) {
    case R_WIN_CREATE:
        tw_rma_win_create(location, row->time, window);
        break;
    case R_WIN_DESTROY:
        tw_rma_win_destroy(location, row->time, window);
        break;
    case R_RMA_BEGIN:
        tw_rma_collective_begin(location, row->time);
        break;
    case R_RMA_END:
        rma_collective_write(thread, row, window);
        break;
    case R_GROUP_SYNC:
        tw_rma_group_sync(location, row->time, sync_level_of(op), window,
                          tw_group_define(thread->archive, op->group, op->n_group));
        break;
    case R_REQUEST_LOCK:
        tw_rma_request_lock(location, row->time, window, target, lock, op->exclusive);
        break;
    case R_ACQUIRE_LOCK:
        tw_rma_acquire_lock(location, row->time, window, target, lock, true);
        break;
    case R_RELEASE_LOCK:
        tw_rma_release_lock(location, row->time, window, target, lock);
        break;
    case R_OPERATION:
        operation_write(thread, row, window);
        break;
    case R_COMPLETE_BLOCKING:
        tw_rma_op_complete_blocking(location, row->time, window, row->matching);
        break;
    case R_COMPLETE_NON_BLOCKING:
        tw_rma_op_complete_non_blocking(location, row->time, window, row->matching);
        break;
    case R_COMPLETE_REMOTE:
        tw_rma_op_complete_remote(location, row->time, window, row->matching);
        break;
    default:
        tw_rma_wait_change(location, row->time, window);
        break;
    }
}

static void
record_write(const thread_ops *thread, const record *row)
{
    tw_location  *location = thread->location;
    const tw_op  *op       = row->op;
    uint64_t      bytes    = given_or(op->bytes, 8);
    uint64_t      sent, received;
    tw_collective operation;

    switch (row->type) {
    case R_SEND:
        tw_send(location, row->time, op->comm, op->peer, op->tag, bytes);
        break;
    case R_RECV:
        if (op->op == TW_SENDRECV)
            tw_recv(location, row->time, op->comm, op->from, op->from_tag, given_or(op->received, bytes));
        else
            tw_recv(location, row->time, op->comm, op->peer, op->tag, bytes);
        break;
    case R_ISEND:
        tw_isend(location, row->time, op->comm, op->peer, op->tag, bytes, op->request);
        break;
    case R_ISEND_COMPLETE:
        tw_isend_complete(location, row->time, op->request);
        break;
    case R_IRECV_REQUEST:
        tw_irecv_request(location, row->time, op->request);
        break;
    case R_IRECV:
        tw_irecv(location, row->time, op->comm, op->peer, op->tag, bytes, op->request);
        break;
    case R_TEST:
        tw_request_test(location, row->time, op->request);
        break;
    case R_CANCELLED:
        tw_cancelled(location, row->time, op->request);
        break;
    case R_COLL_BEGIN:
        tw_coll_begin(location, row->time);
        break;
    case R_COLL_END:
    case R_NBC_COMPLETE:
        operation = operation_of(op);
        payload(thread, op, operation, &sent, &received);
        if (row->type == R_COLL_END)
            tw_coll_end(location, row->time, operation, op->comm, root_of(op, operation), sent, received);
        else
            tw_nbc_complete(location, row->time, operation, op->comm, root_of(op, operation), sent, received, op->request);
        break;
    case R_NBC_REQUEST:
        tw_nbc_request(location, row->time, op->request);
        break;
    case R_COMM_CREATE:
        tw_comm_create(location, row->time, row->comm);
        break;
    case R_COMM_DESTROY:
        tw_comm_destroy(location, row->time, row->comm);
        break;
    case R_FLUSH:
        tw_buffer_flush(location, row->time, op->leave);
        break;
    case R_OFF:
        tw_measurement(location, row->time, false);
        break;
    case R_ON:
        tw_measurement(location, row->time, true);
        break;
    case R_FORK:
        tw_fork(location, row->time, 0);
        break;
    case R_JOIN:
        tw_join(location, row->time);
        break;
    case R_ACQUIRE:
    case R_ACQUIRE_NEXT:
        tw_acquire(location, row->time, op->op >= TW_MUTEX_LOCK, op->lock,
                   row->type == R_ACQUIRE ? op->order : op->next_order);
        break;
    case R_RELEASE:
        tw_release(location, row->time, op->op >= TW_MUTEX_LOCK, op->lock, op->order);
        break;
    case R_THREAD_CREATE:
        tw_thread_create(location, row->time, thread->contingent, op->created);
        break;
    case R_THREAD_WAIT:
        tw_thread_wait(location, row->time, thread->contingent, op->created);
        break;
    case R_TASK_CREATE:
        tw_task_create(location, row->time, team_of(thread, op), op->creator, op->task);
        break;
    case R_TASK_SWITCH:
        tw_task_switch(location, row->time, team_of(thread, op), op->creator, op->task);
        break;
    case R_TASK_COMPLETE:
        tw_task_complete(location, row->time, team_of(thread, op), op->creator, op->task);
        break;
    default:
        rma_record_write(thread, row);
        break;
    }
}

static bool
has_region(const tw_op *op)
{
    return op->op != TW_FLUSH && op->op != TW_OFF && op->op != TW_FORK && op->op != TW_THREAD &&
           (op->op < TW_TASK_CREATE || op->op > TW_TASK_COMPLETE);
}

/* Writes the next call of the thread with all that is nested in it. */
static void
op_write(thread_ops *thread)
{
    const tw_op *op     = thread->ops[thread->next++];
    records      list   = { 0 };
    size_t       i      = 0;
    uint32_t     region = HD_NONE;

    if (has_region(op))
        region = tw_region(thread->archive, op->region == NULL ? names[op->op] : op->region);
    if (op->op == TW_TEAM)
        tw_team_begin(thread->location, op->enter, team_of(thread, op));
    else if (op->op == TW_THREAD)
        tw_thread_begin(thread->location, op->enter, thread->contingent, op->created);
    if (region != HD_NONE && op->op != TW_LEAVE)
        tw_enter(thread->location, op->enter, region);
    records_of(&list, thread, op);
    while (thread->next < thread->n && thread->ops[thread->next]->enter < leave_of(op)) {
        const tw_op *inner = thread->ops[thread->next];

        if (leave_of(inner) > op->leave)
            fail_op(inner, "overlaps another call without lying inside");
        for (; i < list.n && list.rows[i].time <= inner->enter; i++)
            record_write(thread, &list.rows[i]);
        op_write(thread);
    }
    for (; i < list.n; i++)
        record_write(thread, &list.rows[i]);
    if (region != HD_NONE && op->op != TW_ENTER)
        tw_leave(thread->location, leave_of(op), region);
    if (op->op == TW_TEAM)
        tw_team_end(thread->location, op->leave, team_of(thread, op));
    else if (op->op == TW_THREAD)
        tw_thread_end(thread->location, op->leave, thread->contingent, op->created);
    free(list.rows);
}

static int
outer_first(const void *left, const void *right)
{
    const tw_op *a = *(const tw_op *const *)left, *b = *(const tw_op *const *)right;

    if (a->enter != b->enter)
        return a->enter < b->enter ? -1 : 1;
    if (leave_of(a) != leave_of(b))
        return leave_of(a) > leave_of(b) ? -1 : 1;
    return a < b ? -1 : 1; /* both in the caller's table */
}

static void
thread_write(thread_ops *thread, uint32_t process, uint32_t number, hd_time end, const tw_clock *clock)
{
    bool     has_main = number == 0 && (thread->options == NULL || !thread->options->without_program);
    uint32_t main_region;

    thread->location = tw_location_open(thread->archive, process, number, clock == NULL ? NULL : clock->offsets,
                                        clock == NULL ? 0 : clock->n);
    tw_location_cut(thread->location, thread->last);
    if (has_main) {
        main_region = tw_region(thread->archive, "main");
        tw_program_begin(thread->location, 0);
        tw_enter(thread->location, 0, main_region);
    }
    while (thread->next < thread->n)
        op_write(thread);
    if (has_main) {
        tw_leave(thread->location, end, main_region);
        tw_program_end(thread->location, end);
    }
    tw_location_close(thread->location);
    rma_operations_fini(thread->operations);
}

static void
comms_define(tw_archive *archive, const tw_options *options)
{
    for (uint32_t i = 0; options != NULL && i < options->n_comms; i++) {
        const tw_comm *comm = &options->comms[i];

        if (comm->remote != NULL)
            tw_inter_comm_define(archive, comm->name, comm->processes, comm->n, comm->remote, comm->n_remote);
        else
            tw_comm_define(archive, comm->name, comm->processes, comm->n);
    }
}

/* What the table needs, if the options have no windows: one of all processes, of MPI if any call is. */
static const tw_window *
windows_needed(const tw_op *ops, size_t n, uint32_t *n_windows)
{
    static const tw_window of_mpi = { .comm = TW_WORLD }, of_shmem = { .comm = TW_WORLD, .is_shmem = true };
    const tw_window       *found  = NULL;

    for (size_t i = 0; i < n; i++)
        if (is_of_windows(ops[i].op) && (found == NULL || ops[i].op < TW_SHMEM_BARRIER))
            found = ops[i].op < TW_SHMEM_BARRIER ? &of_mpi : &of_shmem;
    *n_windows = found == NULL ? 0 : 1;
    return found;
}

/* Defines the windows and the groups of the table. Returns the numbers of the windows; free() it. */
static uint32_t *
windows_define(tw_archive *archive, const tw_op *ops, size_t n, const tw_options *options, thread_ops *thread)
{
    uint32_t *numbers;

    if (options != NULL && options->n_windows > 0) {
        thread->windows   = options->windows;
        thread->n_windows = options->n_windows;
    } else {
        thread->windows = windows_needed(ops, n, &thread->n_windows);
    }
    numbers = HD_NEW_ARRAY(uint32_t, thread->n_windows + 1);
    for (uint32_t i = 0; i < thread->n_windows; i++) {
        const tw_window *window = &thread->windows[i];

        numbers[i] = window->is_shmem ? tw_shmem_window_define(archive, window->name, window->comm)
                                      : tw_window_define(archive, window->name, window->comm);
    }
    for (size_t i = 0; i < n; i++)
        if (ops[i].op >= TW_WIN_POST && ops[i].op <= TW_WIN_TEST)
            tw_group_define(archive, ops[i].group, ops[i].n_group);
    thread->window_numbers = numbers;
    return numbers;
}

static hd_time
end_of(const tw_op *ops, size_t n)
{
    hd_time end = 0;

    for (size_t i = 0; i < n; i++)
        end = hd_time_max(end, leave_of(&ops[i]));
    return end;
}

static void
count_locations(const tw_op *ops, size_t n, tw_archive_options *archive)
{
    uint32_t n_processes = archive->n_processes == 0 ? 1 : archive->n_processes;
    uint32_t n_threads   = archive->n_threads == 0 ? 1 : archive->n_threads;

    for (size_t i = 0; i < n; i++) {
        if (ops[i].process >= n_processes)
            n_processes = ops[i].process + 1;
        if (ops[i].thread >= n_threads && archive->n_devices == 0)
            n_threads = ops[i].thread + 1;
    }
    archive->n_processes = n_processes;
    archive->n_threads   = n_threads;
}

/* Threads are made by OpenMP, or by the program itself. */
static bool
uses_posix(const tw_op *ops, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ops[i].op == TW_THREAD)
            return true;
    return false;
}

void
tw_write(const tw_op *ops, size_t n, const tw_options *options, const char *directory)
{
    tw_archive_options archive_options = options == NULL ? (tw_archive_options){ 0 } : options->archive;
    thread_ops         thread          = { .all = ops, .n_all = n, .options = options };
    uint32_t           n_teams         = options == NULL ? 0 : options->n_teams, n_locations;
    uint32_t          *teams, *contingents, *windows;
    rma_operations     operations = { 0 };
    tw_archive        *archive;

    count_locations(ops, n, &archive_options);
    archive = tw_open(directory, &archive_options);
    comms_define(archive, options);
    windows     = windows_define(archive, ops, n, options, &thread);
    teams       = HD_NEW_ARRAY(uint32_t, archive_options.n_processes + n_teams);
    contingents = HD_NEW_ARRAY(uint32_t, archive_options.n_processes);
    for (uint32_t i = 0; archive_options.n_threads > 1 && i < archive_options.n_processes; i++)
        if (uses_posix(ops, n))
            contingents[i] = tw_contingent_define(archive, i);
        else
            teams[i] = tw_team_define(archive, i);
    for (uint32_t i = 0; i < n_teams; i++)
        teams[archive_options.n_processes + i] =
            tw_team_define_of(archive, options->teams[i].process, options->teams[i].threads, options->teams[i].n);
    tw_region(archive, "main");
    for (size_t i = 0; i < n; i++)
        if (has_region(&ops[i]))
            tw_region(archive, ops[i].region == NULL ? names[ops[i].op] : ops[i].region);
    thread.operations  = &operations;
    thread.teams       = teams;
    thread.archive     = archive;
    thread.n_processes = archive_options.n_processes;
    thread.ops         = HD_NEW_ARRAY(const tw_op *, n + 1);
    n_locations = archive_options.n_threads + archive_options.n_devices;
    for (uint32_t i = 0; i < archive_options.n_processes * n_locations; i++) {
        uint32_t rank = i / n_locations, number = i % n_locations;

        thread.n = thread.next = 0;
        thread.contingent      = contingents[rank];
        for (size_t k = 0; k < n; k++)
            if (ops[k].process == rank && ops[k].thread == number)
                thread.ops[thread.n++] = &ops[k];
        qsort(thread.ops, thread.n, sizeof *thread.ops, outer_first);
        thread.last = options == NULL || options->ends == NULL ? UINT64_MAX : options->ends[i];
        thread_write(&thread, rank, number, end_of(ops, n) + 1,
                     options == NULL || options->clocks == NULL ? NULL : &options->clocks[rank]);
    }
    free(thread.ops);
    free(teams);
    free(contingents);
    free(windows);
    tw_close(archive);
}
