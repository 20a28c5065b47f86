/* tests/writer/situation/situation_windows.c: the records of calls on windows. */
#include "situation_records.h"

#include "memory.h"

static void
rma_record_add(records *list, hd_time time, record_type type, const tw_op *op, uint64_t matching)
{
    situation_record_add(list, (record){ .time = time, .type = type, .op = op, .matching = matching });
}

static const tw_window *
window_of(const thread_ops *thread, const tw_op *op)
{
    if (op->window >= thread->n_windows)
        situation_fail(op, "a window that the options do not have");
    return &thread->windows[op->window];
}

/* What is known of operations after a call: that the origin may use its memory again, or that the target has them, too.
 * At the end of an epoch Score-P says the latter only of those that got something. */
typedef enum completeness { AT_ORIGIN, AT_TARGET, WITH_EPOCH } completeness;

/* The newest first, as Score-P does. */
static void
operations_complete(records *list, const thread_ops *thread, const tw_op *op, hd_time time, uint32_t target,
                    completeness how)
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

void
window_records_of(records *list, const thread_ops *thread, const tw_op *op)
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

void
window_request_records(records *list, const thread_ops *thread, const tw_op *op, const tw_op *start)
{
    rma_operation *operation = rma_operation_of_request(thread->operations, start->request);

    if (operation == NULL || operation->is_complete || op->unsuccessful)
        return;
    operation->is_complete = true;
    rma_record_add(list, time_or(op->record, op->leave), R_COMPLETE_NON_BLOCKING, start, operation->matching);
}

/* ---------------------------------------------------------------------------------------------------------- writing */

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
collective_of(const thread_ops *thread, const tw_op *op)
{
    if (op->op == TW_WIN_CREATE)
        return TW_COLL_CREATE_HANDLE;
    if (op->op == TW_WIN_ALLOCATE)
        return TW_COLL_CREATE_AND_ALLOCATE;
    if (op->op == TW_WIN_FREE)
        return is_allocated(thread, op->window) ? TW_COLL_DESTROY_AND_DEALLOCATE : TW_COLL_DESTROY_HANDLE;
    if (op->op == TW_SHMEM_BCAST)
        return TW_COLL_BCAST;
    return op->op == TW_SHMEM_REDUCE ? TW_COLL_REDUCE : TW_COLL_BARRIER;
}

static void
rma_collective_write(const thread_ops *thread, const record *row, uint32_t window)
{
    const tw_op  *op        = row->op;
    tw_collective operation = collective_of(thread, op);
    uint32_t      sync      = operation >= TW_COLL_CREATE_HANDLE ? TW_SYNC_PROCESS : TW_SYNC_BOTH;
    tw_op         place     = { .process = op->process, .comm = window_of(thread, op)->comm };
    uint64_t      bytes     = given_or(op->bytes, 8), sent = 0, received = 0;
    uint32_t      size, rank;

    situation_place(thread, &place, &size, &rank);
    if (operation == TW_COLL_BCAST || operation == TW_COLL_REDUCE) {
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
        tw_rma_atomic(thread->location, row->time, window, op->peer, TW_ATOMIC_FETCH_AND_ACCUMULATE,
                      given_or(op->sent, bytes), given_or(op->received, bytes), row->matching);
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

void
window_record_write(const thread_ops *thread, const record *row)
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

/* -------------------------------------------------------------------------------------------------------
 * definitions */

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

uint32_t *
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
