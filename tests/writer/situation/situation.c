/* tests/writer/situation/situation.c: writes the archive of a table of calls. */
#include "situation_records.h"

#include <stdio.h>

#include "memory.h"

#define CALL_NAME(kind, name) name,
static const char *const names[TW_N_KINDS] = { TW_CALLS(CALL_NAME) };
#undef CALL_NAME

static const uint32_t root_of_none[] = {
    [TW_COLL_BARRIER] = 1,   [TW_COLL_ALLGATHER] = 1, [TW_COLL_ALLGATHERV] = 1,     [TW_COLL_ALLTOALL] = 1,
    [TW_COLL_ALLTOALLV] = 1, [TW_COLL_ALLTOALLW] = 1, [TW_COLL_ALLREDUCE] = 1,      [TW_COLL_REDUCE_SCATTER] = 1,
    [TW_COLL_SCAN] = 1,      [TW_COLL_EXSCAN] = 1,    [TW_COLL_REDUCE_SCATTER_BLOCK] = 1
};

void
situation_fail(const tw_op *op, const char *what)
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
           kind == TW_RPUT || kind == TW_RGET || is_file_start(kind) ||
           (kind >= TW_IBARRIER && kind <= TW_IREDUCE_SCATTER_BLOCK);
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
        situation_fail(completion, "completes a request that was not started");
    return best;
}

void
situation_record_add(records *list, record row)
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
    situation_record_add(list, (record){ .time = time, .type = type, .op = op, .comm = comm });
}

static void
completion_add(records *list, const thread_ops *thread, const tw_op *op, uint32_t request)
{
    const tw_op *start = start_of(thread, op, request);
    hd_time      time  = time_or(op->record, op->leave);

    if (start->op == TW_RPUT || start->op == TW_RGET)
        window_request_records(list, thread, op, start);
    else if (is_file_start(start->op))
        record_add(list, time, op->cancelled ? R_FILE_CANCELLED : R_FILE_COMPLETE, start, 0);
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
        record_add(list, time_or(op->end, op->leave), op->op == TW_COMM_CREATE ? R_COMM_CREATE : R_COMM_DESTROY, op,
                   op->comm);
    }
    record_add(list, time_or(op->end, op->leave), R_COLL_END, op, op->comm);
}

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
        window_records_of(list, thread, op);
    if (is_of_files(op->op))
        file_records_of(list, thread, op);
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
            situation_fail(op, "a record outside of its call");
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

void
situation_place(const thread_ops *thread, const tw_op *op, uint32_t *size, uint32_t *rank)
{
    const tw_comm *comm;

    *rank = op->comm == TW_SELF ? 0 : op->process;
    *size = op->comm == TW_SELF ? 1 : thread->n_processes;
    if (op->comm < 2)
        return;
    if (thread->options == NULL || op->comm - 2 >= thread->options->n_comms)
        situation_fail(op, "a communicator that the options do not have");
    comm  = &thread->options->comms[op->comm - 2];
    *size = comm->remote == NULL ? comm->n : comm->n_remote;
    *rank = position(comm->processes, comm->n, op->process);
    if (*rank == HD_NONE && comm->remote != NULL) {
        *rank = position(comm->remote, comm->n_remote, op->process);
        *size = comm->n;
    }
    if (*rank == HD_NONE)
        situation_fail(op, "the process is not in the communicator");
}

/* What Score-P writes for a collective in which every process contributes .bytes. */
static void
payload(const thread_ops *thread, const tw_op *op, tw_collective operation, uint64_t *sent, uint64_t *received)
{
    uint64_t bytes = given_or(op->bytes, 8);
    uint32_t size, rank;
    bool     is_root, is_inter;
    uint64_t all;

    situation_place(thread, op, &size, &rank);
    all      = bytes * size;
    is_inter = op->comm >= 2 && thread->options->comms[op->comm - 2].remote != NULL;
    is_root  = op->root == TW_ROOT_SELF || (!is_inter && op->root == rank);
    switch (operation) {
    case TW_COLL_BCAST:
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
        situation_fail(op, "a team that the options do not have, or of another process");
    return op->team == 0 ? thread->teams[op->process] : thread->teams[thread->n_processes + op->team - 1];
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
            tw_nbc_complete(location, row->time, operation, op->comm, root_of(op, operation), sent, received,
                            op->request);
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
        if (row->type < R_WIN_CREATE)
            file_record_write(thread, row);
        else
            window_record_write(thread, row);
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
            situation_fail(inner, "overlaps another call without lying inside");
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
    files_define(archive, options);
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
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is a location for each i */
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
